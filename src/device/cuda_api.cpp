// The device calls of CUDA's runtime. Compiled to nothing usable where the build has no CUDA.
// Memory comes from the stream-ordered pool, which keeps what is released; big copies in go through pinned memory.
#include "device/api.h"

#ifndef HOPWAVE_WITH_CUDA

namespace hopwave::device {
const Api* cuda_api() { return nullptr; }
}  // namespace hopwave::device

#else

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <unordered_map>
#include <utility>

#include "device/cuda_staging.h"

namespace hopwave::device {
namespace {

/// A stream with what belongs to it: staging memory for copies, and what kernels have been allowed.
struct Stream {
  static constexpr int most_copiers = 8;  // one host thread copies about 10 GB/s, the bus takes 55
  cudaStream_t stream = nullptr;
  Staging staging[most_copiers];
  struct Allowed {
    std::size_t shared_bytes = 0;
    bool wide_clusters = false;
  };
  std::unordered_map<const void*, Allowed> allowed;
};

Stream& of(StreamHandle handle) { return *static_cast<Stream*>(handle); }
cudaStream_t raw(StreamHandle handle) { return of(handle).stream; }

Status device_count(int* count) {
  *count = 0;
  return done(cudaGetDeviceCount(count));
}

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
  if (const Status s = done(cudaDriverGetVersion(&p->driver))) return s;
  return done(cudaRuntimeGetVersion(&p->runtime));
}

bool has_pool() {
  int device = 0;
  return done(cudaGetDevice(&device)) == 0 && attribute(cudaDevAttrMemoryPoolsSupported, device) != 0;
}

Status use(int device) {
  if (const Status s = done(cudaSetDevice(device))) return s;
  if (!has_pool()) return 0;
  cudaMemPool_t pool = nullptr;
  if (const Status s = done(cudaDeviceGetDefaultMemPool(&pool, device))) return s;
  std::uint64_t keep = UINT64_MAX;  // what is released stays in the pool: the next search gets it back at once
  return done(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
}

/// Free memory, with what the pool holds but nobody uses.
Status memory(std::uint64_t* free, std::uint64_t* total) {
  std::size_t f = 0, t = 0;
  if (const Status s = done(cudaMemGetInfo(&f, &t))) return s;
  *free = f;
  *total = t;
  int device = 0;
  cudaMemPool_t pool = nullptr;
  if (!has_pool() || done(cudaGetDevice(&device)) || done(cudaDeviceGetDefaultMemPool(&pool, device))) return 0;
  std::uint64_t reserved = 0, used = 0;
  if (done(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved)) ||
      done(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used)))
    return 0;
  *free += reserved - used;
  return 0;
}

Status allocate(void** p, std::size_t bytes, StreamHandle stream) {
  return done(has_pool() ? cudaMallocAsync(p, bytes, raw(stream)) : cudaMalloc(p, bytes));
}
Status release(void* p, StreamHandle stream) { return done(has_pool() ? cudaFreeAsync(p, raw(stream)) : cudaFree(p)); }
Status allocate_pinned(void** p, std::size_t bytes) { return done(cudaMallocHost(p, bytes)); }
Status release_pinned(void* p) { return done(cudaFreeHost(p)); }

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
Status copy(void* to, const void* from, std::size_t bytes, StreamHandle stream) {
  return done(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, raw(stream)));
}
Status fill(void* p, int byte, std::size_t bytes, StreamHandle stream) {
  return done(cudaMemsetAsync(p, byte, bytes, raw(stream)));
}

Status stream_create(StreamHandle* handle) {
  auto* s = new (std::nothrow) Stream;
  if (!s) return static_cast<Status>(cudaErrorMemoryAllocation);
  if (const Status e = done(cudaStreamCreateWithFlags(&s->stream, cudaStreamNonBlocking))) {
    delete s;
    return e;
  }
  *handle = s;
  return 0;
}

Status stream_destroy(StreamHandle handle) {
  Stream* s = &of(handle);
  Status first = 0;
  for (Staging& staging : s->staging)
    if (const Status e = destroy(staging); !first) first = e;
  if (const Status e = done(cudaStreamDestroy(s->stream)); !first) first = e;
  delete s;
  return first;
}

Status stream_wait(StreamHandle stream) { return done(cudaStreamSynchronize(raw(stream))); }
Status stream_done(StreamHandle stream, bool* is_done) {
  const cudaError_t e = cudaStreamQuery(raw(stream));
  *is_done = e == cudaSuccess;
  return done(e == cudaErrorNotReady ? cudaSuccess : e);
}

Status event_create(EventHandle* event) {
  cudaEvent_t e = nullptr;
  const Status s = done(cudaEventCreate(&e));
  *event = e;
  return s;
}
Status event_destroy(EventHandle event) { return done(cudaEventDestroy(static_cast<cudaEvent_t>(event))); }
Status event_record(EventHandle event, StreamHandle stream) {
  return done(cudaEventRecord(static_cast<cudaEvent_t>(event), raw(stream)));
}
Status event_wait(EventHandle event) { return done(cudaEventSynchronize(static_cast<cudaEvent_t>(event))); }
Status event_elapsed(float* milliseconds, EventHandle from, EventHandle to) {
  return done(cudaEventElapsedTime(milliseconds, static_cast<cudaEvent_t>(from), static_cast<cudaEvent_t>(to)));
}

constexpr std::size_t free_shared =
    32 * 1024;  // more than 48 KiB with the kernel's own arrays, and clusters of more than 8, must be asked for
constexpr std::uint32_t portable_cluster = 8;

/// What a kernel may have is the whole process's to say: a second plan that asks for less must not take it from the first.
/// So it only ever rises.
Status allow_shared(const void* kernel, std::size_t bytes) {
  if (bytes <= free_shared) return 0;
  static std::mutex mutex;
  static std::map<std::pair<int, const void*>, std::size_t> allowed;  // of each device's kernel
  int device = 0;
  if (const Status e = done(cudaGetDevice(&device))) return e;
  const std::lock_guard lock(mutex);
  std::size_t& most = allowed[{device, kernel}];
  if (bytes <= most) return 0;
  if (const Status e = done(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes))))
    return e;
  most = bytes;
  return 0;
}
Status allow_wide_clusters(const void* kernel) {
  return done(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
}

void* native_stream(StreamHandle stream) { return raw(stream); }

/// Once a kernel and stream, so that later launches cost nothing more.
Status allow(Stream& s, const LaunchShape& shape, const void* kernel) {
  if (shape.shared_bytes <= free_shared && shape.cluster <= portable_cluster) return 0;
  Stream::Allowed& allowed = s.allowed[kernel];
  if (shape.shared_bytes > std::max(allowed.shared_bytes, free_shared)) {
    if (const Status e = allow_shared(kernel, shape.shared_bytes)) return e;
    allowed.shared_bytes = shape.shared_bytes;
  }
  if (shape.cluster > portable_cluster && !allowed.wide_clusters) {
    if (const Status e = allow_wide_clusters(kernel)) return e;
    allowed.wide_clusters = true;
  }
  return 0;
}

Status launch(const LaunchShape& shape, const void* kernel, void** arguments, Thunk, StreamHandle stream) {
  Stream& s = of(stream);
  if (const Status e = allow(s, shape, kernel)) return e;
  cudaLaunchAttribute attributes[2];
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(shape.grid);
  config.blockDim = dim3(shape.block);
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = s.stream;
  config.attrs = attributes;
  if (shape.cooperative) {
    attributes[config.numAttrs].id = cudaLaunchAttributeCooperative;
    attributes[config.numAttrs++].val.cooperative = 1;
  }
  if (shape.cluster > 1) {
    attributes[config.numAttrs].id = cudaLaunchAttributeClusterDimension;
    attributes[config.numAttrs++].val.clusterDim = {shape.cluster, 1, 1};
  }
  return done(cudaLaunchKernelExC(&config, kernel, arguments));
}

/// A launch between two events as a graph, made when the same launch comes a second time.
struct Between {
  const void* kernel = nullptr;
  LaunchShape shape;
  bool unusable = false;  ///< this driver makes no such graphs
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaGraphNode_t node = nullptr;  ///< the launch

  Between() = default;
  Between(const Between&) = delete;
  Between& operator=(const Between&) = delete;
  ~Between() { clear(); }
  void clear() {
    if (exec) (void)done(cudaGraphExecDestroy(exec));
    if (graph) (void)done(cudaGraphDestroy(graph));
    exec = nullptr;
    graph = nullptr;
    node = nullptr;
  }
};

Status launch_and_record(EventHandle from, EventHandle to, const LaunchShape& shape, const void* kernel, void** arguments,
                         StreamHandle stream, unsigned flags) {
  const auto record = [&](EventHandle event) {
    return done(cudaEventRecordWithFlags(static_cast<cudaEvent_t>(event), raw(stream), flags));
  };
  if (const Status e = record(from)) return e;
  if (const Status e = launch(shape, kernel, arguments, nullptr, stream)) return e;
  return record(to);
}

/// The stream takes the calls down instead of doing them.
Status make_graph(Between& b, EventHandle from, EventHandle to, void** arguments, StreamHandle stream) {
  if (const Status e = done(cudaStreamBeginCapture(raw(stream), cudaStreamCaptureModeRelaxed))) return e;
  const Status taken = launch_and_record(from, to, b.shape, b.kernel, arguments, stream, cudaEventRecordExternal);
  const Status ended = done(cudaStreamEndCapture(raw(stream), &b.graph));
  if (taken != 0 || ended != 0) return taken != 0 ? taken : ended;
  cudaGraphNode_t nodes[3];
  std::size_t count = std::size(nodes);
  if (const Status e = done(cudaGraphGetNodes(b.graph, nodes, &count))) return e;
  for (std::size_t i = 0; i < count; ++i) {
    cudaGraphNodeType type{};
    if (const Status e = done(cudaGraphNodeGetType(nodes[i], &type))) return e;
    if (type == cudaGraphNodeTypeKernel) b.node = nodes[i];
  }
  return done(cudaGraphInstantiateWithFlags(&b.exec, b.graph, 0));
}

Status launch_between(void** kept, EventHandle from, EventHandle to, const LaunchShape& shape, const void* kernel,
                      void** arguments, Thunk, StreamHandle stream) {
  auto* b = static_cast<Between*>(*kept);
  if (!b) *kept = b = new (std::nothrow) Between;
  const bool again = b && b->kernel == kernel && b->shape == shape;
  if (b && !again) {
    b->clear();
    b->kernel = kernel;
    b->shape = shape;
  }
  if (again && !b->unusable && !b->exec) b->unusable = make_graph(*b, from, to, arguments, stream) != 0;
  if (!again || b->unusable) return launch_and_record(from, to, shape, kernel, arguments, stream, cudaEventRecordDefault);
  cudaKernelNodeParams launch{};
  launch.func = const_cast<void*>(kernel);
  launch.gridDim = dim3(shape.grid);
  launch.blockDim = dim3(shape.block);
  launch.sharedMemBytes = static_cast<unsigned>(shape.shared_bytes);
  launch.kernelParams = arguments;
  if (const Status e = done(cudaGraphExecKernelNodeSetParams(b->exec, b->node, &launch))) return e;
  return done(cudaGraphLaunch(b->exec, raw(stream)));
}
void forget_launch(void* kept) { delete static_cast<Between*>(kept); }

Status blocks_per_multiprocessor(int* blocks, const void* kernel, int block, std::size_t shared_bytes) {
  *blocks = 0;
  if (const Status e = allow_shared(kernel, shared_bytes)) return e;
  return done(cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, block, shared_bytes));
}

Status largest_cluster(int* blocks, const void* kernel, int wanted, int block, std::size_t shared_bytes) {
  *blocks = 0;
  if (const Status e = allow_shared(kernel, shared_bytes)) return e;
  if (wanted > static_cast<int>(portable_cluster))
    if (const Status e = allow_wide_clusters(kernel)) return e;
  int size = 1;
  while (size * 2 <= wanted) size *= 2;
  for (; size >= 1; size /= 2) {
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {static_cast<unsigned>(size), 1, 1};
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(size));
    config.blockDim = dim3(static_cast<unsigned>(block));
    config.dynamicSmemBytes = shared_bytes;
    config.attrs = &attribute;
    config.numAttrs = 1;
    int active = 0;
    const Status e = done(cudaOccupancyMaxActiveClusters(&active, kernel, &config));
    if (e == 0 && active > 0) {
      *blocks = size;
      return 0;
    }
    if (e != 0 && e != static_cast<Status>(cudaErrorInvalidClusterSize)) return e;  // that one only says: too large
  }
  return 0;
}

/// The runtime calls a driver that is not there an old one.
const char* message(Status status) {
  int driver = 0;
  if (status == cudaErrorInsufficientDriver && cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0)
    return "no NVIDIA driver is installed";
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

const Api* cuda_api() {
  static constexpr Api api = {.name = "cuda",
                              .device_count = device_count,
                              .properties = properties,
                              .use = use,
                              .memory = memory,
                              .allocate = allocate,
                              .release = release,
                              .allocate_pinned = allocate_pinned,
                              .release_pinned = release_pinned,
                              .copy_in = copy_in,
                              .copy_out = copy_out,
                              .copy = copy,
                              .fill = fill,
                              .stream_create = stream_create,
                              .stream_destroy = stream_destroy,
                              .stream_wait = stream_wait,
                              .stream_done = stream_done,
                              .event_create = event_create,
                              .event_destroy = event_destroy,
                              .event_record = event_record,
                              .event_wait = event_wait,
                              .event_elapsed = event_elapsed,
                              .launch = launch,
                              .launch_between = launch_between,
                              .forget_launch = forget_launch,
                              .blocks_per_multiprocessor = blocks_per_multiprocessor,
                              .largest_cluster = largest_cluster,
                              .schedule = nullptr,
                              .native_stream = native_stream,
                              .message = message,
                              .is_out_of_memory = is_out_of_memory,
                              .is_sticky = is_sticky};
  return &api;
}

}  // namespace hopwave::device

#endif
