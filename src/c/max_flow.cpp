// Maximum flow of the C header.
#include <algorithm>

#include "c/c_api.h"
#include "hopwave/flow.h"

using namespace hopwave;
using namespace hopwave::c;

hopwave_status hopwave_max_flow(const hopwave_graph* graph, const hopwave_options* options, uint32_t source, uint32_t target,
                                int64_t* value, int64_t* arcs, uint8_t* side, hopwave_report* report, hopwave_error** error) {
  return guarded(error, [&] {
    const Graph& of = present(graph, "graph").graph;
    int64_t& place = present(value, "value");
    const hopwave_options given = options_or_initial(options);
    FlowOptions how{.run = run_only(given, "a flow goes along the arcs", true)};
    if (given.strategy) how.strategy = given.strategy;
    const Flow found = max_flow(of, source, target, how);
    place = found.value;
    if (arcs) std::copy(found.arc.begin(), found.arc.end(), arcs);
    if (side) std::copy(found.source_side.begin(), found.source_side.end(), side);
    fill(found.run, report);
  });
}
