// Planted bugs with barriers of block, cluster and grid: missing, skipped, in the wrong place, in the wrong launch.
#include "planted/case.h"

namespace hopwave::planted {
namespace {

namespace dev = HW_MACHINE::dev;
constexpr u32 block = 64;

/// Reverses each block's 64 values through shared memory.
HW_KERNEL void reverse(u32* values, bool skip_barrier) {
  HW_SHARED(u32, tile, block);
  const u32 t = dev::thread();
  tile[t] = values[dev::global_thread()];
  if (!skip_barrier) dev::sync_block();
  values[dev::global_thread()] = tile[block - 1 - t];
}

bool missing_barrier(Device& device, bool bug) {
  auto values = upload(device, ramp(2 * block));
  launch(device, {{.grid = 2, .block = block}}, reverse, values.data(), bug);
  const auto out = download(values);
  for (u32 i = 0; i < 2 * block; ++i)
    if (out[i] != i / block * block + block - 1 - i % block) return false;
  return true;
}

/// A block's sum; threads without a value must still come to the barriers.
HW_KERNEL void block_sum(const u32* values, u32 count, u32* sum, bool leave_early) {
  HW_SHARED(u32, total, 1);
  const u32 i = dev::global_thread();
  if (leave_early && i >= count) return;
  if (dev::thread() == 0) total[0] = 0;
  dev::sync_block();
  if (i < count) dev::fetch_add(&total[0], values[i]);
  dev::sync_block();
  if (dev::thread() == 0) dev::fetch_add(sum, total[0]);
}

bool early_return(Device& device, bool bug) {
  auto values = upload(device, ramp(100));
  auto sum = filled(device, 1, 0);
  launch(device, {{.grid = 2, .block = block}}, block_sum, values.data(), 100u, sum.data(), bug);
  return sum.value() == 4950;
}

HW_KERNEL void two_barriers(u32* out, bool divergent) {
  HW_SHARED(u32, box, 2);
  const u32 t = dev::thread();
  if (divergent ? t % 2 == 0 : true) {
    if (t == 0) box[0] = 7;
    dev::sync_block();
  } else {
    if (t == 1) box[1] = 8;
    dev::sync_block();
  }
  out[t] = box[0];
}

bool divergent_barrier(Device& device, bool bug) {
  auto out = filled(device, block, 0);
  launch(device, {{.grid = 1, .block = block}}, two_barriers, out.data(), bug);
  for (u32 v : download(out))
    if (v != 7) return false;
  return true;
}

/// One lane goes to the block barrier, the others of its warp to a ballot first.
HW_KERNEL void barrier_or_ballot(u32* out, bool bug) {
  const u32 t = dev::thread();
  if (bug && t == 0) dev::sync_block();
  const auto odd = dev::ballot(dev::all_lanes, t % 2 == 1);
  if (!bug || t != 0) dev::sync_block();
  out[t] = static_cast<u32>(dev::popcount(odd));
}

bool deadlock(Device& device, bool bug) {
  auto out = filled(device, block, 0);
  launch(device, {{.grid = 1, .block = block}}, barrier_or_ballot, out.data(), bug);
  for (u32 v : download(out))
    if (v != dev::lanes / 2) return false;
  return true;
}

/// Chain of levels in one launch: level k sets value k + 1 from value k; two counters take turns.
HW_KERNEL void levels_in_one_launch(u32* queue_a, u32* queue_b, u32* counts, u32 num_levels, bool skip_second) {
  for (u32 level = 0; level < num_levels; ++level) {
    u32* const in = level % 2 ? queue_b : queue_a;
    u32* const out = level % 2 ? queue_a : queue_b;
    const u32 n = counts[level % 2];
    for (u32 i = dev::global_thread(); i < n; i += dev::global_threads()) {
      const u32 at = dev::fetch_add(&counts[1 - level % 2], 1u);
      out[at] = in[i] + 1;
    }
    dev::sync_grid();
    if (dev::global_thread() == 0) counts[level % 2] = 0;
    if (!skip_second) dev::sync_grid();
  }
}

bool second_grid_barrier(Device& device, bool bug) {
  constexpr u32 items = 20, levels = 6;
  auto a = upload(device, std::vector<u32>(16 * items, 0)), b = filled(device, 16 * items, 0);
  auto counts = upload(device, {items, 0});
  launch(device, {{.grid = 2, .block = 32, .cooperative = true}}, levels_in_one_launch, a.data(), b.data(), counts.data(),
         levels, bug);
  if (counts.value(levels % 2) != items) return false;
  const auto out = download(levels % 2 ? b : a);
  for (u32 i = 0; i < items; ++i)
    if (out[i] != levels) return false;
  return true;
}

HW_KERNEL void meet_everywhere(u32* count, u32* out, u32 leavers) {
  if (dev::block() < leavers) return;
  dev::fetch_add(count, 1u);
  dev::sync_grid();
  if (dev::load(count) != dev::global_threads()) dev::store(out, 1u);
}

bool ordinary_launch(Device& device, bool bug) {
  auto cells = filled(device, 2, 0);
  launch(device, {{.grid = 2, .block = 32, .cooperative = !bug}}, meet_everywhere, cells.data(), cells.data() + 1, 0u);
  return cells.value(1) == 0;
}

bool block_leaves_grid(Device& device, bool bug) {
  auto cells = filled(device, 2, 0);
  launch(device, {{.grid = 3, .block = 32, .cooperative = true}}, meet_everywhere, cells.data(), cells.data() + 1,
         bug ? 1u : 0u);
  return cells.value(1) == 0;
}

/// Each block of a cluster reads what its right neighbour wrote to shared memory.
enum ClusterBug : u32 { none, no_first_barrier, map_late, barrier_skipped };
HW_KERNEL void from_neighbour(u32* out, u32 bug) {
  HW_SHARED(u32, mine, block);
  const u32 t = dev::thread(), right = (dev::cluster_rank() + 1) % dev::cluster_size();
  mine[t] = dev::global_thread();
  if (bug == barrier_skipped && dev::cluster_rank() == 0) return;
  if (bug != no_first_barrier) dev::sync_cluster();
  if (bug == map_late && dev::cluster_rank() == 1) return;
  if (bug == map_late)
    for (int i = 0; i < 200; ++i) dev::load(&out[dev::global_thread()]);  // time for the neighbour to leave
  u32* const theirs = dev::cluster_map(mine, right);
  out[dev::global_thread()] = dev::load(&theirs[t]);
  dev::sync_cluster();
}

bool run_cluster(Device& device, u32 bug) {
  auto out = filled(device, 4 * block, 0);
  launch(device, {{.grid = 4, .block = block, .cluster = 2}}, from_neighbour, out.data(), bug);
  const auto got = download(out);
  for (u32 i = 0; i < 4 * block; ++i)
    if (got[i] != (i ^ block)) return false;
  return true;
}
bool neighbour_left(Device& device, bool bug) { return run_cluster(device, bug ? map_late : none); }
bool neighbour_not_there(Device& device, bool bug) { return run_cluster(device, bug ? no_first_barrier : none); }
bool cluster_barrier_skipped(Device& device, bool bug) { return run_cluster(device, bug ? barrier_skipped : none); }

/// The pointer is taken in time, the neighbour leaves, and then it is used.
HW_KERNEL void late_use(u32* out, u32* gone, bool bug) {
  HW_SHARED(u32, mine, block);
  const u32 t = dev::thread();
  mine[t] = dev::global_thread();
  dev::sync_cluster();
  u32* const theirs = dev::cluster_map(mine, 1 - dev::cluster_rank());
  if (dev::cluster_rank() == 1) {
    if (!bug) dev::sync_cluster();
    dev::fetch_add(gone, 1u);
    return;
  }
  while (bug && dev::load(gone) < block) dev::pause();
  for (int i = 0; bug && i < 10; ++i) dev::pause();  // the last thread counts itself just before it is gone
  out[t] = dev::load(&theirs[t]);
  if (!bug) dev::sync_cluster();
}

bool late_neighbour(Device& device, bool bug) {
  auto out = filled(device, block, 0), gone = filled(device, 1, 0);
  launch(device, {{.grid = 2, .block = block, .cluster = 2}}, late_use, out.data(), gone.data(), bug);
  const auto got = download(out);
  for (u32 i = 0; i < block; ++i)
    if (got[i] != i + block) return false;
  return true;
}

/// Only what stands before the arrival is there for the others after the wait.
HW_KERNEL void write_between(u32* out, bool late) {
  HW_SHARED(u32, mine, block);
  const u32 t = dev::thread();
  if (!late) mine[t] = t;
  dev::arrive_cluster();
  if (late) mine[t] = t;
  dev::wait_cluster();
  out[dev::global_thread()] = dev::cluster_map(mine, 1 - dev::cluster_rank())[t];
  dev::sync_cluster();
}

bool write_after_arrival(Device& device, bool bug) {
  auto out = filled(device, 2 * block, 0);
  launch(device, {{.grid = 2, .block = block, .cluster = 2}}, write_between, out.data(), bug);
  const auto got = download(out);
  for (u32 i = 0; i < 2 * block; ++i)
    if (got[i] != i % block) return false;
  return true;
}

/// One block tells another that its data is there; a barrier of the block does not reach that far.
HW_KERNEL void produce(u32* data, u32* sum, bool block_barrier_only) {
  data[dev::global_thread()] = dev::global_thread();
  if (block_barrier_only)
    dev::sync_block();
  else
    dev::sync_grid();
  const u32 other = (dev::global_thread() + block) % dev::global_threads();
  dev::fetch_add(sum, data[other]);
}

bool barrier_of_wrong_scope(Device& device, bool bug) {
  auto data = filled(device, 2 * block, 0), sum = filled(device, 1, 0);
  launch(device, {{.grid = 2, .block = block, .cooperative = true}}, produce, data.data(), sum.data(), bug);
  return sum.value() == 2 * block * (2 * block - 1) / 2;
}

/// All read a value, and all write it sixteen block barriers later. Without the barrier of the grid, what one block still has
/// to read another has written, if the one is far enough behind.
HW_KERNEL void read_then_write(u32* values, u32* wrong, bool dropped) {
  const u32 t = dev::thread();
  if (dev::load(&values[t]) != t) dev::store(wrong, 1u);
  for (u32 i = 0; i < 16; ++i) dev::sync_block();
  if (!dropped) dev::sync_grid();
  dev::store(&values[t], 1000u);
}

bool block_far_behind(Device& device, bool bug) {
  auto values = upload(device, ramp(block)), wrong = filled(device, 1, 0);
  launch(device, {{.grid = 4, .block = block, .cooperative = true}}, read_then_write, values.data(), wrong.data(), bug);
  return wrong.value() == 0;
}

/// A ring of sixteen slots that a block writes, one a barrier; a thread of another block asks which is the newest and reads
/// it. It never looks whether the slot was written again in between.
HW_KERNEL void read_ring(u32* ring, u32* newest, u32* wrong, bool looks_again) {
  constexpr u32 slots = 16, rounds = 200;
  if (dev::block() == 0) {
    for (u32 round = 1; round <= rounds; ++round) {
      if (dev::thread() == 0) {
        dev::store(&ring[round % slots], round);
        dev::fence();
        dev::store(newest, round);
      }
      dev::sync_block();
    }
    return;
  }
  for (u32 i = 0; dev::thread() == 0 && i < 100; ++i) {
    const u32 round = dev::load(newest);
    dev::fence();
    const u32 value = dev::load(&ring[round % slots]);
    dev::fence();
    if (looks_again && dev::load(newest) - round >= slots - 1) continue;
    if (value != round) dev::store(wrong, 1u);
  }
}

bool thread_far_behind(Device& device, bool bug) {
  auto ring = filled(device, 16, 0), cells = filled(device, 2, 0);
  launch(device, {{.grid = 2, .block = block, .cooperative = true}}, read_ring, ring.data(), cells.data(), cells.data() + 1,
         !bug);
  return cells.value(1) == 0;
}

}  // namespace

std::span<const Case> barrier_cases() {
  static constexpr Case cases[] = {
      {"missing-barrier", Detector::thread, "data race", "shared memory read without waiting for its writers", missing_barrier},
      {"missing-barrier-rubbish", Detector::answer, "", "the same, by what it computes", missing_barrier},
      {"early-return", Detector::error, "HW-SIM-BARRIER", "threads without work return before the barrier", early_return},
      {"divergent-barrier", Detector::error, "HW-SIM-DIVERGENT", "two halves of a block at two barriers", divergent_barrier},
      {"deadlock", Detector::error, "HW-SIM-DEADLOCK", "a lane at the barrier, its warp at a ballot", deadlock},
      {"second-grid-barrier", Detector::answer, "", "counter zeroed while others still read it", second_grid_barrier},
      {"second-grid-barrier-race", Detector::thread, "data race", "the same, by the counter itself", second_grid_barrier},
      {"grid-barrier-ordinary-launch", Detector::error, "HW-SIM-GRID", "sync_grid in an ordinary launch", ordinary_launch},
      {"block-leaves-grid", Detector::error, "HW-SIM-GRID", "a block returns before the grid barrier", block_leaves_grid},
      {"neighbour-left", Detector::error, "HW-SIM-CLUSTER", "shared memory of a block that has ended", neighbour_left},
      {"neighbour-not-there", Detector::error, "HW-SIM-CLUSTER", "shared memory of a block that has not begun",
       neighbour_not_there},
      {"cluster-barrier-skipped", Detector::error, "HW-SIM-CLUSTER", "a block of the cluster skips the barrier",
       cluster_barrier_skipped},
      {"late-neighbour", Detector::address, "use-after-poison", "a pointer outlives the neighbour's block", late_neighbour},
      {"late-neighbour-rubbish", Detector::answer, "", "the same, by what it reads", late_neighbour},
      {"write-after-arrival", Detector::thread, "data race", "a write between arriving at a barrier and waiting there",
       write_after_arrival},
      {"barrier-of-wrong-scope", Detector::thread, "data race", "a block barrier where the grid must meet",
       barrier_of_wrong_scope},
      {"block-far-behind", Detector::answer, "", "no grid barrier, and the blocks would have to drift far apart",
       block_far_behind, ScheduleKind::slow_block},
      {"thread-far-behind", Detector::answer, "", "a slot of a ring is read that may have been written again",
       thread_far_behind, ScheduleKind::held_thread},
  };
  return cases;
}

}  // namespace hopwave::planted
