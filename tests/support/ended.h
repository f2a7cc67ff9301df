// What holds for every call that takes RunOptions: its reports, the errors that end it, and the options that it refuses.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <stop_token>
#include <string>

#include "hopwave/run.h"
#include "support/error_id.h"

namespace hopwave::testing {

/// What a call has reported: how often, and its last step.
struct Reported {
  std::uint64_t calls = 0, done = 0, total = 0;
};

/// Wherever the caller wants `find(run)` to end, it ends with the error that says why; at the first `tried` reports by their
/// answer.
Reported expect_ends(const auto& find, RunOptions run, std::uint64_t tried = 20) {
  Reported seen;
  std::string what;
  run.progress = [&](const Step& step) {
    EXPECT_LE(step.done, step.total);
    if (step.what == what) {
      EXPECT_LE(seen.done, step.done);
      EXPECT_EQ(seen.total, step.total);
    }
    what = step.what;
    seen.done = step.done, seen.total = step.total;
    return ++seen.calls > 0;
  };
  find(run);
  EXPECT_GE(seen.calls, 1u);
  for (std::uint64_t last = 1; last <= std::min(seen.calls, tried); ++last) {
    std::uint64_t asked = 0;
    run.progress = [&](const Step&) { return ++asked < last; };
    EXPECT_EQ(id_of([&] { find(run); }), "HW-INTERRUPTED") << last;
  }
  struct Thrown {};
  run.progress = [](const Step&) -> bool { throw Thrown(); };
  EXPECT_THROW(find(run), Thrown);
  run.progress = {};
  const auto limited = [&](const Limits& limits) {
    run.limits = limits;
    return id_of([&] { find(run); });
  };
  EXPECT_EQ(limited({.time = Seconds(1e-9)}), "HW-TIME-LIMIT");
  EXPECT_EQ(limited({.time = Seconds(-1)}), "HW-OPTION-TIME-LIMIT");
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(limited({.stop = stop.get_token()}), "HW-CANCELLED");
  return seen;
}

/// No call takes these.
void expect_refusals(const auto& find) {
  const auto refused = [&](const RunOptions& run) { return id_of([&] { find(run); }); };
  for (const int threads : {-1, 4097}) EXPECT_EQ(refused({.threads = threads}), "HW-OPTION-THREADS");
  for (const int device : {9, 77}) EXPECT_EQ(refused({.device = static_cast<DeviceKind>(device)}), "HW-OPTION-VALUE");
  const RunOptions cpu{.device = DeviceKind::cpu, .simulator = {.schedule = ScheduleKind::weak}};
  EXPECT_EQ(refused(cpu), "HW-OPTION-SCHEDULE");
  const RunOptions sim{.device = DeviceKind::sim, .simulator = {.schedule = static_cast<ScheduleKind>(-1)}};
  EXPECT_EQ(refused(sim), "HW-OPTION-VALUE");
  EXPECT_EQ(refused({.device = DeviceKind::sim, .on = {.ordinal = 99}}), "HW-DEVICE-NONE");
  EXPECT_EQ(refused({.limits = {.time = Seconds(-1)}}), "HW-OPTION-TIME-LIMIT");
}

}  // namespace hopwave::testing
