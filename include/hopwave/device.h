// Which device, stream and memory a search uses, for programs that have their own.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// Where device memory comes from: the interface of RMM's memory resources. Every call is made with the searcher's device as
/// the current one. Searchers on several threads may share one resource: it must take calls from all of them at once.
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;
  /// `bytes` bytes, aligned to 256, that work in `stream` may use from now on. `stream` is a cudaStream_t or hipStream_t; null
  /// in the simulator. Throw std::bad_alloc, or return null, where there is no memory: the search throws HW-DEVICE-MEMORY.
  virtual void* allocate(std::size_t bytes, void* stream) = 0;
  /// Takes back what allocate() gave; work in `stream` may still use it, work of later may not. Must not throw.
  virtual void deallocate(void* p, std::size_t bytes, void* stream) noexcept = 0;
};

/// Ignored by searches on the CPU. The calling thread's current device is the same after every call as before.
struct DeviceOptions {
  int ordinal = 0;  ///< as the driver numbers devices; HW-DEVICE-NONE where there is none
  /// A cudaStream_t or hipStream_t of that device, in which all work is done; it must outlive every object that uses it. Null:
  /// each searcher has a stream of its own. No stream that is being captured, and not the legacy default stream. The simulator
  /// has no streams and ignores it.
  void* stream = nullptr;
  /// Null: a pool of hopwave's own for each device (cudaMallocAsync), which keeps what it got until the process ends. The
  /// device's default pool, which the application may use, is left alone.
  std::shared_ptr<DeviceMemory> memory = {};
  /// Another GPU's limits, to see what searches do there: a compute capability without its dot ("80", "86", "89", "90", "100",
  /// "120"), "no-clusters" or "no-cooperative". It is lowered to them, never raised. Empty: its own. Throws
  /// HW-DEVICE-LIMITS for other names. docs/architectures.md
  std::string limits_of = {};
};

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
