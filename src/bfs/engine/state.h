// What the engine's kernels share: the graph as they see it, bitmaps, entries of queues, and what a search leaves for the host.
// Prepared graphs have ids by falling degree, so that the bits tested most lie together and can stay in shared memory.
#pragma once

#include <cstdint>
#include <type_traits>

#include "bfs/engine/grid_wide/next_step.h"
#include "device/kernel.h"
#include "device/packed.h"
#include "hopwave/types.h"

namespace hopwave::HW_MACHINE::engine {

using dev::u32;
using dev::u64;
using hopwave::engine::Progress;
using enum hopwave::engine::Mode;
using Byte = std::uint8_t;

/// A word of a bitmap has as many bits as a warp has lanes: one warp settles it.
using Word = std::conditional_t<dev::lanes == 64, u64, u32>;
inline constexpr u32 word_bits = dev::lanes;
inline constexpr u32 group_words = 4;       ///< bitmaps are padded to whole groups; bits past the end are set
inline constexpr u32 single = 0x80000000u;  ///< in a first neighbour: the row has no second one
inline constexpr u32 id_mask = 0x7FFFFFFFu;
inline constexpr u32 no_word = ~0u;  ///< in rows of other forms than CSR: nothing

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

struct LevelRecord {
  u32 mode, level;
  u64 frontier, edges, found;
  u64 worked, clock;  ///< when the first block was done, and when all had reached the barrier
};

/// A search of more levels than this is traced from its distances, without times and edges.
inline constexpr u32 most_records = 1 << 16;

struct Control {
  Progress progress;
  u64 visited;
  u32 levels;
  u32 records;
  u64 began, opened, settled, ended;  ///< clock, if traced: at the start, before the first step, after the last, at the end
};

/// What a caller asks of a search; set_query() in query.h fills it.
struct Asked {
  const u32* sources;  ///< caller's ids, if there are several
  u32 source;          ///< if there is one
  u32 num_sources;
  u32 target;       ///< caller's id or no_vertex
  const u32* halt;  ///< not 0 there: the search shall end; null: it has no limits
};

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

/// What is left of a row.
template <class Offset>
struct RowRest {
  Offset at, end;
};
/// Four neighbours by one read, of an array of `count`. `once`: they are not read again soon.
template <bool once = false>
HW_DEVICE dev::Quad read_quad(const u32* neighbors, u64 first, u64 count) {
  if constexpr (once) {
    if (first + 4 <= count) return dev::read_once(reinterpret_cast<const dev::Quad*>(neighbors + first));
  }
  if (first + 4 <= count) return dev::read_only(reinterpret_cast<const dev::Quad*>(neighbors + first));
  const auto one = [&](u64 i) { return i < count ? dev::read_only(&neighbors[i]) : 0; };
  return {one(first), one(first + 1), one(first + 2), one(first + 3)};
}

/// The bitmap word of nothing visited: only the bits past the last vertex are set.
HW_DEVICE Word empty_word(u32 w, u32 n) {
  const u64 first = static_cast<u64>(w) * word_bits;
  if (first + word_bits <= n) return 0;
  return first >= n ? ~Word{0} : static_cast<Word>(~Word{0} << (n - first));
}

}  // namespace hopwave::HW_MACHINE::engine
