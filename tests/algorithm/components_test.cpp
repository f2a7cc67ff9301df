// Connected components on the CPU and in the simulator against a plain search: every graph of up to three vertices, a part of
// those of four, random and composed graphs, schedules that hold somebody back, weak memory.
#include "hopwave/components.h"

#include <gtest/gtest.h>

#include "device/tried_schedules.h"
#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "support/ended.h"
#include "support/labels.h"
#include "support/no_threads.h"
#include "support/small_graphs.h"

namespace hopwave::testing {
namespace of_components_test {

std::vector<VertexId> plain_labels(const TestGraph& test) {
  std::vector<std::vector<VertexId>> next(test.num_vertices);
  for (const Edge& e : test.edges) next[e.source].push_back(e.target), next[e.target].push_back(e.source);
  std::vector<VertexId> label(test.num_vertices, no_vertex);
  for (VertexId v = 0; v < test.num_vertices; ++v) {
    if (label[v] != no_vertex) continue;
    std::vector<VertexId> queue = {v};
    label[v] = v;
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (const VertexId u : next[queue[i]])
        if (label[u] == no_vertex) label[u] = v, queue.push_back(u);
  }
  return label;
}

void expect_right(const TestGraph& test, const RunOptions& options) {
  const Graph graph = build(test);
  const std::vector<VertexId> right = plain_labels(test);
  const Components found = connected_components(graph, options);
  const Components& c = found;
  if (options.device != DeviceKind::automatic) ASSERT_EQ(found.run.device, options.device);
  expect_labels(c, right, test, options.seed);
}

RunOptions simulated(std::uint64_t seed = 1) {
  return {.device = DeviceKind::sim,
          .simulator = {.schedule = static_cast<ScheduleKind>(seed % device::tried_schedules), .seed = seed}};
}

TEST(Components, EveryGraphOfUpToFourVertices) {
  each_small_graph(61, [](const TestGraph& test, std::uint64_t bits) {
    expect_right(test, {});
    expect_right(test, simulated(bits));
  });
}

/// Wherever the caller wants it to end, it ends with the error that says why.
TEST(Components, EndWhenTheCallerWantsIt) {
  const Graph graph = build_graph(generate("rmat:14,8"), {});
  for (const DeviceKind device : {DeviceKind::cpu, DeviceKind::sim}) {
    const auto find = [&](RunOptions options) {
      options.device = device;
      return connected_components(graph, options);
    };
    for (const int threads : {1, 3}) {
      const Reported seen = expect_ends(find, {.threads = threads}, threads == 1 ? ~std::uint64_t{0} : 1);
      if (device == DeviceKind::cpu) EXPECT_EQ(seen.done, seen.total);  // the last step, whoever did the work
    }
  }
}

/// A warp's lanes go from row to row; between two with arcs there may be any number without.
TEST(Components, RowsWithoutArcsBetween) {
  for (const VertexId gap : {1u, 2u, 31u, 1000u, 20000u}) {
    TestGraph test{"gaps of " + std::to_string(gap), 0, {}};
    for (int piece = 0; piece < 4; ++piece) {
      for (VertexId v = 0; v < 40; ++v) test.edges.push_back({test.num_vertices + v, test.num_vertices + v + 1});
      test.num_vertices += 41 + gap;
    }
    expect_right(test, simulated(gap));
    if (HasFatalFailure()) return;
  }
}

/// So many threads as the caller says: here none but the first can be started, and the notes tell how many were to be.
TEST(Components, ThreadsThatTheCallerAskedFor) {
  const Graph small = build(chain(9)), large = build_graph(generate("uniform:13,16"));
  const Components right = connected_components(large);
  for (const int threads : {1, 2, 3}) {
    const Components found = connected_components(large, {.threads = threads});
    EXPECT_TRUE(found.run.notes.empty());
    EXPECT_TRUE(std::equal(right.label.begin(), right.label.end(), found.label.begin()));
    EXPECT_EQ(found.count, right.count);
  }
  const HugeStacks none;
  EXPECT_TRUE(connected_components(large, {.threads = 1}).run.notes.empty());
  const Components found = connected_components(large, {.threads = 3});
  ASSERT_EQ(found.run.notes.size(), 1u);
  EXPECT_NE(found.run.notes[0].find("only 1 of 3 threads"), std::string::npos) << found.run.notes[0];
  EXPECT_EQ(found.count, right.count);
}

TEST(Components, NamedGraphs) {
  for (const TestGraph& test : named_graphs()) {
    expect_right(test, {});
    if (test.edges.size() < 20'000) expect_right(test, simulated(test.edges.size()));
    if (HasFatalFailure()) return;
  }
}

/// Chains in a drawn order of ids: long ways to the root, hooked from everywhere.
TEST(Components, ChainsInAnyOrder) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const VertexId n = 700;
    expect_right(relabelled(chain(n, seed % 2), random_order(n, seed)), simulated(seed));
    if (HasFatalFailure()) return;
  }
}

TEST(Components, RandomGraphs) {
  for (std::uint64_t seed = 0; seed < graphs_to_draw(60); ++seed) {
    expect_right(random_graph(seed, 300), simulated(seed));
    if (HasFatalFailure()) return;
  }
}

TEST(Components, ComposedShapes) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const TestGraph test = composed(seed, 3000);
    expect_right(test, simulated(seed));
    if (HasFatalFailure()) return;
  }
}

// nonsense: connected_components
TEST(Components, NothingAndNonsense) {
  for (const DeviceKind device : {DeviceKind::cpu, DeviceKind::sim}) {
    const Components none = connected_components(Graph(), {.device = device});
    EXPECT_EQ(none.count, 0u);
    EXPECT_EQ(none.label.size(), 0u);
  }
  const Graph graph = build(chain(3));
  expect_refusals([&](const RunOptions& run) { (void)connected_components(graph, run); });
  EXPECT_EQ(id_of([&] { (void)connected_components(graph, {.device = DeviceKind::automatic}); }), "none");
}

}  // namespace of_components_test
}  // namespace hopwave::testing
