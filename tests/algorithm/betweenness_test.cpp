// Betweenness against what distances and numbers of paths between all pairs say: every graph of up to three vertices, a part of
// those of four, named, random and composed graphs; counts beyond 2^53 and beyond a double; threads; early ends.
#include "hopwave/betweenness.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <stop_token>

#include "algorithm/betweenness/betweenness_team.h"
#include "device/tried_schedules.h"
#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "support/ended.h"
#include "support/graphs.h"
#include "support/small_graphs.h"

namespace hopwave::testing {
namespace of_betweenness_test {

/// Distances and numbers of shortest paths between all pairs. A vertex v is on a shortest path from s to t if the distances
/// add up, and paths(s, v) · paths(v, t) of them lead over it.
struct AllPairs {
  VertexId n;
  std::vector<Edge> arcs;
  std::vector<int> distance;
  std::vector<double> paths;

  explicit AllPairs(const TestGraph& test)
      : n(test.num_vertices), arcs(arcs_of(test)), distance(std::size_t{n} * n, -1), paths(std::size_t{n} * n, 0) {
    for (VertexId s = 0; s < n; ++s) {
      distance[at(s, s)] = 0;
      paths[at(s, s)] = 1;
      for (int d = 0, found = 1; found; ++d) {
        found = 0;
        for (const Edge& e : arcs)
          if (distance[at(s, e.source)] == d && distance[at(s, e.target)] < 0) distance[at(s, e.target)] = d + 1, ++found;
        for (const Edge& e : arcs)
          if (distance[at(s, e.source)] == d && distance[at(s, e.target)] == d + 1)
            paths[at(s, e.target)] += paths[at(s, e.source)];
      }
    }
  }
  [[nodiscard]] std::size_t at(VertexId s, VertexId t) const { return std::size_t{s} * n + t; }
  [[nodiscard]] double over(VertexId s, VertexId v, VertexId t) const {
    if (distance[at(s, v)] < 0 || distance[at(v, t)] < 0) return 0;
    if (distance[at(s, v)] + distance[at(v, t)] != distance[at(s, t)]) return 0;
    return paths[at(s, v)] * paths[at(v, t)] / paths[at(s, t)];
  }
  [[nodiscard]] double over(VertexId s, const Edge& e, VertexId t) const {
    if (distance[at(s, e.source)] < 0 || distance[at(e.target, t)] < 0) return 0;
    if (distance[at(s, e.source)] + 1 + distance[at(e.target, t)] != distance[at(s, t)]) return 0;
    return paths[at(s, e.source)] * paths[at(e.target, t)] / paths[at(s, t)];
  }
};

std::vector<VertexId> or_all(const std::vector<VertexId>& vertices, VertexId n) {
  std::vector<VertexId> all = vertices;
  if (all.empty())
    for (VertexId v = 0; v < n; ++v) all.push_back(v);
  return all;
}

void expect_near(double found, double right, const TestGraph& test, const std::string& where) {
  ASSERT_NEAR(found, right, 1e-9 * std::max(1.0, right)) << test << " " << where;
}

void expect_right(const TestGraph& test, BetweennessOptions options) {
  const Graph graph = build(test);
  const AllPairs all(test);
  options.arcs = true;
  const Betweenness found = betweenness(graph, options);
  ASSERT_TRUE(found.run.complete());
  if (options.run.device != DeviceKind::automatic) ASSERT_EQ(found.run.device, options.run.device);
  const VertexId n = all.n;
  const std::vector<VertexId> sources = or_all(options.sources, n);
  std::vector<VertexId> targets = or_all(options.targets, n);
  std::sort(targets.begin(), targets.end());
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  ASSERT_EQ(found.sources, sources.size());
  ASSERT_EQ(found.vertex.size(), n);
  ASSERT_EQ(found.arc.size(), graph.num_arcs());
  const auto each_pair = [&](auto&& share) {
    double sum = 0;
    for (const VertexId s : sources)
      for (const VertexId t : targets)
        if (s != t && all.distance[all.at(s, t)] >= 0) sum += share(s, t);
    return sum;
  };
  for (VertexId v = 0; v < n; ++v) {
    const double right =
        each_pair([&](VertexId s, VertexId t) { return (v == s || v == t) && !options.endpoints ? 0 : all.over(s, v, t); });
    expect_near(found.vertex[v], right, test, "vertex " + std::to_string(v));
    EdgeIndex arc = graph.out().offsets[v];
    for (const VertexId w : graph.out_neighbors(v)) {
      const double of_arc = each_pair([&](VertexId s, VertexId t) { return all.over(s, Edge{v, w}, t); });
      expect_near(found.arc[arc++], of_arc, test, "arc " + std::to_string(v) + " " + std::to_string(w));
    }
    if (::testing::Test::HasFatalFailure()) return;
  }
}

/// All pairs, or some sources and targets, with or without ends.
BetweennessOptions drawn(std::uint64_t turn, VertexId n) {
  BetweennessOptions options;
  options.endpoints = turn % 2;
  options.run.threads = static_cast<int>(turn / 2 % 3);
  if (turn % 3 == 1)
    for (std::uint64_t i = 0; i < 1 + turn % 5; ++i) options.sources.push_back(static_cast<VertexId>(splitmix64(turn + i) % n));
  if (turn % 4 >= 2)
    for (std::uint64_t i = 0; i < 1 + turn % 7; ++i)
      options.targets.push_back(static_cast<VertexId>(splitmix64(turn * 31 + i) % n));
  return options;
}

/// The same in the simulator, where schedules hold somebody back or memory is weak.
BetweennessOptions simulated(std::uint64_t turn, VertexId n) {
  BetweennessOptions options = drawn(turn, n);
  options.run.device = DeviceKind::sim;
  options.run.simulator.seed = turn;
  options.run.simulator.schedule = static_cast<ScheduleKind>(turn % device::tried_schedules);
  return options;
}

std::uint64_t graphs(std::uint64_t standard) {
  const char* given = std::getenv("HOPWAVE_TEST_GRAPHS");
  return given ? std::min<std::uint64_t>(std::strtoull(given, nullptr, 10), 4 * standard) : standard;
}

TEST(Betweenness, EveryGraphOfThreeVerticesAndSomeOfFour) {
  each_small_graph(37, [](const TestGraph& test, std::uint64_t bits) {
    const VertexId n = test.num_vertices;
    expect_right(test, drawn(bits, n));
    if (n == 4) return;
    expect_right(test, {});
    if (bits % 3 == 0) expect_right(test, simulated(bits, n));
  });
}

TEST(Betweenness, NamedGraphs) {
  for (const TestGraph& test : named_graphs()) {
    if (test.num_vertices == 0 || test.num_vertices > 70 || test.edges.size() > 600) continue;
    expect_right(test, {});
    expect_right(test, drawn(test.edges.size() + 1, test.num_vertices));
    if (HasFatalFailure()) return;
  }
}

TEST(Betweenness, RandomGraphs) {
  for (std::uint64_t seed = 0; seed < graphs(200); ++seed) {
    const TestGraph test = random_graph(seed, 40);
    expect_right(test, drawn(seed, std::max<VertexId>(test.num_vertices, 1)));
    if (HasFatalFailure()) return;
  }
}

TEST(Betweenness, ComposedShapes) {
  int searched = 0;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const TestGraph test = composed(seed, 100);
    if (test.num_vertices > 150) continue;
    ++searched;
    expect_right(test, drawn(seed, test.num_vertices));
    if (HasFatalFailure()) return;
  }
  EXPECT_GE(searched, 5);
}

TEST(Betweenness, InTheSimulator) {
  for (const TestGraph& test : named_graphs()) {
    if (test.num_vertices == 0 || test.num_vertices > 50 || test.edges.size() > 300) continue;
    expect_right(test, simulated(test.edges.size(), test.num_vertices));
    if (HasFatalFailure()) return;
  }
  for (std::uint64_t seed = 0; seed < graphs(40); ++seed) {
    const TestGraph test = random_graph(seed, 40);
    expect_right(test, simulated(seed, std::max<VertexId>(test.num_vertices, 1)));
    if (HasFatalFailure()) return;
  }
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const TestGraph test = composed(seed, 80);
    if (test.num_vertices <= 100) expect_right(test, simulated(seed, test.num_vertices));
    if (HasFatalFailure()) return;
  }
}

/// More than 64 searches: several passes.
TEST(Betweenness, SimulatorAndCpuAgree) {
  const Graph graph = build_graph(generate("rmat:7,4"));
  const Betweenness cpu = betweenness(graph, {.arcs = true}),
                    sim = betweenness(graph, {.arcs = true, .run = {.device = DeviceKind::sim}});
  const Betweenness again = betweenness(graph, {.arcs = true, .run = {.device = DeviceKind::sim, .simulator = {.seed = 7}}});
  EXPECT_EQ(sim.sources, cpu.sources);
  EXPECT_EQ(sim.max_paths, cpu.max_paths);
  for (std::size_t i = 0; i < cpu.vertex.size(); ++i) ASSERT_NEAR(sim.vertex[i], cpu.vertex[i], 1e-9 * (1 + cpu.vertex[i]));
  for (std::size_t i = 0; i < cpu.arc.size(); ++i) ASSERT_NEAR(sim.arc[i], cpu.arc[i], 1e-9 * (1 + cpu.arc[i]));
  EXPECT_TRUE(std::equal(sim.vertex.begin(), sim.vertex.end(), again.vertex.begin()));
  std::uint64_t calls = 0;
  const Betweenness some = betweenness(
      graph, {.run = {.device = DeviceKind::sim, .progress = [&](const Step& step) { return step.done == 0 || ++calls < 3; }}});
  EXPECT_EQ(some.sources, 64u);
  EXPECT_EQ(some.run.end, End::interrupted);
  std::vector<VertexId> first(64);
  for (VertexId v = 0; v < 64; ++v) first[v] = v;
  const Betweenness right = betweenness(graph, {.sources = first});
  for (std::size_t i = 0; i < right.vertex.size(); ++i)
    ASSERT_NEAR(some.vertex[i], right.vertex[i], 1e-9 * (1 + right.vertex[i]));
}

TEST(Betweenness, SameBitsForAnyNumberOfThreads) {
  const Graph graph = build_graph(generate("rmat:9,8"));
  const Betweenness one = betweenness(graph, {.arcs = true, .run = {.threads = 1}});
  for (const int threads : {2, 3, 7}) {
    const Betweenness other = betweenness(graph, {.arcs = true, .run = {.threads = threads}});
    EXPECT_TRUE(std::equal(one.vertex.begin(), one.vertex.end(), other.vertex.begin()));
    EXPECT_TRUE(std::equal(one.arc.begin(), one.arc.end(), other.arc.begin()));
  }
}

/// More sources than partial sums, so that these are used again, in every way; parts of the graph that most sources do not see.
TEST(Betweenness, SumsAreUsedAgainFromZero) {
  using search_detail::BetweennessWay;
  for (const bool directed : {false, true}) {
    TestGraph test{"a tree, a ring with parallel arcs and a self-loop", 300, {}, directed};
    for (VertexId v = 1; v < 180; ++v) test.edges.push_back({(v - 1) / 2, v});
    for (VertexId v = 180; v < 290; ++v) test.edges.push_back({v, v < 289 ? v + 1 : 180});
    for (const VertexId v : {180u, 200u, 200u}) test.edges.push_back({v, v + 1});
    test.edges.push_back({250, 250});
    const AllPairs all(test);
    for (const BetweennessWay way : {BetweennessWay::plain, BetweennessWay::levels, BetweennessWay::team})
      for (const int threads : {1, 3}) {
        const Betweenness found = search_detail::betweenness(build(test), {.arcs = true, .run = {.threads = threads}}, way);
        ASSERT_EQ(found.sources, 300u);
        for (VertexId v = 0; v < 300; ++v) {
          double right = 0;
          for (VertexId s = 0; s < 300; ++s)
            for (VertexId t = 0; t < 300; ++t)
              if (s != t && v != s && v != t && all.distance[all.at(s, t)] >= 0) right += all.over(s, v, t);
          ASSERT_NEAR(found.vertex[v], right, 1e-9 * std::max(1.0, right)) << v << " threads " << threads;
        }
      }
  }
}

/// `stages` squares in a row, joined at their corners: 2^stages shortest paths from one end to the other.
TestGraph squares(VertexId stages) {
  TestGraph g{"squares", 3 * stages + 1, {}, true};
  for (VertexId i = 0; i < stages; ++i)
    for (const VertexId side : {3 * i + 1, 3 * i + 2}) {
      g.edges.push_back({3 * i, side});
      g.edges.push_back({side, 3 * i + 3});
    }
  return g;
}

void expect_same_bits(const TestGraph& test, BetweennessOptions options, bool with_in) {
  using search_detail::BetweennessWay;
  options.arcs = true;
  const Graph graph = build(test, true, with_in);
  options.run.threads = 1;
  const Betweenness right = search_detail::betweenness(graph, options, BetweennessWay::plain);
  for (const int turn : {0, 1, 2, 3}) {
    const int threads = options.run.threads = 1 + turn % 3;
    const Betweenness found =
        search_detail::betweenness(graph, options, turn % 2 ? BetweennessWay::levels : BetweennessWay::team);
    ASSERT_TRUE(std::equal(right.vertex.begin(), right.vertex.end(), found.vertex.begin())) << test << " threads " << threads;
    ASSERT_TRUE(std::equal(right.arc.begin(), right.arc.end(), found.arc.begin())) << test << " threads " << threads;
    ASSERT_EQ(found.sources, right.sources) << test;
    ASSERT_EQ(found.max_paths, right.max_paths) << test;
    ASSERT_TRUE(found.run.complete());
  }
}

/// The plain search, one of levels, and one by all threads: with incoming arcs, which they pull along, and without.
TEST(Betweenness, EveryWayGivesTheSameBits) {
  for (VertexId n = 1; n <= 3; ++n)
    for (std::uint64_t bits = 0; bits < count_all_graphs(n); bits += 3) {
      expect_same_bits(graph_from_bits(n, bits), drawn(bits, n), bits % 2);
      if (HasFatalFailure()) return;
    }
  for (const TestGraph& test : named_graphs()) {
    if (test.num_vertices == 0 || test.num_vertices > 300 || test.edges.size() > 3000) continue;
    expect_same_bits(test, drawn(test.edges.size(), test.num_vertices), true);
    if (HasFatalFailure()) return;
  }
  for (std::uint64_t seed = 0; seed < graphs(60); ++seed) {
    const TestGraph test = random_graph(seed, 200);
    if (test.num_vertices) expect_same_bits(test, drawn(seed, test.num_vertices), seed % 2);
    if (HasFatalFailure()) return;
  }
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const TestGraph test = composed(seed, 400);
    expect_same_bits(test, drawn(seed, test.num_vertices), seed % 2);
    if (HasFatalFailure()) return;
  }
  // Large enough that levels are shared out, with hubs, as vertices and as rows.
  const EdgeList list = generate("rmat:12,8");
  TestGraph large{"rmat", list.num_vertices, {}, true};
  for (const Edge& e : list.edges.span()) large.edges.push_back(e), large.edges.push_back({e.target, e.source});
  expect_same_bits(large, {.sources = {1, 5, 9, 700, 1}}, true);
  expect_same_bits(large, {.sources = {1, 5, 9, 700, 1}, .endpoints = true}, false);
}

/// A search that is not for that: too many paths for integers, or too many levels, at the first source and later.
TEST(Betweenness, SearchesThatNeedThePlainWay) {
  TestGraph test = squares(70);
  const VertexId few = test.num_vertices, deep = few + 3;
  test.num_vertices += 3 + 300;
  for (const VertexId v : {few, few + 1}) test.edges.push_back({v, v + 1});
  for (VertexId v = deep; v + 1 < test.num_vertices; ++v) test.edges.push_back({v, v + 1});
  for (const auto& sources : {std::vector<VertexId>{0, few}, {few, 0, few}, {few, deep, 0, few + 1}, {deep}})
    for (const bool with_in : {false, true}) expect_same_bits(test, {.sources = sources}, with_in);
}

/// Levels wide enough for several members, with far more paths than 53 bits, or a double, can count: sums are rounded, but
/// alike.
TEST(Betweenness, ThinSearchesByAllThreadsGiveTheSameBits) {
  for (const char* spec : {"grid:160x200", "grid:540x530", "streets:90"}) {
    const Graph graph = build_graph(generate(spec), {.build_in = true});
    for (const bool endpoints : {false, true}) {
      BetweennessOptions options{.sources = {graph.num_vertices() / 3}, .arcs = true, .endpoints = endpoints};
      if (endpoints)
        for (VertexId v = 0; v < graph.num_vertices(); v += 3) options.targets.push_back(v);
      options.run.threads = 1;
      const Betweenness right = search_detail::betweenness(graph, options, search_detail::BetweennessWay::plain);
      for (const int threads : {2, 3, 16}) {
        options.run.threads = threads;
        const Betweenness found = search_detail::betweenness(graph, options, search_detail::BetweennessWay::team);
        ASSERT_TRUE(std::equal(right.vertex.begin(), right.vertex.end(), found.vertex.begin()))
            << spec << " threads " << threads;
        ASSERT_TRUE(std::equal(right.arc.begin(), right.arc.end(), found.arc.begin())) << spec << " threads " << threads;
        ASSERT_EQ(found.max_paths, right.max_paths) << spec;
      }
    }
  }
}

/// The same along one-way arcs: numbers of paths come along incoming rows.
TEST(Betweenness, ThinOneWaySearchesByAllThreadsGiveTheSameBits) {
  constexpr VertexId side = 300;
  TestGraph test{"a grid of arcs to the right and down", side * side, {}, true};
  for (VertexId v = 0; v < side * side; ++v) {
    if (v % side + 1 < side) test.edges.push_back({v, v + 1});
    if (v + side < side * side) test.edges.push_back({v, v + side});
    if (v % 7 == 0 && v > 0) test.edges.push_back({v, v - 1});
  }
  expect_same_bits(test, {.sources = {0}}, true);
  expect_same_bits(test, {.sources = {0}}, false);
}

TEST(Betweenness, OneSearchByAllThreadsEndsEarly) {
  const Graph graph = build_graph(generate("rmat:10,8"));
  const auto call = [&](BetweennessOptions options) {
    options.run.threads = 2;
    return search_detail::betweenness(graph, options, search_detail::BetweennessWay::team);
  };
  const Betweenness some = call({.run = {.progress = [](const Step& step) { return step.done < 10; }}});
  EXPECT_FALSE(some.run.complete());
  EXPECT_EQ(some.run.end, End::interrupted);
  EXPECT_EQ(some.sources, 10u);
  std::vector<VertexId> first(10);
  for (VertexId v = 0; v < 10; ++v) first[v] = v;
  const Betweenness right = betweenness(graph, {.sources = first});
  for (std::size_t v = 0; v < right.vertex.size(); ++v)
    ASSERT_NEAR(some.vertex[v], right.vertex[v], 1e-9 * (1 + right.vertex[v]));
  EXPECT_EQ(call({.run = {.limits = {.time = Seconds(1e-9)}}}).run.end, End::time_limit);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(call({.run = {.limits = {.stop = stop.get_token()}}}).run.end, End::cancelled);
  struct Thrown {};
  EXPECT_THROW((void)call({.run = {.progress = [](const Step&) -> bool { throw Thrown(); }}}), Thrown);
}

TEST(Betweenness, MoreShortestPathsThanADoubleHolds) {
  for (const VertexId stages : {20u, 60u, 900u, 1100u, 5000u, 601u}) {
    const TestGraph test = squares(stages);
    const Betweenness found = betweenness(build(test), {.sources = {0},
                                                        .arcs = true,
                                                        .endpoints = stages == 60,
                                                        .run = {.device = stages == 601 ? DeviceKind::sim : DeviceKind::cpu}});
    EXPECT_EQ(found.max_paths, std::ldexp(1, static_cast<int>(stages)));
    const double ends = stages == 60 ? 1 : 0;
    // Half of the paths from the first corner to whatever comes behind a side lead over it.
    for (VertexId i = 0; i < stages; ++i) {
      const double behind = 3.0 * (stages - i) - 2;
      ASSERT_NEAR(found.vertex[3 * i + 1], 0.5 * behind + ends, 1e-9 * stages) << i;
      ASSERT_NEAR(found.arc[4 * i], 0.5 * behind + 1, 1e-9 * stages) << i;
      if (i) ASSERT_NEAR(found.vertex[3 * i], 3.0 * (stages - i) + ends, 1e-9 * stages) << i;
    }
  }
}

/// A grid's corner sees binomial coefficients; and a path beside the squares has one shortest path where they have 2^1200.
TEST(Betweenness, ManyPathsBesideFew) {
  const Graph grid = build_graph(generate("grid:540x540"));
  const Betweenness of_corner = betweenness(grid, {.sources = {0}});
  EXPECT_TRUE(std::isinf(of_corner.max_paths));
  double sum = 0;
  for (const double value : of_corner.vertex) sum += value;
  EXPECT_NEAR(sum, 540.0 * 540 * 539 - (540.0 * 540 - 1), 1e-3);  // of all distances less one
  TestGraph test = squares(1200);
  const VertexId end = test.num_vertices - 1, first = test.num_vertices;
  test.num_vertices += 2399;
  for (VertexId i = 0; i < 2400; ++i) test.edges.push_back({i ? first + i - 1 : 0, i < 2399 ? first + i : end});
  test.edges.push_back({end, test.num_vertices++});
  const Betweenness found = betweenness(build(test), {.sources = {0}});
  for (VertexId i = 0; i < 2399; ++i) ASSERT_NEAR(found.vertex[first + i], 2398.0 - i, 1e-6);
  EXPECT_NEAR(found.vertex[end], 1, 1e-9);
}

/// The calling thread asks to the end, also when it has no source left: one of 64 parts has all the work.
TEST(Betweenness, ProgressWhileOthersWork) {
  constexpr std::size_t part = 94;
  TestGraph test{"one vertex alone, and a heavy rest", 20'001, {}, true};
  for (std::uint64_t i = 0; i < 400'000; ++i)
    test.edges.push_back(
        {static_cast<VertexId>(1 + splitmix64(i) % 20'000), static_cast<VertexId>(1 + splitmix64(~i) % 20'000)});
  const Graph graph = build(test);
  BetweennessOptions options{.sources = std::vector<VertexId>(64 * part, 0), .run = {.threads = 2}};
  std::fill(options.sources.end() - part, options.sources.end(), 1);
  options.run.progress = [&](const Step& step) { return step.done < 63 * part + 2; };
  const Betweenness found = betweenness(graph, options);
  EXPECT_FALSE(found.run.complete());
  EXPECT_GE(found.sources, 63 * part + 2);
}

TEST(Betweenness, EarlyEndsKeepWhatIsDone) {
  const Graph graph = build_graph(generate("grid:12x12"));
  std::uint64_t calls = 0;
  const Betweenness some = betweenness(graph, {.run = {.threads = 1, .progress = [&](const Step& step) {
                                                         EXPECT_EQ(step.total, 144u);
                                                         EXPECT_EQ(step.done, calls);
                                                         return ++calls <= 10;
                                                       }}});
  EXPECT_FALSE(some.run.complete());
  EXPECT_EQ(some.run.end, End::interrupted);
  EXPECT_EQ(some.sources, 10u);
  std::vector<VertexId> first(10);
  for (VertexId v = 0; v < 10; ++v) first[v] = v;
  const Betweenness right = betweenness(graph, {.sources = first});
  for (VertexId v = 0; v < 144; ++v) EXPECT_NEAR(some.vertex[v], right.vertex[v], 1e-9);

  const Betweenness late = betweenness(graph, {.run = {.limits = {.time = Seconds(1e-9)}}});
  EXPECT_EQ(late.run.end, End::time_limit);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(betweenness(graph, {.run = {.limits = {.stop = stop.get_token()}}}).run.end, End::cancelled);
  struct Thrown {};
  EXPECT_THROW((void)betweenness(graph, {.run = {.progress = [](const Step&) -> bool { throw Thrown(); }}}), Thrown);
}

// nonsense: betweenness_scale
TEST(Betweenness, Scales) {
  const Graph directed = build(chain(5)), undirected = build(chain(5, false));
  EXPECT_EQ(betweenness_scale(directed, 5, false, false).vertex, 1);
  EXPECT_EQ(betweenness_scale(undirected, 5, false, false).arc, 0.5);
  EXPECT_EQ(betweenness_scale(undirected, 5, true, false).vertex, 1.0 / 12);
  EXPECT_EQ(betweenness_scale(undirected, 5, true, true).vertex, 1.0 / 20);
  EXPECT_EQ(betweenness_scale(undirected, 5, true, false).arc, 1.0 / 20);
  EXPECT_EQ(betweenness_scale(directed, 2, false, false).vertex, 2.5);
  EXPECT_EQ(betweenness_scale(directed, 0, true, false).vertex, 0);
  EXPECT_EQ(betweenness_scale(build(chain(2)), 2, true, false).vertex, 0);
  EXPECT_EQ(betweenness_scale(Graph(), 0, true, true).arc, 0);
  // The middle of a path of five lies on four of the six pairs of others.
  const Betweenness found = betweenness(undirected);
  EXPECT_DOUBLE_EQ(found.vertex[2] * betweenness_scale(undirected, 5, true, false).vertex, 4.0 / 6);
}

// nonsense: betweenness_error
TEST(Betweenness, EstimatesKeepTheirBound) {
  EXPECT_EQ(betweenness_error(100, 100), 0);
  EXPECT_EQ(betweenness_error(100, 0), 1);
  EXPECT_EQ(betweenness_error(0, 0), 0);
  EXPECT_EQ(betweenness_error(1000, 1), 1);
  EXPECT_LT(betweenness_error(1000, 500), betweenness_error(1000, 100));
  for (const double risk : {0.0, 1.0, -1.0, std::nan("")}) EXPECT_THROW((void)betweenness_error(10, 5, risk), Error);
  const Graph graph = build_graph(generate("rmat:9,4"));
  const VertexId n = graph.num_vertices();
  const Betweenness exact = betweenness(graph);
  const double to_share = betweenness_scale(graph, n, true, false).vertex;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    BetweennessOptions options;
    for (const VertexId v : random_order(n, seed)) {
      if (options.sources.size() == 200) break;
      options.sources.push_back(v);
    }
    const Betweenness estimate = betweenness(graph, options);
    const double scale = betweenness_scale(graph, 200, true, false).vertex, bound = betweenness_error(n, 200);
    ASSERT_LT(bound, 0.2);
    for (VertexId v = 0; v < n; ++v) ASSERT_LE(std::fabs(estimate.vertex[v] * scale - exact.vertex[v] * to_share), bound);
  }
}

// nonsense: betweenness
TEST(Betweenness, NothingAndNonsense) {
  const Betweenness none = betweenness(Graph(), {.arcs = true});
  EXPECT_EQ(none.vertex.size(), 0u);
  EXPECT_TRUE(none.run.complete());
  const Graph graph = build(chain(3));
  const auto error_of = [&](const BetweennessOptions& options) { return id_of([&] { (void)betweenness(graph, options); }); };
  EXPECT_EQ(error_of({.sources = {3}}), "HW-QUERY-SOURCE");
  EXPECT_EQ(error_of({.sources = {no_vertex}}), "HW-QUERY-SOURCE");
  EXPECT_EQ(error_of({.targets = {7}}), "HW-QUERY-TARGET");
  expect_refusals([&](const RunOptions& run) { (void)betweenness(graph, {.run = run}); });
  EXPECT_EQ(error_of({.sources = {1, 1}, .targets = {2, 2}}), "none");
}

}  // namespace of_betweenness_test
}  // namespace hopwave::testing
