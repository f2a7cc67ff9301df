// The barrier of all blocks in a high-diameter search: one sum, which one thread a block adds to and polls.
#pragma once

#include "bfs/engine/state.h"

namespace hopwave::HW_MACHINE::engine::high_diameter {

inline constexpr u32 far_away = ~0u;  ///< a level that was not found yet: as a Distance it is `unreached`

// A sum: blocks that arrived | blocks that queued something << 16 | blocks that know of the target << 32.
inline constexpr u32 sum_stride = 16;    ///< words between the two sums
inline constexpr u32 count_stride = 32;  ///< words between two blocks' counts in global memory

/// What a block's first thread remembers of the sums.
struct BarrierMemory {
  u32 count;
  u64 next, after;  ///< the sum that will be used next, and the other one, as they were
};
/// Before the launch's first barrier, whose result is not used. No block adds to the second sum before all have reached it.
HW_DEVICE BarrierMemory init_barriers(const u64* sums) { return {0, 0, dev::load(&sums[sum_stride])}; }

/// One thread of each block: adds its block's word to the sum of all and waits until all have. 1: something was queued;
/// 2: the target was found. Two sums are used by turns: neither is added to again before all blocks have read it. They are
/// never cleared, not even between launches: what this barrier added is the difference to the sum two barriers ago. `blocks` is
/// a power of two.
HW_DEVICE u32 barrier_sum(u64* sums, u32 blocks, BarrierMemory& m, bool queued, bool target_found) {
  HW_CHECK(blocks < 1u << 16 && (blocks & (blocks - 1)) == 0);
  u64* sum = &sums[(m.count & 1) * sum_stride];
  dev::add_release(sum, u64{target_found} << 32 | u64{queued} << 16 | 1);
  u64 word = dev::load_acquire(sum);
  for (; word & (blocks - 1); word = dev::load_acquire(sum)) dev::spin();
  const u64 added = word - m.next;
  m = {m.count + 1, m.after, word};
  return ((added >> 16 & 0xFFFF) ? 1 : 0) | (added >> 32 ? 2 : 0);
}

}  // namespace hopwave::HW_MACHINE::engine::high_diameter
