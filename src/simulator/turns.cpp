// Which thread runs next, and for how long: drawn uniformly, or as an adversary would choose (device::Schedule::kind).
#include <algorithm>
#include <functional>
#include <utility>

#include "simulator/scheduler.h"

namespace hopwave::sim {

namespace {
constexpr u32 pct_changes = 3;
constexpr u32 lowest_drawn = 1u << 31;  // priorities below it are those of threads that reached a change point

bool less_urgent(const Thread* a, const Thread* b) { return a->priority < b->priority; }
}  // namespace

u32 Scheduler::random(u32 below) {
  rng_ ^= rng_ << 13;
  rng_ ^= rng_ >> 7;
  rng_ ^= rng_ << 17;
  return static_cast<u32>(((rng_ >> 32) * below) >> 32);
}

/// Draws what the schedule of a launch delays.
void Scheduler::draw_adversary() {
  words_run_ = 0;
  priority_ = lowest_drawn;
  held_ = nullptr;
  slow_block_ = slow_warp_ = 0;
  points_.clear();
  switch (schedule.kind) {
    case ScheduleKind::weak:
    case ScheduleKind::load_buffering:
    case ScheduleKind::uniform:
      return;
    case ScheduleKind::slow_warp:
      slow_warp_ = random((shape_.block + lanes - 1) / lanes);
      [[fallthrough]];
    case ScheduleKind::slow_block:
      slow_block_ = random(shape_.grid);
      return;
    case ScheduleKind::held_thread:
      return draw_points(1);
    case ScheduleKind::pct:
      return draw_points(pct_changes);
  }
}

/// Words of the launch, counted over all threads. Their total is unknown, so each order of magnitude is equally likely.
void Scheduler::draw_points(u32 count) {
  constexpr u32 magnitudes = 17;
  for (u32 i = 0; i < count; ++i) {
    const u32 half = 1u << random(magnitudes);
    points_.push_back(half + random(half));
  }
  std::ranges::sort(points_, std::greater<>());
}

/// Returns whether the schedule lets this thread run only when no other can.
bool Scheduler::is_slow(const Thread& thread) const {
  if (&thread == early_thread_ && holds_early_) return true;
  switch (schedule.kind) {
    case ScheduleKind::slow_block:
      return thread.view.block == slow_block_;
    case ScheduleKind::slow_warp:
      return thread.view.block == slow_block_ && thread.view.warp == slow_warp_;
    case ScheduleKind::held_thread:
      return &thread == held_;
    default:
      return false;
  }
}

/// From now on, the threads of an admitted block may be drawn.
void Scheduler::open(Block& block) {
  if (schedule.kind == ScheduleKind::pct) {
    block.fresh = 0;
    for (u32 t = 0; t < shape_.block; ++t) {
      block.threads[t].priority = lowest_drawn + random(lowest_drawn);
      add_ready(block.threads[t]);
    }
    return;
  }
  fresh_ += shape_.block;
  block.open_at = static_cast<u32>(open_.size());
  open_.push_back(&block);
}

Thread* Scheduler::take_fresh() {
  Block& block = *open_[open_.size() == 1 ? 0 : random(static_cast<u32>(open_.size()))];
  const u32 at = shape_.block - block.fresh;
  Thread& thread = block.threads[(block.first + u64{at} * block.step) % shape_.block];
  --fresh_;
  if (--block.fresh == 0) {
    open_[block.open_at] = open_.back();
    open_[block.open_at]->open_at = block.open_at;
    open_.pop_back();
  }
  return &thread;
}

/// Returns the next thread to run; null when the launch is over. Threads in pause() rarely get a turn while others can
/// run.
Thread* Scheduler::choose() {
  constexpr u32 paused_share = 8;
  for (;;) {
    const u32 ready = static_cast<u32>(ready_.size());
    if (ready == 0 && fresh_ == 0) return choose_waiting();
    if (schedule.kind == ScheduleKind::pct) return take_most_urgent();
    if (!paused_.empty() && random(paused_share) == 0) return draw_from(paused_);
    if (random(ready + static_cast<u32>(fresh_)) < ready) return draw_from(ready_);
    Thread* const thread = take_fresh();
    if (!is_slow(*thread)) return thread;
    slow_.push_back(thread);
  }
}

/// Only threads that wait in loops and delayed threads can run. The waiting ones check twice, on average, before a
/// delayed one continues: another waiting thread may have produced what they wait for.
Thread* Scheduler::choose_waiting() {
  constexpr u32 looks = 2;
  if (slow_.empty() && paused_.empty()) {
    if (threads_live_) deadlock();
    return nullptr;
  }
  if (slow_.empty() || (!paused_.empty() && random(looks * static_cast<u32>(paused_.size()) + 1) != 0))
    return draw_from(paused_);
  held_ = nullptr;  // a thread is held only once
  return draw_from(slow_);
}

Thread* Scheduler::take_most_urgent() {
  std::ranges::pop_heap(ready_, less_urgent);
  Thread* const thread = ready_.back();
  ready_.pop_back();
  return thread;
}

Thread* Scheduler::draw_from(std::vector<Thread*>& list) {
  Thread*& place = list[random(static_cast<u32>(list.size()))];
  Thread* const thread = std::exchange(place, list.back());
  list.pop_back();
  return thread;
}

void Scheduler::make_ready(Thread& thread) {
  thread.wait = Wait::ready;
  add_ready(thread);
}

void Scheduler::add_ready(Thread& thread) {
  if (is_slow(thread)) return slow_.push_back(&thread);
  ready_.push_back(&thread);
  if (schedule.kind == ScheduleKind::pct) std::ranges::push_heap(ready_, less_urgent);
}

/// Draws after how many memory words the running thread is interrupted.
void Scheduler::draw_interrupt() {
  // Even a schedule without interruptions has a few: a loop that waits without pausing must not hang forever.
  constexpr u32 seldom = 1 << 20;
  const u32 every = schedule.kind == ScheduleKind::pct ? 0 : schedule.interrupt_every;
  drawn_ = every ? random(2 * every) : seldom;
  if (!points_.empty()) drawn_ = static_cast<u32>(std::min<u64>(drawn_, points_.back() - std::min(points_.back(), words_run_)));
  if (early_ == Early::due && early_store_.load_at > words_run_)
    drawn_ = static_cast<u32>(std::min<u64>(drawn_, early_store_.load_at - words_run_ - 1));
  here.left = static_cast<std::int32_t>(drawn_);
}

/// The running thread has reached a word that draw_points() drew, or was interrupted.
void Scheduler::meet_points() {
  words_run_ += drawn_ + 1;
  bool met = false;
  for (; !points_.empty() && points_.back() < words_run_; points_.pop_back()) met = true;
  if (schedule.kind == ScheduleKind::pct) running_->priority = --priority_;
  if (schedule.kind == ScheduleKind::held_thread && met) held_ = running_;
}

void Scheduler::interrupt() {
  constexpr u64 words_for_a_pause = 5000;
  part_accesses();
  words_ += drawn_ + 1;
  meet_points();
  if (early_ == Early::due && early_store_.load_at == words_run_) store_early();
  draw_interrupt();
  if (words_ > patience() * words_for_a_pause) livelock();
  // A thread that has not paused since its last turn is working, and the others wait for good reason.
  if (!std::exchange(running_->paused_lately, false)) pauses_ = 0;
  make_ready(*running_);
  park();
  interrupted_ = true;
  if (early_ == Early::held && early_thread_ == running_) pass_to_store();
}

void Scheduler::pause(const SourceLocation& where) {
  Thread& thread = *running_;
  if (++pauses_ > patience()) {
    thread.where = where;
    livelock();
  }
  thread.paused_lately = true;
  thread.where = where;
  thread.wait = Wait::paused;
  (is_slow(thread) ? slow_ : paused_).push_back(&thread);
  park();
}

void interrupt() { current_scheduler()->interrupt(); }
void pause(const SourceLocation& where) { current_scheduler()->pause(where); }

}  // namespace hopwave::sim
