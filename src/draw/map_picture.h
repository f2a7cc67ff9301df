// A search of a graph whose vertices have coordinates, such as roads: what is reached within how many steps, as on a map.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "draw/scene.h"
#include "hopwave/graph.h"

namespace hopwave::picture {

/// Where each vertex is: x to the right, y upwards, in the same unit.
struct Places {
  std::vector<double> x, y;
};

/// Arcs in the colour of the band of levels in which both of their ends are reached. `side`: cells of the longer side.
Scene draw_map(const Graph& graph, const Places& places, std::span<const Distance> level, std::span<const VertexId> sources,
               const std::string& title, std::uint32_t side);

}  // namespace hopwave::picture
