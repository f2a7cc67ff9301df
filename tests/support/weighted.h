// Weighted graphs for tests, and plain answers that share no code with the library: rounds over all edges until nothing
// changes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "hopwave/shortest_paths.h"
#include "support/graphs.h"
#include "support/weights.h"

namespace hopwave::testing {

struct WeightedGraph {
  TestGraph graph;
  std::vector<double> weights;  ///< one per edge; empty: one for all
};

inline Graph build(const WeightedGraph& test, bool build_in = false) {
  EdgeList list;
  list.num_vertices = test.graph.num_vertices;
  list.edges = Array<Edge>::copy_of({test.graph.edges.data(), test.graph.edges.size()});
  list.weights = Weights::smallest(Weights::copy_of(test.weights));
  // Whole ones every other time as such.
  const bool whole = std::ranges::all_of(test.weights, [](double w) { return std::trunc(w) == w && std::fabs(w) < 0x1p53; });
  if (whole && test.graph.edges.size() % 2)
    list.weights = Weights::smallest(
        made_weights(test.weights.size(), [&](std::size_t i) { return static_cast<std::int64_t>(test.weights[i]); }));
  list.directed = test.graph.directed;
  list.ids = Ids::consecutive(test.graph.num_vertices);
  return build_graph(std::move(list), {.keep_duplicates = true, .keep_self_loops = true, .build_in = build_in});
}

/// Kinds of weights that have gone wrong in some search: ties, zeros, sums that need rounding, sums beyond 2^24 and 2^32.
inline constexpr int weight_kinds = 12;
inline double draw_weight(int kind, std::mt19937_64& rng) {
  const auto below = [&](std::uint64_t limit) { return static_cast<double>(rng() % limit); };
  const auto between = [&](double low, double high) { return low + (high - low) * static_cast<double>(rng() >> 11) * 0x1p-53; };
  switch (kind) {
    case 0:
      return static_cast<float>(1 + below(255));
    case 1:
      return static_cast<float>(below(3));
    case 2:
      return static_cast<float>(std::pow(10.0, between(-30, 30)));
    case 3:
      return static_cast<float>(16777216.0 - 2 + below(4));
    case 4:
      return static_cast<float>(2147483648.0 - 128 * below(3));
    case 5:
      return 0;
    case 6:
      return static_cast<float>(between(0, 1));
    case 7:
      return rng() % 4 ? static_cast<float>(below(5)) : std::numeric_limits<float>::infinity();
    case 8:
      return 16777216.0 + below(1000);  // what no float is
    case 9:
      return 0x1p50 + below(100);  // what 32 bits do not hold
    case 10:
      return between(0, 1);  // needs a double
    default:
      return rng() % 2 ? 1e30f : 1e-30f;  // too light to change a sum: equal distances without a zero
  }
}

inline WeightedGraph with_weights(TestGraph graph, int kind, std::uint64_t seed) {
  std::mt19937_64 rng(seed * 7919 + static_cast<std::uint64_t>(kind));
  WeightedGraph test{std::move(graph), {}};
  for (std::size_t i = 0; i < test.graph.edges.size(); ++i) test.weights.push_back(draw_weight(kind, rng));
  test.graph.name += ", weights of kind " + std::to_string(kind);
  return test;
}

struct WeightedArc {
  VertexId from, to;
  double weight;
};
inline std::vector<WeightedArc> arcs_along(const WeightedGraph& test, Direction direction) {
  std::vector<WeightedArc> arcs;
  for (std::size_t i = 0; i < test.graph.edges.size(); ++i) {
    const auto [u, v] = test.graph.edges[i];
    const double w = test.weights.empty() ? 1 : test.weights[i];
    if (direction != Direction::in || !test.graph.directed) arcs.push_back({u, v, w});
    if (direction != Direction::out || !test.graph.directed) arcs.push_back({v, u, w});
  }
  return arcs;
}

/// Bellman and Ford.
inline std::vector<double> naive_distances(const WeightedGraph& test, const std::vector<VertexId>& sources,
                                           Direction direction = Direction::out) {
  std::vector<double> distance(test.graph.num_vertices, no_path);
  for (const VertexId s : sources) distance[s] = 0;
  const auto arcs = arcs_along(test, direction);
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [u, v, w] : arcs)
      if (distance[u] + w < distance[v]) {
        distance[v] = distance[u] + w;
        changed = true;
      }
  }
  return distance;
}

/// What parents are said to be: nearer ones first; else by rounds among equals.
inline std::vector<VertexId> naive_parents(const WeightedGraph& test, const std::vector<VertexId>& sources,
                                           const std::vector<double>& distance, Direction direction = Direction::out) {
  const VertexId n = test.graph.num_vertices;
  const auto arcs = arcs_along(test, direction);
  const auto tight = [&](const WeightedArc& a) {
    return distance[a.from] != no_path && distance[a.to] != no_path && distance[a.from] + a.weight == distance[a.to];
  };
  std::vector<VertexId> parent(n, no_vertex), round(n, no_vertex);  // round: 0 where a nearer vertex gives the distance
  for (const auto& a : arcs)
    if (tight(a) && distance[a.from] < distance[a.to]) {
      parent[a.to] = std::min(parent[a.to], a.from);
      round[a.to] = 0;
    }
  for (const VertexId s : sources) {
    parent[s] = no_vertex;
    round[s] = 0;
  }
  for (VertexId r = 1; r <= n; ++r)
    for (const auto& a : arcs)
      if (tight(a) && round[a.from] == r - 1 && round[a.to] >= r) {
        parent[a.to] = std::min(parent[a.to], a.from);
        round[a.to] = r;
      }
  return parent;
}

/// What a query with a target or a greatest distance leaves.
inline void trim(std::vector<double>& distance, const WeightedQuery& query) {
  double limit = query.max_distance;
  if (query.target != no_vertex) limit = std::min(limit, distance[query.target]);
  for (double& d : distance)
    if (d > limit) d = no_path;
}

}  // namespace hopwave::testing
