// The first frontier of the grid-wide traversal: from one source, or from several.
#pragma once

#include "bfs/engine/grid_wide/scratch.h"
#include "bfs/plan/thresholds.h"

namespace hopwave::HW_MACHINE::engine::grid_wide {

/// Marks every neighbour of the source and makes them the block's own frontier. All blocks do the same, which spares a barrier.
/// Rows are sorted, so equal neighbours are adjacent. One warp.
template <class Offset, bool Plain>
HW_DEVICE void expand_source(const Work<Offset, Plain>& w, u32 source, u32 degree, Offset begin) {
  const Graph<Offset>& g = w.g;
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
      Word* word = &w.s.visited[0][entry.vertex / word_bits];
      if (!(dev::load(word) & bit_of(entry.vertex))) dev::fetch_or(word, bit_of(entry.vertex));
      if (dev::block() == 0) settle(w.s, entry.vertex, 1, source);
    }
    const dev::LaneMask fresh_lanes = dev::ballot(dev::all_lanes, fresh);
    u64 sum = 0;
    const u64 below = dev::warp_exclusive_sum(d, sum);
    if (fresh) {
      entry.before = static_cast<Offset>(edges + below);
      w.b.first[count + dev::rank_in(fresh_lanes)] = entry;
    }
    count += dev::popcount(fresh_lanes);
    edges += sum;
  }
  if (dev::lane() == 0) {
    w.b.count = count;
    w.b.edges = edges;
  }
}

/// One source: every block makes the first frontier for itself, leaves it in b.first, and notes that in the progress.
template <class Offset, bool Plain>
HW_DEVICE Progress begin_single(const Work<Offset, Plain>& w) {
  const Graph<Offset>& g = w.g;
  const Searching<Offset, Plain>& s = w.s;
  Scratch<Offset>& b = w.b;
  const u32 source = g.rank ? dev::read_only(&g.rank[s.source]) : s.source;
  const Offset begin = dev::read_only(&g.offsets[source]);
  const u64 degree = dev::read_only(&g.offsets[source + 1ull]) - begin;
  const bool fast = degree <= w.rule.fast_degree && degree <= thresholds::AnyDevice::fast_limit && w.rule.max_depth != 0;
  const u32 counted = is_isolated(s, source) ? 0 : 1;
  if (dev::warp() == 0) {
    if (dev::lane() == 0) {
      dev::fetch_or(&s.visited[0][source / word_bits], bit_of(source));
      if (dev::block() == 0) settle(s, source, 0, no_vertex);
    }
    if (fast) {
      expand_source(w, source, static_cast<u32>(degree), begin);
    } else if (dev::lane() == 0) {
      b.first[0] = {begin, 0, source, 0};
      b.count = 1;
      b.edges = degree;
    }
  }
  dev::sync_block();
  Progress p{};
  p.level = fast ? 1 : 0;
  p.deepest = fast && b.count ? 1 : 0;
  p.known = 1;
  p.visited = counted + (fast ? b.count : 0);
  p.frontier = b.count;
  p.edges = b.edges;
  if (s.records && fast) {
    const u64 now = dev::clock_ns();
    record(s, {push, 1, 1, degree, b.count, now, now});
  }
  return p;
}

/// Several sources are claimed like found vertices; a barrier follows.
template <class Offset, bool Plain>
HW_DEVICE void begin_many(const Graph<Offset>& g, const Searching<Offset, Plain>& s, WarpBuffer<Offset>& st) {
  const Queue<Offset> made{s.queue[0], &s.cursor[0]};
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
    buffer_row(g, st, won, v, made);
  }
  flush_block(st, made);
}

}  // namespace hopwave::HW_MACHINE::engine::grid_wide
