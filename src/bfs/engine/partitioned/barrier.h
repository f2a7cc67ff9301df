// The barrier of one device's blocks, and of all devices; both sum up what was brought.
//
// Every block leaves a message in its slot. Block 0 adds the slots up, sends the sum to all devices, waits for theirs, adds
// them up, and says "go" to its own blocks. No counter is shared: a message carries the barrier's number, which no other
// barrier of any launch has, so nothing need be reset.
//
// Memory order. A block's writes come before its slot's epoch (sync_block, store_release); block 0 acquires that; its message
// to a peer is a release among all devices, which the peer's block 0 acquires; "go" is released there, and acquired by all of
// its blocks. So whatever any thread of any device wrote before the barrier is seen by every thread behind it.
//
// There are two of each message, taken in turn. One is written again two barriers later: by then its reader has arrived at the
// barrier between, and so has read it. Messages between devices count the barriers of all devices alone: at a barrier of one
// device nobody learns what another has read.
#pragma once

#include "bfs/engine/partitioned/state.h"
#include "device/primitives/block.h"

namespace hopwave::HW_MACHINE::engine::partitioned {

/// In shared memory.
struct BarrierMemory {
  Message sums[1024 / dev::lanes];  ///< a warp each
  Message total;
  u64 found[most_devices];  ///< what each device has brought; after a barrier of all devices
};

struct Barrier {
  BarrierMemory* memory;
  u64 epoch;      ///< of the last barrier
  u32 exchanges;  ///< barriers of all devices so far
  u64 done, met;  ///< thread 0 of block 0, if traced: when this device's blocks had arrived, and all devices
};

HW_DEVICE void write_message(Message* to, const Message& m, u64 epoch) {
  dev::store(&to->found, m.found);
  dev::store(&to->arcs, m.arcs);
  dev::store(&to->flags, m.flags);
  dev::store_release(&to->epoch, epoch);
}
/// What a message holds; its epoch has been acquired.
HW_DEVICE Message read_message(const Message* from) {
  return {dev::load(&from->found), dev::load(&from->arcs), dev::load(&from->flags), 0};
}
HW_DEVICE void send_message(Message* to, const Message& m, u64 epoch) {
  dev::store_peer(&to->found, m.found);
  dev::store_peer(&to->arcs, m.arcs);
  dev::store_peer(&to->flags, m.flags);
  dev::store_release_system(&to->epoch, epoch);
}

/// Sums over the block, in every thread. The whole block calls; a barrier of the block comes before the next call.
HW_DEVICE Message sum_block(const Message& m, BarrierMemory& memory) {
  const Message sum{dev::reduce_add(dev::all_lanes, m.found), dev::reduce_add(dev::all_lanes, m.arcs),
                    dev::reduce_add(dev::all_lanes, m.flags), 0};
  if (dev::lane() == 0) memory.sums[dev::warp()] = sum;
  dev::sync_block();
  const Message part = dev::lane() < dev::warps() ? memory.sums[dev::lane()] : Message{};
  return {dev::reduce_add(dev::all_lanes, part.found), dev::reduce_add(dev::all_lanes, part.arcs),
          dev::reduce_add(dev::all_lanes, part.flags), 0};
}

/// Block 0: waits for all blocks of this device and adds up their slots, if they have brought anything.
template <bool brings>
HW_DEVICE Message add_slots(const Message* slots, u64 epoch, BarrierMemory& memory) {
  Message sum{};
  for (u32 i = dev::thread(); i < dev::grid_size(); i += dev::block_size()) {
    while (dev::load_acquire(&slots[i].epoch) != epoch) dev::spin();
    if (!brings) continue;
    const Message m = read_message(&slots[i]);
    sum.found += m.found;
    sum.arcs += m.arcs;
    sum.flags += m.flags;
  }
  if (brings) return sum_block(sum, memory);
  dev::sync_block();
  return sum;
}

/// A look into the host's memory takes as long as a message.
inline constexpr u32 looks_a_halt = 64;

/// The first warp of block 0: sends the sum to all devices, this one too, and waits for theirs. The total is in all lanes; its
/// epoch is `epoch`, with given_up if the host has said that a device will never come. What each has found goes to `found`.
template <class Offset>
HW_DEVICE Message exchange(const State<Offset>& s, const Message& sum, u64 epoch, u32 exchanges, u64* found) {
  const u32 p = dev::lane(), turn = exchanges % 2 * s.devices;
  Message theirs{};
  bool left = false;
  if (p < s.devices) {
    send_message(&s.inbox[p][turn + s.mine], sum, epoch);
    const Message* from = &s.inbox[s.mine][turn + p];
    for (u32 looks = 1; !left && dev::load_acquire_system(&from->epoch) != epoch; ++looks) {
      if (looks % looks_a_halt == 0) left = halted(s.give_up);
      dev::pause_for_peer();
    }
    if (!left) theirs = {dev::load_peer(&from->found), dev::load_peer(&from->arcs), dev::load_peer(&from->flags), 0};
    dev::store(&found[p], theirs.found);
  }
  dev::sync_warp();  // what the lanes have acquired, lane 0 releases to this device's blocks
  return {dev::reduce_add(dev::all_lanes, theirs.found), dev::reduce_add(dev::all_lanes, theirs.arcs),
          dev::reduce_add(dev::all_lanes, theirs.flags), dev::any(dev::all_lanes, left) ? epoch | given_up : epoch};
}

/// A barrier with an all-reduce: of all devices, or of this one's blocks. `mine`: what this thread brings; not `brings`: nobody
/// brings anything, but each device what it has counted at `count`, if that is not null. False: the host has given up, and the
/// kernel must end. All threads of the grid call it.
template <bool brings, class Offset>
HW_DEVICE bool meet(const State<Offset>& s, Barrier& b, const Message& mine, bool all_devices, Message& total,
                    const u32* count = nullptr) {
  const u64 epoch = ++b.epoch;
  b.exchanges += all_devices;
  BarrierMemory& memory = *b.memory;
  Message* slots = s.slots + (epoch & 1) * dev::grid_size();
  Message* go = &s.go[epoch & 1];
  u64* found = s.found_by + (epoch & 1) * s.devices;
  Message block_sum{};
  if (brings)
    block_sum = sum_block(mine, memory);
  else
    dev::sync_block();
  if (dev::thread() == 0) {
    if (brings)
      write_message(&slots[dev::block()], block_sum, epoch);
    else
      dev::store_release(&slots[dev::block()].epoch, epoch);
  }
  if (dev::block() == 0) {
    dev::sync_block();
    Message sum = add_slots<brings>(slots, epoch, memory);
    sum.epoch = epoch;
    if (dev::warp() == 0) {
      if (count) sum.found = dev::load(count);
      if (s.records && dev::lane() == 0) b.done = dev::clock_ns();
      if (all_devices) {
        // One lane looks: all devices must be sent the same.
        if (dev::any(dev::all_lanes, dev::lane() == 0 && halted(s.halt))) sum.flags += Stop::put(1);
        sum = exchange(s, sum, epoch, b.exchanges, found);
      }
      if (s.records && dev::lane() == 0) b.met = dev::clock_ns();
      if (dev::lane() == 0) write_message(go, sum, sum.epoch);
    }
  }
  if (dev::thread() == 0) {
    u64 seen = dev::load_acquire(&go->epoch);
    for (; (seen & ~given_up) != epoch; seen = dev::load_acquire(&go->epoch)) dev::spin();
    memory.total = read_message(go);
    memory.total.epoch = seen;
  }
  if (count && dev::warp() == 0) {
    dev::sync_warp();  // what lane 0 has acquired
    if (dev::lane() < s.devices) memory.found[dev::lane()] = dev::load(&found[dev::lane()]);
  }
  dev::sync_block();
  total = memory.total;
  return total.epoch == epoch;
}

/// The same of this device's blocks alone, which bring nothing.
template <class Offset>
HW_DEVICE void meet_blocks(const State<Offset>& s, Barrier& b) {
  Message nothing;
  meet<false>(s, b, {}, false, nothing);
}

}  // namespace hopwave::HW_MACHINE::engine::partitioned
