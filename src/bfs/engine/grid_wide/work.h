// What a search of the whole grid works with: its memory, its rule, and what each block counts.
#pragma once

#include "bfs/engine/grid_wide/next_step.h"
#include "bfs/engine/warp_buffer.h"
#include "bfs/plan/halt.h"
#include "bfs/plan/thresholds.h"
#include "device/shared_layout.h"

namespace hopwave::HW_MACHINE::engine::grid_wide {

using hopwave::engine::Totals;

inline constexpr u32 num_cursors = 3;
inline constexpr Byte left_byte = 255;    ///< in place of a level: the vertex is listed as left
inline constexpr u32 deepest_byte = 254;  ///< levels a byte can hold before they must be written out

/// What one block brings to a barrier; a tag in the low bits says to which one.
struct Slot {
  u64 first, second;
};

/// What a block counted in a step, in shared memory.
struct Counts {
  WideSum flushed;          ///< queued: count and edges, packed
  u32 visited_bits;         ///< pull: of the words it wrote
  u32 found;                ///< pull: if they are not queued
  u32 incomplete;           ///< 1: a warp found too many to queue
  u32 left;                 ///< vertices left and listed
  u32 unlisted;             ///< 1: a warp leaves too many vertices to list them, or one with a long row
  u32 found_alone;          ///< alone: in all levels
  u32 single_block_levels;  ///< alone: how many
};

/// The sums over all blocks, in shared memory; edges in two parts, for the reason of WideSum.
struct Sums {
  u32 counted, found, edges_low, edges_high, note;
};

/// How a bitmap's words are distributed over the grid's warps: in as few batches as possible, all of about the same width. The
/// host computes it, because an integer division by every warp in every step is expensive.
struct WordPartition {
  u32 words, warps;
  u32 width;    ///< words a warp takes at once
  u32 batches;  ///< how often
  u32 shift;    ///< they are in runs of 1 << shift
  u32 stride;   ///< runs in a batch of all warps
};
inline WordPartition partition_words(u32 words, u32 warps) {
  const u32 each = (words + warps - 1) / warps, batches = each ? (each + dev::lanes - 1) / dev::lanes : 0;
  if (each <= 8) return {words, warps, each, batches, 0, each * warps};
  const u32 width = ((each + batches - 1) / batches + 7) / 8 * 8;
  return {words, warps, width, batches, 3, width / 8 * warps};
}

/// What decides between steps, and how a step is shared.
struct Rule : hopwave::engine::StepRule {
  u64 tail_limit;          ///< one block goes on alone when no more vertices than this are left after a pull
  u64 single_block_edges;  ///< one block goes alone at no more edges than this
  u32 stretch;             ///< levels that it takes before the next barrier
  u32 shared_bytes;        ///< dynamic shared memory of a block
  u32 fast_degree;         ///< a single source of at most this degree is expanded by every block for itself
  u32 warp_buffer_limit;   ///< vertices a warp may buffer in a pull before it gives up queueing
  u32 share;               ///< 2³² / warps of the grid
  WordPartition partition;
};

template <class Offset>
struct State : Asked {
  Word* visited[2];
  Word* stale[2];  ///< those of the search before, emptied here for the next
  Word* settled;   ///< vertices whose level is written out already (searches deeper than a byte)
  Byte* level8;
  Distance* level;  ///< the answer, in the caller's ids
  u32* parent;      ///< null unless wanted; ours
  u32* parent_out;  ///< the answer, in the caller's ids
  /// Not prepared: the neighbour that found each vertex in an earlier pull, at first the vertex itself | single: its only one.
  u32* cached_parent;
  Entry<Offset>* queue[2];
  u64* cursor;        ///< three, taken in turn: count and edges of the queue being made
  u64* stale_cursor;  ///< those of the search before
  u32* left;          ///< vertices that the last pull has not found, while they are few: a part for each block
  u32* left_count;    ///< how many in each part
  Slot* slots;        ///< 2 launches × 2 barriers × blocks
  Control* control;
  LevelRecord* records;  ///< null unless traced
  u32 record_capacity;
  u32 launch_parity;
  /// Bitmap of the isolated vertices. Their bits are visited from the start, which spares every pull a look at them, but they
  /// do not count in Progress::visited. Null: none are set apart.
  const Word* isolated;
  u32 num_isolated;
  /// Not prepared: what each of the first pulls found, a bitmap a pull. The last pass writes their levels, whole lines at a
  /// time: a pull finds vertices here and there, and would write parts of most lines.
  Word* found_by_pull;
};
inline constexpr u32 most_kept_pulls = 4;  ///< pulls that have such a bitmap; later ones write levels themselves

/// As a kernel sees it. Plain: the graph is not prepared. Then ids are the caller's, and a level is written as the answer when
/// it is found; else as a byte, which the last pass widens and puts in order.
template <class Offset, bool Plain>
struct Searching : State<Offset> {};

template <class Offset>
HW_DEVICE bool is_isolated(const State<Offset>& s, u32 v) {
  return s.isolated && dev::read_only(&s.isolated[v / word_bits]) >> (v % word_bits) & 1;
}

/// The pulls whose levels are not written yet, and those levels.
struct KeptPulls {
  u32 count;
  u32 level[most_kept_pulls];
};

/// A block's shared memory without the dynamic part.
template <class Offset>
struct Scratch {
  Entry<Offset> first[thresholds::AnyDevice::fast_limit];
  HW_BORDER(behind_first);
  u64 warp_sums[max_warps + 1];
  HW_BORDER(behind_warp_sums);
  Offset single_block_sums[max_warps + 1];  ///< one is not used: it aligns what follows for wide accesses
  HW_BORDER(behind_single_block_sums);
  Counts mine;
  u32 count, single_block_count;
  u64 edges;
  HW_BORDER(before_sums);
  Sums sums[2];
  HW_BORDER(behind_sums);
  Progress now;
  KeptPulls kept;
  u64 began, opened, settled;  ///< clocks, if traced
};

/// For one thread of the block.
template <class Offset>
HW_DEVICE void close_borders([[maybe_unused]] Scratch<Offset>& b) {
  HW_CLOSE_BORDER(b.behind_first);
  HW_CLOSE_BORDER(b.behind_warp_sums);
  HW_CLOSE_BORDER(b.behind_single_block_sums);
  HW_CLOSE_BORDER(b.before_sums);
  HW_CLOSE_BORDER(b.behind_sums);
}

/// What a block has over a whole search.
template <class Offset, bool Plain>
struct Work {
  const Graph<Offset>& g;
  const Searching<Offset, Plain>& s;
  const Rule& rule;
  Scratch<Offset>& b;
  void* memory;               ///< dynamic shared memory, laid out by init_temp_storage for each step
  bool in_largest_component;  ///< the search begins there
  u32 most;                   ///< vertices of the part of the graph that the search is in
  /// Vertices that can be found.
  HW_DEVICE u32 reachable() const { return most - s.num_isolated; }
};

}  // namespace hopwave::HW_MACHINE::engine::grid_wide
