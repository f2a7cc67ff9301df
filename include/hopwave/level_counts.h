// How many vertices are how far from a source: what closeness, eccentricity, average distances and their like come from.
#pragma once

#include <cstdint>
#include <vector>

#include "hopwave/types.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// at[d]: vertices at distance d. The source makes at[0] 1, and the last is not 0.
struct LevelCounts {
  std::vector<std::uint64_t> at = {};

  /// Vertices with a distance, the source included.
  [[nodiscard]] std::uint64_t reached() const noexcept;
  /// The greatest distance: the source's eccentricity among those it reaches.
  [[nodiscard]] Distance depth() const noexcept { return at.empty() ? 0 : static_cast<Distance>(at.size() - 1); }
  /// All distances added up. Exact: at most 2³² vertices of distances below 2³¹.
  [[nodiscard]] std::uint64_t distance_sum() const noexcept;
  /// The sum of 1 / distance, nearest first: the same on every device, to the last bit.
  [[nodiscard]] double inverse_sum() const noexcept;
};

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
