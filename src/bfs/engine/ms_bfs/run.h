// MS-BFS from the sources to the last level: in one cooperative launch, or in one launch a level.
#pragma once

#include "bfs/engine/ms_bfs/tail.h"
#include "bfs/engine/ms_bfs/unqueued.h"
#include "device/shared_layout.h"

namespace hopwave::HW_MACHINE::engine::ms_bfs {

inline constexpr u32 most_threads = 384;  ///< a block, two of which a multiprocessor holds

/// Step 0: the sources are found like vertices of a gather.
template <class Offset>
HW_DEVICE void source_step(const Graph<Offset>& g, const State<Offset>& s, WarpBuffer<Offset>& st) {
  const u64 n = g.num_vertices;
  const Queue<Offset> made{s.queue + n, &s.totals[1].queue};
  if (dev::block() == 0) {
    for (u32 i0 = 0; i0 < s.num_sources; i0 += dev::block_size()) {
      const u32 i = i0 + dev::thread();
      u32 v = 0;
      bool won = false;
      if (i < s.num_sources) {
        v = dev::read_only(&s.sources[i]);
        if (g.rank) v = dev::read_only(&g.rank[v]);
        const Bits bit = s.together ? 1 : Bits{1} << i;
        dev::fetch_or(&s.visited[0][v], bit);
        won = dev::fetch_or(&s.fresh[n + v], bit) == 0;
      }
      buffer_row(g, st, won, v, made);
    }
  }
  flush_block(st, made);
}

/// Clears what the searches start with. All planes but the first are cleared when a level first needs them.
template <class Offset>
HW_DEVICE void clear(const Graph<Offset>& g, const State<Offset>& s) {
  const u64 n = g.num_vertices, threads = dev::global_threads();
  for (u64 v = dev::global_thread(); v < n; v += threads) {
    dev::plain_write(&s.visited[1][v], 0);
    dev::plain_write(&s.visited[0][v], 0);
    if (!s.direct) dev::plain_write(&s.planes[v], 0);
  }
  for (u64 i = dev::global_thread(); i < 3 * n; i += threads) dev::plain_write(&s.fresh[i], 0);
  if (dev::global_thread() < 3) dev::plain_write(&s.totals[dev::global_thread()], {});
}

/// Layouts of the dynamic shared memory: the warps' buffers, or a pull's open rows in their place.
inline constexpr u32 buffers_layout = 0, rows_layout = 1;

/// A block's shared memory without the dynamic part.
struct Scratch {
  u64 warp_sums[max_warps + 1];
  HW_BORDER(behind_warp_sums);
  WideSum flushed;
  u32 found[4];  ///< a tail's levels; three
  HW_BORDER(behind_found);
  u32 left, left_work;  ///< rows of this block that a pull leaves open, and what they cost
  Totals sums;
  HW_BORDER(behind_sums);
  Progress progress;
};

/// A block lists the rows that a pull leaves open in the memory of its warps' buffers: at most twice its part of a tail's rows.
template <class Offset>
HW_DEVICE LeftRows left_rows(const State<Offset>& s, Scratch& b, const WarpBuffer<Offset>& st) {
  const u32 part = (s.tail_rows + dev::grid_size() - 1) / dev::grid_size() * 2 + dev::lanes;
  const u32 most = dev::warps() * warp_buffer_bytes<Offset> / sizeof(u32);
  return {HW_PART(reinterpret_cast<u32*>(HW_COUNTED_AT(st.begins - dev::warp() * warp_buffer_size, 0)),
                  part < most ? part : most, rows_layout),
          part < most ? part : most, &b.left, &b.left_work};
}

template <class Offset>
HW_DEVICE WarpBuffer<Offset> open_buffers(Scratch& b, void* memory) {
  if (dev::thread() == 0) {
    HW_CLOSE_BORDER(b.behind_warp_sums);
    HW_CLOSE_BORDER(b.behind_found);
    HW_CLOSE_BORDER(b.behind_sums);
    b.sums = {};
    b.flushed = {};
  }
  dev::sync_block();
  auto* begins = static_cast<Offset*>(memory);
  auto* vertices = reinterpret_cast<u32*>(begins + dev::warps() * warp_buffer_size);
  return {HW_PART(begins + dev::warp() * warp_buffer_size, warp_buffer_size, buffers_layout),
          HW_PART(vertices + dev::warp() * warp_buffer_size, warp_buffer_size, buffers_layout),
          HW_PART(vertices + (dev::warps() + dev::warp()) * warp_buffer_size, warp_buffer_size, buffers_layout),
          b.warp_sums,
          &b.flushed,
          0};
}

template <class Offset>
HW_DEVICE void take_step(const Graph<Offset>& g, const State<Offset>& s, WarpBuffer<Offset>& st, Scratch& b,
                         const Progress& p) {
  Totals* totals = &s.totals[(p.step + 1) % 3];
  HW_SHARED_LAYOUT(p.mode == Mode::pull ? rows_layout : buffers_layout);
  tidy(g, s, p, p.mode == Mode::push || p.mode == Mode::unqueued);
  if (p.mode == Mode::push)
    push_step(g, s, st, p, &totals->queue);
  else if (p.mode == Mode::pull)
    pull_step(g, s, p, &b.sums, left_rows(s, b, st), totals);
  else if (p.mode == Mode::unqueued)
    unqueued_step(g, s, p);
  else if (p.mode == Mode::tail)
    tail_step(g, s, p, b.found);
  else
    gather_step(g, s, st, p, &totals->queue);
}

/// For traces. A tail records its levels itself.
template <class Offset>
HW_DEVICE void record_step(const State<Offset>& s, const Progress& p) {
  if (!s.records || dev::global_thread() != 0) return;
  const Totals& t = s.totals[(p.step + 1) % 3];
  const bool pull = p.mode == Mode::pull;
  record(s.records, s.record_capacity, p.step + 1,
         {p.mode, p.level + 1, p.queues.queued, pull ? t.looked : p.edges, pull ? t.found : t.queue >> edge_bits,
          dev::clock_ns()});
}

/// After the barrier: the block's first thread reads what was found, and picks the next step.
template <class Offset>
HW_DEVICE void go_ahead(const State<Offset>& s, Progress& p) {
  if (dev::thread() != 0) return;
  if (p.mode == Mode::tail) {
    p = s.progress[(p.turn + 1) % 2];
    return;
  }
  record_step(s, p);
  const Totals* t = &s.totals[(p.step + 1) % 3];
  advance(p,
          {dev::load(&t->queue), dev::load(&t->found), dev::load(&t->edges), 0, dev::load(&t->left), dev::load(&t->work),
           dev::load(&t->cancelled)},
          s);
}

/// All searches in one cooperative launch; `resume`: go on where a launch paused for want of planes. Leaves the progress in
/// the last of its three places; a tail uses the others.
template <class Offset>
HW_KERNEL void HW_BOUNDS(most_threads, 2) ms_bfs_traversal(Graph<Offset> g, State<Offset> s, u32 resume) {
  HW_CHECK(dev::block_size() <= most_threads);
  HW_SHARED(Scratch, scratch, 1);
  HW_SHARED_PARTS(Offset, memory);
  WarpBuffer<Offset> st = open_buffers<Offset>(scratch[0], memory);
  // In shared memory, where it costs no registers while a step runs: a block's first thread advances it for the block.
  Progress& p = scratch[0].progress;
  if (dev::thread() == 0) {
    p = {};
    if (resume) p = s.progress[2];
    p.paused = 0;
  }
  if (!resume) {
    record(s.records, s.record_capacity, 0, {Mode::begin, 0, 0, 0, 0, dev::clock_ns()});
    clear(g, s);
    dev::sync_grid();
    source_step(g, s, st);
    dev::sync_grid();
    go_ahead(s, p);
  }
  dev::sync_block();
  while (running(p)) {
    take_step(g, s, st, scratch[0], p);
    if (dev::global_thread() == 0 && halted(s.halt)) dev::store(&s.totals[(p.step + 1) % 3].cancelled, u64{1});
    dev::sync_grid();
    go_ahead(s, p);
    dev::sync_block();
  }
  if (p.mode == Mode::stop) tidy(g, s, p, true);  // the last queue's digits
  if (dev::global_thread() == 0) dev::plain_write(&s.progress[2], p);
}

/// The same without cooperative launches: these two, then ms_bfs_level as often as it takes.
template <class Offset>
HW_KERNEL void each_clear(Graph<Offset> g, State<Offset> s) {
  clear(g, s);
}
template <class Offset>
HW_KERNEL void HW_BOUNDS(most_threads, 2) ms_bfs_sources(Graph<Offset> g, State<Offset> s) {
  HW_CHECK(dev::block_size() <= most_threads);
  HW_SHARED(Scratch, scratch, 1);
  HW_SHARED_PARTS(Offset, memory);
  WarpBuffer<Offset> st = open_buffers<Offset>(scratch[0], memory);
  source_step(g, s, st);
  if (dev::global_thread() == 0) dev::plain_write(&s.progress[0], {});
}

/// One step, or nothing if the searches are over: the host launches several before it reads the progress. Every block advances
/// from progress[from] by itself; one block writes the result to the other place.
template <class Offset>
HW_KERNEL void HW_BOUNDS(most_threads, 2) ms_bfs_level(Graph<Offset> g, State<Offset> s, u32 from) {
  HW_CHECK(dev::block_size() <= most_threads);
  HW_SHARED(Scratch, scratch, 1);
  HW_SHARED_PARTS(Offset, memory);
  Progress& p = scratch[0].progress;
  if (dev::thread() == 0) {
    p = dev::plain_read(&s.progress[from]);
    if (p.paused && !needs_planes(s, p.level))
      p.paused = 0;
    else if (p.mode != Mode::stop && !p.paused)
      advance(p, dev::plain_read(&s.totals[(p.step + 1) % 3]), s);
  }
  const bool was_over = dev::plain_read(&s.progress[from].mode) == Mode::stop;
  WarpBuffer<Offset> st = open_buffers<Offset>(scratch[0], memory);
  if (running(p))
    take_step(g, s, st, scratch[0], p);
  else if (p.mode == Mode::stop && !was_over)
    tidy(g, s, p, true);
  if (dev::global_thread() == 0) dev::plain_write(&s.progress[1 - from], p);
}

}  // namespace hopwave::HW_MACHINE::engine::ms_bfs
