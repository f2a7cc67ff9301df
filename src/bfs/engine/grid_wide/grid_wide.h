// The grid-wide traversal: all multiprocessors in one cooperative launch from the first vertex to the finished answer.
// Source: Beamer, Asanović, Patterson, Direction-optimizing breadth-first search, SC'12; Merrill, Garland, Grimshaw, PPoPP'12.
// Ours differs: the host is never asked, since every block takes the same decision from the same totals; a pull needs no bitmap
// of the frontier; a push before a pull makes no queue; one block takes small levels and the last vertices alone.
//
// A search:
//   1. begin         the first frontier, in every block's own memory or in a queue
//   2. step          as next_step.h decides: push, unqueued, pull, or levels that one block takes alone
//      finish_step   the barrier of all blocks after it, which brings every block the totals; each picks the next step
//   3. write_out     all answers; one block finds the last few vertices meanwhile (tail). Deep searches write out their levels
//                    whenever a byte counts no further (rebase)
//
// Holds here, at the start of the step from level L:
// 1. visited[current] has a bit for exactly the vertices at distance at most L. Padding bits are set too, and those of isolated
//    vertices where they are set apart. No vertex has an isolated neighbour, so these bits mislead no pull. (The bit of a
//    vertex that has outgoing but no incoming arcs would.)
// 2. Each of these vertices has its level, L or less, and (if wanted) a parent one level nearer. Unprepared, a vertex that one
//    of the first pulls found has its bit in that pull's bitmap instead.
// 3. If there is a queue, it holds exactly the vertices at distance L, each once. Without a queue the next step pulls.
// 4. If `known`, the count `visited` of the progress is exact, without isolated vertices that are set apart. After an unqueued
//    push, the pull that follows counts the vertices of both levels.
// 5. In a pull, a word of the bitmap, and what its vertices have, belongs to one warp.
#pragma once

#include "bfs/engine/grid_wide/barrier.h"
#include "bfs/engine/grid_wide/begin.h"
#include "bfs/engine/grid_wide/last_pass.h"
#include "bfs/engine/grid_wide/tail.h"

namespace hopwave::HW_MACHINE::engine::grid_wide {

template <class Offset, bool Plain>
HW_DEVICE hopwave::engine::StepLimits step_limits(const Work<Offset, Plain>& w) {
  return {static_cast<u64>(num_words(w.g)) * word_bits - w.g.num_vertices + w.s.num_isolated, w.reachable(),
          single_block_capacity<Offset>(w.rule)};
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
  HW_CHECK(p.mode != pull || visited_after_pull(t, limits.padding) >= p.visited + t.found);  // Holds 4
  hopwave::engine::advance(p, t, rule, limits, hit_target, listed);
  HW_CHECK(!p.known || p.visited <= limits.reachable);  // Holds 4
}

template <class Offset, bool Plain>
HW_DEVICE void pull_and_queue(const Work<Offset, Plain>& w, TempStorage<Offset>& place, const Queue<Offset>& made) {
  const Progress& p = w.b.now;
  Scratch<Offset>& b = w.b;
  Word* const kept = Plain && b.kept.count < most_kept_pulls ? w.s.found_by_pull + u64{b.kept.count} * num_words(w.g) : nullptr;
  const Pull<Offset, Before<Plain>> pull{w.g,
                                         w.s,
                                         w.rule,
                                         {dev::current_of(w.s.visited, p.current)},
                                         dev::alternate_of(w.s.visited, p.current),
                                         w.most,
                                         p.level + 1 - p.base,
                                         kept,
                                         made};
  WarpBuffer<Offset> st = init_warp_buffer(
      b, HW_COUNTED_AT(reinterpret_cast<Byte*>(place.warp_buffer.begins), dev::warp() * warp_buffer_bytes<Offset>),
      pull_buffer_size);
  WarpLeft left{place.left.vertices, 0, w.rule.tail_limit == 0};
  const PullCounts c = pull_step(pull, st, place.list, left);
  const u32 seen = dev::reduce_add(dev::all_lanes, c.visited), found = dev::reduce_add(dev::all_lanes, c.found);
  if (dev::lane() == 0) {
    if (seen) dev::fetch_add(&b.mine.visited_bits, seen);
    if (found) dev::fetch_add(&b.mine.found, found);
    if (c.incomplete) dev::fetch_or(&b.mine.incomplete, 1u);
  }
  const u32 before = count_left(left, b.mine);
  dev::sync_block();
  if (kept && dev::thread() == 0) b.kept.level[b.kept.count++] = p.level + 1;
  list_left(w.s, left, b.mine, before);
  // A block that could not queue all that it found has no queue. Then no block has one: the next step pulls.
  if (b.mine.incomplete) return;
  flush_block(st, made);
  if (dev::thread() == 0) b.mine.found = 0;  // what was queued is counted there
}

/// One step; the block's counts are complete at the next barrier.
template <class Offset, bool Plain>
HW_DEVICE void step(const Work<Offset, Plain>& w) {
  const Progress& p = w.b.now;
  HW_SHARED_LAYOUT(layout_of(p.mode));
  TempStorage<Offset> place = init_temp_storage(w.b, w.memory, w.rule);
  const Entry<Offset>* queued = p.step == 0 && w.s.num_sources == 1 ? w.b.first : dev::current_of(w.s.queue, p.step & 1);
  const Queue<Offset> made{dev::alternate_of(w.s.queue, p.step & 1), &w.s.cursor[(p.step + 1) % num_cursors]};
  const Push<Offset, Plain> pushed{w.g, w.s, dev::current_of(w.s.visited, p.current), p.level + 1 - p.base, made};
  // The cursors of the step after this one were last used two steps ago.
  if (dev::global_thread() == 0) dev::plain_write(&w.s.cursor[(p.step + 2) % num_cursors], 0);
  if (p.mode == alone) {
    if (dev::block() == 0) run_single_block_levels(w, place.single_block, queued, made.entries);
  } else if (p.mode == push) {
    push_step<false>(pushed, place.warp_buffer, {queued, p.frontier, p.edges}, w.rule.share);
  } else if (p.mode == unqueued) {
    push_step<true>(pushed, place.warp_buffer, {queued, p.frontier, p.edges}, w.rule.share);
  } else {
    pull_and_queue(w, place, made);
  }
}

template <class Offset, bool Plain>
HW_DEVICE bool target_reached(const Work<Offset, Plain>& w, const Progress& p, bool pulled) {
  return target_is_visited(w.g, w.s, dev::current_of(w.s.visited, (p.current != 0) != pulled));
}

/// Waits until every block has looked for the target: only then may a block mark the next level, or clear. Otherwise a block
/// that looks late could see the target found in a later level, stop, and leave the others waiting for it.
template <class Offset>
HW_DEVICE void barrier_after_target(const State<Offset>& s, BarrierWords& m) {
  if (s.target != no_vertex) barrier_all_reduce(m);
}

/// A byte counts no further: the levels so far are written out, and counting starts again from here. Two barriers.
template <class Offset, bool Plain>
HW_DEVICE void rebase(const Work<Offset, Plain>& w, BarrierWords& m) {
  Progress& p = w.b.now;
  barrier_all_reduce(m);
  const u32 words = num_words(w.g);
  for (u32 i = dev::global_thread(); i < words; i += dev::global_threads()) {
    const Word now = dev::plain_read(&dev::current_of(w.s.visited, p.current)[i]);
    dev::plain_write(&w.s.settled[i], now);
  }
  dev::sync_block();
  if (dev::thread() == 0) p.base = p.level;
  barrier_all_reduce(m);
}

/// The first frontier, in the block's own memory or in a queue, and the mode of the first step.
template <class Offset, bool Plain>
HW_DEVICE Progress begin(const Work<Offset, Plain>& w, BarrierWords& m) {
  Progress p{};
  if (w.s.num_sources == 1) {
    p = begin_single(w);
  } else {
    TempStorage<Offset> place = init_temp_storage(w.b, w.memory, w.rule);
    begin_many(w.g, w.s, place.warp_buffer);
    const Totals t = barrier_all_reduce(m);
    p.known = 1;
    p.visited = p.frontier = t.found;
    p.edges = t.edges;
  }
  p.mode = hopwave::engine::choose_step(p, w.rule, single_block_capacity<Offset>(w.rule), true, false);
  if (hopwave::engine::at_depth_limit(w.rule, p.level) || p.frontier == 0 || p.edges == 0 || target_reached(w, p, false))
    p.mode = stop;
  barrier_after_target(w.s, m);
  // Pulling reads the bitmap plainly: no block may still mark.
  if (p.mode == pull && w.s.num_sources == 1) barrier_all_reduce(m);
  return p;
}

/// Writes the levels known so far; at the end of a search, all answers. If vertices are left then, and listed, one block finds
/// them while the others write all other answers.
template <class Offset, bool Plain>
HW_DEVICE void write_out(const Work<Offset, Plain>& w) {
  const Graph<Offset>& g = w.g;
  const Searching<Offset, Plain>& s = w.s;
  Progress& p = w.b.now;
  const bool by_one = p.mode == tail, last = by_one || p.mode == stop;
  const u32 spared = by_one && dev::grid_size() > 1 ? 1 : 0;  // blocks that do not write
  const Writers writers{dev::global_thread() - spared * dev::block_size(), dev::global_threads() - spared * dev::block_size()};
  if constexpr (Plain) {
    const LastAnswers pass{by_one ? nullptr : dev::current_of(s.visited, p.current), s.isolated, s.found_by_pull, w.b.kept};
    if (dev::block() >= spared) write_missing(g, s, pass, writers);
  } else {
    const bool known = by_one || (p.mode == stop && p.known && p.visited == g.largest_component);
    const LastPass<Offset> pass{.level8 = s.level8,
                                .visited = dev::current_of(s.visited, p.current),
                                .settled = p.base ? s.settled : nullptr,
                                .base = p.base,
                                .largest_component = w.in_largest_component && known && !p.base ? g.largest_component : 0,
                                .left = by_one ? w.most : 0,
                                .last = last};
    if (dev::block() >= spared) write_levels(g, s, pass, writers);
  }
  if (!by_one || dev::block() != 0) return;
  const u32 capacity = tail_capacity(w.rule);
  auto* list = static_cast<u32*>(w.memory);
  HW_SHARED_LAYOUT(tail_layout);
  tail_levels(g, s, w.rule, p,
              {HW_PART(list, capacity, tail_layout), HW_PART(list + capacity, dev::grid_size(), tail_layout),
               reinterpret_cast<u32*>(w.b.warp_sums), &w.b.single_block_count, capacity, 0});
}

/// Records a step, unless one block has done so itself. What an unqueued push found is known after the pull that follows.
template <class Offset>
HW_DEVICE void record_step(const State<Offset>& s, const Progress& p, const Totals& t, u64 padding, u64 worked) {
  const u64 before = p.mode == pull ? unqueued_before(p, t, padding) : 0;
  if (before && dev::global_thread() == 0 && p.level - 1 < s.record_capacity)
    dev::plain_write(&s.records[p.level - 1].found, before);
  record(s, {p.mode, p.level + 1, p.known ? p.frontier : before, p.edges, t.found, worked, dev::clock_ns()});
}

/// After a step: waits for all blocks, and advances the progress, which is the same in all of them.
template <class Offset, bool Plain>
HW_DEVICE void finish_step(const Work<Offset, Plain>& w, BarrierWords& m) {
  const Progress& p = w.b.now;
  const u64 worked = w.s.records ? dev::clock_ns() : 0;
  const Totals t = barrier_all_reduce(m, p.mode == alone, w.s.halt);
  const auto limits = step_limits(w);
  if (w.s.records && p.mode != alone) record_step(w.s, p, t, limits.padding, worked);
  const bool hit = target_reached(w, p, p.mode == pull), listed = left_is_listed(w.rule, p, t, limits);
  barrier_after_target(w.s, m);
  dev::sync_block();
  if (dev::thread() == 0) take_totals(w.b.now, t, w.rule, limits, hit, listed);
  dev::sync_block();
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
template <class Offset, bool Plain>
HW_DEVICE void close(const Work<Offset, Plain>& w, BarrierWords& m) {
  const State<Offset>& s = w.s;
  const Progress& p = w.b.now;
  if (p.base) {
    barrier_all_reduce(m);
    const u32 words = num_words(w.g);
    for (u32 i = dev::global_thread(); i < words; i += dev::global_threads()) dev::plain_write(&s.settled[i], 0);
  }
  if (dev::global_thread() != 0) return;
  // An isolated source does not count in the progress.
  const u64 visited = p.visited + (s.num_sources == 1 && is_isolated(s, s.source) ? 1 : 0);
  HW_CHECK(p.mode == tail || !p.known ||
           bits_set(dev::current_of(s.visited, p.current), w.g) == p.visited + s.num_isolated);  // Holds 1, 4
  dev::plain_write(s.control, {.progress = p,
                               .visited = visited,
                               .levels = p.deepest,
                               .records = p.level,
                               .began = w.b.began,
                               .opened = w.b.opened,
                               .settled = w.b.settled,
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
  const Work<Offset, Plain> w{
      g, s, rule, b, memory, in_largest_component, in_largest_component ? g.largest_component : g.num_vertices};
  {
    const Progress first = begin(w, m);
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
      write_out(w);
      if (last) break;
      if constexpr (!Plain) rebase(w, m);
    }
    step(w);
    finish_step(w, m);
  }
  close(w, m);
}

}  // namespace hopwave::HW_MACHINE::engine::grid_wide
