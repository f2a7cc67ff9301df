// Putting vertices into the next queue and into the far pile, a warp at a time.
#pragma once

#include "algorithm/sssp/gpu/state.h"
#include "device/primitives/double_buffer.h"
#include "device/primitives/warp.h"

namespace hopwave::HW_MACHINE::sssp {

/// Where the arcs of a vertex lie.
template <class Offset>
struct Row {
  Offset begin = 0, degree = 0;
};
template <class Offset, class Arc>
HW_DEVICE Row<Offset> row_of(const NearFar<Offset, Arc>& s, u32 v) {
  const Offset begin = dev::read_only(&s.offsets[v]);
  return {begin, static_cast<Offset>(dev::read_only(&s.offsets[v + 1ull]) - begin)};
}

/// Adds each lane's vertex with its row to the queue of a step; not where the row has no arcs.
/// Who calls: all lanes of a full warp. Cost: one atomic on the queue's counter.
template <class Offset, class Arc>
HW_DEVICE void append_row(const NearFar<Offset, Arc>& s, u32 step, u32 v, const Row<Offset>& row) {
  const Offset begin = row.begin, degree = row.degree;
  const auto takers = static_cast<dev::LaneBits>(dev::ballot(dev::all_lanes, degree > 0));
  if (!takers) return;
  Offset arcs = 0;
  const Offset before = dev::warp_exclusive_sum(degree, arcs);
  u64 at = 0;
  if (dev::lane() == 0)
    at = dev::fetch_add(&s.control->turn[step % 3].queue,
                        QueueSize::put(static_cast<u64>(dev::popcount(takers))) | QueueArcs::put(u64{arcs}));
  at = dev::shuffle(dev::all_lanes, at, 0);
  if (degree == 0) return;
  const u64 place = QueueSize::get(at) + dev::rank_in(takers);
  HW_CHECK(place < s.num_vertices);
  dev::current_of(s.entries, step & 1)[place] = {v, begin, static_cast<Offset>(QueueArcs::get(at) + before)};
}

/// Adds the vertices of the lanes that `take` to the queue of a step. Callers and cost as above.
template <class Offset, class Arc>
HW_DEVICE void append_near(const NearFar<Offset, Arc>& s, u32 step, u32 v, bool take) {
  append_row(s, step, v, take ? row_of(s, v) : Row<Offset>{});
}

/// Adds the vertices of the lanes that `take` to the pile of an epoch. Callers and cost as above.
template <class Offset, class Arc>
HW_DEVICE void append_far(const NearFar<Offset, Arc>& s, u32 epoch, u32 v, bool take) {
  const auto takers = static_cast<dev::LaneBits>(dev::ballot(dev::all_lanes, take));
  if (!takers) return;
  const u32 at = dev::warp_reserve(&s.control->turn[epoch % 3].far_size, static_cast<u32>(dev::popcount(takers)));
  HW_CHECK(at + dev::popcount(takers) <= s.num_vertices);
  if (take) dev::current_of(s.far, epoch & 1)[at + dev::rank_in(takers)] = v;
}

/// Lowers a pile's least distance to that of the warp's lanes.
HW_DEVICE void lower_far(Counters& turn, u64 low) {
  for (u32 k = dev::lanes / 2; k; k /= 2) {
    const u64 other = dev::shuffle_xor(dev::all_lanes, low, k);
    low = other < low ? other : low;
  }
  if (dev::lane() == 0 && low < dev::peek(&turn.far_low)) dev::fetch_min(&turn.far_low, low);
}

}  // namespace hopwave::HW_MACHINE::sssp
