// Weighted answers by the caller's ids.
#include "graph/lookup.h"

#include "hopwave/shortest_paths.h"

namespace hopwave::inline v0_1 {
namespace {

std::vector<VertexId> path(const WeightedResult& result, VertexId to) {
  return search_detail::path(result, to, no_path, result.parent.size() - 1, "WeightedQuery");
}

}  // namespace

double WeightedResult::distance_of(const Graph& graph, std::int64_t id) const {
  search_detail::check_same(*this, graph);
  return distance[graph.vertex(id)];
}
double WeightedResult::distance_of(const Graph& graph, std::string_view id) const {
  search_detail::check_same(*this, graph);
  return distance[graph.vertex(id)];
}
std::vector<VertexId> WeightedResult::path_to(const Graph& graph, std::int64_t id) const {
  search_detail::check_same(*this, graph);
  return path(*this, graph.vertex(id));
}
std::vector<VertexId> WeightedResult::path_to(const Graph& graph, std::string_view id) const {
  search_detail::check_same(*this, graph);
  return path(*this, graph.vertex(id));
}

}  // namespace hopwave::inline v0_1
