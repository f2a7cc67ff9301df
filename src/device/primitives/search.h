// Search in a prefix: which row does edge x belong to? It is the last row with at most x edges before it. All forms
// need values that never fall and a first value of at most x. Rows without edges are passed over: of several rows with
// the same value the last one is meant, which has edges.
#pragma once

#include "device/primitives/warp.h"

namespace hopwave::HW_MACHINE::dev {

/// The last i below `size` with before(i) ≤ x, by one thread.
/// Who calls: any thread, alone. `size` is at least 1. Cost: log2(size) reads, one after the other, no branch but the
/// loop's.
template <class X, class Before>
HW_DEVICE u32 last_at_most(u32 size, X x, Before&& before) {
  HW_CHECK(size > 0 && before(0) <= x);
  u32 low = 0;
  for (u32 n = size; n > 1;) {
    const u32 half = n / 2;
    if (before(low + half) <= x) low += half;
    n -= half;
  }
  return low;
}

/// The same among the values from `from` on, which is at most the answer, and near it: steps double until they are too long.
/// Who calls: any thread, alone. before(from) ≤ x, `from` below `size`. Cost: 2 log2(d) + 2 reads, one after the other, where d
/// is the way from `from` to the answer: a million rows without edges are passed over by 40.
template <class X, class Before>
HW_DEVICE u32 last_at_most_from(u32 from, u32 size, X x, Before&& before) {
  HW_CHECK(from < size && before(from) <= x);
  u32 step = 1;
  while (step < size - from && before(from + step) <= x) {
    from += step;
    step += step < size - from ? step : 0;  // so that it cannot run over
  }
  const u32 left = size - from;
  return from + last_at_most(step < left ? step : left, x, [&](u32 i) { return before(from + i); });
}

/// The last lane whose `before` is at most x; each lane asks for an x of its own.
/// Who calls: all lanes of a full warp; each brings its own `before`. Cost: log2(lanes) shuffles.
template <class T>
HW_DEVICE u32 last_lane_at_most(T before, T x) {
  HW_CHECK(lane() == 0 ? before <= x : true);
  u32 owner = 0;
  for (u32 k = lanes / 2; k; k /= 2)
    if (shuffle(all_lanes, before, owner + k) <= x) owner += k;
  return owner;
}

/// The last i below `size` with before(i) ≤ x, by a whole warp, which reads as many values at once as it has lanes.
/// `size` of at most a warp's lanes: returns 0, since one look at the array holds it all.
/// Who calls: all lanes of a full warp, with the same size and x. Cost: log(size) / log(lanes) reads one after the
/// other.
template <class X, class Before>
HW_DEVICE u32 warp_window_at_most(u32 size, X x, Before&& before) {
  u32 base = 0;
  if (size <= lanes) return 0;
  while (size > 1) {
    const u32 step = (size + lanes - 1) / lanes;
    const u32 i = lane() * step;
    const bool below = i < size && before(base + i) <= x;
    const u32 last = popcount(ballot(all_lanes, below)) - 1;
    base += last * step;
    size = size - last * step < step ? size - last * step : step;
  }
  return base;
}

}  // namespace hopwave::HW_MACHINE::dev
