// The last levels of MS-BFS: one block pulls the few rows that are still open, from a list, without a barrier of all blocks,
// which would cost more than such a level. Ours, like the grid-wide traversal's tail.
#pragma once

#include "bfs/engine/ms_bfs/pull.h"

namespace hopwave::HW_MACHINE::engine::ms_bfs {

/// A lane looks further in its row. Few rows are open, so most neighbours are complete, and the first was mostly enough.
template <class Offset>
HW_DEVICE Bits probe_on(const Graph<Offset>& g, const Bits* words, Offset at, Offset end, Bits seen, Bits full) {
  while (at < end && seen != full) {
    const Offset first = at / 4 * 4;
    const dev::Quad q = read_quad(g.in_neighbors, first, g.num_arcs);
    const u32 x[4] = {q.x, q.y, q.z, q.w};
    HW_UNROLL
    for (u32 j = 0; j < 4; ++j)
      if (first + j >= at && first + j < end) seen |= words[x[j]];
    at = first + 4;
  }
  return seen;
}

/// Pulls one level of the rows in the list. The first neighbours of a thread's few rows are loaded together. Returns how many
/// of this thread's rows get new bits.
template <class Offset>
HW_DEVICE u32 find_left(const Graph<Offset>& g, const State<Offset>& s, const Bits* words, u32 count) {
  constexpr u32 in_flight = 4;
  u32 found = 0;
  for (u32 i0 = dev::thread(); i0 < count; i0 += in_flight * dev::block_size()) {
    u32 v[in_flight];
    Offset at[in_flight], end[in_flight];
    Bits was[in_flight], seen[in_flight];
    HW_UNROLL
    for (u32 k = 0; k < in_flight; ++k) {
      const u32 i = i0 + k * dev::block_size();
      v[k] = i < count ? s.left[i] : no_vertex;
    }
    HW_UNROLL
    for (u32 k = 0; k < in_flight; ++k) {
      const bool mine = v[k] != no_vertex;
      was[k] = mine ? words[v[k]] : s.full;
      at[k] = mine ? dev::read_only(&g.in_offsets[v[k]]) : 0;
      end[k] = mine ? dev::read_only(&g.in_offsets[v[k] + 1ull]) : 0;
    }
    HW_UNROLL
    for (u32 k = 0; k < in_flight; ++k) {
      const u32 u = at[k] < end[k] && was[k] != s.full ? dev::read_only(&g.in_neighbors[at[k]]) : no_vertex;
      seen[k] = was[k] | (u != no_vertex ? words[u] : 0);
    }
    HW_UNROLL
    for (u32 k = 0; k < in_flight; ++k) {
      if (v[k] == no_vertex) continue;
      if (at[k] < end[k]) seen[k] = probe_on(g, words, at[k] + 1, end[k], seen[k], s.full);
      s.brought[i0 + k * dev::block_size()] = seen[k] & ~was[k];
      found += seen[k] != was[k];
    }
  }
  return found;
}

/// After a block barrier: marks what was brought as visited. Each thread, of its own rows.
template <class Offset>
HW_DEVICE void take_left(const Graph<Offset>& g, const State<Offset>& s, Bits* words, u32 count, u32 level) {
  constexpr u32 in_flight = 4;
  for (u32 i0 = dev::thread(); i0 < count; i0 += in_flight * dev::block_size()) {
    u32 v[in_flight];
    Bits bits[in_flight];
    HW_UNROLL
    for (u32 k = 0; k < in_flight; ++k) {
      const u32 i = i0 + k * dev::block_size();
      v[k] = i < count ? s.left[i] : 0;
      bits[k] = i < count ? s.brought[i] : 0;
    }
    HW_UNROLL
    for (u32 k = 0; k < in_flight; ++k) {
      if (!bits[k]) continue;
      HW_CHECK(v[k] < g.num_vertices && !(words[v[k]] & bits[k]));  // Holds 4
      words[v[k]] |= bits[k];
      mark<true>(s, g.num_vertices, v[k], bits[k], level);
    }
  }
}

/// The first plane that no level needs up to the next one: the level's binary digits end before it.
HW_DEVICE u32 plane_after(u32 level) { return 32 - static_cast<u32>(dev::leading_zeros(level + 1)); }

/// Takes as many levels as the cleared planes have digits for. All blocks call: one takes the levels, and leaves the progress
/// for all in one of two places; meanwhile the others clear the next plane. `found`: three words of the block's, used in turn.
template <class Offset>
HW_DEVICE void tail_step(const Graph<Offset>& g, const State<Offset>& s, const Progress& p, u32* found) {
  const u32 plane = plane_after(p.level), last = (1u << plane) - 1;
  const bool alone = dev::grid_size() == 1;
  if (alone || dev::block() != 0) {
    const u64 n = g.num_vertices, own = alone ? 0 : dev::block_size();
    for (u64 v = dev::global_thread() - own; v < n && plane < s.num_planes; v += dev::global_threads() - own)
      s.planes[plane * n + v] = 0;
  }
  if (dev::block() != 0) return;
  Bits* words = dev::current_of(s.visited, p.current);
  const u32 count = static_cast<u32>(p.left);
  u32 level = p.level, step = p.step, all = 1;
  if (dev::thread() < 3) found[dev::thread()] = 0;
  dev::sync_block();
  for (u32 turn = 0; all && level < last && !is_deepest(s, level); turn = (turn + 1) % 3) {
    if (dev::thread() == 0) found[(turn + 1) % 3] = 0;
    const u32 mine = dev::reduce_add(dev::all_lanes, find_left(g, s, words, count));
    if (dev::lane() == 0 && mine) dev::fetch_add(&found[turn], mine);
    dev::sync_block();  // all have looked
    all = found[turn];
    ++level;
    ++step;
    take_left(g, s, words, count, level);
    record(s.records, s.record_capacity, step, {Mode::tail, level, count, 0, all, dev::clock_ns()});
    dev::sync_block();
  }
  if (dev::thread() != 0) return;
  Progress after = p;
  ++after.turn;
  after.queues.old = 0;
  after.level = level;
  after.step = step;
  if (level != p.level) after.deepest = all ? level : level - 1;
  if (!all || is_deepest(s, level)) after.mode = Mode::stop;
  after.paused = after.mode != Mode::stop && needs_planes(s, level);
  s.progress[after.turn % 2] = after;
}

}  // namespace hopwave::HW_MACHINE::engine::ms_bfs
