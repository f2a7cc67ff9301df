// Checks weights, and makes rows of incoming arcs or of arcs in both directions.
#include "sssp/arcs.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "graph/rows.h"
#include "hopwave/error.h"
#include "hopwave/generate.h"

namespace hopwave::sssp {
namespace {

constexpr std::size_t grain = 1 << 16;

/// The exponent of the lowest bit of a positive finite float.
int lowest_exponent(Weight w) {
  const auto bits = std::bit_cast<std::uint32_t>(w);
  const std::uint32_t exponent = bits >> 23 & 0xFF, fraction = bits & 0x7FFFFF;
  const std::uint32_t whole = exponent ? fraction | 0x800000 : fraction;
  return static_cast<int>(std::max(exponent, 1u)) - 150 + std::countr_zero(whole);
}

[[noreturn]] void refuse(const Graph& graph, EdgeIndex arc) {
  const Adjacency& out = graph.out();
  const auto row = std::upper_bound(out.offsets.begin(), out.offsets.end(), arc) - out.offsets.begin() - 1;
  const Weight weight = out.weights[arc];
  throw Error({.failure = Failure::input,
               .id = "HW-SSSP-WEIGHT",
               .where = {.file = graph.read_report().source},
               .found = (std::isnan(weight) ? "a weight that is no number" : "weight " + std::to_string(weight)) +
                        " of the arc " + graph.name(static_cast<VertexId>(row)) + " to " + graph.name(out.neighbors[arc]),
               .expected = "weights of 0 and more: along negative ones a path could get shorter without end"});
}

struct alignas(64) Part {
  double sum = 0;
  std::uint64_t finite = 0;
  int exponent = std::numeric_limits<int>::max();
};

/// The mean, unless few heavy weights make it: of a sample then the median, or what is far below nine of ten of it.
double typical_weight(const Array<const Weight>& weights, double mean) {
  constexpr std::uint64_t drawn = 1024;
  std::vector<Weight> sample;
  sample.reserve(drawn);
  for (std::uint64_t i = 0; i < drawn; ++i) {
    const Weight w = weights[splitmix64(i) % weights.size()];
    if (w > 0 && w <= std::numeric_limits<Weight>::max()) sample.push_back(w);
  }
  if (sample.empty()) return mean;
  const auto middle = sample.begin() + static_cast<std::ptrdiff_t>(sample.size() / 2);
  const auto high = sample.begin() + static_cast<std::ptrdiff_t>(sample.size() * 9 / 10);
  std::nth_element(sample.begin(), high, sample.end());
  const double most = *high;
  std::nth_element(sample.begin(), middle, sample.end());
  return std::min(mean, std::max(double{*middle}, most / 4096));
}

}  // namespace

WeightFigures check_weights(Team& team, const Graph& graph) {
  if (!graph.has_weights()) return {};
  const auto& weights = graph.out().weights;
  std::vector<Part> parts(static_cast<std::size_t>(team.size()));
  std::atomic<std::size_t> bad{weights.size()};
  parallel_for(team, weights.size(), grain, [&](std::size_t begin, std::size_t end, int rank) {
    Part part = parts[static_cast<std::size_t>(rank)];
    for (std::size_t e = begin; e < end; ++e) {
      const Weight w = weights[e];
      if (!(w >= 0)) {
        std::size_t first = bad.load(std::memory_order_relaxed);
        while (e < first && !bad.compare_exchange_weak(first, e, std::memory_order_relaxed)) {
        }
        return;
      }
      if (w > std::numeric_limits<Weight>::max()) continue;
      part.sum += w;
      ++part.finite;
      if (w > 0) part.exponent = std::min(part.exponent, lowest_exponent(w));
    }
    parts[static_cast<std::size_t>(rank)] = part;
  });
  if (bad.load() < weights.size()) refuse(graph, bad.load());
  Part all;
  for (const Part& part : parts) {
    all.sum += part.sum;
    all.finite += part.finite;
    all.exponent = std::min(all.exponent, part.exponent);
  }
  const bool weightless = all.exponent == std::numeric_limits<int>::max();
  if (weightless) return {0, 0};  // all are zero or infinite
  return {typical_weight(weights, all.sum / static_cast<double>(all.finite)), all.exponent};
}

namespace {

/// Each arc and its reverse; of arcs between the same two vertices the lightest.
Adjacency both_ways(Team& team, const Graph& graph) {
  const Adjacency& out = graph.out();
  const Array<VertexId> sources = graph.arc_sources();
  Array<Edge> edges(sources.size());
  for (std::size_t e = 0; e < edges.size(); ++e) edges[e] = {sources[e], out.neighbors[e]};
  Array<Weight> weights;
  if (graph.has_weights()) weights = Array<Weight>::copy_of({out.weights.data(), out.weights.size()});
  graph::ListedArcs arcs(std::move(edges), std::move(weights), true);
  graph::RowCounts counts;
  return graph::make_rows(team, graph.num_vertices(), arcs, {}, counts);
}

}  // namespace

WeightedRows::WeightedRows(Team& team, const Graph& graph, Direction direction)
    : num_vertices_(graph.num_vertices()), rows_(&graph.out()) {
  if (!graph.directed() || direction == Direction::out) return;
  rows_ = &built_;
  if (direction == Direction::both)
    built_ = both_ways(team, graph);
  else if (graph.has_in() && graph.in().weights.size() == graph.out().weights.size())
    rows_ = &graph.in();
  else
    built_ = graph::reversed(team, num_vertices_, graph.out());
}

Arcs WeightedRows::arcs() const {
  return {num_vertices_, rows_->offsets.data(), rows_->neighbors.data(),
          rows_->weights.empty() ? nullptr : rows_->weights.data()};
}

}  // namespace hopwave::sssp
