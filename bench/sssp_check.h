// Shortest paths with weights on a device: composed and random graphs, weights of every kind, compared with Dijkstra's
// algorithm.
#pragma once

#include <cstdint>

#include "hopwave/search.h"

namespace hopwave::bench {

/// Searches the graphs of seeds first … first + count − 1. Prints the first wrong answers; returns their number.
std::uint64_t check_sssp(DeviceKind device, std::uint64_t first, std::uint64_t count);

}  // namespace hopwave::bench
