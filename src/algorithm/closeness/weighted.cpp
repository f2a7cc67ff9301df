// Sums over the distances by weight from many sources.
#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/watch.h"
#include "hopwave/closeness.h"
#include "hopwave/error.h"

namespace hopwave::inline v0_1 {
namespace {

/// A. Neumaier, Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen, 1974: the lost bits are summed apart.
class Sum {
 public:
  void add(double x) {
    const double next = sum_ + x;
    lost_ += std::fabs(sum_) >= std::fabs(x) ? (sum_ - next) + x : (x - next) + sum_;
    sum_ = next;
  }
  [[nodiscard]] double value() const { return std::isfinite(sum_) ? sum_ + lost_ : sum_; }

 private:
  double sum_ = 0, lost_ = 0;
};

WeightedSourceDistances sums_of(const WeightedReach& reach) {
  Sum sum, inverse;
  for (const VertexId v : reach.vertices) {
    const double d = reach.distance[v];
    if (d == 0) continue;
    sum.add(d);
    inverse.add(1 / d);
  }
  return {.reached = reach.vertices.size(),
          .sum = sum.value(),
          .inverse_sum = inverse.value(),
          .eccentricity = reach.distance[reach.vertices.back()]};
}

void check_sums(const Graph& graph, VertexId source, const WeightedSourceDistances& row) {
  if (std::isfinite(row.sum) && std::isfinite(row.inverse_sum)) return;
  throw Error({.failure = Failure::input,
               .id = "HW-SSSP-WEIGHT",
               .where = {.file = graph.read_report().source},
               .found = std::string(std::isfinite(row.sum) ? "inverses of distances" : "distances") + " from " +
                        graph.name(source) + " whose sum is beyond 1.8e308",
               .expected = "weights whose sums stay below it",
               .hint = "multiply all weights by the same number"});
}

}  // namespace

double closeness(const WeightedSourceDistances& source, VertexId num_vertices) {
  if (source.sum == 0 || num_vertices < 2) return 0;
  const double others = static_cast<double>(source.reached - 1);
  return others / source.sum * (others / (static_cast<double>(num_vertices) - 1));
}

WeightedCloseness weighted_closeness(const Graph& graph, std::span<const VertexId> sources, const WeightedOptions& options) {
  WeightedCloseness found;
  found.rows.resize(sources.size());
  std::vector<std::atomic<bool>> done(sources.size());
  WeightedOptions searching = options;
  if (options.run.device == DeviceKind::automatic) searching.run.device = DeviceKind::cpu;
  const core::Watch watch(options.run.limits);
  WeightedSearcher searcher(graph, searching);
  searcher.set_limits(watch.rest());
  found.run.device = searcher.device();
  found.run.strategy = searcher.strategy();
  try {
    static_cast<RunReport&>(found.run) = searcher.run_each(sources, [&](const WeightedReach& reach) {
      found.rows[reach.index] = sums_of(reach);
      check_sums(graph, sources[reach.index], found.rows[reach.index]);
      done[reach.index].store(true, std::memory_order_relaxed);
    });
  } catch (const Error& error) {
    found.run.end = core::end_of(error);
  }
  const auto first_left = std::find_if(done.begin(), done.end(), [](const auto& each) { return !each.load(); });
  found.rows.resize(static_cast<std::size_t>(first_left - done.begin()));
  for (const WeightedSourceDistances& row : found.rows) found.exact = found.exact && row.sum < searcher.exact_below();
  return found;
}

}  // namespace hopwave::inline v0_1
