// MS-BFS: up to 64 independent searches in one pass. One word per vertex, whose bit i belongs to search i.
// Source: Then et al., The More the Merrier, VLDB 2014; Liu, Huang, Hu, iBFS, SIGMOD 2016.
// Ours differs: a pull reads the visited words from before the step, so it needs no frontier; distances are kept as binary
// digits, one word per vertex and digit, and widened at the end into one coalesced row per search; a push of many edges is not
// queued; leaves are left out; one block takes the last levels.
//
// A pass:
//   1. source_step  the sources are found like vertices of a gather
//   2. take_step    per level one step or more, as next_step.h decides: push or unqueued, pull, gather, tail; then a barrier of
//   all blocks, and each block advances the progress for itself
//   3. widen        digits become distances (rows.h), or are counted (counts.h)
//
// Holds here: at the start of the step from level L, for each search i
// 1. visited[current][v] has bit i exactly if v is at distance at most L from source i. After an unqueued push that is not
//    whole, the bits of L + 1 are in the other array until the pull takes them up.
// 2. A frontier's vertex v has bit i in its fresh word exactly if its distance from source i is L. A queue has each of its
//    vertices once.
// 3. Digits of level L are written in the step after it was found, or by the pull, and there is a plane for each digit. What a
//    pull has found and a gather has queued is written twice, alike: a vertex and search have the digits of one level.
//    Not those of leaves that pulls leave out: they may be found again, and their digits are not read.
// 4. A row that a tail has listed is open before the tail, and its bits are only added to.
#pragma once

#include "bfs/engine/ms_bfs/next_step.h"
#include "bfs/engine/warp_buffer.h"
#include "bfs/plan/halt.h"
#include "bfs/plan/thresholds.h"
#include "device/primitives/double_buffer.h"
#include "device/primitives/expand.h"

namespace hopwave::HW_MACHINE::engine::ms_bfs {

using hopwave::engine::ms_bfs::Found;
using hopwave::engine::ms_bfs::Mode;
using hopwave::engine::ms_bfs::Progress;
using hopwave::engine::ms_bfs::Rule;
using Bits = u64;
inline constexpr u32 most_searches = 64;
inline constexpr u32 most_planes = 31;
inline constexpr u32 chunk_edges = 1024;  ///< a row of more is cut into parts that warps take
inline constexpr u32 num_bins = 5;        ///< rows by length: cut up, a warp, eight lanes, one lane; leaves

/// What a step found. `queue`: count and edges packed, as in the grid-wide traversal. After a pull it counts the vertices that
/// an unqueued push found.
struct Totals {
  u64 queue, found, edges;
  u64 looked;     ///< words that a pull looked at
  u64 left;       ///< rows listed that are still open
  u64 work;       ///< their arcs; much more where not all are listed
  u64 cancelled;  ///< 1: a limit of the call is reached
};

/// One step, for traces.
struct Record {
  Mode mode;
  u32 level;  ///< of what it finds
  u64 frontier, edges, found;
  u64 clock;  ///< after the barrier that follows it
};

/// For traces. The first record holds when the launch began.
HW_DEVICE void record(Record* records, u32 capacity, u32 at, const Record& r) {
  if (records && dev::global_thread() == 0 && at < capacity) records[at] = r;
}

/// A part of a long row.
struct Chunk {
  u32 vertex, part;
};

template <class Offset>
struct State : Rule {
  Bits* visited[2];
  Bits* fresh;           ///< three arrays: the searches that found each vertex of the frontier; zero elsewhere
  Entry<Offset>* queue;  ///< three, which turn with `fresh`
  Totals* totals;        ///< three, likewise
  Progress* progress;
  Bits* planes;      ///< digit k of all distances begins at k · n
  Distance* direct;  ///< one search alone: its levels, and no planes; else null
  const u32* rows;   ///< vertices, those of the first bin first
  u32 bin_end[num_bins];
  const Chunk* chunks;
  u32 num_chunks;
  const u32* sources;  ///< caller's ids
  u32 num_sources;
  u32 together;   ///< all sources belong to one search
  u32* left;      ///< those rows; null: no tail
  Bits* brought;  ///< the bits that a level of the tail brings them
  /// The vertex whose words a vertex (the caller's id) reads its distance from: itself, or a leaf's one neighbour | single.
  /// Null: no leaves.
  const u32* via;
  u32 skip_leaves;  ///< pulls leave them out: their distances are their neighbour's and one more
  u32 record_capacity;
  Record* records;  ///< null: no trace
  const u32* halt;  ///< not 0 there: the searches shall end; null: they have no limits
};

/// Which bin a row of this length belongs to, unless it is a leaf's.
HW_DEVICE u32 bin_of(u64 degree) {
  return degree > chunk_edges                                  ? 0
         : degree > thresholds::AnyDevice::ms_bfs_longest_left ? 1
         : degree > thresholds::AnyDevice::ms_bfs_short_row    ? 2
                                                               : 3;
}

/// Updates the progress by what the step found, and picks the next step: next_step.h has the table.
template <class Offset>
HW_DEVICE void advance(Progress& p, const Totals& t, const State<Offset>& s) {
  const Found found{t.queue >> edge_bits, t.queue & edge_mask, t.queue, t.found, t.edges, t.left, t.work, t.cancelled};
  ++p.step;
  if (p.mode == Mode::unqueued) return advance_unqueued(p, may_skip_count(p, s));
  advance_level(p, found, s);
  pause_for_planes(p, s);
}

/// Writes `level` into the digits of these searches' distances. `Contended`: other threads may be at the same words.
template <bool Contended, class Offset>
HW_DEVICE void mark(const State<Offset>& s, u32 n, u32 v, Bits bits, u32 level) {
  if (s.direct) return dev::store(&s.direct[v], static_cast<Distance>(level));
  HW_CHECK(level >> s.num_planes == 0);  // Holds 3
  for (u32 k = 0; level >> k; ++k) {
    if (!(level >> k & 1)) {
      HW_CHECK(Contended || s.skip_leaves || !(dev::plain_read(&s.planes[static_cast<u64>(k) * n + v]) & bits));  // Holds 3
      continue;
    }
    Bits* word = &s.planes[static_cast<u64>(k) * n + v];
    if constexpr (Contended)
      dev::fetch_or(word, bits);
    else
      dev::plain_write(word, dev::plain_read(word) | bits);
  }
}

/// Marks the vertices found at `level`, and those found at the next one.
template <class Offset>
HW_DEVICE void mark_both(const State<Offset>& s, u32 n, u32 v, Bits bits, Bits next_bits, u32 level) {
  if (!bits) {
    if (next_bits) mark<true>(s, n, v, next_bits, level + 1);
    return;
  }
  if (s.direct) return dev::store(&s.direct[v], static_cast<Distance>(next_bits ? level + 1 : level));
  HW_CHECK((level + 1) >> s.num_planes == 0 && !(bits & next_bits));  // Holds 3
  for (u32 k = 0; (level | (level + 1)) >> k; ++k) {
    const Bits digit = (level >> k & 1 ? bits : 0) | ((level + 1) >> k & 1 ? next_bits : 0);
    if (digit) dev::fetch_or(&s.planes[static_cast<u64>(k) * n + v], digit);
  }
}

/// A whole unqueued push also brings into the next words all that was visited before; that is in the last three queues.
template <class Offset>
HW_DEVICE void bring_visited(const Graph<Offset>& g, const State<Offset>& s, const Progress& p) {
  const u64 n = g.num_vertices;
  const Bits* visited = dev::current_of(s.visited, p.current);
  Bits* next = dev::alternate_of(s.visited, p.current);
  const u64 counts[3] = {p.queues.queued, p.queues.old, p.queues.older};
  HW_UNROLL
  for (u32 k = 0; k < 3; ++k) {
    const Entry<Offset>* queue = s.queue + (p.turn + 3 - k) % 3 * n;
    for (u64 i = dev::global_thread(); i < counts[k]; i += dev::global_threads())
      dev::fetch_or(&next[queue[i].vertex], visited[queue[i].vertex]);
  }
}

/// What every step does in addition to its search: writes the frontier's digits if it is a queue, clears the fresh words of the
/// frontier before, and clears the plane that the next step may be the first to use.
template <class Offset>
HW_DEVICE void tidy(const Graph<Offset>& g, const State<Offset>& s, const Progress& p, bool mark_queue) {
  const u64 n = g.num_vertices, threads = dev::global_threads();
  if (dev::global_thread() == 0) dev::plain_write(&s.totals[(p.step + 2) % 3], {});
  const u32 here = p.turn % 3, before = (p.turn + 2) % 3;
  if (mark_queue)
    for (u64 i = dev::global_thread(); i < p.queues.queued; i += threads) {
      const u32 v = dev::plain_read(&s.queue[here * n + i].vertex);
      HW_CHECK(v < g.num_vertices && dev::plain_read(&s.fresh[here * n + v]) != 0);  // Holds 2
      mark<false>(s, g.num_vertices, v, dev::plain_read(&s.fresh[here * n + v]), p.level);
    }
  for (u64 i = dev::global_thread(); i < p.queues.old; i += threads)
    dev::plain_write(&s.fresh[before * n + dev::plain_read(&s.queue[before * n + i].vertex)], 0);
  const u32 soon = p.level + 2;  // digit k is first used by level 2^k
  if ((soon & (soon - 1)) == 0 && !s.direct && p.mode != Mode::tail) {
    const u32 k = static_cast<u32>(dev::find_first_set(soon)) - 1;
    if (k < s.num_planes)
      for (u64 v = dev::global_thread(); v < n; v += threads) dev::plain_write(&s.planes[k * n + v], 0);
  }
}

/// A queue to be pushed, and the fresh words with the bits that its vertices bring.
template <class Offset>
struct Frontier {
  const Entry<Offset>* queue;
  u64 size, edges;
  const Bits* fresh;
};

/// Expands edges [lo, hi) of a queue for all searches at once; one warp. `take` gets up to a batch of ends a lane with the
/// bits that reach them; all lanes call it.
template <class Offset, class Take>
HW_DEVICE void push_each(const Graph<Offset>& g, const Frontier<Offset>& f, Offset lo, Offset hi, Take&& take) {
  const dev::RowQueue<Entry<Offset>, Offset> rows{f.queue, static_cast<u32>(f.size), static_cast<Offset>(f.edges), g.neighbors};
  dev::warp_expand<batch>(
      rows, lo, hi, true, [&](const Entry<Offset>& entry) { return dev::plain_read(&f.fresh[entry.vertex]); },
      [&](const u32(&to)[batch], Bits(&bits)[batch], const bool(&)[batch]) { take(to, bits); });  // no edge: no bits
}

/// This warp's equal part of all edges.
template <class Offset, class Take>
HW_DEVICE void push_part(const Graph<Offset>& g, const Frontier<Offset>& f, Take&& take) {
  const u64 warps = static_cast<u64>(dev::grid_size()) * dev::warps();
  const u64 part = ((f.edges + warps - 1) / warps + dev::lanes - 1) / dev::lanes * dev::lanes;
  const u64 lo = (static_cast<u64>(dev::warp()) * dev::grid_size() + dev::block()) * part;
  if (lo >= f.edges) return;
  const u64 hi = lo + part < f.edges ? lo + part : f.edges;
  push_each(g, f, static_cast<Offset>(lo), static_cast<Offset>(hi), take);
}

/// The whole queue.
template <class Offset>
HW_DEVICE Frontier<Offset> whole_frontier(const Graph<Offset>& g, const State<Offset>& s, const Progress& p) {
  const u64 here = p.turn % 3 * static_cast<u64>(g.num_vertices);
  return {s.queue + here, p.queues.queued, p.edges, s.fresh + here};
}

template <class Offset>
HW_DEVICE void push_step(const Graph<Offset>& g, const State<Offset>& s, WarpBuffer<Offset>& st, const Progress& p,
                         u64* cursor) {
  const u64 n = g.num_vertices;
  const Queue<Offset> made{s.queue + (p.turn + 1) % 3 * n, cursor};
  Bits *next = s.fresh + (p.turn + 1) % 3 * n, *visited = dev::current_of(s.visited, p.current);
  push_part(g, whole_frontier(g, s, p), [&](const u32(&to)[batch], Bits(&open)[batch]) {
    // A stale word errs towards "unvisited": the atomic decides.
    HW_UNROLL
    for (u32 j = 0; j < batch; ++j)
      if (open[j]) open[j] &= ~dev::peek(&visited[to[j]]);
    HW_UNROLL
    for (u32 j = 0; j < batch; ++j)
      if (open[j]) open[j] &= ~dev::fetch_or(&visited[to[j]], open[j]);
    HW_UNROLL
    for (u32 j = 0; j < batch; ++j) {
      // The thread that adds a vertex's first fresh bit queues it; later ones only add their bits.
      const bool won = open[j] && dev::fetch_or(&next[to[j]], open[j]) == 0;
      buffer_row(g, st, won, to[j], made);
    }
  });
  flush_block(st, made);
}

}  // namespace hopwave::HW_MACHINE::engine::ms_bfs
