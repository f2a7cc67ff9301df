// SpinLock: mutual exclusion of host threads, without an order that ThreadSanitizer would see.
#pragma once

#include <atomic>

namespace hopwave::sim {

/// Not std::mutex: ThreadSanitizer would see it as an order between host threads that use different devices.
class SpinLock {
 public:
  explicit SpinLock(std::atomic_flag& flag) : flag_(flag) {
    while (flag_.test_and_set(std::memory_order_acquire)) flag_.wait(true, std::memory_order_relaxed);
  }
  ~SpinLock() {
    flag_.clear(std::memory_order_release);
    flag_.notify_one();
  }
  SpinLock(const SpinLock&) = delete;
  SpinLock& operator=(const SpinLock&) = delete;

 private:
  std::atomic_flag& flag_;
};

}  // namespace hopwave::sim
