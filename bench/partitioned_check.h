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

/// A graph to share out. Sizes are log-uniform: up to 2^9 edges in the simulator, 2^17 on a GPU, one graph in two hundred
/// there 2^21.
std::string draw_shared_graph(std::uint64_t seed, DeviceKind device);
/// The query of turn 0 to 3: with parents, several sources, a limit of depth, a target.
Query draw_shared_query(std::uint64_t seed, std::uint64_t turn, VertexId num_vertices);

/// Tries the graphs of seeds first … first + count − 1, four queries each, over 2 to `devices` devices: every distance and
/// every parent. Prints the first wrong answers; returns how many there were.
std::uint64_t check_partitioned(DeviceKind device, int devices, std::uint64_t first, std::uint64_t count);

/// Each graph from some sources on one device as `auto` likes it, and on 2 to `devices` that share it. Distances are compared.
/// Prints a row each; `wrong` counts sources with a wrong distance.
nlohmann::json time_partitioned(DeviceKind device, int devices, const std::vector<std::string>& graphs, int sources, int runs,
                                std::uint64_t& wrong);

}  // namespace hopwave::bench
