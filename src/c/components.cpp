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

template <class Options>
Options options_of(const hopwave_run* given) {
  const hopwave_run run = run_of(given);
  only_out(run, "components ignore directions, or use both");
  Options options{.limits = limits_of(run.stop, run.time_limit, 0), .progress = steps_of(run)};
  if constexpr (!std::is_same_v<Options, RunOptions>) {
    options.device = static_cast<DeviceKind>(run.device);
    options.threads = run.threads;
  }
  return options;
}

}  // namespace

hopwave_status hopwave_components(const hopwave_graph* graph, const hopwave_run* run, uint32_t* labels,
                                  hopwave_component_counts* counts, hopwave_error** error) {
  return guarded(error, [&] {
    const auto options = options_of<RunOptions>(run);
    give(connected_components(present(graph, "graph").graph, options).components, labels, counts);
  });
}

hopwave_status hopwave_strong_components(const hopwave_graph* graph, const hopwave_run* run, uint32_t* labels,
                                         hopwave_component_counts* counts, hopwave_error** error) {
  return guarded(error, [&] {
    const auto options = options_of<StrongOptions>(run);
    give(strong_components(present(graph, "graph").graph, options).components, labels, counts);
  });
}

hopwave_status hopwave_core_numbers(const hopwave_graph* graph, const hopwave_run* run, uint32_t* cores,
                                    hopwave_error** error) {
  return guarded(error, [&] {
    const Graph& of = present(graph, "graph").graph;
    const auto place = values(cores, of.num_vertices(), "cores");
    const KCore found = core_numbers(of, options_of<RunOptions>(run));
    std::copy(found.core.begin(), found.core.end(), place.begin());
  });
}

hopwave_status hopwave_condensation(const hopwave_graph* graph, const hopwave_run* run, hopwave_graph** condensed,
                                    hopwave_error** error) {
  return guarded(error, [&] {
    present(condensed, "condensed");
    *condensed = new hopwave_graph{condensation(present(graph, "graph").graph, options_of<StrongOptions>(run))};
  });
}

hopwave_status hopwave_topological_generations(const hopwave_graph* graph, const hopwave_run* run, uint32_t* generations,
                                               hopwave_error** error) {
  return guarded(error, [&] {
    const Graph& of = present(graph, "graph").graph;
    const auto place = values(generations, of.num_vertices(), "generations");
    const Array<VertexId> found = topological_generations(of, options_of<RunOptions>(run));
    std::copy(found.begin(), found.end(), place.begin());
  });
}

hopwave_status hopwave_graph_acyclic(const hopwave_graph* graph, const hopwave_run* run, int* acyclic, hopwave_error** error) {
  return guarded(error, [&] {
    present(acyclic, "acyclic") = is_acyclic(present(graph, "graph").graph, options_of<RunOptions>(run)) ? 1 : 0;
  });
}
