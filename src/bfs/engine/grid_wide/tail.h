// The last vertices of a search: when a pull leaves few, each warp lists those that it leaves, and one block goes on alone. It
// looks at all of them once a level, with block barriers only, until it finds no more. Meanwhile the others write all other
// vertices' answers, so that these levels cost nothing where the last pass takes as long.
// Ours. After the second pull of a graph with hubs, thousands of vertices of small degree are often all that is left.
#pragma once

#include "bfs/engine/grid_wide/pull.h"
#include "bfs/engine/grid_wide/single_block.h"

namespace hopwave::HW_MACHINE::engine::grid_wide {

/// Counts what this warp leaves, and returns how many of the block's come before; a block barrier follows.
HW_DEVICE u32 count_left(const WarpLeft& left, Counts& block) {
  u32 before = 0;
  if (dev::lane() == 0) {
    if (left.unlisted)
      dev::fetch_or(&block.unlisted, 1u);
    else if (left.fill)
      before = dev::fetch_add(&block.left, left.fill);
  }
  return dev::shuffle(dev::all_lanes, before, 0);
}

/// Puts what the block leaves into its part of the list, and left_byte in place of their levels.
template <class Offset, bool Plain>
HW_DEVICE void list_left(const Searching<Offset, Plain>& s, const WarpLeft& left, const Counts& block, u32 before) {
  if (block.unlisted) return;
  if (dev::thread() == 0) dev::plain_write(&s.left_count[dev::block()], block.left);
  HW_CHECK(before + left.fill <= dev::warps() * warp_left);
  if (dev::lane() >= left.fill) return;
  const u32 v = left.vertices[dev::lane()];
  HW_CHECK(v < single);
  dev::plain_write(&s.left[dev::block() * dev::warps() * warp_left + before + dev::lane()], v);
  if constexpr (!Plain) dev::store(&s.level8[v], left_byte);
}

/// The shared memory of the block that goes on alone.
struct Tail {
  u32* list;   ///< vertices left; with `single` set once found, no_vertex once marked
  u32* parts;  ///< vertices in all parts before a block's
  u32* sums;   ///< one a warp
  u32* found;  ///< how many in this level
  u32 capacity, count;
};
HW_DEVICE u32 tail_capacity(const Rule& rule) {
  const u32 words = rule.shared_bytes / sizeof(u32), parts = dev::grid_size();
  const u32 room = words > parts ? words - parts : 0;
  return room < rule.tail_limit ? room : static_cast<u32>(rule.tail_limit);
}

/// Counts the vertices before each part, and all of them. The whole block.
template <class Offset>
HW_DEVICE void count_parts(const State<Offset>& s, Tail& r) {
  for (u32 b0 = 0; b0 < dev::grid_size(); b0 += dev::block_size()) {
    const u32 b = b0 + dev::thread(), count = b < dev::grid_size() ? dev::plain_read(&s.left_count[b]) : 0;
    const dev::BlockSum<u32> sum = dev::block_exclusive_sum(count, r.sums);
    if (b < dev::grid_size()) r.parts[b] = r.count + sum.before;
    r.count += sum.total;
    dev::sync_block();
  }
}

/// Brings all blocks' parts of the list together. The whole block.
template <class Offset>
HW_DEVICE void gather_left(const State<Offset>& s, Tail& r) {
  if (dev::thread() == 0) *r.found = 0;
  count_parts(s, r);
  HW_CHECK(r.count <= r.capacity);
  for (u32 i = dev::thread(); i < r.count; i += dev::block_size()) {
    const u32 part = dev::last_at_most(dev::grid_size(), i, [&](u32 b) { return r.parts[b]; });
    r.list[i] = dev::plain_read(&s.left[part * dev::warps() * warp_left + (i - r.parts[part])]);
  }
}

/// A bitmap read past L1: this block sets its bits as it goes on.
struct Changing {
  const Word* words;
  HW_DEVICE Word word(u32 v) const { return dev::load(&words[v / word_bits]); }
};

/// The answer for a vertex from the list.
template <class Offset>
HW_DEVICE void answer(const Graph<Offset>& g, const State<Offset>& s, u32 v, Distance level, u32 parent) {
  const u32 caller = g.order ? dev::read_only(&g.order[v]) : v;
  dev::plain_write(&s.level[caller], level);
  if (s.parent_out)
    dev::plain_write(&s.parent_out[caller], parent == no_vertex || !g.order ? parent : dev::read_only(&g.order[parent]));
}

/// What a level's search for neighbours works with.
template <class Offset>
struct TailLevel {
  const Graph<Offset>& g;
  const State<Offset>& s;
  const Tail& r;
  Changing visited;
  Distance level;

  /// One vertex is found in each lane that says so; all lanes call.
  HW_DEVICE void found(bool hit, u32 place, u32 v, u32 parent) const {
    if (hit) {
      r.list[place] = v | single;
      answer(g, s, v, level, parent);
    }
    const u32 count = static_cast<u32>(dev::popcount(dev::ballot(dev::all_lanes, hit)));
    if (count && dev::lane() == 0) dev::fetch_add(r.found, count);
  }
};

/// A lane looks for a visited in-neighbour by itself. The code is short: it runs once a search, and is fetched from memory
/// then.
template <class Offset>
HW_DEVICE bool probe_alone(const Graph<Offset>& g, u32 v, const Changing& visited, u32& parent) {
  Offset at = dev::read_only(&g.in_offsets[v]);
  const Offset end = dev::read_only(&g.in_offsets[v + 1ull]);
  if (g.order) dev::prefetch(&g.order[v]);
  if (g.quads) {
    dev::Quad q = dev::read_only(&g.quads[v]);
    q.w &= id_mask;
    if (probe_at(q, 0, 0, 4, visited, parent)) return true;
    at += 4;
  }
  while (at < end) {
    const Offset first = at / 4 * 4;
    if (probe_at(read_quad(g.in_neighbors, first, g.num_arcs), first, at, end, visited, parent)) return true;
    at = first + 4;
  }
  return false;
}

/// The whole block looks, a lane a vertex.
template <class Offset>
HW_DEVICE void tail_probe(const TailLevel<Offset>& l) {
  for (u32 i0 = dev::warp() * dev::lanes; i0 < l.r.count; i0 += dev::block_size()) {
    const u32 i = i0 + dev::lane(), v = i < l.r.count ? l.r.list[i] : no_vertex;
    u32 parent = 0;
    const bool hit = v != no_vertex && probe_alone(l.g, v, l.visited, parent);
    dev::sync_warp();
    l.found(hit, i, v, parent);
  }
}

/// All have looked: those that were found are marked.
HW_DEVICE void mark_tail(const Tail& r, Word* marks) {
  for (u32 i = dev::thread(); i < r.count; i += dev::block_size()) {
    const u32 v = r.list[i];
    if (v == no_vertex || !(v & single)) continue;
    dev::fetch_or(&marks[(v & id_mask) / word_bits], bit_of(v & id_mask));
    r.list[i] = no_vertex;
  }
  if (dev::thread() == 0) *r.found = 0;
  dev::sync_block();
}

/// The end of a search by one block: takes levels until one finds nothing, and writes the answers of all listed vertices, which
/// the other blocks leave out. Those blocks read the visited bitmap meanwhile. So what is found is marked in the bitmap from
/// before the last pull: a listed vertex has no neighbour in the visited bitmap, so in that one only those marked here.
template <class Offset>
HW_DEVICE void tail_levels(const Graph<Offset>& g, const State<Offset>& s, const Rule& rule, Progress& p, Tail r) {
  Word* marks = dev::alternate_of(s.visited, p.current);
  TailLevel<Offset> l{g, s, r, {dev::current_of(s.visited, p.current)}, static_cast<Distance>(p.level)};
  gather_left(s, r);
  u32 fresh = static_cast<u32>(p.frontier), found = 0;
  dev::sync_block();
  for (;;) {
    const u32 before = fresh;
    ++l.level;
    tail_probe(l);
    dev::sync_block();
    fresh = *r.found;
    found += fresh;
    if (s.records) record(s, {tail, static_cast<u32>(l.level), before, 0, fresh, dev::clock_ns(), dev::clock_ns()});
    if (fresh == 0 || found == r.count || l.level == rule.max_depth) break;
    dev::sync_block();
    mark_tail(r, marks);
    if (target_is_visited(g, s, marks)) break;
    l.visited = {marks};
  }
  for (u32 i = dev::thread(); i < r.count && found < r.count; i += dev::block_size())
    if (!(r.list[i] & single)) answer(g, s, r.list[i], unreached, no_vertex);
  if (dev::thread() == 0) {
    p.level = static_cast<u32>(l.level);
    p.deepest = fresh ? p.level : p.level - 1;
    p.visited += found;
  }
}

}  // namespace hopwave::HW_MACHINE::engine::grid_wide
