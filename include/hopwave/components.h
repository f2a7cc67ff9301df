// Connected components, on a CPU, a GPU or the simulator.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hopwave/device.h"
#include "hopwave/graph.h"
#include "hopwave/limits.h"
#include "hopwave/types.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

struct ComponentsOptions {
  /// `automatic`: a GPU if one can be used, otherwise the CPU. A GPU pays off for large graphs: the graph is copied to
  /// it first.
  DeviceKind device = DeviceKind::cpu;
  int threads = 0;  ///< on the CPU; 0: all
  DeviceOptions on = {};
  std::uint64_t seed = 1;                         ///< seed of the simulator's schedule
  ScheduleKind schedule = ScheduleKind::uniform;  ///< kinds other than uniform need the simulator, otherwise HW-OPTION-SCHEDULE
  Limits limits = {};                             ///< for the whole call; `partial` has no effect: there is no partial answer
  /// Called from time to time by the calling thread with the units of work done and the total. Returning false ends the
  /// call with HW-INTERRUPTED. May be empty. On a device it is called before the copy and before the search.
  std::function<bool(std::uint64_t done, std::uint64_t total)> progress = {};
};

struct ComponentsFound {
  Components components = {};
  DeviceKind device = DeviceKind::cpu;  ///< where the components were found
  double search_ms = 0;                 ///< time to find the labels: device events on a GPU, wall clock on a CPU
  double copy_seconds = 0;              ///< time to copy the graph to the device
  std::vector<std::string> notes = {};  ///< e.g. "no GPU: using the CPU", or that fewer threads could be started
};

/// Returns the weakly connected components. The labels are those of connected_components(graph), on every device.
/// Method on a GPU and in the simulator: union–find that hooks to the smaller vertex, with pointer jumping, after
/// ECL-CC (Jaiganesh & Burtscher, HPDC 2018). Device memory: the offsets, 4 bytes per arc and 4 per vertex. Threads may
/// call it for one graph at the same time.
/// Errors: HW-OPTION-VALUE, HW-OPTION-THREADS, HW-OPTION-SCHEDULE, HW-OPTION-TIME-LIMIT, HW-INTERRUPTED, HW-CANCELLED,
/// HW-TIME-LIMIT, HW-DEVICE-NONE, HW-DEVICE-…, HW-MEMORY. An exception that `progress` throws is passed on.
ComponentsFound connected_components(const Graph& graph, const ComponentsOptions& options);

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
