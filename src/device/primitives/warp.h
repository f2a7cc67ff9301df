// Sums and places over the lanes of one warp. No word here touches shared memory or orders any.
#pragma once

#include <type_traits>

#include "device/kernel.h"

namespace hopwave::HW_MACHINE::dev {

/// One bit per lane, no wider than a warp needs: popcount is then one instruction.
using LaneBits = std::conditional_t<lanes == 64, u64, u32>;

/// How many lanes of `bits` are below this one: the place of this lane among them.
/// Who calls: any lane, alone. Cost: two instructions.
template <class Bits>
HW_DEVICE u32 rank_in(Bits bits) {
  return static_cast<u32>(popcount(bits & static_cast<Bits>(lanes_below())));
}

/// The sum of `value` over this lane and all lanes below it.
/// Who calls: all lanes that the warp has; a partial warp too. Cost: log2(lanes) shuffles.
template <class T>
HW_DEVICE T warp_inclusive_sum(T value) {
  for (u32 k = 1; k < lanes; k *= 2) {
    const T other = shuffle_up(all_lanes, value, k);
    if (lane() >= k) value += other;
  }
  return value;
}

/// The sum of `value` over all lanes below this one. Callers and cost as above.
template <class T>
HW_DEVICE T warp_exclusive_sum(T value) {
  return warp_inclusive_sum(value) - value;
}

/// The same; `total` becomes the sum over all lanes.
/// Who calls: all lanes of a full warp. Cost: one shuffle more.
template <class T>
HW_DEVICE T warp_exclusive_sum(T value, T& total) {
  const T below = warp_exclusive_sum(value);
  total = shuffle(all_lanes, below + value, lanes - 1);
  return below;
}

/// Adds `count` to a counter that other warps add to, by one atomic. Returns in every lane what the counter was before.
/// Who calls: all lanes that the warp has, with the same `count`. The counter is in shared or global memory.
/// Order: relaxed, as every atomic of the vocabulary. Cost: one atomic, one shuffle.
template <class T>
HW_DEVICE T warp_reserve(T* counter, Value<T> count) {
  HW_CHECK(all(all_lanes, count == shuffle(all_lanes, count, 0)));
  T at = 0;
  if (lane() == 0) at = fetch_add(counter, count);
  return shuffle(all_lanes, at, 0);
}

/// A place for each lane that keeps something, after the `fill` entries that the warp's own list has already, in the order of
/// lanes. Raises `fill` by the number of lanes that keep. Returns this lane's place; it means something only where
/// `keep` is set.
/// Who calls: all lanes that the warp has, with the same `fill`. Before other lanes read the list, the caller says
/// sync_warp(). Cost: one ballot, no atomic.
HW_DEVICE u32 warp_append(u32& fill, bool keep) {
  const LaneBits kept = static_cast<LaneBits>(ballot(all_lanes, keep));
  const u32 place = fill + rank_in(kept);
  fill += static_cast<u32>(popcount(kept));
  return place;
}

}  // namespace hopwave::HW_MACHINE::dev
