// Graphs from the caller's own arrays, ids of every kind, and answers by them.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "hopwave/hopwave.h"
#include "support/error_id.h"
#include "support/hostile.h"

namespace hopwave {
namespace of_own_edges_test {

std::vector<VertexId> row(const Graph& g, VertexId v) {
  const auto r = g.out_neighbors(v);
  return {r.begin(), r.end()};
}
using Row = std::vector<VertexId>;

template <class T>
class Widths : public ::testing::Test {};
using Numbers = ::testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                                 std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(Widths, Numbers);

TYPED_TEST(Widths, PairsAndColumnsOfEveryWidthGiveTheSameGraph) {
  const std::vector<std::pair<TypeParam, TypeParam>> pairs{{7, 100}, {100, 42}, {7, 42}};
  const std::vector<TypeParam> sources{7, 100, 7}, targets{100, 42, 42};
  for (const Graph& g : {Graph::from_edges(pairs), Graph::from_edges(sources, targets),
                         Graph::from_edges(std::span<const TypeParam>(sources), std::span<const TypeParam>(targets))}) {
    ASSERT_EQ(g.num_vertices(), 3u);  // 7, 42, 100 in ascending order
    EXPECT_EQ(row(g, 0), (Row{1, 2}));
    EXPECT_EQ(row(g, 1), Row{});
    EXPECT_EQ(row(g, 2), Row{1});
    EXPECT_EQ(g.vertex(100), 2u);
    EXPECT_EQ(g.name(1), "42");
    EXPECT_TRUE(g.directed());
  }
}

TEST(OwnEdges, TakesWhatStandsInMemory) {
  const std::pair<int, long> c_array[] = {{5, 6}};
  EXPECT_EQ(Graph::from_edges(c_array).ids().first(), 5);
  EXPECT_EQ(Graph::from_edges({{5, 6}, {6, 7}}).num_arcs(), 2u);
  EXPECT_EQ(Graph::from_edges(std::vector<Edge>{{0, 1}, {1, 2}}).num_vertices(), 3u);
  EXPECT_EQ(Graph::from_edges(std::vector<std::array<int, 2>>{{0, 1}, {1, 2}}).num_vertices(), 3u);
  EXPECT_EQ(Graph::from_edges(std::vector<std::pair<int, int>>{}).num_vertices(), 0u);
  EXPECT_EQ(Graph::from_edges({{0, 1}}, {.directed = false}).num_arcs(), 2u);
}

TEST(OwnEdges, NegativeAndHugeIdsAreCompactedAndGivenBack) {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  const Graph g = Graph::from_edges({{-1, most}, {most, -most}, {0, -1}});
  ASSERT_EQ(g.num_vertices(), 4u);
  EXPECT_EQ(g.vertex(-most), 0u);
  EXPECT_EQ(g.vertex(-1), 1u);
  EXPECT_EQ(g.vertex(std::int64_t{0}), 2u);
  EXPECT_EQ(g.vertex(most), 3u);
  EXPECT_EQ(row(g, 1), Row{3});
  EXPECT_EQ(row(g, 3), Row{0});
  EXPECT_EQ(row(g, 2), Row{1});
}

TEST(OwnEdges, ManyScatteredIdsAgreeWithASortedTable) {
  std::vector<std::pair<std::int64_t, std::int64_t>> edges;
  std::vector<std::int64_t> ids;
  for (std::int64_t i = 0; i < 100000; ++i) {
    const auto u = static_cast<std::int64_t>(splitmix64(static_cast<std::uint64_t>(i % 5000)));
    const auto v = static_cast<std::int64_t>(splitmix64(static_cast<std::uint64_t>(i / 7)));
    edges.emplace_back(u, v);
    ids.insert(ids.end(), {u, v});
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  const Graph g = Graph::from_edges(edges, {.run = {.threads = 3}});
  ASSERT_EQ(g.num_vertices(), ids.size());
  for (VertexId v = 0; v < g.num_vertices(); ++v) ASSERT_EQ(g.ids().number(v), ids[v]);
  for (const auto& [u, v] : edges) {
    if (u == v) continue;
    const auto r = g.out_neighbors(g.vertex(u));
    ASSERT_TRUE(std::binary_search(r.begin(), r.end(), g.vertex(v)));
  }
}

TEST(OwnEdges, TextsInOrderOfAppearance) {
  const std::vector<std::pair<std::string, std::string>> edges{{"alice", "bob"}, {"bob", "carol"}, {"dave", "alice"}};
  const std::vector<const char*> from{"alice", "bob", "dave"};
  const std::vector<std::string_view> to{"bob", "carol", "alice"};
  for (const Graph& g : {Graph::from_edges(edges), Graph::from_edges(from, to)}) {
    ASSERT_EQ(g.num_vertices(), 4u);
    EXPECT_EQ(g.name(0), "alice");
    EXPECT_EQ(g.name(3), "dave");
    EXPECT_EQ(row(g, g.vertex("bob")), Row{g.vertex("carol")});
  }
}

TEST(OwnEdges, WithANumberOfVerticesIdsAreVertices) {
  const Graph g = Graph::from_edges({{3, 1}}, {.num_vertices = 6});
  EXPECT_EQ(g.num_vertices(), 6u);
  EXPECT_EQ(row(g, 3), Row{1});
  EXPECT_EQ(g.vertex(5), 5u);
}

TEST(OwnEdges, WeightsStayWithTheirArcs) {
  const std::vector<float> weights{.5f, 2.f};
  const Graph g = Graph::from_edges({{9, 4}, {4, 9}}, {.weights = weights});
  EXPECT_EQ(g.out().weights[0], 2.f);  // of 4 → 9: vertex 0's row
  EXPECT_EQ(g.out().weights[1], .5f);
}

TEST(OwnEdges, Rows) {
  const std::vector<int> offsets{0, 2, 3, 3};
  const std::vector<std::uint16_t> neighbors{1, 2, 0};
  const Graph g = Graph::from_csr(offsets, neighbors);
  EXPECT_EQ(row(g, 0), (Row{1, 2}));
  EXPECT_EQ(Graph::from_csr(offsets, neighbors, {.trusted = true}).num_arcs(), 3u);
  EXPECT_EQ(Graph::from_csr(offsets, neighbors, {.ids = Ids::strings({"x", "y", "z"})}).name(2), "z");
  EXPECT_EQ(Graph::from_csr(std::vector<int>{}, std::vector<int>{}).num_vertices(), 0u);

  const std::vector<std::uint16_t> mixed{2, 1, 0};
  const std::vector<float> weights{20.f, 10.f, 5.f};
  EXPECT_EQ(testing::id_of([&] { Graph::from_csr(offsets, mixed); }), "HW-GRAPH-ARRAYS");
  const Graph sorted = Graph::from_csr(offsets, mixed, {.sort_rows = true, .weights = weights});
  EXPECT_EQ(row(sorted, 0), (Row{1, 2}));
  EXPECT_EQ(sorted.out().weights[0], 10.f);
  EXPECT_EQ(row(Graph::from_csr(offsets, mixed, {.sort_rows = true}), 0), (Row{1, 2}));
}

TEST(OwnEdges, RefusalsSayWhereAndWhat) {
  using Pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;
  EXPECT_EQ(Graph::from_edges(std::vector<std::pair<std::uint64_t, std::uint64_t>>{{0, INT64_MAX}}).num_vertices(), 2u);
  const auto found = [](const Pairs& pairs, const EdgeOptions& options) {
    const Error::Parts parts = testing::parts_of([&] { Graph::from_edges(pairs, options); });
    return parts.found + ", expected " + parts.expected;
  };
  EXPECT_EQ(found({{0, 1}, {1, 6}, {9, 0}}, {.num_vertices = 9}), "source 9 of edge 2, expected a vertex from 0 to 8");
  EXPECT_EQ(found({{0, 1}, {1, 6}, {5, -3}, {6, 6}}, {.num_vertices = 6}), "source 6 of edge 3, expected a vertex from 0 to 5");
  EXPECT_EQ(found({{0, 1}, {1, 6}, {5, -3}}, {.num_vertices = 6}), "target 6 of edge 1, expected a vertex from 0 to 5");
  EXPECT_EQ(found({{0, 0}}, {.num_vertices = 0}), "source 0 of edge 0, expected no edge: there are no vertices");
  EXPECT_EQ(found({{0, 1}, {0, INT64_MIN}}, {}),
            "target -9223372036854775808 of edge 1, expected an id from -2^63 + 1 to 2^63 - 1");
  EXPECT_EQ(Graph::from_edges(Pairs{{0, 8}, {8, 0}}, {.num_vertices = 9}).num_vertices(), 9u);
  const std::vector<int> two{0, 1}, three{0, 1, 2};
  const std::vector<float> one{1};
  EXPECT_EQ(testing::parts_of([&] { Graph::from_edges(two, three); }).found, "2 sources and 3 targets");
  EXPECT_EQ(testing::parts_of([&] { Graph::from_edges(two, two, {.weights = one}); }).found, "1 weights of 2 edges");
  const std::vector<int> none{0, 0};
  EXPECT_EQ(testing::parts_of([&] { Graph::from_csr(none, std::vector<int>{}, {.weights = one}); }).found,
            "1 weights of 0 arcs");
}

/// Threads take shares of 65,536 edges.
TEST(OwnEdges, OfEverySizeAroundAShare) {
  constexpr std::size_t share = std::size_t{1} << 16;
  for (const std::size_t m : {share - 1, share, share + 1, 3 * share + 1}) {
    std::vector<std::int64_t> sources(m), targets(m);
    for (const std::int64_t gap : {1, 3, 1'000'003}) {  // consecutive, in a bitmap, scattered
      for (std::size_t i = 0; i < m; ++i) {
        sources[i] = (static_cast<std::int64_t>(i) - 100) * gap;
        targets[i] = (static_cast<std::int64_t>((i + 1) % m) - 100) * gap;
      }
      const Graph g = Graph::from_edges(sources, targets);
      ASSERT_EQ(g.num_vertices(), m) << gap;
      EXPECT_EQ(g.ids().kind(), gap == 1 ? Ids::Kind::consecutive : Ids::Kind::integers) << gap;
      for (VertexId v = 0; v < m; ++v) {
        ASSERT_EQ(g.ids().number(v), (static_cast<std::int64_t>(v) - 100) * gap);
        if (g.out_neighbors(v).size() != 1 || g.out_neighbors(v)[0] != (v + 1) % m) FAIL() << m << " " << gap << " " << v;
      }
    }
    sources[m - 1] = sources[m / 2] = INT64_MIN;
    EXPECT_EQ(testing::parts_of([&] { Graph::from_edges(sources, targets); }).found,
              "source -9223372036854775808 of edge " + std::to_string(m / 2));
  }
}

TEST(OwnEdges, RowsAreSortedWithTheirWeights) {
  constexpr std::uint32_t n = 5000;  // shares of 1,024 rows
  std::vector<std::uint32_t> offsets{0}, neighbors;
  std::vector<float> weights;
  for (std::uint32_t v = 0; v < n; ++v) {
    for (std::uint32_t k = v % 7; k-- > 0;) {
      neighbors.push_back((v + 11 * k) % n);
      weights.push_back(static_cast<float>((v + 11 * k) % n));
    }
    offsets.push_back(static_cast<std::uint32_t>(neighbors.size()));
  }
  for (const bool weighted : {false, true}) {
    CsrOptions options{.sort_rows = true};
    if (weighted) options.weights = weights;
    const Graph g = Graph::from_csr(offsets, neighbors, options);
    ASSERT_EQ(g.num_arcs(), neighbors.size());
    for (VertexId v = 0; v < n; ++v) {
      const auto of = g.out_neighbors(v);
      ASSERT_EQ(of.size(), v % 7);
      ASSERT_TRUE(std::is_sorted(of.begin(), of.end()));
      for (std::size_t i = 0; weighted && i < of.size(); ++i)
        ASSERT_EQ(g.out().weights[g.out().offsets[v] + i], static_cast<float>(of[i]));
    }
  }
}

// nonsense: Graph::from_edges
TEST(OwnEdges, NonsenseIsRefused) {
  const std::vector<int> two{0, 1}, three{0, 1, 2};
  const std::vector<float> weight{1.f};
  const std::vector<std::string> names{"a", "b"};
  EXPECT_EQ(testing::id_of([&] { Graph::from_edges(two, three); }), "HW-EDGES-COLUMNS");
  EXPECT_EQ(testing::id_of([&] { Graph::from_edges(two, two, {.weights = weight}); }), "HW-EDGES-COLUMNS");
  EXPECT_EQ(testing::id_of([&] { Graph::from_edges(two, names); }), "HW-EDGES-ID");
  EXPECT_EQ(testing::id_of([&] { Graph::from_edges(names, names, {.num_vertices = 2}); }), "HW-EDGES-ID");
  EXPECT_EQ(testing::id_of([&] { Graph::from_edges({{0, 6}}, {.num_vertices = 6}); }), "HW-EDGES-RANGE");
  EXPECT_EQ(testing::id_of([&] { Graph::from_edges({{-1, 0}}, {.num_vertices = 6}); }), "HW-EDGES-RANGE");
  EXPECT_EQ(testing::id_of([&] { Graph::from_edges({{0, 0}}, {.num_vertices = 0}); }), "HW-EDGES-RANGE");
  EXPECT_EQ(testing::id_of([&] { Graph::from_edges({{0, 1}}, {.num_vertices = no_vertex}); }), "HW-VERTICES-MAX");
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> huge{{0, 1}, {std::uint64_t{1} << 63, 1}};
  EXPECT_EQ(testing::id_of([&] { Graph::from_edges(huge); }), "HW-EDGES-ID");
  EXPECT_EQ(testing::id_of([&] { Graph::from_edges({{INT64_MIN, 1}}); }), "HW-EDGES-ID");
}

// nonsense: Graph::from_csr
TEST(OwnEdges, RowsOfNonsenseAreRefused) {
  using V = std::vector<std::int64_t>;
  const auto csr = [](const V& offsets, const V& neighbors, const CsrOptions& options = {}) {
    return testing::id_of([&] { Graph::from_csr(offsets, neighbors, options); });
  };
  for (const bool sort : {false, true}) {
    EXPECT_EQ(csr({0, 2, 1}, {0, 1}, {.sort_rows = sort}), "HW-GRAPH-ARRAYS");
    EXPECT_EQ(csr({0, -1, 1}, {0}, {.sort_rows = sort}), "HW-GRAPH-ARRAYS");
    EXPECT_EQ(csr({1, 1}, {0}, {.sort_rows = sort}), "HW-GRAPH-ARRAYS");
    EXPECT_EQ(csr({0, 1}, {1}, {.sort_rows = sort}), "HW-GRAPH-ARRAYS");
    EXPECT_EQ(csr({0, 1}, {-1}, {.sort_rows = sort}), "HW-GRAPH-ARRAYS");
    EXPECT_EQ(csr({0, 1}, {std::int64_t{1} << 32}, {.sort_rows = sort}), "HW-GRAPH-ARRAYS");  // not vertex 0
    EXPECT_EQ(csr({}, {1}, {.sort_rows = sort}), "HW-GRAPH-ARRAYS");
  }
  EXPECT_EQ(csr({0, 1, 1}, {1}, {.directed = false}), "HW-GRAPH-SYMMETRY");
  const std::vector<float> weights{1.f, 2.f};
  EXPECT_EQ(csr({0, 0}, {}, {.weights = weights}), "HW-EDGES-COLUMNS");
  EXPECT_EQ(csr({0, 0}, {}, {.ids = Ids::consecutive(2)}), "HW-GRAPH-ARRAYS");
}

TEST(Lookup, AnswersByTheCallersIds) {
  const std::vector<std::pair<std::string, std::string>> edges{{"alice", "bob"}, {"bob", "carol"}, {"dave", "alice"}};
  const Graph g = Graph::from_edges(edges);
  const Result r = search(g, {.sources = {g.vertex("alice")}, .parents = true}, {.run = {.device = DeviceKind::cpu}});
  EXPECT_EQ(r.distance_of(g, "carol"), 2);
  EXPECT_EQ(r.distance_of(g, "dave"), unreached);
  EXPECT_EQ(r.path_to(g, "carol"), (Row{g.vertex("alice"), g.vertex("bob"), g.vertex("carol")}));
  EXPECT_EQ(r.path_to(g, "alice"), Row{g.vertex("alice")});
  EXPECT_EQ(r.path_to(g, "dave"), Row{});
  const Graph numbers = Graph::from_edges({{100, 200}, {200, 300}});
  const Result n = search(numbers, {.sources = {numbers.vertex(100)}, .parents = true}, {.run = {.device = DeviceKind::cpu}});
  EXPECT_EQ(n.distance_of(numbers, 300), 2);
  EXPECT_EQ(n.path_to(numbers, 300).size(), 3u);
}

// nonsense: Graph::vertex Graph::name Result::distance_of Result::path_to
TEST(Lookup, NonsenseIsRefused) {
  const Graph g = Graph::from_edges({{1, 2}}), other = Graph::from_edges({{1, 2}, {2, 3}});
  const Result r = search(g, {.sources = {0}}, {.run = {.device = DeviceKind::cpu}});
  EXPECT_EQ(testing::id_of([&] { (void)g.vertex(3); }), "HW-IDS-UNKNOWN");
  EXPECT_EQ(testing::id_of([&] { (void)g.vertex(~0ull); }), "HW-IDS-UNKNOWN");  // not −1
  EXPECT_FALSE(g.ids().find(~0ull));
  EXPECT_EQ(testing::id_of([&] { (void)g.vertex("x"); }), "HW-IDS-UNKNOWN");
  EXPECT_EQ(testing::id_of([&] { (void)g.vertex(""); }), "HW-IDS-UNKNOWN");
  EXPECT_EQ(testing::id_of([&] { (void)g.name(2); }), "HW-IDS-RANGE");
  EXPECT_EQ(testing::id_of([&] { (void)r.distance_of(g, 0); }), "HW-IDS-UNKNOWN");
  EXPECT_EQ(testing::id_of([&] { (void)r.distance_of(other, 1); }), "HW-RESULT-GRAPH");
  EXPECT_EQ(testing::id_of([&] { (void)Result().distance_of(g, 1); }), "HW-RESULT-GRAPH");
  EXPECT_EQ(testing::id_of([&] { (void)r.path_to(g, 1); }), "HW-RESULT-PARENTS");
  EXPECT_EQ(testing::id_of([&] { (void)r.path_to(other, 1); }), "HW-RESULT-GRAPH");
  Result circle = search(g, {.sources = {0}, .parents = true}, {.run = {.device = DeviceKind::cpu}});
  circle.parent[0] = 1;
  EXPECT_EQ(testing::id_of([&] { (void)circle.path_to(g, 2); }), "HW-RESULT-PARENTS");
}

}  // namespace of_own_edges_test
}  // namespace hopwave
