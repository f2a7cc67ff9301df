// Team and Barrier. Waiting threads spin for a moment, because the levels of a traversal follow each other within
// microseconds. Then they sleep on the atomic itself, because a machine may have fewer free cores than it reports.
#include "core/parallel.h"

#include <sched.h>

#include <string>

#include "hopwave/error.h"

namespace hopwave::inline v0_1 {
namespace {

constexpr int spins = 4000;

template <class T>
void wait_while(std::atomic<T>& value, T old) {
  for (int i = 0; i < spins; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  while (value.load(std::memory_order_acquire) == old) value.wait(old, std::memory_order_acquire);
}

}  // namespace

int hardware_threads() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void Barrier::wait() {
  if (members_ == 1) return;
  const unsigned phase = phase_.load(std::memory_order_acquire);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == members_) {
    arrived_.store(0, std::memory_order_relaxed);
    phase_.store(phase + 1, std::memory_order_release);
    phase_.notify_all();
    return;
  }
  wait_while(phase_, phase);
}

namespace {

int members(int threads) {
  constexpr int most = 4096;
  if (threads < 0 || threads > most)
    throw Error({.failure = Failure::usage,
                 .id = "HW-OPTION-THREADS",
                 .found = std::to_string(threads) + " threads",
                 .expected = "1 to " + std::to_string(most) + ", or 0 for one per hardware thread"});
  return threads > 0 ? threads : hardware_threads();
}

}  // namespace

Team::Team(int threads) : size_(members(threads)), barrier_(size_) {
  threads_.reserve(size_ - 1);
  for (int rank = 1; rank < size_; ++rank) {
    try {
      threads_.emplace_back([this, rank] { member(rank); });
    } catch (const std::exception&) {  // a limit on processes or on memory: the threads that could be started do the work
      missing_ = size_ - rank;
      size_ = rank;
    }
  }
  barrier_.set_members(size_);
}

Team::~Team() {
  ending_.store(true, std::memory_order_release);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  for (auto& thread : threads_) thread.join();
}

std::string Team::missing_text() const {
  if (missing_ == 0) return {};
  return "only " + std::to_string(size_) + " of " + std::to_string(size_ + missing_) +
         " threads could be started: the system limits processes or memory";
}

void Team::member(int rank) {
  unsigned seen = 0;
  for (;;) {
    wait_while(round_, seen);
    seen = round_.load(std::memory_order_acquire);
    if (ending_.load(std::memory_order_acquire)) return;
    work_as(rank);
    if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
  }
}

void Team::work_as(int rank) noexcept {
  try {
    (*work_)(rank);
  } catch (...) {
    const std::lock_guard lock(error_mutex_);
    if (!error_) error_ = std::current_exception();
  }
}

void Team::run(const std::function<void(int)>& work) {
  work_ = &work;
  error_ = nullptr;
  busy_.store(size_ - 1, std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  work_as(0);
  for (int left = busy_.load(std::memory_order_acquire); left != 0; left = busy_.load(std::memory_order_acquire))
    wait_while(busy_, left);
  if (error_) std::rethrow_exception(error_);
}

}  // namespace hopwave::inline v0_1
