// graph: graphs in host memory, and their statistics. Nothing here needs a device or a search of the engine.
//
// Edge list → Graph, on the CPU.
#pragma once

#include "hopwave/graph.h"

namespace hopwave::graph {

/// Returns the graph of a list in host memory.
Graph build_on_cpu(EdgeList list, const BuildOptions& options, const RunOptions& run = {});

}  // namespace hopwave::graph
