// Relabelling: ids by falling degree class, so that the bits tested most lie together, and rows in that order, so that the
// likeliest neighbour comes first. Within a class vertices keep the caller's order: putting answers back into it then reads
// memory in a few sequential streams.
// Source: ours; a counting sort by classes, rows by counting sort, bitonic networks and splits.
//
// Holds here, once the rows are made:
// 1. `order` has every vertex once, and `rank` is its inverse.
// 2. Classes of degrees fall, first in the largest component, then outside; within a class the caller's order stays.
// 3. Every row has its vertex's neighbours, by rising new ids.
// What a file brings is checked for what a search relies on (check_relabelled).
#pragma once

#include "bfs/engine/relabel/split.h"

namespace hopwave::HW_MACHINE::engine::relabel {

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

inline constexpr u32 vertex_items = 16;                   ///< a thread
inline constexpr u32 vertex_threads = 2 * order_classes;  ///< a block: one a class, and one for those outside
inline constexpr u32 vertex_share = vertex_threads * vertex_items;

/// `reached`: distances from a vertex of the largest component; null: not known (directed graphs).
template <class Offset>
struct Keys {
  const Offset* offsets;
  const Distance* reached;
  u32 n;
  /// Of vertex_share vertices; n may be close to 2³².
  [[nodiscard]] constexpr u32 pieces() const { return n / vertex_share + (n % vertex_share != 0); }
};

/// Counts a piece's vertices of each class in each warp's part, and finds each vertex's class and place in it. A block barrier
/// must follow.
template <class Offset>
HW_DEVICE void count_keys(const Keys<Offset>& keys, u32 first, u32* fills, Offset (&degree)[vertex_items],
                          u32 (&place)[vertex_items]) {
  u32* fill = fills + dev::warp() * vertex_threads;
  for (u32 c = dev::lane(); c < vertex_threads; c += dev::lanes) fill[c] = 0;
  if (first - dev::lane() >= keys.n) return;  // all of the warp: the last piece is seldom full
  bool outside[vertex_items];
  HW_UNROLL
  for (u32 j = 0; j < vertex_items; ++j) {
    const u32 v = first + j * dev::lanes;
    degree[j] = v < keys.n ? keys.offsets[v + 1ull] - keys.offsets[v] : 0;
    outside[j] = v < keys.n && keys.reached && keys.reached[v] == unreached;
  }
  dev::sync_warp();
  HW_UNROLL
  for (u32 j = 0; j < vertex_items; ++j) {
    const Word valid = static_cast<Word>(dev::ballot(dev::all_lanes, first + j * dev::lanes < keys.n));
    const u32 c = degree_key(degree[j], outside[j]);
    place[j] = c << 16 | count_alike<vertex_threads>(fill, c, valid);
  }
}

template <class Offset>
HW_KERNEL HW_BOUNDS(vertex_threads, 4) void count_vertices(Keys<Offset> keys, u32* counts) {
  HW_CHECK(dev::block_size() <= vertex_threads);
  HW_SHARED(u32, fills, vertex_threads / dev::lanes * vertex_threads);
  for (u32 p = dev::block(); p < keys.pieces(); p += dev::grid_size()) {
    Offset degree[vertex_items];
    u32 place[vertex_items];
    count_keys(keys, p * vertex_share + dev::warp() * dev::lanes * vertex_items + dev::lane(), fills, degree, place);
    dev::sync_block();
    u32 total = 0;
    HW_UNROLL
    for (u32 w = 0; w < vertex_threads / dev::lanes; ++w) total += fills[w * vertex_threads + dev::thread()];
    counts[static_cast<u64>(dev::thread()) * keys.pieces() + p] = total;
    dev::sync_block();
  }
}

/// Puts vertices in order by class, stably. `before`: how many come before each piece's part of each class. `starts`: where
/// each class begins, and the first vertex outside the largest component; last, the number of vertices. `rank` and `degrees`
/// may be null.
template <class Offset>
HW_KERNEL HW_BOUNDS(vertex_threads, 4) void order_vertices(Keys<Offset> keys, const u32* before, u32* order, u32* rank,
                                                           Offset* degrees, u32* starts) {
  HW_CHECK(dev::block_size() <= vertex_threads);
  HW_SHARED(u32, fills, vertex_threads / dev::lanes * vertex_threads);
  for (u32 p = dev::block(); p < keys.pieces(); p += dev::grid_size()) {
    const u32 first = p * vertex_share + dev::warp() * dev::lanes * vertex_items + dev::lane();
    Offset degree[vertex_items];
    u32 place[vertex_items];
    count_keys(keys, first, fills, degree, place);
    dev::sync_block();
    u32 below = before[static_cast<u64>(dev::thread()) * keys.pieces() + p];
    if (p == 0) starts[dev::thread()] = below;
    if (p == 0 && dev::thread() == 0) starts[vertex_threads] = keys.n;
    if (p == 0 && dev::thread() == 0 && degrees) degrees[keys.n] = 0;
    HW_UNROLL
    for (u32 w = 0; w < vertex_threads / dev::lanes; ++w) {
      const u32 own = fills[w * vertex_threads + dev::thread()];
      fills[w * vertex_threads + dev::thread()] = below;
      below += own;
    }
    dev::sync_block();
    HW_UNROLL
    for (u32 j = 0; j < vertex_items; ++j) {
      const u32 v = first + j * dev::lanes;
      if (v >= keys.n) break;
      const u32 at = fills[dev::warp() * vertex_threads + (place[j] >> 16)] + (place[j] & 0xFFFF);
      order[at] = v;
      if (rank) rank[v] = at;
      if (degrees) degrees[at] = degree[j];
    }
    dev::sync_block();
  }
}

template <class Offset>
HW_KERNEL void order_degrees(const Offset* offsets, const u32* order, u32 n, Offset* degrees) {
  for (u64 i = dev::global_thread(); i <= n; i += dev::global_threads())
    degrees[i] = i == n ? 0 : offsets[order[i] + 1ull] - offsets[order[i]];
}

/// First neighbours, one and four a vertex.
template <class Offset>
HW_KERNEL void order_firsts(const Offset* offsets, const u32* neighbors, u32 n, u32* first_neighbor, dev::Quad* quads) {
  for (u64 v = dev::global_thread(); v < n; v += dev::global_threads()) {
    const Offset begin = offsets[v], size = offsets[v + 1] - begin;
    u32 first[4];
    HW_UNROLL
    for (u32 k = 0; k < 4; ++k) first[k] = k < size ? neighbors[begin + k] : static_cast<u32>(v);
    first_neighbor[v] = first[0] | (size <= 1 ? single : 0);
    quads[v] = {first[0], first[1], first[2], first[3] | (size <= 4 ? single : 0)};
  }
}

/// Raises `bad` if a stored order would lead out of the arrays. Whether it is this graph's, checksums have shown.
template <class Offset>
HW_KERNEL void check_relabelled(Graph<Offset> g, u32* bad) {
  bool wrong = false;
  for (u64 v = dev::global_thread(); v < g.num_vertices; v += dev::global_threads()) {
    const auto falls = [&](const Offset* offsets) {
      return offsets[v] > offsets[v + 1] || (v == 0 && offsets[0] != 0) ||
             (v + 1 == g.num_vertices && offsets[v + 1] != g.num_arcs);
    };
    wrong = wrong || falls(g.offsets) || falls(g.in_offsets) || g.order[v] >= g.num_vertices || g.rank[v] >= g.num_vertices ||
            g.rank[g.order[v]] != v || (g.first_neighbor[v] & id_mask) >= g.num_vertices;
  }
  for (u64 i = dev::global_thread(); i < g.num_arcs; i += dev::global_threads())
    wrong = wrong || g.neighbors[i] >= g.num_vertices || g.in_neighbors[i] >= g.num_vertices;
  if (wrong) dev::store(bad, 1u);
}

}  // namespace hopwave::HW_MACHINE::engine::relabel
