// Restricted searches: a graph without some of its vertices or arcs.
#pragma once

#include <cstdint>
#include <functional>

#include "hopwave/array.h"
#include "hopwave/graph.h"
#include "hopwave/types.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// The vertices and arcs that a search may use, as internal numbers.
struct Restriction {
  /// One byte per vertex: searches neither enter nor leave a vertex whose byte is 0. Empty: all vertices.
  Array<const std::uint8_t> vertices = {};
  /// One byte per arc, in the order of graph.out(): 0 excludes the arc. Empty: all arcs.
  Array<const std::uint8_t> arcs = {};
  /// Called once for each arc that the masks keep, by one thread. Returning false excludes the arc. May be empty.
  std::function<bool(VertexId from, VertexId to)> allowed = {};

  [[nodiscard]] bool any() const { return !vertices.empty() || !arcs.empty() || allowed; }
};

/// Returns a copy of the graph with the same vertices and only the arcs that the restriction keeps. It takes one pass
/// over the arcs, and memory for the arcs that remain. Ids and weights are kept; a stored preparation is dropped. An
/// undirected graph stays undirected if arcs are excluded in both directions; otherwise the copy is directed. Every
/// strategy and every device can search the copy. An excluded vertex is reached only from itself.
/// Throws HW-RESTRICT-SIZE for a mask of the wrong length, and what `allowed` throws. Threads may use one graph at the
/// same time.
Graph restricted(const Graph& graph, const Restriction& restriction);

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
