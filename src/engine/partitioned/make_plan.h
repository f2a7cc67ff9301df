// The partitioned search as a plan: one graph on several devices of one host, and each search on all of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/device.h"
#include "plan/plan.h"

namespace hopwave::engine {

struct PartitionedRequest {
  strategy::View view;    ///< with `backward`; it must stay until the plan is made, and no longer
  Parameters parameters;  ///< complete, of auto: pull, push, block, grid and wide_offsets are used
  /// Of one kind, at least one. Searches are timed on the first.
  std::vector<std::shared_ptr<device::Device>> devices;
  std::string why;  ///< the graph is shared out; RunStats::chosen ends with it
};

/// Lets the devices reach each other, and copies each its share of the graph.
/// Errors: HW-PARTITION-PEERS, HW-PARTITION-DEVICES, HW-ENGINE-SIZE, HW-DEVICE-…, HW-THREAD-START.
std::unique_ptr<strategy::Plan> make_partitioned_plan(const PartitionedRequest& request);

/// With more arcs in the whole graph, offsets have 8 bytes on every device: a row is never cut, so a share may have all arcs.
inline constexpr std::uint64_t most_narrow_arcs = 0xFFFF0000ull;

/// Bytes of device memory on the device that has most, of an even cut.
struct PartitionMemory {
  std::uint64_t rows = 0, answer = 0, queues = 0, bitmaps = 0;
  [[nodiscard]] std::uint64_t total() const noexcept { return rows + answer + queues + bitmaps; }
};
PartitionMemory partition_memory(std::uint64_t vertices, std::uint64_t arcs, bool directed, bool parents,
                                 std::uint64_t devices);

}  // namespace hopwave::engine
