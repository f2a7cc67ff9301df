// Graph500's kernel 2, whatever searches: in this process, on a device, or on several processes.
#pragma once

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/refuse.h"
#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "hopwave/validate.h"
#include "measure/procedures.h"

namespace hopwave::report {

/// Sources of degree ≥ 1 (self-loops not counted), distinct, as the specification samples them. Throws HW-BENCH-SOURCES where
/// there are none.
template <class G>
std::vector<VertexId> sample_sources(const G& graph, int count, std::uint64_t seed) {
  std::vector<VertexId> sources;
  std::unordered_set<VertexId> taken;
  const std::uint64_t tries = 1000 + 100ull * graph.num_vertices();
  for (std::uint64_t i = 0; i < tries && sources.size() < static_cast<std::size_t>(count); ++i) {
    const auto v = static_cast<VertexId>(splitmix64(seed * 0x9e3779b97f4a7c15ull + i) % graph.num_vertices());
    if (graph.out_degree(v) > 0 && taken.insert(v).second) sources.push_back(v);
  }
  if (sources.empty())
    core::refuse("HW-BENCH-SOURCES", "a graph whose edges are all loops", "a vertex with a neighbour to begin from",
                 "take a larger --scale or --edgefactor, or another --seed");
  return sources;
}

/// Kernel 2: one search and its validation after the other; `one` fills the source's figures and the edges of its component.
class Graph500Searches {
 public:
  Graph500Searches(Graph500Run& run, const MeasureOptions& options) : run_(run), options_(options) {}

  template <class One>
  void each(const std::vector<VertexId>& roots, One&& one) {
    for (const VertexId root : roots) {
      SourceRuns runs{.source = root};
      double edges = 0;
      SearchReport stats;
      const Verdict verdict = one(Query{.sources = {root}, .parents = true}, stats, runs, edges);
      if (!verdict)
        throw Error({.failure = Failure::verification,
                     .id = "HW-BENCH-WRONG",
                     .where = {.file = run_.measurement.graph.name},
                     .found = run_.measurement.ran + " gave a wrong tree: " + verdict.message,
                     .expected = "a tree that passes Graph500's five rules",
                     .hint = "please report this with the command"});
      add(stats, std::move(runs), edges);
      if (options_.run.progress &&
          !options_.run.progress({.what = "searches", .done = run_.nedge.size(), .total = roots.size()}))
        throw Error({.failure = Failure::interrupted, .id = "HW-INTERRUPTED", .found = "the run was stopped"});
    }
    Measurement& m = run_.measurement;
    m.verified = true;
    m.search_ms = statistics(search_);
    m.host_ms = statistics(host_);
    m.teps_harmonic = statistics(teps_).harmonic_mean;
  }

 private:
  void add(const SearchReport& stats, SourceRuns runs, double edges) {
    Measurement& m = run_.measurement;
    runs.search_ms = {stats.work.count()};
    runs.host_ms = {stats.host.count()};
    run_.nedge.push_back(edges);
    search_.push_back(stats.work.count());
    host_.push_back(stats.host.count());
    teps_.push_back(edges / Seconds(stats.work).count());
    m.levels = std::max(m.levels, stats.levels);
    m.launches = stats.launches;
    m.round_trips = stats.round_trips;
    m.sources.push_back(std::move(runs));
  }

  Graph500Run& run_;
  const MeasureOptions& options_;
  std::vector<double> search_, host_, teps_;
};

}  // namespace hopwave::report
