// Eccentricity of vertices; diameter, radius, center and periphery of a graph, by hops or by weights. All values are exact,
// and need few searches.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hopwave/array.h"
#include "hopwave/graph.h"
#include "hopwave/search.h"
#include "hopwave/shortest_paths.h"
#include "hopwave/types.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// What is to be known exactly. The searches end as soon as it is.
enum class EccentricityGoal {
  diameter,  ///< the greatest eccentricity: the fewest searches
  radius,    ///< the least eccentricity
  figures,   ///< diameter and radius, and the vertices that have them: periphery and center
  every      ///< the eccentricity of every vertex
};

/// The vertices for which it is to be known. An eccentricity is the greatest distance to a vertex of the same
/// component.
enum class EccentricityScope {
  each,    ///< all vertices, each within its own component
  largest  ///< the vertices of the largest component; of equally large ones the one with the smallest vertex
};

/// Bounds of a value, both inclusive; equal if the value is known.
struct DistanceRange {
  Distance lower = 0, upper = 0;
  friend bool operator==(const DistanceRange&, const DistanceRange&) = default;
};

struct EccentricityOptions {
  EccentricityGoal goal = EccentricityGoal::every;
  EccentricityScope scope = EccentricityScope::each;
  std::uint64_t max_searches = ~std::uint64_t{0};  ///< number of searches at most
  /// Options of the searches. `direction`: out, distances from a vertex; in, distances to it; both, arc directions are
  /// ignored. `search.run` holds for the whole call. Progress: "searches", before every search or pass of several.
  SearchOptions search = {};
};

/// Arrays are by internal vertex. Threads may read one at the same time.
struct Eccentricities {
  /// Bounds of each vertex's eccentricity, equal if it is known; −1 outside the scope. With EccentricityGoal::every all
  /// are equal, with the other goals some.
  Array<Distance> lower = {}, upper = {};
  DistanceRange diameter = {};  ///< the greatest eccentricity in the scope
  DistanceRange radius = {};    ///< the least eccentricity in the largest component, whatever the scope
  /// Ends of a shortest path with diameter.lower hops; no_vertex for a graph without vertices, and if there was no
  /// search.
  VertexId from = no_vertex, to = no_vertex;
  VertexId central = no_vertex;  ///< a vertex with eccentricity radius.upper; no_vertex as above
  /// Vertices with eccentricity radius.upper in the largest component, and vertices with eccentricity diameter.upper in
  /// the scope, both ascending. Filled by EccentricityGoal::figures and ::every if the call is complete.
  std::vector<VertexId> center = {}, periphery = {};
  VertexId components = 0;       ///< number of weakly connected components
  VertexId largest = no_vertex;  ///< the smallest vertex of the largest component
  VertexId largest_size = 0;
  std::uint64_t searches = 0;
  RunReport run = {};  ///< without a search, `strategy` is empty
};

/// Returns what `options.goal` asks for.
/// Method: each search bounds the eccentricities of all vertices (Takes & Kosters 2011, 2013). The next search starts
/// at the vertex with the greatest upper or the least lower bound, until the bounds determine the goal. Vertices of
/// degree 1 follow from their neighbour. For the diameter, pairs of vertices around one centre are excluded together
/// (Bradley et al., F-Diam, 2025). If single searches settle few vertices, passes of up to 64 searches start from the
/// remaining ones.
/// Memory: 25 bytes per vertex in addition to the searches' memory, and 4 for the distances of the central vertex.
/// Components of up to 1,024 vertices, except the largest, are searched by the calling thread, in time that depends on
/// their own size. In a directed graph that takes 4 bytes per vertex more, and incoming arcs, which the call builds if
/// the graph has none.
/// A directed graph needs strongly connected components unless directions are ignored: HW-ECCENTRICITY-STRONG. An early
/// end is not an error: see RunReport::end. The bounds are then what is known. Errors: HW-OPTION-VALUE, those of
/// Searcher's constructor, HW-MEMORY.
Eccentricities eccentricities(const Graph& graph, const EccentricityOptions& options = {});

// By weights. Distances, and which arcs have none, are as in WeightedSearcher: an arc of infinite weight joins no component.

struct WeightRange {
  double lower = 0, upper = 0;
  friend bool operator==(const WeightRange&, const WeightRange&) = default;
};

struct WeightedEccentricityOptions {
  EccentricityGoal goal = EccentricityGoal::every;
  EccentricityScope scope = EccentricityScope::each;
  std::uint64_t max_searches = ~std::uint64_t{0};  ///< number of searches at most
  /// Options of the searches. `automatic` is the CPU. Progress: "searches", without Step::longest.
  WeightedOptions search = {};
};

/// As Eccentricities. Threads may read one at the same time.
struct WeightedEccentricities {
  Array<double> lower = {}, upper = {};  ///< −1 outside the scope; an upper bound that is not known is no_path
  WeightRange diameter = {}, radius = {};
  VertexId from = no_vertex, to = no_vertex;  ///< `to` is at distance diameter.lower from `from`
  VertexId central = no_vertex;
  std::vector<VertexId> center = {}, periphery = {};
  VertexId components = 0;
  VertexId largest = no_vertex;
  VertexId largest_size = 0;
  std::uint64_t searches = 0;
  bool exact = true;  ///< no distance in the scope was rounded
  RunReport run = {};
};

/// Returns what `options.goal` asks for, to the last bit what a search from every vertex in `direction` finds.
/// Method: as above without the rules of degree 1 and of one centre. On a CPU each thread does one search by Dijkstra's
/// algorithm, and 1 to 64 searches, a quarter of those done before, share their bounds. Where sums of weights are rounded,
/// bounds are wider by what rounding may add, and do not determine a value: then EccentricityGoal::every searches from each
/// vertex, and
/// ::figures from each whose value rounding may make equal to diameter or radius. All vertices of a component whose
/// squared size is at most the graph's are searched from, except in the largest one. In others, a directed graph takes two
/// searches per vertex. Memory: 24 bytes per vertex in addition to the searches' memory (WeightedSearcher::run_each(); twice in
/// a directed graph), and if there are arcs of infinite weight, a graph of the others. An early end is not an error: see
/// RunReport::end. Errors: HW-OPTION-VALUE, HW-ECCENTRICITY-STRONG, those of WeightedSearcher's constructor, HW-MEMORY, and
/// HW-SSSP-WEIGHT for a path whose length is beyond 1.8e308.
WeightedEccentricities weighted_eccentricities(const Graph& graph, const WeightedEccentricityOptions& options = {});

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
