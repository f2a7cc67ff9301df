// Distances from many vertices to many others, by hops or by weights.
#pragma once

#include <cstddef>
#include <span>

#include "hopwave/array.h"
#include "hopwave/graph.h"
#include "hopwave/run.h"
#include "hopwave/search.h"
#include "hopwave/shortest_paths.h"
#include "hopwave/types.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

struct MatrixOptions {
  bool weights = false;                  ///< sums of the graph's weights, or of 1 per arc if it has none; false: hops
  Direction direction = Direction::out;  ///< in which arcs are followed, from a source to a target
  RunOptions run = {};                   ///< progress: "searches"
};

struct DistanceMatrix {
  std::size_t rows = 0, columns = 0;  ///< sources and targets
  /// Element [i · columns + j] is the distance from source i to target j; no_path where there is none.
  Array<double> distance = {};
  double exact_below = no_path;  ///< distances below this were not rounded; hops never are
  RunReport run = {};            ///< strategy: that of the searches
};

/// Returns the distances from each source to each target. A vertex may be in a list several times, and in both. By hops,
/// `auto` does up to 64 searches in one pass, as Searcher::run_each() does. By weights there is one search per source,
/// one per thread at a time, as in WeightedSearcher::distance_matrix(): it ends when all targets are known. `automatic`
/// is the CPU: which device is faster depends on the graph. Memory: 8 bytes per element, and that of the searches.
/// Threads may call it for one graph at the same time. Errors: HW-QUERY-SOURCE, HW-QUERY-TARGET, HW-SSSP-WEIGHT,
/// HW-GRAPH-NO-IN (hops along `in` or `both` of a directed graph without incoming arcs), HW-OPTION-…, HW-DEVICE-…,
/// HW-MEMORY, HW-INTERRUPTED, HW-CANCELLED, HW-TIME-LIMIT.
DistanceMatrix distance_matrix(const Graph& graph, std::span<const VertexId> sources, std::span<const VertexId> targets,
                               const MatrixOptions& options = {});

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
