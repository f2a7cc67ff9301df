// Planted bugs between threads that write the same memory: plain stores, lost updates, flags that order nothing.
#include "planted/case.h"

namespace hopwave::planted {
namespace {

namespace dev = HW_MACHINE::dev;
constexpr u32 block = 64;
constexpr u32 none = 0xFFFFFFFFu;

/// Vertex i has neighbours i + 1 … i + 8 (mod n): each is found by several threads.
HW_KERNEL void level_store(u32* level, u32 n, u32 current, bool plain) {
  const u32 v = dev::global_thread();
  if (v >= n || (plain ? level[v] : dev::load(&level[v])) != current - 1) return;
  for (u32 k = 1; k <= 8; ++k) {
    const u32 w = (v + k) % n;
    if (plain) {
      if (level[w] == none) level[w] = current;
    } else if (dev::load(&level[w]) == none) {
      dev::store(&level[w], current);
    }
  }
}

bool plain_level_store(Device& device, bool bug) {
  constexpr u32 n = 100;
  std::vector<u32> start(n, none);
  for (u32 v = 0; v < 8; ++v) start[v] = 0;
  auto level = upload(device, start);
  for (u32 current = 1; current <= 12; ++current)
    launch(device, {{.grid = 2, .block = block}}, level_store, level.data(), n, current, bug);
  const auto got = download(level);
  for (u32 v = 8; v < n; ++v)
    if (got[v] != v / 8) return false;
  return true;
}

HW_KERNEL void count_in_two_steps(u32* count, bool two_steps) {
  if (two_steps)
    dev::store(count, dev::load(count) + 1);
  else
    dev::fetch_add(count, 1u);
}

bool lost_update(Device& device, bool bug) {
  auto count = filled(device, 1, 0);
  launch(device, {{.grid = 4, .block = block}}, count_in_two_steps, count.data(), bug);
  return count.value() == 4 * block;
}

HW_KERNEL void count_plainly(u32* count, bool plain) {
  if (plain)
    ++*count;
  else
    dev::fetch_add(count, 1u);
}

bool plain_increment(Device& device, bool bug) {
  auto count = filled(device, 1, 0);
  launch(device, {{.grid = 2, .block = block}}, count_plainly, count.data(), bug);
  return count.value() == 2 * block;
}

HW_KERNEL void mark(u32* bits, bool plain) {
  const u32 v = dev::global_thread();
  if (plain)
    bits[v / 32] |= 1u << v % 32;
  else
    dev::fetch_or(&bits[v / 32], 1u << v % 32);
}

bool plain_bits(Device& device, bool bug) {
  auto bits = filled(device, 4, 0);
  launch(device, {{.grid = 2, .block = block}}, mark, bits.data(), bug);
  for (u32 word : download(bits))
    if (word != none) return false;
  return true;
}

/// A full queue's counter is set back to the capacity by every thread that finds it full, as a textbook does.
HW_KERNEL void clamped_queue(u32* spilled, u32* kept, bool clamp) {
  HW_SHARED(u32, count, 1);
  constexpr u32 room = 20;
  if (dev::thread() == 0) count[0] = 0;
  dev::sync_block();
  if (dev::fetch_add(&count[0], 1u) >= room) {
    if (clamp) count[0] = room;
    dev::fetch_add(spilled, 1u);
  }
  dev::sync_block();
  if (dev::thread() == 0) dev::fetch_add(kept, count[0] < room ? count[0] : room);
}

bool counter_clamp(Device& device, bool bug) {
  auto cells = filled(device, 2, 0);
  launch(device, {{.grid = 2, .block = block}}, clamped_queue, cells.data(), cells.data() + 1, bug);
  return cells.value(0) == 2 * (block - 20) && cells.value(1) == 40;
}

/// Each vertex must enter the queue once: only the thread that changes its level may put it there.
HW_KERNEL void enqueue(u32* level, u32 n, u32* queue, u32* queued, bool check_then_store) {
  const u32 w = dev::global_thread() % n;
  bool mine = false;
  if (check_then_store) {
    mine = dev::load(&level[w]) == none;
    if (mine) dev::store(&level[w], 1u);
  } else {
    mine = dev::peek(&level[w]) == none && dev::compare_exchange(&level[w], none, 1u) == none;
  }
  if (mine) queue[dev::fetch_add(queued, 1u)] = w;
}

bool claimed_twice(Device& device, bool bug) {
  auto level = filled(device, 10, none), queue = filled(device, 4 * block, none), queued = filled(device, 1, 0);
  launch(device, {{.grid = 4, .block = block}}, enqueue, level.data(), 10u, queue.data(), queued.data(), bug);
  return queued.value() == 10;
}

/// The counter of the next queue is zeroed inside the launch that fills it.
HW_KERNEL void zero_and_fill(u32* counts, u32* out, bool zero_here) {
  if (zero_here && dev::global_thread() == 0) dev::store(&counts[0], 0u);
  out[dev::fetch_add(&counts[0], 1u)] = dev::global_thread();
}

bool reused_counter(Device& device, bool bug) {
  auto counts = filled(device, 1, 0), out = filled(device, 4 * block, 0);
  launch(device, {{.grid = 4, .block = block}}, zero_and_fill, counts.data(), out.data(), bug);
  return counts.value() == 4 * block;
}

enum Order : u32 { release_acquire, fences, relaxed };

/// One thread hands data to the others and raises a flag.
HW_KERNEL void hand_over(u32* data, u32* flag, u32* out, u32 order) {
  if (dev::global_thread() == 0) {
    data[0] = 42;
    if (order == fences) dev::fence();
    if (order == release_acquire)
      dev::store_release(flag, 1u);
    else
      dev::store(flag, 1u);
    return;
  }
  while ((order == release_acquire ? dev::load_acquire(flag) : dev::load(flag)) == 0) dev::pause();
  if (order == fences) dev::fence();
  out[dev::global_thread()] = data[0];
}

bool run_hand_over(Device& device, u32 order) {
  auto data = filled(device, 2, 0), out = filled(device, 2 * block, 42);
  launch(device, {{.grid = 2, .block = block}}, hand_over, data.data(), data.data() + 1, out.data(), order);
  for (u32 v : download(out))
    if (v != 42) return false;
  return true;
}
bool relaxed_flag(Device& device, bool bug) { return run_hand_over(device, bug ? relaxed : release_acquire); }
bool missing_fence(Device& device, bool bug) { return run_hand_over(device, bug ? relaxed : fences); }

/// Pull: bits of the frontier are read while the same launch sets bits of the next one, in the same array.
HW_KERNEL void pull(const u32* frontier, u32* next, u32 n) {
  const u32 v = dev::global_thread();
  if (v >= n) return;
  const u32 from = (v + 1) % n;
  if (dev::read_only(&frontier[from / 32]) >> from % 32 & 1) dev::fetch_or(&next[v / 32], 1u << v % 32);
}

bool frontier_in_place(Device& device, bool bug) {
  std::vector<u32> bits(4, 0);
  bits[2] = 1;
  auto frontier = upload(device, bits), next = upload(device, bits);
  launch(device, {{.grid = 2, .block = block}}, pull, frontier.data(), bug ? frontier.data() : next.data(), 2 * block);
  return download(bug ? frontier : next)[1] == 0x80000000u;
}

HW_KERNEL void wait_for(u32* flag, bool raise, bool pausing) {
  if (raise && dev::global_thread() == block - 1) dev::store(flag, 1u);
  while (dev::load(flag) == 0)
    if (pausing) dev::pause();
}

bool run_wait(Device& device, bool raise, bool pausing) {
  auto flag = filled(device, 1, 0);
  launch(device, {{.grid = 1, .block = block}}, wait_for, flag.data(), raise, pausing);
  return flag.value() == 1;
}
bool livelock(Device& device, bool bug) { return run_wait(device, !bug, true); }
bool spin_without_pause(Device& device, bool bug) { return run_wait(device, !bug, !bug); }

}  // namespace

std::span<const Case> race_cases() {
  static constexpr Case cases[] = {
      {"plain-level-store", Detector::thread, "data race", "the level store that everybody calls harmless", plain_level_store},
      {"lost-update", Detector::answer, "", "a counter read and written in two steps", lost_update},
      {"plain-increment", Detector::thread, "data race", "a counter without an atomic", plain_increment},
      {"plain-bits", Detector::thread, "data race", "a bitmap word changed without an atomic", plain_bits},
      {"counter-clamp", Detector::thread, "data race", "the textbook's clamp of a full queue's counter", counter_clamp},
      {"claimed-twice", Detector::answer, "", "look, then store: two threads claim one vertex", claimed_twice},
      {"reused-counter", Detector::answer, "", "a counter zeroed in the launch that uses it", reused_counter},
      {"relaxed-flag", Detector::thread, "data race", "data handed over behind a relaxed flag", relaxed_flag},
      {"missing-fence", Detector::thread, "data race", "the same, where fences were meant", missing_fence},
      {"frontier-in-place", Detector::thread, "data race", "one bitmap for this frontier and the next", frontier_in_place},
      {"livelock", Detector::error, "HW-SIM-LIVELOCK", "waiting for a flag that nobody raises", livelock},
      {"spin-without-pause", Detector::error, "HW-SIM-LIVELOCK", "the same without pause()", spin_without_pause},
  };
  return cases;
}

}  // namespace hopwave::planted
