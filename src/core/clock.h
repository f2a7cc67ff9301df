// The clock: the only file that reads the system's steady clock.
//
// Ticks are for tests of time limits. In ticks, time advances only by certain actions: each check of a time limit
// ("look") takes one millisecond, and each reading of the clock one nanosecond, so that measured times are above 0. A
// limit of n milliseconds is thus reached at the n-th look, on every machine, and no thread waits for it. Looks are
// those of a Watch with a time limit, and those of simulated kernels at a halt word that an Alarm knows. Kernels on a
// GPU make no looks: a limit ends a search there between launches.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace hopwave::core {

/// A clock that satisfies the requirements of <chrono>.
struct Clock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<Clock>;
  static constexpr bool is_steady = true;

  static time_point now() noexcept;
  /// The real time, also in ticks: for waits that end only if another process or device hangs.
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

/// Starts or ends ticks, in the whole process, and sets looks() to 0. Must not be called while a call with limits runs.
void use_ticks(bool on = true) noexcept;
[[nodiscard]] inline bool in_ticks() noexcept { return clock_detail::ticks.load(std::memory_order_relaxed); }
/// Returns the number of looks since the last use_ticks().
[[nodiscard]] std::uint64_t looks() noexcept;

inline Clock::time_point Clock::now() noexcept { return in_ticks() ? clock_detail::now_in_ticks() : real(); }

/// Returns the time, for comparison with a limit.
inline Clock::time_point look() noexcept { return in_ticks() ? clock_detail::look_in_ticks() : Clock::real(); }
/// Called before a simulated kernel reads this word. If the word is an Alarm's, this is a look, and the word is set
/// first if the time has come. Other words take no time: how often one is read while a thread waits for another depends
/// on the machine.
inline void look_at(const std::uint32_t* word) noexcept {
  if (in_ticks()) clock_detail::look_at_in_ticks(word);
}

/// In ticks: during the lifetime of the Alarm, the word is set to 1 by the first look_at() it from that time on.
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
