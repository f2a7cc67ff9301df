// Eccentricity of vertices, and with it diameter, radius, center and periphery of a graph, exactly and from few searches.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hopwave/array.h"
#include "hopwave/graph.h"
#include "hopwave/search.h"
#include "hopwave/types.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// What shall be known exactly. The searches end as soon as it is.
enum class EccentricityGoal {
  diameter,  ///< the greatest eccentricity: the cheapest
  radius,    ///< the least eccentricity
  figures,   ///< both of them, and which vertices have them: periphery and center
  every      ///< the eccentricity of every vertex
};

/// Of which component. An eccentricity is always the greatest distance to a vertex of one's own component.
enum class EccentricityScope {
  each,    ///< all vertices, each in its own component
  largest  ///< the vertices of the largest component; of equal ones that with the smallest vertex
};

/// Both ends included; equal where the figure is known.
struct DistanceRange {
  Distance lower = 0, upper = 0;
  friend bool operator==(const DistanceRange&, const DistanceRange&) = default;
};

/// What is known before a search.
struct EccentricityProgress {
  std::uint64_t searches = 0;  ///< done
  std::uint64_t open = 0;      ///< vertices of this component that may still need a search
  Distance diameter = 0;       ///< the longest shortest path seen
  Distance radius = -1;        ///< the least eccentricity seen in the largest component; −1: none yet
};

struct EccentricityOptions {
  EccentricityGoal goal = EccentricityGoal::every;
  EccentricityScope scope = EccentricityScope::each;
  /// How the searches run. `direction`: out, distances from a vertex; in, distances to it; both, directions are ignored.
  /// `limits` are of the whole call.
  SearchOptions search = {};
  std::uint64_t max_searches = ~std::uint64_t{0};  ///< at most so many
  /// Called before every search or pass of searches, by the calling thread; false ends the call. May be empty.
  std::function<bool(const EccentricityProgress&)> progress = {};
};

/// By internal vertex. Threads may read one together.
struct Eccentricities {
  /// Bounds of each vertex's eccentricity, equal where it is known; −1 outside the scope. EccentricityGoal::every makes all
  /// equal, the others some of them.
  Array<Distance> lower = {}, upper = {};
  DistanceRange diameter = {};  ///< the greatest eccentricity in the scope
  DistanceRange radius = {};    ///< the least eccentricity in the largest component, whatever the scope
  /// A shortest path from one to the other has diameter.lower hops; no_vertex in a graph without vertices, and where no
  /// search was made.
  VertexId from = no_vertex, to = no_vertex;
  VertexId central = no_vertex;  ///< has eccentricity radius.upper; no_vertex as above
  /// Vertices with eccentricity radius.upper in the largest component, and those with diameter.upper in the scope, ascending.
  /// Filled by EccentricityGoal::figures and ::every when `complete`.
  std::vector<VertexId> center = {}, periphery = {};
  VertexId components = 0;       ///< weakly connected ones
  VertexId largest = no_vertex;  ///< the smallest vertex of the largest component
  VertexId largest_size = 0;
  std::uint64_t searches = 0;
  bool complete = true;    ///< the goal is reached; else the bounds are what is known
  std::string ended = {};  ///< what ended the call early: HW-INTERRUPTED, HW-CANCELLED, HW-TIME-LIMIT or "searches"
  std::string strategy = {}, chosen = {};  ///< as Searcher::strategy() and RunStats::chosen; empty without a search
  DeviceKind device = DeviceKind::automatic;
  std::vector<std::string> notes = {};  ///< as Searcher::notes()
};

/// Each search bounds the eccentricities of all vertices (Takes & Kosters 2011, 2013). The next one starts where the greatest
/// upper or the least lower bound is, until what is asked for follows from the bounds. Vertices of degree 1 follow from their
/// neighbour. For the diameter, pairs of vertices around one centre are ruled out together (Bradley et al., F-Diam, 2025).
/// Where single searches settle few vertices, passes of up to 64 search from what is left.
/// Takes 25 bytes a vertex beyond the searches' memory, and 4 for the distances of the central vertex. Components of up to
/// 1,024 vertices, but for the largest, are searched by the calling thread, in time that depends on their own size; in a
/// directed graph with 4 bytes a vertex more, and with incoming arcs, which are made for the call if the graph has none. A
/// directed graph needs strongly connected components unless directions are ignored: HW-ECCENTRICITY-STRONG. An end before its
/// time is no error: `complete` is false then. Errors: HW-OPTION-VALUE, those of Searcher's constructor, and HW-MEMORY. What
/// `progress` throws comes out.
Eccentricities eccentricities(const Graph& graph, const EccentricityOptions& options = {});

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
