// A lower bound of a diameter by sweeps. Exact diameters: hopwave/eccentricity.h.
#pragma once

#include "hopwave/graph.h"

namespace hopwave::graph {

/// Returns a lower bound of the diameter of the component of `start`, by repeated sweeps from the farthest vertex
/// (exact on trees, usually exact on real graphs). In directed graphs the sweeps follow the arcs. Returns 0 for `sweeps`
/// of 0 and for the graph without vertices. Throws HW-GRAPH-VERTEX unless `start` is a vertex.
Distance estimate_diameter(const Graph& graph, VertexId start, int sweeps = 4);

}  // namespace hopwave::graph
