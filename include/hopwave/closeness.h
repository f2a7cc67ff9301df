// Closeness of a vertex, and distances in a graph as a whole. By hops all values are computed from LevelCounts, which
// Searcher::count_levels() returns for any number of sources; by weights weighted_closeness() searches.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hopwave/graph.h"
#include "hopwave/level_counts.h"
#include "hopwave/shortest_paths.h"
#include "hopwave/types.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// Sums over the distances from one source.
struct SourceDistances {
  std::uint64_t reached = 0;  ///< vertices with a distance, the source included
  std::uint64_t sum = 0;      ///< sum of their distances
  double inverse_sum = 0;     ///< sum of 1 / distance: the harmonic centrality
  Distance eccentricity = 0;  ///< the greatest distance to a reached vertex
};
SourceDistances source_distances(const LevelCounts& counts);

/// Returns the closeness: (reached − 1) / sum, times (reached − 1) / (n − 1). The second factor lowers the value of
/// sources in small components (Wasserman & Faust, 1994, formula 5.22). 0 for a source that reaches no other vertex.
/// NetworkX has the same default, for distances towards a vertex: search along Direction::in.
double closeness(const SourceDistances& source, VertexId num_vertices);

/// Statistics over all sources that were added. With every vertex as a source they are those of the graph.
struct DistanceSummary {
  std::uint64_t sources = 0;
  /// pairs_at[d] is the number of pairs (source, vertex) at distance d; [0] counts the sources themselves.
  std::vector<std::uint64_t> pairs_at = {};
  /// The greatest and the least eccentricity, each among the vertices that its source reaches.
  Distance diameter = 0, radius = 0;

  void add(const LevelCounts& counts);
  /// Returns the number of pairs of a source and another vertex that it reaches.
  [[nodiscard]] std::uint64_t pairs() const noexcept;
  /// Returns the sum of the distances of all pairs: twice the Wiener index, if every vertex of an undirected graph is a
  /// source.
  [[nodiscard]] std::uint64_t sum() const noexcept;
  /// Returns the average distance over the pairs; 0 if there are none.
  [[nodiscard]] double average_distance() const noexcept;
  /// Returns the mean of 1 / distance over all sources and all other vertices; a pair without a path counts 0 (Latora &
  /// Marchiori, 2001).
  [[nodiscard]] double efficiency(VertexId num_vertices) const noexcept;
};

/// The same by weights. The sums are those of real numbers, compensated for rounding (Neumaier, 1974).
struct WeightedSourceDistances {
  std::uint64_t reached = 0;  ///< vertices with a distance, the source included
  double sum = 0;             ///< sum of their distances
  double inverse_sum = 0;     ///< sum of 1 / distance; a vertex at distance 0 does not count
  double eccentricity = 0;    ///< the greatest distance to a reached vertex
  friend bool operator==(const WeightedSourceDistances&, const WeightedSourceDistances&) = default;
};
double closeness(const WeightedSourceDistances& source, VertexId num_vertices);

/// Threads may read one at the same time.
struct WeightedCloseness {
  std::vector<WeightedSourceDistances> rows = {};  ///< of the first sources, in their order; all unless it ended early
  bool exact = true;                               ///< no distance and no sum of distances was rounded
  RunReport run = {};
};

/// Returns the sums over the distances by weight from each source: a search per source, by Dijkstra's algorithm on a CPU, one
/// per thread. Each sum is made in ascending order of distance, so that it is the same for every number of threads and every
/// device. An early end is not an error: see RunReport::end. Progress: "searches". `automatic` is the CPU.
/// Memory: that of WeightedSearcher::run_each(), and 32 bytes per source.
/// Errors: HW-QUERY-SOURCE, those of WeightedSearcher's constructor, HW-MEMORY, and HW-SSSP-WEIGHT for distances whose sum, or
/// sum of inverses, is beyond 1.8e308.
WeightedCloseness weighted_closeness(const Graph& graph, std::span<const VertexId> sources,
                                     const WeightedOptions& options = {});

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
