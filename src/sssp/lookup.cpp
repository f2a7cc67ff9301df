// Weighted answers by the caller's ids.
#include <algorithm>
#include <string>

#include "hopwave/error.h"
#include "hopwave/shortest_paths.h"

namespace hopwave {
namespace {

void check_same(const WeightedResult& result, const Graph& graph) {
  if (result.distance.size() == graph.num_vertices()) return;
  throw Error({.failure = Failure::usage,
               .id = "HW-RESULT-GRAPH",
               .found = "distances of " + std::to_string(result.distance.size()) + " vertices, and a graph of " +
                        std::to_string(graph.num_vertices()),
               .expected = "the graph that was searched"});
}

[[noreturn]] void no_parents(const char* found) {
  throw Error({.failure = Failure::usage,
               .id = "HW-RESULT-PARENTS",
               .found = found,
               .expected = "a result with its parents",
               .hint = "ask for them: WeightedQuery{.parents = true}"});
}

std::vector<VertexId> path(const WeightedResult& result, VertexId to) {
  if (result.parent.size() != result.distance.size()) no_parents("a result without parents");
  std::vector<VertexId> vertices;
  if (result.distance[to] == no_path) return vertices;
  for (VertexId v = to; v != no_vertex; v = result.parent[v]) {
    // A result that its owner has changed could lead round in a circle, or out of the graph.
    if (v >= result.parent.size() || vertices.size() >= result.parent.size()) no_parents("parents that lead to no source");
    vertices.push_back(v);
  }
  std::reverse(vertices.begin(), vertices.end());
  return vertices;
}

}  // namespace

double WeightedResult::distance_of(const Graph& graph, std::int64_t id) const {
  check_same(*this, graph);
  return distance[graph.vertex(id)];
}
double WeightedResult::distance_of(const Graph& graph, std::string_view id) const {
  check_same(*this, graph);
  return distance[graph.vertex(id)];
}
std::vector<VertexId> WeightedResult::path_to(const Graph& graph, std::int64_t id) const {
  check_same(*this, graph);
  return path(*this, graph.vertex(id));
}
std::vector<VertexId> WeightedResult::path_to(const Graph& graph, std::string_view id) const {
  check_same(*this, graph);
  return path(*this, graph.vertex(id));
}

}  // namespace hopwave
