// Closeness from sampled pivots, after Eppstein & Wang, Fast approximation of centrality, 2004. Ours differs: searches share
// passes, pivots come in random order so that an early end leaves an estimate, components count apart, and the longest distance
// that the errors need is bounded by way of the pivots.
#include "hopwave/sampled_closeness.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "algorithm/closeness/pivot_estimates.h"
#include "algorithm/closeness/sums_on_device.h"
#include "bfs/plan/thresholds.h"
#include "bfs/searcher/placement.h"
#include "core/parallel.h"
#include "core/refuse.h"
#include "core/watch.h"
#include "hopwave/error.h"
#include "hopwave/generate.h"

namespace hopwave::inline v0_1 {
namespace {

[[noreturn]] void wrong(std::string found, std::string expected) {
  core::refuse("HW-OPTION-VALUE", std::move(found), std::move(expected));
}

void check_risk(double risk) {
  if (!(risk > 0 && risk < 1)) wrong("a risk of " + std::to_string(risk), "a number above 0 and below 1");
}

Direction against(Direction direction) {
  return direction == Direction::out ? Direction::in : direction == Direction::in ? Direction::out : Direction::both;
}

/// Sums of no pivot, where there are none yet.
void begin(PivotSums& sums, VertexId n) {
  if (!sums.met.empty()) return;
  sums.met = Array<std::uint32_t>::filled(n, 0);
  sums.sum = Array<std::uint64_t>::filled(n, 0);
  sums.inverse_sum = Array<double>::filled(n, 0);
  sums.longest = Array<Distance>::filled(n, search_detail::longest_of_any(n));
}

/// Rethrows the error that is being handled unless it only ends the run before its time; gives its id.
/// Adds the distances of one pivot after the other to the sums, on the host.
class Adding {
 public:
  Adding(const Graph& graph, int threads, PivotSums& sums)
      : n_(graph.num_vertices()),
        team_(n_ < thresholds::Closeness::few_for_threads ? 1 : threads),
        sums_(sums),
        counts_(team_.size()) {
    begin(sums, n_);
  }

  /// `beyond`: no vertex is farther from the pivot, the other way; −1: not known.
  void add(const Result& result, Distance beyond) {
    const auto levels = static_cast<std::size_t>(result.depth) + 1;
    inverse_.resize(std::max(levels, inverse_.size()));
    for (std::size_t d = known_; d < levels; ++d) inverse_[d] = d ? 1 / static_cast<double>(d) : 0;
    known_ = std::max(known_, levels);
    for (auto& part : counts_) part.assign(levels, 0);
    parallel_for(team_, n_, thresholds::Closeness::few_for_threads / 4, [&](std::size_t begin, std::size_t end, int rank) {
      for (std::size_t v = begin; v < end; ++v) {
        const Distance d = result.distance[v];
        if (d == unreached) continue;
        ++counts_[static_cast<std::size_t>(rank)][static_cast<std::size_t>(d)];
        sums_.met[v] += d != 0;
        sums_.sum[v] += static_cast<std::uint64_t>(d);
        sums_.inverse_sum[v] += inverse_[static_cast<std::size_t>(d)];
        if (beyond >= 0)
          sums_.longest[v] = static_cast<Distance>(std::min<std::int64_t>(sums_.longest[v], std::int64_t{d} + beyond));
      }
    });
    LevelCounts all{counts_[0]};
    for (std::size_t k = 1; k < counts_.size(); ++k)
      for (std::size_t d = 0; d < levels; ++d) all.at[d] += counts_[k][d];
    sums_.pivot.push_back(source_distances(all));
  }

 private:
  const VertexId n_;
  Team team_;
  PivotSums& sums_;
  std::vector<std::vector<std::uint64_t>> counts_;  ///< of each member: vertices by distance
  std::vector<double> inverse_;                     ///< 1 / distance
  std::size_t known_ = 0;
};

class Run {
 public:
  Run(const Graph& graph, SampledClosenessOptions& options, SampledCloseness& found)
      : graph_(graph),
        options_(options),
        found_(found),
        watch_(options.search.run.limits),
        with_directions_(graph.directed() && options.search.direction != Direction::both),
        pivots_(drawn_vertices(graph.num_vertices(), options.samples, options.search.run.seed)) {
    found.sums = std::move(options.begun);
    found.risk = options.risk;
  }

  void all() {
    check_begun();
    std::vector<std::string> notes;
    found_.run.device = search_detail::place(options_.search, notes).kind;  // it may end before its first search
    if (found_.sums.pivot.size() < pivots_.size()) {
      try {
        search();
      } catch (const Error& error) {
        found_.run.end = core::end_of(error);
      }
    }
    begin(found_.sums, graph_.num_vertices());  // it ended before its first search
    search_detail::estimate_from_pivots(options_.search.run.threads, graph_, pivots_, with_directions_, found_);
    if (found_.pivots == pivots_.size()) found_.run.end = End::complete;
  }

 private:
  void check_begun() const {
    const PivotSums& sums = found_.sums;
    const std::size_t n = graph_.num_vertices();
    if (sums.pivot.empty() && sums.met.empty()) return;
    if (sums.met.size() != n || sums.sum.size() != n || sums.inverse_sum.size() != n || sums.longest.size() != n ||
        sums.pivot.size() > pivots_.size())
      wrong("sums of " + std::to_string(sums.pivot.size()) + " pivots of " + std::to_string(sums.met.size()) + " vertices",
            "at most " + std::to_string(pivots_.size()) + " of " + std::to_string(n));
  }

  [[nodiscard]] bool go_on() const {
    const Progress& progress = options_.search.run.progress;
    return !progress || progress({.what = "searches", .done = found_.sums.pivot.size(), .total = pivots_.size()});
  }

  void search() {
    SearchOptions options = options_.search;
    if (graph_.directed()) options.direction = against(options.direction);
    options.run.progress = [&](const Step&) { return go_on(); };
    if (with_directions_ && found_.sums.pivot.empty()) other_way_ = farthest_from(pivots_[0]);
    options.run.limits = watch_.rest();
    Searcher searcher(graph_, options);
    found_.run.strategy = searcher.strategy();
    found_.run.device = searcher.device();
    found_.run.prepare = searcher.prepare();
    found_.run.copy_in = searcher.copy_in();
    const auto on_device = search_detail::SumsOnDevice::make(searcher, found_.sums);
    try {
      search(searcher, on_device.get());
    } catch (const Error& error) {
      found_.run.end = core::end_of(error);
    }
    if (on_device) on_device->bring(found_.sums);
    found_.run.notes = searcher.notes();
  }

  /// `on_device`: null where the sums are made on the host.
  void search(Searcher& searcher, search_detail::SumsOnDevice* on_device) {
    const std::span<const VertexId> left = std::span(pivots_).subspan(found_.sums.pivot.size());
    // The other way a pivot's farthest vertex is known of the first one alone, unless both ways are the same.
    const auto beyond = [&](Distance depth) { return with_directions_ ? std::exchange(other_way_, -1) : depth; };
    const auto done = [&](const SearchReport& one) {
      found_.run.work += one.work;
      found_.run.chosen = one.chosen;
      if (!go_on()) throw Error({.failure = Failure::interrupted, .id = "HW-INTERRUPTED", .found = "stopped by the caller"});
    };
    if (on_device) return on_device->run(left, found_.sums, beyond, done);
    Adding adding(graph_, options_.search.run.threads, found_.sums);
    searcher.run_each(left, -1, [&](std::size_t, Result&& result) {
      adding.add(result, beyond(result.depth));
      done(result.run);
    });
  }

  /// Along the distances that are wanted, where the pivot reaches every vertex; else −1. A vertex that reaches the pivot is no
  /// farther from anyone than by way of it.
  Distance farthest_from(VertexId pivot) {
    SearchOptions options;
    options.run.device = DeviceKind::cpu;
    options.direction = options_.search.direction;
    options.run.threads = options_.search.run.threads;
    options.run.progress = [&](const Step&) { return go_on(); };
    options.run.limits = watch_.rest();
    const Result result = hopwave::search(graph_, {.sources = {pivot}}, options);
    return result.reached == graph_.num_vertices() ? result.depth : -1;
  }

  const Graph& graph_;
  const SampledClosenessOptions& options_;
  SampledCloseness& found_;
  const core::Watch watch_;
  const bool with_directions_;
  const std::vector<VertexId> pivots_;
  Distance other_way_ = -1;  ///< no vertex is farther from the next pivot along the distances that are wanted; −1: not known
};

}  // namespace

std::vector<VertexId> drawn_vertices(VertexId num_vertices, std::uint64_t count, std::uint64_t seed) {
  // Fisher & Yates from the front. Where few are drawn, only the places that have changed are kept.
  const std::uint64_t n = num_vertices, wanted = std::min<std::uint64_t>(count, n);
  const bool few = wanted < n / thresholds::Closeness::few_drawn_part;
  std::vector<VertexId> place(few ? 0 : n), drawn;
  std::iota(place.begin(), place.end(), VertexId{0});
  std::unordered_map<std::uint64_t, VertexId> changed;
  const auto at = [&](std::uint64_t i) {
    if (!few) return place[i];
    const auto found = changed.find(i);
    return found == changed.end() ? static_cast<VertexId>(i) : found->second;
  };
  drawn.reserve(wanted);
  for (std::uint64_t i = 0; i < wanted; ++i) {
    const std::uint64_t bits = splitmix64(splitmix64(seed) ^ i);
    const std::uint64_t j = i + static_cast<std::uint64_t>((static_cast<unsigned __int128>(bits) * (n - i)) >> 64);
    drawn.push_back(at(j));
    (few ? changed[j] : place[j]) = at(i);
  }
  return drawn;
}

double sampling_error(VertexId num_vertices, std::uint64_t samples, double risk) {
  check_risk(risk);
  if (samples >= num_vertices) return 0;
  if (samples == 0) return 1;
  return std::min(1.0, std::sqrt(std::log(2.0 * num_vertices / risk) / (2 * static_cast<double>(samples))));
}

SampledCloseness sampled_closeness(const Graph& graph, SampledClosenessOptions options) {
  check_risk(options.risk);
  if (options.samples == 0) wrong("no samples", "at least one");
  SampledCloseness found;
  Run(graph, options, found).all();
  return found;
}

}  // namespace hopwave::inline v0_1
