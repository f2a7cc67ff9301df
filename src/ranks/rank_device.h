// Which device each rank searches on.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/device.h"
#include "hopwave/search.h"
#include "ranks/transport.h"

namespace hopwave::ranks {

/// Ranks of one machine that see the same devices take one each, in order of ranks: of `ordinals`, or of all where it is empty.
/// `visible`: what else decides which devices this rank sees: ranks are counted together where it is the same.
/// `kind`: gpu or sim; ranks may share simulated devices, but no GPU. Collective. Throws AgreedErrors HW-DEVICE-NONE,
/// HW-RANKS-GPUS where there are fewer GPUs than ranks, and those of Device.
std::shared_ptr<device::Device> device_of_rank(Transport& transport, DeviceKind kind, const std::vector<int>& ordinals,
                                               const std::string& visible = {});

}  // namespace hopwave::ranks
