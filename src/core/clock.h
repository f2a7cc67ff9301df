// The clock: the only file that reads the system's steady clock.
//
// Ticks: for tests of what a time limit does. Time passes by what is done alone: each look whether a limit is reached takes one
// millisecond, and each reading of the clock a nanosecond, so that what was measured is above 0. A limit of n milliseconds is
// reached at the n-th look from there, on the slowest machine as on the fastest, and no thread waits for it. Looks are those of
// a Watch that has a time limit, and those that simulated kernels take at a halt word that an Alarm knows. Kernels on a GPU
// take no part: there a limit ends a search between launches.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace hopwave::core {

/// A clock as <chrono> wants it.
struct Clock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<Clock>;
  static constexpr bool is_steady = true;

  static time_point now() noexcept;
  /// Whatever the ticks say: for waits that end only if another process or device hangs.
  static time_point real() noexcept {
    return time_point(std::chrono::duration_cast<duration>(std::chrono::steady_clock::now().time_since_epoch()));
  }
};

namespace clock_detail {
inline std::atomic<bool> ticks{false};
Clock::time_point now_in_ticks() noexcept;
Clock::time_point look_in_ticks() noexcept;
void look_at_in_ticks(const std::uint32_t* word) noexcept;
}  // namespace clock_detail

/// Begins or ends ticks, in the whole process; looks() is 0 then. Not while a call with limits runs.
void use_ticks(bool on = true) noexcept;
[[nodiscard]] inline bool in_ticks() noexcept { return clock_detail::ticks.load(std::memory_order_relaxed); }
/// Looks since the last use_ticks().
[[nodiscard]] std::uint64_t looks() noexcept;

inline Clock::time_point Clock::now() noexcept { return in_ticks() ? clock_detail::now_in_ticks() : real(); }

/// The time, to be compared with a limit.
inline Clock::time_point look() noexcept { return in_ticks() ? clock_detail::look_in_ticks() : Clock::real(); }
/// A simulated kernel is about to read this word. That is a look if the word is an Alarm's, which is set first if it is time.
/// Other words let no time pass: how often one is read while a thread waits for another depends on the machine.
inline void look_at(const std::uint32_t* word) noexcept {
  if (in_ticks()) clock_detail::look_at_in_ticks(word);
}

/// In ticks: as long as it lives, the word is set to 1 by the first look_at() it from that time on.
class Alarm {
 public:
  Alarm(std::uint32_t* word, Clock::time_point at);
  ~Alarm();
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  struct Entry;

 private:
  Entry* entry_;
};

}  // namespace hopwave::core
