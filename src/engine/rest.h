// The last vertices of a search: when a pull leaves few, each warp lists those that it leaves, and one block goes on alone. It
// looks at all of them once a level, with block barriers for meetings, until it finds no more.
// Ours; after the second pull of a graph with hubs nearly all levels are over but for thousands of vertices of small degree.
#pragma once

#include "engine/pull.h"
#include "engine/solo.h"

namespace hopwave::HW_MACHINE::engine {

inline constexpr u64 long_row = 24;       ///< rows beyond this length are not for one lane
inline constexpr u32 too_long = 1 << 20;  ///< counted for one of those

/// Says what this warp leaves; a block barrier follows.
template <class Offset>
HW_DEVICE u32 count_left(const Graph<Offset>& g, const WarpLeft& left, Counts& block) {
  dev::sync_warp();
  u32 weight = 0;
  if (dev::lane() < left.fill && !left.overflown) {
    const u32 v = left.vertices[dev::lane()];
    const u64 length = dev::read_only(&g.in_offsets[v + 1ull]) - dev::read_only(&g.in_offsets[v]);
    weight = length > long_row ? too_long : static_cast<u32>(length);
  }
  weight = dev::reduce_add(dev::all_lanes, weight);
  u32 before = 0;
  if (dev::lane() == 0) {
    if (left.overflown) dev::fetch_or(&block.left_overflown, 1u);
    if (left.fill && !left.overflown) {
      before = dev::fetch_add(&block.left, left.fill);
      dev::fetch_add(&block.left_weight, weight);
    }
  }
  return dev::shuffle(dev::all_lanes, before, 0);
}

/// Puts what the block leaves into the list, unless some warp has lost count. The whole block.
HW_DEVICE void list_left(const WarpLeft& left, Counts& block, u32 before, u32* list, u64* cursor) {
  if (block.left_overflown || !block.left) return;
  if (dev::thread() == 0) block.left_place = dev::fetch_add(cursor, packed(block.left, block.left_weight)) >> edge_bits;
  dev::sync_block();
  if (dev::lane() < left.fill) list[block.left_place + before + dev::lane()] = left.vertices[dev::lane()];
}

/// A lane looks for a visited in-neighbour by itself. Bits are read past L1: this block sets them as it goes on.
template <class Offset>
HW_DEVICE bool look_alone(const Graph<Offset>& g, u32 v, const Word* visited, u32& parent) {
  const auto test = [&](const dev::Quad& q, u64 first, u64 at, u64 end) {
    const u32 x[4] = {q.x, q.y, q.z, q.w};
    Word word[4];
    HW_UNROLL
    for (u32 j = 0; j < 4; ++j) word[j] = first + j >= at && first + j < end ? dev::load(&visited[x[j] / word_bits]) : 0;
    bool seen = false;
    HW_UNROLL
    for (u32 j = 0; j < 4; ++j) {
      if (seen || !(word[j] >> (x[j] % word_bits) & 1)) continue;
      parent = x[j];
      seen = true;
    }
    return seen;
  };
  u32 skip = 0;
  if (g.quads) {
    dev::Quad q = dev::read_only(&g.quads[v]);
    const bool more = !(q.w & single);
    q.w &= id_mask;
    if (test(q, 0, 0, 4)) return true;
    if (!more) return false;
    skip = 4;
  }
  Offset at = dev::read_only(&g.in_offsets[v]) + skip;
  const Offset end = dev::read_only(&g.in_offsets[v + 1ull]);
  while (at < end) {
    const Offset first = at / 4 * 4;
    if (test(read_quad(g.in_neighbors, first, g.num_arcs), first, at, end)) return true;
    at = end - first < 4 ? end : first + 4;
  }
  return false;
}

HW_DEVICE u32 rest_capacity(const Rule& rule) {
  const u32 room = rule.shared_bytes / sizeof(u32);
  return room < rule.rest_limit ? room : static_cast<u32>(rule.rest_limit);
}

/// One level: looks at the vertices listed, and then, when all have looked, marks those that were found and takes them from the
/// list. Returns how many, in every thread.
template <class Offset>
HW_DEVICE u32 rest_level(const Graph<Offset>& g, const State<Offset>& s, u32* list, u32 count, u32* found, Word* visited,
                         u32 byte) {
  if (dev::thread() == 0) *found = 0;
  dev::sync_block();
  for (u32 i = dev::thread(); i < count; i += dev::block_size()) {
    const u32 v = list[i];
    u32 parent = 0;
    if (v == no_vertex || !look_alone(g, v, visited, parent)) continue;
    settle(s, v, byte, parent);
    list[i] = v | single;
    dev::fetch_add(found, 1u);
  }
  dev::sync_block();
  const u32 fresh = *found;
  for (u32 i = dev::thread(); i < count && fresh; i += dev::block_size()) {
    const u32 v = list[i];
    if (v == no_vertex || !(v & single)) continue;
    dev::fetch_or(&visited[(v & id_mask) / word_bits], bit_of(v & id_mask));
    list[i] = no_vertex;
  }
  dev::sync_block();
  return fresh;
}

/// Takes levels until one finds nothing. One block; what it has to say goes to `mine`: `incomplete` is the number of levels.
template <class Offset>
HW_DEVICE void rest_levels(const Graph<Offset>& g, const State<Offset>& s, const Rule& rule, const Progress& p, u32 count,
                           u32* list, u32* counter, u64 all, Counts& mine) {
  Word* visited = p.current ? s.visited[1] : s.visited[0];
  for (u32 i = dev::thread(); i < count; i += dev::block_size()) list[i] = s.left[i];
  u32 level = p.level, fresh = static_cast<u32>(p.frontier);
  u64 found = 0;
  for (;;) {
    ++level;
    const u32 before = fresh;
    fresh = rest_level(g, s, list, count, counter, visited, level - p.base);
    found += fresh;
    if (s.records) record(s, p, {rest, level, before, 0, fresh, dev::clock_ns(), dev::clock_ns()});
    if (fresh == 0 || found == count || p.visited + found == all) break;
    if (rule.max_depth >= 0 && level >= static_cast<u32>(rule.max_depth)) break;
    if (level - p.base == deepest_byte) break;
    if (s.target != no_vertex && is_visited(g, visited, s.target)) break;
  }
  if (dev::thread() == 0) {
    mine.found = fresh;
    mine.visited = static_cast<u32>(found);
    mine.incomplete = level - p.level;
  }
}

}  // namespace hopwave::HW_MACHINE::engine
