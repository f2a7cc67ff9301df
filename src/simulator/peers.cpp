// Several simulated devices at the same time, each in its own CPU thread: the memory that they share, and how one waits
// for another. Kernels read the table without a lock: for ThreadSanitizer a lock would order accesses that no barrier
// orders.
#include "simulator/peers.h"

#include <sched.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

#include "core/clock.h"
#include "simulator/launch_limits.h"
#include "simulator/report.h"
#include "simulator/scheduler.h"

namespace hopwave::sim {
namespace {

struct Shared {
  std::atomic<std::uintptr_t> begin = 0, end = 0;  ///< 0: a free entry
  std::atomic<int> device = 0;
};
constexpr std::size_t most_shared = 1024;
Shared table[most_shared];
std::atomic<std::size_t> used = 0;  ///< entries from this one on have always been free
std::atomic<bool> opened[devices][devices];
std::mutex changing;

std::int64_t now_in_seconds() {
  return std::chrono::duration_cast<std::chrono::seconds>(core::Clock::real().time_since_epoch()).count();
}

}  // namespace

bool share(void* p, std::size_t bytes, int device) noexcept {
  const std::lock_guard lock(changing);
  std::size_t i = 0;
  while (i < most_shared && table[i].begin != 0) ++i;
  if (i == most_shared) return false;
  table[i].device = device;
  table[i].end = reinterpret_cast<std::uintptr_t>(p) + bytes;
  table[i].begin = reinterpret_cast<std::uintptr_t>(p);
  if (i == used) used = i + 1;
  return true;
}

void unshare(void* p) noexcept {
  const std::lock_guard lock(changing);
  for (std::size_t i = 0; i < used; ++i)
    if (table[i].begin == reinterpret_cast<std::uintptr_t>(p)) table[i].begin = table[i].end = 0;
}

void open_to_peer(int device, int peer) noexcept { opened[device][peer] = true; }

void Scheduler::need_reach(const void* p, u32 bytes, bool writes, const SourceLocation& where) {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  int owner = -1;
  for (std::size_t i = 0; i < used && owner < 0; ++i)
    if (address >= table[i].begin && address + bytes <= table[i].end) owner = table[i].device;
  if (owner == device) return;
  if (owner < 0 || !opened[device][owner])
    fail("HW-SIM-PEER-ACCESS",
         thread_text() + ": address " + hex(address) +
             (owner < 0 ? std::string(" is not in memory that devices share")
                        : " is in memory of device " + std::to_string(owner) + ", which device " + std::to_string(device) +
                              " does not reach"),
         "memory of Device::allocate_for_peers(), of a device that this one reaches", "a GPU stops with \"illegal address\"",
         where);
  if (count_into) (writes ? count_into->peer_written : count_into->peer_read) += bytes;
}

/// Not a livelock of this device's threads: another device has its own CPU thread and its own time.
void Scheduler::pause_for_peer(const SourceLocation& where) {
  constexpr std::int64_t most_seconds = 300;
  const std::int64_t now = now_in_seconds();
  if (peer_since_ == 0) peer_since_ = now;
  if (now - peer_since_ > most_seconds)
    fail("HW-SIM-PEERS", thread_text() + " has waited for another device for " + std::to_string(most_seconds) + " s",
         "a device that arrives, or a loop that checks whether the host has given up", "", where);
  sched_yield();
  pauses_ = words_ = 0;
  pause(where);
}

void pause_for_peer(const SourceLocation& where) { current_scheduler()->pause_for_peer(where); }
void need_reach(const void* p, u32 bytes, bool writes, const SourceLocation& where) {
  current_scheduler()->need_reach(p, bytes, writes, where);
}

}  // namespace hopwave::sim
