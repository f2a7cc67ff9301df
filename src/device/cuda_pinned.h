// Pinned host memory that is used again. The driver takes half a millisecond to pin a page and as long to release it. It waits
// for the whole device meanwhile, and blocks every other thread. That was most of the time of making a Searcher.
#pragma once

#include <cuda_runtime_api.h>

#include <bit>
#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

#include "device/cuda_status.h"

namespace hopwave::device {

/// Of all devices and threads of the process, and kept until it ends: of each size what was in use at once, which is little, as
/// sizes are few.
class PinnedPool {
 public:
  static constexpr std::size_t page = std::size_t{64} << 10;  ///< small values are cut from one

  /// Not initialised; aligned to its size rounded up to a power of two, at most to a page.
  Status allocate(void** p, std::size_t bytes) {
    const std::size_t size = std::bit_ceil(bytes < smallest ? smallest : bytes);
    const std::lock_guard lock(mutex_);
    std::vector<void*>& free = free_[size];
    if (free.empty())
      if (const Status e = refill(free, size)) return e;
    *p = free.back();
    free.pop_back();
    sizes_[*p] = size;
    return 0;
  }
  /// When no work that uses it is under way any more: Device::release_pinned() waits for its stream first.
  /// False: it did not come from here.
  bool release(void* p) {
    const std::lock_guard lock(mutex_);
    const auto at = sizes_.find(p);
    if (at == sizes_.end()) return false;
    free_[at->second].push_back(p);
    sizes_.erase(at);
    return true;
  }

 private:
  static constexpr std::size_t smallest = 64;  // a line of the cache: two threads' values do not share one

  static Status refill(std::vector<void*>& free, std::size_t size) {
    void* memory = nullptr;
    const std::size_t bytes = size < page ? page : size;
    if (const Status e = done(cudaMallocHost(&memory, bytes))) return e;
    for (std::size_t at = bytes; at > 0; at -= size) free.push_back(static_cast<char*>(memory) + at - size);
    return 0;
  }

  std::mutex mutex_;
  std::map<std::size_t, std::vector<void*>> free_;  ///< by size
  std::map<void*, std::size_t> sizes_;              ///< of what is in use
};

/// Never destroyed: at the end of the process the driver may be gone before it.
inline PinnedPool& pinned() {
  static auto* const pool = new PinnedPool;
  return *pool;
}

}  // namespace hopwave::device
