// A top-down level of the partitioned search: the arcs of the own frontier, and then the own vertices that a device has
// reached. Source and differences: search.h.
#pragma once

#include "bfs/engine/partitioned/level.h"
#include "bfs/engine/partitioned/own_rows.h"
#include "device/primitives/bitmap.h"
#include "device/primitives/expand.h"

namespace hopwave::HW_MACHINE::engine::partitioned {

/// After a bottom-up level, which queues nothing: queues the frontier.
template <class Offset>
HW_DEVICE void list(const State<Offset>& s, u32 turn, RowList& rows) {
  const auto queue_listed = [&](u32 listed) {
    const ListedRow mine = take_listed(rows, listed);
    Offset at = 0;
    u64 degree = 0;
    if (mine.has) {
      at = dev::read_only(&s.offsets[mine.row]);
      degree = dev::read_only(&s.offsets[mine.row + 1ull]) - at;
    }
    enqueue(s.queue[turn], &s.cursor[turn], mine.has, mine.row, at, degree);
    return mine.left;
  };
  const u64 warps = dev::global_threads() / dev::lanes;
  u32 listed = 0;
  for (u64 at = dev::global_thread() / dev::lanes * s.width; at < s.own_words(); at += warps * s.width) {
    const u64 w = at + dev::lane();
    const bool has_word = dev::lane() < s.width && w < s.own_words();
    listed = list_rows(at, has_word ? dev::plain_read(&s.found[turn][s.mine][w]) : Word{0}, rows, listed, queue_listed);
  }
  if (listed != 0) queue_listed(listed);
}

/// So many vertices, of which each lane has some in a row of `batch`, go to the device's list. Past its end nothing is written,
/// and the count shows that the list is not whole.
template <u32 batch, class Offset>
HW_DEVICE void add_to_list(const State<Offset>& s, u32 turn, const u32* vertex, const bool* fresh) {
  u32 mine = 0, all = 0;
  HW_UNROLL
  for (u32 j = 0; j < batch; ++j) mine += fresh[j];
  u32 place = dev::warp_exclusive_sum(mine, all);
  if (all == 0) return;
  u32* const count = &s.list_count[turn];
  u32 begin = 0;
  if (dev::lane() == 0) {
    begin = dev::peek(count);
    if (begin <= s.list_size) begin = dev::fetch_add(count, all);
  }
  place += dev::shuffle(dev::all_lanes, begin, 0);
  HW_UNROLL
  for (u32 j = 0; j < batch; ++j) {
    if (!fresh[j]) continue;
    HW_CHECK(vertex[j] < s.num_ids);  // Holds 4
    if (place < s.list_size) dev::plain_write(&s.list[s.mine][place], vertex[j]);
    ++place;
  }
}

/// Sets the bits of all neighbours of the own frontier. Arcs are shared evenly over the warps, whatever the rows' lengths.
/// Vertices that get their bit now are listed, if lists may do.
template <class Offset>
HW_DEVICE void expand(const State<Offset>& s, u32 queue_turn, const Level& now) {
  constexpr u32 batch = 4;
  const u64 queued = dev::load(&s.cursor[queue_turn]), arcs = QueuedArcs::get(queued);
  HW_CHECK(QueuedRows::get(queued) <= s.count);  // Holds 5
  const u64 warps = dev::global_threads() / dev::lanes, warp = dev::global_thread() / dev::lanes;
  const dev::RowQueue<Entry<Offset>, Offset> rows{s.queue[queue_turn], static_cast<u32>(QueuedRows::get(queued)),
                                                  static_cast<Offset>(arcs), s.neighbors};
  Word* reached = s.reached[s.mine];
  u32* reached_by = s.reached_by[s.mine];
  if (now.may_list)  // what lists find is set there bit by bit
    for (u64 w = dev::global_thread(); w < s.own_words(); w += dev::global_threads())
      dev::plain_write(&s.found[now.turn][s.mine][w], 0);
  dev::warp_expand<batch>(
      rows, static_cast<Offset>(arcs * warp / warps), static_cast<Offset>(arcs * (warp + 1) / warps), s.parent != nullptr,
      [&](const Entry<Offset>& entry) {
        HW_CHECK(dev::plain_read(&s.distance[entry.vertex]) == static_cast<Distance>(now.level) - 1);  // Holds 5
        return s.first + entry.vertex;
      },
      [&](const u32* to, const u32* from, const bool* open) {
        bool fresh[batch];
        HW_UNROLL
        for (u32 j = 0; j < batch; ++j) {
          // A look before may be stale: then the atomic changes nothing.
          const bool unseen = open[j] && !(dev::peek(&reached[to[j] / word_bits]) & bit_of(to[j]));
          fresh[j] = now.may_list && unseen && dev::claim_bit(reached, to[j]);
          if (!now.may_list && unseen)
            dev::fetch_or(&reached[to[j] / word_bits], bit_of(to[j]));  // its answer is not waited for
          if (open[j] && s.parent && dev::peek(&reached_by[to[j]]) > from[j]) dev::fetch_min(&reached_by[to[j]], from[j]);
        }
        if (now.may_list) add_to_list<batch>(s, now.turn, to, fresh);
      });
}

/// The least vertex of any device whose arc has reached an own row.
template <class Offset>
HW_DEVICE u32 least_reached_by(const State<Offset>& s, u32 row) {
  u32 least = no_vertex;
  for (u32 p = 0; p < s.devices; ++p) {
    const u32 by = dev::load_peer(&s.reached_by[p][s.first + row]);
    least = by < least ? by : least;
  }
  return least;
}

/// The last rows of the list are written down and queued, a row a lane. Returns how many are left.
template <class Offset>
HW_DEVICE u32 settle_listed(const State<Offset>& s, const Level& now, const RowList& rows, u32 listed, Message& mine) {
  const ListedRow own = take_listed(rows, listed);
  Offset at = 0;
  u64 degree = 0;
  if (own.has) {
    at = dev::read_only(&s.offsets[own.row]);
    degree = dev::read_only(&s.offsets[own.row + 1ull]) - at;
    HW_CHECK(dev::plain_read(&s.distance[own.row]) == unreached);  // Holds 1
    dev::plain_write(&s.distance[own.row], static_cast<Distance>(now.level));
    if (s.parent) {
      const u32 parent = least_reached_by(s, own.row);
      HW_CHECK(parent != no_vertex && is_parent(s, now, parent));  // Holds 2, 3
      dev::plain_write(&s.parent[own.row], parent);
    }
    mine.found += 1;
    mine.arcs += degree;
    if (s.first + own.row == s.target) mine.flags += Target::put(1);
  }
  enqueue(s.queue[now.turn], &s.cursor[now.turn], own.has, own.row, at, degree);
  return own.left;
}

/// Own vertices that a device has reached, by all devices' bitmaps. A warp takes `width` words at once, so that its reads of
/// other devices' words lie together.
template <class Offset>
HW_DEVICE void settle_bitmaps(const State<Offset>& s, const Level& now, RowList& rows, Message& mine) {
  const u32 words = s.own_words(), first_word = s.first_word[s.mine];
  const u64 warps = dev::global_threads() / dev::lanes, warp = dev::global_thread() / dev::lanes;
  u32 listed = 0;
  const auto settle_some = [&](u32 some) { return settle_listed(s, now, rows, some, mine); };
  for (u64 at = warp * s.width; at < words; at += warps * s.width) {
    const u64 w = at + dev::lane();
    const bool has_word = dev::lane() < s.width && w < words;
    const Word before = has_word ? dev::plain_read(&s.visited[w]) : static_cast<Word>(~Word{0});
    Word found = 0;
    if (before != static_cast<Word>(~Word{0})) {
      for (u32 p = 0; p < s.devices; ++p) found |= dev::load_peer(&s.reached[p][first_word + w]);
      found &= static_cast<Word>(~before);
    }
    if (has_word) dev::plain_write(&s.found[now.turn][s.mine][w], found);
    if (found != 0) dev::plain_write(&s.visited[w], static_cast<Word>(before | found));
    listed = list_rows(at, found, rows, listed, settle_some);
  }
  if (listed != 0) settle_some(listed);
}

/// The same by all devices' lists of what they have reached in this level, `size` the lengths, a device a lane. A warp takes as
/// many entries at once as it has lanes, of the list of one device.
template <class Offset>
HW_DEVICE void settle_lists(const State<Offset>& s, const Level& now, u32 size, RowList& rows, Message& mine) {
  const u64 warps = dev::global_threads() / dev::lanes, warp = dev::global_thread() / dev::lanes;
  u32 pieces = 0, listed = 0;
  const u32 before = dev::warp_exclusive_sum((size + dev::lanes - 1) / dev::lanes, pieces);
  for (u64 piece = warp; piece < pieces; piece += warps) {
    const u32 p = dev::last_lane_at_most(before, static_cast<u32>(piece));
    const u32 at = (static_cast<u32>(piece) - dev::shuffle(dev::all_lanes, before, p)) * dev::lanes + dev::lane();
    const u32 v = at < dev::shuffle(dev::all_lanes, size, p) ? dev::load_peer(&s.list[p][at]) : no_vertex;
    const u32 row = v - s.first;
    // Several devices may have reached it; one of the lanes takes it.
    const bool has = v >= s.first && row < s.count && dev::claim_bit(s.visited, row);
    HW_CHECK(v == no_vertex || v < s.num_ids);  // Holds 4
    if (has) dev::fetch_or(&s.found[now.turn][s.mine][row / word_bits], bit_of(row));
    const auto having = static_cast<dev::LaneBits>(dev::ballot(dev::all_lanes, has));
    if (has) rows.row[listed + dev::rank_in(having)] = row;
    listed += static_cast<u32>(dev::popcount(having));
    if (listed >= dev::lanes) listed = settle_listed(s, now, rows, listed, mine);
  }
  if (listed != 0) settle_listed(s, now, rows, listed, mine);
}

/// After a top-down level's first part: own vertices that a device has reached. `listed`: how many each device has. All see
/// the same counts, and so take the same way. Returns whether it was by lists.
template <class Offset>
HW_DEVICE bool settle(const State<Offset>& s, const Level& now, const u64* listed, RowList& rows, Message& mine) {
  if (now.may_list) {
    const u64 size = dev::lane() < s.devices ? listed[dev::lane()] : 0;
    if (!dev::any(dev::all_lanes, size > s.list_size)) {
      settle_lists(s, now, static_cast<u32>(size), rows, mine);
      return true;
    }
  }
  settle_bitmaps(s, now, rows, mine);
  return false;
}

}  // namespace hopwave::HW_MACHINE::engine::partitioned
