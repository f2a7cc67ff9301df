// Strongly connected components, the graph that they form, and topological generations.
#pragma once

#include <vector>

#include "hopwave/array.h"
#include "hopwave/graph.h"
#include "hopwave/types.h"
#include "hopwave/validate.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// Two vertices are in one component if each has a path to the other. Threads may read one together.
struct StrongComponents {
  Array<VertexId> label = {};  ///< one a vertex: the smallest vertex of its component (internal vertices)
  VertexId count = 0;
  VertexId largest_label = no_vertex;  ///< of equal ones the smallest; no_vertex without vertices
  VertexId largest_size = 0;
};

/// O(n + m) and twice a sweep: vertices without arcs in or out are trimmed in parallel, the component around the vertex with
/// the most ways through it is found by a search forwards and one backwards in parallel, the rest by Tarjan's algorithm on one
/// thread. The labels depend on the graph alone. Without the transpose (Graph::has_in) a small graph, or one thread, is left to
/// Tarjan's algorithm; else the transpose is made for the call.
/// `threads`: 0: all. Any number of threads may call it for one graph. Errors: HW-OPTION-THREADS, HW-MEMORY.
StrongComponents strong_components(const Graph& graph, int threads = 0);

/// The components as vertices, in ascending order of their labels, each with its label's id; an arc where any arc leads from
/// one to the other, once, without weights. A directed graph without a cycle. Errors: HW-RESULT-GRAPH (components of a graph
/// with another number of vertices, or labels that are none), HW-MEMORY.
Graph condensation(const Graph& graph, const StrongComponents& components);

/// generation[v]: the arcs on the longest path that ends in v, which has to be finite: a cycle or a self-loop is an error,
/// HW-GRAPH-CYCLE, as is every edge of an undirected graph. O(n + m). Errors: HW-MEMORY.
Array<VertexId> topological_generations(const Graph& graph);

/// Directed, and without a cycle or a self-loop; an undirected graph is one if it has no edges.
bool is_acyclic(const Graph& graph);

/// Is this the right answer? Every vertex reaches its label and is reached from it within the component, each label is the
/// smallest vertex, and the condensation has no cycle. O(n + m). Errors: HW-MEMORY.
Verdict validate(const Graph& graph, const StrongComponents& components);

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
