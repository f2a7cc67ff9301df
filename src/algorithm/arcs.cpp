// Checks weights, and makes rows of incoming arcs or of arcs in both directions.
#include "algorithm/arcs.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "bfs/plan/thresholds.h"
#include "graph/rows.h"
#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "hopwave/shortest_paths.h"

namespace hopwave::sssp {
namespace {

/// The exponent of the lowest bit of a number above 0 and below infinity.
int lowest_exponent(double w) {
  const auto bits = std::bit_cast<std::uint64_t>(w);
  const std::uint64_t exponent = bits >> 52 & 0x7FF, fraction = bits & ((std::uint64_t{1} << 52) - 1);
  const std::uint64_t whole = exponent ? fraction | std::uint64_t{1} << 52 : fraction;
  return static_cast<int>(std::max<std::uint64_t>(exponent, 1)) - 1075 + std::countr_zero(whole);
}

[[noreturn]] void refuse(const Graph& graph, EdgeIndex arc, const char* expected) {
  const Adjacency& out = graph.out();
  const auto row = std::upper_bound(out.offsets.begin(), out.offsets.end(), arc) - out.offsets.begin() - 1;
  throw Error({.failure = Failure::input,
               .id = "HW-SSSP-WEIGHT",
               .where = {.file = graph.read_report().source},
               .found = (std::isnan(out.weights[arc]) ? "a weight that is no number" : "weight " + out.weights.text(arc)) +
                        " of the arc " + graph.name(static_cast<VertexId>(row)) + " to " + graph.name(out.neighbors[arc]),
               .expected = expected});
}

struct alignas(64) Part {
  double sum = 0, most = 0, least = no_path;
  std::uint64_t finite = 0;
  int exponent = std::numeric_limits<int>::max();
  bool floats = true, rounded = false;
};

/// The mean, unless few heavy weights make it: of a sample then the median, or what is far below nine of ten of it.
double typical_weight(const Weights& weights, double mean) {
  std::vector<double> sample;
  sample.reserve(thresholds::Weighted::sampled_weights);
  for (std::uint64_t i = 0; i < thresholds::Weighted::sampled_weights; ++i) {
    const double w = weights[splitmix64(i) % weights.size()];
    if (w > 0 && w < no_path) sample.push_back(w);
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
  const Weights& weights = graph.out().weights;
  std::vector<Part> parts(static_cast<std::size_t>(team.size()));
  std::atomic<std::size_t> bad{weights.size()};
  weights.with([&]<class T>(std::span<const T> values) {
    parallel_for(team, values.size(), thresholds::Cpu::fill_grain, [&](std::size_t begin, std::size_t end, int rank) {
      Part part = parts[static_cast<std::size_t>(rank)];
      for (std::size_t e = begin; e < end; ++e) {
        const T weight = values[e];
        if (!(weight >= 0)) {
          std::size_t first = bad.load(std::memory_order_relaxed);
          while (e < first && !bad.compare_exchange_weak(first, e, std::memory_order_relaxed)) {
          }
          return;
        }
        const auto w = static_cast<double>(weight);
        if (w == no_path) continue;
        part.sum += w;
        part.most = std::max(part.most, w);
        part.least = std::min(part.least, w);
        ++part.finite;
        if (w > 0) part.exponent = std::min(part.exponent, lowest_exponent(w));
        if constexpr (!std::same_as<T, float>) part.floats &= static_cast<double>(static_cast<float>(w)) == w;
        if constexpr (std::same_as<T, std::int64_t>) part.rounded |= w >= 0x1p63 || static_cast<T>(w) != weight;
      }
      parts[static_cast<std::size_t>(rank)] = part;
    });
  });
  if (bad.load() < weights.size())
    refuse(graph, bad.load(), "weights of 0 and more: along negative ones a path could get shorter without end");
  Part all;
  for (const Part& part : parts) {
    all.sum += part.sum;
    all.most = std::max(all.most, part.most);
    all.least = std::min(all.least, part.least);
    all.finite += part.finite;
    all.exponent = std::min(all.exponent, part.exponent);
    all.floats &= part.floats;
    all.rounded |= part.rounded;
  }
  if (all.most * graph.num_vertices() > std::numeric_limits<double>::max())
    refuse(graph, static_cast<EdgeIndex>(std::distance(weights.begin(), std::find(weights.begin(), weights.end(), all.most))),
           "weights whose sums along paths stay below 1.8e308");
  all.rounded |= graph.read_report().weights_rounded > 0;
  const bool weightless = all.exponent == std::numeric_limits<int>::max();
  if (weightless) return {0, 0, all.floats, all.rounded, all.least};  // all are zero or infinite
  return {typical_weight(weights, all.sum / static_cast<double>(all.finite)), all.exponent, all.floats, all.rounded, all.least};
}

namespace {

/// Each arc and its reverse; of arcs between the same two vertices the lightest.
Adjacency both_ways(Team& team, const Graph& graph) {
  const Adjacency& out = graph.out();
  const Array<VertexId> sources = graph.arc_sources();
  Array<Edge> edges(sources.size());
  for (std::size_t e = 0; e < edges.size(); ++e) edges[e] = {sources[e], out.neighbors[e]};
  graph::ListedArcs arcs(std::move(edges), out.weights, true);
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
          rows_->weights.empty() ? WeightSpan() : rows_->weights.span()};
}

}  // namespace hopwave::sssp
