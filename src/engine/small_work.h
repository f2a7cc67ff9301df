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
  u64 solo_edges;  ///< every block takes a level of no more edges for itself
  u32 share;       ///< pull when the frontier has at least 1/share of the open edges
  Distance max_depth;
};
inline constexpr u64 by_share = ~u64{0};

struct SmallTotal {
  u32 found, edges;
};

inline constexpr u32 most_alone = small_threads / 2;  ///< vertices of a frontier that every block takes for itself

/// A block's shared memory beside the dynamic part.
struct SmallDesk {
  SmallTotal said[2][most_small_blocks];  ///< what each block found; by turns
  SmallTotal mine[2];                     ///< by turns
  u32 listed[2];                          ///< own vertices that stand in the lists; by turns
  u32 huge;
  std::uint16_t huge_list[huge_rows];
  u32 warp_sums[small_threads / dev::lanes];
  u32 before[small_threads];  ///< quads of the frontier's rows before each, and the rows; alone: two frontiers by turns
  SmallRow rows[small_threads];
  u32 places[2 * most_alone];
  SmallTotal alone[2];  ///< what a level found that every block takes for itself; by turns
};

/// Where a block's dynamic shared memory goes.
struct SmallWork {
  u32 rank, blocks, words;    ///< words of the bitmap that a block owns
  u32 limit;                  ///< vertices from here on need not be looked for
  u32 step, alone;            ///< steps of all blocks together, and levels taken alone: both tell whose turn it is
  Word *before, *after;       ///< everybody's bits
  Word *fresh, *last, *next;  ///< what this step finds of the own vertices, and what the last one did; next: empty
  u32* cells;                 ///< of the own vertices: the level if found, else the head of the row, if dealt
  u32* bounds;
  std::uint16_t *list,
      *old;  ///< own vertices found since the last step together, and before; a pull keeps in `old` who is left
  SmallDesk* desk;
};

template <class T>
HW_DEVICE void swap(T& a, T& b) {
  const T old = a;
  a = b;
  b = old;
}

/// The next step of all blocks.
HW_DEVICE void turn(SmallWork& c) {
  ++c.step;
  swap(c.before, c.after);
  swap(c.list, c.old);
  swap(c.fresh, c.next);
  swap(c.last, c.next);
}

/// Words that `warps` warps have room for, as many each.
inline constexpr u64 list_places(u64 slice, u64 warps) { return (slice / word_bits + warps - 1) / warps * warps * word_bits; }

/// Bytes of dynamic shared memory a block of `warps`. A bitmap has one more quad, for the place that nobody visits.
inline constexpr u64 small_bytes(u64 slice, u64 blocks, u64 warps) {
  return 2 * (slice * blocks / 8 + 16) + 3 * slice / 8 + 4 * (2 * slice + slice / 8) + 4 * list_places(slice, warps);
}

HW_DEVICE SmallWork open_work(const SmallGraph& g, void* memory, SmallDesk* desk) {
  const u32 slice = g.deal.slice, words = slice / word_bits, blocks = 1u << g.deal.owner_bits;
  const u32 stride = words * blocks + 16 / sizeof(Word);
  auto* seen = static_cast<Word*>(memory);
  Word* marks = seen + 2 * stride;
  auto* cells = reinterpret_cast<u32*>(marks + 3 * words);
  auto* list = reinterpret_cast<std::uint16_t*>(cells + own_words(slice));
  return {.rank = dev::cluster_rank(),
          .blocks = blocks,
          .words = words,
          .limit = g.num_vertices,
          .step = 0,
          .alone = 0,
          .before = seen,
          .after = seen + stride,
          .fresh = marks,
          .last = marks + words,
          .next = marks + 2 * words,
          .cells = cells,
          .bounds = cells + slice,
          .list = list,
          .old = list + g.warp_words * dev::warps() * word_bits,
          .desk = desk};
}

HW_DEVICE bool has(const Word* seen, u32 place) { return seen[place / word_bits] >> (place % word_bits) & 1; }

/// Everything empty.
HW_DEVICE void clear_work(const SmallWork& c) {
  auto* quads = reinterpret_cast<Quad*>(c.before);  // both bitmaps and the marks are one stretch
  const u32 all = (2 * (c.words * c.blocks + 16 / sizeof(Word)) + 3 * c.words) * sizeof(Word) / 16;
  for (u32 q = dev::thread(); q < all; q += dev::block_size()) quads[q] = {0, 0, 0, 0};
  if (dev::thread() < 2) {
    c.desk->mine[dev::thread()] = c.desk->alone[dev::thread()] = {};
    c.desk->listed[dev::thread()] = 0;
  }
  if (dev::thread() == 0) c.desk->huge = 0;
}

/// Vertices that need not be looked for count as seen, by everybody.
HW_DEVICE void close_rest(const SmallGraph& g, const SmallWork& c) {
  for (u32 w = dev::thread(); w < c.words * c.blocks; w += dev::block_size()) {
    const u32 owner = g.deal.owner(w * word_bits), local = (w - owner * c.words) * word_bits;
    if (g.deal.vertex(owner, local + word_bits - 1) < c.limit) continue;
    Word word = 0;
    for (u32 k = 0; k < word_bits; ++k)
      if (g.deal.vertex(owner, local + k) >= c.limit) word |= bit_of(k);
    c.before[w] = c.after[w] = word;
  }
}

/// Heads and bounds of the own vertices' rows.
template <bool dealt>
HW_DEVICE void load_rows(const SmallGraph& g, const SmallWork& c) {
  const u32 slice = g.deal.slice, stride = dev::block_size();
  if constexpr (dealt) {
    const u32 count = own_words(slice) / 4;
    const auto* from = reinterpret_cast<const Quad*>(g.own + c.rank * own_words(slice));
    auto* to = reinterpret_cast<Quad*>(c.cells);
    constexpr u32 ahead = 3;  // reads under way together
    for (u32 i0 = dev::thread(); i0 < count; i0 += ahead * stride) {
      Quad q[ahead];
      HW_UNROLL
      for (u32 k = 0; k < ahead; ++k)
        if (i0 + k * stride < count) q[k] = dev::read_only(&from[i0 + k * stride]);
      HW_UNROLL
      for (u32 k = 0; k < ahead; ++k)
        if (i0 + k * stride < count) to[i0 + k * stride] = q[k];
    }
  } else {
    for (u32 i = dev::thread(); i < slice; i += stride) {
      const u32 v = g.deal.vertex(c.rank, i), n = g.num_vertices;
      c.bounds[bound_at(i)] = dev::read_only(&g.in.bounds[v < n ? v : n]);
      if ((i & deal_mask) == deal_mask) c.bounds[bound_at(i) + 1] = dev::read_only(&g.in.bounds[v + 1 < n ? v + 1 : n]);
    }
  }
}

/// An own vertex's row against the search.
template <bool dealt>
HW_DEVICE SmallRow own_row(const SmallWork& c, u32 local) {
  const u32* at = &c.bounds[bound_at(local)];
  return small_row<dealt>(at[0], at[1]);
}
/// And along it.
template <bool dealt>
HW_DEVICE SmallRow own_row_along(const SmallGraph& g, const SmallWork& c, u32 local) {
  return g.symmetric ? own_row<dealt>(c, local) : row_along<dealt>(g, c.rank, local);
}

/// A warp's words of a bitmap of the own vertices: calls each(word, w) for those that differ from `skip`. Words are dealt to
/// warps in turn; each lane reads one, so that words without work cost nothing.
template <class Each>
HW_DEVICE void each_word(const SmallGraph& g, const SmallWork& c, const Word* own, Word skip, Each&& call) {
  for (u32 k0 = 0; k0 < g.warp_words; k0 += dev::lanes) {
    const u32 mine = dev::warp() + (k0 + dev::lane()) * dev::warps();
    const Word word = mine < c.words ? own[mine] : skip;
    for (dev::LaneMask rest = dev::ballot(dev::all_lanes, word != skip); rest; rest &= rest - 1) {
      const u32 k = static_cast<u32>(dev::find_first_set(rest)) - 1;
      call(dev::shuffle(dev::all_lanes, word, k), dev::warp() + (k0 + k) * dev::warps());
    }
  }
}

/// This warp's words have all their marks: the vertices get their level.
template <bool dealt>
HW_DEVICE void settle_fresh(const SmallGraph& g, const SmallWork& c, u32 level) {
  u32 found = 0, edges = 0;
  for (u32 k = dev::lane(); k < g.warp_words; k += dev::lanes)
    if (const u32 w = dev::warp() + k * dev::warps(); w < c.words) c.next[w] = 0;
  each_word(g, c, c.fresh, Word{0}, [&](Word word, u32 w) {
    found += static_cast<u32>(dev::popcount(word));
    if (!(word >> dev::lane() & 1)) return;
    const u32 local = w * word_bits + dev::lane();
    c.cells[local] = level;
    edges += own_row_along<dealt>(g, c, local).degree();
  });
  if (!found) return;
  edges = dev::reduce_add(dev::all_lanes, edges);
  if (dev::lane() != 0) return;
  dev::fetch_add(&c.desk->mine[c.step & 1].found, found);
  dev::fetch_add(&c.desk->mine[c.step & 1].edges, edges);
}

/// Lists what the last step of all blocks found of the own vertices. The whole block.
HW_DEVICE void list_last(const SmallGraph& g, const SmallWork& c) {
  each_word(g, c, c.last, Word{0}, [&](Word word, u32 w) {
    u32 at = 0;
    if (dev::lane() == 0) at = dev::fetch_add(&c.desk->listed[(c.step + 1) & 1], static_cast<u32>(dev::popcount(word)));
    at = dev::shuffle(dev::all_lanes, at, 0) + static_cast<u32>(dev::popcount(word & static_cast<Word>(dev::lanes_below())));
    if (word >> dev::lane() & 1) c.old[at] = static_cast<std::uint16_t>(w * word_bits + dev::lane());
  });
  dev::sync_block();
}

/// Calls each(block, q) for every quad of the own bits and every block, this one last.
template <class Each>
HW_DEVICE void each_copy(const SmallGraph& g, const SmallWork& c, Each&& call) {
  const u32 quads = c.words * sizeof(Word) / 16, mask = (1u << g.quad_bits) - 1;
  for (u32 x = dev::thread(); x < c.blocks << g.quad_bits; x += dev::block_size())
    if ((x & mask) < quads) call(((x >> g.quad_bits) + c.rank + 1) & (c.blocks - 1), x & mask);
}

/// After a push: what all blocks have marked in their own bits of after the step, of the vertices of this block.
HW_DEVICE void gather_fresh(const SmallGraph& g, const SmallWork& c) {
  const u32 own = c.rank * c.words;
  auto* after = reinterpret_cast<Quad*>(c.after + own);
  const auto* before = reinterpret_cast<const Quad*>(c.before + own);
  auto* fresh = reinterpret_cast<u32*>(c.fresh);
  each_copy(g, c, [&](u32 from, u32 q) {
    const Quad there = dev::cluster_map(after, from)[q], old = before[q];
    const u32 bits[4] = {there.x & ~old.x, there.y & ~old.y, there.z & ~old.z, there.w & ~old.w};
    HW_UNROLL
    for (u32 k = 0; k < 4; ++k)
      if (bits[k]) dev::fetch_or(&fresh[q * 4 + k], bits[k]);
  });
}

/// Writes the own words, as far as they changed in this step or the one before, into everybody's bits of after the step.
HW_DEVICE void spread_fresh(const SmallGraph& g, const SmallWork& c) {
  const u32 own = c.rank * c.words;
  const auto* before = reinterpret_cast<const Quad*>(c.before + own);
  const auto *now = reinterpret_cast<const Quad*>(c.fresh), *last = reinterpret_cast<const Quad*>(c.last);
  auto* after = reinterpret_cast<Quad*>(c.after + own);
  each_copy(g, c, [&](u32 to, u32 q) {
    const Quad a = now[q], b = last[q];
    if (!(a.x | a.y | a.z | a.w | b.x | b.y | b.z | b.w)) return;
    const Quad old = before[q];
    dev::cluster_map(after, to)[q] = {a.x | old.x, a.y | old.y, a.z | old.z, a.w | old.w};
  });
}

/// Tells all blocks what this one has found, and gets ready for the next step. After a meeting of the block.
HW_DEVICE void tell_found(const SmallWork& c) {
  SmallDesk& desk = *c.desk;
  const u32 turn = c.step & 1;
  if (dev::thread() < c.blocks) *dev::cluster_map(&desk.said[turn][c.rank], dev::thread()) = desk.mine[turn];
  if (dev::thread() == dev::block_size() - 1) {
    desk.mine[1 - turn] = {};
    desk.listed[1 - turn] = 0;
    if (desk.huge) desk.huge = 0;  // others may still look whether there are any
  }
}
/// After a meeting of the cluster.
HW_DEVICE SmallTotal sum_found(const SmallWork& c) {
  const SmallTotal said = dev::lane() < c.blocks ? c.desk->said[c.step & 1][dev::lane()] : SmallTotal{0, 0};
  return {dev::reduce_add(dev::all_lanes, said.found), dev::reduce_add(dev::all_lanes, said.edges)};
}

}  // namespace hopwave::HW_MACHINE::engine
