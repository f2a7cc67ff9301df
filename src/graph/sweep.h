// Sweep: a plain level-by-level search for statistics of a graph (diameter, order), not for users. It is
// direction-optimizing if both directions are available (Beamer 2012), and sequential while a level has few vertices.
#pragma once

#include <vector>

#include "core/parallel.h"
#include "hopwave/graph.h"

namespace hopwave::graph {

class Sweep {
 public:
  /// Owns neither the graph nor the team. `forward` are the arcs to follow; `backward` (may be null) are the same arcs
  /// reversed.
  Sweep(Team& team, VertexId n, const Adjacency& forward, const Adjacency* backward);

  /// Searches from `start`; the functions below then describe this search.
  void run(VertexId start);

  [[nodiscard]] const Array<Distance>& distance() const { return distance_; }
  [[nodiscard]] Distance depth() const { return depth_; }
  [[nodiscard]] VertexId farthest() const { return farthest_; }  ///< the smallest vertex of the last level
  [[nodiscard]] VertexId reached() const { return reached_; }

 private:
  void push(Distance level);
  void pull(Distance level);
  void gather();

  Team& team_;
  const VertexId n_;
  const Adjacency& forward_;
  const Adjacency* backward_;
  Array<Distance> distance_;
  std::vector<VertexId> frontier_;
  std::vector<std::vector<VertexId>> found_;  ///< one per member
  Distance depth_ = 0;
  VertexId farthest_ = 0, reached_ = 0;
};

}  // namespace hopwave::graph
