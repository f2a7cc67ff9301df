// The engine in the simulator: every threshold at 0 and at "never", so that each way through it is taken on every graph;
// searches deeper than a byte; several sources, depth limits, targets and parents; many searches on one plan.
#include <gtest/gtest.h>

#include "hopwave/error.h"
#include "hopwave/search.h"
#include "hopwave/validate.h"
#include "support/agreement.h"
#include "support/graphs.h"
#include "support/sanitized.h"

namespace hopwave::testing {
namespace of_engine_test {

constexpr std::int64_t never = std::int64_t{1} << 62;

struct Way {
  std::string name;
  Parameters parameters;
};

/// Ways through the engine that a graph of a few vertices would never take by itself.
std::vector<Way> ways() {
  return {
      {"standard", {}},
      {"push only",
       {{"pull", never},
        {"unqueued", never},
        {"push", never},
        {"single_block", 0},
        {"high_diameter", 0},
        {"single_cluster", 0}}},
      {"push only, alone",
       {{"pull", never},
        {"unqueued", never},
        {"push", never},
        {"single_block", never},
        {"high_diameter", 0},
        {"single_cluster", 0}}},
      {"push only, alone or together",
       {{"pull", never},
        {"unqueued", never},
        {"push", never},
        {"single_block", 6},
        {"high_diameter", 0},
        {"single_cluster", 0}}},
      {"pull only", {{"pull", 0}, {"push", 0}, {"single_block", 0}, {"tail", 0}, {"high_diameter", 0}, {"single_cluster", 0}}},
      {"pull, push again",
       {{"pull", 0}, {"push", never}, {"single_block", 0}, {"tail", 0}, {"high_diameter", 0}, {"single_cluster", 0}}},
      {"pull, the rest alone",
       {{"pull", 0}, {"push", 0}, {"single_block", 0}, {"tail", never}, {"high_diameter", 0}, {"single_cluster", 0}}},
      {"pull, the last twenty alone",
       {{"pull", 0}, {"push", 0}, {"single_block", 0}, {"tail", 20}, {"high_diameter", 0}, {"single_cluster", 0}}},
      {"pull, alone", {{"pull", 0}, {"push", never}, {"single_block", 9}, {"high_diameter", 0}, {"single_cluster", 0}}},
      {"pull only, hints",
       {{"pull", 0}, {"push", 0}, {"single_block", 0}, {"cached_parents", 1}, {"high_diameter", 0}, {"single_cluster", 0}}},
      {"pull, isolated vertices not set apart, the rest alone",
       {{"pull", 0},
        {"push", 0},
        {"single_block", 0},
        {"tail", never},
        {"isolated", 0},
        {"high_diameter", 0},
        {"single_cluster", 0}}},
      {"pull, isolated vertices set apart",
       {{"pull", 0}, {"push", never}, {"isolated", 1}, {"high_diameter", 0}, {"single_cluster", 0}}},
      {"unqueued, pull",
       {{"pull", never}, {"unqueued", 0}, {"push", never}, {"single_block", 0}, {"high_diameter", 0}, {"single_cluster", 0}}},
      {"unqueued, pull, pull", {{"pull", never}, {"unqueued", 0}, {"push", 0}, {"high_diameter", 0}, {"single_cluster", 0}}},
      {"pull, no queue from it", {{"pull", 0}, {"push", never}, {"buffer", 0}, {"high_diameter", 0}, {"single_cluster", 0}}},
      {"no fast source", {{"fast", 0}, {"single_block", 0}, {"high_diameter", 0}, {"single_cluster", 0}}},
      {"no fast source, alone", {{"fast", 0}, {"high_diameter", 0}, {"single_cluster", 0}}},
      {"no fast source, pull", {{"fast", 0}, {"pull", 0}, {"push", 5}, {"high_diameter", 0}, {"single_cluster", 0}}},
      {"64-bit offsets", {{"wide_offsets", 1}}},
      {"64-bit offsets, wide, together",
       {{"wide_offsets", 1}, {"single_block", 0}, {"high_diameter", 0}, {"single_cluster", 0}}},
      {"one block", {{"grid", 1}, {"block", 96}, {"high_diameter", 0}, {"single_cluster", 0}}},
      {"one block, together", {{"grid", 1}, {"block", 96}, {"single_block", 0}, {"high_diameter", 0}, {"single_cluster", 0}}},
      {"grid-wide, whatever the graph", {{"high_diameter", 0}, {"single_cluster", 0}}},
      {"high-diameter, four blocks", {{"high_diameter", 1}, {"cluster", 4}, {"tile", 5}}},
      {"high-diameter, queues of one row", {{"high_diameter", 1}, {"cluster", 2}, {"queue", 1}}},
      {"high-diameter, seven hops", {{"high_diameter", 1}, {"hops", 7}, {"grid", 4}}},
      {"high-diameter, one hop", {{"high_diameter", 1}, {"hops", 1}, {"block", 96}}},
      {"high-diameter, three hops, one block", {{"high_diameter", 1}, {"hops", 3}, {"grid", 1}}},
      {"high-diameter, warps run ahead", {{"high_diameter", 1}, {"async", 3}, {"grid", 4}}},
      {"high-diameter, warps run far ahead, short lists", {{"high_diameter", 1}, {"async", 20}, {"block", 96}, {"queue", 1}}},
      {"high-diameter, one block runs ahead, 64-bit offsets",
       {{"high_diameter", 1}, {"async", 1}, {"grid", 1}, {"wide_offsets", 1}}},
      {"shared-memory, one warp", {{"shared_memory", 1}}},
      {"shared-memory, four warps", {{"shared_memory", 1}, {"block", 160}}},
      {"shared-memory, diagonals", {{"shared_memory", 3}}},
      {"shared-memory, packed", {{"shared_memory", 2}, {"block", 64}}},
      {"shared-memory, packed, every row long", {{"shared_memory", 2}, {"block", 96}, {"long_row", 0}}},
      {"shared-memory, packed, some rows long", {{"shared_memory", 2}, {"block", 64}, {"long_row", 5}}},
      {"shared-memory, packed, no row long", {{"shared_memory", 2}, {"block", 64}, {"long_row", never}}},
      {"high-diameter, one block, 64-bit offsets", {{"high_diameter", 1}, {"cluster", 1}, {"wide_offsets", 1}}},
      {"single-cluster, push only",
       {{"high_diameter", 0}, {"single_cluster", 1}, {"cluster", 4}, {"pull", never}, {"push", never}, {"single_block", 0}}},
      {"single-cluster, pull only",
       {{"high_diameter", 0}, {"single_cluster", 1}, {"cluster", 4}, {"pull", 0}, {"push", 0}, {"single_block", 0}}},
      {"single-cluster, push and pull by turns",
       {{"high_diameter", 0}, {"single_cluster", 1}, {"cluster", 2}, {"pull", 0}, {"push", never}, {"single_block", 9}}},
      {"single-cluster, sixteen blocks", {{"high_diameter", 0}, {"single_cluster", 1}, {"cluster", 16}}},
      {"single-cluster, two blocks, 64-bit offsets",
       {{"high_diameter", 0}, {"single_cluster", 1}, {"cluster", 2}, {"block", 96}, {"wide_offsets", 1}}},
  };
}

SearchOptions in_simulator(Parameters parameters, std::uint64_t seed, bool prepare = false) {
  parameters.try_emplace("block", 32);
  parameters.try_emplace("grid", 3);
  SearchOptions options;
  options.run.device = DeviceKind::sim;
  options.parameters = std::move(parameters);
  options.run.simulator.seed = seed;
  options.prepare = prepare;
  return options;
}

void expect_right(Searcher& searcher, const TestGraph& test, const Graph& graph, const Query& query, const std::string& how) {
  const Result result = searcher.run(query);
  ASSERT_EQ(distances_of(result), trimmed(naive_bfs(test, query.sources), query.max_depth, query.target))
      << test << " from " << query.sources[0] << ", " << how;
  if (query.sources[0] % 4 == 1) expect_traversal_agrees(searcher, query, result);
  if (!query.parents) return;
  const Verdict verdict = validate(graph, query, result);
  ASSERT_TRUE(verdict) << test << " from " << query.sources[0] << ", " << how << ": " << verdict.rule << ", "
                       << verdict.message;
}

class Engine : public ::testing::TestWithParam<bool> {
 protected:
  void check(const TestGraph& test, const Way& way, std::uint64_t seed, VertexId stride = 1) {
    const Graph graph = build(test, true, true);
    Searcher searcher(graph, in_simulator(way.parameters, seed, GetParam()));
    for (VertexId s = 0; s < test.num_vertices; s += stride) {
      expect_right(searcher, test, graph, {.sources = {s}, .parents = s % 3 == 0}, way.name);
      if (HasFatalFailure()) return;
    }
  }
};

TEST_P(Engine, NamedGraphsEveryWay) {
  std::uint64_t seed = 0;
  for (const TestGraph& test : named_graphs())
    for (const Way& way : ways()) {
      if (!tried(++seed)) continue;
      check(test, way, seed, 1 + test.num_vertices / 6);
      if (HasFatalFailure()) return;
    }
}

TEST_P(Engine, RandomGraphsEveryWay) {
  std::uint64_t seed = 0;
  for (std::uint64_t i = 0; i < 10; ++i)
    for (const Way& way : ways()) {
      if (!tried(++seed)) continue;
      check(random_graph(i, 150), way, seed, 37);
      if (HasFatalFailure()) return;
    }
}

/// More words of the bitmap than a warp takes at once, and more vertices left over than its lists hold.
TEST_P(Engine, ManyWordsAWarp) {
  std::uint64_t i = 0;
  for (const std::uint64_t seed : {25, 31, 33})
    for (Way way : {ways()[0], ways()[4], ways()[5], ways()[7], ways()[8], ways()[10], ways()[15]}) {
      if (!tried(i++)) continue;
      const TestGraph test = random_graph(seed, 9000);
      way.parameters["grid"] = 1 + seed % 2;
      way.parameters["high_diameter"] = 0;
      check(test, way, seed, 1 + test.num_vertices / 2);
      if (HasFatalFailure()) return;
    }
}

/// Warps that run ahead find more than their lists hold, so that they go deep first; long rows go on behind the others.
TEST_P(Engine, FullListsAWarp) {
  for (const std::int64_t ahead : {2, 7, 40}) {
    const Way way{"run ahead, one warp", {{"high_diameter", 1}, {"async", ahead}, {"grid", 1}, {"queue", 1}}};
    for (const TestGraph& test : {binary_tree(3000), random_graph(31, 4000), star(200)}) {
      check(test, way, 5, 1 + test.num_vertices / 2);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(Engine, DeeperThanAByte) {
  for (const bool directed : {false, true})
    for (const Way& way : {ways()[0], ways()[1], ways()[2], ways()[4], ways()[7]}) {
      check(chain(600, directed), way, 5, 299);
      if (HasFatalFailure()) return;
    }
}

/// Floods count nothing themselves, a first level is taken without a step, and one block may take levels or a rest alone.
TEST_P(Engine, TracesOfEveryWayAddUp) {
  std::uint64_t seed = 0;
  for (const TestGraph& test : {grid(6, 6), random_graph(3, 150), random_graph(8, 150), star(90), lollipop(9, 30), chain(40)})
    for (const Way& way : ways())
      for (const Distance limit : {-1, 1, 2, 4}) {
        if (!tried(++seed)) continue;
        const Graph graph = build(test, true, true);
        SearchOptions options = in_simulator(way.parameters, seed, GetParam());
        options.trace = true;
        const Result result = Searcher(graph, options).run({.sources = {test.num_vertices / 3}, .max_depth = limit});
        expect_agrees(result, true);
        ASSERT_FALSE(HasFatalFailure()) << test << ", " << way.name << ", at most " << limit;
      }
}

TEST_P(Engine, SourcesLimitsAndTargets) {
  for (const Way& way : ways())
    for (const TestGraph& test : {grid(9, 7), random_graph(8, 120), random_graph(11, 120)}) {
      const Graph graph = build(test, true, true);
      Searcher searcher(graph, in_simulator(way.parameters, 3, GetParam()));
      const VertexId n = test.num_vertices;
      for (const Query& query :
           {Query{.sources = {0, n - 1, n / 2, 0}, .parents = true}, Query{.sources = {n / 3}, .max_depth = 0},
            Query{.sources = {n / 3}, .max_depth = 1}, Query{.sources = {n / 3}, .max_depth = 3},
            Query{.sources = {0}, .target = n - 1}, Query{.sources = {1}, .target = 1},
            Query{.sources = {0, 1}, .max_depth = 2, .target = n / 2}, Query{.sources = {n - 1}}}) {
        expect_right(searcher, test, graph, query, way.name);
        if (HasFatalFailure()) return;
      }
    }
}

TEST_P(Engine, TraceTellsEveryLevel) {
  const TestGraph test = grid(6, 6);
  const Graph graph = build(test);
  SearchOptions options = in_simulator(
      {{"fast", 0}, {"pull", never}, {"unqueued", never}, {"single_block", 7}, {"high_diameter", 0}}, 1, GetParam());
  options.trace = true;
  const Result result = Searcher(graph, options).run({.sources = {0}});
  EXPECT_EQ(level_sizes(result.distance.span()), (std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1}));
  expect_agrees(result, true);
  const SearchReport& stats = result.run;
  EXPECT_EQ(stats.launches, 1u);
  EXPECT_FALSE(stats.chosen.empty());
}

/// A caller is asked before the launch and when the levels are known, whichever way is taken; both times it may end the search.
TEST_P(Engine, ProgressIsToldTheSourcesAndTheEnd) {
  const TestGraph test = grid(6, 6);
  const Graph graph = build(test, true, true);
  for (const Way& way : ways()) {
    std::vector<std::pair<std::uint32_t, std::uint64_t>> told;
    std::size_t asked = 100;
    SearchOptions options = in_simulator(way.parameters, 1, GetParam());
    options.run.progress = [&](const Step& step) {
      told.emplace_back(step.done, step.amount);
      return told.size() < asked;
    };
    Searcher searcher(graph, options);
    const Query query{.sources = {0, 7}};
    const SearchReport stats = searcher.run(query).run;
    ASSERT_EQ(told.size(), 2u) << way.name;
    EXPECT_EQ(told[0], std::pair(0u, std::uint64_t{2})) << way.name;
    EXPECT_EQ(told[1], std::pair(stats.levels, std::uint64_t{36})) << way.name;
    EXPECT_GE(stats.round_trips, 1u) << way.name;
    for (asked = 1; asked <= 2; ++asked) {
      told.clear();
      EXPECT_THROW((void)searcher.run(query), Error) << way.name;
      EXPECT_EQ(told.size(), asked) << way.name;
    }
    asked = 100;
    expect_right(searcher, test, graph, query, way.name);
  }
}

TEST(EngineLearns, ThatAWideSearchWouldBetterBeNarrow) {
  TestGraph test{"thick-chain", 600, {}, false};
  for (VertexId v = 0; v < test.num_vertices; ++v)
    for (VertexId w = v + 1; w <= v + 7 && w < test.num_vertices; ++w) test.edges.push_back({v, w});
  const Graph graph = build(test, true, true);
  for (const std::int64_t small : {0, -1}) {
    Searcher searcher(graph, in_simulator({{"shared_memory", 0}, {"single_cluster", small}}, 1));
    const char* const expected[] = {small ? "single-cluster" : "grid-wide", "high-diameter", "high-diameter"};
    for (VertexId s = 0; s < 3; ++s) {
      const Query query{.sources = {s * 180}, .parents = true};
      const Result result = searcher.run(query);
      EXPECT_TRUE(result.run.chosen.starts_with(expected[s])) << result.run.chosen;
      EXPECT_EQ(distances_of(result), naive_bfs(test, query.sources)) << s;
      EXPECT_TRUE(validate(graph, query, result)) << s;
    }
  }
}

/// What searches leave for later ones makes no difference to their answers; parents are neighbours one level nearer.
TEST(EngineLearns, WhoFoundAVertex) {
  for (const std::uint64_t seed : {3, 25, 33}) {
    const TestGraph test = random_graph(seed, 4000);
    const Graph graph = build(test, true, true);
    Searcher with(
        graph,
        in_simulator({{"cached_parents", 1}, {"pull", 0}, {"high_diameter", 0}, {"single_cluster", 0}, {"shared_memory", 0}},
                     seed));
    Searcher without(
        graph,
        in_simulator({{"cached_parents", 0}, {"pull", 0}, {"high_diameter", 0}, {"single_cluster", 0}, {"shared_memory", 0}},
                     seed));
    for (VertexId k = 0; k < 6; ++k) {
      const Query query{.sources = {k * 31 % test.num_vertices}, .parents = true};
      const Result result = with.run(query);
      EXPECT_EQ(distances_of(result), distances_of(without.run(query))) << test << ' ' << k;
      EXPECT_TRUE(validate(graph, query, result)) << test << ' ' << k;
    }
  }
}

/// The guess before the first search may be the source, which need not have arcs into it, be it the only neighbour or the last
/// of a row that begins anywhere in memory.
TEST(EngineLearns, AGuessThatHasNoArcsIntoIt) {
  for (VertexId shift = 0; shift < 9; ++shift) {
    TestGraph test;
    test.directed = true;
    test.num_vertices = 100;
    for (VertexId v = 1; v < 1 + shift; ++v) test.edges.push_back({v + 1, v});  // so that rows begin elsewhere
    for (VertexId v = 20; v < 60; ++v) test.edges.push_back({0, v});
    for (VertexId v = 60; v < 90; ++v) {
      for (VertexId u = 1; u < 1 + v % 9; ++u) test.edges.push_back({u, v});
      test.edges.push_back({v < 75 ? 0u : 99u, v});
    }
    const Graph graph = build(test, true, true);
    Searcher searcher(graph, in_simulator({{"cached_parents", 1},
                                           {"pull", 0},
                                           {"push", 0},
                                           {"single_block", 0},
                                           {"fast", 0},
                                           {"high_diameter", 0},
                                           {"single_cluster", 0},
                                           {"shared_memory", 0}},
                                          shift));
    for (const VertexId source : {0, 99, 5}) {
      const Query query{.sources = {source}, .parents = true};
      const Result result = searcher.run(query);
      EXPECT_EQ(distances_of(result), naive_bfs(test, query.sources)) << shift << ' ' << source;
      EXPECT_TRUE(validate(graph, query, result)) << shift << ' ' << source;
    }
  }
}

/// Isolated vertices are set apart: no pull looks at them, but a source may be one, and so may a target. Vertices that have
/// outgoing arcs alone are like others.
TEST(EngineSetsApart, IsolatedVertices) {
  const Parameters shapes[] = {{},
                               {{"pull", 0}, {"push", 0}, {"single_block", 0}},
                               {{"pull", 0}, {"push", 0}, {"single_block", 0}, {"tail", 0}},
                               {{"pull", 0}, {"push", 0}, {"single_block", 0}, {"tail", never}, {"grid", 1}, {"block", 64}},
                               {{"pull", never}, {"unqueued", 0}, {"push", never}, {"fast", 0}},
                               {{"pull", never}, {"unqueued", never}, {"single_block", never}},
                               {{"pull", 0}, {"cached_parents", 1}, {"wide_offsets", 1}}};
  std::uint64_t i = 0;
  for (const std::uint64_t seed : {2, 3, 9, 14}) {
    TestGraph test = random_graph(seed, 300);
    const VertexId n = test.num_vertices;
    test.num_vertices += n + 40;  // isolated ones
    if (test.directed)            // and some that have outgoing arcs alone
      for (VertexId v = n; v < n + n / 2; ++v) test.edges.push_back({v, (v * 7) % n});
    const std::vector<VertexId> order = random_order(test.num_vertices, seed);
    test = relabelled(test, order);
    const Graph graph = build(test, true, true);
    const std::vector<VertexId> found{order[0], order[n / 2]}, apart{order[n], order[n + 1], order[2 * n + 3]};
    const Query queries[] = {{.sources = {found[0]}, .parents = true},
                             {.sources = {apart[0]}, .parents = true},
                             {.sources = {found[1]}, .parents = true},
                             {.sources = {apart[2]}},
                             {.sources = {apart[0], found[0], apart[2], apart[0]}, .parents = true},
                             {.sources = {apart[1], apart[1]}},
                             {.sources = {found[0]}, .target = apart[0], .parents = true},
                             {.sources = {apart[0]}, .target = apart[0]},
                             {.sources = {apart[0]}, .target = found[1], .parents = true},
                             {.sources = {found[1]}, .target = found[0]},
                             {.sources = {apart[1]}, .max_depth = 0, .parents = true},
                             {.sources = {apart[1]}, .max_depth = 2, .parents = true},
                             {.sources = {found[1]}, .max_depth = 1},
                             {.sources = {found[0]}, .parents = true}};
    for (Parameters parameters : shapes) {
      if (!tried(i++)) continue;
      for (const char* other : {"high_diameter", "single_cluster", "shared_memory"}) parameters.try_emplace(other, 0);
      Searcher as_usual(graph, in_simulator(parameters, seed));
      parameters.emplace("isolated", 0);
      Searcher without(graph, in_simulator(parameters, seed));
      for (Searcher* searcher : {&as_usual, &without})
        for (const Query& query : queries) {
          expect_right(*searcher, test, graph, query, "");
          const Result result = searcher->run(query);
          expect_agrees(result);
          expect_traversal_agrees(*searcher, query, result);
          if (HasFatalFailure()) return;
        }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Prepared, Engine, ::testing::Values(false, true),
                         [](const auto& param) { return param.param ? "prepared" : "as_is"; });

}  // namespace of_engine_test
}  // namespace hopwave::testing
