// Strongly connected components on the device that the caller wants.
#include "graph/strong.h"

#include <optional>

#include "core/stopwatch.h"
#include "core/watch.h"
#include "graph/rows.h"
#include "hopwave/error.h"
#include "resident/one_call.h"

namespace hopwave::inline v0_1 {
namespace {

/// What may end a call.
class Control {
 public:
  Control(const StrongOptions& options, VertexId total) : options_(options), watch_(options.limits), total_(total) {}
  [[nodiscard]] bool go_on(std::uint64_t done) {
    refused_ = refused_ || (options_.progress && !options_.progress(done, total_));
    return !refused_ && !watch_.over();
  }
  /// After go_on() has said no.
  [[noreturn]] void fail(std::uint64_t done) const {
    if (refused_) throw Error({.failure = Failure::interrupted, .id = "HW-INTERRUPTED", .found = "interrupted"});
    watch_.fail("components of " + std::to_string(done) + " of " + std::to_string(total_) + " vertices are known");
  }
  void check(std::uint64_t done) {
    if (!go_on(done)) fail(done);
  }

 private:
  const StrongOptions& options_;
  const core::Watch watch_;
  const VertexId total_;
  bool refused_ = false;
};

/// Fills the labels.
void on_device(const Graph& graph, const resident::Placement& placement, const device::Api& api, Control& control,
               StrongFound& found) {
  const device::KeepCurrent keep(&api);
  device::Device device(api, placement.on);
  device.set_schedule(resident::schedule_of(placement));
  const core::Stopwatch copying;
  const resident::CopiedRows out(device, graph.out());
  std::optional<resident::CopiedRows> in;
  if (graph.directed() && graph.has_in()) {
    in.emplace(device, graph.in());
  } else if (graph.directed()) {
    Team team(graph.num_arcs() < std::size_t{1} << 15 ? 1 : 0);
    in.emplace(device, graph::reversed(team, graph.num_vertices(), graph.out()));
  }
  device::Buffer<VertexId> label(device, graph.num_vertices());
  device.wait();
  found.copy_seconds = copying.seconds();
  control.check(0);
  std::uint64_t known = 0;
  resident::StrongTally tally{.complete = true};
  device::Timer timer(device);
  timer.start();
  const resident::Machine& machine = resident::machine(api);
  if (in)
    tally = machine.label_strong(device,
                                 {.out = out.rows(), .in = in->rows(), .label = label.data(), .go_on = [&](std::uint64_t done) {
                                    known = done;
                                    return control.go_on(done);
                                  }});
  else
    machine.label_components(device, out.rows(), true, label.data());
  timer.stop();
  if (!tally.complete) control.fail(known);
  found.rounds = tally.rounds;
  found.spreads = tally.spreads;
  label.download(found.components.label.span());
  found.search_ms = timer.milliseconds();
}

}  // namespace

StrongFound strong_components(const Graph& graph, const StrongOptions& options) {
  const resident::Placement placement{
      .device = options.device, .on = options.on, .seed = options.seed, .schedule = options.schedule};
  const VertexId n = graph.num_vertices();
  StrongFound found;
  Control control(options, n);
  const device::Api* api = resident::api_for_call(placement, found.notes);
  if (!api) {
    const core::Stopwatch watch;
    control.check(0);
    found.components = graph::strong_components(graph, options.threads, [&](VertexId done) { control.check(done); });
    found.search_ms = watch.milliseconds();
    return found;
  }
  found.device = options.device == DeviceKind::sim ? DeviceKind::sim : DeviceKind::gpu;
  if (n == 0) return found;
  found.components.label = Array<VertexId>(n);
  on_device(graph, placement, *api, control, found);
  graph::count_strong(found.components);
  return found;
}

}  // namespace hopwave::inline v0_1
