// Connected components on the device that the caller wants.
#include "hopwave/components.h"

#include <vector>

#include "core/options.h"
#include "core/stopwatch.h"
#include "device/usable_gpu.h"
#include "graph/components.h"
#include "hopwave/error.h"
#include "resident/machine.h"

namespace hopwave::inline v0_1 {
namespace {

void on_device(const Graph& graph, const ComponentsOptions& options, const device::Api& api, ComponentsFound& found) {
  const device::KeepCurrent keep(&api);
  device::Device device(api, options.on);
  device.set_schedule({.seed = options.seed,
                       .weak = options.schedule == ScheduleKind::weak,
                       .kind = options.schedule == ScheduleKind::weak ? ScheduleKind::uniform : options.schedule});
  const core::Stopwatch copying;
  const VertexId n = graph.num_vertices();
  const std::span<const EdgeIndex> offsets(graph.out().offsets.data(), n + std::size_t{1});
  resident::RowsOnDevice rows{.num_vertices = n, .num_arcs = graph.num_arcs()};
  device::Buffer<std::uint32_t> offsets32;
  device::Buffer<std::uint64_t> offsets64;
  if (graph.num_arcs() < EdgeIndex{1} << 32) {
    const std::vector<std::uint32_t> narrow(offsets.begin(), offsets.end());
    offsets32 = device::Buffer<std::uint32_t>(device, std::span<const std::uint32_t>(narrow));
    rows.offsets32 = offsets32.data();
  } else {
    offsets64 = device::Buffer<std::uint64_t>(device, offsets);
    rows.offsets64 = offsets64.data();
  }
  const device::Buffer<VertexId> neighbors(device, std::span<const VertexId>(graph.out().neighbors.data(), graph.num_arcs()));
  rows.neighbors = neighbors.data();
  device::Buffer<VertexId> label(device, n);
  device.wait();
  found.copy_seconds = copying.seconds();
  device::Timer timer(device);
  timer.start();
  resident::machine(api).label_components(device, rows, !graph.directed(), label.data());
  timer.stop();
  label.download(found.components.label.span());
  found.search_ms = timer.milliseconds();
}

}  // namespace

ComponentsFound connected_components(const Graph& graph, const ComponentsOptions& options) {
  core::require_named(options.device, DeviceKind::sim, "device");
  core::require_named(options.schedule, ScheduleKind::weak, "schedule");
  if (options.schedule != ScheduleKind::uniform && options.device != DeviceKind::sim)
    throw Error({.failure = Failure::usage,
                 .id = "HW-OPTION-SCHEDULE",
                 .found = "a kind of schedule for a search outside the simulator",
                 .expected = "the simulator as device, or the uniform schedule",
                 .hint = "--device sim"});
  ComponentsFound found;
  std::string why_not;
  const device::Api* api = options.device == DeviceKind::sim   ? device::sim_api()
                           : options.device == DeviceKind::cpu ? nullptr
                                                               : device::usable_gpu(why_not);
  if (options.device == DeviceKind::gpu && !api)
    throw Error({.failure = Failure::device,
                 .id = "HW-DEVICE-NONE",
                 .found = "no usable GPU (" + why_not + ")",
                 .expected = "a GPU with its driver",
                 .hint = "--device cpu"});
  if (options.device == DeviceKind::automatic && !api) found.notes.push_back("no GPU (" + why_not + "): using the CPU");
  if (!api) {
    const core::Stopwatch watch;
    found.components = connected_components(graph);
    found.search_ms = watch.milliseconds();
    return found;
  }
  found.device = options.device == DeviceKind::sim ? DeviceKind::sim : DeviceKind::gpu;
  if (graph.num_vertices() == 0) return found;
  found.components.label = Array<VertexId>(graph.num_vertices());
  on_device(graph, options, *api, found);
  Team team(graph.num_vertices() < 1u << 15 ? 1 : 0);
  graph::count_components(team, found.components);
  return found;
}

}  // namespace hopwave::inline v0_1
