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
  const Quad* rows;  ///< [owner · slice + local], then second and further rows
  const u32* codes;  ///< caller's id → code
  u32 slice;         ///< vertices a block owns at most: a multiple of 32
  u32 num_vertices;
  u32 owner_bits;
  u32 tile_bits;  ///< places are dealt to owners in turns of 2^tile_bits
  u32 big;        ///< places below this have a second row, at row `slice << owner_bits` + place
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
  return ((local >> g.tile_bits << g.owner_bits) | owner) << g.tile_bits | (local & ((1u << g.tile_bits) - 1));
}
HW_DEVICE u32 code_of(const RowGraph& g, u32 place) {
  const u32 chunk = place >> g.tile_bits, owner = chunk & ((1u << g.owner_bits) - 1);
  return owner << local_bits | chunk >> g.owner_bits << g.tile_bits | (place & ((1u << g.tile_bits) - 1));
}
HW_DEVICE u32 row_number(const RowGraph& g, u32 code) {
  return (code >> local_bits) * g.slice + (code & ((1u << local_bits) - 1));
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

// One instruction serves the block's own memory and another's: two would be faster each, but a warp has lanes for both and
// would run one after the other.
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
HW_DEVICE void put_row(const NarrowState& s, const Cluster& c, u32 owner, u32 level, u32 slot, const Quad& row, u64 number) {
  if (slot < s.queue_rows)
    *at_owner(c, owner, &c.queue[(level & 1) * s.queue_rows + slot]) = row;
  else
    spill_of(s, owner, level)[slot - s.queue_rows] = number;
}

HW_DEVICE void fetch_ahead(const RowGraph& g, u32 word) {
  const u32 code = word & code_mask;
  if (code != no_code) dev::prefetch_far(&g.rows[row_number(g, code)]);  // L1 does not outlive a meeting
}

HW_DEVICE void stop_at_target(const NarrowState& s, const Cluster& c, u32 owners, u32 caller, u32 level) {
  if (caller != s.target) return;
  for (u32 r = 0; r < owners; ++r) dev::store(dev::cluster_map(c.halt, r), level + 1);
}

/// The claimed vertex enters the frontier of `level`.
HW_DEVICE void discover(const RowGraph& g, const NarrowState& s, const Cluster& c, u32 code, u32 level, u32 from) {
  const u32 owner = code >> local_bits, number = row_number(g, code), beyond = g.slice << g.owner_bits;
  const Quad row = dev::read_only(&g.rows[number]);
  const u32 place = g.big ? place_of(g, owner, code & ((1u << local_bits) - 1)) : 0;
  const bool big = place < g.big;
  Quad more{};
  if (big) more = dev::read_only(&g.rows[beyond + place]);
  const u32 slot = take_slots(c, owner, level, big ? 2 : 1);
  const u32 caller = spare_of(row);
  const u64 tag = static_cast<u64>(caller) << 32;
  s.level[caller] = static_cast<Distance>(level);
  if (s.parent) s.parent[caller] = from;
  put_row(s, c, owner, level, slot, row, number | tag);
  if (big) {
    put_row(s, c, owner, level, slot + 1, with_spare(more, caller), (beyond + place) | tag);
    for (u32 next = spare_of(more); next; next = spare_of(more)) {
      more = dev::read_only(&g.rows[beyond + next]);
      put_row(s, c, owner, level, take_slots(c, owner, level, 1), with_spare(more, caller), (beyond + next) | tag);
    }
  }
  stop_at_target(s, c, 1u << g.owner_bits, caller, level);
  if (!s.prefetch) return;
  fetch_ahead(g, row.x);
  fetch_ahead(g, row.y);
  fetch_ahead(g, row.z);
  fetch_ahead(g, row.w);
}

HW_DEVICE void claim(const RowGraph& g, const NarrowState& s, const Cluster& c, u32 code, u32 level, u32 from) {
  if (claim_bit(c, code >> local_bits, code & ((1u << local_bits) - 1))) discover(g, s, c, code, level, from);
}

/// The frontier's entry i, wherever it is: its row and its caller's id.
HW_DEVICE Quad read_entry(const RowGraph& g, const NarrowState& s, const Cluster& c, u32 i, u32 level, u32& caller) {
  if (i < s.queue_rows) {
    const Quad row = c.queue[(level & 1) * s.queue_rows + i];
    caller = spare_of(row);
    return row;
  }
  const u64 entry = spill_of(s, c.rank, level)[i - s.queue_rows];
  caller = static_cast<u32>(entry >> 32);
  return dev::read_only(&g.rows[static_cast<u32>(entry)]);
}

/// Expands this block's part of the frontier, four lanes a row.
HW_DEVICE void expand(const RowGraph& g, const NarrowState& s, const Cluster& c, u32 count, u32 level) {
  for (u32 i = dev::thread(); i < count * 4; i += dev::block_size()) {
    u32 word, from = 0;
    if (i / 4 < s.queue_rows && !s.parent) {
      word = reinterpret_cast<const u32*>(c.queue + (level & 1) * s.queue_rows)[i];
    } else {
      const Quad row = read_entry(g, s, c, i / 4, level, from);
      word = i % 4 == 0 ? row.x : i % 4 == 1 ? row.y : i % 4 == 2 ? row.z : row.w;
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

/// The loop over levels, all blocks of the cluster together.
template <class AnyGraph>
HW_DEVICE void run_levels(const AnyGraph& g, const NarrowState& s, const Cluster& c, u32 owners, u32* totals) {
  u32 level = 0;
  u64 entries = 0;
  for (;; ++level) {
    dev::sync_cluster();
    // The sum over all blocks is looked at one level late, so that nobody waits for it; the last step finds nothing to do.
    const u32 before = level ? totals[(level + 1) & 1] : 1;
    entries += level ? before : 0;
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
  // The last step looked at an empty frontier, unless the search was stopped.
  if (c.rank != 0 || dev::thread() != 0) return;
  Control done{};
  done.visited = entries;
  done.levels = level ? level - 1 : 0;
  *s.control = done;
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
  run_levels(g, s, c, 1u << g.owner_bits, totals);
  write_unreached(g, s, c);
}

}  // namespace hopwave::HW_MACHINE::engine
