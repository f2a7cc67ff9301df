// Levels of a few edges, taken by one block alone: its queue is in shared memory and its barriers are the block's own. So a
// level costs a third of one with a barrier of all blocks. The others wait at their next barrier.
#pragma once

#include "bfs/engine/grid_wide/push.h"
#include "device/primitives/bitmap.h"
#include "device/primitives/block.h"

namespace hopwave::HW_MACHINE::engine {

/// The block's shared memory while it takes levels alone: two frontiers, by turns.
template <class Offset>
struct SingleBlock {
  Entry<Offset>* entries;  ///< 2 × capacity
  u32 capacity;            ///< edges that a level may have: each may find a vertex, and all must find room
  u32* count;              ///< of vertices found in a level
  Offset* warp_sums;       ///< max_warps
};

template <class Offset>
HW_DEVICE u32 single_block_capacity(const Rule& rule) {
  const u32 room = rule.shared_bytes / (2 * sizeof(Entry<Offset>));
  return room < rule.single_block_edges ? room : static_cast<u32>(rule.single_block_edges);
}

template <class Offset>
HW_DEVICE void record(const State<Offset>& s, const LevelRecord& r) {
  const u32 at = r.level - 1;
  if (s.records && dev::block() == 0 && dev::thread() == 0 && at < s.record_capacity) dev::plain_write(&s.records[at], r);
}

template <class Offset>
HW_DEVICE bool is_visited(const Graph<Offset>& g, const Word* visited, u32 caller) {
  const u32 v = g.rank ? dev::read_only(&g.rank[caller]) : caller;
  return dev::load(&visited[v / word_bits]) >> (v % word_bits) & 1;
}

/// Isolated vertices that are set apart have their bits set from the start.
template <class Offset>
HW_DEVICE bool target_is_visited(const Graph<Offset>& g, const State<Offset>& s, const Word* visited) {
  return s.target != no_vertex && is_visited(g, visited, s.target) && (s.target == s.source || !is_isolated(s, s.target));
}

/// Claims the ends of the frontier's edges; the new frontier's entries carry their degree in `before`.
template <class Offset, bool Plain>
HW_DEVICE void single_block_expand(const Graph<Offset>& g, const Searching<Offset, Plain>& s,
                                   const SingleBlock<Offset>& single_block, const Entry<Offset>* now, u32 size, Offset edges,
                                   Entry<Offset>* next, Word* visited, u32 byte) {
  for (Offset x = dev::thread(); x < edges; x += dev::block_size()) {
    const Entry<Offset> from = now[dev::last_at_most(size, x, [&](u32 i) { return now[i].before; })];
    const u32 v = dev::read_only(&g.neighbors[static_cast<Offset>(from.begin + (x - from.before))]);
    // The row's place is loaded together with the atomic.
    const Offset begin = dev::read_only(&g.offsets[v]), end = dev::read_only(&g.offsets[v + 1ull]);
    if (!dev::claim_bit(visited, v)) continue;
    settle(s, v, byte, from.vertex);
    const u32 at = dev::fetch_add(single_block.count, 1u);
    HW_CHECK(at < single_block.capacity);
    next[at] = {begin, static_cast<Offset>(end - begin), v, 0};
  }
}

/// Turns degrees into edges before each entry; returns their sum. The whole block; at least one block barrier.
template <class Offset>
HW_DEVICE Offset single_block_prefix(const SingleBlock<Offset>& single_block, Entry<Offset>* entries, u32 size) {
  Offset carry = 0;
  u32 i0 = 0;
  do {
    const u32 i = i0 + dev::thread();
    const Offset degree = i < size ? entries[i].before : 0;
    const dev::BlockSum<Offset> sum = dev::block_exclusive_sum(degree, single_block.warp_sums);
    if (i < size) entries[i].before = carry + sum.before;
    carry += sum.total;
    dev::sync_block();
    i0 += dev::block_size();
  } while (i0 < size);
  return carry;
}

/// Takes levels from `frontier` on until one is too large for a block, or nothing is left to do. Leaves the last level's
/// vertices in the queue `made`. One block; its counts go to `mine`.
template <class Offset, bool Plain>
HW_DEVICE void run_single_block_levels(const Graph<Offset>& g, const Searching<Offset, Plain>& s, const Rule& rule,
                                       const Progress& p, const SingleBlock<Offset>& single_block,
                                       const Entry<Offset>* frontier, Entry<Offset>* made, u64 all, Counts& mine) {
  Word* visited = dev::current_of(s.visited, p.current);
  Entry<Offset>*now = single_block.entries, *next = single_block.entries + single_block.capacity;
  u32 size = static_cast<u32>(p.frontier), level = p.level;
  Offset edges = static_cast<Offset>(p.edges);
  u64 found = 0;
  for (u32 i = dev::thread(); i < size; i += dev::block_size()) now[i] = dev::plain_read(&frontier[i]);
  for (;;) {
    if (dev::thread() == 0) *single_block.count = 0;
    dev::sync_block();
    ++level;
    single_block_expand(g, s, single_block, now, size, edges, next, visited, level - p.base);
    dev::sync_block();
    const u32 fresh = *single_block.count;
    const Offset next_edges = single_block_prefix(single_block, next, fresh);
    if (s.records) record(s, {alone, level, size, edges, fresh, dev::clock_ns(), dev::clock_ns()});
    size = fresh;
    edges = next_edges;
    found += fresh;
    const bool over = size == 0 || (rule.max_depth >= 0 && level >= static_cast<u32>(rule.max_depth)) ||
                      (p.known && p.visited + found == all) || (!Plain && level - p.base == deepest_byte) ||
                      level - p.level == rule.stretch;
    if (over || size > single_block.capacity || edges > single_block.capacity) break;
    if (target_is_visited(g, s, visited)) break;
    if (s.halt && dev::sync_block_or(dev::thread() == 0 && halted(s.halt))) break;
    Entry<Offset>* const spare = now;
    now = next;
    next = spare;
  }
  for (u32 i = dev::thread(); i < size; i += dev::block_size()) {
    const Entry<Offset> entry = next[i];
    dev::plain_write(&made[i], entry);
  }
  if (dev::thread() == 0) {
    mine.flushed.set(packed(size, edges));
    mine.found_alone = dev::narrowed<u32>(found);
    mine.single_block_levels = level - p.level;
  }
}

}  // namespace hopwave::HW_MACHINE::engine
