// Strongly connected components on a device: composed and random directed graphs against Tarjan's algorithm.
#pragma once

#include <cstdint>

#include "hopwave/search.h"

namespace hopwave::bench {

/// Tries the graphs of seeds first … first + count − 1. Prints the first wrong answers; returns how many there were.
std::uint64_t check_strong(DeviceKind device, std::uint64_t first, std::uint64_t count);

}  // namespace hopwave::bench
