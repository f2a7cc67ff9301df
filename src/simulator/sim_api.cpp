// The device calls of the simulator. Device memory is on the heap (so that AddressSanitizer knows its bounds), a stream
// is a scheduler, and every call completes at once.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <new>
#include <string>

#include "core/clock.h"
#include "core/device_api.h"
#include "simulator/launch_limits.h"
#include "simulator/memcheck.h"
#include "simulator/peers.h"
#include "simulator/scheduler.h"

namespace hopwave::device {
namespace {

using core::Clock;
enum Code : Status { ok = 0, no_memory, no_device, bad_grid, bad_block, bad_shared, bad_cluster, too_large, beyond_simulator };

sim::Scheduler& scheduler(StreamHandle stream) { return *static_cast<sim::Scheduler*>(stream); }

/// Devices share only the memory of allocate_for_peers(): each stream has its own scheduler, and other memory belongs
/// to its buffer alone.
thread_local int current_device = 0;
bool exists(int device) { return device >= 0 && device < sim::devices; }

Status device_count(int* count) {
  *count = sim::devices;
  return ok;
}

Status memory(std::uint64_t* free, std::uint64_t* total) {
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  *total = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * page;
  *free = static_cast<std::uint64_t>(sysconf(_SC_AVPHYS_PAGES)) * page;
  std::ifstream info("/proc/meminfo");  // counts caches that the system would free
  for (std::string word; info >> word;)
    if (word == "MemAvailable:" && info >> *free) {
      *free *= 1024;
      break;
    }
  for (const auto resource : {RLIMIT_DATA, RLIMIT_AS})
    if (rlimit limit{}; getrlimit(resource, &limit) == 0) *free = std::min<std::uint64_t>(*free, limit.rlim_cur);
  return ok;
}

Status properties(int device, Properties* p) {
  if (!exists(device)) return no_device;
  *p = {.name = "simulator",
        .multiprocessors = sim::multiprocessors,
        .lanes = static_cast<int>(sim::lanes),
        .max_block = sim::max_block,
        .shared_per_block = sim::max_shared,
        .cooperative = true,
        .clusters = true,
        .identity = static_cast<std::uint64_t>(device) + 1};
  std::uint64_t free = 0;
  return memory(&free, &p->memory_total);
}

Status current(int* device) {
  *device = current_device;
  return ok;
}
Status use(int device) {
  if (!exists(device)) return no_device;
  current_device = device;
  return ok;
}

/// As on a GPU, memory must not be expected to hold zeros, or its content from before it returned to a pool.
void taken(void* p, std::size_t bytes, StreamHandle stream) {
  std::memset(p, 0xC5, bytes);
  sim::memcheck::forget(p, bytes);
  scheduler(stream).allocations.add(p, bytes);
}
void given_back(void* p, StreamHandle stream) {
  scheduler(stream).arrays.remove(p);
  scheduler(stream).allocations.remove(p);
}

Status allocate(void** p, std::size_t bytes, StreamHandle stream) {
  constexpr std::size_t worth_asking = std::size_t{64} << 20;
  std::uint64_t free = 0, total = 0;
  if (bytes >= worth_asking && memory(&free, &total) == ok && bytes > free) return no_memory;
  *p = std::malloc(bytes);
  if (!*p) return no_memory;
  taken(*p, bytes, stream);
  ++scheduler(stream).live_allocations;
  return ok;
}

Status release(void* p, StreamHandle stream) {
  given_back(p, stream);
  std::free(p);
  --scheduler(stream).live_allocations;
  return ok;
}

Status allocate_pinned(void** p, std::size_t bytes) {
  *p = std::malloc(bytes);
  return *p ? ok : no_memory;
}

Status release_pinned(void* p) {
  std::free(p);
  return ok;
}

Status can_reach(bool* can, int device, int peer) {
  if (!exists(device) || !exists(peer)) return no_device;
  *can = device != peer;
  return ok;
}
Status reach(int peer) {
  if (!exists(peer) || peer == current_device) return no_device;
  sim::open_to_peer(current_device, peer);
  return ok;
}
Status allocate_for_peers(void** p, std::size_t bytes, StreamHandle stream) {
  if (const Status s = allocate(p, bytes, stream)) return s;
  if (sim::share(*p, bytes, scheduler(stream).device)) return ok;
  release(*p, stream);
  return no_memory;
}
Status release_for_peers(void* p, StreamHandle stream) {
  sim::unshare(p);
  return release(p, stream);
}

Status copy(void* to, const void* from, std::size_t bytes, StreamHandle) {
  std::memcpy(to, from, bytes);
  return ok;
}

/// The host reads these bytes, so they must have been written.
Status copy_out(void* to, const void* from, std::size_t bytes, StreamHandle) {
  sim::memcheck::need(from, bytes);
  std::memcpy(to, from, bytes);
  sim::memcheck::trust(to, bytes);
  return ok;
}

Status fill(void* p, int byte, std::size_t bytes, StreamHandle) {
  std::memset(p, byte, bytes);
  return ok;
}

Status stream_create(StreamHandle* stream) {
  auto* const made = new (std::nothrow) sim::Scheduler;
  if (made) made->device = current_device;
  *stream = made;
  return made ? ok : no_memory;
}

/// There are no streams here: every call completes at once.
Status stream_adopt(StreamHandle* stream, void*) { return stream_create(stream); }

Status stream_destroy(StreamHandle stream) {
  delete &scheduler(stream);
  return ok;
}

Status stream_wait(StreamHandle) { return ok; }
Status stream_done(StreamHandle, bool* done) {
  *done = true;
  return ok;
}

void set_kind(const void* p, std::size_t bytes, MemoryKind kind, StreamHandle stream) {
  scheduler(stream).arrays.add(p, bytes, kind);
}
void count_into(LaunchCounts* counts, StreamHandle stream) { scheduler(stream).count_into = counts; }

Status event_create(EventHandle* event) {
  *event = new (std::nothrow) Clock::time_point;
  return *event ? ok : no_memory;
}

Status event_destroy(EventHandle event) {
  delete static_cast<Clock::time_point*>(event);
  return ok;
}

Status event_record(EventHandle event, StreamHandle) {
  *static_cast<Clock::time_point*>(event) = Clock::now();
  return ok;
}

Status event_wait(EventHandle) { return ok; }

Status event_elapsed(float* milliseconds, EventHandle from, EventHandle to) {
  const auto time = *static_cast<Clock::time_point*>(to) - *static_cast<Clock::time_point*>(from);
  *milliseconds = std::chrono::duration<float, std::milli>(time).count();
  return ok;
}

/// Threads at the same time: stacks are cheap, but ThreadSanitizer supports at most 8,128 threads.
constexpr int most_resident = sim::multiprocessors * sim::threads_per_multiprocessor;

int resident_blocks(int block, std::size_t shared_bytes) {
  if (block <= 0 || block > sim::max_block || shared_bytes > sim::max_shared) return 0;
  const int by_threads = std::clamp(sim::threads_per_multiprocessor / block, 1, 2);
  return shared_bytes * 2 > sim::max_shared ? 1 : by_threads;
}

/// Launches that a Hopper GPU would refuse, and those that the simulator cannot run.
Status refused(const LaunchShape& shape) {
  if (shape.grid == 0 || shape.grid > sim::max_grid) return bad_grid;
  if (shape.block == 0 || shape.block > sim::max_block) return bad_block;
  if (shape.shared_bytes > sim::max_shared) return bad_shared;
  if (shape.cluster > sim::max_cluster || (shape.cluster > 1 && shape.grid % shape.cluster != 0)) return bad_cluster;
  const int resident = resident_blocks(static_cast<int>(shape.block), shape.shared_bytes);
  if (shape.cooperative && shape.grid > static_cast<std::uint32_t>(resident * sim::multiprocessors)) return too_large;
  if (static_cast<std::uint64_t>(shape.cluster) * shape.block > most_resident) return beyond_simulator;
  return ok;
}

Status launch(const LaunchShape& shape, const void* kernel, void** arguments, Thunk thunk, StreamHandle stream) {
  if (const Status e = refused(shape)) return e;
  try {
    scheduler(stream).launch(shape, kernel, arguments, thunk);
  } catch (const std::bad_alloc&) {  // stacks and shared memory
    return no_memory;
  }
  return ok;
}

Status launch_between(void**, EventHandle from, EventHandle to, const LaunchShape& shape, const void* kernel, void** arguments,
                      Thunk thunk, StreamHandle stream) {
  if (const Status e = event_record(from, stream)) return e;
  if (const Status e = launch(shape, kernel, arguments, thunk, stream)) return e;
  return event_record(to, stream);
}

Status blocks_per_multiprocessor(int* blocks, const void*, int block, std::size_t shared_bytes) {
  *blocks = resident_blocks(block, shared_bytes);
  return ok;
}

Status largest_cluster(int* blocks, const void*, int wanted, int block, std::size_t shared_bytes) {
  *blocks = 0;
  if (resident_blocks(block, shared_bytes) == 0) return ok;
  for (int size = 1; size <= std::min(wanted, sim::max_cluster) && size * block <= most_resident; size *= 2) *blocks = size;
  return ok;
}

void set_schedule(StreamHandle stream, const Schedule& schedule) {
  scheduler(stream).schedule = schedule;
  scheduler(stream).schedule.weak = schedule.weak || schedule.load_buffering;
  scheduler(stream).launches = 0;
}

void limit_shared(StreamHandle stream, std::size_t bytes) { scheduler(stream).shared_limit = bytes; }

const char* message(Status status) {
  switch (status) {
    case ok:
      return "success";
    case no_memory:
      return "out of memory";
    case no_device:
      return "no such device";
    case bad_grid:
      return "invalid launch: a grid has 1 to 2,147,483,647 blocks";
    case bad_block:
      return "invalid launch: a block has 1 to 1,024 threads";
    case bad_shared:
      return "invalid launch: a block has at most 227 KiB of shared memory";
    case bad_cluster:
      return "invalid launch: a cluster has at most 16 blocks, and a grid a whole number of clusters";
    case beyond_simulator:
      return "the simulator has 4,096 threads for a cluster";
    case too_large:
      return "cooperative launch too large: not all blocks can be resident";
    default:
      return "unknown error";
  }
}

}  // namespace

const Api* sim_api() {
  static constexpr Api api = {.name = "sim",
                              .device_count = device_count,
                              .properties = properties,
                              .current = current,
                              .use = use,
                              .memory = memory,
                              .allocate = allocate,
                              .release = release,
                              .allocate_pinned = allocate_pinned,
                              .release_pinned = release_pinned,
                              .can_reach = can_reach,
                              .reach = reach,
                              .allocate_for_peers = allocate_for_peers,
                              .release_for_peers = release_for_peers,
                              .copy_in = copy,
                              .copy_out = copy_out,
                              .copy_out_pinned = copy_out,
                              .copy = copy,
                              .fill = fill,
                              .stream_create = stream_create,
                              .stream_adopt = stream_adopt,
                              .stream_destroy = stream_destroy,
                              .stream_wait = stream_wait,
                              .stream_done = stream_done,
                              .event_create = event_create,
                              .event_destroy = event_destroy,
                              .event_record = event_record,
                              .event_wait = event_wait,
                              .event_elapsed = event_elapsed,
                              .launch_waits = true,
                              .launch = launch,
                              .launch_between = launch_between,
                              .forget_launch = [](void*) {},
                              .blocks_per_multiprocessor = blocks_per_multiprocessor,
                              .largest_cluster = largest_cluster,
                              .schedule = set_schedule,
                              .limit_shared = limit_shared,
                              .native_stream = nullptr,
                              .set_kind = set_kind,
                              .count_into = count_into,
                              .taken = taken,
                              .given_back = given_back,
                              .has_driver = nullptr,
                              .message = message,
                              .is_out_of_memory = [](Status s) { return s == no_memory; },
                              .is_sticky = [](Status) { return false; }};
  return &api;
}

}  // namespace hopwave::device
