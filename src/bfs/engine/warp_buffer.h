// Found vertices on their way to a queue: a warp collects them in shared memory, and whole buffers are written at places that
// one atomic takes. Grid-wide and MS-BFS share this.
#pragma once

#include "bfs/engine/state.h"
#include "device/primitives/warp.h"

namespace hopwave::HW_MACHINE::engine {

inline constexpr u32 batch = 4;                              ///< edges a lane has in flight
inline constexpr u32 warp_buffer_size = batch * dev::lanes;  ///< found vertices a warp keeps in shared memory
inline constexpr u32 max_warps = 1024 / dev::lanes;
static_assert(max_warps <= dev::lanes, "one warp sums up all warps' buffers at once");

/// A sum of 64 bits in shared memory, in two halves. There an atomic of 64 bits is a loop of compare-and-swap, which costs a
/// microsecond when all warps of a block contend for it; one of 32 bits is one instruction.
struct WideSum {
  u32 low, high;
  HW_DEVICE void add(u64 value) {
    const u32 part = static_cast<u32>(value), old = dev::fetch_add(&low, part);
    const u32 carried = static_cast<u32>(value >> 32) + (old + part < old ? 1 : 0);
    if (carried) dev::fetch_add(&high, carried);
  }
  HW_DEVICE void set(u64 value) { *this = {static_cast<u32>(value), static_cast<u32>(value >> 32)}; }
  HW_DEVICE u64 get() const { return static_cast<u64>(high) << 32 | low; }
};

/// Where a step puts what it finds: `cursor` has count and edges so far, packed.
template <class Offset>
struct Queue {
  Entry<Offset>* entries;
  u64* cursor;
};

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
HW_DEVICE void flush_warp(WarpBuffer<Offset>& s, const Queue<Offset>& queue) {
  if (!s.fill) return;
  dev::sync_warp();
  const u64 total = buffered_sum(s);
  u64 place = 0;
  if (dev::lane() == 0) {
    place = dev::fetch_add(queue.cursor, total);
    s.flushed->add(total);
  }
  write_buffered(s, queue.entries, dev::shuffle(dev::all_lanes, place, 0));
}

/// The end of a step: all warps of the block flush their buffers with one atomic.
template <class Offset>
HW_DEVICE void flush_block(WarpBuffer<Offset>& s, const Queue<Offset>& queue) {
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
      s.warp_sums[max_warps] = total ? dev::fetch_add(queue.cursor, total) : 0;
      s.flushed->add(total);
    }
  }
  dev::sync_block();
  if (s.fill) write_buffered(s, queue.entries, s.warp_sums[max_warps] + s.warp_sums[dev::warp()]);
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

/// Each lane that keeps its vertex v puts it into the buffer, with its row. All lanes of a warp.
template <class Offset>
HW_DEVICE void buffer_row(const Graph<Offset>& g, WarpBuffer<Offset>& s, bool keep, u32 v, const Queue<Offset>& queue) {
  Offset begin = 0;
  u32 degree = 0;
  if (keep) {
    begin = dev::read_only(&g.offsets[v]);
    degree = dev::narrowed<u32>(dev::read_only(&g.offsets[v + 1ull]) - begin);
  }
  const dev::LaneMask kept = dev::ballot(dev::all_lanes, keep);
  if (!kept) return;
  if (s.fill + dev::lanes > warp_buffer_size) flush_warp(s, queue);
  put_buffered(s, kept, keep, v, begin, degree);
}

}  // namespace hopwave::HW_MACHINE::engine
