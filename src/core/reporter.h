// Reporter: reports the progress of a long job. All threads count, and the calling thread reports.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string_view>

#include "hopwave/error.h"
#include "hopwave/run.h"

namespace hopwave::core {

class Reporter {
 public:
  /// `report` may be empty, and must outlive the object. `total`: all units of work. `what` is their name.
  explicit Reporter(const Progress& report, std::uint64_t total = 0, std::string_view what = "work")
      : report_(report), total_(total), what_(what) {}
  Reporter(const Reporter&) = delete;  // report_ may refer to a temporary of the caller's
  Reporter& operator=(const Reporter&) = delete;

  /// Adds `units` that the team's member `rank` has done. Member 0, the caller's thread, reports. If the report returns
  /// false, it throws HW-INTERRUPTED, and the others stop after their current part.
  void add(std::uint64_t units, int rank) {
    if (!report_) return;
    const std::uint64_t done = done_.fetch_add(units, std::memory_order_relaxed) + units;
    if (rank == 0 && !report_({.what = what_, .done = std::min(done, total_), .total = total_}))
      throw Error({.failure = Failure::interrupted, .id = "HW-INTERRUPTED", .found = "stopped by the caller"});
  }

 private:
  const Progress& report_;
  const std::uint64_t total_;
  const std::string_view what_;
  std::atomic<std::uint64_t> done_{0};
};

}  // namespace hopwave::core
