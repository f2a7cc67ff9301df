// Weights composed of other weights of the same type.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>

#include "hopwave/weights.h"

namespace hopwave::graph {

class WeightCopy {
 public:
  WeightCopy() = default;
  WeightCopy(WeightType type, std::size_t size)
      : memory_(detail::allocate_values(size, size_of(type))), size_(size), type_(type) {}

  [[nodiscard]] bool empty() const { return size_ == 0; }
  /// Sets element `at` to number `i` of `from`. Threads may set different elements at the same time.
  void put(std::size_t at, const Weights& from, std::size_t i) {
    if (size_of(type_) == 4)
      std::memcpy(bytes() + 4 * at, static_cast<const std::byte*>(from.data()) + 4 * i, 4);
    else
      std::memcpy(bytes() + 8 * at, static_cast<const std::byte*>(from.data()) + 8 * i, 8);
  }
  /// Sets the elements from `at` on to all of `from`.
  void put_all(std::size_t at, const Weights& from) {
    if (!from.empty()) std::memcpy(bytes() + size_of(type_) * at, from.data(), from.bytes().size());
  }
  [[nodiscard]] Weights done() && {
    const void* const data = memory_.get();
    return {std::move(memory_), type_, data, size_};
  }

 private:
  std::byte* bytes() { return static_cast<std::byte*>(memory_.get()); }

  std::shared_ptr<void> memory_;
  std::size_t size_ = 0;
  WeightType type_ = WeightType::float32;
};

}  // namespace hopwave::graph
