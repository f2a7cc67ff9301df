// A thread for long work, while the caller's thread checks for signals: Python runs their handlers only in the main
// thread.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>

namespace hopwave::python {

/// Takes this thread's part of the thread-local data that every exception uses. Python loads this extension by dlopen(): then
/// the part is allocated at its first use, and the C library ends the process if it does not get the memory. Returns false, and
/// takes nothing, if there is no memory.
inline bool take_thread_memory() noexcept {
  static constinit thread_local volatile char of_the_extension = 0;
  void* const volatile room = std::malloc(16 << 10);
  if (!room) return false;
  std::free(room);
  of_the_extension = 1;
  (void)std::uncaught_exceptions();
  return true;
}

/// The thread waits between calls: to make one, and to register it with a GPU's driver, takes longer than many
/// searches. Neither side needs the GIL. One call at a time.
class Worker {
 public:
  /// `brisk`: both sides spin for a while before they sleep, which uses a processor and saves the microseconds of
  /// waking up. For searches on a GPU; on a CPU the search needs the processors.
  explicit Worker(bool brisk) : brisk_(brisk) {
    try {
      thread_ = std::thread([this] { serve(); });
    } catch (const std::system_error&) {  // no thread is available, or no memory for its stack: run() does the work itself
    }
  }
  ~Worker() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      state_ = State::ended;
    }
    given_.notify_one();
    thread_.join();
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Does `work`, which must not throw, and calls `meanwhile` every 20 ms until it is done.
  template <class Meanwhile>
  void run(std::function<void()> work, const Meanwhile& meanwhile) {
    if (!thread_.joinable()) return work();
    {
      std::unique_lock lock(mutex_);
      done_.wait(lock, [&] { return state_ != State::begun; });
      if (state_ == State::ended) {
        lock.unlock();
        return work();
      }
      work_ = std::move(work);
      state_ = State::given;
    }
    given_.notify_one();
    if (brisk_ && looked_for(State::done, std::chrono::microseconds(300))) return;
    std::unique_lock lock(mutex_);
    while (!done_.wait_for(lock, std::chrono::milliseconds(20), [&] { return state_ == State::done; })) {
      lock.unlock();
      meanwhile();
      lock.lock();
    }
  }

 private:
  enum class State { begun, idle, given, done, ended };  // ended also where the thread could not throw

  bool looked_for(State wanted, std::chrono::microseconds most) const {
    const auto end = std::chrono::steady_clock::now() + most;
    while (state_.load(std::memory_order_acquire) != wanted) {
      if (std::chrono::steady_clock::now() >= end) return false;
      std::this_thread::yield();
    }
    return true;
  }

  void serve() {
    const bool able = take_thread_memory();
    {
      const std::lock_guard lock(mutex_);
      if (state_ == State::begun) state_ = able ? State::idle : State::ended;
    }
    done_.notify_one();
    if (!able) return;
    for (;;) {
      if (brisk_) (void)looked_for(State::given, std::chrono::microseconds(100));
      {
        std::unique_lock lock(mutex_);
        given_.wait(lock, [&] { return state_ == State::given || state_ == State::ended; });
        if (state_ == State::ended) return;
      }
      work_();
      {
        const std::lock_guard lock(mutex_);
        state_.store(State::done, std::memory_order_release);
      }
      done_.notify_one();
    }
  }

  const bool brisk_;
  std::atomic<State> state_{State::begun};  // changed under the mutex
  std::mutex mutex_;
  std::condition_variable given_, done_;
  std::function<void()> work_;
  std::thread thread_;  // last: it uses the other members
};

}  // namespace hopwave::python
