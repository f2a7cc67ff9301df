// Strongly connected components, their condensation, and topological generations.
#pragma once

#include <cstdint>

#include "hopwave/array.h"
#include "hopwave/graph.h"
#include "hopwave/run.h"
#include "hopwave/types.h"
#include "hopwave/validate.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// Two vertices are in one component if each has a path to the other. Threads may read one at the same time.
struct StrongComponents {
  Array<VertexId> label = {};  ///< one per vertex: the smallest vertex of its component (internal vertices)
  VertexId count = 0;
  VertexId largest_label =
      no_vertex;  ///< label of the largest component; of equally large ones the smallest label; no_vertex without vertices
  VertexId largest_size = 0;
  std::uint64_t rounds = 0;  ///< on a device, for a directed graph: steps along the arcs, those of trimming included
  std::uint64_t spreads =
      0;  ///< number of times that the search spread numbers over the vertices left by trimming and by the two searches
  RunReport run = {};
};

struct StrongOptions {
  /// Rounds on a device after which the CPU takes over; 0: as many as take as long as the CPU would.
  std::uint64_t max_rounds = 0;
  RunOptions run = {};
};

/// Returns the strongly connected components. The labels depend only on the graph. O(n + m).
/// Method on the CPU: vertices without incoming or outgoing arcs are removed in parallel. A search forwards and one
/// backwards, both in parallel, find the component of the vertex with the most paths through it. Tarjan's algorithm on
/// one thread finds the rest. If the graph has no transpose (Graph::has_in), Tarjan's algorithm alone searches a small
/// graph, or any graph with one thread; otherwise the call builds the transpose.
/// Method on a GPU and in the simulator: trimming; the same two searches; for the rest, the greatest numbers that reach
/// a vertex and that it reaches, after ECL-SCC (Alabandi, Sands, Biros & Burtscher, SC 2023). Undirected graphs as in
/// connected_components(). If a directed graph needs too many rounds on a device (cycles in a long chain), the CPU
/// takes over, with a note. Device memory: offsets and arcs of both directions, 64 bytes per vertex and a quarter of a
/// byte per arc. `automatic` is the CPU. Progress: vertices whose component is known.
/// Threads may call it for one graph at the same time. Errors: HW-OPTION-VALUE, HW-OPTION-THREADS, HW-OPTION-SCHEDULE,
/// HW-OPTION-TIME-LIMIT, HW-INTERRUPTED, HW-CANCELLED, HW-TIME-LIMIT, HW-DEVICE-NONE, HW-DEVICE-…, HW-MEMORY.
StrongComponents strong_components(const Graph& graph, const StrongOptions& options = {});

/// Returns the graph of the components. Its vertices are the components, in ascending order of their labels, with the
/// labels' ids. It has an arc, once and without weight, where any arc leads from one component to another. It is
/// directed and has no cycle. Errors: HW-RESULT-GRAPH (components of a graph with another number of vertices, or
/// invalid labels), HW-OPTION-TIME-LIMIT, HW-INTERRUPTED, HW-CANCELLED, HW-TIME-LIMIT, HW-MEMORY.
/// This call and the two below run on the CPU, on one thread: device and threads of `run` have no effect. Progress: work.
Graph condensation(const Graph& graph, const StrongComponents& components, const RunOptions& run = {});
/// The same for components that the call finds itself; limits and progress cover both parts. Errors: those of
/// strong_components().
Graph condensation(const Graph& graph, const StrongOptions& options);

/// Returns each vertex's generation: the number of arcs on the longest path that ends in it. A cycle or a self-loop
/// makes that infinite and is the error HW-GRAPH-CYCLE, as is every edge of an undirected graph. O(n + m). Errors:
/// HW-OPTION-TIME-LIMIT, HW-INTERRUPTED, HW-CANCELLED, HW-TIME-LIMIT, HW-MEMORY.
Array<VertexId> topological_generations(const Graph& graph, const RunOptions& run = {});

/// Returns true if the graph is directed and has neither a cycle nor a self-loop; for an undirected graph, if it has no
/// edges. O(n + m). Errors: HW-OPTION-TIME-LIMIT, HW-INTERRUPTED, HW-CANCELLED, HW-TIME-LIMIT, HW-MEMORY.
bool is_acyclic(const Graph& graph, const RunOptions& run = {});

/// Returns whether this is the right answer. Within its component, every vertex must reach its label and be reached
/// from it; each label must be the smallest vertex; the condensation must have no cycle. O(n + m). Errors: HW-MEMORY.
Verdict validate(const Graph& graph, const StrongComponents& components);

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
