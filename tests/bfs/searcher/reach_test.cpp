// Searches that cost what they reach, against rounds over all edges.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <stop_token>

#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "hopwave/resident.h"
#include "hopwave/search.h"
#include "support/error_id.h"
#include "support/graphs.h"
#include "support/sanitized.h"
#include "support/ticks.h"

namespace hopwave::testing {
namespace of_reach_test {

/// By distance, then by vertex; besides the sources no more than `nearest`.
Reached expected(const TestGraph& test, Direction direction, const Query& query, std::uint64_t nearest) {
  const std::vector<Distance> distance = trimmed(naive_bfs(test, query.sources, direction), query.max_depth, query.target);
  Reached all;
  for (VertexId v = 0; v < distance.size(); ++v)
    if (distance[v] != unreached) all.vertex.push_back(v);
  std::stable_sort(all.vertex.begin(), all.vertex.end(), [&](VertexId a, VertexId b) { return distance[a] < distance[b]; });
  const auto others = static_cast<std::uint64_t>(
      std::count_if(all.vertex.begin(), all.vertex.end(), [&](VertexId v) { return distance[v] > 0; }));
  if (nearest && others > nearest) all.vertex.resize(all.vertex.size() - (others - nearest));
  const std::vector<VertexId> parents = naive_min_parents(test, distance, direction);
  for (const VertexId v : all.vertex) {
    all.distance.push_back(distance[v]);
    if (query.parents) all.parent.push_back(parents[v]);
  }
  return all;
}

void expect_same(const Reached& found, const Reached& right, const std::string& what) {
  EXPECT_EQ(found.vertex, right.vertex) << what;
  EXPECT_EQ(found.distance, right.distance) << what;
  EXPECT_EQ(found.parent, right.parent) << what;
  EXPECT_TRUE(found.run.complete()) << what;
}

/// A query of anything: depths, targets, the nearest few, several sources, some of them twice.
Query draw_query(std::mt19937_64& random, VertexId n) {
  Query query{.parents = random() % 2 == 0};
  for (std::uint64_t i = 0; i < 1 + random() % 3; ++i) query.sources.push_back(static_cast<VertexId>(random() % n));
  if (random() % 4 == 0) query.sources.push_back(query.sources.front());
  if (random() % 3) query.max_depth = static_cast<Distance>(random() % 5);
  if (random() % 3 == 0) query.target = static_cast<VertexId>(random() % n);
  return query;
}

/// Queries of all kinds, one by one and from many sources.
void ask(Searcher& searcher, const TestGraph& test, Direction direction, std::uint64_t seed) {
  const VertexId n = test.num_vertices;
  std::mt19937_64 random(seed);
  for (int i = 0; i < 12; ++i) {
    const Query query = draw_query(random, n);
    const std::uint64_t nearest = random() % 3 ? 0 : 1 + random() % 9;
    expect_same(searcher.reach(query, nearest), expected(test, direction, query, nearest),
                test.name + ", query " + std::to_string(i));
  }
  std::vector<VertexId> sources(1 + random() % 300);
  for (VertexId& s : sources) s = static_cast<VertexId>(random() % n);
  const Nearby nearby{.max_depth = static_cast<Distance>(random() % 4) - 1, .nearest = random() % 4, .parents = seed % 2 == 0};
  std::size_t next = 0;
  searcher.reach_each(sources, nearby, [&](std::size_t i, const ReachedRows& rows) {
    EXPECT_EQ(i, next++);
    const Query query{.sources = {sources[i]}, .max_depth = nearby.max_depth, .parents = nearby.parents};
    const Reached found{.vertex = {rows.vertex.begin(), rows.vertex.end()},
                        .distance = {rows.distance.begin(), rows.distance.end()},
                        .parent = {rows.parent.begin(), rows.parent.end()}};
    expect_same(found, expected(test, direction, query, nearby.nearest), test.name + ", source " + std::to_string(i));
  });
  EXPECT_EQ(next, sources.size());
}

TestGraph drawn_graph(std::uint64_t seed) {
  return seed < 20 ? named_graphs()[seed % named_graphs().size()] : random_graph(seed);
}

TEST(Reach, FindsWhatRoundsOverAllEdgesFind) {
  const std::vector<SearchOptions> ways = {
      {.run = {.device = DeviceKind::cpu, .threads = 2}},
      {.strategy = "cpu-sequential", .direction = Direction::in, .run = {.device = DeviceKind::cpu}},
      {.direction = Direction::both, .prepare = true, .run = {.device = DeviceKind::cpu}},
      {.run = {.device = DeviceKind::sim}}};
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    const TestGraph test = drawn_graph(seed);
    if (test.num_vertices == 0) continue;
    const Graph g = build(test);
    const SearchOptions& options = ways[seed % ways.size()];
    Searcher searcher(g, options);
    ask(searcher, test, options.direction, seed);
  }
}

TEST(Reach, OnADeviceFindsWhatRoundsOverAllEdgesFind) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    if (!tried(seed)) continue;
    const TestGraph test = drawn_graph(seed);
    if (test.num_vertices == 0) continue;
    const ResidentGraph g(ResidentEdges(edge_list(test), DeviceKind::sim),
                          {.keep_duplicates = seed % 2 == 0, .keep_self_loops = seed % 3 == 0});
    Searcher searcher(g, {.run = {.simulator = {.seed = seed}}});
    ask(searcher, test, Direction::out, seed);
  }
}

/// What is beyond a block's queue is found by the whole device, and what is beyond the room for answers by the next call; what
/// follows finds the memory as if nothing had been.
TEST(Reach, OnADeviceLargeAnswersAreThoseOfAWholeSearch) {
  const TestGraph test = star(20'000);
  const ResidentGraph g(ResidentEdges(edge_list(test), DeviceKind::sim), {});
  Searcher searcher(g, {});
  for (const bool parents : {false, true})
    for (const VertexId source : {1u, 0u, 2u}) {
      const Query all{.sources = {source}, .parents = parents}, near{.sources = {source}, .max_depth = 0, .parents = parents};
      expect_same(searcher.reach(all), expected(test, Direction::out, all, 0), "all");
      expect_same(searcher.reach(all, 5), expected(test, Direction::out, all, 5), "five");
      expect_same(searcher.reach(near), expected(test, Direction::out, near, 0), "none");
    }
  const VertexId sources[] = {3, 0, 4};
  std::vector<std::size_t> sizes;
  searcher.reach_each(sources, {.max_depth = 1, .parents = true},
                      [&](std::size_t, const ReachedRows& rows) { sizes.push_back(rows.vertex.size()); });
  EXPECT_EQ(sizes, (std::vector<std::size_t>{test.directed ? 1u : 2u, 20'000, test.directed ? 1u : 2u}));
}

TEST(Reach, OnADeviceAnswersBeyondTheRoomComeLater) {
  const TestGraph test = star(9'000);
  const ResidentGraph g(ResidentEdges(edge_list(test), DeviceKind::sim), {});
  Searcher searcher(g, {});
  const std::vector<VertexId> sources(600, 0);  // 600 · 9,000 vertices, and there is room for 4,194,304
  std::size_t next = 0;
  searcher.reach_each(sources, {}, [&](std::size_t i, const ReachedRows& rows) {
    EXPECT_EQ(i, next++);
    EXPECT_EQ(rows.vertex.size(), 9'000u);
    EXPECT_EQ(rows.edges_examined, test.directed ? 8'999u : 17'998u);
  });
  EXPECT_EQ(next, sources.size());
}

/// Levels that are sorted by digits, and answers that are left to the strategy.
TEST(Reach, LargeAnswersAreThoseOfAWholeSearch) {
  const Graph g = build_graph(generate("rmat:13,8"), {});
  for (const int threads : {1, 2}) {
    Searcher searcher(g, {.run = {.device = DeviceKind::cpu, .threads = threads}});
    for (const Distance most : {-1, 1, 2, 3})
      for (const std::uint64_t nearest : {0, 3000}) {
        const Query query{.sources = {g.default_source().value_or(0)}, .max_depth = most, .parents = true, .ties = Ties::min};
        const Result whole = searcher.run(query);
        const Reached found = searcher.reach(query, nearest);
        const std::size_t size = nearest ? std::min<std::size_t>(whole.reached, nearest + 1) : whole.reached;
        ASSERT_EQ(found.vertex.size(), size);
        for (std::size_t i = 0; i < size; ++i) {
          const VertexId v = found.vertex[i];
          ASSERT_EQ(found.distance[i], whole.distance[v]);
          ASSERT_EQ(found.parent[i], whole.parent[v]);
          if (i) ASSERT_TRUE(std::pair(found.distance[i - 1], found.vertex[i - 1]) < std::pair(found.distance[i], v));
        }
        if (nearest && size < whole.reached) {
          // Nobody who was left out is nearer, or as near and of a lesser number.
          const std::pair last(found.distance.back(), found.vertex.back());
          std::size_t before = 0;
          for (VertexId v = 0; v < g.num_vertices(); ++v)
            before += whole.distance[v] != unreached && std::pair(whole.distance[v], v) <= last;
          EXPECT_EQ(before, size);
        }
      }
  }
}

TEST(Reach, LooksAtWhatItReachesAlone) {
  const Graph g = build(grid(300, 300));
  Searcher searcher(g, {.run = {.device = DeviceKind::cpu}});
  EXPECT_EQ(searcher.reach({.sources = {0}, .max_depth = 1}).run.edges_examined, 2u);
  EXPECT_EQ(searcher.reach({.sources = {0}, .target = 1}).run.edges_examined, 2u);
  EXPECT_LE(searcher.reach({.sources = {45'150}}, 12).run.edges_examined, 60u);
}

TEST(Reach, LimitsAndProgress) {
  const Graph g = build(chain(100));
  std::stop_source stop;
  bool go_on = true;
  Searcher searcher(g, {.run = {.device = DeviceKind::cpu, .progress = [&](const Step& step) {
                                  const auto level = static_cast<std::uint32_t>(step.done);
                                  if (level == 7) stop.request_stop();
                                  return go_on;
                                }}});
  searcher.set_limits({.stop = stop.get_token()});
  EXPECT_EQ(id_of([&] { (void)searcher.reach({.sources = {0}}); }), "HW-CANCELLED");
  stop = std::stop_source();
  searcher.set_limits({.stop = stop.get_token(), .partial = true});
  // Limits are looked at before `progress` is called: the request is seen after the level that follows.
  const Reached part = searcher.reach({.sources = {0}, .parents = true});
  EXPECT_FALSE(part.run.complete());
  EXPECT_EQ(part.vertex, (std::vector<VertexId>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(part.parent, (std::vector<VertexId>{no_vertex, 0, 1, 2, 3, 4, 5, 6, 7}));
  const Reached none = searcher.reach({.sources = {3}});  // stopped before it began
  EXPECT_FALSE(none.run.complete());
  EXPECT_EQ(none.vertex, (std::vector<VertexId>{3}));
  const VertexId sources[] = {0, 1};
  const auto ignore = [](std::size_t, const ReachedRows&) {};
  EXPECT_EQ(id_of([&] { searcher.reach_each(sources, {}, ignore); }), "HW-CANCELLED");
  searcher.set_limits({});
  go_on = false;
  EXPECT_EQ(id_of([&] { (void)searcher.reach({.sources = {0}}); }), "HW-INTERRUPTED");
  EXPECT_EQ(id_of([&] { searcher.reach_each(sources, {}, ignore); }), "HW-INTERRUPTED");
  go_on = true;
  EXPECT_EQ(searcher.reach({.sources = {90}}).vertex.size(), 10u);  // nothing of earlier searches is left

  const Ticks ticks;
  searcher.set_limits({.time = Seconds(0.005), .partial = true});
  const Reached timed = searcher.reach({.sources = {0}});
  EXPECT_FALSE(timed.run.complete());
  EXPECT_LT(timed.vertex.size(), 8u);
}

// nonsense: Searcher::reach Searcher::reach_each
TEST(Reach, WhatCannotBeAsked) {
  const Graph g = build(chain(10));
  Searcher searcher(g, {.run = {.device = DeviceKind::cpu}});
  EXPECT_EQ(id_of([&] { (void)searcher.reach({}); }), "HW-QUERY-EMPTY");
  EXPECT_EQ(id_of([&] { (void)searcher.reach({.sources = {10}}); }), "HW-QUERY-SOURCE");
  EXPECT_EQ(id_of([&] { (void)searcher.reach({.sources = {1}, .max_depth = -2}); }), "HW-QUERY-DEPTH");
  const VertexId sources[] = {0, 10};
  EXPECT_EQ(id_of([&] { searcher.reach_each(sources, {}, [](std::size_t, const ReachedRows&) {}); }), "HW-QUERY-SOURCE");
  EXPECT_EQ(id_of([&] { searcher.reach_each(std::span(sources, 1), {}, nullptr); }), "HW-QUERY-TAKE");
  EXPECT_THROW(searcher.reach_each(std::span(sources, 1), {}, [](std::size_t, const ReachedRows&) { throw 1; }), int);
  EXPECT_EQ(searcher.reach({.sources = {8}}).vertex, (std::vector<VertexId>{8, 9}));
}

}  // namespace of_reach_test
}  // namespace hopwave::testing
