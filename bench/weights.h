// Weights for graphs without weights, determined by the ends of an edge: both arcs of an edge have the same.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "hopwave/hopwave.h"

namespace hopwave::bench {

/// Kind 0 is GAP's weights. The others are the difficult cases: ties and zeros, sums that need rounding, sums beyond
/// 2^24 and 2^31, arcs that cannot be used, weights too small to change a sum.
inline constexpr int weight_kinds = 11;
inline double weight_from(int kind, std::uint64_t bits) {
  const double part = static_cast<double>(bits >> 11) * 0x1p-53;
  switch (kind) {
    case 0:
      return static_cast<double>(1 + bits % 255);
    case 1:
      return static_cast<double>(bits % 3);
    case 2:
      return static_cast<float>(part);
    case 3:
      return static_cast<float>(std::pow(10.0, 60 * part - 30));
    case 4:
      return 16777214.0 + static_cast<double>(bits % 4);
    case 5:
      return 0;
    case 6:
      return bits % 4 ? static_cast<double>(bits / 4 % 5) : std::numeric_limits<double>::infinity();
    case 7:
      return bits % 2 ? 1e30f : 1e-30f;
    case 8:
      return part;  // needs a double
    case 9:
      return 20000001.0 + static_cast<double>(bits % 1000);  // whole numbers that no float holds
    default:
      return 0x1p40 + static_cast<double>(bits % 1000);  // and of more than 32 bits
  }
}

/// Returns the graph with weights of a kind; whole numbers for the last two kinds, and for every second seed of the
/// first two.
inline Graph with_weights(const Graph& graph, int kind, std::uint64_t seed) {
  Array<double> weights(graph.num_arcs());
  const Adjacency& out = graph.out();
  for (VertexId u = 0; u < graph.num_vertices(); ++u)
    for (EdgeIndex e = out.offsets[u]; e < out.offsets[u + 1ull]; ++e) {
      const std::uint64_t low = std::min(u, out.neighbors[e]), high = std::max(u, out.neighbors[e]);
      weights[e] = weight_from(kind, splitmix64(splitmix64(seed) ^ (low << 32 | high)));
    }
  Weights kept = Weights::smallest(std::move(weights));
  if (kind > 8 || (kind < 2 && seed % 2)) {
    Array<std::int64_t> whole(kept.size());
    for (std::size_t i = 0; i < kept.size(); ++i) whole[i] = static_cast<std::int64_t>(kept[i]);
    kept = Weights::smallest(std::move(whole));
  }
  Adjacency rows{out.offsets, out.neighbors, std::move(kept)};
  return Graph::trusted(graph.num_vertices(), graph.directed(), std::move(rows), std::nullopt, graph.ids());
}

}  // namespace hopwave::bench
