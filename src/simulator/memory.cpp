// Checks of single accesses, and the recent values of words: stale values for peek(), writes to memory that is read as
// read-only.
#include "simulator/memory.h"

#include <string>

#include "simulator/memcheck.h"
#include "simulator/report.h"
#include "simulator/scheduler.h"

namespace hopwave::sim {

namespace {
std::string at_address(const void* p) { return "address " + hex(reinterpret_cast<std::uintptr_t>(p)); }
}  // namespace

void Scheduler::prepare_memory() {
  if (!memory_) memory_ = std::make_unique<Memory>();
  constexpr u64 numbers = 1 << 16;
  if (++memory_launch_ % numbers == 0) *memory_ = {};  // the numbers start again
  here.memory = memory_.get();
  here.launch = memory_launch_ % numbers << 48;
  here.shared = reinterpret_cast<std::uintptr_t>(arena_);
  here.shared_bytes = arena_bytes_;
  here.weak = schedule.weak;
  here.counted = count_into != nullptr;
  if (count_into) {
    if (!counter_) counter_ = std::make_unique<Counter>();
    counter_->begin(*count_into, threads_.size());
  }
  Races* const races = tsan::active || schedule.load_buffering ? nullptr : RaceWatch::current();
  here.raced = races != nullptr;
  if (races) {
    if (!races_) races_ = std::make_unique<RaceFinder>();
    races_->begin(*races, shape_, slots_);
  }
  if (!schedule.weak) return;
  if (!weak_) weak_ = std::make_unique<Weak>();
  weak_->begin(coins_, threads_.size());
}

void Scheduler::raced(const void* p, u32 bytes, Touch touch, u64 old, u64 now, const SourceLocation& at) {
  races_->access(number_of(*running_), running_->view, p, bytes, touch, memcheck::trusted(old), memcheck::trusted(now),
                 in_shared(p), at);
}
void Scheduler::ordered_by_peer() { races_->take_all(number_of(*running_)); }

u64 Scheduler::loaded_weakly(const void* p, u32 bytes, u64 now, bool acquires) {
  const AsHost as_host(*this);
  if (schedule.load_buffering) note_access(acquires ? AccessKind::acquire : AccessKind::load, p, bytes, now, now);
  const u64 seen = weak_->load(number_of(*running_), p, bytes, memcheck::trusted(now), acquires);
  return seen == memcheck::trusted(now) ? now : seen;
}
u64 Scheduler::stored_weakly(const void* p, u32 bytes, u64 old, u64 value, bool releases) {
  const AsHost as_host(*this);
  const u64 known = memcheck::trusted(value);
  if (schedule.load_buffering &&
      note_access(releases ? AccessKind::release : AccessKind::store, p, bytes, memcheck::trusted(old), known))
    return value;
  return weak_->store(number_of(*running_), p, bytes, memcheck::trusted(old), known, releases) == known ? value : old;
}
void Scheduler::modified_weakly(const void* p, u32 bytes, u64 old, u64 now, bool releases) {
  const AsHost as_host(*this);
  if (schedule.load_buffering)
    note_access(releases ? AccessKind::release_atomic : AccessKind::atomic, p, bytes, memcheck::trusted(old),
                memcheck::trusted(now));
  weak_->modify(number_of(*running_), p, bytes, memcheck::trusted(old), memcheck::trusted(now), releases);
}
/// Memory was written, but not by a store or an atomic of the kernel's vocabulary.
void Scheduler::forget_weakly(const void* p, std::size_t bytes) {
  if (schedule.weak) weak_->forget(p, bytes);
}

// Other blocks reuse the tokens: the cluster distinguishes them.
void Scheduler::arrive_at(char& token, u32 group) {
  part_accesses();
  tsan::release(&token);
  if (!schedule.weak) return;
  const AsHost as_host(*this);
  weak_->arrive(number_of(*running_), key_of_token(&token, group));
}
void Scheduler::leave(char& token, u32 group) {
  part_accesses();
  tsan::acquire(&token);
  if (!schedule.weak) return;
  const AsHost as_host(*this);
  weak_->leave(number_of(*running_), key_of_token(&token, group));
}

namespace {
bool toss(u64& coins) {
  coins ^= coins << 13;
  coins ^= coins >> 7;
  coins ^= coins << 17;
  return coins >> 63;
}
}  // namespace

/// Drawn independently of the schedule, which must not depend on what is late or remembered.
bool Scheduler::coin() { return toss(coins_); }
/// Drawn independently of everything else: the tables' content depends on memory addresses, and nothing else may.
bool Scheduler::coin_for_table() { return toss(table_coins_); }

void Scheduler::misaligned(const void* p, u32 bytes, const SourceLocation& where) {
  fail("HW-SIM-ALIGN", thread_text() + ": " + std::to_string(bytes) + " bytes at " + at_address(p),
       "an address that is a multiple of " + std::to_string(bytes), "a GPU stops with \"misaligned address\"", where);
}

void Scheduler::wrong_space(const void* p, bool wants_shared, const SourceLocation& where) {
  fail("HW-SIM-SPACE",
       thread_text() + ": " + at_address(p) + (wants_shared ? " is not in shared memory" : " is in shared memory"),
       wants_shared ? "shared memory" : "global memory", "the instruction of this access works on that kind of memory only",
       where);
}

void Scheduler::written_too(const void* p, const SourceLocation& where) {
  fail("HW-SIM-READ-ONLY", thread_text() + ": " + at_address(p) + " is read as read-only and written in one launch",
       "memory that no thread writes during the launch",
       "a cache that is never updated may hold it: read it with load() or peek()", where);
}

void Scheduler::wrote(const void* p, u32 bytes, u64 old, u64 now, const SourceLocation& where) {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  const u64 key = key_of(address);
  if (bytes > sizeof(u64)) forget_weakly(p, bytes);
  for (std::uintptr_t at = address; at < address + bytes; at += 4) {
    const u32 slot = word_slot(at);
    if (memory_->read[slot] == key_of(at)) written_too(p, where);
    memory_->written[slot] = key_of(at);
  }
  Past& past = memory_->past[past_slot(address)];
  const u64 mark = running_->view.mark;
  if (past.key == key) past.later |= mark;
  if (memcheck::trusted(old) == memcheck::trusted(now)) return;
  // A value from before the last change is as good for a block that has seen nothing since.
  if (past.key == key && past.bytes == bytes && coin_for_table()) return;
  past = {.key = key, .old = old, .when = ++changes_, .later = mark, .bytes = bytes};
}

/// Stale at most as far back as what this thread's block has seen, and as what the thread is ordered after by acquires:
/// its own, or those of other threads before a barrier.
u64 Scheduler::peeked(const void* p, u32 bytes, u64 now, const SourceLocation& where) {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  const Thread& thread = *running_;
  Past& past = memory_->past[past_slot(address)];
  const std::uintptr_t changed = past.key & ((u64{1} << 48) - 1);
  const bool this_launch = (past.key ^ here.launch) >> 48 == 0 && past.bytes;
  if (!this_launch || past.when <= thread.acquired) return now;
  const bool same = changed == address && past.bytes == bytes;
  if (!same && changed < address + bytes && address < changed + past.bytes)
    fail("HW-SIM-PEEK",
         thread_text() + ": peek() of " + std::to_string(bytes) + " bytes at " + at_address(p) + " with a write of " +
             std::to_string(past.bytes) + " bytes at " + hex(changed),
         "a read of the same width as every racing write", "a race of different widths is outside every memory model", where);
  if (!same || past.later & thread.view.mark) return now;
  if (coin_for_table()) return past.old;
  past.later |= thread.view.mark;
  return now;
}

void Scheduler::acquired() { running_->acquired = changes_; }

// One order for all fences: a thread that fences later sees what this thread did before its fence.
void Scheduler::fence() {
  part_accesses();
  tsan::acquire(&fence_token_);
  tsan::release(&fence_token_);
  acquired();
  if (here.raced) races_->fence(number_of(*running_), running_->view);
  if (!schedule.weak) return;
  const AsHost as_host(*this);
  weak_->fence(number_of(*running_));
}

void misaligned(const void* p, u32 bytes, const SourceLocation& where) { current_scheduler()->misaligned(p, bytes, where); }
void wrong_space(const void* p, bool wants_shared, const SourceLocation& where) {
  current_scheduler()->wrong_space(p, wants_shared, where);
}
void written_too(const void* p, const SourceLocation& where) { current_scheduler()->written_too(p, where); }
void wrote(const void* p, u32 bytes, u64 old, u64 now, const SourceLocation& where) {
  current_scheduler()->wrote(p, bytes, old, now, where);
}
u64 peeked(const void* p, u32 bytes, u64 now, const SourceLocation& where) {
  return current_scheduler()->peeked(p, bytes, now, where);
}
void acquired() { current_scheduler()->acquired(); }
u64 loaded_weakly(const void* p, u32 bytes, u64 now, bool acquires) {
  return current_scheduler()->loaded_weakly(p, bytes, now, acquires);
}
u64 stored_weakly(const void* p, u32 bytes, u64 old, u64 value, bool releases) {
  return current_scheduler()->stored_weakly(p, bytes, old, value, releases);
}
void modified_weakly(const void* p, u32 bytes, u64 old, u64 now, bool releases) {
  current_scheduler()->modified_weakly(p, bytes, old, now, releases);
}

void raced(const void* p, u32 bytes, Touch touch, u64 old, u64 now, const SourceLocation& at) {
  current_scheduler()->raced(p, bytes, touch, old, now, at);
}
void ordered_by_peer() { current_scheduler()->ordered_by_peer(); }

#ifdef HW_THREAD_SANITIZER
void saw(const void* p) { detail::saw(p); }
bool is_weak() { return here.weak; }
void read_for_good(const void* p, u32 bytes, const SourceLocation& where) { detail::read_for_good(p, bytes, where); }
#endif

}  // namespace hopwave::sim
