// Statistics from numbers of vertices per level.
#include "hopwave/level_counts.h"

namespace hopwave::inline v0_1 {

std::uint64_t LevelCounts::reached() const noexcept {
  std::uint64_t sum = 0;
  for (const std::uint64_t count : at) sum += count;
  return sum;
}
std::uint64_t LevelCounts::distance_sum() const noexcept {
  std::uint64_t sum = 0;
  for (std::size_t d = 1; d < at.size(); ++d) sum += d * at[d];
  return sum;
}
double LevelCounts::inverse_sum() const noexcept {
  double sum = 0;
  for (std::size_t d = 1; d < at.size(); ++d) sum += static_cast<double>(at[d]) / static_cast<double>(d);
  return sum;
}

}  // namespace hopwave::inline v0_1
