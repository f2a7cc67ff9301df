// Preparing a graph for the wide traversal: ids by falling degree class, so that what is tested most lies together, and rows
// in that order, so that the likeliest neighbour comes first. Within a class vertices keep the caller's order, so that
// putting answers back into it reads memory in a few sequential streams.
#pragma once

#include "engine/push.h"

namespace hopwave::HW_MACHINE::engine {

/// The vertex of most arcs, and what they are: degree << 32 | vertex.
template <class Offset>
HW_KERNEL void find_largest(const Offset* offsets, u32 n, u64* largest) {
  u64 best = 0;
  for (u64 v = dev::global_thread(); v < n; v += dev::global_threads()) {
    const u64 degree = offsets[v + 1] - offsets[v];
    const u64 value = (degree < 0xFFFFFFFFu ? degree : 0xFFFFFFFFu) << 32 | v;
    best = value > best ? value : best;
  }
  if (best > dev::load(largest)) dev::fetch_max(largest, best);
}

/// Degrees below 64 by powers of two, larger ones four to a power. Falling; vertices outside the giant component last.
HW_DEVICE u32 degree_key(u64 degree, bool outside) {
  u32 rank = 0;
  if (degree) {
    u32 log = 0;
    while (degree >> log > 1) ++log;
    rank = 4 * log + 1 + (degree < 64 ? 0 : static_cast<u32>(degree >> (log - 2) & 3));
  }
  return (outside ? 256u : 0u) + 255 - rank;
}

/// `reached`: distances from a vertex of the giant component; null: not known (directed graphs).
template <class Offset>
HW_KERNEL void order_keys(const Offset* offsets, u32 n, const Distance* reached, u32* key, u32* vertex) {
  for (u64 v = dev::global_thread(); v < n; v += dev::global_threads()) {
    key[v] = degree_key(offsets[v + 1] - offsets[v], reached && reached[v] == unreached);
    vertex[v] = static_cast<u32>(v);
  }
}

template <class Offset>
HW_KERNEL void order_ranks(const Offset* offsets, const u32* order, u32 n, u32* rank, Offset* degree) {
  for (u64 i = dev::global_thread(); i <= n; i += dev::global_threads()) {
    if (i == n) {
      degree[i] = 0;
      continue;
    }
    rank[order[i]] = static_cast<u32>(i);
    degree[i] = offsets[order[i] + 1ull] - offsets[order[i]];
  }
}

/// Rows in the new order that lie in the given one: row i is what the vertex order[i] has, and begins at place[i].
template <class Offset>
struct OrderedRows {
  const Offset* offsets;
  const u32* neighbors;
  const u32 *order, *rank;
  const Offset* place;
};

inline constexpr u32 order_chunk = 2048;  ///< arcs that a warp takes before it goes on

/// The last of `count` rows from `first` on that begins at x or before; or one at most a warp's width before it. Whole warps.
template <class Offset>
HW_DEVICE u64 find_row(const Offset* place, u64 first, u64 count, u64 x) {
  while (count > dev::lanes) {
    const u64 step = (count + dev::lanes - 1) / dev::lanes, i = dev::lane() * step;
    const bool before = i < count && place[first + i] <= x;
    const u32 last = static_cast<u32>(dev::popcount(dev::ballot(dev::all_lanes, before))) - 1;
    first += last * step;
    count = count - last * step < step ? count - last * step : step;
  }
  return first;
}

/// A lane's row of the next few: where it begins, and how far from there its neighbours lie.
template <class Offset>
struct RowTile {
  Offset before, shift;
};
template <class Offset>
HW_DEVICE RowTile<Offset> read_tile(const OrderedRows<Offset>& r, u64 row, u64 end) {
  if (row >= end) return {r.place[end], 0};
  const Offset at = r.place[row];
  return {at, static_cast<Offset>(r.offsets[r.order[row]] - at)};
}

/// Arcs [lo, hi) of rows below `end`: calls take(place, row, new name of the neighbour). The arcs are shared, not the rows:
/// lengths differ too much for a warp a row. Whole warps.
template <class Offset, class Take>
HW_DEVICE void order_part(const OrderedRows<Offset>& r, u64 first, u64 end, u64 lo, u64 hi, Take&& take) {
  u64 row = find_row(r.place, first, end - first, lo);
  RowTile<Offset> soon = read_tile(r, row + dev::lane(), end);
  for (u64 x0 = lo; x0 < hi; row += dev::lanes) {
    const RowTile<Offset> tile = soon;
    soon = read_tile(r, row + dev::lanes + dev::lane(), end);
    const u64 after = dev::shuffle(dev::all_lanes, soon.before, 0), stop = after < hi ? after : hi;
    for (; x0 < stop; x0 += batch * dev::lanes) {
      u32 owner[batch], name[batch];
      HW_UNROLL
      for (u32 j = 0; j < batch; ++j) {
        const u64 x = x0 + j * dev::lanes + dev::lane();
        owner[j] = owner_of(static_cast<Offset>(x), tile.before);
        const Offset shift = dev::shuffle(dev::all_lanes, tile.shift, owner[j]);
        name[j] = x < stop ? dev::read_once(&r.neighbors[static_cast<Offset>(x + shift)]) : 0;
      }
      HW_UNROLL
      for (u32 j = 0; j < batch; ++j) name[j] = dev::read_only(&r.rank[name[j]]);
      HW_UNROLL
      for (u32 j = 0; j < batch; ++j) {
        const u64 x = x0 + j * dev::lanes + dev::lane();
        if (x < stop) take(x, row + owner[j], name[j]);
      }
    }
    x0 = stop;
  }
}

/// All arcs of rows [first, end), by the whole grid.
template <class Offset, class Take>
HW_DEVICE void order_all(const OrderedRows<Offset>& r, u64 first, u64 end, Take&& take) {
  const u64 stride = static_cast<u64>(dev::grid_size()) * dev::warps() * order_chunk, stop = r.place[end];
  u64 lo = r.place[first] + (static_cast<u64>(dev::block()) * dev::warps() + dev::warp()) * order_chunk;
  for (; lo < stop; lo += stride) order_part(r, first, end, lo, lo + order_chunk < stop ? lo + order_chunk : stop, take);
}

/// Arcs in the order of their tails' ranks. Sorted by head, and stably, they are the rows of the reversed graph, each in
/// rising order.
template <class Offset>
HW_KERNEL void order_arcs(OrderedRows<Offset> r, u32 n, u32* head, u32* tail) {
  order_all(r, 0, n, [&](u64 x, u64 row, u32 name) {
    head[x] = name;
    tail[x] = static_cast<u32>(row);
  });
}

/// The arcs of rows [first, end) of the new order, each as its row above `bits` bits of the neighbour.
template <class Offset>
HW_KERNEL void order_row_keys(OrderedRows<Offset> r, u64 first, u64 end, int bits, u64* keys) {
  const u64 base = r.place[first];
  order_all(r, first, end, [&](u64 x, u64 row, u32 name) { keys[x - base] = (row - first) << bits | name; });
}

template <class Key>
HW_KERNEL void order_low_bits(const Key* keys, u64 count, int bits, u32* low) {
  for (u64 i = dev::global_thread(); i < count; i += dev::global_threads())
    low[i] = static_cast<u32>(keys[i] & ((Key{1} << bits) - 1));
}

/// samples[i] = offsets[min(i · step, n)].
template <class Offset>
HW_KERNEL void sample_offsets(const Offset* offsets, u64 n, u64 step, u32 count, u64* samples) {
  for (u64 i = dev::global_thread(); i < count; i += dev::global_threads()) samples[i] = offsets[i * step < n ? i * step : n];
}

template <class Offset>
HW_KERNEL void order_heads(const Offset* offsets, const u32* neighbors, u32 n, u32* head) {
  for (u64 v = dev::global_thread(); v < n; v += dev::global_threads()) {
    const Offset begin = offsets[v], end = offsets[v + 1];
    head[v] = begin == end ? static_cast<u32>(v) | single : neighbors[begin] | (end - begin == 1 ? single : 0);
  }
}

template <class Offset>
HW_KERNEL void order_quads(const Offset* offsets, const u32* neighbors, u32 n, dev::Quad* quads) {
  for (u64 v = dev::global_thread(); v < n; v += dev::global_threads()) {
    const Offset begin = offsets[v], end = offsets[v + 1];
    const auto one = [&](Offset k) { return k < end - begin ? neighbors[begin + k] : static_cast<u32>(v); };
    quads[v] = {one(0), one(1), one(2), one(3) | (end - begin <= 4 ? single : 0)};
  }
}

/// Raises `bad` if a stored order would lead out of the arrays; that it is of this graph, checksums say.
template <class Offset>
HW_KERNEL void check_ordered(Graph<Offset> g, u32* bad) {
  bool wrong = false;
  for (u64 v = dev::global_thread(); v < g.num_vertices; v += dev::global_threads()) {
    const auto falls = [&](const Offset* offsets) {
      return offsets[v] > offsets[v + 1] || (v == 0 && offsets[0] != 0) ||
             (v + 1 == g.num_vertices && offsets[v + 1] != g.num_arcs);
    };
    wrong = wrong || falls(g.offsets) || falls(g.in_offsets) || g.order[v] >= g.num_vertices || g.rank[v] >= g.num_vertices ||
            g.rank[g.order[v]] != v || (g.head[v] & id_mask) >= g.num_vertices;
  }
  for (u64 i = dev::global_thread(); i < g.num_arcs; i += dev::global_threads())
    wrong = wrong || g.neighbors[i] >= g.num_vertices || g.in_neighbors[i] >= g.num_vertices;
  if (wrong) dev::store(bad, 1u);
}

}  // namespace hopwave::HW_MACHINE::engine
