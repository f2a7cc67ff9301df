// Traces of every strategy in the simulator: arcs looked at are counted again here, step by step, from the distances.
#include <gtest/gtest.h>

#include <string_view>

#include "hopwave/search.h"
#include "support/agreement.h"
#include "support/graphs.h"

namespace hopwave::testing {
namespace of_trace_test {

/// Arcs that lead out of a level.
std::uint64_t arcs_of_push(const Graph& graph, std::span<const Distance> distances, Distance level) {
  std::uint64_t arcs = 0;
  for (VertexId v = 0; v < graph.num_vertices(); ++v)
    if (distances[v] == level - 1) arcs += graph.out_neighbors(v).size();
  return arcs;
}

/// Arcs that a pull looks at: of every vertex that has no distance yet, up to the first neighbour in the level before.
std::uint64_t arcs_of_pull(const Graph& graph, std::span<const Distance> distances, Distance level) {
  std::uint64_t arcs = 0;
  for (VertexId v = 0; v < graph.num_vertices(); ++v) {
    if (distances[v] >= 0 && distances[v] < level) continue;
    for (const VertexId u : graph.in_neighbors(v)) {
      ++arcs;
      if (distances[u] == level - 1) break;
    }
  }
  return arcs;
}

void expect_counts(const Graph& graph, const Result& result, const std::string& name) {
  for (const LevelTrace& t : result.run.trace) {
    const std::string_view how = t.direction;
    const std::string where = name + ", level " + std::to_string(t.level) + ", " + std::string(how);
    const auto distances = result.distance.span();
    if (how == "push")
      EXPECT_EQ(t.edges, arcs_of_push(graph, distances, t.level)) << where;
    else if (how == "pull")
      EXPECT_EQ(t.edges, arcs_of_pull(graph, distances, t.level)) << where;
    else
      EXPECT_EQ(t.edges, graph.num_arcs()) << where;
  }
}

TEST(Traces, CountTheArcsOfEveryStep) {
  for (const TestGraph& test :
       {textbook_graph(), grid(7, 8), chain(40), star(70), random_graph(5, 150), random_graph(6, 150), random_graph(9, 150)}) {
    const Graph graph = build(test, true, true);
    for (const StrategyInfo& info : strategies()) {
      if (info.device != "gpu") continue;
      Searcher searcher(graph, {.strategy = std::string(info.name), .trace = true, .run = {.device = DeviceKind::sim}});
      for (const VertexId source : {VertexId{0}, test.num_vertices / 2}) {
        const Result result = searcher.run({.sources = {source}});
        const std::string where = std::string(info.name) + " on " + test.name + " from " + std::to_string(source);
        EXPECT_FALSE(result.run.trace.empty()) << where;
        expect_agrees(result, true);
        ASSERT_FALSE(HasFatalFailure()) << where;
        expect_counts(graph, result, where);
      }
    }
  }
}

}  // namespace of_trace_test
}  // namespace hopwave::testing
