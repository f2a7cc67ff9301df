// Ticks, and the alarms that wait for them. Looks take no lock: for ThreadSanitizer, a lock would order accesses of
// threads that nothing else orders.
#include "core/clock.h"

namespace hopwave::core {
namespace {

constexpr Clock::duration look_time = std::chrono::milliseconds(1), reading_time = std::chrono::nanoseconds(1);
std::atomic<Clock::rep> ticking{0};  ///< the time, in ticks
std::atomic<std::uint64_t> looks_taken{0};

Clock::time_point let_pass(Clock::duration time) {
  return Clock::time_point(Clock::duration(ticking.fetch_add(time.count(), std::memory_order_relaxed)) + time);
}

}  // namespace

/// Entries are reused but never freed, since another thread may be walking through them. A word is read only while its
/// Alarm lives, so the entry that a look finds does not change in the meantime.
struct Alarm::Entry {
  std::atomic<std::uint32_t*> word;  ///< null: a free entry
  std::atomic<Clock::rep> at;
  Entry* next;
};

namespace {

std::atomic<Alarm::Entry*> entries{nullptr};

bool take(Alarm::Entry& entry, std::uint32_t* word) {
  std::uint32_t* none = nullptr;
  return entry.word.compare_exchange_strong(none, word, std::memory_order_relaxed);
}

}  // namespace

void use_ticks(bool on) noexcept {
  ticking.store(Clock::real().time_since_epoch().count(), std::memory_order_relaxed);
  looks_taken.store(0, std::memory_order_relaxed);
  clock_detail::ticks.store(on, std::memory_order_relaxed);
}

std::uint64_t looks() noexcept { return looks_taken.load(std::memory_order_relaxed); }

namespace clock_detail {

Clock::time_point now_in_ticks() noexcept { return let_pass(reading_time); }

Clock::time_point look_in_ticks() noexcept {
  looks_taken.fetch_add(1, std::memory_order_relaxed);
  return let_pass(look_time);
}

void look_at_in_ticks(const std::uint32_t* word) noexcept {
  for (const Alarm::Entry* e = entries.load(std::memory_order_acquire); e; e = e->next) {
    std::uint32_t* const set = e->word.load(std::memory_order_relaxed);
    if (set != word) continue;
    if (look_in_ticks().time_since_epoch().count() >= e->at.load(std::memory_order_relaxed))
      std::atomic_ref(*set).store(1, std::memory_order_relaxed);
    return;
  }
}

}  // namespace clock_detail

Alarm::Alarm(std::uint32_t* word, Clock::time_point at) {
  for (entry_ = entries.load(std::memory_order_acquire); entry_ && !take(*entry_, word);) entry_ = entry_->next;
  if (!entry_) {
    entry_ = new Entry{.word = word, .at = 0, .next = entries.load(std::memory_order_relaxed)};
    while (!entries.compare_exchange_weak(entry_->next, entry_, std::memory_order_release, std::memory_order_relaxed)) {
    }
  }
  entry_->at.store(at.time_since_epoch().count(), std::memory_order_relaxed);
}

Alarm::~Alarm() { entry_->word.store(nullptr, std::memory_order_relaxed); }

}  // namespace hopwave::core
