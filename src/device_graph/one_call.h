// The device of a call that works on a graph once and keeps nothing there.
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
  std::uint64_t seed = 1;  ///< seed of the simulator's schedule
  ScheduleKind schedule = ScheduleKind::uniform;
};

/// Returns the backend for the call; null: the CPU. A note gives the reason if there is no GPU where one would have
/// been used. Throws HW-OPTION-VALUE, HW-OPTION-SCHEDULE, HW-DEVICE-NONE.
const device::Api* api_for_call(const Placement& placement, std::vector<std::string>& notes);
/// Returns the schedule for the simulator.
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
