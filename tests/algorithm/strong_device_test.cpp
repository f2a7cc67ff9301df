// Strongly connected components in the simulator and on the CPU against a plain search: every graph of up to three vertices, a
// part of those of four, named, random and composed graphs, deep ones, under schedules that hold somebody back and weak memory.
#include <gtest/gtest.h>

#include "device/tried_schedules.h"
#include "hopwave/error.h"
#include "hopwave/strong.h"
#include "support/ended.h"
#include "support/labels.h"
#include "support/sanitized.h"
#include "support/small_graphs.h"
#include "support/strong.h"

namespace hopwave::testing {
namespace of_strong_device_test {

StrongOptions simulated(std::uint64_t seed) {
  return {.run = {.device = DeviceKind::sim,
                  .simulator = {.schedule = static_cast<ScheduleKind>(seed % device::tried_schedules), .seed = seed}}};
}

void expect_right(const TestGraph& test, const StrongOptions& options, bool with_in = false) {
  const std::vector<VertexId> right = plain_strong_labels(test);
  const StrongComponents found = strong_components(build(test, true, with_in), options);
  if (options.run.device != DeviceKind::automatic) ASSERT_EQ(found.run.device, options.run.device);
  const StrongComponents& c = found;
  expect_labels(c, right, test, options.run.simulator.seed);
}

TEST(StrongDevice, EveryGraphOfUpToFourVertices) {
  each_small_graph(31, [](const TestGraph& test, std::uint64_t bits) {
    expect_right(test, {});
    expect_right(test, simulated(bits), test.num_vertices == 4 && bits % 2);
  });
}

TEST(StrongDevice, NamedGraphs) {
  for (const TestGraph& test : named_graphs()) {
    expect_right(test, {});
    if (test.edges.size() < 20'000) expect_right(test, simulated(test.edges.size()));
    if (HasFatalFailure()) return;
  }
}

TEST(StrongDevice, RandomGraphs) {
  for (std::uint64_t seed = 0; seed < graphs_to_draw(300) / 3; ++seed) {
    expect_right(random_graph(seed, 300), simulated(seed), seed % 2);
    if (HasFatalFailure()) return;
  }
}

TEST(StrongDevice, ComposedShapesWithDirections) {
  for (std::uint64_t seed = 0; seed < graphs_to_draw(400) / 10; ++seed) {
    const std::string edges = std::to_string(100 + splitmix64(seed) % 3000);
    expect_right(with_directions("shapes:" + std::to_string(seed) + "," + edges, seed, 1 + seed % 9), simulated(seed));
    if (HasFatalFailure()) return;
  }
}

/// Hubs, whose rows are queued in pieces, with many small components beside a large one.
TEST(StrongDevice, SkewedGraphs) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    expect_right(with_directions("rmat:10," + std::to_string(1 + seed) + "," + std::to_string(seed), seed, 20),
                 simulated(seed));
    if (HasFatalFailure()) return;
  }
}

TEST(StrongDevice, ChainsOfCyclesInAnyOrder) {
  for (std::uint64_t seed = 0; seed < 28; ++seed) {
    if (!tried(seed)) continue;
    const TestGraph test = chain_of_cycles(seed, 30, 2 + 10 * (seed % 4));
    expect_right(seed % 3 ? relabelled(test, random_order(test.num_vertices, seed)) : test, simulated(seed));
    if (HasFatalFailure()) return;
  }
}

/// Longer than trimming goes on, and than the searches around a pivot do: both leave the rest.
TEST(StrongDevice, DeepGraphs) {
  const VertexId n = 1200;
  TestGraph path = chain(n), circle = cycle(n), chords = cycle(n), back = chain(n);
  for (VertexId v = 0; v + 40 < n; v += 40) chords.edges.push_back({v + 3, v}), back.edges.push_back({v + 20, v});
  // Two ways side by side, from a hub: the searches around it have a long way to go.
  TestGraph ladder{"ladder", n, {}, true};
  for (VertexId v = 0; v + 2 < n; ++v) ladder.edges.push_back({v, v + 2}), ladder.edges.push_back({v, v + 1});
  ladder.edges.push_back({n - 2, n - 1});
  ladder.edges.push_back({n - 1, 0});
  std::uint64_t i = 0;
  for (const TestGraph& test : {path, circle, chords, back, ladder})
    for (const bool shuffled : {false, true}) {
      if (!tried(i++)) continue;
      expect_right(shuffled ? relabelled(test, random_order(n, 7)) : test,
                   {.run = {.device = DeviceKind::sim, .simulator = {.seed = 3}}});
      if (HasFatalFailure()) return;
    }
}

/// Deep nets of which a part of the arcs goes both ways: the searches around one vertex begin anew, from the largest set that
/// such arcs connect, where it has a sixteenth of all vertices. The vertex with most arcs may lie outside of it.
TEST(StrongDevice, DeepGraphsWithArcsBothWays) {
  std::uint64_t seed = 0;
  for (const std::string spec : {"grid:90x12", "mesh:70x8", "streets:30", "chain:900"})
    for (const std::uint64_t both : {1, 2, 3, 20}) {
      TestGraph test = with_directions(spec, ++seed, both);
      if (seed % 2) {  // a hub outside, with a way in and one out of the net
        const VertexId hub = test.num_vertices;
        test.num_vertices += 40;
        for (VertexId v = hub + 1; v < hub + 40; ++v) test.edges.push_back({hub, v}), test.edges.push_back({v, hub});
        test.edges.push_back(seed % 4 == 1 ? Edge{hub, 0} : Edge{0, hub});
      }
      expect_right(test, simulated(seed));
      expect_right(relabelled(test, random_order(test.num_vertices, seed)), simulated(seed + 1));
      if (HasFatalFailure()) return;
    }
}

/// A graph that takes too many rounds is left to the CPU, and said to be.
TEST(StrongDevice, ADeepGraphIsLeftToTheCpu) {
  const TestGraph test = chain_of_cycles(3, 30, 12);
  const Graph graph = build(test);
  const StrongComponents cpu = strong_components(graph, StrongOptions{});
  const StrongComponents left = strong_components(graph, StrongOptions{.max_rounds = 20, .run = {.device = DeviceKind::sim}});
  EXPECT_EQ(left.run.device, DeviceKind::cpu);
  EXPECT_GT(left.rounds, 20u);
  ASSERT_EQ(left.run.notes.size(), 1u);
  EXPECT_NE(left.run.notes[0].find("the CPU took over"), std::string::npos);
  EXPECT_EQ(left.count, cpu.count);
  EXPECT_EQ(left.largest_size, cpu.largest_size);
  EXPECT_TRUE(std::equal(left.label.begin(), left.label.end(), cpu.label.begin()));
  const StrongComponents kept =
      strong_components(graph, StrongOptions{.max_rounds = left.rounds * 1000, .run = {.device = DeviceKind::sim}});
  EXPECT_EQ(kept.run.device, DeviceKind::sim);
  EXPECT_TRUE(kept.run.notes.empty());
}

/// What docs/scc.md says of time: numbers cross a path in few rounds, whatever its order, and regions keep spreads few.
TEST(StrongDevice, FewRoundsAndSpreads) {
  const VertexId n = 4000;
  TestGraph both_ways = chain(n);
  for (VertexId v = 0; v + 1 < n; ++v) both_ways.edges.push_back({v + 1, v});
  TestGraph pairs = chain(600);  // two ways within each pair, one way from pair to pair
  for (VertexId v = 0; v < 600; v += 2) pairs.edges.push_back({v + 1, v});
  for (const bool shuffled : {false, true}) {
    const auto found = [&](const TestGraph& test) {
      return strong_components(build(shuffled ? relabelled(test, random_order(test.num_vertices, 3)) : test),
                               StrongOptions{.run = {.device = DeviceKind::sim}});
    };
    const StrongComponents path = found(both_ways), row = found(pairs);
    EXPECT_EQ(path.count, 1u);
    EXPECT_LE(path.rounds, 64u + 40);  // trimming, and the searches until arcs both ways are looked at
    EXPECT_EQ(path.spreads, 0u);
    EXPECT_EQ(row.count, 300u);
    EXPECT_LE(row.spreads, 12u);  // 17 where arcs between regions count
  }
}

TEST(StrongDevice, LoopsAndParallelArcs) {
  TestGraph test{"loops", 6, {}, true};
  for (int k = 0; k < 300; ++k) {  // more than a piece of a row
    test.edges.push_back({0, 0});
    test.edges.push_back({0, 1});
    test.edges.push_back({2, 2});
    test.edges.push_back({3, 4});
    test.edges.push_back({4, 3});
    test.edges.push_back({4, 5});
  }
  for (std::uint64_t seed = 0; seed < 14; ++seed) expect_right(test, simulated(seed));
}

TEST(StrongDevice, EndedEarly) {
  // A chain is left by the searches around a pivot, and taken up by spreading.
  const Graph wide = build(with_directions("rmat:11,4", 1, 20)), long_one = build(chain_of_cycles(3, 30, 32));
  const std::pair<DeviceKind, const Graph*> cases[] = {
      {DeviceKind::cpu, &wide}, {DeviceKind::sim, &wide}, {DeviceKind::sim, &long_one}};
  for (const auto& one : cases) {
    const auto find = [&](const RunOptions& run) { return strong_components(*one.second, StrongOptions{.run = run}); };
    EXPECT_EQ(expect_ends(find, {.device = one.first}, 40).total, one.second->num_vertices());
  }
}

// nonsense: strong_components
TEST(StrongDevice, NothingAndNonsense) {
  for (const DeviceKind device : {DeviceKind::cpu, DeviceKind::sim}) {
    const StrongComponents none = strong_components(Graph(), StrongOptions{.run = {.device = device}});
    EXPECT_EQ(none.count, 0u);
    EXPECT_EQ(none.label.size(), 0u);
  }
  const Graph graph = build(chain(3));
  const auto find = [&](const RunOptions& run) { (void)strong_components(graph, StrongOptions{.run = run}); };
  expect_refusals(find);
  EXPECT_EQ(id_of([&] { find({.device = DeviceKind::automatic}); }), "none");
}

}  // namespace of_strong_device_test
}  // namespace hopwave::testing
