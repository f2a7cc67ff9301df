// Pictures of a flow in a small network: what each arc carries of what it can carry, and the minimum cut; as a page, path by
// path.
#pragma once

#include <string>

#include "hopwave/flow.h"
#include "hopwave/graph.h"

namespace hopwave::picture {

/// Numbers on arcs need more room than levels of vertices.
inline constexpr VertexId most_flow_vertices = 40;
inline constexpr EdgeIndex most_flow_arcs = 60;

/// Throws HW-PICTURE-ENDING unless the path ends in .svg, .png or .html, and HW-PICTURE-SIZE for a graph that is larger.
void require_flow_picture(const Graph& graph, const std::string& path);

/// Returns the bytes of the file, by its ending. Throws what require_flow_picture() does, HW-PNG-MISSING, HW-PNG-WRITE.
std::string flow_picture(const Graph& graph, const Flow& flow, const std::string& path);

}  // namespace hopwave::picture
