// Connected components on the device that the caller wants.
#include "hopwave/components.h"

#include <functional>

#include "core/stopwatch.h"
#include "core/told.h"
#include "core/watch.h"
#include "device_graph/one_call.h"
#include "graph/components.h"

namespace hopwave::inline v0_1 {
namespace {

void on_device(const Graph& graph, const resident::Placement& placement, const device::Api& api,
               const std::function<void()>& check, ComponentsFound& found) {
  const device::KeepCurrent keep(&api);
  device::Device device(api, placement.on);
  device.set_schedule(resident::schedule_of(placement));
  const core::Stopwatch copying;
  const resident::CopiedRows rows(device, graph.out());
  device::Buffer<VertexId> label(device, graph.num_vertices());
  device.wait();
  found.copy_seconds = copying.seconds();
  check();
  device::Timer timer(device);
  timer.start();
  resident::label_components(api)(device, rows.rows(), !graph.directed(), label.data());
  timer.stop();
  label.download(found.components.label.span());
  found.search_ms = timer.milliseconds();
}

}  // namespace

ComponentsFound connected_components(const Graph& graph, const ComponentsOptions& options) {
  const resident::Placement placement{
      .device = options.device, .on = options.on, .seed = options.seed, .schedule = options.schedule};
  ComponentsFound found;
  const core::Watch limits(options.limits);
  const core::Told::Report report = core::watched(limits, options.progress, "the components are not known yet");
  // On a device nothing is done until all is.
  const auto check = [&] { core::Told(report, graph.num_vertices() + graph.num_arcs()).add(0, 0); };
  const device::Api* api = resident::api_for_call(placement, found.notes);
  if (!api) {
    Team team(graph::component_threads(graph, options.threads));
    if (team.missing() > 0) found.notes.push_back(team.missing_text());
    const core::Stopwatch watch;
    found.components = graph::find_components(team, graph, report);
    found.search_ms = watch.milliseconds();
    return found;
  }
  found.device = options.device == DeviceKind::sim ? DeviceKind::sim : DeviceKind::gpu;
  if (graph.num_vertices() == 0) return found;
  check();
  found.components.label = Array<VertexId>(graph.num_vertices());
  on_device(graph, placement, *api, check, found);
  Team team(options.threads == 0 && graph.num_vertices() < 1u << 15 ? 1 : options.threads);
  graph::count_components(team, found.components);
  return found;
}

}  // namespace hopwave::inline v0_1
