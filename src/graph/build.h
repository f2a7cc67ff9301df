// graph: graphs in host memory, and figures of them. Nothing that needs a device or a search of the engine.
//
// Edge list → Graph, by the CPU.
#pragma once

#include "hopwave/graph.h"

namespace hopwave::graph {

/// build_graph() of a list in the host's memory.
Graph build_on_cpu(EdgeList list, const BuildOptions& options);

}  // namespace hopwave::graph
