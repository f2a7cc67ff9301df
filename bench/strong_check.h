// Strongly connected components on a device: composed and random directed graphs compared with Tarjan's algorithm.
#pragma once

#include <cstdint>

#include "hopwave/search.h"

namespace hopwave::bench {

/// Tries the graphs of seeds first … first + count − 1. Prints the first wrong answers; returns their number.
std::uint64_t check_strong(DeviceKind device, std::uint64_t first, std::uint64_t count);

}  // namespace hopwave::bench
