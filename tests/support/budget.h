// Device memory of which there is only so much.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <map>

#include "hopwave/device.h"

namespace hopwave::testing {

/// A caller's memory with an end.
class Budget : public DeviceMemory {
 public:
  void* allocate(std::size_t bytes, void*) override {
    if (held_ + bytes > most) return nullptr;
    void* p = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    held_ += bytes;
    peak = std::max(peak, held_);
    sizes_[p] = bytes;
    return p;
  }
  void deallocate(void* p, std::size_t, void*) noexcept override {
    held_ -= sizes_[p];
    sizes_.erase(p);
    std::free(p);
  }
  std::size_t most = ~std::size_t{0}, peak = 0;

 private:
  std::size_t held_ = 0;
  std::map<void*, std::size_t> sizes_;
};

}  // namespace hopwave::testing
