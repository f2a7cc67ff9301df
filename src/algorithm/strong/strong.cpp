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
  Control(const StrongOptions& options, VertexId vertices, std::uint64_t total)
      : options_(options), watch_(options.limits), vertices_(vertices), total_(total) {}
  [[nodiscard]] bool go_on(std::uint64_t done) {
    refused_ = refused_ || (options_.progress && !options_.progress(done, total_));
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
  const StrongOptions& options_;
  const core::Watch watch_;
  const VertexId vertices_;
  const std::uint64_t total_;
  bool refused_ = false;
};

/// Rounds after which one CPU thread would have found all: a small round takes 3.7 µs on an H100, Tarjan's algorithm some 40 ns
/// a vertex and 20 an arc. So no graph takes much more than twice its time, if it is given up then.
std::uint64_t standard_rounds(const Graph& graph) {
  return std::max<std::uint64_t>(thresholds::Strong::device_least_rounds,
                                 (2ull * graph.num_vertices() + graph.num_arcs()) / thresholds::Strong::device_rounds_part);
}

void on_cpu(const Graph& graph, int threads, Control& control, StrongFound& found) {
  const core::Stopwatch watch;
  control.check(0);
  found.components = graph::strong_components(graph, threads, [&](VertexId done) { control.check(done); });
  found.search_ms += watch.milliseconds();
}

/// Fills the labels. False: the graph is too deep for a device.
bool on_device(const Graph& graph, const resident::Placement& placement, const device::Api& api, Control& control,
               std::uint64_t most_rounds, StrongFound& found) {
  const device::KeepCurrent keep(&api);
  device::Device device(api, placement.on);
  device.set_schedule(resident::schedule_of(placement));
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
  found.copy_seconds = copying.seconds();
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
           too_deep = rounds > most_rounds;
           return !too_deep && control.go_on(done);
         }});
  else
    resident::label_components(api)(device, out.rows(), true, label.data());
  timer.stop();
  found.rounds = tally.rounds;
  found.spreads = tally.spreads;
  found.search_ms = timer.milliseconds();
  if (too_deep) return false;
  if (!tally.complete) control.fail(known);
  label.download(found.components.label.span());
  return true;
}

StrongFound find(const Graph& graph, const StrongOptions& options, Control& control) {
  const resident::Placement placement{
      .device = options.device, .on = options.on, .seed = options.seed, .schedule = options.schedule};
  const VertexId n = graph.num_vertices();
  StrongFound found;
  const device::Api* api = resident::api_for_call(placement, found.notes);
  if (!api) {
    on_cpu(graph, options.threads, control, found);
    return found;
  }
  found.device = options.device == DeviceKind::sim ? DeviceKind::sim : DeviceKind::gpu;
  if (n == 0) return found;
  found.components.label = Array<VertexId>(n);
  if (on_device(graph, placement, *api, control, options.most_rounds ? options.most_rounds : standard_rounds(graph), found)) {
    graph::count_strong(found.components);
    return found;
  }
  found.notes.push_back("a deep graph: after " + std::to_string(found.rounds) + " rounds on the device the CPU took over");
  found.device = DeviceKind::cpu;
  found.components = {};
  on_cpu(graph, options.threads, control, found);
  return found;
}

}  // namespace

StrongFound strong_components(const Graph& graph, const StrongOptions& options) {
  Control control(options, graph.num_vertices(), graph.num_vertices());
  return find(graph, options, control);
}

Graph condensation(const Graph& graph, const StrongOptions& options) {
  const VertexId n = graph.num_vertices();
  Control control(options, n, n + graph::condensing_work(graph));
  const StrongComponents parts = find(graph, options, control).components;
  return graph::condensation(graph, parts, [&](std::uint64_t done, std::uint64_t) {
    control.check(n + done);
    return true;
  });
}

}  // namespace hopwave::inline v0_1
