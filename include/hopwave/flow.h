// Maximum flow from one vertex to another, and the minimum cut between them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hopwave/array.h"
#include "hopwave/graph.h"
#include "hopwave/run.h"
#include "hopwave/types.h"
#include "hopwave/validate.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

struct FlowOptions {
  /// "auto", "edmonds-karp", "dinic" (CPU) or "push-relabel" (CPU, GPU, simulator).
  std::string strategy = "auto";
  bool paths = false;  ///< fill Flow::paths; with "edmonds-karp" alone: HW-OPTION-VALUE
  RunOptions run = {};
};

/// A path that a search found, and how much was sent along it.
struct FlowPath {
  std::vector<VertexId> vertices = {};  ///< from the source to the target
  std::int64_t amount = 0;
};

/// Threads may read one together.
struct Flow {
  VertexId source = 0, target = 0;  ///< the ends that the caller, or the graph, named
  std::int64_t value = 0;           ///< what leaves the source and arrives at the target
  Array<std::int64_t> arc = {};     ///< one per arc in the order of Graph::out(): from 0 to its capacity
  /// One per vertex: 1 for those that more flow could reach from the source. The arcs from them to the others are a minimum
  /// cut. It is the same for every maximum flow, hence for every strategy and device.
  Array<std::uint8_t> source_side = {};
  VertexId source_side_size = 0;
  std::uint64_t cut_arcs = 0;        ///< arcs from the source's side to the other one, with a capacity above 0
  std::uint64_t searches = 0;        ///< breadth-first searches: for paths, levels, or heights (global relabelling)
  std::uint64_t pushes = 0;          ///< along single arcs; of "edmonds-karp" and "dinic" those along paths
  std::vector<FlowPath> paths = {};  ///< in order, if asked for
  RunReport run = {};  ///< `work`: the flow and the cut; on a device with copying the residual network there and back
};

/// Returns the vertex that the graph's input names as the target of a flow: a DIMACS problem (p max) in a line n ID t, and
/// generators of networks. It reads what the read report's `details` state about the flow; a .hwg keeps them. The source is
/// Graph::default_source().
std::optional<VertexId> default_target(const Graph& graph);
/// Returns whether the graph has a default_target() and lacks parallel arcs, whose capacities add up, so that its input should
/// be read once more, with BuildOptions::keep_duplicates. Standard input and pipes cannot be: false.
bool lost_capacities(const Graph& graph);

/// The capacities are the graph's weights: whole numbers of 0 or more, exact up to 2^63 − 1; 1 for every arc where it has none.
/// Capacities of parallel arcs add up. An undirected edge carries up to its capacity in either direction. Self-loops carry
/// nothing. Internal vertices; no_vertex: the end that the graph names (default_source(), default_target()).
/// "edmonds-karp": a breadth-first search for each path (Edmonds & Karp 1972); "dinic": searches for levels, and paths along
/// them (Dinic 1970); "push-relabel": Goldberg & Tarjan 1988, on one thread with the highest active vertex first, gaps and
/// global relabelling (Cherkassky & Goldberg 1997), on several threads and on a device in rounds that push and then relabel all
/// active vertices. "auto": push-relabel; on the CPU by one thread, which takes less time than several (docs/flow.md), and
/// edmonds-karp where `paths` are asked for.
/// Memory: 28 bytes per arc and direction, 40 per vertex, and the incoming arcs of a directed graph that has none.
/// A note in `run` states how many parallel arcs the graph has lost, if it was built without them.
/// Errors: HW-QUERY-SOURCE, HW-QUERY-TARGET (none, no vertex of the graph, or the source), HW-FLOW-CAPACITY (a weight that is
/// negative or not whole), HW-FLOW-SUM (capacities that add up to 2^63 or more at the source, at the target or between two
/// vertices), HW-STRATEGY-UNKNOWN, HW-STRATEGY-DEVICE, HW-OPTION-VALUE, HW-OPTION-THREADS, HW-OPTION-SCHEDULE,
/// HW-OPTION-TIME-LIMIT, HW-INTERRUPTED, HW-CANCELLED, HW-TIME-LIMIT, HW-DEVICE-NONE, HW-DEVICE-…, HW-MEMORY.
/// `automatic` is the CPU: which device is faster depends on the network (docs/flow.md). Progress: "flow" that has arrived, of
/// the most that can. Threads may call it for one graph at the same time.
Flow max_flow(const Graph& graph, VertexId source, VertexId target, const FlowOptions& options = {});

/// Returns whether this is a maximum flow, with its minimum cut, in O(n + m). Each arc's flow is from 0 to its capacity. What
/// enters a vertex leaves it. The value leaves the source and arrives at the target. The capacity of the cut is the value: so
/// no flow is greater, and no cut is smaller. Threads may call it at the same time. Rules: "size", "capacity", "conservation",
/// "value", "cut". The ends are those of max_flow().
Verdict validate(const Graph& graph, VertexId source, VertexId target, const Flow& flow);

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
