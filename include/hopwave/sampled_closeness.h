// Closeness of every vertex, estimated from the distances to a few vertices chosen at random, with error bounds.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hopwave/array.h"
#include "hopwave/closeness.h"
#include "hopwave/graph.h"
#include "hopwave/search.h"
#include "hopwave/types.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// Returns `count` different vertices of 0 … n − 1, in the order in which they were drawn: every vertex has the same
/// probability at every position. A smaller count with the same seed gives the first of these. Returns all n vertices
/// if count is greater.
std::vector<VertexId> drawn_vertices(VertexId num_vertices, std::uint64_t count, std::uint64_t seed);

/// Returns an error bound for means of samples: `samples` values between 0 and 1 are drawn without repetition, for each
/// of n vertices. With a probability of 1 − risk, no vertex's mean of them is farther than the bound from the mean of
/// all its values (Hoeffding 1963 and a union bound). 0 if every vertex is drawn; never above 1. `risk` is between 0
/// and 1, exclusive: HW-OPTION-VALUE.
double sampling_error(VertexId num_vertices, std::uint64_t samples, double risk = 0.05);

/// Sums over the searches from the pivots, by internal vertex. The searches run against the arcs if distances follow
/// them. A plain value: if the caller keeps it, a later call can continue from it.
struct PivotSums {
  std::vector<SourceDistances> pivot = {};  ///< distances of all other vertices to each searched pivot, in the pivots' order
  Array<std::uint32_t> met = {};            ///< number of pivots other than the vertex itself that it reaches
  Array<std::uint64_t> sum = {};            ///< sum of its distances to them
  Array<double> inverse_sum = {};           ///< sum of 1 / distance, in the order of the pivots
  Array<Distance> longest = {};             ///< upper bound of the distance to any vertex that it reaches
};

struct SampledClosenessOptions {
  std::uint64_t samples = 0;  ///< number of pivots, at least one. With as many as vertices or more, the values are exact
  double risk = 0.05;         ///< probability that an error exceeds its bound, for each value
  /// Options of the searches. `direction`: out, distances from a vertex; in, distances to it; both, arc directions are
  /// ignored. `search.run` holds for the whole call; its `seed` chooses the pivots. Progress: "searches", of the pivots.
  SearchOptions search = {};
  PivotSums begun = {};  ///< sums of an earlier call with the same graph, seed and direction; its pivots are not searched again
};

/// Arrays are by internal vertex. Each error holds for all vertices at once: with a probability of 1 − risk no value is
/// farther from the true one. Threads may read one at the same time.
struct SampledCloseness {
  Array<double> closeness = {}, closeness_error = {};  ///< as closeness() of exact distances
  Array<double> harmonic = {}, harmonic_error = {};    ///< the sum of 1 / distance
  Array<double> average = {},
                average_error = {};  ///< average distance to the vertices that it reaches; 0 if it reaches no pivot
  Array<double> reached = {};        ///< number of vertices reached, itself included; exact if directions are ignored
  /// For the graph: the average distance over all pairs of a vertex and another that it reaches, and the mean of 1 /
  /// distance over all pairs.
  double average_distance = 0, average_distance_error = 0, efficiency = 0, efficiency_error = 0;
  Distance seen = 0;  ///< the greatest distance found
  /// No distance is greater. If directions count, this is known only if a search from the first pivot reaches every
  /// vertex; otherwise it is n − 1, and the errors of averages are of little use.
  Distance longest = 0;
  std::uint64_t pivots = 0;  ///< number of pivots in the sums
  double risk = 0;
  RunReport run = {};  ///< if the call ended early, values and errors are those of the searched pivots
  PivotSums sums = {};
};

/// Returns estimates of closeness, harmonic centrality and average distance for every vertex.
/// Method: Eppstein & Wang (2004). A search from each pivot gives the distance of every vertex to it, and the mean over
/// the pivots estimates the mean over all vertices. If directions are ignored, component sizes are known, a vertex is
/// estimated from the pivots of its component, and the pivots' own values are exact. Error bounds are Hoeffding's. For
/// distances they need the longest distance, which is bounded by paths through a pivot.
/// Pivots come in random order, so an early end leaves estimates from fewer pivots; it is not an error. The sums depend
/// only on the graph and the pivots, not on devices, strategy or threads. Up to 64 pivots share a pass
/// (Searcher::run_each).
/// Time O(samples · (n + m)), less if passes pay off. Memory in addition to the searches': 24 bytes per vertex for the
/// sums, 56 for the result. Each GPU (also those of RunOptions::replicas) keeps its sums in its own memory, 24 bytes
/// per vertex, and progress is reported after each pass. Without that memory, distances are copied to the host (a note
/// states this).
/// Errors: HW-OPTION-VALUE (no samples, a risk outside 0 … 1, sums of another graph), those of Searcher's constructor,
/// HW-MEMORY. Threads may call it for one graph at the same time.
SampledCloseness sampled_closeness(const Graph& graph, SampledClosenessOptions options);

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
