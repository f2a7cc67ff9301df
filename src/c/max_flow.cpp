// Maximum flow of the C header.
#include <algorithm>

#include "c/c_api.h"
#include "hopwave/flow.h"

using namespace hopwave;
using namespace hopwave::c;

hopwave_status hopwave_max_flow(const hopwave_graph* graph, const hopwave_run* run, uint32_t source, uint32_t target,
                                int64_t* value, int64_t* arcs, uint8_t* side, hopwave_error** error) {
  return guarded(error, [&] {
    const Graph& of = present(graph, "graph").graph;
    int64_t& place = present(value, "value");
    const hopwave_run how = run_of(run);
    only_out(how, "a flow goes along the arcs");
    const Flow found = max_flow(of, source, target,
                                {.run = {.device = static_cast<DeviceKind>(how.device), .threads = how.threads, .limits = limits_of(how.stop, how.time_limit, 0), .progress = steps_of(how)}});
    place = found.value;
    if (arcs) std::copy(found.arc.begin(), found.arc.end(), arcs);
    if (side) std::copy(found.source_side.begin(), found.source_side.end(), side);
  });
}
