// What the simulated device has, close to a Hopper GPU's limits where kernels can tell.
#pragma once

#include <cstddef>

namespace hopwave::sim {

inline constexpr int multiprocessors = 4;
inline constexpr int max_block = 1024;
inline constexpr int threads_per_multiprocessor = 1024;
inline constexpr int max_cluster = 16;
inline constexpr std::size_t max_static_shared = 48 * 1024;
inline constexpr std::size_t max_shared = 227 * 1024;

}  // namespace hopwave::sim
