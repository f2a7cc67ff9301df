// Solves all scenarios of a map and compares with the lengths in their file.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

#include "core/parallel.h"
#include "core/stopwatch.h"
#include "hopwave/error.h"
#include "route/searches.h"

namespace hopwave::inline v0_1::route {
namespace {

std::int64_t hops(const Grid& grid, const Scenario& s, Method method) {
  const CellIndex from = grid.index(s.start), to = grid.index(s.goal);
  const Way way = find_way(grid, {&from, 1}, {&to, 1}, {.method = method, .run = {.device = DeviceKind::cpu}});
  return way.found ? static_cast<std::int64_t>(way.cost) : -1;
}

/// Adds one member's share of the sums.
void add(CheckReport& to, const CheckReport& part) {
  to.hops += part.hops;
  to.octile += part.octile;
  to.sum_hops += part.sum_hops;
  to.without_diagonals += part.without_diagonals;
  to.wrong.insert(to.wrong.end(), part.wrong.begin(), part.wrong.end());
}

constexpr std::int64_t not_asked = -9;

/// `found`: steps that a device found.
void check_one(const Grid& grid, const Scenario& s, OctileSearch& octile, bool compare_methods, std::int64_t found,
               CheckReport& part) {
  const core::Stopwatch hopping;
  const std::int64_t count = hops(grid, s, Method::automatic);
  part.hops += hopping.elapsed();
  const core::Stopwatch walking;
  const double length = octile.length(s.start, s.goal);
  part.octile += walking.elapsed();
  if (!(std::abs(length - s.length) <= s.tolerance)) part.wrong.push_back({s, length, "octile length"});
  if (count >= 0) part.sum_hops += static_cast<std::uint64_t>(count);
  // Both cells next to a diagonal step are free, so two straight steps can replace it; and no hop is shorter than a
  // step.
  const std::int64_t straight = octile.straight(), diagonal = octile.diagonal();
  part.without_diagonals += length >= 0 && diagonal == 0;
  const bool possible = length < 0 ? count < 0
                                   : static_cast<double>(count) >= length - 1e-6 && count <= straight + 2 * diagonal &&
                                         (count - straight - 2 * diagonal) % 2 == 0;
  if (!possible) part.wrong.push_back({s, static_cast<double>(count), "hops"});
  if (compare_methods && hops(grid, s, Method::words) != hops(grid, s, Method::queue))
    part.wrong.push_back({s, static_cast<double>(count), "hops of words and queue"});
  if (found != not_asked && found != count) part.wrong.push_back({s, static_cast<double>(found), "hops of the device"});
}

}  // namespace

CheckReport check_scenarios(const Grid& grid, std::span<const Scenario> scenarios, const CheckOptions& options) {
  const core::Watch limits(options.run.limits);
  const Progress progress = core::watched(limits, options.run.progress, "not all scenarios were checked");
  for (const Scenario& s : scenarios) {
    require_free(grid, s.start);
    require_free(grid, s.goal);
  }
  CheckReport report;
  report.scenarios = scenarios.size();
  const core::Stopwatch watch;
  std::vector<std::int64_t> on_device(scenarios.size(), not_asked);
  if (options.device) {
    on_device = options.device->hops(scenarios, &report.one_by_one);
    report.device = options.device->device();
    report.device_total = watch.elapsed();
    report.device_work = options.device->stats().device;
  }
  std::mutex mutex;
  std::atomic<std::uint64_t> done{0};
  std::atomic<bool> stop{false};
  std::atomic<std::size_t> next{0};
  Team team(options.run.threads);
  const auto check_some = [&] {
    OctileSearch octile(grid);
    CheckReport part;
    for (std::size_t i; !stop && (i = next.fetch_add(1, std::memory_order_relaxed)) < scenarios.size();) {
      check_one(grid, scenarios[i], octile, options.compare_methods, on_device[i], part);
      const std::uint64_t count = ++done;
      if (!progress) continue;
      const std::lock_guard lock(mutex);
      if (!stop && !progress({.what = "scenarios", .done = count, .total = scenarios.size()})) stop = true;
    }
    const std::lock_guard lock(mutex);
    add(report, part);
  };
  team.run([&](int) {
    try {
      check_some();
    } catch (...) {
      stop = true;  // the others need not continue
      throw;
    }
  });
  if (stop) throw Error({.failure = Failure::interrupted, .id = "HW-INTERRUPTED", .found = "the check was stopped"});
  std::stable_sort(report.wrong.begin(), report.wrong.end(),
                   [](const auto& a, const auto& b) { return a.scenario.line < b.scenario.line; });
  report.work = watch.elapsed();
  return report;
}

}  // namespace hopwave::inline v0_1::route
