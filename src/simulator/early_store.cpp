// Load buffering: the stores that may come early, and the runs of a launch with one of them.
#include "simulator/early_store.h"

#include <atomic>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/mix.h"
#include "simulator/memcheck.h"
#include "simulator/scheduler.h"

namespace hopwave::sim {

// ---- what the first run shows ------------------------------------------------------------------------------------------

void AccessLog::begin() {
  entries_.clear();
  entries_.reserve(most);
  stretch_ = 0;
}

void AccessLog::note(AccessKind kind, u64 at, u64 thread, const void* p, u32 bytes, u64 old, u64 value) {
  if (entries_.size() == most) return;
  const bool orders = kind == AccessKind::release || kind == AccessKind::release_atomic;
  if (orders) part();
  entries_.push_back({.kind = kind,
                      .changes = old != value,
                      .bytes = bytes,
                      .stretch = stretch_,
                      .at = at,
                      .thread = thread,
                      .value = value,
                      .p = p});
  if (orders || kind == AccessKind::acquire) part();
}

namespace {
bool reads(AccessKind kind) { return kind != AccessKind::store && kind != AccessKind::release; }
bool writes(AccessKind kind) { return kind != AccessKind::load && kind != AccessKind::acquire; }

/// Up to two threads: enough to know whether there is a thread other than a given one.
struct Threads {
  static constexpr u64 no_thread = ~u64{0};
  u64 one = no_thread, other = no_thread;
  void add(u64 thread) {
    if (one == no_thread)
      one = thread;
    else if (one != thread)
      other = thread;
  }
  [[nodiscard]] bool has_other_than(u64 thread) const { return (one != no_thread && one != thread) || other != no_thread; }
};
}  // namespace

/// Returns the loads whose word other threads write later, and the stores whose word other threads read later.
std::vector<bool> AccessLog::noticed() const {
  struct Later {
    Threads readers, writers;
  };
  std::unordered_map<const void*, Later> words;
  std::vector<bool> result(entries_.size());
  for (std::size_t i = entries_.size(); i-- > 0;) {
    const Entry& e = entries_[i];
    Later& later = words[e.p];
    result[i] = (e.kind == AccessKind::store ? later.readers : later.writers).has_other_than(e.thread);
    if (reads(e.kind)) later.readers.add(e.thread);
    if (writes(e.kind)) later.writers.add(e.thread);
  }
  return result;
}

std::vector<EarlyStore> AccessLog::early_stores() const {
  constexpr std::size_t farthest = 32;
  const std::vector<bool> seen = noticed();
  std::vector<EarlyStore> result;
  const auto granule = [](const Entry& e) { return reinterpret_cast<std::uintptr_t>(e.p) >> 3; };
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& store = entries_[i];
    if (store.kind != AccessKind::store || !store.changes || !seen[i]) continue;
    const Entry* load = nullptr;
    for (std::size_t j = i; j-- > 0 && i - j <= farthest;) {
      const Entry& e = entries_[j];
      if (e.stretch != store.stretch || granule(e) == granule(store)) break;
      if ((e.kind == AccessKind::load || e.kind == AccessKind::atomic) && e.at && seen[j]) load = &e;
    }
    if (load) result.push_back({load->at, store.thread, load->p, const_cast<void*>(store.p), store.bytes, store.value});
  }
  return result;
}

// ---- the runs ----------------------------------------------------------------------------------------------------------

void Scheduler::launch_with_early_store() {
  constexpr u32 tries = 3;
  const u64 start = rng_;
  const std::optional<LaunchCounts> counts = count_into ? std::optional(*count_into) : std::nullopt;
  const auto go_back = [&](Early next) {
    allocations.put_back();
    if (counts) *count_into = *counts;
    rng_ = start;
    early_ = next;
  };
  allocations.save();
  log_.begin();
  early_ = Early::recording;
  run();
  const std::vector<EarlyStore> stores = allocations.complete() ? log_.early_stores() : std::vector<EarlyStore>();
  if (stores.empty()) return;
  u64 draws = core::mix(start);
  for (u32 t = 0; t < tries; ++t) {
    go_back(Early::due);
    draws = core::mix(draws);
    early_store_ = stores[(draws >> 32) * stores.size() >> 32];
    holds_early_ = draws % 4 != 0;
    if (run_counts()) return;
  }
  go_back(Early::none);
  run();
}

/// A failure before the early store is confirmed does not count: it may follow from a store that the thread does not
/// make.
bool Scheduler::run_counts() {
  try {
    run();
  } catch (...) {
    if (early_ == Early::kept) throw;
    return false;
  }
  return true;
}

namespace {
/// Compares plain numbers: valgrind's knowledge of each bit is copied with them.
template <class T>
u64 read_as(void* p) {
  return std::atomic_ref<T>(*static_cast<T*>(p)).load(std::memory_order_relaxed);
}
template <class T>
void write_as(void* p, u64 bits) {
  std::atomic_ref<T>(*static_cast<T*>(p)).store(static_cast<T>(bits), std::memory_order_relaxed);
}
u64 read_bits(void* p, u32 bytes) {
  return bytes == 1   ? read_as<std::uint8_t>(p)
         : bytes == 2 ? read_as<std::uint16_t>(p)
         : bytes == 4 ? read_as<u32>(p)
                      : read_as<u64>(p);
}
void write_bits(void* p, u32 bytes, u64 bits) {
  if (bytes == 1) return write_as<std::uint8_t>(p, bits);
  if (bytes == 2) return write_as<std::uint16_t>(p, bits);
  if (bytes == 4) return write_as<u32>(p, bits);
  write_as<u64>(p, bits);
}
constexpr std::int32_t longest_way = 4096;  // words between the load and the store
}  // namespace

/// The running thread has reached the load, and makes its later store. The held thread then runs only when no other
/// can.
void Scheduler::store_early() {
  const AsHost as_host(*this);
  early_old_ = read_bits(early_store_.to, early_store_.bytes);
  allocations.about_to_write(early_store_.to, early_store_.bytes, early_old_);
  const u64 now = weak_->store(number_of(*running_), early_store_.to, early_store_.bytes, memcheck::trusted(early_old_),
                               early_store_.value, false);
  if (now != early_store_.value) throw VoidRun();  // it stored before another value
  write_bits(early_store_.to, early_store_.bytes, now);
  early_ = Early::held;
  early_thread_ = running_;
}

/// Makes the load and everything up to the store, without another thread in between. The thread must not see its own
/// store earlier.
void Scheduler::pass_to_store() {
  holds_early_ = false;
  if (memcheck::trusted(read_bits(early_store_.to, early_store_.bytes)) != early_store_.value) throw VoidRun();
  write_bits(early_store_.to, early_store_.bytes, early_old_);
  early_ = Early::passing;
  words_run_ += static_cast<u64>(drawn_ - here.left);
  drawn_ = longest_way;
  here.left = longest_way;
}

/// Called at an operation that orders accesses, or that lets other threads run.
void Scheduler::part_accesses() {
  if (!schedule.load_buffering) return;
  if (early_ == Early::passing) throw VoidRun();
  log_.part();
}

/// Called at an access. Returns true if it is the early store, which other threads have seen already.
bool Scheduler::note_access(AccessKind kind, const void* p, u32 bytes, u64 old, u64 value) {
  const bool after_turn = std::exchange(interrupted_, false);
  if (writes(kind) && early_ != Early::none && !in_shared(p)) allocations.about_to_write(p, bytes, old);
  switch (early_) {
    case Early::recording: {
      const u64 at = after_turn ? 0 : words_run_ + static_cast<u64>(drawn_ - here.left);
      const ThreadView& view = running_->view;
      log_.note(kind, at, u64{view.block} * view.block_size + view.thread, p, bytes, old, value);
      return false;
    }
    case Early::held:
      if (writes(kind) && early_store_.overlaps(p, bytes)) throw VoidRun();
      return false;
    case Early::passing:
      break;
    default:
      return false;
  }
  const bool there = kind == AccessKind::store && p == early_store_.to && bytes == early_store_.bytes;
  if (there && value == early_store_.value) {
    early_ = Early::kept;
    early_thread_ = nullptr;
    words_run_ += static_cast<u64>(drawn_ - here.left);
    draw_interrupt();
    return true;
  }
  const bool passes = kind == AccessKind::load || kind == AccessKind::store || kind == AccessKind::atomic;
  if (!passes || early_store_.overlaps(p, bytes)) throw VoidRun();
  return false;
}

}  // namespace hopwave::sim
