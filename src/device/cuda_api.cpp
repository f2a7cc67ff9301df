// The device calls of CUDA's runtime. Compiled to nothing usable where the build has no CUDA.
// Memory comes from the stream-ordered pool, which keeps what is released; big copies in go through pinned memory.
#include "core/device_api.h"

#ifndef HOPWAVE_WITH_CUDA

namespace hopwave::device {
const Api* cuda_api() { return nullptr; }
}  // namespace hopwave::device

#else

#include <cuda_runtime_api.h>

#include <cstdint>
#include <mutex>
#include <new>
#include <set>
#include <utility>

#include "core/checksum.h"
#include "device/cuda_large_pinned.h"
#include "device/cuda_launch.h"
#include "device/cuda_pinned.h"
#include "device/cuda_stream.h"

namespace hopwave::device {
namespace {

int attribute(cudaDeviceAttr what, int device) {
  int value = 0;
  (void)done(cudaDeviceGetAttribute(&value, what, device));
  return value;
}

Status properties(int device, Properties* p) {
  cudaDeviceProp prop{};
  if (const Status s = done(cudaGetDeviceProperties(&prop, device))) return s;
  p->name = prop.name;
  p->memory_total = prop.totalGlobalMem;
  p->multiprocessors = prop.multiProcessorCount;
  p->compute_major = prop.major;
  p->compute_minor = prop.minor;
  p->lanes = prop.warpSize;
  p->max_block = prop.maxThreadsPerBlock;
  p->shared_per_block = prop.sharedMemPerBlockOptin;
  p->l2_bytes = static_cast<std::size_t>(prop.l2CacheSize);
  p->cooperative = prop.cooperativeLaunch != 0;
  p->clusters = attribute(cudaDevAttrClusterLaunch, device) != 0;
  p->identity = core::piece_checksum(prop.uuid.bytes, sizeof prop.uuid.bytes);
  if (const Status s = done(cudaDriverGetVersion(&p->driver))) return s;
  return done(cudaRuntimeGetVersion(&p->runtime));
}

/// The current device's pool of hopwave's own, so that the application's default pool keeps its settings. It stays until the
/// process ends, with what it got. Null: this device has no pools, or none could be made.
cudaMemPool_t own_pool() {
  constexpr int most_devices = 64;
  static std::mutex mutex;
  static cudaMemPool_t pools[most_devices] = {};
  int device = 0;
  if (done(cudaGetDevice(&device)) || device >= most_devices || !attribute(cudaDevAttrMemoryPoolsSupported, device))
    return nullptr;
  const std::lock_guard lock(mutex);
  if (pools[device]) return pools[device];
  cudaMemPoolProps wanted{};
  wanted.allocType = cudaMemAllocationTypePinned;
  wanted.location.type = cudaMemLocationTypeDevice;
  wanted.location.id = device;
  cudaMemPool_t made = nullptr;
  if (done(cudaMemPoolCreate(&made, &wanted))) return nullptr;
  std::uint64_t keep = UINT64_MAX;  // what is released stays in the pool: the next search gets it back at once
  (void)done(cudaMemPoolSetAttribute(made, cudaMemPoolAttrReleaseThreshold, &keep));
  return pools[device] = made;
}

/// Free memory, including what the pool holds unused.
Status memory(std::uint64_t* free, std::uint64_t* total) {
  std::size_t f = 0, t = 0;
  if (const Status s = done(cudaMemGetInfo(&f, &t))) return s;
  *free = f;
  *total = t;
  const cudaMemPool_t pool = own_pool();
  std::uint64_t reserved = 0, used = 0;
  if (!pool || done(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved)) ||
      done(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used)))
    return 0;
  *free += reserved - used;
  return 0;
}

Status allocate(void** p, std::size_t bytes, StreamHandle stream) {
  const cudaMemPool_t pool = of(stream).pool;
  return done(pool ? cudaMallocFromPoolAsync(p, bytes, pool, raw(stream)) : cudaMalloc(p, bytes));
}
Status release(void* p, StreamHandle stream) { return done(of(stream).pool ? cudaFreeAsync(p, raw(stream)) : cudaFree(p)); }
/// Large memory goes back to the system when it is released. A caller that needs it often keeps it.
Status allocate_pinned(void** p, std::size_t bytes) {
  if (bytes <= PinnedPool::page) return pinned().allocate(p, bytes);
  if (bytes >= LargePinned::least && large_pinned().allocate(p, bytes) == 0) return 0;  // not all systems register memory
  return done(cudaMallocHost(p, bytes));
}
Status release_pinned(void* p) {
  Status status = 0;
  if (pinned().release(p) || large_pinned().release(p, &status)) return status;
  return done(cudaFreeHost(p));
}

Status can_reach(bool* can, int device, int peer) {
  int possible = 0;
  const Status s = done(cudaDeviceCanAccessPeer(&possible, device, peer));
  *can = s == 0 && possible != 0;
  return s;
}
/// Once for a pair of devices in a process: to ask again is an error of its own, which tools such as compute-sanitizer report.
Status reach(int peer) {
  static std::mutex mutex;
  static std::set<std::pair<int, int> > open;
  int device = 0;
  if (const Status s = done(cudaGetDevice(&device))) return s;
  const std::lock_guard lock(mutex);
  if (open.contains({device, peer})) return 0;
  const Status s = done(cudaDeviceEnablePeerAccess(peer, 0));
  if (s != 0 && s != static_cast<Status>(cudaErrorPeerAccessAlreadyEnabled)) return s;  // another library may have asked
  open.insert({device, peer});
  return 0;
}
/// Not from the pool: memory of pools is open to peers only pool by pool.
Status allocate_for_peers(void** p, std::size_t bytes, StreamHandle) { return done(cudaMalloc(p, bytes)); }
Status release_for_peers(void* p, StreamHandle) { return done(cudaFree(p)); }

/// When this returns the host may change its memory.
Status copy_in(void* to, const void* from, std::size_t bytes, StreamHandle stream) {
  const Copy copy{static_cast<char*>(to), static_cast<const char*>(from), bytes, raw(stream)};
  if (Status status = 0; copy_staged(of(stream).staging, copy, copy_share_in, &status)) return status;
  return done(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, raw(stream)));
}

Status copy_out(void* to, const void* from, std::size_t bytes, StreamHandle stream) {
  const Copy copy{static_cast<char*>(to), static_cast<const char*>(from), bytes, raw(stream)};
  if (Status status = 0; copy_staged(of(stream).staging, copy, copy_share_out, &status)) return status;
  return done(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, raw(stream)));
}

Status stream_create(StreamHandle* handle) {
  auto* s = new (std::nothrow) Stream;
  if (!s) return static_cast<Status>(cudaErrorMemoryAllocation);
  if (const Status e = done(cudaStreamCreateWithFlags(&s->stream, cudaStreamNonBlocking))) {
    delete s;
    return e;
  }
  s->pool = own_pool();
  *handle = s;
  return 0;
}

Status stream_adopt(StreamHandle* handle, void* native) {
  auto* s = new (std::nothrow) Stream;
  if (!s) return static_cast<Status>(cudaErrorMemoryAllocation);
  s->stream = static_cast<cudaStream_t>(native);
  s->adopted = true;
  s->pool = own_pool();
  *handle = s;
  return 0;
}

Status stream_destroy(StreamHandle handle) {
  Stream* s = &of(handle);
  Status first = 0;
  for (Staging& staging : s->staging)
    if (const Status e = destroy(staging); !first) first = e;
  if (!s->adopted)
    if (const Status e = done(cudaStreamDestroy(s->stream)); !first) first = e;
  delete s;
  return first;
}

void* native_stream(StreamHandle stream) { return raw(stream); }

bool has_driver();

/// The runtime calls a driver that is not there an old one.
const char* message(Status status) {
  if (status == cudaErrorInsufficientDriver && !has_driver()) return "no NVIDIA driver is installed";
  return cudaGetErrorString(static_cast<cudaError_t>(status));
}

bool is_out_of_memory(Status status) { return status == cudaErrorMemoryAllocation; }

bool is_sticky(Status status) {
  switch (static_cast<cudaError_t>(status)) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContextIsDestroyed:
      return true;
    default:
      return false;
  }
}

}  // namespace
}  // namespace hopwave::device

#define HW_RUNTIME(name) cuda##name
#include "device/vendor_calls.h"

namespace hopwave::device {

const Api* cuda_api() {
  static constexpr Api api = [] {
    Api all = common_calls("cuda");
    all.can_reach = can_reach;
    all.reach = reach;
    all.allocate_for_peers = allocate_for_peers;
    all.release_for_peers = release_for_peers;
    all.launch = cuda::launch;
    all.launch_between = cuda::launch_between;
    all.forget_launch = cuda::forget_launch;
    all.blocks_per_multiprocessor = cuda::blocks_per_multiprocessor;
    all.largest_cluster = cuda::largest_cluster;
    all.native_stream = native_stream;
    return all;
  }();
  return &api;
}

}  // namespace hopwave::device

#endif
