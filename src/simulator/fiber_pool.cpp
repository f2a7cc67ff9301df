#include "simulator/fiber_pool.h"

#include <atomic>
#include <cstddef>
#include <vector>

#include "simulator/launch_limits.h"
#include "simulator/scheduler.h"
#include "simulator/spin_lock.h"

namespace hopwave::sim {
namespace {

constexpr std::size_t most_kept = std::size_t{multiprocessors} * threads_per_multiprocessor;

struct Kept {
  Kept() { fibers.reserve(most_kept); }  // so that give() does not allocate
  std::atomic_flag busy;
  std::size_t made = 0;
  char given_token = 0;
  std::vector<std::unique_ptr<Fiber>> fibers;
};

/// Never destroyed: devices with static lifetime return their fibers after main().
Kept& kept() {
  static Kept* const all = new Kept;
  return *all;
}

void run_forever(void*) {
  for (;;) run_threads();
}

}  // namespace

std::unique_ptr<Fiber> FiberPool::take() {
  Kept& all = kept();
  std::size_t index = 0;
  {
    const SpinLock lock(all.busy);
    if (!all.fibers.empty()) {
      std::unique_ptr<Fiber> fiber = std::move(all.fibers.back());
      all.fibers.pop_back();
      return fiber;
    }
    index = all.made++;
  }
  return std::make_unique<Fiber>(run_forever, nullptr, index);
}

void FiberPool::give(std::vector<std::unique_ptr<Fiber>>& fibers) noexcept {
  Kept& all = kept();
  tsan::release(&all.given_token);
  {
    const SpinLock lock(all.busy);
    while (!fibers.empty() && all.fibers.size() < most_kept) {
      all.fibers.push_back(std::move(fibers.back()));
      fibers.pop_back();
    }
  }
  destroy(fibers);
}

void FiberPool::destroy(std::vector<std::unique_ptr<Fiber>>& fibers) noexcept {
  if (fibers.empty()) return;
  // ThreadSanitizer must see that memory is freed after all other accesses to it. Only here is an order acceptable.
  tsan::acquire(&kept().given_token);
  fibers.clear();
}

}  // namespace hopwave::sim
