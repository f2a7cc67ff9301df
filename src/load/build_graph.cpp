// build_graph chooses between the CPU and a device.
#include "core/options.h"
#include "device_graph/resident_state.h"
#include "graph/build.h"

namespace hopwave::inline v0_1 {

Graph build_graph(EdgeList list, const BuildOptions& options, const RunOptions& run) {
  core::require_named(run.device, DeviceKind::sim, "device");
  const bool on_device = run.device == DeviceKind::gpu || run.device == DeviceKind::sim;
  return on_device ? resident::build_on(std::move(list), options, run) : graph::build_on_cpu(std::move(list), options, run);
}

}  // namespace hopwave::inline v0_1
