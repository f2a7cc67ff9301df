// How close a vertex is to the others, and how far apart the vertices of a graph are: figures from LevelCounts, which
// Searcher::count_levels() gives for any number of sources.
#pragma once

#include <cstdint>
#include <vector>

#include "hopwave/level_counts.h"
#include "hopwave/types.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// What the counts of one source come to.
struct SourceDistances {
  std::uint64_t reached = 0;  ///< vertices with a distance, the source included
  std::uint64_t sum = 0;      ///< of their distances
  double inverse_sum = 0;     ///< of 1 / distance: the harmonic centrality
  Distance eccentricity = 0;  ///< the greatest distance to a vertex that is reached
};
SourceDistances source_distances(const LevelCounts& counts);

/// (reached − 1) / sum, times (reached − 1) / (n − 1): the second factor makes sources in small components less close
/// (Wasserman & Faust, 1994, formula 5.22). 0 for a source that reaches nothing. NetworkX has the same by default, of the
/// distances towards a vertex: search along Direction::in.
double closeness(const SourceDistances& source, VertexId num_vertices);

/// Of all sources that were added. With every vertex as a source these are the figures of the graph.
struct DistanceSummary {
  std::uint64_t sources = 0;
  /// pairs_at[d]: pairs (source, vertex) at distance d; [0] counts the sources themselves.
  std::vector<std::uint64_t> pairs_at = {};
  /// The greatest and the least eccentricity, each among what its source reaches.
  Distance diameter = 0, radius = 0;

  void add(const LevelCounts& counts);
  /// Pairs of a source and another vertex that it reaches.
  [[nodiscard]] std::uint64_t pairs() const noexcept;
  /// Of the distances of all pairs: in an undirected graph with every vertex as a source twice the Wiener index.
  [[nodiscard]] std::uint64_t sum() const noexcept;
  /// Over the pairs; 0 where there are none.
  [[nodiscard]] double average_distance() const noexcept;
  /// The mean of 1 / distance over all sources and all other vertices, 0 for those without a path (Latora & Marchiori, 2001).
  [[nodiscard]] double efficiency(VertexId num_vertices) const noexcept;
};

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
