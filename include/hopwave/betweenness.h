// Betweenness: how many shortest paths between other vertices pass through a vertex or an arc.
#pragma once

#include <cstdint>
#include <vector>

#include "hopwave/array.h"
#include "hopwave/graph.h"
#include "hopwave/run.h"
#include "hopwave/types.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

struct BetweennessOptions {
  std::vector<VertexId> sources =
      {};  ///< internal vertices at which paths begin; a repeated one counts as often as it occurs. Empty: all
  std::vector<VertexId> targets = {};  ///< internal vertices at which paths end; a repeated one counts once. Empty: all
  bool arcs = false;                   ///< also compute the betweenness of every arc
  bool endpoints = false;              ///< a path also counts for its first and its last vertex
  bool weights = false;                ///< paths with the least sum of weights, instead of those with the fewest arcs
  RunOptions run = {};                 ///< a GPU holds the graph and up to 64 searches
};

/// Threads may read one at the same time.
struct Betweenness {
  /// One value per vertex: the sum over all pairs (source, other target) of the share of their shortest paths that pass
  /// through the vertex. In an undirected graph both orders of a pair count.
  Array<double> vertex = {};
  Array<double> arc = {};     ///< the same with one value per arc, in the order of Graph::out(); empty unless asked for
  std::uint64_t sources = 0;  ///< number of searches included in the sums
  /// The greatest number of shortest paths between two vertices; infinite if a double cannot hold it. From 2^53 on,
  /// numbers of paths are rounded. The shares are always rounded: by about 2^−50, more if degrees or distances are
  /// great.
  double max_paths = 0;
  /// With weights: no sum along a path was rounded, so that paths of equal length were found equal. By hops always true.
  bool exact = true;
  RunReport run = {};
};

/// Returns the betweenness of all vertices, and of all arcs if asked for.
/// Brandes' algorithm (2001): a search from each source counts the shortest paths to every vertex, and a pass backwards
/// adds up the shares. On the CPU it is parallel over sources, or within a search if there are few sources or many
/// vertices. The sums are the same for any number of threads, bit by bit. On a GPU and in the simulator several
/// searches advance together, level by level. The sums are the same in every run there, and may differ from the CPU's
/// by rounding. A device needs the transpose of a directed graph (Graph::has_in), which the call builds if it is
/// missing. Parallel arcs count as separate paths. Self-loops and weights are ignored. Time O(sources · (n + m)).
/// Memory on the CPU: 13 bytes per vertex and thread, and 20 more for sources that need the plain search. In addition 8
/// bytes per vertex (and per arc) for each of at most 64 partial sums: at most 256 MiB together, but at least sixteen
/// partial sums. There are at most as many threads as partial sums. Memory on a device: the rows, the sums, and 36
/// bytes per vertex and search; as many searches run at the same time as fit into 16 million states.
/// With `weights` a search per thread goes by Dijkstra's algorithm, on the CPU alone. Two paths are equally long if their sums
/// in double, each rounded arc by arc from the source on, are the same number: for whole weights below 2^53 that is so if they
/// are equal, else see `exact`. An arc of infinite weight is never used. An arc of weight 0, or one too light to change the
/// sum, counts like any other; but where such arcs form a cycle that a path reaches, the number of paths has no meaning: error
/// HW-BETWEENNESS-ZERO. So it is for each edge of weight 0 in an undirected graph. Memory per thread: 61 bytes per vertex, and
/// a heap of up to 48.
/// An early end is not an error: see RunReport::end. The sums are then those of the sources that were searched.
/// `automatic` is the CPU. Progress: searches.
/// Errors: HW-QUERY-SOURCE and HW-QUERY-TARGET (not a vertex of the graph), HW-OPTION-THREADS, HW-OPTION-TIME-LIMIT,
/// HW-BETWEENNESS-DEVICE (weights on another device than the CPU), HW-BETWEENNESS-ZERO, HW-SSSP-WEIGHT (a negative weight or
/// NaN), HW-OPTION-VALUE, HW-OPTION-SCHEDULE, HW-DEVICE-NONE, HW-DEVICE-…, HW-MEMORY. Threads may call the function for one
/// graph at the same time.
Betweenness betweenness(const Graph& graph, const BetweennessOptions& options = {});

/// Factors by which the sums are multiplied.
struct BetweennessScale {
  double vertex = 1, arc = 1;
};

/// Returns the factors for sums of `sources` searches. `normalized`: betweenness becomes a share of all pairs, from 0
/// to 1. There are (n − 1)(n − 2) ordered pairs for a vertex, and n (n − 1) with endpoints and for an arc. Otherwise it
/// is a number of pairs, and an undirected graph counts a pair once. If `sources` is less than n, the factors contain n
/// / sources. The value of an undirected edge is the sum of its two arcs. A factor is 0 if there are no pairs.
BetweennessScale betweenness_scale(const Graph& graph, std::uint64_t sources, bool normalized, bool endpoints);

/// Returns the error bound of an estimate from `samples` sources, drawn at random without repetition among n vertices.
/// With a probability of 1 − risk, no vertex's normalized betweenness is farther from the true value (Hoeffding 1963
/// and a union bound, as in Brandes & Pich 2007). 0 if every vertex is a sample; never above 1. `risk` is between 0 and
/// 1, exclusive: HW-OPTION-VALUE.
double betweenness_error(VertexId num_vertices, std::uint64_t samples, double risk = 0.05);

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
