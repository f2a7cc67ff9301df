// A search beside the other order: breadth first and depth first on one small graph, each with its tree and its numbers.
#pragma once

#include <vector>

#include "draw/drawings.h"

namespace hopwave::picture {

/// A walk over the graph, neighbours in the order of their rows. Vertices that it does not reach have `none`.
struct Walk {
  static constexpr std::uint32_t none = ~0u;
  std::vector<VertexId> parent;      ///< no_vertex of sources and of what is not reached
  std::vector<std::uint32_t> found;  ///< 0 for the vertex found first; depth first: the preorder
  std::vector<std::uint32_t> left;   ///< 0 for the vertex left first; depth first: the postorder
  std::vector<Distance> depth;       ///< arcs of the tree from a source; `unreached`
};

/// With a queue: a vertex is left after its row. From several sources all are found at first.
Walk walk_breadth_first(const Subject& subject);
/// With a stack, as the recursive program does it: a vertex is left after all that it found. One source after the other.
Walk walk_depth_first(const Subject& subject);

/// Both trees, with the numbers of each vertex and what the numbers mean.
Scene draw_two_orders(const Drawing& drawing);

}  // namespace hopwave::picture
