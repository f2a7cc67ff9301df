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

namespace hopwave::HW_MACHINE::engine {

using hopwave::engine::by_share;
using hopwave::engine::ClusterProgress;
using hopwave::engine::ClusterRule;
using hopwave::engine::ClusterTotal;
using hopwave::engine::start;

inline constexpr u32 most_cluster_blocks = 16;
inline constexpr u32 small_threads = 768;  ///< more share the same four schedulers, and have fewer registers each
inline constexpr u32 huge_rows = 512;      ///< that a block keeps for all its warps in a pull

struct ClusterState {
  Distance* level;  ///< the answer, in the caller's ids
  u32* parent;      ///< null unless wanted; places
  u32* parent_out;  ///< the answer, in the caller's ids
  Control* control;
  LevelRecord* records;  ///< null unless traced
  u32 record_capacity;
  const u32* sources;  ///< caller's ids, if there are several
  u32 source;          ///< if there is one
  u32 num_sources;
  u32 target;       ///< caller's id or no_vertex
  const u32* halt;  ///< not 0 there: the search shall end; null: it has no limits
};

/// What a level that every block takes for itself found, and how many of these vertices this block owns.
struct ClusterAlone {
  u32 found, edges, own;
};

/// A block's shared memory beside the dynamic part.
struct ClusterStorage {
  dev::Inbox reported[2];                     ///< for what blocks find; by turns
  dev::Inbox marked;                          ///< for what a push marks
  ClusterTotal said[2][most_cluster_blocks];  ///< what each block found; by turns
  ClusterTotal mine[2];                       ///< by turns
  u32 listed[2];                              ///< own vertices that a push has listed; by turns
  u32 huge[2], open[2];                       ///< rows for all warps; own vertices that a pull leaves open; by turns
  std::uint16_t huge_list[huge_rows];
  u32 warp_sums[small_threads / dev::lanes];
  u32 before[small_threads + 1];  ///< quads of the frontier's rows before each, and the rows; alone: two frontiers by turns
  ClusterRow rows[2 * thresholds::AnyDevice::cluster_most_alone];
  u32 places[2 * thresholds::AnyDevice::cluster_most_alone];
  ClusterAlone alone[3];  ///< the frontier taken alone, what comes next, and an empty one; by turns
};

/// Where a block's dynamic shared memory goes.
struct ClusterWork {
  u32 rank, blocks, words;  ///< words of the bitmap that a block owns
  u32 limit;                ///< the number of vertices that can be found
  const Word* closed;       ///< the bits of those that cannot; null: all can
  u32 step, alone;          ///< steps of all blocks together, and levels taken alone: both pick buffers that are used by turns
  u32 pushes;               ///< of the steps together
  u32 listed;               ///< open vertices that the last pull has left in `list`; unlisted: there is no list
  bool loaded, all_begun;   ///< are the own rows there; have all blocks begun
  Word *before, *after;     ///< everybody's bits
  Word *fresh, *last, *next;  ///< the own vertices that this step finds, and those that the last one found; next: empty
  u32* first_neighbors;       ///< partitioned: of the own vertices' rows
  u32* bounds;
  const std::uint16_t* locals;  ///< partitioned: of the own vertices in the caller's order, if there is room
  Distance* levels;             ///< partitioned: of the own vertices
  Byte* bytes;                  ///< a push's marks, one a place, if there is room
  bool wiped;                   ///< are all marks zero
  // Own vertices: the frontier of a push, or those open when a pull begins and those that it leaves open, by turns. In a push
  // other blocks' marks arrive in `left`. Offsets, because the compiler does not know that a pointer which is one or the other
  // points to shared memory.
  std::uint16_t* lists;
  u32 list_at, left_at;
  HW_DEVICE std::uint16_t* list() const { return lists + list_at; }
  HW_DEVICE std::uint16_t* left() const { return lists + left_at; }
  ClusterStorage* storage;
};
inline constexpr u32 unlisted = ~0u;
static_assert(small_threads <= 2 * thresholds::AnyDevice::cluster_most_alone, "a push keeps a row a thread");

template <class T>
HW_DEVICE void swap(T& a, T& b) {
  const T old = a;
  a = b;
  b = old;
}

/// Words that `warps` warps have room for, as many each.
inline constexpr u64 list_places(u64 slice, u64 warps) { return (slice / word_bits + warps - 1) / warps * warps * word_bits; }

/// One for each place, and one for the place that is never visited.
inline constexpr u64 byte_marks(u64 slice, u64 blocks) { return slice * blocks + 16; }

/// Bytes of dynamic shared memory a block of `warps`, without byte marks. A bitmap has one more quad, for the place that is
/// never visited.
inline constexpr u64 cluster_bytes(u64 slice, u64 blocks, u64 warps, bool partitioned, bool near_locals) {
  const u64 own = partitioned ? 4 * (3 * slice + slice / 8) + (near_locals ? 2 * slice : 0) : 4 * (slice + slice / 8);
  return 2 * (slice * blocks / 8 + 16) + 3 * slice / 8 + own + 4 * list_places(slice, warps);
}

template <bool partitioned>
HW_DEVICE ClusterWork open_work(const ClusterGraph& g, void* memory, ClusterStorage* storage) {
  const u32 slice = g.partition.slice, words = slice / word_bits, blocks = 1u << g.partition.owner_bits;
  const u32 stride = words * blocks + 16 / sizeof(Word), places = g.warp_words * dev::warps() * word_bits;
  // Cleared, and loaded, in one stretch each: bits and marks; rows.
  const u32 bit_words = 2 * stride + 3 * words, near = partitioned && g.near_locals ? slice : 0;
  const u32 row_words = (partitioned ? slice : 0) + bounds_for(slice) + near / 2;
  auto* row_place = reinterpret_cast<u32*>(static_cast<Word*>(memory) + bit_words);
  auto* level_place = reinterpret_cast<Distance*>(row_place + row_words);
  auto* list_place = reinterpret_cast<std::uint16_t*>(level_place + (partitioned ? slice : 0));
  auto* seen = dev::held(dev::shared_part(static_cast<Word*>(memory), bit_words));
  Word* marks = seen + 2 * stride;
  auto* first_neighbors = dev::shared_part(row_place, row_words);
  u32* bounds = partitioned ? first_neighbors + slice : first_neighbors;
  auto* locals = reinterpret_cast<std::uint16_t*>(bounds + bounds_for(slice));
  auto* levels = dev::shared_part(level_place, partitioned ? slice : 0);
  auto* left = dev::shared_part(list_place, 2 * places);
  auto* bytes =
      dev::shared_part(reinterpret_cast<Byte*>(list_place + 2 * places), g.byte_marks ? byte_marks(slice, blocks) : 0);
  return {.rank = dev::cluster_rank(),
          .blocks = blocks,
          .words = words,
          .limit = g.num_vertices,
          .closed = nullptr,
          .step = 0,
          .alone = 0,
          .pushes = 0,
          .listed = unlisted,
          .loaded = false,
          .all_begun = false,
          .before = seen,
          .after = seen + stride,
          .fresh = marks,
          .last = marks + words,
          .next = marks + 2 * words,
          .first_neighbors = first_neighbors,
          .bounds = bounds,
          .locals = locals,
          .levels = levels,
          .bytes = bytes,
          .wiped = false,
          .lists = left,
          .list_at = places,
          .left_at = 0,
          .storage = dev::held(storage)};
}

HW_DEVICE bool has(const Word* seen, u32 place) { return dev::test_bit(seen, place); }

/// Clears the shared memory, and opens the inboxes.
HW_DEVICE void clear_work(const ClusterWork& c) {
  auto* quads = reinterpret_cast<Quad*>(c.before);  // both bitmaps and the marks are one stretch
  const u32 all = (2 * (c.words * c.blocks + 16 / u32{sizeof(Word)}) + 3 * c.words) * u32{sizeof(Word)} / 16;
  for (u32 q = dev::thread(); q < all; q += dev::block_size()) quads[q] = {0, 0, 0, 0};
  if (dev::thread() != 0) return;
  ClusterStorage& storage = *c.storage;
  for (u32 k = 0; k < 2; ++k) {
    storage.mine[k] = {};
    storage.listed[k] = storage.huge[k] = storage.open[k] = 0;
    dev::open_inbox(&storage.reported[k], c.blocks * (c.words * u32{sizeof(Word)} + u32{sizeof(ClusterTotal)}));
  }
  for (auto& alone : storage.alone) alone = {};
  dev::open_inbox(&storage.marked, c.blocks * c.words * sizeof(Word));
}

/// Places without a vertex, and vertices that cannot be reached, count as seen in every block.
HW_DEVICE void close_tail(const ClusterGraph& g, const ClusterWork& c) {
  const u32 full = full_words(g.partition, g.num_vertices);
  for (u32 x = dev::thread(); x < (c.words - full) << g.partition.owner_bits; x += dev::block_size()) {
    const u32 owner = x & (c.blocks - 1), w = full + (x >> g.partition.owner_bits);
    const Word word = bits_from(g.partition, owner, w, g.num_vertices);
    dev::fetch_or(&c.before[owner * c.words + w], word);
    dev::fetch_or(&c.after[owner * c.words + w], word);
  }
  if (!c.closed) return;
  for (u32 w = dev::thread(); w < c.words * c.blocks; w += dev::block_size()) {
    const Word word = dev::read_only(&c.closed[w]);
    if (!word) continue;
    dev::fetch_or(&c.before[w], word);
    dev::fetch_or(&c.after[w], word);
  }
}

/// Starts copying the own vertices' first neighbours and bounds of rows to shared memory.
template <bool partitioned>
HW_DEVICE void load_rows(const ClusterGraph& g, const ClusterWork& c) {
  const u32 slice = g.partition.slice, stride = dev::block_size();
  if constexpr (partitioned) {
    const auto* from = reinterpret_cast<const Quad*>(g.own + c.rank * own_words(slice));
    const u32 words = g.near_locals ? own_words(slice) : slice + bounds_for(slice);
    for (u32 i = dev::thread(); i < words / 4; i += stride)
      dev::copy_later(reinterpret_cast<Quad*>(c.first_neighbors) + i, from + i);
  } else {
    for (u32 i = dev::thread(); i < slice; i += stride) {
      const u32 v = g.partition.vertex(c.rank, i), n = g.num_vertices;
      dev::copy_later(&c.bounds[bound_at(i)], &g.in.bounds[v < n ? v : n]);
      if ((i & partition_mask) == partition_mask)
        dev::copy_later(&c.bounds[bound_at(i) + 1], &g.in.bounds[v + 1 < n ? v + 1 : n]);
    }
  }
}
/// Waits for that copy. The whole block.
HW_DEVICE void await_rows(ClusterWork& c) {
  if (!c.loaded) dev::wait_copies();
  dev::sync_block();
  c.loaded = true;
}

/// An own vertex's row against the search.
template <bool partitioned>
HW_DEVICE ClusterRow own_row(const ClusterWork& c, u32 local) {
  const u32* at = &c.bounds[bound_at(local)];
  return small_row<partitioned>(at[0], at[1]);
}
/// And along it.
template <bool partitioned>
HW_DEVICE ClusterRow own_row_along(const ClusterGraph& g, const ClusterWork& c, u32 local) {
  return g.symmetric ? own_row<partitioned>(c, local) : row_along<partitioned>(g, c.rank, local);
}

/// Writes an own vertex's answer. If partitioned, to shared memory: all are written in the caller's order at the end. Else to
/// global memory, which nothing waits for before the launch ends.
template <bool partitioned>
HW_DEVICE void write_level(const ClusterGraph& g, const ClusterState& s, const ClusterWork& c, u32 local, u32 level) {
  dev::plain_write(partitioned ? &c.levels[local] : &s.level[g.partition.vertex(c.rank, local)], static_cast<Distance>(level));
}

/// A ballot, as wide as a word.
HW_DEVICE Word which(bool is) { return static_cast<Word>(dev::ballot(dev::all_lanes, is)); }

/// A warp's words of the own vertices: calls each(word, w) for those that differ from `skip`. Words go to warps in turn; each
/// lane reads one, so that words without work cost nothing.
template <class Get, class Each>
HW_DEVICE void each_word(const ClusterGraph& g, const ClusterWork& c, Get&& get, Word skip, Each&& each) {
  for (u32 k0 = 0; k0 < g.warp_words; k0 += dev::lanes) {
    const u32 mine = dev::warp() + (k0 + dev::lane()) * dev::warps();
    const Word word = mine < c.words ? get(mine) : skip;
    for (Word remaining = which(word != skip); remaining; remaining &= remaining - 1) {
      const u32 k = static_cast<u32>(dev::find_first_set(remaining)) - 1;
      each(dev::shuffle(dev::all_lanes, word, k), dev::warp() + (k0 + k) * dev::warps());
    }
  }
}

/// Where a lane's vertex of each word is. Only a multiple of the word's number differs from word to word; the rest is computed
/// once.
struct ClusterLane {
  const u32* bounds;  ///< of its vertex of word 0, against the search
  Distance* level;    ///< of that vertex
  u32 level_step;
};
template <bool partitioned>
HW_DEVICE ClusterLane lane_of(const ClusterGraph& g, const ClusterState& s, const ClusterWork& c) {
  const u32* bounds = c.bounds + bound_at(dev::lane());
  if (partitioned) return {bounds, c.levels + dev::lane(), word_bits};
  return {bounds, s.level + g.partition.vertex(c.rank, dev::lane()), word_bits << g.partition.owner_bits};
}

/// Counts of the own vertices that one lane, and then its warp, has found.
struct ClusterFinds {
  u32 found = 0, edges = 0;
};
template <bool partitioned>
HW_DEVICE void settle(const ClusterGraph& g, const ClusterState& s, const ClusterWork& c, u32 local, u32 level,
                      ClusterFinds& finds) {
  HW_CHECK(local < g.partition.slice);
  ++finds.found;
  finds.edges += own_row_along<partitioned>(g, c, local).degree();
  write_level<partitioned>(g, s, c, local, level);
}
/// All lanes of a warp.
HW_DEVICE void add_finds(const ClusterWork& c, const ClusterFinds& finds) {
  if (!dev::any(dev::all_lanes, finds.found != 0)) return;
  const u32 found = dev::reduce_add(dev::all_lanes, finds.found), edges = dev::reduce_add(dev::all_lanes, finds.edges);
  if (dev::lane() != 0) return;
  dev::fetch_add(&c.storage->mine[c.step & 1].found, found);
  dev::fetch_add(&c.storage->mine[c.step & 1].edges, edges);
}

/// No parents are wanted, and rows are the same in both directions? Loops over words are compiled for both cases.
HW_DEVICE bool is_plain(const ClusterGraph& g, const ClusterState& s) { return g.symmetric && !s.parent; }

/// The same of this lane's vertex of word w.
template <bool partitioned, bool plain>
HW_DEVICE void settle_in_word(const ClusterGraph& g, const ClusterWork& c, const ClusterLane& lane, u32 w, u32 level,
                              ClusterFinds& finds) {
  ++finds.found;
  if (plain || g.symmetric) {
    const u32* at = lane.bounds + w * bound_at(word_bits);
    finds.edges += small_row<partitioned>(at[0], at[1]).degree();
  } else {
    finds.edges += row_along<partitioned>(g, c.rank, w * word_bits + dev::lane()).degree();
  }
  dev::plain_write(&lane.level[w * lane.level_step], static_cast<Distance>(level));
}

/// When all marks of a warp's words are there: writes the vertices' levels.
template <bool partitioned, bool plain, class Get>
HW_DEVICE void settle_words(const ClusterGraph& g, const ClusterState& s, const ClusterWork& c, u32 level, Get&& get) {
  const ClusterLane lane = lane_of<partitioned>(g, s, c);
  ClusterFinds finds;
  each_word(g, c, get, Word{0}, [&](Word word, u32 w) {
    if (word >> dev::lane() & 1) settle_in_word<partitioned, plain>(g, c, lane, w, level, finds);
  });
  add_finds(c, finds);
}

/// Lists what the last step of all blocks found of the own vertices. The whole block.
HW_DEVICE void list_last(const ClusterGraph& g, const ClusterWork& c) {
  each_word(
      g, c, [&](u32 w) { return c.last[w]; }, Word{0},
      [&](Word word, u32 w) {
        const u32 count = static_cast<u32>(dev::popcount(word));
        const u32 at = dev::warp_reserve(&c.storage->listed[c.step & 1], count) + dev::rank_in(word);
        HW_CHECK(at < list_places(g.partition.slice, dev::warps()) || !(word >> dev::lane() & 1));
        if (word >> dev::lane() & 1) c.list()[at] = dev::narrowed<std::uint16_t>(w * word_bits + dev::lane());
      });
  dev::sync_block();
}

/// Turns to the next step of all blocks.
HW_DEVICE void turn(const ClusterGraph& g, ClusterWork& c) {
  ++c.step;
  swap(c.before, c.after);
  swap(c.fresh, c.next);
  swap(c.last, c.next);
  for (u32 k = dev::lane(); k < g.warp_words; k += dev::lanes)
    if (const u32 w = dev::warp() + k * dev::warps(); w < c.words) c.next[w] = 0;
}

/// Calls call(block, q) for every quad of the own bits and every block, this one last. Neighbouring lanes send neighbouring
/// quads to the same block: sending to different ones takes half a microsecond more.
template <class Call>
HW_DEVICE void each_copy(const ClusterGraph& g, const ClusterWork& c, Call&& call) {
  const u32 quads = c.words * u32{sizeof(Word)} / 16, mask = (1u << g.quad_bits) - 1;
  for (u32 x = dev::thread(); x < c.blocks << g.quad_bits; x += dev::block_size())
    if ((x & mask) < quads) call(((x >> g.quad_bits) + c.rank + 1) & (c.blocks - 1), x & mask);
}

/// After a push: sends the marks in this block's own copy of the bits to the owners, and waits for the marks of all blocks.
/// After a block barrier.
HW_DEVICE void gather_marks(const ClusterGraph& g, ClusterWork& c) {
  auto* inbox = reinterpret_cast<Word*>(c.left());
  each_copy(g, c, [&](u32 to, u32 q) {
    const Quad marks = reinterpret_cast<const Quad*>(c.after + to * c.words)[q];
    dev::send(reinterpret_cast<Quad*>(inbox + c.rank * c.words) + q, marks, &c.storage->marked, to);
  });
  dev::await_sends(&c.storage->marked, c.pushes++);
  c.listed = unlisted;
}
/// Word w of the own bits: what any block has marked that was not visited before.
HW_DEVICE Word fresh_word(const ClusterWork& c, u32 w) {
  const Word* inbox = reinterpret_cast<const Word*>(c.left());
  Word word = 0;
  HW_UNROLL
  for (u32 from = 0; from < most_cluster_blocks; ++from)  // with fewer blocks some more than once: no branch, all reads at once
    word |= inbox[(from & (c.blocks - 1)) * c.words + w];
  return word & ~c.before[c.rank * c.words + w];
}

/// Sends all blocks the own bits after this step, and how many were found; waits for those of all others. After a block
/// barrier. The thread that clears the counts sends to its own block, which waits for that.
HW_DEVICE ClusterTotal report_found(const ClusterGraph& g, const ClusterWork& c) {
  ClusterStorage& storage = *c.storage;
  const u32 own = c.rank * c.words, turn = c.step & 1;
  dev::Inbox* inbox = &storage.reported[turn];
  if (dev::thread() == c.rank) {  // what the next step counts; the last reader was in the step before this one
    storage.mine[1 - turn] = {};
    storage.listed[1 - turn] = storage.huge[1 - turn] = storage.open[1 - turn] = 0;
  }
  if (dev::thread() < c.blocks) dev::send(&storage.said[turn][c.rank], storage.mine[turn], inbox, dev::thread());
  const auto *before = reinterpret_cast<const Quad*>(c.before + own), *now = reinterpret_cast<const Quad*>(c.fresh);
  auto* after = reinterpret_cast<Quad*>(c.after + own);
  each_copy(g, c, [&](u32 to, u32 q) {
    const Quad a = now[q], b = before[q];
    dev::send(&after[q], Quad{a.x | b.x, a.y | b.y, a.z | b.z, a.w | b.w}, inbox, to);
  });
  dev::await_sends(inbox, (c.step - 1) / 2);
  const ClusterTotal said = dev::lane() < c.blocks ? storage.said[turn][dev::lane()] : ClusterTotal{0, 0};
  return {dev::reduce_add(dev::all_lanes, said.found), dev::reduce_add(dev::all_lanes, said.edges)};
}

}  // namespace hopwave::HW_MACHINE::engine
