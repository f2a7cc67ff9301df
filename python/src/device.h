// Graphs and answers in device memory, as Python holds them.
#pragma once

#include "core.h"

namespace hopwave::python {

/// A graph of arrays in device memory, which the owner keeps alive.
struct HeldDeviceGraph {
  std::shared_ptr<ResidentGraph> graph;
};

/// An array of an answer, in its memory. `owner` keeps its searcher alive.
struct DeviceView {
  DeviceResult result;
  bool parents = false;  ///< otherwise distances
  bool on_gpu = false;
  int ordinal = 0;
  nb::object owner = {};

  [[nodiscard]] std::size_t size() const { return result.num_vertices(); }
  [[nodiscard]] void* address() const {
    return parents ? const_cast<VertexId*>(result.parent()) : static_cast<void*>(const_cast<Distance*>(result.distance()));
  }
};

void bind_device(nb::module_& module);

}  // namespace hopwave::python
