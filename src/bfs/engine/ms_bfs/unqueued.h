// MS-BFS without pulling and claiming: making a queue of what a pull found, and pushing a queue without claiming, into the
// words that the next pull writes.
#pragma once

#include "bfs/engine/ms_bfs/pull.h"

namespace hopwave::HW_MACHINE::engine::ms_bfs {

/// After a pull: the frontier is what the new words have and the old ones have not. Makes a queue of it.
template <class Offset>
HW_DEVICE void gather_step(const Graph<Offset>& g, const State<Offset>& s, WarpBuffer<Offset>& st, const Progress& p,
                           u64* cursor) {
  const u64 n = g.num_vertices;
  const Bits *now = dev::current_of(s.visited, p.current), *was = dev::alternate_of(s.visited, p.current);
  const Queue<Offset> made{s.queue + (p.turn + 1) % 3 * n, cursor};
  Bits* next = s.fresh + (p.turn + 1) % 3 * n;
  const u64 rounds = (n + dev::global_threads() - 1) / dev::global_threads();
  for (u64 k = 0; k < rounds; ++k) {
    const u64 v = k * dev::global_threads() + dev::global_thread();
    const Bits found = v < n ? dev::plain_read(&now[v]) & ~dev::plain_read(&was[v]) : 0;
    if (found) dev::plain_write(&next[v], found);
    buffer_row(g, st, found != 0, static_cast<u32>(v), made);
  }
  flush_block(st, made);
}

/// Adds a frontier's bits to the next words, where the pull that follows takes them up. What the next words hold already is
/// part of the visited words, so exactly the other bits are new. What has been visited is not left out: early in a search that
/// is too little to be worth it. A whole push brings into the next words what was visited, too.
template <class Offset>
HW_DEVICE void unqueued_step(const Graph<Offset>& g, const State<Offset>& s, const Progress& p) {
  if (whole_unqueued(p)) bring_visited(g, s, p);
  Bits* next = dev::alternate_of(s.visited, p.current);
  push_part(g, whole_frontier(g, s, p), [&](const u32(&to)[batch], Bits(&open)[batch]) {
    HW_UNROLL
    for (u32 j = 0; j < batch; ++j)
      if (open[j]) dev::fetch_or(&next[to[j]], open[j]);
  });
}

}  // namespace hopwave::HW_MACHINE::engine::ms_bfs
