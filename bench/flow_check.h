// Maximum flow on a device: composed and random networks against Dinic's algorithm, each answer checked by its cut.
#pragma once

#include <cstdint>

#include "hopwave/search.h"

namespace hopwave::bench {

/// Tries the networks of seeds first … first + count − 1. Prints the first wrong answers; returns how many there were.
std::uint64_t check_flow(DeviceKind device, std::uint64_t first, std::uint64_t count);

}  // namespace hopwave::bench
