// Parents for a single search in one launch a level, whose steps are otherwise those of MS-BFS.
#pragma once

#include "bfs/engine/ms_bfs/rows.h"

namespace hopwave::HW_MACHINE::engine::ms_bfs {

/// Each vertex looks for a neighbour one level up; a warp a vertex, ids as the caller has them.
template <class Offset>
HW_KERNEL void parents_from_levels(Graph<Offset> g, const Distance* level, u32* parent) {
  const u64 stride = static_cast<u64>(dev::grid_size()) * dev::warps();
  for (u64 r = static_cast<u64>(dev::block()) * dev::warps() + dev::warp(); r < g.num_vertices; r += stride) {
    const u32 v = g.order ? dev::plain_read(&g.order[r]) : static_cast<u32>(r);
    const Distance above = dev::plain_read(&level[v]) - 1;
    u32 found = no_vertex;
    for (Offset at = dev::plain_read(&g.in_offsets[r]), end = above < 0 ? at : dev::plain_read(&g.in_offsets[r + 1]); at < end;
         at += dev::lanes) {
      u32 u = no_vertex;
      if (end - at > dev::lane()) u = dev::plain_read(&g.in_neighbors[at + dev::lane()]);
      if (u != no_vertex && g.order) u = dev::plain_read(&g.order[u]);
      const dev::LaneMask hits = dev::ballot(dev::all_lanes, u != no_vertex && dev::plain_read(&level[u]) == above);
      if (!hits) continue;
      found = dev::shuffle(dev::all_lanes, u, static_cast<u32>(dev::find_first_set(hits)) - 1);
      break;
    }
    if (dev::lane() == 0) dev::plain_write(&parent[v], found);
    dev::sync_warp();
  }
}

}  // namespace hopwave::HW_MACHINE::engine::ms_bfs
