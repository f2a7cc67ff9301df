// On a CPU: which of many searches share passes on lattices, bands and others, at the numbers of sources where it changes, and
// that nothing a call has learnt changes an answer. Answers against a naive search from each source.
#include <gtest/gtest.h>

#include "bfs/engine/ms_bfs/counter.h"
#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "hopwave/search.h"
#include "support/graphs.h"

namespace hopwave::testing {
namespace of_meet_test {

/// A band of so many vertices is just large enough for a first search alone.
constexpr VertexId band_size = 12'000;

/// Vertices in a row, each joined to the eight on either side; `hole`: but no arc leads over that place.
TestGraph band(VertexId n, VertexId hole = no_vertex) {
  TestGraph g{"band", n, {}, false};
  for (VertexId v = 0; v < n; ++v)
    for (VertexId step = 1; step <= 8 && v + step < n; ++step)
      if (!(v < hole && hole <= v + step)) g.edges.push_back({v, v + step});
  return g;
}

/// The same many vertices and arcs, but each is joined to drawn ones.
TestGraph drawn(VertexId n) {
  TestGraph g{"drawn", n, {}, false};
  for (VertexId v = 0; v < 8 * n; ++v) g.edges.push_back({v % n, static_cast<VertexId>(splitmix64(v) % n)});
  return g;
}

std::vector<VertexId> far_apart(std::size_t count, VertexId n = band_size) {
  std::vector<VertexId> sources;
  for (std::size_t i = 0; i < count; ++i) sources.push_back(static_cast<VertexId>(i * 7919 % n));
  return sources;
}

std::vector<VertexId> side_by_side(std::size_t count) {
  std::vector<VertexId> sources(count);
  for (std::size_t i = 0; i < count; ++i) sources[i] = static_cast<VertexId>(5000 + i);
  return sources;
}

SearchOptions on_cpu(int threads = 2, Parameters parameters = {}) {
  return {.parameters = std::move(parameters), .run = {.device = DeviceKind::cpu, .threads = threads}};
}

bool in_passes(const SearchReport& stats) { return stats.chosen.find("searches at a time") != std::string::npos; }
bool wide(const SearchReport& stats) { return stats.chosen.starts_with("512 searches"); }

/// How many of the searches were in passes. Two are looked at from end to end.
std::size_t shared(Searcher& searcher, const TestGraph& test, const std::vector<VertexId>& sources, Distance max_depth = -1) {
  std::size_t count = 0, next = 0;
  searcher.run_each(sources, max_depth, [&](std::size_t i, Result&& result) {
    EXPECT_EQ(i, next++);
    count += in_passes(result.run);
    if (i == 0 || i + 1 == sources.size())
      EXPECT_EQ(distances_of(result), trimmed(naive_bfs(test, {sources[i]}), max_depth)) << test << ", search " << i;
  });
  EXPECT_EQ(next, sources.size());
  return count;
}

TEST(Meet, OnABandSearchesRunOneByOne) {
  const TestGraph test = band(band_size);
  const Graph graph = build(test);
  ASSERT_GE(graph.num_vertices() + graph.num_arcs(), std::size_t{1} << 17);
  for (const std::size_t count : {1, 3, 4, 5, 31, 32, 33, 63, 64, 65, 127, 128, 129}) {
    Searcher searcher(graph, on_cpu());
    // Four or fewer are not worth a search to find out: as many go into a pass, if it is not too few for that.
    EXPECT_EQ(shared(searcher, test, far_apart(count)), count == 4 ? 4 : 0) << count;
    EXPECT_EQ(in_passes(searcher.traverse_each(far_apart(count))), count == 4) << count;
  }
}

TEST(Meet, WhereLevelsGrowFastTheyShareFromTheFirstOn) {
  const TestGraph test = drawn(band_size);
  const Graph graph = build(test);
  for (const std::size_t count : {1, 3, 4, 5, 31, 32, 33, 63, 64, 65, 127, 128, 129}) {
    Searcher searcher(graph, on_cpu());
    const std::size_t alone = count < 4 ? count : count % 64 < 4 ? count % 64 : 0;  // what is left for no pass
    EXPECT_EQ(shared(searcher, test, far_apart(count)), count - alone) << count;
    const SearchReport stats = searcher.count_levels(far_apart(count), -1, [](std::size_t, LevelCounts&&) {});
    EXPECT_EQ(wide(stats), count >= 128) << count;
  }
}

TEST(Meet, SmallGraphsShareAsTheyDid) {
  const TestGraph test = band(7000);
  const Graph graph = build(test);
  ASSERT_LT(graph.num_vertices() + graph.num_arcs(), std::size_t{1} << 17);
  Searcher searcher(graph, on_cpu());
  EXPECT_EQ(shared(searcher, test, far_apart(64, 7000)), 64u);
}

TEST(Meet, SourcesSideBySideShareOnABandToo) {
  const TestGraph test = band(band_size);
  const Graph graph = build(test);
  const auto apart = far_apart(64), beside = side_by_side(64);
  {
    Searcher searcher(graph, on_cpu());
    EXPECT_EQ(shared(searcher, test, beside), 64u);
    EXPECT_EQ(shared(searcher, test, apart), 0u);  // which the call before could not show
    EXPECT_EQ(shared(searcher, test, beside), 64u);
    EXPECT_EQ(shared(searcher, test, std::vector<VertexId>(64, 17)), 64u);  // one source many times
  }
  // Within one call, whichever come first.
  for (const bool beside_first : {true, false}) {
    std::vector<VertexId> both = beside_first ? beside : apart;
    const auto& others = beside_first ? apart : beside;
    both.insert(both.end(), others.begin(), others.end());
    Searcher searcher(graph, on_cpu());
    EXPECT_EQ(shared(searcher, test, both), 64u) << beside_first;
    std::size_t next = 0, right = 0;
    searcher.count_levels(both, -1, [&](std::size_t i, LevelCounts&& counts) {
      EXPECT_EQ(i, next++);
      right += counts.reached() == band_size;
    });
    EXPECT_EQ(right, both.size());
  }
}

/// Counts of passes of 64 and of 512 among the first.
TEST(Meet, CountsOfABand) {
  const TestGraph test = band(band_size);
  const Graph graph = build(test);
  for (const int threads : {1, 2})
    for (const std::size_t count : {64, 127, 128, 129}) {
      const auto apart = far_apart(count);
      Searcher searcher(graph, on_cpu(threads));
      std::size_t next = 0;
      const SearchReport stats = searcher.count_levels(apart, -1, [&](std::size_t i, LevelCounts&& counts) {
        ASSERT_EQ(i, next++);
        ASSERT_EQ(counts.reached(), band_size);
        // Eight vertices a step, from either end of the band.
        const VertexId most = std::max(apart[i], band_size - 1 - apart[i]);
        ASSERT_EQ(counts.at.size() - 1, (most + 7) / 8) << i;
      });
      EXPECT_EQ(next, count);
      EXPECT_FALSE(in_passes(stats)) << count;
      EXPECT_EQ(wide(searcher.count_levels(side_by_side(count), -1, [](std::size_t, LevelCounts&&) {})), count >= 128);
    }
  // An eighth of the vertices has neighbours enough to share with. The search that was run to find out is not told twice.
  const auto many = far_apart(band_size / 8);
  Searcher searcher(graph, on_cpu());
  std::size_t next = 0;
  EXPECT_TRUE(wide(searcher.count_levels(many, -1, [&](std::size_t i, LevelCounts&&) { ASSERT_EQ(i, next++); })));
  EXPECT_EQ(next, many.size());
}

/// A search of a small part says nothing of the others: they share, as if nothing had been learnt.
TEST(Meet, AFirstSearchOfASmallPart) {
  const TestGraph test = band(band_size, 4000);
  const Graph graph = build(test);
  auto sources = far_apart(65);
  sources[0] = 10;  // a band of 4,000
  Searcher searcher(graph, on_cpu());
  EXPECT_EQ(shared(searcher, test, sources), 64u);
  sources[0] = 10'000;  // a band of 8,000
  Searcher other(graph, on_cpu());
  EXPECT_EQ(shared(other, test, sources), 0u);
}

TEST(Meet, WhatWasLearntIsOfOneDepthLimit) {
  const TestGraph test = band(band_size);
  const Graph graph = build(test);
  Searcher searcher(graph, on_cpu());
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(shared(searcher, test, far_apart(64), -1), 0u);
    // Balls of 81 vertices: the first search shows nothing of the others, which are in a pass then.
    EXPECT_EQ(shared(searcher, test, far_apart(65), 5), 64u);
    EXPECT_EQ(shared(searcher, test, far_apart(64), 5000), 0u);
  }
}

TEST(Meet, WhoAsksForPassesGetsThem) {
  const TestGraph test = band(band_size);
  const Graph graph = build(test);
  Searcher always(graph, on_cpu(2, {{"ms_bfs", 1}})), never(graph, on_cpu(2, {{"ms_bfs", 0}}));
  EXPECT_EQ(shared(always, test, far_apart(20)), 20u);
  EXPECT_EQ(shared(never, test, side_by_side(20)), 0u);
}

/// One way from each vertex to the eight behind it. From the middle less than a half is reached.
TEST(Meet, DirectionsOfADirectedBand) {
  TestGraph test = band(16'000);
  test.directed = true;
  TestGraph turned = test, both = test;
  for (Edge& e : turned.edges) std::swap(e.source, e.target);
  both.directed = false;
  for (const bool with_in : {false, true}) {
    const Graph graph = build(test, true, with_in);
    for (const auto& [direction, seen] :
         {std::pair{Direction::out, &test}, std::pair{Direction::in, &turned}, std::pair{Direction::both, &both}}) {
      SearchOptions options = on_cpu();
      options.direction = direction;
      for (const VertexId first : {0u, 8'200u, 15'999u}) {
        auto sources = far_apart(20, 16'000);
        sources[0] = first;
        Searcher searcher(graph, options);
        (void)shared(searcher, *seen, sources);
        for (const VertexId s : {sources[1], sources[7]}) {
          const auto right = naive_bfs(*seen, {s});
          EXPECT_EQ(distances_of(searcher.run({.sources = {s}})), right);
        }
      }
    }
  }
}

/// The search that runs alone asks as others do, and one that was ended has shown nothing.
TEST(Meet, AnEndedSearchShowsNothing) {
  const TestGraph test = band(band_size);
  const Graph graph = build(test);
  bool go_on = false;
  SearchOptions options = on_cpu();
  options.run.progress = [&](const Step& step) { return go_on || step.done < 10; };
  Searcher searcher(graph, options);
  for (int way = 0; way < 3; ++way) try {
      const auto sources = far_apart(64);
      if (way == 0) searcher.run_each(sources, -1, [](std::size_t, Result&&) { ADD_FAILURE(); });
      if (way == 1) (void)searcher.traverse_each(sources);
      if (way == 2) searcher.count_levels(sources, -1, [](std::size_t, LevelCounts&&) { ADD_FAILURE(); });
      ADD_FAILURE();
    } catch (const Error& e) {
      EXPECT_EQ(e.id(), "HW-INTERRUPTED");
    }
  go_on = true;
  EXPECT_EQ(shared(searcher, test, far_apart(64)), 0u);
}

}  // namespace of_meet_test
}  // namespace hopwave::testing
