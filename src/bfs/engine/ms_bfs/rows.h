// Before and after MS-BFS: rows sorted into bins by length, and binary digits widened into distances.
#pragma once

#include "bfs/engine/ms_bfs/run.h"
#include "device/kernel_side.h"

namespace hopwave::HW_MACHINE::engine::ms_bfs {

/// Rows by which the bins are made; `neighbors`: of a symmetric graph, else null, and then there are no leaves.
template <class Offset>
struct BinRows {
  const Offset* offsets;
  const u32* neighbors;
  u32 n;
};

/// A leaf's one neighbour, if that has other neighbours; else no_vertex.
template <class Offset>
HW_DEVICE u32 leaf_of(const BinRows<Offset>& rows, u32 v) {
  const Offset at = rows.offsets[v];
  if (!rows.neighbors || rows.offsets[v + 1ull] - at != 1) return no_vertex;
  const u32 u = rows.neighbors[at];
  return rows.offsets[u + 1ull] - rows.offsets[u] > 1 ? u : no_vertex;
}
template <class Offset>
HW_DEVICE u32 bin_of_row(const BinRows<Offset>& rows, u32 v) {
  if (v >= rows.n) return num_bins;
  return leaf_of(rows, v) != no_vertex ? num_bins - 1 : bin_of(rows.offsets[v + 1ull] - rows.offsets[v]);
}

/// `via` of the state.
template <class Offset>
HW_KERNEL void fill_via(BinRows<Offset> rows, const u32* rank, u32* via) {
  for (u32 v = dev::global_thread(); v < rows.n; v += dev::global_threads()) {
    const u32 r = rank ? rank[v] : v, u = leaf_of(rows, r);
    via[v] = u != no_vertex ? u | single : r;
  }
}

/// counts[b · tiles + t] = rows of bin b among the t-th warp's width of vertices.
template <class Offset>
HW_KERNEL void count_bins(BinRows<Offset> all, u32 tiles, u32* counts) {
  const u32 stride = dev::grid_size() * dev::warps();
  for (u32 t = dev::block() * dev::warps() + dev::warp(); t < tiles; t += stride) {
    const u32 v = t * dev::lanes + dev::lane();
    const u32 bin = bin_of_row(all, v);
    for (u32 b = 0; b < num_bins; ++b) {
      const dev::LaneMask rows = dev::ballot(dev::all_lanes, bin == b);
      if (dev::lane() == 0) counts[static_cast<u64>(b) * tiles + t] = static_cast<u32>(dev::popcount(rows));
    }
  }
}

/// `places`: the sums of the counts before. Within a bin vertices keep their order, so that neighbouring rows stay together.
template <class Offset>
HW_KERNEL void fill_bins(BinRows<Offset> all, u32 tiles, const u32* places, u32* rows) {
  const u32 stride = dev::grid_size() * dev::warps();
  for (u32 t = dev::block() * dev::warps() + dev::warp(); t < tiles; t += stride) {
    const u32 v = t * dev::lanes + dev::lane();
    const u32 bin = bin_of_row(all, v);
    for (u32 b = 0; b < num_bins; ++b) {
      const dev::LaneMask same = dev::ballot(dev::all_lanes, bin == b);
      if (bin == b) rows[places[static_cast<u64>(b) * tiles + t] + dev::rank_in(same)] = v;
    }
  }
}

/// How many parts each of the first `count` rows is cut into.
template <class Offset>
HW_KERNEL void count_chunks(const Offset* in_offsets, const u32* rows, u32 count, u32* parts) {
  for (u32 i = dev::global_thread(); i < count; i += dev::global_threads()) {
    const u64 degree = in_offsets[rows[i] + 1ull] - in_offsets[rows[i]];
    parts[i] = static_cast<u32>((degree + chunk_edges - 1) / chunk_edges);
  }
}

/// First all first parts, one a row, then the others; `places`: the sums of the parts before. One warp a row.
template <class Offset>
HW_KERNEL void fill_chunks(const Offset* in_offsets, const u32* rows, u32 count, const u32* places, Chunk* chunks) {
  const u32 stride = dev::grid_size() * dev::warps();
  for (u32 i = dev::block() * dev::warps() + dev::warp(); i < count; i += stride) {
    const u64 degree = in_offsets[rows[i] + 1ull] - in_offsets[rows[i]];
    const u32 parts = static_cast<u32>((degree + chunk_edges - 1) / chunk_edges);
    for (u32 k = dev::lane(); k < parts; k += dev::lanes) chunks[k ? count + places[i] - i + k - 1 : i] = {rows[i], k};
  }
}

inline constexpr u32 widen_threads = 256;  ///< a block of those that write distances

/// Where the distances go: those of search first + i from out + i · stride on, in the caller's order; whole lines.
struct Rows {
  Distance* out;
  u64 stride;
  u32 first, count;
};

/// Of searches j, j + width, j + 2 · width, … of 32 their distances side by side, `width` bits each, all ones if there is none.
template <u32 width>
HW_DEVICE u32 pack_distances(u32 visited, const u32 (&digit)[width - 1], u32 j) {
  constexpr u32 low = width == 4 ? 0x11111111u : 0x01010101u;
  u32 field = (~visited >> j & low) * ((1u << width) - 1);
  HW_UNROLL
  for (u32 k = 0; k + 1 < width; ++k) field |= (digit[k] >> j & low) << k;
  return field;
}

/// The vertex whose words give a vertex's distance: itself; for a leaf its neighbour, whose distance is one less.
struct Whose {
  u32 place;
  bool leaf;
};
template <class Offset>
HW_DEVICE Whose whose_words(const Graph<Offset>& g, const State<Offset>& s, u64 v) {
  if (s.skip_leaves) {
    const u32 via = dev::read_only(&s.via[v]);
    return {via & id_mask, via >= single};
  }
  return {g.rank ? dev::read_only(&g.rank[v]) : static_cast<u32>(v), false};
}

/// Adds one to the numbers of those in `bits`.
template <u32 most>
HW_DEVICE void count_up(Bits (&digit)[most], Bits bits) {
  HW_UNROLL
  for (u32 k = 0; k < most; ++k) {
    const Bits sum = digit[k] ^ bits;
    bits &= digit[k];
    digit[k] = sum;
  }
}

/// Searches that start at leaves: the neighbour's words do not show them. Two sources a lane; seldom any in a tile.
struct Sources {
  u32 of[2];
};
template <class Offset>
HW_DEVICE Sources lane_sources(const State<Offset>& s) {
  Sources mine;
  HW_UNROLL
  for (u32 h = 0; h < 2; ++h) {
    const u32 i = 32 * h + dev::lane();
    mine.of[h] = s.skip_leaves && i < s.num_sources ? dev::read_only(&s.sources[i]) : no_vertex;
  }
  return mine;
}
/// Which searches start at one of `each` vertices from v0 on. `tile`: the whole warp's `size` vertices.
template <u32 each>
HW_DEVICE void find_origins(const Sources& mine, u64 tile, u64 size, u64 v0, Bits (&origin)[each]) {
  HW_UNROLL
  for (u32 k = 0; k < each; ++k) origin[k] = 0;
  HW_UNROLL
  for (u32 h = 0; h < 2; ++h)
    for (dev::LaneMask in =
             dev::ballot(dev::all_lanes, mine.of[h] >= tile && mine.of[h] < tile + size && mine.of[h] != no_vertex);
         in; in &= in - 1) {
      const u32 i = static_cast<u32>(dev::find_first_set(in)) - 1, v = dev::shuffle(dev::all_lanes, mine.of[h], i);
      HW_UNROLL
      for (u32 k = 0; k < each; ++k)
        if (v == v0 + k) origin[k] |= Bits{1} << (32 * h + i);
    }
}

/// What distances are made of: the visited words, and so many planes of digits.
struct Known {
  const Bits* visited;
  u32 digits;
};

/// The words of a vertex; for a leaf, corrected by its own searches.
template <u32 most, class Offset>
HW_DEVICE Bits read_words(const Graph<Offset>& g, const State<Offset>& s, const Known& known, Whose whose, Bits origin,
                          Bits (&digit)[most]) {
  const u64 n = g.num_vertices;
  const Bits reached = known.visited[whose.place];
  HW_UNROLL
  for (u32 d = 0; d < most; ++d) digit[d] = d < known.digits ? s.planes[d * n + whose.place] : 0;
  if (!whose.leaf) return reached;
  count_up(digit, reached);
  HW_UNROLL
  for (u32 d = 0; d < most; ++d) digit[d] &= ~origin;
  return reached | origin;
}

/// Writes a lane's fields of the 32 searches from `first` on, of `each` vertices from v0 on.
template <u32 width, u32 each>
HW_DEVICE void write_fields(u32 (&field)[width][each], u32 first, u64 v0, const Rows& rows) {
  HW_ROLLED
  for (u32 q = 32 / width; q-- > 0;) {  // the highest bits of a field come first
    const u32 i0 = first + q * width - rows.first;
    // The row of the first of them may lie before all rows; none is written then. So no pointer is made yet.
    const u64 row = static_cast<u64>(static_cast<std::int64_t>(static_cast<std::int32_t>(i0))) * rows.stride + v0;
    HW_UNROLL
    for (u32 j = 0; j < width; ++j) {
      Distance side[each];
      HW_UNROLL
      for (u32 k = 0; k < each; ++k) {
        side[k] = static_cast<Distance>(field[j][k]) >> (32 - width);
        field[j][k] <<= width;
      }
      if (i0 + j < rows.count) dev::write_side(rows.out + (row + j * rows.stride), side);
    }
  }
}

/// Writes distances of fewer digits than `width`. A lane takes `each` neighbouring vertices and transposes bits four or eight
/// at a time, so that a distance costs two instructions, and a store writes `each` distances.
template <u32 width, u32 each, class Offset>
HW_DEVICE void widen_packed(const Graph<Offset>& g, const State<Offset>& s, const Known& known, const Rows& rows) {
  const u64 n = g.num_vertices, tile = each * dev::lanes;
  const u64 warps = static_cast<u64>(dev::grid_size()) * dev::warps();
  const Sources sources = lane_sources(s);
  for (u64 t = static_cast<u64>(dev::block()) * dev::warps() + dev::warp(); t * tile < n; t += warps) {
    const u64 v0 = t * tile + dev::lane() * each;
    Bits origin[each];
    find_origins(sources, t * tile, tile, v0, origin);
    Whose whose[each];
    HW_UNROLL
    for (u32 k = 0; k < each; ++k) whose[k] = v0 + k < n ? whose_words(g, s, v0 + k) : Whose{0, false};
    u32 field[2][width][each];
    HW_UNROLL
    for (u32 k = 0; k < each; ++k) {
      Bits digit[width - 1];
      const Bits reached = read_words(g, s, known, whose[k], origin[k], digit);
      HW_UNROLL
      for (u32 h = 0; h < 2; ++h) {
        u32 half[width - 1];
        HW_UNROLL
        for (u32 d = 0; d + 1 < width; ++d) half[d] = static_cast<u32>(digit[d] >> 32 * h);
        HW_UNROLL
        for (u32 j = 0; j < width; ++j) field[h][j][k] = pack_distances<width>(static_cast<u32>(reached >> 32 * h), half, j);
      }
    }
    if (v0 >= n) continue;  // after the last vertex there is room up to the next row
    HW_UNROLL
    for (u32 h = 0; h < 2; ++h) write_fields<width, each>(field[h], 32 * h, v0, rows);
  }
}

/// A vertex's distances are `visited` and its digits; of one search:
template <u32 most>
HW_DEVICE Distance narrow_down(Bits visited, const Bits (&digit)[most], u32 bit) {
  u32 d = 0;
  HW_UNROLL
  for (u32 k = 0; k < most; ++k) d |= static_cast<u32>(digit[k] >> bit & 1) << k;
  return visited >> bit & 1 ? static_cast<Distance>(d) : unreached;
}

/// The same of any number of digits, a vertex a lane.
template <u32 most, class Offset>
HW_DEVICE void widen(const Graph<Offset>& g, const State<Offset>& s, const Known& known, const Rows& rows) {
  const u64 n = g.num_vertices, warps = static_cast<u64>(dev::grid_size()) * dev::warps();
  const Sources sources = lane_sources(s);
  for (u64 t = static_cast<u64>(dev::block()) * dev::warps() + dev::warp(); t * dev::lanes < n; t += warps) {
    const u64 v = t * dev::lanes + dev::lane();
    Bits origin[1], digit[most];
    find_origins(sources, t * dev::lanes, dev::lanes, v, origin);
    if (v >= n) continue;
    const Bits reached = read_words(g, s, known, whose_words(g, s, v), origin[0], digit);
    for (u32 i = 0; i < rows.count; ++i) {
      const Distance level = narrow_down(reached, digit, rows.first + i);
      dev::plain_write(&rows.out[i * rows.stride + v], level);
    }
  }
}

template <class Offset>
HW_DEVICE void copy_levels(const Graph<Offset>& g, const State<Offset>& s, const Bits* visited, Distance* out) {
  for (u64 v = dev::global_thread(); v < g.num_vertices; v += dev::global_threads()) {
    const u64 r = g.rank ? dev::read_only(&g.rank[v]) : v;
    const Distance level = dev::plain_read(&visited[r]) ? dev::plain_read(&s.direct[r]) : unreached;
    dev::plain_write(&out[v], level);
  }
}

template <class Offset>
HW_DEVICE void widen_all(const Graph<Offset>& g, const State<Offset>& s, const Bits* visited, u32 level, const Rows& rows) {
  u32 digits = 0, most = 0;  // digits of the words, and of a leaf's distance
  while (level >> digits) ++digits;
  while ((level + s.skip_leaves) >> most) ++most;
  if (digits > s.num_planes) digits = s.num_planes;  // paused: this is done again later
  const Known known{visited, digits};
  if (most <= 3)
    widen_packed<4, 4>(g, s, known, rows);
  else if (most <= 7)
    widen_packed<8, 2>(g, s, known, rows);
  else if (most <= 16)
    widen<16>(g, s, known, rows);
  else
    widen<most_planes>(g, s, known, rows);
}

/// `blocks`: how many a multiprocessor holds. With five, all of Kronecker 20's vertices are in flight at once, so that all
/// blocks write the same few rows at a time.
template <class Offset, u32 blocks>
HW_KERNEL void HW_BOUNDS(widen_threads, blocks) ms_bfs_widen(Graph<Offset> g, State<Offset> s, u32 at, Rows rows) {
  HW_CHECK(dev::block_size() <= widen_threads);
  const Progress p = dev::plain_read(&s.progress[at]);
  const Bits* visited = dev::current_of(s.visited, p.current);
  if (s.direct) return copy_levels(g, s, visited, rows.out);
  widen_all(g, s, visited, p.deepest, rows);
}

}  // namespace hopwave::HW_MACHINE::engine::ms_bfs
