// Searcher: checks the call, and turns a traversal into a Result.
#include "bfs/searcher/searcher.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "bfs/catalogue/residency.h"
#include "bfs/searcher/trim.h"
#include "core/options.h"
#include "core/refuse.h"
#include "core/stopwatch.h"
#include "graph/check_vertex.h"
#include "hopwave/error.h"
#include "hopwave/preparation.h"

namespace hopwave::search_detail {

void not_resident(const std::string& found, const char* expected) {
  throw Error({.failure = Failure::usage,
               .id = "HW-RESIDENT-OPTIONS",
               .found = found + " on a graph that is in device memory only",
               .expected = expected,
               .hint = "search its download()"});
}

namespace {

void check_depth(Distance max_depth) {
  if (max_depth >= -1) return;
  throw Error({.failure = Failure::usage,
               .id = "HW-QUERY-DEPTH",
               .found = "a depth limit of " + std::to_string(max_depth),
               .expected = "0 or more, or -1 for none"});
}

}  // namespace

void check_query(VertexId num_vertices, const Query& query) {
  if (query.sources.empty())
    throw Error({.failure = Failure::usage,
                 .id = "HW-QUERY-EMPTY",
                 .found = "a query without a source",
                 .expected = "at least one source",
                 .hint = ""});
  for (const VertexId s : query.sources) check_vertex(num_vertices, s, "source", "HW-QUERY-SOURCE");
  if (query.target != no_vertex) check_vertex(num_vertices, query.target, "target", "HW-QUERY-TARGET");
  check_depth(query.max_depth);
  core::require_named(query.ties, Ties::min, "ties");
}

void check_sources(VertexId num_vertices, std::span<const VertexId> sources, Distance max_depth) {
  check_depth(max_depth);
  for (const VertexId s : sources) check_vertex(num_vertices, s, "source", "HW-QUERY-SOURCE");
}

void check_pair(VertexId num_vertices, const Pair& pair) {
  check_vertex(num_vertices, pair.source, "source", "HW-QUERY-SOURCE");
  check_vertex(num_vertices, pair.target, "target", "HW-QUERY-TARGET");
}

void check_room(std::size_t to, std::size_t from) {
  if (to != from)
    core::refuse("HW-VIEW-SIZE", "room for " + std::to_string(to) + " distances", "room for " + std::to_string(from));
}

}  // namespace hopwave::search_detail

namespace hopwave::inline v0_1 {

using namespace search_detail;

Searcher::Use::Use(const std::shared_ptr<State>& state)
    : state_(core::present(state, "searcher")), searcher_(state_->busy, "the searcher") {
  if (state_->resident) resident_.emplace(state_->resident->busy, "the graph in device memory");
  current_.emplace(state_->device.get());
}

Searcher::State::~State() {
  replicas.clear();
  const device::KeepCurrent keep(device.get());
  trimmed.reset();
  trimmed_parent.reset();
  packed.reset();
  too_deep.reset();
  sums.reset();
  sums_here = {};
  small_answer = {};
  arrived.reset();
  plan.reset();
}

namespace {

/// Counts the launches while it lives, also of a traversal that throws.
class Counting {
 public:
  Counting(device::Device* device, std::vector<LaunchCounts>& counts) : device_(device), counts_(counts) {
    if (device_) device_->start_counts();
  }
  ~Counting() {
    if (!device_) return;
    counts_ = device_->take_counts();
    for (LaunchCounts& launch : counts_) {
      if (!launch.counted) continue;  // the driver has said what the multiprocessor holds
      const strategy::BlockNeeds needs{
          .threads = launch.block, .dynamic_shared = launch.dynamic_shared, .static_shared = launch.static_shared};
      launch.resident_blocks = static_cast<std::uint32_t>(residency(needs).blocks());
    }
  }
  Counting(const Counting&) = delete;
  Counting& operator=(const Counting&) = delete;

 private:
  device::Device* device_;
  std::vector<LaunchCounts>& counts_;
};

}  // namespace

strategy::RunControl Searcher::State::control(SearchReport& stats, const core::Watch& watch) const {
  return {.trace = options.trace,
          .stats = &stats,
          .progress = options.run.progress ? &options.run.progress : nullptr,
          .watch = watch.limited() ? &watch : nullptr};
}

void Searcher::State::traverse(const Query& query, strategy::RunControl& control) {
  SearchReport& stats = *control.stats;
  const core::Stopwatch clock;
  ++searches;
  if (device) device->forget_largest();
  if (control.over()) control.ended_early(0);
  {
    const Counting counting(options.counts ? device.get() : nullptr, stats.counts);
    plan->run(query, control);
  }
  stats.host = clock.elapsed();
  if (device) std::tie(stats.grid, stats.block) = device->largest_launch();
}

SearchReport Searcher::State::report() const {
  SearchReport report;
  report.device = placement.kind;
  report.strategy = name;
  report.chosen = chosen;
  report.prepare = prepare;
  report.copy_in = copy_in;
  report.notes = notes;
  return report;
}

SearchReport Searcher::State::traverse(const Query& query, const core::Watch& watch) {
  turn_if_it_pays(1, watch);
  SearchReport stats = report();
  strategy::RunControl control = this->control(stats, watch);
  traverse(query, control);
  return stats;
}

End Searcher::State::traverse_or_part(const Query& query, strategy::RunControl& control, bool partial) try {
  traverse(query, control);
  return End::complete;
} catch (const Error& e) {
  if (!partial || control.complete < 0) throw;
  return core::end_of(e);
}

Searcher::Searcher(const Graph& graph, const SearchOptions& options) : state_(std::make_shared<State>(graph, options)) {
  state_->set_up();
  state_->set_up_replicas();
}
Searcher::Searcher(const ResidentGraph& graph, const SearchOptions& options) {
  state_ = std::make_shared<State>(core::present(graph.state_, "graph in device memory"), options);
  const Use use(state_);
  const device::KeepCurrent keep(*state_->resident->device);
  state_->set_up_resident();
}
Searcher::~Searcher() = default;
Searcher::Searcher(Searcher&&) noexcept = default;
Searcher& Searcher::operator=(Searcher&&) noexcept = default;

SearchReport Searcher::traverse(const Query& query) {
  const Use use(state_);
  check_query(use->num_vertices, query);
  return use->traverse(query, core::Watch(use->options.run.limits));
}

Result Searcher::run(const Query& query) {
  const Use use(state_);
  check_query(use->num_vertices, query);
  return use->run(query, core::Watch(use->options.run.limits), use->options.run.limits.partial);
}

/// Nothing was searched: the limit was reached before.
static Result sources_alone(VertexId num_vertices, const Query& query, SearchReport&& run) {
  Result result;
  result.run = std::move(run);
  result.distance = Array<Distance>::filled(num_vertices, unreached);
  if (query.parents) result.parent = Array<VertexId>::filled(num_vertices, no_vertex);
  for (const VertexId s : query.sources) {
    result.reached += result.distance[s] == unreached;
    result.distance[s] = 0;
  }
  return result;
}

Result Searcher::State::run(const Query& wanted, const core::Watch& watch, bool partial) {
  State& s = *this;
  s.turn_if_it_pays(1, watch);
  Query query = wanted;
  if (s.resident && query.parents && query.ties == Ties::min) not_resident("least parents", "any parents");
  // Parents of a partitioned search are the least ones, unless rows have been put in another order.
  const bool least = s.partitioned && !s.options.prepare;
  const bool native = query.parents && s.info->native_parents && (query.ties == Ties::any || least);
  Result result;
  result.run = s.report();
  strategy::RunControl control = s.control(result.run, watch);
  Query asked = query;
  asked.parents = native;
  Arrival arrival(s, native);
  const std::function<void(const device::DeviceAnswer&)> handed_over = [&](const auto& answer) { arrival.start(answer); };
  control.handed_over = &handed_over;
  result.run.end = s.traverse_or_part(asked, control, partial);
  if (!result.run.complete()) {
    if (control.complete == 0) return sources_alone(s.num_vertices, query, std::move(result.run));
    query.max_depth = query.max_depth < 0 ? control.complete : std::min(query.max_depth, control.complete);
  }
  const core::Stopwatch copying;
  const Brought brought = arrival.finish(query.max_depth < 0 && query.target == no_vertex, result);
  if (brought == Brought::nothing) {
    const auto memory = detail::allocate_values(s.num_vertices, sizeof(Distance));
    s.gave(memory);
    result.distance = Array<Distance>(memory, static_cast<Distance*>(memory.get()), s.num_vertices);
    if (native) result.parent = Array<VertexId>(s.num_vertices);
    s.plan->fetch(result.distance.span(), result.parent.span());
  }
  result.run.copy_out = copying.elapsed();
  if (brought != Brought::sums) trim_and_count(s.team, query, result);
  if (query.parents && !native) {
    result.parent = Array<VertexId>(s.num_vertices);
    derive_parents(s.team, s.seen, result);
  }
  agree_with_answer(result);
  return result;
}

void Searcher::set_limits(const Limits& limits) {
  const Use use(state_);
  core::check_limits(limits);
  use->options.run.limits = limits;
}

// Results of the set-up, which no search changes.
const std::string& Searcher::strategy() const { return core::present(state_, "searcher")->name; }
DeviceKind Searcher::device() const { return core::present(state_, "searcher")->placement.kind; }
Milliseconds Searcher::copy_in() const { return core::present(state_, "searcher")->copy_in; }
Milliseconds Searcher::prepare() const { return core::present(state_, "searcher")->prepare; }
const std::vector<std::string>& Searcher::notes() const { return core::present(state_, "searcher")->notes; }
std::shared_ptr<const Preparation> Searcher::preparation() const {
  const Use use(state_);
  const bool straight = use->graph && (use->options.direction == Direction::out || !use->graph->directed());
  auto made = straight ? use->plan->preparation() : nullptr;
  if (made) made->graph = fingerprint(*use->graph);
  return made;
}

Result search(const Graph& graph, const Query& query, const SearchOptions& options) {
  check_query(graph.num_vertices(), query);
  return Searcher(graph, options).run(query);
}

ResidentCheck ResidentGraph::check(const Searcher& searcher, const Query& query) const {
  core::present(state_, "graph in device memory");
  const Searcher::Use use(searcher.state_);
  check_query(use->num_vertices, query);
  if (use->resident != state_) not_resident("a searcher of another graph", "one made from this graph");
  if (query.max_depth >= 0 || query.target != no_vertex) not_resident("a query that stops early", "a whole traversal");
  return state_->check(use->plan->answer(), query);
}

}  // namespace hopwave::inline v0_1
