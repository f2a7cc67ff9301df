// Requests: what a warp asks of memory at once. The accesses of its lanes are kept, by place of the source, until all of its
// lanes meet; then the n-th accesses of a place are one request, as lanes in step make it. Of each request the sectors of
// device memory are counted, or the rounds of shared memory that its banks take.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "core/source_location.h"
#include "hopwave/counts.h"
#include "simulator/words.h"

namespace hopwave::sim {

class Requests {
 public:
  static constexpr u32 sector = 32;                ///< bytes
  static constexpr u32 banks = 32, bank_word = 4;  ///< a bank gives one word of four bytes per round

  /// Accesses of one place to different arrays are different requests: a line may have several.
  struct Place {
    const char* file = "";
    u32 line = 0;
    Access access = Access::read;
    bool shared = false;
    MemoryKind kind = MemoryKind::other;
    std::uintptr_t array = 0;  ///< where the allocation begins; 0: shared memory, or memory that is not the device's
    friend auto operator<=>(const Place&, const Place&) = default;
  };

  /// A launch begins, with places for so many threads.
  void begin(std::size_t threads);
  /// `at`: bytes from the beginning of the array.
  void access(std::size_t thread, const Place& place, u64 at, u32 bytes);
  /// Threads of a block, whole warps of them, have met or ended: the lanes of each are in step from here on.
  void meet(std::size_t first, u32 threads);
  void finish(LaunchCounts& into) const;

 private:
  struct Made {
    u32 place = 0, bytes = 0;
    u64 at = 0;
  };
  /// An access of a lane, the `nth` of its place.
  struct Asked {
    u32 place = 0, nth = 0;
    u64 at = 0;
    u32 lane = 0, bytes = 0;
    friend auto operator<=>(const Asked&, const Asked&) = default;
  };
  struct Figures {
    Place place;
    RequestCounts counts;
  };
  void add(const Asked* first, const Asked* end);
  static u64 sectors(const Asked* first, const Asked* end, u64& least);
  u64 rounds(const Asked* first, const Asked* end, u64& least);

  std::vector<std::vector<Made>> made_;  ///< by thread, since its warp met
  std::map<Place, u32> numbers_;
  std::vector<Figures> figures_;  ///< by number of the place
  std::vector<Asked> asked_;
  std::vector<u32> times_;
  std::vector<u64> words_;
};

}  // namespace hopwave::sim
