// Graphs without some vertices or arcs, and searches of them by every strategy family, against a search that skips them.
#include "hopwave/restrict.h"

#include <gtest/gtest.h>

#include <random>

#include "hopwave/error.h"
#include "hopwave/search.h"
#include "hopwave/validate.h"
#include "support/error_id.h"
#include "support/graphs.h"

namespace hopwave::testing {
namespace of_restrict_test {

struct Drawn {
  Restriction restriction;
  std::vector<std::uint8_t> vertices, arcs;
};

/// `kinds`: 1: vertices, 2: arcs, 4: a predicate.
Drawn draw(const Graph& g, unsigned kinds, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Drawn drawn;
  for (VertexId v = 0; v < g.num_vertices(); ++v) drawn.vertices.push_back(!(kinds & 1) || random() % 4 != 0);
  for (EdgeIndex e = 0; e < g.num_arcs(); ++e) drawn.arcs.push_back(!(kinds & 2) || random() % 4 != 0);
  if (kinds & 1) drawn.restriction.vertices = Array<const std::uint8_t>::copy_of(drawn.vertices);
  if (kinds & 2) drawn.restriction.arcs = Array<const std::uint8_t>::copy_of(drawn.arcs);
  if (kinds & 4) drawn.restriction.allowed = [](VertexId from, VertexId to) { return (from * 7 + to) % 5 != 0; };
  return drawn;
}

/// A search that looks at each arc's permission as it goes: nothing of the library's way.
std::vector<Distance> by_hand(const Graph& g, const Drawn& drawn, VertexId source) {
  std::vector<Distance> distance(g.num_vertices(), unreached);
  std::vector<VertexId> queue{source};
  distance[source] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const VertexId u = queue[i];
    for (EdgeIndex e = g.out().offsets[u]; e < g.out().offsets[u + 1ull]; ++e) {
      const VertexId v = g.out().neighbors[e];
      if (!drawn.vertices[u] || !drawn.vertices[v] || !drawn.arcs[e] || distance[v] != unreached) continue;
      if (drawn.restriction.allowed && !drawn.restriction.allowed(u, v)) continue;
      distance[v] = distance[u] + 1;
      queue.push_back(v);
    }
  }
  return distance;
}

std::vector<SearchOptions> searches() {
  return {
      {.strategy = "cpu-sequential", .run = {.device = DeviceKind::cpu}},
      {.strategy = "cpu-parallel", .run = {.device = DeviceKind::cpu, .threads = 2}},
      {.strategy = "cpu-direction", .run = {.device = DeviceKind::cpu, .threads = 2}},
      {.run = {.device = DeviceKind::sim}},
      {.parameters = {{"high_diameter", 0}, {"single_cluster", 0}, {"shared_memory", 0}}, .run = {.device = DeviceKind::sim}},
      {.prepare = true, .run = {.device = DeviceKind::sim}},
      {.strategy = "pmpp-vertex-pull", .run = {.device = DeviceKind::sim}}};
}

TEST(Restricted, EveryStrategyAgreesWithASearchThatSkips) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const Graph g = build(random_graph(seed), true, seed % 2 == 0);
    if (g.num_vertices() == 0) continue;
    for (const unsigned kinds : {1u, 2u, 4u, 7u}) {
      const Drawn drawn = draw(g, kinds, seed);
      const Graph left = restricted(g, drawn.restriction);
      EXPECT_EQ(left.num_vertices(), g.num_vertices());
      if (g.has_in()) EXPECT_TRUE(left.has_in());
      const auto source = static_cast<VertexId>(seed * 31 % g.num_vertices());
      const std::vector<Distance> expected = by_hand(g, drawn, source);
      const SearchOptions options = searches()[(seed * 4 + kinds) % searches().size()];
      const Result result = search(left, {.sources = {source}, .parents = true}, options);
      EXPECT_EQ(distances_of(result), expected) << "seed " << seed << ", kinds " << kinds << ", " << options.strategy;
      EXPECT_TRUE(validate(left, {.sources = {source}, .parents = true}, result).ok);
    }
  }
}

TEST(Restricted, AnUndirectedGraphStaysSoWhereBothDirectionsGo) {
  const Graph g = build(grid(5, 5));
  ASSERT_FALSE(g.directed());
  std::vector<std::uint8_t> keep(25, 1);
  keep[12] = 0;
  const Graph without = restricted(g, {.vertices = Array<const std::uint8_t>::copy_of(keep)});
  EXPECT_FALSE(without.directed());
  EXPECT_EQ(without.num_arcs(), g.num_arcs() - 8);
  EXPECT_EQ(without.out_degree(12), 0u);
  EXPECT_FALSE(restricted(g, {.allowed = [](VertexId a, VertexId b) { return a + b != 1; }}).directed());
  const Graph one_way = restricted(g, {.allowed = [](VertexId a, VertexId b) { return a < b; }});
  EXPECT_TRUE(one_way.directed());
  EXPECT_EQ(one_way.num_arcs() * 2, g.num_arcs());
}

TEST(Restricted, IdsAndWeightsStay) {
  EdgeList list;
  list.num_vertices = 3;
  list.edges = Array<Edge>::copy_of(std::vector<Edge>{{0, 1}, {0, 2}, {1, 2}});
  list.weights = Array<float>::copy_of(std::vector<float>{5, 6, 7});
  const Graph g = build_graph(std::move(list));
  const Graph left = restricted(g, {.allowed = [](VertexId, VertexId to) { return to == 2; }});
  ASSERT_EQ(left.num_arcs(), 2u);
  EXPECT_EQ(left.out().weights[0], 6);
  EXPECT_EQ(left.out().weights[1], 7);
  EXPECT_EQ(left.ids().count(), 3u);
  EXPECT_EQ(restricted(g, {}).num_arcs(), 3u);
  EXPECT_EQ(restricted(Graph(), {}).num_vertices(), 0u);
}

// nonsense: Restriction::any restricted
TEST(Restricted, NonsenseIsRefused) {
  const Graph g = build(chain(4));
  const auto mask = [](std::size_t n) { return Array<const std::uint8_t>::filled(n, 1); };
  const auto id_of = [&](const Restriction& r) { return testing::id_of([&] { restricted(g, r); }, "no error"); };
  EXPECT_FALSE(Restriction().any());
  EXPECT_TRUE((Restriction{.vertices = mask(1)}.any()));
  EXPECT_EQ(id_of({.vertices = mask(3)}), "HW-RESTRICT-SIZE");
  EXPECT_EQ(id_of({.vertices = mask(5)}), "HW-RESTRICT-SIZE");
  EXPECT_EQ(id_of({.arcs = mask(2)}), "HW-RESTRICT-SIZE");
  EXPECT_EQ(id_of({.arcs = mask(3)}), "no error");
  EXPECT_THROW(restricted(g, {.allowed = [](VertexId, VertexId) -> bool { throw 7; }}), int);
}

}  // namespace of_restrict_test
}  // namespace hopwave::testing
