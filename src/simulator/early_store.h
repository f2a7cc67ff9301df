// Load buffering: other threads see a store before its thread has made an earlier load of the program. A launch runs
// twice. The first run shows which stores a thread makes after a load without another thread in between. The second run
// is the same up to one such load and makes the store there. The other threads run, and only then the load is made.
// From there on, the thread must reach that same store, and must do nothing before it that a store may not pass.
// Otherwise the run is discarded.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/words.h"

namespace hopwave::sim {

enum class AccessKind : unsigned char { load, acquire, store, release, atomic, release_atomic };

/// A store that may be made before an earlier load of its thread.
struct EarlyStore {
  u64 load_at = 0;  ///< words of the launch up to and including the load
  u64 thread = 0;   ///< number of the thread in the grid
  const void* load = nullptr;
  void* to = nullptr;
  u32 bytes = 0;
  u64 value = 0;
  [[nodiscard]] bool overlaps(const void* p, u32 size) const {
    const auto a = reinterpret_cast<std::uintptr_t>(p), b = reinterpret_cast<std::uintptr_t>(to);
    return a < b + bytes && b < a + size;
  }
};

/// Thrown where a run with an early store must be discarded.
struct VoidRun {};

/// The first accesses of a launch, in the order in which they were made.
class AccessLog {
 public:
  void begin();
  /// Later accesses may not pass those noted so far.
  void part() { ++stretch_; }
  /// `at`: words of the launch so far; 0: unknown, and no store will pass this access.
  void note(AccessKind kind, u64 at, u64 thread, const void* p, u32 bytes, u64 old, u64 value);
  /// Returns the stores that other threads can observe to come early: they read the word later, and write the word that
  /// was loaded before it.
  [[nodiscard]] std::vector<EarlyStore> early_stores() const;

 private:
  static constexpr std::size_t most = 1 << 16;
  struct Entry {
    AccessKind kind;
    bool changes;
    u32 bytes, stretch;
    u64 at, thread, value;
    const void* p;
  };
  [[nodiscard]] std::vector<bool> noticed() const;

  std::vector<Entry> entries_;  ///< does not allocate while fibers run
  u32 stretch_ = 0;
};

/// The state of a run with an early store.
enum class Early : unsigned char {
  none,       ///< an ordinary run
  recording,  ///< the first run
  due,        ///< its thread has not reached the load
  held,       ///< the store is made, the load is not
  passing,    ///< the load is made; no other thread runs before the store
  kept        ///< the thread has reached its store
};

}  // namespace hopwave::sim
