// What a strategy holds on a device, array by array, and what its kernels want of a block. Counted from the sizes alone; a test
// compares it with what the simulated device is asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hopwave/search.h"

namespace hopwave::search_detail {

/// A graph as far as its arrays' sizes go.
struct StorageShape {
  std::uint64_t vertices = 0, arcs = 0;
  bool symmetric = false;  ///< undirected: incoming arcs are the outgoing ones
  bool parents = false;    ///< the query wants them
};

enum class Held { csr, csc, coo, records, levels, parents, queues, flags, counters };
std::string_view held_name(Held held);

struct StoredArray {
  Held held;
  std::string what;
  std::uint64_t bytes;
};

/// What one block of a kernel takes.
struct BlockNeeds {
  std::string kernel;
  std::uint32_t threads = 0;
  std::uint64_t dynamic_shared = 0, static_shared = 0;
  [[nodiscard]] std::uint64_t shared() const { return dynamic_shared + static_shared; }
};

struct Storage {
  std::vector<StoredArray> arrays;
  std::vector<BlockNeeds> blocks;
  std::string uncounted;  ///< what is held besides and not known beforehand; may be empty
  [[nodiscard]] std::uint64_t bytes() const;
  [[nodiscard]] std::uint64_t bytes(Held held) const;
};

/// Of a GPU strategy of the literature, one search, with complete parameters. Nothing for `auto`, whose arrays depend on the
/// traversal that it chooses, and for strategies that run on a CPU.
std::optional<Storage> device_storage(const StrategyInfo& strategy, const StorageShape& shape, const Parameters& parameters);

/// Bytes of a whole representation, whoever holds it: csr, csc, coo, or node records (a start and a length a vertex, and
/// targets).
std::uint64_t representation_bytes(Held held, const StorageShape& shape);

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
Residency residency(const BlockNeeds& needs, const Multiprocessor& on = {});

}  // namespace hopwave::search_detail
