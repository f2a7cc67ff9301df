// Planted bugs that a GPU refuses or leaves undefined: addresses that are not aligned or of the wrong memory, halves of
// barriers, sums over part of a warp, reads that may be stale, launches beyond the device's limits.
#include "device/held.h"
#include "device/kernel_side.h"
#include "planted/case.h"

namespace hopwave::planted {
namespace {

namespace dev = HW_MACHINE::dev;
using dev::Quad;
constexpr u32 block = 64;

// ---- addresses -----------------------------------------------------------------------------------------------------------

enum Askew : u32 { straight, atomic_askew, load_askew, side_askew, stream_askew };
HW_KERNEL void touch(u32* cells, u32 bug) {
  u32* const odd = cells + 1;
  dev::fetch_add(reinterpret_cast<u64*>(bug == atomic_askew ? odd : cells), u64{1});
  dev::load(reinterpret_cast<const u64*>(bug == load_askew ? odd : cells));
  dev::write_side((bug == side_askew ? cells + 6 : cells + 4), {2u, 2u, 2u, 2u});
  const Quad q = dev::read_stream(reinterpret_cast<const Quad*>(bug == stream_askew ? cells + 2 : cells + 4));
  dev::store(&cells[2], q.x);
}

bool run_touch(Device& device, u32 bug) {
  auto cells = filled(device, 12, 0);
  launch(device, {{.grid = 1, .block = 1}}, touch, cells.data(), bug);
  return download(cells) == std::vector<u32>{1, 0, 2, 0, 2, 2, 2, 2, 0, 0, 0, 0};
}
bool atomic_misaligned(Device& device, bool bug) { return run_touch(device, bug ? atomic_askew : straight); }
bool load_misaligned(Device& device, bool bug) { return run_touch(device, bug ? load_askew : straight); }
bool side_misaligned(Device& device, bool bug) { return run_touch(device, bug ? side_askew : straight); }
bool stream_misaligned(Device& device, bool bug) { return run_touch(device, bug ? stream_askew : straight); }

enum Space : u32 { own, read_shared, stream_shared, add_shared, prefetch_shared, held_global };
HW_KERNEL void two_memories(u32* cells, u32 bug) {
  HW_SHARED(Quad, near, 1);
  *near = {1, 1, 1, 1};
  auto* const shared = reinterpret_cast<u32*>(near);
  const u32 one = dev::read_only(bug == read_shared ? shared : &cells[0]);
  const Quad q = dev::read_stream(bug == stream_shared ? near : reinterpret_cast<const Quad*>(cells));
  dev::add_release(reinterpret_cast<u64*>(bug == add_shared ? shared : cells + 4), u64{1});
  dev::prefetch(bug == prefetch_shared ? shared : cells);
  cells[8] = one + q.y + *dev::held(bug == held_global ? &cells[1] : shared);
}

bool run_memories(Device& device, u32 bug) {
  auto cells = filled(device, 12, 1);
  launch(device, {{.grid = 1, .block = 1}}, two_memories, cells.data(), bug);
  return cells.value(8) == 3 && cells.value(4) == 2;
}
bool read_only_of_shared(Device& device, bool bug) { return run_memories(device, bug ? read_shared : own); }
bool stream_of_shared(Device& device, bool bug) { return run_memories(device, bug ? stream_shared : own); }
bool add_release_to_shared(Device& device, bool bug) { return run_memories(device, bug ? add_shared : own); }
bool prefetch_of_shared(Device& device, bool bug) { return run_memories(device, bug ? prefetch_shared : own); }
bool held_of_global(Device& device, bool bug) { return run_memories(device, bug ? held_global : own); }

// ---- what may be old -----------------------------------------------------------------------------------------------------

/// Each thread turns its own value into the next; the array that is read must not be the one that is written.
HW_KERNEL void spread(u32* from, u32* to, u32 n, bool write_first) {
  const u32 v = dev::global_thread();
  if (v >= n) return;
  if (write_first) dev::store(&to[v], v + 1);
  const u32 value = dev::read_only(&from[v]);
  if (!write_first) dev::store(&to[v], value + 1);
}

bool run_spread(Device& device, bool bug, bool write_first) {
  constexpr u32 n = 2 * block;
  auto from = upload(device, ramp(n)), to = filled(device, n, 0);
  launch(device, {{.grid = 2, .block = block}}, spread, from.data(), bug ? from.data() : to.data(), n, write_first);
  return bug || to.value(1) == 2;
}
bool read_only_then_written(Device& device, bool bug) { return run_spread(device, bug, false); }
bool written_then_read_only(Device& device, bool bug) { return run_spread(device, bug, true); }

/// Threads claim vertices, and those who find one taken count it: a look that may be stale cannot tell.
HW_KERNEL void claim_and_count(u32* owner, u32 n, u32* taken, bool trust_look) {
  const u32 t = dev::global_thread(), v = t % n;
  if (trust_look ? dev::peek(&owner[v]) == 0 : dev::fetch_add(&owner[v], 1u) == 0) {
    if (trust_look) dev::fetch_add(&owner[v], 1u);
    return;
  }
  dev::fetch_add(taken, 1u);
}

bool trusted_look(Device& device, bool bug) {
  auto owner = filled(device, 8, 0), taken = filled(device, 1, 0);
  launch(device, {{.grid = 4, .block = block}}, claim_and_count, owner.data(), 8u, taken.data(), bug);
  return taken.value() == 4 * block - 8;
}

/// A block counts to the end, tells the others that it is there, and they look at the count. No load of theirs is at odds with
/// any order of the threads' turns but for one: the look may give what was there before.
HW_KERNEL void count_and_tell(u32* cells, u32* wrong, bool look) {
  if (dev::block() == 0) {
    if (dev::thread() == 0) {
      for (u32 i = 1; i <= 20; ++i) dev::store(&cells[0], i);
      if (look)
        dev::store(&cells[2], 1u);
      else
        dev::store_release(&cells[2], 1u);
    }
    return;
  }
  dev::peek(&cells[0]);
  while ((look ? dev::load(&cells[2]) : dev::load_acquire(&cells[2])) == 0) dev::pause();
  if (dev::peek(&cells[0]) != 20) dev::store(wrong, 1u);
}

bool stale_look(Device& device, bool bug) {
  auto cells = filled(device, 4, 0);
  launch(device, {{.grid = 2, .block = 1}}, count_and_tell, cells.data(), cells.data() + 3, bug);
  return cells.value(3) == 0;
}

/// Flags of a byte beside each other, set one by one and looked at by fours.
HW_KERNEL void flags_by_fours(unsigned char* flags, u32* seen, bool by_fours) {
  dev::store(&flags[dev::global_thread()], static_cast<unsigned char>(1));
  const u32 next = (dev::global_thread() + 4) % dev::global_threads();
  const u32 look = by_fours ? dev::peek(reinterpret_cast<const u32*>(flags + next / 4 * 4)) : dev::peek(&flags[next]);
  if (look) dev::fetch_add(seen, 1u);
}

bool peek_of_other_width(Device& device, bool bug) {
  Buffer<unsigned char> flags(device, 2 * block);
  flags.fill_bytes(0);
  auto seen = filled(device, 1, 0);
  launch(device, {{.grid = 2, .block = block}}, flags_by_fours, flags.data(), seen.data(), bug);
  return flags.value(2 * block - 1) == 1 && seen.value() <= 2 * block;
}

// ---- barriers and warps --------------------------------------------------------------------------------------------------

enum Halves : u32 { whole, arrive_again, wait_first, leave_between, rank_beyond, map_global };
HW_KERNEL void in_halves(u32* out, u32 bug) {
  HW_SHARED(u32, mine, block);
  const u32 t = dev::thread();
  mine[t] = t;
  if (bug == wait_first) dev::wait_cluster();
  dev::arrive_cluster();
  if (bug == arrive_again && t == 3) dev::arrive_cluster();
  if (bug == leave_between && t == 3) return;
  dev::wait_cluster();
  u32* const from = bug == map_global ? out : mine;
  out[dev::global_thread()] = *dev::cluster_map(&from[t], bug == rank_beyond ? 2 : 1 - dev::cluster_rank());
  dev::sync_cluster();
}

bool run_halves(Device& device, u32 bug) {
  auto out = filled(device, 2 * block, 99);
  launch(device, {{.grid = 2, .block = block, .cluster = 2}}, in_halves, out.data(), bug);
  const auto got = download(out);
  for (u32 i = 0; i < 2 * block; ++i)
    if (got[i] != i % block) return false;
  return true;
}
bool arrived_twice(Device& device, bool bug) { return run_halves(device, bug ? arrive_again : whole); }
bool not_arrived(Device& device, bool bug) { return run_halves(device, bug ? wait_first : whole); }
bool left_between_halves(Device& device, bool bug) { return run_halves(device, bug ? leave_between : whole); }
bool mapped_beyond(Device& device, bool bug) { return run_halves(device, bug ? rank_beyond : whole); }
bool mapped_global(Device& device, bool bug) { return run_halves(device, bug ? map_global : whole); }

enum Part : u32 { whole_warps, broken_warp, nobody, two_counts, outsider };
HW_KERNEL void first_meet(u32* out, u32 bug) {
  HW_SHARED(u32, box, 2 * dev::lanes);
  const u32 t = dev::thread(), part = bug == broken_warp ? dev::lanes + 8 : 2 * dev::lanes;
  if (t < (bug == outsider ? part + 1 : part)) {
    if (t < 2 * dev::lanes) box[t] = t;
    dev::sync_first(bug == nobody ? 0 : bug == two_counts && t < dev::lanes ? 3 * dev::lanes : part);
    out[t] = box[(t + dev::lanes) % (2 * dev::lanes)];
  }
  dev::sync_block();
}

bool run_first(Device& device, u32 bug) {
  constexpr u32 threads = 3 * dev::lanes;
  auto out = filled(device, threads, 0);
  launch(device, {{.grid = 1, .block = threads}}, first_meet, out.data(), bug);
  const auto got = download(out);
  for (u32 t = 0; t < 2 * dev::lanes; ++t)
    if (got[t] != (t + dev::lanes) % (2 * dev::lanes)) return false;
  return true;
}
bool first_not_warps(Device& device, bool bug) { return run_first(device, bug ? broken_warp : whole_warps); }
bool first_of_none(Device& device, bool bug) { return run_first(device, bug ? nobody : whole_warps); }
bool first_by_two_counts(Device& device, bool bug) { return run_first(device, bug ? two_counts : whole_warps); }
bool first_with_outsider(Device& device, bool bug) { return run_first(device, bug ? outsider : whole_warps); }

/// Sums of eight bytes have no instruction: they take all lanes.
HW_KERNEL void add_wide(u64* sums, bool some) {
  u64 sum = dev::lane() % 2 ? 0 : dev::lane();
  if (!some)
    sum = dev::reduce_add(dev::all_lanes, sum);
  else if (dev::lane() % 2 == 0)
    sum = dev::reduce_add(dev::all_lanes & 0x5555555555555555ull, sum);
  if (dev::lane() == 0) sums[0] = sum;
}

bool wide_sum_of_some(Device& device, bool bug) {
  Buffer<u64> sum(device, 1);
  sum.fill_bytes(0);
  launch(device, {{.grid = 1, .block = 1 * dev::lanes}}, add_wide, sum.data(), bug);
  return sum.value() == dev::lanes / 2 * (dev::lanes / 2 - 1);
}

// ---- launches ------------------------------------------------------------------------------------------------------------

HW_KERNEL void set_one(u32* out) {
  if (dev::global_thread() == 0) dev::store(out, 1u);
}
/// Says its bound to the compiler and, for the simulator, to whoever launches it.
HW_KERNEL void HW_BOUNDS(64, 1) set_bounded(u32* out) {
  HW_CHECK(dev::block_size() <= 64);
  if (dev::global_thread() == 0) dev::store(out, 1u);
}
HW_KERNEL void set_from_shared(u32* out) {
  HW_SHARED(u32, near, 10000);
  HW_DYNAMIC_SHARED(u32, far);
  near[dev::thread()] = far[dev::thread()] = 1;
  if (dev::global_thread() == 0) dev::store(out, near[0] * far[0]);
}

bool run_launch(Device& device, const device::LaunchShape& shape) {
  auto out = filled(device, 1, 0);
  launch(device, shape, set_one, out.data());
  return out.value() == 1;
}
bool block_too_large(Device& device, bool bug) { return run_launch(device, {.grid = 1, .block = bug ? 1025u : 1024u}); }
bool block_of_none(Device& device, bool bug) { return run_launch(device, {.grid = 1, .block = bug ? 0u : 1u}); }
bool grid_of_none(Device& device, bool bug) { return run_launch(device, {.grid = bug ? 0u : 1u, .block = 32}); }
bool grid_too_large(Device& device, bool bug) { return run_launch(device, {.grid = bug ? 1u << 31 : 1u, .block = 1}); }
bool cluster_too_large(Device& device, bool bug) {
  return run_launch(device, {.grid = 32, .block = 32, .cluster = bug ? 32u : 16u});
}
bool cluster_uneven(Device& device, bool bug) { return run_launch(device, {.grid = bug ? 3u : 4u, .block = 32, .cluster = 2}); }
bool grid_not_resident(Device& device, bool bug) {
  const u32 most = device.resident_grid(reinterpret_cast<const void*>(set_one), 1024);
  return run_launch(device, {.grid = bug ? most + 1 : most, .block = 1024, .cooperative = true});
}
bool dynamic_too_big(Device& device, bool bug) {
  return run_launch(device, {.grid = 1, .block = 32, .shared_bytes = bug ? 228u * 1024 : 200u * 1024});
}
bool bounds_exceeded(Device& device, bool bug) {
  auto out = filled(device, 1, 0);
  launch(device, {{.grid = 1, .block = bug ? 65u : 64u}}, set_bounded, out.data());
  return out.value() == 1;
}
bool shared_together(Device& device, bool bug) {
  auto out = filled(device, 1, 0);
  launch(device, {{.grid = 1, .block = 32, .shared_bytes = (bug ? 200u : 100u) * 1024}}, set_from_shared, out.data());
  return out.value() == 1;
}

}  // namespace

std::span<const Case> hardware_cases() {
  static constexpr Case cases[] = {
      {"atomic-misaligned", Detector::error, "HW-SIM-ALIGN", "an atomic of 8 bytes at a multiple of 4", atomic_misaligned},
      {"load-misaligned", Detector::error, "HW-SIM-ALIGN", "a load of 8 bytes at a multiple of 4", load_misaligned},
      {"side-misaligned", Detector::error, "HW-SIM-ALIGN", "four words written at a multiple of 8", side_misaligned},
      {"stream-misaligned", Detector::error, "HW-SIM-ALIGN", "a Quad read at a multiple of 8", stream_misaligned},
      {"read-only-of-shared", Detector::error, "HW-SIM-SPACE", "read_only() of shared memory", read_only_of_shared},
      {"stream-of-shared", Detector::error, "HW-SIM-SPACE", "read_stream() of shared memory", stream_of_shared},
      {"add-release-to-shared", Detector::error, "HW-SIM-SPACE", "add_release() to shared memory", add_release_to_shared},
      {"prefetch-of-shared", Detector::error, "HW-SIM-SPACE", "prefetch() of shared memory", prefetch_of_shared},
      {"held-of-global", Detector::error, "HW-SIM-SPACE", "held() of a pointer to global memory", held_of_global},
      {"read-only-then-written", Detector::error, "HW-SIM-READ-ONLY", "memory read as read-only, then written",
       read_only_then_written},
      {"written-then-read-only", Detector::error, "HW-SIM-READ-ONLY", "memory written, then read as read-only",
       written_then_read_only},
      {"trusted-look", Detector::answer, "", "a look and an atomic taken for one step", trusted_look},
      {"stale-look", Detector::answer, "", "a look behind a relaxed flag, taken for fresh", stale_look},
      {"peek-of-other-width", Detector::error, "HW-SIM-PEEK", "a look at four bytes that are written one by one",
       peek_of_other_width},
      {"arrived-twice", Detector::error, "HW-SIM-CLUSTER", "a thread arrives twice before it waits", arrived_twice},
      {"not-arrived", Detector::error, "HW-SIM-CLUSTER", "a thread waits without having arrived", not_arrived},
      {"left-between-halves", Detector::error, "HW-SIM-CLUSTER", "a thread returns between arriving and waiting",
       left_between_halves},
      {"mapped-beyond", Detector::error, "HW-SIM-CLUSTER", "a rank that the cluster does not have", mapped_beyond},
      {"mapped-global", Detector::error, "HW-SIM-CLUSTER", "global memory mapped to a neighbour", mapped_global},
      {"first-not-warps", Detector::error, "HW-SIM-BARRIER", "a barrier of one warp and a quarter", first_not_warps},
      {"first-of-none", Detector::error, "HW-SIM-BARRIER", "a barrier of no threads", first_of_none},
      {"first-by-two-counts", Detector::error, "HW-SIM-BARRIER", "threads meet under two numbers", first_by_two_counts},
      {"first-with-outsider", Detector::error, "HW-SIM-BARRIER", "a thread that is not one of the first", first_with_outsider},
      {"wide-sum-of-some", Detector::error, "HW-SIM-MASK", "a sum of 8 bytes over half a warp", wide_sum_of_some},
      {"block-too-large", Detector::error, "HW-DEVICE-CALL", "1,025 threads a block", block_too_large},
      {"block-of-none", Detector::error, "HW-DEVICE-CALL", "no threads a block", block_of_none},
      {"grid-of-none", Detector::error, "HW-DEVICE-CALL", "no blocks", grid_of_none},
      {"grid-too-large", Detector::error, "HW-DEVICE-CALL", "2^31 blocks", grid_too_large},
      {"cluster-too-large", Detector::error, "HW-DEVICE-CALL", "32 blocks a cluster", cluster_too_large},
      {"cluster-uneven", Detector::error, "HW-DEVICE-CALL", "a grid that is no whole number of clusters", cluster_uneven},
      {"grid-not-resident", Detector::error, "HW-DEVICE-CALL", "more blocks than can be resident", grid_not_resident},
      {"dynamic-too-big", Detector::error, "HW-DEVICE-CALL", "228 KiB of dynamic shared memory", dynamic_too_big},
      {"bounds-exceeded", Detector::error, "HW-SIM-CHECK", "more threads than the kernel's launch bounds", bounds_exceeded},
      {"shared-together", Detector::error, "HW-SIM-SHARED", "40 kB static and 200 KiB dynamic", shared_together},
  };
  return cases;
}

}  // namespace hopwave::planted
