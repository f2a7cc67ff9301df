// Data races of simulated kernels, found in every build: two threads access one word, at least one writes, at least one
// access is plain, and nothing orders them. ThreadSanitizer sees more (docs/simulator.md), and needs its own build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/source_location.h"

namespace hopwave::sim {

/// One side of a race.
struct RacingAccess {
  SourceLocation at;
  std::uint32_t block = 0, thread = 0;
  bool writes = false, atomic = false;
};

/// All races between two places of the source. The threads are those of the first one that was seen.
struct Race {
  RacingAccess write, other;    ///< if both write: a plain one before an atomic, then the place that is later in the source
  bool shared = false;          ///< in shared memory
  std::uint64_t times = 0;      ///< accesses that raced with an earlier one
  std::uint64_t different = 0;  ///< of these, where the order decides a value: two values written, or a value read
};

/// What was found, in the order of the source.
class Races {
 public:
  [[nodiscard]] const std::vector<Race>& all() const { return all_; }
  void add(const RacingAccess& earlier, const RacingAccess& later, bool shared, bool different);

 private:
  std::vector<Race> all_;
  std::size_t last_ = 0;  ///< the one that was added to last
};

/// As long as it lives, launches of this CPU thread look for races and add them to `into`. Not with load buffering,
/// which runs launches that do not count, and not under ThreadSanitizer, which looks itself.
class RaceWatch {
 public:
  explicit RaceWatch(Races& into);
  ~RaceWatch();
  RaceWatch(const RaceWatch&) = delete;
  RaceWatch& operator=(const RaceWatch&) = delete;
  /// Null if this CPU thread does not watch.
  static Races* current();

 private:
  Races* outer_;
};

}  // namespace hopwave::sim
