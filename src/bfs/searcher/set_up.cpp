// Makes a Searcher: chooses machine, strategy and plan; uses the preparation that is stored with the graph, if there is one.
#include <algorithm>
#include <utility>

#include "bfs/catalogue/catalogue.h"
#include "bfs/engine/choose_cpu.h"
#include "bfs/plan/thresholds.h"
#include "bfs/searcher/searcher.h"
#include "core/options.h"
#include "core/stopwatch.h"
#include "hopwave/error.h"
#include "hopwave/preparation.h"

namespace hopwave::inline v0_1 {
namespace {

using namespace search_detail;

int team_size(EdgeIndex vertices_and_arcs, int threads) {
  if (threads != 0) return threads;  // the team refuses invalid numbers
  return vertices_and_arcs < thresholds::Cpu::few_for_threads ? 1 : 0;
}

void require_simulator(const SearchOptions& options, const Placement& placement) {
  if (options.run.simulator.schedule == ScheduleKind::uniform || placement.api == device::sim_api()) return;
  throw Error({.failure = Failure::usage,
               .id = "HW-OPTION-SCHEDULE",
               .found = "a kind of schedule for a search outside the simulator",
               .expected = "the simulator as device, or the uniform schedule",
               .hint = "--device sim"});
}

device::Schedule schedule_of(const SearchOptions& options, const StrategyInfo& info) {
  device::Schedule schedule = device::schedule_of(options.run.simulator.seed, options.run.simulator.schedule);
  if (info.device == "sim")
    schedule.interrupt_every = 3;  // races of a printed listing show where threads are interrupted often
  return schedule;
}

}  // namespace

Searcher::State::State(const Graph& g, const SearchOptions& o)
    : graph(&g), num_vertices(g.num_vertices()), options(o), team(team_size(g.num_vertices() + g.num_arcs(), o.run.threads)) {}
Searcher::State::State(std::shared_ptr<resident::State> r, const SearchOptions& o)
    : resident(std::move(r)),
      num_vertices(resident->graph.num_vertices),
      options(o),
      team(team_size(resident->graph.num_vertices + resident->graph.num_arcs, o.run.threads)) {}

void Searcher::State::set_up() {
  core::check_limits(options.run.limits);
  core::require_named(options.run.device, DeviceKind::sim, "device");
  core::require_named(options.direction, Direction::both, "direction");
  core::require_named(options.partition, Partition::always, "partition");
  core::require_named(options.run.simulator.schedule, ScheduleKind::load_buffering, "schedule");
  if (team.missing() > 0) notes.push_back(team.missing_text());
  placement = place(options, notes);
  if (placement.api)
    if (const device::Architecture* const to = device::find_architecture(options.run.on.limits_of))
      notes.push_back("with the limits of " + device::text_of(*to));
  const device::KeepCurrent keep(placement.api);
  require_simulator(options, placement);
  const StrategyInfo& wanted = find_strategy(options.strategy);
  parameters = complete_parameters(wanted, options.parameters);
  if (options.partition == Partition::always) return set_up_partitioned("it was asked for");
  if (!placement.row) return choose_for_cpu();
  try {
    make_plan(descriptor_on(placement));
  } catch (const Error& e) {
    if (shared_out_instead(e)) return;
    // Only `auto` may change the device, and only if the caller left it open.
    const bool elsewhere = e.failure() == Failure::does_not_fit || e.failure() == Failure::device;
    if (options.strategy != "auto" || options.run.device != DeviceKind::automatic || !elsewhere) throw;
    notes.push_back("the GPU could not be used (" + e.parts().found + "): using the CPU");
    plan.reset();
    device.reset();
    view.reset();
    placement = {};
    choose_for_cpu();
  }
}

void Searcher::State::choose_for_cpu() {
  const engine::CpuChoice choice = engine::choose_cpu(*graph, options.direction, options.prepare);
  if (options.parameters.size() > options.parameters.count("ms_bfs"))
    notes.push_back("parameters of the GPU engine have no effect on the CPU");
  placement.row = find_row(choice.strategy);
  chosen = std::string(choice.strategy) + ": " + choice.why;
  parameters = complete_parameters(describe(*placement.row).info, {});
  make_plan(descriptor_on(placement));
  would_turn = choice.would_turn;
}

void Searcher::State::turn_arcs() {
  would_turn = false;
  const engine::CpuChoice choice = engine::choose_cpu(*graph, options.direction, true);
  const strategy::TableRow* const row = find_row(choice.strategy);
  const strategy::Descriptor& descriptor = row->cpu();
  Parameters wanted = complete_parameters(describe(*row).info, {});
  try {
    auto turned = std::make_unique<GraphView>(team, *graph, options.direction, descriptor.info.needs.in);
    strategy::PlanRequest request = this->request();
    request.view = turned->view();
    request.parameters = wanted;
    plan = descriptor.plan(request);
    ms_bfs_cpu.reset();  // they read the view that is replaced
    counters.clear();
    view = std::move(turned);
  } catch (const Error& e) {
    if (e.failure() != Failure::does_not_fit) throw;
    return;  // unchanged: there is no memory for both
  }
  seen = view->view();
  info = &descriptor.info;
  placement.row = row;
  parameters = std::move(wanted);
  chosen = std::string(choice.strategy) + ": " + choice.why;
}

void Searcher::State::make_plan(const strategy::Descriptor& descriptor) {
  info = &descriptor.info;
  name = info->name;
  if (placement.api) {
    device = resident ? resident->device : std::make_shared<device::Device>(*placement.api, options.run.on);
    check_needs(*info, device->properties());
    device->set_schedule(schedule_of(options, *info));
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
  const Milliseconds planned = watch.elapsed();
  prepare = (view ? view->build_time() : Milliseconds()) + plan->prepare_time();
  copy_in = device ? std::max(Milliseconds(), planned - plan->prepare_time()) : Milliseconds();
  if (options.prepare && plan->prepare_time() == Milliseconds()) notes.push_back(name + " has nothing to prepare");
}

strategy::PlanRequest Searcher::State::request() {
  return {.view = seen,
          .parameters = parameters,
          .prepare = options.prepare,
          .threads = options.run.threads,
          .team = &team,
          .device = device.get()};
}

/// The plan made from the preparation of the graph; null, with a note, if there is none or it does not fit.
std::unique_ptr<strategy::Plan> Searcher::State::stored_plan(const strategy::Descriptor& descriptor) {
  const std::shared_ptr<const Preparation> kept = graph && device ? graph->preparation() : nullptr;
  const Preparation* stored = kept.get();
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
    // Of a wide preparation only these arrays are needed; other preparations are used together with the graph and its incoming
    // arcs.
    view = std::make_unique<GraphView>(team, *graph, options.direction, stored->kind != "grid-wide");
    seen = view->view();
    strategy::PlanRequest wanted = request();
    wanted.prepared = stored;
    auto made = descriptor.plan(wanted);
    prepare = view->build_time();
    copy_in = watch.elapsed() - prepare;
    notes.push_back("used the preparation that is stored with the graph");
    return made;
  } catch (const Error& e) {
    if (e.id() != "HW-PREPARATION-FIT") throw;
    view.reset();
    notes.push_back(e.parts().found + ": made anew");
    return nullptr;
  }
}

/// The graph is in device memory already, so only the strategy is chosen.
void Searcher::State::set_up_resident() {
  core::check_limits(options.run.limits);
  core::require_named(options.run.device, DeviceKind::sim, "device");
  core::require_named(options.direction, Direction::both, "direction");
  if (options.strategy != "auto") not_resident("strategy " + options.strategy, "strategy auto");
  if (!options.run.replicas.empty()) not_resident("further devices", "the device that has it");
  if (options.partition == Partition::always) not_resident("a share for each device", "the device that has it");
  if (options.direction != Direction::out) not_resident("a search against the arcs", "one along them");
  placement = {resident->kind, &resident->device->api(), find_row("auto")};
  parameters = complete_parameters(find_strategy("auto"), options.parameters);
  make_plan(descriptor_on(placement));
}

}  // namespace hopwave::inline v0_1
