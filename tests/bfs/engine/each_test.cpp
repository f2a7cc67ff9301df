// Many independent searches in one pass, on the CPU and in the simulator, against a naive search from each source: more
// sources than a word has bits, the same one twice, depth limits, directed and disconnected graphs, every threshold at 0 and
// at "never", searches deeper than the digits that are there at first.
#include <gtest/gtest.h>

#include "hopwave/error.h"
#include "hopwave/search.h"
#include "support/graphs.h"
#include "support/sanitized.h"
#include "support/ticks.h"

namespace hopwave::testing {
namespace of_each_test {

constexpr std::int64_t never = std::int64_t{1} << 62;

struct Way {
  std::string name;
  DeviceKind device = DeviceKind::sim;
  Parameters parameters;
  bool prepare = false;
};

std::vector<Way> ways() {
  const auto sim = DeviceKind::sim;
  return {
      {"cpu", DeviceKind::cpu, {{"ms_bfs", 1}}},
      {"standard", sim, {}},
      {"prepared", sim, {}, true},
      {"push only", sim, {{"pull", never}}},
      {"pull only", sim, {{"pull", 0}, {"push", 0}}},
      {"pull and push in turn, prepared", sim, {{"pull", 0}, {"push", never}}, true},
      {"64-bit offsets, few rows", sim, {{"wide_offsets", 1}, {"rows", 3}}},
      {"one warp", sim, {{"block", 32}, {"grid", 1}}},
      {"thin ones pushed first", sim, {{"pull", 0}, {"push", 0}, {"unqueued", never}}, true},
      {"unqueued", sim, {{"pull", never}, {"unqueued", 0}}, true},
      {"no tail", sim, {{"tail", 0}}, true},
      {"a tail as soon as may be", sim, {{"tail", never}, {"pull", 0}, {"push", 0}}},
      {"unqueued, then a tail", sim, {{"tail", never}, {"unqueued", 0}}, true},
      {"a launch a level", sim, {{"level_launches", 1}, {"pull", 0}, {"push", 40}, {"unqueued", never}}},
      {"one by one", sim, {{"ms_bfs", 0}}},
      {"each source in a block", sim, {{"ms_bfs", -1}, {"per_source", 1}}},
      {"each source in a block, 64-bit offsets, short queues",
       sim,
       {{"ms_bfs", -1}, {"per_source", 1}, {"queue", 1}, {"wide_offsets", 1}}},
      {"each source in a block, bits in global memory", sim, {{"ms_bfs", -1}, {"per_source", 2}}},
      {"each source in a block, of a thin graph", sim, {{"ms_bfs", -1}, {"per_source", 1}, {"high_diameter", 1}}, true},
  };
}

SearchOptions options_of(const Way& way, std::uint64_t seed = 1) {
  SearchOptions options;
  options.run.device = way.device;
  options.prepare = way.prepare;
  options.run.simulator.seed = seed;
  options.run.threads = 2;
  options.parameters = way.parameters;
  if (way.device == DeviceKind::cpu) return options;
  options.parameters.try_emplace("block", 64);
  options.parameters.try_emplace("grid", 3);
  options.parameters.try_emplace("ms_bfs", 1);  // however few there are
  return options;
}

/// `count` sources all over the graph; from the second round on they repeat.
std::vector<VertexId> spread(VertexId n, std::size_t count) {
  std::vector<VertexId> sources;
  for (std::size_t i = 0; i < count; ++i) sources.push_back(static_cast<VertexId>((i * 7919) % n));
  return sources;
}

/// The same searches, counted where they are.
void expect_counts(Searcher& searcher, const TestGraph& test, const std::vector<VertexId>& sources, Distance max_depth,
                   const std::string& how) {
  std::size_t next = 0;
  searcher.count_levels(sources, max_depth, [&](std::size_t i, LevelCounts&& counts) {
    ASSERT_EQ(i, next++);
    std::vector<std::uint64_t> expected;
    std::uint64_t reached = 0, sum = 0;
    for (const Distance d : trimmed(naive_bfs(test, {sources[i]}), max_depth)) {
      if (d == unreached) continue;
      expected.resize(std::max<std::size_t>(expected.size(), d + 1ull));
      ++expected[static_cast<std::size_t>(d)];
      ++reached;
      sum += static_cast<std::uint64_t>(d);
    }
    ASSERT_EQ(counts.at, expected) << test << " from " << sources[i] << ", search " << i << ", counted, " << how;
    EXPECT_EQ(counts.reached(), reached);
    EXPECT_EQ(counts.distance_sum(), sum);
  });
  EXPECT_EQ(next, sources.size());
}

void expect_each(Searcher& searcher, const TestGraph& test, const std::vector<VertexId>& sources, Distance max_depth,
                 const std::string& how) {
  std::size_t next = 0;
  searcher.run_each(sources, max_depth, [&](std::size_t i, Result&& result) {
    ASSERT_EQ(i, next++);
    const auto expected = trimmed(naive_bfs(test, {sources[i]}), max_depth);
    ASSERT_EQ(distances_of(result), expected) << test << " from " << sources[i] << ", search " << i << ", " << how;
    Distance depth = 0;
    for (const Distance d : expected) depth = std::max(depth, d);
    EXPECT_EQ(result.depth, depth);
    if (searcher.strategy() == "auto") EXPECT_FALSE(result.run.chosen.empty());
  });
  EXPECT_EQ(next, sources.size());
  expect_counts(searcher, test, sources, max_depth, how);
  const Array<Distance> rows = searcher.distances_from_each(sources, max_depth);
  ASSERT_EQ(rows.size(), sources.size() * test.num_vertices);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto row = rows.span().subspan(i * test.num_vertices, test.num_vertices);
    ASSERT_EQ(std::vector<Distance>(row.begin(), row.end()), trimmed(naive_bfs(test, {sources[i]}), max_depth))
        << test << " from " << sources[i] << ", row " << i << ", " << how;
  }
}

void expect_each(const TestGraph& test, const std::vector<VertexId>& sources, const Way& way, Distance max_depth = -1,
                 std::uint64_t seed = 1) {
  const Graph graph = build(test, true, true);
  Searcher searcher(graph, options_of(way, seed));
  expect_each(searcher, test, sources, max_depth, way.name);
}

TEST(Each, NamedGraphs) {
  std::uint64_t seed = 0;
  for (const TestGraph& test : named_graphs())
    for (const Way& way : ways()) {
      if (!tried(++seed)) continue;
      expect_each(test, spread(test.num_vertices, 5), way, -1, seed);
      if (HasFatalFailure()) return;
    }
}

TEST(Each, EveryGraphOfThreeVertices) {
  const auto all = ways();
  for (std::uint64_t bits = 0; bits < count_all_graphs(3); ++bits) {
    if (!tried(bits)) continue;
    const TestGraph test = graph_from_bits(3, bits);
    for (const Way& way : {all[0], all[1 + bits % (all.size() - 1)]}) {
      expect_each(test, {0, 1, 2, 1}, way, -1, bits);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Each, RandomGraphsWholeWords) {
  for (std::uint64_t i = 0; i < 10; ++i) {
    const TestGraph test = random_graph(i, 160);
    for (std::uint64_t k = i; const Way& way : ways()) {
      if (!tried(k++)) continue;
      expect_each(test, spread(test.num_vertices, 64), way, -1, i);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Each, MoreSourcesThanBitsAndAgain) {
  const TestGraph test = random_graph(7, 150);
  const Graph graph = build(test, true, true);
  for (const Way& way : ways()) {
    Searcher searcher(graph, options_of(way));
    expect_each(searcher, test, spread(test.num_vertices, 131), -1, way.name);
    expect_each(searcher, test, {0, 0, test.num_vertices - 1, 0}, -1, way.name);
    expect_each(searcher, test, spread(test.num_vertices, 65), 2, way.name);
    expect_each(searcher, test, {}, -1, way.name);
    if (HasFatalFailure()) return;
    const Result single = searcher.run({.sources = {3}});  // the plan is still good for one search
    EXPECT_EQ(distances_of(single), naive_bfs(test, {3})) << way.name;
  }
}

TEST(Each, DepthLimits) {
  for (const TestGraph& test : {grid(9, 7), random_graph(13, 120), chain(40)})
    for (const Way& way : ways())
      for (const Distance limit : {0, 1, 2, 3, 7}) {
        expect_each(test, spread(test.num_vertices, 20), way, limit);
        if (HasFatalFailure()) return;
      }
}

/// 600 levels need ten digits, where eight are there at first.
TEST(Each, DeeperThanTheDigits) {
  for (const bool directed : {false, true})
    for (const std::size_t w : {std::size_t{0}, std::size_t{1}, std::size_t{4}}) {
      if (!tried(w + (directed ? 1 : 0), 2)) continue;
      const TestGraph test = chain(600, directed);
      const Graph graph = build(test, true, true);
      Searcher searcher(graph, options_of(ways()[w]));
      for (const VertexId first : {0, 300}) {
        expect_each(searcher, test, {first, 599, 250, 1}, -1, ways()[w].name);
        if (HasFatalFailure()) return;
      }
    }
}

/// Rows that are cut into parts for several warps, and rows for each other team.
TEST(Each, RowsOfEveryLength) {
  TestGraph test{"hubs", 2600, {}, false};
  for (VertexId v = 3; v < 2400; ++v) test.edges.push_back({v % 3 == 0 ? 0u : 1u, v});
  for (VertexId v = 3; v < 2600; v += 2) test.edges.push_back({2, v});
  for (VertexId v = 3; v < 70; ++v)
    for (VertexId k = 1; k < v; k += 2) test.edges.push_back({v, (v * 31 + k * 17) % 2600});
  const auto all = ways();
  for (const Way& way : {all[0], all[2], all[4], all[5], all[8], all[9], all[11], all[12], all[13]}) {
    expect_each(test, spread(test.num_vertices, 40), way);
    if (HasFatalFailure()) return;
  }
}

/// Rows are sorted by length and cut up by the arcs that pulls look at, which are those that lead in. A hub has a thousand of
/// these and few that lead out, or the other way round. Sources are at the end of the row's first part and of its last. No push
/// comes first, and no tail finds what a pull has missed.
TEST(Each, RowsThatAreLongOnOneSideOnly) {
  const auto pull = [](Parameters more = {}) {
    more.insert({{"ms_bfs", 1}, {"pull", 0}, {"unqueued", 0}, {"tail", 0}});
    return more;
  };
  for (const auto& [arcs, way] : {std::pair{VertexId{1100}, Way{"pull", DeviceKind::sim, pull()}},
                                  {2200, Way{"pull, 64-bit offsets", DeviceKind::sim, pull({{"wide_offsets", 1}})}},
                                  {1100, Way{"pull, prepared", DeviceKind::sim, pull(), true}},
                                  {1100, Way{"cpu", DeviceKind::cpu, {{"ms_bfs", 1}}}}})
    for (const bool in : {true, false}) {
      TestGraph test{.name = in ? "in-hub" : "out-hub", .num_vertices = arcs + 4, .edges = {}, .directed = true};
      const VertexId hub = arcs;
      for (VertexId v = 0; v < arcs; ++v) test.edges.push_back(in ? Edge{v, hub} : Edge{hub, v});
      for (VertexId k = 1; k < 4; ++k) test.edges.push_back(in ? Edge{hub, hub + k} : Edge{hub + k, hub});
      std::vector<VertexId> sources;
      for (VertexId k = 0; k < 64; ++k) sources.push_back(!in ? k < 3 ? hub + 1 + k : hub : k < 32 ? 992 + k : arcs - 64 + k);
      const Graph graph = build(test, true, true);
      const std::vector<Result> results = Searcher(graph, options_of(way)).run_each(sources);
      for (std::size_t i = 0; i < sources.size(); i += 9)
        ASSERT_EQ(distances_of(results[i]), naive_bfs(test, {sources[i]})) << test << ", " << way.name << ", search " << i;
    }
}

/// Vertices of one neighbour are left out of pulls: sources among them, two that have only each other, one with itself, many at
/// one hub, and some whose neighbour is found last of all.
TEST(Each, Leaves) {
  TestGraph test{"leaves", 130, {}, false};
  for (VertexId v = 1; v < 40; ++v) test.edges.push_back({0, v});
  for (VertexId v = 40; v < 70; ++v) test.edges.push_back({v - (v == 40 ? 40 : 1), v});
  for (VertexId v = 70; v < 100; ++v) test.edges.push_back({v - 30, v});
  for (VertexId v = 100; v < 110; v += 2) test.edges.push_back({v, v + 1});
  for (VertexId v = 110; v < 115; ++v) test.edges.push_back({v, v});
  for (VertexId v = 116; v < 120; ++v) test.edges.push_back({115, v});
  for (const Way& way : ways())
    for (const std::size_t count : {std::size_t{64}, std::size_t{7}}) {
      expect_each(test, spread(test.num_vertices, count), way);
      expect_each(test, spread(test.num_vertices, count), way, 3);
      if (HasFatalFailure()) return;
    }
}

TEST(Each, Directions) {
  const TestGraph test = random_graph(16, 100);
  const Graph graph = build(test, true, true);
  for (const Direction direction : {Direction::in, Direction::both})
    for (const Way& way : ways()) {
      SearchOptions options = options_of(way);
      options.direction = direction;
      const std::vector<VertexId> sources = spread(test.num_vertices, 9);
      const std::vector<Result> results = Searcher(graph, options).run_each(sources);
      ASSERT_EQ(results.size(), sources.size());
      for (std::size_t i = 0; i < sources.size(); ++i)
        ASSERT_EQ(distances_of(results[i]), naive_bfs(test, {sources[i]}, direction)) << way.name;
    }
}

TEST(Each, OneByOneWhereTheStrategyHasNothingElse) {
  const TestGraph test = grid(5, 5);
  const Graph graph = build(test);
  SearchOptions options;
  options.strategy = "cpu-sequential";
  Searcher searcher(graph, options);
  expect_each(searcher, test, spread(25, 70), -1, "cpu-sequential");
}

TEST(Each, TheCpuSharesOnlyWhereThereIsSomethingToShare) {
  SearchOptions options;
  options.run.device = DeviceKind::cpu;
  for (const auto& [test, shared] : {std::pair{complete(40), true}, std::pair{grid(9, 9), false}}) {
    const Graph graph = build(test, true, true);
    Searcher searcher(graph, options);
    expect_each(searcher, test, spread(test.num_vertices, 12), -1, "cpu");
    const std::string chosen = searcher.traverse_each(spread(test.num_vertices, 12)).chosen;
    EXPECT_EQ(chosen.find("searches at a time") != std::string::npos, shared) << chosen;
    EXPECT_TRUE(searcher.notes().empty() || searcher.notes()[0].find("parameters") == std::string::npos);
  }
}

TEST(Each, OnePassIsOneLaunchAndMeasured) {
  const Ticks ticks;  // what is measured is above 0
  const TestGraph test = random_graph(3, 150);
  const Graph graph = build(test, true, true);
  Searcher searcher(graph, options_of(ways()[1]));
  const SearchReport stats = searcher.traverse_each(spread(test.num_vertices, 64));
  EXPECT_EQ(stats.launches, 2u);  // the searches, and the distances
  EXPECT_GT(stats.work, Milliseconds());
  EXPECT_GT(stats.levels, 0u);
  EXPECT_EQ(searcher.traverse_each(spread(test.num_vertices, 130)).launches, 6u);
}

TEST(Each, ATraceHasEveryStep) {
  const TestGraph test = random_graph(3, 150);
  const Graph graph = build(test, true, true);
  for (const auto& [unqueued, mode] : {std::pair{std::int64_t{0}, "unqueued"}, std::pair{never, "push"}}) {
    SearchOptions options = options_of(ways()[1]);
    options.trace = true;
    options.parameters["unqueued"] = unqueued;
    options.parameters["pull"] = never;
    Searcher searcher(graph, options);
    const SearchReport stats = searcher.traverse_each(spread(test.num_vertices, 64));
    EXPECT_EQ(stats.launches, 2u);
    ASSERT_FALSE(stats.trace.empty());
    EXPECT_STREQ(stats.trace[0].direction, mode);
    EXPECT_GE(stats.trace.back().level, static_cast<Distance>(stats.levels));
    EXPECT_GT(stats.trace[0].edges, 0u);
    if (unqueued == 0) EXPECT_STREQ(stats.trace[1].direction, "pull");  // of the level after: such an early push is whole
    if (unqueued == 0) EXPECT_GT(stats.trace[1].edges, 0u);
    EXPECT_EQ(stats.parts.size(), 2u);
  }
}

TEST(Each, FewSearchesRunOneByOne) {
  const TestGraph test = random_graph(3, 150);
  const Graph graph = build(test, true, true);
  SearchOptions options = options_of(ways()[1]);
  options.parameters["ms_bfs"] = 5;
  Searcher searcher(graph, options);
  EXPECT_EQ(searcher.traverse_each(spread(test.num_vertices, 4)).launches, 4u);
  EXPECT_EQ(searcher.traverse_each(spread(test.num_vertices, 5)).launches, 2u);
  EXPECT_EQ(searcher.traverse_each(spread(test.num_vertices, 66)).launches, 4u);  // 64 and two alone
  expect_each(searcher, test, spread(test.num_vertices, 66), -1, "64 and two alone");
}

TEST(Each, PassesBeginWhereTheyPay) {
  const TestGraph thin = chain(60), random = random_graph(3, 150);
  const Graph diagonals = build(thin, true, true), graph = build(random, true, true);
  const auto passes = [](const Graph& g, const Parameters& parameters, std::size_t sources) {
    SearchOptions options = options_of({.name = "", .parameters = parameters});
    options.parameters.erase("ms_bfs");
    options.parameters["per_source"] = 0;
    Searcher searcher(g, options);
    return searcher.traverse_each(spread(g.num_vertices(), sources)).chosen.find("searches at a time") != std::string::npos;
  };
  EXPECT_FALSE(passes(diagonals, {{"shared_memory", 3}}, 64));
  const std::vector<std::pair<Parameters, std::size_t>> least = {
      {{{"shared_memory", 1}}, 12},
      {{{"single_cluster", 1}, {"high_diameter", 0}}, 3},
      {{{"single_cluster", 0}, {"shared_memory", 0}, {"high_diameter", 0}}, 6},
      {{{"level_launches", 1}}, 4},
      {{{"high_diameter", 1}, {"async", 0}}, 7},
      {{{"high_diameter", 1}, {"async", 8}}, 20}};
  for (const auto& [parameters, from] : least) {
    EXPECT_FALSE(passes(graph, parameters, from - 1)) << parameters.begin()->first << " " << from;
    EXPECT_TRUE(passes(graph, parameters, from)) << parameters.begin()->first << " " << from;
  }
}

TEST(Each, RefusesSourcesThatAreNotThere) {
  const Graph graph = build(chain(4));
  Searcher searcher(graph, options_of(ways()[0]));
  EXPECT_THROW(searcher.traverse_each(std::vector<VertexId>{1, 4}), Error);
}

TEST(Each, EndsWhenTheCallerWantsNoMore) {
  const Graph graph = build(chain(50));
  for (const Way& way : {ways()[0], ways()[1]}) {
    SearchOptions options = options_of(way);
    options.run.progress = [](const Step&) { return false; };
    Searcher searcher(graph, options);
    EXPECT_THROW(searcher.traverse_each(std::vector<VertexId>{1}), Error) << way.name;
  }
}

TEST(Each, ProgressIsToldTheSourcesFirst) {
  const Graph graph = build(chain(50));
  for (const Way& way : ways()) {
    SearchOptions options = options_of(way);
    std::vector<std::pair<std::uint32_t, std::uint64_t>> told;
    options.run.progress = [&](const Step& step) {
      told.emplace_back(step.done, step.amount);
      return true;
    };
    (void)Searcher(graph, options).traverse_each(std::vector<VertexId>{1, 8, 30});
    ASSERT_FALSE(told.empty()) << way.name;
    EXPECT_EQ(told[0], std::pair(0u, std::uint64_t{way.name == "one by one" ? 1u : 3u})) << way.name;
  }
}

/// Leaves that lie behind the deepest level that a pass has seen count, too.
TEST(Each, LevelsOfCountedSearchesAreTheDeepest) {
  TestGraph test{"leaves", 22, {}, false};
  for (const auto& [u, v] :
       {std::pair{0, 1}, {1, 2},  {2, 3},  {3, 4},   {4, 5},   {6, 7},   {6, 8},   {6, 9},   {6, 10},  {7, 13},
        {7, 17},         {8, 12}, {9, 14}, {10, 11}, {10, 19}, {12, 15}, {12, 16}, {14, 20}, {14, 21}, {15, 18}})
    test.edges.push_back({static_cast<VertexId>(u), static_cast<VertexId>(v)});
  const Graph graph = build(test);
  std::vector<VertexId> sources(22);
  for (VertexId v = 0; v < 22; ++v) sources[v] = (v * 7) % 22;
  for (const int schedule : {0, 1, 2, 4}) {
    SearchOptions options{.parameters = {{"block", 64}, {"grid", 1}, {"per_source", 0}}, .run = {.device = DeviceKind::sim}};
    options.run.simulator.schedule = static_cast<ScheduleKind>(schedule);
    Distance deepest = 0;
    const SearchReport stats = Searcher(graph, options).count_levels(sources, -1, [&](std::size_t, LevelCounts&& counts) {
      deepest = std::max(deepest, counts.depth());
    });
    EXPECT_EQ(deepest, 7);
    EXPECT_EQ(stats.levels, 7u) << schedule;
  }
}

TEST(Each, CountsHaveSums) {
  const LevelCounts counts{{1, 3, 0, 4}};
  EXPECT_EQ(counts.reached(), 8u);
  EXPECT_EQ(counts.depth(), 3);
  EXPECT_EQ(counts.distance_sum(), 15u);
  EXPECT_DOUBLE_EQ(counts.inverse_sum(), 3 + 4.0 / 3);
  EXPECT_EQ(LevelCounts{}.depth(), 0);
  const Graph graph = build(chain(3));
  Searcher searcher(graph, options_of(ways()[0]));
  EXPECT_THROW(searcher.count_levels(std::vector<VertexId>{1}, -1, nullptr), Error);
  EXPECT_THROW(searcher.count_levels(std::vector<VertexId>{3}, -1, [](std::size_t, LevelCounts&&) {}), Error);
}

}  // namespace of_each_test
}  // namespace hopwave::testing
