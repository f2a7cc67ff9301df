// Sorts vertices by degree and renames a graph's vertices.
#include "bfs/strategy/gpu/degree_order.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/parallel.h"
#include "graph/rows.h"

namespace hopwave::strategy {
namespace {

EdgeIndex degree(const Adjacency& adjacency, VertexId v) { return adjacency.offsets[v + 1ull] - adjacency.offsets[v]; }

constexpr int digit_bits = 11;
constexpr std::size_t buckets = std::size_t{1} << digit_bits;

/// One stable pass of a radix sort, by the digit of the degree at `shift`.
void sort_by_digit(const Adjacency& adjacency, int shift, const std::vector<VertexId>& from, std::vector<VertexId>& to) {
  const auto digit = [&](VertexId v) { return (degree(adjacency, v) >> shift) & (buckets - 1); };
  std::array<std::size_t, buckets + 1> begin{};
  for (VertexId v : from) ++begin[digit(v) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  for (VertexId v : from) to[begin[digit(v)]++] = v;
}

}  // namespace

std::vector<VertexId> degree_order(const Adjacency& adjacency, VertexId num_vertices) {
  std::vector<VertexId> order(num_vertices), next(num_vertices);
  std::iota(order.begin(), order.end(), VertexId{0});
  EdgeIndex largest = 0;
  for (VertexId v = 0; v < num_vertices; ++v) largest = std::max(largest, degree(adjacency, v));
  for (int shift = 0; shift < 64 && (largest >> shift) != 0; shift += digit_bits) {
    sort_by_digit(adjacency, shift, order, next);
    order.swap(next);
  }
  return order;
}

RenamedGraph rename_vertices(const Adjacency& adjacency, const std::vector<VertexId>& order) {
  const std::size_t n = order.size();
  RenamedGraph renamed;
  renamed.new_id.resize(n);
  graph::Rows rows{.offsets = Array<EdgeIndex>(n + 1), .neighbors = Array<VertexId>(adjacency.neighbors.size())};
  EdgeIndex end = 0;
  for (std::size_t i = 0; i < n; ++i) {
    renamed.new_id[order[i]] = static_cast<VertexId>(i);
    rows.offsets[i] = end;
    end += degree(adjacency, order[i]);
  }
  rows.offsets[n] = end;
  Team team;
  parallel_for(team, n, 4096, [&](std::size_t from, std::size_t to, int) {
    for (std::size_t i = from; i < to; ++i) {
      const VertexId* row = adjacency.neighbors.data() + adjacency.offsets[order[i]];
      VertexId* out = rows.neighbors.data() + rows.offsets[i];
      std::transform(row, row + degree(adjacency, order[i]), out, [&](VertexId w) { return renamed.new_id[w]; });
    }
  });
  renamed.adjacency = std::move(rows);
  return renamed;
}

}  // namespace hopwave::strategy
