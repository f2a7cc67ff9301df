// Copies of device memory, and an undo list for single words.
#include "simulator/allocations.h"

#include <cstring>
#include <iterator>
#include <new>

namespace hopwave::sim {

void Allocations::add(void* p, std::size_t bytes) noexcept {
  try {
    live_[p] = bytes;
  } catch (const std::bad_alloc&) {
    complete_ = false;
  }
}

const void* Allocations::start_of(const void* p) const {
  const auto after = live_.upper_bound(const_cast<void*>(p));
  if (after == live_.begin()) return nullptr;
  const auto& [first, bytes] = *std::prev(after);
  return static_cast<std::size_t>(static_cast<const char*>(p) - static_cast<const char*>(first)) < bytes ? first : nullptr;
}

void Allocations::save() {
  words_.clear();
  words_.reserve(most_words);
  std::size_t all = 0;
  for (const auto& [p, bytes] : live_) all += bytes;
  saved_.resize(all);
  unsigned char* to = saved_.data();
  for (const auto& [p, bytes] : live_) {
    std::memcpy(to, p, bytes);
    to += bytes;
  }
}

void Allocations::about_to_write(const void* p, u32 bytes, u64 old) {
  if (start_of(p)) return;
  if (words_.size() == most_words)
    complete_ = false;
  else
    words_.push_back({const_cast<void*>(p), bytes, old});
}

void Allocations::put_back() {
  for (; !words_.empty(); words_.pop_back()) std::memcpy(words_.back().p, &words_.back().old, words_.back().bytes);
  const unsigned char* from = saved_.data();
  for (const auto& [p, bytes] : live_) {
    std::memcpy(p, from, bytes);
    from += bytes;
  }
}

}  // namespace hopwave::sim
