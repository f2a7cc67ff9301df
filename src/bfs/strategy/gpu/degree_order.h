// Vertices in order of their degree: what the reordering strategies prepare on the host.
// Source: M. Springer, Breadth-first Search in CUDA, section 3.4. Ours differs: a stable radix sort, linear in the vertices.
#pragma once

#include <vector>

#include "bfs/plan/plan.h"

namespace hopwave::strategy {

/// All vertices by ascending number of arcs; among equals by ascending id.
std::vector<VertexId> degree_order(const Adjacency& adjacency, VertexId num_vertices);

/// A graph whose vertices are renamed: new vertex i is the old order[i].
struct RenamedGraph {
  Adjacency adjacency;
  std::vector<VertexId> new_id;  ///< of every old vertex
};
RenamedGraph rename_vertices(const Adjacency& adjacency, const std::vector<VertexId>& order);

}  // namespace hopwave::strategy
