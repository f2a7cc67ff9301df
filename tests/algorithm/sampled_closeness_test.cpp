// Closeness from sampled pivots: the sums against distances found plainly, the figures from all pivots against the exact ones,
// the errors that are told against the errors that are there, on every graph of up to three vertices, a part of those of four,
// random and composed ones; early ends that go on later. Sums that a device makes are the host's, to the last bit.
#include "hopwave/sampled_closeness.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <set>
#include <stop_token>

#include "algorithm/closeness/pivot_sums.h"
#include "device/device.h"
#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "support/ended.h"
#include "support/graphs.h"
#include "support/pivot_sums.h"
#include "support/sanitized.h"

namespace hopwave::testing {
namespace of_sampled_closeness_test {

constexpr double risk = 0.05;

/// Exact figures of every vertex, from plain distances.
struct Exact {
  VertexId n;
  std::vector<std::vector<Distance>> distance;  ///< [v][u]: of u from v, the way that counts
  std::vector<SourceDistances> row;
  DistanceSummary summary;

  Exact(const TestGraph& test, Direction direction) : n(test.num_vertices) {
    for (VertexId v = 0; v < n; ++v) {
      distance.push_back(naive_bfs(test, {v}, direction));
      LevelCounts counts;
      for (const Distance d : distance[v]) {
        if (d == unreached) continue;
        counts.at.resize(std::max<std::size_t>(counts.at.size(), d + 1ull));
        ++counts.at[static_cast<std::size_t>(d)];
      }
      row.push_back(source_distances(counts));
      summary.add(counts);
    }
  }
  [[nodiscard]] double average(VertexId v) const {
    return row[v].sum ? static_cast<double>(row[v].sum) / static_cast<double>(row[v].reached - 1) : 0;
  }
};

void expect_sums(const Exact& exact, const PivotSums& sums, const std::vector<VertexId>& pivots) {
  for (VertexId v = 0; v < exact.n; ++v) {
    std::uint64_t met = 0, sum = 0;
    double inverse_sum = 0;
    for (const VertexId p : pivots) {
      const Distance d = exact.distance[v][p];
      if (d <= 0) continue;
      ++met, sum += static_cast<std::uint64_t>(d), inverse_sum += 1 / static_cast<double>(d);
    }
    ASSERT_EQ(sums.met[v], met) << v;
    ASSERT_EQ(sums.sum[v], sum) << v;
    ASSERT_EQ(sums.inverse_sum[v], inverse_sum) << v;
    ASSERT_GE(sums.longest[v], exact.row[v].eccentricity) << v;
  }
}

/// How often a figure was farther from the truth than told; a vertex's figures count once a call.
struct Misses {
  int calls = 0, closeness = 0, harmonic = 0, average = 0, distance = 0, efficiency = 0;

  void add(const Exact& exact, const SampledCloseness& found) {
    const auto off = [](double value, double right, double error) { return std::fabs(value - right) > error + 1e-9; };
    bool c = false, h = false, a = false;
    for (VertexId v = 0; v < exact.n; ++v) {
      c |= off(found.closeness[v], hopwave::closeness(exact.row[v], exact.n), found.closeness_error[v]);
      h |= off(found.harmonic[v], exact.row[v].inverse_sum, found.harmonic_error[v]);
      a |= off(found.average[v], exact.average(v), found.average_error[v]);
    }
    ++calls;
    closeness += c, harmonic += h, average += a;
    distance += off(found.average_distance, exact.summary.average_distance(), found.average_distance_error);
    efficiency += off(found.efficiency, exact.summary.efficiency(exact.n), found.efficiency_error);
  }
  void expect_few(double part = 0) const {
    const double most = part * calls;
    EXPECT_LE(closeness, most) << "of " << calls;
    EXPECT_LE(harmonic, most);
    EXPECT_LE(average, most);
    EXPECT_LE(distance, most);
    EXPECT_LE(efficiency, most);
  }
};

void expect_exact(const Exact& exact, const SampledCloseness& found, const TestGraph& test) {
  const VertexId n = exact.n;
  ASSERT_EQ(found.pivots, n);
  for (VertexId v = 0; v < n; ++v) {
    ASSERT_EQ(found.closeness[v], hopwave::closeness(exact.row[v], n)) << test << " vertex " << v;
    ASSERT_NEAR(found.harmonic[v], exact.row[v].inverse_sum, 1e-12 * n) << test << " vertex " << v;
    ASSERT_NEAR(found.average[v], exact.average(v), 1e-12 * n);
    ASSERT_EQ(found.reached[v], static_cast<double>(exact.row[v].reached)) << test << " vertex " << v;
    ASSERT_EQ(found.closeness_error[v] + found.harmonic_error[v] + found.average_error[v], 0) << test << " vertex " << v;
  }
  EXPECT_NEAR(found.average_distance, exact.summary.average_distance(), 1e-12 * n) << test;
  EXPECT_NEAR(found.efficiency, exact.summary.efficiency(n), 1e-12);
  EXPECT_EQ(found.average_distance_error + found.efficiency_error, 0) << test;
  EXPECT_EQ(found.seen, exact.summary.diameter) << test;
}

/// One call, held against plain distances.
void expect_right(const TestGraph& test, SampledClosenessOptions options, Misses& misses) {
  const Graph graph = build(test);
  const Exact exact(test, options.search.direction);
  options.risk = risk;
  const SampledCloseness found = sampled_closeness(graph, options);
  const VertexId n = test.num_vertices;
  const std::vector<VertexId> pivots = drawn_vertices(n, options.samples, options.search.run.seed);
  ASSERT_TRUE(found.run.complete()) << test;
  ASSERT_EQ(found.run.end, End::complete);
  ASSERT_EQ(found.pivots, pivots.size());
  expect_sums(exact, found.sums, pivots);
  const bool both_ways = !test.directed || options.search.direction == Direction::both;
  for (VertexId v = 0; v < n && both_ways; ++v) ASSERT_EQ(found.reached[v], static_cast<double>(exact.row[v].reached)) << test;
  for (const VertexId p : pivots) {
    if (!both_ways) break;
    ASSERT_EQ(found.closeness[p], hopwave::closeness(exact.row[p], n)) << test;
    ASSERT_EQ(found.harmonic[p], exact.row[p].inverse_sum) << test;
  }
  ASSERT_LE(found.seen, exact.summary.diameter) << test;
  ASSERT_GE(found.longest, exact.summary.diameter) << test;
  misses.add(exact, found);
  if (pivots.size() == n) expect_exact(exact, found, test);
}

SampledClosenessOptions drawn(std::uint64_t turn, VertexId n) {
  SampledClosenessOptions options;
  options.samples = 1 + turn % (n + 1);
  options.search.run.seed = turn;
  options.search.run.device = DeviceKind::cpu;
  options.search.direction = static_cast<Direction>(turn % 3);
  options.search.run.threads = 1 + static_cast<int>(turn / 3 % 2);
  if (turn % 5 == 4) {
    options.search.run.device = DeviceKind::sim;
    options.search.run.seed = turn;
    options.search.parameters = {{"ms_bfs", turn % 2 ? 1 : 0}, {"block", 64}, {"grid", 3}};
  } else if (turn % 2) {
    options.search.parameters = {{"ms_bfs", 1}};
  }
  return options;
}

TEST(SampledCloseness, EveryGraphOfThreeVerticesAndSomeOfFour) {
  Misses misses;
  for (VertexId n = 1; n <= 3; ++n)
    for (std::uint64_t bits = 0; bits < count_all_graphs(n); ++bits)
      for (std::uint64_t k = 0; k <= n; ++k) {
        if (!tried(bits * (n + 1) + k)) continue;
        SampledClosenessOptions options = drawn(bits * (n + 1) + k, n);
        options.samples = k + 1;
        expect_right(graph_from_bits(n, bits), options, misses);
        if (HasFatalFailure()) return;
      }
  for (std::uint64_t bits = 0; bits < count_all_graphs(4); bits += 23) {
    if (!tried(bits)) continue;
    expect_right(graph_from_bits(4, bits), drawn(bits / 23, 4), misses);
    if (HasFatalFailure()) return;
  }
  misses.expect_few();
}

TEST(SampledCloseness, NamedRandomAndComposedGraphs) {
  Misses misses;
  std::uint64_t turn = 0;
  for (const TestGraph& test : named_graphs()) {
    expect_right(test, drawn(++turn, test.num_vertices), misses);
    if (HasFatalFailure()) return;
  }
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const TestGraph test = random_graph(seed, 120);
    SampledClosenessOptions options = drawn(seed, test.num_vertices);
    if (seed % 4 == 0) options.samples = test.num_vertices;
    expect_right(test, options, misses);
    if (HasFatalFailure()) return;
  }
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const TestGraph test = composed(seed);
    SampledClosenessOptions options = drawn(seed, test.num_vertices);
    options.samples = seed * 20;
    expect_right(test, options, misses);
    if (HasFatalFailure()) return;
  }
  misses.expect_few();
}

/// A great risk makes small errors: now and then the truth lies outside, but not more often than told.
TEST(SampledCloseness, ErrorsHoldAsOftenAsTold) {
  for (const bool directed : {false, true}) {
    TestGraph test = random_graph(directed ? 10 : 12, 90);  // scattered arcs: several components
    test.directed = directed;
    const Graph graph = build(test);
    const Exact exact(test, Direction::out);
    Misses misses;
    double harmonic = 0, right = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      SampledClosenessOptions options{.samples = test.num_vertices / 3, .risk = 0.9, .search = {.run = {.seed = seed}}};
      options.search.run.device = DeviceKind::cpu;
      const SampledCloseness found = sampled_closeness(graph, options);
      misses.add(exact, found);
      for (VertexId v = 0; v < exact.n; ++v) harmonic += found.harmonic[v], right += exact.row[v].inverse_sum;
    }
    misses.expect_few(0.9);
    if (directed) EXPECT_NEAR(harmonic / right, 1, 0.02);  // no bias
  }
}

/// A path of four vertices and one of two, one pivot; the numbers by hand.
TEST(SampledCloseness, ByHand) {
  const Graph graph = build(TestGraph{"four and two", 6, {{0, 1}, {1, 2}, {2, 3}, {4, 5}}, false});
  SampledClosenessOptions options{.samples = 1};
  options.search.run.device = DeviceKind::cpu;
  while (drawn_vertices(6, 1, options.search.run.seed)[0] != 1) ++options.search.run.seed;
  const SampledCloseness found = sampled_closeness(graph, options);
  // The pivot itself: distances 1, 1, 2.
  EXPECT_DOUBLE_EQ(found.closeness[1], 3.0 / 4 * 3 / 5);
  EXPECT_EQ(found.closeness_error[1], 0);
  // Vertex 3 is two away from it, and by way of it no more than four from any other; three others are all there are.
  EXPECT_EQ(found.average[3], 2);
  EXPECT_DOUBLE_EQ(found.closeness[3], 3.0 / 5 / 2);
  EXPECT_EQ(found.sums.longest[3], 4);
  EXPECT_EQ(found.average_error[3], 1);  // from 1 to 3
  EXPECT_DOUBLE_EQ(found.closeness_error[3], 3.0 / 5 / 1 - 3.0 / 5 / 2);
  EXPECT_DOUBLE_EQ(found.harmonic[3], 3 * 0.5);
  // Nobody has met the other component: at most one other, at most one hop away.
  EXPECT_EQ(found.closeness[4], 0);
  EXPECT_DOUBLE_EQ(found.closeness_error[4], 1.0 / 5);
  EXPECT_EQ(found.harmonic_error[4], 1);
  EXPECT_EQ(found.reached[4], 2);
  EXPECT_EQ(found.average_error[4], 1);
  // 14 pairs; the pivot has one hop beyond the first, and stands for six vertices.
  EXPECT_DOUBLE_EQ(found.average_distance, 1 + 6 * 1.0 / 14);
  EXPECT_DOUBLE_EQ(found.efficiency, 2.5 / 5);
  EXPECT_EQ(found.seen, 2);
  EXPECT_EQ(found.longest, 3);

  // Hoeffding's errors, where they are below what is known anyway: a star, whose leaves are at most two hops apart.
  const Graph leaves = build(star(400));
  SampledClosenessOptions many{.samples = 200};
  many.search.run.device = DeviceKind::cpu;
  const SampledCloseness of_star = sampled_closeness(leaves, many);
  const std::vector<VertexId> pivots = drawn_vertices(400, 200, 1);
  const std::set<VertexId> is_pivot(pivots.begin(), pivots.end());
  VertexId leaf = 1;
  while (is_pivot.count(leaf)) ++leaf;
  const double hoeffding = std::sqrt(std::log(2 * 400 / 0.05) / (2 * 200)), average = of_star.average[leaf];
  const bool with_centre = is_pivot.count(0);
  EXPECT_EQ(of_star.sums.longest[leaf], with_centre ? 2 : 4);
  EXPECT_EQ(average, with_centre ? (1 + 2 * 199) / 200.0 : 2);
  const double range = with_centre ? 1 : 3;
  EXPECT_DOUBLE_EQ(of_star.average_error[leaf],
                   std::max(average - std::max(1.0, average - range * hoeffding),
                            std::min(with_centre ? 2.0 : 4.0, average + range * hoeffding) - average));
  EXPECT_DOUBLE_EQ(of_star.harmonic_error[leaf], 399 * (1 - (with_centre ? 0.5 : 0.25)) * hoeffding);
  EXPECT_DOUBLE_EQ(sampling_error(400, 200), hoeffding);
}

/// A directed cycle: the first pivot reaches everybody, so that distances are bounded; with a vertex in front they are not.
TEST(SampledCloseness, LongestDistanceOfDirectedGraphs) {
  SampledClosenessOptions options{.samples = 3};
  options.search.run.device = DeviceKind::cpu;
  const SampledCloseness round = sampled_closeness(build(cycle(20)), options);
  EXPECT_LT(round.longest, 39);
  EXPECT_EQ(round.sums.longest[drawn_vertices(20, 1, 1)[0]], 19);
  TestGraph with_tail = cycle(20);
  with_tail.num_vertices = 40;
  for (VertexId v = 20; v < 40; ++v) with_tail.edges.push_back({v, v == 39 ? 0 : v + 1});
  EXPECT_EQ(sampled_closeness(build(with_tail), options).longest, 39);
}

TEST(SampledCloseness, AnEarlyEndGoesOnLater) {
  for (const bool directed : {false, true}) {
    TestGraph test = random_graph(7, 150);
    test.directed = directed;
    const Graph graph = build(test);
    SampledClosenessOptions options{.samples = 40, .search = {.run = {.seed = 5}}};
    options.search.run.device = DeviceKind::cpu;
    const SampledCloseness whole = sampled_closeness(graph, options);
    for (const std::uint64_t enough : {0u, 1u, 17u, 39u}) {
      options.begun = {};
      options.search.run.progress = [&](const Step& step) {
        EXPECT_EQ(step.total, 40u);
        return step.done < enough;
      };
      SampledCloseness part = sampled_closeness(graph, options);
      ASSERT_FALSE(part.run.complete());
      ASSERT_EQ(part.run.end, End::interrupted);
      ASSERT_EQ(part.pivots, enough);
      SampledClosenessOptions fewer = options;
      fewer.search.run.progress = {};
      fewer.samples = enough;
      if (enough > 0) {
        EXPECT_EQ(std::vector<double>(part.closeness.begin(), part.closeness.end()), [&] {
          const SampledCloseness same = sampled_closeness(graph, fewer);
          return std::vector<double>(same.closeness.begin(), same.closeness.end());
        }());
      }
      options.search.run.progress = {};
      options.begun = std::move(part.sums);
      const SampledCloseness again = sampled_closeness(graph, options);
      ASSERT_TRUE(again.run.complete());
      for (VertexId v = 0; v < test.num_vertices; ++v) {
        ASSERT_EQ(again.closeness[v], whole.closeness[v]);
        ASSERT_EQ(again.closeness_error[v], whole.closeness_error[v]);
        ASSERT_EQ(again.harmonic[v], whole.harmonic[v]);
      }
      EXPECT_EQ(again.average_distance, whole.average_distance);
    }
  }
}

TEST(SampledCloseness, ThreadsAndPassesChangeNothing) {
  const Graph graph = build(grid(300, 301));
  SampledClosenessOptions options{.samples = 6};
  options.search.run.device = DeviceKind::cpu;
  options.search.run.threads = 1;
  const SampledCloseness one = sampled_closeness(graph, options);
  options.search.run.threads = 3;
  options.search.parameters = {{"ms_bfs", 1}};
  const SampledCloseness three = sampled_closeness(graph, options);
  for (VertexId v = 0; v < graph.num_vertices(); ++v) {
    ASSERT_EQ(one.closeness[v], three.closeness[v]);
    ASSERT_EQ(one.harmonic[v], three.harmonic[v]);
    ASSERT_EQ(one.closeness_error[v], three.closeness_error[v]);
  }
  EXPECT_EQ(one.efficiency, three.efficiency);
}

TEST(SampledClosenessOnADevice, SumsAreThoseOfTheHost) {
  std::uint64_t turn = 0;
  const auto look = [&](const TestGraph& test, std::uint64_t samples) {
    SampledClosenessOptions options = in_simulator(samples, ++turn);
    options.search.direction = static_cast<Direction>(turn % 3);
    if (turn % 4 == 3) options.search.parameters["ms_bfs"] = 0;  // one by one
    if (turn % 7 == 6) options.search.parameters["level_launches"] = 1;
    expect_as_on_cpu(test, options);
  };
  for (const TestGraph& test : named_graphs()) {
    look(test, 1 + turn % 3);
    look(test, test.num_vertices);
    if (HasFatalFailure()) return;
  }
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    look(random_graph(seed, 200), 1 + seed * 8);
    if (HasFatalFailure()) return;
  }
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    look(composed(seed), 30 + seed * 34);  // 64 and others
    if (HasFatalFailure()) return;
  }
  for (const std::uint64_t samples : {70u, 64u, 129u}) {
    look(cycle(150), samples);  // the first pivot bounds the longest distance with directions, too
    if (HasFatalFailure()) return;
  }
  // Deeper than the inverses that are looked up, than the counters in shared memory, and than a pass's first digits.
  for (const VertexId n : {63u, 64u, 65u, 66u, 130u, 300u}) {
    look(chain(n, n % 2 == 0), 5);
    if (HasFatalFailure()) return;
  }
}

TEST(SampledClosenessOnADevice, OtherStrategies) {
  TestGraph test = random_graph(3, 150);
  for (const bool directed : {false, true}) {
    test.directed = directed;
    SampledClosenessOptions options = in_simulator(70, 4);
    options.search.prepare = true;
    expect_as_on_cpu(test, options);
    options.search.prepare = false;
    options.search.parameters = {};
    options.samples = 3;
    for (const char* strategy :
         {"pmpp-frontier", "survey-virtual-warp", "survey-reorder-physical"}) {  // the last leaves no answer
      options.search.strategy = strategy;
      expect_as_on_cpu(test, options);
    }
    if (HasFatalFailure()) return;
  }
}

/// After every pass the caller is asked, and an end there leaves the sums of what is done; either side goes on from either's.
TEST(SampledClosenessOnADevice, AnEarlyEndGoesOnLater) {
  for (const bool directed : {false, true}) {
    TestGraph test = generated("rmat:8,3");
    test.directed = directed;
    const Graph graph = build(test);
    const SampledClosenessOptions options = in_simulator(140, 5);
    const PivotSums whole = sampled_closeness(graph, on_cpu(options)).sums;
    std::set<std::uint64_t> asked;
    const auto asking = [&](std::uint64_t enough) {
      return [&asked, enough](const Step& step) {
        EXPECT_EQ(step.total, 140u);
        asked.insert(step.done);
        return step.done < enough;
      };
    };
    SampledClosenessOptions all = options;
    all.search.run.progress = asking(~std::uint64_t{0});
    expect_same(sampled_closeness(graph, all).sums, whole);
    EXPECT_EQ(asked, (std::set<std::uint64_t>{0, 64, 128, 140}));  // no row was handed over one by one
    for (const std::uint64_t enough : {0u, 1u, 65u}) {
      SampledClosenessOptions some = options;
      some.search.run.progress = asking(enough);
      const SampledCloseness part = sampled_closeness(graph, some);
      EXPECT_FALSE(part.run.complete());
      EXPECT_EQ(part.run.end, End::interrupted);
      ASSERT_EQ(part.pivots, (enough + 63) / 64 * 64);
      SampledClosenessOptions fewer = on_cpu(options);
      fewer.samples = part.pivots;
      if (part.pivots) expect_same(part.sums, sampled_closeness(graph, fewer).sums);
      SampledClosenessOptions more = options;
      more.begun = part.sums;
      expect_same(sampled_closeness(graph, more).sums, whole);
      more = on_cpu(options);
      more.begun = part.sums;
      expect_same(sampled_closeness(graph, more).sums, whole);
    }
    for (const std::uint64_t before : {1u, 17u, 64u, 139u, 140u}) {
      SampledClosenessOptions fewer = on_cpu(options), more = options;
      fewer.samples = before;
      more.begun = sampled_closeness(graph, fewer).sums;
      expect_same(sampled_closeness(graph, more).sums, whole);
    }
    if (HasFatalFailure()) return;
    std::stop_source stop;
    SampledClosenessOptions cancelled = options;
    cancelled.search.run.limits.stop = stop.get_token();
    cancelled.search.run.progress = [&](const Step& step) { return step.done < 64 || (stop.request_stop(), true); };
    const SampledCloseness part = sampled_closeness(graph, cancelled);
    EXPECT_EQ(part.run.end, End::cancelled);
    EXPECT_EQ(part.pivots, 64u);
    SampledClosenessOptions fewer = on_cpu(options);
    fewer.samples = 64;
    expect_same(part.sums, sampled_closeness(graph, fewer).sums);
    SampledClosenessOptions thrown = options;
    thrown.search.run.progress = [](const Step& step) -> bool { return step.done < 64 ? true : throw 7; };
    EXPECT_THROW(sampled_closeness(graph, thrown), int);
  }
}

TEST(SampledClosenessOnADevice, WithoutMemoryTheHostAddsUp) {
  for (const TestGraph& test : {random_graph(12, 200), chain(200, false)}) {
    const Graph graph = build(test);
    SampledClosenessOptions options = in_simulator(70);
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
    std::set<std::string> said;
    for (std::size_t k = 1; k <= plenty->calls; ++k) {
      const auto memory = std::make_shared<Scarce>();
      memory->refused = k;
      try {
        for (const std::string& note : with(memory)) said.insert(note.substr(0, note.find(':')));
      } catch (const Error& error) {
        EXPECT_EQ(error.id(), "HW-DEVICE-MEMORY") << k;
        said.insert("error");
      }
      EXPECT_TRUE(memory->held.empty()) << k;
      if (HasFatalFailure()) return;
    }
    EXPECT_EQ(said, (std::set<std::string>{"adding up distances on the host", "error", "searching one by one"}));
    // What one search needs is there, and no more than a part of the sums.
    const auto single = std::make_shared<Scarce>();
    {
      SearchOptions alone = options.search;
      alone.run.on.memory = single;
      Searcher searcher(graph, alone);
      (void)searcher.run({.sources = {0}});
    }
    const auto memory = std::make_shared<Scarce>();
    memory->most = single->peak + 8 * test.num_vertices;
    const std::vector<std::string> notes = with(memory);
    ASSERT_EQ(notes.size(), 2u);
    EXPECT_TRUE(notes[0].starts_with("adding up distances on the host: ")) << notes[0];
    EXPECT_TRUE(notes[1].starts_with("searching one by one: ")) << notes[1];
  }
}

/// The kernel alone: more rows than a launch takes, gaps between them, several blocks, and distances without end.
TEST(SampledClosenessOnADevice, RowsOfAnyNumber) {
  constexpr Distance deepest = 0x7FFFFFFF;
  for (const std::size_t rows : {1u, 7u, 8u, 9u, 63u, 64u, 65u, 131u})
    for (const VertexId n : {1u, 31u, 300u}) {
      const std::size_t stride = n + rows % 3;
      std::vector<Distance> distance(rows * stride), beyond(rows);
      for (std::size_t i = 0; i < distance.size(); ++i) {
        const std::uint64_t drawn = splitmix64(i + rows) % 100;
        distance[i] = drawn < 20 ? unreached : drawn == 20 ? deepest : static_cast<Distance>(drawn - 21);
      }
      for (std::size_t k = 0; k < rows; ++k) beyond[k] = static_cast<Distance>(splitmix64(k) % 9) - 1;
      PivotSums expected;
      expected.met = Array<std::uint32_t>::filled(n, 0);
      expected.sum = Array<std::uint64_t>::filled(n, 0);
      expected.inverse_sum = Array<double>::filled(n, 0);
      expected.longest = Array<Distance>::filled(n, deepest);
      for (std::size_t k = 0; k < rows; ++k)
        for (VertexId v = 0; v < n; ++v) {
          const Distance d = distance[k * stride + v];
          if (beyond[k] >= 0 && d != unreached)
            expected.longest[v] =
                static_cast<Distance>(std::min<std::int64_t>(expected.longest[v], std::int64_t{d} + beyond[k]));
          if (d <= 0) continue;
          ++expected.met[v];
          expected.sum[v] += static_cast<std::uint64_t>(d);
          expected.inverse_sum[v] += 1 / static_cast<double>(d);
        }
      device::Device device(*device::sim_api());
      device::Buffer<Distance> there(device, std::span<const Distance>(distance)), longest(device, n);
      device::Buffer<std::uint32_t> met(device, n);
      device::Buffer<std::uint64_t> sum(device, n);
      device::Buffer<double> inverse_sum(device, n);
      const resident::PivotSumsThere sums{met.data(), sum.data(), inverse_sum.data(), longest.data()};
      resident::begin_pivot_sums(device.api())(device, sums, n, deepest);
      resident::add_to_pivot_sums(device.api())(device, {there.data(), stride, rows}, beyond, n, sums);
      PivotSums found;
      found.met = Array<std::uint32_t>(n), found.sum = Array<std::uint64_t>(n);
      found.inverse_sum = Array<double>(n), found.longest = Array<Distance>(n);
      met.download(found.met.span());
      sum.download(found.sum.span());
      inverse_sum.download(found.inverse_sum.span());
      longest.download(found.longest.span());
      expect_same(found, expected);
      ASSERT_FALSE(HasFatalFailure()) << rows << " rows of " << n;
    }
}

TEST(SampledCloseness, TheDeviceIsReportedAfterAnEarlyEnd) {
  std::stop_source stop;
  stop.request_stop();
  for (const DeviceKind device : {DeviceKind::cpu, DeviceKind::sim}) {
    SampledClosenessOptions options{.samples = 2};
    options.search.run.device = device;
    EXPECT_EQ(sampled_closeness(Graph(), options).run.device, device);
    options.search.run.limits.stop = stop.get_token();
    const SampledCloseness ended = sampled_closeness(build(chain(4)), options);
    EXPECT_EQ(ended.run.end, End::cancelled);
    EXPECT_EQ(ended.run.device, device);
  }
}

// nonsense: drawn_vertices sampling_error sampled_closeness
TEST(SampledCloseness, NothingAndNonsense) {
  EXPECT_TRUE(drawn_vertices(0, 5, 1).empty());
  EXPECT_TRUE(drawn_vertices(5, 0, 1).empty());
  const std::vector<VertexId> all = drawn_vertices(1000, ~std::uint64_t{0}, 3), few = drawn_vertices(1000, 30, 3);
  EXPECT_EQ(std::set<VertexId>(all.begin(), all.end()).size(), 1000u);
  EXPECT_TRUE(std::equal(few.begin(), few.end(), all.begin()));
  EXPECT_EQ(sampling_error(10, 0), 1);
  EXPECT_EQ(sampling_error(10, 10), 0);
  EXPECT_EQ(sampling_error(0, 0), 0);
  for (const double wrong : {0.0, 1.0, -1.0, std::nan("")}) {
    EXPECT_EQ(id_of([&] { sampling_error(10, 5, wrong); }), "HW-OPTION-VALUE");
    EXPECT_EQ(id_of([&] { sampled_closeness(build(chain(3)), {.samples = 1, .risk = wrong}); }), "HW-OPTION-VALUE");
  }
  EXPECT_EQ(id_of([] { sampled_closeness(build(chain(3)), {}); }), "HW-OPTION-VALUE");
  SampledClosenessOptions foreign{.samples = 2};
  foreign.search.run.device = DeviceKind::cpu;
  foreign.begun = sampled_closeness(build(chain(4)), foreign).sums;
  EXPECT_EQ(id_of([&] { sampled_closeness(build(chain(3)), foreign); }), "HW-OPTION-VALUE");
  expect_refusals([](const RunOptions& run) { sampled_closeness(build(chain(3)), {.samples = 2, .search = {.run = run}}); });
  const SampledCloseness empty = sampled_closeness(build(TestGraph{"none", 0, {}, false}), {.samples = 4});
  EXPECT_TRUE(empty.run.complete());
  EXPECT_TRUE(empty.closeness.empty());
  for (const bool directed : {false, true}) {
    const SampledCloseness one = sampled_closeness(build(TestGraph{"one", 1, {}, directed}), {.samples = 4});
    EXPECT_EQ(one.closeness[0] + one.closeness_error[0] + one.harmonic_error[0], 0);
    EXPECT_EQ(one.reached[0], 1);
  }
  std::stop_source stop;
  stop.request_stop();
  SampledClosenessOptions cancelled{.samples = 2};
  cancelled.search.run.limits.stop = stop.get_token();
  const SampledCloseness none = sampled_closeness(build(chain(9, false)), cancelled);
  EXPECT_FALSE(none.run.complete());
  EXPECT_EQ(none.run.end, End::cancelled);
  EXPECT_EQ(none.closeness_error[3], 1);
  EXPECT_THROW(
      sampled_closeness(build(chain(9)), {.samples = 2, .search = {.run = {.progress = [](const Step&) -> bool { throw 7; }}}}),
      int);
}

}  // namespace of_sampled_closeness_test
}  // namespace hopwave::testing
