// The resources of the simulated device, close to those of a Hopper GPU where kernels can see them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hopwave::sim {

inline constexpr int devices = 4;
inline constexpr int multiprocessors = 4;  ///< per device
inline constexpr std::uint32_t max_grid = 0x7FFFFFFFu;
inline constexpr int max_block = 1024;
inline constexpr int threads_per_multiprocessor = 1024;
inline constexpr int max_cluster = 16;
inline constexpr std::size_t max_static_shared = 48 * 1024;
inline constexpr std::size_t max_shared = 227 * 1024;

// Limits of the simulator itself: shared memory is laid out block by block, with poisoned gaps between the arrays.
inline constexpr std::size_t dynamic_alignment = 16;  ///< the most that CUDA guarantees
inline constexpr std::size_t shared_gap = 64;
inline constexpr unsigned max_shared_arrays = 64;
inline constexpr unsigned max_shared_parts = 512, max_shared_layouts = 8;  ///< for dynamic memory
// Dynamic memory that is used in parts has no bytes of its own, but keeps its place before the static arrays. The parts
// are after these, those of each layout from one position on.
inline constexpr std::size_t parts_offset = (max_shared + max_shared_arrays * 2 * shared_gap + 4095) / 4096 * 4096;
inline constexpr std::size_t arena_block_bytes =
    parts_offset + (max_shared + max_shared_parts * 2 * shared_gap + 4095) / 4096 * 4096;

}  // namespace hopwave::sim
