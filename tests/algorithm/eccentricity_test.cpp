// Eccentricities, diameter, radius, center and periphery against all distances found plainly: every graph of up to four
// vertices, random and composed shapes, on the CPU and in the simulator; early ends, whose bounds must hold.
#include "hopwave/eccentricity.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <limits>
#include <numeric>

#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "support/ended.h"
#include "support/graphs.h"
#include "support/sanitized.h"
#include "support/small_graphs.h"

namespace hopwave::testing {
namespace of_eccentricity_test {

using testing::id_of;

/// What a search from every vertex says.
struct Plain {
  std::vector<Distance> eccentricity;  ///< −1 outside the scope
  Distance diameter = 0, radius = -1;
  std::vector<VertexId> center, periphery;
  bool strong = true;  ///< each component is strongly connected, as far as directions count
};

/// Adjacency lists, and a queue: no code of the library's.
std::vector<Distance> plain_distances(const std::vector<std::vector<VertexId>>& next, VertexId source) {
  std::vector<Distance> distance(next.size(), -1);
  std::vector<VertexId> queue = {source};
  distance[source] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const VertexId u : next[queue[i]])
      if (distance[u] < 0) distance[u] = distance[queue[i]] + 1, queue.push_back(u);
  return distance;
}

Plain plain(const TestGraph& test, Direction direction, EccentricityScope scope) {
  const VertexId n = test.num_vertices;
  std::vector<std::vector<VertexId>> next(n), either(n);
  for (const Edge& e : test.edges) {
    const bool turned = test.directed && direction == Direction::in;
    next[turned ? e.target : e.source].push_back(turned ? e.source : e.target);
    if (!test.directed || direction == Direction::both) next[e.target].push_back(e.source);
    either[e.source].push_back(e.target);
    either[e.target].push_back(e.source);
  }
  Plain found;
  found.eccentricity.assign(n, -1);
  std::vector<VertexId> largest;
  std::vector<bool> seen(n, false);
  for (VertexId v = 0; v < n; ++v) {
    if (seen[v]) continue;
    const std::vector<Distance> d = plain_distances(either, v);
    std::vector<VertexId> members;
    for (VertexId u = 0; u < n; ++u)
      if (d[u] >= 0) members.push_back(u), seen[u] = true;
    if (members.size() > largest.size()) largest = members;
  }
  for (VertexId v = 0; v < n; ++v) {
    if (scope == EccentricityScope::largest && !std::binary_search(largest.begin(), largest.end(), v)) continue;
    const std::vector<Distance> d = plain_distances(next, v), all = plain_distances(either, v);
    for (VertexId u = 0; u < n; ++u)
      if (all[u] >= 0 && d[u] < 0) found.strong = false;
    found.eccentricity[v] = *std::max_element(d.begin(), d.end());
    found.diameter = std::max(found.diameter, found.eccentricity[v]);
  }
  for (const VertexId v : largest)
    found.radius = found.radius < 0 ? found.eccentricity[v] : std::min(found.radius, found.eccentricity[v]);
  for (const VertexId v : largest)
    if (found.eccentricity[v] == found.radius) found.center.push_back(v);
  for (VertexId v = 0; v < n; ++v)
    if (found.eccentricity[v] == found.diameter) found.periphery.push_back(v);
  return found;
}

/// Bounds hold, whatever ended the call.
void expect_bounds(const Eccentricities& found, const Plain& right, const std::string& what) {
  for (VertexId v = 0; v < right.eccentricity.size(); ++v) {
    ASSERT_LE(found.lower[v], right.eccentricity[v]) << what << ", vertex " << v;
    ASSERT_GE(found.upper[v], right.eccentricity[v]) << what << ", vertex " << v;
  }
  ASSERT_LE(found.diameter.lower, right.diameter) << what;
  ASSERT_GE(found.diameter.upper, right.diameter) << what;
  ASSERT_LE(found.radius.lower, right.radius) << what;
  ASSERT_GE(found.radius.upper, right.radius) << what;
}

void expect_right(const TestGraph& test, EccentricityOptions options, const std::string& how, bool with_in = false) {
  const Graph graph = build(test, true, with_in);
  const Plain right = plain(test, options.search.direction, options.scope);
  const std::string what = test.name + ", " + how + ", goal " + std::to_string(static_cast<int>(options.goal));
  if (!right.strong) {
    ASSERT_EQ(id_of([&] { (void)eccentricities(graph, options); }), "HW-ECCENTRICITY-STRONG") << what;
    return;
  }
  std::uint64_t asked = 0;
  options.search.run.progress = [&](const Step& now) {
    EXPECT_LE(now.longest, right.diameter) << what;
    asked = now.done;
    return true;
  };
  const Eccentricities found = eccentricities(graph, options);
  ASSERT_TRUE(found.run.complete() && found.run.end == End::complete) << what;
  ASSERT_LE(asked, found.searches) << what;
  ASSERT_NO_FATAL_FAILURE(expect_bounds(found, right, what));
  if (options.goal != EccentricityGoal::radius) {
    ASSERT_EQ(found.diameter, (DistanceRange{right.diameter, right.diameter})) << what;
    if (test.num_vertices > 0) {
      ASSERT_NE(found.from, no_vertex) << what;
      const TestGraph& t = test;
      const auto d = naive_bfs(t, {found.from}, options.search.direction);
      ASSERT_EQ(d[found.to], right.diameter) << what << " from " << found.from << " to " << found.to;
    }
  }
  if (options.goal != EccentricityGoal::diameter && test.num_vertices > 0) {
    ASSERT_EQ(found.radius, (DistanceRange{right.radius, right.radius})) << what;
    ASSERT_EQ(right.eccentricity[found.central], right.radius) << what;
  }
  if (options.goal >= EccentricityGoal::figures) {
    ASSERT_EQ(found.center, right.center) << what;
    ASSERT_EQ(found.periphery, right.periphery) << what;
  }
  if (options.goal == EccentricityGoal::every)
    for (VertexId v = 0; v < test.num_vertices; ++v) {
      ASSERT_EQ(found.lower[v], right.eccentricity[v]) << what << ", vertex " << v;
      ASSERT_EQ(found.upper[v], right.eccentricity[v]) << what << ", vertex " << v;
    }
}

const EccentricityGoal goals[] = {EccentricityGoal::diameter, EccentricityGoal::radius, EccentricityGoal::figures,
                                  EccentricityGoal::every};

EccentricityOptions on(DeviceKind device, EccentricityGoal goal, Direction direction, EccentricityScope scope) {
  EccentricityOptions options;
  options.goal = goal;
  options.scope = scope;
  options.search.run.device = device;
  options.search.direction = direction;
  options.search.run.threads = 2;
  return options;
}

/// Turns with the graph's number, so that all ways meet all kinds of graphs.
EccentricityOptions drawn(std::uint64_t turn, DeviceKind device = DeviceKind::cpu) {
  const Direction ways[] = {Direction::out, Direction::in, Direction::both};
  return on(device, goals[turn % 4], ways[turn / 4 % 3], turn / 12 % 2 ? EccentricityScope::largest : EccentricityScope::each);
}

TEST(Eccentricity, EveryGraphOfUpToFourVertices) {
  for (VertexId n = 1; n <= 3; ++n)
    for (std::uint64_t bits = 0; bits < count_all_graphs(n); ++bits)
      for (const bool directed : {true, false})
        for (const EccentricityGoal goal : goals) {
          if (!tried(bits)) continue;
          TestGraph test = graph_from_bits(n, bits);
          test.directed = directed;
          const auto way = bits % 3 == 0 ? Direction::out : bits % 3 == 1 ? Direction::in : Direction::both;
          expect_right(test, on(DeviceKind::cpu, goal, way, bits % 2 ? EccentricityScope::each : EccentricityScope::largest),
                       "bits " + std::to_string(bits));
          if (HasFatalFailure()) return;
        }
  // Of four vertices all undirected graphs without loops, and a part of the others.
  for (std::uint64_t bits = 0; bits < 64; ++bits)
    for (std::uint64_t turn = 0; turn < 24; ++turn) {
      if (!tried(24 * bits + turn)) continue;
      TestGraph test{"four " + std::to_string(bits), 4, {}, false};
      std::uint64_t bit = 0;
      for (VertexId u = 0; u < 4; ++u)
        for (VertexId v = u + 1; v < 4; ++v)
          if (bits >> bit++ & 1) test.edges.push_back({u, v});
      expect_right(test, drawn(turn), "all of four");
      if (HasFatalFailure()) return;
    }
  for (std::uint64_t bits = 0; bits < count_all_graphs(4); bits += 23) {
    if (!tried(bits)) continue;
    expect_right(graph_from_bits(4, bits), drawn(bits / 23), "bits " + std::to_string(bits));
    if (HasFatalFailure()) return;
  }
}

TEST(Eccentricity, NamedGraphs) {
  for (const TestGraph& test : named_graphs()) {
    if (test.num_vertices > 400) continue;
    for (std::uint64_t turn = 0; turn < 24; ++turn) {
      expect_right(test, drawn(turn), "turn " + std::to_string(turn));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Eccentricity, RandomGraphs) {
  const char* given = std::getenv("HOPWAVE_TEST_GRAPHS");
  const std::uint64_t count = given ? std::strtoull(given, nullptr, 10) : 400;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    expect_right(random_graph(seed, 120), drawn(seed), "seed " + std::to_string(seed));
    if (HasFatalFailure()) return;
  }
}

TEST(Eccentricity, ComposedShapes) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    EccentricityOptions options = drawn(seed % 4 + 8);  // directions ignored
    if (seed % 3 == 0) options.scope = EccentricityScope::largest;
    expect_right(composed(seed, 700), options, "composed");
    if (HasFatalFailure()) return;
  }
}

TEST(Eccentricity, InTheSimulator) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    expect_right(random_graph(seed, 60), drawn(seed * 5, DeviceKind::sim), "simulated, seed " + std::to_string(seed));
    if (HasFatalFailure()) return;
  }
  for (const EccentricityGoal goal : goals) {
    expect_right(grid(7, 9), on(DeviceKind::sim, goal, Direction::out, EccentricityScope::each), "simulated");
    if (HasFatalFailure()) return;
  }
}

/// Strongly connected: a cycle with random arcs across.
TEST(Eccentricity, DirectedCyclesWithArcsAcross) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto n = static_cast<VertexId>(3 + splitmix64(seed) % 90);
    TestGraph test = cycle(n);
    test.name += " " + std::to_string(seed);
    for (std::uint64_t i = 0; i < splitmix64(seed + 1000) % n; ++i)
      test.edges.push_back({static_cast<VertexId>(splitmix64(seed * 977 + 2 * i) % n),
                            static_cast<VertexId>(splitmix64(seed * 977 + 2 * i + 1) % n)});
    expect_right(test, drawn(seed), "across");
    if (HasFatalFailure()) return;
  }
}

/// Small components are searched by hand, forwards and backwards, with incoming arcs and without. Now and then one of them is
/// not strongly connected, which is an error.
TEST(Eccentricity, DirectedGraphsOfManyComponents) {
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 96; ++seed) {
    TestGraph test{"many components " + std::to_string(seed), 0, {}, true};
    const std::uint64_t components = 2 + splitmix64(seed) % 9;
    for (std::uint64_t k = 0; k < components; ++k) {
      const auto draw = [&](std::uint64_t i, std::uint64_t most) {
        return static_cast<VertexId>(splitmix64(seed * 7919 + k * 1009 + i) % most);
      };
      const VertexId first = test.num_vertices, size = 1 + draw(0, 12);
      test.num_vertices += size;
      const bool weak = size > 1 && draw(1, 40) == 0;
      refused += weak;
      for (VertexId v = weak; v < size; ++v) test.edges.push_back({first + v, first + (v + 1) % size});
      for (VertexId i = 0; i < (weak ? 0 : draw(2, 2 * size)); ++i)
        test.edges.push_back({first + draw(10 + 2 * i, size), first + draw(11 + 2 * i, size)});
    }
    // Components are not rows of neighbouring ids.
    for (Edge& e : test.edges)
      for (VertexId* v : {&e.source, &e.target}) *v = static_cast<VertexId>((*v * 1'000'003ull + seed) % test.num_vertices);
    expect_right(test, drawn(seed), "components", seed / 24 % 2);
    if (HasFatalFailure()) return;
  }
  EXPECT_GE(refused, 5);
}

/// The largest component alone is searched with the whole graph; the others by hand, at most once from each vertex.
TEST(Eccentricity, ManyComponentsCostWhatTheirSizeDoes) {
  for (const bool directed : {false, true}) {
    TestGraph rings{"rings", directed ? 300'000u : 900'000u, {}, directed};
    for (VertexId v = 0; v < rings.num_vertices; ++v) rings.edges.push_back({v, v % 3 == 2 ? v - 2 : v + 1});
    const Graph graph = build(rings);
    for (const EccentricityGoal goal : {EccentricityGoal::diameter, EccentricityGoal::every}) {
      EccentricityOptions options = on(DeviceKind::cpu, goal, Direction::out, EccentricityScope::each);
      // Between two searches only levels of searches with the whole graph report, which have three each; more end the call.
      std::uint64_t levels = 0, last = ~std::uint64_t{0};
      options.search.run.progress = [&](const Step& step) {
        levels += step.done == std::exchange(last, step.done);
        return levels <= 12;
      };
      const Eccentricities found = eccentricities(graph, options);
      EXPECT_TRUE(found.run.complete()) << rings;
      EXPECT_LE(found.searches, rings.num_vertices) << rings;
      EXPECT_EQ(found.diameter.upper, directed ? 2 : 1);
      EXPECT_EQ(found.periphery.size(), goal == EccentricityGoal::every ? rings.num_vertices : 0);
    }
  }
}

/// More than 1,024 vertices whose bounds hardly narrow: passes take over.
TEST(Eccentricity, PassesOfManySearches) {
  TestGraph test{"regular", 1300, {}, false};
  for (VertexId v = 0; v < 1300; ++v)
    for (std::uint64_t k = 0; k < 4; ++k) test.edges.push_back({v, static_cast<VertexId>(splitmix64(v * 4 + k) % 1300)});
  for (const EccentricityGoal goal : {EccentricityGoal::figures, EccentricityGoal::every}) {
    expect_right(test, on(DeviceKind::cpu, goal, Direction::out, EccentricityScope::each), "passes");
    if (HasFatalFailure()) return;
  }
  // A cycle: all eccentricities are the same, and bounds meet nowhere else.
  TestGraph circle = cycle(1201);
  expect_right(circle, on(DeviceKind::cpu, EccentricityGoal::every, Direction::out, EccentricityScope::each), "directed");
  circle.directed = false;
  expect_right(circle, on(DeviceKind::cpu, EccentricityGoal::every, Direction::out, EccentricityScope::each), "undirected");
}

TEST(Eccentricity, FewSearchesWhereTheyDo) {
  const auto searches = [](std::string_view spec, EccentricityGoal goal) {
    const Eccentricities found =
        eccentricities(build_graph(generate(spec)), on(DeviceKind::cpu, goal, Direction::both, EccentricityScope::each));
    EXPECT_TRUE(found.run.complete()) << spec;
    return found.searches;
  };
  EXPECT_LE(searches("star:1000", EccentricityGoal::every), 1u);
  EXPECT_LE(searches("chain:5000", EccentricityGoal::diameter), 4u);
  EXPECT_LE(searches("grid:40x30", EccentricityGoal::diameter), 20u);
  EXPECT_LE(searches("rmat:12,8", EccentricityGoal::diameter), 100u);
}

/// The result does not depend on threads.
TEST(Eccentricity, TheSameOnAnyThreads) {
  const Graph graph = build_graph(generate("rmat:13,8"));
  EccentricityOptions options = on(DeviceKind::cpu, EccentricityGoal::figures, Direction::both, EccentricityScope::each);
  options.search.run.threads = 1;
  const Eccentricities one = eccentricities(graph, options);
  options.search.run.threads = 3;
  const Eccentricities three = eccentricities(graph, options);
  EXPECT_EQ(one.searches, three.searches);
  EXPECT_EQ(one.center, three.center);
  EXPECT_EQ(one.periphery, three.periphery);
  EXPECT_TRUE(std::equal(one.lower.begin(), one.lower.end(), three.lower.begin(), three.lower.end()));
}

/// However early the end, the bounds hold.
TEST(Eccentricity, EarlyEndsKeepBounds) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const TestGraph test = seed % 2 ? composed(seed, 300) : random_graph(seed, 100);
    const Graph graph = build(test);
    for (const EccentricityGoal goal : goals)
      for (const std::uint64_t most : {0, 1, 2, 5}) {
        EccentricityOptions options = on(DeviceKind::cpu, goal, Direction::both, EccentricityScope::each);
        options.max_searches = most;
        const Eccentricities found = eccentricities(graph, options);
        EXPECT_LE(found.searches, most);
        EXPECT_EQ(found.run.complete(), found.run.end == End::complete);
        if (!found.run.complete()) EXPECT_EQ(found.run.end, End::max_searches);
        if (test.num_vertices > 0)
          expect_bounds(found, plain(test, Direction::both, EccentricityScope::each),
                        test.name + " after " + std::to_string(most));
        if (HasFatalFailure()) return;
      }
  }
}

TEST(Eccentricity, WhoEndsIt) {
  const Graph graph = build(grid(30, 30));
  EccentricityOptions options = on(DeviceKind::cpu, EccentricityGoal::every, Direction::out, EccentricityScope::each);
  options.search.run.progress = [](const Step& now) { return now.done < 3; };
  const Eccentricities asked = eccentricities(graph, options);
  EXPECT_EQ(asked.run.end, End::interrupted);
  EXPECT_EQ(asked.searches, 3u);
  EXPECT_GE(asked.diameter.lower, 29);
  options.search.run.progress = {};
  options.search.run.progress = [](const Step& step) { return step.done < 2; };
  EXPECT_EQ(eccentricities(graph, options).run.end, End::interrupted);
  options.search.run.progress = {};
  std::stop_source stop;
  stop.request_stop();
  options.search.run.limits.stop = stop.get_token();
  EXPECT_EQ(eccentricities(graph, options).run.end, End::cancelled);
  options.search.run.limits = {};
  options.search.run.limits.time = Seconds(1e-9);
  const Eccentricities late = eccentricities(graph, options);
  EXPECT_EQ(late.run.end, End::time_limit);
  EXPECT_FALSE(late.run.complete());
  EXPECT_EQ(late.diameter, (DistanceRange{0, 899}));
  EXPECT_EQ(late.radius.upper, 899);
}

/// Also of a graph without vertices, and of a call that ends before its first search.
TEST(Eccentricity, TheDeviceIsReported) {
  for (const DeviceKind device : {DeviceKind::cpu, DeviceKind::sim}) {
    EccentricityOptions options = on(device, EccentricityGoal::every, Direction::out, EccentricityScope::each);
    EXPECT_EQ(eccentricities(Graph(), options).run.device, device);
    options.search.run.progress = [](const Step&) { return false; };
    const Eccentricities ended = eccentricities(build(chain(9)), options);
    EXPECT_EQ(ended.run.end, End::interrupted);
    EXPECT_EQ(ended.run.device, device);
  }
}

// nonsense: eccentricities
TEST(Eccentricity, NothingAndNonsense) {
  const Eccentricities none = eccentricities(Graph());
  EXPECT_TRUE(none.run.complete());
  EXPECT_EQ(none.from, no_vertex);
  EXPECT_EQ(none.components, 0u);
  const Graph one = build(chain(1));
  const Eccentricities alone = eccentricities(one);
  EXPECT_EQ(alone.searches, 0u);
  EXPECT_EQ(alone.lower[0], 0);
  EXPECT_EQ(alone.center, std::vector<VertexId>{0});
  EXPECT_EQ(alone.periphery, std::vector<VertexId>{0});
  const Graph path = build(chain(9));
  const auto with = [&](const auto& change) {
    EccentricityOptions options;
    options.search.run.device = DeviceKind::cpu;
    change(options);
    return id_of([&] { (void)eccentricities(path, options); });
  };
  EXPECT_EQ(with([](auto& o) { o.goal = static_cast<EccentricityGoal>(9); }), "HW-OPTION-VALUE");
  EXPECT_EQ(with([](auto& o) { o.scope = static_cast<EccentricityScope>(-1); }), "HW-OPTION-VALUE");
  EXPECT_EQ(with([](auto& o) { o.search.direction = static_cast<Direction>(7); }), "HW-OPTION-VALUE");
  EXPECT_EQ(with([](auto& o) { o.search.strategy = "no-such"; }), "HW-STRATEGY-UNKNOWN");
  expect_refusals([&](const RunOptions& run) { (void)eccentricities(path, {.search = {.run = run}}); });
  EXPECT_EQ(with([](auto&) {}), "HW-ECCENTRICITY-STRONG");  // a path's arcs lead one way
  EccentricityOptions options;
  options.search.run.device = DeviceKind::cpu;
  options.search.direction = Direction::both;
  options.search.run.progress = [](const Step&) -> bool { throw 7; };
  EXPECT_THROW((void)eccentricities(path, options), int);
}

}  // namespace of_eccentricity_test
}  // namespace hopwave::testing
