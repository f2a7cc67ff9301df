// The halt word: how kernels that take many levels in a launch learn that a limit of the call is reached. It lies in pinned
// host memory. The host sets it from the thread that asks to stop, or from a thread of its own at the deadline; one thread of
// the launch reads it once per step. In ticks (core/clock.h) no thread waits: the read itself sets it at its time. Without
// limits kernels get no word, and read nothing.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include "bfs/plan/plan.h"
#include "core/clock.h"
#include "core/watch.h"
#include "device/device.h"
#include "device/kernel.h"
#include "hopwave/error.h"

namespace hopwave::HW_MACHINE::engine {

/// Shall the search end? Null: no limits.
HW_DEVICE bool halted(const dev::u32* halt) { return halt && dev::load_from_host(halt) != 0; }

/// The word, taken by the first call that has limits.
using HaltWord = device::HostValue<dev::u32>;

/// Sets the word when a limit of the call is reached, as long as it lives: it must outlive all launches of the search. Without
/// limits it does nothing.
class HaltGuard {
 public:
  HaltGuard(HaltWord& word, device::Device& device, strategy::RunControl& control) {
    if (!control.watch) return;
    if (!word.data()) word = HaltWord(device);
    control.halt = word.data();
    const Raise raise{word.data()};
    std::atomic_ref(*raise.word).store(0, std::memory_order_relaxed);
    if (control.watch->stop().stop_possible()) static_cast<void>(on_stop_.emplace(control.watch->stop(), raise));
    if (!control.watch->deadline()) return;
    if (core::in_ticks())
      alarm_.emplace(raise.word, *control.watch->deadline());
    else
      start_timer(raise, *control.watch->deadline());
  }

 private:
  struct Raise {
    dev::u32* word;
    void operator()() const noexcept { std::atomic_ref(*word).store(1, std::memory_order_relaxed); }
  };

  void start_timer(Raise raise, core::Clock::time_point at) try {
    timer_ = std::jthread([raise, at](const std::stop_token& end) {
      std::mutex mutex;
      std::condition_variable_any wake;
      std::unique_lock lock(mutex);
      wake.wait_until(lock, end, at, [] { return false; });
      if (!end.stop_requested()) raise();
    });
  } catch (const std::system_error& problem) {
    throw Error({.failure = Failure::does_not_fit,
                 .id = "HW-THREAD-START",
                 .found = std::string("the system starts no thread: ") + problem.code().message(),
                 .expected = "one that watches the time limit",
                 .hint = "a limit on processes (ulimit -u, a container's pids) or on memory (ulimit -v) is in the way"});
  }

  std::optional<std::stop_callback<Raise>> on_stop_;
  std::optional<core::Alarm> alarm_;
  std::jthread timer_;
};

}  // namespace hopwave::HW_MACHINE::engine
