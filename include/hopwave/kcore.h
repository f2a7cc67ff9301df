// Core numbers: how deep a vertex is in the dense part of a graph.
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
  /// `automatic`: a GPU if one can be used, otherwise the CPU. A GPU pays off for large graphs: the graph is copied to
  /// it first.
  DeviceKind device = DeviceKind::cpu;
  int threads = 0;  ///< on the CPU; 0: all
  DeviceOptions on = {};
  std::uint64_t seed = 1;                         ///< seed of the simulator's schedule
  ScheduleKind schedule = ScheduleKind::uniform;  ///< kinds other than uniform need the simulator, otherwise HW-OPTION-SCHEDULE
  Limits limits = {};                             ///< for the whole call; `partial` has no effect: there is no partial answer
  /// Called from time to time by the calling thread with the vertices whose core number is known and the total.
  /// Returning false ends the call with HW-INTERRUPTED. May be empty.
  std::function<bool(std::uint64_t done, std::uint64_t total)> progress = {};
};

struct KCore {
  Array<std::uint32_t> core = {};       ///< one core number per vertex
  std::uint32_t largest = 0;            ///< the greatest core number: the graph's degeneracy
  VertexId largest_size = 0;            ///< number of vertices that have it: the innermost core
  DeviceKind device = DeviceKind::cpu;  ///< where the core numbers were found
  double search_ms = 0;                 ///< device events on a GPU, wall clock on a CPU
  double copy_seconds = 0;              ///< time to copy the graph to the device
  std::vector<std::string> notes = {};  ///< e.g. "no GPU: using the CPU", or that fewer threads could be started
};

/// Returns the core number of every vertex. The k-core is what remains when vertices with fewer than k arcs to other
/// vertices are removed until there are none. A vertex's core number is the greatest k whose k-core contains it. Arcs
/// count at both ends: in a directed graph the degree is that of outgoing and incoming arcs together. Self-loops do not
/// count; parallel edges, if the graph keeps them, count separately.
/// Method with one thread: buckets, after V. Batagelj, M. Zaveršnik, An O(m) algorithm for cores decomposition of
/// networks, 2003. With several threads, and on a device: peeling level by level, after H. Kabir, K. Madduri, Parallel
/// k-core decomposition on multicore platforms, 2017. O(n + m) work. Memory on the CPU: 16 bytes per vertex, and the
/// incoming arcs of a directed graph that has none yet. On a device: the rows (both directions of a directed graph) and
/// 16 bytes per vertex. Threads may call it for one graph at the same time.
/// Errors: HW-OPTION-VALUE, HW-OPTION-THREADS, HW-OPTION-SCHEDULE, HW-OPTION-TIME-LIMIT, HW-INTERRUPTED, HW-CANCELLED,
/// HW-TIME-LIMIT, HW-DEVICE-NONE, HW-DEVICE-…, HW-MEMORY. An exception that `progress` throws is passed on.
KCore core_numbers(const Graph& graph, const KCoreOptions& options = {});

/// Returns whether these are the core numbers of the graph, in O(n + m). Enough neighbours of each vertex must have its
/// number or a greater one, and the vertices must be removable in an order in which each has no more arcs left than its
/// number. Threads may call it at the same time. Rules: "size", "too-great", "too-small", "largest".
Verdict validate(const Graph& graph, const KCore& found);

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
