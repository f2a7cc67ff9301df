// A graph's arrays in device memory, and nothing else: the code that fills and reads them is elsewhere.
#pragma once

#include "device/device.h"
#include "hopwave/types.h"

namespace hopwave::device {

/// A graph's arrays in device memory. Offsets are 32-bit while arcs fit, else 64-bit: exactly one of the two is filled.
struct DeviceGraph {
  VertexId num_vertices = 0;
  EdgeIndex num_arcs = 0;
  bool wide = false;
  Buffer<std::uint32_t> offsets32, in_offsets32;
  Buffer<std::uint64_t> offsets64, in_offsets64;
  Buffer<VertexId> neighbors, in_neighbors, arc_sources;

  /// The in-arrays of a symmetric graph are the out-arrays.
  template <class Offset>
  [[nodiscard]] const Offset* offsets() const;
  template <class Offset>
  [[nodiscard]] const Offset* in_offsets() const;
  [[nodiscard]] const VertexId* in_neighbor_data() const {
    return in_neighbors.empty() ? neighbors.data() : in_neighbors.data();
  }
};
template <>
inline const std::uint32_t* DeviceGraph::offsets<std::uint32_t>() const {
  return offsets32.data();
}
template <>
inline const std::uint64_t* DeviceGraph::offsets<std::uint64_t>() const {
  return offsets64.data();
}
template <>
inline const std::uint32_t* DeviceGraph::in_offsets<std::uint32_t>() const {
  return in_offsets32.empty() ? offsets32.data() : in_offsets32.data();
}
template <>
inline const std::uint64_t* DeviceGraph::in_offsets<std::uint64_t>() const {
  return in_offsets64.empty() ? offsets64.data() : in_offsets64.data();
}

}  // namespace hopwave::device
