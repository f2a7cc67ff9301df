// A View's arrays on their way to the device.
#pragma once

#include "bfs/plan/plan.h"
#include "device/device.h"
#include "device/device_graph.h"

namespace hopwave::strategy {

/// Arcs up to which 32-bit offsets do: kernels stride over rows, and the last stride must not wrap round.
inline constexpr EdgeIndex most_narrow_arcs = 0xFFFFFFFF - 4096;

using device::Device;

/// Copies what `needs` asks for. `wide_offsets` forces 64-bit offsets (tests).
/// With arc_sources alone the result is COO: arc_sources and neighbors, no offsets.
DeviceGraph upload(Device& device, const View& view, const Needs& needs, bool wide_offsets = false);

}  // namespace hopwave::strategy
