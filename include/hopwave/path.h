// A shortest path between two vertices, searched from both ends.
#pragma once

#include <cstdint>
#include <vector>

#include "hopwave/graph.h"
#include "hopwave/search.h"
#include "hopwave/types.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

struct PathOptions {
  Direction direction = Direction::out;  ///< the direction in which arcs are followed from `from` to `to`
  Distance max_depth = -1;               ///< longer paths are not searched; −1: no limit; lower values are an error
  RunOptions run = {};  ///< limits are checked between levels; the call runs on one thread of the CPU. Progress: "levels"
};

struct Path {
  bool found = false;
  Distance length = unreached;          ///< hops
  std::vector<VertexId> vertices = {};  ///< from first to last: length + 1 vertices; empty if there is no path
  std::uint64_t visited = 0;            ///< number of vertices visited from either end
  std::uint64_t edges_examined = 0;
  RunReport run = {};
};

/// Returns a shortest path from `from` to `to`, the same in every call.
/// Method: bidirectional breadth-first search (Pohl 1971). Each step expands one whole level at the end whose next
/// level has fewer arcs, so the first vertex visited from both ends is on a shortest path. It runs on one thread and
/// takes O(n) memory: one bit and one parent per vertex for each end. A directed graph needs has_in(); otherwise only
/// the first end is expanded.
/// Errors: HW-QUERY-SOURCE for vertices out of range, HW-GRAPH-NO-IN for a direction other than out without incoming
/// arcs, HW-QUERY-DEPTH, HW-OPTION-VALUE, HW-OPTION-TIME-LIMIT, HW-INTERRUPTED, HW-CANCELLED,
/// HW-TIME-LIMIT.
/// Threads may use one graph at the same time.
Path shortest_path(const Graph& graph, VertexId from, VertexId to, const PathOptions& options = {});

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
