// search() around the strategies: checks of the call, devices, directions, trimming, parents, notes.
#include "hopwave/search.h"

#include <gtest/gtest.h>

#include "hopwave/error.h"
#include "hopwave/validate.h"
#include "support/graphs.h"

namespace hopwave {
namespace of_search_test {

using namespace hopwave::testing;

template <class Call>
Error::Parts error_of(Call&& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.parts();
  }
  ADD_FAILURE() << "no error was thrown";
  return {};
}

SearchOptions on_cpu(std::string strategy) { return {.strategy = std::move(strategy), .run = {.device = DeviceKind::cpu}}; }

TEST(Strategies, ListsEachOnceInOrderAndFullyDescribed) {
  const auto& all = strategies();
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_FALSE(all[i].name.empty());
    EXPECT_FALSE(all[i].summary.empty()) << all[i].name;
    EXPECT_FALSE(all[i].source.empty()) << all[i].name;
    EXPECT_TRUE(all[i].device == "cpu" || all[i].device == "gpu" || all[i].device == "any") << all[i].name;
    if (i) EXPECT_LT(all[i - 1].name, all[i].name);
    for (const auto& p : all[i].parameters) {
      EXPECT_LE(p.lowest, p.standard) << all[i].name << " " << p.name;
      EXPECT_LE(p.standard, p.highest) << all[i].name << " " << p.name;
      EXPECT_FALSE(p.help.empty()) << all[i].name << " " << p.name;
    }
  }
  EXPECT_EQ(find_strategy("auto").device, "any");
  EXPECT_EQ(find_strategy("cpu-sequential").device, "cpu");
}

TEST(Strategies, UnknownNameNamesTheNearest) {
  const auto parts = error_of([] { find_strategy("cpu-sequentail"); });
  EXPECT_EQ(parts.id, "HW-STRATEGY-UNKNOWN");
  EXPECT_EQ(parts.failure, Failure::usage);
  EXPECT_NE(parts.hint.find("nearest: cpu-sequential"), std::string::npos) << parts.hint;
}

TEST(Checks, SourcesAndTarget) {
  const Graph g = build(chain(4));
  EXPECT_EQ(error_of([&] { search(g, {}, on_cpu("auto")); }).id, "HW-QUERY-EMPTY");
  EXPECT_EQ(error_of([&] { search(g, {.sources = {0, 4}}, on_cpu("auto")); }).id, "HW-QUERY-SOURCE");
  EXPECT_EQ(error_of([&] { search(g, {.sources = {0}, .target = 4}, on_cpu("auto")); }).id, "HW-QUERY-TARGET");
  EXPECT_EQ(error_of([&] { Searcher(g, on_cpu("cpu-sequential")).traverse({}); }).id, "HW-QUERY-EMPTY");
  const Graph empty = build({"empty", 0, {}});
  EXPECT_EQ(error_of([&] { search(empty, {.sources = {0}}, on_cpu("auto")); }).id, "HW-QUERY-SOURCE");
}

TEST(Checks, GraphWithoutVerticesCanBePreparedForEveryCpuStrategy) {
  const Graph empty = build({"empty", 0, {}});
  const Graph unmade;
  for (const auto& info : strategies()) {
    if (info.device == "gpu") continue;
    EXPECT_NO_THROW(Searcher(empty, on_cpu(std::string(info.name)))) << info.name;
    EXPECT_NO_THROW(Searcher(unmade, on_cpu(std::string(info.name)))) << info.name;
  }
}

TEST(Checks, Parameters) {
  const Graph g = build(chain(4));
  SearchOptions options = on_cpu("cpu-sequential");
  options.parameters["alhpa"] = 3;
  const auto unknown = error_of([&] { Searcher(g, options); });
  EXPECT_EQ(unknown.id, "HW-PARAM-UNKNOWN");
  EXPECT_EQ(unknown.failure, Failure::usage);
  for (const auto& info : strategies()) {
    if (info.device != "cpu" || info.parameters.empty()) continue;
    for (const auto& p : info.parameters) {
      options = on_cpu(std::string(info.name));
      options.parameters[std::string(p.name)] = p.highest + 1;
      EXPECT_EQ(error_of([&] { Searcher(g, options); }).id, "HW-PARAM-RANGE") << info.name << " " << p.name;
      options.parameters[std::string(p.name)] = p.lowest - 1;
      EXPECT_EQ(error_of([&] { Searcher(g, options); }).id, "HW-PARAM-RANGE") << info.name << " " << p.name;
      options.parameters[std::string(p.name)] = p.lowest;
      EXPECT_NO_THROW(Searcher(g, options)) << info.name << " " << p.name;
      options.parameters[std::string(p.name)] = p.highest;
      EXPECT_NO_THROW(Searcher(g, options)) << info.name << " " << p.name;
    }
  }
}

TEST(Devices, StrategiesAreNeverExchanged) {
  const Graph g = build(chain(4));
  const auto with = [&](std::string name, DeviceKind kind) {
    return error_of([&] { Searcher(g, {.strategy = std::move(name), .run = {.device = kind}}); });
  };
  EXPECT_EQ(with("cpu-sequential", DeviceKind::gpu).id, "HW-STRATEGY-DEVICE");
  EXPECT_EQ(with("cpu-sequential", DeviceKind::sim).id, "HW-STRATEGY-DEVICE");
  for (const auto& info : strategies())
    if (info.device == "gpu") EXPECT_EQ(with(std::string(info.name), DeviceKind::cpu).id, "HW-STRATEGY-DEVICE") << info.name;
  if (!device_info().gpu) EXPECT_EQ(with("auto", DeviceKind::gpu).id, "HW-DEVICE-NONE");
}

TEST(Devices, AutoWithoutGpuUsesTheCpuAndSaysSo) {
  if (device_info().gpu) GTEST_SKIP() << "this machine has a GPU";
  EXPECT_FALSE(device_info().why_not.empty());
  const Graph g = build(chain(4));
  Searcher searcher(g, {});
  EXPECT_EQ(searcher.device(), DeviceKind::cpu);
  EXPECT_TRUE(searcher.strategy().starts_with("cpu-")) << searcher.strategy();
  ASSERT_FALSE(searcher.notes().empty());
  EXPECT_NE(searcher.notes().front().find("no GPU"), std::string::npos);
  EXPECT_TRUE(searcher.run({.sources = {0}}).run.chosen.starts_with(searcher.strategy()));
}

/// Every source of every tiny graph in every direction, with and without the transpose at hand.
TEST(Directions, InOutAndBoth) {
  for (const TestGraph& test : named_graphs())
    for (const bool has_in : {false, true}) {
      const Graph g = build(test, true, has_in);
      for (const Direction direction : {Direction::out, Direction::in, Direction::both}) {
        SearchOptions options = on_cpu("auto");
        options.direction = direction;
        Searcher searcher(g, options);
        for (VertexId s = 0; s < test.num_vertices; ++s)
          for (const Ties ties : {Ties::any, Ties::min}) {
            const Query query{.sources = {s}, .parents = true, .ties = ties};
            const Result r = searcher.run(query);
            const auto right = naive_bfs(test, {s}, direction);
            ASSERT_EQ(distances_of(r), right) << test << " from " << s;
            if (ties == Ties::min) ASSERT_EQ(parents_of(r), naive_min_parents(test, right, direction)) << test;
            const Verdict verdict = validate(g, query, r, direction);
            ASSERT_TRUE(verdict) << test << " from " << s << ": " << verdict.rule << ": " << verdict.message;
          }
      }
    }
}

TEST(Results, CountsAndDepth) {
  const Graph g = build(chain(10));
  const Result r = search(g, {.sources = {3}}, on_cpu("auto"));
  EXPECT_EQ(r.reached, 7u);
  EXPECT_EQ(r.depth, 6);
  EXPECT_TRUE(r.parent.empty());
  const Result cut = search(g, {.sources = {3}, .max_depth = 2, .parents = true}, on_cpu("auto"));
  EXPECT_EQ(cut.reached, 3u);
  EXPECT_EQ(cut.depth, 2);
  EXPECT_EQ(cut.parent[6], no_vertex);
  EXPECT_EQ(cut.parent[5], 4u);
}

TEST(Progress, MayStopTheSearch) {
  const Graph g = build(chain(1000));
  SearchOptions options = on_cpu("auto");
  int calls = 0;
  options.run.progress = [&](const Step&) { return ++calls < 5; };
  const auto parts = error_of([&] { search(g, {.sources = {0}}, options); });
  EXPECT_EQ(parts.id, "HW-INTERRUPTED");
  EXPECT_EQ(parts.failure, Failure::interrupted);
  EXPECT_EQ(calls, 5);
}

}  // namespace of_search_test
}  // namespace hopwave
