// The grid-wide traversal: all multiprocessors in one cooperative launch from the first vertex to the finished answer.
// All blocks wait at one barrier a step, and each takes the same decision from the same totals; the host is never asked.
// The last pass empties the bitmaps of the search before, widens byte levels, and puts them into the caller's order.
#pragma once

#include "bfs/engine/grid_wide/begin.h"
#include "bfs/engine/grid_wide/last_pass.h"
#include "bfs/engine/grid_wide/tail.h"

namespace hopwave::HW_MACHINE::engine {

/// `most`: vertices of the part of the graph that the search is in.
template <class Offset>
HW_DEVICE hopwave::engine::StepLimits step_limits(const Graph<Offset>& g, const State<Offset>& s, const Rule& rule, u32 most) {
  return {static_cast<u64>(num_words(g)) * word_bits - g.num_vertices + s.num_isolated, most - s.num_isolated,
          single_block_capacity<Offset>(rule)};
}

/// Has the step listed all vertices that are left, and are they few, and their rows short?
HW_DEVICE bool left_is_listed(const Rule& rule, const Progress& p, const Totals& t, const hopwave::engine::StepLimits& limits) {
  if (p.mode != pull || t.unlisted) return false;
  const u64 left = limits.reachable - visited_after_pull(t, limits.padding);
  return left != 0 && left <= tail_capacity(rule);
}

/// The same in every block: next_step.h has the table.
HW_DEVICE void take_totals(Progress& p, const Totals& t, const Rule& rule, const hopwave::engine::StepLimits& limits,
                           bool hit_target, bool listed) {
  HW_CHECK(p.mode != alone || t.single_block_levels > 0);
  HW_CHECK(p.mode != pull || visited_after_pull(t, limits.padding) >= p.visited + t.found);
  hopwave::engine::advance(p, t, rule, limits, hit_target, listed);
  HW_CHECK(!p.known || p.visited <= limits.reachable);
}

template <class Offset, bool Plain>
HW_DEVICE void pull_and_queue(const Graph<Offset>& g, const Searching<Offset, Plain>& s, const Rule& rule, Scratch<Offset>& b,
                              TempStorage<Offset>& place, const Progress& p, Entry<Offset>* made, u64* cursor, u32 limit) {
  const Word* visited = dev::current_of(s.visited, p.current);
  Word* other = dev::alternate_of(s.visited, p.current);
  Word* const kept = Plain && b.kept.count < most_kept_pulls ? s.found_by_pull + u64{b.kept.count} * num_words(g) : nullptr;
  const Pull<Offset, Before<Plain>> pull{g, s, {visited}, p.level + 1 - p.base, kept};
  WarpBuffer<Offset> st = init_warp_buffer(
      b, HW_COUNTED_AT(reinterpret_cast<Byte*>(place.warp_buffer.begins), dev::warp() * warp_buffer_bytes<Offset>),
      pull_buffer_size);
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
  if (kept && dev::thread() == 0) b.kept.level[b.kept.count++] = p.level + 1;
  list_left(s, left, b.mine, before);
  // A block that could not queue all that it found has no queue. Then no block has one: the next step pulls.
  if (b.mine.incomplete) return;
  flush_block(st, made, cursor);
  if (dev::thread() == 0) b.mine.found = 0;  // what was queued is counted there
}

/// One step; the block's counts are complete at the next barrier.
template <class Offset, bool Plain>
HW_DEVICE void step(const Graph<Offset>& g, const Searching<Offset, Plain>& s, const Rule& rule, Scratch<Offset>& b,
                    void* memory, const Progress& p, u32 all) {
  HW_SHARED_LAYOUT(layout_of(p.mode));
  TempStorage<Offset> place = init_temp_storage(b, memory, rule);
  const Entry<Offset>* frontier = p.step == 0 && s.num_sources == 1 ? b.first : dev::current_of(s.queue, p.step & 1);
  const u32 byte = p.level + 1 - p.base;
  Entry<Offset>* made = dev::alternate_of(s.queue, p.step & 1);
  Word* visited = dev::current_of(s.visited, p.current);
  u64* cursor = &s.cursor[(p.step + 1) % num_cursors];
  // The cursors of the step after this one were last used two steps ago.
  if (dev::global_thread() == 0) dev::plain_write(&s.cursor[(p.step + 2) % num_cursors], 0);
  if (p.mode == alone) {
    if (dev::block() == 0)
      run_single_block_levels(g, s, rule, p, place.single_block, frontier, made, all - s.num_isolated, b.mine);
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
  return target_is_visited(g, s, dev::current_of(s.visited, (p.current != 0) != pulled));
}

/// Waits until every block has looked for the target: only then may a block mark the next level, or clear. Otherwise a block
/// that looks late could see the target found in a later level, stop, and leave the others waiting for it.
template <class Offset>
HW_DEVICE void barrier_after_target(const State<Offset>& s, BarrierWords& m) {
  if (s.target != no_vertex) barrier_all_reduce(m);
}

/// A byte counts no further: the levels so far are written out, and counting starts again from here. Two barriers.
template <class Offset, bool Plain>
HW_DEVICE void rebase(const Graph<Offset>& g, const Searching<Offset, Plain>& s, Progress& p, BarrierWords& m) {
  barrier_all_reduce(m);
  const u32 words = num_words(g);
  for (u32 w = dev::global_thread(); w < words; w += dev::global_threads()) {
    const Word now = dev::plain_read(&dev::current_of(s.visited, p.current)[w]);
    dev::plain_write(&s.settled[w], now);
  }
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
  p.mode = hopwave::engine::choose_step(rule, single_block_capacity<Offset>(rule), p.level, p.frontier, p.edges, true, false);
  if (hopwave::engine::at_depth_limit(rule, p.level) || p.frontier == 0 || p.edges == 0 || target_reached(g, s, p, false))
    p.mode = stop;
  barrier_after_target(s, m);
  // Pulling reads the bitmap plainly: no block may still mark.
  if (p.mode == pull && s.num_sources == 1) barrier_all_reduce(m);
  return p;
}

/// Writes the levels known so far; at the end of a search, all answers. If vertices are left then, and listed, one block finds
/// them while the others write all other answers.
template <class Offset, bool Plain>
HW_DEVICE void write_out(const Graph<Offset>& g, const Searching<Offset, Plain>& s, const Rule& rule, Scratch<Offset>& b,
                         void* memory, u32 most, bool in_largest_component) {
  Progress& p = b.now;
  const bool by_one = p.mode == tail, last = by_one || p.mode == stop;
  const u32 spared = by_one && dev::grid_size() > 1 ? 1 : 0;  // blocks that do not write
  const Writers writers{dev::global_thread() - spared * dev::block_size(), dev::global_threads() - spared * dev::block_size()};
  if constexpr (Plain) {
    const LastAnswers pass{by_one ? nullptr : dev::current_of(s.visited, p.current), s.isolated, s.found_by_pull, b.kept};
    if (dev::block() >= spared) write_missing(g, s, pass, writers);
  } else {
    const bool known = by_one || (p.mode == stop && p.known && p.visited == g.largest_component);
    const LastPass<Offset> pass{.level8 = s.level8,
                                .visited = dev::current_of(s.visited, p.current),
                                .settled = p.base ? s.settled : nullptr,
                                .base = p.base,
                                .largest_component = in_largest_component && known && !p.base ? g.largest_component : 0,
                                .left = by_one ? most : 0,
                                .last = last};
    if (dev::block() >= spared) write_levels(g, s, pass, writers);
  }
  if (!by_one || dev::block() != 0) return;
  const u32 capacity = tail_capacity(rule);
  auto* list = static_cast<u32*>(memory);
  HW_SHARED_LAYOUT(tail_layout);
  tail_levels(g, s, rule, p,
              {HW_PART(list, capacity, tail_layout), HW_PART(list + capacity, dev::grid_size(), tail_layout),
               reinterpret_cast<u32*>(b.warp_sums), &b.single_block_count, capacity, 0});
}

/// Records a step, unless one block has done so itself. What an unqueued push found is known after the pull that follows.
template <class Offset>
HW_DEVICE void record_step(const State<Offset>& s, const Progress& p, const Totals& t, u64 padding, u64 worked) {
  const u64 before = p.mode == pull ? unqueued_before(p, t, padding) : 0;
  if (before && dev::global_thread() == 0 && p.level - 1 < s.record_capacity)
    dev::plain_write(&s.records[p.level - 1].found, before);
  record(s, {p.mode, p.level + 1, p.known ? p.frontier : before, p.edges, t.found, worked, dev::clock_ns()});
}

template <class Offset>
HW_DEVICE bool source_in_largest_component(const Graph<Offset>& g, const State<Offset>& s) {
  HW_CHECK(g.rank || !g.largest_component);
  return g.largest_component && s.num_sources == 1 && dev::read_only(&g.rank[s.source]) < g.largest_component;
}

/// How many vertices a bitmap holds; for checks.
template <class Offset>
HW_DEVICE u64 bits_set(const Word* visited, const Graph<Offset>& g) {
  u64 bits = 0;
  for (u32 w = 0; w < num_words(g); ++w) bits += dev::popcount(visited[w] & ~empty_word(w, g.num_vertices));
  return bits;
}

/// The work after the answers are written. The next search empties the bitmaps.
template <class Offset>
HW_DEVICE void close(const Graph<Offset>& g, const State<Offset>& s, const Scratch<Offset>& b, BarrierWords& m) {
  const Progress& p = b.now;
  if (p.base) {
    barrier_all_reduce(m);
    const u32 words = num_words(g);
    for (u32 w = dev::global_thread(); w < words; w += dev::global_threads()) dev::plain_write(&s.settled[w], 0);
  }
  if (dev::global_thread() != 0) return;
  // An isolated source does not count in the progress.
  const u64 visited = p.visited + (s.num_sources == 1 && is_isolated(s, s.source) ? 1 : 0);
  HW_CHECK(p.mode == tail || !p.known || bits_set(dev::current_of(s.visited, p.current), g) == p.visited + s.num_isolated);
  dev::plain_write(s.control, {.progress = p,
                               .visited = visited,
                               .levels = p.deepest,
                               .records = p.level,
                               .began = b.began,
                               .opened = b.opened,
                               .settled = b.settled,
                               .ended = s.records ? dev::clock_ns() : 0});
}

/// Plain: the graph is not prepared, and has no first neighbours. `threads`: the most a block has; the fewer, the more
/// registers each has, and the less is spilled.
template <class Offset, bool Plain, u32 threads>
HW_KERNEL void HW_BOUNDS(threads, 1) grid_wide_traversal(Graph<Offset> g, Searching<Offset, Plain> s, Rule rule) {
  HW_CHECK(dev::block_size() <= threads);
  HW_SHARED(Scratch<Offset>, scratch, 1);
  HW_SHARED_PARTS(Entry<Offset>, memory);
  Scratch<Offset>& b = scratch[0];
  if (dev::thread() == 0) close_borders(b);
  if (dev::thread() == 0) b.kept.count = 0;
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
      if (p.step == 0) barrier_all_reduce(m);  // no step, so no barrier yet: the source's level may not be visible yet
      write_out(g, s, rule, b, memory, most, in_largest_component);
      if (last) break;
      if constexpr (!Plain) rebase(g, s, b.now, m);
    }
    step(g, s, rule, b, memory, p, most);
    const u64 worked = s.records ? dev::clock_ns() : 0;
    const Totals t = barrier_all_reduce(m, p.mode == alone, s.halt);
    const auto limits = step_limits(g, s, rule, most);
    if (s.records && p.mode != alone) record_step(s, p, t, limits.padding, worked);
    const bool hit = target_reached(g, s, p, p.mode == pull), listed = left_is_listed(rule, p, t, limits);
    barrier_after_target(s, m);
    dev::sync_block();
    if (dev::thread() == 0) take_totals(b.now, t, rule, limits, hit, listed);
    dev::sync_block();
  }
  close(g, s, b, m);
}

}  // namespace hopwave::HW_MACHINE::engine
