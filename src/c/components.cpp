// Components of the C header.
#include "hopwave/components.h"

#include <algorithm>

#include "c/c_api.h"
#include "hopwave/strong.h"

using namespace hopwave;
using namespace hopwave::c;

namespace {

template <class Found>
void give(const Found& found, uint32_t* labels, hopwave_component_counts* counts) {
  if (labels) std::copy(found.label.begin(), found.label.end(), labels);
  if (counts)
    *counts = {.count = found.count,
               .largest_label = found.count ? found.largest_label : HOPWAVE_NO_VERTEX,
               .largest_size = found.largest_size};
}

}  // namespace

hopwave_status hopwave_components(const hopwave_graph* graph, int device, uint32_t* labels, hopwave_component_counts* counts,
                                  hopwave_error** error) {
  return guarded(error, [&] {
    const ComponentsOptions options{.device = static_cast<DeviceKind>(device)};
    give(connected_components(present(graph, "graph").graph, options).components, labels, counts);
  });
}

hopwave_status hopwave_strong_components(const hopwave_graph* graph, int device, int threads, uint32_t* labels,
                                         hopwave_component_counts* counts, hopwave_error** error) {
  return guarded(error, [&] {
    const StrongOptions options{.device = static_cast<DeviceKind>(device), .threads = threads};
    give(strong_components(present(graph, "graph").graph, options).components, labels, counts);
  });
}

hopwave_status hopwave_condensation(const hopwave_graph* graph, int threads, hopwave_graph** condensed, hopwave_error** error) {
  return guarded(error, [&] {
    present(condensed, "condensed");
    const Graph& of = present(graph, "graph").graph;
    *condensed = new hopwave_graph{condensation(of, strong_components(of, threads))};
  });
}

hopwave_status hopwave_topological_generations(const hopwave_graph* graph, uint32_t* generations, hopwave_error** error) {
  return guarded(error, [&] {
    const Graph& of = present(graph, "graph").graph;
    const auto place = values(generations, of.num_vertices(), "generations");
    const Array<VertexId> found = topological_generations(of);
    std::copy(found.begin(), found.end(), place.begin());
  });
}

hopwave_status hopwave_graph_acyclic(const hopwave_graph* graph, int* acyclic, hopwave_error** error) {
  return guarded(error, [&] { present(acyclic, "acyclic") = is_acyclic(present(graph, "graph").graph) ? 1 : 0; });
}
