// WeightedSearcher: checks the call, chooses the method, and turns distances into a result.
#include "algorithm/sssp/searcher.h"

#include <algorithm>
#include <cmath>

#include "bfs/plan/thresholds.h"
#include "core/options.h"
#include "core/refuse.h"
#include "core/stopwatch.h"
#include "graph/check_vertex.h"
#include "hopwave/error.h"

namespace hopwave::sssp {

using search_detail::check_vertex;
void check_query(VertexId num_vertices, const WeightedQuery& query) {
  if (query.sources.empty()) core::refuse("HW-QUERY-EMPTY", "a query without a source", "at least one source");
  for (const VertexId s : query.sources) check_vertex(num_vertices, s, "source", "HW-QUERY-SOURCE");
  if (query.target != no_vertex) check_vertex(num_vertices, query.target, "target", "HW-QUERY-TARGET");
  if (!(query.max_distance >= 0))
    core::refuse("HW-QUERY-DISTANCE", "a greatest distance of " + std::to_string(query.max_distance), "0 or more");
}

}  // namespace hopwave::sssp

namespace hopwave::inline v0_1 {

namespace {

int team_size(const Graph& graph, int threads) {
  if (threads != 0) return threads;  // nonsense is the team's to refuse
  return graph.num_vertices() + graph.num_arcs() < thresholds::Cpu::few_for_threads ? 1 : 0;
}

const WeightedOptions& checked(const WeightedOptions& options) {
  core::check_limits(options.run.limits);
  core::require_named(options.run.device, DeviceKind::sim, "device");
  core::require_named(options.direction, Direction::both, "direction");
  core::require_named(options.run.simulator.schedule, ScheduleKind::load_buffering, "schedule");
  if (options.delta >= 0 && options.delta < no_path) return options;
  core::refuse("HW-OPTION-DELTA", "a bucket of width " + std::to_string(options.delta),
               "a number above 0, or 0 for one that suits the graph");
}

}  // namespace

WeightedSearcher::State::State(const Graph& g, const WeightedOptions& o)
    : graph(&g),
      options(checked(o)),
      team(team_size(g, o.run.threads)),
      figures(sssp::check_weights(team, g)),
      rows(team, g, o.direction) {
  if (team.missing() > 0) notes.push_back(team.missing_text());
}

WeightedReport WeightedSearcher::State::traverse(const WeightedQuery& query, const core::Watch& watch,
                                                 const Progress& progress) {
  WeightedReport stats;
  stats.device = kind;
  stats.strategy = name;
  stats.chosen = chosen;
  stats.prepare = prepare;
  stats.copy_in = copy_in;
  stats.notes = notes;
  const sssp::Control control{
      .stats = &stats, .watch = watch.limited() ? &watch : nullptr, .progress = progress ? &progress : nullptr};
  if (watch.over()) watch.fail("the search ended before its first step");
  // The first step and the last one: a method reports after so many arcs, which a small graph does not have.
  control.step_done(0, 0);
  method->run(query, control);
  control.step_done(stats.steps, stats.relaxations);
  return stats;
}

WeightedResult WeightedSearcher::State::run(const WeightedQuery& query, const core::Watch& watch, const Progress& progress) {
  WeightedResult result;
  result.run = traverse(query, watch, progress);
  const core::Stopwatch copying;
  result.distance = Array<double>(graph->num_vertices());
  method->fetch(result.distance.span());
  result.run.copy_out = copying.elapsed();
  const double bound = sssp::bound_of(query, result.distance.data());
  struct alignas(64) Count {
    VertexId reached = 0;
    double farthest = 0;
  };
  std::vector<Count> counts(static_cast<std::size_t>(team.size()));
  parallel_for(team, graph->num_vertices(), thresholds::Cpu::vertex_grain, [&](std::size_t begin, std::size_t end, int rank) {
    Count& count = counts[static_cast<std::size_t>(rank)];
    for (std::size_t v = begin; v < end; ++v) {
      double& d = result.distance[v];
      if (d > bound) d = no_path;
      if (d == no_path) continue;
      ++count.reached;
      count.farthest = std::max(count.farthest, d);
    }
  });
  for (const Count& count : counts) {
    result.reached += count.reached;
    result.farthest = std::max(result.farthest, count.farthest);
  }
  result.exact = result.farthest < exact_below();
  if (query.parents) {
    watch.check("the distances were found, the tree was not");
    const core::Stopwatch clock;
    result.parent = Array<VertexId>(graph->num_vertices());
    const std::span<const double> distance(result.distance.data(), result.distance.size());
    if (!method->fetch_parents(bound, result.parent.span()))
      sssp::find_nearer_parents(team, rows.arcs(), distance, result.parent.span());
    sssp::find_equal_parents(rows.arcs(), query.sources, distance, result.parent.span());
    result.run.parents = clock.elapsed();
  }
  return result;
}

double WeightedSearcher::State::exact_below() const { return figures.rounded ? 0 : std::ldexp(1.0, 53 + figures.exponent); }

WeightedSearcher::State::~State() {
  const device::KeepCurrent keep(device.get());
  method.reset();
}

WeightedSearcher::WeightedSearcher(const Graph& graph, const WeightedOptions& options) {
  const core::Stopwatch watch;
  state_ = std::make_shared<State>(graph, options);
  state_->prepare = watch.elapsed();
  state_->choose();
}
WeightedSearcher::~WeightedSearcher() = default;
WeightedSearcher::WeightedSearcher(WeightedSearcher&&) noexcept = default;
WeightedSearcher& WeightedSearcher::operator=(WeightedSearcher&&) noexcept = default;

WeightedResult WeightedSearcher::run(const WeightedQuery& query) {
  const Use use(state_);
  sssp::check_query(use->graph->num_vertices(), query);
  return use->run(query, core::Watch(use->options.run.limits), use->options.run.progress);
}

WeightedReport WeightedSearcher::traverse(const WeightedQuery& query) {
  const Use use(state_);
  sssp::check_query(use->graph->num_vertices(), query);
  return use->traverse(query, core::Watch(use->options.run.limits), use->options.run.progress);
}

void WeightedSearcher::set_limits(const Limits& limits) {
  const Use use(state_);
  core::check_limits(limits);
  use->options.run.limits = limits;
}

const std::string& WeightedSearcher::strategy() const { return core::present(state_, "searcher")->name; }
DeviceKind WeightedSearcher::device() const { return core::present(state_, "searcher")->kind; }
Milliseconds WeightedSearcher::copy_in() const { return core::present(state_, "searcher")->copy_in; }
Milliseconds WeightedSearcher::prepare() const { return core::present(state_, "searcher")->prepare; }
const std::vector<std::string>& WeightedSearcher::notes() const { return core::present(state_, "searcher")->notes; }

double WeightedSearcher::exact_below() const { return core::present(state_, "searcher")->exact_below(); }

WeightedResult shortest_paths(const Graph& graph, const WeightedQuery& query, const WeightedOptions& options) {
  sssp::check_query(graph.num_vertices(), query);
  return WeightedSearcher(graph, options).run(query);
}

}  // namespace hopwave::inline v0_1
