// One graph searched by ranks with one device each (docs/several-machines.md), as threads of one process: composed and
// random graphs compared with the oracle.
#pragma once

#include <cstdint>

#include "hopwave/search.h"

namespace hopwave::bench {

/// Tries the graphs of seeds first … first + count − 1, four queries each, on 1 to `devices` ranks, and checks every
/// distance and every parent. Every second pair of graphs uses NCCL, if it can be loaded. Prints the first wrong
/// answers; returns their number.
std::uint64_t check_ranks(DeviceKind device, int devices, std::uint64_t first, std::uint64_t count);

}  // namespace hopwave::bench
