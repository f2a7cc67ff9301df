// A block's shared memory in the single-cluster traversal: its own copy of all visited bits; and of the vertices that it owns,
// first neighbours, bounds of rows and fresh marks. Blocks exchange what is new by messages: each sends, and waits for as many
// bytes as all others send. That is their barrier too; it needs no fence and no barrier of the cluster.
#pragma once

#include "bfs/engine/single_cluster/next_step.h"
#include "bfs/engine/single_cluster/rows.h"
#include "bfs/plan/thresholds.h"
#include "device/held.h"
#include "device/primitives/bitmap.h"
#include "device/primitives/warp.h"

namespace hopwave::HW_MACHINE::engine::single_cluster {

using hopwave::engine::single_cluster::by_share;
using hopwave::engine::single_cluster::cancelled_bit;
using hopwave::engine::single_cluster::Limits;
using hopwave::engine::single_cluster::Progress;
using hopwave::engine::single_cluster::Rule;
using hopwave::engine::single_cluster::start;
using hopwave::engine::single_cluster::Total;

inline constexpr u32 most_blocks = 16;
inline constexpr u32 most_threads = 768;  ///< more share the same four schedulers, and have fewer registers each

struct State : Asked {
  Distance* level;  ///< the answer, in the caller's ids
  u32* parent;      ///< null unless wanted; places
  u32* parent_out;  ///< the answer, in the caller's ids
  Control* control;
  LevelRecord* records;  ///< null unless traced
  u32 record_capacity;
};

/// What a level that every block takes for itself found, and how many of these vertices this block owns.
struct Alone {
  u32 found, edges, own;
};

/// A block's shared memory without the dynamic part.
struct Storage {
  dev::Inbox reported[2];      ///< for what blocks find; by turns
  dev::Inbox marked;           ///< for what a push marks
  Total said[2][most_blocks];  ///< what each block found; by turns
  Total mine[2];               ///< by turns
  u32 listed[2];               ///< own vertices that a push has listed; by turns
  u32 open[2];                 ///< own vertices that a pull leaves open; by turns
  u32 warp_sums[most_threads / dev::lanes];
  u32 before[most_threads + 1];  ///< quads of the frontier's rows before each, and the rows; alone: two frontiers by turns
  Row rows[2 * thresholds::AnyDevice::cluster_most_alone];
  u32 places[2 * thresholds::AnyDevice::cluster_most_alone];
  Alone alone[3];  ///< the frontier taken alone, what comes next, and an empty one; by turns
};

/// Bitmaps in shared memory. All that a block owns in each of them has `words` words.
struct Bits {
  u32 words;
  Word *before, *after;       ///< of all places: before the last step of all, and after it
  Word *fresh, *last, *next;  ///< own places: what this step finds, and what the last one found; next: empty
};
/// Of the own vertices: rows against the search, and answers.
struct Own {
  u32* first_neighbors;  ///< partitioned
  u32* bounds;
  const std::uint16_t* locals;  ///< partitioned: in the caller's order, if there is room
  Distance* levels;             ///< partitioned
};
inline constexpr u32 unlisted = ~0u;
/// Own vertices: the frontier of a push, or those open when a pull begins and those that it leaves open, by turns. In a push
/// other blocks' marks arrive in `left`. Offsets, because the compiler does not know that a pointer which is one or the other
/// points to shared memory.
struct Lists {
  std::uint16_t* places;
  u32 list_at, left_at;
  u32 listed;  ///< open vertices that the last pull has left in `list`; unlisted: there is no list
  HW_DEVICE std::uint16_t* list() const { return places + list_at; }
  HW_DEVICE std::uint16_t* left() const { return places + left_at; }
};
/// A push's marks, one byte per place, if there is room.
struct Marks {
  Byte* bytes;
  bool wiped;  ///< all are zero
};
/// How far the block is. Steps of all blocks together and levels taken alone pick buffers that are used by turns.
struct Position {
  u32 step, alone;
  u32 pushes;              ///< of the steps together
  bool loaded, all_begun;  ///< are the own rows there; have all blocks begun
};
/// What a block works on: its part of the cluster, and its shared memory.
struct Work {
  u32 rank, blocks;
  u32 limit;           ///< the number of vertices that can be found
  const Word* closed;  ///< the bits of those that cannot; null: all can
  Bits bits;
  Own own;
  Lists lists;
  Marks marks;
  Position at;
  Storage* storage;
};
static_assert(most_threads <= 2 * thresholds::AnyDevice::cluster_most_alone, "a push keeps a row a thread");

template <class T>
HW_DEVICE void swap(T& a, T& b) {
  const T old = a;
  a = b;
  b = old;
}

template <bool partitioned>
HW_DEVICE Work open_work(const Graph& g, void* memory, Storage* storage) {
  const u32 blocks = 1u << g.partition.owner_bits;
  const Layout size = layout_of(g, dev::warps(), partitioned);
  auto* row_place = reinterpret_cast<u32*>(static_cast<Word*>(memory) + size.bits);
  auto* level_place = reinterpret_cast<Distance*>(row_place + size.rows);
  auto* list_place = reinterpret_cast<std::uint16_t*>(level_place + size.levels);
  auto* seen = dev::held(dev::shared_part(static_cast<Word*>(memory), size.bits));
  Word* marks = seen + 2 * size.copy;
  auto* first_neighbors = dev::shared_part(row_place, size.rows);
  u32* bounds = partitioned ? first_neighbors + g.partition.slice : first_neighbors;
  auto* locals = reinterpret_cast<std::uint16_t*>(bounds + bounds_for(g.partition.slice));
  auto* levels = dev::shared_part(level_place, size.levels);
  auto* lists = dev::shared_part(list_place, 2 * size.lists);
  auto* bytes = dev::shared_part(reinterpret_cast<Byte*>(list_place + 2 * size.lists), size.marks);
  const u32 words = g.partition.slice / word_bits;
  return {.rank = dev::cluster_rank(),
          .blocks = blocks,
          .limit = g.num_vertices,
          .closed = nullptr,
          .bits = {words, seen, seen + size.copy, marks, marks + words, marks + 2 * words},
          .own = {first_neighbors, bounds, locals, levels},
          .lists = {.places = lists, .list_at = size.lists, .left_at = 0, .listed = unlisted},
          .marks = {.bytes = bytes, .wiped = false},
          .at = {.step = 0, .alone = 0, .pushes = 0, .loaded = false, .all_begun = false},
          .storage = dev::held(storage)};
}

HW_DEVICE bool has(const Word* seen, u32 place) { return dev::test_bit(seen, place); }

/// Clears the shared memory, and opens the inboxes.
HW_DEVICE void clear_work(const Work& c) {
  auto* quads = reinterpret_cast<Quad*>(c.bits.before);  // both bitmaps and the marks are one stretch
  const u32 all = (2 * copy_words(c.bits.words, c.blocks) + 3 * c.bits.words) * u32{sizeof(Word)} / 16;
  for (u32 q = dev::thread(); q < all; q += dev::block_size()) quads[q] = {0, 0, 0, 0};
  if (dev::thread() != 0) return;
  Storage& storage = *c.storage;
  for (u32 k = 0; k < 2; ++k) {
    storage.mine[k] = {};
    storage.listed[k] = storage.open[k] = 0;
    dev::open_inbox(&storage.reported[k], c.blocks * (c.bits.words * u32{sizeof(Word)} + u32{sizeof(Total)}));
  }
  for (auto& alone : storage.alone) alone = {};
  dev::open_inbox(&storage.marked, c.blocks * c.bits.words * sizeof(Word));
}

/// Places without a vertex, and vertices that cannot be reached, count as seen in every block.
HW_DEVICE void close_tail(const Graph& g, const Work& c) {
  const u32 full = full_words(g.partition, g.num_vertices);
  for (u32 x = dev::thread(); x < (c.bits.words - full) << g.partition.owner_bits; x += dev::block_size()) {
    const u32 owner = x & (c.blocks - 1), w = full + (x >> g.partition.owner_bits);
    const Word word = bits_from(g.partition, owner, w, g.num_vertices);
    dev::fetch_or(&c.bits.before[owner * c.bits.words + w], word);
    dev::fetch_or(&c.bits.after[owner * c.bits.words + w], word);
  }
  if (!c.closed) return;
  for (u32 w = dev::thread(); w < c.bits.words * c.blocks; w += dev::block_size()) {
    const Word word = dev::read_only(&c.closed[w]);
    if (!word) continue;
    dev::fetch_or(&c.bits.before[w], word);
    dev::fetch_or(&c.bits.after[w], word);
  }
}

/// Starts copying the own vertices' first neighbours and bounds of rows to shared memory.
template <bool partitioned>
HW_DEVICE void load_rows(const Graph& g, const Work& c) {
  const u32 slice = g.partition.slice, stride = dev::block_size();
  if constexpr (partitioned) {
    const auto* from = reinterpret_cast<const Quad*>(g.own + c.rank * own_words(slice));
    const u32 words = g.near_locals ? own_words(slice) : slice + bounds_for(slice);
    for (u32 i = dev::thread(); i < words / 4; i += stride)
      dev::copy_later(reinterpret_cast<Quad*>(c.own.first_neighbors) + i, from + i);
  } else {
    for (u32 i = dev::thread(); i < slice; i += stride) {
      const u32 v = g.partition.vertex(c.rank, i), n = g.num_vertices;
      dev::copy_later(&c.own.bounds[bound_at(i)], &g.in.bounds[v < n ? v : n]);
      if ((i & partition_mask) == partition_mask)
        dev::copy_later(&c.own.bounds[bound_at(i) + 1], &g.in.bounds[v + 1 < n ? v + 1 : n]);
    }
  }
}
/// Waits for that copy. The whole block.
HW_DEVICE void await_rows(Work& c) {
  if (!c.at.loaded) dev::wait_copies();
  dev::sync_block();
  c.at.loaded = true;
}

/// An own vertex's row against the search.
template <bool partitioned>
HW_DEVICE Row own_row(const Work& c, u32 local) {
  const u32* at = &c.own.bounds[bound_at(local)];
  return row_between<partitioned>(at[0], at[1]);
}
/// And along it.
template <bool partitioned>
HW_DEVICE Row own_row_along(const Graph& g, const Work& c, u32 local) {
  return g.symmetric ? own_row<partitioned>(c, local) : row_along<partitioned>(g, c.rank, local);
}

/// Writes an own vertex's answer. If partitioned, to shared memory: all are written in the caller's order at the end. Else to
/// global memory, which nothing waits for before the launch ends.
template <bool partitioned>
HW_DEVICE void write_level(const Graph& g, const State& s, const Work& c, u32 local, u32 level) {
  dev::plain_write(partitioned ? &c.own.levels[local] : &s.level[g.partition.vertex(c.rank, local)],
                   static_cast<Distance>(level));
}

/// A ballot, as wide as a word.
HW_DEVICE Word which(bool is) { return static_cast<Word>(dev::ballot(dev::all_lanes, is)); }

/// A warp's words of the own vertices: calls each(word, w) for those that differ from `skip`. Words go to warps in turn; each
/// lane reads one, so that words without work cost nothing.
template <class Get, class Each>
HW_DEVICE void each_word(const Graph& g, const Work& c, Get&& get, Word skip, Each&& each) {
  for (u32 k0 = 0; k0 < g.warp_words; k0 += dev::lanes) {
    const u32 mine = dev::warp() + (k0 + dev::lane()) * dev::warps();
    const Word word = mine < c.bits.words ? get(mine) : skip;
    for (Word remaining = which(word != skip); remaining; remaining &= remaining - 1) {
      const u32 k = static_cast<u32>(dev::find_first_set(remaining)) - 1;
      each(dev::shuffle(dev::all_lanes, word, k), dev::warp() + (k0 + k) * dev::warps());
    }
  }
}

/// Where a lane's vertex of each word is. Only a multiple of the word's number differs from word to word; the rest is computed
/// once.
struct Lane {
  const u32* bounds;  ///< of its vertex of word 0, against the search
  Distance* level;    ///< of that vertex
  u32 level_step;
};
template <bool partitioned>
HW_DEVICE Lane lane_of(const Graph& g, const State& s, const Work& c) {
  const u32* bounds = c.own.bounds + bound_at(dev::lane());
  if (partitioned) return {bounds, c.own.levels + dev::lane(), word_bits};
  return {bounds, s.level + g.partition.vertex(c.rank, dev::lane()), word_bits << g.partition.owner_bits};
}

/// Counts of the own vertices that one lane, and then its warp, has found at one level.
struct Finds {
  u32 level;
  u32 found = 0, edges = 0;
};
template <bool partitioned>
HW_DEVICE void settle(const Graph& g, const State& s, const Work& c, u32 local, Finds& finds) {
  HW_CHECK(local < g.partition.slice && !has(c.bits.before + c.rank * c.bits.words, local));  // Holds 2
  ++finds.found;
  finds.edges += own_row_along<partitioned>(g, c, local).degree();
  write_level<partitioned>(g, s, c, local, finds.level);
}
/// All lanes of a warp.
HW_DEVICE void add_finds(const Work& c, const Finds& finds) {
  if (!dev::any(dev::all_lanes, finds.found != 0)) return;
  const u32 found = dev::reduce_add(dev::all_lanes, finds.found), edges = dev::reduce_add(dev::all_lanes, finds.edges);
  if (dev::lane() != 0) return;
  dev::fetch_add(&c.storage->mine[c.at.step & 1].found, found);
  dev::fetch_add(&c.storage->mine[c.at.step & 1].edges, edges);
}

/// The same of this lane's vertex of word w.
template <bool partitioned>
HW_DEVICE void settle_in_word(const Graph& g, const Work& c, const Lane& lane, u32 w, Finds& finds) {
  HW_CHECK(!has(c.bits.before + c.rank * c.bits.words, w * word_bits + dev::lane()));  // Holds 2
  ++finds.found;
  if (g.symmetric) {
    const u32* at = lane.bounds + w * bound_at(word_bits);
    finds.edges += row_between<partitioned>(at[0], at[1]).degree();
  } else {
    finds.edges += row_along<partitioned>(g, c.rank, w * word_bits + dev::lane()).degree();
  }
  dev::plain_write(&lane.level[w * lane.level_step], static_cast<Distance>(finds.level));
}

/// When all marks of a warp's words are there: writes the vertices' levels.
template <bool partitioned, class Get>
HW_DEVICE void settle_words(const Graph& g, const State& s, const Work& c, u32 level, Get&& get) {
  const Lane lane = lane_of<partitioned>(g, s, c);
  Finds finds{level};
  each_word(g, c, get, Word{0}, [&](Word word, u32 w) {
    if (word >> dev::lane() & 1) settle_in_word<partitioned>(g, c, lane, w, finds);
  });
  add_finds(c, finds);
}

/// Lists what the last step of all blocks found of the own vertices. The whole block.
HW_DEVICE void list_last(const Graph& g, const Work& c) {
  each_word(
      g, c, [&](u32 w) { return c.bits.last[w]; }, Word{0},
      [&](Word word, u32 w) {
        const u32 count = static_cast<u32>(dev::popcount(word));
        const u32 at = dev::warp_reserve(&c.storage->listed[c.at.step & 1], count) + dev::rank_in(word);
        HW_CHECK(at < list_places(g, dev::warps()) || !(word >> dev::lane() & 1));
        if (word >> dev::lane() & 1) c.lists.list()[at] = dev::narrowed<std::uint16_t>(w * word_bits + dev::lane());
      });
  dev::sync_block();
}

/// Turns to the next step of all blocks.
HW_DEVICE void turn(const Graph& g, Work& c) {
  ++c.at.step;
  swap(c.bits.before, c.bits.after);
  swap(c.bits.fresh, c.bits.next);
  swap(c.bits.last, c.bits.next);
  for (u32 k = dev::lane(); k < g.warp_words; k += dev::lanes)
    if (const u32 w = dev::warp() + k * dev::warps(); w < c.bits.words) c.bits.next[w] = 0;
}

/// Calls call(block, q) for every quad of the own bits and every block, this one last. Neighbouring lanes send neighbouring
/// quads to the same block: sending to different ones takes half a microsecond more.
template <class Call>
HW_DEVICE void each_copy(const Graph& g, const Work& c, Call&& call) {
  const u32 quads = c.bits.words * u32{sizeof(Word)} / 16, mask = (1u << g.quad_bits) - 1;
  for (u32 x = dev::thread(); x < c.blocks << g.quad_bits; x += dev::block_size())
    if ((x & mask) < quads) call(((x >> g.quad_bits) + c.rank + 1) & (c.blocks - 1), x & mask);
}

/// After a push: sends the marks in this block's own copy of the bits to the owners, and waits for the marks of all blocks.
/// After a block barrier.
HW_DEVICE void gather_marks(const Graph& g, Work& c) {
  auto* inbox = reinterpret_cast<Word*>(c.lists.left());
  each_copy(g, c, [&](u32 to, u32 q) {
    const Quad marks = reinterpret_cast<const Quad*>(c.bits.after + to * c.bits.words)[q];
    dev::send(reinterpret_cast<Quad*>(inbox + c.rank * c.bits.words) + q, marks, &c.storage->marked, to);
  });
  dev::await_sends(&c.storage->marked, c.at.pushes++);
  c.lists.listed = unlisted;
}
/// Word w of the own bits: what any block has marked that was not visited before.
HW_DEVICE Word fresh_word(const Work& c, u32 w) {
  const Word* inbox = reinterpret_cast<const Word*>(c.lists.left());
  Word word = 0;
  HW_UNROLL
  for (u32 from = 0; from < most_blocks; ++from)  // with fewer blocks some more than once: no branch, all reads at once
    word |= inbox[(from & (c.blocks - 1)) * c.bits.words + w];
  return word & ~c.bits.before[c.rank * c.bits.words + w];
}

/// Sends all blocks the own bits after this step, and how many were found; waits for those of all others. After a block
/// barrier. The thread that clears the counts sends to its own block, which waits for that.
HW_DEVICE Total report_found(const Graph& g, const Work& c) {
  Storage& storage = *c.storage;
  const u32 own = c.rank * c.bits.words, turn = c.at.step & 1;
  dev::Inbox* inbox = &storage.reported[turn];
  if (dev::thread() == c.rank) {  // what the next step counts; the last reader was in the step before this one
    storage.mine[1 - turn] = {};
    storage.listed[1 - turn] = storage.open[1 - turn] = 0;
  }
  if (dev::thread() < c.blocks) dev::send(&storage.said[turn][c.rank], storage.mine[turn], inbox, dev::thread());
  const auto *before = reinterpret_cast<const Quad*>(c.bits.before + own), *now = reinterpret_cast<const Quad*>(c.bits.fresh);
  auto* after = reinterpret_cast<Quad*>(c.bits.after + own);
  each_copy(g, c, [&](u32 to, u32 q) {
    const Quad a = now[q], b = before[q];
    dev::send(&after[q], Quad{a.x | b.x, a.y | b.y, a.z | b.z, a.w | b.w}, inbox, to);
  });
  dev::await_sends(inbox, (c.at.step - 1) / 2);
  const Total said = dev::lane() < c.blocks ? storage.said[turn][dev::lane()] : Total{0, 0};
  return {dev::reduce_add(dev::all_lanes, said.found), dev::reduce_add(dev::all_lanes, said.edges)};
}

}  // namespace hopwave::HW_MACHINE::engine::single_cluster
