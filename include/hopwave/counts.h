// LaunchCounts: what the threads of one kernel launch did. SearchOptions::counts asks for them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <tuple>
#include <vector>

#include "hopwave/types.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// What an array in device memory contains.
enum class MemoryKind : std::uint8_t {
  rows,       ///< where a vertex's row begins, and how long it is
  neighbors,  ///< the targets of arcs
  tails,      ///< the sources of arcs (COO)
  levels,
  parents,
  queues,  ///< frontiers as lists of vertices
  flags,   ///< frontiers and visited vertices, one flag or bit per vertex
  other    ///< counters, and arrays of no other kind
};
inline constexpr std::size_t num_memory_kinds = static_cast<std::size_t>(MemoryKind::other) + 1;
inline constexpr std::array<std::string_view, num_memory_kinds> memory_kind_names = {"rows",    "neighbors", "tails", "levels",
                                                                                     "parents", "queues",    "flags", "other"};

/// Bytes of device memory by kind.
struct ByteCounts : std::array<std::uint64_t, num_memory_kinds> {
  [[nodiscard]] std::uint64_t total() const { return std::accumulate(begin(), end(), std::uint64_t{0}); }
};

enum class MemoryAccess : std::uint8_t { read, write, atomic };
inline constexpr std::array<std::string_view, 3> memory_access_names = {"read", "write", "atomic"};

/// What the warps of a launch requested at one place of the source. A request is one access of each lane that takes part:
/// the n-th of this place since all lanes of the warp last met at a barrier or a word of the whole warp.
struct RequestCounts {
  std::string_view file = {};  ///< of static duration; as the compiler was given it, without leading "../"
  std::uint32_t line = 0;
  MemoryAccess access = MemoryAccess::read;
  bool shared = false;                  ///< in shared memory; otherwise in device memory
  MemoryKind kind = MemoryKind::other;  ///< of the array in device memory
  std::uint64_t requests = 0;
  std::uint64_t accesses = 0;  ///< of single threads
  /// Device memory: sectors of 32 bytes that the requests touch. Shared memory: rounds, in each of which each of the 32
  /// banks gives one word of four bytes.
  std::uint64_t transfers = 0;
  std::uint64_t least_transfers = 0;  ///< if the words of each request were next to each other
  std::uint64_t most_transfers = 0;   ///< of one request

  /// Returns how many times as many transfers were made as necessary; 0 if there were none.
  [[nodiscard]] double spread() const {
    return least_transfers ? static_cast<double>(transfers) / static_cast<double>(least_transfers) : 0;
  }
  /// Adds the figures of `other`, which may be of another place.
  void add(const RequestCounts& other) {
    requests += other.requests;
    accesses += other.accesses;
    transfers += other.transfers;
    least_transfers += other.least_transfers;
    most_transfers = std::max(most_transfers, other.most_transfers);
  }
};

/// Adds `one` to the entry of its place, access and kind of memory, or as a new one, in the order of the source.
inline void add_requests(std::vector<RequestCounts>& into, const RequestCounts& one) {
  const auto place = [](const RequestCounts& r) { return std::tuple(r.file, r.line, r.access, r.shared, r.kind); };
  const auto at =
      std::lower_bound(into.begin(), into.end(), one, [&](const auto& a, const auto& b) { return place(a) < place(b); });
  if (at != into.end() && place(*at) == place(one))
    at->add(one);
  else
    into.insert(at, one);
}

/// The counts of one launch. Those before `counted` are known on every device.
struct LaunchCounts {
  /// The first level that the launch finds; 0: it initialises the sources; −1: the launch belongs to no level.
  Distance level = -1;
  std::uint32_t levels = 0;  ///< number of levels in the launch; 0 where `level` is 0 or −1
  std::uint32_t grid = 0, block = 0;
  std::uint32_t cluster = 0;  ///< blocks per cluster; 0: no clusters
  bool cooperative = false;
  std::uint64_t dynamic_shared = 0;  ///< bytes per block
  /// Blocks that one multiprocessor holds at a time. On a GPU this is the driver's value. In the simulator it follows
  /// from the threads and the shared memory of a Hopper multiprocessor; registers are not known there.
  std::uint32_t resident_blocks = 0;

  bool counted = false;  ///< the values below were counted: only in the simulator
  std::uint64_t static_shared = 0;
  /// Threads that read a neighbour. In a launch that reads no neighbours: threads that wrote to an array of a kind
  /// other than `other`.
  std::uint64_t working = 0;
  std::uint64_t working_warps = 0;    ///< warps with at least one such thread
  std::uint32_t least_lanes = 0;      ///< the fewest working threads in a working warp
  std::uint64_t divergent_warps = 0;  ///< working warps whose lanes have different amounts of work
  std::uint64_t work = 0;             ///< neighbours read (or words written) by all threads
  std::uint64_t longest = 0;          ///< work of the thread that has most
  std::uint64_t lane_steps = 0;       ///< lanes times the work of the longest lane, summed over the working warps
  std::uint64_t labelling = 0;        ///< threads that changed a level
  std::uint64_t labelled = 0;         ///< number of changes of levels
  std::uint64_t shared_atomics = 0, global_atomics = 0;
  std::uint64_t most_shared = 0, most_global = 0;  ///< atomics on the address with the most atomics
  ByteCounts read{}, written{};                    ///< bytes of device memory; an atomic reads and writes its word
  std::uint64_t peer_read = 0, peer_written = 0;   ///< bytes of other devices' memory; not included in any other value
  std::vector<RequestCounts> requests{};           ///< by place of the source

  [[nodiscard]] std::uint64_t threads() const { return std::uint64_t{grid} * block; }
  /// Returns the average number of working threads in a working warp; 0 if no warp works.
  [[nodiscard]] double average_lanes() const {
    return working_warps ? static_cast<double>(working) / static_cast<double>(working_warps) : 0;
  }
  /// Returns the share of the lanes' time spent waiting for the longest lane of the warp, from 0 to 1.
  [[nodiscard]] double divergence() const {
    return lane_steps ? 1 - static_cast<double>(work) / static_cast<double>(lane_steps) : 0;
  }
  /// Returns all requests to shared memory, or to device memory, added up.
  [[nodiscard]] RequestCounts requests_of(bool shared) const {
    RequestCounts all{.shared = shared};
    for (const RequestCounts& one : requests)
      if (one.shared == shared) all.add(one);
    return all;
  }
};

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
