// One graph split over several devices: composed and random graphs compared with the oracle, and times compared with
// one device's.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hopwave/search.h"

namespace hopwave::bench {

/// Returns the number of devices of this kind; 0: none.
int count_devices(DeviceKind device);

/// Returns the spec of a graph to split. Sizes are log-uniform: up to 2^9 edges in the simulator, 2^17 on a GPU, and
/// 2^21 for one graph in two hundred there.
std::string draw_shared_graph(std::uint64_t seed, DeviceKind device);
/// Returns the query of turn 0 to 3: with parents, several sources, a depth limit, a target.
Query draw_shared_query(std::uint64_t seed, std::uint64_t turn, VertexId num_vertices);

/// Tries the graphs of seeds first … first + count − 1, four queries each, on 2 to `devices` devices, and checks every
/// distance and every parent. Prints the first wrong answers; returns their number.
std::uint64_t check_partitioned(DeviceKind device, int devices, std::uint64_t first, std::uint64_t count);

/// Times each graph from several sources on one device as `auto` chooses, and on 2 to `devices` that share it.
/// Distances are compared. Prints one row each; `wrong` counts sources with a wrong distance.
nlohmann::json time_partitioned(DeviceKind device, int devices, const std::vector<std::string>& graphs, int sources, int runs,
                                std::uint64_t& wrong);

}  // namespace hopwave::bench
