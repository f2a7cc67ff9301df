// The high-diameter traversal of prepared graphs: a row holds a vertex's k-hop neighbourhood, so that there is one barrier in
// several levels. A level is claimed by an atomic minimum: one that a longer path set too high is corrected before the barrier.
// One source for two thread scopes: a cluster with all levels in its distributed shared memory, or the whole device.
// Source: ours.
//
// Holds here, at the barrier before a step, which takes level d = step * hops:
// 1. Every vertex at distance at most d has its level; no level is below the distance.
// 2. The queues have every vertex at distance d exactly once, at its owner: no offer below d comes, so its first offer was d.
// An
//    entry of another level was lowered after it was queued, and is skipped.
// 3. No vertex is queued that was seen at a level below the step's last: rows of later frontiers hold what is beyond it. So a
//    queue never has more entries than its block has vertices.
#pragma once

#include "bfs/engine/high_diameter/thread_scope.h"

namespace hopwave::HW_MACHINE::engine::high_diameter {

template <ThreadScope scope>
HW_DEVICE u32 queue_length(const KHopState& s, const KHopWork& c, u32 turn) {
  if constexpr (scope == ThreadScope::device) return dev::load(&s.count[c.rank * count_stride + turn]);
  return c.storage->counts[turn];
}
HW_DEVICE u64* far_queue(const KHopState& s, u32 owner, u32 step) {
  return s.queue + (static_cast<u64>(owner) * 2 + (step & 1)) * s.stride;
}

struct KHopEntry {
  u32 code, ref;
};

/// The queue's entry i, in use or not; i must be below capacity + stride.
template <ThreadScope scope>
HW_DEVICE KHopEntry entry(const KHopState& s, const KHopWork& c, u32 i, u32 step) {
  if constexpr (scope == ThreadScope::device) {
    const u64 word = dev::load(&far_queue(s, c.rank, step)[i]);
    return {static_cast<u32>(word), static_cast<u32>(word >> 32)};
  } else {
    const u32 code = i < s.capacity ? c.queue[(step & 1) * s.capacity + i]
                                    : static_cast<u32>(dev::load(&far_queue(s, c.rank, step)[i - s.capacity]));
    return {code, c.refs[place_in(code)]};
  }
}

/// A place in the queue of the vertex's owner, and where its row is.
template <ThreadScope scope>
HW_DEVICE KHopEntry take_slot(const KHopGraph& g, const KHopState& s, const KHopWork& c, u32 code, u32 step) {
  const u32 turn = (step + 1) & 3, owner = owner_of<scope>(c, code);
  if constexpr (scope == ThreadScope::cluster)
    return {dev::fetch_add(dev::cluster_map(&c.storage->counts[turn], owner), 1u), 0};
  const u32 ref = dev::read_only(&g.refs[code]);
  return {dev::fetch_add(&s.count[owner * count_stride + turn], 1u), ref};
}
template <ThreadScope scope>
HW_DEVICE void put(const KHopGraph& g, const KHopState& s, const KHopWork& c, u32 code, u32 step, const KHopEntry& taken) {
  const u32 owner = owner_of<scope>(c, code), slot = taken.code;
  HW_CHECK(owner < c.blocks && slot < s.capacity + s.stride);  // Holds 3
  if constexpr (scope == ThreadScope::cluster) {
    if (slot < s.capacity)
      *dev::cluster_map(&c.queue[((step + 1) & 1) * s.capacity + slot], owner) = code;
    else
      dev::plain_write(&far_queue(s, owner, step + 1)[slot - s.capacity], code);
  } else {
    const u64 entry = static_cast<u64>(taken.ref) << 32 | code;
    dev::plain_write(&far_queue(s, owner, step + 1)[slot], entry);
    dev::store(&c.storage->queued[(step + 1) & 3], 1u);
    if (!s.prefetch) return;
    const u32* row = &g.rows[row_begin(taken.ref)];
    for (u32 k = 0; k < row_length(taken.ref); k += unit_words) dev::prefetch_far(&row[k]);
  }
}

/// The search ends with this step: the target was found, or a limit of the call is reached.
template <ThreadScope scope>
HW_DEVICE void end_with(const KHopWork& c, u32 step) {
  if constexpr (scope == ThreadScope::device)
    dev::store(&c.storage->target_found, step + 1);
  else
    for (u32 r = 0; r < c.blocks; ++r) dev::store(dev::cluster_map(&c.storage->target_found, r), step + 1);
}
template <ThreadScope scope>
HW_DEVICE void stop_at_limit(const KHopState& s, const KHopWork& c, u32 step) {
  if (c.rank != 0 || dev::thread() != 0 || !halted(s.halt)) return;
  dev::plain_write(&s.control->cancelled, 1);
  end_with<scope>(c, step);
}

/// Counts vertices by the hops they were found at; a vertex whose level is corrected is taken off its old count.
template <ThreadScope scope>
HW_DEVICE void note(const KHopState& s, const KHopWork& c, u32 word, u32 old, u32 step, u32 level) {
  HW_CHECK(word >> row_id_bits < most_hops && (old == far_away || old - level - 1 < most_hops));
  dev::fetch_add(&c.storage->tally[step & 3][word >> row_id_bits], 1u);
  if (old != far_away) dev::fetch_add(&c.storage->tally[step & 3][old - level - 1], ~0u);
  if ((word & row_id_mask) == s.target) end_with<scope>(c, step);
}

/// A step, and the greatest level that the search is to find.
struct KHopStep {
  u32 step, limit;
};

/// Claims words of rows of the step's vertices; words from `live` on are empty. The lane that claims a vertex first decides
/// whether it is queued: a vertex nearer than the last hop never is. A queued vertex that comes nearer later is skipped when it
/// would be expanded.
template <ThreadScope scope>
HW_DEVICE void claim(const KHopGraph& g, const KHopState& s, const KHopWork& c, const u32 (&word)[rows_a_lane], u32 live,
                     const KHopStep& now) {
  const u32 step = now.step, level = step * g.hops;
  u32 value[rows_a_lane], old[rows_a_lane];
  KHopEntry taken[rows_a_lane];
  HW_UNROLL
  for (u32 j = 0; j < rows_a_lane; ++j) {
    if (j >= live) break;
    value[j] = level + 1 + (word[j] >> row_id_bits);
    const bool asked = word[j] != no_word && value[j] <= now.limit;
    old[j] = asked ? dev::fetch_min(cell_of<scope>(c, word[j] & row_id_mask), value[j]) : 0;
  }
  HW_UNROLL
  for (u32 j = 0; j < rows_a_lane; ++j) {
    if (j >= live) break;
    if (old[j] == far_away && value[j] == level + g.hops) taken[j] = take_slot<scope>(g, s, c, word[j] & row_id_mask, step);
  }
  HW_UNROLL
  for (u32 j = 0; j < rows_a_lane; ++j) {
    if (j >= live) break;
    if (old[j] > value[j]) note<scope>(s, c, word[j], old[j], step, level);
  }
  HW_UNROLL
  for (u32 j = 0; j < rows_a_lane; ++j) {
    if (j >= live) break;
    if (old[j] == far_away && value[j] == level + g.hops) put<scope>(g, s, c, word[j] & row_id_mask, step, taken[j]);
  }
}

template <ThreadScope scope>
HW_DEVICE u32 level_of(const KHopWork& c, u32 code) {  // of an entry of the block's own queue
  if constexpr (scope == ThreadScope::device) return dev::load(&c.cells[code]);
  return dev::peek(&c.cells[place_in(code)]);
}

/// Expands this block's part of the frontier, a team of lanes a row; a lane works on several rows at a time.
template <ThreadScope scope>
HW_DEVICE void expand(const KHopGraph& g, const KHopState& s, const KHopWork& c, const KHopStep& now) {
  const u32 step = now.step;
  const u32 team = 1u << g.team_bits, member = dev::thread() & (team - 1), stride = dev::block_size() >> g.team_bits;
  u32 i = dev::thread() >> g.team_bits;
  KHopEntry early{};
  if constexpr (scope == ThreadScope::device)
    if (i < s.stride) early = entry<scope>(s, c, i, step);  // does not wait for the count
  const u32 count = queue_length<scope>(s, c, step & 3);
  for (bool first = scope == ThreadScope::device; i < count; i += rows_a_lane * stride, first = false) {
    u64 begin[rows_a_lane];
    u32 length[rows_a_lane], level[rows_a_lane], word[rows_a_lane], longest = 0, live = 0;
    HW_UNROLL
    for (u32 j = 0; j < rows_a_lane; ++j) {
      if (i + j * stride >= count) break;
      const KHopEntry e = first && j == 0 ? early : entry<scope>(s, c, i + j * stride, step);
      begin[j] = row_begin(e.ref);
      length[j] = row_length(e.ref);
      level[j] = level_of<scope>(c, e.code);
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
      claim<scope>(g, s, c, word, live, now);
    }
  }
}

/// All levels far away, all counts zero.
template <ThreadScope scope>
HW_DEVICE void open_levels(const KHopGraph& g, const KHopState& s, const KHopWork& c) {
  const bool whole = scope == ThreadScope::device;
  const u32 n = whole ? g.num_vertices : g.own.slice;
  const u32 from = whole ? dev::global_thread() : dev::thread(), stride = whole ? dev::global_threads() : dev::block_size();
  for (u64 i = from; i < n / 4; i += stride) {
    dev::plain_write(&reinterpret_cast<Quad*>(c.cells)[i], {far_away, far_away, far_away, far_away});
    if (!whole)
      reinterpret_cast<Quad*>(c.refs)[i] = dev::read_only(reinterpret_cast<const Quad*>(g.refs) + c.rank * (n / 4) + i);
  }
  for (u64 v = n / 4 * 4 + from; v < n; v += stride) dev::plain_write(&c.cells[v], far_away);
  KHopStorage& storage = *c.storage;
  if (dev::thread() <= most_hops)
    for (auto& tally : storage.tally) tally[dev::thread()] = 0;
  if (dev::thread() < 4) storage.counts[dev::thread()] = storage.queued[dev::thread()] = 0;
  if (whole && dev::thread() < 4) dev::plain_write(&s.count[c.rank * count_stride + dev::thread()], 0);
  if (dev::thread() == 0) storage.target_found = 0;
  if (c.rank == 0 && dev::thread() == 0)
    dev::plain_write(s.control, KHopControl{.visited = 0, .steps = 0, .cancelled = 0, .tally = {}});
}

/// Every block claims the sources that it owns. True if the target is one of the sources.
template <ThreadScope scope>
HW_DEVICE bool open_sources(const KHopGraph& g, const KHopState& s, const KHopWork& c) {
  bool target_found = false;
  for (u32 i = dev::thread(); i < s.num_sources; i += dev::block_size()) {
    const u32 code = code_of<scope>(g.own, source_of(s, i));
    target_found |= code == s.target;
    if (owner_of<scope>(c, code) != c.rank) continue;
    if (dev::fetch_min(cell_of<scope>(c, code), 0u) != far_away) continue;  // given twice
    put<scope>(g, s, c, code, ~0u, take_slot<scope>(g, s, c, code, ~0u));
    dev::fetch_add(&s.control->visited, u64{1});
  }
  return dev::sync_block_or(target_found);
}

/// The last warp keeps the counts, each of its first lanes those of one number of hops. Before a step it clears what the next
/// step, or the one after it, uses.
template <ThreadScope scope>
HW_DEVICE void turn_counts(const KHopState& s, const KHopWork& c, u32 step, u64& found) {
  KHopStorage& storage = *c.storage;
  if (dev::lane() <= most_hops) {
    u32& old = storage.tally[(step + 1) & 3][dev::lane()];
    found += static_cast<u64>(static_cast<std::int32_t>(old));
    old = 0;
  }
  if (dev::lane() == 0) {
    storage.counts[(step + 2) & 3] = storage.queued[(step + 2) & 3] = 0;
    if (scope == ThreadScope::device) dev::plain_write(&s.count[c.rank * count_stride + ((step + 2) & 3)], 0);
  }
  if constexpr (scope == ThreadScope::cluster) {
    const u32 part = dev::lane() < c.blocks ? dev::peek(dev::cluster_map(&storage.counts[step & 3], dev::lane())) : 0;
    const u32 sum = dev::reduce_add(dev::all_lanes, part);
    if (dev::lane() == 0) storage.totals[step & 1] = sum;
  }
}
HW_DEVICE void close_counts(const KHopState& s, const KHopWork& c, u32 step, u64 found) {
  const u32 k_hop = dev::lane();
  if (k_hop > most_hops) return;
  for (u32 back = 1; back <= 3; ++back) {
    const u32 tally = c.storage->tally[(step - back) & 3][k_hop];
    found += static_cast<u64>(static_cast<std::int32_t>(tally));
    if (tally) dev::fetch_add(&s.control->tally[back - 1][k_hop], tally);
  }
  if (found) dev::fetch_add(&s.control->visited, found);
  if (c.rank == 0 && k_hop == 0) dev::plain_write(&s.control->steps, step);
}

template <ThreadScope scope>
HW_DEVICE KHopWork open_k_hop(const KHopGraph& g, const KHopState& s, u32* memory, KHopStorage* storage) {
  const u32 slice = scope == ThreadScope::cluster ? g.own.slice : 0;  // else all is in global memory
  KHopWork c{0,
             0,
             dev::shared_part(memory, slice),
             dev::shared_part(memory + slice, slice),
             dev::shared_part(memory + 2 * slice, scope == ThreadScope::cluster ? 2 * s.capacity : 0),
             storage,
             {}};
  if constexpr (scope == ThreadScope::cluster) {
    c.rank = dev::cluster_rank();
    c.blocks = dev::cluster_size();
  } else {
    c.rank = dev::block();
    c.blocks = dev::grid_size();
    c.cells = reinterpret_cast<u32*>(s.level);
  }
  return c;
}

template <ThreadScope scope>
HW_KERNEL void HW_BOUNDS(1024, 1) high_diameter_k_hop(KHopGraph g, KHopState s) {
  HW_CHECK(dev::block_size() <= 1024);
  HW_SHARED_PARTS(u32, memory);
  HW_SHARED(KHopStorage, storage, 1);
  KHopWork c = open_k_hop<scope>(g, s, memory, storage);
  s.target = s.target == no_vertex ? no_word : code_of<scope>(g.own, s.target);
  open_levels<scope>(g, s, c);
  barrier_all_reduce<scope>(s, c, ~1u);
  const bool target_found = open_sources<scope>(g, s, c);
  barrier_all_reduce<scope>(s, c, ~0u);
  const u32 limit = s.max_depth < 0 ? far_away - 1 : static_cast<u32>(s.max_depth);
  const bool books = dev::warp() == dev::warps() - 1;
  u64 found = 0;
  u32 step = 0;
  for (Turn turn{true, target_found}; turn.more && !turn.target_found && step * static_cast<u64>(g.hops) < limit; ++step) {
    if (books) turn_counts<scope>(s, c, step, found);
    stop_at_limit<scope>(s, c, step);
    expand<scope>(g, s, c, {step, limit});
    turn = barrier_all_reduce<scope>(s, c, step);
  }
  if (books) close_counts(s, c, step, found);
  if constexpr (scope == ThreadScope::cluster) {
    dev::sync_cluster();  // no block exits while others may access its memory
    for (u32 i = dev::thread(); i < g.own.slice; i += dev::block_size())
      if (const u64 v = vertex_at(g.own, c.rank, i); v < g.num_vertices)
        dev::plain_write(&s.level[v], static_cast<Distance>(c.cells[i]));
  }
}

}  // namespace hopwave::HW_MACHINE::engine::high_diameter
