#include "algorithm/eccentricity/component_order.h"

#include <algorithm>
#include <numeric>

#include "hopwave/error.h"

namespace hopwave::search_detail {

std::vector<VertexId> by_component(const Components& components, std::vector<VertexId>& size) {
  const std::size_t n = components.label.size();
  size.assign(n, 0);
  for (const VertexId label : components.label) ++size[label];
  std::vector<VertexId> order(n);
  std::iota(order.begin(), order.end(), VertexId{0});
  if (components.count == 1) return order;
  std::stable_sort(order.begin(), order.end(), [&](VertexId a, VertexId b) {
    const VertexId la = components.label[a], lb = components.label[b];
    return size[la] != size[lb] ? size[la] > size[lb] : la < lb;
  });
  return order;
}

void refuse_weak(const Graph& graph, VertexId v, std::size_t reached, std::size_t size) {
  throw Error({.failure = Failure::input,
               .id = "HW-ECCENTRICITY-STRONG",
               .found = "a vertex (" + graph.ids().name(v) + ") with paths to or from only " + std::to_string(reached) +
                        " of the " + std::to_string(size) + " vertices of its component",
               .expected = "a strongly connected graph",
               .hint = "ignore directions (Direction::both, --direction both), or keep one strongly connected component"});
}

}  // namespace hopwave::search_detail
