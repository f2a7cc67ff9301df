// Connected components on a device of choice.
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
  /// `automatic`: a GPU if one can be used, else the CPU. A GPU pays where the graph is large: it has to be copied there.
  DeviceKind device = DeviceKind::cpu;
  int threads = 0;  ///< of the CPU; 0: all
  DeviceOptions on = {};
  std::uint64_t seed = 1;                         ///< schedule of the simulator
  ScheduleKind schedule = ScheduleKind::uniform;  ///< other kinds: HW-OPTION-SCHEDULE unless in the simulator
  Limits limits = {};  ///< of the whole call; `partial` has no meaning: there is no part of an answer
  /// Called now and then by the calling thread with units of work done and in all; false ends the call with HW-INTERRUPTED. May
  /// be empty. On a device: before the copy and before the search.
  std::function<bool(std::uint64_t done, std::uint64_t total)> progress = {};
};

struct ComponentsFound {
  Components components = {};
  DeviceKind device = DeviceKind::cpu;  ///< where they were found
  double search_ms = 0;                 ///< the labels: device events on a GPU, wall clock on a CPU
  double copy_seconds = 0;              ///< the graph to the device
  std::vector<std::string> notes = {};  ///< e.g. "no GPU: using the CPU", or that fewer threads could be started
};

/// Weakly connected components, as connected_components(graph) finds them: the labels do not depend on the device.
/// On a GPU and in the simulator: union–find with hooking towards the smaller vertex and pointer jumping, after ECL-CC
/// (Jaiganesh & Burtscher, HPDC 2018). Device memory: the offsets, 4 bytes an arc and 4 a vertex. Any number of threads may
/// call it for one graph. Errors: HW-OPTION-VALUE, HW-OPTION-THREADS, HW-OPTION-SCHEDULE, HW-OPTION-TIME-LIMIT,
/// HW-INTERRUPTED, HW-CANCELLED, HW-TIME-LIMIT, HW-DEVICE-NONE, HW-DEVICE-…, HW-MEMORY. What `progress` throws comes out.
ComponentsFound connected_components(const Graph& graph, const ComponentsOptions& options);

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
