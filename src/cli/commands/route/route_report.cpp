// Routes as text and JSON.
#include "cli/commands/route/route_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/frame/row_text.h"

namespace hopwave::cli {
namespace {

using route::Cell;

void put(std::string& text, const route::Grid& grid, const Cell& c) {
  text += fmt::format("{}\t{}", c.x, c.y);
  if (grid.layers() > 1) text += fmt::format("\t{}", c.layer);
}

Json cell_json(const route::Grid& grid, const Cell& c) {
  Json json = {c.x, c.y};
  if (grid.layers() > 1) json.push_back(c.layer);
  return json;
}

/// Routes name the device's model.
DeviceKind ran_on(bool device, const RunOptions& asked) {
  if (!device) return DeviceKind::cpu;
  return asked.device == DeviceKind::sim ? DeviceKind::sim : DeviceKind::gpu;
}

/// Whether b → c goes on as a → b did.
bool straight(const Cell& a, const Cell& b, const Cell& c) {
  return b.x - a.x == c.x - b.x && b.y - a.y == c.y - b.y && b.layer - a.layer == c.layer - b.layer;
}

}  // namespace

std::string cell_text(const route::Grid& grid, const Cell& c) {
  return fmt::format("{},{}", c.x, c.y) + (grid.layers() > 1 ? fmt::format(",{}", c.layer) : "");
}

std::string cells_text(const route::Grid& grid, const route::Route& route) {
  std::string text;
  for (const auto& branch : route.branches) {
    if (&branch != &route.branches.front()) text += '\n';
    for (const Cell& c : branch) {
      put(text, grid, c);
      text += '\n';
    }
  }
  return text;
}

std::string segments_text(const route::Grid& grid, const route::Route& route) {
  std::string text;
  for (const auto& branch : route.branches) {
    if (&branch != &route.branches.front()) text += '\n';
    for (std::size_t begin = 0, i = 1; i < branch.size(); ++i) {
      if (i + 1 < branch.size() && straight(branch[i - 1], branch[i], branch[i + 1])) continue;
      put(text, grid, branch[begin]);
      text += '\t';
      put(text, grid, branch[i]);
      text += '\n';
      begin = i;
    }
  }
  return text;
}

Json route_json(const route::Maze& maze, const RouteResult& result, const RunOptions& asked, Seconds load) {
  const auto& grid = maze.grid;
  const auto& r = result.route;
  Json json = document("route");
  json["maze"] = {{"source", maze.name},     {"format", maze.format},   {"width", grid.width()},
                  {"height", grid.height()}, {"layers", grid.layers()}, {"free", grid.num_free()}};
  json["run"] = run_json({.device = ran_on(r.device != "cpu", asked), .prepare = r.setup, .work = r.work}, asked, load);
  json["metric"] = result.metric;
  json["method"] = r.method;
  json["why"] = r.why;
  json["device"] = r.device;
  json["terminals"] = Json::array();
  for (const Cell& c : result.terminals) json["terminals"].push_back(cell_json(grid, c));
  json["found"] = r.complete;
  json["missing"] = Json::array();
  for (const Cell& c : r.missing) json["missing"].push_back(cell_json(grid, c));
  json["length"] = result.length;
  json["steps"] = r.steps;
  json["vias"] = r.vias;
  json["bends"] = r.bends;
  json["reached"] = r.reached;
  json["levels"] = r.levels;
  json["search_ms"] = r.work.count();
  if (r.device_work > Milliseconds()) json["device_ms"] = r.device_work.count();
  if (r.setup > Milliseconds()) json["setup_ms"] = r.setup.count();
  json["branches"] = Json::array();
  for (const auto& branch : r.branches) {
    Json cells = Json::array();
    for (const Cell& c : branch) cells.push_back(cell_json(grid, c));
    json["branches"].push_back(std::move(cells));
  }
  return json;
}

Json check_json(const route::Maze& maze, const std::string& scenarios, const route::CheckReport& report,
                const RunOptions& asked, Seconds load) {
  Json json = document("route-check");
  const auto rate = [&](Seconds time) { return time > Seconds() ? static_cast<double>(report.scenarios) / time.count() : 0; };
  json["maze"] = maze.name;
  json["run"] = run_json({.device = ran_on(!report.device.empty(), asked), .work = report.work}, asked, load);
  json["scenario_file"] = scenarios;
  json["scenarios"] = report.scenarios;
  json["without_diagonals"] = report.without_diagonals;
  json["sum_hops"] = report.sum_hops;
  json["seconds"] = Seconds(report.work).count();
  json["hops_per_second"] = rate(report.hops);
  json["octile_per_second"] = rate(report.octile);
  if (!report.device.empty()) {
    json["device"] = report.device;
    json["device_hops_per_second"] = rate(report.device_work);
    json["device_hops_per_second_in_all"] = rate(report.device_total);
    json["device_one_by_one"] = report.one_by_one;
  }
  json["wrong"] = Json::array();
  for (const auto& w : report.wrong)
    json["wrong"].push_back({{"line", w.scenario.line},
                             {"what", w.what},
                             {"found", w.found},
                             {"expected", w.scenario.length},
                             {"tolerance", w.scenario.tolerance}});
  return json;
}

void say_route(Console& console, const route::Maze& maze, const RouteResult& result) {
  const auto& r = result.route;
  console.talk(fmt::format(
      "{}: {} × {}{}, {}; {}{}", printable(maze.name), maze.grid.width(), maze.grid.height(),
      maze.grid.layers() > 1 ? fmt::format(" × {} layers", maze.grid.layers()) : "", plural(maze.grid.num_free(), "free cell"),
      r.device == "cpu" ? r.method : r.method + " on " + r.device, r.why.empty() ? "" : " (" + r.why + ")"));
  if (!r.branches.empty())
    console.talk(fmt::format("length {}: {}, {}{}{}; {} looked at in {}",
                             result.metric == "octile" ? fmt::format("{:.5f}", result.length) : grouped(r.cost),
                             plural(r.steps, "step"), plural(r.bends, "bend"),
                             maze.grid.layers() > 1 ? ", " + plural(r.vias, "via") : "",
                             r.branches.size() > 1 ? fmt::format(", {} branches", r.branches.size()) : "",
                             plural(r.reached, "cell"), seconds_text(r.work)) +
                 (r.device_work > Milliseconds() ? fmt::format(", of which the device searched {}; made ready in {}",
                                                               seconds_text(r.device_work), seconds_text(r.setup))
                                                 : ""));
  if (r.complete) return;
  std::string names;
  for (std::size_t i = 0; i < r.missing.size() && i < 8; ++i) names += (i ? " " : "") + cell_text(maze.grid, r.missing[i]);
  console.talk(fmt::format("no route to {}{}: {} of {} can be reached from {}", names, r.missing.size() > 8 ? " …" : "",
                           grouped(r.reached), plural(maze.grid.num_free(), "free cell"),
                           cell_text(maze.grid, result.terminals[0])));
}

void say_check(Console& console, const std::string& scenarios, const route::CheckReport& report) {
  const auto rate = [&](Seconds time) {
    return grouped(static_cast<std::uint64_t>(static_cast<double>(report.scenarios) / std::max(time.count(), 1e-9)));
  };
  for (std::size_t i = 0; i < report.wrong.size() && i < 20; ++i) {
    const auto& w = report.wrong[i];
    console.result(fmt::format("{}:{}: {} is {:.8g}, expected {:.8g}", printable(scenarios), w.scenario.line, w.what, w.found,
                               w.scenario.length));
  }
  console.result(fmt::format("{}, {}", plural(report.scenarios, "scenario"),
                             report.wrong.empty() ? "all right" : plural(report.wrong.size(), "thing") + " wrong"));
  console.talk(fmt::format("a thread solves {} a second 4-connected, {} octile; all took {}", rate(report.hops),
                           rate(report.octile), seconds_text(report.work)));
  if (!report.device.empty())
    console.talk(fmt::format("{} solves {} a second 4-connected, {} with the way there and back{}", report.device,
                             rate(report.device_work), rate(report.device_total),
                             report.one_by_one ? fmt::format("; {} one by one", report.one_by_one) : ""));
}

}  // namespace hopwave::cli
