// Which traversal `auto` chooses for a graph that several could take, before and after its searches have shown their levels.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "bfs/engine/choose_traversal.h"
#include "hopwave/error.h"
#include "hopwave/search.h"
#include "hopwave/validate.h"
#include "support/gpu_runner.h"
#include "support/graphs.h"

namespace hopwave::testing {
namespace of_choice_test {

/// Every vertex joined to `chords` others anywhere: few levels.
TestGraph scattered(VertexId n, std::uint64_t chords) {
  TestGraph g{.name = "scattered", .num_vertices = n, .directed = false};
  for (std::uint64_t v = 0; v < n; ++v)
    for (std::uint64_t k = 0; k < chords; ++k)
      g.edges.push_back({static_cast<VertexId>(v), static_cast<VertexId>((v * (7919 + 2 * k) + 13 * k + 1) % n)});
  return g;
}

/// Every vertex joined to the next `width`: many levels of few arcs.
TestGraph band(VertexId n, VertexId width) {
  TestGraph g{.name = "band", .num_vertices = n, .directed = false};
  for (VertexId v = 0; v < n; ++v)
    for (VertexId w = v + 1; w <= v + width && w < n; ++w) g.edges.push_back({v, w});
  return g;
}

/// What two searches in a row are done by.
std::vector<std::string> chosen(const TestGraph& test, Parameters parameters, bool prepare) {
  const Graph graph = build(test, true, true);
  SearchOptions options;
  options.run.device = DeviceKind::sim;
  options.prepare = prepare;
  options.parameters = std::move(parameters);
  options.parameters.try_emplace("block", 64);
  options.parameters.try_emplace("cluster", 2);
  options.parameters.try_emplace("grid", 2);
  Searcher searcher(graph, options);
  std::vector<std::string> names;
  for (const VertexId source : {VertexId{1}, test.num_vertices / 2}) {
    const Query query{.sources = {source}, .parents = true};
    const Result result = searcher.run(query);
    EXPECT_EQ(distances_of(result), naive_bfs(test, query.sources)) << test << " from " << source;
    const Verdict verdict = validate(graph, query, result);
    EXPECT_TRUE(verdict) << verdict.message;
    names.push_back(result.run.chosen.substr(0, result.run.chosen.find(':')));
  }
  return names;
}

/// What a first search says it is done by, and why.
std::string reason(const TestGraph& test, Parameters parameters, bool prepare = false) {
  const Graph graph = build(test, true, true);
  SearchOptions options;
  options.run.device = DeviceKind::sim;
  options.prepare = prepare;
  options.parameters = std::move(parameters);
  options.parameters.try_emplace("block", 64);
  options.parameters.try_emplace("grid", 2);
  return Searcher(graph, options).run({.sources = {0}}).run.chosen;
}

const strategy::Descriptor& auto_descriptor() {
  for (const strategy::Descriptor* d : gpu_strategies())
    if (d->info.name == "auto") return *d;
  throw std::logic_error("no auto");
}

using Names = std::vector<std::string>;

TEST(Choice, TheReasonNamesTheParameterThatDecided) {
  const auto ends = [](const std::string& text, const std::string& end) {
    EXPECT_TRUE(text.ends_with(end)) << text;
    return text.substr(0, text.find(':'));
  };
  const TestGraph hub = star(200);
  for (const bool prepare : {false, true}) {
    EXPECT_EQ(ends(reason(hub, {{"high_diameter", 1}, {"cluster", 2}}, prepare), ", because high_diameter=1"), "high-diameter");
    EXPECT_EQ(ends(reason(hub, {{"shared_memory", 2}}, prepare), ", because shared_memory=2"), "shared-memory");
    EXPECT_EQ(ends(reason(hub, {{"shared_memory", -1}}, prepare), ", because the graph fits there"), "shared-memory");
  }
  EXPECT_EQ(
      ends(reason(hub, {{"single_cluster", 1}, {"cluster", 2}}), ", because single_cluster=1; no preparation was asked for"),
      "single-cluster");
  EXPECT_EQ(ends(reason(hub, {{"level_launches", 1}}), ", because level_launches=1; no preparation was asked for"),
            "one launch a level");
  EXPECT_EQ(ends(reason(cycle(300), {{"shared_memory", 0}, {"single_cluster", 0}, {"cluster", 2}}),
                 ", because no vertex has many neighbours"),
            "high-diameter");
}

TEST(Choice, AParameterThatCannotBeKeptIsSaidToBe) {
  const std::string not_kept = "shared_memory=3 was asked for, but the graph does not fit there";
  for (const bool prepare : {false, true}) {
    const std::string why = reason(scattered(3000, 3), {{"shared_memory", 3}, {"single_cluster", 0}}, prepare);
    EXPECT_TRUE(why.ends_with("; " + not_kept)) << why;
    EXPECT_FALSE(why.starts_with("shared-memory")) << why;
  }
}

TEST(Choice, OneBlockOrTheClusterByArcsALevel) {
  EXPECT_EQ(chosen(scattered(3000, 3), {}, false),
            (Names{"shared-memory", "single-cluster"}));  // six arcs a vertex: seen by a search
  EXPECT_EQ(chosen(scattered(3000, 3), {}, true), (Names{"single-cluster", "single-cluster"}));
  EXPECT_EQ(chosen(scattered(1200, 8), {}, false), (Names{"single-cluster", "single-cluster"}));  // sixteen: likely before
  EXPECT_EQ(chosen(scattered(1200, 8), {}, true), (Names{"single-cluster", "single-cluster"}));
  EXPECT_EQ(chosen(band(700, 14), {}, false), (Names{"single-cluster", "shared-memory"}));  // likely, but not so
  EXPECT_EQ(chosen(band(700, 14), {}, true), (Names{"shared-memory", "shared-memory"}));
  EXPECT_EQ(chosen(scattered(900, 3), {}, false), (Names{"shared-memory", "shared-memory"}));  // too few arcs to matter
  EXPECT_EQ(chosen(scattered(900, 3), {}, true), (Names{"shared-memory", "shared-memory"}));
}

TEST(Choice, TheCallersWordCounts) {
  EXPECT_EQ(chosen(scattered(3000, 3), {{"shared_memory", 1}}, false), (Names{"shared-memory", "shared-memory"}));
  EXPECT_EQ(chosen(scattered(3000, 3), {{"single_cluster", 0}}, false), (Names{"shared-memory", "shared-memory"}));
  EXPECT_EQ(chosen(scattered(3000, 3), {{"single_cluster", 0}}, true), (Names{"shared-memory", "shared-memory"}));
}

TEST(Choice, FewLevelsAreNotNarrow) {
  EXPECT_EQ(chosen(scattered(3000, 3), {{"shared_memory", 0}}, false), (Names{"high-diameter", "single-cluster"}));
  EXPECT_EQ(chosen(scattered(3000, 3), {{"shared_memory", 0}}, true), (Names{"single-cluster", "single-cluster"}));
  EXPECT_EQ(chosen(scattered(3000, 3), {{"shared_memory", 0}, {"single_cluster", 0}}, false),
            (Names{"high-diameter", "grid-wide"}));
  EXPECT_EQ(chosen(band(700, 7), {{"shared_memory", 0}}, false), (Names{"single-cluster", "high-diameter"}));
}

/// A first search of a large graph of short rows looks at a hundred levels, and then goes on as they ask for. Where there are
/// no more levels, or fewer are wanted, the look is the search.
TEST(Choice, AFirstSearchLooksBeforeItIsLong) {
  const TestGraph roads = grid(170, 100), wide = scattered(17000, 2), two_parts = [] {
    TestGraph g = grid(170, 100);
    g.num_vertices += 30;
    for (VertexId v = 17001; v < g.num_vertices; ++v) g.edges.push_back({v - 1, v});
    return g;
  }();
  SearchOptions options;
  options.run.device = DeviceKind::sim;
  options.parameters = {{"block", 64}, {"grid", 2}, {"shared_memory", 0}};
  const auto told = [&](Searcher& searcher, const Graph& graph, const TestGraph& test, const Query& query) {
    const Result result = searcher.run(query);
    EXPECT_EQ(distances_of(result), trimmed(naive_bfs(test, query.sources), query.max_depth, query.target)) << test;
    if (query.parents) EXPECT_TRUE(validate(graph, query, result)) << test;
    return result.run.chosen;
  };
  const auto first = [&](const TestGraph& test, const Query& query) {
    const Graph graph = build(test, true, true);
    Searcher searcher(graph, options);
    return told(searcher, graph, test, query);
  };
  const std::string why = first(roads, {.sources = {0}, .parents = true});
  EXPECT_TRUE(why.find("warps run ahead") != std::string::npos && why.ends_with("its first levels have 51 vertices a level"))
      << why;
  EXPECT_NE(first(roads, {.sources = {0}, .target = 16999}).find("its first levels"), std::string::npos);
  EXPECT_NE(first(roads, {.sources = {0}, .max_depth = 101}).find("its first levels"), std::string::npos);
  EXPECT_EQ(first(roads, {.sources = {0}, .max_depth = 100}).find("its first levels"), std::string::npos);
  EXPECT_EQ(first(roads, {.sources = {0}, .target = 205, .parents = true}).find("its first levels"), std::string::npos);
  EXPECT_EQ(first(wide, {.sources = {1}, .parents = true}).find("its first levels"), std::string::npos);
  const Graph graph = build(two_parts, true, true);
  Searcher searcher(graph, options);
  EXPECT_EQ(told(searcher, graph, two_parts, {.sources = {17005}}).find("its first levels"), std::string::npos);
  EXPECT_NE(told(searcher, graph, two_parts, {.sources = {9, 17005}}).find("its first levels"), std::string::npos);
  EXPECT_NE(told(searcher, graph, two_parts, {.sources = {99}}).find("its first levels"), std::string::npos);
}

/// Memory that is refused beyond a limit.
struct Limited final : DeviceMemory {
  void* allocate(std::size_t bytes, void*) override {
    if (used + bytes > limit) return nullptr;
    used += bytes;
    most = std::max(most, used);
    return std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  }
  void deallocate(void* memory, std::size_t bytes, void*) noexcept override {
    used -= bytes;
    std::free(memory);
  }
  std::size_t used = 0, most = 0, limit = ~std::size_t{0};
};

/// What the search before the change took is given back before the search that follows takes more.
TEST(Choice, ALookNeedsNoMoreMemoryThanLaterSearches) {
  const TestGraph roads = grid(170, 100);
  const Graph graph = build(roads, true, true);
  const auto first = [&](const std::shared_ptr<Limited>& memory) {
    SearchOptions options;
    options.run.device = DeviceKind::sim;
    options.parameters = {{"block", 64}, {"grid", 2}, {"shared_memory", 0}};
    options.run.on.memory = memory;
    options.trace = true;
    const Result result = Searcher(graph, options).run({.sources = {0}, .parents = true});
    EXPECT_EQ(distances_of(result), naive_bfs(roads, {0}));
    return result.run;
  };
  const auto most = std::make_shared<Limited>();
  const SearchReport stats = first(most);
  ASSERT_TRUE(stats.chosen.ends_with("vertices a level")) << stats.chosen;
  EXPECT_EQ(stats.round_trips, 2u);
  EXPECT_TRUE(
      std::ranges::any_of(stats.parts, [](const PartTime& part) { return std::string_view(part.name) == "first look"; }));
  for (std::size_t less = 4; less <= 80; less += 19) {
    const auto memory = std::make_shared<Limited>();
    memory->limit = most->most - less * 1000;
    first(memory);
  }
}

/// A search has its answer even if there is no memory for what the next one would better take; any other failing call
/// comes out, and the plan goes on.
TEST(Choice, AFailureWhileLearningSpoilsNothing) {
  const TestGraph graphs[] = {scattered(1500, 6), band(700, 14), scattered(1500, 3)};
  const Parameters ways[] = {{}, {}, {{"shared_memory", 0}}};
  for (std::size_t i = 0; i < std::size(graphs); ++i) {
    const BothWays graph(graphs[i]);
    device::Device device(*device::sim_api());
    const strategy::Descriptor& descriptor = auto_descriptor();
    Parameters parameters = ways[i];
    for (const char* name : {"grid", "owners"}) parameters.try_emplace(name, 2);
    parameters.try_emplace("block", 64);
    std::uint64_t refused = 0;
    for (std::uint64_t k = 1;; k += k < 12 ? 1 : 7) {
      Runner runner(device, descriptor, graph, parameters_for(descriptor.info, parameters));
      const std::uint64_t before = device.calls();
      device.fail_call(k);
      try {
        EXPECT_EQ(runner.run({.sources = {1}, .parents = true}).distance, naive_bfs(graphs[i], {1}))
            << graphs[i] << ", call " << k;
      } catch (const Error& e) {
        ++refused;
        EXPECT_TRUE(e.id() == "HW-DEVICE-MEMORY" || e.id() == "HW-DEVICE-CALL") << e.what();
      }
      const bool all = device.calls() - before < k;
      device.fail_call(0);
      for (const VertexId source : {VertexId{5}, VertexId{600}})
        EXPECT_EQ(runner.run({.sources = {source}}).distance, naive_bfs(graphs[i], {source})) << graphs[i] << ", call " << k;
      if (all) break;
    }
    EXPECT_GT(refused, 2u);
  }
}

// The rules alone, without any graph.

using engine::GraphFigures;

TEST(Rules, WhatTheCallerNamesIsTaken) {
  const GraphFigures roads{.num_vertices = 264'346, .num_arcs = 730'100, .max_degree = 8};
  EXPECT_TRUE(engine::Choice({}, roads).looks_thin());
  EXPECT_FALSE(engine::Choice({.high_diameter = 0}, roads).looks_thin());
  EXPECT_FALSE(engine::Choice({.one_launch_a_level = true}, roads).looks_thin());
  EXPECT_FALSE(engine::Choice({.high_diameter = 1}, roads).wants_shared_memory());
  EXPECT_FALSE(engine::Choice({.single_cluster = 1}, roads).wants_shared_memory());
  EXPECT_TRUE(engine::Choice({.high_diameter = 1, .shared_memory = 1}, roads).wants_shared_memory());
  EXPECT_FALSE(engine::Choice({}, roads).takes_cluster(false));  // too many vertices
  EXPECT_TRUE(engine::Choice({}, roads).takes_cluster(true));
  EXPECT_FALSE(engine::Choice({.single_cluster = 0}, roads).takes_cluster(true));
  EXPECT_FALSE(engine::Choice({.high_diameter = 0}, roads).learns());
  EXPECT_TRUE(engine::Choice({}, roads).learns());
}

TEST(Rules, HubsAndLongRowsAreNotThin) {
  GraphFigures graph{.num_vertices = 1'000'000, .num_arcs = 3'000'000, .max_degree = 64};
  EXPECT_TRUE(engine::Choice({}, graph).looks_thin());
  graph.max_degree = 65;
  EXPECT_FALSE(engine::Choice({}, graph).may_be_high_diameter());
  EXPECT_TRUE(engine::Choice({.high_diameter = 1}, graph).looks_thin());
  graph.max_degree = 64;
  graph.num_arcs = 24'000'000;
  EXPECT_TRUE(engine::Choice({}, graph).may_be_high_diameter());  // a search may show it
  EXPECT_FALSE(engine::Choice({}, graph).looks_thin());
  ++graph.num_arcs;
  EXPECT_FALSE(engine::Choice({}, graph).may_be_high_diameter());
}

TEST(Rules, LevelsDecide) {
  const GraphFigures graph{.num_vertices = 150'000, .num_arcs = 450'000, .max_degree = 9};
  const engine::Choice choice({}, graph);
  EXPECT_TRUE(choice.is_thin({.visited = 150'000, .levels = 300}, false));
  EXPECT_FALSE(choice.is_thin({.visited = 150'000, .levels = 15}, false));
  EXPECT_TRUE(choice.is_thin({.visited = 12'288 * 16, .levels = 16}, false));
  EXPECT_FALSE(choice.is_thin({.visited = 12'289 * 16, .levels = 16}, false));
  EXPECT_TRUE(choice.is_thin({.visited = 150'000, .levels = 20}, false));
  EXPECT_FALSE(choice.is_thin({.visited = 150'000, .levels = 20}, true));  // 22,500 arcs a level in a cluster
  EXPECT_TRUE(choice.may_run_async({.visited = 150'000, .levels = 100}));
  EXPECT_FALSE(choice.may_run_async({.visited = 150'000, .levels = 99}));
  EXPECT_TRUE(choice.is_not_high_diameter({.visited = 150'000, .levels = 15}));
  EXPECT_FALSE(choice.is_not_high_diameter({.visited = 70'000, .levels = 15}));  // a small part says little
  EXPECT_TRUE(choice.is_dense({.visited = 150'000, .levels = 225}));
  EXPECT_FALSE(choice.is_dense({.visited = 150'000, .levels = 226}));
  EXPECT_FALSE(choice.is_dense({.visited = 75'000, .levels = 10}));
}

TEST(Rules, RichLevelsSuitThePreparedCluster) {
  const GraphFigures mesh{.num_vertices = 156'317, .num_arcs = 2'118'662, .max_degree = 44};
  const engine::Seen rich{.visited = 156'317, .levels = 45}, thin{.visited = 156'317, .levels = 259};
  EXPECT_TRUE(engine::Choice({}, mesh).suits_cluster(rich));
  EXPECT_FALSE(engine::Choice({}, mesh).suits_cluster(thin));  // 8,180 arcs a level
  EXPECT_FALSE(engine::Choice({}, mesh).suits_cluster({.visited = 156'317, .levels = 12}));
  EXPECT_FALSE(engine::Choice({.high_diameter = 1}, mesh).suits_cluster(rich));
  EXPECT_FALSE(engine::Choice({.single_cluster = 0}, mesh).suits_cluster(rich));
  GraphFigures other = mesh;
  other.num_arcs = 3'000'001;
  EXPECT_FALSE(engine::Choice({}, other).suits_cluster(rich));
  other = mesh;
  other.cooperative = false;
  EXPECT_FALSE(engine::Choice({}, other).suits_cluster(rich));
}

TEST(Rules, SmallByArcsAndByTheDevice) {
  GraphFigures graph{.num_vertices = 100'000, .num_arcs = 3'000'001, .max_degree = 900};
  EXPECT_FALSE(engine::Choice({}, graph).takes_cluster(false));
  graph.relabelled = true;
  EXPECT_TRUE(engine::Choice({}, graph).takes_cluster(false));
  graph.cooperative = false;
  EXPECT_FALSE(engine::Choice({}, graph).takes_cluster(false));
  EXPECT_TRUE(engine::Choice({}, graph).by_level());
}

TEST(Rules, PassesOfRoads) {
  const auto from = [](std::uint64_t n) {
    return engine::Choice({}, {.num_vertices = n, .num_arcs = 3 * n})
        .ms_bfs_from({.kind = engine::TraversalKind::high_diameter, .diagonals = false, .lock_step = false});
  };
  EXPECT_EQ(from(264'346), 20u);
  EXPECT_EQ(from(1'941'201), 50u);
  EXPECT_EQ(from(23'780'022), 0u);
}

/// Before a search has shown whether warps may run asynchronously, short rows and many vertices say so.
TEST(Rules, PassesBesideLockStep) {
  const auto from = [](std::uint64_t n, std::uint64_t degree) {
    return engine::Choice({}, {.num_vertices = n, .num_arcs = degree * n})
        .ms_bfs_from({.kind = engine::TraversalKind::high_diameter, .diagonals = false, .lock_step = true});
  };
  EXPECT_EQ(from(20'000, 3), 20u);
  EXPECT_EQ(from(10'000, 3), 7u);
  EXPECT_EQ(from(20'000, 8), 7u);
}

}  // namespace of_choice_test
}  // namespace hopwave::testing
