// From the caller's ids in the rows of a file to internal vertices 0 … n − 1, keeping the order of the ids.
// Dense ids go through a bitmap and its ranks, scattered ones through a hash set; both in parallel.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "core/parallel.h"
#include "hopwave/edge_list.h"
#include "io/input.h"

namespace hopwave::io {

struct WideEdge {
  std::uint64_t source, target;
};

/// Memory that many small arrays are cut from, for one thread; freed together.
class Slab {
 public:
  template <class T>
  std::span<T> copy(const std::vector<T>& values, std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    T* to = reinterpret_cast<T*>(take((bytes + 63) / 64 * 64));
    if (bytes) std::memcpy(to, values.data(), bytes);
    return {to, count};
  }

 private:
  char* take(std::size_t bytes);
  std::vector<Array<char>> pieces_;
  std::size_t used_ = 0;
};

/// The rows of one block, in the caller's ids: 32-bit ones as long as all of the block's fit.
struct RawRows {
  std::span<Edge> narrow;
  std::span<WideEdge> wide;
  std::span<Weight> weights;
  std::uint64_t largest = 0;
  std::uint64_t smallest = ~std::uint64_t{0};
  std::uint64_t index = 0;  ///< of the block

  [[nodiscard]] std::size_t size() const { return narrow.size() + wide.size(); }
};

/// All rows of an input, from all threads.
struct RawEdges {
  explicit RawEdges(int threads) : slabs(threads), parts(threads) {}
  std::vector<Slab> slabs;                  // one a thread
  std::vector<std::vector<RawRows>> parts;  // one a thread
  std::vector<std::uint64_t> extra_ids;     // vertices named apart from edges
  bool weighted = false;

  /// The parts in the input's order; call once, when reading is done.
  [[nodiscard]] std::vector<RawRows> in_order();
};

/// One thread's rows while a block is scanned; grows, is kept between blocks.
class RowBuffer {
 public:
  void clear() {
    narrow_.clear();
    wide_.clear();
    weights_.clear();
  }
  void add(std::uint64_t u, std::uint64_t v) {
    if ((u | v) >> 32 == 0 && wide_.empty())
      narrow_.push_back({static_cast<VertexId>(u), static_cast<VertexId>(v)});
    else
      add_wide(u, v);
  }
  void add_weight(Weight w) { weights_.push_back(w); }
  void drop_last_row();
  [[nodiscard]] std::size_t size() const { return narrow_.size() + wide_.size(); }
  /// Moves what is here into `to`.
  void store(RawEdges& to, int rank, std::uint64_t block_index);

 private:
  void add_wide(std::uint64_t u, std::uint64_t v);
  std::vector<Edge> narrow_;
  std::vector<WideEdge> wide_;  // if in use, holds all rows of the block
  std::vector<Weight> weights_;
};

/// Fills edges, weights, ids and num_vertices of `list`. If `promised` vertices is given and every id is below it,
/// the vertices are 0 … promised − 1, including those without an edge; otherwise those that occur.
void map_ids(RawEdges& raw, std::optional<std::uint64_t> promised, Input& input, EdgeList& list);
/// No mapping: ids are 0 … n − 1 already (checked by the reader), `first` is what the caller calls vertex 0.
void take_ids(RawEdges& raw, VertexId num_vertices, std::int64_t first, Team& team, EdgeList& list);

}  // namespace hopwave::io
