// The thresholds of a device: those that were measured, or by rule.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "bfs/plan/thresholds.h"
#include "device/device.h"

namespace hopwave::engine {

/// The figures that the rule for other devices needs.
struct DeviceFigures {
  bool measured = true;  ///< sm_90 with 132 multiprocessors; and the simulator, so that tests see the choices of the device
                         ///< that was measured
  std::uint64_t multiprocessors = 132;
  std::uint64_t l2_bytes = std::uint64_t{50} << 20;
  std::uint64_t cluster_blocks = 16;  ///< that one high-diameter search in lock-step may take; 1: no clusters
};

/// By rule, not measured:
/// - A level of w vertices takes barrier + w / blocks. So one cluster and the whole device take the same time where w is
///   proportional to 1 / (1 / cluster_blocks - 1 / multiprocessors).
/// - Asynchronous warps take the whole device, with clusters or without: their widest level grows with it.
/// - How many threads a block has depends on the vertices a multiprocessor has.
/// - How many searches a pass wants, and how many passes run at the same time, depends on whether their words fit into the
///   second-level cache.
/// All others stay: they compare a barrier with memory's latency, or two ways through the same memory.
constexpr thresholds::Device thresholds_for(const DeviceFigures& device) {
  if (device.measured) return thresholds::h200;
  constexpr DeviceFigures was;
  thresholds::Device t = thresholds::h200;
  const std::uint64_t blocks = std::max<std::uint64_t>(device.cluster_blocks, 1), all = device.multiprocessors;
  t.widest_high_diameter = all <= blocks ? std::numeric_limits<std::uint64_t>::max()
                                         : t.widest_high_diameter * (was.multiprocessors - was.cluster_blocks) * blocks * all /
                                               (was.cluster_blocks * was.multiprocessors * (all - blocks));
  for (std::uint64_t* vertices :
       {&t.widest_async, &t.few_threads_vertices, &t.few_threads_vertices_relabelled, &t.more_threads_vertices_relabelled})
    *vertices = *vertices * all / was.multiprocessors;
  if (device.l2_bytes)  // some drivers do not say
    for (std::uint64_t* vertices :
         {&t.most_in_cache, &t.most_beside_cache, &t.most_for_eight_passes, &t.most_for_four_passes, &t.most_for_two_passes})
      *vertices = *vertices * device.l2_bytes / was.l2_bytes;
  return t;
}

inline thresholds::Device thresholds_of(const device::Properties& p) {
  const bool simulated = p.compute_major == 0;
  const bool h200_like = p.lanes == 32 && p.compute_major == 9 && p.compute_minor == 0 && p.multiprocessors == 132;
  return thresholds_for({.measured = (simulated || h200_like) && !p.limited,
                         .multiprocessors = static_cast<std::uint64_t>(std::max(p.multiprocessors, 1)),
                         .l2_bytes = p.l2_bytes,
                         .cluster_blocks = p.clusters ? static_cast<std::uint64_t>(p.largest_cluster) : 1u});
}
inline thresholds::Device thresholds_of(const device::Device& device) { return thresholds_of(device.properties()); }

}  // namespace hopwave::engine
