// Barriers of block, cluster and grid, and the collective operations of a warp. The last thread to arrive releases the
// others. A barrier that can never be complete is reported at once, with the threads that wait.
#include <algorithm>
#include <bit>
#include <string>

#include "simulator/memcheck.h"
#include "simulator/report.h"
#include "simulator/scheduler.h"

namespace hopwave::sim {

// ---- block -------------------------------------------------------------------------------------------------------------

u32 Scheduler::meet_block(bool predicate, const SourceLocation& where) {
  Thread& thread = *running_;
  Block& block = *thread.block;
  char& token = block.barrier.tokens[block.barrier.phase & 1];
  arrive_at(token, group_of(thread));
  thread.predicate = memcheck::needed(predicate);
  thread.where = where;
  thread.wait = Wait::block;
  if (++block.barrier.waiting == block.live) release_block(block);
  park();
  leave(token, group_of(thread));
  return static_cast<u32>(thread.result);
}

void Scheduler::release_block(Block& block) {
  if (block.live != shape_.block)
    fail("HW-SIM-BARRIER",
         "block " + std::to_string(block.index) + ": " + std::to_string(block.barrier.waiting) +
             " threads wait at the block barrier, the other " + std::to_string(shape_.block - block.live) + " have returned (" +
             threads_of(block, Wait::done) + ")",
         "every thread of the block at the barrier", "let threads without work skip the work, not the barrier",
         running_->where);
  check_block_sites(block);
  if (here.raced) races_->meet_block(number_of(*block.threads), shape_.block);
  counted_meeting(*block.threads, shape_.block);
  u32 count = 0;
  u64 acquired = 0;  // what one thread has acquired, all have
  for (u32 t = 0; t < shape_.block; ++t) {
    count += block.threads[t].predicate;
    acquired = std::max(acquired, block.threads[t].acquired);
  }
  block.barrier.waiting = 0;
  ++block.barrier.phase;
  for (u32 t = 0; t < shape_.block; ++t) {
    block.threads[t].result = count;
    block.threads[t].acquired = acquired;
    make_ready(block.threads[t]);
  }
  progress();
}

void Scheduler::check_block_sites(const Block& block) {
  const Thread& first = block.threads[0];
  for (u32 t = 1; t < shape_.block; ++t)
    if (!(block.threads[t].where == first.where))
      fail("HW-SIM-DIVERGENT",
           "block " + std::to_string(block.index) + ": thread 0 waits at the barrier in " + place(first.where) + ", thread " +
               std::to_string(t) + " at the one in " + place(block.threads[t].where),
           "one barrier for all threads of a block", "a barrier may be in a branch only if all threads take it",
           block.threads[t].where);
}

/// Missing threads are reported as a deadlock.
void Scheduler::meet_part(u32 threads, const SourceLocation& where) {
  Thread& thread = *running_;
  Block& block = *thread.block;
  if (threads == 0 || threads % lanes)
    fail("HW-SIM-BARRIER", thread_text() + " at a barrier of the first " + std::to_string(threads) + " threads",
         "a multiple of " + std::to_string(lanes) + ", not 0", "a named barrier counts whole warps", where);
  if (block.part.waiting && threads != block.part_threads)
    fail("HW-SIM-BARRIER",
         thread_text() + " at a barrier of the first " + std::to_string(threads) +
             " threads, where others wait for the first " + std::to_string(block.part_threads),
         "the same number for all threads that wait", "", where);
  block.part_threads = threads;
  if (thread.view.thread >= threads || threads > shape_.block)
    fail("HW-SIM-BARRIER",
         "block " + std::to_string(block.index) + ": thread " + std::to_string(thread.view.thread) + " of " +
             std::to_string(shape_.block) + " at a barrier of the first " + std::to_string(threads),
         "one of those threads", "", where);
  char& token = block.part.tokens[block.part.phase & 1];
  arrive_at(token, group_of(thread));
  thread.where = where;
  thread.wait = Wait::part;
  if (++block.part.waiting == threads) {
    block.part.waiting = 0;
    ++block.part.phase;
    if (here.raced) races_->meet_part(number_of(*block.threads), threads);
    counted_meeting(*block.threads, threads);
    u64 acquired = 0;
    for (u32 t = 0; t < threads; ++t) acquired = std::max(acquired, block.threads[t].acquired);
    for (u32 t = 0; t < threads; ++t) {
      block.threads[t].acquired = acquired;
      make_ready(block.threads[t]);
    }
    progress();
  }
  park();
  leave(token, group_of(thread));
}

// ---- cluster and grid --------------------------------------------------------------------------------------------------

void Scheduler::arrive_cluster(const SourceLocation& where) {
  Thread& thread = *running_;
  Cluster& cluster = *thread.block->cluster;
  if (thread.arrived)
    fail("HW-SIM-CLUSTER",
         "thread " + std::to_string(thread.view.thread) + " of block " + std::to_string(thread.view.block) +
             " arrives a second time at the cluster barrier",
         "wait_cluster() between two arrivals", "", where);
  thread.arrived = true;
  thread.where = where;
  arrive_at(cluster.barrier.tokens[cluster.barrier.phase & 1], group_of(thread));
  if (++cluster.barrier.waiting == cluster.live) release_cluster(cluster);
}

/// Continues at once if all have arrived in the meantime. The phase cannot have advanced by two, because this thread
/// has not arrived again.
void Scheduler::wait_cluster(const SourceLocation& where) {
  Thread& thread = *running_;
  Cluster& cluster = *thread.block->cluster;
  if (!thread.arrived && !thread.let_through)
    fail("HW-SIM-CLUSTER",
         "thread " + std::to_string(thread.view.thread) + " of block " + std::to_string(thread.view.block) +
             " waits at the cluster barrier without having arrived",
         "arrive_cluster() first", "", where);
  const u32 phase = cluster.barrier.phase - (thread.let_through ? 1 : 0);
  if (!thread.let_through) {
    thread.where = where;
    thread.wait = Wait::cluster;
    park();
  }
  thread.let_through = false;
  leave(cluster.barrier.tokens[phase & 1], group_of(thread));
  acquired();
}

void Scheduler::release_cluster(Cluster& cluster) {
  const u32 all = cluster_blocks_ * shape_.block;
  if (cluster.live != all)
    fail("HW-SIM-CLUSTER",
         std::to_string(cluster.live) + " threads of a cluster wait at its barrier, the other " +
             std::to_string(all - cluster.live) + " have returned",
         "every thread of the cluster at the barrier", "", running_->where);
  cluster.barrier.waiting = 0;
  ++cluster.barrier.phase;
  if (here.raced) races_->meet_cluster(number_of(*blocks_[cluster.first_slot].threads), all);
  for (u32 rank = 0; rank < cluster_blocks_; ++rank) {
    Thread* const threads = blocks_[cluster.first_slot + rank].threads;
    counted_meeting(*threads, shape_.block);
    for (u32 t = 0; t < shape_.block; ++t) {
      Thread& thread = threads[t];
      thread.arrived = false;
      thread.let_through = thread.wait != Wait::cluster;  // it has not reached its wait yet
      if (!thread.let_through) make_ready(thread);
    }
  }
  progress();
}

void Scheduler::meet_grid(const SourceLocation& where) {
  if (!shape_.cooperative)
    fail("HW-SIM-GRID", "sync_grid() in an ordinary launch", "a cooperative launch",
         "set LaunchShape::cooperative, with a grid of at most Device::resident_grid()", where);
  Thread& thread = *running_;
  char& token = grid_.tokens[grid_.phase & 1];
  arrive_at(token, 0);
  thread.where = where;
  thread.wait = Wait::grid;
  if (++grid_.waiting == threads_live_) release_grid();
  park();
  leave(token, 0);
  acquired();
}

void Scheduler::release_grid() {
  if (threads_ended_)
    fail("HW-SIM-GRID",
         std::to_string(grid_.waiting) + " threads wait at the grid barrier, the other " + std::to_string(threads_ended_) +
             " have returned",
         "every thread of the grid at the barrier", "let threads without work skip the work, not the barrier", running_->where);
  grid_.waiting = 0;
  ++grid_.phase;
  if (here.raced) races_->meet_grid();
  for (u32 slot = 0; slot < slots_; ++slot) {
    counted_meeting(*blocks_[slot].threads, shape_.block);
    for (u32 t = 0; t < shape_.block; ++t) make_ready(blocks_[slot].threads[t]);
  }
  progress();
}

/// A thread has returned: no thread may wait for it.
void Scheduler::check_after_exit(const Thread& thread) {
  Block& block = *thread.block;
  if (block.barrier.waiting && block.barrier.waiting == block.live) release_block(block);
  if (block.cluster->barrier.waiting && block.cluster->barrier.waiting == block.cluster->live) release_cluster(*block.cluster);
  if (grid_.waiting && grid_.waiting == threads_live_) release_grid();
  const Warp& warp = block.warps[thread.view.warp];
  for (u32 i = 0; i < warp.used; ++i)
    if (const Meeting& meeting = warp.meetings[i]; meeting.arrived && (meeting.mask >> thread.view.lane & 1))
      fail("HW-SIM-WARP",
           "block " + std::to_string(block.index) + ", warp " + std::to_string(thread.view.warp) + ": lane " +
               std::to_string(thread.view.lane) + " returned while lanes " + hex(meeting.arrived) + " wait for lanes " +
               hex(meeting.mask),
           "every lane of the mask to take part", "put only lanes that get there into the mask",
           block.threads[thread.view.warp * lanes + static_cast<u32>(std::countr_zero(meeting.arrived))].where);
}

// ---- warp --------------------------------------------------------------------------------------------------------------

namespace {
bool is_vote(WarpWord word) { return word == WarpWord::ballot || word == WarpWord::any || word == WarpWord::all; }
}  // namespace

u64 Scheduler::meet_warp(const WarpCall& call, const SourceLocation& where) {
  Thread& thread = *running_;
  Block& block = *thread.block;
  Warp& warp = block.warps[thread.view.warp];
  thread.where = where;
  thread.call = call;
  thread.call.mask = memcheck::needed(call.mask);
  thread.call.from = memcheck::needed(call.from);
  if (is_vote(call.word)) thread.call.value = memcheck::needed(call.value);
  // Lanes after the end of the block count as absent, as on a GPU.
  const u32 present = std::min(lanes, shape_.block - thread.view.warp * lanes);
  thread.call.mask &= ~u64{0} >> (64 - present);
  check_mask(thread, warp);
  if (call.word == WarpWord::reduce && call.strict && thread.call.mask != ~u64{0} >> (64 - lanes))
    fail("HW-SIM-MASK",
         thread_text() + " sums with mask " + hex(thread.call.mask) + " a value that is not an integer of four bytes",
         "all lanes of a full warp", "such values are summed by shuffles, which read from every lane", where);
  Meeting& meeting = find_meeting(warp, thread.call.mask);
  char& token = warp.tokens[&meeting - warp.meetings][meeting.phase & 1];
  const bool orders = call.word == WarpWord::sync;
  if (orders) arrive_at(token, group_of(thread));
  meeting.arrived |= u64{1} << thread.view.lane;
  thread.wait = Wait::warp;
  if (meeting.arrived == meeting.mask) release_warp(block, thread.view.warp, meeting);
  park();
  if (orders) leave(token, group_of(thread));
  return thread.result;
}

void Scheduler::check_mask(const Thread& thread, const Warp& warp) {
  const u64 mask = thread.call.mask, me = u64{1} << thread.view.lane;
  const auto thread_text = [&] {
    return "block " + std::to_string(thread.view.block) + ", thread " + std::to_string(thread.view.thread) + " (lane " +
           std::to_string(thread.view.lane) + ") calls " + name_of(thread.call.word) + " with mask " + hex(mask);
  };
  if (!(mask & me))
    fail("HW-SIM-MASK", thread_text() + ", which does not contain it", "a mask with the calling lane", "", thread.where);
  if (mask & warp.exited)
    fail("HW-SIM-MASK", thread_text() + ", but lanes " + hex(mask & warp.exited) + " have returned",
         "a mask of lanes that take part", "let lanes without work continue with an empty share instead of returning",
         thread.where);
  for (u32 i = 0; i < warp.used; ++i) {
    const Meeting& other = warp.meetings[i];
    if (!other.arrived || other.mask == mask || !(other.mask & me) || !(other.arrived & mask)) continue;
    fail("HW-SIM-MASK", thread_text() + ", while lanes " + hex(other.arrived) + " wait for it with mask " + hex(other.mask),
         "the same mask on all lanes that wait",
         "take the mask from a ballot of the whole warp, or from a value that is the same on all lanes", thread.where);
  }
}

/// Returns the warp's meeting under this mask. A new mask replaces one under which no lane waits.
Meeting& Scheduler::find_meeting(Warp& warp, u64 mask) {
  Meeting* idle = nullptr;
  for (u32 i = 0; i < warp.used; ++i) {
    Meeting& meeting = warp.meetings[i];
    if (meeting.mask == mask) return meeting;
    if (!meeting.arrived) idle = &meeting;
  }
  if (warp.used < Warp::max_meetings)
    idle = &warp.meetings[warp.used++];
  else if (!idle)
    fail("HW-SIM-WARP", "lanes of one warp wait under more than " + std::to_string(Warp::max_meetings) + " masks at once",
         "fewer", "the simulator has no more", running_->where);
  idle->mask = mask;
  return *idle;
}

void Scheduler::release_warp(Block& block, u32 warp, Meeting& meeting) {
  Thread* const first = &block.threads[warp * lanes];
  const Thread& one = *running_;
  u64 ballot = 0, sum = 0;
  bool started = false;
  for (u32 lane = 0; lane < lanes; ++lane) {
    if (!(meeting.mask >> lane & 1)) continue;
    const Thread& t = first[lane];
    if (t.call.word != one.call.word)
      fail("HW-SIM-DIVERGENT",
           "block " + std::to_string(block.index) + ": thread " + std::to_string(t.view.thread) + " is in " +
               name_of(t.call.word) + " (" + place(t.where) + "), thread " + std::to_string(one.view.thread) + " in " +
               name_of(one.call.word) + " (" + place(one.where) + ")",
           "all lanes of a mask in the same call", "", one.where);
    if (is_vote(t.call.word) && t.call.value) ballot |= u64{1} << lane;
    if (one.call.combine) sum = started ? one.call.combine(sum, t.call.value) : t.call.value;
    started = true;
  }
  for (u32 lane = 0; lane < lanes; ++lane) {
    if (!(meeting.mask >> lane & 1)) continue;
    Thread& t = first[lane];
    switch (t.call.word) {
      case WarpWord::sync:
        break;
      case WarpWord::ballot:
        t.result = ballot;
        break;
      case WarpWord::any:
        t.result = ballot != 0;
        break;
      case WarpWord::all:
        t.result = ballot == meeting.mask;
        break;
      case WarpWord::reduce:
        t.result = sum;
        break;
      case WarpWord::shuffle:
        t.result = shuffled(t, first, meeting.mask);
        break;
    }
    make_ready(t);
  }
  if (here.raced && one.call.word == WarpWord::sync) races_->meet_warp(number_of(*first), meeting.mask);
  const u32 in_warp = std::min(lanes, shape_.block - warp * lanes);
  if (static_cast<u32>(std::popcount(meeting.mask | block.warps[warp].exited)) == in_warp) counted_meeting(*first, in_warp);
  meeting.arrived = 0;
  ++meeting.phase;
  progress();
}

u64 Scheduler::shuffled(const Thread& thread, const Thread* first, u64 mask) {
  const u32 from = thread.call.from;
  if (mask >> from & 1) return first[from].call.value;
  if (thread.call.strict)
    fail("HW-SIM-SHUFFLE",
         "block " + std::to_string(thread.view.block) + ", thread " + std::to_string(thread.view.thread) +
             " reads the value of lane " + std::to_string(from) + ", which does not take part (mask " + hex(mask) + ")",
         "a lane of the mask", "", thread.where);
  u64 rubbish = rubbish_;
  memcheck::forget(&rubbish, sizeof(rubbish));
  return rubbish;
}

u64 meet_warp(const WarpCall& call, const SourceLocation& where) { return current_scheduler()->meet_warp(call, where); }
u32 meet_block(bool predicate, const SourceLocation& where) { return current_scheduler()->meet_block(predicate, where); }
void meet_part(u32 threads, const SourceLocation& where) { current_scheduler()->meet_part(threads, where); }
void arrive_cluster(const SourceLocation& where) { current_scheduler()->arrive_cluster(where); }
void wait_cluster(const SourceLocation& where) { current_scheduler()->wait_cluster(where); }
void meet_grid(const SourceLocation& where) { current_scheduler()->meet_grid(where); }

}  // namespace hopwave::sim
