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

/// Ranks of one machine take a GPU each: of `ordinals`, or of all that they see where it is empty; ranks that see the same ones
/// in order of ranks. What a launcher or a container shows each rank may differ: the same GPU is told by its identity, not by
/// its number. Simulated devices are taken in turn, and may be shared. `kind`: gpu or sim. Collective. Throws AgreedErrors
/// HW-OPTION-REPLICAS where an ordinal stands twice, HW-DEVICE-NONE, HW-RANKS-GPUS where there are fewer GPUs than ranks, and
/// those of Device.
std::shared_ptr<device::Device> device_of_rank(Transport& transport, DeviceKind kind, const std::vector<int>& ordinals);

/// Gives each rank one of the devices that it sees, and none twice. seen[r]: identities, best first. Returns places in seen[r];
/// none where not all can have one and this rank is left over.
std::vector<std::optional<std::size_t>> deal_devices(const std::vector<std::vector<std::uint64_t>>& seen);

}  // namespace hopwave::ranks
