// What a block of the small traversal has: its own copy of everybody's visited bits, and of the vertices that it owns their
// levels, bounds of rows and fresh marks, all in shared memory. How blocks tell each other what is new, and meet.
#pragma once

#include "engine/small_rows.h"

namespace hopwave::HW_MACHINE::engine {

inline constexpr u32 most_small_blocks = 16;
inline constexpr u32 small_threads = 1024;
inline constexpr u32 huge_rows = 256;  ///< that a block keeps for all its warps in a pull

struct SmallState {
  Distance* level;  ///< the answer, in the caller's ids
  u32* parent;      ///< null unless wanted; places
  u32* parent_out;  ///< the answer, in the caller's ids
  Control* control;
  LevelRecord* records;  ///< null unless traced
  u32 record_capacity;
  const u32* sources;  ///< caller's ids, if there are several
  u32 source;          ///< if there is one
  u32 num_sources;
  u32 target;  ///< caller's id or no_vertex
};

/// Thresholds; tests set each to 0 and to "never".
struct SmallRule {
  u64 pull_edges;  ///< after a push: pull at so many edges of the frontier; by_share: at a share of those that are open
  u64 back_edges;  ///< after a pull: push below so many; by_share: the same share
  u32 share;       ///< pull when the frontier has at least 1/share of the open edges
  Distance max_depth;
};
inline constexpr u64 by_share = ~u64{0};

struct SmallTotal {
  u32 found, edges;
};

/// A block's shared memory beside the dynamic part.
struct SmallDesk {
  SmallTotal said[2][most_small_blocks];  ///< what each block found; by turns
  SmallTotal mine[2];                     ///< by turns
  u32 listed[2];                          ///< vertices found here that stand in the list; by turns
  u32 huge;
  std::uint16_t huge_list[huge_rows];
  u32 warp_sums[small_threads / dev::lanes];
  u32 before[small_threads];  ///< quads of the frontier's rows before each, and the rows
  SmallRow rows[small_threads];
};

/// Where a block's dynamic shared memory goes.
struct SmallWork {
  u32 rank, blocks, words;  ///< words of the bitmap that a block owns
  u32 limit;                ///< vertices from here on need not be looked for
  u32 step;
  Word* seen[2];  ///< everybody's bits, by turns: before the step and after it
  Word* marks;    ///< what a step finds of the own vertices; three, in turn
  u32* cells;     ///< of the own vertices: the level if found, else the head of the row if dealt
  u32* bounds;
  std::uint16_t* list;  ///< own vertices found by the last step; while pulling: those that are left
  SmallDesk* desk;

  HW_DEVICE const Word* before() const { return step & 1 ? seen[1] : seen[0]; }
  HW_DEVICE Word* after() const { return step & 1 ? seen[0] : seen[1]; }
  HW_DEVICE Word* fresh(u32 back = 0) const { return marks + (step + 3 - back) % 3 * words; }
};

/// Bytes of dynamic shared memory a block. The bitmap has one more quad, for the place that nobody visits.
inline constexpr u64 small_bytes(u64 slice, u64 blocks) {
  return 2 * (slice * blocks / 8 + 16) + 3 * slice / 8 + 4 * slice + 4 * (slice + slice / 8) + 2 * slice;
}

HW_DEVICE SmallWork open_work(const SmallGraph& g, void* memory, SmallDesk* desk) {
  const u32 slice = g.deal.slice, words = slice / word_bits, blocks = 1u << g.deal.owner_bits;
  const u32 stride = words * blocks + 16 / sizeof(Word);
  auto* seen = static_cast<Word*>(memory);
  Word* marks = seen + 2 * stride;
  auto* cells = reinterpret_cast<u32*>(marks + 3 * words);
  u32* bounds = cells + slice;
  return {dev::cluster_rank(),
          blocks,
          words,
          g.num_vertices,
          0,
          {seen, seen + stride},
          marks,
          cells,
          bounds,
          reinterpret_cast<std::uint16_t*>(bounds + bounds_for(slice)),
          desk};
}

HW_DEVICE bool has(const Word* seen, u32 place) { return seen[place / word_bits] >> (place % word_bits) & 1; }

/// Everything empty; vertices that need not be looked for count as seen by their owner.
template <bool dealt>
HW_DEVICE void clear_work(const SmallGraph& g, const SmallWork& c) {
  const u32 all = c.words * c.blocks + 16 / sizeof(Word), own = c.rank * c.words;
  for (u32 w = dev::thread(); w < all; w += dev::block_size()) {
    if (w - own < c.words) continue;
    c.seen[0][w] = c.seen[1][w] = 0;
  }
  for (u32 w = dev::warp(); w < c.words; w += dev::warps()) {
    const bool none = g.deal.vertex(c.rank, w * word_bits + dev::lane()) >= c.limit;
    const Word word = static_cast<Word>(dev::ballot(dev::all_lanes, none));
    if (dev::lane() == 0) c.seen[0][own + w] = c.seen[1][own + w] = word;
  }
  for (u32 w = dev::thread(); w < 3 * c.words; w += dev::block_size()) c.marks[w] = 0;
  if (dev::thread() < 2) {
    c.desk->mine[dev::thread()] = {};
    c.desk->listed[dev::thread()] = 0;
  }
  if (dev::thread() == 0) c.desk->huge = 0;
}

/// Heads and bounds of the own vertices' rows.
template <bool dealt>
HW_DEVICE void load_rows(const SmallGraph& g, const SmallWork& c) {
  const u32 slice = g.deal.slice;
  if constexpr (dealt) {
    const auto* heads = reinterpret_cast<const Quad*>(g.heads + c.rank * slice);
    const auto* bounds = reinterpret_cast<const Quad*>(g.in.bounds + bounds_for(c.rank * slice));
    for (u32 i = dev::thread(); i < slice / 4; i += dev::block_size())
      reinterpret_cast<Quad*>(c.cells)[i] = dev::read_only(&heads[i]);
    for (u32 i = dev::thread(); i < bounds_for(slice) / 4; i += dev::block_size())
      reinterpret_cast<Quad*>(c.bounds)[i] = dev::read_only(&bounds[i]);
  } else {
    for (u32 i = dev::thread(); i < slice; i += dev::block_size()) {
      const u32 v = g.deal.vertex(c.rank, i), n = g.num_vertices;
      c.bounds[bound_at(i)] = dev::read_only(&g.in.bounds[v < n ? v : n]);
      if ((i & 7) == 7) c.bounds[bound_at(i) + 1] = dev::read_only(&g.in.bounds[v + 1 < n ? v + 1 : n]);
    }
  }
}

/// An own vertex's row against the search.
template <bool dealt>
HW_DEVICE SmallRow own_row(const SmallWork& c, u32 local) {
  return small_row<dealt>(c.bounds[bound_at(local)], c.bounds[bound_at(local) + 1]);
}

/// After a step all marks of the own vertices are there: they get their level, and stand in the list for a push.
template <bool dealt>
HW_DEVICE void settle_fresh(const SmallGraph& g, const SmallWork& c, u32 level) {
  const Word* fresh = c.fresh();
  Word* next = c.fresh(2);
  SmallDesk& desk = *c.desk;
  const u32 turn = c.step & 1;
  u32 found = 0, edges = 0;
  for (u32 w = dev::warp(); w < c.words; w += dev::warps()) {
    const Word word = fresh[w];
    if (dev::lane() == 0) next[w] = 0;
    if (!word) continue;
    const u32 count = static_cast<u32>(dev::popcount(word)), local = w * word_bits + dev::lane();
    u32 at = 0;
    if (dev::lane() == 0) at = dev::fetch_add(&desk.listed[turn], count);
    at = dev::shuffle(dev::all_lanes, at, 0);
    found += count;
    if (!(word >> dev::lane() & 1)) continue;
    c.cells[local] = level;
    c.list[at + static_cast<u32>(dev::popcount(word & static_cast<Word>(dev::lanes_below())))] =
        static_cast<std::uint16_t>(local);
    edges += (g.symmetric ? own_row<dealt>(c, local) : row_along<dealt>(g, c.rank, local)).degree();
  }
  dev::sync_warp();
  if (!found) return;
  edges = dev::reduce_add(dev::all_lanes, edges);
  if (dev::lane() != 0) return;
  dev::fetch_add(&desk.mine[turn].found, found);
  dev::fetch_add(&desk.mine[turn].edges, edges);
}

/// Writes the own words, as far as they changed in this step or the one before, into everybody's bits of after the step.
HW_DEVICE void spread_fresh(const SmallWork& c) {
  const u32 quads = c.words * sizeof(Word) / 16, own = c.rank * c.words;
  const auto* before = reinterpret_cast<const Quad*>(c.before() + own);
  const auto *now = reinterpret_cast<const Quad*>(c.fresh()), *last = reinterpret_cast<const Quad*>(c.fresh(1));
  auto* after = reinterpret_cast<Quad*>(c.after() + own);
  const u32 parts = dev::warps() > c.blocks ? dev::warps() / c.blocks : 1;
  for (u32 t = dev::warp(); t < parts * c.blocks; t += dev::warps()) {
    const u32 to = (t + c.rank) % c.blocks;
    Quad* there = to == c.rank ? after : dev::cluster_map(after, to);
    for (u32 q = t / c.blocks * dev::lanes + dev::lane(); q < quads; q += parts * dev::lanes) {
      const Quad a = now[q], b = last[q], old = before[q];
      if (!(a.x | a.y | a.z | a.w | b.x | b.y | b.z | b.w)) continue;
      there[q] = {a.x | old.x, a.y | old.y, a.z | old.z, a.w | old.w};
    }
  }
}

/// All blocks meet after a step, and every one gets to know what all have found.
HW_DEVICE SmallTotal meet_small(const SmallWork& c) {
  SmallDesk& desk = *c.desk;
  const u32 turn = c.step & 1;
  dev::sync_block();
  if (dev::thread() < c.blocks) *dev::cluster_map(&desk.said[turn][c.rank], dev::thread()) = desk.mine[turn];
  if (dev::thread() == dev::block_size() - 1) {
    desk.mine[1 - turn] = {};
    desk.listed[1 - turn] = desk.huge = 0;
  }
  spread_fresh(c);
  dev::sync_cluster();
  const SmallTotal said = dev::lane() < c.blocks ? desk.said[turn][dev::lane()] : SmallTotal{0, 0};
  return {dev::reduce_add(dev::all_lanes, said.found), dev::reduce_add(dev::all_lanes, said.edges)};
}

}  // namespace hopwave::HW_MACHINE::engine
