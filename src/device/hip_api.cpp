// The device calls of HIP, for AMD's GPUs (and, through HIP's other platform, NVIDIA's). Nothing where the build has no HIP.
// As CUDA's, with less: no clusters, and plain copies, which the runtime stages by itself.
#include "core/device_api.h"

#ifndef HOPWAVE_WITH_HIP

namespace hopwave::device {
const Api* hip_api() { return nullptr; }
}  // namespace hopwave::device

#else

#include <hip/hip_runtime_api.h>

#include <cstdint>
#include <cstring>
#include <new>

#include "core/checksum.h"

namespace hopwave::device {
namespace {

struct Stream {
  hipStream_t stream = nullptr;
  bool adopted = false;  ///< the caller's
};
hipStream_t raw(StreamHandle stream) { return static_cast<Stream*>(stream)->stream; }

/// The runtime keeps the last error for the next query. Here each error is reported once, by its own call.
Status done(hipError_t error) {
  if (error != hipSuccess) (void)hipGetLastError();
  return static_cast<Status>(error);
}

int attribute(hipDeviceAttribute_t what, int device) {
  int value = 0;
  (void)done(hipDeviceGetAttribute(&value, what, device));
  return value;
}

Status properties(int device, Properties* p) {
  char name[256] = {};
  std::size_t free = 0, total = 0;
  if (const Status s = done(hipDeviceGetName(name, sizeof name, device))) return s;
  if (const Status s = done(hipMemGetInfo(&free, &total))) return s;
  p->name = name;
  char place[64] = {};  // on the bus
  if (done(hipDeviceGetPCIBusId(place, sizeof place, device)) == 0)
    p->identity = core::piece_checksum(place, std::strlen(place));
  p->memory_total = total;
  p->multiprocessors = attribute(hipDeviceAttributeMultiprocessorCount, device);
  p->compute_major = attribute(hipDeviceAttributeComputeCapabilityMajor, device);
  p->compute_minor = attribute(hipDeviceAttributeComputeCapabilityMinor, device);
  p->lanes = attribute(hipDeviceAttributeWarpSize, device);
  p->max_block = attribute(hipDeviceAttributeMaxThreadsPerBlock, device);
  p->shared_per_block = static_cast<std::size_t>(attribute(hipDeviceAttributeMaxSharedMemoryPerBlock, device));
  p->l2_bytes = static_cast<std::size_t>(attribute(hipDeviceAttributeL2CacheSize, device));
  p->cooperative = attribute(hipDeviceAttributeCooperativeLaunch, device) != 0;
  if (const Status s = done(hipDriverGetVersion(&p->driver))) return s;
  return done(hipRuntimeGetVersion(&p->runtime));
}

/// The device's default pool is the application's too: its settings stay as they are.
bool has_pool() {
  int device = 0;
  return done(hipGetDevice(&device)) == 0 && attribute(hipDeviceAttributeMemoryPoolsSupported, device) != 0;
}

Status memory(std::uint64_t* free, std::uint64_t* total) {
  std::size_t f = 0, t = 0;
  const Status s = done(hipMemGetInfo(&f, &t));
  *free = f;
  *total = t;
  return s;
}

Status allocate(void** p, std::size_t bytes, StreamHandle stream) {
  return done(has_pool() ? hipMallocAsync(p, bytes, raw(stream)) : hipMalloc(p, bytes));
}
Status release(void* p, StreamHandle stream) { return done(has_pool() ? hipFreeAsync(p, raw(stream)) : hipFree(p)); }
Status allocate_pinned(void** p, std::size_t bytes) { return done(hipHostMalloc(p, bytes, hipHostMallocDefault)); }
Status release_pinned(void* p) { return done(hipHostFree(p)); }

Status copy_in(void* to, const void* from, std::size_t bytes, StreamHandle stream) {
  if (const Status s = done(hipMemcpyAsync(to, from, bytes, hipMemcpyHostToDevice, raw(stream)))) return s;
  return done(hipStreamSynchronize(raw(stream)));  // the host may change its memory when this returns
}
Status copy_out(void* to, const void* from, std::size_t bytes, StreamHandle stream) {
  return done(hipMemcpyAsync(to, from, bytes, hipMemcpyDeviceToHost, raw(stream)));
}

Status stream_create(StreamHandle* stream) {
  hipStream_t s = nullptr;
  if (const Status e = done(hipStreamCreateWithFlags(&s, hipStreamNonBlocking))) return e;
  *stream = new (std::nothrow) Stream{s, false};
  if (*stream) return 0;
  (void)done(hipStreamDestroy(s));
  return static_cast<Status>(hipErrorOutOfMemory);
}
Status stream_adopt(StreamHandle* stream, void* native) {
  *stream = new (std::nothrow) Stream{static_cast<hipStream_t>(native), true};
  return *stream ? 0 : static_cast<Status>(hipErrorOutOfMemory);
}
Status stream_destroy(StreamHandle handle) {
  auto* s = static_cast<Stream*>(handle);
  const Status e = s->adopted ? 0 : done(hipStreamDestroy(s->stream));
  delete s;
  return e;
}

Status launch(const LaunchShape& shape, const void* kernel, void** arguments, Thunk, StreamHandle stream) {
  if (shape.cluster > 1) return static_cast<Status>(hipErrorInvalidValue);
  const dim3 grid(shape.grid), block(shape.block);
  const auto shared = static_cast<unsigned>(shape.shared_bytes);
  return done(shape.cooperative ? hipLaunchCooperativeKernel(kernel, grid, block, arguments, shared, raw(stream))
                                : hipLaunchKernel(kernel, grid, block, arguments, shared, raw(stream)));
}

Status blocks_per_multiprocessor(int* blocks, const void* kernel, int block, std::size_t shared_bytes) {
  *blocks = 0;
  return done(hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, block, shared_bytes));
}

Status largest_cluster(int* blocks, const void*, int, int, std::size_t) {
  *blocks = 0;
  return 0;
}

const char* message(Status status) { return hipGetErrorString(static_cast<hipError_t>(status)); }
bool is_out_of_memory(Status status) { return status == hipErrorOutOfMemory; }

bool is_sticky(Status status) {
  switch (static_cast<hipError_t>(status)) {
    case hipErrorIllegalAddress:
    case hipErrorLaunchFailure:
    case hipErrorLaunchTimeOut:
    case hipErrorECCNotCorrectable:
    case hipErrorAssert:
    case hipErrorContextIsDestroyed:
      return true;
    default:
      return false;
  }
}

}  // namespace
}  // namespace hopwave::device

#define HW_RUNTIME(name) hip##name
#include "device/vendor_calls.h"

namespace hopwave::device {

/// Without peers, which were not tried here, and launches between events.
const Api* hip_api() {
  static constexpr Api api = [] {
    Api all = common_calls("hip");
    all.launch = launch;
    all.blocks_per_multiprocessor = blocks_per_multiprocessor;
    all.largest_cluster = largest_cluster;
    return all;
  }();
  return &api;
}

}  // namespace hopwave::device

#endif
