// Several passes of MS-BFS at the same time, in the simulator: counts against a naive search from each source, however many
// there are; what a call leaves that ends early; and where one pass at a time is all that there may be.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hopwave/error.h"
#include "hopwave/search.h"
#include "support/budget.h"
#include "support/engine_searches.h"
#include "support/error_id.h"
#include "support/graphs.h"
#include "support/level_counts.h"
#include "support/ticks.h"

namespace hopwave::testing {
namespace of_in_flight_test {

SearchOptions options_with(std::int64_t in_flight, Parameters parameters = {}) {
  parameters.insert({{"ms_bfs", 1}, {"block", 32}, {"grid", 6}, {"in_flight", in_flight}});
  return {.parameters = std::move(parameters), .run = {.device = DeviceKind::sim, .threads = 1}};
}

bool at_the_same_time(const SearchReport& stats) { return stats.chosen.find("at the same time") != std::string::npos; }

TEST(InFlight, CountsAreRightHoweverManyPassesThereAre) {
  const TestGraph test = random_graph(5, 120);
  const Graph graph = build(test, true, true);
  for (const std::int64_t in_flight : {0, 1, 2, 3, 5, 16}) {
    Searcher searcher(graph, options_with(in_flight));
    for (const std::size_t count : {1, 64, 65, 128, 131, 300, 700}) {
      const SearchReport stats = expect_counts(searcher, test, spread(test.num_vertices, count));
      EXPECT_EQ(at_the_same_time(stats), in_flight != 1 && count > 64) << in_flight << ", " << count;
      EXPECT_GT(stats.launches, 0u);
      EXPECT_GT(stats.grid, 0u);
      if (HasFatalFailure()) return;
    }
    EXPECT_EQ(distances_of(searcher.run({.sources = {3}})), naive_bfs(test, {3})) << "good for one search still";
  }
}

TEST(InFlight, OnGraphsOfAllKinds) {
  const std::vector<Parameters> ways = {
      {}, {{"wide_offsets", 1}}, {{"pull", 0}, {"push", 0}}, {{"tail", 0}}, {{"rows", 3}, {"unqueued", 0}}};
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    const TestGraph test = random_graph(seed);
    if (test.num_vertices == 0) continue;
    const Graph graph = build(test, true, true);
    SearchOptions options = options_with(2 + static_cast<std::int64_t>(seed % 3), ways[seed % ways.size()]);
    options.prepare = seed % 2 != 0;
    options.run.simulator.seed = seed;
    options.run.simulator.schedule = static_cast<ScheduleKind>(seed % 5);
    Searcher searcher(graph, options);
    expect_counts(searcher, test, spread(test.num_vertices, 200));
    expect_counts(searcher, test, spread(test.num_vertices, 90), static_cast<Distance>(seed % 4));
    if (HasFatalFailure()) return;
  }
}

/// More levels than digits at first, and than a block's shared memory counts.
TEST(InFlight, DeepSearches) {
  const TestGraph test = chain(600);
  const Graph graph = build(test, true, true);
  Searcher searcher(graph, options_with(3));
  for (int again = 0; again < 2; ++again) expect_counts(searcher, test, spread(test.num_vertices, 140));
}

/// What was taken before the end is the beginning, and right; the searcher goes on.
TEST(InFlight, EndsWhereTheCallerWantsNoMore) {
  const TestGraph test = random_graph(5, 120);
  const Graph graph = build(test, true, true);
  const std::vector<VertexId> sources = spread(test.num_vertices, 600);
  for (std::size_t most : {1, 3, 5}) {
    SearchOptions options = options_with(3);
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
    EXPECT_EQ(next, 64 * most);
    most = 1000;
    expect_counts(searcher, test, sources);
  }
}

/// An error of the receiver's is no want of memory, whatever it is called.
TEST(InFlight, WhatTheReceiverThrowsComesOut) {
  const TestGraph test = random_graph(5, 120);
  const Graph graph = build(test, true, true);
  Searcher searcher(graph, options_with(2));
  const std::vector<VertexId> sources = spread(test.num_vertices, 400);
  for (const std::size_t at : {0, 63, 64, 200}) {
    std::size_t next = 0;
    EXPECT_EQ(id_of([&] {
                searcher.count_levels(sources, -1, [&](std::size_t i, LevelCounts&&) {
                  ASSERT_EQ(i, next++);
                  if (i == at) throw Error({.failure = Failure::does_not_fit, .id = "TEST", .found = "enough"});
                });
              }),
              "TEST");
    EXPECT_EQ(next, at + 1);
    expect_counts(searcher, test, sources);
  }
}

/// A stop is seen within a launch; what was taken is right.
TEST(InFlight, StopsAreSeenWithinALaunch) {
  const TestGraph test = chain(600);
  const Graph graph = build(test, true, true);
  const std::vector<VertexId> sources = spread(test.num_vertices, 600);
  const Ticks ticks;
  Searcher searcher(graph, options_with(3));
  std::size_t next = 0;
  const auto looks_within = [&](double seconds) {
    const std::uint64_t before = ticks.looks();
    searcher.set_limits({.time = Seconds(seconds)});
    next = 0;
    try {
      searcher.count_levels(sources, -1, [&](std::size_t i, LevelCounts&& counts) {
        ASSERT_EQ(i, next++);
        if (i % 50 == 0) ASSERT_EQ(counts.at, naive_counts(test, sources[i], -1));
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
    EXPECT_LE(looks_within(static_cast<double>(limit) / 1000), limit + 3) << "each pass in flight looks once more";
    EXPECT_LT(next, sources.size()) << limit;
    EXPECT_EQ(next % 64, 0u) << limit;
    EXPECT_GE(next, done) << limit;
    done = next;
  }
  EXPECT_GT(done, 0u);
}

/// Memory for one pass and no more: then they go one after the other.
TEST(InFlight, OneAtATimeWhereMemoryIsShort) {
  const TestGraph test = grid(40, 30);
  const BothWays graph(test);
  const std::vector<VertexId> sources = spread(test.num_vertices, 200);
  free_bytes = 64 << 20;
  device::Device device(short_of_memory());
  const auto plan = plan_on(device, graph, {{"ms_bfs", 1}, {"block", 32}, {"in_flight", 3}}, false);
  EXPECT_EQ(plan->count_width(), 64u * 3 * 16);
  free_bytes = 400 << 10;  // 1,200 vertices: some 300 bytes each
  check_each(*plan, test, sources, true);
  EXPECT_EQ(plan->count_width(), 64u * 3 * 16) << "there was enough";
  const auto other = plan_on(device, graph, {{"ms_bfs", 1}, {"block", 32}, {"in_flight", 2}}, false);
  free_bytes = 1 << 10;
  SearchReport stats;
  strategy::RunControl control{.stats = &stats};
  EXPECT_THROW(other->count_each(sources, -1, control, [](std::size_t, const auto&) {}), Error);
  EXPECT_EQ(other->count_width(), 64u) << "several were refused";
  free_bytes = 64 << 20;
  check_each(*other, test, sources, true);
}

bool one_by_one(const Searcher& searcher) {
  for (const std::string& note : searcher.notes())
    if (note.find("one by one") != std::string::npos) return true;
  return false;
}

/// Deep searches need more digits, and more room for counts, than they begin with. Where the budget refuses that to passes in
/// flight, one pass at a time goes on where they ended; only where one does not fit either, searches go one by one.
TEST(InFlight, OnePassAtATimeWhereTheBudgetRefusesMore) {
  const TestGraph test = chain(300);
  const Graph graph = build(test, true, true);
  const std::vector<VertexId> sources = spread(test.num_vertices, 260);
  const auto with = [&](std::int64_t in_flight, const std::shared_ptr<Budget>& budget) {
    SearchOptions options = options_with(in_flight);
    options.run.on.memory = budget;
    return Searcher(graph, options);
  };
  const auto peak_of = [&](std::int64_t in_flight) {
    const auto budget = std::make_shared<Budget>();
    Searcher searcher = with(in_flight, budget);
    expect_counts(searcher, test, sources);
    return budget->peak;
  };
  const std::size_t one = peak_of(1), all = peak_of(4);
  std::size_t refused = 0;
  for (std::size_t most = one; most < all; most += (all - one) / 6 + 1) {
    const auto budget = std::make_shared<Budget>();
    Searcher searcher = with(4, budget);
    budget->most = most;
    for (const std::size_t count : {260u, 64u, 130u}) {
      const SearchReport stats = expect_counts(searcher, test, spread(test.num_vertices, count));
      EXPECT_LT(stats.launches, 200u) << "of passes, not of searches";
      refused += count > 64 && !at_the_same_time(stats);
    }
    EXPECT_FALSE(one_by_one(searcher)) << most << " of " << all;
    EXPECT_EQ(distances_of(searcher.run({.sources = {3}})), naive_bfs(test, {3}));
    const auto rows = searcher.run_each(spread(test.num_vertices, 70));
    EXPECT_EQ(distances_of(rows[69]), naive_bfs(test, {spread(test.num_vertices, 70)[69]}));
    if (HasFailure()) return;
  }
  EXPECT_GT(refused, 1u);
}

/// Where rows of distances leave no room for the digits of deep searches, one row is enough. Counted searches have none.
TEST(InFlight, FewerRowsWhereDigitsNeedTheRoom) {
  const TestGraph test = chain(300);
  const Graph graph = build(test, true, true);
  const std::vector<VertexId> sources = spread(test.num_vertices, 64);
  std::size_t counted = 0;
  const auto peak_within = [&](std::size_t most) {
    const auto budget = std::make_shared<Budget>();
    budget->most = most;
    SearchOptions options = options_with(1);
    options.run.on.memory = budget;
    Searcher searcher(graph, options);
    EXPECT_LT(expect_counts(searcher, test, sources).launches, 60u) << most;
    counted = budget->peak;
    EXPECT_LT(searcher.traverse_each(sources).launches, 60u) << most;
    expect_counts(searcher, test, sources);
    EXPECT_FALSE(one_by_one(searcher));
    return budget->peak;
  };
  const std::size_t all = peak_within(~std::size_t{0});
  for (const std::size_t less : {std::size_t{1}, std::size_t{1} << 16}) EXPECT_LE(peak_within(all - less), all - less);
  EXPECT_LT(counted, all);
}

/// The rest of many sources runs where the passes before it did, and takes no memory of its own.
TEST(InFlight, TheRestNeedsNoMemoryOfItsOwn) {
  const TestGraph test = random_graph(5, 120);
  const Graph graph = build(test, true, true);
  const auto peak_of = [&](std::size_t count) {
    const auto budget = std::make_shared<Budget>();
    SearchOptions options = options_with(2);
    options.run.on.memory = budget;
    Searcher searcher(graph, options);
    expect_counts(searcher, test, spread(test.num_vertices, count));
    return budget->peak;
  };
  constexpr std::size_t in_a_call = 64 * 2 * 16;
  EXPECT_EQ(peak_of(in_a_call + 1), peak_of(in_a_call));
  EXPECT_EQ(peak_of(in_a_call + 64), peak_of(in_a_call));
}

/// Where not even one pass fits: that call alone.
TEST(InFlight, OneByOneForACallOnly) {
  const TestGraph test = chain(600);
  const Graph graph = build(test, true, true);
  const auto budget = std::make_shared<Budget>();
  SearchOptions options = options_with(3);
  options.run.on.memory = budget;
  Searcher searcher(graph, options);
  searcher.run({.sources = {0}});
  const std::vector<VertexId> sources = spread(test.num_vertices, 130);
  budget->most = budget->peak + (8 << 10);  // single searches need some for what they add up
  expect_counts(searcher, test, sources);
  EXPECT_TRUE(one_by_one(searcher));
  budget->most = ~std::size_t{0};
  const SearchReport stats = expect_counts(searcher, test, sources);
  EXPECT_NE(stats.chosen.find("searches at a time"), std::string::npos) << stats.chosen;
  EXPECT_LT(stats.launches, 60u);
}

/// All work of a search belongs into the caller's stream; a trace is of launches one after the other; and without cooperative
/// launches the host is needed for every level.
TEST(InFlight, OneAtATimeWhereItMustBe) {
  const TestGraph test = random_graph(5, 120);
  const Graph graph = build(test, true, true);
  const std::vector<VertexId> sources = spread(test.num_vertices, 200);
  int streams = 0;
  const std::vector<std::pair<std::string, SearchOptions>> all = [&] {
    SearchOptions stream = options_with(4), trace = options_with(4), limits = options_with(4);
    stream.run.on.stream = &streams;
    trace.trace = true;
    limits.run.on.limits_of = "no-cooperative";
    return std::vector<std::pair<std::string, SearchOptions>>{
        {"stream", stream}, {"trace", trace}, {"launches", options_with(4, {{"level_launches", 1}})}, {"limits", limits}};
  }();
  for (const auto& [name, options] : all) {
    Searcher searcher(graph, options);
    EXPECT_FALSE(at_the_same_time(expect_counts(searcher, test, sources))) << name;
  }
}

}  // namespace of_in_flight_test
}  // namespace hopwave::testing
