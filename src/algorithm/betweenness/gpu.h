// Betweenness by a device.
#pragma once

#include <functional>
#include <span>

#include "device/on_machine.h"
#include "device_graph/kernels.h"

namespace hopwave::inline v0_1::resident {

/// Sums are added to what `vertex` and `arc` hold, in device memory; `arc` may be null.
struct BetweennessRequest {
  RowsOnDevice out, in;
  std::span<const VertexId> sources;         ///< in the host's memory
  const unsigned char* is_target = nullptr;  ///< one per vertex, in device memory; null: all are
  bool endpoints = false;
  double* vertex = nullptr;
  double* arc = nullptr;
  std::function<bool(std::uint64_t done)> go_on;  ///< asked before every level
};
struct BetweennessTally {
  std::uint64_t searched = 0;  ///< the first so many sources are in the sums
  double max_paths = 0;        ///< between two vertices
};

HW_FOR_EACH_MACHINE(BetweennessTally, betweenness, device::Device& device, const BetweennessRequest& request)

}  // namespace hopwave::inline v0_1::resident
