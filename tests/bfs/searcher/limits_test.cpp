// Limits of a call: a request to stop or a time limit ends a search within a level, on every device and by every traversal;
// what comes back, as an error or in part; and the searcher afterwards.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <stop_token>
#include <thread>

#include "hopwave/error.h"
#include "hopwave/path.h"
#include "hopwave/search.h"
#include "hopwave/shortest_paths.h"
#include "hopwave/validate.h"
#include "support/error_id.h"
#include "support/graphs.h"
#include "support/ticks.h"

namespace hopwave::testing {
namespace of_limits_test {

constexpr std::int64_t never = std::int64_t{1} << 62;

constexpr Distance several = -1;  ///< levels between two looks

struct Way {
  std::string name;
  SearchOptions options;
  bool prepare = false;
  Distance at_look_seven = 6;  ///< what is complete then; the host has taken one or two of the looks
};

SearchOptions simulated(Parameters parameters) {
  return {.parameters = std::move(parameters), .run = {.device = DeviceKind::sim, .threads = 1}};
}

/// Every traversal that takes many levels in a launch, and one strategy of each kind beside them.
std::vector<Way> ways() {
  const Parameters grid_wide{{"high_diameter", 0}, {"single_cluster", 0}, {"shared_memory", 0}};
  const auto grid_with = [&](Parameters more) {
    more.insert(grid_wide.begin(), grid_wide.end());
    return simulated(more);
  };
  return {
      {"grid-wide, push", grid_with({{"pull", never}, {"unqueued", never}, {"single_block", 0}, {"grid", 3}})},
      {"grid-wide, alone", grid_with({{"pull", never}, {"unqueued", never}, {"single_block", never}})},
      {"grid-wide, pull", grid_with({{"pull", 0}, {"push", 0}, {"single_block", 0}, {"tail", 0}})},
      {"grid-wide, unqueued", grid_with({{"pull", never}, {"unqueued", 0}, {"push", never}, {"single_block", 0}, {"tail", 0}})},
      {"grid-wide, relabelled", grid_with({{"single_block", 0}}), true},
      {"single cluster, together",
       simulated({{"single_cluster", 1}, {"high_diameter", 0}, {"shared_memory", 0}, {"cluster", 2}, {"single_block", 0}}),
       false, 5},
      {"high-diameter, CSR", simulated({{"high_diameter", 1}, {"cluster", 4}, {"tile", 5}}), false, 5},
      {"high-diameter, k-hop", simulated({{"high_diameter", 1}, {"hops", 2}, {"grid", 4}}), true, several},
      {"high-diameter, asynchronous", simulated({{"high_diameter", 1}, {"async", 3}, {"grid", 4}}), false, several},
      {"a launch a level", simulated({{"level_launches", 1}}), false, several},
      {"pmpp-edge", {.strategy = "pmpp-edge", .run = {.device = DeviceKind::sim, .threads = 1}}},
      {"survey-scan-queue", {.strategy = "survey-scan-queue", .run = {.device = DeviceKind::sim, .threads = 1}}},
      {"cpu-sequential", {.strategy = "cpu-sequential", .run = {.device = DeviceKind::cpu, .threads = 1}}},
      {"cpu-direction", {.strategy = "cpu-direction", .run = {.device = DeviceKind::cpu, .threads = 2}}},
  };
}

constexpr VertexId levels = 160;
/// A long graph with some width, so that every traversal takes it level by level.
Graph ladder() { return build(grid(levels, 2)); }

void expect_part(const Graph& g, const Result& part, const Result& whole, const std::string& name) {
  ASSERT_EQ(part.distance.size(), g.num_vertices()) << name;
  VertexId reached = 0;
  for (VertexId v = 0; v < g.num_vertices(); ++v) {
    const Distance expected = whole.distance[v] <= part.depth ? whole.distance[v] : unreached;
    ASSERT_EQ(part.distance[v], expected) << name << ", vertex " << v << ", complete to " << part.depth;
    reached += expected != unreached;
    if (part.parent.empty()) continue;
    if (part.distance[v] <= 0)
      ASSERT_EQ(part.parent[v], no_vertex) << name;
    else
      ASSERT_EQ(part.distance[part.parent[v]], part.distance[v] - 1) << name;
  }
  ASSERT_EQ(part.reached, reached) << name;
}

TEST(Limits, ARequestEndsEveryKindOfSearchEarlyAndTheSearcherGoesOn) {
  const Graph g = ladder();
  const Result whole = search(g, {.sources = {0}}, {.strategy = "cpu-sequential", .run = {.device = DeviceKind::cpu}});
  for (Way& way : ways()) {
    std::stop_source stop;
    // The engine asks before the launch, the others after the first level: so the request comes when the search is under way.
    way.options.run.progress = [&stop](const Step&) {
      stop.request_stop();
      return true;
    };
    way.options.prepare = way.prepare;
    way.options.run.limits = {.stop = stop.get_token(), .partial = true};
    Searcher searcher(g, way.options);
    const Result part = searcher.run({.sources = {0}, .parents = true});
    EXPECT_FALSE(part.run.complete()) << way.name;
    if (way.name.find("cluster, ") != std::string::npos || way.name.starts_with("grid") || way.name.starts_with("high"))
      EXPECT_EQ(part.run.chosen.substr(0, 4), way.name.substr(0, 4)) << way.name << ": " << part.run.chosen;
    EXPECT_GE(part.depth, 1) << way.name << " " << part.run.chosen;
    EXPECT_LE(part.depth, 20) << way.name << " " << part.run.chosen;
    expect_part(g, part, whole, way.name);

    stop = std::stop_source();
    searcher.set_limits({.stop = stop.get_token()});
    EXPECT_EQ(parts_of([&] { searcher.run({.sources = {0}}); }).id, "HW-CANCELLED") << way.name;
    EXPECT_EQ(parts_of([&] { searcher.traverse({.sources = {0}}); }).failure, Failure::interrupted) << way.name;
    searcher.set_limits({});
    const Result again = searcher.run({.sources = {0}, .parents = true});
    EXPECT_TRUE(again.run.complete()) << way.name;
    EXPECT_TRUE(std::equal(again.distance.begin(), again.distance.end(), whole.distance.begin())) << way.name;
    EXPECT_TRUE(validate(g, {.sources = {0}, .parents = true}, again).ok) << way.name;
  }
}

TEST(Limits, BlocksOfAClusterThatWorkAloneMeet) {
  const Graph g = build(chain(900, false));
  std::stop_source stop;
  SearchOptions options =
      simulated({{"single_cluster", 1}, {"high_diameter", 0}, {"shared_memory", 0}, {"cluster", 2}, {"single_block", never}});
  options.run.progress = [&stop](const Step&) { return stop.request_stop(), true; };
  options.run.limits = {.stop = stop.get_token(), .partial = true};
  Searcher searcher(g, options);
  const Result part = searcher.run({.sources = {0}});
  EXPECT_FALSE(part.run.complete());
  EXPECT_TRUE(part.run.chosen.starts_with("single-cluster")) << part.run.chosen;
  EXPECT_EQ(part.depth, 256) << part.run.chosen;  // every 256 levels
}

/// Before the search, or at any moment after its first report.
TEST(Limits, AnotherThreadMayAskAtAnyTime) {
  const Graph g = ladder();
  const Result whole = search(g, {.sources = {0}}, {.strategy = "cpu-sequential", .run = {.device = DeviceKind::cpu}});
  for (Way& way : ways()) {
    way.options.prepare = way.prepare;
    std::atomic<bool> begun = false;
    const auto begin = [&begun] {
      begun = true;
      begun.notify_one();
    };
    way.options.run.progress = [&](const Step&) { return begin(), true; };
    Searcher searcher(g, way.options);
    for (const bool at_once : {true, false}) {
      std::stop_source stop;
      searcher.set_limits({.stop = stop.get_token(), .partial = true});
      begun = at_once;
      std::jthread asks([&] {
        begun.wait(false);
        stop.request_stop();
      });
      expect_part(g, searcher.run({.sources = {0}, .parents = true}), whole, way.name);
      begin();
    }
  }
}

TEST(Limits, ATimeLimitEndsEveryKindOfSearch) {
  const Ticks ticks;
  const Graph g = ladder();
  const Result whole = search(g, {.sources = {0}}, {.strategy = "cpu-sequential", .run = {.device = DeviceKind::cpu}});
  for (Way& way : ways()) {
    way.options.prepare = way.prepare;
    way.options.run.limits = {.time = Seconds(1e-9)};
    Searcher searcher(g, way.options);
    const auto parts = parts_of([&] { searcher.run({.sources = {0}}); });
    EXPECT_EQ(parts.id, "HW-TIME-LIMIT") << way.name;
    EXPECT_EQ(parts.failure, Failure::time_limit);
    searcher.set_limits({.time = Seconds(0.002), .partial = true});
    EXPECT_LE(searcher.run({.sources = {0}}).depth, 1) << way.name;
    way.options.run.limits = {.time = Seconds(0.007), .partial = true};
    const std::uint64_t before = ticks.looks();
    const Result part = Searcher(g, way.options).run({.sources = {0}, .parents = true});
    EXPECT_FALSE(part.run.complete()) << way.name;
    EXPECT_LE(ticks.looks() - before, 8u) << way.name;
    if (way.at_look_seven != several)
      EXPECT_EQ(part.depth, way.at_look_seven) << way.name;
    else
      EXPECT_TRUE(part.depth > 7 && part.depth < 60) << way.name << ": " << part.depth;
    expect_part(g, part, whole, way.name);
    searcher.set_limits({.time = Seconds(3600)});
    EXPECT_TRUE(searcher.run({.sources = {0}}).run.complete()) << way.name;
  }
}

TEST(Limits, NothingIsSearchedWhereTheLimitIsReachedBefore) {
  const Graph g = build(chain(10));
  std::stop_source stop;
  stop.request_stop();
  Searcher searcher(g, {.run = {.device = DeviceKind::cpu, .limits = {.stop = stop.get_token(), .partial = true}}});
  const Result part = searcher.run({.sources = {3, 5, 3}, .parents = true});
  EXPECT_FALSE(part.run.complete());
  EXPECT_EQ(part.reached, 2u);
  EXPECT_EQ(part.depth, 0);
  EXPECT_EQ(part.distance[5], 0);
  EXPECT_EQ(part.distance[6], unreached);
  EXPECT_EQ(part.parent[6], no_vertex);
}

TEST(Limits, ManySearchesEndWithAnErrorAndKeepWhatWasTaken) {
  const Graph g = build(complete(70));
  std::vector<VertexId> sources(140);
  for (std::size_t i = 0; i < sources.size(); ++i) sources[i] = static_cast<VertexId>(i % 70);
  for (const DeviceKind device : {DeviceKind::cpu, DeviceKind::sim}) {
    std::stop_source stop;
    Searcher searcher(g, {.run = {.device = device, .threads = 1, .limits = {.stop = stop.get_token(), .partial = true}}});
    std::size_t taken = 0;
    const auto parts = parts_of([&] {
      searcher.run_each(sources, -1, [&](std::size_t, Result&& result) {
        EXPECT_TRUE(result.run.complete());
        if (++taken == 64) stop.request_stop();
      });
    });
    EXPECT_EQ(parts.id, "HW-CANCELLED");
    EXPECT_EQ(taken, 64u);
    searcher.set_limits({});
    EXPECT_EQ(searcher.run_each(sources, -1).size(), sources.size());
  }
}

TEST(Limits, ManySearchesEndWithinALevel) {
  const Graph g = ladder();
  std::vector<VertexId> sources(64);
  for (std::size_t i = 0; i < sources.size(); ++i) sources[i] = static_cast<VertexId>(i);
  for (const std::int64_t level_launches : {0, 1}) {
    std::stop_source stop;
    SearchOptions options = simulated({{"ms_bfs", 1}, {"level_launches", level_launches}});
    options.run.limits.stop = stop.get_token();
    std::uint32_t deepest = 0;
    options.run.progress = [&](const Step& step) {
      deepest = step.done;
      stop.request_stop();
      return true;
    };
    Searcher searcher(g, options);
    const auto parts = parts_of([&] { searcher.traverse_each(sources); });
    EXPECT_EQ(parts.id, "HW-CANCELLED");
    EXPECT_EQ(deepest, 0u);
    EXPECT_NE(parts.found.find("after level "), std::string::npos) << parts.found;
    EXPECT_LT(std::stoi(parts.found.substr(parts.found.rfind(' ') + 1)), 20) << parts.found;
    searcher.set_limits({});
    EXPECT_EQ(searcher.run_each(sources).at(63).depth, static_cast<Distance>(levels) - 31);
  }
}

TEST(Limits, EndASearchOfAPath) {
  const Graph g = build(chain(1000, false));
  std::stop_source stop;
  PathOptions options{.run = {.limits = {.stop = stop.get_token()}}};
  EXPECT_TRUE(shortest_path(g, 0, 999, options).found);
  options.run.progress = [&](const Step&) {
    stop.request_stop();
    return true;
  };
  EXPECT_EQ(parts_of([&] { (void)shortest_path(g, 0, 999, options); }).id, "HW-CANCELLED");
  EXPECT_EQ(parts_of([&] { (void)shortest_path(g, 0, 999, {.run = {.limits = {.time = Seconds(1e-9)}}}); }).id,
            "HW-TIME-LIMIT");
}

/// A report says how, where and with what a call ran, also of one that ended early.
// nonsense: RunReport::complete
TEST(Limits, ReportsSayHowACallEnded) {
  const Graph g = build(chain(200));
  for (const DeviceKind device : {DeviceKind::cpu, DeviceKind::sim}) {
    std::stop_source stop;
    bool go_on = true;
    Searcher searcher(g, {.run = {.device = device, .progress = [&](const Step& step) {
                                    EXPECT_EQ(step.what, "levels");
                                    return go_on || step.done < 9;
                                  }}});
    const SearchReport whole = searcher.run({.sources = {0}}).run;
    EXPECT_TRUE(whole.complete());
    EXPECT_EQ(whole.device, device);
    EXPECT_EQ(whole.strategy, searcher.strategy());
    EXPECT_EQ(whole.copy_in, searcher.copy_in());
    EXPECT_EQ(whole.prepare, searcher.prepare());
    EXPECT_EQ(whole.notes, searcher.notes());
    searcher.set_limits({.stop = stop.get_token(), .partial = true});
    stop.request_stop();
    EXPECT_EQ(searcher.run({.sources = {0}}).run.end, End::cancelled);
    EXPECT_EQ(searcher.reach({.sources = {0}}).run.end, End::cancelled);
    searcher.set_limits({.time = Milliseconds(1e-6), .partial = true});
    EXPECT_EQ(searcher.run({.sources = {0}}).run.end, End::time_limit);
    searcher.set_limits({.partial = true});
    go_on = false;
    EXPECT_EQ(parts_of([&] { (void)searcher.run({.sources = {0}}); }).id, "HW-INTERRUPTED") << "no limit has ended it";
  }
  EXPECT_FALSE(RunReport{.end = static_cast<End>(77)}.complete());
  EXPECT_TRUE(RunReport{}.complete());
}

// nonsense: Searcher::set_limits WeightedSearcher::set_limits
TEST(Limits, NonsenseIsRefused) {
  const Graph g = build(chain(4));
  Searcher searcher(g, {.run = {.device = DeviceKind::cpu}});
  WeightedSearcher weighted(g, {.run = {.device = DeviceKind::cpu}});
  for (const double seconds : {-1.0, -0.001, std::nan(""), -std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(parts_of([&] { searcher.set_limits({.time = Seconds(seconds)}); }).id, "HW-OPTION-TIME-LIMIT");
    EXPECT_EQ(parts_of([&] { weighted.set_limits({.time = Seconds(seconds)}); }).id, "HW-OPTION-TIME-LIMIT");
    EXPECT_EQ(parts_of([&] { Searcher(g, {.run = {.limits = {.time = Seconds(seconds)}}}); }).id, "HW-OPTION-TIME-LIMIT");
    EXPECT_EQ(parts_of([&] { (void)shortest_path(g, 0, 3, {.run = {.limits = {.time = Seconds(seconds)}}}); }).id,
              "HW-OPTION-TIME-LIMIT");
  }
  for (const double seconds : {1e300, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::max()}) {
    searcher.set_limits({.time = Seconds(seconds)});
    EXPECT_TRUE(searcher.run({.sources = {0}}).run.complete());
    weighted.set_limits({.time = Seconds(seconds)});
    EXPECT_EQ(weighted.run({.sources = {0}}).distance[3], 3);
  }
  weighted.set_limits({.time = Seconds(1e-9)});
  EXPECT_EQ(parts_of([&] { (void)weighted.run({.sources = {0}}); }).id, "HW-TIME-LIMIT");
  weighted.set_limits({});
  EXPECT_EQ(weighted.run({.sources = {0}}).distance[3], 3) << "a limit holds until the next one";
  Searcher moved = std::move(searcher);
  EXPECT_EQ(parts_of([&] { searcher.set_limits({}); }).id, "HW-MOVED-FROM");
}

}  // namespace of_limits_test
}  // namespace hopwave::testing
