// Graphs in the shared memory of one block, in the simulator: what fits in which form, deep and bushy ones, rows that all
// share, many searches on one plan, and the way out for those that do not fit.
#include <gtest/gtest.h>

#include <algorithm>

#include "hopwave/search.h"
#include "hopwave/validate.h"
#include "support/graphs.h"

namespace hopwave::testing {
namespace of_shared_test {

SearchOptions in_simulator(Parameters parameters, bool prepare = false) {
  SearchOptions options;
  options.run.device = DeviceKind::sim;
  options.parameters = std::move(parameters);
  options.parameters.try_emplace("block", 64);
  options.parameters.try_emplace("shared_memory", 1);
  options.prepare = prepare;
  return options;
}

/// Searches from a few sources, each right; returns who searched.
std::string searched(const TestGraph& test, const Parameters& parameters, const std::vector<VertexId>& sources,
                     bool prepare = false) {
  const Graph graph = build(test, true, true);
  Searcher searcher(graph, in_simulator(parameters, prepare));
  std::string chosen;
  for (const VertexId s : sources) {
    const Query query{.sources = {s}, .parents = true};
    const Result result = searcher.run(query);
    EXPECT_EQ(distances_of(result), naive_bfs(test, {s})) << test << " from " << s;
    expect_traversal_agrees(searcher, {.sources = {s}}, result);
    const Verdict verdict = validate(graph, query, result);
    EXPECT_TRUE(verdict) << test << " from " << s << ": " << verdict.message;
    chosen = result.run.chosen;
    const bool ends = chosen.find("diagonals") != std::string::npos && !prepare;
    EXPECT_EQ(result.run.launches, ends ? 3u : 2u);  // the search, and parents from its distances
  }
  return chosen;
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Shared, FormFollowsDegrees) {
  EXPECT_TRUE(holds(searched(cycle(50), {}, {0, 49}), "rows of 2"));
  EXPECT_TRUE(holds(searched(grid(9, 11), {}, {0, 50}), "rows of 4"));
  EXPECT_TRUE(holds(searched(random_graph(3, 60), {}, {0}), "shared-memory: "));
  EXPECT_TRUE(holds(searched(complete(9), {}, {0, 8}), "rows of 8"));
  EXPECT_TRUE(holds(searched(star(40), {}, {0, 39}), "packed rows"));
  EXPECT_TRUE(holds(searched(cycle(50), {{"shared_memory", 2}}, {0, 49}), "packed rows"));
  EXPECT_TRUE(holds(searched(complete(9), {}, {0, 8}, true), "rows of 8"));
}

TEST(Shared, DeepGraphs) {
  for (const std::int64_t block : {32, 64, 256})
    for (const std::int64_t form : {1, 2})
      EXPECT_TRUE(holds(searched(chain(700, false), {{"shared_memory", form}, {"block", block}}, {0, 350}, form == 1),
                        "shared-memory: "));
  EXPECT_TRUE(holds(searched(chain(30'000, true), {{"block", 32}}, {0}), "rows of 2"));
}

/// 8,000 vertices have a word each, 21,000 share words; finds that overflow their warp's part go to a common place.
TEST(Shared, WideFrontiersOverflowTheWarpsParts) {
  TestGraph comb{"comb", 8000, {}, false};  // a binary tree of 1,000 leaves and more, each with a tail
  for (VertexId v = 1; v < comb.num_vertices; ++v) comb.edges.push_back({v < 2000 ? (v - 1) / 2 : v - 1000, v});
  for (const std::int64_t queue : {1, 128}) {
    for (const std::int64_t block : {32, 128})
      EXPECT_TRUE(holds(searched(comb, {{"queue", queue}, {"block", block}}, {0, 7999}, block == 32), "rows of 4"));
    TestGraph large = comb;
    large.num_vertices = 21'000;
    for (VertexId v = 8000; v < large.num_vertices; ++v) large.edges.push_back({v - 1000, v});
    EXPECT_TRUE(holds(searched(large, {{"queue", queue}, {"block", 96}}, {0, 20'999}), "rows of 4"));
  }
}

TEST(Shared, SourcesOverflowTheFirstPart) {
  const TestGraph test = grid(20, 20);
  const Graph graph = build(test, true, true);
  Searcher searcher(graph, in_simulator({{"shared_memory", 1}, {"queue", 1}}));
  std::vector<VertexId> sources;
  for (VertexId v = 0; v < 300; ++v) sources.push_back(v * 7 % 400);
  const Query query{.sources = sources, .parents = true};
  const Result result = searcher.run(query);
  EXPECT_EQ(distances_of(result), naive_bfs(test, sources));
  EXPECT_TRUE(validate(graph, query, result));
}

TEST(Shared, LongRowsAreEverybodys) {
  for (const std::int64_t limit : {0, 3, 64, 4000}) {
    EXPECT_TRUE(holds(searched(star(900), {{"long_row", limit}}, {0, 899}), "packed rows"));
    searched(contended(300), {{"long_row", limit}, {"block", 96}}, {0, 1});
  }
}

TEST(Shared, WideBeginsBeyondSixteenBits) {
  EXPECT_TRUE(holds(searched(complete(260), {}, {0, 259}), "packed rows"));  // 67,340 arcs
}

TEST(Shared, WhatDoesNotFitGoesElsewhere) {
  const auto chosen = [](const TestGraph& test, const Parameters& parameters) {
    const Graph graph = build(test);
    return Searcher(graph, in_simulator(parameters)).run({.sources = {0}}).run.chosen;
  };
  EXPECT_FALSE(holds(chosen(cycle(9), {{"shared_memory", 0}}), "shared-memory"));
  EXPECT_FALSE(holds(chosen(cycle(9), {{"shared_memory", -1}, {"high_diameter", 1}}), "shared-memory"));
  EXPECT_FALSE(holds(chosen(cycle(9), {{"shared_memory", -1}, {"level_launches", 1}}), "shared-memory"));
  EXPECT_FALSE(holds(chosen(cycle(9), {{"wide_offsets", 1}}), "shared-memory"));
  EXPECT_FALSE(holds(chosen(complete(400), {{"grid", 3}}), "shared-memory"));  // 159,600 arcs
  TestGraph empty = chain(70'000);
  empty.edges.resize(3);
  EXPECT_FALSE(holds(chosen(empty, {{"grid", 3}}), "shared-memory"));
}

/// A graph with an arc v → v + d for all d of `distances`, but for every `hole`-th v.
TestGraph banded(VertexId n, const std::vector<int>& distances, VertexId hole) {
  TestGraph g{"banded", n, {}, true};
  for (VertexId v = 0; v < n; ++v)
    for (const int d : distances)
      if (v % hole != 1 && static_cast<std::int64_t>(v) + d >= 0 && static_cast<std::int64_t>(v) + d < n)
        g.edges.push_back({v, static_cast<VertexId>(static_cast<std::int64_t>(v) + d)});
  return g;
}

TEST(Shared, Diagonals) {
  const Parameters free = {{"shared_memory", -1}};
  for (const bool prepare : {false, true}) {
    EXPECT_TRUE(holds(searched(grid(31, 33), free, {0, 500, 1022}, prepare), "4 diagonals"));
    EXPECT_TRUE(holds(searched(cycle(1500), free, {0, 1499}, prepare), "2 diagonals"));  // 1 and −1499
    EXPECT_TRUE(holds(searched(chain(600, false), free, {0, 299}, prepare), "2 diagonals"));
    EXPECT_TRUE(holds(searched(banded(1100, {1, 32, -31, 64, -64, 7}, 3), free, {0, 600}, prepare), "6 diagonals"));
    const std::vector<int> many = {-900, -512, -33, -32, -1, 0, 1, 2, 3, 31, 33, 96, 97, 128, 129, 640, 1000};
    EXPECT_TRUE(holds(searched(banded(1030, many, 5), free, {0, 515, 1029}, prepare), "16 diagonals"));
  }
  EXPECT_TRUE(holds(searched(star(3), free, {2}), "4 diagonals"));
  EXPECT_FALSE(holds(searched(star(40), free, {2}), "diagonals"));
  EXPECT_TRUE(holds(searched(chain(32'768, true), free, {32'000}), "1 diagonals"));
  const Graph large = build(chain(32'769, true));
  EXPECT_FALSE(holds(Searcher(large, in_simulator(free)).run({.sources = {32'760}}).run.chosen, "diagonals"));
}

/// Every form: rows of whole words and not, all eight neighbours, bands, more of a kind than a form has room for, one way only.
TEST(Shared, DiagonalsOfEveryForm) {
  const auto both_ways = [](std::vector<int> distances) {
    for (std::size_t i = distances.size(); i-- > 0;) distances.push_back(-distances[i]);
    return distances;
  };
  const std::vector<int> sets[] = {
      both_ways({1, 64}),
      both_ways({1, 33}),
      both_ways({1, 64, 65}),
      both_ways({1, 45, 46}),
      both_ways({1, 96, 97, 95}),
      both_ways({1, 47, 48, 46}),
      both_ways({1, 2, 3, 31}),
      {1, 2, 3, 30, 31},
      {-1, -2, -31},
      both_ways({32, 64}),
      both_ways({32, 64, 96, 1}),
      both_ways({1, 2, 64}),
      both_ways({1, 2, 64, 100}),
      {64, 1, 200},
      {-64, -1, -200, 5},
      both_ways({1, 31, 32, 33, 64, 65, 7, 300}),
  };
  for (const auto& distances : sets)
    for (const VertexId hole : {3u, 1000u})
      for (const bool prepare : {false, true}) {
        const std::string chosen = searched(banded(700, distances, hole), {{"shared_memory", -1}}, {0, 350, 699}, prepare);
        EXPECT_TRUE(holds(chosen, std::to_string(distances.size()) + " diagonals")) << chosen;
      }
}

TEST(Shared, DiagonalsFromManySources) {
  const TestGraph test = grid(20, 60);
  const Graph graph = build(test, true, true);
  Searcher searcher(graph, in_simulator({{"shared_memory", 3}}));
  std::vector<VertexId> sources;
  for (VertexId v = 0; v < 90; ++v) sources.push_back(v * 7 % 60);
  for (const Query& query : {Query{.sources = sources, .parents = true}, Query{.sources = sources, .target = 1199},
                             Query{.sources = sources, .max_depth = 4}})
    EXPECT_EQ(distances_of(searcher.run(query)), trimmed(naive_bfs(test, query.sources), query.max_depth, query.target));
}

TEST(Shared, ManySearchesOnOnePlan) {
  const TestGraph test = grid(9, 14);
  const Graph graph = build(test, true, true);
  for (const auto& [form, prepare] : {std::pair{1, false}, {1, true}, {2, false}, {3, false}, {3, true}}) {
    Searcher searcher(graph, in_simulator({{"shared_memory", form}, {"queue", 1}}, prepare));
    for (VertexId s = 0; s < test.num_vertices; s += 5) {
      const VertexId far = test.num_vertices - 1 - s;
      for (const Query& query : {Query{.sources = {s, far, s}}, Query{.sources = {s}, .max_depth = 7},
                                 Query{.sources = {s}, .target = far}, Query{.sources = {s}, .max_depth = 0}}) {
        const Result result = searcher.run(query);
        ASSERT_EQ(distances_of(result), trimmed(naive_bfs(test, query.sources), query.max_depth, query.target));
        const Distance deepest = *std::max_element(result.distance.begin(), result.distance.end());
        EXPECT_EQ(result.depth, deepest);
      }
    }
  }
}

}  // namespace of_shared_test
}  // namespace hopwave::testing
