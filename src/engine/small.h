// The small traversal: one cluster, every block with all visited bits in its own shared memory, so that a level's chain of
// dependent accesses leaves it only for rows. Blocks write what is new into each other's bits and meet at the cluster's
// barrier, which takes a third of a meeting of the whole device.
// Sources: push and pull as everywhere here. Ours: bits copied by their owners; a cell is a row's head first, a level later.
#pragma once

#include "engine/small_step.h"

namespace hopwave::HW_MACHINE::engine {

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
  const bool deep = rule.max_depth >= 0 && p.level >= static_cast<u32>(rule.max_depth);
  const u64 limit = pulled ? rule.back_edges : rule.pull_edges;
  const bool dense = limit == by_share ? u64{t.edges} * rule.share >= p.open : t.edges >= limit;
  p.mode = t.found == 0 || deep || p.visited == c.limit || (target != no_vertex && has(c.after(), target)) ? stop
           : dense                                                                                         ? pull
                                                                                                           : push;
}

HW_DEVICE u32 vertex_of(const SmallGraph& g, u32 caller) { return g.rank ? dev::read_only(&g.rank[caller]) : caller; }

/// The target's place. What is not looked for counts as seen, and is no target.
HW_DEVICE u32 target_place(const SmallGraph& g, const SmallState& s, const SmallWork& c) {
  const u32 v = s.target == no_vertex ? no_vertex : vertex_of(g, s.target);
  return v < c.limit ? g.deal.place(v) : no_vertex;
}

/// Owners mark their sources.
HW_DEVICE void mark_sources(const SmallGraph& g, const SmallState& s, const SmallWork& c) {
  for (u32 i = dev::thread(); i < s.num_sources; i += dev::block_size()) {
    const u32 place = g.deal.place(vertex_of(g, s.sources ? dev::read_only(&s.sources[i]) : s.source));
    const u32 local = place - c.rank * g.deal.slice;
    if (local >= g.deal.slice) continue;
    dev::fetch_or(&c.fresh()[local / word_bits], bit_of(local));
    if (s.parent) s.parent[place] = no_vertex;
  }
}

/// The own vertices' answers, in the caller's ids.
template <bool dealt>
HW_DEVICE void write_answers(const SmallGraph& g, const SmallState& s, const SmallWork& c) {
  const Word* seen = c.before() + c.rank * c.words;
  for (u32 i = dev::thread(); i < g.deal.slice; i += dev::block_size()) {
    const u32 v = g.deal.vertex(c.rank, i), place = c.rank * g.deal.slice + i;
    if (v >= g.num_vertices) continue;
    const u32 caller = dealt ? dev::read_only(&g.order[place]) : v;
    const bool reached = v < c.limit && has(seen, i);
    s.level[caller] = reached ? static_cast<Distance>(c.cells[i]) : unreached;
    if (!s.parent) continue;
    const u32 from = reached ? dev::load(&s.parent[place]) : no_vertex;
    if constexpr (dealt)
      s.parent_out[caller] = from == no_vertex ? from : dev::read_only(&g.order[from]);
    else
      s.parent_out[caller] = from == no_vertex ? from : dealt_vertex(g.deal, from, g.num_vertices);
  }
}

/// One step of all blocks, and their meeting.
template <bool dealt>
HW_DEVICE SmallTotal step_small(const SmallGraph& g, const SmallState& s, SmallWork& c, u32 mode, u32 level) {
  ++c.step;
  if (mode == push) {
    push_small<dealt>(g, s, c);
    dev::sync_cluster();
  } else {
    pull_small<dealt>(g, s, c);
  }
  settle_fresh<dealt>(g, c, level);
  return meet_small(c);
}

template <bool dealt>
HW_KERNEL void HW_BOUNDS(1024, 1) small_traversal(SmallGraph g, SmallState s, SmallRule rule) {
  HW_DYNAMIC_SHARED(Quad, memory);
  HW_SHARED(SmallDesk, desk, 1);
  const bool first = dev::block() == 0 && dev::thread() == 0, clock = s.records && first;
  const u64 began = clock ? dev::clock_ns() : 0;
  SmallWork c = open_work(g, memory, desk);
  if (g.giant && s.num_sources == 1 && dev::read_only(&g.rank[s.source]) < g.giant) c.limit = g.giant;
  const u32 target = target_place(g, s, c);
  clear_work<dealt>(g, c);
  load_rows<dealt>(g, c);
  dev::sync_block();
  mark_sources(g, s, c);
  dev::sync_cluster();
  settle_fresh<dealt>(g, c, 0);
  SmallProgress p{0, push, 0, 0, 0, g.num_arcs};
  advance_small(p, meet_small(c), rule, c, target);
  const u64 opened = clock ? dev::clock_ns() : 0;
  while (p.mode != stop) {
    const SmallProgress was = p;
    ++p.level;
    const SmallTotal t = step_small<dealt>(g, s, c, p.mode, p.level);
    advance_small(p, t, rule, c, target);
    if (!clock || was.level >= s.record_capacity) continue;
    const u64 now = dev::clock_ns();
    s.records[was.level] = {was.mode, p.level, was.frontier, was.edges, t.found, now, now};
  }
  const u64 settled = clock ? dev::clock_ns() : 0;
  ++c.step;
  write_answers<dealt>(g, s, c);
  if (!first) return;
  *s.control = {.progress = {},
                .visited = p.visited,
                .levels = p.level,
                .records = p.level,
                .began = began,
                .opened = opened,
                .settled = settled,
                .ended = clock ? dev::clock_ns() : 0};
}

}  // namespace hopwave::HW_MACHINE::engine
