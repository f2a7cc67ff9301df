// Preparing a graph for the narrow traversal: vertices grown into tiles around random seeds, tiles dealt to the cluster's
// blocks, rows of four neighbours in 16 bytes. Sorting by tile is all the ordering there is; it takes a few sweeps.
#pragma once

#include "engine/narrow.h"

namespace hopwave::HW_MACHINE::engine {

inline constexpr u32 row_width = 4;

HW_DEVICE u64 mix(u64 z) {
  z += 0x9e3779b97f4a7c15ull;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}

/// About one vertex in `size` starts a tile.
HW_KERNEL void seed_tiles(u32* label, u32 n, u32 size) {
  for (u64 v = dev::global_thread(); v < n; v += dev::global_threads())
    label[v] = mix(v) % size == 0 ? static_cast<u32>(v) : no_vertex;
}

/// One sweep: a vertex without a tile takes a neighbour's of the sweep before.
template <class Offset>
HW_KERNEL void spread_tiles(const Offset* offsets, const u32* neighbors, u32 n, const u32* label, u32* next, u32* changed) {
  bool any = false;
  for (u64 v = dev::global_thread(); v < n; v += dev::global_threads()) {
    u32 mine = label[v];
    if (mine == no_vertex) {
      for (Offset e = offsets[v]; e < offsets[v + 1] && mine == no_vertex; ++e) mine = label[neighbors[e]];
      any |= mine != no_vertex;
    }
    next[v] = mine;
  }
  if (any && dev::load(changed) == 0) dev::store(changed, 1u);
}

/// What to sort by: vertices with more than one row first, then by tile. Counts them and the rows beyond the second.
template <class Offset>
HW_KERNEL void tile_keys(const Offset* offsets, u32 n, const u32* label, u32* key, u32* vertex, u32* counts) {
  for (u64 v = dev::global_thread(); v < n; v += dev::global_threads()) {
    const u64 degree = offsets[v + 1] - offsets[v];
    key[v] = (degree > row_width ? 0 : 0x80000000u) | (label[v] == no_vertex ? static_cast<u32>(v) : label[v]);
    vertex[v] = static_cast<u32>(v);
    if (degree > row_width) dev::fetch_add(&counts[0], 1u);
    if (degree > 2 * row_width) dev::fetch_add(&counts[1], static_cast<u32>((degree - row_width - 1) / row_width));
  }
}

HW_KERNEL void deal_codes(const u32* order, u32* codes, RowGraph g) {
  for (u64 place = dev::global_thread(); place < g.num_vertices; place += dev::global_threads())
    codes[order[place]] = code_of(g, static_cast<u32>(place));
}

template <class Offset>
HW_DEVICE Quad row_of(const u32* neighbors, const u32* codes, Offset begin, Offset end, u32 spare) {
  u32 c[row_width];
  for (u32 j = 0; j < row_width; ++j) c[j] = begin + j < end ? codes[neighbors[begin + j]] : no_code;
  return with_spare({c[0], c[1], c[2], c[3]}, spare);
}

/// Rows, second rows and further ones. `more` counts the further rows given out.
template <class Offset>
HW_KERNEL void fill_rows(const Offset* offsets, const u32* neighbors, const u32* order, RowGraph g, Quad* rows, u32* more) {
  for (u64 place = dev::global_thread(); place < g.num_vertices; place += dev::global_threads()) {
    const u32 v = order[place], code = g.codes[v];
    Offset at = offsets[v];
    const Offset end = offsets[v + 1ull];
    rows[row_number(g, code)] = row_of(neighbors, g.codes, at, end, v);
    if (end - at <= row_width) continue;
    const u64 beyond = g.slice << g.owner_bits;
    u32 number = static_cast<u32>(place);
    for (at += row_width;; at += row_width) {
      const bool last = end - at <= row_width;
      const u32 next = last ? 0 : g.big + dev::fetch_add(more, 1u);
      rows[beyond + number] = row_of(neighbors, g.codes, at, end, next);
      if (last) break;
      number = next;
    }
  }
}

}  // namespace hopwave::HW_MACHINE::engine
