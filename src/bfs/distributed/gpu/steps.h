// The kernels of a level, on one rank's device. Between two of them the host exchanges messages with the other ranks.
// Source: Buluç, Madduri, Parallel breadth-first search on distributed memory systems, SC'11; Beamer, Buluç, Asanović,
// Patterson, Distributed memory breadth-first search revisited, MTAAP'13. Ours differs: reached vertices are first a bitmap,
// and then a list for each owner, so each rank sends a vertex once in the whole search; parents are the least ones without a
// further pass.
//
// Top-down: expand, list_fresh twice (to count and to write), claim of what this rank has and of what the others send.
// Bottom-up: mark_queue, spread, add_known, look_back.
#pragma once

#include "bfs/distributed/gpu/rank_state.h"
#include "bfs/engine/partitioned/own_rows.h"
#include "device/primitives/bitmap.h"
#include "device/primitives/double_buffer.h"
#include "device/primitives/expand.h"

namespace hopwave::HW_MACHINE::ranks {

using engine::bit_of;
using engine::word_bits;
using engine::partitioned::QueuedArcs;
using engine::partitioned::QueuedRows;

inline constexpr u32 block_threads = 256;

HW_DEVICE u64 global_warp() { return dev::global_thread() / dev::lanes; }
HW_DEVICE u64 global_warps() { return dev::global_threads() / dev::lanes; }

/// Marks the neighbours of the frontier that are not known. Arcs are shared evenly over the warps, whatever the rows' lengths.
template <class Offset>
HW_KERNEL void expand(State<Offset> s, u32 turn) {
  constexpr u32 batch = 4;
  const u64 queued = dev::load(&s.tally[turn].queued), arcs = QueuedArcs::get(queued);
  const u64 warps = global_warps(), warp = global_warp();
  const dev::RowQueue<Entry<Offset>, Offset> rows{dev::current_of(s.queue, turn), static_cast<u32>(QueuedRows::get(queued)),
                                                  static_cast<Offset>(arcs), s.neighbors};
  dev::warp_expand<batch>(
      rows, static_cast<Offset>(arcs * warp / warps), static_cast<Offset>(arcs * (warp + 1) / warps), s.reached_by != nullptr,
      [&](const Entry<Offset>& entry) { return s.first + entry.vertex; },
      [&](const u32* to, const u32* from, const bool* open) {
        HW_UNROLL
        for (u32 j = 0; j < batch; ++j) {
          if (!open[j]) continue;
          const u32 w = to[j] / word_bits;
          // A look before may be stale: then the atomic decides.
          if (!(dev::peek(&s.known[w]) & bit_of(to[j])) && !(dev::fetch_or(&s.known[w], bit_of(to[j])) & bit_of(to[j])))
            dev::fetch_or(&s.fresh[w], bit_of(to[j]));
          if (s.reached_by && dev::peek(&s.reached_by[to[j]]) > from[j]) dev::fetch_min(&s.reached_by[to[j]], from[j]);
        }
      });
}

template <class Offset>
HW_DEVICE u32 owner_of(const State<Offset>& s, u32 v) {
  return dev::last_at_most(s.ranks, v, [&](u32 rank) { return dev::read_only(&s.first_of[rank]); });
}

/// Adds the fresh vertices of each rank to its cursor. With `list` they are written at the cursor, `by` gets the vertices that
/// reached them, if that is wanted, and no vertex is fresh afterwards.
template <class Offset>
HW_KERNEL void list_fresh(State<Offset> s, u64* cursor, u32* list, u32* by) {
  const u64 words = s.words();
  for (u64 from = global_warp() * dev::lanes; from < words; from += global_warps() * dev::lanes) {
    const u64 w = from + dev::lane();
    Word bits = w < words ? dev::plain_read(&s.fresh[w]) : Word{0};
    if (!dev::any(dev::all_lanes, bits != 0)) continue;
    if (list && bits != 0) dev::plain_write(&s.fresh[w], Word{0});
    const u64 end = (from + dev::lanes) * word_bits;
    const u32 last = static_cast<u32>(end < s.num_vertices ? end : s.num_vertices) - 1;
    const u32 owner = owner_of(s, static_cast<u32>(from) * word_bits);
    const bool one_owner = owner == owner_of(s, last);
    u64 place = 0;
    if (one_owner) {  // all lanes alike: one atomic for a thousand vertices
      u64 all = 0;
      const u64 before = dev::warp_exclusive_sum(static_cast<u64>(dev::popcount(bits)), all);
      place = dev::warp_reserve(&cursor[owner], all) + before;
      if (!list) continue;
    }
    for (; bits != 0; bits &= bits - 1) {
      const u32 v = static_cast<u32>(w) * word_bits + static_cast<u32>(dev::find_first_set(bits)) - 1;
      if (!one_owner) place = dev::fetch_add(&cursor[owner_of(s, v)], u64{1});
      if (!list) continue;
      dev::plain_write(&list[place], v);
      if (by) dev::plain_write(&by[place], dev::plain_read(&s.reached_by[v]));
      ++place;
    }
  }
}

/// Own vertices that were reached: those not discovered yet are discovered now. `by`: the vertices that reached them, null for
/// sources.
template <class Offset>
HW_KERNEL void claim(State<Offset> s, u32 turn, const u32* list, const u32* by, u64 count, Distance level) {
  for (u64 from = global_warp() * dev::lanes; from < count; from += global_warps() * dev::lanes) {
    const u64 i = from + dev::lane();
    bool is_found = false;
    u32 row = 0;
    Offset at = 0;
    u64 degree = 0;
    if (i < count) {
      const u32 v = dev::plain_read(&list[i]);
      row = v - s.first;
      HW_CHECK(row < s.count);
      const Distance before = dev::compare_exchange(&s.distance[row], unreached, level);
      is_found = before == unreached;
      // Several ranks may send it: the parent is the least vertex that reached it in this level.
      if (by && (is_found || before == level)) dev::fetch_min(&s.parent[row], dev::plain_read(&by[i]));
      if (is_found) {
        dev::fetch_or(&s.known[v / word_bits], bit_of(v));
        at = dev::read_only(&s.offsets[row]);
        degree = dev::read_only(&s.offsets[row + 1ull]) - at;
        if (v == s.target) dev::fetch_add(&s.tally[turn].at_target, u64{1});
      }
    }
    engine::partitioned::enqueue(dev::current_of(s.queue, turn), &s.tally[turn].queued, is_found, row, at, degree);
  }
}

/// Sets the bits of the frontier's own vertices, of which the first is bit `shift`.
template <class Offset>
HW_KERNEL void mark_queue(State<Offset> s, u32 turn, u64* bits, u32 shift) {
  const u64 size = QueuedRows::get(dev::load(&s.tally[turn].queued));
  const Entry<Offset>* queue = dev::current_of(s.queue, turn);
  for (u64 i = dev::global_thread(); i < size; i += dev::global_threads())
    dev::claim_bit(bits, dev::plain_read(&queue[i].vertex) + shift);
}

/// The frontier from the words of all ranks, of which two may have vertices in the same one.
template <class Offset>
HW_KERNEL void spread(State<Offset> s, const u64* gathered, u64 count) {
  constexpr u32 words_each = 64 / word_bits;
  for (u64 i = dev::global_thread(); i < count; i += dev::global_threads()) {
    const u64 bits = dev::plain_read(&gathered[i]);
    if (bits == 0) continue;
    // Ranks without vertices begin where the next one does, which is the last of them.
    const u32 rank = dev::last_at_most(s.ranks, i, [&](u32 r) { return dev::read_only(&s.words_begin[r]); });
    const u64 at = dev::read_only(&s.first_of[rank]) / 64 + i - dev::read_only(&s.words_begin[rank]);
    HW_UNROLL
    for (u32 part = 0; part < words_each; ++part)
      if (const Word some = static_cast<Word>(bits >> (part * (word_bits % 64))))
        dev::fetch_or(&s.frontier[at * words_each + part], some);
  }
}

/// All ranks' frontier is known.
template <class Offset>
HW_KERNEL void add_known(State<Offset> s) {
  for (u64 w = dev::global_thread(); w < s.words(); w += dev::global_threads())
    if (const Word more = dev::plain_read(&s.frontier[w]))
      dev::plain_write(&s.known[w], Word(dev::plain_read(&s.known[w]) | more));
}

/// Own vertices not discovered look for a neighbour in the frontier.
template <class Offset>
HW_KERNEL void look_back(State<Offset> s, u32 turn, Distance level) {
  u64 examined = 0;
  for (u64 from = global_warp() * dev::lanes; from < s.count; from += global_warps() * dev::lanes) {
    const u32 row = static_cast<u32>(from) + dev::lane();
    const bool is_open = from + dev::lane() < s.count && dev::plain_read(&s.distance[row]) == unreached;
    if (!dev::any(dev::all_lanes, is_open)) continue;
    const auto first = engine::partitioned::first_in_frontier(s.in_offsets, s.in_neighbors, s.frontier, is_open, row);
    examined += first.arcs_until;
    const bool is_found = first.vertex != no_vertex;
    Offset at = 0;
    u64 degree = 0;
    if (is_found) {
      const u32 v = s.first + row;
      dev::plain_write(&s.distance[row], level);
      if (s.parent) dev::plain_write(&s.parent[row], first.vertex);
      dev::fetch_or(&s.known[v / word_bits], bit_of(v));
      at = dev::read_only(&s.offsets[row]);
      degree = dev::read_only(&s.offsets[row + 1ull]) - at;
      if (v == s.target) dev::fetch_add(&s.tally[turn].at_target, u64{1});
    }
    engine::partitioned::enqueue(dev::current_of(s.queue, turn), &s.tally[turn].queued, is_found, row, at, degree);
  }
  examined = dev::reduce_add(dev::all_lanes, examined);
  if (dev::lane() == 0 && examined) dev::fetch_add(&s.tally[turn].examined, examined);
}

}  // namespace hopwave::HW_MACHINE::ranks
