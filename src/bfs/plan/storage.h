// What a strategy holds on a device, array by array, and what its kernels want of a block. Counted from the sizes alone; a test
// compares it with what the simulated device is asked for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hopwave/search.h"

namespace hopwave::strategy {

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

/// What a strategy's file adds to in its descriptor (Descriptor::storage). Rows and what every plan has are counted already.
class StorageCount {
 public:
  StorageCount(const StrategyInfo& strategy, const StorageShape& shape, const Parameters& parameters);

  [[nodiscard]] const StorageShape& shape() const { return shape_; }
  [[nodiscard]] std::uint64_t parameter(std::string_view name) const;
  [[nodiscard]] std::uint64_t offset_bytes() const;  ///< of one offset into the rows

  void add(Held held, std::string what, std::uint64_t bytes);
  /// A kernel whose blocks have as many threads as the parameter `block` says.
  void block(std::string kernel, std::uint64_t dynamic_shared = 0, std::uint64_t static_shared = 0);
  void block_of(std::uint64_t threads, std::string kernel, std::uint64_t dynamic_shared = 0, std::uint64_t static_shared = 0);
  void uncounted(std::string what);

  void flag() { add(Held::counters, "the last level that found something", 4); }
  void flags(std::uint64_t bytes_of_vertex) { add(Held::flags, "flags", bytes_of_vertex * shape_.vertices); }
  void two_queues(std::uint64_t sizes);
  void row_lengths() { add(Held::records, "lengths of the lists", offset_bytes() * shape_.vertices); }

  Storage take() { return std::move(storage_); }

 private:
  void graph(const Needs& needs);

  StorageShape shape_;
  const Parameters& parameters_;
  Storage storage_;
};

/// Bytes of a whole representation: csr, csc, coo, or node records (a start and a length per vertex, and
/// targets).
std::uint64_t representation_bytes(Held held, const StorageShape& shape);

}  // namespace hopwave::strategy
