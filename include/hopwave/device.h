// The device, stream and memory that a search uses, for programs that manage their own.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// A source of device memory, with the interface of RMM's memory resources. The searcher's device is current in every
/// call. Searchers in several threads may share one resource, so it must accept calls from all of them at the same
/// time.
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;
  /// Returns `bytes` bytes, aligned to 256, that work in `stream` may use from then on. `stream` is a cudaStream_t or
  /// hipStream_t; null in the simulator. If there is no memory, throw std::bad_alloc or return null: the search then
  /// throws HW-DEVICE-MEMORY.
  virtual void* allocate(std::size_t bytes, void* stream) = 0;
  /// Takes back memory from allocate(). Work already in `stream` may still use it; later work may not. Must not throw.
  virtual void deallocate(void* p, std::size_t bytes, void* stream) noexcept = 0;
};

/// Ignored by searches on the CPU. No call changes the calling thread's current device.
struct DeviceOptions {
  int ordinal = 0;  ///< the driver's number of the device; HW-DEVICE-NONE if there is no such device
  /// A cudaStream_t or hipStream_t of that device, in which all work is done. It must outlive every object that uses
  /// it. Null: each searcher has its own stream. The stream must not be under capture, and must not be the legacy
  /// default stream. The simulator has no streams and ignores it.
  void* stream = nullptr;
  /// Null: hopwave's own memory pool for each device (cudaMallocAsync). The pool keeps its memory until the process
  /// ends. The device's default pool, which the application may use, is not touched.
  std::shared_ptr<DeviceMemory> memory = {};
  /// Simulates the limits of another GPU: a compute capability without its dot ("80", "86", "89", "90", "100", "120"),
  /// "no-clusters" or "no-cooperative". Limits are lowered, never raised. Empty: the device's own limits. Throws
  /// HW-DEVICE-LIMITS for other names. See docs/architectures.md.
  std::string limits_of = {};
};

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
