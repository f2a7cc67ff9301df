// Pushing (top-down): the frontier's edges, not its vertices, are shared evenly among all warps, so a hub delays no warp.
// Sources: Merrill, Garland, Grimshaw (PPoPP'12) for sharing by edge prefix. Ours differs: one atomic a block
// takes a place in the queue and the edges before it at once. An unqueued push makes no queue: the next step pulls.
#pragma once

#include "bfs/engine/state.h"
#include "bfs/plan/thresholds.h"
#include "device/primitives/double_buffer.h"
#include "device/primitives/expand.h"

namespace hopwave::HW_MACHINE::engine {

inline constexpr u32 batch = 4;                                ///< edges a lane has in flight
inline constexpr u32 warp_buffer_size = batch * dev::lanes;    ///< found vertices a warp keeps in shared memory
inline constexpr u32 pull_buffer_size = warp_buffer_size / 2;  ///< of them while pulling
inline constexpr u32 max_warps = 1024 / dev::lanes;
static_assert(max_warps <= dev::lanes, "one warp sums up all warps' buffers at once");

/// Found vertices with their rows, in a warp's own shared memory until they go to the queue. `fill` is the same in all lanes.
template <class Offset>
struct WarpBuffer {
  Offset* begins;  ///< warp_buffer_size each
  u32* vertices;
  u32* degrees;
  u64* warp_sums;    ///< max_warps + 1, the block's
  WideSum* flushed;  ///< the block's count and edges queued so far
  u32 fill;
};
template <class Offset>
inline constexpr u32 warp_buffer_bytes = warp_buffer_size*(sizeof(Offset) + 2 * sizeof(u32));  ///< a warp

template <class Offset>
HW_DEVICE u64 buffered_sum(const WarpBuffer<Offset>& s) {  // count and edges, packed
  u32 sum = 0;  // a buffer's degrees may add up to 64 bits: high and low halves apart
  u32 high = 0;
  for (u32 i = dev::lane(); i < s.fill; i += dev::lanes) {
    sum += s.degrees[i] & 0xFFFFu;
    high += s.degrees[i] >> 16;
  }
  sum = dev::reduce_add(dev::all_lanes, sum);
  high = dev::reduce_add(dev::all_lanes, high);
  return packed(s.fill, (static_cast<u64>(high) << 16) + sum);
}

/// Writes the buffered vertices at `place` (count and edges before them).
template <class Offset>
HW_DEVICE void write_buffered(WarpBuffer<Offset>& s, Entry<Offset>* queue, u64 place) {
  u64 at = place >> edge_bits, before = place & edge_mask;
  for (u32 i0 = 0; i0 < s.fill; i0 += dev::lanes) {
    const u32 i = i0 + dev::lane();
    const u64 degree = i < s.fill ? s.degrees[i] : 0;
    const u64 below = dev::warp_exclusive_sum(degree);
    if (i < s.fill) {
      const Entry<Offset> entry{s.begins[i], static_cast<Offset>(before + below), s.vertices[i], 0};
      dev::plain_write(&queue[at + i], entry);
    }
    if (i0 + dev::lanes < s.fill) before += dev::shuffle(dev::all_lanes, below + degree, dev::lanes - 1);
  }
  dev::sync_warp();
  s.fill = 0;
}

/// One warp flushes its buffer into the queue by itself.
template <class Offset>
HW_DEVICE void flush_warp(WarpBuffer<Offset>& s, Entry<Offset>* queue, u64* cursor) {
  if (!s.fill) return;
  dev::sync_warp();
  const u64 total = buffered_sum(s);
  u64 place = 0;
  if (dev::lane() == 0) {
    place = dev::fetch_add(cursor, total);
    s.flushed->add(total);
  }
  write_buffered(s, queue, dev::shuffle(dev::all_lanes, place, 0));
}

/// The end of a step: all warps of the block flush their buffers with one atomic.
template <class Offset>
HW_DEVICE void flush_block(WarpBuffer<Offset>& s, Entry<Offset>* queue, u64* cursor) {
  dev::sync_warp();
  const u64 mine = buffered_sum(s);
  if (dev::lane() == 0) s.warp_sums[dev::warp()] = mine;
  dev::sync_block();
  if (dev::warp() == 0) {
    const u32 w = dev::lane();
    u64 total = 0;
    const u64 below = dev::warp_exclusive_sum(w < dev::warps() ? s.warp_sums[w] : 0, total);
    if (w < dev::warps()) s.warp_sums[w] = below;
    if (w == 0) {
      s.warp_sums[max_warps] = total ? dev::fetch_add(cursor, total) : 0;
      s.flushed->add(total);
    }
  }
  dev::sync_block();
  if (s.fill) write_buffered(s, queue, s.warp_sums[max_warps] + s.warp_sums[dev::warp()]);
}

/// Puts the vertices of the lanes in `kept` into a buffer that has room for them.
template <class Offset>
HW_DEVICE void put_buffered(WarpBuffer<Offset>& s, dev::LaneMask kept, bool keep, u32 v, Offset begin, u32 degree) {
  HW_CHECK(s.fill + dev::popcount(kept) <= warp_buffer_size);
  if (keep) {
    const u32 at = s.fill + dev::rank_in(kept);
    s.vertices[at] = v;
    s.begins[at] = begin;
    s.degrees[at] = degree;
  }
  s.fill += dev::popcount(kept);
}

template <class Offset>
HW_DEVICE void warp_buffer(WarpBuffer<Offset>& s, bool keep, u32 v, Offset begin, u32 degree, Entry<Offset>* queue,
                           u64* cursor) {
  const dev::LaneMask kept = dev::ballot(dev::all_lanes, keep);
  if (!kept) return;
  if (s.fill + dev::lanes > warp_buffer_size) flush_warp(s, queue, cursor);
  put_buffered(s, kept, keep, v, begin, degree);
}

/// Writes what a found vertex gets. `byte`: its level, counted from the last rebase.
template <class Offset, bool Plain>
HW_DEVICE void settle(const Searching<Offset, Plain>& s, u32 v, u32 byte, u32 from) {
  HW_CHECK(Plain || byte <= deepest_byte);
  // In an unqueued push several threads may find v; all write the same level, and each of their parents is right.
  if constexpr (Plain)
    dev::store(&s.level[v], static_cast<Distance>(byte));
  else
    dev::store(&s.level8[v], static_cast<Byte>(byte));
  if (s.parent) dev::store(&s.parent[v], from);
}

HW_DEVICE u32 last_set(Word bits) {
  if constexpr (sizeof(Word) == 8) {
    const u32 high = static_cast<u32>(static_cast<u64>(bits) >> 32);
    if (high) return 63 - dev::leading_zeros(high);
  }
  return 31 - dev::leading_zeros(static_cast<u32>(bits));
}

/// Neighbouring lanes that mark the same word leave it to the first of them. Rows are sorted, and where ids go by degree hubs
/// share words: otherwise many atomics would hit few words. Ids in such a run rise, so no two are equal.
struct Joined {
  Word bits;  ///< of the run, in its first lane
  u32 leader;
};
HW_DEVICE Joined join(bool open, u32 v) {
  const u32 id = open ? v : ~0u, left = dev::shuffle_up(dev::all_lanes, id, 1);
  const bool first = dev::lane() == 0 || left >= id || left / word_bits != id / word_bits;
  const Word firsts = static_cast<Word>(dev::ballot(dev::all_lanes, first));
  Joined run{bit_of(v), dev::lane()};
  if (firsts == static_cast<Word>(dev::all_lanes)) return run;
  const Word own = Word{1} << dev::lane(), above = firsts & ~(own | (own - 1));
  run.leader = last_set(firsts & (own | (own - 1)));
  const u32 end = above ? static_cast<u32>(dev::find_first_set(above)) - 1 : dev::lanes;
  HW_UNROLL
  for (u32 k = 1; k < dev::lanes; k *= 2) {
    const Word other = dev::shuffle_down(dev::all_lanes, run.bits, k);
    if (dev::lane() + k < end) run.bits |= other;
  }
  return run;
}

/// Each lane claims the ends of its edges that are `open`; the vertices that it wins go to the warp's buffer.
template <class Offset, bool Plain>
HW_DEVICE void claim(const Graph<Offset>& g, const Searching<Offset, Plain>& s, WarpBuffer<Offset>& st,
                     const bool (&open)[batch], const u32 (&to)[batch], const u32 (&from)[batch], Word* visited, u32 byte,
                     Entry<Offset>* queue, u64* cursor) {
  Word old[batch];
  u32 leader[batch];
  Offset begin[batch], end[batch];
  HW_UNROLL
  for (u32 j = 0; j < batch; ++j) {
    old[j] = ~Word{0};
    begin[j] = end[j] = 0;
    const Joined run = join(open[j], to[j]);
    leader[j] = run.leader;
    if (!open[j]) continue;
    // The row's place is loaded together with the atomic: most claims that get here are won.
    begin[j] = dev::read_only(&g.offsets[to[j]]);
    end[j] = dev::read_only(&g.offsets[to[j] + 1ull]);
    if (leader[j] == dev::lane()) old[j] = dev::fetch_or(&visited[to[j] / word_bits], run.bits);
  }
  dev::LaneMask won[batch];
  u32 count = 0;
  HW_UNROLL
  for (u32 j = 0; j < batch; ++j) {
    const Word before = dev::shuffle(dev::all_lanes, old[j], leader[j]);
    const bool mine = open[j] && !(before & bit_of(to[j]));
    if (mine) settle(s, to[j], byte, from[j]);
    won[j] = dev::ballot(dev::all_lanes, mine);
    count += dev::popcount(won[j]);
  }
  if (!count) return;
  if (st.fill + count > warp_buffer_size)
    flush_warp(st, queue, cursor);  // here for the whole batch, so that the code is there once
  HW_UNROLL
  for (u32 j = 0; j < batch; ++j)
    put_buffered(st, won[j], won[j] >> dev::lane() & 1, to[j], begin[j], static_cast<u32>(end[j] - begin[j]));
}

/// Expands edges [lo, hi) of a frontier; one warp.
template <bool Unqueued, class Offset, bool Plain>
HW_DEVICE void push_edges(const Graph<Offset>& g, const Searching<Offset, Plain>& s, WarpBuffer<Offset>& st,
                          const dev::RowQueue<Entry<Offset>, Offset>& frontier, Offset lo, Offset hi, Word* visited, u32 byte,
                          Entry<Offset>* queue, u64* cursor) {
  dev::warp_expand<batch>(
      frontier, lo, hi, s.parent != nullptr, [](const Entry<Offset>& entry) { return entry.vertex; },
      [&](const u32(&to)[batch], const u32(&from)[batch], bool(&open)[batch]) {
        HW_UNROLL
        for (u32 j = 0; j < batch; ++j) {
          // A stale word errs towards "unvisited": the atomic decides.
          if (!open[j]) continue;
          open[j] = !(dev::peek(&visited[to[j] / word_bits]) & bit_of(to[j]));
        }
        if constexpr (Unqueued) {
          HW_UNROLL
          for (u32 j = 0; j < batch; ++j) {
            const Joined run = join(open[j], to[j]);
            if (!open[j]) continue;
            if (run.leader == dev::lane()) dev::fetch_or(&visited[to[j] / word_bits], run.bits);
            settle(s, to[j], byte, from[j]);
          }
        } else {
          claim(g, s, st, open, to, from, visited, byte, queue, cursor);
        }
      });
}

/// A warp's part of `total` edges, in whole widths of a warp: no less than its share, and a little more. By multiplication,
/// since all warps do it and a division is dear. `share`: 2³² / warps, rounded down.
HW_DEVICE u64 part_of(u64 total, u32 share) {
  const u64 part = total >> 32 ? ((total >> 8) * share >> 24) + 258 : (total * share >> 32) + 2;
  return (part + dev::lanes - 1) / dev::lanes * dev::lanes;
}

/// The whole grid's step. Every warp takes an equal part of the edges, at least a lane's width of them.
template <bool Unqueued, class Offset, bool Plain>
HW_DEVICE void push_step(const Graph<Offset>& g, const Searching<Offset, Plain>& s, WarpBuffer<Offset>& st,
                         const Entry<Offset>* frontier, u64 size, u64 total, u32 share, Word* visited, u32 byte,
                         Entry<Offset>* queue, u64* cursor) {
  const u64 part = part_of(total, share);
  // Neighbouring parts go to different blocks: a short frontier is spread over all of them.
  const u64 lo = (static_cast<u64>(dev::warp()) * dev::grid_size() + dev::block()) * part;
  if (lo < total) {
    const u64 hi = lo + part < total ? lo + part : total;
    const dev::RowQueue<Entry<Offset>, Offset> rows{frontier, static_cast<u32>(size), static_cast<Offset>(total), g.neighbors};
    push_edges<Unqueued>(g, s, st, rows, static_cast<Offset>(lo), static_cast<Offset>(hi), visited, byte, queue, cursor);
  }
  if constexpr (!Unqueued) {
    if (total <= thresholds::AnyDevice::few_edges)
      flush_warp(st, queue, cursor);
    else
      flush_block(st, queue, cursor);
  }
}

}  // namespace hopwave::HW_MACHINE::engine
