// MovingAI's .scen files, and solving all of one against the lengths that they give.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>

#include "core/parallel.h"
#include "route/search.h"
#include "route/text.h"

namespace hopwave::inline v0_1::route {
namespace {

Cell place(TextCursor& cursor, const Grid& grid, const char* what) {
  Cell cell;
  cell.x = static_cast<std::uint32_t>(cursor.integer("HW-SCEN-ROW", std::string(what) + "'s column", 0, grid.width() - 1));
  cell.y = static_cast<std::uint32_t>(cursor.integer("HW-SCEN-ROW", std::string(what) + "'s row", 0, grid.height() - 1));
  if (!grid.free(cell))
    cursor.fail("HW-SCEN-WALL",
                std::string("the ") + what + " (" + std::to_string(cell.x) + ", " + std::to_string(cell.y) + ") lies in a wall",
                "a free cell", "does the scenario belong to this map?");
  return cell;
}

/// Digits behind the point of the line's last word.
int decimals_of(std::string_view line) {
  line = line.substr(0, line.find_last_not_of(" \t") + 1);
  const auto point = line.find_last_of(". \t");
  return point == std::string_view::npos || line[point] != '.' ? 0 : static_cast<int>(line.size() - point - 1);
}

std::vector<Scenario> read(std::string_view text, const std::string& name, const Grid& grid) {
  TextCursor cursor(text, name);
  cursor.next_full_line();
  cursor.keyword("HW-SCEN-HEADER", "version");
  if (cursor.real("HW-SCEN-HEADER", "the version") != 1) cursor.fail("HW-SCEN-HEADER", cursor.quoted(), "version 1");
  cursor.end_of_line("HW-SCEN-HEADER");
  std::vector<Scenario> all;
  int decimals = 0;
  while (cursor.next_full_line()) {
    Scenario s;
    s.line = cursor.number();
    cursor.integer("HW-SCEN-ROW", "the bucket", 0, std::int64_t{1} << 40);
    if (cursor.word().empty()) cursor.fail("HW-SCEN-ROW", cursor.quoted(), "the map's name");
    const auto width = cursor.integer("HW-SCEN-ROW", "the map's width", 1, std::int64_t{1} << 32);
    if (width != grid.width())
      cursor.fail("HW-SCEN-SIZE", "a map " + std::to_string(width) + " wide",
                  std::to_string(grid.width()) + ", as this map is");
    const auto height = cursor.integer("HW-SCEN-ROW", "the map's height", 1, std::int64_t{1} << 32);
    if (height != grid.height())
      cursor.fail("HW-SCEN-SIZE", "a map " + std::to_string(height) + " high",
                  std::to_string(grid.height()) + ", as this map is");
    s.start = place(cursor, grid, "start");
    s.goal = place(cursor, grid, "goal");
    s.length = cursor.real("HW-SCEN-ROW", "the optimal length");
    if (s.length < 0) cursor.fail("HW-SCEN-ROW", cursor.quoted(), "the optimal length, not negative");
    decimals = std::max(decimals, decimals_of(cursor.line()));
    cursor.end_of_line("HW-SCEN-ROW");
    all.push_back(s);
  }
  // Lengths were rounded when they were written: to so many decimals (trailing zeros are left out, so the longest tells), and
  // mostly to six digits in all.
  for (Scenario& s : all) {
    const double by_decimals = 0.5 * std::pow(10.0, -std::max(decimals, 2));
    const double by_digits = s.length < 1 || decimals > 5 ? 0 : 0.5 * std::pow(10.0, std::floor(std::log10(s.length)) - 5);
    // The sums were made in single precision: an error of a few last bits can tip the rounding.
    s.tolerance = std::max(1e-3, std::max(by_decimals, by_digits) + s.length * 0x1p-22);
  }
  if (all.empty()) cursor.fail_at(1, "HW-SCEN-ROW", "no scenario", "at least one");
  return all;
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::int64_t hops(const Grid& grid, const Scenario& s, Method method) {
  const CellIndex from = grid.index(s.start), to = grid.index(s.goal);
  const Way way = find_way(grid, {&from, 1}, {&to, 1}, {.method = method, .device = DeviceKind::cpu});
  return way.found ? static_cast<std::int64_t>(way.cost) : -1;
}

}  // namespace

std::vector<Scenario> read_scenarios(const std::string& path, const Grid& grid) {
  return read(read_text(path, false), path, grid);
}

std::vector<Scenario> read_scenarios(std::span<const char> bytes, const std::string& name, const Grid& grid) {
  return read(read_text(bytes, name, false), name, grid);
}

namespace {

/// One member's share of the sums.
void add(CheckReport& to, const CheckReport& part) {
  to.hops_seconds += part.hops_seconds;
  to.octile_seconds += part.octile_seconds;
  to.sum_hops += part.sum_hops;
  to.without_diagonals += part.without_diagonals;
  to.wrong.insert(to.wrong.end(), part.wrong.begin(), part.wrong.end());
}

constexpr std::int64_t not_asked = -9;

/// `found`: steps that a device found.
void check_one(const Grid& grid, const Scenario& s, OctileSearch& octile, bool compare_methods, std::int64_t found,
               CheckReport& part) {
  const double t0 = now();
  const std::int64_t count = hops(grid, s, Method::automatic);
  const double t1 = now();
  const double length = octile.length(s.start, s.goal);
  part.octile_seconds += now() - t1;
  part.hops_seconds += t1 - t0;
  if (!(std::abs(length - s.length) <= s.tolerance)) part.wrong.push_back({s, length, "octile length"});
  if (count >= 0) part.sum_hops += static_cast<std::uint64_t>(count);
  // A diagonal step has both cells beside it free, so it can be walked in two; and no hop is shorter than a step.
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

CheckReport check_scenarios(const Grid& grid, std::span<const Scenario> scenarios, int threads, bool compare_methods,
                            const std::function<bool(std::uint64_t)>& progress, DeviceGrid* device) {
  for (const Scenario& s : scenarios) {
    require_free(grid, s.start);
    require_free(grid, s.goal);
  }
  CheckReport report;
  report.scenarios = scenarios.size();
  const double begin = now();
  std::vector<std::int64_t> on_device(scenarios.size(), not_asked);
  if (device) {
    on_device = device->hops(scenarios, &report.one_by_one);
    report.device = device->device();
    report.device_total_seconds = now() - begin;
    report.device_seconds = device->stats().device_ms * 1e-3;
  }
  std::mutex mutex;
  std::atomic<std::uint64_t> done{0};
  std::atomic<bool> stop{false};
  std::atomic<std::size_t> next{0};
  Team team(threads);
  const auto check_some = [&] {
    OctileSearch octile(grid);
    CheckReport part;
    for (std::size_t i; !stop && (i = next.fetch_add(1, std::memory_order_relaxed)) < scenarios.size();) {
      check_one(grid, scenarios[i], octile, compare_methods, on_device[i], part);
      const std::uint64_t count = ++done;
      if (!progress) continue;
      const std::lock_guard lock(mutex);
      if (!stop && !progress(count)) stop = true;
    }
    const std::lock_guard lock(mutex);
    add(report, part);
  };
  team.run([&](int) {
    try {
      check_some();
    } catch (...) {
      stop = true;  // the others need not go on
      throw;
    }
  });
  if (stop) throw Error({.failure = Failure::interrupted, .id = "HW-INTERRUPTED", .found = "the check was stopped"});
  std::stable_sort(report.wrong.begin(), report.wrong.end(),
                   [](const auto& a, const auto& b) { return a.scenario.line < b.scenario.line; });
  report.seconds = now() - begin;
  return report;
}

}  // namespace hopwave::inline v0_1::route
