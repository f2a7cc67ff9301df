// A device's own rows in a search that it shares with others: into the queue, and back along the arcs.
#pragma once

#include "bfs/engine/state.h"
#include "device/packed.h"
#include "device/primitives/bitmap.h"
#include "device/primitives/warp.h"

namespace hopwave::HW_MACHINE::engine::partitioned {

/// A queue's cursor: rows and the arcs in them in one word, so that one atomic takes a place in both. A share is a part of a
/// graph, so it may have more arcs than the graph of one device, and has fewer vertices.
using QueuedArcs = dev::Field<0, 35>;
using QueuedRows = dev::Field<35, 29>;

/// Puts a row of each lane into a queue, of those lanes where `is_found`: `degree` arcs from `at` on. All lanes of a full warp.
template <class Offset>
HW_DEVICE void enqueue(Entry<Offset>* queue, u64* cursor, bool is_found, u32 row, Offset at, u64 degree) {
  const auto lanes_found = static_cast<dev::LaneBits>(dev::ballot(dev::all_lanes, is_found));
  if (lanes_found == 0) return;
  u64 arcs = 0;
  const u64 before = dev::warp_exclusive_sum(is_found ? degree : 0, arcs);
  u64 place = 0;
  if (dev::lane() == 0)
    place = dev::fetch_add(cursor, QueuedRows::put(static_cast<u64>(dev::popcount(lanes_found))) + QueuedArcs::put(arcs));
  place = dev::shuffle(dev::all_lanes, place, 0);
  if (is_found)
    dev::plain_write(&queue[QueuedRows::get(place) + dev::rank_in(lanes_found)],
                     {at, static_cast<Offset>(QueuedArcs::get(place) + before), row});
}

struct FirstInFrontier {
  u32 vertex;      ///< no_vertex: none
  u64 arcs_until;  ///< arcs of the row up to that one; without one, all
};

/// The first neighbour against the search that is in the frontier, in each lane for a row of its own, or none. Rows ascend, so
/// it is the least. Each lane looks at a few neighbours; long rows are then taken by the whole warp. All lanes of a full warp.
/// `skipped`: neighbours at the beginning of a row that are known not to be in the frontier; no row has fewer.
template <class Offset>
HW_DEVICE FirstInFrontier first_in_frontier(const Offset* in_offsets, const u32* in_neighbors, const Word* frontier,
                                            bool has_row, u32 row, u32 skipped = 0) {
  constexpr u32 batch = 4, rounds = 4;
  Offset begin = 0, end = 0;
  if (has_row) {
    begin = dev::read_only(&in_offsets[row]);
    end = dev::read_only(&in_offsets[row + 1ull]);
  }
  FirstInFrontier first{no_vertex, static_cast<u64>(end - begin)};
  Offset at = has_row ? begin + skipped : end;
  for (u32 r = 0; r < rounds && at < end && first.vertex == no_vertex; ++r) {
    const u32 some = end - at < batch ? static_cast<u32>(end - at) : batch;
    u32 to[batch];
    HW_UNROLL
    for (u32 j = 0; j < batch; ++j) to[j] = dev::read_only(&in_neighbors[at + (j < some ? j : 0)]);
    HW_UNROLL
    for (u32 j = batch; j-- > 0;)  // the last to be written is the first of the row
      if (j < some && dev::test_bit(frontier, to[j])) first = {to[j], static_cast<u64>(at - begin) + j + 1};
    at += some;
  }
  auto longer = static_cast<dev::LaneBits>(dev::ballot(dev::all_lanes, first.vertex == no_vertex && at < end));
  for (; longer != 0; longer &= longer - 1) {
    const u32 k = static_cast<u32>(dev::find_first_set(longer)) - 1;
    const Offset stop = dev::shuffle(dev::all_lanes, end, k), from = dev::shuffle(dev::all_lanes, begin, k);
    FirstInFrontier met{no_vertex, static_cast<u64>(stop - from)};
    for (Offset x = dev::shuffle(dev::all_lanes, at, k); x < stop && met.vertex == no_vertex; x += dev::lanes) {
      const u32 to = dev::lane() < stop - x ? dev::read_only(&in_neighbors[x + dev::lane()]) : no_vertex;
      const auto hits =
          static_cast<dev::LaneBits>(dev::ballot(dev::all_lanes, dev::lane() < stop - x && dev::test_bit(frontier, to)));
      if (hits == 0) continue;
      const u32 hit = static_cast<u32>(dev::find_first_set(hits)) - 1;
      met = {dev::shuffle(dev::all_lanes, to, hit), static_cast<u64>(x - from) + hit + 1};
    }
    if (dev::lane() == k) first = met;
  }
  return first;
}

}  // namespace hopwave::HW_MACHINE::engine::partitioned
