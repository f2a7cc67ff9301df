// Rows with new ids, in rising order, in one pass over the arcs: each id is read once, and written once in its place. Here:
// short rows, which a few lanes sort in their registers, all lengths in one launch.
#pragma once

#include "bfs/engine/grid_wide/push.h"

namespace hopwave::HW_MACHINE::engine::relabel {

inline constexpr u32 order_classes =
    128;  ///< of degrees; twice, as vertices outside the largest component come after the others

/// Degrees below 64 by powers of two, larger ones four to a power. Falling; vertices outside the largest component last.
constexpr u32 degree_key(u64 degree, bool outside) {
  u32 rank = 0;
  if (degree) {
    u32 log = 0;
    for (u32 step = 32; step; step /= 2) log += degree >> log >> step ? step : 0;
    rank = 4 * log + 1 + (degree < 64 ? 0 : static_cast<u32>(degree >> (log - 2) & 3));
  }
  return (outside ? order_classes : 0) + order_classes - 1 - (rank < order_classes ? rank : order_classes - 1);
}

inline constexpr u32 order_threads = 256;  ///< a block

/// Rows to make: row i is what the vertex order[i] has, and begins at place[i] of `rows`.
template <class Offset>
struct RelabelledRows {
  const Offset* offsets;
  const u32* neighbors;
  const u32 *order, *rank;
  const u32* starts;  ///< first vertex of each class, and of those outside; their number
  const Offset* place;
  u32* rows;
  u32* names;  ///< room for new ids between counting and moving, laid out as `neighbors`; may be `neighbors`; or null
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
HW_DEVICE GivenRow<Offset> given_row(const RelabelledRows<Offset>& r, u32 row) {
  const Offset to = r.place[row], from = r.offsets[r.order[row]];
  const u32 size = static_cast<u32>(r.place[row + 1ull] - to);
  return {from, to, size};
}

HW_DEVICE void sort_two(u32& a, u32& b) {
  const u32 low = a < b ? a : b;
  b = a < b ? b : a;
  a = low;
}

/// Sorts a lane's own values.
template <u32 each>
HW_DEVICE void sort_own(u32 (&v)[each]) {
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
}

/// Sorts `width` lanes' values, `each` a lane, lane after lane: a bitonic network whose merges begin with a mirrored step, so
/// that every run rises. Whole warps.
template <u32 width, u32 each>
HW_DEVICE void sort_in_lanes(u32 (&v)[each], u32 member) {
  sort_own(v);
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

/// Short rows by falling length: the rows of each bin, and the blocks that take it.
struct ShortRows {
  static constexpr u32 bins = 8, longest = 512;  ///< bin b: less than longest >> b arcs, half of that or more, and the last all
  RowSet set[bins];
  u32 first_block[bins + 1];
};
inline constexpr u32 warp_buffer_words(u32 each) { return dev::lanes * each / 32 * 33; }  ///< a warp; a gap in every 32 words
inline constexpr u32 most_a_lane = 16;

/// Rows of at most width · each arcs: `width` lanes a row. One of `blocks` blocks.
template <u32 width, u32 each, class Offset>
HW_DEVICE void sort_rows(const RelabelledRows<Offset>& r, const RowSet& set, u32* buffers, u32 block, u32 blocks) {
  constexpr u32 at_once = dev::lanes / width;
  u32* warp_buffer = buffers + dev::warp() * warp_buffer_words(each);  // lanes write runs there, without bank conflicts
  const u32 member = dev::lane() % width, own = dev::lane() / width;
  const u64 total = set.size(), stride = static_cast<u64>(blocks) * dev::warps() * at_once;
  for (u64 base = (static_cast<u64>(block) * dev::warps() + dev::warp()) * at_once; base < total; base += stride) {
    GivenRow<Offset> row{0, 0, 0};
    if (base + own < total) row = given_row(r, set.at(static_cast<u32>(base + own)));
    u32 name[each];
    HW_UNROLL
    for (u32 k = 0; k < each; ++k) {
      const u32 x = k * width + member;
      name[k] = x < row.size ? dev::read_once(&r.neighbors[row.from + x]) : 0;
    }
    HW_UNROLL
    for (u32 k = 0; k < each; ++k) {
      const u32 x = k * width + member;
      name[k] = x < row.size ? dev::read_only(&r.rank[name[k]]) : ~0u;
    }
    sort_in_lanes<width>(name, member);
    dev::sync_warp();
    HW_UNROLL
    for (u32 k = 0; k < each; ++k) {
      const u32 x = dev::lane() * each + k;
      warp_buffer[x + x / 32] = name[k];
    }
    dev::sync_warp();
    HW_UNROLL
    for (u32 k = 0; k < each; ++k) {
      const u32 x = k * width + member, at = own * width * each + x;
      if (x < row.size) r.rows[row.to + x] = warp_buffer[at + at / 32];
    }
  }
}

/// All short rows in one launch: bins overlap in time, and only one kernel is loaded.
template <class Offset>
HW_KERNEL HW_BOUNDS(order_threads, 4) void order_short(RelabelledRows<Offset> r, ShortRows rows) {
  HW_CHECK(dev::block_size() <= order_threads);
  HW_SHARED(u32, buffers, order_threads / dev::lanes * warp_buffer_words(most_a_lane));
  u32 bin = 0;
  while (dev::block() >= rows.first_block[bin + 1]) ++bin;
  const RowSet set = rows.set[bin];
  const u32 block = dev::block() - rows.first_block[bin], blocks = rows.first_block[bin + 1] - rows.first_block[bin];
  switch (bin) {
    case 0:
      return sort_rows<32, 16>(r, set, buffers, block, blocks);
    case 1:
      return sort_rows<32, 8>(r, set, buffers, block, blocks);
    case 2:
      return sort_rows<16, 8>(r, set, buffers, block, blocks);
    case 3:
      return sort_rows<8, 8>(r, set, buffers, block, blocks);
    case 4:
      return sort_rows<4, 8>(r, set, buffers, block, blocks);
    case 5:
      return sort_rows<2, 8>(r, set, buffers, block, blocks);
    case 6:
      return sort_rows<2, 4>(r, set, buffers, block, blocks);
    default:
      return sort_rows<1, 4>(r, set, buffers, block, blocks);
  }
}

}  // namespace hopwave::HW_MACHINE::engine::relabel
