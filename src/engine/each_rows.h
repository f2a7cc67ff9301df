// Before and after many searches in one pass: rows sorted into bins by length, and binary digits widened into distances.
#pragma once

#include "engine/each_run.h"

namespace hopwave::HW_MACHINE::engine {

/// counts[b · tiles + t] = rows of bin b among the t-th warp's width of vertices.
template <class Offset>
HW_KERNEL void count_bins(const Offset* in_offsets, u32 n, u32 tiles, u32* counts) {
  const u32 stride = dev::grid_size() * dev::warps();
  for (u32 t = dev::block() * dev::warps() + dev::warp(); t < tiles; t += stride) {
    const u32 v = t * dev::lanes + dev::lane();
    const u32 bin = v < n ? bin_of(in_offsets[v + 1ull] - in_offsets[v]) : num_bins;
    for (u32 b = 0; b < num_bins; ++b) {
      const dev::LaneMask rows = dev::ballot(dev::all_lanes, bin == b);
      if (dev::lane() == 0) counts[static_cast<u64>(b) * tiles + t] = static_cast<u32>(dev::popcount(rows));
    }
  }
}

/// `places`: the sums of the counts before. Within a bin vertices keep their order, so that neighbouring rows stay together.
template <class Offset>
HW_KERNEL void fill_bins(const Offset* in_offsets, u32 n, u32 tiles, const u32* places, u32* rows) {
  const u32 stride = dev::grid_size() * dev::warps();
  for (u32 t = dev::block() * dev::warps() + dev::warp(); t < tiles; t += stride) {
    const u32 v = t * dev::lanes + dev::lane();
    const u32 bin = v < n ? bin_of(in_offsets[v + 1ull] - in_offsets[v]) : num_bins;
    for (u32 b = 0; b < num_bins; ++b) {
      const dev::LaneMask same = dev::ballot(dev::all_lanes, bin == b);
      if (bin == b) rows[places[static_cast<u64>(b) * tiles + t] + dev::popcount(same & dev::lanes_below())] = v;
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

/// A vertex's distances are `visited` and its digits; of one search:
template <u32 most>
HW_DEVICE Distance narrow_down(Bits visited, const Bits (&digit)[most], u32 bit) {
  u32 d = 0;
  HW_UNROLL
  for (u32 k = 0; k < most; ++k) d |= static_cast<u32>(digit[k] >> bit & 1) << k;
  return visited >> bit & 1 ? static_cast<Distance>(d) : unreached;
}

/// Distances of searches first … first + count − 1 from at most `most` digits, `stride` apart in `out`. A lane keeps the digits
/// of `each` vertices, so that a warp writes each · lanes distances of one search side by side before it goes to the next.
template <u32 most, u32 each, class Offset>
HW_DEVICE void widen(const Graph<Offset>& g, const EachState<Offset>& s, const Bits* visited, u32 digits, Distance* out,
                     u64 stride, u32 first, u32 count) {
  const u64 n = g.num_vertices, tile = each * dev::lanes, warps = static_cast<u64>(dev::grid_size()) * dev::warps();
  for (u64 t = static_cast<u64>(dev::block()) * dev::warps() + dev::warp(); t * tile < n; t += warps) {
    const u64 v0 = t * tile + dev::lane();
    u64 r[each];
    Bits reached[each], digit[each][most];
    HW_UNROLL
    for (u32 j = 0; j < each; ++j) {
      const u64 v = v0 + j * dev::lanes;
      r[j] = v >= n ? 0 : g.rank ? dev::read_only(&g.rank[v]) : v;
    }
    HW_UNROLL
    for (u32 j = 0; j < each; ++j) {
      reached[j] = visited[r[j]];
      HW_UNROLL
      for (u32 k = 0; k < most; ++k) digit[j][k] = k < digits ? s.planes[k * n + r[j]] : 0;
    }
    for (u32 i = 0; i < count; ++i) {
      HW_UNROLL
      for (u32 j = 0; j < each; ++j) {
        const u64 v = v0 + j * dev::lanes;
        if (v < n) out[i * stride + v] = narrow_down(reached[j], digit[j], first + i);
      }
    }
  }
}

template <class Offset>
HW_DEVICE void copy_levels(const Graph<Offset>& g, const EachState<Offset>& s, const Bits* visited, Distance* out) {
  for (u64 v = dev::global_thread(); v < g.num_vertices; v += dev::global_threads()) {
    const u64 r = g.rank ? dev::read_only(&g.rank[v]) : v;
    out[v] = visited[r] ? s.direct[r] : unreached;
  }
}

template <class Offset>
HW_KERNEL void each_widen(Graph<Offset> g, EachState<Offset> s, u32 at, Distance* out, u64 stride, u32 first, u32 count) {
  const u32 level = s.progress[at].level, current = s.progress[at].current;
  const Bits* visited = current ? s.visited[1] : s.visited[0];
  if (s.direct) return copy_levels(g, s, visited, out);
  u32 digits = 0;
  while (level >> digits) ++digits;
  if (digits > s.num_planes) digits = s.num_planes;  // paused: this is done again later
  if (digits <= 3)
    widen<3, 4>(g, s, visited, digits, out, stride, first, count);
  else if (digits <= 8)
    widen<8, 2>(g, s, visited, digits, out, stride, first, count);
  else if (digits <= 16)
    widen<16, 1>(g, s, visited, digits, out, stride, first, count);
  else
    widen<most_planes, 1>(g, s, visited, digits, out, stride, first, count);
}

}  // namespace hopwave::HW_MACHINE::engine
