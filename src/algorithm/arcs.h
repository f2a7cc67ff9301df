// The arcs that a weighted search walks along, with their weights checked.
#pragma once

#include <cstdint>

#include "core/parallel.h"
#include "hopwave/graph.h"
#include "hopwave/search.h"

namespace hopwave::sssp {

/// Compressed rows with one weight per arc. What they point to outlives them.
struct Arcs {
  VertexId num_vertices = 0;
  const EdgeIndex* offsets = nullptr;
  const VertexId* neighbors = nullptr;
  WeightSpan weights = {};  ///< empty: each arc weighs one

  [[nodiscard]] EdgeIndex count() const { return num_vertices ? offsets[num_vertices] : 0; }
  [[nodiscard]] bool weighted() const { return weights.data() != nullptr; }
  /// Calls use(neighbour, weight) for arcs [begin, end). The type of weights is looked up once for all of them.
  template <class Use>
  void each(EdgeIndex begin, EdgeIndex end, Use&& use) const {
    if (!weighted()) {
      for (EdgeIndex e = begin; e < end; ++e) use(neighbors[e], 1.0);
      return;
    }
    weights.with([&](const auto values) {
      for (EdgeIndex e = begin; e < end; ++e) use(neighbors[e], static_cast<double>(values[e]));
    });
  }
  /// Of the row of a vertex.
  template <class Use>
  void each_of(VertexId v, Use&& use) const {
    each(offsets[v], offsets[v + 1ull], use);
  }
};

/// What all weights of a graph have in common.
struct WeightFigures {
  double typical = 1;  ///< the mean of the finite ones, or less where a few heavy ones make it; 0: none is above 0
  /// 2^exponent divides every finite weight. Sums below 2^(53 + exponent) have room in a double, so none was rounded.
  int exponent = 0;
  bool floats = true;    ///< floats hold all of them exactly
  bool rounded = false;  ///< some are whole numbers that no double is, or were rounded when they were read
  double least = 1;      ///< of the finite ones
};

/// Throws HW-SSSP-WEIGHT, which names the first arc in the order of rows whose weight is negative or no number.
WeightFigures check_weights(Team& team, const Graph& graph);

/// The arcs of a graph in a direction; turned round or put together where the graph does not have them.
class WeightedRows {
 public:
  /// `graph` outlives it.
  WeightedRows(Team& team, const Graph& graph, Direction direction);
  [[nodiscard]] Arcs arcs() const;

 private:
  VertexId num_vertices_;
  const Adjacency* rows_;
  Adjacency built_;
};

}  // namespace hopwave::sssp
