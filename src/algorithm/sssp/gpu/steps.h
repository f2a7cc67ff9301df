// The near-far search: one kernel for all steps, by the whole grid or by one block.
//
// The queue holds vertices no farther than the threshold whose arcs are still to be relaxed; the far pile holds the others that
// were reached. A step relaxes all arcs of the queue, evenly shared: an end that gets nearer comes into the next step's queue
// or into the pile. When the queue is empty, all distances up to the threshold are final. Then the threshold rises, and a step
// splits the pile: what is no farther now comes into the queue, the rest into the next pile. The search ends with an empty
// pile.
//
// Invariants:
// - A distance is at any time the sum along some path, or infinite. It falls by an atomic minimum.
// - A vertex whose distance fell to d ≤ threshold in step k is in the queue of step k + 1. `queued` says so, and the thread
//   that wrote it there first puts it there, whether its own offer is the least or not. The distance is read when the arcs
//   are relaxed, in step k + 1, so that it holds whatever fell in step k. Likewise `piled` for d > threshold; in a pile a
//   vertex is once. So no thread waits for what a minimum returns; a vertex that is there in vain does no harm.
// - An entry of a pile whose distance is no more than the threshold that the pile was made under was in a queue since, and is
//   dropped.
// Barriers: one after each step. The next step reads what a step writes (queue, pile, counters, marks) after that barrier.
// Distances fall during a step, and reads of them may be stale: a distance that is too great only offers what was offered
// before.
#pragma once

#include "algorithm/sssp/gpu/queues.h"
#include "bfs/plan/halt.h"
#include "device/primitives/expand.h"

namespace hopwave::HW_MACHINE::sssp {

/// The threads that take a step together.
struct Grid {
  HW_DEVICE static u32 warp() { return dev::global_thread() / dev::lanes; }
  HW_DEVICE static u32 warps() { return dev::global_threads() / dev::lanes; }
  HW_DEVICE static bool first() { return dev::global_thread() == 0; }
  static constexpr u32 batch = 4;            ///< arcs that a lane has under way at once
  static constexpr bool rows_early = false;  ///< rows are read only of vertices that come into the queue
};
struct Block {
  HW_DEVICE static u32 warp() { return dev::warp(); }
  HW_DEVICE static u32 warps() { return dev::warps(); }
  HW_DEVICE static bool first() { return dev::thread() == 0; }
  static constexpr u32 batch = 2;
  static constexpr bool rows_early =
      true;  ///< a step takes as long as its chain of accesses: rows are read at the same time as distances
};

/// What a step has to do. Read by one thread of a block after the barrier, for all of them.
struct Work {
  u64 queue;     ///< QueueSize, QueueArcs
  u64 far_low;   ///< of the pile, if the queue is empty
  u64 bound;     ///< farther vertices are of no use: the limit, or the target's distance if it is less
  u32 far_size;  ///< likewise
  u32 halted;
};

template <class Offset, class Arc>
HW_DEVICE Work look(const NearFar<Offset, Arc>& s, const Progress& p) {
  Work w{.queue = dev::load(&s.control->turn[p.step % 3].queue),
         .far_low = 0,
         .bound = s.limit,
         .far_size = 0,
         .halted = dev::load(&s.control->turn[p.step % 3].halted)};
  if (w.queue == 0) {
    w.far_low = dev::load(&s.control->turn[p.epoch % 3].far_low);
    w.far_size = dev::load(&s.control->turn[p.epoch % 3].far_size);
  }
  if (s.target < s.num_vertices) {
    const u64 there = dev::load(&s.distance[s.target]);
    w.bound = there < w.bound ? there : w.bound;
  }
  return w;
}

/// Arcs of the queue that a warp has under way: `batch` a lane.
template <class Scope, class Offset, class Arc>
struct Offers {
  static constexpr u32 batch = Scope::batch;
  u64 reach[batch];
  Row<Offset> row[batch];
  u32 mark[batch];  ///< before this thread's own

  /// What the arcs offer. `open` stays set where that is of use.
  HW_DEVICE void weigh(const NearFar<Offset, Arc>& s, const Work& w, const Arc (&arc)[batch], const double (&from)[batch],
                       bool (&open)[batch]) {
    HW_UNROLL
    for (u32 j = 0; j < batch; ++j) {
      const u32 v = end_of(arc[j]);
      reach[j] = bits_of(from[j] + weight_of(arc[j]));
      if (Scope::rows_early && open[j]) row[j] = row_of(s, v);
      open[j] = open[j] && reach[j] <= w.bound && reach[j] < dev::peek(&s.distance[v]);
    }
  }

  /// Lowers distances and marks vertices. Returns the least distance beyond the threshold.
  HW_DEVICE u64 make(const NearFar<Offset, Arc>& s, const Progress& p, const Arc (&arc)[batch], const bool (&open)[batch]) {
    u64 low = infinite;
    HW_UNROLL
    for (u32 j = 0; j < batch; ++j) {
      if (!open[j]) continue;
      const u32 v = end_of(arc[j]);
      const bool near = reach[j] <= p.threshold;
      dev::fetch_min(&s.distance[v], reach[j]);
      mark[j] = dev::exchange(near ? &s.queued[v] : &s.piled[v], near ? p.step + 1 : p.epoch);
      if (!near && reach[j] < low) low = reach[j];
    }
    return low;
  }

  /// Puts what this thread was the first to mark into the next queue and the pile.
  HW_DEVICE void append(const NearFar<Offset, Arc>& s, const Progress& p, const Arc (&arc)[batch], const bool (&open)[batch]) {
    HW_UNROLL
    for (u32 j = 0; j < batch; ++j) {
      const u32 v = end_of(arc[j]);
      const bool near = open[j] && reach[j] <= p.threshold && mark[j] != p.step + 1;
      const bool far = open[j] && reach[j] > p.threshold && mark[j] != p.epoch;
      if (!Scope::rows_early && near) row[j] = row_of(s, v);
      append_row(s, p.step + 1, v, near ? row[j] : Row<Offset>{});
      append_far(s, p.epoch, v, far);
    }
  }
};

/// Relaxes the arcs of the queue, this warp its share of them.
template <class Scope, class Offset, class Arc>
HW_DEVICE void relax(const NearFar<Offset, Arc>& s, const Progress& p, const Work& w) {
  constexpr u32 batch = Scope::batch;
  const u64 arcs = QueueArcs::get(w.queue), each = (arcs + Scope::warps() - 1) / Scope::warps();
  const u64 share = (each + dev::lanes - 1) / dev::lanes * dev::lanes, lo = Scope::warp() * share;
  if (lo >= arcs) return;
  const u64 hi = lo + share < arcs ? lo + share : arcs;
  const dev::RowQueue<Entry<Offset>, Offset, Arc> rows{
      dev::current_of(s.entries, p.step & 1), static_cast<u32>(QueueSize::get(w.queue)), static_cast<Offset>(arcs), s.arcs};
  u64 low = infinite;
  const auto own = [&](const Entry<Offset>& entry) { return to_double(dev::load(&s.distance[entry.vertex])); };
  dev::warp_expand<batch>(rows, static_cast<Offset>(lo), static_cast<Offset>(hi), true, own,
                          [&](Arc(&arc)[batch], double(&from)[batch], bool(&open)[batch]) {
                            Offers<Scope, Offset, Arc> offers;
                            offers.weigh(s, w, arc, from, open);
                            const u64 least = offers.make(s, p, arc, open);
                            if (least < low) low = least;
                            offers.append(s, p, arc, open);
                          });
  lower_far(s.control->turn[p.epoch % 3], low);
}

/// Splits the pile at a new threshold, this warp its share of it.
template <class Scope, class Offset, class Arc>
HW_DEVICE void split(const NearFar<Offset, Arc>& s, const Progress& p, const Work& w, u64 threshold) {
  const u32* pile = dev::current_of(s.far, p.epoch & 1);
  u64 low = infinite;
  for (u64 i = u64{Scope::warp()} * dev::lanes; i < w.far_size; i += u64{Scope::warps()} * dev::lanes) {
    u32 v = 0;
    u64 d = infinite;
    if (i + dev::lane() < w.far_size) {
      v = pile[i + dev::lane()];
      d = dev::load(&s.distance[v]);
    }
    const bool there = d > p.threshold && d <= w.bound && d < infinite, near = there && d <= threshold, far = there && !near;
    if (near) dev::store(&s.queued[v], p.step + 1);
    if (far) dev::store(&s.piled[v], p.epoch + 1);
    if (far && d < low) low = d;
    append_near(s, p.step + 1, v, near);
    append_far(s, p.epoch + 1, v, far);
  }
  lower_far(s.control->turn[(p.epoch + 1) % 3], low);
}

/// The next bucket's width: wider while its steps have less to do than the device can take at once.
template <class Offset, class Arc>
HW_DEVICE u64 next_delta(const NearFar<Offset, Arc>& s, const Progress& p) {
  if (s.aim == 0) return p.delta;
  const u64 steps = p.step - p.began, mean = steps ? p.bucket / steps : 0;
  if (mean < s.aim / 2) {
    const u64 twice = bits_of(2 * to_double(p.delta));
    return twice < s.widest ? twice : s.widest;
  }
  return mean > 8 * s.aim && p.delta > s.narrowest ? bits_of(to_double(p.delta) / 2) : p.delta;
}

/// One step by all threads of the scope, without the barrier after it. All of them change `p` in the same way.
template <class Scope, class Offset, class Arc>
HW_DEVICE void step(const NearFar<Offset, Arc>& s, Progress& p, const Work& w) {
  Control& c = *s.control;
  if (Scope::first()) {
    dev::store(&c.turn[(p.step + 2) % 3].queue, u64{0});  // read last in step − 1, added to next in step + 1
    // Read by all after the barrier: none may see it sooner, or it would leave the others waiting there.
    if (engine::halted(s.halt)) dev::store(&c.turn[(p.step + 1) % 3].halted, 1u);
  }
  const u64 arcs = QueueArcs::get(w.queue);
  if (arcs > 0) {
    relax<Scope>(s, p, w);
    p.relaxed += arcs;
    p.bucket += arcs;
  } else {
    if (Scope::first()) {
      dev::store(&c.turn[(p.epoch + 2) % 3].far_size, 0u);
      dev::store(&c.turn[(p.epoch + 2) % 3].far_low, infinite);
    }
    p.delta = next_delta(s, p);
    const u64 from = w.far_low > p.threshold ? w.far_low : p.threshold;
    const u64 threshold = bits_of(to_double(from) + to_double(p.delta));
    split<Scope>(s, p, w, threshold);
    p.threshold = threshold;
    p.bucket = 0;
    ++p.epoch;
    p.began = p.step + 1;
  }
  ++p.step;
  --p.left;
}

/// Is there nothing to do, or no leave to do it?
HW_DEVICE bool is_over(Progress& p, const Work& w) {
  p.done = w.queue == 0 && w.far_size == 0;
  p.halted = w.halted;
  return p.done || p.halted || p.left == 0;
}

/// Arcs or entries that the next step looks at.
HW_DEVICE u64 size_of(const Work& w) { return w.queue ? QueueArcs::get(w.queue) : w.far_size; }

/// The steps of one block, until there is more to do than one block should.
template <class Offset, class Arc>
HW_DEVICE void run_alone(const NearFar<Offset, Arc>& s, Progress& p, Work* work, bool forever) {
  for (;;) {
    if (dev::thread() == 0) *work = look(s, p);
    dev::sync_block();
    const Work w = *work;
    if (is_over(p, w) || (!forever && size_of(w) > 2 * s.narrow)) return;
    step<Block>(s, p, w);
    dev::sync_block();
  }
}

template <class Offset, class Arc>
HW_KERNEL HW_BOUNDS(512, 2) void near_far(NearFar<Offset, Arc> s) {
  HW_CHECK(dev::block_size() <= 512);
  HW_SHARED(Work, work, 1);
  Progress p = s.control->progress;
  p.left = s.steps;
  if (dev::grid_size() == 1) {
    run_alone(s, p, work, true);
  } else {
    for (;;) {
      if (dev::thread() == 0) *work = look(s, p);
      dev::sync_block();
      const Work w = *work;
      if (is_over(p, w)) break;
      if (size_of(w) > s.narrow) {
        step<Grid>(s, p, w);
        dev::sync_grid();
        continue;
      }
      dev::sync_grid();  // all have looked before block 0 goes on
      if (dev::block() == 0) {
        run_alone(s, p, work, false);
        dev::sync_block();
        if (dev::thread() == 0) s.control->progress = p;
      }
      dev::sync_grid();
      p = s.control->progress;
    }
    dev::sync_grid();  // all have read it before it is written for the host
  }
  if (dev::global_thread() == 0) s.control->progress = p;
}

}  // namespace hopwave::HW_MACHINE::sssp
