// Which device each rank searches on.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "bfs/distributed/transport.h"
#include "device/device.h"
#include "hopwave/search.h"

namespace hopwave::ranks {

/// Each rank of a machine gets a GPU of its own: one of `ordinals`, or if that is empty, of all that it sees. Ranks that see
/// the same GPUs get them in order of ranks. A launcher or a container may show each rank others, so the same GPU is recognised
/// by its identity, not by its number. Simulated devices are taken in turn, and may be shared. `kind`: gpu or sim. Collective.
/// Throws AgreedErrors HW-OPTION-REPLICAS if an ordinal occurs twice, HW-DEVICE-NONE, HW-RANKS-GPUS if there are fewer GPUs
/// than ranks, and those of Device.
std::shared_ptr<device::Device> device_of_rank(Transport& transport, DeviceKind kind, const std::vector<int>& ordinals);

/// Gives each rank one of the devices that it sees, and none twice. seen[r]: identities, best first. Returns places in seen[r];
/// none where not all can have one and this rank is left over.
std::vector<std::optional<std::size_t>> deal_devices(const std::vector<std::vector<std::uint64_t>>& seen);

}  // namespace hopwave::ranks
