// Strongly connected components on the device that the caller wants.
#include <algorithm>
#include <optional>

#include "algorithm/strong/gpu.h"
#include "algorithm/strong/tarjan.h"
#include "bfs/plan/thresholds.h"
#include "core/stopwatch.h"
#include "core/watch.h"
#include "device_graph/one_call.h"
#include "graph/rows.h"
#include "hopwave/error.h"

namespace hopwave::inline v0_1 {
namespace {

/// What may end a call.
class Control {
 public:
  /// `total`: units of work, of which the components of `vertices` are the first ones.
  Control(const RunOptions& run, VertexId vertices, std::uint64_t total)
      : run_(run), watch_(run.limits), vertices_(vertices), total_(total) {}
  [[nodiscard]] bool go_on(std::uint64_t done) {
    refused_ = refused_ || (run_.progress && !run_.progress({.what = "vertices", .done = done, .total = total_}));
    return !refused_ && !watch_.over();
  }
  /// After go_on() has said no.
  [[noreturn]] void fail(std::uint64_t done) const {
    if (refused_) throw Error({.failure = Failure::interrupted, .id = "HW-INTERRUPTED", .found = "interrupted"});
    watch_.fail("components of " + std::to_string(std::min<std::uint64_t>(done, vertices_)) + " of " +
                std::to_string(vertices_) + " vertices are known");
  }
  void check(std::uint64_t done) {
    if (!go_on(done)) fail(done);
  }

 private:
  const RunOptions& run_;
  const core::Watch watch_;
  const VertexId vertices_;
  const std::uint64_t total_;
  bool refused_ = false;
};

/// Rounds after which one CPU thread would have found all: a small round takes 3.7 µs on an H100, Tarjan's algorithm some 40 ns
/// per vertex and 20 ns per arc. If rounds are given up then, no graph takes much more than twice the CPU's time.
std::uint64_t default_rounds(const Graph& graph) {
  return std::max<std::uint64_t>(thresholds::Strong::device_least_rounds,
                                 (2ull * graph.num_vertices() + graph.num_arcs()) / thresholds::Strong::device_rounds_part);
}

void on_cpu(const Graph& graph, int threads, Control& control, StrongComponents& found) {
  const core::Stopwatch watch;
  control.check(0);
  StrongComponents parts = graph::strong_components(graph, threads, [&](VertexId done) { control.check(done); });
  found.label = std::move(parts.label);
  found.count = parts.count, found.largest_label = parts.largest_label, found.largest_size = parts.largest_size;
  found.run.work += watch.elapsed();
}

/// Fills the labels. False: the graph is too deep for a device.
bool on_device(const Graph& graph, const RunOptions& run, const device::Api& api, Control& control, std::uint64_t max_rounds,
               StrongComponents& found) {
  const device::KeepCurrent keep(&api);
  device::Device device(api, run.on);
  device.set_schedule(resident::schedule_of(run));
  const core::Stopwatch copying;
  const resident::CopiedRows out(device, graph.out());
  std::optional<resident::CopiedRows> in;
  if (graph.directed() && graph.has_in()) {
    in.emplace(device, graph.in());
  } else if (graph.directed()) {
    Team team(graph.num_arcs() < thresholds::Cpu::few_for_reversing ? 1 : 0);
    in.emplace(device, graph::reversed(team, graph.num_vertices(), graph.out()));
  }
  device::Buffer<VertexId> label(device, graph.num_vertices());
  device.wait();
  found.run.copy_in = copying.elapsed();
  control.check(0);
  std::uint64_t known = 0;
  bool too_deep = false;
  resident::StrongTally tally{.complete = true};
  device::Timer timer(device);
  timer.start();
  if (in)
    tally = resident::label_strong(api)(
        device,
        {.out = out.rows(), .in = in->rows(), .label = label.data(), .go_on = [&](std::uint64_t done, std::uint64_t rounds) {
           known = done;
           too_deep = rounds > max_rounds;
           return !too_deep && control.go_on(done);
         }});
  else
    resident::label_components(api)(device, out.rows(), true, label.data());
  timer.stop();
  found.rounds = tally.rounds;
  found.spreads = tally.spreads;
  found.run.work = timer.elapsed();
  if (too_deep) return false;
  if (!tally.complete) control.fail(known);
  label.download(found.label.span());
  return true;
}

StrongComponents find(const Graph& graph, const StrongOptions& options, Control& control) {
  const RunOptions& run = options.run;
  const VertexId n = graph.num_vertices();
  StrongComponents found;
  const device::Api* api = resident::api_for_call(run, found.run);
  if (!api) {
    on_cpu(graph, run.threads, control, found);
    return found;
  }
  if (n == 0) return found;
  found.label = Array<VertexId>(n);
  if (on_device(graph, run, *api, control, options.max_rounds ? options.max_rounds : default_rounds(graph), found)) {
    Team team(n < thresholds::Cpu::few_for_threads ? 1 : run.threads);
    graph::count_strong(found, team);
    return found;
  }
  found.run.notes.push_back("a deep graph: after " + std::to_string(found.rounds) + " rounds on the device the CPU took over");
  found.run.device = DeviceKind::cpu;
  on_cpu(graph, run.threads, control, found);
  return found;
}

}  // namespace

StrongComponents strong_components(const Graph& graph, const StrongOptions& options) {
  Control control(options.run, graph.num_vertices(), graph.num_vertices());
  return find(graph, options, control);
}

Graph condensation(const Graph& graph, const StrongOptions& options) {
  const VertexId n = graph.num_vertices();
  Control control(options.run, n, n + graph::condensing_work(graph));
  const StrongComponents parts = find(graph, options, control);
  return graph::condensation(graph, parts, [&](const Step& step) {
    control.check(n + step.done);
    return true;
  });
}

}  // namespace hopwave::inline v0_1
