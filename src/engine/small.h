// The small traversal: one cluster, every block with all visited bits in its own shared memory, so that a level's chain of
// dependent accesses leaves it only for rows. Blocks write what is new into each other's bits and meet at the cluster's
// barrier, which takes a third of a meeting of the whole device.
// Sources: push and pull as everywhere here. Ours: bits copied by their owners; a cell is a row's head first, a level later.
#pragma once

#include "engine/small_alone.h"

namespace hopwave::HW_MACHINE::engine {

inline constexpr u32 start = stop + 1;  ///< a mode: sources are given, and are level 0
inline constexpr u32 answers = 6;       ///< that a thread looks up together

/// Where a small search stands; the same in every block.
struct SmallProgress {
  u32 level;  ///< of the frontier
  u32 mode;
  u32 visited, frontier;
  u32 edges;  ///< of the frontier
  u32 open;   ///< of vertices not found yet
};

/// From what a step found to what the next one does.
HW_DEVICE void advance_small(SmallProgress& p, const SmallTotal& t, const SmallRule& rule, const SmallWork& c, u32 target) {
  const bool pulled = p.mode == pull;
  p.visited += t.found;
  p.frontier = t.found;
  p.edges = t.edges;
  p.open -= t.edges;
  const u64 limit = pulled ? rule.back_edges : rule.pull_edges;
  if (t.found == 0 || p.visited == c.limit || p.level == static_cast<u32>(rule.max_depth) ||
      (target != no_vertex && has(c.after, target)))
    p.mode = stop;
  else if (t.edges <= rule.solo_edges && t.found <= most_alone && t.found <= dev::block_size())
    p.mode = alone;
  else if (limit == by_share)
    p.mode = u64{t.edges} * rule.share >= p.open ? pull : push;
  else
    p.mode = t.edges >= limit ? pull : push;
}

HW_DEVICE u32 vertex_of(const SmallGraph& g, u32 caller) { return g.rank ? dev::read_only(&g.rank[caller]) : caller; }

/// The target's place. What is not looked for counts as seen, and is no target.
HW_DEVICE u32 target_place(const SmallGraph& g, const SmallState& s, const SmallWork& c) {
  const u32 v = s.target == no_vertex ? no_vertex : vertex_of(g, s.target);
  return v < c.limit ? g.deal.place(v) : no_vertex;
}

/// Several sources: owners mark theirs.
HW_DEVICE void mark_sources(const SmallGraph& g, const SmallState& s, const SmallWork& c) {
  for (u32 i = dev::thread(); i < s.num_sources; i += dev::block_size()) {
    const u32 place = g.deal.place(vertex_of(g, dev::read_only(&s.sources[i])));
    const u32 local = place - c.rank * g.deal.slice;
    if (local >= g.deal.slice) continue;
    dev::fetch_or(&c.fresh[local / word_bits], bit_of(local));
    if (s.parent) dev::store(&s.parent[place], no_vertex);  // a source named twice is stored twice, alike
  }
  dev::sync_block();
}

/// One source: everybody marks it, and it is everybody's frontier.
template <bool dealt>
HW_DEVICE SmallTotal mark_source(const SmallGraph& g, const SmallState& s, const SmallWork& c, u32 source) {
  if (dev::thread() == 0) {
    if (s.parent && g.deal.owner(source) == c.rank) s.parent[source] = no_vertex;
    dev::fetch_or(&c.before[source / word_bits], bit_of(source));
    dev::fetch_or(&c.after[source / word_bits], bit_of(source));
    queue_alone<dealt>(g, c, c.alone & 1, source, 0);
  }
  dev::sync_block();
  return c.desk->alone[c.alone & 1];
}

/// The own vertices' answers, in the caller's ids; several are looked up together.
template <bool dealt>
HW_DEVICE void write_answers(const SmallGraph& g, const SmallState& s, const SmallWork& c) {
  const Word* seen = c.after + c.rank * c.words;
  for (u32 i0 = dev::thread(); i0 < g.deal.slice; i0 += answers * dev::block_size()) {
    u32 caller[answers];
    HW_UNROLL
    for (u32 k = 0; k < answers; ++k) {
      const u32 i = i0 + k * dev::block_size(), v = g.deal.vertex(c.rank, i);
      caller[k] = i >= g.deal.slice || v >= g.num_vertices ? no_vertex
                  : dealt                                  ? dev::read_only(&g.order[c.rank * g.deal.slice + i])
                                                           : v;
    }
    HW_UNROLL
    for (u32 k = 0; k < answers; ++k) {
      const u32 i = i0 + k * dev::block_size();
      if (caller[k] == no_vertex) continue;
      const bool reached = g.deal.vertex(c.rank, i) < c.limit && has(seen, i);
      s.level[caller[k]] = reached ? static_cast<Distance>(c.cells[i]) : unreached;
      if (!s.parent) continue;
      const u32 from = reached ? dev::load(&s.parent[c.rank * g.deal.slice + i]) : no_vertex;
      s.parent_out[caller[k]] = from == no_vertex ? from
                                : dealt           ? dev::read_only(&g.order[from])
                                                  : dealt_vertex(g.deal, from, g.num_vertices);
    }
  }
}

/// One step of all blocks, and their meeting, at which each gets to know what all have found. `drifted`: they have not met
/// since a level that each took alone, or at all.
template <bool dealt>
HW_DEVICE SmallTotal step_together(const SmallGraph& g, const SmallState& s, SmallWork& c, u32 mode, u32 level, bool drifted) {
  const bool wait = drifted && mode != push;  // a push has a meeting of its own before anybody writes
  if (wait) dev::arrive_cluster();
  turn(c);
  if (mode == push)
    push_small<dealt>(g, s, c, drifted);
  else if (mode == pull)
    pull_small<dealt>(g, s, c);
  else
    mark_sources(g, s, c);
  settle_fresh<dealt>(g, c, level);
  dev::sync_block();
  if (c.desk->huge) {
    look_at_huge<dealt>(g, s, c, level);
    dev::sync_block();
  }
  if (wait) dev::wait_cluster();
  tell_found(c);
  spread_fresh(g, c);
  dev::sync_cluster();
  return sum_found(c);
}

HW_DEVICE void record_small(const SmallState& s, const SmallProgress& was, const SmallTotal& t) {
  if (!s.records || dev::block() || dev::thread() || was.level >= s.record_capacity) return;
  const u64 now = dev::clock_ns();
  s.records[was.level] = {was.mode, was.level + 1, was.frontier, was.edges, t.found, now, now};
}

/// Everything up to the first step.
template <bool dealt>
HW_DEVICE SmallProgress begin_small(const SmallGraph& g, const SmallState& s, const SmallRule& rule, SmallWork& c,
                                    u32& target) {
  const bool one = s.num_sources == 1;
  const u32 v = one ? vertex_of(g, s.source) : no_vertex;
  clear_work(c);
  load_rows<dealt>(g, c);
  if (v < g.giant) c.limit = g.giant;
  target = target_place(g, s, c);
  dev::sync_block();
  close_rest(g, c);
  dev::sync_block();
  SmallProgress p{0, start, 0, 0, 0, g.num_arcs};
  if (one) advance_small(p, mark_source<dealt>(g, s, c, g.deal.place(v)), rule, c, target);
  return p;
}

template <bool dealt>
HW_KERNEL void HW_BOUNDS(1024, 1) small_traversal(SmallGraph g, SmallState s, SmallRule rule) {
  HW_DYNAMIC_SHARED(Quad, memory);
  HW_SHARED(SmallDesk, desk, 1);
  const u64 began = s.records ? dev::clock_ns() : 0;
  SmallWork c = open_work(g, memory, desk);
  u32 target = no_vertex;
  SmallProgress p = begin_small<dealt>(g, s, rule, c, target);
  const u64 opened = s.records ? dev::clock_ns() : 0;
  bool drifted = true;
  while (p.mode != stop) {
    const SmallProgress was = p;
    if (p.mode != start) ++p.level;
    SmallTotal t;
    if (p.mode == alone) {
      if (!drifted) collect_alone<dealt>(g, c);
      t = step_alone<dealt>(g, s, c, p.frontier, p.level);
    } else {
      t = step_together<dealt>(g, s, c, p.mode, p.level, drifted);
    }
    drifted = p.mode == alone;
    advance_small(p, t, rule, c, target);
    if (was.mode != start) record_small(s, was, t);
  }
  const u64 settled = s.records ? dev::clock_ns() : 0;
  write_answers<dealt>(g, s, c);
  if (dev::block() || dev::thread()) return;
  *s.control = {.progress = {},
                .visited = p.visited,
                .levels = p.level,
                .records = p.level,
                .began = began,
                .opened = opened,
                .settled = settled,
                .ended = s.records ? dev::clock_ns() : 0};
}

}  // namespace hopwave::HW_MACHINE::engine
