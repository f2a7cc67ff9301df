// Sums and reservations over the threads of one block.
#pragma once

#include "device/primitives/warp.h"

namespace hopwave::HW_MACHINE::dev {

/// What block_exclusive_sum returns to a thread.
template <class T>
struct BlockSum {
  T before;  ///< the sum over all threads below this one
  T total;   ///< the sum over the block, in every thread
};

/// The sum of `value` over all threads of the block below this one, and over all of them.
/// Who calls: all threads of a block of whole warps.
/// Shared memory: `warp_sums`, one value per warp. It may be used again, by this word too, after the block's next
/// barrier.
/// Barriers: one sync_block(), between the write of `warp_sums` and its reads. What threads wrote before the call is
/// seen by the block after it; what they write after it needs a barrier of the caller's.
/// Cost: log2(lanes) shuffles, one shared load and two reductions per thread, whatever the block's size.
template <class T>
HW_DEVICE BlockSum<T> block_exclusive_sum(T value, T* warp_sums) {
  static_assert(lanes * lanes >= 1024, "one warp reads all warps' sums at once");
  HW_CHECK(block_size() % lanes == 0);
  const T sum = warp_inclusive_sum(value);
  if (lane() == lanes - 1) warp_sums[warp()] = sum;
  sync_block();
  const T part = lane() < warps() ? warp_sums[lane()] : T{0};
  const T below = reduce_add(all_lanes, lane() < warp() ? part : T{0});
  return {static_cast<T>(below + sum - value), reduce_add(all_lanes, part)};
}

/// Shared memory of block_reserve.
struct BlockReservation {
  u64 place;
  u32 taken;
};

/// Makes a reservation ready. The whole block calls, or thread 0 alone; a barrier of the block follows before
/// block_reserve.
HW_DEVICE void open_reservation(BlockReservation& r) {
  if (thread() == 0) r = {0, 0};
}

/// Takes `count` places for each thread, of a cursor in global memory that all blocks add to, by one global atomic per block.
/// Returns the first of this thread's places. A block's places lie together; the order of its threads in them is not defined.
/// Who calls: all threads of the block, also those with a count of 0. All counts of a block together are below 2^32.
/// Shared memory: `r`, opened before the first call. It may be used again at once.
/// Barriers: two sync_block(). Cost: a shared atomic per thread with a count, one global atomic per block.
HW_DEVICE u64 block_reserve(BlockReservation& r, u64* cursor, u32 count) {
  u32 before = 0;
  if (count) {
    before = fetch_add(&r.taken, count);
    HW_CHECK(before + count >= count);
  }
  sync_block();
  // load(): of a plain read the compiler makes one of all threads, which racecheck takes for a race with the write below.
  const u32 taken = thread() == 0 ? load(&r.taken) : 0;
  if (taken > 0) {
    r.place = fetch_add(cursor, u64{taken});
    r.taken = 0;
  }
  sync_block();
  return r.place + before;
}

}  // namespace hopwave::HW_MACHINE::dev
