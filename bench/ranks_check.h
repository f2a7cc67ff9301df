// One graph searched by ranks with a device each (docs/several-machines.md), as threads of one process: composed and random
// graphs against the oracle.
#pragma once

#include <cstdint>

#include "hopwave/search.h"

namespace hopwave::bench {

/// Tries the graphs of seeds first … first + count − 1, four queries each, on 1 to `devices` ranks: every distance and every
/// parent. Every second pair of graphs by NCCL, where it can be loaded. Prints the first wrong answers; returns how many there
/// were.
std::uint64_t check_ranks(DeviceKind device, int devices, std::uint64_t first, std::uint64_t count);

}  // namespace hopwave::bench
