// Saves memory that a launch may write and restores it: the device memory of a stream, and single words elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "simulator/words.h"

namespace hopwave::sim {

class Allocations {
 public:
  void add(void* p, std::size_t bytes) noexcept;
  void remove(void* p) noexcept { live_.erase(p); }
  /// Returns false if an allocation could not be recorded.
  [[nodiscard]] bool complete() const noexcept { return complete_; }

  /// Returns where the allocation with this address begins; null: there is none.
  [[nodiscard]] const void* start_of(const void* p) const;

  /// Saves the content of all allocations.
  void save();
  /// Called before a word outside these allocations (the host's pinned memory) is written.
  void about_to_write(const void* p, u32 bytes, u64 old);
  /// Restores the state of save().
  void put_back();

 private:
  struct Word {
    void* p;
    u32 bytes;
    u64 old;
  };
  static constexpr std::size_t most_words = 1 << 12;

  std::map<void*, std::size_t> live_;
  std::vector<unsigned char> saved_;
  std::vector<Word> words_;  ///< does not allocate while fibers run
  bool complete_ = true;
};

}  // namespace hopwave::sim
