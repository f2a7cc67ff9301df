// A bottom-up level of the partitioned search: own vertices not visited look for a neighbour in the frontier.
// The first neighbour of every row is in an array of its own, so most rows need no look at their offsets. Rows that it does
// not settle are listed until there is one for each lane: however few of a word are left, all lanes have work.
#pragma once

#include "bfs/engine/partitioned/level.h"
#include "bfs/engine/partitioned/own_rows.h"

namespace hopwave::HW_MACHINE::engine::partitioned {

/// Writes down that a row's vertex was found, and counts it.
template <class Offset>
HW_DEVICE void write_pulled(const State<Offset>& s, const Level& now, u32 row, u32 parent, Message& mine) {
  HW_CHECK(dev::plain_read(&s.distance[row]) == unreached);  // Holds 1
  HW_CHECK(is_parent(s, now, parent));                       // Holds 2
  dev::plain_write(&s.distance[row], static_cast<Distance>(now.level));
  if (s.parent) dev::plain_write(&s.parent[row], parent);
  mine.found += 1;
  if (now.counts_arcs) mine.arcs += dev::read_only(&s.offsets[row + 1ull]) - dev::read_only(&s.offsets[row]);
  if (s.first + row == s.target) mine.flags += Target::put(1);
}

/// The last rows of the list look at all but their first neighbour. Returns how many are left.
template <class Offset>
HW_DEVICE u32 pull_listed(const State<Offset>& s, const Level& now, u32 first_word, WarpMemory& memory, u32 listed,
                          Message& mine) {
  const ListedRow own = take_listed(memory.list, listed);
  const u32 parent = first_in_frontier(s.in_offsets, s.in_neighbors, s.frontier, own.has, own.row, 1).vertex;
  if (parent != no_vertex) {
    write_pulled(s, now, own.row, parent, mine);
    dev::fetch_or(&memory.found[own.row / word_bits - first_word], bit_of(own.row));
  }
  dev::sync_warp();
  return own.left;
}

/// All own words, `width` of them a warp at once.
template <class Offset>
HW_DEVICE void pull(const State<Offset>& s, const Level& now, WarpMemory& memory, Message& mine) {
  constexpr u32 batch = 4;  // words that are looked at together
  const u32 words = s.own_words();
  const u64 warps = dev::global_threads() / dev::lanes, warp = dev::global_thread() / dev::lanes;
  for (u64 at = warp * s.width; at < words; at += warps * s.width) {
    const u64 w = at + dev::lane();
    const bool has_word = dev::lane() < s.width && w < words;
    const Word open = has_word ? static_cast<Word>(~dev::plain_read(&s.visited[w])) : Word{0};
    memory.found[dev::lane()] = 0;
    dev::sync_warp();
    Word kept = 0;
    u32 listed = 0;
    auto todo = static_cast<dev::LaneBits>(dev::ballot(dev::all_lanes, open != 0));
    while (todo != 0) {
      u32 slot[batch], row[batch], first[batch];
      bool mine_open[batch], hit[batch];
      HW_UNROLL
      for (u32 j = 0; j < batch; ++j) {
        slot[j] = todo != 0 ? static_cast<u32>(dev::find_first_set(todo)) - 1 : dev::lanes;
        if (todo != 0) todo &= todo - 1;
        const Word bits = dev::shuffle(dev::all_lanes, open, slot[j] % dev::lanes);
        mine_open[j] = slot[j] < dev::lanes && (bits >> dev::lane() & 1);
        row[j] = (static_cast<u32>(at) + slot[j]) * word_bits + dev::lane();
      }
      HW_UNROLL
      for (u32 j = 0; j < batch; ++j) first[j] = mine_open[j] ? dev::read_only(&s.first_neighbor[row[j]]) : 0;
      HW_UNROLL
      for (u32 j = 0; j < batch; ++j) hit[j] = mine_open[j] && dev::test_bit(s.frontier, first[j] & id_mask);
      HW_UNROLL
      for (u32 j = 0; j < batch; ++j) {
        if (hit[j]) write_pulled(s, now, row[j], first[j] & id_mask, mine);
        const auto hits = static_cast<Word>(dev::ballot(dev::all_lanes, hit[j]));
        if (dev::lane() == slot[j]) kept = hits;
        const bool goes_on = mine_open[j] && !hit[j] && !(first[j] & single);
        const auto going_on = static_cast<dev::LaneBits>(dev::ballot(dev::all_lanes, goes_on));
        if (goes_on) memory.list.row[listed + dev::rank_in(going_on)] = row[j];
        listed += static_cast<u32>(dev::popcount(going_on));
        if (listed >= dev::lanes) listed = pull_listed(s, now, static_cast<u32>(at), memory, listed, mine);
      }
    }
    if (listed != 0) pull_listed(s, now, static_cast<u32>(at), memory, listed, mine);
    dev::sync_warp();
    kept |= memory.found[dev::lane()];
    dev::sync_warp();
    if (!has_word) continue;
    dev::plain_write(&s.found[now.turn][s.mine][w], kept);
    if (kept != 0) dev::plain_write(&s.visited[w], static_cast<Word>(dev::plain_read(&s.visited[w]) | kept));
  }
}

}  // namespace hopwave::HW_MACHINE::engine::partitioned
