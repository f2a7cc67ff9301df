// The small traversal: one cluster, every block with all visited bits in its own shared memory, so that a level's chain of
// dependent accesses leaves it only for rows. Blocks write what is new into each other's bits and meet at the cluster's
// barrier, which takes a third of a meeting of the whole device.
// Sources: push and pull as everywhere here. Ours: bits copied by their owners; a cell is a row's head first, a level later.
#pragma once

#include "engine/small/alone.h"

namespace hopwave::HW_MACHINE::engine {

inline constexpr u32 start = stop + 1;  ///< a mode: sources are given, and are level 0
/// Where a small search stands; the same in every block.
struct SmallProgress {
  u32 level;  ///< of the frontier
  u32 mode;
  u32 visited, frontier;
  u32 edges;  ///< of the frontier
  u32 open;   ///< of vertices not found yet
};

/// After a pull whose finds are so many times fewer than the frontier the next one is likely to be the last: to collect a
/// frontier for every block takes longer than that.
inline constexpr u32 fading = 2;

/// From what a step found to what the next one does.
HW_DEVICE void advance_small(SmallProgress& p, const SmallTotal& t, const SmallRule& rule, const SmallWork& c, u32 target) {
  const bool pulled = p.mode == pull, fades = pulled && u64{t.found} * fading < p.frontier;
  p.visited += t.found;
  p.frontier = t.found;
  p.edges = t.edges;
  HW_CHECK(p.visited <= c.limit && t.edges <= p.open);
  p.open -= t.edges;
  const u64 limit = pulled ? rule.back_edges : rule.pull_edges;
  if (t.found == 0 || p.visited == c.limit || p.level == static_cast<u32>(rule.max_depth) ||
      (target != no_vertex && has(c.after, target)))
    p.mode = stop;
  else if (t.edges <= rule.solo_edges && fits_alone(t.found))
    p.mode = fades ? pull : alone;
  else if (limit == by_share)
    p.mode = u64{t.edges} * rule.share >= p.open ? pull : push;
  else
    p.mode = t.edges >= limit ? pull : push;
}

/// The target's place. What cannot be found counts as seen, and is no target.
template <bool dealt>
HW_DEVICE u32 target_place(const SmallGraph& g, const SmallState& s, const SmallWork& c) {
  if (s.target == no_vertex) return no_vertex;
  const u32 place = place_of<dealt>(g, s.target);
  return c.closed && has(c.closed, place) ? no_vertex : place;
}

/// Several sources: owners mark theirs.
template <bool dealt>
HW_DEVICE void mark_sources(const SmallGraph& g, const SmallState& s, const SmallWork& c) {
  for (u32 i = dev::thread(); i < s.num_sources; i += dev::block_size()) {
    const u32 place = place_of<dealt>(g, dev::read_only(&s.sources[i]));
    const u32 local = place - c.rank * g.deal.slice;
    if (local >= g.deal.slice) continue;
    dev::fetch_or(&c.fresh[local / word_bits], bit_of(local));
    if (s.parent) dev::store(&s.parent[place], no_vertex);  // a source named twice is stored twice, alike
  }
  dev::sync_block();
}

/// What a search from one source begins with.
struct SmallStart {
  u32 place;
  bool in_giant;
  SmallRow row;
};
template <bool dealt>
HW_DEVICE SmallStart find_start(const SmallGraph& g, const SmallState& s) {
  if (s.num_sources != 1) return {no_vertex, false, {0, 0}};
  if constexpr (dealt) {
    const Quad known = dev::read_only(&g.sources[s.source]);
    return {known.x, known.w != 0, {known.y, known.z}};
  }
  const u32 place = g.deal.place(s.source), owner = g.deal.owner(place);
  return {place, false, row_along<dealt>(g, owner, place - owner * g.deal.slice)};
}

/// One source: everybody marks it, and it is everybody's frontier.
template <bool dealt>
HW_DEVICE void mark_source(const SmallGraph& g, const SmallState& s, const SmallWork& c, const SmallStart& start) {
  if (dev::thread() != 0) return;
  dev::fetch_or(&c.before[start.place / word_bits], bit_of(start.place));
  dev::fetch_or(&c.after[start.place / word_bits], bit_of(start.place));
  c.desk->alone[0].found = 1;
  c.desk->rows[0] = start.row;
  c.desk->places[0] = start.place;
  const u32 local = start.place - c.rank * g.deal.slice;
  if (local >= g.deal.slice) return;
  c.desk->alone[0].own = 1;
  c.list()[0] = dev::narrowed<std::uint16_t>(local);
  write_level<dealt>(g, s, c, local, 0);
  if (s.parent) s.parent[start.place] = no_vertex;
}

/// The i-th own vertex's in the caller's order.
template <bool dealt>
HW_DEVICE u32 local_of(const SmallGraph& g, const SmallWork& c, u32 i) {
  if constexpr (!dealt) return i;
  if (g.near_locals) return c.locals[i];
  const u32 slice = g.deal.slice;
  return dev::read_only(reinterpret_cast<const std::uint16_t*>(g.own + c.rank * own_words(slice) + slice + bounds_for(slice)) +
                        i);
}

/// The own vertices' answers, if they are not there yet: dealt, all; else those of vertices that were not reached.
HW_DEVICE void write_dealt(const SmallGraph& g, const SmallState& s, const SmallWork& c) {
  for (u32 i = dev::thread(); i < g.deal.owned(c.rank, g.num_vertices); i += dev::block_size()) {
    const u32 local = local_of<true>(g, c, i), place = c.rank * g.deal.slice + local;
    const bool reached = has(c.after, place) && !(c.closed && dev::read_only(&c.closed[place / word_bits]) & bit_of(place));
    s.level[g.deal.vertex(c.rank, i)] = reached ? c.levels[local] : unreached;
  }
}
HW_DEVICE void write_unreached(const SmallGraph& g, const SmallState& s, const SmallWork& c) {
  for (u32 w = dev::warp(); w < c.words; w += dev::warps()) {
    const u32 at = c.rank * c.words + w, local = w * word_bits + dev::lane();
    const Word open = ~c.after[at] | (c.closed ? dev::read_only(&c.closed[at]) : 0);
    const u32 v = g.deal.vertex(c.rank, local);
    if (open >> dev::lane() & 1 && v < g.num_vertices) s.level[v] = unreached;
  }
}

/// The own vertices' parents, in the caller's ids.
template <bool dealt>
HW_DEVICE void write_parents(const SmallGraph& g, const SmallState& s, const SmallWork& c) {
  for (u32 i = dev::thread(); i < g.deal.owned(c.rank, g.num_vertices); i += dev::block_size()) {
    const u32 v = g.deal.vertex(c.rank, i), place = c.rank * g.deal.slice + local_of<dealt>(g, c, i);
    const bool reached = has(c.after, place) && !(c.closed && has(c.closed, place));
    const u32 from = reached ? dev::load(&s.parent[place]) : no_vertex;
    s.parent_out[v] = from == no_vertex ? from
                      : dealt           ? dev::read_only(&g.vertices[from])
                                        : dealt_vertex(g.deal, from, g.num_vertices);
  }
}

/// One step of all blocks, after which each knows what all have found. `drifted`: they have not met since a level that each
/// took alone, or at all. `wide`: the frontier has many edges.
template <bool dealt>
HW_DEVICE SmallTotal step_together(const SmallGraph& g, const SmallState& s, SmallWork& c, u32 mode, u32 level, bool drifted,
                                   bool wide) {
  if (!c.loaded) await_rows(c);
  if (!c.met) dev::wait_cluster();  // all have begun: they may be sent to
  c.met = true;
  const bool wait = drifted && mode != push;  // nobody is sent to that still is alone. A push waits for all blocks' marks
  if (wait) dev::arrive_cluster();
  turn(g, c);
  if (drifted) c.listed = unlisted;  // levels that are taken alone list what they find there
  if (mode == push) {
    if (drifted && fits_alone(c.desk->alone[c.alone % 3].found))
      push_listed<dealt>(g, s, c);
    else
      push_own<dealt>(g, s, c, drifted, wide);
    settle_marks<dealt>(g, s, c, level);
  } else if (mode == pull) {
    pull_small<dealt>(g, s, c, level);
  } else {
    dev::sync_block();
    mark_sources<dealt>(g, s, c);
    settle_words<dealt, false>(g, s, c, level, [&](u32 w) { return c.fresh[w]; });
  }
  dev::sync_block();
  if (c.desk->huge[c.step & 1]) {
    look_at_huge<dealt>(g, s, c, level);
    dev::sync_block();
  }
  if (mode == pull) c.listed = c.desk->open[c.step & 1];
  if (wait) dev::wait_cluster();
  return tell_found(g, c);
}

HW_DEVICE void record_small(const SmallState& s, const SmallProgress& was, const SmallTotal& t) {
  if (!s.records || dev::block() || dev::thread() || was.level >= s.record_capacity) return;
  const u64 now = dev::clock_ns();
  s.records[was.level] = {was.mode, was.level + 1, was.frontier, was.edges, t.found, now, now};
}

/// Everything up to the first step; rows are on their way.
template <bool dealt>
HW_DEVICE SmallProgress begin_small(const SmallGraph& g, const SmallState& s, const SmallRule& rule, SmallWork& c,
                                    u32& target) {
  const SmallStart from = find_start<dealt>(g, s);
  load_rows<dealt>(g, c);
  clear_work(c);
  dev::sync_block();
  dev::arrive_cluster();
  if (from.in_giant) {
    c.limit = g.giant;
    c.closed = g.closed;
  }
  target = target_place<dealt>(g, s, c);
  close_rest(g, c);
  if (s.num_sources == 1) mark_source<dealt>(g, s, c, from);
  dev::sync_block();
  SmallProgress p{0, start, 0, 0, 0, g.num_arcs};
  if (s.num_sources == 1) advance_small(p, {1, from.row.degree()}, rule, c, target);
  return p;
}

template <bool dealt>
HW_KERNEL void HW_BOUNDS(small_threads, 1) small_traversal(SmallGraph g, SmallState s, SmallRule rule) {
  HW_CHECK(dev::block_size() <= small_threads);
  HW_DYNAMIC_SHARED(Quad, memory);
  HW_SHARED(SmallDesk, desk, 1);
  const u64 began = s.records ? dev::clock_ns() : 0;
  SmallWork c = open_work<dealt>(g, memory, desk);
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
      t = step_together<dealt>(g, s, c, p.mode, p.level, drifted, p.edges >= rule.byte_edges);
    }
    drifted = p.mode == alone;
    advance_small(p, t, rule, c, target);
    if (was.mode != start) record_small(s, was, t);
  }
  const u64 settled = s.records ? dev::clock_ns() : 0;
  if (!c.loaded) await_rows(c);
  if constexpr (dealt)
    write_dealt(g, s, c);
  else
    write_unreached(g, s, c);
  if (s.parent) write_parents<dealt>(g, s, c);
  if (!c.met) dev::wait_cluster();
  if (dev::block() || dev::thread()) return;
  *s.control = {.progress = {},
                .visited = p.visited,
                .levels = p.level - (p.frontier == 0 ? 1 : 0),  // the last step may have found nothing
                .records = p.level,
                .began = began,
                .opened = opened,
                .settled = settled,
                .ended = s.records ? dev::clock_ns() : 0};
}

}  // namespace hopwave::HW_MACHINE::engine
