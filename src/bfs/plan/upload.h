// A View's arrays on their way to the device.
#pragma once

#include "bfs/plan/plan.h"
#include "device/device.h"
#include "device/device_graph.h"

namespace hopwave::strategy {

using device::Device;

/// Copies what `needs` asks for. `wide_offsets` forces 64-bit offsets (tests).
/// With arc_sources alone the result is COO: arc_sources and neighbors, no offsets.
DeviceGraph upload(Device& device, const View& view, const Needs& needs, bool wide_offsets = false);

}  // namespace hopwave::strategy
