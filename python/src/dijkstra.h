// Shortest paths by weights in NetworkX's order. The library's have the same distances, but no order.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "rows.h"

namespace hopwave::python {

/// One weight per arc, in the order of the outgoing rows.
struct Weights {
  std::vector<double> value = {};
  std::vector<bool> whole = {};          // a Python int; a sum of only these is an int, too
  std::vector<std::size_t> begins = {};  // start of each row in the list of objects that was read with it
};

struct HeldWeights {
  std::shared_ptr<const Weights> weights;
};

/// 2^53: below it a double is an exact whole number.
constexpr double most_whole = 9007199254740992.0;

struct DijkstraQuery {
  std::span<const VertexId> sources = {};
  double cutoff = std::numeric_limits<double>::infinity();  // vertices farther than this are left out
  VertexId target = no_vertex;                              // the search ends when it is taken
  bool predecessors = false;                                // all of them
};

struct DijkstraAnswer {
  std::vector<VertexId> order = {};  // vertices in the order of NetworkX's distances
  std::vector<VertexId> found = {};  // vertices in the order in which they were first found, without the sources
  std::vector<double> distance = {};
  std::vector<bool> whole = {};
  std::vector<VertexId> parent = {};                     // no_vertex: a source, or not found
  std::vector<std::vector<VertexId>> predecessors = {};  // if asked for
  bool given_up = false;                                 // NetworkX may have another answer
};

/// Dijkstra's algorithm: of several vertices at one distance, the one pushed first is taken first, and is so in `order`.
/// Returns the answer, or a partial one if `stop` asks to stop; it is checked from time to time.
DijkstraAnswer dijkstra(const Rows& rows, const Weights& weights, const DijkstraQuery& query, const std::stop_token& stop);

/// The queue of Bellman, Ford and Moore: a vertex whose predecessor waits in the queue is passed over (Cherkassky and
/// Goldberg 1999). `order` has the vertices as they were found; all predecessors are in the answer.
DijkstraAnswer bellman_ford(const Rows& rows, const Weights& weights, VertexId source, const std::stop_token& stop);

void bind_dijkstra(nb::module_& module);

}  // namespace hopwave::python
