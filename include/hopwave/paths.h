// Several paths between two vertices: the k shortest, or all shortest ones.
#pragma once

#include <cstdint>
#include <vector>

#include "hopwave/graph.h"
#include "hopwave/run.h"
#include "hopwave/search.h"
#include "hopwave/shortest_paths.h"
#include "hopwave/types.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

struct PathsOptions {
  bool weights = false;                  ///< lengths are sums of weights, 1 per arc in a graph without; false: hops
  Direction direction = Direction::out;  ///< in which arcs are followed from the first vertex to the last
  RunOptions run = {};                   ///< on the CPU; progress: "paths"
};

/// A path is its vertices: of parallel arcs the lightest counts, and they make one path.
struct RankedPath {
  double length = 0;
  std::vector<VertexId> vertices = {};  ///< from the first to the last, none of them twice
};

struct ShortestPaths {
  std::vector<RankedPath> paths = {};  ///< by length, the shortest first
  double exact_below = no_path;        ///< lengths below this were not rounded; hops never are
  RunReport run = {};
};

/// Returns the k shortest paths without loops, or all if there are fewer. Paths of equal length come in the lexicographic
/// order of their vertices, but which of those as long as the k-th are among the k is not specified; they are the same in each
/// call. If lengths are rounded, paths whose lengths differ by rounding alone may change places.
/// Method: J. Y. Yen, Finding the k shortest loopless paths in a network, 1971, with searches led by the exact distances to
/// the last vertex, which one search finds beforehand. Where paths can leave those before them, a search is made once nothing
/// known is shorter than what its arcs and these distances allow: at most k times the path's length searches, mostly few.
/// Memory: up to 41 bytes per vertex, up to 57 per vertex for the search beforehand, the reversed arcs of a directed graph, the
/// paths twice, and 24 bytes per vertex of a path; more than half of the free memory for paths is refused, as HW-MEMORY.
/// Threads may call it for one graph at the same time. Errors: HW-QUERY-SOURCE, HW-QUERY-TARGET, HW-OPTION-VALUE (k is 0, or a
/// device that is not the CPU),
/// HW-SSSP-WEIGHT, HW-OPTION-…, HW-MEMORY, HW-INTERRUPTED, HW-CANCELLED,
/// HW-TIME-LIMIT.
ShortestPaths k_shortest_paths(const Graph& graph, VertexId from, VertexId to, std::uint64_t k,
                               const PathsOptions& options = {});

struct AllShortestPaths {
  double length = no_path;  ///< of each; no_path if there is none
  /// Their number; 2^64 − 1: as many or more.
  std::uint64_t count = 0;
  /// The arcs that they consist of: an acyclic graph, in which each walk from the first vertex to the last is one of them.
  /// By tails, then heads, as the paths go.
  std::vector<Edge> arcs = {};
  std::vector<std::vector<VertexId>> paths = {};  ///< the first ones, in lexicographic order
  double exact_below = no_path;
  RunReport run = {};
};

/// Returns the number of all shortest paths, the arcs that they consist of, and the first `most` of the paths. Time: a search
/// that ends at the last vertex, and the length of what is returned. From a vertex to itself there is one path, of length 0.
/// Arcs of weight 0 are allowed; where they form a cycle among vertices of such paths, the error is HW-PATHS-CYCLE: it would
/// take exponential time to count paths without loops. Memory and other errors as in k_shortest_paths().
AllShortestPaths all_shortest_paths(const Graph& graph, VertexId from, VertexId to, std::uint64_t most,
                                    const PathsOptions& options = {});

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
