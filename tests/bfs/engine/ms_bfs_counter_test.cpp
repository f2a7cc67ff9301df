// Counts of vertices by distance from hundreds of sources at once on the CPU, against a naive search from each.
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <stdexcept>
#include <stop_token>
#include <thread>

#include "bfs/engine/ms_bfs/counter.h"
#include "bfs/searcher/view.h"
#include "hopwave/error.h"
#include "hopwave/search.h"
#include "support/error_id.h"
#include "support/graphs.h"
#include "support/hostile.h"
#include "support/sanitized.h"

namespace hopwave::testing {
namespace of_ms_bfs_counter_test {

using engine::BitCounter;
using engine::MsBfsCounter;
using engine::WideWord;

std::vector<std::uint64_t> naive_counts(const TestGraph& test, VertexId source, Distance max_depth) {
  std::vector<std::uint64_t> counts;
  for (const Distance d : trimmed(naive_bfs(test, {source}), max_depth)) {
    if (d == unreached) continue;
    counts.resize(std::max<std::size_t>(counts.size(), d + 1ull));
    ++counts[static_cast<std::size_t>(d)];
  }
  return counts;
}

/// `count` sources; from the second round on they repeat.
std::vector<VertexId> spread(VertexId n, std::size_t count) {
  std::vector<VertexId> sources;
  for (std::size_t i = 0; i < count; ++i) sources.push_back(static_cast<VertexId>(i * 7919 % n));
  return sources;
}

SearchOptions on_cpu(int threads, Parameters parameters = {}) {
  SearchOptions options;
  options.run.device = DeviceKind::cpu;
  options.run.threads = threads;
  options.parameters = std::move(parameters);
  return options;
}

/// Counts from `sources`, each compared; what the search said about itself.
std::string expect_counts(const TestGraph& test, const std::vector<VertexId>& sources, const SearchOptions& options,
                          Distance max_depth = -1) {
  const Graph graph = build(test, true, true);
  Searcher searcher(graph, options);
  std::size_t next = 0;
  const SearchReport stats = searcher.count_levels(sources, max_depth, [&](std::size_t i, LevelCounts&& counts) {
    ASSERT_EQ(i, next++);
    ASSERT_EQ(counts.at, naive_counts(test, sources[i], max_depth)) << test << " from " << sources[i] << ", search " << i;
  });
  EXPECT_EQ(next, sources.size());
  return stats.chosen;
}
bool wide(const std::string& chosen) { return chosen.starts_with("512 searches"); }

TEST(MsBfsCounter, BitsAreCounted) {
  std::mt19937_64 random(1);
  BitCounter counter;
  for (const std::size_t words : {0, 1, 7, 8, 9, 64, 1000}) {
    counter.clear();
    std::array<std::uint32_t, MsBfsCounter::width> expected{}, found;
    for (std::size_t k = 0; k < words; ++k) {
      WideWord word;
      for (auto& part : word.part) part = k % 5 == 0 ? ~std::uint64_t{0} : random();
      for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += word.part[i / 64] >> i % 64 & 1;
      counter.add(word);
    }
    counter.take(found);
    EXPECT_EQ(found, expected) << words;
  }
}

TEST(MsBfsCounter, EveryOrderHasEverySourceOnce) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const TestGraph test = random_graph(seed);
    const Graph graph = build(test, true, true);
    Team team(1);
    const search_detail::GraphView view(team, graph, Direction::out, true);
    for (const std::size_t groups : {0, 1, 16, 512}) {
      const auto order = engine::order_of_sources(view.view(), spread(test.num_vertices, 300), groups);
      EXPECT_EQ(std::set<std::uint32_t>(order.begin(), order.end()).size(), 300u) << test << " " << groups;
      EXPECT_EQ(*std::ranges::max_element(order), 299u);
    }
  }
}

TEST(MsBfsCounter, NeighborsComeTogether) {
  TestGraph test = relabelled(grid(40, 40), random_order(1600, 3));
  const Graph graph = build(test);
  Team team(1);
  const search_detail::GraphView view(team, graph, Direction::out, true);
  const auto order = engine::order_of_sources(view.view(), spread(1600, 1600), 64);
  // In the first group no vertex is farther from its source than a ball of 64 is wide.
  const auto sources = spread(1600, 1600);
  const auto distance = naive_bfs(test, {sources[order[0]]});
  for (std::size_t i = 0; i < 64; ++i) EXPECT_LE(distance[sources[order[i]]], 10) << i;
}

TEST(MsBfsCounter, RandomGraphs) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const TestGraph test = random_graph(seed);
    // Asked for, so that thin graphs and few vertices come here, too.
    const auto sources = spread(test.num_vertices, 128 + seed * 17);
    EXPECT_TRUE(wide(expect_counts(test, sources, on_cpu(1 + seed % 3, {{"ms_bfs", 1}}), seed % 4 == 3 ? 2 : -1))) << test;
  }
}

TEST(MsBfsCounter, ManyRoundsOfThinAndDenseGraphs) {
  std::uint64_t i = 0;
  for (const TestGraph& test : {grid(37, 41), relabelled(grid(30, 50), random_order(1500, 7)), complete(200), star(700),
                                cycle(900), lollipop(60, 900), relabelled(binary_tree(2000), random_order(2000, 9))}) {
    for (const int threads : {1, 2}) {
      if (!tried(i++, 2)) continue;
      const auto sources = spread(test.num_vertices, test.num_vertices + 600ull);
      EXPECT_TRUE(wide(expect_counts(test, sources, on_cpu(threads)))) << test;
    }
  }
}

TEST(MsBfsCounter, DirectionsOfADirectedGraph) {
  const TestGraph test = random_graph(4);
  TestGraph turned = test;
  for (Edge& e : turned.edges) std::swap(e.source, e.target);
  TestGraph both = test;
  both.directed = false;
  const auto sources = spread(test.num_vertices, 600);
  const Graph graph = build(test, true, false);
  const std::vector<std::pair<Direction, const TestGraph*>> kinds = {
      {Direction::out, &test}, {Direction::in, &turned}, {Direction::both, &both}};
  for (const auto& kind : kinds) {
    SearchOptions options = on_cpu(2, {{"ms_bfs", 1}});
    options.direction = kind.first;
    Searcher searcher(graph, options);
    const SearchReport stats = searcher.count_levels(sources, -1, [&](std::size_t i, LevelCounts&& counts) {
      ASSERT_EQ(counts.at, naive_counts(*kind.second, sources[i], -1));
    });
    EXPECT_TRUE(wide(stats.chosen));
  }
}

TEST(MsBfsCounter, DeepSearchesGoOneByOne) {
  const TestGraph test = chain(2 * MsBfsCounter::most_levels, false);
  EXPECT_FALSE(wide(expect_counts(test, spread(test.num_vertices, 130), on_cpu(2, {{"ms_bfs", 1}}))));
  // Just deep enough: from its middle a chain of twice as many vertices has most_levels levels at one end.
  const TestGraph half = chain(MsBfsCounter::most_levels, false);
  EXPECT_TRUE(wide(expect_counts(half, std::vector<VertexId>(130, 0), on_cpu(1, {{"ms_bfs", 1}}))));
}

TEST(MsBfsCounter, OthersStayWhereTheyWere) {
  const TestGraph dense = complete(150);
  const auto sources = spread(150, 150);
  EXPECT_TRUE(wide(expect_counts(dense, sources, on_cpu(1))));
  EXPECT_FALSE(wide(expect_counts(dense, spread(150, 127), on_cpu(1))));          // a pass of 64 is enough
  EXPECT_FALSE(wide(expect_counts(dense, sources, on_cpu(1, {{"ms_bfs", 0}}))));  // many at once are not wanted
  EXPECT_FALSE(wide(expect_counts(grid(50, 50), spread(2500, 200), on_cpu(1))));  // too far from each other
  EXPECT_TRUE(wide(expect_counts(grid(50, 50), spread(2500, 400), on_cpu(1))));
  SearchOptions options = on_cpu(1);
  options.strategy = "cpu-sequential";
  EXPECT_FALSE(wide(expect_counts(dense, sources, options)));
}

TEST(MsBfsCounter, ARequestEndsAPass) {
  const Graph graph = build(grid(30, 30));
  Team team(1);
  const search_detail::GraphView view(team, graph, Direction::out, false);
  MsBfsCounter counter(view.view());
  std::vector<LevelCounts> counts(3);
  const std::vector<VertexId> sources = {0, 7, 450};
  EXPECT_EQ(counter.run(
                sources, -1, [](std::uint32_t, std::uint64_t) { return true; }, counts),
            MsBfsCounter::End::whole);
  EXPECT_EQ(counts[2].reached(), 900u);
  std::uint64_t asked = 0;
  EXPECT_EQ(counter.run(
                sources, -1, [&](std::uint32_t, std::uint64_t) { return ++asked < 4; }, counts),
            MsBfsCounter::End::stopped);
  EXPECT_EQ(asked, 4u);
}

// A pass that ends near does not hide one that went far, nor does an earlier call.
TEST(MsBfsCounter, LevelsAreThoseOfTheDeepestPass) {
  // A star of 2,000 vertices and a path of 300 beside it. The second round begins with the path's sources and ends in the star.
  TestGraph test = star(2000);
  for (VertexId v = 0; v < 299; ++v) test.edges.push_back({2000 + v, 2001 + v});
  test.num_vertices = 2300;
  std::vector<VertexId> sources;
  for (VertexId v = 0; v < MsBfsCounter::width; ++v) sources.push_back(v);
  for (VertexId v = 2000; v < 2300; ++v) sources.push_back(v);
  for (VertexId v = MsBfsCounter::width; v < 2000; ++v) sources.push_back(v);
  const Graph graph = build(test);
  for (const int threads : {1, 2, 3}) {
    Searcher searcher(graph, on_cpu(threads, {{"ms_bfs", 1}}));
    const auto ignore = [](std::size_t, LevelCounts&&) {};
    EXPECT_EQ(searcher.count_levels(sources, -1, ignore).levels, 299u) << threads;
    EXPECT_EQ(searcher.count_levels(std::vector<VertexId>(600, 5), -1, ignore).levels, 2u) << threads;
  }
}

TEST(MsBfsCounter, ProgressIsAskedByOneThreadAndEndsIt) {
  const Graph graph = build(grid(60, 60));
  const auto sources = spread(3600, 3600);
  for (const int threads : {1, 3}) {
    const auto caller = std::this_thread::get_id();
    std::size_t asked = 0, taken = 0, end_at = ~std::size_t{0};
    bool throws = false;
    SearchOptions options = on_cpu(threads);
    options.run.progress = [&](const Step&) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      if (++asked <= end_at) return true;
      if (throws) throw std::runtime_error("enough");
      return false;
    };
    Searcher searcher(graph, options);
    const auto take = [&](std::size_t i, LevelCounts&& counts) {
      ASSERT_EQ(i, taken++);
      ASSERT_EQ(counts.reached(), 3600u);
    };
    EXPECT_TRUE(wide(searcher.count_levels(sources, -1, take).chosen));
    EXPECT_EQ(taken, 3600u);
    EXPECT_GT(asked, 60u);
    // How often several threads ask differs from call to call: the caller may take one pass or many.
    const std::size_t late = threads == 1 ? asked * 3 / 4 : 55;
    for (std::size_t end : {std::size_t{0}, std::size_t{50}, late}) {
      for (const bool thrown : {false, true}) {
        asked = taken = 0, end_at = end, throws = thrown;
        EXPECT_EQ(id_of([&] { searcher.count_levels(sources, -1, take); }), thrown ? "not an Error: enough" : "HW-INTERRUPTED");
        EXPECT_LT(taken, 3600u);
        EXPECT_EQ(taken % MsBfsCounter::width, 0u) << "whole rounds";
      }
    }
    taken = 0, end_at = ~std::size_t{0};
    EXPECT_TRUE(wide(searcher.count_levels(sources, -1, take).chosen));
  }
}

TEST(MsBfsCounter, ARequestEndsItAndLeavesWholeRounds) {
  const Graph graph = build(grid(60, 60));
  Searcher searcher(graph, on_cpu(2));
  std::stop_source stop;
  searcher.set_limits({.stop = stop.get_token()});
  const auto sources = spread(3600, 3600);
  std::size_t taken = 0;
  const Error::Parts e = parts_of([&] {
    searcher.count_levels(sources, -1, [&](std::size_t, LevelCounts&&) {
      ++taken;
      stop.request_stop();
    });
  });
  EXPECT_EQ(e.id, "HW-CANCELLED");
  EXPECT_EQ(taken, 2 * MsBfsCounter::width);
  EXPECT_NE(e.found.find("after 1024 of 3600 sources"), std::string::npos) << e.found;
  searcher.set_limits({});
  searcher.count_levels(sources, -1, [&](std::size_t, LevelCounts&& counts) { EXPECT_EQ(counts.reached(), 3600u); });
}

}  // namespace of_ms_bfs_counter_test
}  // namespace hopwave::testing
