// Graphs whose arcs v → v + d have only a few different d: grids, meshes numbered row by row, rings, banded matrices. A level
// shifts the frontier's bits by each d, keeps the bits where such an arc ends, and drops those visited. It needs no queue and
// no claims, and has the same few instructions at any size. One block; a thread keeps 32 vertices in registers.
// Source: ours; stencil codes and bitboards shift bits along diagonals too.
//
// Holds here, at the barrier after level L:
// 1. `visited` has exactly the vertices at distance at most L.
// 2. Only its own thread writes a word of `visited`, of the next frontier and of the digits.
// 3. The words before and after a frontier (`guard`) are zero, so a shift past its end brings nothing.
#pragma once

#include <limits>

#include "bfs/engine/shared_memory/graph.h"
#include "device/hold.h"
#include "device/primitives/bitmap.h"

namespace hopwave::HW_MACHINE::engine::shared_memory {

using dev::Quad;

inline constexpr u32 most_diagonals = 16;
/// A distance that no arc has: of an unused diagonal of a form.
inline constexpr std::int32_t no_diagonal = std::numeric_limits<std::int32_t>::min();
inline constexpr u32 diagonal_digits = 8;                  ///< levels are kept as binary digits, a word a digit
inline constexpr u32 diagonal_low = 3;                     ///< of them, digits that count within a batch
inline constexpr u32 diagonal_batch = 1u << diagonal_low;  ///< levels between two checks whether there is more to do
inline constexpr u32 diagonal_stride = 3328;               ///< words of a frontier with its guards, at most
inline constexpr u32 diagonal_storage = 12;                ///< words of shared memory a thread has for them

/// How many diagonals of each kind a kernel takes. A level costs its loads from shared memory (a warp's loads go one after the
/// other). A diagonal of whole words loads one word; all those of less than a word together load two, in addition to their own.
struct DiagonalForm {
  u32 whole;  ///< d is a multiple of 32
  u32 near;   ///< |d| < 32: upwards, downwards, upwards, …
  u32 far;    ///< any d; two words each
};

struct DiagonalShape {
  u32 num_vertices;
  u32 words;  ///< of 32 vertices; whole warps
  u32 guard;  ///< words before and after, always zero
  u32 count;  ///< unused ones of the form included, in its order
  std::int32_t distance[most_diagonals];
  std::int32_t place[most_diagonals];  ///< of the first of the two words where a word's sources are
  u32 shift[most_diagonals];
};

struct DiagonalState : SharedMemoryState {
  const u32* ends;  ///< for each diagonal a bitmap: where its arcs end
};

/// What one thread knows of its 32 vertices.
struct DiagonalWord {
  u32 visited;
  u32 fresh;  ///< found since levels were last written
  u32 found;  ///< of the frontier
  u32 last;   ///< the last level that found any
  u32 digit[diagonal_digits];
};

/// Marks every distance that occurs, as bit distance + n.
template <class Offset>
HW_KERNEL void mark_distances(const Offset* offsets, const u32* neighbors, u32 n, u32* seen) {
  for (u64 v = dev::global_thread(); v < n; v += dev::global_threads())
    for (Offset e = dev::plain_read(&offsets[v]); e < dev::plain_read(&offsets[v + 1]); ++e) {
      const u32 place = dev::plain_read(&neighbors[e]) + n - static_cast<u32>(v), bit = 1u << (place % 32);
      if (!(dev::load(&seen[place / 32]) & bit)) dev::fetch_or(&seen[place / 32], bit);
    }
}

/// Where the arcs of each diagonal end, from incoming rows; a warp has a word of 32 vertices (or two).
template <class Offset>
HW_KERNEL void mark_ends(DiagonalShape p, const Offset* in_offsets, const u32* in_neighbors, u32* ends) {
  const u32 all = p.words * 32;  // a whole number of warps
  for (u32 w = dev::global_thread(); w < all; w += dev::global_threads()) {
    u32 flags = 0;
    if (w < p.num_vertices)
      for (Offset e = dev::plain_read(&in_offsets[w]); e < dev::plain_read(&in_offsets[w + 1]); ++e) {
        const auto distance = static_cast<std::int32_t>(w - dev::plain_read(&in_neighbors[e]));
        HW_UNROLL
        for (u32 k = 0; k < most_diagonals; ++k) flags |= k < p.count && p.distance[k] == distance ? 1u << k : 0u;
      }
    for (u32 k = 0; k < p.count; ++k) {
      const u64 mask = dev::ballot(dev::all_lanes, flags >> k & 1);
      const u32 word = w / 32;
      if (w % 32 == 0) dev::plain_write(&ends[k * p.words + word], static_cast<u32>(mask >> (dev::lane() / 32 * 32)));
    }
  }
}

/// Writes the levels of what was found since the last call, and at the end of what was not found; the whole block.
HW_DEVICE void write_levels(const DiagonalShape& p, const DiagonalState& s, DiagonalWord& mine, u32* storage, u32 base,
                            bool last) {
  u32* const row = storage + dev::thread() * diagonal_storage;
  HW_UNROLL
  for (u32 k = 0; k < diagonal_digits; ++k) {
    row[k] = mine.digit[k];
    mine.digit[k] = 0;
  }
  row[diagonal_digits] = mine.fresh;
  row[diagonal_digits + 1] = mine.visited;
  mine.fresh = 0;
  dev::sync_block();
  for (u32 v = dev::thread(); v < p.num_vertices; v += dev::block_size()) {
    const u32* const from = storage + v / 32 * diagonal_storage;
    const Quad low = *reinterpret_cast<const Quad*>(from), high = *reinterpret_cast<const Quad*>(from + 4);
    const u32 bit = v % 32;
    if (from[diagonal_digits] >> bit & 1)
      dev::plain_write(&s.level[v], static_cast<Distance>(base + ((low.x >> bit & 1) | (low.y >> bit & 1) << 1 |
                                                                  (low.z >> bit & 1) << 2 | (low.w >> bit & 1) << 3 |
                                                                  (high.x >> bit & 1) << 4 | (high.y >> bit & 1) << 5 |
                                                                  (high.z >> bit & 1) << 6 | (high.w >> bit & 1) << 7)));
    else if (last && !(from[diagonal_digits + 1] >> bit & 1))
      dev::plain_write(&s.level[v], unreached);
  }
  dev::sync_block();
}

/// Clears the frontiers but for the sources' bits, and writes the sources' levels.
HW_DEVICE void open_diagonals(const DiagonalShape& p, const DiagonalState& s, u32* bits) {
  for (u32 i = dev::thread(); i < p.words + 2 * p.guard; i += dev::block_size()) bits[i] = bits[i + diagonal_stride] = 0;
  dev::sync_block();
  for (u32 i = dev::thread(); i < s.num_sources; i += dev::block_size()) {
    const u32 v = s.num_sources == 1 ? s.source : dev::read_only(&s.sources[i]);
    if (dev::claim_bit(bits + p.guard, v)) dev::plain_write(&s.level[v], 0);
  }
  dev::sync_block();
}

/// Was the target found? The whole block, if there is a target.
HW_DEVICE bool target_found(const DiagonalState& s, u32 i, u32 visited) {
  if (s.target == no_vertex) return false;
  return dev::sync_block_or(i == s.target / 32 && visited >> (s.target % 32) & 1);
}

/// A thread's diagonals in registers: for each the word of its sources, the shift, and where its arcs end.
template <DiagonalForm form>
struct DiagonalRegisters {
  static constexpr int near = form.whole, far = form.whole + form.near, most = far + form.far;
  u32 source[most], shift[most], ends[most];
};

/// One level: writes the bits found into the other frontier. `turn` says which one is read; it is a constant, so that addresses
/// are too. `before`: this thread's word of the one that is read.
template <DiagonalForm form, u32 turn>
HW_DEVICE u32 shift_bits(u32* bits, const DiagonalRegisters<form>& r, u32 own, u32 before, u32& visited) {
  using R = DiagonalRegisters<form>;
  const u32* const now = bits + turn * diagonal_stride;
  const u32 below = form.near ? now[own - 1] : 0, above = form.near ? now[own + 1] : 0;
  u32 found = 0;
  HW_UNROLL
  for (int k = 0; k < R::most; ++k) {
    const u32* const from = now + r.source[k];
    if (k < R::near) {
      found |= from[0] & r.ends[k];
      continue;
    }
    u64 both;
    if (k >= R::far)
      both = static_cast<u64>(from[1]) << 32 | from[0];
    else
      both = (k - R::near) % 2 == 0 ? static_cast<u64>(before) << 32 | below : static_cast<u64>(above) << 32 | before;
    found |= static_cast<u32>(both >> r.shift[k]) & r.ends[k];
  }
  HW_CHECK(own != 0 && own + 1 < diagonal_stride);  // Holds 3
  found &= ~visited;
  bits[(1 - turn) * diagonal_stride + own] = found;
  visited |= found;
  return found;
}

/// Loads a thread's diagonals. Few are held in registers; more would be spilled.
template <DiagonalForm form>
HW_DEVICE DiagonalRegisters<form> load_diagonals(const DiagonalShape& p, const DiagonalState& s, u32 own) {
  DiagonalRegisters<form> r;
  constexpr int most = DiagonalRegisters<form>::most;
  HW_UNROLL
  for (int k = 0; k < most; ++k) {
    r.ends[k] = dev::read_only(&s.ends[static_cast<u32>(k) * p.words + dev::thread()]);
    r.shift[k] = p.shift[k];
    r.source[k] = own + static_cast<u32>(p.place[k]);
    if (most <= 8) dev::hold(r.shift[k]);
    if (most <= 8) dev::hold(r.source[k]);
  }
  return r;
}

/// Levels that are done, levels that are written out, and how many to take next.
struct DiagonalBatch {
  u32 level, base, steps;
};
/// Takes so many levels, at most a batch, and adds what they find to `mine`.
template <DiagonalForm form>
HW_DEVICE void run_batch(const DiagonalRegisters<form>& r, u32* bits, u32 own, const DiagonalBatch& now, DiagonalWord& mine) {
  u32 all = 0, found = mine.found;
  HW_UNROLL
  for (u32 j = 0; j < diagonal_batch; ++j) {
    if (j == now.steps) break;
    found =
        j % 2 ? shift_bits<form, 1>(bits, r, own, found, mine.visited) : shift_bits<form, 0>(bits, r, own, found, mine.visited);
    all |= found;
    HW_UNROLL
    for (u32 k = 0; k < diagonal_low; ++k)
      if (j >> k & 1) mine.digit[k] |= found;
    if (found) mine.last = now.level + j + 1;
    dev::sync_block();
  }
  HW_UNROLL
  for (u32 k = diagonal_low; k < diagonal_digits; ++k) mine.digit[k] |= (now.level - now.base) >> k & 1 ? all : 0;
  mine.fresh |= all;
  mine.found = found;
}

/// Adds up what the threads found, and reports it. The whole block.
HW_DEVICE void report_diagonals(const DiagonalState& s, const DiagonalWord& mine, u32* visited, u32* deepest) {
  const u32 count = dev::reduce_add(dev::all_lanes, static_cast<u32>(dev::popcount(mine.visited)));
  if (dev::lane() == 0) dev::fetch_add(visited, count);
  if (mine.last) dev::fetch_max(deepest, mine.last);
  dev::sync_block();
  if (dev::thread() != 0) return;
  Control done{};
  done.visited = *visited;
  done.levels = *deepest;
  dev::plain_write(s.control, done);
}

template <u32 whole, u32 near, u32 far>
HW_KERNEL void HW_BOUNDS(1024, 1) diagonal_search(DiagonalShape p, DiagonalState s) {
  HW_CHECK(dev::block_size() <= 1024);
  HW_SHARED_PARTS(u32, memory);
  HW_SHARED(u32, visited, 1);
  HW_SHARED(u32, deepest, 1);
  const u32 i = dev::thread();
  u32* const bits = dev::shared_part(memory, 2 * diagonal_stride);
  u32* const storage = dev::shared_part(memory + 2 * diagonal_stride, p.words * diagonal_storage);
  u32 own = p.guard + i;
  dev::hold(own);
  constexpr DiagonalForm form{whole, near, far};
  const DiagonalRegisters<form> r = load_diagonals<form>(p, s, own);
  if (i == 0) *visited = *deepest = 0;
  open_diagonals(p, s, bits);
  const u32 from = bits[own];
  DiagonalWord mine{from, 0, from, 0, {}};
  const u32 limit = s.max_depth < 0 ? no_vertex : static_cast<u32>(s.max_depth);
  u32 level = 0, base = 0;  // levels done; levels written out
  bool more = !target_found(s, i, mine.visited);
  while (more && level < limit) {
    if (level - base == 1u << diagonal_digits) {
      write_levels(p, s, mine, storage, base + 1, false);
      base = level;
    }
    HW_CHECK(level - base < 1u << diagonal_digits);
    const u32 steps = limit - level < diagonal_batch ? limit - level : diagonal_batch;
    run_batch(r, bits, own, {level, base, steps}, mine);
    level += steps;
    more = dev::sync_block_or(mine.found != 0) && !target_found(s, i, mine.visited);
  }
  write_levels(p, s, mine, storage, base + 1, true);
  report_diagonals(s, mine, visited, deepest);
}

}  // namespace hopwave::HW_MACHINE::engine::shared_memory
