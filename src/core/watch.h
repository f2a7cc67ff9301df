// Watch: the limits of one call, counted from its start.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "core/clock.h"
#include "hopwave/limits.h"

namespace hopwave::core {

/// Throws HW-OPTION-TIME-LIMIT for an invalid time limit.
void check_limits(const Limits& limits);

class Watch {
 public:
  /// Starts now. Throws HW-OPTION-TIME-LIMIT.
  explicit Watch(const Limits& limits);

  /// Returns true if there is any limit.
  [[nodiscard]] bool limited() const noexcept { return deadline_ || stop_.stop_possible(); }
  [[nodiscard]] bool over() const noexcept { return stop_.stop_requested() || (deadline_ && look() >= *deadline_); }
  [[nodiscard]] const std::stop_token& stop() const noexcept { return stop_; }
  [[nodiscard]] const std::optional<Clock::time_point>& deadline() const noexcept { return deadline_; }

  /// Throws HW-CANCELLED or HW-TIME-LIMIT. `done` describes what the call has done so far.
  [[noreturn]] void fail(const std::string& done) const;
  /// Does the same if a limit is reached.
  void check(const std::string& done) const {
    if (over()) fail(done);
  }

 private:
  std::stop_token stop_;
  double seconds_;
  std::optional<Clock::time_point> deadline_;
};

/// Returns a `progress` that checks the limits before it calls the caller's; empty if there are neither limits nor
/// `progress`. `watch`, `progress` and `done` (the text for watch.fail()) must outlive it.
std::function<bool(std::uint64_t, std::uint64_t)> watched(const Watch& watch,
                                                          const std::function<bool(std::uint64_t, std::uint64_t)>& progress,
                                                          const char* done);

}  // namespace hopwave::core
