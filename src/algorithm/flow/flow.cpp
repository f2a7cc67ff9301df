// Where a maximum flow is found, what it is on the arcs, and the check of it.
#include "hopwave/flow.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "algorithm/flow/paths.h"
#include "algorithm/flow/push_relabel.h"
#include "bfs/plan/thresholds.h"
#include "core/people_text.h"
#include "core/refuse.h"
#include "core/reporter.h"
#include "core/stopwatch.h"
#include "core/watch.h"
#include "device_graph/one_call.h"
#include "hopwave/error.h"

namespace hopwave::inline v0_1 {

bool lost_capacities(const Graph& graph) {
  const BuildReport& built = graph.build_report();
  if (built.duplicates == 0 || built.duplicates_kept || !default_target(graph)) return false;
  using Type = std::filesystem::file_type;
  std::error_code no_file;  // of a generator
  const Type type = std::filesystem::status(graph.read_report().source, no_file).type();
  return type == Type::regular || (type == Type::not_found && graph.read_report().format == "generator");
}

namespace {

/// A flow between the ends that the caller names; for no_vertex the graph's.
Flow between(const Graph& graph, VertexId source, VertexId target) {
  const auto end = [&](const char* id, const std::string& what, VertexId given, std::optional<VertexId> named, char letter) {
    if (given == no_vertex && !named)
      throw Error({.failure = Failure::usage,
                   .id = id,
                   .where = {.file = graph.read_report().source},
                   .found = "no " + what + ": the call gives none, and the graph names none",
                   .expected = "a vertex",
                   .hint = std::string("a file of DIMACS (p max) names it in a line 'n ID ") + letter + "'"});
    return given == no_vertex ? *named : given;
  };
  source = end("HW-QUERY-SOURCE", "source", source, graph.default_source(), 's');
  target = end("HW-QUERY-TARGET", "target", target, default_target(graph), 't');
  const auto refuse = [&](const char* id, const char* what, VertexId v, std::string expected) {
    throw Error({.failure = Failure::input,
                 .id = id,
                 .found = std::string("the ") + what + " " + (v < graph.num_vertices() ? graph.name(v) : std::to_string(v)),
                 .expected = std::move(expected)});
  };
  const std::string range = "a vertex below " + std::to_string(graph.num_vertices());
  if (source >= graph.num_vertices()) refuse("HW-QUERY-SOURCE", "source", source, range);
  if (target >= graph.num_vertices()) refuse("HW-QUERY-TARGET", "target", target, range);
  if (source == target) refuse("HW-QUERY-TARGET", "target", target, "another vertex than the source");
  return {.source = source, .target = target};
}

/// Capacities of parallel arcs add up: those that are gone are missed.
void note_lost_arcs(const Graph& graph, RunReport& report) {
  const BuildReport& built = graph.build_report();
  if (built.duplicates == 0 || built.duplicates_kept) return;
  report.notes.push_back(core::plural(built.duplicates, "parallel arc") +
                         " of the input had been dropped when the graph was built: capacities add up if they are kept");
}

/// The strategy that runs. Throws HW-STRATEGY-UNKNOWN, HW-STRATEGY-DEVICE, HW-OPTION-VALUE.
std::string chosen(const FlowOptions& options, bool on_device) {
  std::string name = options.strategy;
  if (name == "auto") name = options.paths && !on_device ? "edmonds-karp" : "push-relabel";
  if (name != "edmonds-karp" && name != "dinic" && name != "push-relabel")
    core::refuse("HW-STRATEGY-UNKNOWN", "a strategy '" + name + "'", "auto, edmonds-karp, dinic or push-relabel");
  if (on_device && name != "push-relabel") core::refuse("HW-STRATEGY-DEVICE", name + " on a GPU", "push-relabel, or the CPU");
  if (options.paths && name != "edmonds-karp")
    core::refuse("HW-OPTION-VALUE", on_device ? "paths of a flow that is found on a GPU" : "paths of " + name,
                 "edmonds-karp on the CPU, which finds one path after the other",
                 "--explain (FlowOptions::paths) asks for them");
  return name;
}

std::int64_t capacity_of(const Array<std::int64_t>& capacity, EdgeIndex arc) { return capacity.empty() ? 1 : capacity[arc]; }

/// What goes from one vertex to another is dealt out to the arcs between them, in their order.
Array<std::int64_t> flow_of_arcs(const Graph& graph, const Array<std::int64_t>& capacity, const flow::Residual& residual,
                                 Team& team) {
  const Adjacency& out = graph.out();
  Array<std::int64_t> arc(graph.num_arcs());
  parallel_for(team, graph.num_vertices(), thresholds::Cpu::vertex_grain, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t v = begin; v < end; ++v) {
      EdgeIndex entry = residual.offsets[v];
      for (EdgeIndex a = out.offsets[v]; a < out.offsets[v + 1];) {
        const VertexId u = out.neighbors[a];
        std::int64_t rest = 0;
        if (u != v) {
          while (residual.neighbors[entry] != u) ++entry;
          rest = std::max<std::int64_t>(0, residual.capacity[entry] - residual.left[entry]);
        }
        for (; a < out.offsets[v + 1] && out.neighbors[a] == u; ++a) {
          arc[a] = std::min(rest, capacity_of(capacity, a));
          rest -= arc[a];
        }
      }
    }
  });
  return arc;
}

}  // namespace

Flow max_flow(const Graph& graph, VertexId from, VertexId to, const FlowOptions& options) {
  const RunOptions& run = options.run;
  Flow found = between(graph, from, to);
  const VertexId source = found.source, target = found.target;
  const core::Watch limits(run.limits);
  const device::Api* const api = resident::api_for_call(run, found.run);
  found.run.strategy = chosen(options, api != nullptr);
  note_lost_arcs(graph, found.run);
  Team team(run.threads == 0 && graph.num_vertices() + graph.num_arcs() < thresholds::Flow::few_for_threads ? 1 : run.threads);
  if (team.missing() > 0) found.run.notes.push_back(team.missing_text());
  const core::Stopwatch watch;
  const Progress report = core::watched(limits, run.progress, "a flow of 0 is found");
  core::Reporter reporter(report, flow::building_work(graph));
  reporter.add(0, 0);
  const Array<std::int64_t> capacity = flow::capacities_of(graph, team, reporter);
  flow::Residual residual = flow::make_residual(graph, capacity, team, reporter);
  found.run.prepare = watch.elapsed();
  // Both ends' sums bound the value, and every excess.
  std::int64_t most = 0, into = 0;
  for (const VertexId end : {source, target})
    for (EdgeIndex e = residual.offsets[end]; e < residual.offsets[end + 1ull]; ++e) {
      const std::int64_t c = residual.capacity[end == source ? e : residual.mate[e]];
      if (__builtin_add_overflow(end == source ? most : into, c, end == source ? &most : &into))
        throw Error({.failure = Failure::input,
                     .id = "HW-FLOW-SUM",
                     .found = std::string("capacities at the ") + (end == source ? "source" : "target") +
                              " that add up to 2^63 or more",
                     .expected = "a sum below that"});
    }
  const auto go_on = [&](std::int64_t value) {
    if (limits.limited()) limits.check("a flow of " + std::to_string(value) + " is found");
    if (run.progress && !run.progress({.what = "flow",
                                       .done = static_cast<std::uint64_t>(value),
                                       .total = static_cast<std::uint64_t>(std::min(most, into))}))
      throw Error({.failure = Failure::interrupted, .id = "HW-INTERRUPTED", .found = "stopped by the caller"});
  };
  go_on(0);
  if (found.run.strategy == "edmonds-karp") {
    flow::edmonds_karp(residual, source, target, options.paths, go_on, found);
  } else if (found.run.strategy == "dinic") {
    flow::dinic(residual, source, target, go_on, found);
  } else {
    flow::Preflow preflow = flow::begin_preflow(residual, source);
    if (api) {
      const device::KeepCurrent keep(api);
      device::Device device(*api, run.on);
      device.set_schedule(resident::schedule_of(run));
      flow::drain_on_device (*api)(device, residual, preflow, source, target, go_on);
    } else {
      Team one(1);
      Team& searching = options.strategy == "auto" ? one : team;
      flow::drain(residual, preflow, source, target, target, searching, go_on);
      flow::drain(residual, preflow, source, target, source, searching, [&](std::int64_t) { go_on(preflow.excess[target]); });
    }
    found.value = preflow.excess[target];
    found.searches = preflow.searches;
    found.pushes = preflow.pushes;
  }
  go_on(found.value);
  found.source_side = flow::reached_from(residual, source);
  found.arc = flow_of_arcs(graph, capacity, residual, team);
  for (VertexId v = 0; v < graph.num_vertices(); ++v) {
    if (!found.source_side[v]) continue;
    ++found.source_side_size;
    for (EdgeIndex a = graph.out().offsets[v]; a < graph.out().offsets[v + 1ull]; ++a)
      found.cut_arcs += !found.source_side[graph.out().neighbors[a]] && capacity_of(capacity, a) > 0;
  }
  found.run.work = watch.elapsed() - found.run.prepare;
  if (limits.limited()) limits.check("a flow of " + std::to_string(found.value) + " is found");
  return found;
}

Verdict validate(const Graph& graph, VertexId from, VertexId to, const Flow& flow) {
  const Flow ends = between(graph, from, to);
  const VertexId source = ends.source, target = ends.target;
  const auto wrong = [](const char* rule, std::string message) {
    return Verdict{.ok = false, .rule = rule, .message = std::move(message)};
  };
  const VertexId n = graph.num_vertices();
  if (flow.arc.size() != graph.num_arcs() || flow.source_side.size() != n)
    return wrong("size", "there is not one amount per arc and one side per vertex");
  Team team(1);
  const Progress no_report;
  core::Reporter reporter(no_report);
  const Array<std::int64_t> capacity = flow::capacities_of(graph, team, reporter);
  std::vector<__int128> balance(n, 0);  // what enters less what leaves
  __int128 cut = 0;
  for (VertexId v = 0; v < n; ++v)
    for (EdgeIndex a = graph.out().offsets[v]; a < graph.out().offsets[v + 1ull]; ++a) {
      const VertexId u = graph.out().neighbors[a];
      if (flow.arc[a] < 0 || flow.arc[a] > capacity_of(capacity, a))
        return wrong("capacity", "an arc from vertex " + std::to_string(v) + " to " + std::to_string(u) + " carries " +
                                     std::to_string(flow.arc[a]) + " of " + std::to_string(capacity_of(capacity, a)));
      balance[v] -= flow.arc[a], balance[u] += flow.arc[a];
      if (flow.source_side[v] && !flow.source_side[u]) cut += capacity_of(capacity, a);
    }
  for (VertexId v = 0; v < n; ++v)
    if (v != source && v != target && balance[v] != 0)
      return wrong("conservation", "vertex " + std::to_string(v) + ": what enters it is not what leaves it");
  if (balance[target] != flow.value || balance[source] != -static_cast<__int128>(flow.value))
    return wrong("value", "another amount than the value leaves the source, or arrives at the target");
  if (!flow.source_side[source] || flow.source_side[target]) return wrong("cut", "it does not separate source and target");
  if (cut != flow.value) return wrong("cut", "its capacity is not the value of the flow");
  return {};
}

}  // namespace hopwave::inline v0_1
