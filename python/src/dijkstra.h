// Dijkstra's algorithm in NetworkX's own order: of vertices at one distance the one that was pushed first is taken first.
// The library's shortest paths have the same distances, but no order.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "rows.h"

namespace hopwave::python {

/// One an arc, in the order of the outgoing rows.
struct Weights {
  std::vector<double> value = {};
  std::vector<bool> whole = {};          // a Python int; a sum of these alone is an int, too
  std::vector<std::size_t> begins = {};  // of each row in the list of objects that was read along with it
};

struct HeldWeights {
  std::shared_ptr<const Weights> weights;
};

struct DijkstraQuery {
  std::span<const VertexId> sources = {};
  double cutoff = std::numeric_limits<double>::infinity();  // what is farther is left out
  VertexId target = no_vertex;                              // the search ends when it is taken
  bool predecessors = false;                                // all of them
};

struct DijkstraAnswer {
  std::vector<VertexId> order = {};  // as they were taken
  std::vector<VertexId> found = {};  // as they were first met, the sources aside
  std::vector<double> distance = {};
  std::vector<bool> whole = {};
  std::vector<VertexId> parent = {};                     // no_vertex: a source, or not met
  std::vector<std::vector<VertexId>> predecessors = {};  // if asked for
};

/// Stops early, with what it has, when `stop` says so; it is asked now and then.
DijkstraAnswer dijkstra(const Rows& rows, const Weights& weights, const DijkstraQuery& query, const std::stop_token& stop);

void bind_dijkstra(nb::module_& module);

}  // namespace hopwave::python
