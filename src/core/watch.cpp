// The errors of limits that are reached.
#include "core/watch.h"

#include <chrono>
#include <cstdio>

#include "hopwave/error.h"

namespace hopwave::core {
namespace {

std::string limit_text(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", seconds);
  return std::string(text) + " s";
}

constexpr double longest = 1e9;  // 30 years; the clock can count 292

}  // namespace

void check_limits(const Limits& limits) {
  if (limits.seconds >= 0) return;  // false for NaN
  throw Error({.failure = Failure::usage,
               .id = "HW-OPTION-TIME-LIMIT",
               .found = "a time limit of " + limit_text(limits.seconds),
               .expected = "more than 0 seconds, or 0 for none"});
}

Watch::Watch(const Limits& limits) : stop_(limits.stop), seconds_(limits.seconds) {
  check_limits(limits);
  if (seconds_ > 0 && seconds_ < longest)
    deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds_));
}

void Watch::fail(const std::string& done) const {
  if (stop_.stop_requested())
    throw Error({.failure = Failure::interrupted, .id = "HW-CANCELLED", .found = "a request to stop: " + done});
  throw Error({.failure = Failure::time_limit,
               .id = "HW-TIME-LIMIT",
               .found = "the time limit of " + limit_text(seconds_) + " is reached: " + done});
}

std::function<bool(std::uint64_t, std::uint64_t)> watched(const Watch& watch,
                                                          const std::function<bool(std::uint64_t, std::uint64_t)>& progress,
                                                          const char* done) {
  if (!progress && !watch.limited()) return {};
  return [&watch, &progress, done](std::uint64_t units, std::uint64_t total) {
    if (watch.over()) watch.fail(done);
    return !progress || progress(units, total);
  };
}

}  // namespace hopwave::core
