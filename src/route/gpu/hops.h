// Many searches at once: a warp takes a scenario and finds the number of steps between its ends. A copy of the map's
// free cells is in shared memory, from which reached cells are removed. The frontier is a list of words with the bits
// found in them.
#pragma once

#include "device/primitives/warp.h"

namespace hopwave::HW_MACHINE::grids {

using dev::u32;
using dev::u64;

inline constexpr u32 no_route = ~0u;       ///< hops of a goal that cannot be reached
inline constexpr u32 list_full = ~0u - 1;  ///< the frontier had more words than its room

struct HopsMap {
  const u32* words;  ///< the caller's grid in words of 32 bits
  u32 num_words, row_words;
  u32 room;  ///< words in a frontier
};

struct Found {
  u32 word, bits;
};

/// Returns the cells to which `bits` of a word spread, and removes them from the word `to`.
HW_DEVICE u32 take_cells(u32* open, u32 to, u32 bits) {
  if (!bits || !(dev::peek(&open[to]) & bits)) return 0;
  return dev::fetch_and(&open[to], ~bits) & bits;
}

/// Appends what each lane found to the list. Returns the new number of words in the list.
HW_DEVICE u32 append(Found* list, u32 count, u32 room, u32 word, u32 bits) {
  const u32 slot = dev::warp_append(count, bits != 0);
  if (bits && slot < room) list[slot] = {word, bits};
  return count;
}

/// Returns the number of steps from one cell to another, found by one warp.
HW_DEVICE u32 count_hops(const HopsMap& g, u32* open, Found* lists, u32 from, u32 to) {
  for (u32 w = dev::lane(); w < g.num_words; w += dev::lanes) open[w] = dev::read_only(&g.words[w]);
  dev::sync_warp();
  if (from == to) return 0;
  if (dev::lane() == 0) {
    lists[0] = {from / 32, 1u << from % 32};
    open[from / 32] &= ~(1u << from % 32);
  }
  dev::sync_warp();
  u32 count = 1;
  for (u32 level = 0; count > 0; ++level) {
    const Found* now = lists + (level & 1) * g.room;
    Found* next = lists + (1 - (level & 1)) * g.room;
    u32 found = 0;
    for (u32 begin = 0; begin < count; begin += dev::lanes) {
      const u32 i = begin + dev::lane();
      const Found f = i < count ? now[i] : Found{1, 0};
      const u32 side = take_cells(open, f.word, f.bits << 1 | f.bits >> 1);
      const u32 left = take_cells(open, f.word - 1, f.bits << 31), right = take_cells(open, f.word + 1, f.bits >> 31);
      const u32 up = take_cells(open, f.word - g.row_words, f.bits), down = take_cells(open, f.word + g.row_words, f.bits);
      found = append(next, found, g.room, f.word, side);
      found = append(next, found, g.room, f.word - g.row_words, up);
      found = append(next, found, g.room, f.word + g.row_words, down);
      if (dev::any(dev::all_lanes, (left | right) != 0)) {
        found = append(next, found, g.room, f.word - 1, left);
        found = append(next, found, g.room, f.word + 1, right);
      }
    }
    dev::sync_warp();
    // The answer must be the same for all lanes: faster lanes may take the goal's bit in the next level already.
    if (dev::any(dev::all_lanes, !(dev::peek(&open[to / 32]) >> to % 32 & 1))) return level + 1;
    HW_CHECK(level + 1 < list_full);
    if (found > g.room) return list_full;
    count = found;
  }
  return no_route;
}

/// A block is one warp; `next` assigns the scenarios.
HW_HEADER_KERNEL void HW_BOUNDS(64, 1) hops(HopsMap g, const u32* from, const u32* to, u32 count, u32* result, u32* next) {
  HW_SHARED_PARTS(u32, memory);
  HW_CHECK(dev::block_size() <= 64);
  u32* const open = dev::shared_part(memory, g.num_words);
  Found* const lists = dev::shared_part(reinterpret_cast<Found*>(memory + (g.num_words + 1) / 2 * 2), 2 * g.room);
  for (;;) {
    const u32 i = dev::warp_reserve(next, 1u);
    if (i >= count) return;
    dev::sync_warp();
    const u32 steps = count_hops(g, open, lists, dev::read_only(&from[i]), dev::read_only(&to[i]));
    if (dev::lane() == 0) result[i] = steps;
    dev::sync_warp();
  }
}

}  // namespace hopwave::HW_MACHINE::grids
