// Arcs in any order → sorted rows: the algorithm of build_graph and of the transpose. It partitions by source into
// buckets that fit the second-level cache, then sorts each bucket there: two passes over memory. Every step is stable
// or sorts completely, so the rows do not depend on the number of threads.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "core/parallel.h"
#include "core/reporter.h"
#include "hopwave/graph.h"

namespace hopwave::graph {

/// An Adjacency while it is filled.
struct Rows {
  Array<EdgeIndex> offsets;
  Array<VertexId> neighbors;
  Weights weights = {};

  operator Adjacency() && {  // NOLINT(google-explicit-constructor): what was filled becomes what is read
    return {std::move(offsets), std::move(neighbors), std::move(weights)};
  }
};

/// Weights as unsigned integers in the same order (NaN last), so that integer comparisons sort (target, weight).
/// `Bits`: unsigned, as wide as the weights.
template <class Bits>
Bits ordered(Bits raw, bool floats) {
  constexpr Bits sign = Bits{1} << (8 * sizeof(Bits) - 1);
  return floats && (raw & sign) ? ~raw : raw ^ sign;
}
template <class Bits>
Bits from_ordered(Bits key, bool floats) {
  constexpr Bits sign = Bits{1} << (8 * sizeof(Bits) - 1);
  return floats && !(key & sign) ? ~key : key ^ sign;
}
template <WeightValue T>
auto ordered(T weight) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  return ordered(std::bit_cast<Bits>(weight), std::is_floating_point_v<T>);
}

struct RowOptions {
  bool keep_duplicates = false;
  bool keep_self_loops = false;
  bool check_symmetry = false;
  bool long_positions = false;  ///< 32-bit positions in buckets, as for 2^28 and more vertices (for tests)
};

struct RowCounts {
  EdgeIndex arcs = 0, duplicates = 0, self_loops = 0;
  bool symmetric = true;  ///< if asked for: the arcs equal their reverses, by a 64-bit hash of all arcs
  static constexpr std::size_t none = ~std::size_t{0};
  std::size_t bad = none;  ///< the first item with an invalid end; then no rows are made, and the arcs stay
};

/// Arcs of an edge list. With `mirror`, each edge also gives its reverse (a self-loop gives one arc).
class ListedArcs {
 public:
  ListedArcs(Array<Edge> edges, Weights weights, bool mirror)
      : edges_(std::move(edges)), weights_(std::move(weights)), mirror_(mirror) {}
  [[nodiscard]] std::size_t items() const { return edges_.size(); }
  [[nodiscard]] const Weights& weights() const { return weights_; }
  [[nodiscard]] const Edge& edge(std::size_t item) const { return edges_[item]; }
  /// Calls f(source, target, position of the weight) for the arcs of items [begin, end), in order.
  template <class F>
  void each(std::size_t begin, std::size_t end, F&& f) const {
    for (std::size_t i = begin; i < end; ++i) {
      const Edge e = edges_[i];
      f(e.source, e.target, i);
      if (mirror_ && e.source != e.target) f(e.target, e.source, i);
    }
  }
  void release() { edges_ = {}, weights_ = {}; }

 private:
  Array<Edge> edges_;
  Weights weights_;
  bool mirror_;
};

/// The arcs of rows, reversed.
class ReversedArcs {
 public:
  explicit ReversedArcs(const Adjacency& a) : a_(a) {}
  [[nodiscard]] std::size_t items() const { return a_.neighbors.size(); }
  [[nodiscard]] const Weights& weights() const { return a_.weights; }
  template <class F>
  void each(std::size_t begin, std::size_t end, F&& f) const {
    if (begin == end) return;
    std::size_t v =
        static_cast<std::size_t>(std::upper_bound(a_.offsets.begin(), a_.offsets.end(), begin) - a_.offsets.begin()) - 1;
    for (std::size_t i = begin; i < end; ++v)
      for (const std::size_t stop = std::min<std::size_t>(end, a_.offsets[v + 1]); i < stop; ++i)
        f(a_.neighbors[i], static_cast<VertexId>(v), i);
  }
  void release() {}

 private:
  const Adjacency& a_;
};

/// The units of work that make_rows reports for `items`: one each for counting and for partitioning, two for sorting.
constexpr std::uint64_t row_work(std::uint64_t items) { return 4 * items; }

/// Makes sorted rows. Frees `arcs` as soon as they have been read.
template <class Arcs>
Adjacency make_rows(Team& team, VertexId n, Arcs& arcs, RowOptions options, RowCounts& counts,
                    core::Reporter* reporter = nullptr);

/// Returns the transpose, with its weights.
Adjacency reversed(Team& team, VertexId n, const Adjacency& rows, core::Reporter* reporter = nullptr);

}  // namespace hopwave::graph
