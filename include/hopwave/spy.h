// Spy plot: the picture of a graph's adjacency matrix.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "hopwave/graph.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// Arcs counted in square cells of the matrix: row = source, column = target, both in internal order.
struct SpyGrid {
  std::uint32_t side = 0;                  ///< cells a side: min(side asked for, vertices)
  std::vector<std::uint64_t> counts = {};  ///< side × side, row by row
  std::uint64_t most = 0;                  ///< in one cell
};
/// O(arcs). A side of 0 becomes 1, one beyond 4096 that.
SpyGrid spy_grid(const Graph& graph, std::uint32_t side = 1024);

/// What stands around the picture.
struct SpyLabels {
  std::string title = {};                                  ///< one line above; may be empty
  VertexId vertices = 0;                                   ///< of the graph; 0: no axes
  std::vector<std::pair<VertexId, std::string>> ids = {};  ///< rows and columns that are labelled, and with what
};
/// Labels that say what is drawn: `name`, vertices, arcs, and ids: all of up to 40 vertices, else about six.
SpyLabels spy_labels(const Graph& graph, const std::string& name);

/// Writes the grid as .png or .svg, by the path's ending: empty cells are blank, darker is denser (logarithmic). Small graphs
/// are scaled up so that the picture has at least 256 pixels a side. With labels there are a title and axes around it; a PNG
/// without is grey and has a pixel, or a square of them, a cell. Whole or not at all. Throws HW-SPY-ENDING, HW-PNG-MISSING if
/// this build has no libpng, HW-SPY-GRID for a grid that spy_grid() would not make or ids of more vertices than there are,
/// HW-PNG-WRITE, HW-IO-….
void write_spy(const SpyGrid& grid, const std::string& path, const SpyLabels& labels = {});

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
