// Searches from many sources, each in a block of its own, in the simulator: distances and counts against a naive search from
// each, however many there are and wherever the visited bits are; which graphs get them; and what a call leaves that ends
// early, or that memory is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/watch.h"
#include "hopwave/error.h"
#include "hopwave/search.h"
#include "support/budget.h"
#include "support/engine_plan.h"
#include "support/error_id.h"
#include "support/graphs.h"
#include "support/level_counts.h"
#include "support/sanitized.h"
#include "support/ticks.h"

namespace hopwave::testing {
namespace of_per_source_test {

SearchOptions options_with(Parameters parameters = {}) {
  parameters.insert({{"per_source", 1}, {"block", 64}, {"grid", 6}});
  return {.parameters = std::move(parameters), .run = {.device = DeviceKind::sim, .threads = 1}};
}

/// Gives the stats of the first.
SearchReport expect_distances(Searcher& searcher, const TestGraph& test, const std::vector<VertexId>& sources,
                              Distance max_depth = -1) {
  std::size_t next = 0;
  SearchReport stats;
  searcher.run_each(sources, max_depth, [&](std::size_t i, Result&& result) {
    ASSERT_EQ(i, next++);
    ASSERT_EQ(distances_of(result), trimmed(naive_bfs(test, {sources[i]}), max_depth)) << test << ", search " << i;
    if (i == 0) stats = result.run;
  });
  EXPECT_EQ(next, sources.size());
  return stats;
}

bool per_source(const SearchReport& stats) { return stats.chosen.find("of its own") != std::string::npos; }
bool in_passes(const SearchReport& stats) { return stats.chosen.find("searches at a time") != std::string::npos; }

TEST(PerSource, AnswersAreRightHoweverManySearchesThereAre) {
  const TestGraph test = random_graph(5, 120);
  const Graph graph = build(test, true, true);
  for (const std::int64_t form : {1, 2}) {
    Searcher searcher(graph, options_with({{"per_source", form}}));
    for (const std::size_t count : {1, 2, 63, 64, 65, 130, 64 * 16 - 1, 64 * 16 + 65}) {
      EXPECT_TRUE(per_source(expect_counts(searcher, test, spread(test.num_vertices, count)))) << form << ", " << count;
      if (count <= 130) EXPECT_TRUE(per_source(expect_distances(searcher, test, spread(test.num_vertices, count))));
      if (HasFailure()) return;
    }
    EXPECT_EQ(distances_of(searcher.run({.sources = {3}})), naive_bfs(test, {3})) << "good for one search still";
  }
}

TEST(PerSource, OnGraphsOfAllKinds) {
  const std::vector<Parameters> ways = {
      {}, {{"wide_offsets", 1}}, {{"queue", 1}}, {{"per_source", 2}}, {{"per_source", 2}, {"queue", 1}}};
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    const TestGraph test = random_graph(seed);
    if (test.num_vertices == 0 || !tried(seed)) continue;
    const Graph graph = build(test, true, true);
    SearchOptions options = options_with(ways[seed % ways.size()]);
    options.parameters["block"] = seed % 2 ? 32 : 96;
    options.run.simulator.seed = seed;
    options.run.simulator.schedule = static_cast<ScheduleKind>(seed % 5);
    Searcher searcher(graph, options);
    expect_counts(searcher, test, spread(test.num_vertices, 100));
    expect_distances(searcher, test, spread(test.num_vertices, 70));
    expect_counts(searcher, test, spread(test.num_vertices, 66), static_cast<Distance>(seed % 4));
    expect_distances(searcher, test, spread(test.num_vertices, 3), static_cast<Distance>(seed % 4));
    if (HasFailure()) return;
  }
}

/// More levels than there is room to count at first: searched again, for the counts.
TEST(PerSource, DeeperThanTheCountsHadRoomFor) {
  const TestGraph test = chain(4200);
  const Graph graph = build(test, true, true);
  SearchOptions options = options_with();
  options.parameters["block"] = 32;
  Searcher searcher(graph, options);
  const std::vector<VertexId> shallow = {2000, 2100}, deep = {0, 4199, 104};
  expect_counts(searcher, test, shallow);
  EXPECT_EQ(expect_counts(searcher, test, shallow).launches, 1u) << "rows are there";
  expect_counts(searcher, test, deep);
  EXPECT_EQ(expect_counts(searcher, test, deep).launches, 1u) << "there is room now";
}

/// Before any search, the first levels of one show whether a graph is as thin as it looks.
TEST(PerSource, TakenByThinGraphs) {
  const auto chosen = [](const TestGraph& test, Parameters parameters, std::size_t count, bool prepare = false) {
    const Graph graph = build(test, true, true);
    SearchOptions options{
        .parameters = std::move(parameters), .prepare = prepare, .run = {.device = DeviceKind::sim, .threads = 1}};
    options.parameters.insert({{"block", 64}, {"grid", 4}});
    Searcher searcher(graph, options);
    const SearchReport stats = expect_counts(searcher, test, spread(test.num_vertices, count));
    EXPECT_EQ(per_source(expect_distances(searcher, test, spread(test.num_vertices, count))), per_source(stats));
    EXPECT_EQ(per_source(searcher.traverse_each(spread(test.num_vertices, count))), per_source(stats));
    return stats;
  };
  const TestGraph thin = grid(4, 100), wide = binary_tree(1023);
  for (const bool prepare : {false, true}) {
    EXPECT_TRUE(per_source(chosen(thin, {}, 2, prepare))) << "in shared memory";
    EXPECT_TRUE(per_source(chosen(thin, {{"shared_memory", 0}}, 64, prepare))) << "of high diameter";
    EXPECT_FALSE(per_source(chosen(thin, {}, 1, prepare)));
    EXPECT_FALSE(per_source(chosen(thin, {{"per_source", 0}}, 64, prepare)));
    EXPECT_TRUE(in_passes(chosen(thin, {{"ms_bfs", 2}}, 64, prepare))) << "which the caller asks for";
    EXPECT_FALSE(per_source(chosen(thin, {{"ms_bfs", 0}}, 64, prepare)));
    EXPECT_TRUE(in_passes(chosen(wide, {{"shared_memory", 0}}, 64, prepare)));
  }
  // Only where the levels have been looked at.
  EXPECT_TRUE(per_source(chosen(wide, {{"shared_memory", 0}, {"high_diameter", 1}}, 64)));
}

/// Without clusters, one block has no room for the bits of a large graph, and its first search would run on the whole device.
/// The look finds that the graph is thin all the same.
TEST(PerSource, TakenWhereHighDiameterHasNotTheMemory) {
  if (!whole()) GTEST_SKIP() << "bits that do not fit are many vertices";
  device::Device device(changed_api<lacking<14, true, false>>());
  const TestGraph thin = grid(80, 1030), wide = binary_tree(83'000);
  for (const TestGraph* test : {&thin, &wide}) {
    const BothWays graph(*test);
    const auto plan = plan_on(device, graph, {{"block", 64}, {"grid", 4}}, false);
    SearchReport stats;
    strategy::RunControl control{.stats = &stats};
    const std::vector<VertexId> sources = {test->num_vertices / 2, 0};
    EXPECT_EQ(plan->each_least(), 2u);
    plan->run_each(sources, -1, control);
    EXPECT_EQ(per_source(stats), test == &thin) << stats.chosen;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      std::vector<Distance> distances(test->num_vertices);
      plan->fetch_each(i, distances);
      ASSERT_EQ(distances, naive_bfs(*test, {sources[i]})) << *test << ", search " << i;
    }
  }
}

TEST(PerSource, OneLaunchForAll) {
  const TestGraph test = grid(6, 30);
  const Graph graph = build(test, true, true);
  Searcher searcher(graph, options_with());
  EXPECT_EQ(searcher.traverse_each(spread(test.num_vertices, 64)).launches, 3u) << "two make the rows";
  EXPECT_EQ(searcher.traverse_each(spread(test.num_vertices, 64)).launches, 1u);
  EXPECT_EQ(searcher.traverse_each(spread(test.num_vertices, 130)).launches, 3u);
}

/// What was taken before the end is the beginning, and right; the searcher goes on.
TEST(PerSource, EndsWhereTheCallerWantsNoMore) {
  const TestGraph test = random_graph(5, 120);
  const Graph graph = build(test, true, true);
  const std::vector<VertexId> sources = spread(test.num_vertices, 64 * 16 * 2 + 100);
  for (std::size_t most : {0, 1, 2, 3}) {
    SearchOptions options = options_with();
    std::size_t told = 0, next = 0;
    options.run.progress = [&](const Step&) { return ++told <= most; };
    Searcher searcher(graph, options);
    EXPECT_EQ(id_of([&] {
                searcher.count_levels(sources, -1, [&](std::size_t i, LevelCounts&& counts) {
                  ASSERT_EQ(i, next++);
                  ASSERT_EQ(counts.at, naive_counts(test, sources[i], -1));
                });
              }),
              "HW-INTERRUPTED");
    EXPECT_EQ(next, 64 * 16 * ((most + 1) / 2)) << most;
    most = 1000;
    expect_counts(searcher, test, sources);
  }
}

/// A stop is seen within a launch.
TEST(PerSource, StopsAreSeenWithinALaunch) {
  const TestGraph test = chain(600);
  const Graph graph = build(test, true, true);
  const std::vector<VertexId> sources = spread(test.num_vertices, 200);
  const Ticks ticks;
  Searcher searcher(graph, options_with());
  std::size_t next = 0;
  const auto looks_within = [&](double seconds) {
    const std::uint64_t before = ticks.looks();
    searcher.set_limits({.time = Seconds(seconds)});
    next = 0;
    try {
      searcher.run_each(sources, -1, [&](std::size_t i, Result&& result) {
        ASSERT_EQ(i, next++);
        if (i % 50 == 0) ASSERT_EQ(distances_of(result), naive_bfs(test, {sources[i]}));
      });
    } catch (const Error& error) {
      EXPECT_EQ(error.id(), "HW-TIME-LIMIT");
    }
    return ticks.looks() - before;
  };
  const std::uint64_t all = looks_within(3600);
  EXPECT_EQ(next, sources.size());
  std::size_t done = 0;
  for (const std::uint64_t limit : {std::uint64_t{5}, all / 4, all / 2, all - 1}) {
    EXPECT_LE(looks_within(static_cast<double>(limit) / 1000), limit + sources.size()) << "each search looks once more";
    EXPECT_LT(next, sources.size()) << limit;
    EXPECT_EQ(next % 64, 0u) << limit;
    EXPECT_GE(next, done) << limit;
    done = next;
  }
  EXPECT_GT(done, 0u);
}

/// A level for which there is no room: passes take over, for good.
TEST(PerSource, ALevelThatIsTooWide) {
  if (!whole()) GTEST_SKIP() << "a level that is too wide has many vertices";
  const VertexId leaves = (1u << 16) + 2048 + 1;
  for (const VertexId more : {0, 1}) {
    const TestGraph test = star(leaves + more);  // the hub is one of them
    const Graph graph = build(test, true, true);
    SearchOptions options = options_with({{"single_cluster", 0}, {"shared_memory", 0}});
    Searcher searcher(graph, options);
    for (int again = 0; again < 2; ++again) EXPECT_EQ(per_source(expect_distances(searcher, test, {0, 1, 5, 0})), more == 0);
    EXPECT_EQ(per_source(expect_counts(searcher, test, {0, 2, 0})), more == 0);
  }
}

/// The simulator, which asks for a stop as it begins a launch.
struct StopAtLaunch {
  static inline std::stop_source stop;
  static inline int left = 0;  ///< launches until then; 0: never
  static const device::Api& api() {
    static const device::Api api = [] {
      device::Api stopping = *device::sim_api();
      stopping.launch = [](const device::LaunchShape& shape, const void* kernel, void** arguments, device::Thunk thunk,
                           device::StreamHandle stream) {
        if (left && --left == 0) stop.request_stop();
        return device::sim_api()->launch(shape, kernel, arguments, thunk, stream);
      };
      return stopping;
    }();
    return api;
  }
};

/// The second search for the counts ends at a limit, too.
TEST(PerSource, StopsAreSeenWhileCountingAgain) {
  device::Device device(StopAtLaunch::api());
  const TestGraph test = chain(4300, false);
  const BothWays graph(test);
  const auto plan = plan_on(device, graph, {{"per_source", 1}, {"block", 32}, {"grid", 2}}, false);
  StopAtLaunch::stop = {};
  const core::Watch watch({.stop = StopAtLaunch::stop.get_token()});
  SearchReport stats;
  strategy::RunControl control{.stats = &stats, .watch = &watch};
  plan->run_each(std::vector<VertexId>{2100, 2200}, -1, control);  // makes the rows
  StopAtLaunch::left = 2;
  bool taken = false;
  EXPECT_THROW(plan->count_each(std::vector<VertexId>{0, 4299}, -1, control,
                                [&](std::size_t, const std::vector<std::uint32_t>&) { taken = true; }),
               Error);
  EXPECT_EQ(StopAtLaunch::left, 0) << "it searches twice";
  EXPECT_FALSE(taken) << "the second search went on to its end";
}

/// A limit leaves the counts of the launches before.
TEST(PerSource, WhatWasCountedBeforeALimitIsTaken) {
  device::Device device(StopAtLaunch::api());
  const TestGraph test = chain(300, false);
  const BothWays graph(test);
  const auto plan = plan_on(device, graph, {{"per_source", 1}, {"block", 32}, {"grid", 2}}, false);
  std::vector<VertexId> sources(200);
  for (std::size_t i = 0; i < sources.size(); ++i) sources[i] = static_cast<VertexId>(i);
  SearchReport stats;
  const core::Watch none({});
  strategy::RunControl first{.stats = &stats, .watch = &none};
  plan->run_each(std::vector<VertexId>{7, 8}, -1, first);  // makes the rows
  for (int launches = 1; launches <= 4; ++launches) {
    StopAtLaunch::stop = {};
    const core::Watch watch({.stop = StopAtLaunch::stop.get_token()});
    strategy::RunControl control{.stats = &stats, .watch = &watch};
    std::size_t taken = 0;
    StopAtLaunch::left = launches;
    EXPECT_THROW(plan->count_each(sources, -1, control,
                                  [&](std::size_t at, const std::vector<std::uint32_t>& counts) {
                                    EXPECT_EQ(at, taken);
                                    for (std::size_t i = at; i < std::min<std::size_t>(at + 64, sources.size()); ++i, ++taken) {
                                      const auto right = naive_counts(test, sources[i], -1);
                                      for (std::size_t d = 0; d < right.size(); ++d)
                                        ASSERT_EQ(counts[d * 64 + i - at], right[d]) << i;
                                    }
                                  }),
                 Error);
    EXPECT_EQ(StopAtLaunch::left, 0);
    EXPECT_EQ(taken, 64u * static_cast<unsigned>(launches - 1));
  }
}

/// Whatever call fails, also one that is caught and answered by passes, the same plan goes on.
TEST(PerSource, TheSamePlanAfterEveryFailingCall) {
  const TestGraph test = grid(3, 40);
  const BothWays graph(test);
  const std::vector<VertexId> sources = {0, 77, 119};
  for (const bool counted : {false, true}) {
    device::Device device(*device::sim_api());
    bool reached = true;
    for (std::uint64_t k = 1; reached; ++k) {
      ASSERT_LT(k, 1000u);
      const auto plan = plan_on(device, graph, {{"per_source", 1}, {"block", 32}, {"grid", 2}}, false);
      const auto work = [&] {
        SearchReport stats;
        strategy::RunControl control{.stats = &stats};
        plan->run_each(sources, -1, control);
        const std::vector<std::uint32_t> counts = counted ? plan->each_counts() : std::vector<std::uint32_t>();
        for (std::size_t i = 0; i < sources.size(); ++i) {
          std::vector<Distance> distances(test.num_vertices);
          plan->fetch_each(i, distances);
          ASSERT_EQ(distances, naive_bfs(test, {sources[i]})) << "call " << k;
          const auto right = naive_counts(test, sources[i], -1);
          for (std::size_t d = 0; counted && d < right.size(); ++d) ASSERT_EQ(counts[d * 64 + i], right[d]) << "call " << k;
        }
      };
      const std::uint64_t before = device.calls();
      device.fail_call(k);
      try {
        work();
      } catch (const Error& e) {
        EXPECT_TRUE(e.id() == "HW-DEVICE-MEMORY" || e.id() == "HW-DEVICE-CALL") << e.what();
      }
      reached = device.calls() - before >= k;
      device.fail_call(0);
      work();
      if (HasFatalFailure()) return;
    }
  }
}

/// Where there is no room for the rows of distances, there is less for a pass; then searches go one by one, for that call.
TEST(PerSource, OneByOneWhereMemoryIsShort) {
  const TestGraph test = grid(40, 30);
  const Graph graph = build(test, true, true);
  const std::vector<VertexId> sources = spread(test.num_vertices, 64);
  const auto budget = std::make_shared<Budget>();
  SearchOptions options = options_with();
  options.run.on.memory = budget;
  Searcher searcher(graph, options);
  searcher.run({.sources = {0}});
  budget->most = budget->peak + (8 << 10);  // single searches need some for what they add up
  EXPECT_FALSE(per_source(expect_distances(searcher, test, sources)));
  EXPECT_FALSE(searcher.notes().empty());
  budget->most = ~std::size_t{0};
  EXPECT_TRUE(per_source(expect_distances(searcher, test, sources)));
  EXPECT_TRUE(per_source(expect_counts(searcher, test, sources)));
}

}  // namespace of_per_source_test
}  // namespace hopwave::testing
