// Told: how far a long job is. All threads count, and the one that called reports.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>

#include "hopwave/error.h"

namespace hopwave::core {

class Told {
 public:
  using Report = std::function<bool(std::uint64_t done, std::uint64_t total)>;
  /// `report` may be empty, and must live as long. `total`: units of work in all.
  explicit Told(const Report& report, std::uint64_t total = 0) : report_(report), total_(total) {}
  Told(const Told&) = delete;  // report_ may refer to a temporary of the caller's
  Told& operator=(const Told&) = delete;

  /// `units` more are done by the team's member `rank`. Member 0, the caller's thread, reports; it throws HW-INTERRUPTED when
  /// the report says false, and the others stop after the part that they are at.
  void add(std::uint64_t units, int rank) {
    if (!report_) return;
    const std::uint64_t done = done_.fetch_add(units, std::memory_order_relaxed) + units;
    if (rank == 0 && !report_(std::min(done, total_), total_))
      throw Error({.failure = Failure::interrupted, .id = "HW-INTERRUPTED", .found = "stopped by its caller"});
  }

 private:
  const Report& report_;
  const std::uint64_t total_;
  std::atomic<std::uint64_t> done_{0};
};

}  // namespace hopwave::core
