// Watch: the limits of one call, counted from its start.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

#include "core/clock.h"
#include "hopwave/error.h"
#include "hopwave/run.h"

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

  /// The same limits for a part of the call that begins now.
  [[nodiscard]] Limits rest() const;

  /// Throws HW-CANCELLED or HW-TIME-LIMIT. `done` describes what the call has done so far.
  [[noreturn]] void fail(const std::string& done) const;
  /// Does the same if a limit is reached.
  void check(const std::string& done) const {
    if (over()) fail(done);
  }

 private:
  std::stop_token stop_;
  Milliseconds time_;
  std::optional<Clock::time_point> deadline_;
};

/// Returns a `progress` that checks the limits before it calls the caller's; empty if there are neither limits nor
/// `progress`. `watch`, `progress` and `done` (the text for watch.fail()) must outlive it.
Progress watched(const Watch& watch, const Progress& progress, const char* done);

/// "HW-INTERRUPTED", "HW-CANCELLED", "HW-TIME-LIMIT", "searches"; empty: complete.
const char* name_of(End end);
/// How a call ended that ended with HW-CANCELLED, HW-TIME-LIMIT or HW-INTERRUPTED and has an answer nevertheless.
/// Throws the error on if it is another.
End end_of(const Error& error);

}  // namespace hopwave::core
