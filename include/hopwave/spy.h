// Spy plot: the picture of a graph's adjacency matrix.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hopwave/graph.h"

namespace hopwave {

/// Arcs counted in square cells of the matrix: row = source, column = target, both in internal order.
struct SpyGrid {
  std::uint32_t side = 0;             ///< cells a side: min(side asked for, vertices)
  std::vector<std::uint64_t> counts;  ///< side × side, row by row
  std::uint64_t most = 0;             ///< in one cell
};
/// O(arcs). A side of 0 becomes 1, one beyond 4096 that.
SpyGrid spy_grid(const Graph& graph, std::uint32_t side = 1024);

/// Writes the grid as a grey PNG: white is empty, darker is denser (logarithmic). Small graphs are scaled up so that the
/// picture has at least 256 pixels a side. Whole or not at all. Throws HW-PNG-MISSING if this build has no libpng,
/// HW-SPY-GRID for a grid that spy_grid() would not make, HW-PNG-WRITE, HW-IO-….
void write_spy(const SpyGrid& grid, const std::string& path);

}  // namespace hopwave
