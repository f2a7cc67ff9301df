// The meeting of all blocks after a step: a barrier that brings every block the sum of what each has to say.
// Every block writes its own slot and reads all others, so nobody waits for an atomic on one address or for a second read.
#pragma once

#include "engine/state.h"

namespace hopwave::HW_MACHINE::engine {

// first: visited (31 bits) | found (31) | tag (2); second: edges (38) | unlisted (12) | incomplete (12) | tag (2).
HW_DEVICE u64 pack_first(const Totals& t, u64 tag) { return t.visited << 33 | t.found << 2 | tag; }
HW_DEVICE u64 pack_second(const Totals& t, u64 tag) { return t.edges << 26 | t.unlisted << 14 | t.incomplete << 2 | tag; }

inline constexpr u32 low_bits = 20, low_mask = (1u << low_bits) - 1;  ///< so that 4,000 blocks' parts fit into 32 bits

/// Adds up what the slots say; called by whole warps, the sum is complete after the next sync_block. Sums are taken in
/// parts of at most 32 bits, which one instruction adds over a warp.
HW_DEVICE void add_slots(u64 first, u64 second, Sums* sum) {
  const u32 visited = dev::reduce_add(dev::all_lanes, static_cast<u32>(first >> 33));
  const u32 found = dev::reduce_add(dev::all_lanes, static_cast<u32>(first >> 2) & 0x7FFFFFFFu);
  const u32 low = dev::reduce_add(dev::all_lanes, static_cast<u32>(second >> 26) & low_mask);
  const u32 high = dev::reduce_add(dev::all_lanes, static_cast<u32>(second >> (26 + low_bits)));
  const u32 unlisted = dev::reduce_add(dev::all_lanes, static_cast<u32>(second >> 14) & 0xFFFu);
  const u32 incomplete = dev::reduce_add(dev::all_lanes, static_cast<u32>(second >> 2) & 0xFFFu);
  if (dev::lane() == 0) {
    if (visited) dev::fetch_add(&sum->visited, visited);
    if (found) dev::fetch_add(&sum->found, found);
    if (low) dev::fetch_add(&sum->edges_low, low);
    if (high) dev::fetch_add(&sum->edges_high, high);
    if (unlisted) dev::fetch_add(&sum->unlisted, unlisted);
    if (incomplete) dev::fetch_add(&sum->incomplete, incomplete);
  }
}

/// Which meeting of this launch comes next, and the sums of this one and the next (in shared memory).
struct Meeting {
  Slot* slots;  ///< this launch's half
  Slot* other;  ///< the other launch's half, cleared here for it
  Sums* sums;   ///< two, in shared memory
  Counts* mine;
  u32 count;
};

HW_DEVICE void open_meetings(Meeting& m, Slot* slots, u32 launch_parity, Sums* sums, Counts* mine) {
  const u32 blocks = dev::grid_size();
  m = {slots + launch_parity * 2 * blocks, slots + (1 - launch_parity) * 2 * blocks, sums, mine, 0};
  if (dev::thread() == 0) *mine = {};
  if (dev::thread() < 2) {
    sums[dev::thread()] = {};
    m.other[dev::thread() * blocks + dev::block()] = {};
  }
}

/// All blocks meet, and what each counted is summed and reset. A slot is written again two meetings later, when every reader
/// has long arrived at the one between; so the tag needs to tell only two meetings apart from each other and from a cleared
/// slot.
HW_DEVICE Totals meet(Meeting& m) {
  const u32 blocks = dev::grid_size();
  const u64 tag = 1 + (m.count >> 1 & 1);
  Slot* slots = m.slots + (m.count & 1) * blocks;
  Sums* sum = &m.sums[m.count & 1];
  ++m.count;
  dev::sync_block();
  if (dev::thread() == 0) {
    const u64 flushed = m.mine->flushed.get();
    const Totals mine{m.mine->visited, m.mine->found + (flushed >> edge_bits), flushed & edge_mask, m.mine->incomplete,
                      m.mine->unlisted};
    dev::store(&slots[dev::block()].first, pack_first(mine, tag));
    dev::store_release(&slots[dev::block()].second, pack_second(mine, tag));
    *m.mine = {};
  }
  for (u32 i = dev::thread(); i / dev::lanes * dev::lanes < blocks; i += dev::block_size()) {  // whole warps
    u64 first = 0, second = 0;
    if (i < blocks) {
      for (;;) {
        first = dev::load(&slots[i].first);
        second = dev::load_acquire(&slots[i].second);
        if ((first & 3) == tag && (second & 3) == tag) break;
        dev::spin();
      }
    }
    dev::sync_warp();
    add_slots(first, second, sum);
  }
  dev::sync_block();
  const Totals t{sum->visited, sum->found, (static_cast<u64>(sum->edges_high) << low_bits) + sum->edges_low, sum->incomplete,
                 sum->unlisted};
  if (dev::thread() == 0) m.sums[m.count & 1] = {};  // used after the next meeting's first sync_block
  return t;
}

}  // namespace hopwave::HW_MACHINE::engine
