// Preparing a graph for the wide traversal: ids by falling degree class, so that what is tested most lies together, and rows
// in that order, so that the likeliest neighbour comes first. Within a class vertices keep the caller's order, so that
// putting answers back into it reads memory in a few sequential streams.
#pragma once

#include "engine/state.h"

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

/// Arcs in the order of their tails' ranks. Sorted by head, and stably, they are the rows of the reversed graph, each in
/// rising order. One warp a vertex.
template <class Offset>
HW_KERNEL void order_arcs(const Offset* offsets, const u32* neighbors, const u32* order, const u32* rank, u32 n,
                          const Offset* place, u32* head, u32* tail) {
  const u64 warps = static_cast<u64>(dev::grid_size()) * dev::warps();
  for (u64 i = static_cast<u64>(dev::block()) * dev::warps() + dev::warp(); i < n; i += warps) {
    const Offset begin = offsets[order[i]], count = offsets[order[i] + 1ull] - begin;
    for (Offset k = dev::lane(); k < count; k += dev::lanes) {
      head[place[i] + k] = rank[neighbors[begin + k]];
      tail[place[i] + k] = static_cast<u32>(i);
    }
  }
}

/// The arcs of rows [first, end) of the new order, each as its row above `bits` bits of the neighbour. One warp a row.
template <class Offset>
HW_KERNEL void order_row_keys(const Offset* offsets, const u32* neighbors, const u32* order, const u32* rank, u64 first,
                              u64 end, int bits, const Offset* place, u64* keys) {
  const u64 warps = static_cast<u64>(dev::grid_size()) * dev::warps();
  for (u64 i = first + static_cast<u64>(dev::block()) * dev::warps() + dev::warp(); i < end; i += warps) {
    const Offset begin = offsets[order[i]], count = offsets[order[i] + 1ull] - begin, at = place[i] - place[first];
    for (Offset k = dev::lane(); k < count; k += dev::lanes) keys[at + k] = (i - first) << bits | rank[neighbors[begin + k]];
  }
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
