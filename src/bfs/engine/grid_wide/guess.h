// Before the first search of an unprepared graph: a guess at who will find each vertex. Ours: a neighbour with many arcs is
// itself found early in nearly every search, so it is the cached parent to begin with. Only where a row begins is looked at.
#pragma once

#include "bfs/engine/grid_wide/pull_rows.h"

namespace hopwave::HW_MACHINE::engine::grid_wide {

/// One more than the bits that the number of arcs into each vertex takes, so never 0. A byte, so that the cache holds more of
/// what is looked up at random.
template <class Offset>
HW_KERNEL void note_degrees(const Offset* in_offsets, u32 n, Byte* bits) {
  for (u64 v = dev::global_thread(); v < n; v += dev::global_threads()) {
    const u64 degree = dev::read_only(&in_offsets[v + 1]) - dev::read_only(&in_offsets[v]);
    const u32 counted = degree < ~u32{0} ? static_cast<u32>(degree) : ~u32{0};
    const Byte noted = static_cast<Byte>(33 - dev::leading_zeros(counted));
    dev::plain_write(&bits[v], noted);
  }
}

/// The cached parent of each vertex: of the neighbours in the row's first sector of memory, one of most bits. A vertex without
/// neighbours is its own, which is not visited while it is looked for.
template <class Offset>
HW_KERNEL void guess_parents(const Offset* in_offsets, const u32* in_neighbors, u64 num_arcs, u32 n, const Byte* bits,
                             u32* cached_parent) {
  constexpr u32 quads = 2;  // a sector
  for (u64 v = dev::global_thread(); v < n; v += dev::global_threads()) {
    const u64 begin = dev::read_only(&in_offsets[v]), end = dev::read_only(&in_offsets[v + 1]);
    const u64 first = begin / (4 * quads) * (4 * quads);
    u32 x[4 * quads];
    Byte noted[4 * quads];
    HW_UNROLL
    for (u32 j = 0; j < quads; ++j) {
      const bool has = first + 4 * j < end && first + 4 * j + 4 > begin;
      const dev::Quad q = has ? read_quad(in_neighbors, first + 4 * j, num_arcs) : dev::Quad{};
      x[4 * j] = q.x, x[4 * j + 1] = q.y, x[4 * j + 2] = q.z, x[4 * j + 3] = q.w;
    }
    HW_UNROLL
    for (u32 j = 0; j < 4 * quads; ++j) noted[j] = first + j >= begin && first + j < end ? dev::read_only(&bits[x[j]]) : 0;
    u32 guess = static_cast<u32>(v), most = 0;
    HW_UNROLL
    for (u32 j = 0; j < 4 * quads; ++j) {
      if (noted[j] <= most) continue;
      most = noted[j];
      guess = x[j];
    }
    HW_CHECK(begin == end || most != 0);  // else an only neighbour would never be looked at
    const u32 cached = guess | (end - begin == 1 ? single : 0);
    dev::plain_write(&cached_parent[v], cached);
  }
}

}  // namespace hopwave::HW_MACHINE::engine::grid_wide
