// What GPU strategies share on the host side: the graph in device memory and the level array with its start.
// Included by src/strategy/*.cu, each of which nvcc, hipcc and the host compiler (for the simulator) compile.
#pragma once

#include "device/device.h"
#include "device/kernel.h"
#include "strategy/strategy.h"

namespace hopwave::strategy {

using device::Buffer;
using device::Device;
using device::launch;

/// Grid that covers `items` with one thread each, `block` threads a block; at least 1.
inline std::uint32_t blocks_for(std::uint64_t items, std::uint32_t block) {
  const std::uint64_t blocks = (items + block - 1) / block;
  return static_cast<std::uint32_t>(blocks ? blocks : 1);
}

/// The arrays of a View in device memory. Offsets are 32-bit while arcs fit, else 64-bit: exactly one of the two is filled.
class DeviceGraph {
 public:
  /// Copies what `needs` asks for. `wide_offsets` forces 64-bit offsets (tests).
  DeviceGraph(Device& device, const View& view, const Needs& needs, bool wide_offsets = false);

  VertexId num_vertices = 0;
  EdgeIndex num_arcs = 0;
  bool wide = false;
  Buffer<std::uint32_t> offsets32, in_offsets32;
  Buffer<std::uint64_t> offsets64, in_offsets64;
  Buffer<VertexId> neighbors, in_neighbors, arc_sources;

  /// in-arrays of a symmetric view are the out-arrays.
  template <class Offset> [[nodiscard]] const Offset* offsets() const;
  template <class Offset> [[nodiscard]] const Offset* in_offsets() const;
  [[nodiscard]] const VertexId* in_neighbor_data() const { return in_neighbors.empty() ? neighbors.data() : in_neighbors.data(); }
};
template <> inline const std::uint32_t* DeviceGraph::offsets<std::uint32_t>() const { return offsets32.data(); }
template <> inline const std::uint64_t* DeviceGraph::offsets<std::uint64_t>() const { return offsets64.data(); }
template <> inline const std::uint32_t* DeviceGraph::in_offsets<std::uint32_t>() const { return in_offsets32.empty() ? offsets32.data() : in_offsets32.data(); }
template <> inline const std::uint64_t* DeviceGraph::in_offsets<std::uint64_t>() const { return in_offsets64.empty() ? offsets64.data() : in_offsets64.data(); }

}  // namespace hopwave::strategy
