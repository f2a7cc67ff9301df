// Many searches by weight: distances and paths of pairs, tables of distances, and whole searches whose distances the caller
// uses at once. On a CPU each thread does one search at a time by Dijkstra's algorithm.
#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <numeric>

#include "algorithm/near.h"
#include "algorithm/sssp/searcher.h"
#include "core/options.h"
#include "core/reporter.h"
#include "core/stopwatch.h"
#include "graph/check_vertex.h"

namespace hopwave::inline v0_1 {

using sssp::Job;
using sssp::Near;

/// Does the jobs, and puts what it finds where they say.
class WeightedSearcher::Each {
 public:
  Each(State& state, std::size_t count, bool paths) : state_(state), paths_(paths), watch_(state.options.run.limits) {
    found_.run.device = state.kind;
    found_.run.strategy = state.name;
    found_.run.chosen = state.chosen;
    found_.run.prepare = state.prepare;
    found_.run.copy_in = state.copy_in;
    found_.run.notes = state.notes;
    found_.distance = Array<double>::filled(count, no_path);
    if (paths) found_.paths.resize(count);
  }

  WeightedDistances run(std::span<const Job> jobs) {
    run(jobs.size(),
        [&](bool at_once, core::Reporter& reporter) { at_once ? run_at_once(jobs, reporter) : run_in_turn(jobs, reporter); });
    found_.exact_below = state_.exact_below();
    return std::move(found_);
  }

  /// Whole searches, of which `use` gets what they find.
  WeightedReport run(std::span<const VertexId> sources, const std::function<void(const WeightedReach&)>& use) {
    run(sources.size(), [&](bool at_once, core::Reporter& reporter) {
      at_once ? whole_at_once(sources, use, reporter) : whole_in_turn(sources, use, reporter);
    });
    return std::move(found_.run);
  }

 private:
  /// `work`: with a search per thread, or one after the other.
  template <class Work>
  void run(std::size_t searches, Work&& work) {
    const core::Stopwatch clock;
    all_ = searches;
    const Progress& asked = state_.options.run.progress;
    Progress report;
    if (asked || watch_.limited())
      report = [&](const Step& step) {
        check_limits();
        return !asked || asked(step);
      };
    core::Reporter reporter(report, searches, "searches");
    reporter.add(0, 0);
    const bool at_once = state_.kind == DeviceKind::cpu && state_.options.strategy != "cpu-delta-stepping";
    if (at_once && state_.options.strategy == "auto") {
      found_.run.strategy = "cpu-dijkstra";
      found_.run.chosen = "cpu-dijkstra: a search per thread";
    }
    work(at_once, reporter);
    found_.run.work = clock.elapsed();
  }

  /// From any thread.
  void check_limits() const {
    if (watch_.over()) watch_.fail(std::to_string(done_) + " of " + std::to_string(all_) + " searches are done");
  }

  void run_at_once(std::span<const Job> jobs, core::Reporter& reporter) {
    std::vector<std::unique_ptr<Near>> searches(static_cast<std::size_t>(state_.team.size()));
    std::mutex mutex;
    std::vector<std::pair<const Job*, std::size_t>> again;  // paths that the full rule for parents has to find
    parallel_for(state_.team, jobs.size(), 1, [&](std::size_t begin, std::size_t end, int rank) {
      auto& mine = searches[static_cast<std::size_t>(rank)];
      if (!mine) mine = std::make_unique<Near>(state_.rows.arcs(), paths_);
      for (const Job& job : jobs.subspan(begin, end - begin)) {
        mine->run(job, false, [&] {
          reporter.add(0, rank);
          if (rank != 0) check_limits();
        });
        for (std::size_t k = 0; k < job.targets.size(); ++k) {
          const VertexId target = job.targets[k];
          found_.distance[job.first + k] = mine->distance(target);
          if (!paths_ || mine->distance(target) == no_path || mine->path_to(target, found_.paths[job.first + k])) continue;
          found_.paths[job.first + k].clear();
          const std::lock_guard lock(mutex);
          again.emplace_back(&job, k);
        }
        ++done_;
        reporter.add(1, rank);
      }
    });
    reporter.add(0, 0);  // the others may have done the calling thread's part
    for (const auto& [job, k] : again) put(*job, k, search({.sources = {job->source}, .target = job->targets[k]}, reporter));
    count(searches);
  }

  void whole_at_once(std::span<const VertexId> sources, const std::function<void(const WeightedReach&)>& use,
                     core::Reporter& reporter) {
    std::vector<std::unique_ptr<Near>> searches(static_cast<std::size_t>(state_.team.size()));
    parallel_for(state_.team, sources.size(), 1, [&](std::size_t begin, std::size_t end, int rank) {
      auto& mine = searches[static_cast<std::size_t>(rank)];
      if (!mine) mine = std::make_unique<Near>(state_.rows.arcs(), false);
      for (std::size_t i = begin; i < end; ++i) {
        mine->all(sources[i], [&] {
          reporter.add(0, rank);
          if (rank != 0) check_limits();
          return false;
        });
        use({.index = i, .vertices = mine->order(), .distance = mine->distances()});
        ++done_;
        reporter.add(1, rank);
      }
    });
    reporter.add(0, 0);
    count(searches);
  }

  void whole_in_turn(std::span<const VertexId> sources, const std::function<void(const WeightedReach&)>& use,
                     core::Reporter& reporter) {
    std::vector<VertexId> order;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const WeightedResult result = search({.sources = {sources[i]}, .parents = false}, reporter);
      add(result.run);
      order.clear();
      for (VertexId v = 0; v < result.distance.size(); ++v)
        if (result.distance[v] != no_path) order.push_back(v);
      std::ranges::stable_sort(order, {}, [&](VertexId v) { return result.distance[v]; });
      use({.index = i, .vertices = order, .distance = result.distance.span()});
      ++done_;
      reporter.add(1, 0);
    }
  }

  void count(const std::vector<std::unique_ptr<Near>>& searches) {
    for (const auto& each : searches) {
      if (!each) continue;
      found_.run.steps += each->taken;
      found_.run.relaxations += each->relaxed;
    }
  }
  void add(const WeightedReport& one) {
    found_.run.steps += one.steps;
    found_.run.relaxations += one.relaxations;
    found_.run.launches += one.launches;
    found_.run.round_trips += one.round_trips;
    found_.run.delta = one.delta;
    found_.run.parents += one.parents;
  }

  void run_in_turn(std::span<const Job> jobs, core::Reporter& reporter) {
    for (const Job& job : jobs) {
      const bool one = job.targets.size() == 1;
      const WeightedResult result =
          search({.sources = {job.source}, .target = one ? job.targets[0] : no_vertex, .parents = paths_}, reporter);
      for (std::size_t k = 0; k < job.targets.size(); ++k) put(job, k, result);
      add(result.run);
      ++done_;
      reporter.add(1, 0);
    }
  }

  WeightedResult search(const WeightedQuery& query, core::Reporter& reporter) {
    return state_.run(query, watch_, [&](const Step&) {
      reporter.add(0, 0);
      return true;
    });
  }

  void put(const Job& job, std::size_t k, const WeightedResult& result) {
    const VertexId target = job.targets[k];
    found_.distance[job.first + k] = result.distance[target];
    if (!paths_ || result.distance[target] == no_path) return;
    std::vector<VertexId>& path = found_.paths[job.first + k];
    for (VertexId v = target; v != no_vertex; v = result.parent[v]) path.push_back(v);
    std::reverse(path.begin(), path.end());
  }

  State& state_;
  bool paths_;
  core::Watch watch_;
  std::atomic<std::size_t> done_{0};
  std::size_t all_ = 0;
  WeightedDistances found_;
};

WeightedDistances WeightedSearcher::distances(std::span<const Pair> pairs, bool paths) {
  const Use use(state_);
  const VertexId n = use->graph->num_vertices();
  for (const Pair& pair : pairs) {
    search_detail::check_vertex(n, pair.source, "source", "HW-QUERY-SOURCE");
    search_detail::check_vertex(n, pair.target, "target", "HW-QUERY-TARGET");
  }
  // Pairs of one source are one job.
  std::vector<std::size_t> order(pairs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return pairs[a].source < pairs[b].source; });
  std::vector<VertexId> targets(pairs.size());
  for (std::size_t k = 0; k < order.size(); ++k) targets[k] = pairs[order[k]].target;
  std::vector<Job> jobs;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (const VertexId source = pairs[order[k]].source; jobs.empty() || jobs.back().source != source)
      jobs.push_back({.source = source, .targets = {}, .first = k});
    Job& job = jobs.back();
    job.targets = std::span(targets).subspan(job.first, k + 1 - job.first);
  }
  WeightedDistances sorted = Each(*use.operator->(), pairs.size(), paths).run(jobs);
  WeightedDistances found{.exact_below = sorted.exact_below, .run = std::move(sorted.run)};
  found.distance = Array<double>(pairs.size());
  if (paths) found.paths.resize(pairs.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    found.distance[order[k]] = sorted.distance[k];
    if (paths) found.paths[order[k]] = std::move(sorted.paths[k]);
  }
  return found;
}

WeightedDistances WeightedSearcher::distance_matrix(std::span<const VertexId> sources, std::span<const VertexId> targets) {
  const Use use(state_);
  const VertexId n = use->graph->num_vertices();
  for (const VertexId s : sources) search_detail::check_vertex(n, s, "source", "HW-QUERY-SOURCE");
  for (const VertexId t : targets) search_detail::check_vertex(n, t, "target", "HW-QUERY-TARGET");
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < sources.size(); ++i) jobs.push_back({sources[i], targets, i * targets.size()});
  return Each(*use.operator->(), sources.size() * targets.size(), false).run(jobs);
}

WeightedReport WeightedSearcher::run_each(std::span<const VertexId> sources,
                                          const std::function<void(const WeightedReach&)>& use) {
  const Use mine(state_);
  for (const VertexId s : sources) search_detail::check_vertex(mine->graph->num_vertices(), s, "source", "HW-QUERY-SOURCE");
  return Each(*mine.operator->(), 0, false).run(sources, use);
}

}  // namespace hopwave::inline v0_1
