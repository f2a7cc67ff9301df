// What the two parts of a level share: what all threads know of it, and the lists of rows that a warp collects until there is
// one for each lane.
#pragma once

#include "bfs/engine/partitioned/state.h"
#include "device/primitives/bitmap.h"

namespace hopwave::HW_MACHINE::engine::partitioned {

/// The same in all threads of all devices.
struct Level {
  u32 level, turn;  ///< of the vertices that it finds
  bool bottom_up;
  bool counts_arcs;  ///< the arcs in the rows found are wanted
  bool may_list;     ///< top-down: so little may be reached that lists are shorter than bitmaps
};

/// For checks: is a vertex at the distance before this level's? Of an own one that can be seen.
template <class Offset>
HW_DEVICE bool is_parent(const State<Offset>& s, const Level& now, u32 vertex) {
  if (vertex >= s.num_ids || vertex < s.first || vertex - s.first >= s.count) return vertex < s.num_ids;
  return dev::plain_read(&s.distance[vertex - s.first]) == static_cast<Distance>(now.level) - 1;
}

/// A warp's list of rows, in shared memory.
struct RowList {
  u32 row[2 * dev::lanes];
};

/// A warp's part of shared memory.
struct WarpMemory {
  RowList list;
  Word found[dev::lanes];  ///< in a bottom-up level, of the words that the warp has taken: what listed rows have found
};

struct ListedRow {
  bool has;
  u32 row;
  u32 left;  ///< on the list
};

/// The last rows of a list of `listed` ones, one a lane as far as there are any. Whole warps.
HW_DEVICE ListedRow take_listed(const RowList& list, u32 listed) {
  const u32 some = listed < dev::lanes ? listed : dev::lanes;
  dev::sync_warp();
  ListedRow taken{dev::lane() < some, 0, listed - some};
  if (taken.has) taken.row = list.row[listed - some + dev::lane()];
  dev::sync_warp();
  return taken;
}

/// Rows of set bits, `bits` a word a lane, go to the warp's list; whenever there is one for each lane, `flush` takes the last
/// ones and returns how many are left. Returns that of the end.
template <class Flush>
HW_DEVICE u32 list_rows(u64 first_word, Word bits, RowList& list, u32 listed, Flush&& flush) {
  auto todo = static_cast<dev::LaneBits>(dev::ballot(dev::all_lanes, bits != 0));
  for (; todo != 0; todo &= todo - 1) {
    const u32 k = static_cast<u32>(dev::find_first_set(todo)) - 1;
    const auto of_word = static_cast<dev::LaneBits>(dev::shuffle(dev::all_lanes, bits, k));
    if (of_word >> dev::lane() & 1)
      list.row[listed + dev::rank_in(of_word)] = (static_cast<u32>(first_word) + k) * word_bits + dev::lane();
    listed += static_cast<u32>(dev::popcount(of_word));
    if (listed >= dev::lanes) listed = flush(listed);
  }
  return listed;
}

}  // namespace hopwave::HW_MACHINE::engine::partitioned
