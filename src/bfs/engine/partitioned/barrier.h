// The barrier of one device's blocks, and of all devices; both sum up what was brought.
//
// Every block leaves a message in its slot. Block 0 adds the slots up, sends the sum to all devices, waits for theirs, adds
// them up, and says "go" to its own blocks. No counter is shared: a message carries the barrier's number, which no other
// barrier of any launch has, so nothing need be reset.
//
// Memory order. A block's writes come before its slot's epoch (sync_block, store_release); block 0 acquires that; its message
// to a peer is a release among all devices, which the peer's block 0 acquires; "go" is released there, and acquired by all of
// its blocks. So whatever any thread of any device wrote before the barrier is seen by every thread after it.
//
// There are two of each message, taken in turn. One is written again two barriers later: by then its reader has arrived at the
// barrier between, and so has read it. Messages between devices count the barriers of all devices only: at a barrier of one
// device no device learns what another has read.
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
  HW_CHECK((dev::load(&to->epoch) & ~given_up) + 2 <= (epoch & ~given_up));  // Holds 7
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

/// One barrier's words: of the two of each, the ones whose turn it is.
struct Turn {
  u64 epoch;
  Message *slots, *go;
  u64* found;  ///< what each device brings
};
template <class Offset>
HW_DEVICE Turn next_turn(const State<Offset>& s, Barrier& b) {
  const u64 epoch = ++b.epoch;
  return {epoch, s.slots + (epoch & 1) * dev::grid_size(), &s.go[epoch & 1], s.found_by + (epoch & 1) * s.devices};
}

/// Each block leaves in its slot what its threads bring, if they bring anything. Block 0 waits for all slots of this device and
/// returns their sum.
template <bool brings>
HW_DEVICE Message gather_slots(const Turn& turn, const Message& mine, BarrierMemory& memory) {
  Message sum{};
  if (brings)
    sum = sum_block(mine, memory);
  else
    dev::sync_block();
  if (dev::thread() == 0) {
    if (brings)
      write_message(&turn.slots[dev::block()], sum, turn.epoch);
    else
      dev::store_release(&turn.slots[dev::block()].epoch, turn.epoch);
  }
  if (dev::block() != 0) return {};
  dev::sync_block();
  sum = {};
  for (u32 i = dev::thread(); i < dev::grid_size(); i += dev::block_size()) {
    while (dev::load_acquire(&turn.slots[i].epoch) != turn.epoch) dev::spin();
    if (!brings) continue;
    const Message m = read_message(&turn.slots[i]);
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

/// Thread 0 of each block: waits for "go". Returns its epoch, with given_up if the host has given up.
HW_DEVICE u64 await_go(const Turn& turn) {
  u64 seen = dev::load_acquire(&turn.go->epoch);
  for (; (seen & ~given_up) != turn.epoch; seen = dev::load_acquire(&turn.go->epoch)) dev::spin();
  return seen;
}

/// A barrier of this device's blocks, which bring nothing. All threads of the grid call it, and each of the following.
template <class Offset>
HW_DEVICE void meet_blocks(const State<Offset>& s, Barrier& b) {
  const Turn turn = next_turn(s, b);
  gather_slots<false>(turn, {}, *b.memory);
  if (dev::thread() == 0) {
    if (dev::block() == 0) {
      if (s.records) b.done = b.met = dev::clock_ns();
      dev::store_release(&turn.go->epoch, turn.epoch);
    }
    await_go(turn);
  }
  dev::sync_block();
}

/// A barrier of all devices with an all-reduce of what their threads bring; or, without `brings`, of what each device has
/// counted at `count`, if that is not null. False: the host has given up, and the kernel must end.
template <bool brings, class Offset>
HW_DEVICE bool meet_all(const State<Offset>& s, Barrier& b, const Message& mine, const u32* count, Message& total) {
  const Turn turn = next_turn(s, b);
  BarrierMemory& memory = *b.memory;
  ++b.exchanges;
  Message sum = gather_slots<brings>(turn, mine, memory);
  if (dev::block() == 0 && dev::warp() == 0) {
    if (!brings && count) sum.found = dev::load(count);
    if (s.records && dev::lane() == 0) b.done = dev::clock_ns();
    // One lane looks: all devices must be sent the same.
    if (dev::any(dev::all_lanes, dev::lane() == 0 && halted(s.halt))) sum.flags += Stop::put(1);
    sum = exchange(s, sum, turn.epoch, b.exchanges, turn.found);
    if (s.records && dev::lane() == 0) b.met = dev::clock_ns();
    if (dev::lane() == 0) write_message(turn.go, sum, sum.epoch);
  }
  if (dev::thread() == 0) {
    const u64 seen = await_go(turn);
    memory.total = read_message(turn.go);
    memory.total.epoch = seen;
  }
  if (!brings && count && dev::warp() == 0) {
    dev::sync_warp();  // what lane 0 has acquired
    if (dev::lane() < s.devices) memory.found[dev::lane()] = dev::load(&turn.found[dev::lane()]);
  }
  dev::sync_block();
  total = memory.total;
  HW_CHECK(total.epoch != turn.epoch || Stop::get(total.flags) <= s.devices);  // Holds 6
  return total.epoch == turn.epoch;
}

/// Every thread brings a message.
template <class Offset>
HW_DEVICE bool meet_devices(const State<Offset>& s, Barrier& b, const Message& mine, Message& total) {
  return meet_all<true>(s, b, mine, nullptr, total);
}
/// Each device brings a count; what each has brought is in BarrierMemory::found afterwards.
template <class Offset>
HW_DEVICE bool meet_devices_counted(const State<Offset>& s, Barrier& b, const u32* count, Message& total) {
  return meet_all<false>(s, b, {}, count, total);
}

}  // namespace hopwave::HW_MACHINE::engine::partitioned
