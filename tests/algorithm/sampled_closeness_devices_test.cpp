// Sampled closeness on several devices: sums made on each of them have the bits of one device's and of a CPU's, however many
// devices there are, whatever is dealt to them, where they reach each other's memory and where they do not; early ends leave
// the sums of the first pivots. The simulator has four devices.
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "hopwave/error.h"
#include "hopwave/sampled_closeness.h"
#include "support/graphs.h"
#include "support/pivot_sums.h"
#include "support/sanitized.h"
#include "support/ticks.h"

namespace hopwave::testing {
namespace of_sampled_closeness_devices_test {

using Devices = std::vector<int>;

SampledClosenessOptions on_devices(Devices replicas, std::uint64_t samples, std::uint64_t seed = 1) {
  SampledClosenessOptions options = in_simulator(samples, seed);
  options.search.run.replicas = std::move(replicas);
  return options;
}
/// Devices have no peers in the caller's memory: the array of doubles goes round by way of the host.
void without_peers(SampledClosenessOptions& options) { options.search.run.on.memory = std::make_shared<Scarce>(); }

/// `found` has whole pivots in its sums, the first ones, and both ways to go on from there end with the sums of all.
void expect_first_ones(const Graph& graph, const SampledClosenessOptions& options, const SampledCloseness& found) {
  ASSERT_FALSE(found.run.complete());
  ASSERT_EQ(found.pivots, found.sums.pivot.size());
  SampledClosenessOptions all = on_cpu(options);
  all.search.run.progress = {};
  all.search.run.limits = {};
  SampledClosenessOptions fewer = all, more = all;
  fewer.samples = found.pivots;
  if (found.pivots) expect_same(found.sums, sampled_closeness(graph, fewer).sums);
  const PivotSums whole = sampled_closeness(graph, all).sums;
  more.begun = found.sums;
  expect_same(sampled_closeness(graph, more).sums, whole);
  SampledClosenessOptions on = options;
  on.search.run.progress = {};
  on.search.run.limits = {};
  on.begun = found.sums;
  expect_same(sampled_closeness(graph, on).sums, whole);
}

TEST(SampledClosenessOnDevices, SumsAreThoseOfOne) {
  const Devices sets[] = {{1}, {3, 1}, {2, 1, 3}};
  std::uint64_t turn = 0;
  const auto look = [&](const TestGraph& test, std::uint64_t samples) {
    if (!tried(++turn)) return;
    SampledClosenessOptions options = on_devices(sets[turn % 3], samples, turn);
    options.search.direction = static_cast<Direction>(turn / 3 % 3);
    if (turn % 4 == 3) options.search.parameters["ms_bfs"] = 0;  // one by one
    if (turn % 7 == 6) options.search.parameters["level_launches"] = 1;
    if (turn % 5 == 4) options.search.prepare = true;
    if (turn % 2) without_peers(options);
    expect_as_on_cpu(test, options);
  };
  for (const TestGraph& test : named_graphs()) {
    look(test, 1 + turn % 4);  // fewer than devices, too
    look(test, test.num_vertices);
    if (HasFatalFailure()) return;
  }
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    look(random_graph(seed, 200), 1 + seed * 17);
    if (HasFatalFailure()) return;
  }
  for (const std::uint64_t samples : {2u, 63u, 64u, 127u, 128u, 129u, 191u, 193u, 257u, 300u}) {
    look(cycle(300), samples);  // the first pivot bounds the longest distance with directions, too
    look(composed(samples), samples);
    if (HasFatalFailure()) return;
  }
}

/// Four of them in turns, each with passes of its own; nobody hands over rows, and nobody has anything to say.
TEST(SampledClosenessOnDevices, NoRowComesToTheHost) {
  TestGraph test = generated("rmat:9,3");
  for (const bool directed : {false, true}) {
    test.directed = directed;
    const Graph graph = build(test);
    const PivotSums whole = sampled_closeness(graph, on_cpu(in_simulator(270))).sums;
    for (const Devices& replicas : {Devices{1}, Devices{1, 2, 3}})
      for (const bool peers : {true, false}) {
        SampledClosenessOptions options = on_devices(replicas, 270);
        if (!peers) without_peers(options);
        std::set<std::uint64_t> asked;
        const auto here = std::this_thread::get_id();
        options.search.run.progress = [&](const Step& step) {
          EXPECT_EQ(step.total, 270u);
          EXPECT_EQ(std::this_thread::get_id(), here);
          return asked.insert(step.done), true;
        };
        const SampledCloseness found = sampled_closeness(graph, options);
        expect_same(found.sums, whole);
        EXPECT_TRUE(found.run.notes.empty());
        EXPECT_EQ(asked, (std::set<std::uint64_t>{0, 64, 128, 192, 256, 270}));
        if (HasFatalFailure()) return;
      }
  }
}

TEST(SampledClosenessOnDevices, OtherStrategiesAndSharedGraphs) {
  TestGraph test = random_graph(3, 150);
  for (const bool directed : {false, true}) {
    test.directed = directed;
    for (const char* strategy :
         {"pmpp-frontier", "survey-virtual-warp", "survey-reorder-physical"}) {  // the last leaves no answer
      SampledClosenessOptions options = on_devices({1, 2}, 7, 4);
      options.search.strategy = strategy;
      options.search.parameters = {};
      expect_as_on_cpu(test, options);
    }
    SampledClosenessOptions traced = on_devices({1}, 70, 4);
    traced.search.trace = true;  // each search has levels of its own
    expect_as_on_cpu(test, traced);
    SampledClosenessOptions options = on_devices({1}, 5, 4);
    options.search.parameters = {};
    options.search.partition = Partition::always;
    expect_as_on_cpu(test, options);
    if (HasFatalFailure()) return;
  }
}

TEST(SampledClosenessOnDevices, AnEarlyEndLeavesTheFirstOnes) {
  for (const bool directed : {false, true}) {
    TestGraph test = generated("rmat:8,3");
    test.directed = directed;
    const Graph graph = build(test);
    for (const bool passes : {true, false}) {
      SampledClosenessOptions options = on_devices({1, 2}, passes ? 250 : 20, 5);
      if (!passes) options.search.parameters["ms_bfs"] = 0;
      if (directed) without_peers(options);
      for (const std::uint64_t enough : {0u, 1u, 15u, 65u, 192u}) {  // the caller says so: no later pivot is in the sums
        SampledClosenessOptions some = options;
        some.search.run.progress = [&](const Step& step) { return step.done < enough; };
        const SampledCloseness part = sampled_closeness(graph, some);
        if (!passes && enough > 20) continue;
        EXPECT_EQ(part.run.end, End::interrupted);
        const std::uint64_t done = passes ? (enough + 63) / 64 * 64 : enough;
        if (enough > 0)
          EXPECT_EQ(part.pivots, done);
        else
          EXPECT_LE(part.pivots, passes ? 64u : 1u);  // a search may be at its end before it hears of the answer
        expect_first_ones(graph, some, part);
        if (HasFatalFailure()) return;
      }
      std::stop_source stop;  // other devices may have found more meanwhile
      SampledClosenessOptions cancelled = options;
      cancelled.search.run.limits.stop = stop.get_token();
      cancelled.search.run.progress = [&](const Step& step) { return step.done == 0 || (stop.request_stop(), true); };
      SampledCloseness part = sampled_closeness(graph, cancelled);
      if (!part.run.complete()) {
        EXPECT_EQ(part.run.end, End::cancelled);
        EXPECT_GT(part.pivots, 0u);
        expect_first_ones(graph, cancelled, part);
      }
      const Ticks ticks;
      SampledClosenessOptions late = options;
      late.search.run.limits.time = Seconds(3600);
      EXPECT_TRUE(sampled_closeness(graph, late).run.complete());
      late.search.run.limits.time = Seconds(static_cast<double>(ticks.looks() / 2) / 1000);
      part = sampled_closeness(graph, late);
      EXPECT_FALSE(part.run.complete());
      EXPECT_EQ(part.run.end, End::time_limit);
      expect_first_ones(graph, late, part);
      if (HasFatalFailure()) return;
    }
    SampledClosenessOptions thrown = on_devices({1, 2, 3}, 250, 5);
    thrown.search.run.progress = [](const Step& step) { return step.done < 64 ? true : throw std::runtime_error("enough"); };
    EXPECT_THROW(sampled_closeness(graph, thrown), std::runtime_error);
  }
}

/// Sums of one device, of several and of a CPU: each goes on from the others'.
TEST(SampledClosenessOnDevices, GoOnFromAnySums) {
  const Graph graph = build(random_graph(12, 300));
  const SampledClosenessOptions all = on_devices({1, 3}, 140, 5);
  const PivotSums whole = sampled_closeness(graph, on_cpu(all)).sums;
  for (const std::uint64_t before : {1u, 17u, 64u, 139u, 140u})
    for (const Devices& replicas : {Devices{}, Devices{2}, Devices{1, 2, 3}}) {
      if (!tried(before + replicas.size())) continue;
      SampledClosenessOptions fewer = on_devices(replicas, before, 5), more = all, alone = in_simulator(140, 5);
      if (before % 2) without_peers(more);
      more.begun = sampled_closeness(graph, fewer).sums;
      alone.begun = more.begun;
      expect_same(sampled_closeness(graph, more).sums, whole);
      expect_same(sampled_closeness(graph, alone).sums, whole);
      if (HasFatalFailure()) return;
    }
}

TEST(SampledClosenessOnDevices, WithoutMemoryTheHostAddsUp) {
  const Graph graph = build(random_graph(12, 60));
  SampledClosenessOptions options = on_devices({1}, 17);
  const PivotSums whole = sampled_closeness(graph, on_cpu(options)).sums;
  const auto with = [&](const std::shared_ptr<Scarce>& memory) {
    options.search.run.on.memory = memory;
    const SampledCloseness found = sampled_closeness(graph, options);
    EXPECT_TRUE(found.run.complete());
    expect_same(found.sums, whole);
    return found.run.notes;
  };
  const auto plenty = std::make_shared<Scarce>();
  EXPECT_TRUE(with(plenty).empty());
  EXPECT_TRUE(plenty->held.empty());
  std::size_t on_host = 0;
  for (std::size_t k = 1; k <= plenty->calls; ++k) {
    const auto memory = std::make_shared<Scarce>();
    memory->refused = k;
    try {
      for (const std::string& note : with(memory)) on_host += note.starts_with("adding up distances on the host: ");
    } catch (const Error& error) {
      EXPECT_EQ(error.id(), "HW-DEVICE-MEMORY") << k;
    }
    EXPECT_TRUE(memory->held.empty()) << k;
    if (HasFatalFailure()) return;
  }
  EXPECT_EQ(on_host, 8u);  // four arrays on each
}

}  // namespace of_sampled_closeness_devices_test
}  // namespace hopwave::testing
