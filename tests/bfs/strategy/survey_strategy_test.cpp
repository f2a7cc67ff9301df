// What is particular to the survey's strategies: queue capacities, deferring, virtual warps, scans, reordering, relaxing.
// That they are right on all kinds of graphs is tested with every other GPU strategy, in gpu_strategy_test.cpp.
#include <gtest/gtest.h>

#include <numeric>

#include "bfs/strategy/gpu/degree_order.h"
#include "bfs/strategy/gpu/tree_scan.h"
#include "device/algorithms.h"
#include "hopwave/error.h"
#include "support/gpu_runner.h"

namespace hopwave::testing {
namespace of_survey_strategy_test {

const strategy::Descriptor& strategy_named(std::string_view name) {
  for (const strategy::Descriptor* each : gpu_strategies())
    if (each->info.name == name) return *each;
  throw std::runtime_error("no such strategy");
}

class SurveyStrategy : public ::testing::Test {
 protected:
  SurveyStrategy() : device_(*device::sim_api()) {}

  struct Outcome {
    std::vector<Distance> distance;
    std::vector<std::uint64_t> frontiers;  ///< as the strategy counted them itself, one a level
  };

  Outcome search(std::string_view name, const TestGraph& test, const Parameters& given, const Query& query = {.sources = {0}}) {
    const strategy::Descriptor& descriptor = strategy_named(name);
    const BothWays graph(test);
    Runner runner(device_, descriptor, graph, parameters_for(descriptor.info, given));
    Outcome outcome;
    outcome.distance = runner
                           .run(query, false,
                                [&](const Step& step) {
                                  outcome.frontiers.push_back(step.amount);
                                  return true;
                                })
                           .distance;
    return outcome;
  }

  /// Distances are right, and so is the length of every queue: nothing lost, nothing twice.
  void expect_exact_queues(std::string_view name, const TestGraph& test, const Parameters& given) {
    const Outcome outcome = search(name, test, given);
    const std::vector<Distance> expected = naive_bfs(test, {0});
    ASSERT_EQ(outcome.distance, expected) << name << text_of(given) << " on " << test;
    std::vector<std::uint64_t> sizes;
    do {
      sizes.push_back(std::count(expected.begin(), expected.end(), static_cast<Distance>(sizes.size() + 1)));
    } while (sizes.back() != 0);
    EXPECT_EQ(outcome.frontiers, sizes) << name << text_of(given) << " on " << test;
  }

  device::Device device_;
};

TEST_F(SurveyStrategy, BlockQueuesOfAnyCapacity) {
  std::uint64_t seed = 0;
  for (const std::int64_t capacity : {1, 2, 31, 32, 33, 57856})
    for (const std::int64_t block : {1, 32, 48, 64})
      for (const std::int64_t grid : {0, 1}) {
        device_.set_schedule({.seed = ++seed, .interrupt_every = seed % 2 ? 3u : 64u});
        const Parameters given{{"queue_size", capacity}, {"block", block}, {"grid", grid}};
        for (const TestGraph& test : {star(100), contended(70), binary_tree(150), complete(34)})
          expect_exact_queues("survey-hierarchical-queue", test, given);
      }
}

TEST_F(SurveyStrategy, DefersAllSomeOrNone) {
  const TestGraph graphs[] = {star(80), contended(90), lollipop(20, 5), random_graph(5, 200)};
  std::uint64_t seed = 0;
  for (const std::int64_t threshold : {std::int64_t{0}, std::int64_t{1}, std::int64_t{16}, std::int64_t{2147483647}})
    for (const std::int64_t capacity : {1, 2, 31, 32, 33, 57856}) {
      device_.set_schedule({.seed = ++seed, .interrupt_every = 5});
      const Parameters given{
          {"defer_max", threshold}, {"queue_size", capacity}, {"together", seed / 2 % 2}, {"block", 64}, {"grid", seed % 3}};
      for (const TestGraph& test : graphs)
        ASSERT_EQ(search("survey-defer", test, given).distance, naive_bfs(test, {0})) << text_of(given) << " on " << test;
    }
}

TEST_F(SurveyStrategy, VirtualWarpsOfAnyWidthInAnyBlock) {
  const TestGraph graphs[] = {star(130), contended(67), random_graph(9, 150)};
  for (const std::int64_t width : {2, 3, 4, 7, 8, 16, 31, 32, 64})
    for (const std::int64_t block : {1, 24, 32, 100}) {
      const Parameters given{{"width", width}, {"block", block}, {"grid", block % 3}};
      for (const TestGraph& test : graphs)
        ASSERT_EQ(search("survey-virtual-warp", test, given).distance, naive_bfs(test, {0}))
            << text_of(given) << " on " << test;
    }
}

TEST_F(SurveyStrategy, BothScansMakeTheSameQueues) {
  // Around the tile of a scan, where the last vertex of one tile and the first of the next are in the same frontier.
  for (const VertexId n : {1u, 2u, 31u, 33u, sim::scan_tile - 1, sim::scan_tile, sim::scan_tile + 1, 2 * sim::scan_tile + 1})
    for (const std::int64_t library : {0, 1})
      for (const TestGraph& test : {star(n), binary_tree(n)})
        expect_exact_queues("survey-scan-queue", test, {{"library_scan", library}, {"block", 64}});
}

/// Random values of T, their sum by both scans and by the standard library.
template <class T>
void expect_sums(device::Device& device, std::size_t count, T limit) {
  std::mt19937_64 rng(count);
  std::vector<T> values(count);
  for (T& v : values) v = static_cast<T>(rng() % limit);
  std::vector<std::uint32_t> expected(count), by_hand(count, 7), by_library(count, 7);
  std::exclusive_scan(values.begin(), values.end(), expected.begin(), std::uint32_t{0});

  const device::Buffer<T> in(device, std::span<const T>(values));
  const device::Buffer<std::uint32_t> out(device, count);
  sim::TreeScan<T>(device, count).run(in.data(), out.data());
  out.download(by_hand);
  EXPECT_EQ(by_hand, expected) << count << " values by hand";
  sim::ExclusiveSum<T>(device, count).run(in.data(), out.data());
  out.download(by_library);
  EXPECT_EQ(by_library, expected) << count << " values by the library";
}

TEST_F(SurveyStrategy, ScansOfAnySize) {
  constexpr std::size_t tile = sim::scan_tile;
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{31}, std::size_t{32},
                                  std::size_t{33}, std::size_t{63}, std::size_t{65}, std::size_t{255}, std::size_t{256},
                                  std::size_t{257}, tile - 1, tile, tile + 1, 2 * tile, 3 * tile + 5}) {
    expect_sums<std::uint8_t>(device_, count, 2);
    expect_sums<std::uint32_t>(device_, count, 0xFFFFFFFFu);  // sums wrap around
  }
}

TEST_F(SurveyStrategy, ScansOfThreeStoreys) {
  device_.set_schedule({.interrupt_every = 0});
  expect_sums<std::uint8_t>(device_, std::size_t{sim::scan_tile} * sim::scan_tile + 1, 2);
}

TEST_F(SurveyStrategy, PaddingKeepsLeavesApart) {
  for (std::uint32_t i = 1; i < sim::scan_tile; ++i) EXPECT_GT(sim::padded(i), sim::padded(i - 1));
  // Leaves one turn of the banks apart, as the tree's upper levels touch them together, fall into different banks.
  for (std::uint32_t i = sim::dev::lanes; i < sim::scan_tile; i += sim::dev::lanes)
    EXPECT_EQ(sim::padded(i) % sim::dev::lanes, (sim::padded(i - sim::dev::lanes) + 1) % sim::dev::lanes);
}

TEST_F(SurveyStrategy, OrdersVerticesByDegree) {
  for (const TestGraph& test : {TestGraph{"empty", 0, {}, true}, star(5000), random_graph(4, 300), binary_tree(40)}) {
    const Adjacency adjacency = adjacency_of(test.num_vertices, arcs_of(test));
    const std::vector<VertexId> order = strategy::degree_order(adjacency, test.num_vertices);
    std::vector<VertexId> expected(test.num_vertices);
    std::iota(expected.begin(), expected.end(), VertexId{0});
    const auto degree = [&](VertexId v) { return adjacency.offsets[v + 1] - adjacency.offsets[v]; };
    std::stable_sort(expected.begin(), expected.end(), [&](VertexId a, VertexId b) { return degree(a) < degree(b); });
    EXPECT_EQ(order, expected) << test;
  }
}

TEST_F(SurveyStrategy, RenamingKeepsTheArcs) {
  const TestGraph test = random_graph(12, 200);
  const std::vector<Edge> arcs = arcs_of(test);
  const Adjacency adjacency = adjacency_of(test.num_vertices, arcs);
  const std::vector<VertexId> order = strategy::degree_order(adjacency, test.num_vertices);
  const strategy::RenamedGraph renamed = strategy::rename_vertices(adjacency, order);
  std::vector<Edge> expected, found;
  for (const Edge& e : arcs) expected.push_back({renamed.new_id[e.source], renamed.new_id[e.target]});
  for (VertexId i = 0; i < test.num_vertices; ++i) {
    EXPECT_EQ(renamed.new_id[order[i]], i);
    for (EdgeIndex e = renamed.adjacency.offsets[i]; e < renamed.adjacency.offsets[i + 1ull]; ++e)
      found.push_back({i, renamed.adjacency.neighbors[e]});
  }
  std::sort(expected.begin(), expected.end());
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, expected);
}

TEST_F(SurveyStrategy, ReorderedGraphsAnswerInTheCallersIds) {
  // Degrees fall with the id, so that every vertex but the middle one gets another place.
  TestGraph test{"ramp", 41, {}, true};
  for (VertexId v = 0; v < 40; ++v)
    for (VertexId w = v + 1; w < 41; w += 1 + v / 8) test.edges.push_back({v, w});
  for (const std::string_view name : {"survey-reorder-redirect", "survey-reorder-physical"})
    for (const Query& query : {Query{.sources = {0}}, Query{.sources = {39}}, Query{.sources = {7, 30, 7}, .target = 35}}) {
      const std::vector<Distance> expected = trimmed(naive_bfs(test, query.sources), -1, query.target);
      EXPECT_EQ(trimmed(search(name, test, {{"block", 32}}, query).distance, -1, query.target), expected) << name;
    }
}

/// A way of ten hops along ascending ids, which a relaxing pass may walk at once, and one of three along descending ids.
TestGraph two_ways() {
  TestGraph test{"two-ways", 16, {{5, 1}, {1, 0}, {0, 15}}, true};
  for (VertexId v = 5; v < 15; ++v) test.edges.push_back({v, v + 1});
  return test;
}

TEST_F(SurveyStrategy, RelaxingDoesNotStopAtADistanceThatIsStillTooLarge) {
  for (const std::string_view name : {"survey-simple", "survey-edge-simple"}) {
    device_.set_schedule({.interrupt_every = 0});
    const Query query{.sources = {5}, .target = 15};
    const Outcome outcome = search(name, two_ways(), {{"block", 1}, {"grid", 1}}, query);
    EXPECT_EQ(outcome.distance[15], 3) << name;
    EXPECT_EQ(outcome.frontiers.size(), 3u) << name << " needs as many passes as hops";
  }
}

TEST_F(SurveyStrategy, RelaxingTakesAtMostOnePassMoreThanHops) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    device_.set_schedule({.seed = seed, .interrupt_every = 2});
    for (const TestGraph& test : {two_ways(), random_graph(seed, 120), contended(60)}) {
      const std::vector<Distance> expected = naive_bfs(test, {5});
      const std::size_t depth = *std::max_element(expected.begin(), expected.end());
      for (const std::string_view name : {"survey-simple", "survey-edge-simple"}) {
        const Outcome outcome = search(name, test, {{"block", 32}}, {.sources = {5}});
        ASSERT_EQ(outcome.distance, expected) << name << " on " << test << ", schedule " << seed;
        EXPECT_LE(outcome.frontiers.size(), depth + 1) << name << " on " << test;
      }
    }
  }
}

// A run that ends at its target leaves flags and queues as they are; the next one must not see them.
TEST_F(SurveyStrategy, NothingIsLeftFromARunThatEndedEarly) {
  const TestGraph test = grid(8, 9);
  const BothWays graph(test);
  for (const strategy::Descriptor* each : gpu_strategies()) {
    if (each->info.name.substr(0, 7) != "survey-") continue;
    Runner runner(device_, *each, graph, parameters_for(each->info, {{"block", 32}}));
    runner.run({.sources = {0}, .target = 30});
    runner.run({.sources = {40}, .max_depth = 2});
    EXPECT_EQ(runner.run({.sources = {71}}).distance, naive_bfs(test, {71})) << each->info.name;
  }
}

}  // namespace of_survey_strategy_test
}  // namespace hopwave::testing
