// Closeness and its like against a plain computation: by hand on small graphs, on every graph of up to four vertices, and on
// composed shapes, on the CPU and in the simulator.
#include "hopwave/closeness.h"

#include <gtest/gtest.h>

#include "hopwave/error.h"
#include "hopwave/search.h"
#include "support/error_id.h"
#include "support/graphs.h"
#include "support/sanitized.h"
#include "support/small_graphs.h"

namespace hopwave::testing {
namespace of_closeness_test {

using testing::id_of;

/// From distances, the slow way.
SourceDistances plain(const TestGraph& test, VertexId source, Direction direction = Direction::out) {
  SourceDistances found;
  std::vector<std::uint64_t> at;
  for (const Distance d : naive_bfs(test, {source}, direction)) {
    if (d == unreached) continue;
    ++found.reached;
    found.sum += static_cast<std::uint64_t>(d);
    found.eccentricity = std::max(found.eccentricity, d);
    at.resize(std::max<std::size_t>(at.size(), d + 1ull));
    ++at[static_cast<std::size_t>(d)];
  }
  for (std::size_t d = 1; d < at.size(); ++d) found.inverse_sum += static_cast<double>(at[d]) / static_cast<double>(d);
  return found;
}

void expect_all(const TestGraph& test, SearchOptions options, const std::string& how) {
  const Graph graph = build(test, true, true);
  Searcher searcher(graph, options);
  std::vector<VertexId> all(test.num_vertices);
  for (VertexId v = 0; v < test.num_vertices; ++v) all[v] = v;
  DistanceSummary summary;
  std::uint64_t pairs = 0, sum = 0;
  searcher.count_levels(all, -1, [&](std::size_t i, LevelCounts&& counts) {
    const SourceDistances expected = plain(test, all[i], options.direction), found = source_distances(counts);
    ASSERT_EQ(found.reached, expected.reached) << test << " from " << all[i] << ", " << how;
    ASSERT_EQ(found.sum, expected.sum) << test << " from " << all[i] << ", " << how;
    ASSERT_EQ(found.eccentricity, expected.eccentricity) << test << " from " << all[i] << ", " << how;
    ASSERT_EQ(found.inverse_sum, expected.inverse_sum) << test << " from " << all[i] << ", " << how;
    pairs += expected.reached - 1;
    sum += expected.sum;
    summary.add(counts);
  });
  EXPECT_EQ(summary.sources, test.num_vertices);
  EXPECT_EQ(summary.pairs(), pairs) << test << ", " << how;
  EXPECT_EQ(summary.sum(), sum) << test << ", " << how;
}

std::vector<std::pair<std::string, SearchOptions>> ways() {
  SearchOptions cpu, sim;
  cpu.run.device = DeviceKind::cpu;
  cpu.run.threads = 2;
  cpu.parameters = {{"ms_bfs", 1}};
  sim.run.device = DeviceKind::sim;
  sim.parameters = {{"ms_bfs", 1}, {"block", 64}, {"grid", 3}};
  SearchOptions alone = sim, towards = sim;
  alone.parameters = {{"ms_bfs", 0}};
  towards.direction = Direction::in;
  return {{"cpu", cpu}, {"simulator", sim}, {"one by one", alone}, {"towards the source", towards}};
}

TEST(Closeness, EveryGraphOfUpToFourVertices) {
  const auto all = ways();
  each_small_graph(7, [&](const TestGraph& test, std::uint64_t bits) {
    if (!tried(bits)) return;
    expect_all(test, all[0].second, all[0].first);
    if (test.num_vertices < 4) expect_all(test, all[1 + bits % 3].second, all[1 + bits % 3].first);
  });
}

TEST(Closeness, RandomGraphsAndChains) {
  for (const auto& [how, options] : ways()) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      expect_all(random_graph(seed, 150), options, how);
      if (HasFatalFailure()) return;
    }
    expect_all(chain(90), options, how);
    expect_all(grid(9, 11), options, how);
  }
}

/// A path of three and a vertex alone, by hand.
TEST(Closeness, ByHand) {
  const Graph graph = build(TestGraph{"three and one", 4, {{0, 1}, {1, 2}}, false});
  SearchOptions options;
  options.run.device = DeviceKind::cpu;
  Searcher searcher(graph, options);
  std::vector<SourceDistances> found;
  DistanceSummary summary;
  searcher.count_levels(std::vector<VertexId>{0, 1, 2, 3}, -1, [&](std::size_t, LevelCounts&& counts) {
    found.push_back(source_distances(counts));
    summary.add(counts);
  });
  EXPECT_DOUBLE_EQ(closeness(found[0], 4), 2.0 / 3 * 2 / 3);
  EXPECT_DOUBLE_EQ(closeness(found[1], 4), 2.0 / 2 * 2 / 3);
  EXPECT_EQ(closeness(found[3], 4), 0);
  EXPECT_DOUBLE_EQ(found[0].inverse_sum, 1.5);
  EXPECT_EQ(found[3].reached, 1u);
  EXPECT_EQ(summary.pairs(), 6u);
  EXPECT_EQ(summary.sum(), 8u);
  EXPECT_EQ(summary.pairs_at, (std::vector<std::uint64_t>{4, 4, 2}));
  EXPECT_EQ(summary.diameter, 2);
  EXPECT_EQ(summary.radius, 0);
  EXPECT_DOUBLE_EQ(summary.average_distance(), 8.0 / 6);
  EXPECT_DOUBLE_EQ(summary.efficiency(4), 5.0 / 12);
}

// nonsense: LevelCounts::depth LevelCounts::distance_sum LevelCounts::inverse_sum LevelCounts::reached source_distances
// closeness DistanceSummary::add DistanceSummary::pairs DistanceSummary::sum DistanceSummary::average_distance
// DistanceSummary::efficiency Searcher::count_levels
TEST(Closeness, NothingAndNonsense) {
  const LevelCounts none;
  EXPECT_EQ(none.depth(), 0);
  EXPECT_EQ(none.distance_sum(), 0u);
  EXPECT_EQ(none.inverse_sum(), 0);
  EXPECT_EQ(none.reached(), 0u);
  EXPECT_EQ(closeness(source_distances(none), 0), 0);
  EXPECT_EQ(closeness(SourceDistances{.reached = 1, .sum = 0}, 1), 0);
  EXPECT_EQ(closeness(SourceDistances{.reached = 9, .sum = 20}, 1), 0);
  DistanceSummary summary;
  summary.add(none);
  EXPECT_EQ(summary.sources, 0u);
  EXPECT_EQ(summary.pairs() + summary.sum(), 0u);
  EXPECT_EQ(summary.average_distance(), 0);
  EXPECT_EQ(summary.efficiency(0), 0);
  EXPECT_EQ(summary.efficiency(7), 0);
  const Graph graph = build(chain(3));
  Searcher searcher(graph, {.strategy = "auto", .run = {.device = DeviceKind::cpu}});
  const auto ignore = [](std::size_t, LevelCounts&&) {};
  EXPECT_EQ(id_of([&] { searcher.count_levels(std::vector<VertexId>{3}, -1, ignore); }), "HW-QUERY-SOURCE");
  EXPECT_EQ(id_of([&] { searcher.count_levels(std::vector<VertexId>{0}, -2, ignore); }), "HW-QUERY-DEPTH");
  EXPECT_EQ(id_of([&] { searcher.count_levels(std::vector<VertexId>{0}, -1, nullptr); }), "HW-QUERY-TAKE");
  EXPECT_EQ(id_of([&] { searcher.count_levels({}, -1, ignore); }), "none");
  const auto call_back = [&](std::size_t, LevelCounts&&) { searcher.count_levels(std::vector<VertexId>{0}, -1, ignore); };
  EXPECT_EQ(id_of([&] { searcher.count_levels(std::vector<VertexId>{0}, -1, call_back); }), "HW-BUSY");
  EXPECT_EQ(id_of([&] { searcher.count_levels(std::vector<VertexId>{0}, -1, ignore); }), "none");
}

}  // namespace of_closeness_test
}  // namespace hopwave::testing
