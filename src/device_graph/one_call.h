// The device of a call that works on a graph once and keeps nothing there.
#pragma once

#include "device_graph/kernels.h"
#include "hopwave/graph.h"
#include "hopwave/run.h"

namespace hopwave::inline v0_1::resident {

/// Returns the backend for the call; null: the CPU, also for `automatic`: copying the graph to a GPU for one call may
/// take longer than the call. Sets the report's device. Throws HW-OPTION-VALUE, HW-OPTION-SCHEDULE, HW-DEVICE-NONE.
const device::Api* api_for_call(const RunOptions& run, RunReport& report);
/// Returns the schedule for the simulator.
inline device::Schedule schedule_of(const RunOptions& run) {
  return device::schedule_of(run.simulator.seed, run.simulator.schedule);
}

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
