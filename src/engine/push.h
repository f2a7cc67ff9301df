// Pushing: the frontier's edges, not its vertices, are shared evenly among all warps, so a hub costs nobody more than its part.
// Sources: Merrill, Garland, Grimshaw (PPoPP'12) for sharing by edge prefix. Ours differs: the prefix is made while the queue
// is, by one atomic a block that takes a place and a prefix at once; a flood makes no queue, since the next step pulls.
#pragma once

#include "engine/state.h"

namespace hopwave::HW_MACHINE::engine {

inline constexpr u32 batch = 4;                            ///< edges a lane has in flight
inline constexpr u32 stage_size = 2 * batch * dev::lanes;  ///< found vertices a warp keeps in shared memory
inline constexpr u32 max_warps = 1024 / dev::lanes;

/// Found vertices of this warp, not yet in the queue. `fill` is the same in all lanes.
struct Stage {
  u32* vertices;   ///< stage_size, this warp's
  u64* warp_sums;  ///< max_warps + 1, the block's
  u64* flushed;    ///< the block's count and edges queued so far
  u32 fill;
};

HW_DEVICE u64 prefix_below(u64 value) {  // exclusive sum over the warp
  u64 sum = value;
  for (u32 k = 1; k < dev::lanes; k *= 2) {
    const u64 other = dev::shuffle_up(dev::all_lanes, sum, k);
    if (dev::lane() >= k) sum += other;
  }
  return sum - value;
}
HW_DEVICE u64 warp_sum(u64 value) {
  for (u32 k = dev::lanes / 2; k; k /= 2) value += dev::shuffle_xor(dev::all_lanes, value, k);
  return value;
}

template <class Offset>
HW_DEVICE u64 staged_edges(const Graph<Offset>& g, const Stage& s) {
  u64 sum = 0;
  for (u32 i = dev::lane(); i < s.fill; i += dev::lanes) {
    const u32 v = s.vertices[i];
    sum += dev::read_only(&g.offsets[v + 1ull]) - dev::read_only(&g.offsets[v]);
  }
  return warp_sum(sum);
}

/// Writes the staged vertices at `place` (count and edges before them).
template <class Offset>
HW_DEVICE void write_staged(const Graph<Offset>& g, Stage& s, Entry<Offset>* queue, u64 place) {
  u64 at = place >> edge_bits, before = place & edge_mask;
  for (u32 i0 = 0; i0 < s.fill; i0 += dev::lanes) {
    const u32 i = i0 + dev::lane();
    u64 degree = 0;
    Entry<Offset> entry{};
    if (i < s.fill) {
      entry.vertex = s.vertices[i];
      entry.begin = dev::read_only(&g.offsets[entry.vertex]);
      degree = dev::read_only(&g.offsets[entry.vertex + 1ull]) - entry.begin;
    }
    const u64 below = prefix_below(degree);
    if (i < s.fill) {
      entry.before = static_cast<Offset>(before + below);
      queue[at + i] = entry;
    }
    before += dev::shuffle(dev::all_lanes, below + degree, dev::lanes - 1);
  }
  dev::sync_warp();
  s.fill = 0;
}

/// One warp's stage is full in the middle of a step.
template <class Offset>
HW_DEVICE void flush_warp(const Graph<Offset>& g, Stage& s, Entry<Offset>* queue, u64* cursor) {
  dev::sync_warp();
  const u64 total = packed(s.fill, staged_edges(g, s));
  u64 place = 0;
  if (dev::lane() == 0) {
    place = dev::fetch_add(cursor, total);
    dev::fetch_add(s.flushed, total);
  }
  write_staged(g, s, queue, dev::shuffle(dev::all_lanes, place, 0));
}

/// The end of a step: all warps of the block empty their stages with one atomic. Returns the block's packed sum of the step.
template <class Offset>
HW_DEVICE u64 flush_block(const Graph<Offset>& g, Stage& s, Entry<Offset>* queue, u64* cursor) {
  dev::sync_warp();
  const u64 mine = packed(s.fill, staged_edges(g, s));
  if (dev::lane() == 0) s.warp_sums[dev::warp()] = mine;
  dev::sync_block();
  if (dev::warp() == 0) {
    u64 carry = 0;
    for (u32 w0 = 0; w0 < dev::warps(); w0 += dev::lanes) {
      const u32 w = w0 + dev::lane();
      const u64 sum = w < dev::warps() ? s.warp_sums[w] : 0;
      const u64 below = carry + prefix_below(sum);
      if (w < dev::warps()) s.warp_sums[w] = below;
      carry = dev::shuffle(dev::all_lanes, below + sum, dev::lanes - 1);
    }
    if (dev::lane() == 0) {
      s.warp_sums[max_warps] = carry ? dev::fetch_add(cursor, carry) : 0;
      *s.flushed += carry;
    }
  }
  dev::sync_block();
  if (s.fill) write_staged(g, s, queue, s.warp_sums[max_warps] + s.warp_sums[dev::warp()]);
  return *s.flushed;
}

template <class Offset>
HW_DEVICE void stage(const Graph<Offset>& g, Stage& s, bool keep, u32 v, Entry<Offset>* queue, u64* cursor) {
  const dev::LaneMask kept = dev::ballot(dev::all_lanes, keep);
  if (!kept) return;
  if (s.fill + dev::lanes > stage_size) flush_warp(g, s, queue, cursor);
  if (keep) s.vertices[s.fill + dev::popcount(kept & dev::lanes_below())] = v;
  s.fill += dev::popcount(kept);
}

/// Index of the last entry that has at most `edge` edges before it; the whole warp looks.
template <class Offset>
HW_DEVICE u32 find_entry(const Entry<Offset>* queue, u32 size, u64 edge) {
  u32 base = 0;
  while (size > 1) {
    const u32 step = (size + dev::lanes - 1) / dev::lanes;
    const u32 i = dev::lane() * step;
    const bool before = i < size && queue[base + i].before <= edge;
    const u32 last = dev::popcount(dev::ballot(dev::all_lanes, before)) - 1;
    base += last * step;
    size = size - last * step < step ? size - last * step : step;
  }
  return base;
}

/// What finding a vertex means.
template <class Offset>
HW_DEVICE void settle(const State<Offset>& s, u32 v, u32 byte, u32 from) {
  // In a flood several threads may find v; all write the same level, and any of their parents is one.
  dev::store(&s.level8[v], static_cast<Byte>(byte));
  if (s.parent) dev::store(&s.parent[v], from);
}

/// Expands edges [lo, hi) of a frontier of `size` entries and `total` edges; one warp. `visited` is claimed in place.
template <bool Flood, class Offset>
HW_DEVICE void push_edges(const Graph<Offset>& g, const State<Offset>& s, Stage& stage_, const Entry<Offset>* frontier,
                          u32 size, u64 total, u64 lo, u64 hi, Word* visited, u32 byte, Entry<Offset>* queue, u64* cursor) {
  if (lo >= hi) return;
  u32 at = find_entry(frontier, size, lo);
  for (u64 e = lo; e < hi; at += dev::lanes) {
    Entry<Offset> entry{};
    entry.before = static_cast<Offset>(total);
    if (at + dev::lane() < size) entry = frontier[at + dev::lane()];
    const u64 tile_end = at + dev::lanes < size ? static_cast<u64>(frontier[at + dev::lanes].before) : total;
    const u64 stop = tile_end < hi ? tile_end : hi;
    for (; e < stop; e += batch * dev::lanes) {
      u32 to[batch], from[batch];
      bool open[batch];
      HW_UNROLL
      for (u32 j = 0; j < batch; ++j) {
        const u64 x = e + j * dev::lanes + dev::lane();
        u32 owner = 0;
        for (u32 k = dev::lanes / 2; k; k /= 2) {
          const u64 before = dev::shuffle(dev::all_lanes, entry.before, owner + k);
          if (before <= x) owner += k;
        }
        const Offset begin = dev::shuffle(dev::all_lanes, entry.begin, owner);
        const Offset before = dev::shuffle(dev::all_lanes, entry.before, owner);
        from[j] = dev::shuffle(dev::all_lanes, entry.vertex, owner);
        open[j] = x < stop;
        to[j] = open[j] ? dev::read_only(&g.neighbors[begin + (x - before)]) : 0;
      }
      HW_UNROLL
      for (u32 j = 0; j < batch; ++j) {
        // A stale word errs towards "unvisited": the atomic below decides.
        if (open[j]) open[j] = !(dev::peek(&visited[to[j] / word_bits]) & bit_of(to[j]));
      }
      HW_UNROLL
      for (u32 j = 0; j < batch; ++j) {
        if constexpr (Flood) {
          if (open[j]) {
            dev::fetch_or(&visited[to[j] / word_bits], bit_of(to[j]));
            settle(s, to[j], byte, from[j]);
          }
        } else {
          if (open[j]) open[j] = !(dev::fetch_or(&visited[to[j] / word_bits], bit_of(to[j])) & bit_of(to[j]));
        }
      }
      if constexpr (!Flood) {
        HW_UNROLL
        for (u32 j = 0; j < batch; ++j) {
          if (open[j]) settle(s, to[j], byte, from[j]);
          stage(g, stage_, open[j], to[j], queue, cursor);
        }
      }
    }
    e = stop;
  }
}

/// The whole grid's step. Every warp takes an equal part of the edges, at least a lane's width of them.
template <bool Flood, class Offset>
HW_DEVICE void push_step(const Graph<Offset>& g, const State<Offset>& s, Stage& st, const Entry<Offset>* frontier, u64 size,
                         u64 total, Word* visited, u32 byte, Entry<Offset>* queue, u64* cursor) {
  const u64 warps = static_cast<u64>(dev::grid_size()) * dev::warps();
  u64 part = (total + warps - 1) / warps;
  part = (part + dev::lanes - 1) / dev::lanes * dev::lanes;
  // Neighbouring parts go to different blocks: a short frontier is spread over all of them.
  const u64 lo = (static_cast<u64>(dev::warp()) * dev::grid_size() + dev::block()) * part;
  const u64 hi = lo + part < total ? lo + part : total;
  push_edges<Flood>(g, s, st, frontier, static_cast<u32>(size), total, lo, hi, visited, byte, queue, cursor);
}

}  // namespace hopwave::HW_MACHINE::engine
