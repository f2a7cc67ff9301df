// The errors of limits that are reached.
#include "core/watch.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "hopwave/error.h"

namespace hopwave::core {
namespace {

std::string limit_text(Milliseconds time) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", time.count() / 1e3);
  return std::string(text) + " s";
}

constexpr Seconds longest(1e9);  // 30 years; the clock can count 292

}  // namespace

void check_limits(const Limits& limits) {
  if (limits.time >= Milliseconds(0)) return;  // false for NaN
  throw Error({.failure = Failure::usage,
               .id = "HW-OPTION-TIME-LIMIT",
               .found = "a time limit of " + limit_text(limits.time),
               .expected = "more than 0 seconds, or 0 for none"});
}

Watch::Watch(const Limits& limits) : stop_(limits.stop), time_(limits.time) {
  check_limits(limits);
  if (time_ > Milliseconds(0) && time_ < longest) deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(time_);
}

Limits Watch::rest() const {
  Limits limits{.stop = stop_};
  if (deadline_) limits.time = std::max(Milliseconds(1e-3), Milliseconds(*deadline_ - Clock::now()));
  return limits;
}

void Watch::fail(const std::string& done) const {
  if (stop_.stop_requested())
    throw Error({.failure = Failure::interrupted, .id = "HW-CANCELLED", .found = "a request to stop: " + done});
  throw Error({.failure = Failure::time_limit,
               .id = "HW-TIME-LIMIT",
               .found = "the time limit of " + limit_text(time_) + " is reached: " + done});
}

Progress watched(const Watch& watch, const Progress& progress, const char* done) {
  if (!progress && !watch.limited()) return {};
  return [&watch, &progress, done](const Step& step) {
    if (watch.over()) watch.fail(done);
    return !progress || progress(step);
  };
}

const char* name_of(End end) {
  switch (end) {
    case End::complete:
      return "";
    case End::interrupted:
      return "HW-INTERRUPTED";
    case End::cancelled:
      return "HW-CANCELLED";
    case End::time_limit:
      return "HW-TIME-LIMIT";
    case End::max_searches:
      return "searches";
  }
  return "";
}

End end_of(const Error& error) {
  if (error.id() == "HW-INTERRUPTED") return End::interrupted;
  if (error.id() == "HW-CANCELLED") return End::cancelled;
  if (error.id() == "HW-TIME-LIMIT") return End::time_limit;
  throw error;
}

}  // namespace hopwave::core
