// Large pinned host memory. The driver's own call maps page after page by one thread: 64 MiB take it 23 to 33 ms. Pages of two
// megabytes that several threads touch first are registered in a fifth of that.
#pragma once

#include <cuda_runtime_api.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <set>

#include "core/parallel.h"
#include "device/cuda_status.h"

namespace hopwave::device {

class LargePinned {
 public:
  static constexpr std::size_t least = std::size_t{4} << 20;  ///< less is not worth the threads

  /// For all devices of the process.
  Status allocate(void** p, std::size_t bytes) {
    const std::size_t rounded = (bytes + huge_page - 1) / huge_page * huge_page;
    std::unique_ptr<void, decltype(&std::free)> memory(std::aligned_alloc(huge_page, rounded), &std::free);
    if (!memory) return cudaErrorMemoryAllocation;
    (void)madvise(memory.get(), rounded, MADV_HUGEPAGE);
    touch(static_cast<volatile char*>(memory.get()), rounded);
    const std::lock_guard lock(mutex_);
    const auto entry = registered_.insert(memory.get()).first;  // first, since it may throw
    const Status status = done(cudaHostRegister(memory.get(), rounded, cudaHostRegisterPortable));
    if (status == 0)
      *p = memory.release();
    else
      registered_.erase(entry);
    return status;
  }
  /// False: it did not come from here.
  bool release(void* p, Status* status) {
    {
      const std::lock_guard lock(mutex_);
      if (registered_.erase(p) == 0) return false;
    }
    *status = done(cudaHostUnregister(p));
    std::free(p);
    return true;
  }

 private:
  static constexpr std::size_t huge_page = std::size_t{2} << 20, share = std::size_t{8} << 20;
  static constexpr int most_threads = 8;  ///< more wait for each other in the kernel

  static void touch(volatile char* memory, std::size_t bytes) {
    constexpr std::size_t small_page = 4096;  // where there are no huge ones
    const auto threads = static_cast<int>(
        std::clamp<std::size_t>(bytes / share, 1, static_cast<std::size_t>(std::min(hardware_threads(), most_threads))));
    Team team(threads);
    team.run([&](int rank) {
      const auto members = static_cast<std::size_t>(team.size()), me = static_cast<std::size_t>(rank);
      for (std::size_t page = me; page * huge_page < bytes; page += members)
        for (std::size_t at = 0; at < huge_page; at += small_page) memory[page * huge_page + at] = 0;
    });
  }

  std::mutex mutex_;
  std::set<void*> registered_;
};

/// Never destroyed: at the end of the process the driver may be gone before it.
inline LargePinned& large_pinned() {
  static auto* const all = new LargePinned;
  return *all;
}

}  // namespace hopwave::device
