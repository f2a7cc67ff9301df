// What a call needs that works on a graph once and keeps nothing on the device.
#pragma once

#include <string>
#include <vector>

#include "device_graph/kernels.h"
#include "hopwave/device.h"
#include "hopwave/graph.h"

namespace hopwave::inline v0_1::resident {

struct Placement {
  DeviceKind device = DeviceKind::cpu;
  DeviceOptions on = {};
  std::uint64_t seed = 1;  ///< schedule of the simulator
  ScheduleKind schedule = ScheduleKind::uniform;
};

/// Where the call runs; null: on the CPU. A note says why there is no GPU where one would have been taken. Throws
/// HW-OPTION-VALUE, HW-OPTION-SCHEDULE, HW-DEVICE-NONE.
const device::Api* api_for_call(const Placement& placement, std::vector<std::string>& notes);
/// The schedule that the simulator is to follow.
device::Schedule schedule_of(const Placement& placement);

/// Rows copied to a device.
class CopiedRows {
 public:
  CopiedRows(device::Device& device, const Adjacency& adjacency);
  [[nodiscard]] const RowsOnDevice& rows() const { return rows_; }

 private:
  RowsOnDevice rows_;
  device::Buffer<std::uint32_t> offsets32_;
  device::Buffer<std::uint64_t> offsets64_;
  device::Buffer<VertexId> neighbors_;
};

}  // namespace hopwave::inline v0_1::resident
