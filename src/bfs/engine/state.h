// What the engine's kernels share: the graph as they see it, their memory, a level's totals and the rule that picks a step.
// Prepared graphs have ids by falling degree, so that the bits tested most lie together and can stay in shared memory.
#pragma once

#include <cstdint>
#include <type_traits>

#include "bfs/engine/grid_wide/next_step.h"
#include "bfs/plan/halt.h"
#include "device/kernel.h"
#include "device/packed.h"
#include "hopwave/types.h"

namespace hopwave::HW_MACHINE::engine {

using dev::u32;
using dev::u64;
using hopwave::engine::Progress;
using hopwave::engine::Totals;
using enum hopwave::engine::Mode;
using Byte = std::uint8_t;

/// A word of a bitmap has as many bits as a warp has lanes: one warp settles it.
using Word = std::conditional_t<dev::lanes == 64, u64, u32>;
inline constexpr u32 word_bits = dev::lanes;
inline constexpr u32 group_words = 4;       ///< bitmaps are padded to whole groups; bits past the end are set
inline constexpr u32 single = 0x80000000u;  ///< in a first neighbour: the row has no second one
inline constexpr u32 id_mask = 0x7FFFFFFFu;
inline constexpr u32 num_cursors = 3;
inline constexpr Byte left_byte = 255;    ///< in place of a level: the vertex is listed as left
inline constexpr u32 deepest_byte = 254;  ///< levels a byte can hold before they must be written out

/// A frontier vertex: where its row begins and how many edges the frontier has before it.
template <class Offset>
struct alignas(16) Entry {
  Offset begin;
  Offset before;
  u32 vertex;
  u32 unused;  ///< 0: written, so that an entry is one store, and is read as a whole
};

template <class Offset>
struct Graph {
  u32 num_vertices;
  u64 num_arcs;
  const Offset* offsets;  ///< along the search
  const u32* neighbors;
  const Offset* in_offsets;  ///< against it
  const u32* in_neighbors;
  const u32* first_neighbor;  ///< first in-neighbour of each row | single; not prepared: cached parents; null: neither
  /// First four in-neighbours of each row, the vertex itself where there are fewer; fourth | single: there are no more.
  const dev::Quad* quads;
  const u32* rank;        ///< caller's id → ours; null: the same
  const u32* order;       ///< ours → caller's
  u32 largest_component;  ///< vertices below this are one component; 0: not known
};

/// What one block brings to a barrier; a tag in the low bits says to which one.
struct Slot {
  u64 first, second;
};

struct LevelRecord {
  u32 mode, level;
  u64 frontier, edges, found;
  u64 worked, clock;  ///< when the first block was done, and when all had reached the barrier
};

/// A search of more levels than this is traced from its distances, without times and edges.
inline constexpr u32 most_records = 1 << 16;

/// A sum of 64 bits in shared memory, in two halves. There an atomic of 64 bits is a loop of compare-and-swap, which costs a
/// microsecond when all warps of a block contend for it; one of 32 bits is one instruction.
struct WideSum {
  u32 low, high;
  HW_DEVICE void add(u64 value) {
    const u32 part = static_cast<u32>(value), old = dev::fetch_add(&low, part);
    const u32 carried = static_cast<u32>(value >> 32) + (old + part < old ? 1 : 0);
    if (carried) dev::fetch_add(&high, carried);
  }
  HW_DEVICE void set(u64 value) { *this = {static_cast<u32>(value), static_cast<u32>(value >> 32)}; }
  HW_DEVICE u64 get() const { return static_cast<u64>(high) << 32 | low; }
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

/// The sums over all blocks, in shared memory; edges in two parts, for the same reason.
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

struct Control {
  Progress progress;
  u64 visited;
  u32 levels;
  u32 records;
  u64 began, opened, settled, ended;  ///< clock, if traced: at the start, before the first step, after the last, at the end
};

template <class Offset>
struct State {
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
  const u32* sources;  ///< caller's ids, if there are several
  u32 source;          ///< if there is one
  u32 num_sources;
  u32 target;  ///< caller's id or no_vertex
  u32 launch_parity;
  const u32* halt;  ///< not 0 there: the search shall end; null: it has no limits
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

/// The i-th source. A single one is a kernel parameter: its upload would count as search time.
template <class SearchState>
HW_DEVICE u32 source_of(const SearchState& s, u32 i) {
  return s.num_sources == 1 ? s.source : dev::read_only(&s.sources[i]);
}

/// Count and edges of a queue in one word, so that one atomic takes a place in both.
inline constexpr u32 edge_bits = 34;
inline constexpr u64 edge_mask = (u64{1} << edge_bits) - 1;
HW_DEVICE u64 packed(u64 count, u64 edges) {
  HW_CHECK(edges <= edge_mask && count >> (64 - edge_bits) == 0);
  return count << edge_bits | edges;
}

inline constexpr u64 max_engine_vertices = (u64{1} << (64 - edge_bits)) - 1;
inline constexpr u64 max_engine_arcs = edge_mask;

template <class Offset>
HW_DEVICE u32 num_words(const Graph<Offset>& g) {
  const u32 words = (g.num_vertices + word_bits - 1) / word_bits;
  return (words + group_words - 1) / group_words * group_words;
}
HW_DEVICE Word bit_of(u32 v) { return Word{1} << (v % word_bits); }

/// The bitmap word of nothing visited: only the bits past the last vertex are set.
HW_DEVICE Word empty_word(u32 w, u32 n) {
  const u64 first = static_cast<u64>(w) * word_bits;
  if (first + word_bits <= n) return 0;
  return first >= n ? ~Word{0} : static_cast<Word>(~Word{0} << (n - first));
}

template <class Offset>
HW_DEVICE bool is_isolated(const State<Offset>& s, u32 v) {
  return s.isolated && dev::read_only(&s.isolated[v / word_bits]) >> (v % word_bits) & 1;
}

}  // namespace hopwave::HW_MACHINE::engine
