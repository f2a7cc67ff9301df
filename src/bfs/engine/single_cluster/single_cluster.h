// The single-cluster traversal: one cluster, every block with all visited bits in its own shared memory, so that a level's
// chain of dependent accesses leaves it only for rows. Blocks send what is new into each other's bits, and wait for it; that
// takes a third of the time of a barrier of the whole device. Sources: push and pull as everywhere here. Ours: owners copy
// their bits to all blocks; a cell is first a row's first neighbour, later its vertex's level.
#pragma once

#include "bfs/engine/single_cluster/single_block.h"
#include "bfs/plan/thresholds.h"

namespace hopwave::HW_MACHINE::engine {

HW_DEVICE hopwave::engine::ClusterLimits limits_of(const ClusterWork& c) {
  return {c.limit, thresholds::AnyDevice::cluster_most_alone < dev::block_size() ? thresholds::AnyDevice::cluster_most_alone
                                                                                 : dev::block_size()};
}
HW_DEVICE bool is_hit(const ClusterWork& c, u32 target) { return target != no_vertex && has(c.after, target); }

/// The same in every block: next_step.h has the table.
HW_DEVICE void take_total(ClusterProgress& p, const ClusterTotal& t, const ClusterRule& rule, const ClusterWork& c,
                          u32 target) {
  HW_CHECK(t.edges <= p.open);
  hopwave::engine::advance(p, t, rule, limits_of(c), is_hit(c, target));
  HW_CHECK(p.visited <= c.limit);
}

/// The target's place. A target that cannot be found counts as none, since its bit is set from the start.
template <bool partitioned>
HW_DEVICE u32 target_place(const ClusterGraph& g, const ClusterState& s, const ClusterWork& c) {
  if (s.target == no_vertex) return no_vertex;
  const u32 place = place_of<partitioned>(g, s.target);
  return c.closed && has(c.closed, place) ? no_vertex : place;
}

/// Several sources: owners mark their own.
template <bool partitioned>
HW_DEVICE void mark_sources(const ClusterGraph& g, const ClusterState& s, const ClusterWork& c) {
  for (u32 i = dev::thread(); i < s.num_sources; i += dev::block_size()) {
    const u32 place = place_of<partitioned>(g, dev::read_only(&s.sources[i]));
    const u32 local = place - c.rank * g.partition.slice;
    if (local >= g.partition.slice) continue;
    dev::fetch_or(&c.fresh[local / word_bits], bit_of(local));
    if (s.parent) dev::store(&s.parent[place], no_vertex);  // a source given twice is stored twice, with the same value
  }
  dev::sync_block();
}

/// What a search from one source begins with.
struct ClusterStart {
  u32 place;
  bool in_largest_component;
  ClusterRow row;
};
template <bool partitioned>
HW_DEVICE ClusterStart find_start(const ClusterGraph& g, const ClusterState& s) {
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
HW_DEVICE void mark_source(const ClusterGraph& g, const ClusterState& s, const ClusterWork& c, const ClusterStart& source) {
  if (dev::thread() != 0) return;
  dev::fetch_or(&c.before[source.place / word_bits], bit_of(source.place));
  dev::fetch_or(&c.after[source.place / word_bits], bit_of(source.place));
  c.storage->alone[0].found = 1;
  c.storage->rows[0] = source.row;
  c.storage->places[0] = source.place;
  const u32 local = source.place - c.rank * g.partition.slice;
  if (local >= g.partition.slice) return;
  c.storage->alone[0].own = 1;
  c.list()[0] = dev::narrowed<std::uint16_t>(local);
  write_level<partitioned>(g, s, c, local, 0);
  if (s.parent) dev::plain_write(&s.parent[source.place], no_vertex);
}

/// The local number of the i-th own vertex in the caller's order.
template <bool partitioned>
HW_DEVICE u32 local_of(const ClusterGraph& g, const ClusterWork& c, u32 i) {
  if constexpr (!partitioned) return i;
  if (g.near_locals) return c.locals[i];
  const u32 slice = g.partition.slice;
  return dev::read_only(reinterpret_cast<const std::uint16_t*>(g.own + c.rank * own_words(slice) + slice + bounds_for(slice)) +
                        i);
}

/// Writes the own vertices' answers that are not written yet: if partitioned, all; else those of vertices not reached.
HW_DEVICE void write_partitioned(const ClusterGraph& g, const ClusterState& s, const ClusterWork& c) {
  for (u32 i = dev::thread(); i < g.partition.owned(c.rank, g.num_vertices); i += dev::block_size()) {
    const u32 local = local_of<true>(g, c, i), place = c.rank * g.partition.slice + local;
    const bool reached = has(c.after, place) && !(c.closed && dev::read_only(&c.closed[place / word_bits]) & bit_of(place));
    dev::plain_write(&s.level[g.partition.vertex(c.rank, i)], reached ? c.levels[local] : unreached);
  }
}
HW_DEVICE void write_unreached(const ClusterGraph& g, const ClusterState& s, const ClusterWork& c) {
  for (u32 w = dev::warp(); w < c.words; w += dev::warps()) {
    const u32 at = c.rank * c.words + w, local = w * word_bits + dev::lane();
    const Word open = ~c.after[at] | (c.closed ? dev::read_only(&c.closed[at]) : 0);
    const u32 v = g.partition.vertex(c.rank, local);
    if (open >> dev::lane() & 1 && v < g.num_vertices) dev::plain_write(&s.level[v], unreached);
  }
}

/// Writes the own vertices' parents, in the caller's ids.
template <bool partitioned>
HW_DEVICE void write_parents(const ClusterGraph& g, const ClusterState& s, const ClusterWork& c) {
  for (u32 i = dev::thread(); i < g.partition.owned(c.rank, g.num_vertices); i += dev::block_size()) {
    const u32 v = g.partition.vertex(c.rank, i), place = c.rank * g.partition.slice + local_of<partitioned>(g, c, i);
    const bool reached = has(c.after, place) && !(c.closed && has(c.closed, place));
    const u32 from = reached ? dev::load(&s.parent[place]) : no_vertex;
    dev::plain_write(&s.parent_out[v], from == no_vertex ? from
                                       : partitioned     ? dev::read_only(&g.vertices[from])
                                                         : partitioned_vertex(g.partition, from, g.num_vertices));
  }
}

/// One step of all blocks, after which each knows what all have found. `drifted`: there was no barrier since the last
/// level that each took alone, or none at all. `many_edges`: the frontier has.
template <bool partitioned>
HW_DEVICE ClusterTotal step_together(const ClusterGraph& g, const ClusterState& s, ClusterWork& c, u32 mode, u32 level,
                                     bool drifted, bool many_edges) {
  if (!c.loaded) await_rows(c);
  if (!c.all_begun) dev::wait_cluster();  // all blocks have begun, and can be sent to
  c.all_begun = true;
  const bool wait = drifted && mode != push;  // no block is sent to while it is still alone. A push waits for all blocks' marks
  if (wait) dev::arrive_cluster();
  turn(g, c);
  if (c.rank == 0 && dev::thread() == 0 && halted(s.halt))
    dev::fetch_add(&c.storage->mine[c.step & 1].found, hopwave::engine::cluster_cancelled);
  if (drifted) c.listed = unlisted;  // levels that are taken alone list what they find there
  if (mode == push) {
    if (drifted && fits_alone(c.storage->alone[c.alone % 3].found))
      push_listed<partitioned>(g, s, c);
    else
      push_own<partitioned>(g, s, c, drifted, many_edges);
    settle_marks<partitioned>(g, s, c, level);
  } else if (mode == pull) {
    pull_cluster<partitioned>(g, s, c, level);
  } else {
    dev::sync_block();
    mark_sources<partitioned>(g, s, c);
    settle_words<partitioned, false>(g, s, c, level, [&](u32 w) { return c.fresh[w]; });
  }
  dev::sync_block();
  if (c.storage->huge[c.step & 1]) {
    probe_huge<partitioned>(g, s, c, level);
    dev::sync_block();
  }
  if (mode == pull) c.listed = c.storage->open[c.step & 1];
  if (wait) dev::wait_cluster();
  return report_found(g, c);
}

HW_DEVICE void record_cluster(const ClusterState& s, const ClusterProgress& was, const ClusterTotal& t) {
  if (!s.records || dev::block() || dev::thread() || was.level >= s.record_capacity) return;
  const u64 now = dev::clock_ns();
  dev::plain_write(&s.records[was.level],
                   {was.mode, was.level + 1, was.frontier, was.edges, t.found & ~hopwave::engine::cluster_cancelled, now, now});
}

/// Everything up to the first step; rows are being loaded meanwhile.
template <bool partitioned>
HW_DEVICE ClusterProgress begin_cluster(const ClusterGraph& g, const ClusterState& s, const ClusterRule& rule, ClusterWork& c,
                                        u32& target) {
  const ClusterStart from = find_start<partitioned>(g, s);
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
  ClusterProgress p{0, start, 0, 0, 0, g.num_arcs};
  if (s.num_sources == 1) take_total(p, {1, from.row.degree()}, rule, c, target);
  return p;
}

template <bool partitioned>
HW_KERNEL void HW_BOUNDS(small_threads, 1) cluster_traversal(ClusterGraph g, ClusterState s, ClusterRule rule) {
  HW_CHECK(dev::block_size() <= small_threads);
  HW_SHARED_PARTS(Quad, memory);
  HW_SHARED(ClusterStorage, storage, 1);
  const u64 began = s.records ? dev::clock_ns() : 0;
  ClusterWork c = open_work<partitioned>(g, memory, storage);
  u32 target = no_vertex;
  ClusterProgress p = begin_cluster<partitioned>(g, s, rule, c, target);
  const u64 opened = s.records ? dev::clock_ns() : 0;
  bool drifted = true;
  while (p.mode != stop) {
    const ClusterProgress was = p;
    if (p.mode != start) ++p.level;
    ClusterTotal t;
    if (p.mode == alone) {
      if (!drifted) collect_alone<partitioned>(g, c);
      t = step_alone<partitioned>(g, s, c, p.frontier, p.level);
    } else {
      t = step_together<partitioned>(g, s, c, p.mode, p.level, drifted, p.edges >= rule.byte_edges);
    }
    drifted = p.mode == alone;
    take_total(p, t, rule, c, target);
    if (was.mode != start) record_cluster(s, was, t);
  }
  const u64 settled = s.records ? dev::clock_ns() : 0;
  if (!c.loaded) await_rows(c);
  if constexpr (partitioned)
    write_partitioned(g, s, c);
  else
    write_unreached(g, s, c);
  if (s.parent) write_parents<partitioned>(g, s, c);
  if (!c.all_begun) dev::wait_cluster();
  if (dev::block() || dev::thread()) return;
  Progress end{};
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

}  // namespace hopwave::HW_MACHINE::engine
