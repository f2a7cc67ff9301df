#include "device/cuda_launch.h"

#ifdef HOPWAVE_WITH_CUDA

#include <cuda_runtime_api.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include "device/cuda_stream.h"

namespace hopwave::device::cuda {
namespace {

constexpr std::size_t free_shared =
    32 * 1024;  // more than 48 KiB with the kernel's own arrays, and clusters of more than 8, must be asked for
constexpr std::uint32_t portable_cluster = 8;

/// A kernel's limit of shared memory is one for the whole process. It only rises: a second plan that needs less must not lower
/// it for the first.
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

/// Once for each kernel and stream, so that later launches cost nothing more.
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

}  // namespace

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

namespace {

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

}  // namespace

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

}  // namespace hopwave::device::cuda

#endif
