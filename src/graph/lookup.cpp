// Results by the caller's ids.
#include "graph/lookup.h"

#include "hopwave/search.h"

namespace hopwave::inline v0_1 {
namespace {

std::vector<VertexId> path(const Result& result, VertexId to) {
  const std::size_t most = result.distance[to] < 0 ? 0 : static_cast<std::size_t>(result.distance[to]);
  return search_detail::path(result, to, unreached, most, "Query");
}

}  // namespace

Distance Result::distance_of(const Graph& graph, std::int64_t id) const {
  search_detail::check_same(*this, graph);
  return distance[graph.vertex(id)];
}
Distance Result::distance_of(const Graph& graph, std::string_view id) const {
  search_detail::check_same(*this, graph);
  return distance[graph.vertex(id)];
}
std::vector<VertexId> Result::path_to(const Graph& graph, std::int64_t id) const {
  search_detail::check_same(*this, graph);
  return path(*this, graph.vertex(id));
}
std::vector<VertexId> Result::path_to(const Graph& graph, std::string_view id) const {
  search_detail::check_same(*this, graph);
  return path(*this, graph.vertex(id));
}

}  // namespace hopwave::inline v0_1
