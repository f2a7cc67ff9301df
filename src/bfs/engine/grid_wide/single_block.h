// Levels of a few edges, taken by one block alone: its queue is in shared memory and its barriers are the block's own. So a
// level costs a third of one with a barrier of all blocks. The others wait at their next barrier.
#pragma once

#include "bfs/engine/grid_wide/push.h"
#include "device/primitives/bitmap.h"
#include "device/primitives/block.h"

namespace hopwave::HW_MACHINE::engine::grid_wide {

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

/// The frontier of one block's level, and where the next one goes.
template <class Offset>
struct SingleBlockLevel {
  Entry<Offset>*now, *next;
  u32 size;
  Offset edges;
  Word* visited;
};

/// Claims the ends of the frontier's edges; the new frontier's entries carry their degree in `before`.
template <class Offset, bool Plain>
HW_DEVICE void single_block_expand(const Work<Offset, Plain>& w, const SingleBlock<Offset>& single_block,
                                   const SingleBlockLevel<Offset>& l, u32 byte) {
  const Graph<Offset>& g = w.g;
  for (Offset x = dev::thread(); x < l.edges; x += dev::block_size()) {
    const Entry<Offset> from = l.now[dev::last_at_most(l.size, x, [&](u32 i) { return l.now[i].before; })];
    const u32 v = dev::read_only(&g.neighbors[static_cast<Offset>(from.begin + (x - from.before))]);
    // The row's place is loaded together with the atomic.
    const Offset begin = dev::read_only(&g.offsets[v]), end = dev::read_only(&g.offsets[v + 1ull]);
    if (!dev::claim_bit(l.visited, v)) continue;
    settle(w.s, v, byte, from.vertex);
    const u32 at = dev::fetch_add(single_block.count, 1u);
    HW_CHECK(at < single_block.capacity);
    l.next[at] = {begin, static_cast<Offset>(end - begin), v, 0};
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

/// The search is over, or one block must stop here, although it could go on: a byte or the stretch ends.
template <class Offset, bool Plain>
HW_DEVICE bool single_block_over(const Work<Offset, Plain>& w, u32 level, u32 fresh, u64 found) {
  const Progress& p = w.b.now;
  return fresh == 0 || (w.rule.max_depth >= 0 && level >= static_cast<u32>(w.rule.max_depth)) ||
         p.visited + found == w.reachable() || (!Plain && level - p.base == deepest_byte) || level - p.level == w.rule.stretch;
}

/// Takes levels from `frontier` on until one is too large for a block, or nothing is left to do. Leaves the last level's
/// vertices in the queue `made`. One block.
template <class Offset, bool Plain>
HW_DEVICE void run_single_block_levels(const Work<Offset, Plain>& w, const SingleBlock<Offset>& single_block,
                                       const Entry<Offset>* frontier, Entry<Offset>* made) {
  const Progress& p = w.b.now;
  HW_CHECK(p.known);  // Holds 4: a pull comes after an unqueued push
  SingleBlockLevel<Offset> l{single_block.entries, single_block.entries + single_block.capacity, static_cast<u32>(p.frontier),
                             static_cast<Offset>(p.edges), dev::current_of(w.s.visited, p.current)};
  u32 level = p.level;
  u64 found = 0;
  for (u32 i = dev::thread(); i < l.size; i += dev::block_size()) l.now[i] = dev::plain_read(&frontier[i]);
  for (;;) {
    if (dev::thread() == 0) *single_block.count = 0;
    dev::sync_block();
    ++level;
    single_block_expand(w, single_block, l, level - p.base);
    dev::sync_block();
    const u32 fresh = *single_block.count;
    const Offset edges = single_block_prefix(single_block, l.next, fresh);
    if (w.s.records) record(w.s, {alone, level, l.size, l.edges, fresh, dev::clock_ns(), dev::clock_ns()});
    l.size = fresh;
    l.edges = edges;
    found += fresh;
    if (single_block_over(w, level, fresh, found) || edges > single_block.capacity) break;
    if (target_is_visited(w.g, w.s, l.visited)) break;
    if (w.s.halt && dev::sync_block_or(dev::thread() == 0 && halted(w.s.halt))) break;
    Entry<Offset>* const spare = l.now;
    l.now = l.next;
    l.next = spare;
  }
  for (u32 i = dev::thread(); i < l.size; i += dev::block_size()) {
    const Entry<Offset> entry = l.next[i];
    dev::plain_write(&made[i], entry);
  }
  if (dev::thread() == 0) {
    w.b.mine.flushed.set(packed(l.size, l.edges));
    w.b.mine.found_alone = dev::narrowed<u32>(found);
    w.b.mine.single_block_levels = level - p.level;
  }
}

}  // namespace hopwave::HW_MACHINE::engine::grid_wide
