// Graphs: building against a naive builder, the transpose, ids, and what the constructor refuses.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "graph/rows.h"
#include "hopwave/hopwave.h"
#include "support/diameter.h"
#include "support/error_id.h"
#include "support/sanitized.h"
#include "support/ticks.h"
#include "support/weights.h"

namespace hopwave {
namespace of_graph_test {

struct Case {
  VertexId n = 0;
  std::size_t edges = 0;
  bool directed = true;
  bool weighted = false;
  bool near = false;  ///< ends close together: many duplicates
};

EdgeList random_list(const Case& c, std::uint64_t seed) {
  EdgeList list{.num_vertices = c.n, .directed = c.directed, .ids = Ids::consecutive(c.n)};
  const std::size_t m = c.n == 0 ? 0 : c.edges;
  list.edges = Array<Edge>(m);
  for (std::size_t i = 0; i < m; ++i) {
    const std::uint64_t r = splitmix64(seed + 3 * i), s = splitmix64(seed + 3 * i + 1);
    const auto u = static_cast<VertexId>(r % c.n);
    const auto v = c.near ? static_cast<VertexId>((u + s % 4) % c.n) : static_cast<VertexId>(s % c.n);
    list.edges[i] = {u, v};
  }
  const auto weight = [&](std::size_t i) { return static_cast<int>(splitmix64(seed + 3 * i + 2) % 41) - 20; };
  const auto of_type = [&]<class T>(T quarter) {
    return testing::made_weights(m, [&](std::size_t i) { return static_cast<T>(weight(i)) * quarter; });
  };
  // Every type in turn; quarters where it has them.
  if (!c.weighted) return list;
  list.weights = seed % 4 == 0   ? of_type(.25f)
                 : seed % 4 == 1 ? of_type(.25)
                 : seed % 4 == 2 ? of_type(1)
                                 : of_type(std::int64_t{1} << 40);
  return list;
}

struct Naive {
  std::vector<std::tuple<VertexId, VertexId, double>> arcs;
  EdgeIndex given = 0, duplicates = 0, self_loops = 0;
};

Naive naive_build(const EdgeList& list, const BuildOptions& o) {
  Naive out;
  std::vector<std::tuple<VertexId, VertexId, double>> all;
  for (std::size_t i = 0; i < list.edges.size(); ++i) {
    const auto [u, v] = list.edges[i];
    const double w = list.weights.empty() ? 0 : list.weights[i];
    all.emplace_back(u, v, w);
    if ((!list.directed || o.make_undirected) && u != v) all.emplace_back(v, u, w);
  }
  out.given = all.size();
  std::sort(all.begin(), all.end());
  for (const auto& a : all) {
    const bool loop = std::get<0>(a) == std::get<1>(a);
    out.self_loops += loop;
    if (loop && !o.keep_self_loops) continue;
    const bool again =
        !out.arcs.empty() && std::get<0>(out.arcs.back()) == std::get<0>(a) && std::get<1>(out.arcs.back()) == std::get<1>(a);
    out.duplicates += again;
    if (!again || o.keep_duplicates) out.arcs.push_back(a);
  }
  return out;
}

void expect_same(const Graph& g, const Naive& expected, bool weighted) {
  ASSERT_EQ(g.num_arcs(), expected.arcs.size());
  ASSERT_EQ(g.out().offsets.size(), g.num_vertices() + std::size_t{1});
  ASSERT_EQ(g.has_weights(), weighted && !expected.arcs.empty());
  std::size_t i = 0;
  for (VertexId v = 0; v < g.num_vertices(); ++v)
    for (EdgeIndex a = g.out().offsets[v]; a < g.out().offsets[v + 1]; ++a, ++i) {
      ASSERT_EQ(v, std::get<0>(expected.arcs[i]));
      ASSERT_EQ(g.out().neighbors[a], std::get<1>(expected.arcs[i]));
      if (weighted) {
        ASSERT_EQ(g.out().weights[a], std::get<2>(expected.arcs[i]));
      }
    }
  ASSERT_EQ(i, expected.arcs.size());
  EXPECT_EQ(g.build_report().arcs_in, expected.given);
  EXPECT_EQ(g.build_report().duplicates, expected.duplicates);
  EXPECT_EQ(g.build_report().self_loops, expected.self_loops);
  EXPECT_GT(g.build_report().time, Milliseconds());
}

TEST(Build, EqualsTheNaiveBuilder) {
  const testing::Ticks ticks;  // what is measured is above 0
  std::uint64_t seed = 1;
  for (const VertexId n : {0u, 1u, 2u, 31u, 32u, 33u, 255u, 256u, 1000u})
    for (const std::size_t edges : {std::size_t{0}, std::size_t{1}, std::size_t{n}, std::size_t{8} * n})
      for (const int flags : {0, 1, 2, 3, 4, 5, 6, 7}) {
        const Case c{
            .n = n, .edges = edges, .directed = (flags & 1) != 0, .weighted = (flags & 2) != 0, .near = (flags & 4) != 0};
        const EdgeList list = random_list(c, seed++);
        for (const int keep : {0, 1, 2, 3}) {
          BuildOptions o{
              .make_undirected = seed % 3 == 0, .keep_duplicates = (keep & 1) != 0, .keep_self_loops = (keep & 2) != 0};
          const Naive expected = naive_build(list, o);
          for (const int threads : {1, 2, 7}) {
            if (!testing::tried(seed + static_cast<std::uint64_t>(keep + threads))) continue;
            expect_same(build_graph(list, o, {.threads = threads}), expected, c.weighted);
            if (HasFatalFailure())
              FAIL() << "n " << n << " edges " << edges << " flags " << flags << " keep " << keep << " threads " << threads;
          }
        }
      }
}

TEST(Build, EqualsTheNaiveBuilderOverManyBuckets) {
  const testing::Ticks ticks;
  for (const VertexId n : {65535u, 65536u, 65537u, 1000000u})
    for (const bool near : {false, true}) {
      const Case c{.n = n, .edges = 300000, .directed = near, .weighted = near, .near = near};
      const EdgeList list = random_list(c, n);
      const Naive expected = naive_build(list, {});
      for (const int threads : {1, 2, 7}) {
        expect_same(build_graph(list, {}, {.threads = threads}), expected, c.weighted);
        if (HasFatalFailure()) FAIL() << "n " << n << " threads " << threads;
      }
    }
}

TEST(Build, EqualsTheNaiveBuilderWithHubsAtOneEnd) {
  const testing::Ticks ticks;
  for (const bool directed : {false, true}) {
    EdgeList list = random_list({.n = 200000, .edges = 400000, .directed = directed}, 5);
    for (std::size_t i = 0; i < list.edges.size(); ++i) {
      auto& [u, v] = list.edges[i];
      u = static_cast<VertexId>(std::uint64_t{u} * u / 200000 * u / 200000 * u / 200000);
      if (i % 3 == 0) u = 7;
    }
    const Naive expected = naive_build(list, {});
    for (const int threads : {1, 2, 7}) {
      expect_same(build_graph(list, {}, {.threads = threads}), expected, false);
      if (HasFatalFailure()) FAIL() << threads;
    }
  }
}

TEST(Build, LongPositionsGiveTheSameRows) {
  for (const bool weighted : {false, true}) {
    const EdgeList list = random_list({.n = 100000, .edges = 900000, .directed = false, .weighted = weighted, .near = true}, 9);
    const Graph expected = build_graph(list);
    Team team(3);
    graph::ListedArcs arcs(list.edges, list.weights, true);
    graph::RowCounts counts;
    const Adjacency got = graph::make_rows(team, list.num_vertices, arcs, {.long_positions = true}, counts);
    EXPECT_TRUE(std::ranges::equal(got.offsets.span(), expected.out().offsets.span()));
    EXPECT_TRUE(std::ranges::equal(got.neighbors.span(), expected.out().neighbors.span()));
    EXPECT_EQ(got.weights.type(), expected.out().weights.type());
    EXPECT_TRUE(std::ranges::equal(got.weights.bytes(), expected.out().weights.bytes()));
  }
}

TEST(Build, VertexNumbersUpToTheLastOne) {
  EdgeList list{.num_vertices = 20000000,
                .edges = Array<Edge>::copy_of(std::vector<Edge>{{19999999, 0}, {0, 19999999}, {19999999, 15000000}})};
  const Graph g = build_graph(std::move(list));
  EXPECT_EQ(g.num_arcs(), 3u);
  EXPECT_EQ(g.out_degree(19999999), 2u);
  EXPECT_EQ(g.out_neighbors(19999999)[1], 15000000u);
  EXPECT_EQ(g.out_neighbors(0)[0], 19999999u);
}

TEST(Build, RefusesEndsOutOfRange) {
  EdgeList list{.num_vertices = 4, .edges = Array<Edge>::copy_of(std::vector<Edge>{{0, 1}, {2, 4}})};
  try {
    build_graph(std::move(list));
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.id(), "HW-GRAPH-LIST");
    EXPECT_NE(std::string(e.what()).find("2 to 4"), std::string::npos);
  }
}

TEST(Build, BothDirectionsListedIsNotDoubledButChecked) {
  EdgeList list{.num_vertices = 3,
                .edges = Array<Edge>::copy_of(std::vector<Edge>{{0, 1}, {1, 0}, {1, 2}, {2, 1}}),
                .directed = false,
                .both_directions = true};
  EdgeList lying = list;
  const Graph g = build_graph(list, {.keep_duplicates = true});
  EXPECT_EQ(g.num_arcs(), 4u);
  EXPECT_FALSE(g.directed());
  lying.edges = Array<Edge>::copy_of(std::vector<Edge>{{0, 1}, {1, 0}, {1, 2}, {2, 0}});
  EXPECT_EQ(testing::id_of([&] { build_graph(std::move(lying)); }), "HW-GRAPH-SYMMETRY");
}

TEST(Transpose, HoldsEveryArcOnceTurnedRound) {
  for (const VertexId n : {1u, 33u, 1000u, 65537u})
    for (const bool weighted : {false, true}) {
      const Case c{.n = n, .edges = 300000, .weighted = weighted, .near = true};
      Graph g = build_graph(random_list(c, n), {.keep_duplicates = true, .keep_self_loops = true});
      EXPECT_FALSE(g.has_in());
      g.ensure_in();
      ASSERT_TRUE(g.has_in());
      std::vector<std::tuple<VertexId, VertexId, double>> out, in;
      const auto sources = g.arc_sources();
      ASSERT_EQ(sources.size(), g.num_arcs());
      for (EdgeIndex a = 0; a < g.num_arcs(); ++a)
        out.emplace_back(g.out().neighbors[a], sources[a], weighted ? g.out().weights[a] : 0);
      for (VertexId v = 0; v < n; ++v)
        for (EdgeIndex a = g.in().offsets[v]; a < g.in().offsets[v + 1]; ++a)
          in.emplace_back(v, g.in().neighbors[a], weighted ? g.in().weights[a] : 0);
      EXPECT_TRUE(std::is_sorted(in.begin(), in.end()));
      std::sort(out.begin(), out.end());
      EXPECT_EQ(in, out);
    }
}

std::string refusal(VertexId n, std::vector<EdgeIndex> offsets, std::vector<VertexId> neighbors) {
  try {
    Graph(n, true, {Array<EdgeIndex>::copy_of(offsets), Array<VertexId>::copy_of(neighbors), {}}, std::nullopt, {});
    return "";
  } catch (const Error& e) {
    return e.id();
  }
}

TEST(GraphArrays, AreChecked) {
  EXPECT_EQ(refusal(2, {0, 1, 2}, {1, 0}), "");
  EXPECT_EQ(refusal(0, {0}, {}), "");
  EXPECT_EQ(refusal(2, {0, 1}, {1, 0}), "HW-GRAPH-ARRAYS");
  EXPECT_EQ(refusal(2, {0, 1, 3}, {1, 0}), "HW-GRAPH-ARRAYS");
  EXPECT_EQ(refusal(2, {1, 1, 2}, {1, 0}), "HW-GRAPH-ARRAYS");
  EXPECT_EQ(refusal(2, {0, 3, 2}, {1, 0}), "HW-GRAPH-ARRAYS");
  EXPECT_EQ(refusal(2, {0, 1, 2}, {1, 2}), "HW-GRAPH-ARRAYS");
}

TEST(IdsTest, AllThreeKindsComeBack) {
  const Ids one = Ids::consecutive(5, 1);
  EXPECT_EQ(one.name(4), "5");
  EXPECT_EQ(one.find("1"), 0u);
  EXPECT_EQ(one.find("0"), std::nullopt);
  EXPECT_EQ(one.find("6"), std::nullopt);
  EXPECT_EQ(one.find("2x"), std::nullopt);
  const Ids gapped = Ids::integers(Array<std::int64_t>::copy_of(std::vector<std::int64_t>{-7, 0, 1ll << 40}));
  EXPECT_EQ(gapped.find("1099511627776"), 2u);
  EXPECT_EQ(gapped.find("-7"), 0u);
  EXPECT_EQ(gapped.find("5"), std::nullopt);
  EXPECT_EQ(gapped.name(0), "-7");
  Ids copy;
  {
    const Ids names = Ids::strings({"b", "a", "short"});
    copy = names;
  }
  EXPECT_EQ(copy.find("a"), 1u);
  EXPECT_EQ(copy.find("c"), std::nullopt);
  EXPECT_EQ(copy.name(2), "short");
  EXPECT_THROW(Ids::strings({"a", "a"}), Error);
  EXPECT_THROW(Ids::integers(Array<std::int64_t>::copy_of(std::vector<std::int64_t>{1, 1})), Error);
  EXPECT_THROW((void)copy.number(0), Error);
}

TEST(ProfileTest, CountsByHand) {
  // The textbook's example and one isolated vertex.
  EdgeList list;
  list.num_vertices = 10;
  list.edges = Array<Edge>::copy_of(std::vector<Edge>{
      {0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 5}, {2, 6}, {2, 7}, {3, 4}, {3, 8}, {4, 5}, {4, 8}, {5, 6}, {6, 8}, {7, 0}, {7, 6}});
  Graph g = build_graph(std::move(list));
  for (int turn = 0; turn < 2; ++turn) {
    const Profile p = profile(g);
    EXPECT_EQ(p.num_vertices, 10u);
    EXPECT_EQ(p.num_arcs, 15u);
    EXPECT_DOUBLE_EQ(p.average_degree, 1.5);
    EXPECT_NEAR(p.degree_deviation, 0.9219544457, 1e-9);  // squares of degrees sum to 31: 3.1 - 2.25
    EXPECT_DOUBLE_EQ(p.median_degree, 2);
    EXPECT_EQ(p.max_degree, 3u);
    EXPECT_EQ(p.isolated, 1u);
    g.ensure_in();
  }
}

/// Labels by a sequential union-find that keeps the smallest vertex as root.
std::vector<VertexId> union_find(const Graph& g) {
  std::vector<VertexId> root(g.num_vertices());
  for (VertexId v = 0; v < g.num_vertices(); ++v) root[v] = v;
  auto find = [&](VertexId v) {
    while (root[v] != v) v = root[v] = root[root[v]];
    return v;
  };
  for (VertexId v = 0; v < g.num_vertices(); ++v)
    for (const VertexId u : g.out_neighbors(v)) {
      const VertexId a = find(u), b = find(v);
      root[std::max(a, b)] = std::min(a, b);
    }
  for (VertexId v = 0; v < g.num_vertices(); ++v) root[v] = find(v);
  return root;
}

TEST(ComponentsTest, EqualUnionFind) {
  for (const VertexId n : {1u, 2u, 33u, 1000u, 70000u})
    for (const bool directed : {false, true})
      for (const double density : {.3, .5, .7, 2.0}) {
        const Case c{.n = n, .edges = static_cast<std::size_t>(n * density), .directed = directed, .near = n % 2 == 1};
        Graph g = build_graph(random_list(c, n));
        const auto expected = union_find(g);
        for (int turn = 0; turn < (directed ? 2 : 1); ++turn) {
          const Components got = connected_components(g);
          ASSERT_TRUE(std::equal(expected.begin(), expected.end(), got.label.begin())) << n << " " << density;
          std::map<VertexId, VertexId> sizes;
          for (const VertexId label : expected) ++sizes[label];
          const auto largest =
              std::max_element(sizes.begin(), sizes.end(), [](auto& a, auto& b) { return a.second < b.second; });
          EXPECT_EQ(got.count, sizes.size());
          EXPECT_EQ(got.largest_label, largest->first);
          EXPECT_EQ(got.largest_size, largest->second);
          g.ensure_in();
        }
      }
}

/// Longest of all shortest paths, by a search from every vertex; arcs both ways.
Distance all_pairs_diameter(const Graph& g) {
  std::vector<std::vector<VertexId>> rows(g.num_vertices());
  for (VertexId v = 0; v < g.num_vertices(); ++v)
    for (const VertexId u : g.out_neighbors(v)) rows[v].push_back(u), rows[u].push_back(v);
  Distance longest = 0;
  for (VertexId s = 0; s < g.num_vertices(); ++s) {
    std::vector<Distance> d(g.num_vertices(), unreached);
    std::vector<VertexId> queue{s};
    d[s] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (const VertexId u : rows[queue[i]])
        if (d[u] == unreached) d[u] = d[queue[i]] + 1, queue.push_back(u);
    longest = std::max(longest, d[queue.back()]);
  }
  return longest;
}

TEST(Diameter, ExactEqualsAllPairs) {
  for (const VertexId n : {1u, 2u, 5u, 40u, 150u})
    for (const bool directed : {false, true})
      for (const double density : {.4, .8, 1.2, 3.0})
        for (std::uint64_t seed = 0; seed < 4; ++seed) {
          const Case c{.n = n, .edges = static_cast<std::size_t>(n * density), .directed = directed, .near = seed % 2 == 1};
          const Graph g = build_graph(random_list(c, 77 * seed + n));
          const Distance expected = all_pairs_diameter(g);
          ASSERT_EQ(exact_diameter(g, 10000), expected) << n << " " << directed << " " << density << " " << seed;
          if (!directed) {
            for (VertexId start = 0; start < n; start += 7) ASSERT_LE(estimate_diameter(g, start), expected);
          }
        }
}

TEST(Diameter, StopsWhenToldTo) {
  const Graph g = build_graph(generate("grid:30x30"));
  std::vector<std::uint64_t> asked;
  Distance seen = -1;
  const auto within = [&](std::uint64_t most) {
    asked.clear();
    return exact_diameter(g, 10000, [&](const Step& step) {
      if (asked.empty() || asked.back() != step.done) asked.push_back(step.done);
      seen = step.longest;
      return step.done < most;
    });
  };
  EXPECT_EQ(within(0), std::nullopt);
  EXPECT_EQ(asked, std::vector<std::uint64_t>{0});
  EXPECT_EQ(within(2), std::nullopt);
  EXPECT_EQ(asked, (std::vector<std::uint64_t>{0, 1, 2}));
  EXPECT_GE(seen, 29);  // the first search starts in the middle, and half the diameter is the least
  EXPECT_EQ(within(10000), 58);
  EXPECT_EQ(build_graph(generate("pmpp")).directed(), true);
  EXPECT_EQ(exact_diameter(build_graph(generate("pmpp")), 100, [](const Step&) { return false; }), std::nullopt);
}

TEST(Diameter, OfKnownGraphs) {
  auto made = [](std::string_view spec) { return build_graph(generate(spec)); };
  EXPECT_EQ(exact_diameter(made("chain:70000"), 10), 69999);
  EXPECT_EQ(estimate_diameter(made("chain:70000"), 35000), 69999);
  EXPECT_EQ(exact_diameter(made("star:1000"), 100), 2);
  EXPECT_EQ(exact_diameter(made("grid:40x30"), 2000), 68);
  EXPECT_EQ(exact_diameter(made("grid:40x30"), 1), std::nullopt);
  EXPECT_EQ(exact_diameter(made("chain:1"), 0), 0);
  EXPECT_GE(estimate_diameter(made("rmat:14,16"), 1), 4);
}

TEST(Diameter, EstimateFollowsArcs) {
  EdgeList list;  // 0 → 1 → 2 → 3, and 3 ← 4
  list.num_vertices = 5;
  list.edges = Array<Edge>::copy_of(std::vector<Edge>{{0, 1}, {1, 2}, {2, 3}, {4, 3}});
  Graph g = build_graph(std::move(list));
  EXPECT_EQ(estimate_diameter(g, 1), 2);  // only what lies ahead of vertex 1
  g.ensure_in();
  EXPECT_EQ(estimate_diameter(g, 1), 3);  // from vertex 3 backwards the path begins at 0
  EXPECT_EQ(exact_diameter(g, 10), 4);    // 0 to 4 without regard to directions
}

}  // namespace of_graph_test
}  // namespace hopwave
