// Closeness of every vertex, estimated from the distances to a few that are drawn at random, with how far off it may be.
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

/// `count` vertices of 0 … n − 1, none twice, in the order of the draw: every vertex has the same chance at every place. Fewer
/// of the same seed are the first of these. All n where count is greater.
std::vector<VertexId> drawn_vertices(VertexId num_vertices, std::uint64_t count, std::uint64_t seed);

/// `samples` values between 0 and 1 are drawn without repetition, for each of n vertices. With a probability of 1 − risk no
/// vertex's mean of them is farther than this from the mean of all its values (Hoeffding 1963 and a union bound). 0 where every
/// vertex is drawn; 1 at most. `risk` is above 0 and below 1: HW-OPTION-VALUE.
double sampling_error(VertexId num_vertices, std::uint64_t samples, double risk = 0.05);

/// What searches from pivots, against the arcs where distances go along them, add up to. By internal vertex. A plain value:
/// kept, it lets a later call go on.
struct PivotSums {
  std::vector<SourceDistances> pivot = {};  ///< of the pivots searched from, in their order: the distances of all others to it
  Array<std::uint32_t> met = {};            ///< pivots other than the vertex itself that it reaches
  Array<std::uint64_t> sum = {};            ///< of its distances to them
  Array<double> inverse_sum = {};           ///< of 1 / distance, in the order of the pivots
  Array<Distance> longest = {};             ///< no vertex that it reaches is farther
};

struct SampledClosenessOptions {
  std::uint64_t samples = 0;  ///< pivots; at least one. As many as vertices, or more: the figures are exact
  std::uint64_t seed = 1;     ///< of the draw
  double risk = 0.05;         ///< that an error is greater than told, for each figure
  /// How the searches run. `direction`: out, distances from a vertex; in, distances to it; both, directions are ignored.
  /// `limits` are of the whole call.
  SearchOptions search = {};
  PivotSums begun = {};  ///< of an earlier call with the same graph, seed and direction; its pivots are not searched again
  /// Called now and then by the calling thread with the pivots done and those to do; false ends the call. May be empty.
  std::function<bool(std::uint64_t done, std::uint64_t total)> progress = {};
};

/// Arrays are by internal vertex. Each error is for all vertices at once: with a probability of 1 − risk none of them is
/// farther from the truth. Threads may read one together.
struct SampledCloseness {
  Array<double> closeness = {}, closeness_error = {};  ///< as closeness() of exact distances
  Array<double> harmonic = {}, harmonic_error = {};    ///< the sum of 1 / distance
  Array<double> average = {}, average_error = {};      ///< distance to the vertices that it reaches; 0 where none was met
  Array<double> reached = {};                          ///< itself included; exact where directions play no part
  /// Of the graph, over all pairs of a vertex and another that it reaches; and the mean of 1 / distance over all pairs.
  double average_distance = 0, average_distance_error = 0, efficiency = 0, efficiency_error = 0;
  Distance seen = 0;  ///< the greatest distance met
  /// No distance is greater. Where directions count this is known only if a search from the first pivot reaches every vertex;
  /// else it is n − 1, and errors of averages say little.
  Distance longest = 0;
  std::uint64_t pivots = 0;  ///< that are in the sums
  double risk = 0;
  bool complete = true;                    ///< all pivots were searched; else the figures and errors are of those that were
  std::string ended = {};                  ///< what ended the call early: HW-INTERRUPTED, HW-CANCELLED or HW-TIME-LIMIT
  std::string strategy = {}, chosen = {};  ///< as Searcher::strategy() and RunStats::chosen; empty without a search
  DeviceKind device = DeviceKind::automatic;
  double search_ms = 0;                 ///< of the searches, as RunStats::search_ms
  std::vector<std::string> notes = {};  ///< as Searcher::notes()
  PivotSums sums = {};
};

/// Eppstein & Wang (2004): a search from each pivot gives the distance of every vertex to it, and their mean estimates that to
/// all. Where directions play no part, component sizes are known, a vertex is estimated from the pivots of its component, and
/// the pivots' own figures are exact. Errors are Hoeffding's. For distances they need the longest one: a vertex is no farther
/// from any other than by way of a pivot.
/// Pivots come in random order, so an end before its time leaves estimates from fewer of them; it is no error. The sums depend
/// on the graph and the pivots alone, not on devices, strategy or threads. Up to 64 pivots share a pass (Searcher::run_each).
/// Time O(samples · (n + m)), less where passes pay. Memory beyond the searches': 24 bytes a vertex for the sums, 56 for the
/// result. A GPU, or each of several (SearchOptions::replicas), makes sums in 24 bytes a vertex of its own memory, and
/// `progress` is asked after each pass; without that memory distances come to the host (a note says so). Errors:
/// HW-OPTION-VALUE (no samples, a risk outside 0 … 1, sums of another graph), those of Searcher's constructor, HW-MEMORY. What
/// `progress` throws comes out.
/// Any number of threads may call it for one graph.
SampledCloseness sampled_closeness(const Graph& graph, SampledClosenessOptions options);

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
