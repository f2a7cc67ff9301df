// Graph500's rules on the devices that share a graph: each kind of wrong answer, and answers damaged at random beside what
// validate() says of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "bfs/engine/partitioned/check.h"
#include "device/device.h"
#include "device/kernel.h"
#include "hopwave/generate.h"
#include "hopwave/search.h"
#include "hopwave/validate.h"
#include "support/graphs.h"
#include "support/sanitized.h"

namespace hopwave {
namespace of_partitioned_check_test {

using namespace testing;
using namespace sim::engine::partitioned;

struct Answer {
  std::vector<Distance> level;
  std::vector<VertexId> parent;
};

/// The rule that a search from `source` has broken, as one device finds it; -1: none.
int broken(const std::vector<std::uint32_t>& offsets, const std::vector<VertexId>& neighbors, VertexId source,
           const Answer& answer) {
  const auto n = static_cast<std::uint32_t>(answer.level.size());
  const Dealing dealing{.devices = 1, .mine = 0, .num_vertices = n, .num_dealt = n, .first = {}};
  device::Device device(*device::sim_api(), DeviceOptions{});
  const device::KeepCurrent keep(device);
  const device::Buffer<std::uint32_t> offsets_there(device, offsets);
  const device::Buffer<VertexId> neighbors_there(device, neighbors);
  const device::Buffer<Distance> levels(device, std::span<const Distance>(answer.level));
  const device::Buffer<VertexId> parents(device, std::span<const VertexId>(answer.parent));
  device::Buffer<std::uint8_t> proved(device, n);
  const Checked start{0, 0, ~std::uint64_t{0}, 0, 0};
  const device::Buffer<Checked> checked(device, std::span<const Checked>(&start, 1));
  const device::LaunchShape shape{.grid = 1, .block = 64};
  const Checking<std::uint32_t> checking{.offsets = offsets_there.data(),
                                         .neighbors = neighbors_there.data(),
                                         .rows = n,
                                         .ids = n,
                                         .source = source,
                                         .arcs = neighbors.size(),
                                         .level = levels.data(),
                                         .parent = parents.data(),
                                         .proved = proved.data(),
                                         .checked = checked.data()};
  device::launch(device, {shape}, check_vertices<std::uint32_t>, dealing, checking);
  device::launch(device, {shape}, check_arcs<std::uint32_t>, dealing, checking);
  device::launch(device, {shape}, check_proved, n, parents.data(), proved.data(), checked.data());
  const Checked end = checked.value();
  return end.first_failure == start.first_failure ? -1 : static_cast<int>(FailedRule::get(end.first_failure));
}

/// A path 0 - 1 - 2 - 3 beside 4 - 5, searched from 0; what a change of the answer breaks.
TEST(CheckOnDevices, FindsEveryKindOfWrongAnswer) {
  const auto with = [](std::size_t v, Distance d, VertexId p) {
    Answer answer{{0, 1, 2, 3, -1, -1}, {no_vertex, 0, 1, 2, no_vertex, no_vertex}};
    answer.level[v] = d;
    answer.parent[v] = p;
    return broken({0, 1, 3, 5, 6, 7, 8}, {1, 0, 2, 1, 3, 2, 5, 4}, 0, answer);
  };
  const auto rule = [](Rule500 r) { return static_cast<int>(r); };
  EXPECT_EQ(with(0, 0, no_vertex), -1);
  EXPECT_EQ(with(3, 3, 2), -1);
  EXPECT_EQ(with(0, 1, 1), rule(Rule500::source_distance));
  EXPECT_EQ(with(2, 0, no_vertex), rule(Rule500::source_distance));
  EXPECT_EQ(with(3, 6, 2), rule(Rule500::distance_range));
  EXPECT_EQ(with(3, -2, no_vertex), rule(Rule500::distance_range));
  EXPECT_EQ(with(0, 0, 1), rule(Rule500::no_parent));
  EXPECT_EQ(with(4, -1, 5), rule(Rule500::no_parent));
  EXPECT_EQ(with(3, 3, no_vertex), rule(Rule500::parent_range));
  EXPECT_EQ(with(3, 3, 6), rule(Rule500::parent_range));
  EXPECT_EQ(with(3, 3, 1), rule(Rule500::tree_levels));
  EXPECT_EQ(with(3, 2, 1), rule(Rule500::tree_edge));  // no arc joins them
  EXPECT_EQ(with(3, -1, no_vertex), rule(Rule500::spanning));
  EXPECT_EQ(with(3, 1, 0), rule(Rule500::tree_edge));
  EXPECT_EQ(with(1, 4, 3), rule(Rule500::tree_levels));
}

/// One to three values of an answer, changed as a faulty search might: by one, to anything, to another vertex.
void damage(Answer& answer, std::uint64_t& drawn) {
  const auto n = answer.level.size();
  const auto any = [&](std::uint64_t below) { return splitmix64(++drawn) % below; };
  for (std::uint64_t changes = 1 + any(3); changes > 0; --changes) {
    const auto v = any(n), u = any(n);
    Distance& level = answer.level[v];
    VertexId& parent = answer.parent[v];
    switch (any(10)) {
      case 0:
        parent = static_cast<VertexId>(u);
        break;
      case 1:
        parent = no_vertex;
        break;
      case 2:
        parent = static_cast<VertexId>(n + any(5));
        break;
      case 3:
        ++level;
        break;
      case 4:
        --level;
        break;
      case 5:
        level = unreached, parent = no_vertex;
        break;
      case 6:
        parent = static_cast<VertexId>(u), level = answer.level[u] + 1;
        break;
      case 7:
        level = static_cast<Distance>(splitmix64(++drawn));
        break;
      case 8:
        level = 0, parent = no_vertex;
        break;
      default:  // a loop of two
        parent = static_cast<VertexId>(u), answer.parent[u] = static_cast<VertexId>(v);
        level = answer.level[u] = 1 + static_cast<Distance>(any(3));
    }
  }
}

TEST(CheckOnDevices, AgreesWithTheHostOnAnswersDamagedAtRandom) {
  std::uint64_t drawn = 0, right = 0, wrong = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    if (!tried(seed)) continue;
    TestGraph test = random_graph(seed, 60);
    test.directed = false;
    if (test.num_vertices == 0) continue;
    const Graph graph = build(test);
    const std::vector<std::uint32_t> offsets(graph.out().offsets.begin(), graph.out().offsets.end());
    const std::vector<VertexId> neighbors(graph.out().neighbors.begin(), graph.out().neighbors.end());
    const Query query{.sources = {static_cast<VertexId>(splitmix64(seed) % test.num_vertices)}, .parents = true};
    const Result answer = search(graph, query, {.strategy = "cpu-sequential"});
    for (int turn = 0; turn < 40; ++turn) {
      Answer now{{answer.distance.begin(), answer.distance.end()}, {answer.parent.begin(), answer.parent.end()}};
      if (turn > 0) damage(now, drawn);
      Result given{.distance = Array<Distance>::copy_of(std::span<const Distance>(now.level)),
                   .parent = Array<VertexId>::copy_of(std::span<const VertexId>(now.parent))};
      for (const Distance d : now.level) {
        given.reached += d >= 0;
        given.depth = std::max(given.depth, d);
      }
      const Verdict verdict = validate(graph, query, given);
      ASSERT_EQ(broken(offsets, neighbors, query.sources[0], now) == -1, verdict.ok)
          << test << ", turn " << turn << ": " << verdict.message;
      (verdict.ok ? right : wrong) += 1;
    }
  }
  EXPECT_GT(right, 100u);
  EXPECT_GT(wrong, 2000u);
}

}  // namespace of_partitioned_check_test
}  // namespace hopwave
