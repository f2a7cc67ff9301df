#include "graph/diameter.h"

#include <algorithm>

#include "graph/sweep.h"

namespace hopwave::graph {
namespace {

constexpr std::size_t diameter_grain = std::size_t{1} << 14;

}  // namespace

Distance estimate_diameter(const Graph& graph, VertexId start, int sweeps) {
  if (graph.num_vertices() == 0 || sweeps <= 0) return 0;
  if (start >= graph.num_vertices()) detail::refuse_vertex(start, graph.num_vertices());
  Team team(graph.num_vertices() + graph.num_arcs() < 4 * diameter_grain ? 1 : 0);
  const bool both = graph.has_in();
  Sweep forward(team, graph.num_vertices(), graph.out(), both ? &graph.in() : nullptr);
  Distance longest = 0;
  if (!graph.directed() || !both) {
    for (int i = 0; i < sweeps; ++i) {
      forward.run(start);
      if (i > 0 && forward.depth() <= longest) break;  // no longer path from the farthest vertex
      longest = forward.depth();
      start = forward.farthest();
    }
    return longest;
  }
  // In a directed graph, a forward sweep finds the end of a longest path, and a backward sweep its start.
  Sweep backward(team, graph.num_vertices(), graph.in(), &graph.out());
  for (int i = 0; i < sweeps; ++i) {
    Sweep& sweep = i % 2 == 0 ? forward : backward;
    sweep.run(start);
    longest = std::max(longest, sweep.depth());
    start = sweep.farthest();
  }
  return longest;
}

}  // namespace hopwave::graph
