// The small traversal in the simulator on graphs with more than a few words a block: hubs whose rows all warps look at,
// frontiers longer than a block has threads, slices that are not full, directed graphs. Where it does not fit, the wide one
// serves.
#include <gtest/gtest.h>

#include "hopwave/search.h"
#include "hopwave/validate.h"
#include "support/graphs.h"

namespace hopwave::testing {
namespace of_small_test {

constexpr std::int64_t never = std::int64_t{1} << 62;

struct Way {
  std::string name;
  Parameters parameters;
};

std::vector<Way> ways() {
  return {
      {"push", {{"pull", never}, {"push", never}, {"single_block", 0}}},
      {"push by bytes", {{"pull", never}, {"push", never}, {"single_block", 0}, {"unqueued", 0}}},
      {"push by bytes beside levels taken alone", {{"pull", never}, {"push", never}, {"single_block", 30}, {"unqueued", 0}}},
      {"pull", {{"pull", 0}, {"push", 0}, {"single_block", 0}}},
      {"by turns", {{"pull", 0}, {"push", never}, {"single_block", 0}}},
      {"by share", {}},
      {"by a large share", {{"share", 1 << 20}}},
      {"two blocks of two warps", {{"cluster", 2}, {"block", 64}}}};
}

SearchOptions in_simulator(Parameters parameters, std::uint64_t seed, bool prepare) {
  parameters.try_emplace("single_cluster", 1);
  parameters.try_emplace("high_diameter", 0);
  parameters.try_emplace("cluster", 4);
  parameters.try_emplace("block", 96);
  SearchOptions options;
  options.run.device = DeviceKind::sim;
  options.parameters = std::move(parameters);
  options.run.simulator.seed = seed;
  options.prepare = prepare;
  return options;
}

/// Hubs joined to every so manieth vertex, and chords: rows of very different lengths, a few levels.
TestGraph hubs(VertexId n, VertexId count, bool directed) {
  TestGraph g{.name = "hubs", .num_vertices = n, .directed = directed};
  for (VertexId h = 0; h < count; ++h)
    for (VertexId v = h; v < n; v += 1 + h % 3) g.edges.push_back({h * (n / count), v});
  for (VertexId v = 0; v < n; ++v) g.edges.push_back({v, static_cast<VertexId>((v * 7919ull + 13) % n)});
  return g;
}

/// Two stars joined by a chain, and some vertices apart.
TestGraph barbell(VertexId leaves) {
  TestGraph g{.name = "barbell", .num_vertices = 2 * leaves + 20, .directed = false};
  for (VertexId v = 1; v <= leaves; ++v) {
    g.edges.push_back({0, v});
    g.edges.push_back({leaves + 1, leaves + 1 + v});
  }
  const VertexId chain = 2 * leaves + 2;
  for (VertexId v = chain; v < chain + 9; ++v) g.edges.push_back({v, v + 1});
  g.edges.push_back({leaves, chain});
  g.edges.push_back({chain + 9, 2 * leaves + 1});
  return g;
}

class SmallSearch : public ::testing::TestWithParam<bool> {
 protected:
  void check(const TestGraph& test, const std::vector<Query>& queries) {
    const Graph graph = build(test, true, true);
    std::uint64_t seed = 0;
    for (const Way& way : ways()) {
      Searcher searcher(graph, in_simulator(way.parameters, ++seed, GetParam()));
      for (const Query& query : queries) {
        const Result result = searcher.run(query);
        ASSERT_EQ(result.run.chosen.substr(0, 15), "single-cluster:") << test << ", " << way.name;
        ASSERT_EQ(result.run.launches, 1u);
        ASSERT_EQ(distances_of(result), trimmed(naive_bfs(test, query.sources), query.max_depth, query.target))
            << test << " from " << query.sources[0] << ", " << way.name;
        expect_traversal_agrees(searcher, query, result);
        if (!query.parents) continue;
        const Verdict verdict = validate(graph, query, result);
        ASSERT_TRUE(verdict) << test << ", " << way.name << ": " << verdict.rule << ", " << verdict.message;
      }
    }
  }
};

TEST_P(SmallSearch, HubsBothWays) {
  for (const bool directed : {false, true})
    check(hubs(1700, 3, directed), {{.sources = {1}, .parents = true}, {.sources = {0}}, {.sources = {1699}, .parents = true}});
}

TEST_P(SmallSearch, HugeRowsThatFindNothing) {
  check(barbell(900), {{.sources = {5}, .parents = true}, {.sources = {1000, 3, 3}}, {.sources = {1815}}});
}

TEST_P(SmallSearch, DepthsAndTargets) {
  check(hubs(1030, 2, false),
        {{.sources = {9}, .max_depth = 1}, {.sources = {9}, .max_depth = 0}, {.sources = {9}, .target = 1000}});
}

TEST_P(SmallSearch, EverySizeOfASlice) {
  for (const VertexId n : {1, 2, 31, 32, 33, 127, 128, 129, 1023, 1024, 1025, 2049})
    check(hubs(n, 1, n % 2 == 0), {{.sources = {n / 2}, .parents = true}});
}

/// Not all that a block would like to have at hand fits.
TEST_P(SmallSearch, LargeSlices) {
  const TestGraph test = hubs(23'000, 2, false);
  const Graph graph = build(test);
  Searcher searcher(graph, in_simulator({{"cluster", 2}, {"unqueued", 0}}, 1, GetParam()));
  for (const Query& query : {Query{.sources = {77}, .parents = true}, Query{.sources = {22'999, 5}}}) {
    const Result result = searcher.run(query);
    ASSERT_EQ(result.run.chosen.substr(0, 15), "single-cluster:");
    ASSERT_EQ(distances_of(result), naive_bfs(test, query.sources));
    if (query.parents) ASSERT_TRUE(validate(graph, query, result));
  }
}

TEST_P(SmallSearch, TraceTellsEveryLevel) {
  const TestGraph test = barbell(40);
  const Graph graph = build(test);
  SearchOptions options = in_simulator({}, 1, GetParam());
  options.trace = true;
  const SearchReport stats = Searcher(graph, options).run({.sources = {1}}).run;
  const std::vector<VertexId> expected = {1, 39, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 39};
  ASSERT_GE(stats.trace.size(), expected.size());
  EXPECT_LE(stats.trace.size(), expected.size() + 1);
  EXPECT_EQ(stats.levels, expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(stats.trace[i].level, static_cast<Distance>(i + 1));
    EXPECT_EQ(stats.trace[i].discovered, expected[i]);
  }
  EXPECT_EQ(stats.steps, stats.trace.size());
}

INSTANTIATE_TEST_SUITE_P(Prepared, SmallSearch, ::testing::Values(false, true),
                         [](const auto& param) { return param.param ? "prepared" : "as_is"; });

TEST(Small, WideWhereItDoesNotFit) {
  TestGraph test{.name = "one edge", .num_vertices = 300'000, .directed = false};
  test.edges.push_back({0, 299'999});
  const Graph graph = build(test);
  const Result result = Searcher(graph, in_simulator({{"cluster", 2}, {"block", 32}}, 1, false)).run({.sources = {0}});
  EXPECT_EQ(result.run.chosen.substr(0, 10), "grid-wide:");
  EXPECT_EQ(result.reached, 2u);
}

}  // namespace of_small_test
}  // namespace hopwave::testing
