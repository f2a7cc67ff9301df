// Load buffering: others see a store before its thread has made a load that comes first in the program. A launch runs twice.
// The first run shows which stores a thread makes after a load with nobody else in between. The second run, the same up to
// one such load, makes the store there; the others go on, and only then the load is made. From there the thread must come to
// that very store, and do nothing on the way that a store may not pass. Else the run counts for nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/words.h"

namespace hopwave::sim {

enum class AccessKind : unsigned char { load, acquire, store, release, atomic, release_atomic };

/// A store that may be made before a load of its thread.
struct EarlyStore {
  u64 load_at = 0;  ///< words of the launch up to the load, with it
  u64 thread = 0;   ///< number in the grid
  const void* load = nullptr;
  void* to = nullptr;
  u32 bytes = 0;
  u64 value = 0;
  [[nodiscard]] bool overlaps(const void* p, u32 size) const {
    const auto a = reinterpret_cast<std::uintptr_t>(p), b = reinterpret_cast<std::uintptr_t>(to);
    return a < b + bytes && b < a + size;
  }
};

/// Thrown where a run with an early store counts for nothing.
struct VoidRun {};

/// The first accesses of a launch, in the order in which they were made.
class AccessLog {
 public:
  void begin();
  /// What follows may not come before what was noted so far.
  void part() { ++stretch_; }
  /// `at`: words of the launch so far; 0: not known, and no store will pass this access.
  void note(AccessKind kind, u64 at, u64 thread, const void* p, u32 bytes, u64 old, u64 value);
  /// The stores of which others may see that they come early: they read the word later, and write what was loaded before it.
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

  std::vector<Entry> entries_;  ///< takes no more memory while fibers run
  u32 stretch_ = 0;
};

/// How far a run with an early store has come.
enum class Early : unsigned char {
  none,       ///< it is an ordinary run
  recording,  ///< the first run
  due,        ///< its thread has not come to the load
  held,       ///< the store is made, the load is not
  passing,    ///< the load is made; nobody else runs before the store is
  kept        ///< the thread has come to its store
};

}  // namespace hopwave::sim
