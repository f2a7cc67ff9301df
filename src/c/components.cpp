// Components and core numbers of the C header.
#include "hopwave/components.h"

#include <algorithm>
#include <type_traits>

#include "c/c_api.h"
#include "hopwave/kcore.h"
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

RunOptions run_given(const hopwave_options* given) {
  return run_only(options_or_initial(given), "components ignore directions, or use both");
}

}  // namespace

hopwave_status hopwave_components(const hopwave_graph* graph, const hopwave_options* options, uint32_t* labels,
                                  hopwave_component_counts* counts, hopwave_report* report, hopwave_error** error) {
  return guarded(error, [&] {
    const Components found = connected_components(present(graph, "graph").graph, run_given(options));
    give(found, labels, counts);
    fill(found.run, report);
  });
}

hopwave_status hopwave_strong_components(const hopwave_graph* graph, const hopwave_options* options, uint32_t* labels,
                                         hopwave_component_counts* counts, hopwave_report* report, hopwave_error** error) {
  return guarded(error, [&] {
    const StrongComponents found = strong_components(present(graph, "graph").graph, {.run = run_given(options)});
    give(found, labels, counts);
    fill(found.run, report);
  });
}

hopwave_status hopwave_core_numbers(const hopwave_graph* graph, const hopwave_options* options, uint32_t* cores,
                                    hopwave_report* report, hopwave_error** error) {
  return guarded(error, [&] {
    const Graph& of = present(graph, "graph").graph;
    const auto place = values(cores, of.num_vertices(), "cores");
    const KCore found = core_numbers(of, run_given(options));
    std::copy(found.core.begin(), found.core.end(), place.begin());
    fill(found.run, report);
  });
}

hopwave_status hopwave_condensation(const hopwave_graph* graph, const hopwave_options* options, hopwave_graph** condensed,
                                    hopwave_error** error) {
  return guarded(error, [&] {
    present(condensed, "condensed");
    *condensed = new hopwave_graph{condensation(present(graph, "graph").graph, StrongOptions{.run = run_given(options)})};
  });
}

hopwave_status hopwave_topological_generations(const hopwave_graph* graph, const hopwave_options* options,
                                               uint32_t* generations, hopwave_error** error) {
  return guarded(error, [&] {
    const Graph& of = present(graph, "graph").graph;
    const auto place = values(generations, of.num_vertices(), "generations");
    const Array<VertexId> found = topological_generations(of, run_given(options));
    std::copy(found.begin(), found.end(), place.begin());
  });
}

hopwave_status hopwave_graph_acyclic(const hopwave_graph* graph, const hopwave_options* options, int* acyclic,
                                     hopwave_error** error) {
  return guarded(error,
                 [&] { present(acyclic, "acyclic") = is_acyclic(present(graph, "graph").graph, run_given(options)) ? 1 : 0; });
}
