// Many searches in one pass: pulling, and making a queue of what a pull found.
// Rows go to teams by their length: a lane, eight lanes, a warp, and beyond that one warp a part of the row.
#pragma once

#include "engine/each.h"

namespace hopwave::HW_MACHINE::engine {

struct EachCounts {
  u32 found;
  u64 edges;
};

template <u32 team>
HW_DEVICE Bits or_over_team(Bits bits) {
  HW_UNROLL
  for (u32 k = team / 2; k; k /= 2) bits |= dev::shuffle_xor(dev::all_lanes, bits, k);
  return bits;
}

/// One round: `ahead` neighbours a lane are read and their words added.
template <u32 team, u32 ahead, class Offset>
HW_DEVICE void look_round(const u32* neighbors, Offset& at, Offset end, const Bits* visited, Bits& seen, Bits want) {
  const u32 member = dev::lane() % team;
  const bool open = at < end && (seen & want) != want;
  u32 u[ahead];
  HW_UNROLL
  for (u32 j = 0; j < ahead; ++j) {
    const bool inside = open && end - at > j * team + member;
    u[j] = inside ? dev::read_only(&neighbors[at + j * team + member]) : no_vertex;
  }
  HW_UNROLL
  for (u32 j = 0; j < ahead; ++j)
    if (u[j] != no_vertex) seen |= visited[u[j]];
  if constexpr (team > 1) seen = or_over_team<team>(seen);
  at = at < end && end - at > ahead * team ? at + ahead * team : end;
}

/// The union of the visited words of a row's vertices, until all bits of `want` are there; `team` lanes a row, whole warps
/// call. The first neighbours, hubs if rows are sorted, are often enough.
template <u32 team, class Offset>
HW_DEVICE Bits look_each(const u32* neighbors, Offset at, Offset end, const Bits* visited, Bits seen, Bits want) {
  if constexpr (team == 1) {
    while (at < end && (seen & want) != want) look_round<1, 2>(neighbors, at, end, visited, seen, want);
  } else {
    look_round<team, 1>(neighbors, at, end, visited, seen, want);
    while (dev::any(dev::all_lanes, at < end && (seen & want) != want))
      look_round<team, 4>(neighbors, at, end, visited, seen, want);
  }
  return seen;
}

/// Rows of one bin. The leader of a row's team is the only one who writes its words.
template <u32 team, class Offset>
HW_DEVICE void pull_rows(const Graph<Offset>& g, const EachState<Offset>& s, const EachProgress& p, u32 from, u32 count,
                         EachCounts& counts) {
  constexpr u32 teams = dev::lanes / team;
  const u64 n = g.num_vertices;
  const Bits* old = p.current ? s.visited[1] : s.visited[0];
  Bits* next = p.current ? s.visited[0] : s.visited[1];
  const Bits* fresh = s.fresh + p.turn % 3 * n;
  const u64 stride = static_cast<u64>(dev::grid_size()) * dev::warps() * teams;
  for (u64 i0 = (static_cast<u64>(dev::block()) * dev::warps() + dev::warp()) * teams; i0 < count; i0 += stride) {
    const u64 i = i0 + dev::lane() / team;
    const bool mine = i < count;
    const u32 v = mine ? dev::read_only(&s.rows[from + i]) : 0;
    const Bits was = mine ? old[v] : s.full;
    Offset at = 0, end = 0;
    if ((was & p.thick) != p.thick) {
      at = dev::read_only(&g.in_offsets[v]);
      end = dev::read_only(&g.in_offsets[v + 1ull]);
    }
    Bits now = look_each<team>(g.in_neighbors, at, end, old, was, p.thick);
    if (!mine || dev::lane() % team) continue;
    if (p.mixed) now |= next[v];
    next[v] = now;
    if (p.queued && fresh[v]) mark<false>(s, g.num_vertices, v, fresh[v], p.level);
    if (now == was) continue;
    mark<false>(s, g.num_vertices, v, now & ~was, p.level + 1);
    ++counts.found;
    counts.edges += dev::read_only(&g.offsets[v + 1ull]) - dev::read_only(&g.offsets[v]);
  }
}

/// Rows that are cut up: several warps may write a row's words. What stands in `next` from two pulls ago is part of what is
/// visited now, so adding to it is enough.
template <class Offset>
HW_DEVICE void pull_chunks(const Graph<Offset>& g, const EachState<Offset>& s, const EachProgress& p, EachCounts& counts) {
  const Bits* old = p.current ? s.visited[1] : s.visited[0];
  Bits* next = p.current ? s.visited[0] : s.visited[1];
  const Bits* fresh = s.fresh + p.turn % 3 * static_cast<u64>(g.num_vertices);
  const u32 stride = dev::grid_size() * dev::warps();
  for (u32 c = dev::block() * dev::warps() + dev::warp(); c < s.num_chunks; c += stride) {
    const Chunk chunk = s.chunks[c];
    const u32 v = chunk.vertex;
    const Bits was = old[v];
    Bits now = was;
    const Bits there = dev::load(&next[v]) | was;
    if (dev::any(dev::all_lanes, (there & p.thick) != p.thick)) {  // the same for the whole warp
      const Offset at = dev::read_only(&g.in_offsets[v]) + static_cast<Offset>(chunk.part) * chunk_edges;
      const Offset row_end = dev::read_only(&g.in_offsets[v + 1ull]);
      const Offset end = row_end - at > chunk_edges ? at + chunk_edges : row_end;
      now = look_each<dev::lanes>(g.in_neighbors, at, end, old, was, p.thick);
    }
    if (dev::lane()) continue;
    const Bits before = dev::fetch_or(&next[v], now), added = (now | before) & ~was;
    if (p.queued && chunk.part == 0 && fresh[v]) mark<true>(s, g.num_vertices, v, fresh[v], p.level);
    if (!added) continue;
    mark<true>(s, g.num_vertices, v, added, p.level + 1);
    // Another part was first to find anything, and counted the vertex; what a spread left there hides who was first, and then
    // it may be counted more than once.
    if (!p.mixed && (before & ~was)) continue;
    ++counts.found;
    counts.edges += dev::read_only(&g.offsets[v + 1ull]) - dev::read_only(&g.offsets[v]);
  }
}

template <class Offset>
HW_DEVICE void pull_each_step(const Graph<Offset>& g, const EachState<Offset>& s, const EachProgress& p, EachTotals* block,
                              EachTotals* totals) {
  EachCounts counts{0, 0};
  pull_chunks(g, s, p, counts);
  pull_rows<dev::lanes>(g, s, p, s.bin_end[0], s.bin_end[1] - s.bin_end[0], counts);
  dev::sync_warp();
  pull_rows<8>(g, s, p, s.bin_end[1], s.bin_end[2] - s.bin_end[1], counts);
  dev::sync_warp();
  pull_rows<1>(g, s, p, s.bin_end[2], s.bin_end[3] - s.bin_end[2], counts);
  dev::sync_warp();
  const u32 found = dev::reduce_add(dev::all_lanes, counts.found);
  const u64 edges = warp_sum(counts.edges);
  if (dev::lane() == 0 && found) {
    dev::fetch_add(&block->found, found);
    dev::fetch_add(&block->edges, edges);
  }
  dev::sync_block();
  if (dev::thread() != 0 || !block->found) return;
  dev::fetch_add(&totals->found, block->found);
  dev::fetch_add(&totals->edges, block->edges);
  *block = {};
}

/// After a pull: the frontier is what the new words have and the old ones have not. Makes a queue of it.
template <class Offset>
HW_DEVICE void gather_step(const Graph<Offset>& g, const EachState<Offset>& s, Stage<Offset>& st, const EachProgress& p,
                           u64* cursor) {
  const u64 n = g.num_vertices;
  const Bits *now = p.current ? s.visited[1] : s.visited[0], *was = p.current ? s.visited[0] : s.visited[1];
  Entry<Offset>* made = s.queue + (p.turn + 1) % 3 * n;
  Bits* next = s.fresh + (p.turn + 1) % 3 * n;
  const u64 rounds = (n + dev::global_threads() - 1) / dev::global_threads();
  for (u64 k = 0; k < rounds; ++k) {
    const u64 v = k * dev::global_threads() + dev::global_thread();
    const Bits found = v < n ? now[v] & ~was[v] : 0;
    Offset begin = 0;
    u32 degree = 0;
    if (found) {
      next[v] = found;
      begin = dev::read_only(&g.offsets[v]);
      degree = static_cast<u32>(dev::read_only(&g.offsets[v + 1]) - begin);
    }
    stage(st, found != 0, static_cast<u32>(v), begin, degree, made, cursor);
  }
  flush_block(st, made, cursor);
}

/// What stands at a vertex because of the last step, in searches that have not reached the hub.
template <class Offset>
HW_DEVICE EachFrontier<Offset> thin_frontier(const Graph<Offset>& g, const EachState<Offset>& s, const EachProgress& p) {
  const u64 n = g.num_vertices;
  const Bits *now = p.current ? s.visited[1] : s.visited[0], *was = p.current ? s.visited[0] : s.visited[1];
  const Entry<Offset>* queue = s.queue + (p.turn + 1) % 3 * n;
  if (p.queued) return {queue, p.thin, p.edges, s.fresh + p.turn % 3 * n, nullptr, s.full & ~p.thick};
  return {queue, p.thin, p.edges, now, was, s.full & ~p.thick};
}

/// The thin searches' frontier into the queue that a pull leaves free.
template <class Offset>
HW_DEVICE void select_step(const Graph<Offset>& g, const EachState<Offset>& s, Stage<Offset>& st, const EachProgress& p,
                           u64* cursor) {
  const u64 n = g.num_vertices, count = p.queued ? p.queued : n;
  const EachFrontier<Offset> thin = thin_frontier(g, s, p);
  const Entry<Offset>* from = s.queue + p.turn % 3 * n;
  Entry<Offset>* made = s.queue + (p.turn + 1) % 3 * n;
  const u64 rounds = (count + dev::global_threads() - 1) / dev::global_threads();
  for (u64 k = 0; k < rounds; ++k) {
    const u64 i = k * dev::global_threads() + dev::global_thread();
    const u32 v = i >= count ? 0 : p.queued ? from[i].vertex : static_cast<u32>(i);
    const bool keep = i < count && thin.of(v) != 0;
    Offset begin = 0;
    u32 degree = 0;
    if (keep) {
      begin = dev::read_only(&g.offsets[v]);
      degree = static_cast<u32>(dev::read_only(&g.offsets[v + 1ull]) - begin);
    }
    stage(st, keep, v, begin, degree, made, cursor);
  }
  flush_block(st, made, cursor);
}

/// Adds the thin searches' bits to the next words, where the pull that follows takes them up. What stands in the next words is
/// part of the visited ones, so that only what is new is new.
template <class Offset>
HW_DEVICE void spread_step(const Graph<Offset>& g, const EachState<Offset>& s, const EachProgress& p) {
  const Bits* old = p.current ? s.visited[1] : s.visited[0];
  Bits* next = p.current ? s.visited[0] : s.visited[1];
  push_part(g, thin_frontier(g, s, p), [&](const u32(&to)[batch], Bits(&open)[batch]) {
    HW_UNROLL
    for (u32 j = 0; j < batch; ++j)
      if (open[j]) open[j] &= ~old[to[j]];
    HW_UNROLL
    for (u32 j = 0; j < batch; ++j)
      if (open[j]) dev::fetch_or(&next[to[j]], open[j]);
  });
}

}  // namespace hopwave::HW_MACHINE::engine
