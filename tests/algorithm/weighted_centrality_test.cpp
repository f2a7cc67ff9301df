// Closeness, betweenness and eccentricity by weights: against rounds over all edges, and against every shortest path written
// down; weights that tie, round, vanish and have no end; threads and devices; early ends; what must be refused.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>

#include "hopwave/betweenness.h"
#include "hopwave/closeness.h"
#include "hopwave/eccentricity.h"
#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "support/error_id.h"
#include "support/weighted.h"

namespace hopwave::testing {
namespace of_weighted_centrality_test {

RunOptions on_cpu(int threads) { return {.device = DeviceKind::cpu, .threads = threads}; }

/// All shortest paths from one source after the other, arc by arc.
class EveryPath {
 public:
  static constexpr std::size_t most = 20'000;

  EveryPath(const WeightedGraph& test, const BetweennessOptions& options)
      : n_(test.graph.num_vertices), arcs_(arcs_along(test, Direction::out)), vertex(n_, 0) {
    std::vector<VertexId> sources = options.sources;
    for (VertexId v = 0; v < n_ && options.sources.empty(); ++v) sources.push_back(v);
    for (const VertexId s : sources) {
      distance_ = naive_distances(test, {s});
      paths_.assign(n_, {});
      std::vector<std::size_t> path;
      std::vector<bool> on_it(n_, false);
      follow(s, path, on_it);
      if (cycle || too_many) return;
      for (VertexId t = 0; t < n_; ++t) {
        const bool wanted = options.targets.empty() || std::ranges::count(options.targets, t) > 0;
        if (t != s && wanted)
          for (const auto& one : paths_[t]) add(one, 1 / static_cast<double>(paths_[t].size()), options.endpoints);
      }
    }
  }

 private:
  void follow(VertexId v, std::vector<std::size_t>& path, std::vector<bool>& on_it) {
    if (on_it[v]) cycle = true;
    too_many = too_many || ++found_ > most;
    if (cycle || too_many) return;
    paths_[v].push_back(path);
    on_it[v] = true;
    for (std::size_t a = 0; a < arcs_.size(); ++a) {
      const auto& [from, to, weight] = arcs_[a];
      if (from != v || to == v || distance_[to] == no_path || distance_[from] + weight != distance_[to]) continue;
      path.push_back(a);
      follow(to, path, on_it);
      path.pop_back();
    }
    on_it[v] = false;
  }
  void add(const std::vector<std::size_t>& path, double share, bool endpoints) {
    for (std::size_t i = 0; i < path.size(); ++i) {
      const WeightedArc& a = arcs_[path[i]];
      arc[{a.from, a.to}] += share;
      if (i > 0 || endpoints) vertex[a.from] += share;
    }
    if (endpoints) vertex[arcs_[path.back()].to] += share;
  }

  VertexId n_;
  std::vector<WeightedArc> arcs_;
  std::vector<double> distance_;
  std::vector<std::vector<std::vector<std::size_t>>> paths_;  // by end
  std::size_t found_ = 0;

 public:
  std::vector<double> vertex;
  std::map<std::pair<VertexId, VertexId>, double> arc;
  bool cycle = false, too_many = false;
};

TEST(WeightedBetweenness, AsEveryShortestPathWrittenDown) {
  int compared = 0, cycles = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed)
    for (int kind = 0; kind < weight_kinds; ++kind) {
      WeightedGraph test = with_weights(random_graph(seed, 9), kind, seed);
      if (seed % 13 == 0) test.weights.clear();
      const VertexId n = test.graph.num_vertices;
      BetweennessOptions options{.arcs = true, .endpoints = seed % 2 == 1, .weights = true};
      options.run = on_cpu(static_cast<int>(1 + seed % 3));
      if (n && seed % 5 == 1) options.sources = {0, n - 1, 0};
      if (n && seed % 5 == 2) options.targets = {n / 2, 0};
      const EveryPath right(test, options);
      if (right.too_many) continue;
      const Graph graph = hopwave::testing::build(test);
      if (right.cycle) {
        ASSERT_EQ(id_of([&] { betweenness(graph, options); }), "HW-BETWEENNESS-ZERO") << test.graph.name << " seed " << seed;
        ++cycles;
        continue;
      }
      const Betweenness found = betweenness(graph, options);
      ++compared;
      std::map<std::pair<VertexId, VertexId>, double> arcs;
      EdgeIndex at = 0;
      for (VertexId v = 0; v < n; ++v) {
        ASSERT_NEAR(found.vertex[v], right.vertex[v], 1e-9 * (1 + right.vertex[v])) << test.graph.name << " seed " << seed;
        for (const VertexId w : graph.out_neighbors(v)) arcs[{v, w}] += found.arc[at++];
      }
      for (const auto& [ends, value] : arcs) {
        const auto one = right.arc.find(ends);
        ASSERT_NEAR(value, one == right.arc.end() ? 0 : one->second, 1e-9 * (1 + value)) << test.graph.name << " seed " << seed;
      }
    }
  EXPECT_GT(compared, 300);
  EXPECT_GT(cycles, 20);
}

/// Arcs of weight 0 that form no cycle count like others, in whatever order their vertices are numbered.
TEST(WeightedBetweenness, ZeroWeightsWithoutCycle) {
  // Two ways from 4 to 0, by 3 and by 1 → 2: all at distance 0 but the last arc.
  const WeightedGraph test{{"zeros", 5, {{4, 3}, {4, 1}, {1, 2}, {2, 3}, {3, 0}}, true}, {0, 0, 0, 0, 1}};
  const Betweenness found = betweenness(hopwave::testing::build(test), {.sources = {4}, .weights = true, .run = on_cpu(1)});
  EXPECT_EQ(found.max_paths, 2);
  EXPECT_EQ(std::vector<double>(found.vertex.begin(), found.vertex.end()), (std::vector<double>{0, 2, 1, 1, 0}));
}

TEST(WeightedBetweenness, UnitWeightsAreHops) {
  const Graph graph = build_graph(generate("rmat:7,6"));
  const Betweenness hops = betweenness(graph, {.arcs = true, .run = on_cpu(1)});
  for (const int threads : {1, 2, 5}) {
    const Betweenness found = betweenness(graph, {.arcs = true, .weights = true, .run = on_cpu(threads)});
    EXPECT_TRUE(found.exact);
    for (VertexId v = 0; v < graph.num_vertices(); ++v)
      ASSERT_NEAR(found.vertex[v], hops.vertex[v], 1e-9 * (1 + hops.vertex[v]));
    for (EdgeIndex e = 0; e < graph.num_arcs(); ++e) ASSERT_NEAR(found.arc[e], hops.arc[e], 1e-9 * (1 + hops.arc[e]));
  }
}

TEST(WeightedBetweenness, TheSameForAnyThreads) {
  const Graph graph = hopwave::testing::build(with_weights(random_graph(5, 90), 10, 5));
  const Betweenness one = betweenness(graph, {.arcs = true, .weights = true, .run = on_cpu(1)});
  const Betweenness three = betweenness(graph, {.arcs = true, .weights = true, .run = on_cpu(3)});
  EXPECT_TRUE(std::ranges::equal(one.vertex, three.vertex));
  EXPECT_TRUE(std::ranges::equal(one.arc, three.arc));
  EXPECT_FALSE(one.exact);
}

TEST(WeightedBetweenness, ManyPathsAndEarlyEnds) {
  const Graph grid = build_graph(generate("grid:40x40"));  // more than 2^53 paths
  const Betweenness hops = betweenness(grid, {.sources = {0}, .run = on_cpu(1)});
  const Betweenness found = betweenness(grid, {.sources = {0}, .weights = true, .run = on_cpu(1)});
  EXPECT_GT(found.max_paths, 0x1p53);
  EXPECT_DOUBLE_EQ(found.max_paths, hops.max_paths);
  BetweennessOptions options{.weights = true, .run = on_cpu(1)};
  options.run.progress = [](const Step& step) { return step.done < 3; };
  const Betweenness part = betweenness(grid, options);
  EXPECT_EQ(part.run.end, End::interrupted);
  EXPECT_EQ(part.sources, 3u);
  options.run.progress = {};
  options.run.limits.time = Seconds(1e-9);
  EXPECT_EQ(betweenness(grid, options).run.end, End::time_limit);
}

TEST(WeightedBetweenness, AutomaticIsTheCpuAndSaysWhy) {
  const Betweenness found = betweenness(build_graph(generate("chain:5")), {.weights = true});
  EXPECT_EQ(found.run.device, DeviceKind::cpu);
  EXPECT_FALSE(found.run.chosen.empty());
}

TEST(WeightedBetweenness, NonsenseIsAnError) {
  const Graph chain = build_graph(generate("chain:3"));
  EXPECT_EQ(id_of([&] { betweenness(chain, {.weights = true, .run = {.device = DeviceKind::sim}}); }), "HW-BETWEENNESS-DEVICE");
  const auto with = [](double weight, bool directed) {
    return hopwave::testing::build(WeightedGraph{{"two", 3, {{0, 1}, {1, 2}}, directed}, {weight, 1}});
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double wrong : {-1.0, nan})
    EXPECT_EQ(id_of([&] { betweenness(with(wrong, true), {.weights = true}); }), "HW-SSSP-WEIGHT");
  EXPECT_EQ(id_of([&] { betweenness(with(0, false), {.weights = true}); }), "HW-BETWEENNESS-ZERO");
  EXPECT_EQ(betweenness(with(0, true), {.weights = true}).vertex[1], 1);
  EXPECT_EQ(betweenness(with(no_path, false), {.weights = true}).vertex[1], 0) << "such an arc cannot be taken";
}

void expect_rows(const WeightedGraph& test, Direction direction, const RunOptions& run, std::uint64_t seed) {
  const Graph graph = hopwave::testing::build(test);
  std::vector<VertexId> sources;
  for (VertexId v = 0; v < graph.num_vertices(); ++v) sources.push_back(v);
  const WeightedCloseness found = weighted_closeness(graph, sources, {.direction = direction, .run = run});
  ASSERT_TRUE(found.run.complete());
  ASSERT_EQ(found.rows.size(), sources.size());
  for (const VertexId s : sources) {
    std::uint64_t reached = 0;
    long double sum = 0, inverse = 0;
    double farthest = 0;
    for (const double d : naive_distances(test, {s}, direction)) {
      if (d == no_path) continue;
      ++reached;
      sum += static_cast<long double>(d);
      inverse += d > 0 ? 1 / static_cast<long double>(d) : 0;
      farthest = std::max(farthest, d);
    }
    const WeightedSourceDistances& row = found.rows[s];
    ASSERT_EQ(row.reached, reached) << test.graph.name << " seed " << seed;
    ASSERT_EQ(row.eccentricity, farthest) << test.graph.name << " seed " << seed;
    ASSERT_LE(std::fabs(row.sum - sum), 4e-16L * sum) << test.graph.name << " seed " << seed;
    ASSERT_LE(std::fabs(row.inverse_sum - inverse), 4e-16L * inverse) << test.graph.name << " seed " << seed;
    const double others = static_cast<double>(reached) - 1, n = graph.num_vertices();
    const double right = sum > 0 && n > 1 ? static_cast<double>(others / sum * others / (n - 1)) : 0;
    ASSERT_LE(std::fabs(closeness(row, graph.num_vertices()) - right), 1e-12 * right) << test.graph.name << " seed " << seed;
  }
}

TEST(WeightedCloseness, AsRoundsOverAllEdges) {
  for (std::uint64_t seed = 0; seed < 40 && !HasFatalFailure(); ++seed)
    for (int kind = 0; kind < weight_kinds && !HasFatalFailure(); ++kind) {
      WeightedGraph test = with_weights(random_graph(seed, 40), kind, seed);
      if (seed % 13 == 0) test.weights.clear();
      expect_rows(test, static_cast<Direction>(seed % 3), on_cpu(static_cast<int>(1 + seed % 4)), seed);
    }
}

TEST(WeightedClosenessSimulated, AsRoundsOverAllEdges) {
  for (std::uint64_t seed = 0; seed < weight_kinds && !HasFatalFailure(); ++seed)
    expect_rows(with_weights(random_graph(seed, 12), static_cast<int>(seed), seed), Direction::in,
                {.device = DeviceKind::sim, .simulator = {.seed = seed}}, seed);
}

TEST(WeightedCloseness, TheSameForAnyThreadsAndEarlyEnds) {
  const Graph graph = hopwave::testing::build(with_weights(random_graph(7, 90), 10, 7));
  std::vector<VertexId> sources;
  for (VertexId v = 0; v < graph.num_vertices(); ++v) sources.push_back(v);
  const WeightedCloseness one = weighted_closeness(graph, sources, {.run = on_cpu(1)});
  EXPECT_EQ(one.rows, weighted_closeness(graph, sources, {.run = on_cpu(3)}).rows);
  EXPECT_EQ(one.rows, weighted_closeness(graph, sources, {.strategy = "cpu-delta-stepping", .run = on_cpu(3)}).rows);
  EXPECT_FALSE(one.exact);
  WeightedOptions options{.run = on_cpu(1)};
  options.run.progress = [](const Step& step) { return step.done < 3; };
  const WeightedCloseness part = weighted_closeness(graph, sources, options);
  EXPECT_EQ(part.run.end, End::interrupted);
  ASSERT_EQ(part.rows.size(), 3u);
  EXPECT_TRUE(std::equal(part.rows.begin(), part.rows.end(), one.rows.begin()));
}

// nonsense: weighted_closeness closeness WeightedSearcher::run_each WeightedSearcher::exact_below
TEST(WeightedCloseness, NonsenseIsAnError) {
  const std::vector<VertexId> first{0};
  const auto refused = [&](const WeightedGraph& test, std::vector<VertexId> sources) {
    const Graph graph = hopwave::testing::build(test);
    return id_of([&] { (void)weighted_closeness(graph, sources, {.run = on_cpu(1)}); });
  };
  const WeightedGraph two{{"two", 2, {{0, 1}}}, {1}};
  EXPECT_EQ(refused(two, {2}), "HW-QUERY-SOURCE");
  EXPECT_EQ(refused({{"two", 2, {{0, 1}}}, {-1}}, {0}), "HW-SSSP-WEIGHT");
  // A star of which each distance has room in a double, but not their sum; and a distance without an inverse.
  EXPECT_EQ(refused({{"star", 4, {{0, 1}, {0, 2}, {0, 3}}, false}, {4e307, 4e307, 4e307}}, {1}), "HW-SSSP-WEIGHT");
  EXPECT_EQ(refused({{"two", 2, {{0, 1}}}, {5e-324}}, {0}), "HW-SSSP-WEIGHT");
  EXPECT_EQ(closeness(WeightedSourceDistances{}, 0), 0);
  const Graph graph = hopwave::testing::build(two);
  WeightedSearcher searcher(graph, {.run = on_cpu(1)});
  EXPECT_EQ(searcher.exact_below(), 0x1p53);
  const std::vector<VertexId> beyond{2};
  EXPECT_EQ(id_of([&] { searcher.run_each(beyond, [](const WeightedReach&) {}); }), "HW-QUERY-SOURCE");
  EXPECT_THROW(searcher.run_each(first, [](const WeightedReach&) { throw std::runtime_error("no"); }), std::runtime_error);
  EXPECT_EQ(searcher.run_each({}, [](const WeightedReach&) { FAIL(); }).steps, 0u);
  WeightedSearcher moved = std::move(searcher);
  EXPECT_EQ(id_of([&] { (void)searcher.exact_below(); }), "HW-MOVED-FROM");  // NOLINT(bugprone-use-after-move)
}

/// By a search from every vertex; components by merging the ends of edges.
struct RightEccentricities {
  std::vector<double> eccentricity;
  std::vector<VertexId> label, largest, center, periphery;  // largest: the vertices of that component
  double diameter = 0, radius = no_path;
  VertexId components = 0;
  bool strong = true;

  RightEccentricities(const WeightedGraph& test, Direction direction, EccentricityScope scope)
      : label(test.graph.num_vertices) {
    const VertexId n = test.graph.num_vertices;
    std::iota(label.begin(), label.end(), VertexId{0});
    for (bool changed = true; changed;) {
      changed = false;
      for (const WeightedArc& a : arcs_along(test, Direction::both))
        if (a.weight < no_path && label[a.from] != label[a.to])
          label[a.from] = label[a.to] = std::min(label[a.from], label[a.to]), changed = true;
    }
    for (VertexId v = 0; v < n; ++v) {
      const auto size = [&](VertexId l) { return std::ranges::count(label, l); };
      components += label[v] == v;
      if (label[v] == v && (largest.empty() || static_cast<std::size_t>(size(v)) > largest.size())) {
        largest.clear();
        for (VertexId u = v; u < n; ++u)
          if (label[u] == v) largest.push_back(u);
      }
    }
    for (VertexId v = 0; v < n; ++v) {
      const bool in_largest = label[v] == label[largest.front()];
      eccentricity.push_back(-1);
      if (!in_largest && scope == EccentricityScope::largest) continue;
      const auto distance = naive_distances(test, {v}, direction);
      for (VertexId u = 0; u < n; ++u) {
        if (label[u] != label[v]) continue;
        strong = strong && distance[u] < no_path;
        eccentricity[v] = std::max(eccentricity[v], distance[u]);
      }
      diameter = std::max(diameter, eccentricity[v]);
      if (in_largest) radius = std::min(radius, eccentricity[v]);
    }
    for (VertexId v = 0; v < n; ++v) {
      if (eccentricity[v] == diameter) periphery.push_back(v);
      if (label[v] == label[largest.front()] && eccentricity[v] == radius) center.push_back(v);
    }
  }
};

void expect_eccentricities(const WeightedGraph& test, const WeightedEccentricityOptions& options, int* strong = nullptr) {
  const Graph graph = hopwave::testing::build(test);
  const std::string what = test.graph.name + ", goal " + std::to_string(static_cast<int>(options.goal));
  if (graph.num_vertices() == 0) {
    EXPECT_EQ(weighted_eccentricities(graph, options).from, no_vertex);
    return;
  }
  const RightEccentricities right(test, options.search.direction, options.scope);
  if (!right.strong) {
    ASSERT_EQ(id_of([&] { (void)weighted_eccentricities(graph, options); }), "HW-ECCENTRICITY-STRONG") << what;
    return;
  }
  if (strong) ++*strong;
  const WeightedEccentricities found = weighted_eccentricities(graph, options);
  ASSERT_TRUE(found.run.complete()) << what;
  ASSERT_EQ(found.components, right.components) << what;
  ASSERT_EQ(found.largest, right.largest.front()) << what;
  for (VertexId v = 0; v < graph.num_vertices(); ++v) {
    ASSERT_LE(found.lower[v], right.eccentricity[v]) << what << ", vertex " << v;
    ASSERT_GE(found.upper[v], right.eccentricity[v]) << what << ", vertex " << v;
    if (options.goal == EccentricityGoal::every) {
      ASSERT_EQ(found.lower[v], found.upper[v]) << what << ", vertex " << v;
    }
  }
  if (options.goal != EccentricityGoal::radius) {
    ASSERT_EQ(found.diameter, (WeightRange{right.diameter, right.diameter})) << what;
    ASSERT_EQ(naive_distances(test, {found.from}, options.search.direction)[found.to], right.diameter) << what;
  }
  if (options.goal != EccentricityGoal::diameter) {
    ASSERT_EQ(found.radius, (WeightRange{right.radius, right.radius})) << what;
    ASSERT_EQ(right.eccentricity[found.central], right.radius) << what;
  }
  if (options.goal < EccentricityGoal::figures) return;
  ASSERT_EQ(found.center, right.center) << what;
  ASSERT_EQ(found.periphery, right.periphery) << what;
}

TEST(WeightedEccentricity, AsASearchFromEveryVertex) {
  int strong = 0;
  for (std::uint64_t seed = 0; seed < 48 && !HasFatalFailure(); ++seed)
    for (int kind = 0; kind < weight_kinds && !HasFatalFailure(); ++kind) {
      TestGraph shape = random_graph(seed, 40);
      for (VertexId v = 0; seed % 2 == 0 && v < shape.num_vertices; ++v)  // else a directed one is hardly ever strong
        shape.edges.push_back({v, (v + 1) % shape.num_vertices});
      WeightedGraph test = with_weights(std::move(shape), kind, seed);
      if (seed % 13 == 0) test.weights.clear();
      const auto turn = seed + static_cast<std::uint64_t>(kind);
      expect_eccentricities(
          test,
          {.goal = static_cast<EccentricityGoal>(turn % 4),
           .scope = static_cast<EccentricityScope>(turn / 4 % 2),
           .search = {.direction = static_cast<Direction>(seed / 2 % 3), .run = on_cpu(static_cast<int>(1 + seed % 4))}},
          &strong);
    }
  EXPECT_GT(strong, 300);
}

/// Two components that are too large to be searched from every vertex.
WeightedGraph two_components(int kind, bool directed) {
  TestGraph shape{"two components", 17 * 17 + 270, {}, directed};
  const auto join = [&](VertexId u, VertexId v) {
    shape.edges.push_back({u, v});
    if (directed) shape.edges.push_back({v, u});
  };
  for (VertexId v = 0; v < 17 * 17; ++v) {
    if (v % 17 != 16) join(v, v + 1);
    if (v + 17 < 17 * 17) join(v, v + 17);
  }
  for (VertexId v = 17 * 17 + 1; v < shape.num_vertices; ++v) join(17 * 17 + (v - 17 * 17) / 3, v);
  return with_weights(std::move(shape), kind, 5);
}

TEST(WeightedEccentricity, BoundsOfLargeComponents) {
  for (int kind = 0; kind < weight_kinds && !HasFatalFailure(); ++kind)
    for (const bool directed : {false, true})
      if (kind != 7)  // infinite weights leave small components, or weak ones
        expect_eccentricities(two_components(kind, directed), {.goal = static_cast<EccentricityGoal>((kind + directed) % 4),
                                                               .search = {.run = on_cpu(1 + kind % 3)}});
}

TEST(WeightedEccentricity, FewSearchesAndTheSameForAnyThreads) {
  for (const int kind : {0, 10}) {
    const Graph graph = hopwave::testing::build(two_components(kind, false));
    for (const auto goal : {EccentricityGoal::diameter, EccentricityGoal::figures}) {
      const WeightedEccentricities one = weighted_eccentricities(graph, {.goal = goal, .search = {.run = on_cpu(1)}});
      const WeightedEccentricities three = weighted_eccentricities(graph, {.goal = goal, .search = {.run = on_cpu(3)}});
      EXPECT_LT(one.searches, graph.num_vertices() / 8);
      EXPECT_EQ(one.exact, kind == 0);
      EXPECT_EQ(one.searches, three.searches);
      EXPECT_EQ(std::pair(one.from, one.to), std::pair(three.from, three.to));
      EXPECT_EQ(one.central, three.central);
      EXPECT_TRUE(std::ranges::equal(one.lower, three.lower));
      EXPECT_TRUE(std::ranges::equal(one.upper, three.upper));
    }
  }
}

TEST(WeightedEccentricitySimulated, AsASearchFromEveryVertex) {
  for (std::uint64_t seed = 0; seed < weight_kinds && !HasFatalFailure(); ++seed)
    expect_eccentricities(
        with_weights(random_graph(seed, 10), static_cast<int>(seed), seed),
        {.goal = static_cast<EccentricityGoal>(seed % 4),
         .search = {.direction = Direction::both, .run = {.device = DeviceKind::sim, .simulator = {.seed = seed}}}});
}

TEST(WeightedEccentricity, EarlyEndsLeaveBounds) {
  const WeightedGraph test = two_components(0, false);
  const Graph graph = hopwave::testing::build(test);
  const RightEccentricities right(test, Direction::out, EccentricityScope::each);
  const auto check = [&](WeightedEccentricityOptions options, End end) {
    options.search.run.threads = 1;
    const WeightedEccentricities found = weighted_eccentricities(graph, options);
    EXPECT_EQ(found.run.end, end);
    EXPECT_LE(found.diameter.lower, right.diameter);
    EXPECT_GE(found.diameter.upper, right.diameter);
    EXPECT_LE(found.radius.lower, right.radius);
    EXPECT_GE(found.radius.upper, right.radius);
    EXPECT_TRUE(found.center.empty());
    for (VertexId v = 0; v < graph.num_vertices(); ++v) {
      EXPECT_LE(found.lower[v], right.eccentricity[v]);
      EXPECT_GE(found.upper[v], right.eccentricity[v]);
    }
    return found.searches;
  };
  EXPECT_EQ(check({.max_searches = 0}, End::max_searches), 0u);
  EXPECT_EQ(check({.max_searches = 7}, End::max_searches), 7u);
  std::uint64_t last = 0;
  EXPECT_LE(check({.search = {.run = {.progress =
                                          [&](const Step& step) {
                                            last = step.done;
                                            return step.done < 5;
                                          }}}},
                  End::interrupted),
            6u);
  EXPECT_GE(last, 5u);
  check({.search = {.run = {.limits = {.time = Seconds(1e-9)}}}}, End::time_limit);
}

// nonsense: weighted_eccentricities
TEST(WeightedEccentricity, NonsenseIsAnError) {
  const auto refused = [](const WeightedGraph& test, const WeightedEccentricityOptions& options = {}) {
    const Graph graph = hopwave::testing::build(test);
    return id_of([&] { (void)weighted_eccentricities(graph, options); });
  };
  const WeightedGraph chain{{"chain", 3, {{0, 1}, {1, 2}}, false}, {1, 1}};
  EXPECT_EQ(refused(chain, {.goal = static_cast<EccentricityGoal>(4)}), "HW-OPTION-VALUE");
  EXPECT_EQ(refused(chain, {.scope = static_cast<EccentricityScope>(2)}), "HW-OPTION-VALUE");
  EXPECT_EQ(refused(chain, {.search = {.strategy = "no"}}), "HW-STRATEGY-UNKNOWN");
  EXPECT_EQ(refused({{"chain", 3, {{0, 1}, {1, 2}}, false}, {1, -1}}), "HW-SSSP-WEIGHT");
  // Each has room in a double, and their sum has not.
  for (const bool directed : {false, true})
    EXPECT_EQ(refused({{"chain", 3, {{0, 1}, {1, 2}, {2, 1}, {1, 0}}, directed}, {1e308, 1e308, 1e308, 1e308}}),
              "HW-SSSP-WEIGHT");
  // All arcs cannot be used: each vertex is a component.
  const WeightedEccentricities alone =
      weighted_eccentricities(hopwave::testing::build({{"chain", 3, {{0, 1}, {1, 2}}, true}, {no_path, no_path}}));
  EXPECT_EQ(alone.components, 3u);
  EXPECT_EQ(alone.center, std::vector<VertexId>{0});
  EXPECT_EQ(alone.periphery, (std::vector<VertexId>{0, 1, 2}));
  EXPECT_EQ(alone.searches, 0u);
}

}  // namespace of_weighted_centrality_test
}  // namespace hopwave::testing
