// The high-diameter traversal in one cluster: for searches of many small levels, where a level costs its chain of dependent
// accesses. Visited bits and queues are in distributed shared memory; a vertex belongs to the block that owns its tile. A
// cluster's barrier takes a quarter of the time of a whole grid's.
#pragma once

#include "bfs/engine/state.h"

namespace hopwave::HW_MACHINE::engine::high_diameter {

using dev::Quad;

inline constexpr u32 local_bits = 21;  ///< places in a slice
inline constexpr u32 max_owners = 16;

struct HighDiameterState : Asked {
  Distance* level;
  u32* parent;  ///< null unless wanted; caller's ids
  u64* spill;   ///< twice, by turns: vertices that found no room in a queue; owners × spill_stride
  u32 spill_stride;
  u32 queue_rows;
  Distance max_depth;
  Control* control;
};

/// What a block needs while it works on a level.
struct Cluster {
  u32 rank;
  u32* visited;  ///< own slice
  Quad* queue;   ///< two, by turns
  u32* counts;   ///< four, taken in turn
  u32* halt;
};

HW_DEVICE u64* spill_of(const HighDiameterState& s, u32 owner, u32 level) {
  return s.spill + (static_cast<u64>(owner) * 2 + (level & 1)) * s.spill_stride;
}

// One instruction reaches the block's own memory and that of others. Each would be faster by an instruction of its own, but a
// warp has lanes for both, and would run them one after the other.
template <class T>
HW_DEVICE T* at_owner(const Cluster& c, u32 owner, T* p) {
  return owner == c.rank ? p : dev::cluster_map(p, owner);
}

/// Sets a vertex's bit; true if it was not set before.
HW_DEVICE bool claim_bit(const Cluster& c, u32 owner, u32 local) {
  const u32 bit = 1u << (local % 32);
  u32* word = &c.visited[local / 32];
  if (owner == c.rank && (dev::peek(word) & bit)) return false;
  return !(dev::fetch_or(at_owner(c, owner, word), bit) & bit);
}
HW_DEVICE u32 take_slots(const Cluster& c, u32 owner, u32 level, u32 count) {
  return dev::fetch_add(at_owner(c, owner, &c.counts[level & 3]), count);
}
/// A place in a queue: whose, of which level, and which of its entries.
struct Place {
  u32 owner, level, slot;
};
HW_DEVICE void put_row(const HighDiameterState& s, const Cluster& c, const Place& to, const Quad& row, u64 vertex) {
  HW_CHECK(to.slot < s.queue_rows + s.spill_stride);  // Holds 2
  if (to.slot < s.queue_rows)
    *at_owner(c, to.owner, &c.queue[(to.level & 1) * s.queue_rows + to.slot]) = row;
  else
    dev::plain_write(&spill_of(s, to.owner, to.level)[to.slot - s.queue_rows], vertex);
}

HW_DEVICE void stop_at_target(const HighDiameterState& s, const Cluster& c, u32 owners, u32 caller, u32 level) {
  if (caller != s.target) return;
  for (u32 r = 0; r < owners; ++r) dev::store(dev::cluster_map(c.halt, r), level + 1);
}

/// A limit of the call ends the search like a target in the next level: every block reads the same after the next barrier.
HW_DEVICE bool stop_at_limit(const HighDiameterState& s, const Cluster& c, u32 owners, u32 level) {
  if (c.rank != 0 || dev::thread() != 0 || !halted(s.halt)) return false;
  for (u32 r = 0; r < owners; ++r) dev::store(dev::cluster_map(c.halt, r), level + 2);
  return true;
}

/// The loop over levels, all blocks of the cluster together.
template <class AnyGraph>
HW_DEVICE void run_levels(const AnyGraph& g, const HighDiameterState& s, const Cluster& c, u32 owners, u32* totals) {
  u32 level = 0;
  u64 entries = 0;
  bool cancelled = false;
  for (;; ++level) {
    dev::sync_cluster();
    // The sum over all blocks is read one level late, so that no block waits for it; the last step finds nothing to do.
    const u32 before = level ? totals[(level + 1) & 1] : 1;
    entries += level ? before : 0;
    const u32 end = dev::load(c.halt);  // level + 1 of the target; a faster block may have set it already
    if (before == 0 || (end && end <= level + 1) || (s.max_depth >= 0 && level >= static_cast<u32>(s.max_depth))) break;
    if (!cancelled) cancelled = stop_at_limit(s, c, owners, level);
    const u32 count = c.counts[level & 3];
    if (dev::thread() == 0) c.counts[(level + 2) & 3] = 0;
    expand(g, s, c, count, level);
    if (dev::warp() == dev::warps() - 1) {
      const u32 part = dev::lane() < owners ? dev::load(dev::cluster_map(&c.counts[level & 3], dev::lane())) : 0;
      const u32 sum = dev::reduce_add(dev::all_lanes, part);
      if (dev::lane() == 0) totals[level & 1] = sum;
    }
  }
  // A search that was stopped leaves a frontier that is not counted yet.
  u32 last = 0;
  if (c.rank == 0 && dev::warp() == 0)
    last = dev::reduce_add(dev::all_lanes,
                           dev::lane() < owners ? dev::load(dev::cluster_map(&c.counts[level & 3], dev::lane())) : 0u);
  const u32 before = level ? totals[(level + 1) & 1] : 0;
  dev::sync_cluster();  // no block exits while others may still access its shared memory
  if (c.rank != 0 || dev::thread() != 0) return;
  Control done{};
  done.visited = entries + last;
  done.levels = last ? level : before ? level - 1 : level - 2;  // level 0 holds the sources
  done.records = level;
  done.progress.cancelled = cancelled;
  done.progress.level = level;
  dev::plain_write(s.control, done);
}

}  // namespace hopwave::HW_MACHINE::engine::high_diameter
