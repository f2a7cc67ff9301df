// The implementation of ResidentEdges and ResidentGraph: a device, and arrays in its memory.
#pragma once

#include <memory>

#include "core/busy.h"
#include "device/device_answer.h"
#include "device_graph/kernels.h"
#include "hopwave/resident.h"

namespace hopwave::inline v0_1::resident {

struct Edges {
  Edges() = default;
  Edges(Edges&&) noexcept = default;
  Edges& operator=(Edges&&) noexcept = default;
  ~Edges() {
    const device::KeepCurrent keep(device.get());
    packed.reset();
  }

  std::shared_ptr<device::Device> device;
  DeviceKind kind = DeviceKind::gpu;
  device::Buffer<std::uint64_t> packed;
  VertexId num_vertices = 0;
  bool directed = true, both_directions = false;
  Ids ids;
  std::optional<VertexId> default_source;
  ReadReport report;
};

struct State {
  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    const device::KeepCurrent keep(device.get());
    graph = {};
    times_source.reset();
  }

  [[nodiscard]] ResidentCheck check(const device::DeviceAnswer& answer, const Query& query) const;

  std::shared_ptr<device::Device> device;  // first: the buffers are freed before it
  DeviceKind kind = DeviceKind::gpu;
  device::DeviceGraph graph;
  bool directed = true;
  device::Buffer<std::uint32_t> times_source;  ///< how often each vertex was the source of an input edge
  BuildReport built;
  Ids ids;
  std::optional<VertexId> default_source;
  ReadReport report;
  std::shared_ptr<const void> owner;  ///< of the caller's arrays
  core::Busy busy;
};

/// Returns a new device of that kind and makes it the thread's current one. Throws HW-DEVICE-NONE.
std::shared_ptr<device::Device> open_device(DeviceKind kind, const DeviceOptions& on = {});
/// Returns its backend. Throws HW-DEVICE-NONE.
const device::Api& api_of(DeviceKind kind);

/// build_graph on a device: copies the edges to it, sorts them there, and copies the rows back.
Graph build_on(EdgeList list, const BuildOptions& options, const RunOptions& run);

}  // namespace hopwave::inline v0_1::resident
