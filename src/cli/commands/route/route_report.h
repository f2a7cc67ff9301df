// What `hopwave route` prints and writes: cell lists, segments, JSON.
#pragma once

#include <string>

#include "cli/frame/console.h"
#include "cli/frame/json.h"
#include "hopwave/route.h"

namespace hopwave::cli {

/// A route in either metric, for output.
struct RouteResult {
  std::string metric;  ///< "4-connected" or "octile"
  route::Route route;  ///< octile: branches, steps, reached and time
  double length = 0;   ///< cost, or octile length
  std::vector<route::Cell> terminals;
};

/// One line per cell ("x<TAB>y", and the layer if there are several); an empty line between branches.
std::string cells_text(const route::Grid& grid, const route::Route& route);
/// One line a straight run: both ends, in the same columns; an empty line between branches.
std::string segments_text(const route::Grid& grid, const route::Route& route);
/// hopwave-route/1.
Json route_json(const route::Maze& maze, const RouteResult& result, const RunOptions& asked, Seconds load);
/// hopwave-route-check/1.
Json check_json(const route::Maze& maze, const std::string& scenarios, const route::CheckReport& report,
                const RunOptions& asked, Seconds load);
/// How the route was found, in words on standard error.
void say_route(Console& console, const route::Maze& maze, const RouteResult& result);
/// What the check found wrong on standard output, how fast it was on standard error.
void say_check(Console& console, const std::string& scenarios, const route::CheckReport& report);
std::string cell_text(const route::Grid& grid, const route::Cell& cell);  ///< "3,4" or "3,4,0"

}  // namespace hopwave::cli
