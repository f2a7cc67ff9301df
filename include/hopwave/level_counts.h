// How many vertices are at each distance from a source. Closeness, eccentricity and average distances are computed from
// it.
#pragma once

#include <cstdint>
#include <vector>

#include "hopwave/types.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// at[d] is the number of vertices at distance d. With one source at[0] is 1. The last value is not 0.
struct LevelCounts {
  std::vector<std::uint64_t> at = {};

  /// Returns the number of vertices with a distance, the source included.
  [[nodiscard]] std::uint64_t reached() const noexcept;
  /// Returns the greatest distance: the source's eccentricity among the vertices that it reaches.
  [[nodiscard]] Distance depth() const noexcept { return at.empty() ? 0 : static_cast<Distance>(at.size() - 1); }
  /// Returns the sum of all distances. It is exact: at most 2³² vertices at distances below 2³¹.
  [[nodiscard]] std::uint64_t distance_sum() const noexcept;
  /// Returns the sum of 1 / distance, added nearest first: the same on every device, to the last bit.
  [[nodiscard]] double inverse_sum() const noexcept;
};

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
