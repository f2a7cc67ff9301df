// Shortest paths with weights against rounds over all edges: every small graph, random ones, ties, zeros, weights of any size,
// composed shapes, limits, and what must be refused; every method on every machine that is there.
#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "algorithm/sssp/gpu/near_far.h"
#include "device/tried_schedules.h"
#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "hopwave/shortest_paths.h"
#include "support/error_id.h"
#include "support/sanitized.h"
#include "support/weighted.h"

namespace hopwave::testing {
namespace of_sssp_test {

using testing::id_of;

/// A graph is searched in up to ten ways here: of many graphs a fifth are enough.
std::uint64_t amount(std::uint64_t standard) {
  const char* const text = std::getenv("HOPWAVE_TEST_GRAPHS");
  const std::uint64_t given = text ? std::strtoull(text, nullptr, 10) : standard;
  return std::min(given, std::max(standard, given / 5));
}

struct Way {
  std::string name;
  WeightedOptions options;
};

std::vector<Way> cpu_ways() {
  std::vector<Way> ways;
  ways.push_back({"dijkstra", {.strategy = "cpu-dijkstra", .run = {.device = DeviceKind::cpu}}});
  ways.push_back({"delta-stepping", {.strategy = "cpu-delta-stepping", .run = {.device = DeviceKind::cpu, .threads = 1}}});
  ways.push_back({"delta-stepping, narrow bins",
                  {.strategy = "cpu-delta-stepping", .delta = .5, .run = {.device = DeviceKind::cpu, .threads = 2}}});
  ways.push_back({"delta-stepping, one bin",
                  {.strategy = "cpu-delta-stepping", .delta = 1e300, .run = {.device = DeviceKind::cpu, .threads = 3}}});
  ways.push_back(
      {"delta-stepping, bins together", {.strategy = "cpu-delta-stepping", .run = {.device = DeviceKind::cpu, .threads = 3}}});
  return ways;
}

/// The simulator: one block, several, always the grid, one step a launch, and each kind of schedule by turns.
std::vector<Way> sim_ways() {
  std::vector<Way> ways;
  const auto add = [&](const char* name, double delta, Parameters parameters) {
    ways.push_back({name, {.delta = delta, .parameters = std::move(parameters), .run = {.device = DeviceKind::sim}}});
  };
  add("near-far", 0, {});
  add("near-far, one block", 0, {{"grid", 1}});
  add("near-far, all blocks always, narrow buckets", .01, {{"narrow", 1}, {"grid", 2}, {"block", 32}});
  add("near-far, one bucket", 1e300, {{"narrow", 12}, {"block", 96}});
  add("near-far, few steps a launch", 0, {{"steps", 3}, {"narrow", 20}, {"aim", 40}});
  return ways;
}

Way scheduled(Way way, std::uint64_t seed) {
  way.options.run.simulator.seed = seed;
  way.options.run.simulator.schedule = static_cast<ScheduleKind>(seed % device::tried_schedules);
  way.name += ", seed and schedule " + std::to_string(seed);
  return way;
}

template <class T>
std::vector<T> values(const Array<T>& array) {
  return {array.begin(), array.end()};
}

/// Runs the query in this way, and compares every bit.
void expect_right(const WeightedGraph& test, const Graph& graph, WeightedQuery query, const Way& way) {
  const Direction direction = way.options.direction;
  std::vector<double> expected = naive_distances(test, query.sources, direction);
  trim(expected, query);
  const WeightedResult result = shortest_paths(graph, query, way.options);
  ASSERT_EQ(values(result.distance), expected) << test.graph << ", " << way.name;
  const Verdict verdict = validate(graph, query, result, direction);
  ASSERT_TRUE(verdict) << verdict.rule << ": " << verdict.message << "; " << test.graph << ", " << way.name;
  if (!query.parents) {
    ASSERT_TRUE(result.parent.empty());
    return;
  }
  ASSERT_EQ(values(result.parent), naive_parents(test, query.sources, expected, direction)) << test.graph << ", " << way.name;
}

void expect_right(const WeightedGraph& test, const WeightedQuery& query, const Way& way) {
  expect_right(test, hopwave::testing::build(test, true), query, way);
}

// ---- every small graph -------------------------------------------------------------------------------------------------

/// Arcs between different vertices are no arc or one of weight 0, 1 or 2: a digit to the base of four each.
WeightedGraph graph_from_digits(VertexId n, std::uint64_t digits) {
  WeightedGraph test{{"digits-" + std::to_string(n) + "-" + std::to_string(digits), n, {}}, {}};
  for (VertexId u = 0; u < n; ++u)
    for (VertexId v = 0; v < n; ++v) {
      if (u == v) continue;
      const std::uint64_t digit = digits % 4;
      digits /= 4;
      if (digit == 3) continue;
      test.graph.edges.push_back({u, v});
      test.weights.push_back(static_cast<float>(digit));
    }
  return test;
}

TEST(Sssp, EveryGraphOfThreeVertices) {
  const auto ways = cpu_ways();
  for (VertexId n = 1; n <= 3; ++n)
    for (std::uint64_t digits = 0; digits < std::uint64_t{1} << (2 * n * (n - 1)); ++digits) {
      const WeightedGraph test = graph_from_digits(n, digits);
      const Graph graph = hopwave::testing::build(test, true);
      for (const Way& way : {ways[0], ways[1]}) expect_right(test, graph, {.sources = {0}}, way);
      if (HasFatalFailure()) return;
    }
}

/// In the simulator: all graphs of two vertices and a part of those of three and four, under schedules of every kind.
TEST(SsspSimulated, SmallGraphs) {
  const auto ways = sim_ways();
  for (std::uint64_t digits = 0; digits < 16; ++digits)
    for (const Way& way : ways) expect_right(graph_from_digits(2, digits), {.sources = {0}}, scheduled(way, digits));
  std::mt19937_64 rng(3);
  for (std::uint64_t i = 0; i < 8 * amount(60) && !HasFatalFailure(); ++i) {
    const VertexId n = 3 + i % 2;
    expect_right(graph_from_digits(n, rng() % (1u << (2 * n * (n - 1)))), {.sources = {static_cast<VertexId>(i % n)}},
                 scheduled(ways[i % ways.size()], i));
  }
}

TEST(Sssp, SomeGraphsOfFourVertices) {
  const auto ways = cpu_ways();
  std::mt19937_64 rng(4);
  for (std::uint64_t i = 0; i < 20 * amount(100); ++i) {
    const WeightedGraph test = graph_from_digits(4, rng() % (1u << 24));
    Way way = ways[i % 2];
    way.options.direction = static_cast<Direction>(i % 3);
    expect_right(test, {.sources = {static_cast<VertexId>(i % 4)}}, way);
    if (HasFatalFailure()) return;
  }
}

/// A composed graph, with drawn weights.
WeightedGraph generated(const std::string& spec, int kind, std::uint64_t seed) {
  const EdgeList list = generate(spec);
  TestGraph shape{spec, list.num_vertices, {list.edges.begin(), list.edges.end()}, list.directed || list.both_directions};
  return with_weights(std::move(shape), kind, seed);
}
WeightedGraph composed(std::uint64_t seed, std::uint64_t edges) {
  return generated("shapes:" + std::to_string(seed) + "," + std::to_string(edges), static_cast<int>(seed % weight_kinds), seed);
}

// ---- larger ones -------------------------------------------------------------------------------------------------------

TEST(Sssp, RandomGraphsAndWeightsOfEveryKind) {
  std::uint64_t i = 0;
  for (Way way : cpu_ways())
    for (std::uint64_t seed = 0; seed < amount(60); ++seed)
      for (int kind = 0; kind < weight_kinds; ++kind) {
        if (!tried(i++)) continue;
        const WeightedGraph test = with_weights(random_graph(seed, 120), kind, seed);
        std::mt19937_64 rng(seed);
        WeightedQuery query{.sources = {static_cast<VertexId>(rng() % test.graph.num_vertices)}};
        way.options.direction = static_cast<Direction>((seed + static_cast<std::uint64_t>(kind)) % 3);
        expect_right(test, query, way);
        if (HasFatalFailure()) return;
      }
}

TEST(SsspSimulated, RandomGraphsAndWeightsOfEveryKind) {
  const auto ways = sim_ways();
  for (std::uint64_t seed = 0; seed < 6 * amount(60) && !HasFatalFailure(); ++seed) {
    const WeightedGraph test = with_weights(random_graph(seed, 90), static_cast<int>(seed / 2 % weight_kinds), seed);
    std::mt19937_64 rng(seed);
    const auto any = [&] { return static_cast<VertexId>(rng() % test.graph.num_vertices); };
    WeightedQuery query{.sources = {any()}};
    if (seed % 3 == 0) query.sources = {any(), any(), query.sources[0], query.sources[0]};
    if (seed % 5 == 0) query.target = any();
    if (seed % 7 == 0) query.max_distance = double{draw_weight(static_cast<int>(seed / 2 % weight_kinds), rng)};
    Way way = scheduled(ways[seed % ways.size()], seed / ways.size());
    way.options.direction = static_cast<Direction>(seed % 3);
    expect_right(test, query, way);
  }
}

TEST(SsspSimulated, ComposedShapes) {
  const auto ways = sim_ways();
  for (std::uint64_t seed = 0; seed < amount(60) && !HasFatalFailure(); ++seed)
    expect_right(composed(seed, 20 + 11 * (seed % 60)), {.sources = {0}},
                 scheduled(ways[seed % ways.size()], seed / ways.size()));
}

/// Long chains: thousands of steps of one block; and a hub, whose arcs many warps share.
TEST(SsspSimulated, ChainsAndHubs) {
  for (const Way& way : sim_ways())
    for (const int kind : {0, 5, 6}) {
      expect_right(with_weights(chain(300, false), kind, 7), {.sources = {150}}, way);
      expect_right(with_weights(star(700), kind, 7), {.sources = {3}}, way);
      expect_right(with_weights(contended(150), kind, 7), {.sources = {0}}, way);
      if (HasFatalFailure()) return;
    }
}

TEST(SsspSimulated, OffsetsOf64Bits) {
  for (int kind = 0; kind < weight_kinds; ++kind) {
    const WeightedGraph test = with_weights(random_graph(static_cast<std::uint64_t>(kind), 90), kind, 2);
    const Graph graph = hopwave::testing::build(test);
    Team team(1);
    const sssp::WeightedRows rows(team, graph, Direction::out);
    device::Device device(*device::sim_api());
    const auto method = sssp::make_near_far_sim(device, rows.arcs(), {.delta = 2, .tuning = {.wide_offsets = true}});
    WeightedReport stats;
    method->run({.sources = {0}}, {.stats = &stats});
    std::vector<double> found(graph.num_vertices());
    method->fetch(found);
    ASSERT_EQ(found, naive_distances(test, {0})) << test.graph;
  }
}

/// A chain each of whose vertices leads to all of a far group, and offers it less than the one before: if a vertex stood in the
/// pile once for each offer, the pile would have no room.
TEST(SsspSimulated, FarVerticesThatGetNearerAgainAndAgain) {
  constexpr VertexId length = 40, group = 20;
  WeightedGraph test{{"offers", length + group, {}}, {}};
  for (VertexId v = 0; v < length; ++v) {
    if (v + 1 < length) {
      test.graph.edges.push_back({v, v + 1});
      test.weights.push_back(100);
    }
    for (VertexId far = length; far < length + group; ++far) {
      test.graph.edges.push_back({v, far});
      test.weights.push_back(1e6f - 1000.f * static_cast<float>(v));
    }
  }
  for (Way way : sim_ways())
    for (const double delta : {50., 250., 1e4}) {
      way.options.delta = delta;
      expect_right(test, {.sources = {0}}, way);
    }
}

TEST(Sssp, SeveralSourcesTargetsAndGreatestDistances) {
  for (const Way& way : cpu_ways())
    for (std::uint64_t seed = 0; seed < amount(60); ++seed) {
      const WeightedGraph test = with_weights(random_graph(seed, 120), static_cast<int>(seed % weight_kinds), seed);
      std::mt19937_64 rng(seed);
      const auto any = [&] { return static_cast<VertexId>(rng() % test.graph.num_vertices); };
      WeightedQuery query{.sources = {any(), any(), any()}};
      if (seed % 3 != 0) query.target = any();
      if (seed % 3 != 1) query.max_distance = static_cast<double>(draw_weight(static_cast<int>(seed % weight_kinds), rng));
      query.parents = seed % 4 != 0;
      expect_right(test, query, way);
      if (HasFatalFailure()) return;
    }
}

/// Chains, grids and cliques with equal weights have many equally short paths; without weights distances are hops.
TEST(Sssp, TiesZerosAndNoWeights) {
  for (const Way& way : cpu_ways())
    for (const TestGraph& graph : named_graphs()) {
      const WeightedGraph hops{graph, {}};
      expect_right(hops, {.sources = {0}}, way);
      const auto levels = naive_bfs(graph, {0});
      const auto found = shortest_paths(hopwave::testing::build(hops), {.sources = {0}}, way.options);
      for (VertexId v = 0; v < graph.num_vertices; ++v)
        ASSERT_EQ(found.distance[v], levels[v] == unreached ? no_path : levels[v]) << graph << ", " << way.name;
      for (const int kind : {1, 5, 8}) expect_right(with_weights(graph, kind, 3), {.sources = {0}}, way);
      if (HasFatalFailure()) return;
    }
}

/// Without weights Dijkstra's entries wait in a queue. One searcher has many calls, which must not find what earlier ones left.
TEST(Sssp, WithoutWeightsVerticesAreTakenOnceInTheirOrder) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const EdgeList list = generate("shapes:" + std::to_string(seed) + ",600");
    WeightedGraph test{{"shapes without weights " + std::to_string(seed), list.num_vertices, {}, seed % 2 == 0}, {}};
    for (const Edge& e : list.edges.span()) test.graph.edges.push_back(e);
    if (seed % 3 == 0) test.graph.edges.push_back({0, 0}), test.graph.edges.push_back(test.graph.edges.front());
    const Graph graph = build(test);
    const Direction directions[] = {Direction::out, Direction::in, Direction::both};
    WeightedSearcher searcher(
        graph,
        {.strategy = "cpu-dijkstra", .direction = directions[seed % 3], .run = {.device = DeviceKind::cpu, .threads = 1}});
    for (std::uint64_t turn = 0; turn < 8; ++turn) {
      const auto draw = [&](std::uint64_t i) {
        return static_cast<VertexId>(splitmix64(seed * 64 + turn * 8 + i) % graph.num_vertices());
      };
      WeightedQuery query{.sources = {draw(0)}};
      if (turn % 3 == 1) query.sources.insert(query.sources.end(), {draw(1), draw(0), draw(2)});
      if (turn % 4 == 2) query.target = draw(3);
      if (turn % 4 == 3) query.max_distance = 1 + static_cast<double>(draw(4) % 9);
      std::vector<double> expected = naive_distances(test, query.sources, directions[seed % 3]);
      trim(expected, query);
      const WeightedResult found = searcher.run(query);
      ASSERT_EQ(values(found.distance), expected) << test.graph << " turn " << turn;
      if (turn % 4 < 2) ASSERT_EQ(found.run.steps, found.reached) << test.graph << " turn " << turn;
      for (VertexId v = 0; v < graph.num_vertices(); ++v)
        if (expected[v] < no_path && expected[v] > 0)
          ASSERT_EQ(expected[found.parent[v]], expected[v] - 1) << test.graph << " " << v;
    }
  }
}

TEST(Sssp, ComposedShapes) {
  const auto ways = cpu_ways();
  for (std::uint64_t seed = 0; seed < amount(60); ++seed) {
    const WeightedGraph test = composed(seed, 50 + 37 * (seed % 60));
    const Graph graph = hopwave::testing::build(test, true);
    for (std::uint64_t i = seed; const Way& way : ways)
      if (tried(i++)) expect_right(test, graph, {.sources = {static_cast<VertexId>(seed * 31 % test.graph.num_vertices)}}, way);
    if (HasFatalFailure()) return;
  }
}

/// Bins of more vertices than one thread keeps to itself.
TEST(Sssp, FrontiersThatThreadsShare) {
  std::uint64_t i = 0;
  for (const int kind : {0, 1, 6, 8})
    for (const char* spec : {"rmat:10,16", "star:2000", "streets:90", "uniform:12,2"}) {
      const WeightedGraph test = generated(spec, kind, 1);
      const Graph graph = hopwave::testing::build(test);
      for (const double delta : {0., 1., 40., 1e300})
        if (tried(i++))
          expect_right(test, graph, {.sources = {1}},
                       {"delta-stepping",
                        {.strategy = "cpu-delta-stepping", .delta = delta, .run = {.device = DeviceKind::cpu, .threads = 3}}});
      if (HasFatalFailure()) return;
    }
}

/// A few heavy arcs make the mean weight, and all others would be in one bin: each arc would be relaxed hundreds of times.
TEST(Sssp, FewHeavyArcsDoNotWidenTheBins) {
  EdgeList list = generate("grid:20x2000");
  Array<float> weights(list.edges.size());
  for (const bool one : {false, true}) {
    for (std::size_t e = 0; e < weights.size(); ++e) {
      const double drawn = static_cast<double>(splitmix64(e) % 1000 + 1) / 1e6;
      const bool heavy = one ? e == 77 : splitmix64(~e) % 100 == 0;
      weights[e] = static_cast<float>(!heavy ? drawn : one ? 1e30 : drawn * 1e6);
    }
    EdgeList given = list;
    given.weights = Array<float>::copy_of(weights.span());
    const Graph graph = build_graph(std::move(given));
    const WeightedResult right =
        shortest_paths(graph, {.sources = {0}}, {.strategy = "cpu-dijkstra", .run = {.device = DeviceKind::cpu}});
    for (const int threads : {1, 3}) {
      const WeightedResult found = shortest_paths(
          graph, {.sources = {0}}, {.strategy = "cpu-delta-stepping", .run = {.device = DeviceKind::cpu, .threads = threads}});
      EXPECT_TRUE(std::equal(found.distance.begin(), found.distance.end(), right.distance.begin()));
      EXPECT_LT(found.run.relaxations, 30 * graph.num_arcs());
    }
  }
}

/// Weights so far apart that bins would hold one vertex each: what waits must not be looked through again for each of them.
TEST(Sssp, WhatWaitsFarApartIsTakenInOrder) {
  EdgeList star = generate("star:40000");
  star.weights = hopwave::testing::made_weights(
      star.edges.size(), [](std::size_t e) { return e % 20 == 0 ? static_cast<float>(1000 * e + 7) : 1e-6f; });
  // The same with a light part behind each heavy arc, in which bins pay: grids of 20 × 30, joined to a further vertex.
  EdgeList islands = generate("grid:20x3000");
  const VertexId hub = islands.num_vertices++;
  islands.ids = Ids::consecutive(islands.num_vertices);
  std::vector<Edge> edges;
  std::vector<float> weights;
  for (const Edge& e : islands.edges)
    if (e.source / 600 == e.target / 600) {
      edges.push_back(e);
      weights.push_back(static_cast<float>(splitmix64(weights.size()) % 1000 + 1) / 1e6f);
    }
  for (VertexId v = 0; v < hub; v += 600) {
    edges.push_back({hub, v});
    weights.push_back(static_cast<float>(splitmix64(v) % 1000 + 1) * 1e6f);
  }
  islands.edges = Array<Edge>::copy_of(edges);
  islands.weights = Array<float>::copy_of(weights);
  for (EdgeList* list : {&star, &islands}) {
    const WeightedQuery query{.sources = {list == &star ? 0 : hub}};
    const Graph graph = build_graph(std::move(*list));
    const WeightedResult right = shortest_paths(graph, query, {.strategy = "cpu-dijkstra", .run = {.device = DeviceKind::cpu}});
    for (const int threads : {1, 2, 5}) {
      const WeightedResult found = shortest_paths(
          graph, query, {.strategy = "cpu-delta-stepping", .run = {.device = DeviceKind::cpu, .threads = threads}});
      EXPECT_TRUE(std::equal(found.distance.begin(), found.distance.end(), right.distance.begin()));
      if (graph.num_vertices() == 40000) EXPECT_LT(found.run.steps, 100u) << threads << " threads, 2,000 heavy arcs";
      EXPECT_LT(found.run.relaxations, 3 * graph.num_arcs());
    }
    // Ended within, and at a distance.
    WeightedQuery near = query;
    near.max_distance = right.distance[graph.num_vertices() / 2];
    const WeightedResult part =
        shortest_paths(graph, near, {.strategy = "cpu-delta-stepping", .run = {.device = DeviceKind::cpu}});
    for (VertexId v = 0; v < graph.num_vertices(); ++v)
      EXPECT_EQ(part.distance[v], right.distance[v] <= near.max_distance ? right.distance[v] : no_path);
  }
}

/// One searcher, many queries in any order: what an earlier search left must not matter, nor one that was ended.
TEST(Sssp, ASearcherIsUsedAgain) {
  auto ways = cpu_ways();
  for (Way& way : sim_ways()) ways.push_back(std::move(way));
  for (const Way& way : ways) {
    const WeightedGraph test = with_weights(random_graph(11, 200), 0, 5);
    const Graph graph = hopwave::testing::build(test);
    WeightedOptions options = way.options;
    bool end = false;
    options.run.progress = [&](const Step&) { return !end; };
    WeightedSearcher searcher(graph, options);
    for (VertexId s = 0; s < graph.num_vertices(); s += 7) {
      end = s % 2 == 1 && way.options.strategy != "cpu-dijkstra";  // which tells of every 16,384th vertex
      if (end) {
        EXPECT_THROW(searcher.run({.sources = {s}}), Error) << way.name;
        continue;
      }
      ASSERT_EQ(values(searcher.run({.sources = {s}}).distance), naive_distances(test, {s})) << way.name;
      EXPECT_GT(searcher.traverse({.sources = {s}}).steps, 0u);
    }
  }
}

// ---- by hand -----------------------------------------------------------------------------------------------------------

WeightedGraph three(float a, float b, float c) { return {{"three", 3, {{0, 1}, {1, 2}, {0, 2}}}, {a, b, c}}; }

TEST(Sssp, ByHand) {
  const Graph graph = hopwave::testing::build(three(1, 2, 4));
  const WeightedResult found = shortest_paths(graph, {.sources = {0}});
  EXPECT_EQ(values(found.distance), (std::vector<double>{0, 1, 3}));
  EXPECT_EQ(values(found.parent), (std::vector<VertexId>{no_vertex, 0, 1}));
  EXPECT_EQ(found.reached, 3u);
  EXPECT_EQ(found.farthest, 3);
  EXPECT_TRUE(found.exact);
  EXPECT_EQ(found.path_to(graph, 2), (std::vector<VertexId>{0, 1, 2}));
  EXPECT_EQ(found.distance_of(graph, 2), 3);
  const WeightedResult near = shortest_paths(graph, {.sources = {0}, .target = 1});
  EXPECT_EQ(values(near.distance), (std::vector<double>{0, 1, no_path}));
  EXPECT_TRUE(near.path_to(graph, 2).empty());
}

/// Whole numbers are exact below 2^53; beyond, and where fractions get lost, the result says so.
TEST(Sssp, RoundedSumsAreTold) {
  const auto exact = [](float a, float b) {
    return shortest_paths(hopwave::testing::build(three(a, b, std::numeric_limits<float>::infinity())), {.sources = {0}}).exact;
  };
  EXPECT_TRUE(exact(16777216, 1));
  EXPECT_TRUE(exact(4294967296.f, 1));
  EXPECT_TRUE(exact(.25f, 1024));
  EXPECT_FALSE(exact(0x1p53f, 1));
  EXPECT_FALSE(exact(1e30f, 1e-30f));
  EXPECT_TRUE(exact(0, 0));
  EXPECT_TRUE(exact(0x1p-149f, 0x1p-140f));  // subnormal
  EXPECT_TRUE(exact(std::numeric_limits<float>::infinity(), 1));
}

TEST(Sssp, WeightsThatCannotBe) {
  for (const float bad : {-1.f, -1e-30f, -std::numeric_limits<float>::infinity(), std::nanf("")}) {
    const Graph graph = hopwave::testing::build(three(1, bad, 1));
    const Error::Parts error = parts_of([&] { shortest_paths(graph, {.sources = {0}}); });
    EXPECT_EQ(error.id, "HW-SSSP-WEIGHT");
    EXPECT_NE(error.found.find("of the arc 1 to 2"), std::string::npos) << error.found;
  }
  EXPECT_EQ(id_of([] { shortest_paths(hopwave::testing::build(three(-0.f, 1, 1)), {.sources = {0}}); }), "none");
}

// ---- the check ---------------------------------------------------------------------------------------------------------

/// Whatever is changed in an answer, the check sees it, unless another right answer has come out.
TEST(SsspCheck, SeesEveryChange) {
  std::uint64_t changed = 0;
  for (std::uint64_t seed = 0; seed < 5 * amount(60); ++seed) {
    std::mt19937_64 rng(seed);
    const WeightedGraph test = with_weights(random_graph(seed, 60), static_cast<int>(seed % weight_kinds), seed);
    const Graph graph = hopwave::testing::build(test);
    const WeightedQuery query{.sources = {static_cast<VertexId>(rng() % graph.num_vertices())}, .parents = seed % 3 != 0};
    WeightedResult result = shortest_paths(graph, query);
    ASSERT_TRUE(validate(graph, query, result));
    const VertexId v = static_cast<VertexId>(rng() % graph.num_vertices());
    const double before = result.distance[v];
    result.distance[v] = before == no_path ? 7 : rng() % 3 == 0 ? no_path : std::nextafter(before, rng() % 2 ? no_path : -1);
    ASSERT_FALSE(validate(graph, query, result)) << test.graph << ": distance of " << v;
    ++changed;
  }
  EXPECT_EQ(changed, 5 * amount(60));
}

TEST(SsspCheck, NamesTheRule) {
  const WeightedGraph test{{"five", 6, {{0, 1}, {1, 2}, {2, 1}, {0, 3}, {3, 4}}}, {1, 0, 0, 2, 2}};
  const Graph graph = hopwave::testing::build(test);
  const WeightedQuery query{.sources = {0}};
  const auto rule = [&](const auto& change) {
    WeightedResult result = shortest_paths(graph, query);
    change(result);
    return validate(graph, query, result).rule;
  };
  EXPECT_EQ(rule([](WeightedResult&) {}), "");
  EXPECT_EQ(rule([](WeightedResult& r) { r.distance[0] = 1; }), "source-distance");
  EXPECT_EQ(rule([](WeightedResult& r) { r.distance[3] = std::nan(""); }), "distance-range");
  EXPECT_EQ(rule([](WeightedResult& r) { r.parent[0] = 1; }), "no-parent");
  EXPECT_EQ(rule([](WeightedResult& r) { r.parent[5] = 1; }), "no-parent");
  EXPECT_EQ(rule([](WeightedResult& r) { r.parent[3] = no_vertex; }), "parent-range");
  EXPECT_EQ(rule([](WeightedResult& r) { r.parent[3] = 5; }), "parent-range");
  EXPECT_EQ(rule([](WeightedResult& r) { r.parent[3] = 1; }), "tree-edge");
  EXPECT_EQ(rule([](WeightedResult& r) { r.parent[1] = 2; }), "tree-circle");
  EXPECT_EQ(rule([](WeightedResult& r) { r.distance[4] = 5; }), "relaxed");
  EXPECT_EQ(rule([](WeightedResult& r) { r.distance[4] = no_path, r.parent[4] = no_vertex; }), "spanning");
  EXPECT_EQ(rule([](WeightedResult& r) { r.reached = 3; }), "counts");
  EXPECT_EQ(rule([](WeightedResult& r) { r.farthest = 3; }), "counts");
  EXPECT_EQ(rule([](WeightedResult& r) { r.parent = {}; }), "size");
  WeightedResult lone = shortest_paths(graph, {.sources = {0}, .parents = false});
  lone.distance[1] = lone.distance[2] = .5;  // each gives the other its distance, and no source does
  EXPECT_EQ(validate(graph, {.sources = {0}, .parents = false}, lone).rule, "distance-witness");
  const WeightedResult whole = shortest_paths(graph, query);
  EXPECT_EQ(validate(graph, {.sources = {0}, .max_distance = 2}, whole).rule, "distance-limit");
  EXPECT_EQ(validate(graph, {.sources = {9}}, whole).rule, "query");
}

// ---- limits and nonsense -----------------------------------------------------------------------------------------------

TEST(Sssp, EndsAtALimit) {
  const WeightedGraph test = with_weights(grid(150, 150), 0, 1);
  const Graph graph = hopwave::testing::build(test);
  auto ways = cpu_ways();
  ways.push_back(sim_ways().back());
  for (const Way& way : ways) {
    WeightedOptions options = way.options;
    options.run.limits.time = Seconds(1e-9);
    EXPECT_EQ(id_of([&] { shortest_paths(graph, {.sources = {0}}, options); }), "HW-TIME-LIMIT") << way.name;
    std::stop_source stop;
    options = way.options;
    options.run.limits.stop = stop.get_token();
    options.run.progress = [&](const Step&) { return stop.request_stop(), true; };
    EXPECT_EQ(id_of([&] { shortest_paths(graph, {.sources = {0}}, options); }), "HW-CANCELLED") << way.name;
    options = way.options;
    options.run.progress = [](const Step&) -> bool { throw std::runtime_error("from the caller"); };
    EXPECT_THROW(shortest_paths(graph, {.sources = {0}}, options), std::runtime_error) << way.name;
  }
}

/// However much one bin holds, limits are looked at now and then.
/// Also of a graph with fewer arcs than a method reports after.
TEST(Sssp, TheFirstStepAndTheLastAreReported) {
  const Graph graph = build_graph(generate("grid:5x5"));
  for (const char* strategy : {"cpu-dijkstra", "cpu-delta-stepping", "near-far"}) {
    std::vector<std::uint64_t> steps;
    WeightedOptions options{.strategy = strategy};
    options.run.device = std::string(strategy) == "near-far" ? DeviceKind::sim : DeviceKind::cpu;
    options.run.progress = [&](const Step& step) { return steps.push_back(step.done), true; };
    const WeightedResult result = shortest_paths(graph, {.sources = {0}}, options);
    ASSERT_GE(steps.size(), 2u) << strategy;
    EXPECT_EQ(steps.front(), 0u) << strategy;
    EXPECT_EQ(steps.back(), result.run.steps) << strategy;
    for (const std::size_t last : {std::size_t{1}, steps.size()}) {
      std::size_t asked = 0;
      options.run.progress = [&](const Step&) { return ++asked < last; };
      EXPECT_EQ(id_of([&] { shortest_paths(graph, {.sources = {0}}, options); }), "HW-INTERRUPTED") << strategy;
    }
  }
}

TEST(Sssp, LimitsAreLookedAtWithinABin) {
  const Graph graph = build_graph(generate("chain:300000"));
  int looks = 0;
  WeightedOptions options{.strategy = "cpu-delta-stepping", .delta = 1e30, .run = {.device = DeviceKind::cpu, .threads = 1}};
  options.run.progress = [&](const Step&) { return ++looks < 3; };
  EXPECT_EQ(id_of([&] { shortest_paths(graph, {.sources = {0}}, options); }), "HW-INTERRUPTED");
  EXPECT_EQ(looks, 3);
}

/// Arcs from each vertex to all later ones: `far` vertices of no arcs at the end, which the others reach by weight 10⁶. Between
/// the others a path of more arcs is shorter, so that a vertex gets nearer once for each vertex before it.
WeightedGraph nearer_again_and_again(VertexId vertices, VertexId far) {
  WeightedGraph test{{"nearer again and again", vertices + far, {}}, {}};
  for (VertexId u = 0; u < vertices; ++u)
    for (VertexId v = u + 1; v < vertices + far; ++v) {
      test.graph.edges.push_back({u, v});
      test.weights.push_back(v < vertices ? static_cast<float>(2 * (v - u) - 1) : 1e6f);
    }
  return test;
}

/// A vertex stands in a bin once for each time it got nearer, and is relaxed once for all of them.
TEST(Sssp, WhatStandsInABinTwiceIsRelaxedOnce) {
  const WeightedGraph test = nearer_again_and_again(80, 300);
  const Graph graph = hopwave::testing::build(test, true);
  WeightedOptions options{.strategy = "cpu-delta-stepping", .run = {.device = DeviceKind::cpu, .threads = 1}};
  for (const double delta : {0., 1e3, 1e30}) {
    options.delta = delta;
    const WeightedResult found = shortest_paths(graph, {.sources = {0}}, options);
    EXPECT_EQ(values(found.distance), naive_distances(test, {0}));
    EXPECT_LE(found.run.relaxations, graph.num_arcs()) << "bins of " << found.run.delta;
  }
  for (const int threads : {2, 3, 7})
    expect_right(
        test, graph, {.sources = {0}},
        {"threads", {.strategy = "cpu-delta-stepping", .delta = 1e3, .run = {.device = DeviceKind::cpu, .threads = threads}}});
}

std::size_t resident_bytes() {
  std::size_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * 4096;
}

/// Distances fall two million times: the heap has room for two entries a vertex, not for 32 MB of them.
TEST(Sssp, TheHeapHoldsTwoEntriesAVertex) {
  const WeightedGraph test = nearer_again_and_again(2000, 0);
  const Graph graph = hopwave::testing::build(test, true);
  std::size_t before = 0, most = 0;
  WeightedOptions options{.strategy = "cpu-dijkstra", .run = {.device = DeviceKind::cpu}};
  options.run.progress = [&](const Step&) { return most = std::max(most, resident_bytes()), true; };
  WeightedSearcher searcher(graph, options);
  before = resident_bytes();
  const WeightedResult found = searcher.run({.sources = {0}});
  EXPECT_EQ(found.distance[1999], 1999);
  EXPECT_EQ(found.run.relaxations, graph.num_arcs());
  EXPECT_GT(most, 0u);
  EXPECT_LT(most, before + (8 << 20));
}

/// The most arcs that were relaxed between two calls of the caller's function.
std::uint64_t longest_between_looks(const Graph& graph, WeightedOptions options) {
  std::uint64_t longest = 0, before = 0;
  options.run.device = DeviceKind::cpu;
  options.run.progress = [&](const Step& step) {
    EXPECT_GE(step.amount, before);
    longest = std::max(longest, step.amount - before);
    before = step.amount;
    return true;
  };
  const WeightedReport stats = shortest_paths(graph, {.sources = {0}}, options).run;
  EXPECT_GT(stats.relaxations, std::uint64_t{1} << 19) << "too small to tell";
  return std::max(longest, stats.relaxations - before);
}

/// Few vertices of many arcs: arcs count as well as vertices.
TEST(Sssp, LimitsAreLookedAtAfterSoManyArcs) {
  const VertexId n = 1200;
  const Graph dag = hopwave::testing::build(nearer_again_and_again(n, 0));
  EXPECT_LE(longest_between_looks(dag, {.strategy = "cpu-dijkstra"}), (1u << 18) + n);
  EXPECT_LE(longest_between_looks(dag, {.strategy = "cpu-delta-stepping", .delta = 1e30, .run = {.threads = 1}}),
            (1u << 17) + n);

  // Distances far beyond the bins, so that what waits is taken in Dijkstra's order.
  WeightedGraph far{{"far apart", 601 + n, {}}, {}};
  for (VertexId leaf = 1; leaf <= 600; ++leaf) {
    far.graph.edges.push_back({0, leaf});
    far.weights.push_back(1e3f * static_cast<float>(leaf));
    for (VertexId v = 601; v < 601 + n; ++v) {
      far.graph.edges.push_back({leaf, v});
      far.weights.push_back(1e9f);
    }
  }
  const Graph apart = hopwave::testing::build(far);
  for (const int threads : {1, 3})
    EXPECT_LE(longest_between_looks(apart, {.strategy = "cpu-delta-stepping", .delta = 1e-6, .run = {.threads = threads}}),
              (1u << 17) + n);

  // With several threads the caller's thread tells of its own arcs; the others end with it, and nobody is told again.
  for (const int threads : {1, 2, 5})
    for (const int most : {1, 2, 4}) {
      int looks = 0;
      WeightedOptions options{
          .strategy = "cpu-delta-stepping", .delta = 1e30, .run = {.device = DeviceKind::cpu, .threads = threads}};
      options.run.progress = [&](const Step&) { return ++looks < most; };
      WeightedSearcher searcher(dag, options);
      const std::string ended = id_of([&] { searcher.traverse({.sources = {0}}); });
      if (threads == 1 || ended != "none") {  // the caller's thread may have little to do
        EXPECT_EQ(ended, "HW-INTERRUPTED");
        EXPECT_EQ(looks, most);
      }
      looks = -1 << 20;
      EXPECT_EQ(searcher.run({.sources = {0}}).farthest, n - 1);
    }
}

// nonsense: shortest_paths WeightedSearcher::WeightedSearcher WeightedSearcher::run WeightedSearcher::traverse
// WeightedSearcher::strategy WeightedSearcher::device WeightedSearcher::copy_in WeightedSearcher::prepare
// WeightedSearcher::notes WeightedResult::distance_of WeightedResult::path_to validate
TEST(Sssp, Nonsense) {
  const Graph graph = hopwave::testing::build(three(1, 2, 3)), empty;
  const auto id = [&](const WeightedQuery& query, const WeightedOptions& options = {}) {
    return id_of([&] { shortest_paths(graph, query, options); });
  };
  EXPECT_EQ(id({}), "HW-QUERY-EMPTY");
  EXPECT_EQ(id({.sources = {3}}), "HW-QUERY-SOURCE");
  EXPECT_EQ(id({.sources = {0}, .target = 3}), "HW-QUERY-TARGET");
  EXPECT_EQ(id({.sources = {0}, .max_distance = -1}), "HW-QUERY-DISTANCE");
  EXPECT_EQ(id({.sources = {0}, .max_distance = std::nan("")}), "HW-QUERY-DISTANCE");
  EXPECT_EQ(id({.sources = {0, 0}}), "none");
  EXPECT_EQ(id({.sources = {0}}, {.strategy = "cpu-dikstra"}), "HW-STRATEGY-UNKNOWN");
  EXPECT_EQ(id({.sources = {0}}, {.strategy = "near-far", .run = {.device = DeviceKind::cpu}}), "HW-STRATEGY-DEVICE");
  EXPECT_EQ(id({.sources = {0}}, {.strategy = "cpu-dijkstra", .run = {.device = DeviceKind::sim}}), "HW-STRATEGY-DEVICE");
  EXPECT_EQ(id({.sources = {0}}, {.strategy = "cpu-dijkstra", .run = {.device = DeviceKind::gpu}}), "HW-STRATEGY-DEVICE");
  EXPECT_EQ(id({.sources = {0}}, {.parameters = {{"blocks", 1}}, .run = {.device = DeviceKind::sim}}), "HW-PARAM-UNKNOWN");
  EXPECT_EQ(id({.sources = {0}}, {.parameters = {{"block", -1}}, .run = {.device = DeviceKind::sim}}), "HW-PARAM-RANGE");
  EXPECT_EQ(id({.sources = {0}}, {.parameters = {{"blocks", 1}}, .run = {.device = DeviceKind::cpu}}), "HW-PARAM-UNKNOWN");
  EXPECT_EQ(id({.sources = {0}}, {.parameters = {{"block", -1}}, .run = {.device = DeviceKind::cpu}}), "HW-PARAM-RANGE");
  EXPECT_EQ(id({.sources = {0}}, {.parameters = {{"block", 64}}, .run = {.device = DeviceKind::cpu}}), "none");
  EXPECT_EQ(id({.sources = {0}}, {.run = {.device = DeviceKind::cpu, .simulator = {.schedule = ScheduleKind::pct}}}),
            "HW-OPTION-SCHEDULE");
  EXPECT_EQ(id({.sources = {0}}, {.run = {.simulator = {.schedule = static_cast<ScheduleKind>(99)}}}), "HW-OPTION-VALUE");
  EXPECT_EQ(id({.sources = {0}}, {.delta = -1}), "HW-OPTION-DELTA");
  EXPECT_EQ(id({.sources = {0}}, {.delta = no_path}), "HW-OPTION-DELTA");
  EXPECT_EQ(id({.sources = {0}}, {.delta = std::nan("")}), "HW-OPTION-DELTA");
  EXPECT_EQ(id({.sources = {0}}, {.run = {.threads = -1}}), "HW-OPTION-THREADS");
  EXPECT_EQ(id({.sources = {0}}, {.run = {.limits = {.time = Seconds(-1)}}}), "HW-OPTION-TIME-LIMIT");
  EXPECT_EQ(id({.sources = {0}}, {.run = {.device = static_cast<DeviceKind>(9)}}), "HW-OPTION-VALUE");
  EXPECT_EQ(id({.sources = {0}}, {.direction = static_cast<Direction>(9)}), "HW-OPTION-VALUE");
  EXPECT_EQ(id_of([&] { shortest_paths(empty, {.sources = {0}}); }), "HW-QUERY-SOURCE");
  EXPECT_EQ(id_of([&] { WeightedSearcher(empty, WeightedOptions{}).run({.sources = {0}}); }), "HW-QUERY-SOURCE");
  EXPECT_EQ(id_of([&] { validate(graph, {}, WeightedResult{}, static_cast<Direction>(7)); }), "HW-OPTION-VALUE");
  EXPECT_EQ(validate(graph, WeightedQuery{}, WeightedResult{}).rule, "query");
  EXPECT_EQ(validate(empty, WeightedQuery{.sources = {0}}, WeightedResult{}).rule, "query");

  WeightedResult result = shortest_paths(graph, {.sources = {0}, .parents = false});
  EXPECT_EQ(id_of([&] { static_cast<void>(result.path_to(graph, 1)); }), "HW-RESULT-PARENTS");
  EXPECT_EQ(id_of([&] { static_cast<void>(result.distance_of(graph, 7)); }), "HW-IDS-UNKNOWN");
  EXPECT_EQ(id_of([&] { static_cast<void>(result.distance_of(graph, "x")); }), "HW-IDS-UNKNOWN");
  EXPECT_EQ(id_of([&] { static_cast<void>(result.distance_of(empty, 0)); }), "HW-RESULT-GRAPH");
  EXPECT_EQ(id_of([&] { static_cast<void>(result.path_to(empty, "x")); }), "HW-RESULT-GRAPH");
  result = shortest_paths(graph, {.sources = {0}});
  result.parent[1] = 1;
  EXPECT_EQ(id_of([&] { static_cast<void>(result.path_to(graph, 1)); }), "HW-RESULT-PARENTS");

  WeightedSearcher first(graph), second(std::move(first));
  EXPECT_EQ(id_of([&] { first.run({.sources = {0}}); }), "HW-MOVED-FROM");
  EXPECT_EQ(id_of([&] { first.traverse({.sources = {0}}); }), "HW-MOVED-FROM");
  EXPECT_EQ(id_of([&] { static_cast<void>(first.strategy()); }), "HW-MOVED-FROM");
  EXPECT_EQ(id_of([&] { static_cast<void>(first.device()); }), "HW-MOVED-FROM");
  EXPECT_EQ(id_of([&] { static_cast<void>(first.notes()); }), "HW-MOVED-FROM");
  EXPECT_EQ(id_of([&] { static_cast<void>(first.copy_in()); }), "HW-MOVED-FROM");
  EXPECT_EQ(id_of([&] { static_cast<void>(first.prepare()); }), "HW-MOVED-FROM");
  EXPECT_EQ(second.run({.sources = {0}}).reached, 3u);

  WeightedSearcher* self = nullptr;
  std::string inside = "not called";
  WeightedOptions options{.strategy = "cpu-delta-stepping", .run = {.device = DeviceKind::cpu}};
  options.run.progress = [&](const Step&) {
    inside = id_of([&] { self->run({.sources = {0}}); });
    return true;
  };
  WeightedSearcher searcher(graph, options);
  self = &searcher;
  searcher.run({.sources = {0}});
  EXPECT_EQ(inside, "HW-BUSY");
}

}  // namespace of_sssp_test
}  // namespace hopwave::testing
