// Preparing a graph for the wide traversal: ids by falling degree class, so that what is tested most lies together, and rows
// in that order, so that the likeliest neighbour comes first. Within a class vertices keep the caller's order, so that
// putting answers back into it reads memory in a few sequential streams.
#pragma once

#include "engine/order_rows.h"

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

namespace {
/// Where each class begins in keys sorted by it; the first outside the giant component; at last, how many keys there are.
HW_KERNEL void class_starts(const u32* sorted, u32 n, u32* starts) {
  for (u64 i = dev::global_thread(); i <= n; i += dev::global_threads()) {
    const u32 from = i == 0 ? 0 : sorted[i - 1] + 1, to = i == n ? 2 * order_classes : sorted[i];
    for (u32 k = from; k <= to; ++k) starts[k] = static_cast<u32>(i);
  }
}
}  // namespace

/// First neighbours, one and four a vertex.
template <class Offset>
HW_KERNEL void order_firsts(const Offset* offsets, const u32* neighbors, u32 n, u32* head, dev::Quad* quads) {
  for (u64 v = dev::global_thread(); v < n; v += dev::global_threads()) {
    const Offset begin = offsets[v], size = offsets[v + 1] - begin;
    u32 first[4];
    HW_UNROLL
    for (u32 k = 0; k < 4; ++k) first[k] = k < size ? neighbors[begin + k] : static_cast<u32>(v);
    head[v] = first[0] | (size <= 1 ? single : 0);
    quads[v] = {first[0], first[1], first[2], first[3] | (size <= 4 ? single : 0)};
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
