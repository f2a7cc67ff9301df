// The end of a wide search: levels of a byte become distances in the caller's order, and the bitmaps are left empty for the
// next. Ours; several streams of whole quads are in flight a thread, since every level waits for its vertex's rank.
#pragma once

#include "engine/state.h"

namespace hopwave::HW_MACHINE::engine {

/// Does vertex r (ours) get its level in this pass? `skip`: it was written by an earlier one.
struct Reached {
  const Word* visited;
  const Word* settled;  ///< null unless levels were written before
  u32 giant;            ///< not 0: exactly the vertices below are reached
  HW_DEVICE bool has(u32 r) const { return giant ? r < giant : visited[r / word_bits] >> (r % word_bits) & 1; }
  HW_DEVICE bool skip(u32 r) const { return settled && (settled[r / word_bits] >> (r % word_bits) & 1); }
};

/// Four levels of the last pass, all of base 0.
template <class Offset>
HW_DEVICE dev::Quad levels_of(const Graph<Offset>& g, const State<Offset>& s, const Reached& reached, u32 i,
                              const dev::Quad& r) {
  if (!g.rank) {  // four neighbours in memory: one read each
    const u32 bytes = reinterpret_cast<const u32*>(s.level8)[i], at = i * 4;
    const u32 bits = reached.giant ? 15u : static_cast<u32>(reached.visited[at / word_bits] >> (at % word_bits));
    const auto one = [&](u32 k) { return bits >> k & 1 ? bytes >> 8 * k & 255 : ~0u; };
    return {one(0), one(1), one(2), one(3)};
  }
  return {reached.has(r.x) ? s.level8[r.x] : ~0u, reached.has(r.y) ? s.level8[r.y] : ~0u,
          reached.has(r.z) ? s.level8[r.z] : ~0u, reached.has(r.w) ? s.level8[r.w] : ~0u};
}

/// Writes the levels of all vertices that have one by now, in the caller's order, four at a time. The last pass also writes
/// `unreached`.
template <class Offset>
HW_DEVICE void write_levels(const Graph<Offset>& g, const State<Offset>& s, const Progress& p, bool last, bool all_of_giant) {
  const Reached reached{p.current ? s.visited[1] : s.visited[0], p.base ? s.settled : nullptr, all_of_giant ? g.giant : 0};
  const u32 n = g.num_vertices, whole = last && !p.base ? n / 4 : 0, stride = dev::global_threads();
  for (u32 i = dev::global_thread(); i < whole; i += 2 * stride) {
    const bool two = i + stride < whole;
    dev::Quad a{}, b{};
    if (g.rank) {
      a = dev::read_only(reinterpret_cast<const dev::Quad*>(g.rank) + i);
      if (two) b = dev::read_only(reinterpret_cast<const dev::Quad*>(g.rank) + i + stride);
    }
    reinterpret_cast<dev::Quad*>(s.level)[i] = levels_of(g, s, reached, i, a);
    if (two) reinterpret_cast<dev::Quad*>(s.level)[i + stride] = levels_of(g, s, reached, i + stride, b);
  }
  for (u64 v = whole * 4ull + dev::global_thread(); v < n; v += dev::global_threads()) {
    const u32 r = g.rank ? dev::read_only(&g.rank[v]) : static_cast<u32>(v);
    if (reached.skip(r)) continue;
    if (reached.has(r))
      s.level[v] = static_cast<Distance>(p.base + s.level8[r]);
    else if (last)
      s.level[v] = unreached;
  }
  if (!last || !s.parent) return;
  for (u64 v = dev::global_thread(); v < n; v += dev::global_threads()) {
    const u32 r = g.rank ? dev::read_only(&g.rank[v]) : static_cast<u32>(v);
    const u32 from = reached.has(r) ? s.parent[r] : no_vertex;
    s.parent_out[v] = from == no_vertex || !g.order ? from : dev::read_only(&g.order[from]);
  }
}

/// Leaves both bitmaps, and the settled one if it was used, as the next search wants them.
template <class Offset>
HW_DEVICE void clear_bitmaps(const Graph<Offset>& g, const State<Offset>& s, bool settled) {
  const u32 words = num_words(g);
  for (u32 w = dev::global_thread(); w < words; w += dev::global_threads()) {
    const Word empty = empty_word(w, g.num_vertices);
    s.visited[0][w] = empty;
    s.visited[1][w] = empty;
    if (settled) s.settled[w] = 0;
  }
  if (dev::global_thread() < 6) s.cursor[dev::global_thread()] = 0;
}

}  // namespace hopwave::HW_MACHINE::engine
