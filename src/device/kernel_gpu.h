// The words that CUDA and HIP spell alike. kernel_cuda.h and kernel_hip.h include it, each for its own namespace
// HW_VENDOR::dev, and define before: HW_VENDOR; HW_LANES, the lanes of a warp; HW_CLUSTERS, 1 where blocks can be a cluster,
// else 0.
#pragma once

#include <cstdint>

#define HW_KERNEL __global__
#define HW_HEADER_KERNEL static __global__
#define HW_DEVICE __device__ __forceinline__
#define HW_UNROLL _Pragma("unroll")
#define HW_SHARED(T, name, count) __shared__ T name[count]
#define HW_DYNAMIC_SHARED(T, name)                                         \
  extern __shared__ __attribute__((aligned(16))) char hw_dynamic_shared[]; \
  T* name = reinterpret_cast<T*>(hw_dynamic_shared)
#define HW_SHARED_PARTS(T, name) HW_DYNAMIC_SHARED(T, name)
#define HW_BORDER(name) static_assert(true)
#define HW_CLOSE_BORDER(border) static_cast<void>(0)

namespace hopwave::HW_VENDOR::dev {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using LaneMask = u64;

inline constexpr u32 lanes = HW_LANES;
inline constexpr LaneMask all_lanes = ~LaneMask{0} >> (64 - lanes);

template <class T>
HW_DEVICE T* shared_part(T* p, u64) {
  return p;
}

HW_DEVICE u32 thread() { return threadIdx.x; }
HW_DEVICE u32 block() { return blockIdx.x; }
HW_DEVICE u32 block_size() { return blockDim.x; }
HW_DEVICE u32 grid_size() { return gridDim.x; }
HW_DEVICE u32 global_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }
HW_DEVICE u32 global_threads() { return gridDim.x * blockDim.x; }
HW_DEVICE u32 lane() { return threadIdx.x % lanes; }
HW_DEVICE u32 warp() { return threadIdx.x / lanes; }
HW_DEVICE u32 warps() { return (blockDim.x + lanes - 1) / lanes; }

template <class T>
struct Same {
  using type = T;
};
template <class T>
using Value = typename Same<T>::type;  // not deduced: the pointer alone decides the type

struct alignas(16) Quad {
  u32 x, y, z, w;
};

template <class T>
HW_DEVICE T plain_read(const T* p) {
  return *p;
}
template <class T>
HW_DEVICE void plain_write(T* p, Value<T> v) {
  *p = v;
}
HW_DEVICE void fence() { __threadfence(); }

HW_DEVICE void sync_block() { __syncthreads(); }
HW_DEVICE bool sync_block_or(bool pred) { return __syncthreads_or(pred) != 0; }
HW_DEVICE void sync_grid() { cooperative_groups::this_grid().sync(); }
HW_DEVICE void spin() {}

HW_DEVICE int popcount(u32 x) { return __popc(x); }
HW_DEVICE int popcount(u64 x) { return __popcll(x); }
HW_DEVICE int leading_zeros(u32 x) { return __clz(static_cast<int>(x)); }

// Without clusters a cluster is one block: kernels that use these words compile, and the host launches them as one block.
#if !HW_CLUSTERS
HW_DEVICE u32 cluster_rank() { return 0; }
HW_DEVICE u32 cluster_size() { return 1; }
HW_DEVICE void sync_cluster() { __syncthreads(); }
HW_DEVICE void arrive_cluster() { __syncthreads(); }
HW_DEVICE void wait_cluster() {}
template <class T>
HW_DEVICE T* cluster_map(T* shared, u32) {
  return shared;
}
struct Inbox {
  u64 bytes;
};
HW_DEVICE void open_inbox(Inbox*, u32) {}
template <class T>
HW_DEVICE void send(T* to, const T& value, Inbox*, u32) {
  *to = value;
}
HW_DEVICE void await_sends(Inbox*, u32) { __syncthreads(); }
#endif

}  // namespace hopwave::HW_VENDOR::dev
