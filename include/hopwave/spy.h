// Spy plot: a picture of a graph's adjacency matrix.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "hopwave/graph.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// Numbers of arcs in square cells of the matrix. Row = source, column = target, both in internal order.
struct SpyGrid {
  std::uint32_t side = 0;                  ///< cells per side: min(requested side, vertices)
  std::vector<std::uint64_t> counts = {};  ///< side × side values, row by row
  std::uint64_t most = 0;                  ///< the greatest count of a cell
};
/// Returns the counts, in O(arcs). A side of 0 becomes 1, and one above 4096 becomes 4096.
SpyGrid spy_grid(const Graph& graph, std::uint32_t side = 1024);

/// Texts around the picture.
struct SpyLabels {
  std::string title = {};                                  ///< one line above the picture; may be empty
  VertexId vertices = 0;                                   ///< number of vertices of the graph; 0: no axes
  std::vector<std::pair<VertexId, std::string>> ids = {};  ///< labelled rows and columns, with their labels
};
/// Returns labels that describe the graph: `name`, the numbers of vertices and arcs, and ids. Up to 40 vertices all ids
/// are labelled, otherwise about six.
SpyLabels spy_labels(const Graph& graph, const std::string& name);

/// Writes the grid as .png or .svg, by the file name's extension. Empty cells are blank, and darker cells are denser
/// (logarithmic). Small graphs are scaled up to at least 256 pixels per side. Labels add a title and axes. A PNG
/// without labels is grey, with one pixel, or a square of pixels, per cell. The file is written completely or not at
/// all. Throws HW-SPY-ENDING; HW-PNG-MISSING if this build has no libpng; HW-SPY-GRID for a grid that spy_grid() would
/// not make, or for ids of more vertices than there are; HW-PNG-WRITE; HW-IO-….
void write_spy(const SpyGrid& grid, const std::string& path, const SpyLabels& labels = {});

/// Returns the text of such an SVG file. Throws HW-SPY-GRID.
std::string spy_svg(const SpyGrid& grid, const SpyLabels& labels = {});

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
