// How a pull distributes the bitmap's words over warps, and a warp's lists of vertices. A warp collects them over all of its
// words, so that it begins a chain of dependent reads only when every lane has a vertex for it.
#pragma once

#include "bfs/engine/grid_wide/push.h"

namespace hopwave::HW_MACHINE::engine::grid_wide {

inline constexpr u32 words_at_once = 8;  ///< whose vertices a warp has in flight
inline constexpr u32 tried = 0x8000;     ///< in a list, next to a place: its cached parent was tried in vain
inline constexpr u32 near_capacity = dev::lanes * (words_at_once + 1);
inline constexpr u32 far_capacity = dev::lanes * 3;

/// The words that a warp takes at once, a lane one: runs of a power of two.
struct Batch {
  u32 first, stride, shift;
  HW_DEVICE u32 word(u32 slot) const { return first + (slot >> shift) * stride + (slot & ((1u << shift) - 1)); }
  /// `place`: slot and bit.
  HW_DEVICE u32 vertex(u32 place) const { return word(place / word_bits) * word_bits + place % word_bits; }
};

/// A warp's b-th batch.
HW_DEVICE Batch batch_of(const WordPartition& partition, u32 b) {
  // Neighbouring words go to different blocks: hubs have neighbouring ids.
  const u32 warp = dev::warp() * dev::grid_size() + dev::block();
  return {(b * partition.stride + warp) << partition.shift, partition.warps << partition.shift, partition.shift};
}

/// A warp's lists of vertices still to be looked at, by their places in the batch, and what was found of them.
struct Worklist {
  std::uint16_t* near;  ///< whose first four neighbours come next
  std::uint16_t* far;   ///< whose other neighbours come next
  Word* found;          ///< a word a slot
  u32 near_fill, far_fill;
};
inline constexpr u32 worklist_bytes = (near_capacity + far_capacity) * sizeof(std::uint16_t);
inline constexpr u32 found_bytes = dev::lanes * sizeof(Word);

HW_DEVICE void append(std::uint16_t* list, u32& fill, bool mine, u32 place) {
  HW_CHECK(!mine || place < 1u << 16);
  const u32 at = dev::warp_append(fill, mine);
  if (mine) list[at] = dev::narrowed<std::uint16_t>(place);
}

/// Appends the places of the bits set in the lanes' words: one word at a time where few words have any, else a word a lane.
HW_DEVICE void append_bits(std::uint16_t* list, u32& fill, Word bits) {
  Word words = static_cast<Word>(dev::ballot(dev::all_lanes, bits != 0));
  if (dev::popcount(words) <= 8) {
    for (; words; words &= words - 1) {
      const u32 slot = static_cast<u32>(dev::find_first_set(words)) - 1;
      append(list, fill, dev::shuffle(dev::all_lanes, bits, slot) >> dev::lane() & 1, slot * word_bits + dev::lane());
    }
    return;
  }
  u32 at = fill + dev::warp_exclusive_sum(static_cast<u32>(dev::popcount(bits)));
  for (; bits; bits &= bits - 1)
    list[at++] = dev::narrowed<std::uint16_t>(dev::lane() * word_bits + dev::find_first_set(bits) - 1);
  fill = dev::shuffle(dev::all_lanes, at, dev::lanes - 1);
}

/// Takes up to a warp's width of places from a list's end; all lanes have read theirs when it returns.
HW_DEVICE bool take(const std::uint16_t* list, u32& fill, u32& place) {
  dev::sync_warp();  // what was appended
  const u32 count = fill < dev::lanes ? fill : dev::lanes;
  fill -= count;
  const bool mine = dev::lane() < count;
  place = mine ? list[fill + dev::lane()] : 0;
  dev::sync_warp();
  return mine;
}

inline constexpr u32 warp_left = dev::lanes;  ///< vertices that a warp may leave and still list

/// What a warp leaves: its vertices.
struct WarpLeft {
  u32* vertices;  ///< warp_left, shared
  u32 fill;
  bool unlisted;  ///< they are too many, or one's row is long
};

/// Notes the vertices that are left in the lanes' words; `limit`: vertices from there on do not count.
HW_DEVICE void note_left(WarpLeft& left, Worklist& list, const Batch& part, Word open, u32 limit) {
  const Word mine = open & ~empty_word(part.word(dev::lane()), limit);
  const u32 count = static_cast<u32>(dev::popcount(mine)), total = dev::reduce_add(dev::all_lanes, count);
  if (!total || left.unlisted) return;
  if (left.fill + total > warp_left) {
    left.unlisted = true;
    return;
  }
  HW_CHECK(left.fill + total <= warp_left);
  u32 noted = 0, place = 0;
  append_bits(list.near, noted, mine);
  if (take(list.near, noted, place)) left.vertices[left.fill + dev::lane()] = part.vertex(place);
  left.fill += total;
}

}  // namespace hopwave::HW_MACHINE::engine::grid_wide
