// A shortest path between two vertices, both ends grown at once.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "hopwave/graph.h"
#include "hopwave/search.h"
#include "hopwave/types.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

struct PathOptions {
  Direction direction = Direction::out;  ///< which way arcs are walked from `from` to `to`
  Distance max_length = -1;              ///< longer paths are not looked for; −1: no limit, and nothing lower
  /// Called between levels with the levels grown so far and the size of the frontier; false ends with HW-INTERRUPTED.
  std::function<bool(std::uint32_t level, std::uint64_t frontier)> progress = {};
  Limits limits = {};  ///< looked at between levels: HW-CANCELLED, HW-TIME-LIMIT; `partial` has no meaning here
};

struct Path {
  bool found = false;
  Distance length = unreached;          ///< hops
  std::vector<VertexId> vertices = {};  ///< from first to last: length + 1 of them; empty if there is no path
  std::uint64_t visited = 0;            ///< vertices that either end met
  std::uint64_t edges_examined = 0;
  double search_ms = 0;
};

/// Bidirectional breadth-first search (Pohl 1971): always the end whose next level has fewer arcs is grown, a whole level
/// at a time, so the first vertex that both have met lies on a shortest path. One thread; memory O(n): a bit and a parent
/// an end. A directed graph needs has_in(); without it only the first end is grown. The same path at every call.
/// Throws HW-QUERY-SOURCE for vertices out of range, HW-GRAPH-NO-IN for a direction other than out without incoming arcs,
/// HW-QUERY-DEPTH, HW-OPTION-VALUE, HW-OPTION-TIME-LIMIT; and what `progress` throws. Threads may use one graph together.
Path shortest_path(const Graph& graph, VertexId from, VertexId to, const PathOptions& options = {});

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
