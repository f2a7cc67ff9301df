// The barrier of all blocks after a step, with an all-reduce: every block gets the sums of what all blocks counted.
// Every block writes its own slot and reads all others. So no block waits for an atomic on one address, or for a second read.
#pragma once

#include "bfs/engine/grid_wide/work.h"

namespace hopwave::HW_MACHINE::engine::grid_wide {

// What a block brings to a barrier, in the two words of its slot. docs/fields.md has the bounds of all fields.
using BarrierTag = dev::Field<0, 2>;           ///< of both words: which barrier
using BarrierFound = dev::Field<2, 31>;        ///< first: Counts::found and what was queued; at most all vertices
using BarrierCounted = dev::Field<33, 31>;     ///< first: Counts::visited_bits, at most all bits; or Counts::found_alone
using BarrierNote = dev::Field<2, 24>;         ///< second: the next two; or Counts::single_block_levels
using NoteIncomplete = dev::Field<0, 1, u32>;  ///< Counts::incomplete; summed over all blocks it grows to 12 bits
using NoteUnlisted = dev::Field<12, 1, u32>;   ///< Counts::unlisted; likewise
using BarrierEdges = dev::Field<26, 37>;       ///< second: of what was queued
using BarrierCancelled = dev::Field<63, 1>;    ///< second: a limit of the call is reached; block 0 says so

inline constexpr u32 most_blocks = 4000;  ///< of a launch: so many flags add up to less than 12 bits
static_assert(most_blocks < 1u << NoteUnlisted::shift && BarrierFound::max >= max_engine_vertices &&
              BarrierCounted::max >= max_engine_vertices + group_words * word_bits && BarrierEdges::max >= max_engine_arcs);
/// The most levels that one block takes in a row: its note counts no further.
inline constexpr u32 most_single_block_levels = static_cast<u32>(BarrierNote::max);

HW_DEVICE u64 first_word(const Counts& c, u64 queued, u64 tag) {
  return BarrierCounted::put(u64{c.visited_bits} + c.found_alone) | BarrierFound::put(c.found + queued) | tag;
}
HW_DEVICE u64 second_word(const Counts& c, u64 edges, u64 tag) {
  HW_CHECK(c.single_block_levels == 0 || (dev::block() == 0 && !c.incomplete && !c.unlisted && !c.visited_bits));
  const u32 flags = NoteIncomplete::put(c.incomplete) | NoteUnlisted::put(c.unlisted);
  return BarrierEdges::put(edges) | BarrierNote::put(flags + c.single_block_levels) | tag;
}

inline constexpr u32 low_bits = 20, low_mask = (1u << low_bits) - 1;  ///< so that all blocks' parts fit into 32 bits
/// The high parts of all edges add up to 15 bits at most. Above them is BarrierCancelled, which one block may set: so one
/// sum brings both.
inline constexpr u32 high_bits = BarrierEdges::bits - low_bits;
static_assert(BarrierCancelled::shift == BarrierEdges::shift + BarrierEdges::bits &&
              max_engine_arcs >> low_bits < 1u << high_bits);

/// Adds up the slots. Whole warps call it; the sum is complete after the next sync_block. Sums are taken in parts of at
/// most 32 bits: one instruction adds such a part over a warp.
HW_DEVICE void add_slots(u64 first, u64 second, Sums* sum) {
  const u32 counted = dev::reduce_add(dev::all_lanes, static_cast<u32>(BarrierCounted::get(first)));
  const u32 found = dev::reduce_add(dev::all_lanes, static_cast<u32>(BarrierFound::get(first)));
  const u32 low = dev::reduce_add(dev::all_lanes, static_cast<u32>(BarrierEdges::get(second)) & low_mask);
  const u32 high = dev::reduce_add(dev::all_lanes, static_cast<u32>(second >> (BarrierEdges::shift + low_bits)));
  const u32 note = dev::reduce_add(dev::all_lanes, static_cast<u32>(BarrierNote::get(second)));
  if (dev::lane() == 0) {
    if (counted) dev::fetch_add(&sum->counted, counted);
    if (found) dev::fetch_add(&sum->found, found);
    if (low) dev::fetch_add(&sum->edges_low, low);
    if (high) dev::fetch_add(&sum->edges_high, high);
    if (note) dev::fetch_add(&sum->note, note);
  }
}

/// The totals in the sums. `alone`: one block took the step, and the fields with two meanings hold what it counted.
HW_DEVICE Totals totals_of(const Sums& sum, bool alone) {
  Totals t{.visited_bits = 0,
           .found_alone = 0,
           .single_block_levels = 0,
           .found = sum.found,
           .edges = (static_cast<u64>(sum.edges_high & ((1u << high_bits) - 1)) << low_bits) + sum.edges_low,
           .incomplete = 0,
           .unlisted = 0,
           .cancelled = sum.edges_high >> high_bits};
  if (alone) {
    t.found_alone = sum.counted;
    t.single_block_levels = sum.note;
  } else {
    t.visited_bits = sum.counted;
    t.incomplete = sum.note & ((1u << NoteUnlisted::shift) - 1);
    t.unlisted = sum.note >> NoteUnlisted::shift;
  }
  return t;
}

/// Which barrier of this launch comes next, and the sums of this one and the next (in shared memory).
struct BarrierWords {
  Slot* slots;  ///< this launch's half
  Slot* other;  ///< the other launch's half, cleared here for it
  Sums* sums;   ///< two, in shared memory
  Counts* mine;
  u32 count;
};

HW_DEVICE void init_barriers(BarrierWords& m, Slot* slots, u32 launch_parity, Sums* sums, Counts* mine) {
  const u32 blocks = dev::grid_size();
  m = {slots + launch_parity * 2 * blocks, slots + (1 - launch_parity) * 2 * blocks, sums, mine, 0};
  if (dev::thread() == 0) *mine = {};
  if (dev::thread() < 2) {
    sums[dev::thread()] = {};
    dev::plain_write(&m.other[dev::thread() * blocks + dev::block()], {});
  }
}

/// Waits for all blocks; sums what each has counted, and resets it. A slot is written again two barriers later. By then every
/// reader has arrived at the barrier between. So the tag must distinguish two barriers and a cleared slot, no more.
/// `alone`: one block took the step. `halt`: block 0 reads there whether a limit of the call is reached; null: it has none.
HW_DEVICE Totals barrier_all_reduce(BarrierWords& m, bool alone = false, const u32* halt = nullptr) {
  const u32 blocks = dev::grid_size();
  HW_CHECK(blocks <= most_blocks);
  const u64 tag = 1 + (m.count >> 1 & 1);
  Slot* slots = m.slots + (m.count & 1) * blocks;
  Sums* sum = &m.sums[m.count & 1];
  ++m.count;
  dev::sync_block();
  if (dev::thread() == 0) {
    const u64 flushed = m.mine->flushed.get();
    HW_CHECK(alone || (!m.mine->single_block_levels && !m.mine->found_alone));
    dev::store(&slots[dev::block()].first, first_word(*m.mine, flushed >> edge_bits, tag));
    dev::store_release(&slots[dev::block()].second, second_word(*m.mine, flushed & edge_mask, tag) |
                                                        BarrierCancelled::put(dev::block() == 0 && halted(halt)));
    *m.mine = {};
  }
  for (u32 i = dev::thread(); i / dev::lanes * dev::lanes < blocks; i += dev::block_size()) {  // whole warps
    u64 first = 0, second = 0;
    if (i < blocks) {
      for (;;) {
        first = dev::load(&slots[i].first);
        second = dev::load_acquire(&slots[i].second);
        if (BarrierTag::get(first) == tag && BarrierTag::get(second) == tag) break;
        dev::spin();
      }
    }
    dev::sync_warp();
    add_slots(first, second, sum);
  }
  dev::sync_block();
  const Totals t = totals_of(*sum, alone);
  if (dev::thread() == 0) m.sums[m.count & 1] = {};  // used after the next barrier's first sync_block
  return t;
}

}  // namespace hopwave::HW_MACHINE::engine::grid_wide
