// Where a strategy can run on this machine, and the choice between CPU, GPU and simulator.
#pragma once

#include <string>
#include <vector>

#include "bfs/plan/plan.h"
#include "core/device_api.h"
#include "hopwave/search.h"

namespace hopwave::search_detail {

/// Where a search will run. `row` is null for `auto` on the CPU, whose strategy the graph decides.
struct Placement {
  DeviceKind kind = DeviceKind::cpu;
  const device::Api* api = nullptr;  ///< of a GPU or the simulator
  const strategy::TableRow* row = nullptr;
};

/// Follows the caller's wish; where `automatic` leaves a choice, says in `notes` what was chosen instead of a GPU.
/// Throws HW-STRATEGY-UNKNOWN, HW-STRATEGY-DEVICE, HW-DEVICE-NONE.
Placement place(const SearchOptions& options, std::vector<std::string>& notes);

/// This strategy on that machine.
const strategy::Descriptor& descriptor_on(const Placement& placement);

/// Throws HW-NEEDS-COOPERATIVE, HW-NEEDS-CLUSTERS.
void check_needs(const StrategyInfo& info, const device::Properties& properties);

}  // namespace hopwave::search_detail
