// Many pairs of source and target in one call, against one search a pair.
#include <gtest/gtest.h>

#include <random>

#include "hopwave/error.h"
#include "hopwave/search.h"
#include "support/graphs.h"

namespace hopwave::testing {
namespace {

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
  const std::vector<SearchOptions> ways = {{.strategy = "cpu-sequential", .device = DeviceKind::cpu},
                                           {.device = DeviceKind::cpu, .parameters = {{"ms_bfs", 1}}, .threads = 2},
                                           {.device = DeviceKind::cpu, .direction = Direction::in, .threads = 1},
                                           {.device = DeviceKind::sim, .parameters = {{"ms_bfs", 1}}},
                                           {.device = DeviceKind::sim, .parameters = {{"ms_bfs", 0}}},
                                           {.strategy = "pmpp-vertex-push", .device = DeviceKind::sim}};
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
        const Result one = search(g, {.sources = {pairs[i].source}, .max_depth = most},
                                  {.strategy = "cpu-sequential", .device = DeviceKind::cpu, .direction = options.direction});
        ASSERT_EQ(found[i], one.distance[pairs[i].target]) << test.name << ", pair " << i;
        expect_path(test, g, pairs[i], found[i], paths[i], options.direction);
      }
    }
  }
}

TEST(Pairs, OneSearchEndsAtItsOnlyTarget) {
  const Graph g = build(chain(1000));
  std::uint32_t deepest = 0;
  Searcher searcher(g, {.strategy = "cpu-sequential", .device = DeviceKind::cpu, .progress = [&](std::uint32_t level, auto) {
                          deepest = std::max(deepest, level);
                          return true;
                        }});
  const Pair pairs[] = {{0, 10}, {500, 520}};
  EXPECT_EQ(searcher.distances(pairs), (std::vector<Distance>{10, 20}));
  EXPECT_EQ(deepest, 20u);
}

TEST(Pairs, LimitsAreOfTheWholeCall) {
  const Graph g = build(chain(100));
  std::stop_source stop;
  int searches = 0;
  Searcher searcher(g, {.strategy = "cpu-sequential", .device = DeviceKind::cpu, .progress = [&](std::uint32_t level, auto) {
                          searches += level == 1;
                          if (searches == 3) stop.request_stop();
                          return true;
                        }});
  searcher.set_limits({.stop = stop.get_token(), .partial = true});
  const Pair pairs[] = {{0, 10}, {1, 10}, {2, 10}, {3, 10}, {4, 10}};
  try {
    (void)searcher.distances(pairs);
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_EQ(e.id(), "HW-CANCELLED");
  }
  EXPECT_EQ(searches, 3);
}

// nonsense: Searcher::distances Searcher::paths
TEST(Pairs, NonsenseIsRefused) {
  const Graph g = build(chain(4));
  Searcher searcher(g, {.device = DeviceKind::cpu});
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

}  // namespace
}  // namespace hopwave::testing
