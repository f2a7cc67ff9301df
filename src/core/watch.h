// Watch: the limits of one call, from the moment it began.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "core/clock.h"
#include "hopwave/limits.h"

namespace hopwave::core {

/// Throws HW-OPTION-TIME-LIMIT.
void check_limits(const Limits& limits);

class Watch {
 public:
  /// Begins now. Throws HW-OPTION-TIME-LIMIT.
  explicit Watch(const Limits& limits);

  /// Is there any limit at all?
  [[nodiscard]] bool limited() const noexcept { return deadline_ || stop_.stop_possible(); }
  [[nodiscard]] bool over() const noexcept { return stop_.stop_requested() || (deadline_ && look() >= *deadline_); }
  [[nodiscard]] const std::stop_token& stop() const noexcept { return stop_; }
  [[nodiscard]] const std::optional<Clock::time_point>& deadline() const noexcept { return deadline_; }

  /// Throws HW-CANCELLED or HW-TIME-LIMIT. `done`: what the caller has until now.
  [[noreturn]] void fail(const std::string& done) const;
  /// The same if the call is over.
  void check(const std::string& done) const {
    if (over()) fail(done);
  }

 private:
  std::stop_token stop_;
  double seconds_;
  std::optional<Clock::time_point> deadline_;
};

/// A caller's `progress` that looks at its limits first; empty where it has neither. `watch`, `progress` and `done`, what
/// watch.fail() says, must live as long.
std::function<bool(std::uint64_t, std::uint64_t)> watched(const Watch& watch,
                                                          const std::function<bool(std::uint64_t, std::uint64_t)>& progress,
                                                          const char* done);

}  // namespace hopwave::core
