// Chooses a search, and joins several terminals: each step adds the terminal nearest to the tree so far, as Lee's
// router does for nets of more than two pins.
#include <algorithm>
#include <optional>
#include <utility>

#include "core/options.h"
#include "core/refuse.h"
#include "core/stopwatch.h"
#include "device/usable_gpu.h"
#include "hopwave/error.h"
#include "route/searches.h"

namespace hopwave::inline v0_1::route {
namespace {

/// Adds a branch to the route's sums. A bend is a change of direction within a layer; vias are not bends.
void count(Route& route, const std::vector<Cell>& branch) {
  int heading = -1;
  for (std::size_t i = 1; i < branch.size(); ++i) {
    const Cell &a = branch[i - 1], &b = branch[i];
    if (a.layer != b.layer) {
      ++route.vias;
      continue;
    }
    ++route.steps;
    const int way = a.x != b.x ? (b.x > a.x ? 0 : 1) : (b.y > a.y ? 2 : 3);
    route.bends += heading >= 0 && way != heading;
    heading = way;
  }
}

}  // namespace

std::string_view name_of(Method method) {
  switch (method) {
    case Method::automatic:
      return "auto";
    case Method::words:
      return "words";
    case Method::queue:
      return "queue";
    case Method::tiles:
      return "tiles";
    case Method::bends:
      return "bends";
  }
  return "";
}

void wrong_method(Method method, const std::string& found, const std::string& expected) {
  core::refuse("HW-ROUTE-METHOD", "method '" + std::string(name_of(method)) + "' " + found, expected);
}

void require_via_cost(std::uint32_t via_cost) {
  if (via_cost >= 1 && via_cost <= 65535) return;
  core::refuse("HW-ROUTE-COST", "a via cost of " + std::to_string(via_cost), "1 to 65535");
}

namespace {

/// Number of cells from which on a GPU is worth its start; measured in docs/route.md.
constexpr std::size_t gpu_cells = std::size_t{1} << 24;

std::pair<Method, std::string> choose_on_cpu(const Grid& grid) {
  // Measured: up to about a million cells the queue's byte per cell stays in the cache, and both are about equally
  // fast; with more cells it does not.
  if (grid.num_bits() <= std::size_t{1} << 20) return {Method::queue, "a small grid: cell by cell"};
  return {Method::words, "a large grid: 64 cells at a time"};
}

}  // namespace

std::pair<Method, std::string> choose_method(const Grid& grid, const RouteOptions& options) {
  core::require_named(options.run.device, DeviceKind::sim, "device");
  const bool needs_bends = options.fewest_bends || (options.via_cost != 1 && grid.layers() > 1);
  const bool elsewhere = options.run.device == DeviceKind::gpu || options.run.device == DeviceKind::sim;
  if (needs_bends && elsewhere) wrong_method(Method::tiles, "has neither bends nor via costs", "device cpu or auto");
  if (options.fewest_bends) return {Method::bends, "the fewest bends were asked for"};
  if (needs_bends) return {Method::bends, "vias cost more than steps"};
  if (elsewhere) return {Method::tiles, "the device's method"};
  if (options.run.device == DeviceKind::cpu) return choose_on_cpu(grid);
  if (grid.num_bits() < gpu_cells) {
    auto choice = choose_on_cpu(grid);
    choice.second += "; too small for a GPU to pay off";
    return choice;
  }
  std::string why_not;
  if (device::usable_gpu(why_not)) return {Method::tiles, "a large grid and a GPU"};
  auto choice = choose_on_cpu(grid);
  choice.second += "; no GPU (" + why_not + ")";
  return choice;
}

namespace {

/// Returns the device for method tiles: a GPU unless the simulator was asked for.
DeviceKind device_for(const RouteOptions& options) {
  if (options.run.device == DeviceKind::cpu) wrong_method(Method::tiles, "on the CPU", "device gpu or sim");
  return options.run.device == DeviceKind::sim ? DeviceKind::sim : DeviceKind::gpu;
}

}  // namespace

Way find_way(const Grid& grid, std::span<const CellIndex> sources, std::span<const CellIndex> targets,
             const RouteOptions& given) {
  const Limited limited(given);
  const RouteOptions& options = limited.options();
  core::require_named(options.method, Method::bends, "method");
  core::require_named(options.run.device, DeviceKind::sim, "device");
  const Method method = options.method == Method::automatic ? choose_method(grid, options).first : options.method;
  require_via_cost(options.via_cost);
  require_free(grid, sources);
  require_free(grid, targets);
  if (method != Method::bends && (options.fewest_bends || (options.via_cost != 1 && grid.layers() > 1)))
    wrong_method(method, "has neither bends nor via costs", "method bends or auto");
  if (method != Method::tiles && (options.run.device == DeviceKind::gpu || options.run.device == DeviceKind::sim))
    wrong_method(method, "on a device", "method tiles or auto, or device cpu");
  if (method == Method::tiles) return DeviceGrid(grid, device_for(options)).find(sources, targets, options);
  if (method == Method::bends) return find_by_bends(grid, sources, targets, options);
  return method == Method::words ? find_by_words(grid, sources, targets, options)
                                 : find_by_queue(grid, sources, targets, options);
}

Route find_route(const Grid& grid, const std::vector<Cell>& terminals, const RouteOptions& options) {
  Route route;
  core::Stopwatch watch;
  core::require_named(options.method, Method::bends, "method");
  core::require_named(options.run.device, DeviceKind::sim, "device");
  require_via_cost(options.via_cost);
  for (const Cell& c : terminals) require_free(grid, c);
  const Limited limited(options);
  RouteOptions chosen = limited.options();
  if (options.method == Method::automatic) std::tie(chosen.method, route.why) = choose_method(grid, options);
  route.method = name_of(chosen.method);
  std::optional<DeviceGrid> device;
  if (chosen.method == Method::tiles) {
    device.emplace(grid, device_for(options));
    route.device = device->device();
    route.setup = watch.elapsed();
    watch = {};
  }
  std::vector<CellIndex> tree, wanted;
  if (!terminals.empty()) tree.push_back(grid.index(terminals[0]));
  for (std::size_t i = 1; i < terminals.size(); ++i) {
    const CellIndex t = grid.index(terminals[i]);
    if (t != tree[0] && std::find(wanted.begin(), wanted.end(), t) == wanted.end()) wanted.push_back(t);
  }
  if (wanted.empty()) route.reached = tree.size();
  while (!wanted.empty()) {
    const Way way = device ? device->find(tree, wanted, chosen) : find_way(grid, tree, wanted, chosen);
    if (device) route.device_work += device->stats().device;
    route.reached = way.reached;
    route.levels += way.levels;
    if (!way.found) break;
    route.cost += way.cost;
    std::vector<Cell> branch;
    for (const CellIndex i : way.cells) branch.push_back(grid.cell(i));
    count(route, branch);
    route.branches.push_back(std::move(branch));
    tree.insert(tree.end(), way.cells.begin() + 1, way.cells.end());
    std::erase_if(wanted, [&](CellIndex t) { return std::find(way.cells.begin(), way.cells.end(), t) != way.cells.end(); });
  }
  for (const CellIndex t : wanted) route.missing.push_back(grid.cell(t));
  route.complete = wanted.empty();
  route.work = watch.elapsed();
  return route;
}

OctileRoute find_octile_route(const Grid& grid, const Cell& start, const Cell& goal) {
  const core::Stopwatch watch;
  require_free(grid, start);
  require_free(grid, goal);
  OctileRoute route;
  OctileSearch search(grid);
  route.length = search.length(start, goal, &route.cells);
  route.found = route.length >= 0;
  route.reached = search.expanded();
  route.work = watch.elapsed();
  return route;
}

}  // namespace hopwave::inline v0_1::route
