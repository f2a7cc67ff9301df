// Core numbers: how deep in the dense part of a graph a vertex is.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hopwave/device.h"
#include "hopwave/graph.h"
#include "hopwave/limits.h"
#include "hopwave/types.h"
#include "hopwave/validate.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

struct KCoreOptions {
  /// `automatic`: a GPU if one can be used, else the CPU. A GPU pays where the graph is large: it has to be copied there.
  DeviceKind device = DeviceKind::cpu;
  int threads = 0;  ///< of the CPU; 0: all
  DeviceOptions on = {};
  std::uint64_t seed = 1;                         ///< schedule of the simulator
  ScheduleKind schedule = ScheduleKind::uniform;  ///< other kinds: HW-OPTION-SCHEDULE unless in the simulator
  Limits limits = {};  ///< of the whole call; `partial` has no meaning: there is no part of an answer
  /// Called now and then by the calling thread with vertices whose core number is known, and all; false ends the call with
  /// HW-INTERRUPTED. May be empty.
  std::function<bool(std::uint64_t done, std::uint64_t total)> progress = {};
};

struct KCore {
  Array<std::uint32_t> core = {};       ///< one a vertex
  std::uint32_t largest = 0;            ///< the greatest of them: the graph's degeneracy
  VertexId largest_size = 0;            ///< vertices that have it: those of the innermost core
  DeviceKind device = DeviceKind::cpu;  ///< where they were found
  double search_ms = 0;                 ///< device events on a GPU, wall clock on a CPU
  double copy_seconds = 0;              ///< the graph to the device
  std::vector<std::string> notes = {};  ///< e.g. "no GPU: using the CPU", or that fewer threads could be started
};

/// The k-core is what is left when vertices with fewer than k arcs to others are taken out until none is left; a vertex's core
/// number is the greatest k whose k-core has it. Arcs count at both ends: in a directed graph the degree is that of outgoing
/// and incoming arcs together. Self-loops do not count; parallel edges, where the graph keeps them, count each. One thread:
/// buckets, after V. Batagelj, M. Zaveršnik, An O(m) algorithm for cores decomposition of networks, 2003. Several, and on a
/// device: peeling level by level, after H. Kabir, K. Madduri, Parallel k-core decomposition on multicore platforms, 2017. O(n
/// + m) work. Memory: 16 bytes a vertex on the CPU, and a directed graph's incoming arcs where it has none yet; on a device the
/// rows (both ways of a directed graph) and 16 bytes a vertex. Any number of threads may call it for one graph. Errors:
/// HW-OPTION-VALUE, HW-OPTION-THREADS, HW-OPTION-SCHEDULE, HW-OPTION-TIME-LIMIT, HW-INTERRUPTED, HW-CANCELLED, HW-TIME-LIMIT,
/// HW-DEVICE-NONE, HW-DEVICE-…, HW-MEMORY. What `progress` throws comes out.
KCore core_numbers(const Graph& graph, const KCoreOptions& options = {});

/// Are these the core numbers of the graph? In O(n + m): enough neighbours of each vertex have its number or more, and vertices
/// can be taken out in an order in which none has more arcs left than its number. Any number of threads may call it. Rules:
/// "size", "too-great", "too-small", "largest".
Verdict validate(const Graph& graph, const KCore& found);

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
