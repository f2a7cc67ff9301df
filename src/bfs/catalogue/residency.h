// What a strategy holds on a device, and how many of its blocks a multiprocessor holds at once.
#pragma once

#include <cstdint>
#include <optional>

#include "bfs/plan/storage.h"

namespace hopwave::search_detail {

/// Of a GPU strategy of the literature, one search, with complete parameters. Nothing for `auto`, whose arrays depend on the
/// traversal that it chooses, and for strategies that run on a CPU.
std::optional<strategy::Storage> device_storage(const StrategyInfo& strategy, const strategy::StorageShape& shape,
                                                const Parameters& parameters);

/// What a multiprocessor holds. Hopper's (compute capability 9.0), as NVIDIA's programming guide gives it.
struct Multiprocessor {
  std::uint64_t threads = 2048, blocks = 32, shared = 228 << 10, shared_of_block = 227 << 10, reserved_of_block = 1 << 10;
  std::uint64_t warp = 32;
};

/// Blocks of a kernel that a multiprocessor holds at once, by each limit. Registers are the compiler's and not counted here.
struct Residency {
  std::uint64_t by_threads = 0, by_shared = 0, by_blocks = 0;
  [[nodiscard]] std::uint64_t blocks() const;
  [[nodiscard]] const char* limit() const;  ///< what decides
};
Residency residency(const strategy::BlockNeeds& needs, const Multiprocessor& on = {});

}  // namespace hopwave::search_detail
