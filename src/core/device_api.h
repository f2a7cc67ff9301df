// The table of device calls, which all code uses: CUDA, HIP and the simulator each fill one in.
// One table makes one place to count calls, to make the k-th call fail in tests, and to turn a status into an Error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "hopwave/counts.h"
#include "hopwave/types.h"

namespace hopwave::device {

/// 0 is success; any other value is the backend's own code.
using Status = int;

struct Properties {
  std::string name;
  std::uint64_t memory_total = 0;
  int multiprocessors = 1;
  int compute_major = 0, compute_minor = 0;
  int lanes = 32;
  int max_block = 1024;
  std::size_t shared_per_block = 48 * 1024;  ///< with the opt-in
  std::size_t l2_bytes = 0;
  bool cooperative = false;
  bool clusters = false;
  int largest_cluster = 16;    ///< the most blocks of a cluster that every kernel may have, if the device has clusters
  bool limited = false;        ///< lowered to another GPU's limits (device/architecture.h)
  std::uint64_t identity = 0;  ///< identifies the device on this machine, whatever its number in this process
  int driver = 0, runtime = 0;
};

/// One launch: sizes in blocks and threads, one-dimensional.
struct LaunchShape {
  std::uint32_t grid = 1;
  std::uint32_t block = 1;
  std::size_t shared_bytes = 0;  ///< bytes of dynamic shared memory per block
  bool cooperative = false;      ///< all blocks are resident, and sync_grid() is allowed
  std::uint32_t cluster = 0;     ///< blocks per cluster; 0: no clusters

  bool operator==(const LaunchShape&) const = default;
};

/// How the simulator interleaves threads; real devices ignore it. The same seed gives the same schedule.
struct Schedule {
  std::uint64_t seed = 1;
  std::uint32_t interrupt_every = 64;  ///< memory words, on average, after which another thread runs; 0: (almost) never
  std::uint32_t resident_blocks = 0;   ///< blocks that run at the same time; 0: four, or the blocks of a cluster if more
  std::uint64_t patience = 0;          ///< pauses without progress after which a livelock is reported; 0: the default
  bool weak = false;                   ///< reads may be stale and stores late, as far as barriers, releases and fences allow
  bool load_buffering = false;         ///< weak, and a store may become visible before an earlier load of its thread
  ScheduleKind kind = ScheduleKind::uniform;
};

/// Returns the schedule of a kind. Weak memory is used together with uniform scheduling.
constexpr Schedule schedule_of(std::uint64_t seed, ScheduleKind kind) {
  Schedule schedule{.seed = seed, .kind = kind};
  if (kind != ScheduleKind::weak && kind != ScheduleKind::load_buffering) return schedule;
  schedule.weak = true;
  schedule.load_buffering = kind == ScheduleKind::load_buffering;
  schedule.kind = ScheduleKind::uniform;
  return schedule;
}

/// Calls the kernel for one thread on the host; only the simulator uses it (a GPU needs only the address).
using Thunk = void (*)(const void* kernel, void** arguments);

using StreamHandle = void*;
using EventHandle = void*;

struct Api {
  const char* name;  ///< "cuda", "hip", "sim"
  Status (*device_count)(int* count);
  Status (*properties)(int device, Properties* properties);
  Status (*current)(int* device);  ///< the calling thread's current device
  Status (*use)(int device);
  Status (*memory)(std::uint64_t* free, std::uint64_t* total);
  Status (*allocate)(void** p, std::size_t bytes, StreamHandle stream);  ///< from a pool: repeated use costs nothing
  Status (*release)(void* p, StreamHandle stream);
  Status (*allocate_pinned)(void** p, std::size_t bytes);
  Status (*release_pinned)(void* p);
  /// For several devices of one host that access each other's memory by address. All four are null if that is not
  /// available. `reach` lets the current device access memory from allocate_for_peers() on `peer`, until the process
  /// ends.
  Status (*can_reach)(bool* can, int device, int peer);
  Status (*reach)(int peer);
  Status (*allocate_for_peers)(void** p, std::size_t bytes, StreamHandle stream);
  Status (*release_for_peers)(void* p, StreamHandle stream);
  Status (*copy_in)(void* device, const void* host, std::size_t bytes, StreamHandle stream);
  Status (*copy_out)(void* host, const void* device, std::size_t bytes, StreamHandle stream);
  Status (*copy_out_pinned)(void* pinned, const void* device, std::size_t bytes, StreamHandle stream);  ///< does not wait
  Status (*copy)(void* to, const void* from, std::size_t bytes, StreamHandle stream);
  Status (*fill)(void* p, int byte, std::size_t bytes, StreamHandle stream);
  Status (*stream_create)(StreamHandle* stream);
  /// Wraps a vendor's stream that the caller owns: stream_destroy() does not destroy it. For the current device.
  Status (*stream_adopt)(StreamHandle* stream, void* native);
  Status (*stream_destroy)(StreamHandle stream);
  Status (*stream_wait)(StreamHandle stream);              ///< the host waits until all work in the stream is done
  Status (*stream_done)(StreamHandle stream, bool* done);  ///< whether all work is done; does not wait
  Status (*event_create)(EventHandle* event);
  Status (*event_destroy)(EventHandle event);
  Status (*event_record)(EventHandle event, StreamHandle stream);
  Status (*event_wait)(EventHandle event);
  Status (*event_elapsed)(float* milliseconds, EventHandle from, EventHandle to);
  bool launch_waits;  ///< a launch returns only after its kernel has ended
  Status (*launch)(const LaunchShape& shape, const void* kernel, void** arguments, Thunk thunk, StreamHandle stream);
  /// A launch with an event before it and one after it, submitted together if possible, so that host calls do not add
  /// time between them. `kept` is null at first and stores data for the next launch; forget_launch() frees it. Null if
  /// not available.
  Status (*launch_between)(void** kept, EventHandle from, EventHandle to, const LaunchShape& shape, const void* kernel,
                           void** arguments, Thunk thunk, StreamHandle stream);
  void (*forget_launch)(void* kept);
  /// The number of blocks of this kernel that one multiprocessor holds at a time. Also allows `shared_bytes` beyond 48
  /// KiB.
  Status (*blocks_per_multiprocessor)(int* blocks, const void* kernel, int block, std::size_t shared_bytes);
  /// The largest cluster (a power of two ≤ `wanted`) of which at least one fits; 0 if none.
  Status (*largest_cluster)(int* blocks, const void* kernel, int wanted, int block, std::size_t shared_bytes);
  void (*schedule)(StreamHandle stream, const Schedule& schedule);  ///< null except in the simulator
  /// Limits the shared memory of a block, of all kinds, from now on. Null except in the simulator.
  void (*limit_shared)(StreamHandle stream, std::size_t bytes);
  void* (*native_stream)(StreamHandle stream);  ///< as the vendor's libraries take it; null in the simulator
  /// The kind of data in an allocation, and where the next launches are counted (null: nowhere). Null except in the
  /// simulator.
  void (*set_kind)(const void* p, std::size_t bytes, MemoryKind kind, StreamHandle stream);
  void (*count_into)(LaunchCounts* counts, StreamHandle stream);
  /// Called for the caller's memory after it is allocated (its content is then undefined) and after it is freed. Null
  /// except in the simulator.
  void (*taken)(void* p, std::size_t bytes, StreamHandle stream);
  void (*given_back)(void* p, StreamHandle stream);
  bool (*has_driver)();  ///< checked without starting the driver, which takes a third of a second; null in the simulator
  const char* (*message)(Status status);
  bool (*is_out_of_memory)(Status status);
  bool (*is_sticky)(Status status);  ///< the device cannot be used by this process any more
};

const Api* cuda_api();  ///< null if this build has no CUDA
const Api* hip_api();   ///< null if this build has no HIP
const Api* sim_api();   ///< always available

}  // namespace hopwave::device
