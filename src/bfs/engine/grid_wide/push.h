// Pushing (top-down): the frontier's edges, not its vertices, are shared evenly among all warps, so a hub delays no warp.
// Sources: Merrill, Garland, Grimshaw (PPoPP'12) for sharing by edge prefix. Ours differs: one atomic a block
// takes a place in the queue and the edges before it at once. An unqueued push makes no queue: the next step pulls.
#pragma once

#include "bfs/engine/grid_wide/work.h"
#include "bfs/plan/thresholds.h"
#include "device/primitives/double_buffer.h"
#include "device/primitives/expand.h"

namespace hopwave::HW_MACHINE::engine::grid_wide {

/// What a push reads: a queue, and the edges of all its entries.
template <class Offset>
struct Frontier {
  const Entry<Offset>* entries;
  u64 size, edges;
};

/// One push as a warp sees it.
template <class Offset, bool Plain>
struct Push {
  const Graph<Offset>& g;
  const Searching<Offset, Plain>& s;
  Word* visited;
  u32 byte;  ///< the level of what is found, counted from the last rebase
  Queue<Offset> made;
};

/// Writes what a found vertex gets. `byte`: its level, counted from the last rebase.
template <class Offset, bool Plain>
HW_DEVICE void settle(const Searching<Offset, Plain>& s, u32 v, u32 byte, u32 from) {
  HW_CHECK(Plain || byte <= deepest_byte);
  // In an unqueued push several threads may find v; all write the same level, and each of their parents is right.
  if constexpr (Plain)
    dev::store(&s.level[v], static_cast<Distance>(byte));
  else
    dev::store(&s.level8[v], static_cast<Byte>(byte));
  if (s.parent) dev::store(&s.parent[v], from);
}

HW_DEVICE u32 last_set(Word bits) {
  if constexpr (sizeof(Word) == 8) {
    const u32 high = static_cast<u32>(static_cast<u64>(bits) >> 32);
    if (high) return 63 - dev::leading_zeros(high);
  }
  return 31 - dev::leading_zeros(static_cast<u32>(bits));
}

/// Neighbouring lanes that mark the same word leave it to the first of them. Rows are sorted, and where ids go by degree hubs
/// share words: otherwise many atomics would hit few words. Ids in such a run rise, so no two are equal.
struct Joined {
  Word bits;  ///< of the run, in its first lane
  u32 leader;
};
HW_DEVICE Joined join(bool open, u32 v) {
  const u32 id = open ? v : ~0u, left = dev::shuffle_up(dev::all_lanes, id, 1);
  const bool first = dev::lane() == 0 || left >= id || left / word_bits != id / word_bits;
  const Word firsts = static_cast<Word>(dev::ballot(dev::all_lanes, first));
  Joined run{bit_of(v), dev::lane()};
  if (firsts == static_cast<Word>(dev::all_lanes)) return run;
  const Word own = Word{1} << dev::lane(), above = firsts & ~(own | (own - 1));
  run.leader = last_set(firsts & (own | (own - 1)));
  const u32 end = above ? static_cast<u32>(dev::find_first_set(above)) - 1 : dev::lanes;
  HW_UNROLL
  for (u32 k = 1; k < dev::lanes; k *= 2) {
    const Word other = dev::shuffle_down(dev::all_lanes, run.bits, k);
    if (dev::lane() + k < end) run.bits |= other;
  }
  return run;
}

/// Each lane claims the ends of its edges that are `open`; the vertices that it wins go to the warp's buffer.
template <class Offset, bool Plain>
HW_DEVICE void claim(const Push<Offset, Plain>& push, WarpBuffer<Offset>& st, const bool (&open)[batch], const u32 (&to)[batch],
                     const u32 (&from)[batch]) {
  Word old[batch];
  u32 leader[batch];
  Offset begin[batch], end[batch];
  HW_UNROLL
  for (u32 j = 0; j < batch; ++j) {
    old[j] = ~Word{0};
    begin[j] = end[j] = 0;
    const Joined run = join(open[j], to[j]);
    leader[j] = run.leader;
    if (!open[j]) continue;
    // The row's place is loaded together with the atomic: most claims that get here are won.
    begin[j] = dev::read_only(&push.g.offsets[to[j]]);
    end[j] = dev::read_only(&push.g.offsets[to[j] + 1ull]);
    if (leader[j] == dev::lane()) old[j] = dev::fetch_or(&push.visited[to[j] / word_bits], run.bits);
  }
  dev::LaneMask won[batch];
  u32 count = 0;
  HW_UNROLL
  for (u32 j = 0; j < batch; ++j) {
    const Word before = dev::shuffle(dev::all_lanes, old[j], leader[j]);
    const bool mine = open[j] && !(before & bit_of(to[j]));
    if (mine) settle(push.s, to[j], push.byte, from[j]);
    won[j] = dev::ballot(dev::all_lanes, mine);
    count += dev::popcount(won[j]);
  }
  if (!count) return;
  if (st.fill + count > warp_buffer_size)
    flush_warp(st, push.made);  // here for the whole batch, so that the code is there once
  HW_UNROLL
  for (u32 j = 0; j < batch; ++j)
    put_buffered(st, won[j], won[j] >> dev::lane() & 1, to[j], begin[j], static_cast<u32>(end[j] - begin[j]));
}

/// Expands edges [lo, hi) of a frontier's rows; one warp.
template <bool Unqueued, class Offset, bool Plain>
HW_DEVICE void push_edges(const Push<Offset, Plain>& push, WarpBuffer<Offset>& st,
                          const dev::RowQueue<Entry<Offset>, Offset>& rows, Offset lo, Offset hi) {
  dev::warp_expand<batch>(
      rows, lo, hi, push.s.parent != nullptr, [](const Entry<Offset>& entry) { return entry.vertex; },
      [&](const u32(&to)[batch], const u32(&from)[batch], bool(&open)[batch]) {
        HW_UNROLL
        for (u32 j = 0; j < batch; ++j) {
          // A stale word errs towards "unvisited": the atomic decides.
          if (!open[j]) continue;
          open[j] = !(dev::peek(&push.visited[to[j] / word_bits]) & bit_of(to[j]));
        }
        if constexpr (Unqueued) {
          HW_UNROLL
          for (u32 j = 0; j < batch; ++j) {
            const Joined run = join(open[j], to[j]);
            if (!open[j]) continue;
            if (run.leader == dev::lane()) dev::fetch_or(&push.visited[to[j] / word_bits], run.bits);
            settle(push.s, to[j], push.byte, from[j]);
          }
        } else {
          claim(push, st, open, to, from);
        }
      });
}

/// A warp's part of `total` edges, in whole widths of a warp: no less than its share, and a little more. By multiplication,
/// since all warps do it and a division is dear. `share`: 2³² / warps, rounded down.
HW_DEVICE u64 part_of(u64 total, u32 share) {
  const u64 part = total >> 32 ? ((total >> 8) * share >> 24) + 258 : (total * share >> 32) + 2;
  return (part + dev::lanes - 1) / dev::lanes * dev::lanes;
}

/// The whole grid's step. Every warp takes an equal part of the edges, at least a lane's width of them.
template <bool Unqueued, class Offset, bool Plain>
HW_DEVICE void push_step(const Push<Offset, Plain>& push, WarpBuffer<Offset>& st, const Frontier<Offset>& frontier, u32 share) {
  const u64 total = frontier.edges, part = part_of(total, share);
  // Neighbouring parts go to different blocks: a short frontier is spread over all of them.
  const u64 lo = (static_cast<u64>(dev::warp()) * dev::grid_size() + dev::block()) * part;
  if (lo < total) {
    const u64 hi = lo + part < total ? lo + part : total;
    const dev::RowQueue<Entry<Offset>, Offset> rows{frontier.entries, static_cast<u32>(frontier.size),
                                                    static_cast<Offset>(total), push.g.neighbors};
    push_edges<Unqueued>(push, st, rows, static_cast<Offset>(lo), static_cast<Offset>(hi));
  }
  if constexpr (!Unqueued) flush_block(st, push.made);
}

}  // namespace hopwave::HW_MACHINE::engine::grid_wide
