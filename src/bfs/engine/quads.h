// Rows as quads: a vertex's first four neighbours in one read, or three and a link. High-diameter searches by asynchronous
// warps and searches by a block per source have them.
#pragma once

#include "bfs/engine/state.h"

namespace hopwave::HW_MACHINE::engine {

using dev::Quad;

inline constexpr u32 quad_words = 4;
/// The last word of a quad of a row of more than four: where the next quad of the row is.
inline constexpr u32 link_bit = 0x80000000u;

/// A vertex's first four neighbours, or three and a link; quads after those of all vertices hold the rest of long rows.
template <class Offset>
struct QuadGraph {
  const Offset* offsets;
  const u32* neighbors;
  u32 num_vertices;
  Quad* quads;
  u32* links;  ///< quads used for further neighbours
};

/// A vertex's row as quads.
template <class Offset>
HW_DEVICE void write_quads(const QuadGraph<Offset>& g, u32 v) {
  const Offset begin = dev::read_only(&g.offsets[v]), end = dev::read_only(&g.offsets[v + 1ull]);
  u32 word[quad_words];
  HW_UNROLL
  for (u32 j = 0; j < quad_words; ++j) word[j] = begin + j < end ? dev::read_only(&g.neighbors[begin + j]) : no_word;
  if (end - begin <= quad_words) {
    const Quad whole{word[0], word[1], word[2], word[3]};
    dev::plain_write(&g.quads[v], whole);
    return;
  }
  const u32 more = (static_cast<u32>(end - begin) - quad_words + 2) / 3;  // the last holds four
  u32 at = g.num_vertices + dev::fetch_add(g.links, more);
  HW_CHECK(at >= g.num_vertices && at + more < link_bit);
  const Quad begun{word[0], word[1], word[2], at | link_bit};
  dev::plain_write(&g.quads[v], begun);
  for (Offset e = begin + 3; e < end; e += 3, ++at) {
    const auto next = [&](u32 j) { return e + j < end ? dev::read_only(&g.neighbors[e + j]) : no_word; };
    const bool rest = end - e > quad_words;
    const Quad part{next(0), next(1), next(2), rest ? (at + 1) | link_bit : next(3)};
    dev::plain_write(&g.quads[at], part);
    if (!rest) break;
  }
}

/// How many quads the further neighbours of all rows take, and the most of one row.
struct LinkCount {
  u64 links;
  u32 longest, no_hole;
};
template <class Offset>
HW_KERNEL void count_links(const Offset* offsets, u32 n, LinkCount* count) {
  for (u64 v = dev::global_thread(); v < n; v += dev::global_threads()) {
    const Offset degree = offsets[v + 1] - offsets[v];
    if (degree <= quad_words) continue;
    const u32 more = (static_cast<u32>(degree) - quad_words + 2) / 3;
    dev::fetch_add(&count->links, u64{more});
    dev::fetch_max(&count->longest, more);
  }
}

template <class Offset>
HW_KERNEL void write_all_quads(QuadGraph<Offset> g) {
  for (u64 v = dev::global_thread(); v < g.num_vertices; v += dev::global_threads()) write_quads(g, static_cast<u32>(v));
}

}  // namespace hopwave::HW_MACHINE::engine
