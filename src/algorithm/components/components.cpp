// Connected components on the device that the caller wants.
#include "hopwave/components.h"

#include <functional>
#include <utility>

#include "core/reporter.h"
#include "core/stopwatch.h"
#include "core/watch.h"
#include "device_graph/one_call.h"
#include "graph/components.h"

namespace hopwave::inline v0_1 {
namespace {

void on_device(const Graph& graph, const RunOptions& run, const device::Api& api, const std::function<void()>& check,
               Components& found) {
  const device::KeepCurrent keep(&api);
  device::Device device(api, run.on);
  device.set_schedule(resident::schedule_of(run));
  const core::Stopwatch copying;
  const resident::CopiedRows rows(device, graph.out());
  device::Buffer<VertexId> label(device, graph.num_vertices());
  device.wait();
  found.run.copy_in = copying.elapsed();
  check();
  device::Timer timer(device);
  timer.start();
  resident::label_components(api)(device, rows.rows(), !graph.directed(), label.data());
  timer.stop();
  label.download(found.label.span());
  found.run.work = timer.elapsed();
}

}  // namespace

Components connected_components(const Graph& graph, const RunOptions& run) {
  Components found;
  const core::Watch limits(run.limits);
  const Progress report = core::watched(limits, run.progress, "the components are not known yet");
  // On a device nothing is done until all is.
  const auto check = [&] { core::Reporter(report, graph.num_vertices() + graph.num_arcs()).add(0, 0); };
  const device::Api* api = resident::api_for_call(run, found.run);
  if (!api) {
    Team team(graph::component_threads(graph, run.threads));
    if (team.missing() > 0) found.run.notes.push_back(team.missing_text());
    const core::Stopwatch watch;
    Components labels = graph::find_components(team, graph, report);
    labels.run = std::move(found.run);
    labels.run.work = watch.elapsed();
    return labels;
  }
  if (graph.num_vertices() == 0) return found;
  check();
  found.label = Array<VertexId>(graph.num_vertices());
  on_device(graph, run, *api, check, found);
  Team team(run.threads == 0 && graph.num_vertices() < 1u << 15 ? 1 : run.threads);
  graph::count_components(team, found);
  return found;
}

}  // namespace hopwave::inline v0_1
