// Core numbers by one thread, by several and in the simulator against the definition: every graph of up to three vertices, a
// part of those of four, random and composed graphs, schedules that hold somebody back, weak memory. The check against changed
// answers.
#include "hopwave/kcore.h"

#include <gtest/gtest.h>

#include "device/tried_schedules.h"
#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "support/ended.h"
#include "support/labels.h"
#include "support/no_threads.h"
#include "support/small_graphs.h"

namespace hopwave::testing {
namespace of_kcore_test {

/// By the definition: for each k, whoever has fewer than k arcs to others that stay goes, until nobody does.
std::vector<std::uint32_t> plain_cores(const TestGraph& test) {
  std::vector<std::uint32_t> core(test.num_vertices, 0);
  std::vector<bool> stays(test.num_vertices, true);
  for (std::uint32_t k = 1; std::find(stays.begin(), stays.end(), true) != stays.end(); ++k) {
    for (bool changed = true; changed;) {
      changed = false;
      std::vector<std::uint32_t> arcs(test.num_vertices, 0);
      for (const Edge& e : test.edges)
        if (e.source != e.target && stays[e.source] && stays[e.target]) ++arcs[e.source], ++arcs[e.target];
      for (VertexId v = 0; v < test.num_vertices; ++v)
        if (stays[v] && arcs[v] < k) stays[v] = false, changed = true;
    }
    for (VertexId v = 0; v < test.num_vertices; ++v)
      if (stays[v]) core[v] = k;
  }
  return core;
}

std::vector<std::uint32_t> vector_of(const KCore& found) { return {found.core.begin(), found.core.end()}; }

RunOptions simulated(std::uint64_t seed = 1) {
  return {.device = DeviceKind::sim,
          .simulator = {.schedule = static_cast<ScheduleKind>(seed % device::tried_schedules), .seed = seed}};
}

void expect_right(const TestGraph& test, const RunOptions& options, bool build_in = false) {
  const Graph graph = build(test, true, build_in);
  const KCore found = core_numbers(graph, options);
  ASSERT_EQ(vector_of(found), plain_cores(test)) << test << " seed " << options.seed;
  if (options.device != DeviceKind::automatic) ASSERT_EQ(found.run.device, options.device);
  const Verdict verdict = validate(graph, found);
  ASSERT_TRUE(verdict) << test << ": " << verdict.rule << ", " << verdict.message;
}

TEST(KCore, EveryGraphOfUpToFourVertices) {
  each_small_graph(61, [](const TestGraph& test, std::uint64_t bits) {
    expect_right(test, {.threads = static_cast<int>(bits % 3 + 1)}, bits % 2 == 0);
    if (bits % 3 == 0 || test.num_vertices == 4) expect_right(test, simulated(bits));
  });
}

TEST(KCore, NamedAndRandomGraphs) {
  for (const TestGraph& test : named_graphs()) {
    if (test.edges.size() > 5'000) continue;
    for (const int threads : {1, 3}) expect_right(test, {.threads = threads});
    if (test.edges.size() < 2'000) expect_right(test, simulated(test.edges.size()));
    if (HasFatalFailure()) return;
  }
  for (std::uint64_t seed = 0; seed < graphs_to_draw(120); ++seed) {
    const TestGraph test = random_graph(seed);
    expect_right(test, {.threads = static_cast<int>(seed % 4 + 1)}, seed % 3 == 0);
    expect_right(test, simulated(seed), seed % 3 == 0);
    if (HasFatalFailure()) return;
  }
}

/// Large enough for members to meet, and on a device for rounds of all blocks: all ways agree, and the check says so.
TEST(KCore, LargerGraphsOnEveryWay) {
  for (const char* spec : {"rmat:11,16", "uniform:11,8", "shapes:4,6000", "shapes:5,9000", "grid:50x60", "tree:11",
                           "hub-chain:40,60,3", "star:5000", "chain:3000"}) {
    const Graph graph = build_graph(generate(spec), {.keep_duplicates = true, .keep_self_loops = true});
    const KCore right = core_numbers(graph, {.threads = 1});
    const Verdict verdict = validate(graph, right);
    ASSERT_TRUE(verdict) << spec << ": " << verdict.rule << ", " << verdict.message;
    for (const int threads : {2, 4}) ASSERT_EQ(vector_of(core_numbers(graph, {.threads = threads})), vector_of(right)) << spec;
    const KCore there = core_numbers(graph, simulated(graph.num_arcs()));
    ASSERT_EQ(vector_of(there), vector_of(right)) << spec;
    EXPECT_EQ(there.largest, right.largest);
    EXPECT_EQ(there.largest_size, right.largest_size);
  }
}

/// A clique behind levels that nobody is in: the next level is the least degree that is left.
TEST(KCore, LevelsWithoutVerticesArePassedOver) {
  TestGraph test = complete(60);
  test.num_vertices += 3;
  test.edges.push_back({60, 61});
  for (const int threads : {1, 2}) expect_right(test, {.threads = threads});
  expect_right(test, simulated());
  const KCore found = core_numbers(build(test), {.threads = 2});
  EXPECT_EQ(found.largest, 59u);
  EXPECT_EQ(found.largest_size, 60u);
}

TEST(KCore, TheCheckFindsChangedAnswers) {
  for (std::uint64_t seed = 0; seed < graphs_to_draw(60); ++seed) {
    const TestGraph test = random_graph(seed, 40);
    const Graph graph = build(test, true, seed % 2 == 0);
    const KCore right = core_numbers(graph);
    for (VertexId v = 0; v < graph.num_vertices(); ++v)
      for (const int by : {1, -1}) {
        if (by < 0 && right.core[v] == 0) continue;
        KCore changed = core_numbers(graph);
        changed.core[v] += static_cast<std::uint32_t>(by);
        const Verdict verdict = validate(graph, changed);
        EXPECT_FALSE(verdict) << test << ", " << v << " by " << by;
        if (by > 0) EXPECT_EQ(verdict.rule, "too-great");
      }
    KCore changed = core_numbers(graph);
    ++changed.largest_size;
    EXPECT_EQ(validate(graph, changed).rule, "largest");
    changed.core = Array<std::uint32_t>(graph.num_vertices() + std::size_t{1});
    EXPECT_EQ(validate(graph, changed).rule, "size");
  }
}

/// Wherever the caller wants it to end, it ends with the error that says why.
TEST(KCore, EndsWhenTheCallerWantsIt) {
  const Graph graph = build_graph(generate("rmat:13,8"), {});
  for (const DeviceKind device : {DeviceKind::cpu, DeviceKind::sim}) {
    const auto find = [&](RunOptions options) {
      options.device = device;
      return core_numbers(graph, options);
    };
    for (const int threads : {1, 3}) {
      const Reported seen = expect_ends(find, {.threads = threads}, threads == 1 ? 20 : 1);
      EXPECT_GE(seen.calls, 2u);
      EXPECT_EQ(seen.total, graph.num_vertices());
      if (device == DeviceKind::cpu) EXPECT_EQ(seen.done, seen.total);  // the last step, whoever did the work
    }
  }
}

// nonsense: core_numbers validate
TEST(KCore, NonsenseIsRefused) {
  const Graph none = build({"none", 0, {}}), small = build(chain(9)), large = build_graph(generate("uniform:13,16"));
  for (const DeviceKind device : {DeviceKind::cpu, DeviceKind::sim}) {
    EXPECT_TRUE(core_numbers(none, {.device = device}).core.empty());
    EXPECT_EQ(core_numbers(none, {.device = device}).largest_size, 0u);
  }
  expect_refusals([&](const RunOptions& run) { (void)core_numbers(small, run); });
  EXPECT_EQ(validate(small, KCore{}).rule, "size");
  const HugeStacks fewer;
  const KCore found = core_numbers(large, {.threads = 3});
  ASSERT_EQ(found.run.notes.size(), 1u);
  EXPECT_NE(found.run.notes[0].find("only 1 of 3 threads"), std::string::npos) << found.run.notes[0];
  EXPECT_TRUE(validate(large, found));
}

}  // namespace of_kcore_test
}  // namespace hopwave::testing
