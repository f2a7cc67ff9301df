// Rounds over queues of rows, for strongly connected components: what a round reaches along the rows in its queue goes into the
// queue of the next one. Rows are those of outgoing arcs and those of incoming ones, both in one queue, so that two searches
// in opposite directions take one launch per round. Long rows are queued in pieces, so that no warp waits for another's hub.
#pragma once

#include "device/packed.h"
#include "device/primitives/double_buffer.h"
#include "device/primitives/search.h"

namespace hopwave::HW_MACHINE::strong {

using dev::u32;
using dev::u64;

constexpr u32 piece_arcs = 128;
constexpr u32 along = 1, against = 2;  ///< which rows of a vertex: of its outgoing arcs, of its incoming ones

/// A piece of a row.
struct Entry {
  u32 vertex;
  u32 piece;  ///< twice its number in the row; one more: the row is of incoming arcs
};

/// Counters in device memory, by their places.
constexpr u32 round_at = 3;  ///< the round that comes next; before it: entries of three queues, of round r at r % 3
constexpr u32 pivot_at = 4, least_at = 5, open_at = 6, counters = 7;

template <class Offset>
struct Rounds {
  u32 n;
  const Offset *out_offsets, *in_offsets;
  const u32 *out_neighbors, *in_neighbors;
  Entry* queue[2];  ///< of even and of odd rounds
  u64 capacity;     ///< of each
  u64* counter;
};

/// What goes along with a row.
struct Brought {
  u32 value = 0;
  u64 region = 0;
};

template <class Offset>
HW_DEVICE u64 degree(const Offset* offsets, u32 v) {
  return u64{offsets[v + 1ull]} - offsets[v];
}
HW_DEVICE u32 pieces_of(u64 arcs) { return dev::narrowed<u32>((arcs + piece_arcs - 1) / piece_arcs); }

/// Puts rows of `v` into the queue of round `round`. All lanes of a full warp call; `sides` of 0: nothing.
template <class Offset>
HW_DEVICE void append(const Rounds<Offset>& q, u64 round, u32 v, u32 sides) {
  if (!dev::any(dev::all_lanes, sides != 0)) return;
  const u32 out = sides & along ? pieces_of(degree(q.out_offsets, v)) : 0;
  const u32 in = sides & against ? pieces_of(degree(q.in_offsets, v)) : 0;
  u64 total = 0;
  const u64 before = dev::warp_exclusive_sum(u64{out} + in, total);
  if (total == 0) return;
  u64 at = dev::warp_reserve(&q.counter[round % 3], total) + before;
  HW_CHECK(at + out + in <= q.capacity);
  Entry* queue = dev::current_of(q.queue, static_cast<u32>(round % 2));
  for (u32 k = 0; k < out; ++k) dev::plain_write(&queue[at++], Entry{v, 2 * k});
  for (u32 k = 0; k < in; ++k) dev::plain_write(&queue[at++], Entry{v, 2 * k + 1});
}

/// A warp's part of a round. A Visit has
///   bring(v, side)                          what goes along with a row of v
///   visit(round, from, brought, side, to)   called for each arc of it; which rows of `to` the next round is to take
/// A warp takes as many entries as it has lanes, fewer if there are few, and shares their arcs evenly.
template <class Offset, class Visit>
HW_DEVICE void expand(const Rounds<Offset>& q, const Visit& visit, u64 round, u64 warp, u64 warps) {
  const u64 entries = dev::load(&q.counter[round % 3]);  // no thread adds to it in this round
  const Entry* queue = dev::current_of(q.queue, static_cast<u32>(round % 2));
  const u64 fair = (entries + warps - 1) / warps, each = fair < dev::lanes ? fair : dev::lanes;
  for (u64 first = warp * each; first < entries; first += warps * each) {
    u32 v = 0, side = along, length = 0;
    u64 begin = 0;
    Brought mine;
    if (dev::lane() < each && first + dev::lane() < entries) {
      const Entry entry = dev::plain_read(&queue[first + dev::lane()]);
      v = entry.vertex;
      HW_CHECK(v < q.n);
      side = entry.piece % 2 ? against : along;
      const Offset* offsets = side == along ? q.out_offsets : q.in_offsets;
      begin = offsets[v] + u64{entry.piece / 2} * piece_arcs;
      const u64 left = offsets[v + 1ull] - begin;
      length = left < piece_arcs ? static_cast<u32>(left) : piece_arcs;
      mine = visit.bring(v, side);
    }
    u32 total = 0;
    const u32 before = dev::warp_exclusive_sum(length, total);
    for (u32 x0 = 0; x0 < total; x0 += dev::lanes) {
      const u32 x = x0 + dev::lane(), owner = dev::last_lane_at_most(before, x);
      const u64 place = dev::shuffle(dev::all_lanes, begin - before, owner) + x;
      const u32 from = dev::shuffle(dev::all_lanes, v, owner), its = dev::shuffle(dev::all_lanes, side, owner);
      const Brought brought{dev::shuffle(dev::all_lanes, mine.value, owner), dev::shuffle(dev::all_lanes, mine.region, owner)};
      u32 to = 0, sides = 0;
      if (x < total) {
        to = dev::read_only(its == along ? &q.out_neighbors[place] : &q.in_neighbors[place]);
        HW_CHECK(to < q.n);
        sides = visit.visit(round, from, brought, its, to);
      }
      append(q, round + 1, to, sides);
    }
  }
}

/// One round by the whole device.
template <class Offset, class Visit>
HW_KERNEL void one_round(Rounds<Offset> q, Visit visit, u64 round) {
  if (dev::global_thread() == 0) {
    dev::store(&q.counter[(round + 2) % 3], u64{0});  // read last in the round before, added to from the next one on
    dev::store(&q.counter[round_at], round + 1);
  }
  expand(q, visit, round, u64{dev::block()} * dev::warps() + dev::warp(), u64{dev::grid_size()} * dev::warps());
}

/// Rounds by one block, while they are small: a barrier of the block takes less time than a launch.
template <class Offset, class Visit>
HW_KERNEL void small_rounds(Rounds<Offset> q, Visit visit, u64 round, u64 end, u64 small) {
  for (; round < end; ++round) {
    const u64 entries = dev::load(&q.counter[round % 3]);
    if (entries == 0 || entries > small) break;
    if (dev::thread() == 0) dev::store(&q.counter[(round + 2) % 3], u64{0});
    expand(q, visit, round, dev::warp(), dev::warps());
    dev::sync_block();
  }
  if (dev::thread() == 0) dev::store(&q.counter[round_at], round);
}

}  // namespace hopwave::HW_MACHINE::strong
