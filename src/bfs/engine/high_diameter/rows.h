// Preparing a graph for the high-diameter traversal: one row a vertex with its k-hop neighbourhood, nearest first. On roads and
// streets a row of four hops has some two dozen vertices.
#pragma once

#include "bfs/engine/high_diameter/k_hop.h"
#include "device/primitives/block.h"

namespace hopwave::HW_MACHINE::engine::high_diameter {

inline constexpr u32 neighborhood_limit = 128;  ///< vertices a row may have in all, the vertex itself included

/// What is within `hops` of v, in the order of a search: ids[0] is v, ids[ends[h − 1]] … ids[ends[h] − 1] are h hops away.
/// Returns how many hops were complete before the limit was reached.
template <class Offset>
HW_DEVICE u32 grow_neighborhood(const Offset* offsets, const u32* neighbors, u32 v, u32 hops, u32* ids, u32* ends) {
  ids[0] = v;
  ends[0] = 1;
  u32 count = 1, begin = 0;
  for (u32 k_hop = 1; k_hop <= hops; ++k_hop) {
    const u32 end = count;
    for (u32 i = begin; i < end; ++i) {
      const Offset last = offsets[ids[i] + 1ull];
      for (Offset e = offsets[ids[i]]; e < last; ++e) {
        const u32 w = neighbors[e];
        u32 k = 0;
        while (k < count && ids[k] != w) ++k;
        if (k < count) continue;
        if (count == neighborhood_limit) return k_hop - 1;
        ids[count++] = w;
      }
    }
    begin = end;
    ends[k_hop] = count;
  }
  return hops;
}

/// How large k-hop neighbourhoods are: for each number of hops, how many vertices have each size; size 0 means "too
/// large". Every `stride`-th vertex is measured.
template <class Offset>
HW_KERNEL void measure_neighborhoods(const Offset* offsets, const u32* neighbors, u32 n, u32 stride, u32 hops, u32* sizes) {
  constexpr u32 row = neighborhood_limit + 1;
  HW_SHARED(u32, mine, most_hops * row);
  for (u32 i = dev::thread(); i < most_hops * row; i += dev::block_size()) mine[i] = 0;
  dev::sync_block();
  for (u64 v = u64{dev::global_thread()} * stride; v < n; v += u64{dev::global_threads()} * stride) {
    u32 ids[neighborhood_limit], ends[most_hops + 1];
    const u32 complete = grow_neighborhood(offsets, neighbors, static_cast<u32>(v), hops, ids, ends);
    for (u32 k_hop = 1; k_hop <= hops; ++k_hop)
      dev::fetch_add(&mine[(k_hop - 1) * row + (k_hop <= complete ? ends[k_hop] : 0)], 1u);
  }
  dev::sync_block();
  for (u32 i = dev::thread(); i < most_hops * row; i += dev::block_size())
    if (mine[i]) dev::fetch_add(&sizes[i], mine[i]);
}

inline constexpr u32 row_block = 128;  ///< threads a block of write_rows

/// Where rows go, and where each begins; `room`: units that there are.
struct NewRows {
  u32 *rows, *refs;
  u32 room;
};

/// What write_rows found: units that all rows take, and whether a neighbourhood was too large.
struct RowCount {
  u64 units;
  u32 failed, no_hole;
};

/// Writes a row, and fills its last unit up with empty words.
HW_DEVICE void write_row(u32* row, u32 units, const u32* ids, const u32* ends, u32 hops) {
  u32 at = 1, k_hop = 1;
  for (u32 k = 0; k < units * unit_words; k += 4) {
    u32 word[4];
    for (u32 j = 0; j < 4; ++j) {
      while (k_hop < hops && at >= ends[k_hop]) ++k_hop;
      word[j] = at < ends[hops] ? ids[at] | (k_hop - 1) << row_id_bits : no_word;
      ++at;
    }
    *reinterpret_cast<Quad*>(&row[k]) = {word[0], word[1], word[2], word[3]};
  }
}

/// Writes every vertex's row, and where it is. A block reserves room for all its rows at once, so that neighbours' rows lie
/// together. Beyond the room nothing is written, but the units are counted.
template <class Offset>
HW_KERNEL void write_rows(const Offset* offsets, const u32* neighbors, KHopGraph g, NewRows to, RowCount* count) {
  HW_SHARED(dev::BlockReservation, reservation, 1);
  dev::open_reservation(reservation[0]);
  dev::sync_block();
  for (u64 base = u64{dev::block()} * row_block; base < g.num_vertices; base += u64{dev::grid_size()} * row_block) {
    u32 ids[neighborhood_limit], ends[most_hops + 1], units = 0;
    const u32 v = static_cast<u32>(base) + dev::thread();
    if (v < g.num_vertices) {
      if (grow_neighborhood(offsets, neighbors, v, g.hops, ids, ends) < g.hops) {
        dev::store(&count->failed, 1u);
        ends[g.hops] = 1;
      }
      units = ends[g.hops] > unit_words + 1 ? (ends[g.hops] - 1 + unit_words - 1) / unit_words : 1;
    }
    const u64 begin = dev::block_reserve(reservation[0], &count->units, units);
    if (units && begin + units <= to.room) {
      HW_CHECK(begin < most_units && units - 1 < 1u << length_bits);
      to.refs[v] = static_cast<u32>(begin) << length_bits | (units - 1);
      write_row(&to.rows[begin * unit_words], units, ids, ends, g.hops);
    }
  }
}

/// Raises `bad` if stored rows would lead out of the arrays. Whether they are this graph's, checksums have shown.
template <class Word>
HW_KERNEL void check_rows(KHopGraph g, Word num_words, u32* bad) {
  bool wrong = false;
  for (u64 i = dev::global_thread(); i < g.num_vertices; i += dev::global_threads())
    wrong = wrong || row_begin(g.refs[i]) + row_length(g.refs[i]) > num_words;
  for (u64 i = dev::global_thread(); i < num_words; i += dev::global_threads()) {
    const u32 word = g.rows[i];
    if (word == no_word) continue;
    wrong = wrong || (word & row_id_mask) >= g.num_vertices || word >> row_id_bits >= g.hops;
  }
  if (wrong) dev::store(bad, 1u);
}

}  // namespace hopwave::HW_MACHINE::engine::high_diameter
