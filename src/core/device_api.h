// The table of device calls that everything goes through: CUDA, HIP and the simulator each fill one in.
// One table means one place to count calls, to make the k-th fail in tests, and to turn a code into an Error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "hopwave/counts.h"
#include "hopwave/types.h"

namespace hopwave::device {

/// 0 is success; anything else is the backend's own code.
using Status = int;

struct Properties {
  std::string name;
  std::uint64_t memory_total = 0;
  int multiprocessors = 1;
  int compute_major = 0, compute_minor = 0;
  int lanes = 32;
  int max_block = 1024;
  std::size_t shared_per_block = 48 * 1024;  ///< with opt-in
  std::size_t l2_bytes = 0;
  bool cooperative = false;
  bool clusters = false;
  int largest_cluster = 16;    ///< blocks that any kernel may have, where there are clusters at all
  bool limited = false;        ///< another GPU's limits are upon it (device/architecture.h)
  std::uint64_t identity = 0;  ///< which device of this machine it is, whatever its number is for this process
  int driver = 0, runtime = 0;
};

/// One launch: extents in blocks and threads, one-dimensional.
struct LaunchShape {
  std::uint32_t grid = 1;
  std::uint32_t block = 1;
  std::size_t shared_bytes = 0;  ///< dynamic shared memory a block
  bool cooperative = false;      ///< all blocks resident, sync_grid() allowed
  std::uint32_t cluster = 0;     ///< blocks a cluster; 0: no clusters

  bool operator==(const LaunchShape&) const = default;
};

/// How the simulator interleaves threads; real devices have no say in it. The same seed gives the same schedule.
struct Schedule {
  std::uint64_t seed = 1;
  std::uint32_t interrupt_every = 64;  ///< on average, after so many memory words another thread goes on; 0: (almost) never
  std::uint32_t resident_blocks = 0;   ///< blocks that run at the same time; 0: four, or as many as a cluster has
  std::uint64_t patience = 0;          ///< pauses without progress before a livelock is declared; 0: the standard
  bool weak = false;                   ///< reads may be stale and stores late, as far as barriers, releases and fences allow
  bool load_buffering = false;         ///< weak, and a store may be seen before a load that its thread makes first
  ScheduleKind kind = ScheduleKind::uniform;
};

/// The schedule that a kind asks for: memory is weak beside uniform drawing.
constexpr Schedule schedule_of(std::uint64_t seed, ScheduleKind kind) {
  Schedule schedule{.seed = seed, .kind = kind};
  if (kind != ScheduleKind::weak && kind != ScheduleKind::load_buffering) return schedule;
  schedule.weak = true;
  schedule.load_buffering = kind == ScheduleKind::load_buffering;
  schedule.kind = ScheduleKind::uniform;
  return schedule;
}

/// Calls the kernel on the host side of a thread; only the simulator uses it (a GPU takes the address alone).
using Thunk = void (*)(const void* kernel, void** arguments);

using StreamHandle = void*;
using EventHandle = void*;

struct Api {
  const char* name;  ///< "cuda", "hip", "sim"
  Status (*device_count)(int* count);
  Status (*properties)(int device, Properties* properties);
  Status (*current)(int* device);  ///< this thread's
  Status (*use)(int device);
  Status (*memory)(std::uint64_t* free, std::uint64_t* total);
  Status (*allocate)(void** p, std::size_t bytes, StreamHandle stream);  ///< from a pool: repeated use costs nothing
  Status (*release)(void* p, StreamHandle stream);
  Status (*allocate_pinned)(void** p, std::size_t bytes);
  Status (*release_pinned)(void* p);
  /// Several devices of one host that touch each other's memory by its address. All four null: not here. `reach` lets the
  /// current device touch what allocate_for_peers() gives on `peer`, from now on until the process ends.
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
  /// Around a stream of the vendor's that is the caller's: stream_destroy() leaves it alone. Of the current device.
  Status (*stream_adopt)(StreamHandle* stream, void* native);
  Status (*stream_destroy)(StreamHandle stream);
  Status (*stream_wait)(StreamHandle stream);              ///< host waits until all work in the stream is done
  Status (*stream_done)(StreamHandle stream, bool* done);  ///< is it? Does not wait
  Status (*event_create)(EventHandle* event);
  Status (*event_destroy)(EventHandle event);
  Status (*event_record)(EventHandle event, StreamHandle stream);
  Status (*event_wait)(EventHandle event);
  Status (*event_elapsed)(float* milliseconds, EventHandle from, EventHandle to);
  bool launch_waits;  ///< a launch returns when its kernel has ended
  Status (*launch)(const LaunchShape& shape, const void* kernel, void** arguments, Thunk thunk, StreamHandle stream);
  /// A launch with an event before and one after it, handed over together where that can be done, so that the host's calls do
  /// not stand between them. `kept` is null at first; forget_launch() takes what is kept there for the next time. Null: not
  /// here.
  Status (*launch_between)(void** kept, EventHandle from, EventHandle to, const LaunchShape& shape, const void* kernel,
                           void** arguments, Thunk thunk, StreamHandle stream);
  void (*forget_launch)(void* kept);
  /// Blocks of this kernel that one multiprocessor holds at once; also allows `shared_bytes` beyond 48 KiB.
  Status (*blocks_per_multiprocessor)(int* blocks, const void* kernel, int block, std::size_t shared_bytes);
  /// Largest cluster (a power of two ≤ `wanted`) of which at least one fits; 0 if none.
  Status (*largest_cluster)(int* blocks, const void* kernel, int wanted, int block, std::size_t shared_bytes);
  void (*schedule)(StreamHandle stream, const Schedule& schedule);  ///< null but for the simulator
  /// Shared memory of a block, of all kinds, from now on. Null but for the simulator.
  void (*limit_shared)(StreamHandle stream, std::size_t bytes);
  void* (*native_stream)(StreamHandle stream);  ///< as the vendor's own libraries take it; null for the simulator
  /// What an allocation holds, and where the next launches are counted (null: nowhere). Null but for the simulator.
  void (*tell_kind)(const void* p, std::size_t bytes, MemoryKind kind, StreamHandle stream);
  void (*count_into)(LaunchCounts* counts, StreamHandle stream);
  /// Memory of the caller's that was just taken: nobody may count on what it holds. And given back. Null but for the simulator.
  void (*taken)(void* p, std::size_t bytes, StreamHandle stream);
  void (*given_back)(void* p, StreamHandle stream);
  bool (*has_driver)();  ///< without starting it, which takes a third of a second; null for the simulator
  const char* (*message)(Status status);
  bool (*is_out_of_memory)(Status status);
  bool (*is_sticky)(Status status);  ///< the device is of no more use to this process
};

const Api* cuda_api();  ///< null where this build has no CUDA
const Api* hip_api();   ///< null where this build has no HIP
const Api* sim_api();   ///< always there

}  // namespace hopwave::device
