// Connected components, on a CPU, a GPU or the simulator.
#pragma once

#include "hopwave/array.h"
#include "hopwave/run.h"
#include "hopwave/types.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

class Graph;

/// Weakly connected components: two vertices are in one component if a path connects them that ignores arc directions.
/// Threads may read one at the same time.
struct Components {
  Array<VertexId> label = {};  ///< one per vertex: the smallest vertex of its component (internal vertices)
  VertexId count = 0;
  VertexId largest_label = 0;  ///< of equally large components the smallest label
  VertexId largest_size = 0;
  RunReport run = {};
};

/// Returns the weakly connected components. The labels depend only on the graph.
/// Method on the CPU: Shiloach–Vishkin with sampling of neighbours, after Afforest (Sutton, Ben-Nun & Barak, IPDPS
/// 2018). On a GPU and in the simulator: union–find that hooks to the smaller vertex, with pointer jumping, after
/// ECL-CC (Jaiganesh & Burtscher, HPDC 2018). `automatic` is the CPU: copying the graph to a GPU takes longer than
/// finding its components (docs/scc.md). Device memory: the offsets, 4 bytes per arc and 4 per vertex. Progress: "work";
/// on a device, before the copy and before the search. Threads may call it for one graph at the same time.
/// Errors: HW-OPTION-VALUE, HW-OPTION-THREADS, HW-OPTION-SCHEDULE, HW-OPTION-TIME-LIMIT, HW-INTERRUPTED, HW-CANCELLED,
/// HW-TIME-LIMIT, HW-DEVICE-NONE, HW-DEVICE-…, HW-MEMORY.
Components connected_components(const Graph& graph, const RunOptions& run = {});

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
