// Preparation: orders are permutations with the promised order, renamed graphs are the same graphs, heads and rows agree.
#include "graph/prepare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "hopwave/hopwave.h"

namespace hopwave::graph {
namespace {

Graph made(std::string_view spec, bool directed = false) {
  EdgeList list = generate(spec);
  list.directed = list.directed || directed;
  Graph g = build_graph(std::move(list), {.keep_duplicates = true, .keep_self_loops = true});
  g.ensure_in();
  return g;
}

void expect_inverse(const Order& o) {
  for (std::size_t i = 0; i < o.order.size(); ++i) ASSERT_EQ(o.rank[o.order[i]], i);
}

/// Row `v` of `renamed`, back in old names, is row order[v] of `rows`.
void expect_same_rows(const Adjacency& rows, const Adjacency& renamed, const Order& o) {
  ASSERT_EQ(rows.neighbors.size(), renamed.neighbors.size());
  for (std::size_t v = 0; v < o.order.size(); ++v) {
    const VertexId *begin = renamed.neighbors.data() + renamed.offsets[v],
                   *end = renamed.neighbors.data() + renamed.offsets[v + 1];
    ASSERT_TRUE(std::is_sorted(begin, end));
    std::vector<VertexId> old;
    for (const VertexId* u = begin; u < end; ++u) old.push_back(o.order[*u]);
    std::sort(old.begin(), old.end());
    const VertexId from = o.order[v];
    ASSERT_TRUE(std::equal(old.begin(), old.end(), rows.neighbors.data() + rows.offsets[from],
                           rows.neighbors.data() + rows.offsets[from + std::size_t{1}]));
  }
}

const char* const specs[] = {"chain:1",    "star:70000",  "chain:33",           "pmpp", "rmat:13,8", "streets:60",
                             "mesh:90x40", "complete:40", "hub-chain:4,3000,20"};

TEST(DegreeOrder, FallsWithinTheGiantAndOutsideAndNamesArcsRight) {
  for (const auto* spec : specs)
    for (const bool directed : {false, true})
      for (const int threads : {1, 3}) {
        SCOPED_TRACE(spec);
        const Graph g = made(spec, directed);
        const Components c = connected_components(g);
        Team team(threads);
        const Order o = order_by_degree(team, g.num_vertices(), g.out(), c);
        ASSERT_NO_FATAL_FAILURE(expect_inverse(o));
        EXPECT_EQ(o.giant, c.largest_size);
        for (VertexId v = 0; v < g.num_vertices(); ++v) {
          ASSERT_EQ(v < o.giant, c.label[o.order[v]] == c.largest_label);
          if (v == 0 || v == o.giant) continue;
          const EdgeIndex before = g.out_degree(o.order[v - 1]), here = g.out_degree(o.order[v]);
          ASSERT_TRUE(before > here || (before == here && o.order[v - 1] < o.order[v])) << v;
        }
        const Renamed r = rename(team, g.out(), g.directed() ? &g.in() : nullptr, o);
        ASSERT_NO_FATAL_FAILURE(expect_same_rows(g.out(), r.forward, o));
        if (g.directed()) {
          ASSERT_NO_FATAL_FAILURE(expect_same_rows(g.in(), r.backward, o));
        } else {
          ASSERT_TRUE(r.backward.offsets.empty());
        }
      }
}

TEST(LocalityOrder, KeepsMostEdgesShort) {
  for (const auto* spec : specs) {
    SCOPED_TRACE(spec);
    const Graph g = build_graph(generate(spec), {.make_undirected = true});
    Team team(2);
    const Order o = order_by_locality(team, g.num_vertices(), g.out(), connected_components(g));
    ASSERT_NO_FATAL_FAILURE(expect_inverse(o));
  }
  const Graph g = made("maze:200x200");
  Team team(2);
  const Components c = connected_components(g);
  const Order o = order_by_locality(team, g.num_vertices(), g.out(), c);
  const Renamed r = rename(team, g.out(), nullptr, o);
  ASSERT_NO_FATAL_FAILURE(expect_same_rows(g.out(), r.forward, o));
  // Neighbours lie within the width of two levels: far less than the 200 of the row-wise order.
  std::uint64_t total = 0;
  for (VertexId v = 0; v < g.num_vertices(); ++v)
    for (EdgeIndex a = r.forward.offsets[v]; a < r.forward.offsets[v + std::size_t{1}]; ++a)
      total += v > r.forward.neighbors[a] ? v - r.forward.neighbors[a] : r.forward.neighbors[a] - v;
  EXPECT_LT(static_cast<double>(total) / static_cast<double>(g.num_arcs()), 60);
}

TEST(HeadsTest, AreTheFirstNeighbours) {
  for (const auto* spec : specs) {
    SCOPED_TRACE(spec);
    const Graph g = made(spec);
    Team team(3);
    const Heads h = find_heads(team, g.num_vertices(), g.in());
    std::vector<VertexId> count(g.num_vertices(), 0);
    for (VertexId v = 0; v < g.num_vertices(); ++v) {
      const auto row = g.in_neighbors(v);
      if (row.empty()) {
        ASSERT_EQ(h.head[v], v | head_single);
        continue;
      }
      ASSERT_EQ(h.head[v] & ~head_single, row[0]);
      ASSERT_EQ((h.head[v] & head_single) != 0, row.size() == 1);
      ++count[row[0]];
    }
    EXPECT_TRUE(std::equal(count.begin(), count.end(), h.headcount.begin()));
  }
}

TEST(RowsOfFourTest, HoldEveryRow) {
  for (const auto* spec : specs)
    for (const int threads : {1, 3}) {
      SCOPED_TRACE(spec);
      const Graph g = made(spec);
      Team team(threads);
      const RowsOfFour four = make_rows_of_four(team, g.num_vertices(), g.out());
      for (VertexId v = 0; v < g.num_vertices(); ++v) {
        std::vector<VertexId> row;
        for (int i = 0; i < 4; ++i) {
          const VertexId u = four.rows[4ull * v + i];
          if (u == no_vertex) break;
          if (u & more_rows) {
            const std::size_t k = u & ~more_rows;
            row.insert(row.end(), four.more.neighbors.data() + four.more.offsets[k],
                       four.more.neighbors.data() + four.more.offsets[k + 1]);
          } else {
            row.push_back(u);
          }
        }
        const auto expected = g.out_neighbors(v);
        ASSERT_TRUE(std::equal(row.begin(), row.end(), expected.begin(), expected.end())) << v;
      }
    }
}

}  // namespace
}  // namespace hopwave::graph
