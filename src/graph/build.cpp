// Edge list → Graph: checks the list, chooses directions, calls make_rows to sort, and fills the report.
#include "graph/build.h"

#include <string>

#include "core/parallel.h"
#include "core/stopwatch.h"
#include "graph/arrays.h"
#include "graph/rows.h"
#include "graph/two_weights.h"
#include "hopwave/error.h"
#include "hopwave/graph.h"

namespace hopwave::graph {
namespace {

constexpr std::size_t build_grain = std::size_t{1} << 18;

[[noreturn]] void refuse_edge(const Edge& edge, VertexId num_vertices) {
  throw Error({.failure = Failure::input,
               .id = "HW-GRAPH-LIST",
               .found = "edge " + std::to_string(edge.source) + " to " + std::to_string(edge.target) + " in a list of " +
                        std::to_string(num_vertices) + " vertices",
               .expected = "ends below the number of vertices"});
}

}  // namespace

Graph build_on_cpu(EdgeList list, const BuildOptions& options, const RunOptions& run) {
  const core::Stopwatch watch;
  Team team(list.edges.size() < build_grain && run.threads == 0 ? 1 : run.threads);
  check_list(list);
  const bool directed = list.directed && !options.make_undirected;
  const bool mirror = !directed && !(list.both_directions && !list.directed);
  if (!options.keep_weights) list.weights = {};

  ListedArcs arcs(std::move(list.edges), std::move(list.weights), mirror);
  list.edges = {}, list.weights = {};
  const bool build_in = directed && options.build_in;
  const std::uint64_t work = row_work(arcs.items());
  core::Reporter reporter(run.progress, work * (build_in ? 2 : 1), "arcs");
  RowCounts counts;
  Adjacency out = make_rows(team, list.num_vertices, arcs,
                            {.keep_duplicates = options.keep_duplicates,
                             .keep_self_loops = options.keep_self_loops,
                             .check_symmetry = !directed && !mirror},
                            counts, &reporter);
  if (counts.bad != RowCounts::none) refuse_edge(arcs.edge(counts.bad), list.num_vertices);
  if (!counts.symmetric)
    throw Error({.failure = Failure::input,
                 .id = "HW-GRAPH-SYMMETRY",
                 .where = {.file = list.report.source},
                 .found = "an undirected graph that lists some edges in one direction only",
                 .expected = "every edge in both directions",
                 .hint = "read it as directed, or as an edge list with --undirected"});

  if (!directed && !mirror && !out.weights.empty()) check_weights(team, out, list.ids, list.report.source);
  std::optional<Adjacency> in;
  if (build_in) {
    // The transpose has no dropped arcs.
    if (const std::uint64_t dropped = work - row_work(out.neighbors.size()); dropped > 0) reporter.add(dropped, 0);
    in = reversed(team, list.num_vertices, out, &reporter);
  }
  Graph graph = Graph::trusted(list.num_vertices, directed, std::move(out), std::move(in), std::move(list.ids));
  graph.set_read_report(std::move(list.report));
  graph.set_default_source(list.default_source);
  graph.set_build_report({.arcs_in = counts.arcs,
                          .duplicates = counts.duplicates,
                          .self_loops = counts.self_loops,
                          .duplicates_kept = options.keep_duplicates,
                          .self_loops_kept = options.keep_self_loops,
                          .time = watch.elapsed()});
  return graph;
}

}  // namespace hopwave::graph
