// Core numbers: how deep a vertex is in the dense part of a graph.
#pragma once

#include <cstdint>

#include "hopwave/graph.h"
#include "hopwave/run.h"
#include "hopwave/types.h"
#include "hopwave/validate.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

struct KCore {
  Array<std::uint32_t> core = {};  ///< one core number per vertex
  std::uint32_t largest = 0;       ///< the greatest core number: the graph's degeneracy
  VertexId largest_size = 0;       ///< number of vertices that have it: the innermost core
  RunReport run = {};
};

/// Returns the core number of every vertex. The k-core is what remains when vertices with fewer than k arcs to other
/// vertices are removed until there are none. A vertex's core number is the greatest k whose k-core contains it. Arcs
/// count at both ends: in a directed graph the degree is that of outgoing and incoming arcs together. Self-loops do not
/// count; parallel edges, if the graph keeps them, count separately.
/// Method with one thread: buckets, after V. Batagelj, M. Zaveršnik, An O(m) algorithm for cores decomposition of
/// networks, 2003. With several threads, and on a device: peeling level by level, after H. Kabir, K. Madduri, Parallel
/// k-core decomposition on multicore platforms, 2017. O(n + m) work. Memory on the CPU: 16 bytes per vertex, and the
/// incoming arcs of a directed graph that has none yet. On a device: the rows (both directions of a directed graph) and
/// 16 bytes per vertex. `automatic` is the CPU: which device is faster depends on the graph (docs/kcore.md). Threads may call
/// it for one graph at the same time. Errors: HW-OPTION-VALUE, HW-OPTION-THREADS, HW-OPTION-SCHEDULE, HW-OPTION-TIME-LIMIT,
/// HW-INTERRUPTED, HW-CANCELLED, HW-TIME-LIMIT, HW-DEVICE-NONE, HW-DEVICE-…, HW-MEMORY. Progress: vertices whose core number is
/// known.
KCore core_numbers(const Graph& graph, const RunOptions& run = {});

/// Returns whether these are the core numbers of the graph, in O(n + m). Enough neighbours of each vertex must have its
/// number or a greater one, and the vertices must be removable in an order in which each has no more arcs left than its
/// number. Threads may call it at the same time. Rules: "size", "too-great", "too-small", "largest".
Verdict validate(const Graph& graph, const KCore& found);

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
