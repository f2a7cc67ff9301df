// The wide traversal: all multiprocessors in one cooperative launch from the first vertex to the finished answer.
// Blocks meet once a step and each takes the same decision from the same totals; the host is never asked.
// The bitmaps of the search before are emptied, and byte levels are widened and put into the caller's order in the last pass.
#pragma once

#include "engine/grid_wide/barrier.h"
#include "engine/grid_wide/last_pass.h"
#include "engine/grid_wide/tail.h"

namespace hopwave::HW_MACHINE::engine {

inline constexpr u32 fast_limit = 2 * 32;  ///< largest degree of a source that every block expands for itself

/// A block's shared memory beside the dynamic part.
template <class Offset>
struct Scratch {
  Entry<Offset> first[fast_limit];
  u64 warp_sums[max_warps + 1];
  Offset single_block_sums[max_warps + 1];  ///< one is not used: what follows is aligned for wide accesses by it
  Counts mine;
  u32 count, single_block_count;
  u64 edges;
  Sums sums[2];
  Progress now;
  u64 began, opened, settled;  ///< clocks, if traced
};

/// Marks every neighbour of the source and makes them the block's own frontier; all blocks do the same, which saves a meeting.
/// Rows are sorted, so a duplicate stands beside its like. One warp.
template <class Offset, bool Plain>
HW_DEVICE void expand_source(const Graph<Offset>& g, const Searching<Offset, Plain>& s, Scratch<Offset>& b, u32 source,
                             u32 degree, Offset begin) {
  u64 edges = 0;
  u32 count = 0;
  for (u32 i0 = 0; i0 < degree; i0 += dev::lanes) {
    const u32 i = i0 + dev::lane();
    u64 d = 0;
    bool fresh = false;
    Entry<Offset> entry{};
    if (i < degree) {
      entry.vertex = dev::read_only(&g.neighbors[begin + i]);
      fresh = entry.vertex != source && (i == 0 || dev::read_only(&g.neighbors[begin + i - 1]) != entry.vertex);
    }
    if (fresh) {
      entry.begin = dev::read_only(&g.offsets[entry.vertex]);
      d = dev::read_only(&g.offsets[entry.vertex + 1ull]) - entry.begin;
      Word* word = &s.visited[0][entry.vertex / word_bits];
      if (!(dev::load(word) & bit_of(entry.vertex))) dev::fetch_or(word, bit_of(entry.vertex));
      if (dev::block() == 0) settle(s, entry.vertex, 1, source);
    }
    const dev::LaneMask fresh_lanes = dev::ballot(dev::all_lanes, fresh);
    u64 sum = 0;
    const u64 below = dev::warp_exclusive_sum(d, sum);
    if (fresh) {
      entry.before = static_cast<Offset>(edges + below);
      b.first[count + dev::rank_in(fresh_lanes)] = entry;
    }
    count += dev::popcount(fresh_lanes);
    edges += sum;
  }
  if (dev::lane() == 0) {
    b.count = count;
    b.edges = edges;
  }
}

/// One source: every block makes the first frontier for itself. Leaves it in b.first and says so in the progress.
template <class Offset, bool Plain>
HW_DEVICE Progress begin_single(const Graph<Offset>& g, const Searching<Offset, Plain>& s, const Rule& rule,
                                Scratch<Offset>& b) {
  const u32 source = g.rank ? dev::read_only(&g.rank[s.source]) : s.source;
  const Offset begin = dev::read_only(&g.offsets[source]);
  const u64 degree = dev::read_only(&g.offsets[source + 1ull]) - begin;
  const bool fast = degree <= rule.fast_degree && degree <= fast_limit && rule.max_depth != 0;
  if (dev::warp() == 0) {
    if (dev::lane() == 0) {
      dev::fetch_or(&s.visited[0][source / word_bits], bit_of(source));
      if (dev::block() == 0) settle(s, source, 0, no_vertex);
    }
    if (fast) {
      expand_source(g, s, b, source, static_cast<u32>(degree), begin);
    } else if (dev::lane() == 0) {
      b.first[0] = {begin, 0, source};
      b.count = 1;
      b.edges = degree;
    }
  }
  dev::sync_block();
  Progress p{};
  p.level = fast ? 1 : 0;
  p.deepest = fast && b.count ? 1 : 0;
  p.known = 1;
  p.visited = 1 + (fast ? b.count : 0);
  p.frontier = b.count;
  p.edges = b.edges;
  if (s.records && fast) {
    const u64 now = dev::clock_ns();
    record(s, {push, 1, 1, degree, b.count, now, now});
  }
  return p;
}

/// Several sources are claimed like found vertices; a meeting follows.
template <class Offset, bool Plain>
HW_DEVICE void begin_many(const Graph<Offset>& g, const Searching<Offset, Plain>& s, WarpBuffer<Offset>& st) {
  const u32 rounds = (s.num_sources + dev::global_threads() - 1) / dev::global_threads();
  for (u32 k = 0; k < rounds; ++k) {
    const u32 i = k * dev::global_threads() + dev::global_thread();
    bool won = false;
    u32 v = 0;
    if (i < s.num_sources) {
      v = dev::read_only(&s.sources[i]);
      if (g.rank) v = dev::read_only(&g.rank[v]);
      won = dev::claim_bit(s.visited[0], v);
      if (won) settle(s, v, 0, no_vertex);
    }
    Offset begin = 0;
    u32 degree = 0;
    if (won) {
      begin = dev::read_only(&g.offsets[v]);
      degree = dev::narrowed<u32>(dev::read_only(&g.offsets[v + 1ull]) - begin);
    }
    warp_buffer(st, won, v, begin, degree, s.queue[0], &s.cursor[0]);
  }
  flush_block(st, s.queue[0], &s.cursor[0]);
}

/// What the next step does. `queued`: the frontier stands in a queue. A flood counts nothing, so the last step that a depth
/// limit allows is none.
template <class Offset>
HW_DEVICE u32 choose(const Rule& rule, u32 level, u64 size, u64 edges, bool queued, bool pulled) {
  if (!queued) return pull;
  if (rule.can_pull && edges >= (pulled ? rule.back_edges : rule.pull_edges)) return pull;
  const bool last = level + 1 == static_cast<u32>(rule.max_depth);
  if (rule.can_pull && !pulled && !last && edges >= rule.unqueued_edges) return unqueued;
  const u32 capacity = single_block_capacity<Offset>(rule);
  return size <= capacity && edges <= capacity ? alone : push;
}

template <class Offset>
HW_DEVICE u64 visited_after_pull(const Graph<Offset>& g, const Totals& t) {
  return t.visited_bits - (static_cast<u64>(num_words(g)) * word_bits - g.num_vertices);
}

/// After a pull: how many vertices a flood just before it found, which counted none.
template <class Offset>
HW_DEVICE u64 unqueued_before(const Graph<Offset>& g, const Progress& p, const Totals& t) {
  return p.known ? 0 : visited_after_pull(g, t) - p.visited - t.found;
}

/// Has the step listed all vertices that are left, and are they few, and their rows short?
template <class Offset>
HW_DEVICE bool left_is_listed(const Graph<Offset>& g, const Rule& rule, const Progress& p, const Totals& t, u32 most) {
  if (p.mode != pull || t.unlisted) return false;
  const u64 left = most - visited_after_pull(g, t);
  return left != 0 && left <= tail_capacity(rule);
}

/// The same in every block: from what was, and what the step found, to the next step.
template <class Offset>
HW_DEVICE void advance(Progress& p, const Totals& t, const Graph<Offset>& g, const Rule& rule, u32 most, bool hit_target,
                       bool listed) {
  const u32 mode = p.mode;
  HW_CHECK(mode != alone || t.single_block_levels > 0);
  p.level += mode == alone ? static_cast<u32>(t.single_block_levels) : 1;
  ++p.step;
  if (mode == pull && unqueued_before(g, p, t)) p.deepest = p.level - 1;
  if (mode == alone) p.deepest = p.level - 1;  // each of its levels but the last found something
  if (t.found) p.deepest = p.level;
  bool queued = true, over = t.found == 0;
  if (mode == unqueued) {
    p.known = 0;
    queued = over = false;
  } else if (mode == pull) {
    p.current = 1 - p.current;
    HW_CHECK(visited_after_pull(g, t) >= p.visited + t.found && visited_after_pull(g, t) <= g.num_vertices);
    p.visited = visited_after_pull(g, t);
    p.known = 1;
    queued = t.incomplete == 0;
  } else {
    p.visited += mode == alone ? t.found_alone : t.found;
  }
  HW_CHECK(!p.known || p.visited <= most);
  p.frontier = t.found;
  p.edges = t.edges;
  const bool deep = rule.max_depth >= 0 && p.level >= static_cast<u32>(rule.max_depth);
  if (over || hit_target || deep || (p.known && p.visited == most))
    p.mode = stop;
  else if (listed)
    p.mode = tail;
  else
    p.mode = choose<Offset>(rule, p.level, t.found, t.edges, queued, mode == pull);
}

/// A block's dynamic shared memory: a stage a warp, half of which gives way to a pull's lists, and what pulls find; or all of
/// it for going alone.
template <class Offset>
struct TempStorage {
  WarpBuffer<Offset> warp_buffer;
  Worklist list;
  WarpLeft left;
  SingleBlock<Offset> single_block;
};
/// A stage of `size` vertices in a warp's own memory.
template <class Offset>
HW_DEVICE WarpBuffer<Offset> init_warp_buffer(Scratch<Offset>& b, Byte* memory, u32 size) {
  auto* begins = reinterpret_cast<Offset*>(memory);
  auto* vertices = reinterpret_cast<u32*>(begins + size);
  return {begins, vertices, vertices + size, b.warp_sums, &b.mine.flushed, 0};
}
template <class Offset>
HW_DEVICE TempStorage<Offset> init_temp_storage(Scratch<Offset>& b, void* memory, const Rule& rule) {
  static_assert(worklist_bytes <= warp_buffer_bytes<Offset> / 2 && near_capacity >= pull_buffer_size);
  auto* warp_buffer = static_cast<Byte*>(memory) + dev::warp() * warp_buffer_bytes<Offset>;
  auto* near = reinterpret_cast<std::uint16_t*>(warp_buffer + warp_buffer_bytes<Offset> / 2);
  auto* found = reinterpret_cast<Word*>(static_cast<Byte*>(memory) + dev::warps() * warp_buffer_bytes<Offset>);
  auto* left = reinterpret_cast<u32*>(found + dev::warps() * dev::lanes);
  return {
      init_warp_buffer(b, warp_buffer, warp_buffer_size),
      {near, near + near_capacity, found + dev::warp() * dev::lanes, 0, 0},
      {left + dev::warp() * warp_left, 0, false},
      {static_cast<Entry<Offset>*>(memory), single_block_capacity<Offset>(rule), &b.single_block_count, b.single_block_sums}};
}
/// What the host asks for.
template <class Offset>
inline constexpr u32 warp_shared_bytes = warp_buffer_bytes<Offset> + found_bytes + warp_left * sizeof(u32);

template <class Offset, bool Plain>
HW_DEVICE void pull_and_queue(const Graph<Offset>& g, const Searching<Offset, Plain>& s, const Rule& rule, Scratch<Offset>& b,
                              TempStorage<Offset>& place, const Progress& p, Entry<Offset>* made, u64* cursor, u32 limit) {
  const Word* visited = dev::current_of(s.visited, p.current);
  Word* other = dev::alternate_of(s.visited, p.current);
  const Pull<Offset, Before<Plain>> pull{g, s, {visited}, p.level + 1 - p.base};
  WarpBuffer<Offset> st = init_warp_buffer(b, reinterpret_cast<Byte*>(place.warp_buffer.begins), pull_buffer_size);
  WarpLeft left{place.left.vertices, 0, rule.tail_limit == 0};
  const PullCounts c =
      pull_step(pull, st, place.list, left, rule.partition, visited, other, limit, rule.warp_buffer_limit, made, cursor);
  const u32 seen = dev::reduce_add(dev::all_lanes, c.visited), found = dev::reduce_add(dev::all_lanes, c.found);
  if (dev::lane() == 0) {
    if (seen) dev::fetch_add(&b.mine.visited_bits, seen);
    if (found) dev::fetch_add(&b.mine.found, found);
    if (c.incomplete) dev::fetch_or(&b.mine.incomplete, 1u);
  }
  const u32 before = count_left(left, b.mine);
  dev::sync_block();
  list_left(s, left, b.mine, before);
  // A block that lost part of what it found has no queue to offer, and then neither has anybody.
  if (b.mine.incomplete) return;
  flush_block(st, made, cursor);
  if (dev::thread() == 0) b.mine.found = 0;  // what was queued is counted there
}

/// One step; the block's counts are complete at the next meeting.
template <class Offset, bool Plain>
HW_DEVICE void step(const Graph<Offset>& g, const Searching<Offset, Plain>& s, const Rule& rule, Scratch<Offset>& b,
                    void* memory, const Progress& p, u32 all) {
  TempStorage<Offset> place = init_temp_storage(b, memory, rule);
  const Entry<Offset>* frontier = p.step == 0 && s.num_sources == 1 ? b.first : dev::current_of(s.queue, p.step & 1);
  const u32 byte = p.level + 1 - p.base;
  Entry<Offset>* made = dev::alternate_of(s.queue, p.step & 1);
  Word* visited = dev::current_of(s.visited, p.current);
  u64* cursor = &s.cursor[(p.step + 1) % num_cursors];
  // The cursors of the step after this one were last used two steps ago.
  if (dev::global_thread() == 0) s.cursor[(p.step + 2) % num_cursors] = 0;
  if (p.mode == alone) {
    if (dev::block() == 0) run_single_block_levels(g, s, rule, p, place.single_block, frontier, made, all, b.mine);
  } else if (p.mode == push) {
    push_step<false>(g, s, place.warp_buffer, frontier, p.frontier, p.edges, rule.share, visited, byte, made, cursor);
  } else if (p.mode == unqueued) {
    push_step<true>(g, s, place.warp_buffer, frontier, p.frontier, p.edges, rule.share, visited, byte, made, cursor);
  } else {
    pull_and_queue(g, s, rule, b, place, p, made, cursor, all);
  }
}

template <class Offset>
HW_DEVICE bool target_reached(const Graph<Offset>& g, const State<Offset>& s, const Progress& p, bool pulled) {
  return s.target != no_vertex && is_visited(g, dev::current_of(s.visited, (p.current != 0) != pulled), s.target);
}

/// Every block has looked for the target: only now may one of them mark the next level, or clear. Without this a block that
/// looks late could see the target of a later level, stop, and leave the others waiting for it.
template <class Offset>
HW_DEVICE void barrier_after_target(const State<Offset>& s, BarrierWords& m) {
  if (s.target != no_vertex) barrier_all_reduce(m);
}

/// A byte counts no further: what there is was written, and counting goes on from here. Two meetings.
template <class Offset, bool Plain>
HW_DEVICE void rebase(const Graph<Offset>& g, const Searching<Offset, Plain>& s, Progress& p, BarrierWords& m) {
  barrier_all_reduce(m);
  const u32 words = num_words(g);
  for (u32 w = dev::global_thread(); w < words; w += dev::global_threads())
    s.settled[w] = dev::current_of(s.visited, p.current)[w];
  dev::sync_block();
  if (dev::thread() == 0) p.base = p.level;
  barrier_all_reduce(m);
}

/// The first frontier, in the block's own memory or in a queue, and the mode of the first step.
template <class Offset, bool Plain>
HW_DEVICE Progress begin(const Graph<Offset>& g, const Searching<Offset, Plain>& s, const Rule& rule, Scratch<Offset>& b,
                         void* memory, BarrierWords& m) {
  Progress p{};
  if (s.num_sources == 1) {
    p = begin_single(g, s, rule, b);
  } else {
    TempStorage<Offset> place = init_temp_storage(b, memory, rule);
    begin_many(g, s, place.warp_buffer);
    const Totals t = barrier_all_reduce(m);
    p.known = 1;
    p.visited = p.frontier = t.found;
    p.edges = t.edges;
  }
  p.mode = choose<Offset>(rule, p.level, p.frontier, p.edges, true, false);
  const bool deep = rule.max_depth >= 0 && p.level >= static_cast<u32>(rule.max_depth);
  if (deep || p.frontier == 0 || p.edges == 0 || target_reached(g, s, p, false)) p.mode = stop;
  barrier_after_target(s, m);
  // Pulling reads the bitmap plainly: no block may still mark.
  if (p.mode == pull && s.num_sources == 1) barrier_all_reduce(m);
  return p;
}

/// Writes the levels known so far; at the end of a search, all answers. If vertices are left then and listed, one block finds
/// them, and the others write all else.
template <class Offset, bool Plain>
HW_DEVICE void write_out(const Graph<Offset>& g, const Searching<Offset, Plain>& s, const Rule& rule, Scratch<Offset>& b,
                         void* memory, u32 most, bool in_largest_component) {
  Progress& p = b.now;
  const bool by_one = p.mode == tail, last = by_one || p.mode == stop;
  if constexpr (Plain) {
    if (!by_one) write_unreached(g, s, dev::current_of(s.visited, p.current));
  } else {
    const bool known = by_one || (p.mode == stop && p.known && p.visited == g.largest_component);
    const LastPass<Offset> pass{.level8 = s.level8,
                                .visited = dev::current_of(s.visited, p.current),
                                .settled = p.base ? s.settled : nullptr,
                                .base = p.base,
                                .largest_component = in_largest_component && known && !p.base ? g.largest_component : 0,
                                .left = by_one ? most : 0,
                                .last = last};
    const u32 spared = by_one && dev::grid_size() > 1 ? 1 : 0;  // blocks that do not write
    if (dev::block() >= spared)
      write_levels(g, s, pass,
                   {dev::global_thread() - spared * dev::block_size(), dev::global_threads() - spared * dev::block_size()});
  }
  if (!by_one || dev::block() != 0) return;
  const u32 capacity = tail_capacity(rule);
  auto* list = static_cast<u32*>(memory);
  tail_levels(g, s, rule, p, {list, list + capacity, reinterpret_cast<u32*>(b.warp_sums), &b.single_block_count, capacity, 0});
}

/// A step that one block has not recorded itself. What a flood found is known after the pull that follows it.
template <class Offset>
HW_DEVICE void record_step(const Graph<Offset>& g, const State<Offset>& s, const Progress& p, const Totals& t, u64 worked) {
  const u64 before = p.mode == pull ? unqueued_before(g, p, t) : 0;
  if (before && dev::global_thread() == 0 && p.level - 1 < s.record_capacity) s.records[p.level - 1].found = before;
  record(s, {p.mode, p.level + 1, p.known ? p.frontier : before, p.edges, t.found, worked, dev::clock_ns()});
}

template <class Offset>
HW_DEVICE bool source_in_largest_component(const Graph<Offset>& g, const State<Offset>& s) {
  return g.largest_component && s.num_sources == 1 &&
         (g.rank ? dev::read_only(&g.rank[s.source]) : s.source) < g.largest_component;
}

/// How many vertices a bitmap has; for checks.
template <class Offset>
HW_DEVICE u64 bits_set(const Word* visited, const Graph<Offset>& g) {
  u64 bits = 0;
  for (u32 w = 0; w < num_words(g); ++w) bits += dev::popcount(visited[w] & ~empty_word(w, g.num_vertices));
  return bits;
}

/// What is left to do when the answers are written. The bitmaps are the next search's to empty.
template <class Offset>
HW_DEVICE void close(const Graph<Offset>& g, const State<Offset>& s, const Scratch<Offset>& b, BarrierWords& m) {
  const Progress& p = b.now;
  if (p.base) {
    barrier_all_reduce(m);
    const u32 words = num_words(g);
    for (u32 w = dev::global_thread(); w < words; w += dev::global_threads()) s.settled[w] = 0;
  }
  if (dev::global_thread() != 0) return;
  HW_CHECK(p.mode == tail || !p.known || bits_set(dev::current_of(s.visited, p.current), g) == p.visited);
  *s.control = {.progress = p,
                .visited = p.visited,
                .levels = p.deepest,
                .records = p.level,
                .began = b.began,
                .opened = b.opened,
                .settled = b.settled,
                .ended = s.records ? dev::clock_ns() : 0};
}

/// Plain: the graph is not prepared, and has no heads. `threads`: of a block at most; the fewer they are, the more registers
/// each has, and the less is spilled.
template <class Offset, bool Plain, u32 threads>
HW_KERNEL void HW_BOUNDS(threads, 1) grid_wide_traversal(Graph<Offset> g, Searching<Offset, Plain> s, Rule rule) {
  HW_CHECK(dev::block_size() <= threads);
  HW_SHARED(Scratch<Offset>, scratch, 1);
  HW_DYNAMIC_SHARED(Entry<Offset>, memory);
  Scratch<Offset>& b = scratch[0];
  if (dev::thread() == 0) b.began = s.records ? dev::clock_ns() : 0;
  BarrierWords m;
  init_barriers(m, s.slots, s.launch_parity, b.sums, &b.mine);
  clear_stale(g, s);
  dev::sync_block();
  const bool in_largest_component = source_in_largest_component(g, s);
  const u32 most = in_largest_component ? g.largest_component : g.num_vertices;  // that can be reached
  {
    const Progress first = begin(g, s, rule, b, memory, m);
    if (dev::thread() == 0) b.now = first;
  }
  dev::sync_block();
  const Progress& p = b.now;  // registers are better used by the steps
  if (dev::thread() == 0) b.opened = s.records ? dev::clock_ns() : 0;
  for (;;) {
    const bool last = p.mode == stop || p.mode == tail;
    if (last || (!Plain && p.level - p.base == deepest_byte)) {
      if (dev::thread() == 0) b.settled = s.records ? dev::clock_ns() : 0;
      if (p.step == 0) barrier_all_reduce(m);  // no step, no meeting yet: the source's level may still be on its way
      write_out(g, s, rule, b, memory, most, in_largest_component);
      if (last) break;
      if constexpr (!Plain) rebase(g, s, b.now, m);
    }
    step(g, s, rule, b, memory, p, most);
    const u64 worked = s.records ? dev::clock_ns() : 0;
    const Totals t = barrier_all_reduce(m, p.mode == alone);
    if (s.records && p.mode != alone) record_step(g, s, p, t, worked);
    const bool hit = target_reached(g, s, p, p.mode == pull), listed = left_is_listed(g, rule, p, t, most);
    barrier_after_target(s, m);
    dev::sync_block();
    if (dev::thread() == 0) advance(b.now, t, g, rule, most, hit, listed);
    dev::sync_block();
  }
  close(g, s, b, m);
}

}  // namespace hopwave::HW_MACHINE::engine
