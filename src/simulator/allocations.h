// Memory that a launch may write, to be put back as it was: the device memory of a stream, and single words elsewhere.
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
  /// False: something was allocated that could not be written down.
  [[nodiscard]] bool complete() const noexcept { return complete_; }

  /// Keeps what all allocations hold.
  void save();
  /// A word of memory that is not of these (pinned memory of the host's) is about to be written.
  void about_to_write(const void* p, u32 bytes, u64 old);
  /// All is as it was at save().
  void put_back();

 private:
  struct Word {
    void* p;
    u32 bytes;
    u64 old;
  };
  static constexpr std::size_t most_words = 1 << 12;
  [[nodiscard]] bool holds(const void* p) const;

  std::map<void*, std::size_t> live_;
  std::vector<unsigned char> saved_;
  std::vector<Word> words_;  ///< takes no more memory while fibers run
  bool complete_ = true;
};

}  // namespace hopwave::sim
