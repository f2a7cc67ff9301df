// Rows under new names, in rising order, in one pass over the arcs. Short rows are sorted by a few lanes in their registers.
// Long ones only need to be split, stably, into the classes of the new ids: within a class ids rise as the caller's do, and
// the caller's rows are sorted. Rows beyond a block's shared memory are split in pieces, counted before they are moved.
#pragma once

#include "engine/push.h"

namespace hopwave::HW_MACHINE::engine {

inline constexpr u32 order_classes = 128;  ///< of degrees; twice, as vertices outside the giant component come after the others

/// Degrees below 64 by powers of two, larger ones four to a power. Falling; vertices outside the giant component last.
constexpr u32 degree_key(u64 degree, bool outside) {
  u32 rank = 0;
  if (degree) {
    u32 log = 0;
    while (degree >> log > 1) ++log;
    rank = 4 * log + 1 + (degree < 64 ? 0 : static_cast<u32>(degree >> (log - 2) & 3));
  }
  return (outside ? order_classes : 0) + order_classes - 1 - (rank < order_classes ? rank : order_classes - 1);
}

inline constexpr u32 order_threads = 256;  ///< a block
inline constexpr u32 order_warps = order_threads / dev::lanes;
inline constexpr u32 piece_items = 16;  ///< a lane
inline constexpr u32 piece_arcs = order_threads * piece_items;

/// Rows to make: row i is what the vertex order[i] has, and begins at place[i] of `rows`.
template <class Offset>
struct OrderedRows {
  const Offset* offsets;
  const u32* neighbors;
  const u32 *order, *rank;
  const u32* starts;  ///< first vertex of each class, and of those outside; their number
  const Offset* place;
  u32* rows;
  u32* names;  ///< where names may be kept between counting and moving, as `neighbors` lie; may be `neighbors`; or null
};

/// Rows of some classes: two stretches of a list of rows, or of the rows themselves.
struct RowSet {
  u32 first, count, outer_first, outer_count;
  const u32* list;
  [[nodiscard]] HW_DEVICE u32 size() const { return count + outer_count; }
  [[nodiscard]] HW_DEVICE u32 at(u32 i) const {
    const u32 k = i < count ? first + i : outer_first + (i - count);
    return list ? list[k] : k;
  }
};

template <class Offset>
struct GivenRow {
  Offset from, to;
  u32 size;
};
template <class Offset>
HW_DEVICE GivenRow<Offset> given_row(const OrderedRows<Offset>& r, u32 row) {
  const Offset to = r.place[row];
  return {r.offsets[r.order[row]], to, static_cast<u32>(r.place[row + 1ull] - to)};
}

HW_DEVICE void sort_two(u32& a, u32& b) {
  const u32 low = a < b ? a : b;
  b = a < b ? b : a;
  a = low;
}

/// Sorts `width` lanes' values, `each` a lane, lane after lane: a bitonic network whose merges begin with a mirrored step, so
/// that every run rises. Whole warps.
template <u32 width, u32 each>
HW_DEVICE void sort_in_lanes(u32 (&v)[each], u32 member) {
  HW_UNROLL
  for (u32 size = 2; size <= each; size *= 2) {
    HW_UNROLL
    for (u32 i = 0; i < each; ++i) {
      if (i < (i ^ (size - 1))) sort_two(v[i], v[i ^ (size - 1)]);
    }
    HW_UNROLL
    for (u32 d = size / 4; d; d /= 2) {
      HW_UNROLL
      for (u32 i = 0; i < each; ++i) {
        if (!(i & d)) sort_two(v[i], v[i + d]);
      }
    }
  }
  HW_UNROLL
  for (u32 run = 1; run < width; run *= 2) {
    const bool lower = !(member & run);
    HW_UNROLL
    for (u32 i = 0; i < each / 2; ++i) {
      const u32 a = dev::shuffle_xor(dev::all_lanes, v[each - 1 - i], 2 * run - 1);
      const u32 b = dev::shuffle_xor(dev::all_lanes, v[i], 2 * run - 1);
      v[i] = (v[i] < a) == lower ? v[i] : a;
      v[each - 1 - i] = (v[each - 1 - i] < b) == lower ? v[each - 1 - i] : b;
    }
    HW_UNROLL
    for (u32 far = run / 2; far; far /= 2) {
      const bool low = !(member & far);
      HW_UNROLL
      for (u32 i = 0; i < each; ++i) {
        const u32 other = dev::shuffle_xor(dev::all_lanes, v[i], far);
        v[i] = (v[i] < other) == low ? v[i] : other;
      }
    }
    HW_UNROLL
    for (u32 d = each / 2; d; d /= 2) {
      HW_UNROLL
      for (u32 i = 0; i < each; ++i) {
        if (!(i & d)) sort_two(v[i], v[i + d]);
      }
    }
  }
}

/// Rows of at most width · each arcs: `width` lanes a row.
template <u32 width, u32 each, class Offset>
HW_KERNEL HW_BOUNDS(order_threads, each < 32 ? 4 : 2) void order_short(OrderedRows<Offset> r, RowSet set) {
  constexpr u32 stage_words = dev::lanes * each / 32 * 33, at_once = dev::lanes / width;
  HW_SHARED(u32, stages, order_warps * stage_words);  // a gap in every 32 words: lanes write runs, and meet no bank twice
  u32* stage = stages + dev::warp() * stage_words;
  const u32 member = dev::lane() % width, own = dev::lane() / width;
  const u64 total = set.size(), stride = static_cast<u64>(dev::grid_size()) * order_warps * at_once;
  for (u64 base = (static_cast<u64>(dev::block()) * order_warps + dev::warp()) * at_once; base < total; base += stride) {
    GivenRow<Offset> row{0, 0, 0};
    if (base + own < total) row = given_row(r, set.at(static_cast<u32>(base + own)));
    u32 name[each];
    HW_UNROLL
    for (u32 k = 0; k < each; ++k) {
      const u32 x = k * width + member;
      name[k] = x < row.size ? dev::read_once(&r.neighbors[row.from + x]) : 0;
    }
    HW_UNROLL
    for (u32 k = 0; k < each; ++k) name[k] = k * width + member < row.size ? dev::read_only(&r.rank[name[k]]) : ~0u;
    sort_in_lanes<width>(name, member);
    dev::sync_warp();
    HW_UNROLL
    for (u32 k = 0; k < each; ++k) {
      const u32 x = dev::lane() * each + k;
      stage[x + x / 32] = name[k];
    }
    dev::sync_warp();
    HW_UNROLL
    for (u32 k = 0; k < each; ++k) {
      const u32 x = k * width + member, at = own * width * each + x;
      if (x < row.size) r.rows[row.to + x] = stage[at + at / 32];
    }
  }
}

/// A block's shared memory for splitting one piece.
struct SplitDesk {
  u32* tree;    ///< where classes begin, as a search tree: the children of node k are 2 k and 2 k + 1
  u32* fill;    ///< of each class in each warp's part; then: of all parts before
  u32* before;  ///< arcs of all classes before each
  u32* sums;    ///< a warp each
  u32* sorted;
};

HW_DEVICE void plant_tree(const SplitDesk& desk, const u32* starts, u32 row) {
  const u32 outer = row < starts[order_classes] ? 0 : order_classes;
  for (u32 k = dev::thread(); k < order_classes; k += dev::block_size()) {
    if (k == 0) continue;
    const u32 depth = 31 - static_cast<u32>(dev::leading_zeros(k)),
              top = 31 - static_cast<u32>(dev::leading_zeros(order_classes));
    desk.tree[k] = starts[outer + ((2 * (k - (1u << depth)) + 1) << (top - 1 - depth))];
  }
}

HW_DEVICE u32 class_of(const u32* tree, u32 name) {
  u32 k = 1;
  HW_UNROLL
  for (u32 step = 1; step < order_classes; step *= 2) k = 2 * k + (tree[k] <= name);
  return k - order_classes;
}

/// This lane's arcs of a piece, `names` or, through the ranks, `neighbors`, and what the piece has of each class in each
/// warp's part. `place`: class, and how many of it stand before in the warp's part. Leaves all threads met.
template <class Offset>
HW_DEVICE void count_classes(const SplitDesk& desk, const u32* neighbors, const u32* rank, const u32* names, u32 size,
                             u32 (&name)[piece_items], u32 (&place)[piece_items]) {
  const u32 first = dev::warp() * dev::lanes * piece_items + dev::lane();
  HW_UNROLL
  for (u32 j = 0; j < piece_items; ++j) {
    const u32 x = first + j * dev::lanes;
    name[j] = x >= size ? 0 : names ? names[x] : dev::read_once(&neighbors[x]);
  }
  if (!names) {
    HW_UNROLL
    for (u32 j = 0; j < piece_items; ++j) name[j] = first + j * dev::lanes < size ? dev::read_only(&rank[name[j]]) : 0;
  }
  u32* fill = desk.fill + dev::warp() * order_classes;
  for (u32 c = dev::lane(); c < order_classes; c += dev::lanes) fill[c] = 0;
  dev::sync_block();  // the tree too
  HW_UNROLL
  for (u32 j = 0; j < piece_items; ++j) {
    const bool valid = first + j * dev::lanes < size;
    const u32 c = class_of(desk.tree, name[j]);
    Word alike = static_cast<Word>(dev::ballot(dev::all_lanes, valid));
    if (!alike) break;  // the whole warp
    HW_UNROLL
    for (u32 bit = 1; bit < order_classes; bit *= 2) {
      const Word set = static_cast<Word>(dev::ballot(dev::all_lanes, (c & bit) != 0));
      alike &= c & bit ? set : ~set;
    }
    const u32 below = static_cast<u32>(dev::popcount(alike & static_cast<Word>(dev::lanes_below())));
    const u32 old = fill[c];
    dev::sync_warp();
    if (valid && below == 0) fill[c] = old + static_cast<u32>(dev::popcount(alike));
    dev::sync_warp();
    place[j] = c << 16 | (old + below);
  }
  dev::sync_block();
}

/// fill: of each class before each warp's part; before: of all classes before. Whole blocks.
HW_DEVICE void sum_classes(const SplitDesk& desk) {
  const u32 c = dev::thread();
  u32 total = 0, below = 0;
  if (c < order_classes) {
    HW_UNROLL
    for (u32 w = 0; w < order_warps; ++w) {
      const u32 own = desk.fill[w * order_classes + c];
      desk.fill[w * order_classes + c] = total;
      total += own;
    }
    below = prefix_below(total);
    if (dev::lane() == dev::lanes - 1) desk.sums[dev::warp()] = below + total;
  }
  dev::sync_block();
  if (c < order_classes) {
    for (u32 w = 0; w < dev::warp(); ++w) below += desk.sums[w];
    desk.before[c] = below;
  }
  dev::sync_block();
}

/// The piece's arcs into `sorted`, in their new order.
HW_DEVICE void split_piece(const SplitDesk& desk, u32 size, const u32 (&name)[piece_items], const u32 (&place)[piece_items]) {
  const u32 first = dev::warp() * dev::lanes * piece_items + dev::lane();
  sum_classes(desk);
  HW_UNROLL
  for (u32 j = 0; j < piece_items; ++j) {
    if (first + j * dev::lanes >= size) break;
    const u32 c = place[j] >> 16;
    desk.sorted[desk.before[c] + desk.fill[dev::warp() * order_classes + c] + (place[j] & 0xFFFF)] = name[j];
  }
  dev::sync_block();
}

#define HW_SPLIT_DESK(desk)                                \
  HW_SHARED(u32, desk##_tree, order_classes);              \
  HW_SHARED(u32, desk##_fill, order_warps* order_classes); \
  HW_SHARED(u32, desk##_before, order_classes);            \
  HW_SHARED(u32, desk##_sums, order_warps);                \
  HW_SHARED(u32, desk##_sorted, piece_arcs);               \
  const SplitDesk desk { desk##_tree, desk##_fill, desk##_before, desk##_sums, desk##_sorted }

/// Rows of one piece: a block a row.
template <class Offset>
HW_KERNEL HW_BOUNDS(order_threads, 4) void order_long(OrderedRows<Offset> r, RowSet set) {
  HW_SPLIT_DESK(desk);
  for (u32 i = dev::block(); i < set.size(); i += dev::grid_size()) {
    const u32 at = set.at(i);
    const GivenRow<Offset> row = given_row(r, at);
    u32 name[piece_items], place[piece_items];
    plant_tree(desk, r.starts, at);
    count_classes<Offset>(desk, r.neighbors + row.from, r.rank, nullptr, row.size, name, place);
    split_piece(desk, row.size, name, place);
    for (u32 x = dev::thread(); x < row.size; x += order_threads) r.rows[row.to + x] = desk.sorted[x];
    dev::sync_block();
  }
}

/// How many pieces each row of the set has.
template <class Offset>
HW_KERNEL void count_pieces(OrderedRows<Offset> r, RowSet set, u32* pieces) {
  for (u64 i = dev::global_thread(); i <= set.size(); i += dev::global_threads())
    pieces[i] = i < set.size() ? (given_row(r, set.at(static_cast<u32>(i))).size + piece_arcs - 1) / piece_arcs : 0;
}
namespace {
/// Which row each piece is of.
HW_KERNEL void list_pieces(const u32* first_piece, u32 rows, u32* owner) {
  for (u64 i = dev::global_thread(); i < rows; i += dev::global_threads())
    for (u32 p = first_piece[i]; p < first_piece[i + 1]; ++p) owner[p] = static_cast<u32>(i);
}
}  // namespace

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
HW_DEVICE PieceOf<Offset> piece_of(const OrderedRows<Offset>& r, const RowSet& set, const Pieces& pieces, u32 p) {
  const u32 i = pieces.owner[p], at = set.at(i), skip = (p - pieces.first[i]) * piece_arcs;
  const GivenRow<Offset> row = given_row(r, at);
  return {row, at, row.size - skip < piece_arcs ? row.size - skip : piece_arcs, static_cast<Offset>(row.from + skip)};
}

template <class Offset>
HW_KERNEL HW_BOUNDS(order_threads, 4) void count_piece_classes(OrderedRows<Offset> r, RowSet set, Pieces pieces) {
  HW_SPLIT_DESK(desk);
  const u32 end = pieces.first[set.size()];
  for (u32 p = dev::block(); p < end; p += dev::grid_size()) {
    const PieceOf<Offset> piece = piece_of(r, set, pieces, p);
    u32 name[piece_items], place[piece_items];
    plant_tree(desk, r.starts, piece.at);
    count_classes<Offset>(desk, r.neighbors + piece.begin, r.rank, nullptr, piece.size, name, place);
    HW_UNROLL
    for (u32 j = 0; j < piece_items; ++j) {
      const u32 x = (dev::warp() * piece_items + j) * dev::lanes + dev::lane();
      if (r.names && x < piece.size) r.names[piece.begin + x] = name[j];
    }
    if (dev::thread() < order_classes) {
      u32 total = 0;
      HW_UNROLL
      for (u32 w = 0; w < order_warps; ++w) total += desk.fill[w * order_classes + dev::thread()];
      pieces.counts[static_cast<u64>(p) * order_classes + dev::thread()] = total;
    }
    dev::sync_block();
  }
}

namespace {
/// One block of order_classes threads a row.
HW_KERNEL void place_piece_classes(u32 rows, Pieces pieces) {
  HW_SHARED(u32, sums, order_warps);
  for (u32 i = dev::block(); i < rows; i += dev::grid_size()) {
    u32* counts = pieces.counts + dev::thread();
    const u64 first = pieces.first[i], end = pieces.first[i + 1];
    u32 total = 0;
    for (u64 p = first; p < end; ++p) total += counts[p * order_classes];
    u32 below = prefix_below(total);
    if (dev::lane() == dev::lanes - 1) sums[dev::warp()] = below + total;
    dev::sync_block();
    for (u32 w = 0; w < dev::warp(); ++w) below += sums[w];
    for (u64 p = first; p < end; ++p) {
      const u32 own = counts[p * order_classes];
      counts[p * order_classes] = below;
      below += own;
    }
    dev::sync_block();
  }
}
}  // namespace

template <class Offset>
HW_KERNEL HW_BOUNDS(order_threads, 4) void move_pieces(OrderedRows<Offset> r, RowSet set, Pieces pieces) {
  HW_SPLIT_DESK(desk);
  const u32 end = pieces.first[set.size()];
  for (u32 p = dev::block(); p < end; p += dev::grid_size()) {
    const PieceOf<Offset> piece = piece_of(r, set, pieces, p);
    u32 name[piece_items], place[piece_items];
    plant_tree(desk, r.starts, piece.at);
    count_classes<Offset>(desk, r.neighbors + piece.begin, r.rank, r.names ? r.names + piece.begin : nullptr, piece.size, name,
                          place);
    split_piece(desk, piece.size, name, place);
    const u32* to = pieces.counts + static_cast<u64>(p) * order_classes;
    for (u32 x = dev::thread(); x < piece.size; x += order_threads) {
      const u32 c = class_of(desk.tree, desk.sorted[x]);
      r.rows[piece.row.to + to[c] + (x - desk.before[c])] = desk.sorted[x];
    }
    dev::sync_block();
  }
}

}  // namespace hopwave::HW_MACHINE::engine
