// route: routes on grids of cells. Nothing here depends on Graph.
//
// The searches of find_way(), all exact; sources and targets are free cells.
#pragma once

#include "core/watch.h"
#include "hopwave/route.h"

namespace hopwave::inline v0_1::route {

Way find_by_words(const Grid& grid, std::span<const CellIndex> sources, std::span<const CellIndex> targets,
                  const RouteOptions& options);
Way find_by_queue(const Grid& grid, std::span<const CellIndex> sources, std::span<const CellIndex> targets,
                  const RouteOptions& options);
Way find_by_bends(const Grid& grid, std::span<const CellIndex> sources, std::span<const CellIndex> targets,
                  const RouteOptions& options);

/// Throw HW-ROUTE-OUTSIDE and HW-ROUTE-WALL.
[[noreturn]] void outside(const Grid& grid, const Cell& c);
void require_free(const Grid& grid, const Cell& c);
void require_free(const Grid& grid, std::span<const CellIndex> cells);
/// Throws HW-ROUTE-COST for an invalid via cost.
void require_via_cost(std::uint32_t via_cost);
[[noreturn]] void wrong_method(Method method, const std::string& found, const std::string& expected);

/// The options of a call whose limits have become a part of its progress. Lives as long as the call.
class Limited {
 public:
  explicit Limited(const RouteOptions& options) : watch_(options.run.limits), options_(options) {
    options_.run.limits = {};
    options_.run.progress = core::watched(watch_, options.run.progress, "no route has been found yet");
  }
  Limited(const Limited&) = delete;
  Limited& operator=(const Limited&) = delete;
  [[nodiscard]] const RouteOptions& options() const { return options_; }

 private:
  core::Watch watch_;
  RouteOptions options_;
};

/// Reports that the search has come to `level`. Throws HW-INTERRUPTED, and what Limited adds.
void report_level(const RouteOptions& options, std::uint64_t level);

}  // namespace hopwave::inline v0_1::route
