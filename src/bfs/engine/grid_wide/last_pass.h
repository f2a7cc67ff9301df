// The end of a grid-wide search: levels of a byte become distances in the caller's order. Also its start: emptying what the
// search before left. Ours: a thread takes whole quads, since every level waits for its vertex's rank.
#pragma once

#include "bfs/engine/grid_wide/scratch.h"
#include "device/primitives/bitmap.h"

namespace hopwave::HW_MACHINE::engine::grid_wide {

/// What a pass writes for vertex r (ours).
template <class Offset>
struct LastPass {
  const Byte* level8;
  const Word* visited;
  const Word* settled;  ///< null unless levels were written before
  u32 base;
  u32 largest_component;  ///< not 0: exactly the vertices below are reached, or left
  u32 left;               ///< vertices below, if not reached, are another block's
  bool last;              ///< vertices not reached get `unreached`

  static constexpr u32 keep = ~1u;  ///< is not written

  HW_DEVICE bool has(u32 r) const { return largest_component ? r < largest_component : dev::test_bit(visited, r); }
  HW_DEVICE u32 answer(u32 r) const {
    if (largest_component) {
      const u32 byte = r < largest_component ? dev::plain_read(&level8[r]) : ~0u;
      return byte == left_byte ? keep : byte;
    }
    return from_bit(dev::test_bit(visited, r), r);
  }
  HW_DEVICE u32 from_bit(bool reached, u32 r) const { return reached ? dev::plain_read(&level8[r]) : r < left ? keep : ~0u; }
  /// The answer in any pass, not only the last one of base 0.
  HW_DEVICE u32 answer_deep(u32 r) const {
    if (settled && dev::test_bit(settled, r)) return keep;
    const u32 level = answer(r);
    return level == ~0u ? (last ? level : keep) : level == keep ? keep : base + level;
  }
};

/// Four answers of the last pass, all of base 0.
template <class Offset>
HW_DEVICE dev::Quad answers_of(const LastPass<Offset>& pass, const dev::Quad& r) {
  return {pass.answer(r.x), pass.answer(r.y), pass.answer(r.z), pass.answer(r.w)};
}
HW_DEVICE void write_answers(Distance* level, u32 i, const dev::Quad& a) {
  constexpr u32 keep = LastPass<u32>::keep;
  if (a.x != keep && a.y != keep && a.z != keep && a.w != keep) {
    dev::write_stream(reinterpret_cast<dev::Quad*>(level) + i, a);
    return;
  }
  if (a.x != keep) dev::plain_write(&level[4ull * i], static_cast<Distance>(a.x));
  if (a.y != keep) dev::plain_write(&level[4ull * i + 1], static_cast<Distance>(a.y));
  if (a.z != keep) dev::plain_write(&level[4ull * i + 2], static_cast<Distance>(a.z));
  if (a.w != keep) dev::plain_write(&level[4ull * i + 3], static_cast<Distance>(a.w));
}

/// The parent of vertex v (the caller's id; ours is r), whose answer in this pass is `level`.
template <class Offset>
HW_DEVICE void write_parent(const Graph<Offset>& g, const State<Offset>& s, u64 v, u32 r, u32 level) {
  if (level == LastPass<Offset>::keep) return;
  const u32 from = level == ~0u ? no_vertex : dev::plain_read(&s.parent[r]);
  dev::plain_write(&s.parent_out[v], from == no_vertex ? from : dev::read_only(&g.order[from]));
}
template <class Offset>
HW_DEVICE void write_parents(const Graph<Offset>& g, const State<Offset>& s, u32 i, const dev::Quad& r, const dev::Quad& a) {
  const u64 v = 4ull * i;
  write_parent(g, s, v, r.x, a.x);
  write_parent(g, s, v + 1, r.y, a.y);
  write_parent(g, s, v + 2, r.z, a.z);
  write_parent(g, s, v + 3, r.w, a.w);
}

/// Threads that share a pass.
struct Writers {
  u32 thread, threads;
};

/// Writes the levels of all vertices that have one by now, in the caller's order, four at a time. The graph is prepared: an
/// unprepared one's levels are written when they are found.
template <class Offset>
HW_DEVICE void write_levels(const Graph<Offset>& g, const State<Offset>& s, const LastPass<Offset>& pass,
                            const Writers& writers) {
  HW_CHECK(g.rank && g.order);
  const u32 n = g.num_vertices, whole = pass.last && !pass.base ? n / 4 : 0, stride = writers.threads;
  for (u32 i = writers.thread; i < whole; i += stride) {
    const dev::Quad ranks = dev::read_stream(reinterpret_cast<const dev::Quad*>(g.rank) + i), levels = answers_of(pass, ranks);
    write_answers(s.level, i, levels);
    if (s.parent) write_parents(g, s, i, ranks, levels);
  }
  for (u64 v = whole * 4ull + writers.thread; v < n; v += stride) {
    const u32 level = pass.answer_deep(dev::read_only(&g.rank[v]));
    if (level != pass.keep) dev::plain_write(&s.level[v], static_cast<Distance>(level));
  }
  if (!pass.last || !s.parent) return;
  for (u64 v = whole * 4ull + writers.thread; v < n; v += stride) {
    const u32 r = dev::read_only(&g.rank[v]);
    write_parent(g, s, v, r, pass.answer(r));
  }
}

/// Not prepared: which answers are missing at the end, and what they are.
struct LastAnswers {
  const Word* visited;   ///< null where another block answers for all that can be found
  const Word* isolated;  ///< null: none are set apart
  const Word* found_by_pull;
  KeptPulls kept;
};

/// A lane's word of each bitmap.
struct MissingWords {
  Word none;  ///< vertices that are not reached
  Word found[most_kept_pulls];
};
HW_DEVICE MissingWords read_missing(const LastAnswers& pass, bool mine, u32 w, u32 words) {
  MissingWords own{0, {}};
  if (mine && pass.visited) own.none = ~dev::plain_read(&pass.visited[w]);
  if (mine && pass.isolated) own.none |= dev::read_only(&pass.isolated[w]);
  HW_UNROLL
  for (u32 k = 0; k < most_kept_pulls; ++k)
    own.found[k] = mine && k < pass.kept.count ? dev::plain_read(&pass.found_by_pull[u64{k} * words + w]) : 0;
  return own;
}
/// Four answers: of the bits from `shift` on of the words that lane `from` has. All lanes of a warp.
HW_DEVICE void missing_answers(const LastAnswers& pass, const MissingWords& own, u32 from, u32 shift, u32 (&a)[4]) {
  constexpr u32 keep = LastPass<u32>::keep;
  Word bits = dev::shuffle(dev::all_lanes, own.none, from) >> shift;
  HW_UNROLL
  for (u32 j = 0; j < 4; ++j) a[j] = bits >> j & 1 ? ~0u : keep;
  HW_UNROLL
  for (u32 k = 0; k < most_kept_pulls; ++k) {
    if (k >= pass.kept.count) break;  // all warps
    bits = dev::shuffle(dev::all_lanes, own.found[k], from) >> shift;
    HW_UNROLL
    for (u32 j = 0; j < 4; ++j)
      if (bits >> j & 1) a[j] = pass.kept.level[k];
  }
}

/// Writes the answers that are missing at the end, four at a time. A warp reads a few words of each bitmap at once, a lane a
/// word, and passes them on: one wait for memory in so many answers.
template <class Offset>
HW_DEVICE void write_missing(const Graph<Offset>& g, const State<Offset>& s, const LastAnswers& pass, const Writers& writers) {
  if (!pass.visited && !pass.isolated && !pass.kept.count) return;
  constexpr u32 at_once = 16, in_word = word_bits / 4, in_round = dev::lanes / in_word;  // words, quads of a word, words
  const u32 words = num_words(g), n = g.num_vertices, shift = dev::lane() % in_word * 4;
  for (u32 w0 = writers.thread / dev::lanes * at_once; w0 < words; w0 += writers.threads / dev::lanes * at_once) {
    const u32 w = w0 + dev::lane();
    const MissingWords own = read_missing(pass, dev::lane() < at_once && w < words, w, words);
    HW_UNROLL
    for (u32 r = 0; r < at_once / in_round; ++r) {
      const u32 from = r * in_round + dev::lane() / in_word, i = (w0 + from) * in_word + dev::lane() % in_word, v = 4 * i;
      u32 a[4];
      missing_answers(pass, own, from, shift, a);
      if (v >= n) continue;
      HW_UNROLL
      for (u32 j = 0; j < 4; ++j)  // an isolated source has its answer
        if (v + j >= n || (pass.isolated && v + j == s.source)) a[j] = LastPass<Offset>::keep;
      write_answers(s.level, i, {a[0], a[1], a[2], a[3]});
      if (!s.parent_out) continue;
      HW_UNROLL
      for (u32 j = 0; j < 4; ++j)
        if (a[j] == ~0u) dev::plain_write(&s.parent_out[v + j], no_vertex);
    }
  }
}

/// All that remains of a search.
struct Clean {
  Word* visited[4];
  Word* settled;  ///< null: none
  u64* cursor;    ///< of two searches
  Slot* slots;
  const Word* isolated;  ///< null: none are set apart
  u32 words, vertices, num_slots;
};

/// Visited before a search begins.
HW_DEVICE Word first_word(u32 w, u32 n, const Word* isolated) {
  return empty_word(w, n) | (isolated ? dev::read_only(&isolated[w]) : 0);
}

/// Marks the isolated vertices, and counts them. A warp a word. A vertex that has outgoing arcs alone is none: its bit would
/// say to those it leads to that it was reached.
template <class Offset>
HW_KERNEL void find_isolated(const Offset* offsets, const Offset* in_offsets, u32 n, Word* isolated, u32 words, u32* count) {
  u32 mine = 0;
  for (u32 w = dev::global_thread() / dev::lanes; w < words; w += dev::global_threads() / dev::lanes) {
    const u64 v = u64{w} * word_bits + dev::lane();
    bool none = v < n && dev::read_only(&in_offsets[v]) == dev::read_only(&in_offsets[v + 1]);
    if (offsets != in_offsets) none = none && dev::read_only(&offsets[v]) == dev::read_only(&offsets[v + 1]);
    const Word bits = static_cast<Word>(dev::ballot(dev::all_lanes, none));
    if (dev::lane() != 0) continue;
    dev::plain_write(&isolated[w], bits);
    mine += static_cast<u32>(dev::popcount(bits));
  }
  if (mine) dev::fetch_add(count, mine);
}
template <class W>
HW_KERNEL void clean_all(Clean all) {
  for (u32 w = dev::global_thread(); w < all.words; w += dev::global_threads()) {
    for (W* const visited : all.visited) {
      const W empty = first_word(w, all.vertices, all.isolated);
      dev::plain_write(&visited[w], empty);
    }
    if (all.settled) dev::plain_write(&all.settled[w], 0);
  }
  for (u32 i = dev::global_thread(); i < 2 * num_cursors; i += dev::global_threads()) dev::plain_write(&all.cursor[i], 0);
  for (u32 i = dev::global_thread(); i < all.num_slots; i += dev::global_threads()) dev::plain_write(&all.slots[i], {});
}

/// Empties the bitmaps and cursors of the search before, for the next.
template <class Offset>
HW_DEVICE void clear_stale(const Graph<Offset>& g, const State<Offset>& s) {
  const u32 words = num_words(g);
  for (u32 w = dev::global_thread(); w < words; w += dev::global_threads()) {
    const Word empty = first_word(w, g.num_vertices, s.isolated);
    dev::plain_write(&s.stale[0][w], empty);
    dev::plain_write(&s.stale[1][w], empty);
  }
  if (dev::global_thread() < num_cursors) dev::plain_write(&s.stale_cursor[dev::global_thread()], 0);
}

}  // namespace hopwave::HW_MACHINE::engine::grid_wide
