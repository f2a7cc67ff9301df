// Maximum flow by preflows: push–relabel. The source's arcs are filled; the excess of a vertex is pushed downhill to the
// target, and excess that cannot reach the target goes back to the source.
#pragma once

#include <functional>

#include "algorithm/flow/residual.h"
#include "device/device.h"
#include "device/on_machine.h"

namespace hopwave::inline v0_1::flow {

/// Fills all arcs that leave the source. Throws HW-FLOW-SUM.
Preflow begin_preflow(Residual& residual, VertexId source);

/// Pushes excess towards `sink` until none of it can get there; source and target keep theirs. `go_on(excess at the sink)` may
/// throw. By one thread, highest vertex first; or by a team, in rounds.
void drain(Residual& residual, Preflow& preflow, VertexId source, VertexId target, VertexId sink, Team& team,
           const std::function<void(std::int64_t)>& go_on);

/// Both drains on a device: to the target, and of the rest to the source. gpu.cu
HW_FOR_EACH_MACHINE(void, drain_on_device, device::Device& device, Residual& residual, Preflow& preflow, VertexId source,
                    VertexId target, const std::function<void(std::int64_t)>& go_on)

}  // namespace hopwave::inline v0_1::flow
