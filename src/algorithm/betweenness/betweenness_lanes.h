// Lanes of betweenness on the CPU: parts of the sources, each with sums of its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "bfs/plan/thresholds.h"

namespace hopwave::search_detail {

/// Bytes per vertex of a thread's own searches: one by levels (13), and a plain one (24) for the sources that it is not fit
/// for.
inline constexpr std::uint64_t bytes_of_a_search = 37;
/// The same by weights: distances, marks, paths, two orders and a heap that grows.
inline constexpr std::uint64_t bytes_of_a_weighted_search = 8 + 1 + 4 + 4 + 16 + 4 + 4 + 3 * 16;

/// `sums`: values of a lane. At most 256 MiB of them, or sixteen lanes if those are larger.
inline std::size_t count_lanes(std::uint64_t sums, std::uint64_t sources) {
  using thresholds::Betweenness;
  const std::size_t fit = Betweenness::lane_bytes / (8 * std::max<std::uint64_t>(sums, 1));
  return std::min<std::size_t>(std::max<std::uint64_t>(sources, 1),
                               std::clamp(fit, Betweenness::least_lanes, Betweenness::most_lanes));
}

}  // namespace hopwave::search_detail
