// Devices and rows for calls that keep nothing on the device.
#include "device_graph/one_call.h"

#include "core/options.h"
#include "device/usable_gpu.h"
#include "hopwave/error.h"

namespace hopwave::inline v0_1::resident {

const device::Api* api_for_call(const RunOptions& run, RunReport& report) {
  core::require_named(run.device, DeviceKind::sim, "device");
  core::require_named(run.simulator.schedule, ScheduleKind::load_buffering, "schedule");
  if (run.simulator.schedule != ScheduleKind::uniform && run.device != DeviceKind::sim)
    throw Error({.failure = Failure::usage,
                 .id = "HW-OPTION-SCHEDULE",
                 .found = "a kind of schedule for a search outside the simulator",
                 .expected = "the simulator as device, or the uniform schedule",
                 .hint = "--device sim"});
  report.device = DeviceKind::cpu;
  if (run.device == DeviceKind::cpu || run.device == DeviceKind::automatic) return nullptr;
  if (run.device == DeviceKind::sim) {
    report.device = DeviceKind::sim;
    return device::sim_api();
  }
  std::string why_not;
  const device::Api* api = device::usable_gpu(why_not);
  if (!api) device::refuse_without_gpu(why_not, "--device cpu");
  report.device = DeviceKind::gpu;
  return api;
}

CopiedRows::CopiedRows(device::Device& device, const Adjacency& adjacency) {
  const std::span<const EdgeIndex> offsets = adjacency.offsets.span();
  const std::size_t arcs = adjacency.neighbors.size();
  rows_.num_vertices = static_cast<VertexId>(offsets.size() - 1);
  rows_.num_arcs = arcs;
  if (arcs < EdgeIndex{1} << 32) {
    const std::vector<std::uint32_t> narrow(offsets.begin(), offsets.end());
    offsets32_ = device::Buffer<std::uint32_t>(device, std::span<const std::uint32_t>(narrow));
    device.wait();  // `narrow` is freed
    rows_.offsets32 = offsets32_.data();
  } else {
    offsets64_ = device::Buffer<std::uint64_t>(device, offsets);
    rows_.offsets64 = offsets64_.data();
  }
  neighbors_ = device::Buffer<VertexId>(device, std::span<const VertexId>(adjacency.neighbors.data(), arcs));
  rows_.neighbors = neighbors_.data();
}

}  // namespace hopwave::inline v0_1::resident
