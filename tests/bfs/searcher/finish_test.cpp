// What search() does to an answer after a strategy, on the edge of each limit, and which CPU strategy `auto` runs.
#include <gtest/gtest.h>

#include "bfs/engine/choose_cpu.h"
#include "bfs/searcher/trim.h"
#include "hopwave/generate.h"
#include "hopwave/validate.h"
#include "support/graphs.h"

namespace hopwave::search_detail {
namespace of_finish_test {

using namespace hopwave::testing;

Result answer(std::vector<Distance> distance, std::vector<VertexId> parent = {}) {
  Result r;
  r.distance = Array<Distance>::copy_of({distance.data(), distance.size()});
  r.parent = Array<VertexId>::copy_of({parent.data(), parent.size()});
  return r;
}

template <class T>
std::vector<T> list(const Array<T>& array) {
  return {array.begin(), array.end()};
}

TEST(DepthLimit, IsTheLeastThatTheQueryNames) {
  const Distance distance[] = {0, 3, unreached};
  EXPECT_EQ(depth_limit({.sources = {0}}, distance), std::numeric_limits<Distance>::max());
  EXPECT_EQ(depth_limit({.sources = {0}, .max_depth = 0}, distance), 0);
  EXPECT_EQ(depth_limit({.sources = {0}, .max_depth = 5}, distance), 5);
  EXPECT_EQ(depth_limit({.sources = {0}, .max_depth = 5, .target = 1}, distance), 3);
  EXPECT_EQ(depth_limit({.sources = {0}, .max_depth = 2, .target = 1}, distance), 2);
  EXPECT_EQ(depth_limit({.sources = {0}, .max_depth = 5, .target = 2}, distance), 5);  // not reached
}

TEST(TrimAndCount, TakesParentsAwayWithDistances) {
  Team team(1);
  Result r = answer({0, 1, 2, 3, unreached}, {no_vertex, 0, 1, 2, no_vertex});
  trim_and_count(team, {.sources = {0}, .max_depth = 2}, r);
  EXPECT_EQ(list(r.distance), (std::vector<Distance>{0, 1, 2, unreached, unreached}));
  EXPECT_EQ(list(r.parent), (std::vector<VertexId>{no_vertex, 0, 1, no_vertex, no_vertex}));
  EXPECT_EQ(r.reached, 3u);
  EXPECT_EQ(r.depth, 2);
  Result bare = answer({0, 1, 2, 3});
  trim_and_count(team, {.sources = {0}, .max_depth = 0}, bare);
  EXPECT_EQ(list(bare.distance), (std::vector<Distance>{0, unreached, unreached, unreached}));
  EXPECT_EQ(bare.reached, 1u);
  EXPECT_EQ(bare.depth, 0);
}

/// (level, discovered) of the trace that stays.
std::vector<std::pair<Distance, std::uint64_t>> trace_after(Distance depth,
                                                            std::vector<std::pair<Distance, std::uint64_t>> steps) {
  Result r;
  r.depth = depth;
  for (const auto& [level, discovered] : steps) r.run.trace.push_back({.level = level, .discovered = discovered});
  agree_with_answer(r);
  EXPECT_EQ(r.run.levels, static_cast<std::uint32_t>(depth));
  std::vector<std::pair<Distance, std::uint64_t>> left;
  for (const LevelTrace& t : r.run.trace) left.emplace_back(t.level, t.discovered);
  return left;
}

TEST(AgreeWithAnswer, KeepsOneStepThatFoundNothing) {
  using Steps = std::vector<std::pair<Distance, std::uint64_t>>;
  EXPECT_EQ(trace_after(2, {{1, 5}, {2, 4}}), (Steps{{1, 5}, {2, 4}}));
  EXPECT_EQ(trace_after(2, {{1, 5}, {2, 4}, {3, 0}}), (Steps{{1, 5}, {2, 4}, {3, 0}}));
  EXPECT_EQ(trace_after(2, {{1, 5}, {2, 4}, {3, 1}}), (Steps{{1, 5}, {2, 4}}));  // trimmed away
  EXPECT_EQ(trace_after(2, {{1, 5}, {2, 4}, {3, 0}, {4, 0}}), (Steps{{1, 5}, {2, 4}, {3, 0}}));
  EXPECT_EQ(trace_after(2, {{1, 5}, {2, 0}, {2, 4}}), (Steps{{1, 5}, {2, 0}, {2, 4}}));
}

TEST(DeriveParents, AreTheLeastNeighboursOneLevelUp) {
  const TestGraph test{
      .name = "two ways", .num_vertices = 6, .edges = {{0, 2}, {0, 1}, {1, 3}, {2, 3}, {3, 1}, {4, 3}, {5, 5}}};
  const Graph graph = build(test, true, true);
  Team team(2);
  for (const bool backward : {false, true}) {
    Result r = answer({0, 1, 1, 2, unreached, unreached}, {9, 9, 9, 9, 9, 9});
    derive_parents(team, {.num_vertices = 6, .forward = &graph.out(), .backward = backward ? &graph.in() : nullptr}, r);
    EXPECT_EQ(list(r.parent), (std::vector<VertexId>{no_vertex, 0, 0, 1, no_vertex, no_vertex})) << backward;
  }
}

// ---- bfs/engine/choose_cpu.h ----

/// Vertex v has arcs to the next `degree`, in a ring.
TestGraph ring(VertexId n, VertexId degree) {
  TestGraph g{.name = "ring", .num_vertices = n};
  for (VertexId v = 0; v < n; ++v)
    for (VertexId k = 1; k <= degree; ++k) g.edges.push_back({v, (v + k) % n});
  return g;
}

std::string cpu_choice(const TestGraph& test, bool build_in = true, Direction direction = Direction::out,
                       bool reversed = false) {
  const engine::CpuChoice choice = engine::choose_cpu(build(test, true, build_in), direction, reversed);
  return std::string(choice.strategy) + ": " + choice.why;
}

TEST(ChooseCpu, ThinGraphsStayWithPushes) {
  EXPECT_EQ(cpu_choice(ring(100, 4)),
            "cpu-parallel: a thin graph without hubs, whose frontier stays small (average degree 4.0)");
  TestGraph more = ring(100, 4);
  more.edges.push_back({0, 50});
  EXPECT_EQ(cpu_choice(more), "cpu-direction: a large part of the graph is reached in one or two levels (average degree 4.0)");
  EXPECT_EQ(cpu_choice({.name = "none"}),
            "cpu-parallel: a thin graph without hubs, whose frontier stays small (average degree 0.0)");
}

/// The sample meets every vertex of a graph as small as these.
TEST(ChooseCpu, AHubIsNotThin) {
  for (const VertexId degree : {24u, 25u})
    for (const VertexId hub : {0u, 1u, 8u}) {
      TestGraph star = ring(20, 1);
      for (VertexId k = 1; k < degree; ++k) star.edges.push_back({hub, k % 20});
      EXPECT_EQ(cpu_choice(star).substr(0, 13), degree == 24 ? "cpu-parallel:" : "cpu-direction") << hub;
    }
}

/// 512 vertices are drawn, by their numbers: a hub is seen if it is one of them.
TEST(ChooseCpu, ASampleOf512) {
  const VertexId n = 100'000;
  const auto with_hub_at = [&](std::uint64_t drawn) {
    TestGraph test = ring(n, 1);
    for (VertexId k = 0; k < 24; ++k) test.edges.push_back({static_cast<VertexId>(splitmix64(drawn) % n), k});
    return cpu_choice(test).substr(0, 13);
  };
  EXPECT_EQ(with_hub_at(0), "cpu-direction");
  EXPECT_EQ(with_hub_at(511), "cpu-direction");
  EXPECT_EQ(with_hub_at(512), "cpu-parallel:");
}

TEST(ChooseCpu, NothingIsTurnedForAFewSearches) {
  const std::string turned = "cpu-parallel: the arcs are not there in reverse, and turning them costs more than a few searches";
  EXPECT_EQ(cpu_choice(ring(100, 5), false), turned);
  EXPECT_EQ(cpu_choice(ring(100, 5), false, Direction::out, true).substr(0, 13), "cpu-direction");
  EXPECT_EQ(cpu_choice(ring(100, 5), true).substr(0, 13), "cpu-direction");
  for (const Direction direction : {Direction::in, Direction::both})
    EXPECT_EQ(cpu_choice(ring(100, 5), false, direction).substr(0, 13), "cpu-direction");
  const auto would_turn = [](const TestGraph& test, bool build_in) {
    return engine::choose_cpu(build(test, true, build_in), Direction::out, false).would_turn;
  };
  EXPECT_TRUE(would_turn(ring(100, 5), false));
  EXPECT_FALSE(would_turn(ring(100, 5), true));
  EXPECT_FALSE(would_turn(ring(100, 4), false)) << "a thin graph has nothing to pull";
}

/// A searcher's answers stay right while it turns the arcs, whatever the call.
TEST(TurnArcs, AfterEightSearches) {
  const TestGraph test = ring(300, 5);
  const Graph graph = build(test, true, false);
  const SearchOptions on_cpu{.run = {.device = DeviceKind::cpu, .threads = 2}};
  const auto ran = [](const SearchReport& stats) { return stats.chosen.substr(0, stats.chosen.find(':')); };
  Searcher searcher(graph, on_cpu);
  for (VertexId s = 0; s < 12; ++s) {
    const Query query{.sources = {s * 7}, .parents = s % 2 == 0};
    const Result result = searcher.run(query);
    EXPECT_EQ(ran(result.run), s < 8 ? "cpu-parallel" : "cpu-direction") << s;
    EXPECT_EQ(list(result.distance), naive_bfs(test, query.sources)) << s;
    EXPECT_TRUE(validate(graph, query, result)) << s;
  }
  EXPECT_EQ(searcher.strategy(), "cpu-parallel") << "what set-up has chosen";

  Searcher many(graph, {.parameters = {{"ms_bfs", 1}}, .run = {.device = DeviceKind::cpu, .threads = 2}});
  EXPECT_EQ(ran(many.traverse({.sources = {0}})), "cpu-parallel");
  const std::vector<VertexId> sources{4, 9, 250, 299, 0, 1, 2, 3};
  const std::vector<Result> results = many.run_each(sources);
  for (std::size_t i = 0; i < sources.size(); ++i) EXPECT_EQ(list(results[i].distance), naive_bfs(test, {sources[i]})) << i;
  EXPECT_EQ(ran(many.traverse({.sources = {0}})), "cpu-direction");

  EXPECT_EQ(ran(Searcher(graph, {.prepare = true, .run = {.device = DeviceKind::cpu}}).traverse({.sources = {0}})),
            "cpu-direction");

  SearchOptions limited = on_cpu;
  limited.run.limits.time = Seconds(1000);
  Searcher never(graph, limited);
  for (VertexId s = 0; s < 10; ++s) EXPECT_EQ(ran(never.traverse({.sources = {s}})), "cpu-parallel") << "within a time limit";
}

}  // namespace of_finish_test
}  // namespace hopwave::search_detail
