// After MS-BFS: how many vertices each search found at each distance, counted from the binary digits. No distance is
// written; what closeness, eccentricities and their like need comes out in a few kilobytes.
#pragma once

#include "bfs/engine/ms_bfs/rows.h"

namespace hopwave::HW_MACHINE::engine::ms_bfs {

inline constexpr u32 count_threads = 256;
inline constexpr u32 few_digits = 6;                    ///< of most graphs' distances
inline constexpr u32 shared_levels = 1u << few_digits;  ///< counted in shared memory; deeper ones in global memory at once

/// Search i found at[d · most_searches + i] vertices at distance d, for d below `levels`. Deeper ones are left out: the host
/// sees how deep the searches went, and asks again with more room.
struct CountRoom {
  u32* at;
  u32 levels;
};

/// Rows and columns of a warp's 32 words swapped: bit k of lane i becomes bit i of lane k.
HW_DEVICE u32 transposed(u32 word) {
  u32 low = 0x0000FFFFu;
  HW_UNROLL
  for (u32 k = 16; k; k /= 2, low ^= low << k) {
    const u32 other = dev::shuffle_xor(dev::all_lanes, word, k);
    word = dev::lane() & k ? (word & ~low) | (other & ~low) >> k : (word & low) | (other & low) << k;
  }
  return word;
}

/// One search's distances of 32 vertices: bit v of digit d belongs to vertex v. Vertices of one distance are counted together.
template <u32 most>
HW_DEVICE void count_search(u32 reached, const u32 (&digit)[most], u32 i, u32* local, const CountRoom& to) {
  while (reached) {
    const u32 v = static_cast<u32>(dev::find_first_set(reached)) - 1;
    u32 level = 0, same = reached;
    HW_UNROLL
    for (u32 d = 0; d < most; ++d) {
      const u32 bit = digit[d] >> v & 1;
      level |= bit << d;
      same &= bit ? digit[d] : ~digit[d];
    }
    const u32 count = static_cast<u32>(dev::popcount(same));
    if (level < shared_levels)
      dev::fetch_add(&local[level * most_searches + i], count);
    else if (level < to.levels)
      dev::fetch_add(&to.at[u64{level} * most_searches + i], count);
    reached &= ~same;
  }
}

/// A warp takes 32 vertices at a time, a vertex a lane; after the transposition a lane has two searches.
template <u32 most, class Offset>
HW_DEVICE void count_vertices(const Graph<Offset>& g, const State<Offset>& s, const Bits* visited, u32 digits, u32* local,
                              const CountRoom& to) {
  const u64 n = g.num_vertices, warps = static_cast<u64>(dev::grid_size()) * dev::warps();
  const Sources sources = lane_sources(s);
  for (u64 t = static_cast<u64>(dev::block()) * dev::warps() + dev::warp(); t * dev::lanes < n; t += warps) {
    const u64 v = t * dev::lanes + dev::lane();
    Bits origin[1], digit[most] = {}, reached = 0;
    find_origins(sources, t * dev::lanes, dev::lanes, v, origin);
    if (v < n) reached = read_words(g, s, {visited, digits}, whose_words(g, s, v), origin[0], digit);
    dev::sync_warp();
    HW_UNROLL
    for (u32 h = 0; h < 2; ++h) {
      u32 half[most];
      HW_UNROLL
      for (u32 d = 0; d < most; ++d) half[d] = transposed(static_cast<u32>(digit[d] >> 32 * h));
      count_search(transposed(static_cast<u32>(reached >> 32 * h)), half, 32 * h + dev::lane(), local, to);
      dev::sync_warp();
    }
  }
}

/// `to` is zero before. Does nothing while searches are paused, or where distances have more than `most` digits: the host sees
/// that, and launches this with more. Fewer digits are fewer registers, so more warps.
template <class Offset, u32 most, u32 blocks>
HW_KERNEL void HW_BOUNDS(count_threads, blocks) ms_bfs_count(Graph<Offset> g, State<Offset> s, u32 at, CountRoom to) {
  HW_CHECK(dev::block_size() <= count_threads);
  HW_SHARED(u32, local, shared_levels * most_searches);
  const Progress p = s.progress[at];
  u32 digits = 0, leaf_digits = 0;
  while (p.deepest >> digits) ++digits;
  while ((p.deepest + s.skip_leaves) >> leaf_digits) ++leaf_digits;
  if (p.mode != Mode::stop || leaf_digits > most) return;
  for (u32 k = dev::thread(); k < shared_levels * most_searches; k += dev::block_size()) local[k] = 0;
  dev::sync_block();
  count_vertices<most>(g, s, dev::current_of(s.visited, p.current), digits, local, to);
  dev::sync_block();
  for (u32 k = dev::thread(); k < shared_levels * most_searches; k += dev::block_size())
    if (local[k] && k < u64{to.levels} * most_searches) dev::fetch_add(&to.at[k], local[k]);
}

}  // namespace hopwave::HW_MACHINE::engine::ms_bfs
