// Restricted searches: a graph without some of its vertices or arcs.
#pragma once

#include <cstdint>
#include <functional>

#include "hopwave/array.h"
#include "hopwave/graph.h"
#include "hopwave/types.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// What a search may use. Vertices and arcs are internal numbers.
struct Restriction {
  /// A byte a vertex: no search enters or leaves where it is 0. Empty: all vertices.
  Array<const std::uint8_t> vertices = {};
  /// A byte an arc, in the order of graph.out(): 0 leaves it out. Empty: all arcs.
  Array<const std::uint8_t> arcs = {};
  /// Called once for each arc that the masks leave, by one thread: false leaves it out. May be empty.
  std::function<bool(VertexId from, VertexId to)> allowed = {};

  [[nodiscard]] bool any() const { return !vertices.empty() || !arcs.empty() || allowed; }
};

/// A copy of the graph with the same vertices and only the arcs that the restriction leaves. Takes one pass over the arcs, and
/// the memory of those that are left. Ids and weights are kept; a stored preparation is dropped. An undirected graph stays
/// undirected as long as arcs are left out in both directions; else the copy is directed. Any strategy on any device searches
/// the copy; a vertex that was left out is reached only from itself.
/// Throws HW-RESTRICT-SIZE for a mask of the wrong length, and what `allowed` throws. Threads may use one graph together.
Graph restricted(const Graph& graph, const Restriction& restriction);

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
