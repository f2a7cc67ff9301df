// A graph that fits into one multiprocessor's shared memory, searched by one block. Ids have 16 bits, a claim is an atomic on
// the block's own memory, and a barrier is one of a few warps.
// Source: ours.
//
// Holds here, in both forms of rows, at the barrier after level L:
// 1. Exactly the vertices at distance at most L are marked.
// 2. A vertex is in a frontier once, that of its level: its mark decides who queues it. All warps are at the same level between
//    two barriers, so no smaller level comes later.
// 3. Fixed rows with words: a cell is the vertex's level, or "far away". It is never raised.
#pragma once

#include "bfs/engine/state.h"
#include "device/primitives/warp.h"

namespace hopwave::HW_MACHINE::engine::shared_memory {

using dev::Quad;
using Id16 = std::uint16_t;

inline constexpr u32 most_shared_memory_vertices = 0xFFE0;  ///< with whole groups of 32 an id still fits into 16 bits
inline constexpr u32 cells_group = 32;

/// How a graph lies in shared memory: rows, then cells, which say what was found, then the vertices found last.
struct SharedMemoryShape {
  u32 num_vertices;
  u32 padded;  ///< vertices, in whole groups
  u32 arcs;
  u32 longest;    ///< row
  u32 width;      ///< ids a row; 0: packed rows
  u32 row_quads;  ///< 16-byte pieces that rows take
  u32 cell_words;
  u32 cell_bits;    ///< log2 of the vertices that share a word of the cells: the fewer, the fewer collisions
  u32 workers;      ///< threads that search; with fixed rows the others only load and write
  u32 part;         ///< fixed rows: vertices that a warp's finds have room for
  u32 team_bits;    ///< packed rows: log2 of the lanes that share one
  u32 long_row;     ///< packed rows: longer ones are shared by the whole block
  u32 wide_begins;  ///< packed rows: do they begin at 32-bit places?
};

/// Packed rows: vertices that a list of long rows has room for.
constexpr u32 long_rows_of(const SharedMemoryShape& p) {
  if (p.longest <= p.long_row) return 0;
  const u32 most = p.long_row == ~0u ? 0 : p.arcs / (p.long_row + 1);
  return (most < p.num_vertices ? most : p.num_vertices) + 1;
}

struct SharedMemoryState : Asked {
  Distance* level;
  Distance max_depth;
  Control* control;
};

/// Where a graph comes from: its rows as an earlier launch left them, or CSR.
struct SharedMemorySource {
  const Quad* image;
  const u32* offsets;
  const u32* neighbors;
};

/// Puts neighbouring ids, and ids a power of two apart, into different banks of shared memory. Its own inverse.
HW_DEVICE u32 folded(u32 v) { return v ^ ((v >> 5 ^ v >> 10) & 31); }

/// Copies stored rows into shared memory, eight pieces in flight a thread.
HW_DEVICE void copy_rows(const Quad* image, u32 count, Quad* memory) {
  constexpr u32 quads_in_flight = 8;
  const u32 step = dev::block_size();
  for (u32 i0 = dev::thread(); i0 < count; i0 += step * quads_in_flight) {
    Quad q[quads_in_flight];
    HW_UNROLL
    for (u32 j = 0; j < quads_in_flight; ++j)
      if (i0 + j * step < count) q[j] = dev::read_only(&image[i0 + j * step]);
    HW_UNROLL
    for (u32 j = 0; j < quads_in_flight; ++j)
      if (i0 + j * step < count) memory[i0 + j * step] = q[j];
  }
}

struct PackedStorage {
  u32 counts[4];     ///< vertices found in a level; in turn
  u32 long_rows[4];  ///< how many of the frontier have long rows; in turn
  u32 target_found;  ///< 1 + the level of the target
};

struct PackedRoom {
  const Id16* begins;  ///< or of 32 bits
  const Id16* ids;
  u32* cells;   ///< a bit a vertex
  Id16* queue;  ///< every vertex is in it once at most, level after level
  Id16* long_rows;
  PackedStorage* storage;
};

/// The frontier is queue[from … to).
struct PackedTurn {
  u32 from, to;
  u32 level;  ///< of the vertices that are found
};

/// Rows one after the other, begins before them.
struct PackedRows {
  static constexpr u32 width = 0;
  static constexpr u32 each = 2;

  static constexpr u32 begin_quads(const SharedMemoryShape& p) {
    return ((p.num_vertices + 1) * (p.wide_begins ? 4 : 2) + 15) / 16;
  }
  static HW_DEVICE u32 begin_of(const SharedMemoryShape& p, const Id16* begins, u32 v) {
    return p.wide_begins ? reinterpret_cast<const u32*>(begins)[v] : begins[v];
  }

  /// A lane's ids: `first`, first + step, … before `end`.
  struct Ids {
    u32 first, step, end;
  };
  /// Claims them, and queues what was not found before; all lanes of a warp.
  static HW_DEVICE void claim(const SharedMemoryShape& p, const SharedMemoryState& s, const PackedRoom& r, const Ids& own,
                              const PackedTurn& t) {
    u32 id[each], old[each], bit[each], before[each], total = 0;
    HW_UNROLL
    for (u32 j = 0; j < each; ++j) {
      old[j] = ~0u;
      id[j] = own.first + j * own.step < own.end ? r.ids[own.first + j * own.step] : 0;
      bit[j] = 1u << (id[j] & ((1u << p.cell_bits) - 1));
    }
    HW_UNROLL
    for (u32 j = 0; j < each; ++j)
      if (own.first + j * own.step < own.end) old[j] = dev::fetch_or(&r.cells[id[j] >> p.cell_bits], bit[j]);
    HW_UNROLL
    for (u32 j = 0; j < each; ++j) {
      before[j] = dev::warp_append(total, !(old[j] & bit[j]));
    }
    if (total == 0) return;
    const u32 base = t.to + dev::warp_reserve(&r.storage->counts[t.level & 3], total);
    HW_UNROLL
    for (u32 j = 0; j < each; ++j) {
      if (old[j] & bit[j]) continue;
      HW_CHECK(base + before[j] < p.padded);  // Holds 2
      r.queue[base + before[j]] = dev::narrowed<Id16>(id[j]);
      dev::plain_write(&s.level[id[j]], static_cast<Distance>(t.level));
      if (id[j] == s.target) dev::store(&r.storage->target_found, t.level + 1);
    }
  }

  static HW_DEVICE void expand(const SharedMemoryShape& p, const SharedMemoryState& s, const PackedRoom& r,
                               const PackedTurn& t) {
    const u32 team = 1u << p.team_bits, member = dev::lane() & (team - 1);
    for (u32 base = t.from + (dev::warp() * dev::lanes >> p.team_bits); base < t.to; base += dev::block_size() >> p.team_bits) {
      const u32 i = base + (dev::lane() >> p.team_bits);
      const u32 v = i < t.to ? r.queue[i] : 0, begin = begin_of(p, r.begins, v);
      u32 end = i < t.to ? begin_of(p, r.begins, v + 1) : begin;
      if (end - begin > p.long_row) {
        if (member == 0) r.long_rows[dev::fetch_add(&r.storage->long_rows[t.level & 3], 1u)] = dev::narrowed<Id16>(v);
        end = begin;
      }
      for (u32 k = begin + member; dev::any(dev::all_lanes, k < end); k += team * each) claim(p, s, r, {k, team, end}, t);
    }
  }
  /// Expands the frontier's long rows, the whole block on each.
  static HW_DEVICE void expand_long(const SharedMemoryShape& p, const SharedMemoryState& s, const PackedRoom& r,
                                    const PackedTurn& t) {
    const u32 count = r.storage->long_rows[t.level & 3], stride = dev::block_size();
    for (u32 i = 0; i < count; ++i) {
      const u32 v = r.long_rows[i], begin = begin_of(p, r.begins, v), end = begin_of(p, r.begins, v + 1);
      for (u32 base = begin + dev::warp() * dev::lanes; base < end; base += stride * each)
        claim(p, s, r, {base + dev::lane(), stride, end}, t);
    }
  }

  static HW_DEVICE void from_csr(const SharedMemoryShape& p, const SharedMemorySource& from, Quad* memory) {
    const u32 last = p.num_vertices, room = begin_quads(p) * (p.wide_begins ? 4 : 8);
    u32* const begins32 = reinterpret_cast<u32*>(memory);
    Id16* const begins16 = reinterpret_cast<Id16*>(memory);
    for (u32 v = dev::thread(); v < room; v += dev::block_size()) {
      const u32 begin = v <= last ? dev::read_only(&from.offsets[v]) : 0;
      if (p.wide_begins)
        begins32[v] = begin;
      else
        begins16[v] = dev::narrowed<Id16>(begin);
    }
    Id16* const ids = begins16 + begin_quads(p) * 8;
    const u32 all = (p.row_quads - begin_quads(p)) * 8;
    for (u32 e = dev::thread(); e < all; e += dev::block_size())
      ids[e] = e < p.arcs ? dev::narrowed<Id16>(dev::read_only(&from.neighbors[e])) : Id16{0};
  }

  /// Claims the sources; one that is given twice is taken once.
  static HW_DEVICE void open(const SharedMemoryShape& p, const SharedMemoryState& s, const PackedRoom& r) {
    for (u32 i = dev::thread(); i < s.num_sources; i += dev::block_size()) {
      const u32 v = s.num_sources == 1 ? s.source : dev::read_only(&s.sources[i]);
      const u32 bit = 1u << (v & ((1u << p.cell_bits) - 1));
      if (v == s.target) dev::store(&r.storage->target_found, 1u);
      if (dev::fetch_or(&r.cells[v >> p.cell_bits], bit) & bit) continue;
      r.queue[dev::fetch_add(&r.storage->counts[0], 1u)] = dev::narrowed<Id16>(v);
      dev::plain_write(&s.level[v], 0);
    }
  }
};

HW_DEVICE void report(const SharedMemoryState& s, u32 visited, u32 levels) {
  Control done{};
  done.visited = visited;
  done.levels = levels;
  dev::plain_write(s.control, done);
}

/// The levels after the sources', until nothing is found, the depth is reached, or the target is found.
HW_DEVICE PackedTurn run_packed(const SharedMemoryShape& p, const SharedMemoryState& s, const PackedRoom& r) {
  PackedStorage* const storage = r.storage;
  const u32 limit = s.max_depth < 0 ? no_vertex : static_cast<u32>(s.max_depth);
  PackedTurn t{0, storage->counts[0], 1};
  for (;; ++t.level) {
    // Faster warps may have found the target in the next level already.
    const u32 target_found = dev::load(&storage->target_found);
    if (t.from == t.to || t.level > limit || (target_found && target_found <= t.level)) return t;
    if (dev::thread() == 0) storage->counts[(t.level + 2) & 3] = storage->long_rows[(t.level + 2) & 3] = 0;
    PackedRows::expand(p, s, r, t);
    if (p.longest > p.long_row) {
      dev::sync_block();
      PackedRows::expand_long(p, s, r, t);
    }
    dev::sync_block();
    t.from = t.to;
    t.to += storage->counts[t.level & 3];
  }
}

HW_HEADER_KERNEL void HW_BOUNDS(1024, 1) shared_packed(SharedMemoryShape p, SharedMemorySource from, SharedMemoryState s) {
  HW_CHECK(dev::block_size() <= 1024);
  HW_SHARED_PARTS(Quad, memory);
  HW_SHARED(PackedStorage, storage, 1);
  u32* const cell_place = reinterpret_cast<u32*>(memory + p.row_quads);
  Id16* const queue = reinterpret_cast<Id16*>(cell_place + p.cell_words);
  Quad* const rows = dev::shared_part(memory, p.row_quads);
  u32* const cells = dev::shared_part(cell_place, p.cell_words);
  const Id16* const begins = reinterpret_cast<const Id16*>(rows);
  const PackedRoom r{begins,
                     begins + PackedRows::begin_quads(p) * 8,
                     cells,
                     dev::shared_part(queue, p.padded),
                     dev::shared_part(queue + p.padded, long_rows_of(p)),
                     storage};
  for (u32 w = dev::thread(); w < p.cell_words; w += dev::block_size()) cells[w] = 0;
  if (dev::thread() < 4) storage->counts[dev::thread()] = storage->long_rows[dev::thread()] = 0;
  if (dev::thread() == 0) storage->target_found = 0;
  from.image ? copy_rows(from.image, p.row_quads, rows) : PackedRows::from_csr(p, from, rows);
  for (u32 v = dev::thread(); v < p.num_vertices; v += dev::block_size()) dev::plain_write(&s.level[v], unreached);
  dev::sync_block();
  PackedRows::open(p, s, r);
  dev::sync_block();
  const PackedTurn t = run_packed(p, s, r);
  // The last level was empty, unless the search was stopped.
  if (dev::thread() == 0) report(s, t.to, t.level - (t.from == t.to ? 2 : 1));
}

/// Stores rows as they will lie in shared memory, for later searches; one block.
template <class Rows>
HW_KERNEL void keep_rows(SharedMemoryShape p, SharedMemorySource from, Quad* image) {
  Rows::from_csr(p, from, image);
}

/// Raises `bad` if stored rows would lead out of shared memory. Whether they are this graph's, checksums have shown.
template <class Rows>
HW_KERNEL void check_kept_rows(SharedMemoryShape p, const Quad* image, u32* bad) {
  const Id16* const ids = reinterpret_cast<const Id16*>(image);
  const u32 first = Rows::width ? 0 : PackedRows::begin_quads(p) * 8, step = dev::global_threads();
  bool wrong = false;
  for (u32 i = first + dev::global_thread(); i < p.row_quads * 8; i += step)
    wrong |= ids[i] >= (Rows::width ? p.padded : p.num_vertices);
  for (u32 v = dev::global_thread(); Rows::width == 0 && v < p.num_vertices; v += step) {
    const u32 begin = PackedRows::begin_of(p, ids, v), end = PackedRows::begin_of(p, ids, v + 1);
    wrong |= begin > end || end > p.arcs || end - begin > p.longest;
  }
  if (wrong) dev::store(bad, 1u);
}

}  // namespace hopwave::HW_MACHINE::engine::shared_memory
