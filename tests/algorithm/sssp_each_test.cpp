// Many searches by weight: distances and paths of pairs, and matrices of distances, against rounds over all edges; on every
// machine, with every number of threads; limits, and what must be refused.
#include <gtest/gtest.h>

#include <atomic>
#include <stop_token>

#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "hopwave/shortest_paths.h"
#include "support/error_id.h"
#include "support/sanitized.h"
#include "support/weighted.h"

namespace hopwave::testing {
namespace of_sssp_each_test {

using testing::id_of;

/// What the plain methods find from one source.
struct Expected {
  std::vector<double> distance;
  std::vector<VertexId> parent;
};

Expected expected_from(const WeightedGraph& test, VertexId source, Direction direction) {
  Expected found{naive_distances(test, {source}, direction), {}};
  found.parent = naive_parents(test, {source}, found.distance, direction);
  return found;
}

std::vector<VertexId> path_to(const Expected& from, VertexId target) {
  std::vector<VertexId> path;
  if (from.distance[target] == no_path) return path;
  for (VertexId v = target; v != no_vertex; v = from.parent[v]) path.push_back(v);
  return {path.rbegin(), path.rend()};
}

/// All pairs of some vertices, in a drawn order, some of them twice.
void expect_right(const WeightedGraph& test, const WeightedOptions& options, std::uint64_t seed) {
  const Graph graph = hopwave::testing::build(test, true);
  const VertexId n = graph.num_vertices();
  std::mt19937_64 rng(seed);
  const auto any = [&] { return static_cast<VertexId>(rng() % n); };
  std::vector<VertexId> sources, targets;
  for (std::uint64_t i = 0; i < 1 + rng() % 6; ++i) sources.push_back(any());
  for (std::uint64_t i = 0; i < 1 + rng() % 9; ++i) targets.push_back(any());
  std::vector<Pair> pairs;
  for (std::uint64_t i = 0; i < rng() % 30; ++i) pairs.push_back({sources[rng() % sources.size()], any()});
  std::map<VertexId, Expected> from;
  for (const VertexId s : sources) from.try_emplace(s, expected_from(test, s, options.direction));
  WeightedSearcher searcher(graph, options);
  const std::string about = test.graph.name + ", seed " + std::to_string(seed) + ", " + options.strategy + ", " +
                            std::to_string(options.run.threads) + " threads";
  const WeightedDistances matrix = searcher.distance_matrix(sources, targets);
  ASSERT_EQ(matrix.distance.size(), sources.size() * targets.size());
  for (std::size_t i = 0; i < sources.size(); ++i)
    for (std::size_t j = 0; j < targets.size(); ++j)
      ASSERT_EQ(matrix.distance[i * targets.size() + j], from[sources[i]].distance[targets[j]]) << about;
  const WeightedDistances found = searcher.distances(pairs, true), alone = searcher.distances(pairs);
  ASSERT_EQ(found.paths.size(), pairs.size());
  ASSERT_TRUE(alone.paths.empty() && matrix.paths.empty());
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const Expected& right = from[pairs[k].source];
    ASSERT_EQ(found.distance[k], right.distance[pairs[k].target]) << about;
    ASSERT_EQ(alone.distance[k], right.distance[pairs[k].target]) << about;
    ASSERT_EQ(found.paths[k], path_to(right, pairs[k].target)) << about;
  }
}

TEST(SsspEach, GraphsAndWeightsOfEveryKind) {
  std::uint64_t i = 0;
  for (std::uint64_t seed = 0; seed < 80; ++seed)
    for (int kind = 0; kind < weight_kinds; ++kind) {
      if (!tried(i++)) continue;
      WeightedOptions options{.strategy = seed % 4 == 0   ? "cpu-delta-stepping"
                                          : seed % 4 == 1 ? "cpu-dijkstra"
                                                          : "auto",
                              .direction = static_cast<Direction>(seed % 3),
                              .run = {.device = DeviceKind::cpu, .threads = static_cast<int>(seed % 5)}};
      WeightedGraph test = with_weights(random_graph(seed, 90), kind, seed);
      if (seed % 11 == 0) test.weights.clear();
      expect_right(test, options, seed * 31 + static_cast<std::uint64_t>(kind));
      if (HasFatalFailure()) return;
    }
}

TEST(SsspEachSimulated, GraphsAndWeightsOfEveryKind) {
  for (std::uint64_t seed = 0; seed < 3 * weight_kinds && !HasFatalFailure(); ++seed)
    if (tried(seed))
      expect_right(with_weights(random_graph(seed, 40), static_cast<int>(seed % weight_kinds), seed),
                   {.run = {.device = DeviceKind::sim, .simulator = {.seed = seed}}}, seed);
}

/// A search ends with its last target: nothing is looked at beyond it, and what it left does not disturb the next.
TEST(SsspEach, EndsWithTheLastTarget) {
  const Graph graph = build_graph(generate("chain:10000"));
  WeightedSearcher searcher(graph, {.strategy = "cpu-dijkstra", .run = {.device = DeviceKind::cpu, .threads = 1}});
  const std::vector<Pair> near{{0, 3}, {5000, 5002}, {9999, 9990}, {0, 3}, {0, 1}};
  const WeightedDistances found = searcher.distances(near, true);
  EXPECT_EQ(std::vector<double>(found.distance.begin(), found.distance.end()), (std::vector<double>{3, 2, 9, 3, 1}));
  EXPECT_EQ(found.paths[1], (std::vector<VertexId>{5000, 5001, 5002}));
  EXPECT_LT(found.run.steps, 40u);
  EXPECT_EQ(searcher.distances(std::vector<Pair>{{0, 9999}}).distance[0], 9999);
}

TEST(SsspEach, ReportsWhatIsExact) {
  WeightedGraph test{{"two", 3, {{0, 1}, {1, 2}}}, {1, 0x1p60}};
  const Graph graph = hopwave::testing::build(test);
  WeightedSearcher searcher(graph, {.run = {.device = DeviceKind::cpu}});
  const std::vector<VertexId> source{0}, targets{1, 2};
  const WeightedDistances found = searcher.distance_matrix(source, targets);
  EXPECT_LT(found.distance[0], found.exact_below);
  EXPECT_GE(found.distance[1], found.exact_below);
}

TEST(SsspEach, NothingAsked) {
  const Graph graph = build_graph(generate("chain:3"));
  WeightedSearcher searcher(graph, {.run = {.device = DeviceKind::cpu}});
  const std::vector<VertexId> some{0}, none;
  EXPECT_TRUE(searcher.distances(std::vector<Pair>{}, true).distance.empty());
  EXPECT_TRUE(searcher.distance_matrix(none, some).distance.empty());
  EXPECT_TRUE(searcher.distance_matrix(some, none).distance.empty());
}

// nonsense: WeightedSearcher::distance_matrix WeightedSearcher::distances
TEST(SsspEach, RefusesAndEnds) {
  const Graph graph = build_graph(generate("grid:60x60"));
  const std::vector<VertexId> vertices{0, 17, 3599}, outside{3600};
  for (const char* strategy : {"cpu-dijkstra", "cpu-delta-stepping"})
    for (const int threads : {1, 3}) {
      WeightedSearcher searcher(graph, {.strategy = strategy, .run = {.device = DeviceKind::cpu, .threads = threads}});
      EXPECT_EQ(id_of([&] { searcher.distance_matrix(outside, vertices); }), "HW-QUERY-SOURCE");
      EXPECT_EQ(id_of([&] { searcher.distance_matrix(vertices, outside); }), "HW-QUERY-TARGET");
      EXPECT_EQ(id_of([&] { searcher.distances(std::vector<Pair>{{3600, 0}}); }), "HW-QUERY-SOURCE");
      EXPECT_EQ(id_of([&] { searcher.distances(std::vector<Pair>{{0, 3600}}); }), "HW-QUERY-TARGET");
      std::stop_source stop;
      stop.request_stop();
      searcher.set_limits({.stop = stop.get_token()});
      EXPECT_EQ(id_of([&] { searcher.distance_matrix(vertices, vertices); }), "HW-CANCELLED");
      searcher.set_limits({});
      EXPECT_EQ(searcher.distance_matrix(vertices, vertices).distance[2], 118);
      int calls = 0;
      WeightedSearcher asked(graph, {.strategy = strategy,
                                     .run = {.device = DeviceKind::cpu, .threads = threads, .progress = [&](const Step& step) {
                                               EXPECT_EQ(step.what, "searches");
                                               EXPECT_EQ(step.total, 3u);
                                               return ++calls < 2;
                                             }}});
      EXPECT_EQ(id_of([&] { asked.distance_matrix(vertices, vertices); }), "HW-INTERRUPTED");
      EXPECT_EQ(calls, 2);
    }
}

}  // namespace of_sssp_each_test
}  // namespace hopwave::testing
