// The thread scopes of a high-diameter search of a prepared graph, a cluster or the whole device: what their blocks share,
// which block owns which vertices, and their barriers.
#pragma once

#include "bfs/engine/high_diameter/barrier.h"

namespace hopwave::HW_MACHINE::engine::high_diameter {

using dev::Quad;

// A row's word: the vertex's code, and how many hops away it is, less one.
inline constexpr u32 row_id_bits = 29;
inline constexpr u32 row_id_mask = (1u << row_id_bits) - 1;
inline constexpr u32 most_hops = 7;

// Where a row is: its first unit, and how many units it has, less one.
inline constexpr u32 unit_words = 8;
inline constexpr u32 length_bits = 4;
inline constexpr u32 most_units = 1u << (32 - length_bits);
HW_DEVICE u64 row_begin(u32 ref) { return static_cast<u64>(ref >> length_bits) * unit_words; }
HW_DEVICE u32 row_length(u32 ref) { return ((ref & ((1u << length_bits) - 1)) + 1) * unit_words; }

inline constexpr u32 rows_a_lane = 4;  ///< entries that a lane works on at a time
inline constexpr u32 owned_bits = 24;  ///< in a cluster's codes: the place in the owner's slice

enum class ThreadScope { cluster, device };

/// Each vertex is owned by a block. In a cluster, tiles of vertices go to the blocks in turn, and a code is owner << owned_bits
/// | place. On the whole device, single vertices go to the blocks in turn, and the code is the vertex.
struct Ownership {
  u32 owner_bits;
  u32 tile_bits;
  u32 slice;  ///< vertices a block owns at most; whole tiles
};

struct KHopGraph {
  const u32* rows;
  const u32* refs;  ///< where each vertex's row is; in a cluster by owner and place
  u32 num_vertices;
  u32 hops;
  u32 team_bits;  ///< so many lanes share a row
  Ownership own;
};

/// What the host reads afterwards.
struct KHopControl {
  u64 visited;
  u32 steps, cancelled;
  u32 tally[3][most_hops + 1];  ///< vertices found by the last steps, by hops; the last step first
};

struct KHopState {
  Distance* level;
  u64* queue;          ///< every block's two queues, as far as they find no room in shared memory
  u32* count;          ///< whole device: entries of every block's queue, four in turn, one line of memory a block
  u32 capacity;        ///< of a queue in shared memory
  u32 stride;          ///< of a queue in global memory
  u32 prefetch;        ///< fetch rows ahead into the second-level cache
  u64* sums;           ///< whole device: the barriers' two sums, in lines of their own; zero before the first launch
  const u32* sources;  ///< if there are several
  u32 source;          ///< if there is one
  u32 num_sources;
  u32 target;
  Distance max_depth;
  KHopControl* control;
  const u32* halt;  ///< not 0 there: the search shall end; null: it has no limits
};

/// A block's shared memory without levels, rows' places and queues.
struct KHopStorage {
  u32 counts[4];                ///< entries queued here; taken in turn
  u32 tally[4][most_hops + 1];  ///< vertices found here, by hops; in turn
  u32 totals[2];                ///< cluster: entries of all blocks, by turns
  u32 queued[4];                ///< has this block queued anything anywhere; in turn
  u32 target_found;             ///< 1 + the step in which the target was found
  u32 turn;                     ///< whole device: what the barrier returned
};

struct KHopWork {
  u32 rank, blocks;
  u32* cells;  ///< levels
  u32* refs;   ///< cluster: of the vertices of this block
  u32* queue;  ///< this block's two, in shared memory
  KHopStorage* storage;
  BarrierMemory barriers;
};

HW_DEVICE u32 partitioned_code(const Ownership& own, u32 v) {
  const u32 tile = v >> own.tile_bits, owner = tile & ((1u << own.owner_bits) - 1);
  return owner << owned_bits | tile >> own.owner_bits << own.tile_bits | (v & ((1u << own.tile_bits) - 1));
}
HW_DEVICE u32 place_in(u32 code) { return code & ((1u << owned_bits) - 1); }
template <ThreadScope scope>
HW_DEVICE u32 code_of(const Ownership& own, u32 v) {
  return scope == ThreadScope::cluster ? partitioned_code(own, v) : v;
}
/// The vertex at a place of a block's slice; may be past the last vertex.
HW_DEVICE u64 vertex_at(const Ownership& own, u32 owner, u32 place) {
  const u64 tile = static_cast<u64>(place >> own.tile_bits) << own.owner_bits | owner;
  return tile << own.tile_bits | (place & ((1u << own.tile_bits) - 1));
}
template <ThreadScope scope>
HW_DEVICE u32 owner_of(const KHopWork& c, u32 code) {
  return scope == ThreadScope::cluster ? code >> owned_bits : code & (c.blocks - 1);
}
template <ThreadScope scope>
HW_DEVICE u32* cell_of(const KHopWork& c, u32 code) {
  if constexpr (scope == ThreadScope::cluster) return dev::cluster_map(&c.cells[place_in(code)], code >> owned_bits);
  return &c.cells[code];
}

struct Turn {
  bool more, target_found;
};

/// Was the target found by the end of `step`? Faster threads may find it in the next step already.
HW_DEVICE bool target_found_by(const KHopStorage& storage, u32 step) {
  const u32 target_found = dev::load(&storage.target_found);
  return target_found && target_found <= step + 1;
}

/// The barrier of all blocks after a step: is there more to do? In a cluster the sum over all blocks is computed while the next
/// step runs and read one step late, so that no block waits for it.
template <ThreadScope scope>
HW_DEVICE Turn barrier_all_reduce(const KHopState& s, KHopWork& c, u32 step) {
  KHopStorage& storage = *c.storage;
  if constexpr (scope == ThreadScope::cluster) {
    dev::sync_cluster();
    return {storage.totals[step & 1] != 0, target_found_by(storage, step)};
  } else {
    dev::sync_block();
    if (dev::thread() == 0)
      storage.turn =
          barrier_sum(s.sums, c.blocks, c.barriers, storage.queued[(step + 1) & 3] != 0, dev::load(&storage.target_found) != 0);
    dev::sync_block();
    return {(storage.turn & 1) != 0, (storage.turn & 2) != 0};
  }
}

}  // namespace hopwave::HW_MACHINE::engine::high_diameter
