// The partitioned search, compiled once a machine.
#include "bfs/engine/partitioned/host.h"

namespace hopwave::engine {

std::unique_ptr<DrawnPlan> HW_ON_MACHINE(partitioned_plan)(const PartitionedRequest& request) {
  const std::uint64_t arcs = request.drawn ? 2 * request.drawn->count : request.view.num_arcs();
  if (arcs > most_narrow_arcs || request.parameters.find("wide_offsets")->second != 0)
    return std::make_unique<HW_MACHINE::engine::partitioned::Plan<std::uint64_t>>(request);
  return std::make_unique<HW_MACHINE::engine::partitioned::Plan<std::uint32_t>>(request);
}

}  // namespace hopwave::engine
