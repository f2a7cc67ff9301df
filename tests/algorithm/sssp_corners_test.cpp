// Corners of the near-far search on devices: graphs without vertices, arcs or weights, devices that lack something, widths that
// have grown as far as they may, and sizes that are refused.
#include <gtest/gtest.h>

#include "algorithm/sssp/gpu/near_far.h"
#include "hopwave/error.h"
#include "hopwave/shortest_paths.h"
#include "support/changed_device.h"
#include "support/error_id.h"
#include "support/weighted.h"

namespace hopwave::testing {
namespace of_sssp_corners_test {

using sssp::NearFarOptions;

void expect_right(const device::Api& api, const WeightedGraph& test, VertexId source, const NearFarOptions& options) {
  const Graph graph = hopwave::testing::build(test);
  Team team(1);
  const sssp::WeightedRows rows(team, graph, Direction::out);
  device::Device device(api);
  const auto method = sssp::make_near_far_sim(device, rows.arcs(), options);
  const std::vector<double> right = naive_distances(test, {source});
  for (int again = 0; again < 2; ++again) {
    WeightedReport stats;
    method->run({.sources = {source}}, {.stats = &stats});
    std::vector<double> found(graph.num_vertices());
    method->fetch(found);
    ASSERT_EQ(found, right) << test.graph;
    std::vector<VertexId> parent(graph.num_vertices(), 77), host(graph.num_vertices(), no_vertex);
    ASSERT_TRUE(method->fetch_parents(no_path, parent));
    sssp::find_nearer_parents(team, rows.arcs(), found, host);
    ASSERT_EQ(parent, host) << test.graph;
  }
}

TEST(SsspCorners, NoVerticesNoArcsNoWeights) {
  device::Device device(*device::sim_api());
  const EdgeIndex begin = 0;
  const auto empty = sssp::make_near_far_sim(device, {.offsets = &begin}, {});
  WeightedReport stats;
  empty->run({}, {.stats = &stats});
  EXPECT_EQ(stats.steps, 0u);
  EXPECT_TRUE(empty->fetch_parents(no_path, {}));
  for (const bool wide : {false, true}) {
    expect_right(*device::sim_api(), {{"no arcs", 40, {}}, {}}, 7, {.tuning = {.wide_offsets = wide}});
    for (const TestGraph& test : {grid(9, 7), star(300), chain(100, false)})
      expect_right(*device::sim_api(), {test, {}}, 2, {.tuning = {.wide_offsets = wide}});
  }
}

template <int multiprocessors, bool cooperative>
void other(device::Properties& p) {
  p.multiprocessors = multiprocessors;
  p.cooperative = cooperative;
}
/// Without cooperative launches one block does all; large devices get blocks of 512 threads.
TEST(SsspCorners, OtherDevices) {
  const WeightedGraph test = with_weights(random_graph(11, 300), 0, 5);
  expect_right(changed_api<other<4, false>>(), test, 3, {});
  expect_right(changed_api<other<4, false>>(), test, 3, {.tuning = {.grid = 3, .narrow = 1}});
  expect_right(changed_api<other<16, true>>(), test, 3, {.tuning = {.grid = 2}});
  expect_right(changed_api<other<16, false>>(), test, 3, {});
}

/// Distances far beyond the first width: it doubles until it is 4,096 times as wide. A hub then makes it narrower.
TEST(SsspCorners, WidthsThatGrowAndShrink) {
  WeightedGraph test = with_weights(chain(400, false), 0, 7);
  expect_right(*device::sim_api(), test, 0, {.delta = 1});
  for (VertexId leaf = 0; leaf < 600; ++leaf) {
    test.graph.edges.push_back({399, 400 + leaf});
    test.weights.push_back(static_cast<float>(1 + leaf % 50));
    test.graph.edges.push_back({400 + leaf, 400 + (leaf * 7 + 1) % 600});
    test.weights.push_back(1);
  }
  test.graph.num_vertices = 1000;
  for (const std::uint64_t aim : {1, 20}) expect_right(*device::sim_api(), test, 0, {.delta = .5, .tuning = {.aim = aim}});
}

TEST(SsspCorners, MoreArcsThanOneGpuTakes) {
  device::Device device(*device::sim_api());
  const EdgeIndex offsets[] = {0, EdgeIndex{1} << 33};
  EXPECT_EQ(id_of([&] { (void)sssp::make_near_far_sim(device, {.num_vertices = 1, .offsets = offsets}, {}); }), "HW-SSSP-SIZE");
}

}  // namespace of_sssp_corners_test
}  // namespace hopwave::testing
