// Share: what one rank holds of a graph: the rows of its vertices. Consecutive vertices belong to one rank.
//
// Why blocks of ids and not every P-th vertex: a block is a slice of a file's arrays, so each rank reads its own; rows are
// sorted, so the owners along a row only grow; answers are in order; and ids of real graphs often have places near each
// other near each other. Blocks are cut so that vertices and arcs together are shared evenly. A row is never cut: the rank
// of a vertex with half of all arcs has half of all arcs.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "bfs/distributed/transport.h"
#include "hopwave/array.h"
#include "hopwave/graph.h"
#include "hopwave/search.h"

namespace hopwave::ranks {

/// Which vertices each rank has: begin(r) to end(r).
class Cut {
 public:
  Cut() = default;
  /// `first`: the first vertex of each rank, ascending from 0, and then the number of vertices.
  explicit Cut(std::vector<VertexId> first) : first_(std::move(first)) {}
  /// As even as whole rows allow; arcs_before(v): arcs in rows before v's, from 0 to those of all.
  static Cut balanced(int ranks, VertexId num_vertices, const std::function<EdgeIndex(VertexId)>& arcs_before);

  [[nodiscard]] int ranks() const noexcept { return static_cast<int>(first_.size()) - 1; }
  [[nodiscard]] VertexId num_vertices() const noexcept { return first_.back(); }
  [[nodiscard]] VertexId begin(int rank) const noexcept { return first_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] VertexId end(int rank) const noexcept { return first_[static_cast<std::size_t>(rank) + 1]; }
  [[nodiscard]] VertexId count(int rank) const noexcept { return end(rank) - begin(rank); }
  [[nodiscard]] bool has(int rank, VertexId v) const noexcept { return v >= begin(rank) && v < end(rank); }
  [[nodiscard]] int owner(VertexId v) const noexcept {
    return static_cast<int>(std::upper_bound(first_.begin() + 1, first_.end() - 1, v) - first_.begin()) - 1;
  }
  [[nodiscard]] const std::vector<VertexId>& first() const noexcept { return first_; }

 private:
  std::vector<VertexId> first_{0, 0};
};

/// Rows of consecutive vertices; offsets begin at 0, neighbours are vertices of the whole graph, ascending in each row.
struct Rows {
  Array<EdgeIndex> offsets = {};
  Array<VertexId> neighbors = {};

  [[nodiscard]] EdgeIndex degree(std::size_t row) const { return offsets[row + 1] - offsets[row]; }
  [[nodiscard]] std::span<const VertexId> row(std::size_t row) const { return {neighbors.data() + offsets[row], degree(row)}; }
};

struct Share {
  Cut cut;
  int rank = 0;
  bool directed = true;
  EdgeIndex num_arcs = 0;       ///< of the whole graph
  Rows out;                     ///< of this rank's vertices
  std::optional<Rows> in = {};  ///< the same backwards; of directed graphs that have it

  [[nodiscard]] VertexId begin() const noexcept { return cut.begin(rank); }
  [[nodiscard]] VertexId count() const noexcept { return cut.count(rank); }
  [[nodiscard]] bool has(VertexId v) const noexcept { return cut.has(rank, v); }
};

/// Rank 0 has the graph, others give null; each gets its share. Rank 0 needs the graph and one share more. Collective.
Share deal(Transport& transport, const Graph* graph);

/// Arcs of all ranks turned round: rows of this rank's vertices. Collective.
Rows turned(Transport& transport, const Share& share, const Rows& rows);

/// What a search walks along, and where it looks back. The share must outlive it.
class Steps {
 public:
  /// Makes share.in where `direction` or bottom-up levels need it. Collective.
  Steps(Transport& transport, Share& share, Direction direction, bool bottom_up);
  Steps(const Steps&) = delete;
  Steps& operator=(const Steps&) = delete;
  [[nodiscard]] const Rows& forward() const noexcept { return *forward_; }
  /// Null: every level is top-down.
  [[nodiscard]] const Rows* backward() const noexcept { return backward_; }

 private:
  Rows made_;  // both directions together
  const Rows* forward_ = nullptr;
  const Rows* backward_ = nullptr;
};

}  // namespace hopwave::ranks
