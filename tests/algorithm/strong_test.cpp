// Strongly connected components against all pairs of paths: every directed graph of up to four vertices, random and composed
// graphs; condensation and generations against their definitions; the check against planted mistakes.
#include "hopwave/strong.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <stop_token>

#include "algorithm/strong/tarjan.h"
#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "support/ended.h"
#include "support/graphs.h"
#include "support/small_graphs.h"

namespace hopwave::testing {
namespace of_strong_test {

/// reaches[u][v], by a search from every vertex.
std::vector<std::vector<bool>> plain_reach(const TestGraph& test) {
  std::vector<std::vector<bool>> reaches;
  for (VertexId v = 0; v < test.num_vertices; ++v) {
    const auto d = naive_bfs(test, {v});
    std::vector<bool> row(d.size());
    for (std::size_t u = 0; u < d.size(); ++u) row[u] = d[u] >= 0;
    reaches.push_back(row);
  }
  return reaches;
}

void expect_right(const TestGraph& test, int threads = 0) {
  const Graph graph = build(test);
  const VertexId n = test.num_vertices;
  const auto reaches = plain_reach(test);
  std::vector<VertexId> right(n), labels;
  for (VertexId v = 0; v < n; ++v) {
    for (right[v] = 0; !(reaches[right[v]][v] && reaches[v][right[v]]);) ++right[v];
    if (right[v] == v) labels.push_back(v);
  }
  const StrongComponents found = strong_components(build(test, true, true), {.run = {.threads = threads}}),
                         alone = strong_components(graph, {.run = {.threads = threads}});
  ASSERT_EQ(std::vector<VertexId>(found.label.begin(), found.label.end()), right) << test;
  ASSERT_EQ(std::vector<VertexId>(alone.label.begin(), alone.label.end()), right) << test << ", by Tarjan's algorithm alone";
  ASSERT_EQ(found.count, labels.size()) << test;
  if (n > 0) ASSERT_EQ(found.largest_size, std::count(right.begin(), right.end(), found.largest_label)) << test;
  for (const VertexId l : labels) ASSERT_LE(std::count(right.begin(), right.end(), l), found.largest_size) << test;
  ASSERT_TRUE(validate(graph, found)) << test << ": " << validate(graph, found).message;
  // The condensation: an arc where an arc leads from one to the other; its generations are longest paths.
  const Graph small = condensation(graph, found);
  ASSERT_TRUE(is_acyclic(small)) << test;
  ASSERT_EQ(small.num_vertices(), labels.size()) << test;
  std::vector<std::vector<bool>> arc(labels.size(), std::vector<bool>(labels.size(), false));
  for (const Edge& e : arcs_of(test)) {
    const auto from = std::lower_bound(labels.begin(), labels.end(), right[e.source]) - labels.begin();
    const auto to = std::lower_bound(labels.begin(), labels.end(), right[e.target]) - labels.begin();
    if (from != to) arc[from][to] = true;
  }
  const Array<VertexId> generation = topological_generations(small);
  for (VertexId v = 0; v < small.num_vertices(); ++v) {
    ASSERT_EQ(small.name(v), std::to_string(labels[v])) << test;
    VertexId longest = 0;
    std::vector<VertexId> row;
    for (VertexId u = 0; u < small.num_vertices(); ++u) {
      if (arc[v][u]) row.push_back(u);
      if (arc[u][v]) longest = std::max(longest, generation[u] + 1);
    }
    const auto out = small.out_neighbors(v);
    ASSERT_EQ(std::vector<VertexId>(out.begin(), out.end()), row) << test << " from " << labels[v];
    ASSERT_EQ(generation[v], longest) << test;
  }
  bool loop = false;
  for (const Edge& e : test.edges) loop |= e.source == e.target;
  ASSERT_EQ(is_acyclic(graph), labels.size() == n && !loop) << test;
}

TEST(Strong, EveryGraphOfUpToFourVertices) {
  each_small_graph(13, [](const TestGraph& test, std::uint64_t) { expect_right(test); });
}

TEST(Strong, NamedAndRandomGraphs) {
  for (const TestGraph& test : named_graphs())
    if (test.num_vertices <= 300) expect_right(test);
  const char* given = std::getenv("HOPWAVE_TEST_GRAPHS");
  const std::uint64_t count = given ? std::strtoull(given, nullptr, 10) : 200;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    expect_right(random_graph(seed, 80), 1 + static_cast<int>(seed % 3));
    if (HasFatalFailure()) return;
  }
}

/// Cycles of drawn lengths hung on each other one way: many components of every size, in a drawn order of ids.
TEST(Strong, ChainsOfCycles) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    TestGraph test{"cycles " + std::to_string(seed), 0, {}, true};
    for (std::uint64_t part = 0; part < 8; ++part) {
      const auto n = static_cast<VertexId>(1 + splitmix64(seed * 31 + part) % 20);
      const VertexId first = test.num_vertices;
      for (VertexId v = 0; v < n; ++v) test.edges.push_back({first + v, first + (v + 1) % n});
      if (first > 0) test.edges.push_back({static_cast<VertexId>(splitmix64(seed + part) % first), first});
      test.num_vertices += n;
    }
    expect_right(relabelled(test, random_order(test.num_vertices, seed)), 2);
    if (HasFatalFailure()) return;
  }
}

/// Rings longer than the levels after which the searches around the largest give up, hung on each other one way.
TEST(Strong, ChainsOfLongRings) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    TestGraph test{"rings " + std::to_string(seed), 0, {}, true};
    for (std::uint64_t part = 0; part < 4; ++part) {
      const auto n = static_cast<VertexId>(60 + splitmix64(seed * 31 + part) % 200);
      const VertexId first = test.num_vertices;
      for (VertexId v = 0; v < n; ++v) test.edges.push_back({first + v, first + (v + 1) % n});
      if (first > 0) test.edges.push_back({static_cast<VertexId>(splitmix64(seed + part) % first), first});
      test.num_vertices += n;
    }
    expect_right(relabelled(test, random_order(test.num_vertices, seed)), 1 + static_cast<int>(seed % 2));
    if (HasFatalFailure()) return;
  }
}

/// A hub that leads everywhere at once, and to which one long path leads back: only the search back gives up.
TEST(Strong, OnlyTheWayBackIsLong) {
  TestGraph test{"hub and path", 600, {}, true};
  for (VertexId v = 1; v < 600; ++v) test.edges.push_back({0, v});
  for (VertexId v = 1; v < 400; ++v) test.edges.push_back({v, v - 1});
  for (const int threads : {1, 2, 5}) expect_right(test, threads);
}

/// Behind a ring, many vertices that lead nowhere: several threads trim them, round by round, Tarjan's algorithm by few.
TEST(Strong, WhatHangsOnAComponentIsTrimmed) {
  TestGraph test = cycle(1'000);
  for (VertexId v = 1'000; v < 41'000; ++v) test.edges.push_back({static_cast<VertexId>(splitmix64(v) % v), v});
  test.num_vertices = 41'000;
  for (const int threads : {1, 2, 4, 7}) {
    const StrongComponents found = strong_components(build(test, true, true), {.run = {.threads = threads}});
    EXPECT_EQ(found.count, 40'001u);
    EXPECT_EQ(found.largest_size, 1'000u);
    EXPECT_EQ(found.largest_label, 0u);
    for (VertexId v = 0; v < 41'000; ++v) ASSERT_EQ(found.label[v], v < 1'000 ? 0 : v) << "threads " << threads;
  }
}

TEST(Strong, SearchesAroundARingGiveUp) {
  const auto asked = [](const TestGraph& test, int threads) {
    int times = 0;
    const auto found = graph::strong_components(build(test, true, true), threads, [&](VertexId) { ++times; });
    EXPECT_EQ(found.count, 1u);
    return times;
  };
  TestGraph shortcuts = cycle(30'000);
  for (VertexId v = 0; v < 30'000; ++v) shortcuts.edges.push_back({v, static_cast<VertexId>(splitmix64(v) % 30'000)});
  for (const int threads : {1, 3}) {
    EXPECT_EQ(asked(cycle(30'000), threads), 1);  // after the first of two searches: Tarjan's algorithm takes the rest
    EXPECT_EQ(asked(shortcuts, threads), 2);
  }
}

/// Large enough that incoming rows are made, with some threads, and not with one.
TEST(Strong, WithAndWithoutIncomingArcs) {
  EdgeList list = generate("rmat:15,10");
  list.directed = true;
  const Graph graph = build_graph(std::move(list));
  ASSERT_GT(graph.num_vertices() + graph.num_arcs(), 1u << 18);
  ASSERT_FALSE(graph.has_in());
  Graph with_in = graph;
  with_in.ensure_in();
  const StrongComponents one = strong_components(graph, {.run = {.threads = 1}});
  for (const StrongComponents& other :
       {strong_components(graph, {.run = {.threads = 3}}), strong_components(with_in, {.run = {.threads = 1}}),
        strong_components(with_in, {.run = {.threads = 3}})})
    ASSERT_TRUE(std::equal(one.label.begin(), one.label.end(), other.label.begin()));
  ASSERT_TRUE(validate(graph, one));
}

TEST(Strong, LongPathsAndCyclesNeedNoDeepStack) {
  const Graph circle = build(cycle(200'000)), path = build(chain(200'000));
  EXPECT_EQ(strong_components(circle).count, 1u);
  EXPECT_EQ(strong_components(path).count, 200'000u);
  EXPECT_EQ(topological_generations(path)[199'999], 199'999u);
}

TEST(Strong, TheCheckSeesMistakes) {
  const Graph graph = build(TestGraph{"two rings", 5, {{0, 1}, {1, 0}, {1, 2}, {2, 3}, {3, 4}, {4, 2}}, true});
  const auto rule = [&](std::vector<VertexId> labels, VertexId count) {
    return validate(graph, {.label = Array<VertexId>::copy_of({labels.data(), labels.size()}), .count = count}).rule;
  };
  EXPECT_EQ(rule({0, 0, 2, 2, 2}, 2), "");
  EXPECT_EQ(rule({0, 0, 0, 0, 0}, 1), "mutual-paths");
  EXPECT_EQ(rule({0, 0, 2, 2, 4}, 3), "mutual-paths");
  EXPECT_EQ(rule({0, 0, 2, 3, 4}, 4), "acyclic");
  EXPECT_EQ(rule({0, 0, 2, 2, 2}, 3), "count");
  EXPECT_EQ(rule({1, 1, 2, 2, 2}, 2), "label");
  EXPECT_EQ(rule({0, 0, 2, 2, 9}, 2), "label");
  EXPECT_EQ(rule({0, 0, 2, 2}, 2), "size");
}

/// Wherever the caller wants it to end, it ends with the error that says why.
TEST(Strong, EndsWhenTheCallerWantsIt) {
  const Graph cycles = build_graph(generate("rmat:14,16"), {}), path = build(chain(200'000));
  const StrongComponents found = strong_components(cycles), apart = strong_components(path);
  const std::function<void(const RunOptions&)> calls[] = {
      [&](const RunOptions& o) { (void)condensation(cycles, found, o); },
      [&](const RunOptions& o) { (void)condensation(path, apart, o); },
      [&](const RunOptions& o) {
        (void)condensation(cycles, StrongOptions{.run = {.threads = 1, .limits = o.limits, .progress = o.progress}});
      },
      [&](const RunOptions& o) { (void)topological_generations(path, o); },
      [&](const RunOptions& o) { (void)is_acyclic(path, o); },
      [&](const RunOptions& o) { (void)is_acyclic(cycles, o); }};
  for (const auto& call : calls) {
    const auto error_of = [&](const RunOptions& options) { return id_of([&] { call(options); }); };
    // How often several threads report while a graph is built is not fixed.
    constexpr std::uint64_t before_building = 5;
    EXPECT_GE(expect_ends(call, {}, before_building - 1).calls, before_building);
    for (std::uint64_t last = 1; last < before_building; ++last) {
      std::uint64_t asked = 0;
      std::stop_source stop;
      const auto stopping = [&](const Step&) { return ++asked < last || stop.request_stop(); };
      EXPECT_EQ(error_of({.limits = {.stop = stop.get_token()}, .progress = stopping}), "HW-CANCELLED");
      EXPECT_EQ(asked, last) << "the look after a request ends it";
    }
  }
}

// nonsense: strong_components condensation topological_generations is_acyclic validate
TEST(Strong, NothingAndNonsense) {
  const Graph none;
  const StrongComponents nothing = strong_components(none);
  EXPECT_EQ(nothing.count, 0u);
  EXPECT_EQ(nothing.largest_label, no_vertex);
  EXPECT_EQ(condensation(none, nothing).num_vertices(), 0u);
  EXPECT_EQ(topological_generations(none).size(), 0u);
  EXPECT_TRUE(is_acyclic(none));
  EXPECT_TRUE(validate(none, nothing));
  const Graph path = build(chain(3)), edge = build(chain(2, false));
  EXPECT_EQ(id_of([&] { (void)strong_components(path, {.run = {.threads = -1}}); }), "HW-OPTION-THREADS");
  EXPECT_EQ(id_of([&] { (void)condensation(path, nothing); }), "HW-RESULT-GRAPH");
  StrongComponents wrong{.label = Array<VertexId>::filled(3, 7)};
  EXPECT_EQ(id_of([&] { (void)condensation(path, wrong); }), "HW-RESULT-GRAPH");
  EXPECT_EQ(id_of([&] { (void)topological_generations(edge); }), "HW-GRAPH-CYCLE");
  EXPECT_FALSE(is_acyclic(edge));
}

}  // namespace of_strong_test
}  // namespace hopwave::testing
