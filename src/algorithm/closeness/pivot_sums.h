// Sums of distances to pivots, in device memory.
#pragma once

#include <span>

#include "device/on_machine.h"
#include "device_graph/kernels.h"

namespace hopwave::inline v0_1::resident {

/// hopwave::PivotSums of every vertex, in device memory.
struct PivotSumsThere {
  std::uint32_t* met = nullptr;
  std::uint64_t* sum = nullptr;
  double* inverse_sum = nullptr;
  Distance* longest = nullptr;
};

/// Of no pivot yet: zeros, and `longest` for the longest distance. Neither this nor the next waits.
HW_FOR_EACH_MACHINE(void, begin_pivot_sums, device::Device& device, const PivotSumsThere& sums, VertexId count,
                    Distance longest)
/// Adds rows of `count` distances to a pivot each, in their order. No vertex is farther than beyond[k] from the k-th pivot,
/// the other way; −1: not known.
HW_FOR_EACH_MACHINE(void, add_to_pivot_sums, device::Device& device, const device::DeviceRows& rows,
                    std::span<const Distance> beyond, VertexId count, const PivotSumsThere& sums)

}  // namespace hopwave::inline v0_1::resident
