// route: routes on grids of cells. Nothing here depends on Graph.
//
// The searches of find_way(), all exact; sources and targets are free cells.
#pragma once

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

/// Throws HW-INTERRUPTED if the caller asks to stop.
void ask(const RouteOptions& options);

}  // namespace hopwave::inline v0_1::route
