// Graphs for tests: tiny ones with names, every directed graph on a few vertices, random ones of several kinds,
// and a naive breadth-first search that shares no code with the library, against which every strategy is checked.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <ostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "hopwave/graph.h"
#include "hopwave/search.h"
#include "support/agreement.h"

namespace hopwave::testing {

/// An edge list that can be built into a Graph as often as a test likes.
struct TestGraph {
  std::string name;
  VertexId num_vertices = 0;
  std::vector<Edge> edges;
  bool directed = true;
};

/// So that a failing parameterised test names its graph.
inline std::ostream& operator<<(std::ostream& out, const TestGraph& g) {
  return out << g.name << " (" << g.num_vertices << " vertices, " << g.edges.size() << " edges)";
}

/// Duplicates and self-loops stay unless `keep` is false, so that strategies meet them.
inline EdgeList edge_list(const TestGraph& test) {
  EdgeList list;
  list.num_vertices = test.num_vertices;
  list.edges = Array<Edge>::copy_of({test.edges.data(), test.edges.size()});
  list.directed = test.directed;
  list.ids = Ids::consecutive(test.num_vertices);
  return list;
}

inline Graph build(const TestGraph& test, bool keep = true, bool build_in = false) {
  return build_graph(edge_list(test), {.keep_duplicates = keep, .keep_self_loops = keep, .build_in = build_in});
}

/// A graph straight from arcs, with no help from build_graph (for tests that must not depend on it). Rows are sorted.
inline Adjacency adjacency_of(VertexId num_vertices, std::vector<Edge> arcs) {
  std::sort(arcs.begin(), arcs.end());
  auto offsets = Array<EdgeIndex>::filled(num_vertices + 1ull, 0);
  Array<VertexId> neighbors(arcs.size());
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    ++offsets[arcs[i].source + 1ull];
    neighbors[i] = arcs[i].target;
  }
  for (VertexId v = 0; v < num_vertices; ++v) offsets[v + 1ull] += offsets[v];
  return {std::move(offsets), std::move(neighbors), {}};
}

/// All arcs of a test graph: both directions of each edge if it is undirected (a self-loop once).
inline std::vector<Edge> arcs_of(const TestGraph& test) {
  std::vector<Edge> arcs = test.edges;
  if (!test.directed)
    for (const Edge& e : test.edges)
      if (e.source != e.target) arcs.push_back({e.target, e.source});
  return arcs;
}

/// The textbook's example (PMPP 15.1 – 15.4): 9 vertices, 15 arcs.
inline TestGraph textbook_graph() {
  return {
      "textbook",
      9,
      {{0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 5}, {2, 6}, {2, 7}, {3, 4}, {3, 8}, {4, 5}, {4, 8}, {5, 6}, {6, 8}, {7, 0}, {7, 6}}};
}

inline TestGraph chain(VertexId n, bool directed = true) {
  TestGraph g{directed ? "chain" : "undirected-chain", n, {}, directed};
  for (VertexId v = 0; v + 1 < n; ++v) g.edges.push_back({v, v + 1});
  return g;
}

inline TestGraph cycle(VertexId n) {
  TestGraph g = chain(n);
  g.name = "cycle";
  if (n) g.edges.push_back({n - 1, 0});
  return g;
}

/// Vertex 0 joined with all others.
inline TestGraph star(VertexId n, bool directed = false) {
  TestGraph g{directed ? "out-star" : "star", n, {}, directed};
  for (VertexId v = 1; v < n; ++v) g.edges.push_back({0, v});
  return g;
}

inline TestGraph grid(VertexId rows, VertexId columns) {
  TestGraph g{"grid", rows * columns, {}, false};
  for (VertexId r = 0; r < rows; ++r)
    for (VertexId c = 0; c < columns; ++c) {
      if (c + 1 < columns) g.edges.push_back({r * columns + c, r * columns + c + 1});
      if (r + 1 < rows) g.edges.push_back({r * columns + c, (r + 1) * columns + c});
    }
  return g;
}

inline TestGraph complete(VertexId n) {
  TestGraph g{"complete", n, {}, false};
  for (VertexId u = 0; u < n; ++u)
    for (VertexId v = u + 1; v < n; ++v) g.edges.push_back({u, v});
  return g;
}

inline TestGraph binary_tree(VertexId n) {
  TestGraph g{"binary-tree", n, {}, false};
  for (VertexId v = 1; v < n; ++v) g.edges.push_back({(v - 1) / 2, v});
  return g;
}

/// A clique with a tail: a wide level followed by many narrow ones.
inline TestGraph lollipop(VertexId clique, VertexId tail) {
  TestGraph g = complete(clique);
  g.name = "lollipop";
  g.num_vertices = clique + tail;
  for (VertexId v = clique; v < g.num_vertices; ++v) g.edges.push_back({v - 1, v});
  return g;
}

/// Two hubs that share all leaves, through which a third is found: many threads claim one vertex.
inline TestGraph contended(VertexId leaves) {
  TestGraph g{"contended", leaves + 2, {}, true};
  for (VertexId v = 0; v < leaves; ++v) {
    g.edges.push_back({leaves, v});
    g.edges.push_back({v, leaves + 1});
  }
  g.edges.push_back({leaves + 1, leaves});
  return g;
}

/// Tiny graphs with names: each shows one thing that has gone wrong in some breadth-first search.
inline std::vector<TestGraph> named_graphs() {
  std::vector<TestGraph> all = {
      {"one-vertex", 1, {}},
      {"one-loop", 1, {{0, 0}}},
      {"two-apart", 2, {}},
      {"one-arc", 2, {{0, 1}}},
      {"arc-against", 2, {{1, 0}}},
      {"two-ways", 2, {{0, 1}, {1, 0}}},
      {"loops-and-duplicates", 4, {{0, 0}, {0, 1}, {0, 1}, {0, 1}, {1, 1}, {1, 2}, {2, 1}, {2, 1}, {2, 2}, {3, 3}, {3, 0}}},
      {"diamond", 4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}}},
      {"shortcut", 5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {0, 4}}},
      {"two-components", 7, {{0, 1}, {1, 2}, {3, 4}, {4, 5}, {5, 3}}, false},
      {"back-arcs", 6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}, {4, 1}, {3, 0}, {5, 2}}},
      {"isolated-ends", 6, {{2, 3}, {3, 2}}},
      {"in-star", 8, {{1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}, {6, 0}, {7, 0}}},
      {"bipartite", 6, {{0, 3}, {0, 4}, {0, 5}, {1, 3}, {1, 4}, {1, 5}, {2, 3}, {2, 4}, {2, 5}}, false},
      textbook_graph(),
      chain(17),
      chain(40, false),
      cycle(33),
      star(65),
      star(40, true),
      grid(5, 9),
      complete(12),
      binary_tree(31),
      lollipop(9, 12),
      contended(36),
  };
  return all;
}

/// Every directed graph with self-loops on `n` vertices is one number below 2^(n·n): bit u·n + v is the arc u → v.
inline std::uint64_t count_all_graphs(VertexId n) { return std::uint64_t{1} << (n * n); }
inline TestGraph graph_from_bits(VertexId n, std::uint64_t bits) {
  TestGraph g{"bits-" + std::to_string(n) + "-" + std::to_string(bits), n, {}};
  for (VertexId u = 0; u < n; ++u)
    for (VertexId v = 0; v < n; ++v)
      if (bits >> (u * n + v) & 1) g.edges.push_back({u, v});
  return g;
}

/// A random graph of at most `most` vertices; the seed picks the kind too: uniform (from empty to dense), skewed,
/// a long chain with shortcuts, a few hubs, or scattered small components. Duplicates and loops may occur.
inline TestGraph random_graph(std::uint64_t seed, VertexId most = 200) {
  std::mt19937_64 rng(seed * 0x9E3779B97F4A7C15ull + 1);
  const auto below = [&](std::uint64_t limit) { return static_cast<VertexId>(rng() % std::max<std::uint64_t>(limit, 1)); };
  const VertexId n = 1 + below(most);
  TestGraph g{"random-" + std::to_string(seed), n, {}, (rng() & 1) != 0};
  const std::uint64_t arcs = rng() % (4ull * n + 2);
  const auto skewed = [&] { return static_cast<VertexId>(std::min({below(n), below(n), below(n), below(n)})); };
  switch (seed % 5) {
    case 0:
      for (std::uint64_t i = 0; i < arcs; ++i) g.edges.push_back({below(n), below(n)});
      break;
    case 1:
      for (std::uint64_t i = 0; i < arcs; ++i) g.edges.push_back({skewed(), (rng() & 1) ? skewed() : below(n)});
      break;
    case 2:
      for (VertexId v = 0; v + 1 < n; ++v) g.edges.push_back({v, v + 1});
      for (VertexId i = 0; i < n / 16; ++i) g.edges.push_back({below(n), below(n)});
      break;
    case 3: {
      const VertexId hubs = 1 + below(3);
      for (VertexId v = 0; v < n; ++v) g.edges.push_back({below(std::min(hubs, n)), v});
      for (VertexId v = 0; v < n; ++v) g.edges.push_back({v, below(n)});
      break;
    }
    default:
      for (std::uint64_t i = 0; i < arcs; ++i) {
        const VertexId u = below(n);
        g.edges.push_back({u, std::min<VertexId>(n - 1, u + below(4))});
      }
  }
  std::shuffle(g.edges.begin(), g.edges.end(), rng);
  return g;
}

/// The same graph with vertex v called order[v].
inline TestGraph relabelled(const TestGraph& test, const std::vector<VertexId>& order) {
  TestGraph g = test;
  for (Edge& e : g.edges) e = {order[e.source], order[e.target]};
  return g;
}
inline std::vector<VertexId> random_order(VertexId n, std::uint64_t seed) {
  std::vector<VertexId> order(n);
  for (VertexId v = 0; v < n; ++v) order[v] = v;
  std::mt19937_64 rng(seed);
  std::shuffle(order.begin(), order.end(), rng);
  return order;
}

/// Right distances, from the edge list alone.
inline std::vector<Distance> naive_bfs(const TestGraph& test, const std::vector<VertexId>& sources,
                                       Direction direction = Direction::out) {
  std::vector<std::vector<VertexId>> next(test.num_vertices);
  for (const Edge& e : test.edges) {
    if (direction != Direction::in || !test.directed) next[e.source].push_back(e.target);
    if (direction != Direction::out || !test.directed) next[e.target].push_back(e.source);
  }
  std::vector<Distance> distance(test.num_vertices, unreached);
  std::deque<VertexId> queue;
  for (const VertexId s : sources)
    if (distance[s] == unreached) {
      distance[s] = 0;
      queue.push_back(s);
    }
  for (; !queue.empty(); queue.pop_front())
    for (const VertexId w : next[queue.front()])
      if (distance[w] == unreached) {
        distance[w] = distance[queue.front()] + 1;
        queue.push_back(w);
      }
  return distance;
}

/// What search() promises for a query with max_depth and target: deeper vertices are unreached.
inline std::vector<Distance> trimmed(std::vector<Distance> distance, Distance max_depth, VertexId target = no_vertex) {
  if (target != no_vertex && distance[target] != unreached)
    max_depth = max_depth < 0 ? distance[target] : std::min(max_depth, distance[target]);
  if (max_depth >= 0)
    for (Distance& d : distance)
      if (d > max_depth) d = unreached;
  return distance;
}

/// The least parent of every vertex, from the edge list and right distances.
inline std::vector<VertexId> naive_min_parents(const TestGraph& test, const std::vector<Distance>& distance,
                                               Direction direction = Direction::out) {
  std::vector<VertexId> parent(test.num_vertices, no_vertex);
  const auto offer = [&](VertexId u, VertexId v) {
    if (distance[u] != unreached && distance[v] == distance[u] + 1) parent[v] = std::min(parent[v], u);
  };
  for (const Edge& e : test.edges) {
    if (direction != Direction::in || !test.directed) offer(e.source, e.target);
    if (direction != Direction::out || !test.directed) offer(e.target, e.source);
  }
  return parent;
}

/// Each result that a test looks at must agree with itself, too.
inline std::vector<Distance> distances_of(const Result& result) {
  expect_agrees(result);
  return {result.distance.begin(), result.distance.end()};
}
inline std::vector<VertexId> parents_of(const Result& result) { return {result.parent.begin(), result.parent.end()}; }

}  // namespace hopwave::testing
