// Bounds of the eccentricities of one component after another, and which vertex to search from next.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/parallel.h"
#include "hopwave/eccentricity.h"

namespace hopwave::search_detail {

class EccentricityBounds {
 public:
  /// `directed`: distances there and back differ. Else every arc of `graph` is there in both directions.
  EccentricityBounds(Team& team, const Graph& graph, bool directed, EccentricityGoal goal);

  /// The next component, of two or more vertices in ascending order. `largest`: the radius is that of this one.
  void begin(std::span<const VertexId> component, bool largest);
  /// A search from `v`: distances from it and to it (the same arrays unless directed), and the greatest of each.
  void learn(VertexId v, const Array<Distance>& from, const Array<Distance>& to, Distance eccentricity, Distance to_depth);
  /// The eccentricity of `v` alone. A diameter grows by learn() only: there the other end of the path is seen.
  void settle(VertexId v, Distance eccentricity);
  /// After these: drops what needs no search, and chooses.
  void winnow();
  /// Gives the vertices of degree 1 their bounds. The component is done with.
  void end();

  [[nodiscard]] std::size_t open() const noexcept { return count_; }
  /// To search from next: right after begin(), and while open() > 0. Turns between the greatest upper and the least lower
  /// bound.
  VertexId choose();
  /// Some vertices that need a search, ascending.
  [[nodiscard]] std::vector<VertexId> some(std::size_t most) const;
  /// The greatest upper bound that the component leaves for the diameter.
  [[nodiscard]] Distance greatest() const;

  [[nodiscard]] Distance diameter() const noexcept { return diameter_; }
  [[nodiscard]] Distance radius() const noexcept { return radius_; }
  [[nodiscard]] VertexId central() const noexcept { return central_; }
  /// A pair at the distance diameter(); no_vertex before the first search.
  [[nodiscard]] VertexId from() const noexcept { return from_; }
  [[nodiscard]] VertexId to() const noexcept { return to_; }
  /// The greatest eccentricity that `v`, or a vertex of degree 1 at it, may have.
  [[nodiscard]] Distance longest(VertexId v) const { return upper[v] + extra_[v]; }

  Array<Distance> lower, upper;  ///< one per vertex, −1 before its component was begun

 private:
  /// Whether the goal may still need `v`'s eccentricity, but for the ball.
  [[nodiscard]] bool wanted(VertexId v) const;
  [[nodiscard]] bool covered(VertexId v) const;
  [[nodiscard]] VertexId only_neighbor(VertexId v) const;
  [[nodiscard]] VertexId leaf_at(VertexId v) const;

  Team& team_;
  const Graph& graph_;
  const bool directed_;
  const EccentricityGoal goal_;
  /// 1: a vertex of degree 1 hangs on it, whose eccentricity is greater by one.
  Array<std::uint8_t> extra_;
  std::span<const VertexId> component_;
  std::vector<VertexId> list_;      ///< those that may be wanted, ascending
  std::array<VertexId, 2> best_{};  ///< with the greatest upper bound; with the least lower bound
  std::size_t count_ = 0;
  unsigned turn_ = 0;
  bool in_largest_ = false;
  Distance diameter_ = 0, radius_ = -1;
  VertexId from_ = no_vertex, to_ = no_vertex, central_ = no_vertex;
  Array<Distance> ball_;   ///< distances from the most central vertex of the component that was searched from
  bool has_ball_ = false;  ///< for the diameter of an undirected graph, from the first search on
  Distance ball_eccentricity_ = 0;
};

}  // namespace hopwave::search_detail
