// Queues in dynamic shared memory whose length the caller chooses: as long as a block of the device can hold.
#pragma once

#include <string>

#include "bfs/plan/plan.h"
#include "device/device.h"
#include "hopwave/error.h"

namespace hopwave::strategy {

/// The most that any device holds: 227 KiB per block on Hopper, of which one is kept for a kernel's own variables.
inline constexpr std::int64_t most_queue_slots = (226 << 10) / sizeof(VertexId);

/// The parameter `name`, for a kernel with `queues` such queues. Throws HW-PARAM-SHARED where the request's device has less.
inline std::uint32_t queue_slots(const PlanRequest& request, std::string_view name, std::uint64_t queues = 1) {
  const auto slots = static_cast<std::uint64_t>(parameter(request, name));
  const std::uint64_t room = request.device->properties().shared_per_block - 1024, most = room / sizeof(VertexId) / queues;
  if (slots > most)
    throw Error({.failure = Failure::usage,
                 .id = "HW-PARAM-SHARED",
                 .found = std::string(name) + " = " + std::to_string(slots),
                 .expected = "at most " + std::to_string(most) + ", which a block's shared memory holds on this device"});
  return static_cast<std::uint32_t>(slots);
}

}  // namespace hopwave::strategy
