// What the near-far search counts, against a plain reading of the method by one thread. On trees each vertex is reached once,
// so that threads have no races, and steps, arcs looked at and launches are the same in every schedule.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <set>

#include "algorithm/sssp/gpu/near_far.h"
#include "hopwave/shortest_paths.h"
#include "support/graphs.h"
#include "support/ticks.h"
#include "support/weighted.h"

namespace hopwave::testing {
namespace of_sssp_steps_test {

using sssp::NearFarOptions;

struct Counted {
  std::uint64_t steps = 0, relaxations = 0;
  std::vector<double> distance;
};

/// The method as src/algorithm/sssp/gpu/steps.h describes it, with sets for queue and pile.
class PlainNearFar {
 public:
  PlainNearFar(const WeightedGraph& tree, const NearFarOptions& options, std::uint64_t aim)
      : options_(options), aim_(aim), rows_(tree.graph.num_vertices), delta_(options.delta), threshold_(options.delta) {
    for (std::size_t i = 0; i < tree.graph.edges.size(); ++i)
      rows_[tree.graph.edges[i].source].push_back({tree.graph.edges[i].target, tree.weights[i]});
    counted_.distance.assign(tree.graph.num_vertices, no_path);
  }

  Counted run(const WeightedQuery& query) {
    for (const VertexId s : query.sources) {
      counted_.distance[s] = 0;
      queue_.insert(s);
    }
    for (;;) {
      std::erase_if(queue_, [&](VertexId v) { return rows_[v].empty(); });
      bound_ = query.max_distance;
      if (query.target != no_vertex) bound_ = std::min(bound_, counted_.distance[query.target]);
      if (queue_.empty() && pile_.empty()) return counted_;
      if (queue_.empty())
        split();
      else
        relax();
      ++counted_.steps;
    }
  }

 private:
  void relax() {
    std::set<VertexId> next;
    for (const VertexId u : queue_)
      for (const auto& [v, weight] : rows_[u]) {
        ++counted_.relaxations;
        ++bucket_;
        const double reach = counted_.distance[u] + weight;
        if (reach > bound_ || reach >= counted_.distance[v]) continue;
        counted_.distance[v] = reach;
        if (reach <= threshold_) {
          next.insert(v);
        } else {
          pile_.insert(v);
          low_ = std::min(low_, reach);
        }
      }
    queue_ = next;
  }

  void split() {
    const std::uint64_t steps = counted_.steps - began_, mean = steps ? bucket_ / steps : 0;
    if (aim_ && mean < aim_ / 2)
      delta_ = std::min(2 * delta_, 4096 * options_.delta);
    else if (aim_ && mean > 8 * aim_ && delta_ > options_.delta)
      delta_ /= 2;
    const double threshold = std::max(low_, threshold_) + delta_;
    std::set<VertexId> rest;
    low_ = no_path;
    for (const VertexId v : pile_) {
      const double d = counted_.distance[v];
      if (d > bound_) continue;
      if (d <= threshold) {
        queue_.insert(v);
      } else {
        rest.insert(v);
        low_ = std::min(low_, d);
      }
    }
    pile_ = rest;
    threshold_ = threshold;
    bucket_ = 0;
    began_ = counted_.steps + 1;
  }

  const NearFarOptions& options_;
  std::uint64_t aim_;
  std::vector<std::vector<std::pair<VertexId, double>>> rows_;
  double delta_, threshold_, bound_ = no_path, low_ = no_path;
  std::uint64_t bucket_ = 0, began_ = 0;
  std::set<VertexId> queue_, pile_;
  Counted counted_;
};

void expect_as_counted(const WeightedGraph& tree, const WeightedQuery& query, const NearFarOptions& options,
                       std::uint64_t aim) {
  const hopwave::testing::Ticks ticks;  // what is measured is above 0
  const Counted right = PlainNearFar(tree, options, aim).run(query);
  const Graph graph = hopwave::testing::build(tree);
  Team team(1);
  const sssp::WeightedRows rows(team, graph, Direction::out);
  device::Device device(*device::sim_api());
  const auto method = sssp::make_near_far_sim(device, rows.arcs(), options);
  WeightedReport stats;
  std::uint64_t told_steps = 0, told_arcs = 0;
  const Progress take = [&](const Step& step) {
    told_steps = step.done;
    told_arcs = step.amount;
    return true;
  };
  method->run(query, {.stats = &stats, .progress = &take});
  std::vector<double> found(graph.num_vertices());
  method->fetch(found);
  EXPECT_EQ(found, right.distance);
  EXPECT_EQ(stats.steps, right.steps);
  EXPECT_EQ(stats.relaxations, right.relaxations);
  EXPECT_EQ(stats.delta, options.delta);
  const std::uint64_t most = options.tuning.steps ? options.tuning.steps : 1u << 15;
  const std::uint64_t searches = std::max<std::uint64_t>(1, (right.steps + most - 1) / most);
  EXPECT_EQ(stats.launches, searches + 2) << "one clears, one puts the sources into the queue";
  EXPECT_EQ(stats.round_trips, searches) << "the host asks once a launch";
  EXPECT_GT(stats.work, Milliseconds());
  EXPECT_EQ(told_steps, right.steps);
  EXPECT_EQ(told_arcs, right.relaxations);
}

/// Arcs lead away from vertex 0; a vertex hangs on one of the `near` before it, or on any if that is 0.
WeightedGraph tree(VertexId n, VertexId near, int most_weight, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  WeightedGraph made{{"tree", n, {}, true}, {}};
  for (VertexId v = 1; v < n; ++v) {
    const VertexId back = near ? std::min(near, v) : v;
    made.graph.edges.push_back({static_cast<VertexId>(v - 1 - rng() % back), v});
    made.weights.push_back(static_cast<float>(rng() % static_cast<std::uint64_t>(most_weight + 1)));
  }
  return made;
}

TEST(SsspSteps, AsThePlainReadingCounts) {
  // The simulator's grid has 3 blocks of two warps: an eighth of its threads is the arcs that a step should have.
  const std::uint64_t standard = 3 * 2 * HOPWAVE_SIM_LANES / 8;
  int number = 0;
  for (const VertexId n : {2, 40, 300, 2000})
    for (const VertexId near : {1, 3, 40, 0})
      for (const int most_weight : {1, 7, 100}) {
        if (near && near < 40 && n > 300) continue;  // long chains: nearly as many steps as vertices
        SCOPED_TRACE(std::to_string(n) + " vertices, " + std::to_string(near) + ", weights to " + std::to_string(most_weight));
        const WeightedGraph made = tree(n, near, most_weight, static_cast<std::uint64_t>(++number));
        for (const double delta : {.5, 4.0, 30.0}) {
          SCOPED_TRACE("delta " + std::to_string(delta));
          expect_as_counted(made, {.sources = {0}}, {.delta = delta}, standard);
          expect_as_counted(made, {.sources = {0}}, {.delta = delta, .fixed_delta = true}, 0);
        }
        for (const std::uint64_t aim : {1, 2, 5, 30, 200})
          expect_as_counted(made, {.sources = {0}}, {.delta = 2, .tuning = {.narrow = aim, .aim = aim}}, aim);
        expect_as_counted(made, {.sources = {0}, .max_distance = 9}, {.delta = 2}, standard);
        expect_as_counted(made, {.sources = {0}, .target = n / 2}, {.delta = 2}, standard);
      }
}

/// The width is halved where a step has more than eight times as many arcs as it should, not where it has as many. Arcs of
/// weight 1: a chain, along which the width doubles, then `wide` chains side by side.
TEST(SsspSteps, ABucketOfEightTimesTheAimIsWideEnough) {
  for (const VertexId wide : {31, 32, 33}) {
    SCOPED_TRACE(std::to_string(wide) + " chains");
    WeightedGraph made{{"comb", 1, {}, true}, {}};
    const auto hang = [&](VertexId on) {
      made.graph.edges.push_back({on, made.graph.num_vertices});
      made.weights.push_back(1);
      return made.graph.num_vertices++;
    };
    VertexId end = 0;
    for (int i = 0; i < 60; ++i) end = hang(end);
    std::vector<VertexId> ends(wide, end);
    for (int i = 0; i < 150; ++i)
      for (VertexId& each : ends) each = hang(each);
    expect_as_counted(made, {.sources = {0}}, {.delta = 1, .tuning = {.aim = 4}}, 4);
  }
}

/// Widths of one unit in the last place: distances that differ by one are of different buckets.
TEST(SsspSteps, DistancesThatDifferInTheLastPlace) {
  constexpr double far = 0x1p30, unit = 0x1p-22;  // the next double behind `far` is one unit farther
  for (const int backwards : {0, 1}) {
    WeightedGraph made{{"last places", 2, {{0, 1}}, true}, {static_cast<float>(far)}};
    for (int k = 0; k < 300; ++k) {
      const VertexId leaf = made.graph.num_vertices++, behind = made.graph.num_vertices++;
      const int units = backwards ? 300 - k : k;
      made.graph.edges.push_back({1, leaf});
      made.weights.push_back(static_cast<float>(unit * units));
      made.graph.edges.push_back({leaf, behind});
      made.weights.push_back(static_cast<float>(unit * (1 + k % 5)));
    }
    for (const std::uint64_t narrow : {1, 100000})
      for (const double delta : {unit, 3 * unit}) {
        expect_as_counted(made, {.sources = {0}}, {.delta = delta, .fixed_delta = true, .tuning = {.narrow = narrow}}, 0);
        expect_as_counted(made, {.sources = {0}}, {.delta = delta, .tuning = {.narrow = narrow, .aim = 3}}, 3);
      }
  }
}

TEST(SsspSteps, LaunchesOfFewSteps) {
  const WeightedGraph made = tree(200, 4, 9, 3);
  for (const std::uint32_t steps : {1, 2, 3, 7})
    for (const std::uint64_t narrow : {1, 1000})
      expect_as_counted(made, {.sources = {0}}, {.delta = 3, .fixed_delta = true, .tuning = {.narrow = narrow, .steps = steps}},
                        0);
}

TEST(SsspSteps, ASourceNamedTwiceIsSearchedOnce) {
  const WeightedGraph made = tree(100, 0, 5, 1);
  expect_as_counted(made, {.sources = {0, 0, 0}}, {}, 3 * 2 * HOPWAVE_SIM_LANES / 8);
}

/// Many arcs, shared evenly by all warps: none is left out, in a step or when parents are looked for. The first number is a
/// multiple of what the warps take at a time, so that the last warp has a whole share; of the others shares are rounded up.
TEST(SsspSteps, EveryArcIsSomebodysShare) {
  const std::uint32_t warps_of_steps = 3 * 2, warps_of_parents = 4 * warps_of_steps;
  const VertexId whole = warps_of_parents * HOPWAVE_SIM_LANES * 26;
  for (const VertexId leaves : {whole, whole + 1, whole + warps_of_parents + 1}) {
    WeightedGraph star{{"star", leaves + 1, {}, true}, {}};
    for (VertexId v = 1; v <= leaves; ++v) {
      star.graph.edges.push_back({0, v});
      star.weights.push_back(static_cast<float>(1 + v % 3));
    }
    expect_as_counted(star, {.sources = {0}}, {}, 3 * 2 * HOPWAVE_SIM_LANES / 8);
    const Graph graph = hopwave::testing::build(star);
    Team team(1);
    const sssp::WeightedRows rows(team, graph, Direction::out);
    device::Device device(*device::sim_api());
    const auto method = sssp::make_near_far_sim(device, rows.arcs(), {});
    WeightedReport stats;
    method->run({.sources = {0}}, {.stats = &stats});
    std::vector<VertexId> parent(graph.num_vertices());
    ASSERT_TRUE(method->fetch_parents(no_path, parent));
    EXPECT_EQ(parent[0], no_vertex);
    EXPECT_EQ(std::count(parent.begin(), parent.end(), 0u), leaves);
  }
}

}  // namespace of_sssp_steps_test
}  // namespace hopwave::testing
