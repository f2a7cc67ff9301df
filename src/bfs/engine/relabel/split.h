// Long rows with new ids: they only need a stable split into the classes of the new ids, because within a class new ids rise as
// the caller's do, and the caller's rows are sorted. A block a row; rows beyond its shared memory in pieces, which are counted
// before they are moved.
#pragma once

#include "bfs/engine/relabel/rows.h"
#include "device/primitives/block.h"

namespace hopwave::HW_MACHINE::engine::relabel {

inline constexpr u32 piece_items = 16;  ///< arcs a thread
inline constexpr u32 piece_threads = 512;
inline constexpr u32 piece_arcs = piece_threads * piece_items;

/// A block's shared memory for splitting one piece.
template <u32 threads>
struct SplitStorage {
  static constexpr u32 warps = threads / dev::lanes;
  static constexpr u32 at_once = threads < order_classes ? order_classes / threads : 1;  ///< classes a thread sums
  u32* tree;    ///< where classes begin, as a search tree: the children of node k are 2 k and 2 k + 1
  u32* fill;    ///< of each class in each warp's part; then: of all parts before
  u32* before;  ///< arcs of all classes before each
  u32* sums;    ///< a warp each
  u32* sorted;
};

template <u32 threads>
HW_DEVICE void plant_tree(const SplitStorage<threads>& storage, const u32* starts, u32 row) {
  const u32 outer = row < starts[order_classes] ? 0 : order_classes;
  for (u32 k = dev::thread(); k < order_classes; k += threads) {
    if (k == 0) continue;
    const u32 depth = 31 - static_cast<u32>(dev::leading_zeros(k)),
              top = 31 - static_cast<u32>(dev::leading_zeros(order_classes));
    storage.tree[k] = starts[outer + ((2 * (k - (1u << depth)) + 1) << (top - 1 - depth))];
  }
}

HW_DEVICE u32 class_of(const u32* tree, u32 name) {
  u32 k = 1;
  HW_UNROLL
  for (u32 step = 1; step < order_classes; step *= 2) k = 2 * k + (tree[k] <= name);
  return k - order_classes;
}

/// How many of the warp's part have key `c` so far, lanes below included; counts this lane among them. Whole warps; `valid`:
/// the lanes that have a key.
template <u32 keys>
HW_DEVICE u32 count_alike(u32* fill, u32 c, Word valid) {
  Word alike = valid;
  HW_UNROLL
  for (u32 bit = 1; bit < keys; bit *= 2) {
    const Word set = static_cast<Word>(dev::ballot(dev::all_lanes, (c & bit) != 0));
    alike &= c & bit ? set : ~set;
  }
  const u32 below = dev::rank_in(alike);
  const u32 old = fill[c];
  dev::sync_warp();
  if ((valid >> dev::lane() & 1) && below == 0) fill[c] = old + static_cast<u32>(dev::popcount(alike));
  dev::sync_warp();
  HW_CHECK(old + below < 1u << 16);  // shares a word with its class
  return old + below;
}

/// Loads this lane's arcs of a piece with their new ids (by `rank`, unless null), and counts each class in each warp's part.
/// `place`: an arc's class, and how many of that class come before it in the warp's part. Ends with a block barrier.
template <u32 threads>
HW_DEVICE void count_classes(const SplitStorage<threads>& storage, const u32* arcs, u32 size, const u32* rank,
                             u32 (&name)[piece_items], u32 (&place)[piece_items]) {
  const u32 first = dev::warp() * dev::lanes * piece_items + dev::lane();
  HW_UNROLL
  for (u32 j = 0; j < piece_items; ++j) {
    const u32 x = first + j * dev::lanes;
    name[j] = x < size ? dev::read_once(&arcs[x]) : 0;
  }
  HW_UNROLL
  for (u32 j = 0; j < piece_items; ++j) {
    const u32 x = first + j * dev::lanes;
    if (rank && x < size) name[j] = dev::read_only(&rank[name[j]]);
  }
  u32* fill = storage.fill + dev::warp() * order_classes;
  for (u32 c = dev::lane(); c < order_classes; c += dev::lanes) fill[c] = 0;
  dev::sync_block();  // the tree too
  HW_UNROLL
  for (u32 j = 0; j < piece_items; ++j) {
    const Word valid = static_cast<Word>(dev::ballot(dev::all_lanes, first + j * dev::lanes < size));
    if (!valid) break;  // the whole warp
    const u32 c = class_of(storage.tree, name[j]);
    place[j] = c << 16 | count_alike<order_classes>(fill, c, valid);
  }
  dev::sync_block();
}

/// Makes prefix sums of the counts. fill: of each class before each warp's part; before: of all classes before. Whole blocks.
template <u32 threads>
HW_DEVICE void sum_classes(const SplitStorage<threads>& storage) {
  using Storage = SplitStorage<threads>;
  const u32 first = dev::thread() * Storage::at_once;
  u32 count[Storage::at_once], sum = 0;
  if (first < order_classes) {  // whole warps
    HW_UNROLL
    for (u32 k = 0; k < Storage::at_once; ++k) {
      u32 total = 0;
      HW_UNROLL
      for (u32 w = 0; w < Storage::warps; ++w) {
        const u32 own = storage.fill[w * order_classes + first + k];
        storage.fill[w * order_classes + first + k] = total;
        total += own;
      }
      count[k] = total;
      sum += total;
    }
  }
  u32 below = dev::block_exclusive_sum(sum, storage.sums).before;
  if (first < order_classes) {
    HW_UNROLL
    for (u32 k = 0; k < Storage::at_once; ++k) {
      storage.before[first + k] = below;
      below += count[k];
    }
  }
  dev::sync_block();
}

/// Puts the piece's arcs into `sorted`, in their new order.
template <u32 threads>
HW_DEVICE void split_piece(const SplitStorage<threads>& storage, u32 size, const u32 (&name)[piece_items],
                           const u32 (&place)[piece_items]) {
  const u32 first = dev::warp() * dev::lanes * piece_items + dev::lane();
  sum_classes(storage);
  HW_UNROLL
  for (u32 j = 0; j < piece_items; ++j) {
    if (first + j * dev::lanes >= size) break;
    const u32 c = place[j] >> 16;
    storage.sorted[storage.before[c] + storage.fill[dev::warp() * order_classes + c] + (place[j] & 0xFFFF)] = name[j];
  }
  dev::sync_block();
}

#define HW_SPLIT_STORAGE(storage, threads)                                \
  HW_SHARED(u32, storage##_tree, order_classes);                          \
  HW_SHARED(u32, storage##_fill, (threads) / dev::lanes * order_classes); \
  HW_SHARED(u32, storage##_before, order_classes);                        \
  HW_SHARED(u32, storage##_sums, (threads) / dev::lanes);                 \
  const SplitStorage<threads> storage { storage##_tree, storage##_fill, storage##_before, storage##_sums, storage##_sorted }

/// Rows of at most 16 arcs a thread: a block a row.
template <u32 threads, class Offset>
HW_KERNEL HW_BOUNDS(threads, 1024 / threads) void order_long(RelabelledRows<Offset> r, RowSet set) {
  HW_CHECK(dev::block_size() <= threads);
  HW_DYNAMIC_SHARED(u32, storage_sorted);
  HW_SPLIT_STORAGE(storage, threads);
  for (u32 i = dev::block(); i < set.size(); i += dev::grid_size()) {
    const u32 at = set.at(i);
    const GivenRow<Offset> row = given_row(r, at);
    u32 name[piece_items], place[piece_items];
    plant_tree(storage, r.starts, at);
    count_classes(storage, r.neighbors + row.from, row.size, r.rank, name, place);
    split_piece(storage, row.size, name, place);
    for (u32 x = dev::thread(); x < row.size; x += threads) r.rows[row.to + x] = storage.sorted[x];
    dev::sync_block();
  }
}

/// How many pieces each row of the set has.
template <class Offset>
HW_KERNEL void count_pieces(RelabelledRows<Offset> r, RowSet set, u32* pieces) {
  for (u64 i = dev::global_thread(); i <= set.size(); i += dev::global_threads())
    pieces[i] = i < set.size() ? (given_row(r, set.at(static_cast<u32>(i))).size + piece_arcs - 1) / piece_arcs : 0;
}
/// Which row each piece is of.
HW_HEADER_KERNEL void list_pieces(const u32* first_piece, u32 rows, u32* owner) {
  for (u64 i = dev::global_thread(); i < rows; i += dev::global_threads())
    for (u32 p = first_piece[i]; p < first_piece[i + 1]; ++p) owner[p] = static_cast<u32>(i);
}

/// Pieces of a set of long rows.
struct Pieces {
  const u32 *first, *owner;
  u32* counts;  ///< of each piece's classes; then: where the piece's part of each class begins in its row
};

template <class Offset>
struct PieceOf {
  GivenRow<Offset> row;
  u32 at, size;
  Offset begin;
};
template <class Offset>
HW_DEVICE PieceOf<Offset> piece_of(const RelabelledRows<Offset>& r, const RowSet& set, const Pieces& pieces, u32 p) {
  const u32 i = pieces.owner[p], at = set.at(i), skip = (p - pieces.first[i]) * piece_arcs;
  const GivenRow<Offset> row = given_row(r, at);
  return {row, at, row.size - skip < piece_arcs ? row.size - skip : piece_arcs, static_cast<Offset>(row.from + skip)};
}

template <class Offset>
HW_KERNEL HW_BOUNDS(piece_threads, 2) void count_piece_classes(RelabelledRows<Offset> r, RowSet set, Pieces pieces) {
  HW_CHECK(dev::block_size() <= piece_threads);
  u32* const storage_sorted = nullptr;  // nothing is moved yet
  HW_SPLIT_STORAGE(storage, piece_threads);
  const u32 end = pieces.first[set.size()];
  for (u32 p = dev::block(); p < end; p += dev::grid_size()) {
    const PieceOf<Offset> piece = piece_of(r, set, pieces, p);
    u32 name[piece_items], place[piece_items];
    plant_tree(storage, r.starts, piece.at);
    count_classes(storage, r.neighbors + piece.begin, piece.size, r.rank, name, place);
    HW_UNROLL
    for (u32 j = 0; j < piece_items; ++j) {
      const u32 x = (dev::warp() * piece_items + j) * dev::lanes + dev::lane();
      if (r.names && x < piece.size) r.names[piece.begin + x] = name[j];
    }
    if (dev::thread() < order_classes) {
      u32 total = 0;
      HW_UNROLL
      for (u32 w = 0; w < storage.warps; ++w) total += storage.fill[w * order_classes + dev::thread()];
      pieces.counts[static_cast<u64>(p) * order_classes + dev::thread()] = total;
    }
    dev::sync_block();
  }
}

/// One block of order_classes threads a row.
HW_HEADER_KERNEL void place_piece_classes(u32 rows, Pieces pieces) {
  HW_SHARED(u32, sums, order_classes / dev::lanes);
  for (u32 i = dev::block(); i < rows; i += dev::grid_size()) {
    u32* counts = pieces.counts + dev::thread();
    const u64 first = pieces.first[i], end = pieces.first[i + 1];
    u32 total = 0;
    for (u64 p = first; p < end; ++p) total += counts[p * order_classes];
    u32 below = dev::block_exclusive_sum(total, sums).before;
    for (u64 p = first; p < end; ++p) {
      const u32 own = counts[p * order_classes];
      counts[p * order_classes] = below;
      below += own;
    }
    dev::sync_block();
  }
}

template <class Offset>
HW_KERNEL HW_BOUNDS(piece_threads, 2) void move_pieces(RelabelledRows<Offset> r, RowSet set, Pieces pieces) {
  HW_CHECK(dev::block_size() <= piece_threads);
  HW_DYNAMIC_SHARED(u32, storage_sorted);
  HW_SPLIT_STORAGE(storage, piece_threads);
  const u32 end = pieces.first[set.size()];
  for (u32 p = dev::block(); p < end; p += dev::grid_size()) {
    const PieceOf<Offset> piece = piece_of(r, set, pieces, p);
    u32 name[piece_items], place[piece_items];
    plant_tree(storage, r.starts, piece.at);
    const u32* arcs = (r.names ? r.names : r.neighbors) + piece.begin;
    count_classes(storage, arcs, piece.size, r.names ? nullptr : r.rank, name, place);
    split_piece(storage, piece.size, name, place);
    if (dev::thread() < order_classes)  // from the place in the piece to that in the row
      storage.before[dev::thread()] =
          pieces.counts[static_cast<u64>(p) * order_classes + dev::thread()] - storage.before[dev::thread()];
    dev::sync_block();
    HW_UNROLL
    for (u32 j = 0; j < piece_items; ++j) {
      const u32 x = j * piece_threads + dev::thread();
      if (x >= piece.size) break;
      name[j] = storage.sorted[x];
      place[j] = x + storage.before[class_of(storage.tree, name[j])];
    }
    HW_UNROLL
    for (u32 j = 0; j < piece_items; ++j) {
      if (j * piece_threads + dev::thread() >= piece.size) break;
      r.rows[piece.row.to + place[j]] = name[j];
    }
    dev::sync_block();
  }
}

}  // namespace hopwave::HW_MACHINE::engine::relabel
