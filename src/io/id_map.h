// From the caller's ids in the rows of a file to internal vertices 0 … n − 1, keeping the order of the ids.
// Dense ids go through a bitmap and its ranks, scattered ones through a hash set; both in parallel.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/parallel.h"
#include "hopwave/edge_list.h"
#include "io/input.h"
#include "io/weight_columns.h"

namespace hopwave::io {

struct WideEdge {
  std::uint64_t source, target;
};

/// One thread's rows while a block is scanned, in the caller's ids: 32-bit ones as long as all of the block's fit.
class RowBuffer {
 public:
  void add(std::uint64_t u, std::uint64_t v) {
    if ((u | v) >> 32 == 0 && wide_.empty())
      narrow_.push_back({static_cast<VertexId>(u), static_cast<VertexId>(v)});
    else
      add_wide(u, v);
  }
  void add_weight(const Number& weight) { weights_.add(weight); }
  [[nodiscard]] std::size_t size() const { return narrow_.size() + wide_.size(); }
  void clear() {
    narrow_.clear();
    wide_.clear();
    weights_.clear();
  }

 private:
  friend class RowStore;
  void add_wide(std::uint64_t u, std::uint64_t v);
  std::vector<Edge> narrow_;
  std::vector<WideEdge> wide_;  // if in use, holds all rows of the block
  WeightBuffer weights_;
};

/// All rows of an input, in its order. A block is put at its final place as soon as those before it are counted, so
/// that each row is written to memory once: the first access to fresh memory is the most expensive part of reading.
class RowStore {
 public:
  /// Room is guessed from the rows in the head of the input; what goes beyond is kept apart and joined at the end.
  RowStore(Input& input, bool weighted);

  /// Takes a block's rows; the buffer comes back empty. Every block must be put, also empty ones.
  void put(RowBuffer& rows, std::uint64_t block_index);

  /// Where a block's rows went, in the input's order (complete when reading is done).
  struct Placed {
    std::uint64_t index;
    std::size_t first, count;
  };
  [[nodiscard]] const std::vector<Placed>& placed() const { return placed_; }
  [[nodiscard]] std::size_t size() const { return total_; }
  /// Of all ids in the rows.
  [[nodiscard]] std::uint64_t largest() const { return largest_; }
  [[nodiscard]] std::uint64_t smallest() const { return smallest_; }
  std::vector<std::uint64_t> extra_ids;  ///< vertices named apart from edges

  /// Fills edges, weights, ids and num_vertices of `list`. If `promised` vertices is given and every id is below it,
  /// the vertices are 0 … promised − 1, including those without an edge; otherwise those that occur.
  void map_ids(std::optional<std::uint64_t> promised, EdgeList& list);
  /// No mapping: ids are below `num_vertices` already (checked by the reader); the caller calls vertex 0 `first`.
  void take_ids(VertexId num_vertices, std::int64_t first, EdgeList& list);
  /// The edges as read, to be changed before take_ids().
  std::span<Edge> edges();

 private:
  struct Piece {  // rows that are not in edges_ yet
    std::size_t first;
    Array<Edge> narrow;
    std::vector<WideEdge> wide;
    WeightBuffer weights;
  };
  void place(std::size_t first, RowBuffer rows);
  void join();
  template <class Use, class UseWide>
  void for_each(Use use, UseWide use_wide);
  template <class Add>
  void add_all_ids(Add add);
  template <class Map>
  void finish(VertexId num_vertices, Ids ids, EdgeList& list, Map map);
  void hand_over(VertexId num_vertices, Ids ids, EdgeList& list);
  void consecutive(std::uint64_t count, std::uint64_t first, EdgeList& list);

  Input& input_;
  const bool weighted_;
  Array<Edge> edges_;
  WeightArray weights_;  // of the type that the first block needs; another is taken at the end if it must be
  std::mutex mutex_;     // guards all below
  std::map<std::uint64_t, RowBuffer> waiting_;
  std::vector<RowBuffer> spare_;
  std::uint64_t next_index_ = 0;
  std::size_t total_ = 0;
  std::vector<Placed> placed_;
  std::vector<Piece> apart_;  // beyond the guessed room, or with ids beyond 32 bits
  WeightNeeds needs_;
  std::uint64_t rounded_ = 0;  ///< whole numbers that were rounded to doubles, in a column that needs doubles
  std::uint64_t largest_ = 0, smallest_ = ~std::uint64_t{0};
};

}  // namespace hopwave::io
