// The high-diameter traversal by asynchronous warps (label-correcting): each takes vertices of the frontier and goes on alone
// for several levels before the barrier of all blocks. A level is claimed by an atomic minimum, and the warp that lowers it
// goes on from that vertex. So a level that a longer path set too high is corrected before the barrier, and no warp goes on
// from a vertex that another has reached as early.
// Source: ours; label-correcting, as in the literature on asynchronous BFS.
//
// A search:
//   1. open_async   levels far away; unprepared, rows are made
//   2. per step     run_async: a warp takes rows of its block's queue and goes on alone up to the level `last`; then
//                   barrier_async
//   3. count_levels
//
// Holds here, at the barrier after the levels up to `last`:
// 1. Every vertex at distance d <= last has level d: follow a shortest path from a vertex that is exact at the barrier before.
//    The warp that lowers a vertex on it to its distance goes on from it in this step, and no offer is below a distance.
// 2. Every vertex at distance `last` was queued in this step, at its owner, and no vertex is queued twice at one level. If it
//    is lowered afterwards, it is expanded in vain. So a queue has one place for each vertex that its block owns, and one more
//    for each source.
// 3. A warp's list never has more than `room` rows. While it has `full` rows or fewer, it takes rows from the front, so many
//    that each lane claims four words at most. Beyond, it takes one row from the back: what that lists replaces it, one level
//    deeper, so `async` levels of the longest row are the most that is added (set_lists in async_host.h).
#pragma once

#include "bfs/engine/high_diameter/barrier.h"
#include "bfs/engine/quads.h"
#include "device/held.h"

namespace hopwave::HW_MACHINE::engine::high_diameter {

inline constexpr u32 rows_a_warp = dev::lanes / quad_words;  ///< quads a warp takes at once, a lane a word

/// What the host reads afterwards.
struct AsyncControl {
  u64 visited;
  u32 deepest, steps;
  u32 cancelled, complete;  ///< a limit of the call ended it: levels up to this one are complete
};

struct AsyncState : Asked {
  u32* level;
  Quad* queue;  ///< every block's two, by turns: rows of vertices to go on from
  u32* count;   ///< entries of every block's queue, four in turn, one line of memory a block
  u64* sums;    ///< zero before the first launch
  u32 stride;   ///< of a queue
  u32 async;    ///< levels between two barriers
  u32 room;     ///< of a warp's list: a power of two
  u32 full;     ///< with more rows in it a warp goes depth-first
  Distance max_depth;
  AsyncControl* control;
};

/// A block's shared memory without the lists.
struct AsyncStorage {
  u32 queued[4];     ///< has this block queued anything anywhere; in turn
  u32 target_found;  ///< was the target found here
  u32 turn;          ///< what the barrier returned
  u32 deepest, visited;
};

/// A warp's list of rows to go on from, each with its neighbours' level: a ring. Rows are taken from its front, so that nearer
/// vertices come first; while it is nearly full, from its back, which bounds its length.
struct AsyncList {
  Quad* rows;
  u32* values;
  u32 mask, head, tail;
  u32 team, member;  ///< of this lane: which of the rows taken at once, and which word
  Word below;        ///< lanes
};

/// A lane's word: a neighbour to claim, or a link to follow.
struct AsyncWord {
  u32 word, value;
};

struct AsyncStep {
  u32 step, last;  ///< and the level at which vertices are queued
};

HW_DEVICE Quad* queue_of(const AsyncState& s, u32 owner, u32 step) {
  return s.queue + (static_cast<u64>(owner) * 2 + (step & 1)) * s.stride;
}

/// Queues a vertex and its row. `in_graph`: the row is read from the graph only when it has a place.
template <bool in_graph>
HW_DEVICE void put_async(const AsyncState& s, u32 blocks, AsyncStorage& storage, const AsyncStep& now, u32 vertex,
                         const Quad& row) {
  const u32 owner = vertex & (blocks - 1);
  const u32 slot = dev::fetch_add(&s.count[owner * count_stride + ((now.step + 1) & 3)], 1u);
  HW_CHECK(slot < s.stride);  // Holds 2
  dev::plain_write(&queue_of(s, owner, now.step + 1)[slot], in_graph ? dev::plain_read(&row) : row);
  dev::store(&storage.queued[(now.step + 1) & 3], 1u);
}

/// All lanes: each claims its word's vertices, and the rows of vertices that came nearer are listed. A row is loaded before it
/// is known whether it is needed. A link is followed at once, as if it were a vertex one level nearer.
template <u32 width>
HW_DEVICE void claim_async(const Quad* quads, const AsyncState& s, AsyncStorage& storage, const AsyncStep& now, AsyncList& list,
                           const AsyncWord (&mine)[width]) {
  Quad row[width];
  u32 old[width];
  HW_UNROLL
  for (u32 j = 0; j < width; ++j) {
    const u32 word = mine[j].word, at = word & ~link_bit;
    row[j] = {};
    old[j] = 0;
    if (word == no_word) continue;
    row[j] = dev::load_around(&quads[at]);
    old[j] = far_away;
    if (!(word & link_bit)) old[j] = dev::fetch_min(&s.level[at], mine[j].value);
  }
  HW_UNROLL
  for (u32 j = 0; j < width; ++j) {
    const u32 at = mine[j].word & ~link_bit, value = mine[j].value - (mine[j].word >> 31);
    const bool better = old[j] > value, listed = better && value < now.last;
    const Word who = static_cast<Word>(dev::ballot(dev::all_lanes, listed));
    if (listed) {
      const u32 place = (list.tail + static_cast<u32>(dev::popcount(who & list.below))) & list.mask;
      list.rows[place] = row[j];
      list.values[place] = value + 1;
    }
    list.tail += static_cast<u32>(dev::popcount(who));
    HW_CHECK(list.tail - list.head <= s.room);         // Holds 3
    HW_CHECK(!better || listed || value == now.last);  // Holds 2
    if (better && !listed) put_async<false>(s, dev::grid_size(), storage, now, at, row[j]);
    if (better && at == s.target) dev::store(&storage.target_found, 1u);
  }
  dev::sync_warp();
}

/// All lanes: words of the next rows of the list, which is not empty.
template <u32 width>
HW_DEVICE void take_async(AsyncList& list, AsyncWord (&mine)[width]) {
  const u32 held = list.tail - list.head;
  HW_UNROLL
  for (u32 j = 0; j < width; ++j) {
    const u32 k = j * rows_a_warp + list.team, place = (list.head + (k < held ? k : 0)) & list.mask;
    // maybe_unused: nvcc counts no use within the braces below.
    [[maybe_unused]] const u32 word = reinterpret_cast<const u32*>(&list.rows[place])[list.member];
    mine[j] = {k < held ? word : no_word, list.values[place]};
  }
  list.head += held < width * rows_a_warp ? held : width * rows_a_warp;
}

/// The same from the end of a list that is nearly full: one row.
HW_DEVICE void take_deep(AsyncList& list, AsyncWord (&mine)[1]) {
  const u32 place = --list.tail & list.mask;
  const u32 word = reinterpret_cast<const u32*>(&list.rows[place])[list.member];
  mine[0] = {list.team == 0 ? word : no_word, list.values[place]};
  dev::sync_warp();  // what is listed next takes the same place
}

/// Expands this block's part of the frontier, and the vertices found from there, up to the level `last`.
HW_DEVICE void run_async(const Quad* quads, const AsyncState& s, AsyncStorage& storage, const AsyncStep& now, u32 level,
                         AsyncList list) {
  const u32* queue = reinterpret_cast<const u32*>(queue_of(s, dev::block(), now.step));
  const u32 member = dev::lane() % quad_words;
  u32 first = dev::warp(), i = first + dev::lane() / quad_words * dev::warps();
  u32 word =
      i < s.stride ? dev::load(&queue[static_cast<u64>(i) * quad_words + member]) : no_word;  // does not wait for the count
  const u32 count = dev::load(&s.count[dev::block() * count_stride + (now.step & 3)]);
  while (first < count) {
    list.head = list.tail = 0;
    AsyncWord one[1] = {{i < count ? word : no_word, level + 1}}, two[2], four[4];
    claim_async(quads, s, storage, now, list, one);
    for (u32 held = list.tail - list.head; held; held = list.tail - list.head) {
      if (held > s.full) {
        take_deep(list, one);
        claim_async(quads, s, storage, now, list, one);
      } else if (held > 2 * rows_a_warp) {
        take_async(list, four);
        claim_async(quads, s, storage, now, list, four);
      } else if (held > rows_a_warp) {
        take_async(list, two);
        claim_async(quads, s, storage, now, list, two);
      } else {
        take_async(list, one);
        claim_async(quads, s, storage, now, list, one);
      }
    }
    first += rows_a_warp * dev::warps();
    i += rows_a_warp * dev::warps();
    if (i < count) word = dev::load(&queue[static_cast<u64>(i) * quad_words + member]);
  }
}

/// All levels far away, all counts zero; if rows are not there yet, they are made.
template <class Offset, bool anew>
HW_DEVICE void open_async(const QuadGraph<Offset>& g, const AsyncState& s, AsyncStorage& storage) {
  for (u64 v = dev::global_thread(); v < g.num_vertices; v += dev::global_threads()) {
    dev::plain_write(&s.level[v], far_away);
    if constexpr (anew) write_quads(g, static_cast<u32>(v));
  }
  if (dev::thread() < 4) {
    storage.queued[dev::thread()] = 0;
    dev::plain_write(&s.count[dev::block() * count_stride + dev::thread()], 0);
  }
  if (dev::thread() == 0) storage.target_found = storage.deepest = storage.visited = 0;
  if (dev::global_thread() == 0) dev::plain_write(s.control, {});
}

/// Every block claims the sources that it owns. A source that another block has found already is queued all the same; levels
/// found from there are corrected. True if the target is one of the sources.
HW_DEVICE bool open_async_sources(const Quad* quads, const AsyncState& s, AsyncStorage& storage) {
  bool target_found = false;
  for (u32 i = dev::thread(); i < s.num_sources; i += dev::block_size()) {
    const u32 v = source_of(s, i);
    target_found |= v == s.target;
    if ((v & (dev::grid_size() - 1)) != dev::block()) continue;
    if (dev::fetch_min(&s.level[v], 0u) != 0) put_async<true>(s, dev::grid_size(), storage, {~0u, 0}, v, quads[v]);
  }
  return dev::sync_block_or(target_found);
}

/// Counts, from the levels, what the host reads.
HW_DEVICE void count_levels(const AsyncState& s, AsyncStorage& storage, u32 n, u32 steps) {
  u32 deepest = 0, visited = 0;
  for (u64 v = dev::global_thread(); v < n; v += dev::global_threads()) {
    const u32 level = dev::load(&s.level[v]);
    if (level == far_away) continue;
    ++visited;
    deepest = level > deepest ? level : deepest;
  }
  for (u32 k = dev::lanes / 2; k; k /= 2) {
    const u32 other = dev::shuffle_xor(dev::all_lanes, deepest, k);
    deepest = other > deepest ? other : deepest;
  }
  visited = dev::reduce_add(dev::all_lanes, visited);
  if (dev::lane() == 0) {
    dev::fetch_max(&storage.deepest, deepest);
    dev::fetch_add(&storage.visited, visited);
  }
  dev::sync_block();
  if (dev::thread() != 0) return;
  dev::fetch_max(&s.control->deepest, storage.deepest);
  dev::fetch_add(&s.control->visited, u64{storage.visited});
  if (dev::block() == 0) dev::plain_write(&s.control->steps, steps);
}

/// Waits for all blocks: has any of them queued something?
HW_DEVICE u32 barrier_async(const AsyncState& s, AsyncStorage& storage, BarrierMemory& barriers, u32 step) {
  dev::sync_block();
  if (dev::thread() == 0) {
    if (dev::block() == 0 && halted(s.halt)) {
      s.control->cancelled = 1;
      storage.target_found = 1;  // ends the search likewise
    }
    storage.turn =
        barrier_sum(s.sums, dev::grid_size(), barriers, storage.queued[(step + 1) & 3] != 0, storage.target_found != 0);
    // Used again in three steps; the others look at it after the next barrier at the earliest.
    storage.queued[(step + 3) & 3] = 0;
    dev::plain_write(&s.count[dev::block() * count_stride + (step & 3)], 0);
  }
  dev::sync_block();
  return storage.turn;
}

template <class Offset, bool anew>
HW_KERNEL void HW_BOUNDS(1024, 1) high_diameter_async(QuadGraph<Offset> g, AsyncState s) {
  HW_CHECK(dev::block_size() <= 1024);
  HW_SHARED_PARTS(Quad, memory);
  HW_SHARED(AsyncStorage, storage_memory, 1);
  AsyncStorage& storage = *dev::held(storage_memory);
  const u32 lists = dev::warp() * s.room;
  const u32 all = dev::warps() * s.room;
  AsyncList list{dev::held(dev::shared_part(memory, all) + lists),
                 dev::held(dev::shared_part(reinterpret_cast<u32*>(memory + all), all) + lists),
                 s.room - 1,
                 0,
                 0,
                 dev::held(dev::lane() / quad_words),
                 dev::held(dev::lane() % quad_words),
                 dev::held(static_cast<Word>(dev::lanes_below()))};
  BarrierMemory barriers = init_barriers(s.sums);
  open_async<Offset, anew>(g, s, storage);
  barrier_async(s, storage, barriers, ~1u);
  u32 turn = 1, step = 0, level = 0;
  if (open_async_sources(g.quads, s, storage)) turn = 0;
  const u32 limit = s.max_depth < 0 ? far_away - 1 : static_cast<u32>(s.max_depth);
  if (turn != 1 || limit == 0) barrier_async(s, storage, barriers, ~0u);  // until all sources are claimed
  for (; turn == 1 && level < limit; ++step) {
    const u32 last = limit - level < s.async ? limit : level + s.async;
    run_async(g.quads, s, storage, {step, last}, level, list);
    turn = barrier_async(s, storage, barriers, step);
    level = last;
  }
  if (anew && dev::global_thread() == 0) dev::plain_write(g.links, 0);
  if (dev::global_thread() == 0) dev::plain_write(&s.control->complete, level);
  count_levels(s, storage, g.num_vertices, step);
}

}  // namespace hopwave::HW_MACHINE::engine::high_diameter
