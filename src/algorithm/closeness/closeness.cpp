// Closeness and what else follows from counts of vertices per level.
#include "hopwave/closeness.h"

#include <algorithm>

namespace hopwave::inline v0_1 {

SourceDistances source_distances(const LevelCounts& counts) {
  return {counts.reached(), counts.distance_sum(), counts.inverse_sum(), counts.depth()};
}

double closeness(const SourceDistances& source, VertexId num_vertices) {
  if (source.sum == 0 || num_vertices < 2) return 0;
  const double others = static_cast<double>(source.reached - 1);
  return others / static_cast<double>(source.sum) * (others / (static_cast<double>(num_vertices) - 1));
}

void DistanceSummary::add(const LevelCounts& counts) {
  if (counts.at.empty()) return;
  const Distance depth = counts.depth();
  radius = sources == 0 ? depth : std::min(radius, depth);
  diameter = std::max(diameter, depth);
  ++sources;
  if (pairs_at.size() < counts.at.size()) pairs_at.resize(counts.at.size());
  for (std::size_t d = 0; d < counts.at.size(); ++d) pairs_at[d] += counts.at[d];
}
std::uint64_t DistanceSummary::pairs() const noexcept {
  return pairs_at.empty() ? 0 : LevelCounts{pairs_at}.reached() - pairs_at[0];
}
std::uint64_t DistanceSummary::sum() const noexcept { return LevelCounts{pairs_at}.distance_sum(); }

double DistanceSummary::average_distance() const noexcept {
  const std::uint64_t count = pairs();
  return count ? static_cast<double>(sum()) / static_cast<double>(count) : 0;
}
double DistanceSummary::efficiency(VertexId num_vertices) const noexcept {
  if (sources == 0 || num_vertices < 2) return 0;
  return LevelCounts{pairs_at}.inverse_sum() / (static_cast<double>(sources) * (static_cast<double>(num_vertices) - 1));
}

}  // namespace hopwave::inline v0_1
