// Every CPU strategy against a naive search, over tiny, exhaustive, random and awkwardly sized graphs, at every extreme of
// its parameters, with several numbers of threads. Answers that others published are in reference_test.cpp.
#include <gtest/gtest.h>

#include <limits>

#include "bfs/plan/plan.h"
#include "bfs/strategy/cpu/collect.h"
#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "hopwave/search.h"
#include "hopwave/validate.h"
#include "support/error_id.h"
#include "support/graphs.h"
#include "support/sanitized.h"

namespace hopwave {
namespace of_cpu_strategy_test {

using namespace hopwave::testing;

constexpr std::int64_t infinite = std::int64_t{1} << 40;

std::vector<std::string> cpu_strategies() {
  std::vector<std::string> names;
  for (const auto& info : strategies())
    if (info.device == "cpu") names.emplace_back(info.name);
  return names;
}

/// A strategy with parameters that force one of its ways: alone, shared, always push, always pull, switching at each level.
struct Way {
  std::string name;
  SearchOptions options;
};

std::vector<Way> ways(const std::vector<int>& threads) {
  std::vector<Way> all;
  for (const std::string& name : cpu_strategies())
    for (const int count : threads) {
      const auto add = [&](const std::string& what, Parameters parameters, bool prepare = false) {
        all.push_back({name + " " + what + " with " + std::to_string(count) + " threads",
                       {.strategy = name,
                        .parameters = std::move(parameters),
                        .prepare = prepare,
                        .run = {.device = DeviceKind::cpu, .threads = count}}});
      };
      add("as it is", {});
      if (name == "cpu-sequential") break;
      add("shared", {{"alone", 0}});
      add("shared, one at a time", {{"alone", 0}, {"sixteen", 0}});
      add("sometimes alone, by sixteen", {{"alone", 7}, {"sixteen", 1}});
      add("sometimes alone", {{"alone", 7}});
      add("as if regular, sometimes alone", {{"alone", 7}, {"sixteen", 1}, {"regular", 1}});
      add("as if regular, one at a time", {{"alone", 7}, {"sixteen", 0}, {"regular", 1}});
      if (name != "cpu-direction") continue;
      add("push only", {{"alpha", 0}, {"alone", 0}});
      add("pull only", {{"alpha", infinite}, {"beta", infinite}, {"alone", 0}});
      add("pull one level at a time", {{"alpha", infinite}, {"beta", 0}, {"alone", 0}});
      add("pull and alone", {{"alpha", infinite}, {"beta", 3}, {"alone", 5}});
      add("pull and alone, as if regular", {{"alpha", infinite}, {"beta", 3}, {"alone", 5}, {"sixteen", 1}, {"regular", 1}});
      add("pull prepared", {{"alpha", infinite}, {"beta", infinite}, {"alone", 0}}, true);
      add("pull prepared and alone", {{"alpha", infinite}, {"beta", 2}, {"alone", 9}}, true);
    }
  return all;
}

void expect_right(Searcher& searcher, const Graph& graph, const TestGraph& test, const Query& query, const std::string& way,
                  const std::vector<Distance>& full) {
  const Result r = searcher.run(query);
  ASSERT_EQ(distances_of(r), trimmed(full, query.max_depth, query.target)) << way << " on " << test;
  const Verdict verdict = validate(graph, query, r);
  ASSERT_TRUE(verdict) << way << " on " << test << ": " << verdict.rule << ": " << verdict.message;
}

void expect_every_source(const TestGraph& test, const std::vector<Way>& all_ways) {
  const Graph graph = build(test);
  std::vector<std::vector<Distance>> right;
  for (VertexId s = 0; s < test.num_vertices; ++s) right.push_back(naive_bfs(test, {s}));
  for (std::uint64_t i = 0; const Way& way : all_ways) {
    Searcher searcher(graph, way.options);
    for (VertexId s = 0; s < test.num_vertices; ++s) {
      if (!tried(i++)) continue;
      expect_right(searcher, graph, test, {.sources = {s}, .parents = (s & 1) != 0}, way.name, right[s]);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(CpuStrategies, ThereAreThree) {
  EXPECT_EQ(cpu_strategies(), (std::vector<std::string>{"cpu-direction", "cpu-parallel", "cpu-sequential"}));
}

TEST(CpuStrategies, NamedGraphsFromEverySource) {
  const auto all_ways = ways({1, 4});
  for (const TestGraph& test : named_graphs()) {
    expect_every_source(test, all_ways);
    if (HasFatalFailure()) return;
  }
}

TEST(CpuStrategies, AllGraphsOnThreeVerticesAndASampleOnFour) {
  const auto all_ways = ways({2}), alone = ways({1});
  for (VertexId n = 1; n <= 3; ++n)
    for (std::uint64_t bits = 0; bits < count_all_graphs(n); ++bits) {
      expect_every_source(graph_from_bits(n, bits), alone);
      if (HasFatalFailure()) return;
    }
  for (std::uint64_t i = 0; i < 100; ++i) {
    expect_every_source(graph_from_bits(4, (i * 40503 + 77) % count_all_graphs(4)), all_ways);
    if (HasFatalFailure()) return;
  }
}

TEST(CpuStrategies, RandomGraphsSourcesDepthsAndTargets) {
  const auto one = ways({1}), two = ways({2}), five = ways({5});
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    if (!tried(seed)) continue;
    const TestGraph test = random_graph(seed, seed % 10 == 0 ? 5000 : 300);
    const Graph graph = build(test, seed % 3 != 0);
    std::mt19937_64 rng(seed);
    const auto vertex = [&] { return static_cast<VertexId>(rng() % test.num_vertices); };
    std::vector<VertexId> sources(1 + rng() % 3);
    for (auto& s : sources) s = vertex();
    if (rng() % 4 == 0) sources.push_back(sources.front());
    Query query{.sources = sources, .parents = rng() % 2 == 0};
    if (rng() % 3 == 0) query.max_depth = static_cast<Distance>(rng() % 8);
    if (rng() % 3 == 0) query.target = vertex();
    if (rng() % 2 == 0) query.ties = Ties::min;
    const auto full = naive_bfs(test, sources);
    for (const Way& way : seed % 4 == 0 ? one : seed % 4 == 1 ? five : two) {
      Searcher searcher(graph, way.options);
      expect_right(searcher, graph, test, query, way.name, full);
      query.parents = !query.parents;  // the plan is used again with other wishes
      expect_right(searcher, graph, test, query, way.name, full);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(CpuStrategies, RelabellingChangesNothing) {
  const auto all_ways = ways({2});
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const TestGraph test = random_graph(seed, 400);
    const auto order = random_order(test.num_vertices, seed);
    const Graph graph = build(relabelled(test, order));
    const auto right = naive_bfs(test, {0});
    for (const Way& way : all_ways) {
      const Result r = search(graph, {.sources = {order[0]}}, way.options);
      for (VertexId v = 0; v < test.num_vertices; ++v) ASSERT_EQ(r.distance[order[v]], right[v]) << way.name << " on " << test;
    }
  }
}

TEST(CpuStrategies, AwkwardSizes) {
  const auto all_ways = ways({2});
  std::uint64_t i = 0;
  for (const VertexId n : {1, 31, 32, 33, 63, 64, 65, 255, 256, 4095, 4096, 4097, 65535, 65536})
    for (const TestGraph& test : {star(n), chain(std::min<VertexId>(n, 4097)), binary_tree(n)}) {
      const Graph graph = build(test);
      const VertexId last = test.num_vertices - 1;
      for (const Way& way : all_ways) {
        if (!tried(i++)) continue;
        // Pulling every level of a long chain is quadratic.
        if (test.name == "chain" && n > 300 && way.name.find("pull") != std::string::npos) continue;
        Searcher searcher(graph, way.options);
        expect_right(searcher, graph, test, {.sources = {last}, .parents = true}, way.name, naive_bfs(test, {last}));
        if (HasFatalFailure()) return;
      }
    }
}

TEST(CpuStrategies, DepthOver255AndOver65535) {
  for (const VertexId n : {300u, 70000u}) {
    const TestGraph test = chain(n, false);
    const Graph graph = build(test);
    for (const std::string& name : cpu_strategies()) {
      const Result r = search(graph, {.sources = {0}}, {.strategy = name, .run = {.device = DeviceKind::cpu, .threads = 2}});
      EXPECT_EQ(r.depth, static_cast<Distance>(n - 1)) << name;
      EXPECT_EQ(distances_of(r), naive_bfs(test, {0})) << name;
    }
  }
}

/// A path of more than 2^31 vertices fits the memory of a large machine. The level after the last Distance would be negative,
/// which is what the CPU strategies take for unreached: they would write beyond their queue.
TEST(CpuStrategies, NoLevelBeyondADistance) {
  constexpr std::uint32_t last = std::numeric_limits<Distance>::max();
  SearchReport stats;
  strategy::RunControl control{.stats = &stats};
  control.level_done(last - 1, 1);
  control.level_done(last, 0);  // nobody is left, and all is well
  EXPECT_EQ(testing::id_of([&] { control.level_done(last, 1); }), "HW-DEPTH-SIZE");
}

/// A row beyond the length at which all members share it, met by every way of pushing.
TEST(CpuStrategies, LongRowsAreShared) {
  TestGraph test = contended(40000);
  for (VertexId v = 0; v < 40000; v += 2) test.edges.push_back({test.num_vertices - 1, v});
  const Graph graph = build(test);
  for (std::uint64_t i = 0; const Way& way : ways({1, 2, 5})) {
    if (!tried(i++)) continue;
    Searcher searcher(graph, way.options);
    for (const VertexId s : {0u, 40000u, 40001u})
      expect_right(searcher, graph, test, {.sources = {s}, .parents = s != 0}, way.name, naive_bfs(test, {s}));
    if (HasFatalFailure()) return;
  }
}

/// A lattice, whose frontiers are regular, with a random graph at each of two corners: levels are expanded in one form and in
/// another, by one thread and by all, and each form knows what the others have found.
TEST(CpuStrategies, RegularFrontiersBesideOthers) {
  constexpr VertexId side = 32, lattice = side * side * side, each = 6000;
  TestGraph test{.name = "a lattice and two random graphs", .num_vertices = lattice + 2 * each, .edges = {}, .directed = false};
  for (VertexId v = 0; v < lattice; ++v)
    for (const VertexId step : {1u, side, side * side})
      if (v / step % side + 1 < side) test.edges.push_back({v, v + step});
  std::mt19937_64 rng(5);
  for (VertexId i = 0; i < 8 * each; ++i)
    for (const VertexId first : {lattice, lattice + each})
      test.edges.push_back({first + static_cast<VertexId>(rng() % each), first + static_cast<VertexId>(rng() % each)});
  test.edges.push_back({0, lattice});
  test.edges.push_back({lattice - 1, lattice + each});
  const Graph graph = build(test);
  std::uint64_t i = 0;
  for (const std::string name : {"cpu-parallel", "cpu-direction"})
    for (const int threads : {1, 2, 6})
      for (const std::int64_t alone : {0, 500, 16384})
        for (const std::int64_t sixteen : {0, 1}) {
          if (!tried(i++, 9)) continue;
          Searcher searcher(graph, {.strategy = name,
                                    .parameters = {{"alone", alone}, {"sixteen", sixteen}},
                                    .run = {.device = DeviceKind::cpu, .threads = threads}});
          for (const VertexId s : {lattice + 1, lattice / 2, lattice + each + 1})
            expect_right(searcher, graph, test, {.sources = {s}, .parents = s != lattice / 2},
                         name + ", " + std::to_string(threads) + " threads, alone=" + std::to_string(alone) +
                             ", sixteen=" + std::to_string(sixteen),
                         naive_bfs(test, {s}));
          if (HasFatalFailure()) return;
        }
}

/// More members than there are owners of vertices, and so many neighbours that nobody has room for them at once.
TEST(CpuStrategies, ManyMembersAndFullLists) {
  TestGraph test = star(300000);
  for (VertexId v = 1; v < 3000; ++v)
    for (VertexId i = 0; i < 40; ++i) test.edges.push_back({v, (v * 97 + i * 7001) % 300000});
  const Graph graph = build(test);
  for (const int threads : {2, 3, 40})
    for (const std::int64_t sixteen : {0, 1}) {
      const SearchOptions options{.strategy = "cpu-parallel",
                                  .parameters = {{"alone", 0}, {"sixteen", sixteen}},
                                  .run = {.device = DeviceKind::cpu, .threads = threads}};
      Searcher searcher(graph, options);
      for (const VertexId s : {0u, 5u, 299999u})
        expect_right(searcher, graph, test, {.sources = {s}, .parents = s != 0},
                     std::to_string(threads) + " threads, sixteen=" + std::to_string(sixteen), naive_bfs(test, {s}));
      if (HasFatalFailure()) return;
    }
}

/// Both ways of collecting see the same, in the same order, at every length and place of a row and with every room that is
/// left.
TEST(CpuCollect, BySixteenAsOneByOne) {
  if (!strategy::cpu::collects_by_sixteen()) GTEST_SKIP() << "this processor looks at one neighbour at a time";
  constexpr VertexId n = 5000;
  std::vector<EdgeIndex> offsets{0};
  std::vector<VertexId> neighbors, queue;
  std::vector<std::uint64_t> visited(n / 64 + 1);
  std::uint64_t state = 7;
  for (std::uint64_t& word : visited) {
    word = splitmix64(state++);  // half of the vertices, and then three quarters
    word |= splitmix64(state++);
  }
  for (VertexId u = 0; u < 400; ++u) {
    const std::uint64_t degree = u < 70 ? u : u % 7 == 0 ? splitmix64(state++) % 3000 : splitmix64(state++) % 40;
    for (std::uint64_t i = 0; i < degree; ++i) neighbors.push_back(static_cast<VertexId>(splitmix64(state++) % n));
    offsets.push_back(neighbors.size());
    queue.push_back(u);
  }
  const strategy::cpu::Rows rows{.offsets = offsets.data(),
                                 .neighbors = neighbors.data(),
                                 .visited = visited.data(),
                                 .queue = queue.data(),
                                 .queue_end = queue.size()};
  for (const bool parents : {false, true})
    for (std::size_t at = 0; at < queue.size(); ++at)
      for (const std::size_t filled : {0, 1, 2000, 2047, 2048}) {
        strategy::cpu::Batch batch[2];
        std::size_t stopped[2];
        EdgeIndex left[2];
        for (const bool wide : {false, true}) {
          batch[wide].count = filled;
          left[wide] = splitmix64(at) % 4000;
          stopped[wide] = strategy::cpu::collect_rows(parents, wide)(rows, at, queue.size(), left[wide], batch[wide]);
        }
        ASSERT_EQ(stopped[0], stopped[1]) << at;
        ASSERT_EQ(left[0], left[1]) << at;
        ASSERT_EQ(batch[0].count, batch[1].count) << at;
        ASSERT_LE(batch[0].count, strategy::cpu::Batch::capacity);
        for (std::size_t i = filled; i < batch[0].count; ++i) {
          ASSERT_EQ(batch[0].neighbors[i], batch[1].neighbors[i]);
          ASSERT_FALSE(visited[batch[0].neighbors[i] / 64] >> batch[0].neighbors[i] % 64 & 1);
          if (parents) {
            ASSERT_EQ(batch[0].from[i], batch[1].from[i]);
          }
        }
      }
}

TEST(CpuStrategies, RepeatedRunsOnAContendedGraphAgree) {
  const TestGraph test = contended(3000);
  const Graph graph = build(test);
  const auto right = naive_bfs(test, {3000});
  for (const Way& way : ways({5})) {
    Searcher searcher(graph, way.options);
    for (int i = 0; i < 40; ++i) {
      expect_right(searcher, graph, test, {.sources = {3000}, .parents = true}, way.name, right);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(CpuStrategies, TraceAddsUp) {
  const TestGraph test = random_graph(1, 3000);
  const Graph graph = build(test);
  for (Way& way : ways({2})) {
    way.options.trace = true;
    Searcher searcher(graph, way.options);
    const Result r = searcher.run({.sources = {0}});
    expect_agrees(r, true);
    expect_traversal_agrees(searcher, {.sources = {0}}, r);
    std::uint64_t edges = 0;
    for (const LevelTrace& t : r.run.trace) edges += t.edges;
    EXPECT_EQ(edges, r.run.edges_examined) << way.name;
    EXPECT_EQ(r.run.steps, r.run.trace.size()) << way.name;
  }
}

}  // namespace of_cpu_strategy_test
}  // namespace hopwave
