// The single-cluster traversal: one cluster, every block with all visited bits in its own shared memory, so that a level's
// chain of dependent accesses leaves it only for rows.
// Source: Beamer, Asanović, Patterson, Direction-optimizing breadth-first search, SC'12.
// Ours differs: owners copy their bits to all blocks; blocks send what is new into each other's bits, and wait for it, which
// takes a third of the time of a barrier of the whole device; marks may be bytes; a level of few edges is taken by every block
// for itself.
//
// A search:
//   1. begin_search   clears shared memory, marks the source
//   2. per level, as next_step.h decides:
//      step_alone     every block takes the level for itself, and finds the same
//      step_together  push: own part of the frontier marks, owners take the marks. pull: own open vertices look for
//                     a neighbour. Then every block sends its own words of `after` to all (report_found)
//   3. own answers are written
//
// Holds here:
// 1. At the start of a step of all, `after` of the last step is the same in every block. It has exactly the bits of the
//    vertices at distance at most L, of numbers that are no vertices, and (where known) of vertices outside the component.
// 2. Only the owner writes a vertex's level, once. The block that finds the vertex writes its parent, one level nearer.
// 3. While blocks take levels alone they drift apart in time, never in content: each finds the same set in any order. Only
//    `after` gets what they find; `before` gets it in the next report.
// 4. No more is found than can be: neither vertices nor edges.
#pragma once

#include "bfs/engine/single_cluster/single_block.h"
#include "bfs/plan/thresholds.h"

namespace hopwave::HW_MACHINE::engine::single_cluster {

HW_DEVICE Limits limits_of(const Work& c) {
  return {c.limit, thresholds::AnyDevice::cluster_most_alone < dev::block_size() ? thresholds::AnyDevice::cluster_most_alone
                                                                                 : dev::block_size()};
}
HW_DEVICE bool is_hit(const Work& c, u32 target) { return target != no_vertex && has(c.bits.after, target); }

/// The same in every block: next_step.h has the table.
HW_DEVICE void take_total(Progress& p, const Total& t, const Rule& rule, const Work& c, u32 target) {
  HW_CHECK(t.edges <= p.open);  // Holds 4
  advance(p, t, rule, limits_of(c), is_hit(c, target));
  HW_CHECK(p.visited <= c.limit);  // Holds 4
}

/// The target's place. A target that cannot be found counts as none, since its bit is set from the start.
template <bool partitioned>
HW_DEVICE u32 target_place(const Graph& g, const State& s, const Work& c) {
  if (s.target == no_vertex) return no_vertex;
  const u32 place = place_of<partitioned>(g, s.target);
  return c.closed && has(c.closed, place) ? no_vertex : place;
}

/// Several sources: owners mark their own.
template <bool partitioned>
HW_DEVICE void mark_sources(const Graph& g, const State& s, const Work& c) {
  for (u32 i = dev::thread(); i < s.num_sources; i += dev::block_size()) {
    const u32 place = place_of<partitioned>(g, dev::read_only(&s.sources[i]));
    const u32 local = place - c.rank * g.partition.slice;
    if (local >= g.partition.slice) continue;
    dev::fetch_or(&c.bits.fresh[local / word_bits], bit_of(local));
    if (s.parent) dev::store(&s.parent[place], no_vertex);  // a source given twice is stored twice, with the same value
  }
  dev::sync_block();
}

/// What a search from one source begins with.
struct Start {
  u32 place;
  bool in_largest_component;
  Row row;
};
template <bool partitioned>
HW_DEVICE Start find_start(const Graph& g, const State& s) {
  if (s.num_sources != 1) return {no_vertex, false, {0, 0}};
  if constexpr (partitioned) {
    const Quad known = dev::read_only(&g.sources[s.source]);
    return {known.x, known.w != 0, {known.y, known.z}};
  }
  const u32 place = g.partition.place(s.source), owner = g.partition.owner(place);
  return {place, false, row_along<partitioned>(g, owner, place - owner * g.partition.slice)};
}

/// One source: every block marks it, and has it as its frontier.
template <bool partitioned>
HW_DEVICE void mark_source(const Graph& g, const State& s, const Work& c, const Start& source) {
  if (dev::thread() != 0) return;
  dev::fetch_or(&c.bits.before[source.place / word_bits], bit_of(source.place));
  dev::fetch_or(&c.bits.after[source.place / word_bits], bit_of(source.place));
  c.storage->alone[0].found = 1;
  c.storage->rows[0] = source.row;
  c.storage->places[0] = source.place;
  const u32 local = source.place - c.rank * g.partition.slice;
  if (local >= g.partition.slice) return;
  c.storage->alone[0].own = 1;
  c.lists.list()[0] = dev::narrowed<std::uint16_t>(local);
  write_level<partitioned>(g, s, c, local, 0);
  if (s.parent) dev::plain_write(&s.parent[source.place], no_vertex);
}

/// The local number of the i-th own vertex in the caller's order.
template <bool partitioned>
HW_DEVICE u32 local_of(const Graph& g, const Work& c, u32 i) {
  if constexpr (!partitioned) return i;
  if (g.near_locals) return c.own.locals[i];
  const u32 slice = g.partition.slice;
  return dev::read_only(reinterpret_cast<const std::uint16_t*>(g.own + c.rank * own_words(slice) + slice + bounds_for(slice)) +
                        i);
}

/// Writes the own vertices' answers that are not written yet: if partitioned, all; else those of vertices not reached.
HW_DEVICE void write_partitioned(const Graph& g, const State& s, const Work& c) {
  for (u32 i = dev::thread(); i < g.partition.owned(c.rank, g.num_vertices); i += dev::block_size()) {
    const u32 local = local_of<true>(g, c, i), place = c.rank * g.partition.slice + local;
    const bool reached =
        has(c.bits.after, place) && !(c.closed && dev::read_only(&c.closed[place / word_bits]) & bit_of(place));
    dev::plain_write(&s.level[g.partition.vertex(c.rank, i)], reached ? c.own.levels[local] : unreached);
  }
}
HW_DEVICE void write_unreached(const Graph& g, const State& s, const Work& c) {
  for (u32 w = dev::warp(); w < c.bits.words; w += dev::warps()) {
    const u32 at = c.rank * c.bits.words + w, local = w * word_bits + dev::lane();
    const Word open = ~c.bits.after[at] | (c.closed ? dev::read_only(&c.closed[at]) : 0);
    const u32 v = g.partition.vertex(c.rank, local);
    if (open >> dev::lane() & 1 && v < g.num_vertices) dev::plain_write(&s.level[v], unreached);
  }
}

/// Writes the own vertices' parents, in the caller's ids.
template <bool partitioned>
HW_DEVICE void write_parents(const Graph& g, const State& s, const Work& c) {
  for (u32 i = dev::thread(); i < g.partition.owned(c.rank, g.num_vertices); i += dev::block_size()) {
    const u32 v = g.partition.vertex(c.rank, i), place = c.rank * g.partition.slice + local_of<partitioned>(g, c, i);
    const bool reached = has(c.bits.after, place) && !(c.closed && has(c.closed, place));
    const u32 from = reached ? dev::load(&s.parent[place]) : no_vertex;
    dev::plain_write(&s.parent_out[v], from == no_vertex ? from
                                       : partitioned     ? dev::read_only(&g.vertices[from])
                                                         : partitioned_vertex(g.partition, from, g.num_vertices));
  }
}

/// A step of all blocks, the same in each of them.
struct Step {
  u32 mode, level;
  bool drifted;     ///< there was no barrier since the last level that each block took alone, or none at all
  bool many_edges;  ///< the frontier has
};

/// Who waits in a step, so that no block is sent to while it is still alone:
/// | mode        | drifted | arrives before it sends, and waits before it reports | because
/// |-------------|---------|------------------------------------------------------|-----------------------------------------
/// | any         | no      | no                                                   | each has awaited all reports before
/// | start, pull | yes     | yes                                                  | a report is the first that others get
/// | push        | yes     | no                                                   | it awaits all marks; they go to `left`,
/// |             |         |                                                      | which no level taken alone uses
HW_DEVICE bool waits(const Step& step) { return step.drifted && step.mode != push; }

/// Rows are there, all blocks have begun and can be sent to, and buffers are those of the new step.
HW_DEVICE void meet_first(const Graph& g, const State& s, Work& c, const Step& step) {
  if (!c.at.loaded) await_rows(c);
  if (!c.at.all_begun) dev::wait_cluster();
  c.at.all_begun = true;
  if (waits(step)) dev::arrive_cluster();
  turn(g, c);
  if (c.rank == 0 && dev::thread() == 0 && halted(s.halt)) dev::fetch_add(&c.storage->mine[c.at.step & 1].found, cancelled_bit);
  if (step.drifted) c.lists.listed = unlisted;  // levels that are taken alone list what they find there
}

template <bool partitioned>
HW_DEVICE void take_mode(const Graph& g, const State& s, Work& c, const Step& step) {
  if (step.mode == push) {
    push_own<partitioned>(g, s, c, step.drifted, step.many_edges);
    settle_marks<partitioned>(g, s, c, step.level);
  } else if (step.mode == pull) {
    pull_own<partitioned>(g, s, c, step.level);
  } else {
    dev::sync_block();
    mark_sources<partitioned>(g, s, c);
    settle_words<partitioned>(g, s, c, step.level, [&](u32 w) { return c.bits.fresh[w]; });
  }
}

/// The report: each block knows what all have found.
HW_DEVICE Total finish_step(const Graph& g, Work& c, const Step& step) {
  dev::sync_block();
  if (step.mode == pull) c.lists.listed = c.storage->open[c.at.step & 1];
  if (waits(step)) dev::wait_cluster();
  return report_found(g, c);
}

template <bool partitioned>
HW_DEVICE Total step_together(const Graph& g, const State& s, Work& c, const Step& step) {
  meet_first(g, s, c, step);
  take_mode<partitioned>(g, s, c, step);
  return finish_step(g, c, step);
}

HW_DEVICE void record_step(const State& s, const Progress& was, const Total& t) {
  if (!s.records || dev::block() || dev::thread() || was.level >= s.record_capacity) return;
  const u64 now = dev::clock_ns();
  dev::plain_write(&s.records[was.level],
                   {was.mode, was.level + 1, was.frontier, was.edges, t.found & ~cancelled_bit, now, now});
}

/// Everything up to the first step; rows are being loaded meanwhile.
template <bool partitioned>
HW_DEVICE Progress begin_search(const Graph& g, const State& s, const Rule& rule, Work& c, u32& target) {
  const Start from = find_start<partitioned>(g, s);
  load_rows<partitioned>(g, c);
  clear_work(c);
  dev::sync_block();
  dev::arrive_cluster();
  if (from.in_largest_component) {
    c.limit = g.largest_component;
    c.closed = g.closed;
  }
  target = target_place<partitioned>(g, s, c);
  close_tail(g, c);
  if (s.num_sources == 1) mark_source<partitioned>(g, s, c, from);
  dev::sync_block();
  Progress p{0, start, 0, 0, 0, g.num_arcs};
  if (s.num_sources == 1) take_total(p, {1, from.row.degree()}, rule, c, target);
  return p;
}

/// After the last step: own answers, and what the host reads.
template <bool partitioned>
HW_DEVICE void write_answers(const Graph& g, const State& s, Work& c) {
  if (!c.at.loaded) await_rows(c);
  if constexpr (partitioned)
    write_partitioned(g, s, c);
  else
    write_unreached(g, s, c);
  if (s.parent) write_parents<partitioned>(g, s, c);
  if (!c.at.all_begun) dev::wait_cluster();
}

template <bool partitioned>
HW_KERNEL void HW_BOUNDS(most_threads, 1) cluster_traversal(Graph g, State s, Rule rule) {
  HW_CHECK(dev::block_size() <= most_threads);
  HW_SHARED_PARTS(Quad, memory);
  HW_SHARED(Storage, storage, 1);
  const u64 began = s.records ? dev::clock_ns() : 0;
  Work c = open_work<partitioned>(g, memory, storage);
  u32 target = no_vertex;
  Progress p = begin_search<partitioned>(g, s, rule, c, target);
  const u64 opened = s.records ? dev::clock_ns() : 0;
  bool drifted = true;
  while (p.mode != stop) {
    const Progress was = p;
    if (p.mode != start) ++p.level;
    Total t;
    if (p.mode == alone) {
      if (!drifted) collect_alone<partitioned>(g, c);
      t = step_alone<partitioned>(g, s, c, p.frontier, p.level);
    } else {
      t = step_together<partitioned>(g, s, c, {p.mode, p.level, drifted, p.edges >= rule.byte_edges});
    }
    drifted = p.mode == alone;
    take_total(p, t, rule, c, target);
    if (was.mode != start) record_step(s, was, t);
  }
  const u64 settled = s.records ? dev::clock_ns() : 0;
  write_answers<partitioned>(g, s, c);
  if (dev::block() || dev::thread()) return;
  engine::Progress end{};
  end.cancelled = !finished(p, p.frontier, rule, limits_of(c), is_hit(c, target));
  end.level = p.level;
  dev::plain_write(s.control, {.progress = end,
                               .visited = p.visited,
                               .levels = p.level - (p.frontier == 0 ? 1 : 0),  // the last step may have found nothing
                               .records = p.level,
                               .began = began,
                               .opened = opened,
                               .settled = settled,
                               .ended = s.records ? dev::clock_ns() : 0});
}

}  // namespace hopwave::HW_MACHINE::engine::single_cluster
