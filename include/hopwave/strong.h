// Strongly connected components, the graph that they form, and topological generations.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hopwave/array.h"
#include "hopwave/device.h"
#include "hopwave/graph.h"
#include "hopwave/limits.h"
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

struct StrongOptions {
  /// `automatic`: a GPU if one can be used, else the CPU. A GPU pays where the graph is large: it has to be copied there.
  DeviceKind device = DeviceKind::cpu;
  int threads = 0;  ///< on the CPU; 0: all
  DeviceOptions on = {};
  std::uint64_t seed = 1;                         ///< schedule of the simulator
  ScheduleKind schedule = ScheduleKind::uniform;  ///< other kinds: HW-OPTION-SCHEDULE unless in the simulator
  std::uint64_t most_rounds = 0;  ///< on a device, after which the CPU takes over; 0: those that take as long as the CPU
  Limits limits = {};             ///< of the whole call; `partial` has no meaning: there is no part of an answer
  /// Called now and then by the calling thread with the vertices whose component is known, and all; false ends the call with
  /// HW-INTERRUPTED. May be empty.
  std::function<bool(std::uint64_t done, std::uint64_t total)> progress = {};
};

struct StrongFound {
  StrongComponents components = {};
  DeviceKind device = DeviceKind::cpu;  ///< where they were found
  double search_ms = 0;                 ///< the labels: device events on a GPU, wall clock on a CPU, or the sum of both
  double copy_seconds = 0;              ///< the graph to the device, and incoming arcs where the graph has none
  std::uint64_t rounds = 0;             ///< on a device, of a directed graph: steps along the arcs, trimming included
  std::uint64_t spreads = 0;            ///< and how often numbers were spread for what trimming and the searches had left
  std::vector<std::string> notes = {};  ///< e.g. "no GPU: using the CPU"
};

/// The same on a device of choice: the labels do not depend on it. On a GPU and in the simulator: trimming, a search forwards
/// and one backwards from the vertex with the most ways through it, and for the rest the greatest numbers that reach a vertex
/// and that it reaches, after ECL-SCC (Alabandi, Sands, Biros & Burtscher, SC 2023); undirected graphs as
/// connected_components(). A directed graph on which a device takes more rounds than it pays (cycles in a long chain) is left
/// to the CPU, with a note. Device memory: offsets and arcs of both directions, 64 bytes a vertex and a quarter of a byte an
/// arc. Any number of threads may call it for one graph. Errors: HW-OPTION-VALUE, HW-OPTION-THREADS, HW-OPTION-SCHEDULE,
/// HW-OPTION-TIME-LIMIT, HW-INTERRUPTED, HW-CANCELLED, HW-TIME-LIMIT, HW-DEVICE-NONE, HW-DEVICE-…, HW-MEMORY. What `progress`
/// throws comes out.
StrongFound strong_components(const Graph& graph, const StrongOptions& options);

/// Of the calls below.
struct WorkOptions {
  Limits limits = {};  ///< of the whole call; `partial` has no meaning: there is no part of an answer
  /// Called now and then by the calling thread with units of work done and in all; false ends the call with HW-INTERRUPTED.
  /// May be empty. What it throws comes out.
  std::function<bool(std::uint64_t done, std::uint64_t total)> progress = {};
};

/// The components as vertices, in ascending order of their labels, each with its label's id; an arc where any arc leads from
/// one to the other, once, without weights. A directed graph without a cycle. Errors: HW-RESULT-GRAPH (components of a graph
/// with another number of vertices, or labels that are none), HW-OPTION-TIME-LIMIT, HW-INTERRUPTED, HW-CANCELLED,
/// HW-TIME-LIMIT, HW-MEMORY.
Graph condensation(const Graph& graph, const StrongComponents& components, const WorkOptions& options = {});
/// The same of components that the call finds itself: limits and progress are of both. Errors: those of strong_components().
Graph condensation(const Graph& graph, const StrongOptions& options);

/// generation[v]: the arcs on the longest path that ends in v, which has to be finite: a cycle or a self-loop is an error,
/// HW-GRAPH-CYCLE, as is every edge of an undirected graph. O(n + m). Errors: HW-OPTION-TIME-LIMIT, HW-INTERRUPTED,
/// HW-CANCELLED, HW-TIME-LIMIT, HW-MEMORY.
Array<VertexId> topological_generations(const Graph& graph, const WorkOptions& options = {});

/// Directed, and without a cycle or a self-loop; an undirected graph is one if it has no edges. O(n + m). Errors:
/// HW-OPTION-TIME-LIMIT, HW-INTERRUPTED, HW-CANCELLED, HW-TIME-LIMIT, HW-MEMORY.
bool is_acyclic(const Graph& graph, const WorkOptions& options = {});

/// Is this the right answer? Every vertex reaches its label and is reached from it within the component, each label is the
/// smallest vertex, and the condensation has no cycle. O(n + m). Errors: HW-MEMORY.
Verdict validate(const Graph& graph, const StrongComponents& components);

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
