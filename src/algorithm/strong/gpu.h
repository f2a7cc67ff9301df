// Labels of strongly connected components, found by a device.
#pragma once

#include <functional>

#include "device/on_machine.h"
#include "device_graph/kernels.h"

namespace hopwave::inline v0_1::resident {

/// Strongly connected components: `label` gets the smallest vertex of each vertex's, in device memory.
struct StrongRequest {
  RowsOnDevice out, in;
  VertexId* label = nullptr;
  /// Asked between launches, with the vertices whose label is known, and the rounds.
  std::function<bool(std::uint64_t done, std::uint64_t rounds)> go_on;
};

struct StrongTally {
  bool complete = false;  ///< false: `go_on` has ended it, and labels are of no use
  std::uint64_t rounds = 0, spreads = 0;
};

HW_FOR_EACH_MACHINE(StrongTally, label_strong, device::Device& device, const StrongRequest& request)

}  // namespace hopwave::inline v0_1::resident
