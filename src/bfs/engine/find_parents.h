// Parents of a search that has left distances alone.
#pragma once

#include "bfs/engine/state.h"

namespace hopwave::HW_MACHINE::engine {

/// Parents after the search: any in-neighbour one level nearer.
template <class Offset>
HW_KERNEL void find_parents(const Offset* in_offsets, const u32* in_neighbors, u32 n, const Distance* level, u32* parent) {
  for (u64 v = dev::global_thread(); v < n; v += dev::global_threads()) {
    u32 found = no_vertex;
    if (dev::plain_read(&level[v]) > 0)
      for (Offset e = dev::plain_read(&in_offsets[v]); e < dev::plain_read(&in_offsets[v + 1]) && found == no_vertex; ++e)
        if (dev::plain_read(&level[dev::plain_read(&in_neighbors[e])]) == dev::plain_read(&level[v]) - 1)
          found = dev::plain_read(&in_neighbors[e]);
    dev::plain_write(&parent[v], found);
  }
}

}  // namespace hopwave::HW_MACHINE::engine
