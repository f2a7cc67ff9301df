// One graph shared out over several devices: composed and random graphs against the oracle, and times beside one device's.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hopwave/search.h"

namespace hopwave::bench {

/// How many devices of this kind there are; 0: none.
int count_devices(DeviceKind device);

/// Tries the graphs of seeds first … first + count − 1, four queries each, over 2 to `devices` devices: every distance and
/// every parent. Prints the first wrong answers; returns how many there were.
std::uint64_t check_partitioned(DeviceKind device, int devices, std::uint64_t first, std::uint64_t count);

/// Each graph from some sources on one device as `auto` likes it, and on 2 to `devices` that share it. Distances are compared.
/// Prints a row each; `wrong` counts sources with a wrong distance.
nlohmann::json time_partitioned(DeviceKind device, int devices, const std::vector<std::string>& graphs, int sources, int runs,
                                std::uint64_t& wrong);

}  // namespace hopwave::bench
