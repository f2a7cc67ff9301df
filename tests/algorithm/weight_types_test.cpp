// Shortest paths by weights that floats do not have: exact sums, on every device.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "hopwave/error.h"
#include "hopwave/shortest_paths.h"
#include "support/error_id.h"
#include "support/weights.h"

namespace hopwave {
namespace of_weight_types_test {

Graph graph_of(VertexId n, const std::vector<Edge>& edges, Weights weights) {
  EdgeList list{
      .num_vertices = n, .edges = Array<Edge>::copy_of(edges), .weights = std::move(weights), .ids = Ids::consecutive(n)};
  return build_graph(std::move(list), {.build_in = true});
}

template <class T>
Weights of(const std::vector<T>& values) {
  return Array<T>::copy_of(values);
}

/// On each device: the distance of the last vertex, and whether it says that it is exact.
void expect(const Graph& graph, double distance, bool exact, std::vector<VertexId> path) {
  const VertexId last = graph.num_vertices() - 1;
  for (const char* strategy : {"cpu-dijkstra", "cpu-delta-stepping", "near-far"}) {
    const bool on_device = std::string_view(strategy) == "near-far";
    const WeightedOptions options{.strategy = strategy, .run = {.device = on_device ? DeviceKind::sim : DeviceKind::cpu}};
    const WeightedQuery query{.sources = {0}};
    const WeightedResult found = shortest_paths(graph, query, options);
    EXPECT_EQ(found.distance[last], distance) << strategy;
    EXPECT_EQ(found.exact, exact) << strategy;
    std::vector<VertexId> walked;
    for (VertexId v = last; v != no_vertex; v = found.parent[v]) walked.insert(walked.begin(), v);
    EXPECT_EQ(walked, path) << strategy;
    EXPECT_TRUE(validate(graph, query, found)) << strategy;
    const WeightedOptions back{.strategy = strategy, .direction = Direction::in, .run = {.device = options.run.device}};
    EXPECT_EQ(shortest_paths(graph, {.sources = {last}}, back).distance[0], distance) << strategy;
    const WeightedOptions both{.strategy = strategy, .direction = Direction::both, .run = {.device = options.run.device}};
    EXPECT_EQ(shortest_paths(graph, query, both).distance[last], distance) << strategy;
  }
}

TEST(WeightTypes, WaysThatDifferByOneBeyondTwoToThe24) {
  const std::vector<Edge> edges = {{0, 1}, {1, 2}, {0, 2}};
  expect(graph_of(3, edges, of<std::int32_t>({20000001, 20000001, 40000001})), 40000001, true, {0, 2});
  expect(graph_of(3, edges, of<std::int32_t>({20000001, 20000000, 40000002})), 40000001, true, {0, 1, 2});
  expect(graph_of(3, edges, of<double>({20000001, 20000001, 40000001})), 40000001, true, {0, 2});
}

TEST(WeightTypes, SumsUpToTwoToThe53AreExact) {
  const std::vector<Edge> edges = {{0, 1}, {1, 2}, {0, 2}};
  const std::int64_t half = std::int64_t{1} << 52;
  expect(graph_of(3, edges, of<std::int64_t>({half - 1, half - 1, 2 * half - 1})), 0x1p53 - 2, true, {0, 1, 2});
  expect(graph_of(3, edges, of<std::int64_t>({half - 1, half - 1, 2 * half - 3})), 0x1p53 - 3, true, {0, 2});
}

TEST(WeightTypes, BeyondItTheyAreSaidToBeRounded) {
  const std::vector<Edge> edges = {{0, 1}, {1, 2}};
  const std::int64_t one = std::int64_t{1} << 53;
  expect(graph_of(3, edges, of<std::int64_t>({one, 1})), 0x1p53, false, {0, 1, 2});
  expect(graph_of(3, edges, of<std::int64_t>({one + 1, 0})), 0x1p53, false, {0, 1, 2});
  expect(graph_of(2, {{0, 1}}, of<std::int64_t>({INT64_MAX})), 0x1p63, false, {0, 1});
  expect(graph_of(2, {{0, 1}}, of<std::int64_t>({std::int64_t{1} << 60})), 0x1p60, true, {0, 1});
}

TEST(WeightTypes, DoublesAreAddedAsDoubles) {
  const std::vector<Edge> edges = {{0, 1}, {1, 2}, {0, 2}};
  expect(graph_of(3, edges, of<double>({.1, .2, .3000000000000001})), .1 + .2, false, {0, 1, 2});
  expect(graph_of(3, edges, of<double>({.1, .2, .3})), .3, false, {0, 2});
  expect(graph_of(3, edges, of<double>({1e300, 1e300, 1.5e300})), 1.5e300, true, {0, 2});
  expect(graph_of(3, edges, of<double>({5e-324, 5e-324, 1e-322})), 1e-323, true, {0, 1, 2});
}

TEST(WeightTypes, NegativeOnesAreRefusedInEveryType) {
  const std::vector<Edge> edges = {{0, 1}, {1, 2}};
  for (const Weights& weights : {of<std::int32_t>({1, -20000001}), of<std::int64_t>({1, -(std::int64_t{1} << 60)}),
                                 of<float>({1, -.5f}), of<double>({1, -1e-300})}) {
    const Graph graph = graph_of(3, edges, weights);
    const Error::Parts error =
        testing::parts_of([&] { (void)shortest_paths(graph, {.sources = {0}}, {.run = {.device = DeviceKind::cpu}}); });
    EXPECT_EQ(error.id, "HW-SSSP-WEIGHT");
    EXPECT_NE(error.found.find(graph.out().weights.text(1)), std::string::npos) << error.found;
  }
}

TEST(WeightTypes, SumsThatNoDoubleHoldsAreRefused) {
  const auto refused = [](double weight) {
    try {
      (void)shortest_paths(graph_of(3, {{0, 1}, {1, 2}}, of<double>({weight, 1})), {.sources = {0}},
                           {.run = {.device = DeviceKind::cpu}});
    } catch (const Error& error) {
      return error.id() == "HW-SSSP-WEIGHT" && error.parts().found.find("0 to 1") != std::string::npos;
    }
    return false;
  };
  EXPECT_TRUE(refused(1e308));
  EXPECT_FALSE(refused(1e307));
  EXPECT_FALSE(refused(std::numeric_limits<double>::infinity()));  // an arc that cannot be taken
}

}  // namespace of_weight_types_test
}  // namespace hopwave
