// Pushes of the single-cluster traversal: a block's threads share the rows of its own frontier by quads, and mark what they
// find for all blocks; owners gather the marks. Marks are bits set by atomics; where there are many, bytes, which are stored
// plainly and made into bits afterwards.
#pragma once

#include "bfs/engine/single_cluster/work.h"
#include "device/primitives/block.h"
#include "device/primitives/expand.h"

namespace hopwave::HW_MACHINE::engine::single_cluster {

/// Quads of the frontier's rows before each thread's; returns all of them. The whole block.
HW_DEVICE u32 share_quads(const Work& c, u32 quads) {
  Storage& storage = *c.storage;
  const dev::BlockSum<u32> sum = dev::block_exclusive_sum(quads, storage.warp_sums);
  storage.before[dev::thread()] = sum.before;
  if (dev::thread() == 0) storage.before[dev::block_size()] = sum.total;
  dev::sync_block();
  return sum.total;
}

/// The last of `size` rows that has at most x quads before it.
HW_DEVICE u32 row_with(const u32* before, u32 size, u32 x) {
  return dev::last_at_most(size, x, [&](u32 i) { return before[i]; });
}

/// Marks a place that is not seen yet in this block's copy of the bits; its owner gathers the mark. Other threads may mark it
/// too: all are of the same level, and each of them is a right parent.
HW_DEVICE void mark(const Graph& g, const State& s, const Work& c, u32 place, u32 from) {
  if (has(c.bits.before, place) || place == g.partition.nowhere()) return;
  dev::fetch_or(&c.bits.after[place / word_bits], bit_of(place));
  if (s.parent) dev::store(&s.parent[place], from);
}

/// Marks a place by a byte: it need not be read first, and atomics cannot contend. Places seen before are sorted out
/// afterwards.
HW_DEVICE void mark_byte(const Graph& g, const State& s, const Work& c, u32 place, u32 from) {
  dev::poke(&c.marks.bytes[place], Byte{1});
  if (s.parent && place != g.partition.nowhere() && !has(c.bits.before, place)) dev::store(&s.parent[place], from);
}

template <bool bytes>
HW_DEVICE void mark_quad(const Graph& g, const State& s, const Work& c, const Quad& to, u32 from) {
  const u32 place[4] = {to.x, to.y, to.z, to.w};
  HW_UNROLL
  for (u32 k = 0; k < 4; ++k) {
    if constexpr (bytes)
      mark_byte(g, s, c, place[k], from);
    else
      mark(g, s, c, place[k], from);
  }
}

HW_DEVICE void wipe_bytes(Work& c) {
  const u32 quads = static_cast<u32>(byte_marks(c.bits.words * word_bits, c.blocks)) / 16;
  if (!c.marks.wiped)
    for (u32 q = dev::thread(); q < quads; q += dev::block_size()) reinterpret_cast<Quad*>(c.marks.bytes)[q] = {0, 0, 0, 0};
  c.marks.wiped = true;
}

/// Four bytes of 0 or 1 as four bits.
HW_DEVICE u32 four_bits(u32 bytes) { return bytes * 0x10204080u >> 28; }
HW_DEVICE u32 sixteen_bits(const Quad& q) {
  return four_bits(q.x) | four_bits(q.y) << 4 | four_bits(q.z) << 8 | four_bits(q.w) << 12;
}

/// Makes bits of the bytes, and clears these. After a block barrier.
HW_DEVICE void gather_bytes(const Work& c) {
  constexpr u32 quads = word_bits / 16;
  const Quad none{0, 0, 0, 0};
  for (u32 w = dev::thread(); w < c.bits.words * c.blocks; w += dev::block_size()) {
    auto* own = reinterpret_cast<Quad*>(c.marks.bytes + w * word_bits);
    Word word = 0;
    HW_UNROLL
    for (u32 k = 0; k < quads; ++k) {
      const u32 q = k ^ (dev::lane() * quads / 8 & (quads - 1));  // otherwise lanes would read the same banks at once
      word |= Word{sixteen_bits(own[q])} << 16 * q;
      own[q] = none;
    }
    c.bits.after[w] |= word;
  }
  dev::sync_block();
}

/// The frontier, as many vertices at a time as a block has threads.
template <bool partitioned, bool bytes>
HW_DEVICE void push_many(const Graph& g, const State& s, const Work& c, u32 count) {
  Storage& storage = *c.storage;
  for (u32 base = 0; base < count; base += dev::block_size()) {
    const u32 size = count - base < dev::block_size() ? count - base : dev::block_size();
    Row mine{0, 0};
    if (dev::thread() < size) {
      mine = own_row_along<partitioned>(g, c, c.lists.list()[base + dev::thread()]);
      storage.rows[dev::thread()] = mine;
    }
    const u32 total = share_quads(c, mine.last_quad() - mine.first_quad());
    const u32 share = (total + dev::block_size() - 1) / dev::block_size() * dev::lanes, first = dev::warp() * share;
    const u32 end = first + share < total ? first + share : total;
    const auto before = [&](u32 i) { return storage.before[i]; };
    dev::warp_windows(size, total, first, end, before, [&](u32 window, u32 lo, u32 hi) {
      const u32 lanes_before = window + dev::lane() < size ? before(window + dev::lane()) : total;
      for (u32 x0 = lo; x0 < hi; x0 += dev::lanes) {
        const u32 x = x0 + dev::lane(), k = window + dev::last_lane_at_most(lanes_before, x);
        if (x >= hi) continue;
        const Row row = storage.rows[k];
        const u32 from = s.parent ? c.rank * g.partition.slice + c.lists.list()[base + k] : 0;
        mark_quad<bytes>(g, s, c, places_of<partitioned>(g, g.out, row, row.first_quad() + (x - before(k))), from);
      }
    });
    dev::sync_block();
  }
}

/// Marks the neighbours of this block's own part of the frontier. `drifted`: each block took the last level for itself, and the
/// frontier is what that found. `wide`: the frontier has many edges.
template <bool partitioned>
HW_DEVICE void push_own(const Graph& g, const State& s, Work& c, bool drifted, bool many_edges) {
  if (many_edges && g.byte_marks) wipe_bytes(c);
  if (!drifted) list_last(g, c);
  const u32 count = drifted ? c.storage->alone[c.at.alone % 3].own : c.storage->listed[c.at.step & 1];
  if (count == 0) return;  // and no barrier follows the wiping
  if (!many_edges || !g.byte_marks) return push_many<partitioned, false>(g, s, c, count);
  push_many<partitioned, true>(g, s, c, count);
  gather_bytes(c);
}

/// Owners take what all blocks have marked as found.
template <bool partitioned>
HW_DEVICE void settle_marks(const Graph& g, const State& s, Work& c, u32 level) {
  dev::sync_block();
  // Once owners have the marks, they read parents that other blocks have written. The threads that send the marks fence, after
  // the barrier that orders all stores of the block before them.
  if (s.parent) dev::fence();
  gather_marks(g, c);
  const auto get = [&](u32 w) { return c.bits.fresh[w] = fresh_word(c, w); };
  settle_words<partitioned>(g, s, c, level, get);
}

}  // namespace hopwave::HW_MACHINE::engine::single_cluster
