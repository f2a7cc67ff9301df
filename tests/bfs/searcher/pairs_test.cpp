// Many pairs of source and target in one call, against one search a pair.
#include <gtest/gtest.h>

#include <random>
#include <stop_token>

#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "hopwave/search.h"
#include "support/error_id.h"
#include "support/graphs.h"
#include "support/ticks.h"

namespace hopwave::testing {
namespace of_pairs_test {

std::vector<Pair> draw_pairs(VertexId n, std::size_t count, std::uint64_t seed, VertexId sources) {
  std::mt19937_64 random(seed);
  std::vector<Pair> pairs(count);
  for (Pair& p : pairs) p = {static_cast<VertexId>(random() % sources), static_cast<VertexId>(random() % n)};
  return pairs;
}

void expect_path(const TestGraph& test, const Graph& g, const Pair& pair, Distance length, const std::vector<VertexId>& path,
                 Direction direction) {
  ASSERT_EQ(path.empty(), length == unreached) << test.name;
  if (path.empty()) return;
  ASSERT_EQ(path.size(), static_cast<std::size_t>(length) + 1) << test.name;
  EXPECT_EQ(path.front(), pair.source);
  EXPECT_EQ(path.back(), pair.target);
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const bool back = direction == Direction::in;
    const auto row = g.out_neighbors(path[back ? i + 1 : i]);
    EXPECT_TRUE(std::binary_search(row.begin(), row.end(), path[back ? i : i + 1])) << test.name;
  }
}

TEST(Pairs, AgreeWithOneSearchEach) {
  const std::vector<SearchOptions> ways = {{.strategy = "cpu-sequential", .run = {.device = DeviceKind::cpu}},
                                           {.parameters = {{"ms_bfs", 1}}, .run = {.device = DeviceKind::cpu, .threads = 2}},
                                           {.direction = Direction::in, .run = {.device = DeviceKind::cpu, .threads = 1}},
                                           {.parameters = {{"ms_bfs", 1}}, .run = {.device = DeviceKind::sim}},
                                           {.parameters = {{"ms_bfs", 0}}, .run = {.device = DeviceKind::sim}},
                                           {.strategy = "pmpp-vertex-push", .run = {.device = DeviceKind::sim}}};
  for (std::uint64_t seed = 0; seed < 18; ++seed) {
    const TestGraph test = random_graph(seed);
    const Graph g = build(test);
    const VertexId n = g.num_vertices();
    if (n == 0) continue;
    const SearchOptions& options = ways[seed % ways.size()];
    const std::vector<Pair> pairs = draw_pairs(n, 200, seed, std::min<VertexId>(n, seed % 3 == 0 ? 3 : 100));
    Searcher searcher(g, options);
    for (const Distance most : {-1, 2}) {
      const std::vector<Distance> found = searcher.distances(pairs, most);
      const std::vector<std::vector<VertexId>> paths = searcher.paths(pairs, most);
      ASSERT_EQ(found.size(), pairs.size());
      ASSERT_EQ(paths.size(), pairs.size());
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        const Result one =
            search(g, {.sources = {pairs[i].source}, .max_depth = most},
                   {.strategy = "cpu-sequential", .direction = options.direction, .run = {.device = DeviceKind::cpu}});
        ASSERT_EQ(found[i], one.distance[pairs[i].target]) << test.name << ", pair " << i;
        expect_path(test, g, pairs[i], found[i], paths[i], options.direction);
      }
    }
  }
}

TEST(Pairs, OneSearchEndsAtItsOnlyTarget) {
  const Graph g = build(chain(1000));
  std::uint32_t deepest = 0;
  Searcher searcher(g, {.strategy = "cpu-sequential", .run = {.device = DeviceKind::cpu, .progress = [&](const Step& step) {
                                                                const auto level = static_cast<std::uint32_t>(step.done);
                                                                deepest = std::max(deepest, level);
                                                                return true;
                                                              }}});
  const Pair pairs[] = {{0, 10}, {500, 520}};
  EXPECT_EQ(searcher.distances(pairs), (std::vector<Distance>{10, 20}));
  EXPECT_EQ(deepest, 20u);
}

TEST(Pairs, LimitsAreOfTheWholeCall) {
  const Graph g = build(chain(100));
  std::stop_source stop;
  int searches = 0;
  Searcher searcher(g, {.strategy = "cpu-sequential", .run = {.device = DeviceKind::cpu, .progress = [&](const Step& step) {
                                                                const auto level = static_cast<std::uint32_t>(step.done);
                                                                searches += level == 1;
                                                                if (searches == 3) stop.request_stop();
                                                                return true;
                                                              }}});
  searcher.set_limits({.stop = stop.get_token(), .partial = true});
  const Pair pairs[] = {{0, 10}, {1, 10}, {2, 10}, {3, 10}, {4, 10}};
  EXPECT_EQ(id_of([&] { (void)searcher.distances(pairs); }), "HW-CANCELLED");
  EXPECT_EQ(searches, 3);
}

/// What a call of distances() says of its progress.
struct Told {
  std::uint64_t searches = 0, passes = 0, frontiers = 0;
  SearchOptions options(Parameters parameters = {}) {
    return {.parameters = std::move(parameters),
            .run = {.device = DeviceKind::cpu, .threads = 2, .progress = [this](const Step& step) {
                      passes += step.done == 0;  // which passes tell
                      searches += step.done == 1;
                      frontiers += step.amount;
                      return true;
                    }}};
  }
};

TEST(Pairs, FromBothEndsAgree) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const TestGraph test = random_graph(seed, 90);
    const VertexId n = test.num_vertices;
    if (n == 0) continue;
    std::vector<Pair> pairs = draw_pairs(n, 30, seed, n);
    pairs.push_back({n - 1, n - 1});
    for (VertexId v = 0; v < n; v += 3) pairs.push_back({v, n - 1 - v});
    for (const bool with_in : {true, false}) {
      const Graph g = build(test, true, with_in);
      for (const Direction direction : {Direction::out, Direction::in, Direction::both}) {
        Searcher searcher(
            g, {.direction = direction, .run = {.device = DeviceKind::cpu, .threads = 1 + static_cast<int>(seed % 2)}});
        for (const Distance most : {-1, 0, 1, 2, 3}) {
          const std::vector<Distance> found = searcher.distances(pairs, most);
          for (std::size_t i = 0; i < pairs.size(); ++i) {
            const Result one =
                search(g, {.sources = {pairs[i].source}, .max_depth = most},
                       {.strategy = "cpu-sequential", .direction = direction, .run = {.device = DeviceKind::cpu}});
            ASSERT_EQ(found[i], one.distance[pairs[i].target]) << test << ", pair " << i << ", up to " << most;
          }
        }
      }
    }
  }
}

TEST(Pairs, BothEndsMeetHalfWay) {
  const Graph g = build(grid(200, 200));
  // A ball of radius 40 has 3,281 cells, two of radius 20 have 1,682.
  const std::vector<Pair> pairs = {{100 * 200 + 80, 100 * 200 + 120}, {50 * 200 + 50, 50 * 200 + 90}};
  Told both, one, twice;
  EXPECT_EQ(Searcher(g, both.options()).distances(pairs), (std::vector<Distance>{40, 40}));
  EXPECT_LT(both.frontiers, 2 * 1700u);
  // Not for who has said how many searches share a pass, and not where one search answers several pairs.
  EXPECT_EQ(Searcher(g, one.options({{"ms_bfs", 0}})).distances(pairs), (std::vector<Distance>{40, 40}));
  EXPECT_GT(one.frontiers, 2 * 3000u);
  const std::vector<Pair> same = {{5, 7}, {5, 9}, {100, 101}};
  EXPECT_EQ(Searcher(g, twice.options()).distances(same), (std::vector<Distance>{2, 4, 1}));
  EXPECT_GT(twice.frontiers, 39'000u);  // of a search from 5 to all
  EXPECT_EQ(twice.searches, 2u);
}

/// Two components in which all is near all: a search from both ends goes through both, and a pass goes through them once.
TEST(Pairs, PassesGetWhatBothEndsLookAtTooLong) {
  const VertexId half = 2000;
  TestGraph test{"two halves", 2 * half, {}, false};
  for (VertexId v = 0; v < half; ++v)
    for (VertexId i = 0; i < 6; ++i)
      for (const VertexId first : {VertexId{0}, half})
        test.edges.push_back({first + v, first + static_cast<VertexId>(splitmix64(v * 6ull + i) % half)});
  const Graph g = build(test);
  ASSERT_GT(g.num_arcs(), 4ull * g.num_vertices());
  std::vector<Pair> across, within;
  for (VertexId v = 0; v < 40; ++v) across.push_back({v, half + v}), within.push_back({v, half - 1 - v});
  Told far, near;
  EXPECT_EQ(Searcher(g, far.options()).distances(across), std::vector<Distance>(40, unreached));
  EXPECT_EQ(far.searches, 2u);  // the first, and a pass of the others
  EXPECT_EQ(far.passes, 1u);
  const std::vector<Distance> found = Searcher(g, near.options()).distances(within);
  for (VertexId v = 0; v < 40; ++v) EXPECT_EQ(found[v], naive_bfs(test, {v})[half - 1 - v]);
  EXPECT_EQ(near.passes, 0u);
  // Thin graphs have no passes: both ends go on, each through a grid of 1,600.
  TestGraph thin = grid(40, 40);
  for (std::size_t i = 0, edges = thin.edges.size(); i < edges; ++i)
    thin.edges.push_back({1600 + thin.edges[i].source, 1600 + thin.edges[i].target});
  thin.num_vertices = 3200;
  const Graph grids = build(thin);
  Told apart;
  std::vector<Pair> pairs;
  for (VertexId v = 0; v < 40; ++v) pairs.push_back({v, 1600 + v});
  EXPECT_EQ(Searcher(grids, apart.options()).distances(pairs), std::vector<Distance>(40, unreached));
  EXPECT_GT(apart.frontiers, 40 * 2000u);
}

TEST(Pairs, LimitsOfTheCallHoldForBothEnds) {
  const Graph g = build(chain(100'000, false));
  std::stop_source stop;
  int searches = 0;
  std::uint32_t deepest = 0;
  Searcher searcher(g, {.run = {.device = DeviceKind::cpu, .progress = [&](const Step& step) {
                                  const auto level = static_cast<std::uint32_t>(step.done);
                                  deepest = level;
                                  searches += level == 1;
                                  if (searches == 3) stop.request_stop();
                                  return true;
                                }}});
  const auto error_of = [&](const Limits& limits) {
    searcher.set_limits(limits);
    const Pair pairs[] = {{0, 50'000}, {1, 90'000}, {2, 99'000}, {3, 99'000}, {4, 99'000}};
    try {
      (void)searcher.distances(pairs);
    } catch (const Error& e) {
      return e.id() + ", " + e.parts().found;
    }
    return std::string("none");
  };
  EXPECT_TRUE(error_of({.stop = stop.get_token()}).starts_with("HW-CANCELLED, ")) << searches;
  EXPECT_EQ(searches, 3);
  // A look per level. The first pair takes 50,000.
  const Ticks ticks;
  for (const int before : {0, 50'000}) {
    searches = 10;  // its progress asks for nothing any more
    EXPECT_TRUE(error_of({.time = Seconds(before / 1000.0 + 0.01)}).starts_with("HW-TIME-LIMIT, the time limit of ")) << before;
    EXPECT_EQ(searches, before ? 12 : 11);
    EXPECT_EQ(deepest, 9u) << before;
  }
  EXPECT_EQ(error_of({}), "none");
}

// nonsense: Searcher::distances Searcher::paths
TEST(Pairs, NonsenseIsRefused) {
  const Graph g = build(chain(4));
  Searcher searcher(g, {.run = {.device = DeviceKind::cpu}});
  const auto id_of = [&](std::vector<Pair> pairs, Distance most) {
    std::string ids[2];
    for (int i = 0; i < 2; ++i) try {
        i ? (void)searcher.paths(pairs, most) : (void)searcher.distances(pairs, most);
      } catch (const Error& e) {
        ids[i] = e.id();
      }
    EXPECT_EQ(ids[0], ids[1]);
    return ids[0];
  };
  EXPECT_EQ(id_of({{4, 0}}, -1), "HW-QUERY-SOURCE");
  EXPECT_EQ(id_of({{0, 0}, {no_vertex, 1}}, -1), "HW-QUERY-SOURCE");
  EXPECT_EQ(id_of({{0, 4}}, -1), "HW-QUERY-TARGET");
  EXPECT_EQ(id_of({{0, no_vertex}}, -1), "HW-QUERY-TARGET");
  EXPECT_EQ(id_of({{0, 1}}, -2), "HW-QUERY-DEPTH");
  EXPECT_EQ(id_of({}, -2), "HW-QUERY-DEPTH");
  EXPECT_EQ(id_of({}, -1), "");
  EXPECT_EQ(searcher.distances(std::vector<Pair>{{2, 2}, {3, 0}}), (std::vector<Distance>{0, unreached}));
  Searcher moved = std::move(searcher);
  EXPECT_EQ(id_of({}, -1), "HW-MOVED-FROM");
}

}  // namespace of_pairs_test
}  // namespace hopwave::testing
