// The narrow traversal: one cluster for searches of many small levels, where a level costs its chain of dependent accesses.
// Visited bits and queues are in distributed shared memory; a vertex belongs to the block that owns its tile, so most edges
// stay in one block's own memory. Rows are four neighbours in 16 bytes, read when a vertex is found; those of its
// neighbours are fetched ahead. Clusters meet in a quarter of the time that a whole grid takes.
#pragma once

#include "engine/state.h"

namespace hopwave::HW_MACHINE::engine {

using dev::Quad;

// A vertex's code: owner and place in its slice. The upper bits of a row's four words hold the caller's id.
inline constexpr u32 local_bits = 21;
inline constexpr u32 code_bits = 25;
inline constexpr u32 code_mask = (1u << code_bits) - 1;
inline constexpr u32 no_code = code_mask;
inline constexpr u32 spare_bits = 32 - code_bits;
inline constexpr u32 max_owners = 1u << (code_bits - local_bits);

struct RowGraph {
  const Quad* rows;  ///< [owner · slice + local], then the further rows
  const u32* codes;  ///< caller's id → code
  u32 slice;         ///< vertices a block owns at most: a multiple of 32
  u32 owners;
  u32 num_vertices;
  u32 tile;  ///< places are dealt to owners in turns of so many
  u32 big;   ///< places below this have a second row, at row `owners · slice + place`
};

struct NarrowState {
  Distance* level;
  u32* parent;  ///< null unless wanted; caller's ids
  u64* spill;   ///< twice, by turns: what found no room in a queue: row number | caller's id << 32; owners × spill_stride
  u32 spill_stride;
  u32 queue_rows;
  u32 prefetch;
  const u32* sources;
  u32 num_sources;
  u32 target;
  Distance max_depth;
  Control* control;
};

HW_DEVICE u32 spare_of(const Quad& q) {  // the 28 bits beside the codes
  constexpr u32 k = spare_bits;
  return q.x >> code_bits | (q.y >> code_bits) << k | (q.z >> code_bits) << 2 * k | (q.w >> code_bits) << 3 * k;
}
HW_DEVICE Quad with_spare(const Quad& q, u32 spare) {
  constexpr u32 k = spare_bits, m = (1u << k) - 1;
  return {(q.x & code_mask) | (spare & m) << code_bits, (q.y & code_mask) | (spare >> k & m) << code_bits,
          (q.z & code_mask) | (spare >> 2 * k & m) << code_bits, (q.w & code_mask) | (spare >> 3 * k & m) << code_bits};
}

/// A place in the order of vertices ↔ owner and place in the owner's slice.
HW_DEVICE u32 place_of(const RowGraph& g, u32 owner, u32 local) {
  return (local / g.tile * g.owners + owner) * g.tile + local % g.tile;
}

/// What a block needs while it works on a level.
struct Cluster {
  u32 rank;
  u32* visited;  ///< own slice
  Quad* queue;   ///< two, by turns
  u32* counts;   ///< four, taken in turn
  u32* halt;
};

HW_DEVICE u64* spill_of(const NarrowState& s, u32 owner, u32 level) {
  return s.spill + (static_cast<u64>(owner) * 2 + (level & 1)) * s.spill_stride;
}

HW_DEVICE void enqueue(const NarrowState& s, Cluster& c, u32 owner, const Quad& row, u64 number, u32 level) {
  const bool own = owner == c.rank;
  u32* count = &c.counts[level & 3];
  const u32 slot = dev::fetch_add(own ? count : dev::cluster_map(count, owner), 1u);
  if (slot < s.queue_rows) {
    Quad* place = &c.queue[(level & 1) * s.queue_rows + slot];
    *(own ? place : dev::cluster_map(place, owner)) = row;
  } else {
    spill_of(s, owner, level)[slot - s.queue_rows] = number;
  }
}

HW_DEVICE void fetch_ahead(const RowGraph& g, u32 rank, u32 word) {
  const u32 code = word & code_mask;
  if (code == no_code) return;
  const Quad* row = &g.rows[(code >> local_bits) * g.slice + (code & ((1u << local_bits) - 1))];
  dev::prefetch(row);
}

/// The claimed vertex enters the frontier of `level`.
HW_DEVICE void discover(const RowGraph& g, const NarrowState& s, Cluster& c, u32 owner, u32 local, u32 level, u32 from) {
  const u32 number = owner * g.slice + local;
  const Quad row = dev::read_only(&g.rows[number]);
  if (s.prefetch) {
    fetch_ahead(g, c.rank, row.x);
    fetch_ahead(g, c.rank, row.y);
    fetch_ahead(g, c.rank, row.z);
    fetch_ahead(g, c.rank, row.w);
  }
  const u32 caller = spare_of(row);
  s.level[caller] = static_cast<Distance>(level);
  if (s.parent) s.parent[caller] = from;
  if (caller == s.target)
    for (u32 r = 0; r < g.owners; ++r) dev::store(dev::cluster_map(c.halt, r), level + 1);
  enqueue(s, c, owner, row, number | static_cast<u64>(caller) << 32, level);
  if (!g.big) return;
  u32 next = place_of(g, owner, local);
  if (next >= g.big) return;
  for (next += g.owners * g.slice; next;) {
    const Quad more = dev::read_only(&g.rows[next]);
    enqueue(s, c, owner, with_spare(more, caller), next | static_cast<u64>(caller) << 32, level);
    next = spare_of(more);
    if (next) next += g.owners * g.slice;
  }
}

HW_DEVICE void claim(const RowGraph& g, const NarrowState& s, Cluster& c, u32 code, u32 level, u32 from) {
  const u32 owner = code >> local_bits, local = code & ((1u << local_bits) - 1);
  const u32 bit = 1u << (local % 32);
  u32* word = &c.visited[local / 32];
  if (owner == c.rank) {
    if (dev::load(word) & bit) return;
  } else {
    word = dev::cluster_map(word, owner);
  }
  if (dev::fetch_or(word, bit) & bit) return;
  discover(g, s, c, owner, local, level, from);
}

/// Expands this block's part of the frontier: four lanes a row.
HW_DEVICE void expand(const RowGraph& g, const NarrowState& s, Cluster& c, u32 count, u32 level) {
  const u32* words = reinterpret_cast<const u32*>(c.queue + (level & 1) * s.queue_rows);
  const u64* spill = spill_of(s, c.rank, level);
  for (u32 i = dev::thread(); i < count * 4; i += dev::block_size()) {
    u32 word, from = 0;
    if (i / 4 < s.queue_rows) {
      word = words[i];
      if (s.parent) from = spare_of(c.queue[(level & 1) * s.queue_rows + i / 4]);
    } else {
      const u64 entry = spill[i / 4 - s.queue_rows];
      word = reinterpret_cast<const u32*>(&g.rows[static_cast<u32>(entry)])[i % 4];
      from = static_cast<u32>(entry >> 32);
    }
    if ((word & code_mask) != no_code) claim(g, s, c, word & code_mask, level + 1, from);
  }
}

/// Vertices that were not reached; bits past a slice's last vertex are set from the start.
HW_DEVICE void write_unreached(const RowGraph& g, const NarrowState& s, const Cluster& c) {
  for (u32 w = dev::thread(); w < g.slice / 32; w += dev::block_size()) {
    u32 open = ~c.visited[w];
    for (; open; open &= open - 1) {
      const u32 local = w * 32 + static_cast<u32>(dev::find_first_set(open)) - 1;
      const u32 caller = spare_of(dev::read_only(&g.rows[c.rank * g.slice + local]));
      s.level[caller] = unreached;
      if (s.parent) s.parent[caller] = no_vertex;
    }
  }
}

HW_DEVICE void open_cluster(const RowGraph& g, Cluster& c) {
  for (u32 w = dev::thread(); w < g.slice / 32; w += dev::block_size()) {
    u32 word = 0;
    if (place_of(g, c.rank, w * 32 + 31) >= g.num_vertices)
      for (u32 k = 0; k < 32; ++k) word |= (place_of(g, c.rank, w * 32 + k) >= g.num_vertices ? 1u : 0u) << k;
    c.visited[w] = word;
  }
  if (dev::thread() < 4) c.counts[dev::thread()] = 0;
  if (dev::thread() == 0) *c.halt = 0;
  dev::sync_cluster();
}

/// The loop over levels, all blocks of the cluster together. Returns the steps taken.
template <class AnyGraph>
HW_DEVICE u32 run_levels(const AnyGraph& g, const NarrowState& s, Cluster& c, u32 owners, u32* totals) {
  u32 level = 0;
  for (;; ++level) {
    dev::sync_cluster();
    // The sum over all blocks is looked at one level late, so that nobody waits for it; the last step finds nothing to do.
    const u32 before = level ? totals[(level + 1) & 1] : 1;
    const u32 end = dev::load(c.halt);  // level + 1 of the target; a block ahead of us may have set it already
    if (before == 0 || (end && end <= level + 1) || (s.max_depth >= 0 && level >= static_cast<u32>(s.max_depth))) break;
    const u32 count = c.counts[level & 3];
    if (dev::thread() == 0) c.counts[(level + 2) & 3] = 0;
    expand(g, s, c, count, level);
    if (dev::warp() == dev::warps() - 1) {
      const u32 part = dev::lane() < owners ? dev::load(dev::cluster_map(&c.counts[level & 3], dev::lane())) : 0;
      const u32 sum = dev::reduce_add(dev::all_lanes, part);
      if (dev::lane() == 0) totals[level & 1] = sum;
    }
  }
  dev::sync_cluster();  // nobody leaves while others may still reach its shared memory
  return level;
}

HW_KERNEL void HW_BOUNDS(1024, 1) narrow_traversal(RowGraph g, NarrowState s) {
  HW_DYNAMIC_SHARED(u32, memory);
  HW_SHARED(u32, counts, 4);
  HW_SHARED(u32, totals, 2);
  HW_SHARED(u32, halt, 1);
  const u32 visited_words = (g.slice / 32 + 3) / 4 * 4;
  Cluster c{dev::cluster_rank(), memory, reinterpret_cast<Quad*>(memory + visited_words), counts, halt};
  open_cluster(g, c);
  for (u32 i = dev::thread(); i < s.num_sources; i += dev::block_size()) {
    const u32 code = dev::read_only(&g.codes[dev::read_only(&s.sources[i])]);
    if (code >> local_bits == c.rank) claim(g, s, c, code, 0, no_vertex);
  }
  const u32 level = run_levels(g, s, c, g.owners, totals);
  write_unreached(g, s, c);
  if (c.rank == 0 && dev::thread() == 0) *s.control = {.levels = level};
}

}  // namespace hopwave::HW_MACHINE::engine
