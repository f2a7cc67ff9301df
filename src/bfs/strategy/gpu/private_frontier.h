// The level of a frontier with private queues, for the strategies that use it: pmpp-private-frontier and pmpp-single-grid.
// Source: Hwu, Kirk, El Hajj, PMPP 4th ed., figure 15.14.
// Ours differs: overflow neither loses nor doubles a vertex and no access races (the source clamps a shared counter
// by a plain store while others add to it).
#pragma once

#include "bfs/strategy/gpu/level_plans.h"

namespace hopwave::HW_MACHINE {
namespace {

// Expands a frontier. What a block finds goes to its own queue in shared memory; what has no room there goes to the global one
// at once. `found` counts on beyond the capacity, and each thread clamps its own copy after the barrier: the shared counter
// itself is never written back, so no vertex is lost and none is copied twice.
template <class Offset>
HW_KERNEL void pmpp_private_frontier_level(const Offset* offsets, const VertexId* neighbors, const VertexId* frontier,
                                           std::uint32_t frontier_size, Distance* level, VertexId* parent, Distance current,
                                           std::uint32_t capacity, VertexId* next, std::uint32_t* next_size,
                                           std::uint32_t* size_after) {
  HW_DYNAMIC_SHARED(VertexId, queue);
  HW_SHARED(std::uint32_t, found, 1);
  HW_SHARED(std::uint32_t, at, 1);
  if (dev::thread() == 0) dev::plain_write(&found[0], 0);
  // The size read by the host after the launch before this one: free now, and counted in by the launch after.
  if (dev::global_thread() == 0) dev::plain_write(size_after, 0);
  dev::sync_block();
  for (std::uint64_t i = dev::global_thread(); i < frontier_size; i += dev::global_threads()) {
    const VertexId v = dev::read_only(&frontier[i]);
    claim_row_of(v, offsets, neighbors, level, current, [&](const auto& w, const auto& won, std::uint32_t count) {
      std::uint32_t slot = dev::fetch_add(&found[0], count);
      HW_UNROLL for (int j = 0; j < 4; ++j) {
        if (!won[j]) continue;
        if (parent) dev::plain_write(&parent[w[j]], v);
        if (slot < capacity)
          dev::plain_write(&queue[slot++], w[j]);
        else
          dev::plain_write(&next[dev::fetch_add(next_size, 1u)], w[j]);
      }
    });
  }
  dev::sync_block();
  const std::uint32_t all = dev::plain_read(&found[0]), kept = all < capacity ? all : capacity;
  if (kept == 0) return;  // the same for the whole block
  if (dev::thread() == 0) dev::plain_write(&at[0], dev::fetch_add(next_size, kept));
  dev::sync_block();
  for (std::uint32_t i = dev::thread(); i < kept; i += dev::block_size())
    dev::plain_write(&next[dev::plain_read(&at[0]) + i], dev::plain_read(&queue[i]));
}

}  // namespace
}  // namespace hopwave::HW_MACHINE
