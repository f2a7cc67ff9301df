// The residual network of a flow: what can still be sent between two vertices, in rows.
#pragma once

#include "core/parallel.h"
#include "core/reporter.h"
#include "hopwave/array.h"
#include "hopwave/graph.h"

namespace hopwave::inline v0_1::flow {

/// A row per vertex with each neighbour once, in ascending order, whichever way arcs lead; self-loops are left out.
/// Holds: left[e] + left[mate[e]] = capacity[e] + capacity[mate[e]], and none of them is below 0.
struct Residual {
  VertexId num_vertices = 0;
  Array<EdgeIndex> offsets = {};
  Array<VertexId> neighbors = {};
  Array<EdgeIndex> mate = {};         ///< the entry of the same two vertices in the other one's row
  Array<std::int64_t> capacity = {};  ///< of the arcs from the row's vertex to this neighbour together
  Array<std::int64_t> left = {};      ///< what can still be sent

  [[nodiscard]] EdgeIndex size() const { return neighbors.size(); }
};

/// The units that capacities_of() and make_residual() report together.
std::uint64_t building_work(const Graph& graph);

/// The capacity of each arc of Graph::out(); empty where all are 1. `reporter` asks its caller on the way.
/// Throws HW-FLOW-CAPACITY, and what the caller throws.
Array<std::int64_t> capacities_of(const Graph& graph, Team& team, core::Reporter& reporter);

/// Throws HW-FLOW-SUM, and what `reporter`'s caller throws.
Residual make_residual(const Graph& graph, const Array<std::int64_t>& capacity, Team& team, core::Reporter& reporter);

/// 1 for the vertices that can be reached from `from` along entries with capacity left.
Array<std::uint8_t> reached_from(const Residual& residual, VertexId from);

/// A preflow: excess[target] is what has arrived; the other excess goes back to the source.
struct Preflow {
  Array<std::int64_t> excess = {};  ///< one per vertex: what entered it and did not leave
  std::uint64_t searches = 0, pushes = 0;
};

}  // namespace hopwave::inline v0_1::flow
