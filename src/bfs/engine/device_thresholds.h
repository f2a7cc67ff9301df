// The thresholds of a device.
#pragma once

#include <algorithm>

#include "bfs/engine/thresholds.h"
#include "device/device.h"

namespace hopwave::engine {

inline Thresholds thresholds_of(const device::Properties& p) {
  const bool simulated = p.compute_major == 0;
  const bool h200_like = p.lanes == 32 && p.compute_major == 9 && p.compute_minor == 0 && p.multiprocessors == 132;
  return thresholds_for({.measured = (simulated || h200_like) && !p.limited,
                         .multiprocessors = static_cast<std::uint64_t>(std::max(p.multiprocessors, 1)),
                         .l2_bytes = p.l2_bytes,
                         .cluster_blocks = p.clusters ? static_cast<std::uint64_t>(p.largest_cluster) : 1u});
}
inline Thresholds thresholds_of(const device::Device& device) { return thresholds_of(device.properties()); }

}  // namespace hopwave::engine
