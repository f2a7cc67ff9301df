// The high-diameter traversal of prepared graphs: a row holds a vertex's k-hop neighbourhood, so that there is one barrier in
// several levels. A level is claimed by an atomic minimum: one that a longer path set too high is corrected before the barrier.
// All multiprocessors in one cooperative launch; levels are the answer itself. A vertex belongs to a block by its number.
// Source: ours.
//
// Holds here, at the barrier before a step, which takes level d = step * hops:
// 1. Every vertex at distance at most d has its level; no level is below the distance.
// 2. The queues have every vertex at distance d exactly once, at its owner: no offer below d comes, so its first offer was d.
//    An entry of another level was lowered after it was queued, and is skipped.
// 3. No vertex is queued that was seen at a level below the step's last: rows of later frontiers hold what is beyond it. So a
//    queue never has more entries than its block has vertices.
#pragma once

#include "bfs/engine/high_diameter/barrier.h"

namespace hopwave::HW_MACHINE::engine::high_diameter {

using dev::Quad;

// A row's word: the vertex, and how many hops away it is, less one.
inline constexpr u32 row_id_bits = 29;
inline constexpr u32 row_id_mask = (1u << row_id_bits) - 1;
inline constexpr u32 most_hops = 7;

// Where a row is: its first unit, and how many units it has, less one.
inline constexpr u32 unit_words = 8;
inline constexpr u32 length_bits = 4;
inline constexpr u32 most_units = 1u << (32 - length_bits);
HW_DEVICE u64 row_begin(u32 ref) { return static_cast<u64>(ref >> length_bits) * unit_words; }
HW_DEVICE u32 row_length(u32 ref) { return ((ref & ((1u << length_bits) - 1)) + 1) * unit_words; }

inline constexpr u32 rows_a_lane = 4;  ///< entries that a lane works on at a time

struct KHopGraph {
  const u32* rows;
  const u32* refs;  ///< where each vertex's row is
  u32 num_vertices;
  u32 hops;
  u32 team_bits;  ///< so many lanes share a row
};

/// What the host reads afterwards.
struct KHopControl {
  u64 visited;
  u32 steps, cancelled;
  u32 tally[3][most_hops + 1];  ///< vertices found by the last steps, by hops; the last step first
};

struct KHopState : Asked {
  u32* level;
  u64* queue;  ///< every block's two queues: vertices, and where their rows are
  u32* count;  ///< entries of every block's queue, four in turn, one line of memory a block
  u32 stride;  ///< of a queue
  u64* sums;   ///< the barriers' two sums, in lines of their own; zero before the first launch
  Distance max_depth;
  KHopControl* control;
};

/// A block's shared memory.
struct KHopStorage {
  u32 tally[4][most_hops + 1];  ///< vertices found here, by hops; in turn
  u32 queued[4];                ///< has this block queued anything anywhere; in turn
  u32 over;                     ///< the target was found, or a limit of the call is reached
  u32 turn;                     ///< what the barrier returned
};

/// A step, and the greatest level that the search is to find.
struct KHopStep {
  u32 step, limit;
};

HW_DEVICE u32 owner_of(u32 v) { return v & (dev::grid_size() - 1); }
HW_DEVICE u64* queue_of(const KHopState& s, u32 owner, u32 step) {
  return s.queue + (static_cast<u64>(owner) * 2 + (step & 1)) * s.stride;
}

struct KHopEntry {
  u32 vertex, ref;
};

/// The own queue's entry i, in use or not; i must be below stride.
HW_DEVICE KHopEntry entry(const KHopState& s, u32 i, u32 step) {
  const u64 word = dev::load(&queue_of(s, dev::block(), step)[i]);
  return {static_cast<u32>(word), static_cast<u32>(word >> 32)};
}

/// A place in the queue of the vertex's owner, and where its row is.
struct KHopPlace {
  u32 slot, ref;
};
HW_DEVICE KHopPlace take_place(const KHopGraph& g, const KHopState& s, u32 v, u32 step) {
  const u32 ref = dev::read_only(&g.refs[v]);
  return {dev::fetch_add(&s.count[owner_of(v) * count_stride + ((step + 1) & 3)], 1u), ref};
}
HW_DEVICE void put(const KHopState& s, KHopStorage& storage, u32 v, u32 step, const KHopPlace& place) {
  HW_CHECK(place.slot < s.stride);  // Holds 3
  const u64 entry = static_cast<u64>(place.ref) << 32 | v;
  dev::plain_write(&queue_of(s, owner_of(v), step + 1)[place.slot], entry);
  dev::store(&storage.queued[(step + 1) & 3], 1u);
}

/// Counts vertices by the hops they were found at; a vertex whose level is corrected is taken off its old count.
HW_DEVICE void note(const KHopState& s, KHopStorage& storage, u32 word, u32 old, u32 step, u32 level) {
  HW_CHECK(word >> row_id_bits < most_hops && (old == far_away || old - level - 1 < most_hops));
  dev::fetch_add(&storage.tally[step & 3][word >> row_id_bits], 1u);
  if (old != far_away) dev::fetch_add(&storage.tally[step & 3][old - level - 1], ~0u);
  if ((word & row_id_mask) == s.target) dev::store(&storage.over, 1u);
}

/// Claims words of rows of the step's vertices; words from `live` on are empty. The lane that claims a vertex first decides
/// whether it is queued: a vertex nearer than the last hop never is. A queued vertex that comes nearer later is skipped when it
/// would be expanded.
HW_DEVICE void claim(const KHopGraph& g, const KHopState& s, KHopStorage& storage, const u32 (&word)[rows_a_lane], u32 live,
                     const KHopStep& now) {
  const u32 step = now.step, level = step * g.hops;
  u32 value[rows_a_lane], old[rows_a_lane];
  KHopPlace place[rows_a_lane];
  HW_UNROLL
  for (u32 j = 0; j < rows_a_lane; ++j) {
    if (j >= live) break;
    value[j] = level + 1 + (word[j] >> row_id_bits);
    const bool asked = word[j] != no_word && value[j] <= now.limit;
    old[j] = asked ? dev::fetch_min(&s.level[word[j] & row_id_mask], value[j]) : 0;
  }
  HW_UNROLL
  for (u32 j = 0; j < rows_a_lane; ++j) {
    if (j >= live) break;
    if (old[j] == far_away && value[j] == level + g.hops) place[j] = take_place(g, s, word[j] & row_id_mask, step);
  }
  HW_UNROLL
  for (u32 j = 0; j < rows_a_lane; ++j) {
    if (j >= live) break;
    if (old[j] > value[j]) note(s, storage, word[j], old[j], step, level);
  }
  HW_UNROLL
  for (u32 j = 0; j < rows_a_lane; ++j) {
    if (j >= live) break;
    if (old[j] == far_away && value[j] == level + g.hops) put(s, storage, word[j] & row_id_mask, step, place[j]);
  }
}

/// Expands this block's part of the frontier, a team of lanes a row; a lane works on several rows at a time.
HW_DEVICE void expand(const KHopGraph& g, const KHopState& s, KHopStorage& storage, const KHopStep& now) {
  const u32 step = now.step;
  const u32 team = 1u << g.team_bits, member = dev::thread() & (team - 1), stride = dev::block_size() >> g.team_bits;
  u32 i = dev::thread() >> g.team_bits;
  KHopEntry early{};
  if (i < s.stride) early = entry(s, i, step);  // does not wait for the count
  const u32 count = dev::load(&s.count[dev::block() * count_stride + (step & 3)]);
  for (bool first = true; i < count; i += rows_a_lane * stride, first = false) {
    u64 begin[rows_a_lane];
    u32 length[rows_a_lane], level[rows_a_lane], word[rows_a_lane], longest = 0, live = 0;
    HW_UNROLL
    for (u32 j = 0; j < rows_a_lane; ++j) {
      if (i + j * stride >= count) break;
      const KHopEntry e = first && j == 0 ? early : entry(s, i + j * stride, step);
      begin[j] = row_begin(e.ref);
      length[j] = row_length(e.ref);
      level[j] = dev::load(&s.level[e.vertex]);
      HW_CHECK(level[j] <= step * g.hops);  // Holds 2
      longest = length[j] > longest ? length[j] : longest;
      live = j + 1;
    }
    for (u32 k = member; k < longest; k += team) {
      HW_UNROLL
      for (u32 j = 0; j < rows_a_lane; ++j) {
        if (j >= live) break;
        word[j] = k < length[j] ? dev::read_only(&g.rows[begin[j] + k]) : no_word;
      }
      HW_UNROLL
      for (u32 j = 0; j < rows_a_lane; ++j) {
        if (j >= live) break;
        if (level[j] != step * g.hops) word[j] = no_word;
      }
      claim(g, s, storage, word, live, now);
    }
  }
}

/// All levels far away, all counts zero.
HW_DEVICE void open_levels(const KHopGraph& g, const KHopState& s, KHopStorage& storage) {
  const u32 n = g.num_vertices;
  for (u64 i = dev::global_thread(); i < n / 4; i += dev::global_threads())
    dev::plain_write(&reinterpret_cast<Quad*>(s.level)[i], {far_away, far_away, far_away, far_away});
  for (u64 v = n / 4 * 4 + dev::global_thread(); v < n; v += dev::global_threads()) dev::plain_write(&s.level[v], far_away);
  if (dev::thread() <= most_hops)
    for (auto& tally : storage.tally) tally[dev::thread()] = 0;
  if (dev::thread() < 4) {
    storage.queued[dev::thread()] = 0;
    dev::plain_write(&s.count[dev::block() * count_stride + dev::thread()], 0);
  }
  if (dev::thread() == 0) storage.over = 0;
  if (dev::global_thread() == 0)
    dev::plain_write(s.control, KHopControl{.visited = 0, .steps = 0, .cancelled = 0, .tally = {}});
}

/// Every block claims the sources that it owns. True if the target is one of the sources.
HW_DEVICE bool open_sources(const KHopGraph& g, const KHopState& s, KHopStorage& storage) {
  bool target_found = false;
  for (u32 i = dev::thread(); i < s.num_sources; i += dev::block_size()) {
    const u32 v = source_of(s, i);
    target_found |= v == s.target;
    if (owner_of(v) != dev::block()) continue;
    if (dev::fetch_min(&s.level[v], 0u) != far_away) continue;  // given twice
    put(s, storage, v, ~0u, take_place(g, s, v, ~0u));
    dev::fetch_add(&s.control->visited, u64{1});
  }
  return dev::sync_block_or(target_found);
}

/// The last warp keeps the counts, each of its first lanes those of one number of hops. Before a step it clears what the next
/// step, or the one after it, uses.
HW_DEVICE void turn_counts(const KHopState& s, KHopStorage& storage, u32 step, u64& found) {
  if (dev::lane() <= most_hops) {
    u32& old = storage.tally[(step + 1) & 3][dev::lane()];
    found += static_cast<u64>(static_cast<std::int32_t>(old));
    old = 0;
  }
  if (dev::lane() != 0) return;
  storage.queued[(step + 2) & 3] = 0;
  dev::plain_write(&s.count[dev::block() * count_stride + ((step + 2) & 3)], 0);
}
HW_DEVICE void close_counts(const KHopState& s, const KHopStorage& storage, u32 step, u64 found) {
  const u32 k_hop = dev::lane();
  if (k_hop > most_hops) return;
  for (u32 back = 1; back <= 3; ++back) {
    const u32 tally = storage.tally[(step - back) & 3][k_hop];
    found += static_cast<u64>(static_cast<std::int32_t>(tally));
    if (tally) dev::fetch_add(&s.control->tally[back - 1][k_hop], tally);
  }
  if (found) dev::fetch_add(&s.control->visited, found);
  if (dev::block() == 0 && k_hop == 0) dev::plain_write(&s.control->steps, step);
}

/// The barrier of all blocks after a step: is there more to do, and was the target found (barrier_sum)?
HW_DEVICE u32 barrier_k_hop(const KHopState& s, KHopStorage& storage, BarrierMemory& barriers, u32 step) {
  dev::sync_block();
  if (dev::thread() == 0)
    storage.turn = barrier_sum(s.sums, dev::grid_size(), barriers, storage.queued[(step + 1) & 3] != 0, storage.over != 0);
  dev::sync_block();
  return storage.turn;
}

HW_HEADER_KERNEL void HW_BOUNDS(1024, 1) high_diameter_k_hop(KHopGraph g, KHopState s) {
  HW_CHECK(dev::block_size() <= 1024);
  HW_SHARED(KHopStorage, storage_memory, 1);
  KHopStorage& storage = storage_memory[0];
  BarrierMemory barriers{};
  open_levels(g, s, storage);
  barrier_k_hop(s, storage, barriers, ~1u);
  u32 turn = open_sources(g, s, storage) ? 0 : 1;
  barrier_k_hop(s, storage, barriers, ~0u);
  const u32 limit = s.max_depth < 0 ? far_away - 1 : static_cast<u32>(s.max_depth);
  const bool books = dev::warp() == dev::warps() - 1;
  u64 found = 0;
  u32 step = 0;
  for (; turn == 1 && step * static_cast<u64>(g.hops) < limit; ++step) {
    if (books) turn_counts(s, storage, step, found);
    if (dev::global_thread() == 0 && halted(s.halt)) {
      dev::plain_write(&s.control->cancelled, 1);
      dev::store(&storage.over, 1u);  // ends the search likewise
    }
    expand(g, s, storage, {step, limit});
    turn = barrier_k_hop(s, storage, barriers, step);
  }
  if (books) close_counts(s, storage, step, found);
}

}  // namespace hopwave::HW_MACHINE::engine::high_diameter
