// Bidirectional paths against plain distances: every pair of small graphs, walked arc by arc.
#include "hopwave/path.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "support/error_id.h"

namespace hopwave {
namespace of_path_test {

bool is_arc(const Graph& graph, VertexId u, VertexId v, Direction direction) {
  const auto has = [&](VertexId a, VertexId b) {
    const auto row = graph.out_neighbors(a);
    return std::find(row.begin(), row.end(), b) != row.end();
  };
  return (direction != Direction::in && has(u, v)) || (direction != Direction::out && has(v, u));
}

void check_all_pairs(const Graph& graph, Direction direction) {
  for (VertexId from = 0; from < graph.num_vertices(); ++from) {
    const Result result =
        search(graph, {.sources = {from}}, {.strategy = "cpu-sequential", .direction = direction, .run = {.threads = 1}});
    for (VertexId to = 0; to < graph.num_vertices(); ++to) {
      const Path path = shortest_path(graph, from, to, {.direction = direction});
      ASSERT_EQ(path.length, result.distance[to]) << from << " to " << to;
      ASSERT_EQ(path.found, path.length != unreached);
      if (!path.found) {
        ASSERT_TRUE(path.vertices.empty());
        continue;
      }
      ASSERT_EQ(path.vertices.front(), from);
      ASSERT_EQ(path.vertices.back(), to);
      ASSERT_EQ(path.vertices.size(), static_cast<std::size_t>(path.length) + 1);
      for (std::size_t i = 1; i < path.vertices.size(); ++i)
        ASSERT_TRUE(is_arc(graph, path.vertices[i - 1], path.vertices[i], direction)) << from << " to " << to;
      ASSERT_EQ(shortest_path(graph, from, to, {.direction = direction}).vertices, path.vertices);
    }
  }
}

/// Directed, so that ends differ: only the arcs of an undirected generator that lead from even to higher or from odd to any.
Graph directed_part(const char* spec, bool with_in) {
  EdgeList list = generate(spec);
  list.directed = true;
  for (auto& e : list.edges)
    if (e.source % 2) std::swap(e.source, e.target);
  return build_graph(std::move(list), {.build_in = with_in});
}

TEST(Path, EveryPair) {
  for (const char* spec : {"pmpp", "chain:9", "star:8", "grid:5x6", "tree:4", "rmat:5,2,3", "rmat:6,1,4", "streets:7"})
    check_all_pairs(build_graph(generate(spec), {.build_in = true}), Direction::out);
}

TEST(Path, EveryDirection) {
  for (const char* spec : {"rmat:5,2,3", "uniform:5,1,8", "grid:5x6"})
    for (const Direction direction : {Direction::out, Direction::in, Direction::both})
      check_all_pairs(directed_part(spec, true), direction);
}

TEST(Path, WithoutIncomingArcsOneEndGrows) { check_all_pairs(directed_part("rmat:5,2,3", false), Direction::out); }

TEST(Path, LooksAtLessThanOneEnd) {
  const Graph graph = build_graph(generate("grid:200x200"));
  const VertexId from = 100 * 200 + 80, to = 100 * 200 + 120;
  const Path path = shortest_path(graph, from, to);
  EXPECT_EQ(path.length, 40);
  // A ball of radius 40 has 3,281 cells, two of radius 20 have 1,682.
  EXPECT_LT(path.visited, 1700u);
}

TEST(Path, LimitsAndErrors) {
  const Graph graph = build_graph(generate("chain:10"));
  EXPECT_TRUE(shortest_path(graph, 0, 9, {.max_depth = 9}).found);
  EXPECT_FALSE(shortest_path(graph, 0, 9, {.max_depth = 8}).found);
  EXPECT_TRUE(shortest_path(graph, 3, 3, {.max_depth = 0}).found);
  EXPECT_EQ(testing::id_of([&] { shortest_path(graph, 0, 10); }), "HW-QUERY-SOURCE");
  try {
    shortest_path(graph, 0, 9, {.run = {.progress = [](const Step& step) { return step.done < 3; }}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::interrupted);
  }
  EXPECT_EQ(testing::id_of([&] { shortest_path(directed_part("rmat:5,2,3", false), 0, 1, {.direction = Direction::in}); }),
            "HW-GRAPH-NO-IN");
}

}  // namespace of_path_test
}  // namespace hopwave
