// The tree from final distances: for each vertex the least of those nearer to a source whose arc gives its distance.
#pragma once

#include "algorithm/sssp/gpu/state.h"
#include "device/primitives/expand.h"

namespace hopwave::HW_MACHINE::sssp {

/// A queue of all vertices, so that their arcs can be shared evenly.
template <class Offset, class Arc>
HW_KERNEL void list_vertices(NearFar<Offset, Arc> s, u32* parent) {
  for (u64 v = dev::global_thread(); v < s.num_vertices; v += dev::global_threads()) {
    const Offset begin = dev::read_only(&s.offsets[v]);
    s.entries[0][v] = {static_cast<u32>(v), begin, begin};
    parent[v] = ~0u;
  }
}

/// Each warp takes its share of all arcs. Vertices beyond `bound` get no parent. Distances do not change during this launch.
template <class Offset, class Arc>
HW_KERNEL void find_nearer_parents(NearFar<Offset, Arc> s, u64 num_arcs, u64 bound, u32* parent) {
  constexpr u32 batch = 4;
  const u64 warps = dev::global_threads() / dev::lanes, warp = dev::global_thread() / dev::lanes;
  const u64 each = (num_arcs + warps - 1) / warps, share = (each + dev::lanes - 1) / dev::lanes * dev::lanes;
  const u64 lo = warp * share, hi = lo + share < num_arcs ? lo + share : num_arcs;
  if (lo >= num_arcs) return;
  const dev::RowQueue<Entry<Offset>, Offset, Arc> rows{s.entries[0], s.num_vertices, static_cast<Offset>(num_arcs), s.arcs};
  dev::warp_expand<batch>(
      rows, static_cast<Offset>(lo), static_cast<Offset>(hi), true, [](const Entry<Offset>& entry) { return entry.vertex; },
      [&](Arc(&arc)[batch], u32(&from)[batch], bool(&open)[batch]) {
        HW_UNROLL
        for (u32 j = 0; j < batch; ++j) {
          if (!open[j]) continue;
          const u64 near = dev::read_only(&s.distance[from[j]]);
          const u64 there = dev::read_only(&s.distance[end_of(arc[j])]);
          if (near >= there || there > bound || there == infinite) continue;
          if (bits_of(to_double(near) + weight_of(arc[j])) == there) dev::fetch_min(&parent[end_of(arc[j])], from[j]);
        }
      });
}

}  // namespace hopwave::HW_MACHINE::sssp
