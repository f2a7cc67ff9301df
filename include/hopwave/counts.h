// LaunchCounts: what the threads of one kernel launch did. SearchOptions::counts asks for them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>

#include "hopwave/types.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// What an array in device memory holds.
enum class MemoryKind : std::uint8_t {
  rows,       ///< where a vertex's row begins, and how long it is
  neighbors,  ///< the other ends of arcs
  tails,      ///< the ends that arcs start from (COO)
  levels,
  parents,
  queues,  ///< frontiers as lists of vertices
  flags,   ///< frontiers and visited vertices as a flag or bit each
  other    ///< counters and whatever has no kind
};
inline constexpr std::size_t num_memory_kinds = static_cast<std::size_t>(MemoryKind::other) + 1;
inline constexpr std::array<std::string_view, num_memory_kinds> memory_kind_names = {"rows",    "neighbors", "tails", "levels",
                                                                                     "parents", "queues",    "flags", "other"};

/// Bytes of device memory by kind.
struct ByteCounts : std::array<std::uint64_t, num_memory_kinds> {
  [[nodiscard]] std::uint64_t total() const { return std::accumulate(begin(), end(), std::uint64_t{0}); }
};

/// One launch. The first part is known on every device.
struct LaunchCounts {
  /// The first level that the launch finds; 0: it prepares the sources; −1: the launch is not bound to a level.
  Distance level = -1;
  std::uint32_t levels = 0;  ///< levels that it takes; 0 where `level` is 0 or −1
  std::uint32_t grid = 0, block = 0;
  std::uint32_t cluster = 0;  ///< blocks a cluster; 0: no clusters
  bool cooperative = false;
  std::uint64_t dynamic_shared = 0;  ///< bytes a block
  /// Blocks that a multiprocessor holds at once. On a GPU the driver says so. In the simulator it is what a Hopper
  /// multiprocessor holds by threads and shared memory; registers are not known there.
  std::uint32_t resident_blocks = 0;

  bool counted = false;  ///< the rest was counted: in the simulator alone
  std::uint64_t static_shared = 0;
  /// Threads that read a neighbour. In a launch that reads no neighbours: threads that wrote to an array with a
  /// kind (not `other`).
  std::uint64_t working = 0;
  std::uint64_t working_warps = 0;    ///< warps with such a thread
  std::uint32_t least_lanes = 0;      ///< the fewest working threads of a working warp
  std::uint64_t divergent_warps = 0;  ///< working warps whose lanes do not all have the same amount of work
  std::uint64_t work = 0;             ///< neighbours read (or words written) by all threads
  std::uint64_t longest = 0;          ///< by the thread that has most
  std::uint64_t lane_steps = 0;       ///< lanes times the work of the longest lane, summed over working warps
  std::uint64_t labelling = 0;        ///< threads that changed a level
  std::uint64_t labelled = 0;         ///< changes of levels
  std::uint64_t shared_atomics = 0, global_atomics = 0;
  std::uint64_t most_shared = 0, most_global = 0;  ///< atomics on the one address that most atomics met at
  ByteCounts read{}, written{};                    ///< of device memory; an atomic reads and writes its word
  std::uint64_t peer_read = 0, peer_written = 0;   ///< bytes of other devices' memory; in no other figure

  [[nodiscard]] std::uint64_t threads() const { return std::uint64_t{grid} * block; }
  /// Working threads of a working warp, on average; 0 if no warp works.
  [[nodiscard]] double average_lanes() const {
    return working_warps ? static_cast<double>(working) / static_cast<double>(working_warps) : 0;
  }
  /// The share of the lanes' time that passes while they wait for the longest lane of their warp, from 0 to 1.
  [[nodiscard]] double divergence() const {
    return lane_steps ? 1 - static_cast<double>(work) / static_cast<double>(lane_steps) : 0;
  }
};

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
