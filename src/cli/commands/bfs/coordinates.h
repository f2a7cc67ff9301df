// Files of coordinates: where the vertices of a road network are.
#pragma once

#include <string>

#include "draw/map_picture.h"
#include "hopwave/graph.h"

namespace hopwave::cli {

/// DIMACS ("v ID LONGITUDE LATITUDE", in millionths of a degree), or columns ID X Y with blanks, tabs or commas between them
/// and perhaps a line of titles; packed, too. What is no vertex of the graph is passed over. Errors: HW-COORDINATES-ROW,
/// HW-COORDINATES-VERTEX where one has none, HW-IO-….
picture::Places read_places(const std::string& path, const Graph& graph);

}  // namespace hopwave::cli
