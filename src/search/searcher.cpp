// Searcher: checks the call, puts strategy, graph and device together, and turns a traversal into a Result.
#include <algorithm>
#include <tuple>
#include <utility>

#include "core/parallel.h"
#include "core/stopwatch.h"
#include "device/device.h"
#include "engine/choose_cpu.h"
#include "engine/each/cpu.h"
#include "hopwave/error.h"
#include "hopwave/preparation.h"
#include "hopwave/resident.h"
#include "hopwave/search.h"
#include "resident/state.h"
#include "search/catalogue.h"
#include "search/finish.h"
#include "search/machine.h"
#include "search/view.h"

namespace hopwave {
namespace {

using namespace search_detail;

constexpr EdgeIndex small_graph = 1 << 14;  // vertices and arcs below which waking threads costs more than it brings

int team_size(EdgeIndex vertices_and_arcs, int threads) {
  if (threads > 0) return threads;
  return vertices_and_arcs < small_graph ? 1 : 0;
}

void check_vertex(VertexId num_vertices, VertexId v, const char* what, const char* id) {
  if (v < num_vertices) return;
  throw Error({.failure = Failure::input,
               .id = id,
               .found = std::string(what) + " " + std::to_string(v),
               .expected = num_vertices == 0 ? "nothing: the graph has no vertices"
                                             : "a vertex from 0 to " + std::to_string(num_vertices - 1) + " (internal numbers)",
               .hint = ""});
}

[[noreturn]] void not_resident(const std::string& found, const char* expected) {
  throw Error({.failure = Failure::usage,
               .id = "HW-RESIDENT-OPTIONS",
               .found = found + " on a graph that is in device memory only",
               .expected = expected,
               .hint = "search its download()"});
}

void check_query(VertexId num_vertices, const Query& query) {
  if (query.sources.empty())
    throw Error({.failure = Failure::usage,
                 .id = "HW-QUERY-EMPTY",
                 .found = "a query without a source",
                 .expected = "at least one source",
                 .hint = ""});
  for (const VertexId s : query.sources) check_vertex(num_vertices, s, "source", "HW-QUERY-SOURCE");
  if (query.target != no_vertex) check_vertex(num_vertices, query.target, "target", "HW-QUERY-TARGET");
}

void check_sources(VertexId num_vertices, std::span<const VertexId> sources) {
  for (const VertexId s : sources) check_vertex(num_vertices, s, "source", "HW-QUERY-SOURCE");
}

/// One search's share of a pass of `count`. What cannot be shared stands with the first.
RunStats share(const RunStats& pass, std::size_t count, bool first) {
  RunStats stats = pass;
  stats.search_ms /= static_cast<double>(count);
  stats.host_ms /= static_cast<double>(count);
  if (!first) stats.launches = stats.round_trips = 0;
  return stats;
}

}  // namespace

struct Searcher::State {
  State(const Graph& g, const SearchOptions& o)
      : graph(&g), num_vertices(g.num_vertices()), options(o), team(team_size(g.num_vertices() + g.num_arcs(), o.threads)) {}
  State(std::shared_ptr<resident::State> r, const SearchOptions& o)
      : resident(std::move(r)), num_vertices(resident->graph.num_vertices), options(o), team(1) {}

  void set_up();
  void set_up_resident();
  void choose_for_cpu();
  void make_plan(const strategy::Descriptor& on_this_machine);
  std::unique_ptr<strategy::Plan> stored_plan(const strategy::Descriptor& descriptor);
  strategy::PlanRequest request();
  RunStats traverse(const Query& query);
  [[nodiscard]] std::size_t cpu_least() const;
  [[nodiscard]] std::size_t next_pass(std::size_t left) const;
  RunStats traverse_pass(std::span<const VertexId> sources, Distance max_depth);
  bool try_pass(std::span<const VertexId> sources, Distance max_depth, RunStats& stats);

  const Graph* graph = nullptr;
  std::shared_ptr<resident::State> resident;  ///< instead of a graph
  VertexId num_vertices;
  SearchOptions options;
  Team team;
  Placement placement;
  Parameters parameters;
  const StrategyInfo* info = nullptr;
  std::string name, chosen;
  std::unique_ptr<GraphView> view;
  strategy::View seen;
  std::shared_ptr<device::Device> device;
  std::unique_ptr<strategy::Plan> plan;  // after what it points to
  std::unique_ptr<engine::EachCpu> each_cpu;
  bool one_by_one = false;  ///< there was no memory for many searches at once
  double copy_seconds = 0, prepare_seconds = 0;
  std::vector<std::string> notes;
};

void Searcher::State::set_up() {
  placement = place(options, notes);
  const StrategyInfo& wanted = find_strategy(options.strategy);
  parameters = complete_parameters(wanted, options.parameters);
  if (!placement.row) return choose_for_cpu();
  try {
    make_plan(descriptor_on(placement));
  } catch (const Error& e) {
    // Only `auto` with a free hand may go elsewhere.
    const bool elsewhere = e.failure() == Failure::does_not_fit || e.failure() == Failure::device;
    if (options.strategy != "auto" || options.device != DeviceKind::automatic || !elsewhere) throw;
    notes.push_back("the GPU could not be used (" + e.parts().found + "): using the CPU");
    plan.reset();
    device.reset();
    view.reset();
    placement = {};
    choose_for_cpu();
  }
}

void Searcher::State::choose_for_cpu() {
  const engine::CpuChoice choice = engine::choose_cpu(*graph, options.direction);
  if (options.parameters.size() > options.parameters.count("each"))
    notes.push_back("parameters of the GPU engine have no effect on the CPU");
  placement.row = find_row(choice.strategy);
  chosen = std::string(choice.strategy) + ": " + choice.why;
  parameters = complete_parameters(describe(*placement.row).info, {});
  make_plan(descriptor_on(placement));
}

void Searcher::State::make_plan(const strategy::Descriptor& descriptor) {
  info = &descriptor.info;
  name = info->name;
  if (placement.api) {
    device = resident ? resident->device : std::make_shared<device::Device>(*placement.api);
    check_needs(*info, device->properties());
    if (placement.api->schedule) placement.api->schedule(device->stream(), {.seed = options.seed});
  }
  if ((plan = stored_plan(descriptor))) return;
  if (resident) {
    seen = {.num_vertices = num_vertices,
            .symmetric = !resident->directed,
            .resident = &resident->graph,
            .resident_arcs = resident->graph.num_arcs};
  } else {
    view = std::make_unique<GraphView>(team, *graph, options.direction, info->needs.in);
    seen = view->view();
  }
  const core::Stopwatch watch;
  plan = descriptor.plan(request());
  const double seconds = watch.seconds();
  prepare_seconds = (view ? view->build_seconds() : 0) + plan->prepare_seconds();
  copy_seconds = device ? std::max(0.0, seconds - plan->prepare_seconds()) : 0;
  if (options.prepare && plan->prepare_seconds() == 0) notes.push_back(name + " has nothing to prepare");
}

strategy::PlanRequest Searcher::State::request() {
  return {.view = seen,
          .parameters = parameters,
          .prepare = options.prepare,
          .threads = options.threads,
          .team = &team,
          .device = device.get()};
}

/// The plan made from the preparation that the graph brings along; null, with a note, if there is none or it does not fit.
std::unique_ptr<strategy::Plan> Searcher::State::stored_plan(const strategy::Descriptor& descriptor) {
  const Preparation* stored = graph && device ? graph->preparation().get() : nullptr;
  const bool straight = graph && (options.direction == Direction::out || !graph->directed());
  if (!options.prepare || !stored || stored->strategy != name || !straight) return nullptr;
  const core::Stopwatch watch;
  try {
    if (stored->graph != fingerprint(*graph))
      throw Error({.failure = Failure::input,
                   .id = "HW-PREPARATION-FIT",
                   .found = "a stored preparation of another graph",
                   .expected = "one of this graph",
                   .hint = ""});
    // The arrays of a wide preparation are all that is wanted; others stand beside the graph, incoming arcs included.
    view = std::make_unique<GraphView>(team, *graph, options.direction, stored->kind != "wide");
    seen = view->view();
    strategy::PlanRequest wanted = request();
    wanted.prepared = stored;
    auto made = descriptor.plan(wanted);
    prepare_seconds = view->build_seconds();
    copy_seconds = watch.seconds() - prepare_seconds;
    notes.push_back("used the preparation that is stored with the graph");
    return made;
  } catch (const Error& e) {
    if (e.id() != "HW-PREPARATION-FIT") throw;
    view.reset();
    notes.push_back(e.parts().found + ": made anew");
    return nullptr;
  }
}

/// The graph is where it is: nothing to choose but how.
void Searcher::State::set_up_resident() {
  if (options.strategy != "auto") not_resident("strategy " + options.strategy, "strategy auto");
  if (options.direction != Direction::out) not_resident("a search against the arcs", "one along them");
  placement = {resident->kind, &resident->device->api(), find_row("auto")};
  parameters = complete_parameters(find_strategy("auto"), options.parameters);
  make_plan(descriptor_on(placement));
}

RunStats Searcher::State::traverse(const Query& query) {
  RunStats stats;
  stats.chosen = chosen;
  strategy::RunControl control{
      .trace = options.trace, .stats = &stats, .progress = options.progress ? &options.progress : nullptr};
  const core::Stopwatch watch;
  if (device) device->forget_largest();
  plan->run(query, control);
  stats.host_ms = watch.milliseconds();
  if (device) std::tie(stats.grid, stats.block) = device->largest_launch();
  return stats;
}

/// Fewest searches that go into one pass on the CPU; 0: never. Only `auto` is free to do what was not asked for. On thin graphs
/// frontiers seldom meet, so that there is nothing to share.
std::size_t Searcher::State::cpu_least() const {
  if (options.strategy != "auto") return 0;
  const auto each = options.parameters.find("each");
  if (each != options.parameters.end() && each->second >= 0) return static_cast<std::size_t>(each->second);
  return graph->num_arcs() > 4ull * num_vertices ? engine::EachCpu::least : 0;
}

/// How many of the searches that are left go into the next pass; 0: the next runs alone.
std::size_t Searcher::State::next_pass(std::size_t left) const {
  if (one_by_one) return 0;
  const bool cpu = placement.kind == DeviceKind::cpu;
  const std::size_t width = cpu ? engine::EachCpu::width : plan->each_width();
  const std::size_t least = cpu ? cpu_least() : width ? plan->each_least() : 0;
  return least == 0 || left < least ? 0 : std::min(left, width);
}

RunStats Searcher::State::traverse_pass(std::span<const VertexId> sources, Distance max_depth) {
  RunStats stats;
  strategy::RunControl control{
      .trace = options.trace, .stats = &stats, .progress = options.progress ? &options.progress : nullptr};
  const core::Stopwatch watch;
  if (device) {
    device->forget_largest();
    plan->run_each(sources, max_depth, control);
    std::tie(stats.grid, stats.block) = device->largest_launch();
  } else {
    if (!each_cpu) each_cpu = std::make_unique<engine::EachCpu>(team, view->view());
    each_cpu->run(sources, max_depth, control);
  }
  stats.host_ms = watch.milliseconds();
  return stats;
}

/// False: there is no memory for it, and from now on searches run one by one.
bool Searcher::State::try_pass(std::span<const VertexId> sources, Distance max_depth, RunStats& stats) {
  try {
    stats = traverse_pass(sources, max_depth);
    return true;
  } catch (const Error& e) {
    if (e.failure() != Failure::does_not_fit) throw;
    notes.push_back("searching one by one: " + e.parts().found);
    one_by_one = true;
    each_cpu.reset();
    return false;
  }
}

Searcher::Searcher(const Graph& graph, const SearchOptions& options) : state_(std::make_unique<State>(graph, options)) {
  state_->set_up();
}
Searcher::Searcher(const ResidentGraph& graph, const SearchOptions& options)
    : state_(std::make_unique<State>(graph.state_, options)) {
  state_->set_up_resident();
}
Searcher::~Searcher() = default;
Searcher::Searcher(Searcher&&) noexcept = default;
Searcher& Searcher::operator=(Searcher&&) noexcept = default;

RunStats Searcher::traverse(const Query& query) {
  check_query(state_->num_vertices, query);
  return state_->traverse(query);
}

Result Searcher::run(const Query& query) {
  State& s = *state_;
  check_query(s.num_vertices, query);
  if (s.resident && query.parents && query.ties == Ties::min) not_resident("least parents", "any parents");
  const bool native = query.parents && s.info->native_parents && query.ties == Ties::any;
  Result result;
  if (query.parents == native) {
    result.stats = s.traverse(query);
  } else {
    Query distances_only = query;
    distances_only.parents = false;
    result.stats = s.traverse(distances_only);
  }
  const core::Stopwatch watch;
  result.distance = Array<Distance>(s.num_vertices);
  if (query.parents) result.parent = Array<VertexId>(s.num_vertices);
  s.plan->fetch(result.distance.span(), native ? result.parent.span() : std::span<VertexId>{});
  result.stats.copy_back_ms = watch.milliseconds();
  if (native) {
    trim_and_count(s.team, query, result);
  } else {
    Array<VertexId> parent = std::exchange(result.parent, {});
    trim_and_count(s.team, query, result);
    result.parent = std::move(parent);
    if (query.parents) derive_parents(s.team, s.seen, result);
  }
  return result;
}

void Searcher::run_each(std::span<const VertexId> sources, Distance max_depth,
                        const std::function<void(std::size_t, Result&&)>& take) {
  State& s = *state_;
  check_sources(s.num_vertices, sources);
  const Query limit{.sources = {}, .max_depth = max_depth};
  for (std::size_t at = 0; at < sources.size();) {
    const std::size_t width = s.options.trace ? 0 : s.next_pass(sources.size() - at);  // each search has levels of its own
    const auto pass = sources.subspan(at, std::max<std::size_t>(width, 1));
    RunStats stats;
    if (width == 0) {
      take(at, run({.sources = {sources[at]}, .max_depth = max_depth}));
      ++at;
    } else if (s.try_pass(pass, max_depth, stats)) {
      for (std::size_t i = 0; i < pass.size(); ++i) {
        Result result;
        result.stats = share(stats, pass.size(), i == 0);
        const core::Stopwatch watch;
        result.distance = Array<Distance>(s.num_vertices);
        s.device ? s.plan->fetch_each(i, result.distance.span()) : s.each_cpu->fetch(i, result.distance.span());
        result.stats.copy_back_ms = watch.milliseconds();
        trim_and_count(s.team, limit, result);
        take(at + i, std::move(result));
      }
      at += pass.size();
    }
  }
}

std::vector<Result> Searcher::run_each(std::span<const VertexId> sources, Distance max_depth) {
  std::vector<Result> results(sources.size());
  run_each(sources, max_depth, [&](std::size_t i, Result&& result) { results[i] = std::move(result); });
  return results;
}

RunStats Searcher::traverse_each(std::span<const VertexId> sources, Distance max_depth) {
  State& s = *state_;
  check_sources(s.num_vertices, sources);
  RunStats sum;
  for (std::size_t at = 0; at < sources.size();) {
    const std::size_t width = s.next_pass(sources.size() - at);
    const auto pass = sources.subspan(at, std::max<std::size_t>(width, 1));
    RunStats stats;
    if (width == 0)
      stats = s.traverse({.sources = {sources[at]}, .max_depth = max_depth});
    else if (!s.try_pass(pass, max_depth, stats))
      continue;  // one by one, from here on
    at += pass.size();
    stats.search_ms += sum.search_ms;
    stats.host_ms += sum.host_ms;
    stats.levels += sum.levels;
    stats.launches += sum.launches;
    stats.round_trips += sum.round_trips;
    sum = std::move(stats);
  }
  return sum;
}

const std::string& Searcher::strategy() const noexcept { return state_->name; }
DeviceKind Searcher::device() const noexcept { return state_->placement.kind; }
double Searcher::copy_seconds() const noexcept { return state_->copy_seconds; }
double Searcher::prepare_seconds() const noexcept { return state_->prepare_seconds; }
std::shared_ptr<const Preparation> Searcher::preparation() const {
  const bool straight = state_->graph && (state_->options.direction == Direction::out || !state_->graph->directed());
  auto made = straight ? state_->plan->preparation() : nullptr;
  if (made) made->graph = fingerprint(*state_->graph);
  return made;
}
const std::vector<std::string>& Searcher::notes() const noexcept { return state_->notes; }

Result search(const Graph& graph, const Query& query, const SearchOptions& options) {
  check_query(graph.num_vertices(), query);
  return Searcher(graph, options).run(query);
}

ResidentCheck ResidentGraph::check(const Searcher& searcher, const Query& query) const {
  const Searcher::State& s = *searcher.state_;
  check_query(s.num_vertices, query);
  if (s.resident != state_) not_resident("a searcher of another graph", "one made from this graph");
  if (query.max_depth >= 0 || query.target != no_vertex) not_resident("a query that stops early", "a whole traversal");
  return state_->check(s.plan->answer(), query);
}

}  // namespace hopwave

namespace hopwave::strategy {

void RunControl::level_done(std::uint32_t level, std::uint64_t frontier) const {
  if (!progress || (*progress)(level, frontier)) return;
  throw Error({.failure = Failure::interrupted,
               .id = "HW-INTERRUPTED",
               .found = "a request to stop after level " + std::to_string(level),
               .expected = "",
               .hint = ""});
}

}  // namespace hopwave::strategy
