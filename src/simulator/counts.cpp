// A thread's counts are added up while it runs, and combined warp by warp when its block has ended.
#include "simulator/counts.h"

#include <algorithm>
#include <tuple>

#include "simulator/scheduler.h"

namespace hopwave::sim {

void Arrays::add(const void* p, std::size_t bytes, MemoryKind kind) {
  ranges_[reinterpret_cast<std::uintptr_t>(p)] = {bytes, kind};
}
void Arrays::remove(const void* p) { ranges_.erase(reinterpret_cast<std::uintptr_t>(p)); }
MemoryKind Arrays::kind_of(const void* p) const {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  auto at = ranges_.upper_bound(address);
  if (at == ranges_.begin()) return MemoryKind::other;
  --at;
  return address - at->first < at->second.bytes ? at->second.kind : MemoryKind::other;
}

void Counter::begin(LaunchCounts& into, std::size_t resident_threads) {
  into_ = &into;
  into.counted = true;
  threads_.assign(resident_threads, {});
  by_neighbors_ = by_writes_ = {};
  meetings_.clear();
  requests_.begin(resident_threads);
}

void Counter::access(std::size_t number, const void* p, u32 bytes, bool changed, const void* array, Requests::Place place) {
  LaunchCounts& c = *into_;
  const auto [access, shared, kind] = std::tuple(place.access, place.shared, place.kind);
  place.array = reinterpret_cast<std::uintptr_t>(array);
  requests_.access(number, place, reinterpret_cast<std::uintptr_t>(p) - place.array, bytes);
  if (access == Access::atomic) {
    const std::uint64_t met = ++meetings_[reinterpret_cast<std::uintptr_t>(p)];
    std::uint64_t& most = shared ? c.most_shared : c.most_global;
    most = std::max(most, met);
    ++(shared ? c.shared_atomics : c.global_atomics);
  }
  if (shared) return;
  Thread& thread = threads_[number];
  const auto k = static_cast<std::size_t>(kind);
  const std::uint64_t words = (bytes + 3) / 4;
  if (access != Access::write) {
    c.read[k] += bytes;
    if (kind == MemoryKind::neighbors) thread.neighbors += words;
  }
  if (access != Access::read) {
    c.written[k] += bytes;
    if (kind != MemoryKind::other) thread.writes += words;
  }
  if (kind != MemoryKind::levels || !changed) return;
  ++c.labelled;
  if (thread.labels++ == 0) ++c.labelling;
}

void Counter::add_warp(Work& work, const Thread* first, u32 size, std::uint64_t Thread::*amount) {
  std::uint64_t sum = 0, longest = 0;
  u32 active = 0;
  bool same = true;
  for (const Thread* t = first; t < first + size; ++t) {
    sum += t->*amount;
    longest = std::max(longest, t->*amount);
    active += t->*amount != 0;
    same &= t->*amount == first->*amount;
  }
  if (active == 0) return;
  work.least = work.warps ? std::min(work.least, active) : active;
  work.threads += active;
  ++work.warps;
  work.divergent += !same;
  work.sum += sum;
  work.longest = std::max(work.longest, longest);
  work.lane_steps += lanes * longest;
}

void Counter::end_block(std::size_t first, u32 size) {
  requests_.meet(first, size);
  for (u32 at = 0; at < size; at += lanes) {
    const u32 count = std::min(lanes, size - at);
    add_warp(by_neighbors_, &threads_[first + at], count, &Thread::neighbors);
    add_warp(by_writes_, &threads_[first + at], count, &Thread::writes);
  }
  std::fill_n(threads_.begin() + static_cast<std::ptrdiff_t>(first), size, Thread{});
}

void Counter::forget_shared(const void* p, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(p);
  meetings_.erase(meetings_.lower_bound(begin), meetings_.lower_bound(begin + bytes));
}

void Counter::finish(std::size_t static_shared) {
  const Work& work = by_neighbors_.threads ? by_neighbors_ : by_writes_;
  LaunchCounts& c = *into_;
  c.static_shared = static_shared;
  c.working = work.threads;
  c.working_warps = work.warps;
  c.least_lanes = work.least;
  c.divergent_warps = work.divergent;
  c.work = work.sum;
  c.longest = work.longest;
  c.lane_steps = work.lane_steps;
  requests_.finish(c);
}

void Scheduler::counted(const void* p, u32 bytes, Access access, bool changed, const SourceLocation& at) {
  const AsHost as_host(*this);
  const bool shared = in_shared(p);
  counter_->access(number_of(*running_), p, bytes, changed, shared ? nullptr : allocations.start_of(p),
                   {.file = at.file_name(),
                    .line = at.line(),
                    .access = access,
                    .shared = shared,
                    .kind = shared ? MemoryKind::other : arrays.kind_of(p)});
}

/// From here on the lanes of these threads' warps are in step.
void Scheduler::counted_meeting(const Thread& first, u32 threads) {
  if (!here.counted) return;
  const AsHost as_host(*this);
  counter_->meet(number_of(first), threads);
}

void counted(const void* p, u32 bytes, Access access, bool changed, const SourceLocation& at) {
  current_scheduler()->counted(p, bytes, access, changed, at);
}

/// A vertex is labelled by a level other than "unreached", which is all ones.
void counted_write(const void* p, u32 bytes, const void* value, const SourceLocation& at) {
  const auto* now = static_cast<const unsigned char*>(value);
  const auto* old = static_cast<const unsigned char*>(p);
  bool changed = false, labels = false;
  for (u32 i = 0; i < bytes; ++i) {
    changed |= now[i] != old[i];
    labels |= now[i] != 0xFF;
  }
  current_scheduler()->counted(p, bytes, Access::write, changed && labels, at);
}

#ifdef HW_THREAD_SANITIZER
bool is_counted() { return here.counted; }
#endif

}  // namespace hopwave::sim
