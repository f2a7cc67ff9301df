// Many searches at the same time, each by a block of its own: for thin graphs. There a level has too few vertices for more than
// a block, a block's barrier costs a fraction of any other, and frontiers of different sources seldom meet, so that a pass has
// nothing to share. Level by level; a queue entry is the vertex's row, read when the vertex is found.
// Source: Jia et al., Edge v. Node Parallelism for Graph Centrality Metrics, 2011; McLaughlin and Bader, SC'14.
// Ours differs: queue entries carry rows, bits are in shared memory where they fit.
//
// Holds here, at the block's barrier after level L:
// 1. Exactly the vertices at distance at most L have their bits.
// 2. A vertex has one place, in the queue of its level or after it in the spilled part. A level that is wider than both ends
//    the search, and is reported.
// 3. No block looks at another block's memory.
#pragma once

#include "bfs/engine/quads.h"
#include "bfs/plan/halt.h"
#include "device/primitives/warp.h"

namespace hopwave::HW_MACHINE::engine::per_source {

/// What the host reads of a search.
struct PerSourceControl {
  u64 visited;
  u32 levels;               ///< the greatest distance
  u32 cancelled, too_wide;  ///< 1: a limit of the call ended it after `levels`; a level was wider than there is room for
  u32 no_hole;
};

/// The searches of a launch.
struct PerSource {
  const Quad* quads;  ///< rows, as asynchronous warps have them
  u32 num_vertices;
  const u32* sources;
  u32 count;
  Distance max_depth;
  Distance* level;  ///< a row a search; null where levels are only counted
  u64 stride;       ///< of a row
  /// Vertices at distance d in search i: counted[(i / columns · count_levels + d) · columns + i % columns]; null unless wanted.
  u32* counted;
  u32 columns, count_levels;
  u32* bits;       ///< visited, a block's after the other's, where they are in global memory
  u32 bit_words;   ///< of a block: a multiple of four
  u32 queue_rows;  ///< of each of a block's two queues
  u32* spill;      ///< vertices that found no room there, two parts a block
  u32 spill_room;  ///< of a part
  PerSourceControl* control;
  const u32* halt;  ///< not 0 there: the searches shall end; null: they have no limits
};

/// A block's memory while it searches.
struct PerSourceBlock {
  u32* bits;
  Quad* queue;   ///< two, by turns
  u32* spill;    ///< likewise
  u32* counts;   ///< of the frontiers, four in turn
  u32* halt_at;  ///< the level at which a limit ends the search; 0: none so far
};

struct PerSourceStorage {
  u32 counts[4], halt_at;
};

HW_DEVICE Quad no_row() { return {no_word, no_word, no_word, no_word}; }

/// Puts a vertex of level `level` at its place in that level's queue. What finds no room in both parts is dropped: the level's
/// count says so.
HW_DEVICE void put(const PerSource& s, const PerSourceBlock& b, u32 level, u32 place, const Quad& row, u32 v) {
  if (place < s.queue_rows)
    b.queue[(level & 1) * s.queue_rows + place] = row;
  else if (place - s.queue_rows < s.spill_room)
    dev::plain_write(&b.spill[(level & 1) * s.spill_room + place - s.queue_rows], v);
}

/// A link to the next quad of a long row, or the word of no neighbour.
HW_DEVICE bool is_link(u32 word) { return word != no_word && word & link_bit; }

/// The neighbours in a lane's quad that were not visited before get the level, and go into its queue; all lanes of a warp.
/// Whatever does not depend on what came before is asked for at once: a level takes as long as its longest chain.
HW_DEVICE void visit(const PerSource& s, const PerSourceBlock& b, Distance* row_of_levels, const Quad& quad, u32 level) {
  const u32 word[quad_words] = {quad.x, quad.y, quad.z, quad.w};
  bool found[quad_words];
  Quad row[quad_words];
  u32 place[quad_words], total = 0;
  HW_UNROLL
  for (u32 j = 0; j < quad_words; ++j)
    found[j] = !(word[j] & link_bit) && !(dev::peek(&b.bits[word[j] / 32]) >> (word[j] % 32) & 1);
  HW_UNROLL
  for (u32 j = 0; j < quad_words; ++j)
    if (found[j]) row[j] = dev::read_only(&s.quads[word[j]]);
  HW_UNROLL
  for (u32 j = 0; j < quad_words; ++j)
    if (found[j]) found[j] = !(dev::fetch_or(&b.bits[word[j] / 32], 1u << (word[j] % 32)) >> (word[j] % 32) & 1);
  HW_UNROLL
  for (u32 j = 0; j < quad_words; ++j) place[j] = dev::warp_append(total, found[j]);
  if (total == 0) return;
  const u32 base = dev::warp_reserve(&b.counts[level & 3], total);
  HW_UNROLL
  for (u32 j = 0; j < quad_words; ++j) {
    if (!found[j]) continue;
    put(s, b, level, base + place[j], row[j], word[j]);
    if (row_of_levels) dev::plain_write(&row_of_levels[word[j]], static_cast<Distance>(level));
  }
}

/// Goes through the rows of a frontier of so many vertices, a lane a row.
HW_DEVICE void expand(const PerSource& s, const PerSourceBlock& b, Distance* row_of_levels, u32 count, u32 level) {
  for (u32 first = dev::warp() * dev::lanes; first < count; first += dev::block_size()) {
    const u32 i = first + dev::lane();
    Quad quad = no_row();
    if (i < count)
      quad = i < s.queue_rows
                 ? b.queue[(level & 1) * s.queue_rows + i]
                 : dev::read_only(&s.quads[dev::plain_read(&b.spill[(level & 1) * s.spill_room + i - s.queue_rows])]);
    for (bool more = true; more;) {
      const bool link = is_link(quad.w);
      const Quad next = link ? dev::read_only(&s.quads[quad.w & ~link_bit]) : no_row();
      visit(s, b, row_of_levels, quad, level + 1);
      quad = next;
      more = dev::any(dev::all_lanes, link);
    }
  }
}

/// All levels of one search.
HW_DEVICE PerSourceControl run_levels(const PerSource& s, const PerSourceBlock& b, Distance* row_of_levels, u32* counted) {
  PerSourceControl seen{};
  const u32 limit = s.max_depth < 0 ? no_vertex : static_cast<u32>(s.max_depth);
  for (u32 level = 0;; ++level) {
    dev::sync_block();
    const u32 count = b.counts[level & 3], halt_at = dev::load(b.halt_at);  // of this level at most: see below
    if (count == 0) return seen;
    seen.visited += count;
    seen.levels = level;
    seen.too_wide = count > s.queue_rows && count - s.queue_rows > s.spill_room;
    seen.cancelled = halt_at && halt_at <= level;
    if (counted && level < s.count_levels && dev::thread() == 0)
      dev::plain_write(&counted[static_cast<u64>(level) * s.columns], count);
    if (level == limit || seen.too_wide || seen.cancelled) return seen;
    if (dev::thread() == 0) {
      b.counts[(level + 2) & 3] = 0;
      // For the next level: in this one, some threads have not looked yet.
      if (halted(s.halt)) dev::store(b.halt_at, level + 1);
    }
    expand(s, b, row_of_levels, count, level);
  }
}

HW_DEVICE void search(const PerSource& s, const PerSourceBlock& b, u32 i) {
  for (u32 w = dev::thread(); w < s.bit_words; w += dev::block_size()) dev::plain_write(&b.bits[w], 0u);
  if (dev::thread() < 4) b.counts[dev::thread()] = dev::thread() == 0 ? 1 : 0;
  if (dev::thread() == 0) *b.halt_at = 0;
  dev::sync_block();
  Distance* const row_of_levels = s.level ? s.level + i * s.stride : nullptr;
  u32* const counted =
      s.counted ? s.counted + static_cast<u64>(i / s.columns) * s.columns * s.count_levels + i % s.columns : nullptr;
  if (dev::thread() == 0) {
    const u32 source = dev::read_only(&s.sources[i]);
    dev::fetch_or(&b.bits[source / 32], 1u << (source % 32));
    put(s, b, 0, 0, dev::read_only(&s.quads[source]), source);
    if (row_of_levels) dev::plain_write(&row_of_levels[source], 0);
  }
  const PerSourceControl seen = run_levels(s, b, row_of_levels, counted);
  if (dev::thread() == 0) dev::plain_write(&s.control[i], seen);
  for (u32 v = dev::thread(); row_of_levels && v < s.num_vertices; v += dev::block_size())
    if (!(dev::peek(&b.bits[v / 32]) >> (v % 32) & 1)) dev::plain_write(&row_of_levels[v], unreached);
  dev::sync_block();  // before the bits are cleared for the next
}

/// Where the bits are is known to the compiler: instructions for shared memory are faster than those for any.
template <bool global_bits>
HW_KERNEL void HW_BOUNDS(1024, 1) search_per_source(PerSource s) {
  HW_CHECK(dev::block_size() <= 1024);
  HW_SHARED_PARTS(Quad, memory);
  HW_SHARED(PerSourceStorage, storage, 1);
  u32* bits = nullptr;
  if constexpr (global_bits)
    bits = s.bits + static_cast<u64>(dev::block()) * s.bit_words;
  else
    bits = dev::shared_part(reinterpret_cast<u32*>(memory + 2 * s.queue_rows), s.bit_words);
  const PerSourceBlock b{bits, dev::shared_part(memory, 2 * s.queue_rows), s.spill + u64{2} * dev::block() * s.spill_room,
                         storage->counts, &storage->halt_at};
  for (u32 i = dev::block(); i < s.count; i += dev::grid_size()) search(s, b, i);
}

}  // namespace hopwave::HW_MACHINE::engine::per_source
