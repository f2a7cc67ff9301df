// The kernel vocabulary on HIP, for AMD's GPUs: waves of 64 lanes that run in step, one barrier a block, no clusters.
// Words with a lane mask work on the lanes that are active, as HIP's intrinsics do; all lanes of the mask must be.
#pragma once

#include <hip/hip_runtime.h>
// After the runtime, on which it builds without saying so:
#include <hip/hip_cooperative_groups.h>

#include <cstdint>

#if defined(__HIP_PLATFORM_NVIDIA__) || defined(__HIP_PLATFORM_NVCC__)
// HIP over CUDA: device code is CUDA's, only the host side speaks HIP.
#include "device/kernel_cuda.h"
namespace hopwave::hip {
namespace dev = cuda::dev;
}
#else

#define HW_KERNEL __global__
#define HW_HEADER_KERNEL static __global__
#define HW_DEVICE __device__ __forceinline__
#define HW_BOUNDS(threads, blocks) __launch_bounds__(threads)
#define HW_UNROLL _Pragma("unroll")
#define HW_SHARED(T, name, count) __shared__ T name[count]
#define HW_DYNAMIC_SHARED(T, name)                                         \
  extern __shared__ __attribute__((aligned(16))) char hw_dynamic_shared[]; \
  T* name = reinterpret_cast<T*>(hw_dynamic_shared)
#define HW_SHARED_PARTS(T, name) HW_DYNAMIC_SHARED(T, name)
#define HW_BORDER(name) static_assert(true)
#define HW_CLOSE_BORDER(border) static_cast<void>(0)

namespace hopwave::hip::dev {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using LaneMask = u64;

#if defined(__AMDGCN_WAVEFRONT_SIZE)
inline constexpr u32 lanes = __AMDGCN_WAVEFRONT_SIZE;
#else
inline constexpr u32 lanes = 64;  // the host's pass; gfx9 has no other
#endif
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
HW_DEVICE LaneMask lanes_below() { return (LaneMask{1} << lane()) - 1; }

template <class T>
struct Same {
  using type = T;
};
template <class T>
using Value = typename Same<T>::type;  // not deduced: the pointer alone decides the type

template <class T>
HW_DEVICE T load(const T* p) {
  return __hip_atomic_load(const_cast<T*>(p), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <class T>
HW_DEVICE void store(T* p, Value<T> v) {
  __hip_atomic_store(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
HW_DEVICE u32 load_from_host(const u32* p) {
  return __hip_atomic_load(const_cast<u32*>(p), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
}
HW_DEVICE void store_for_host(u64* p, u64 v) { __hip_atomic_store(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM); }
template <class T>
HW_DEVICE T load_acquire(const T* p) {
  return __hip_atomic_load(const_cast<T*>(p), __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);
}
template <class T>
HW_DEVICE void store_release(T* p, Value<T> v) {
  __hip_atomic_store(p, v, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
}
template <class T>
HW_DEVICE T load_acquire_system(const T* p) {
  return __hip_atomic_load(const_cast<T*>(p), __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM);
}
template <class T>
HW_DEVICE void store_release_system(T* p, Value<T> v) {
  __hip_atomic_store(p, v, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM);
}
template <class T>
HW_DEVICE T load_peer(const T* p) {
  return __hip_atomic_load(const_cast<T*>(p), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
}
template <class T>
HW_DEVICE void store_peer(T* p, Value<T> v) {
  __hip_atomic_store(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
}
template <class T>
HW_DEVICE void add_release(T* p, Value<T> v) {
  __hip_atomic_fetch_add(p, v, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
}
template <class T>
HW_DEVICE T plain_read(const T* p) {
  return *p;
}
template <class T>
HW_DEVICE void plain_write(T* p, Value<T> v) {
  *p = v;
}
template <class T>
HW_DEVICE T peek(const T* p) {
  return *p;
}
template <class T>
HW_DEVICE T read_only(const T* p) {
  return *p;
}
template <class T>
HW_DEVICE T read_once(const T* p) {
  return *p;
}
template <class T>
HW_DEVICE T fetch_add(T* p, Value<T> v) {
  return __hip_atomic_fetch_add(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <class T>
HW_DEVICE T fetch_or(T* p, Value<T> v) {
  return __hip_atomic_fetch_or(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <class T>
HW_DEVICE T fetch_and(T* p, Value<T> v) {
  return __hip_atomic_fetch_and(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <class T>
HW_DEVICE T fetch_min(T* p, Value<T> v) {
  return __hip_atomic_fetch_min(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <class T>
HW_DEVICE T fetch_max(T* p, Value<T> v) {
  return __hip_atomic_fetch_max(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <class T>
HW_DEVICE T exchange(T* p, Value<T> v) {
  return __hip_atomic_exchange(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <class T>
HW_DEVICE T compare_exchange(T* p, Value<T> expected, Value<T> desired) {
  __hip_atomic_compare_exchange_strong(p, &expected, desired, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  return expected;
}
HW_DEVICE void fence() { __threadfence(); }

HW_DEVICE int popcount(u32 x) { return __popc(x); }
HW_DEVICE int popcount(u64 x) { return __popcll(x); }
HW_DEVICE int find_first_set(u32 x) { return static_cast<int>(__ffs(x)); }
HW_DEVICE int find_first_set(u64 x) { return static_cast<int>(__ffsll(static_cast<unsigned long long>(x))); }
HW_DEVICE int leading_zeros(u32 x) { return __clz(static_cast<int>(x)); }

HW_DEVICE LaneMask ballot(LaneMask mask, bool pred) { return __ballot(pred) & mask; }
HW_DEVICE bool any(LaneMask mask, bool pred) { return ballot(mask, pred) != 0; }
HW_DEVICE bool all(LaneMask mask, bool pred) { return ballot(mask, !pred) == 0; }
template <class T>
HW_DEVICE T shuffle(LaneMask, T v, u32 source) {
  return __shfl(v, static_cast<int>(source));
}
template <class T>
HW_DEVICE T shuffle_up(LaneMask, T v, u32 k) {
  return __shfl_up(v, k);
}
template <class T>
HW_DEVICE T shuffle_down(LaneMask, T v, u32 k) {
  return __shfl_down(v, k);
}
template <class T>
HW_DEVICE T shuffle_xor(LaneMask, T v, u32 k) {
  return __shfl_xor(v, static_cast<int>(k));
}
template <class T>
HW_DEVICE T reduce_add(LaneMask mask, T v) {
  if (mask == all_lanes) {
    for (u32 k = lanes / 2; k; k /= 2) v += shuffle_xor(mask, v, k);
    return v;
  }
  T sum{};
  for (LaneMask left = mask; left; left &= left - 1) sum += shuffle(mask, v, static_cast<u32>(find_first_set(left)) - 1);
  return sum;
}
// Lanes run in step; what is left to do is to keep the compiler and the memory in order.
HW_DEVICE void sync_warp(LaneMask = all_lanes) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

HW_DEVICE void sync_block() { __syncthreads(); }
HW_DEVICE u32 sync_block_count(bool pred) { return static_cast<u32>(__syncthreads_count(pred)); }
HW_DEVICE bool sync_block_or(bool pred) { return __syncthreads_or(pred) != 0; }
// There is one barrier a block: the first threads must be all.
inline constexpr bool part_barriers = false;
HW_DEVICE void sync_first(u32) { __syncthreads(); }

// A cluster is one block: kernels that use these words compile, and the host launches them as one block.
HW_DEVICE u32 cluster_rank() { return 0; }
HW_DEVICE u32 cluster_size() { return 1; }
HW_DEVICE u32 cluster_index() { return blockIdx.x; }
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
template <class T>
HW_DEVICE void copy_later(T* shared, const T* global) {
  *shared = *global;
}
HW_DEVICE void wait_copies() {}

HW_DEVICE void sync_grid() { cooperative_groups::this_grid().sync(); }
HW_DEVICE void pause() { __builtin_amdgcn_s_sleep(1); }
struct alignas(16) Quad {
  u32 x, y, z, w;
};
HW_DEVICE Quad read_stream(const Quad* p) { return *p; }
HW_DEVICE void write_stream(Quad* p, const Quad& q) { *p = q; }
template <class T>
HW_DEVICE void prefetch_far(const T*) {}  // no such instruction
HW_DEVICE void spin() {}
HW_DEVICE void pause_for_peer() {}
HW_DEVICE u64 clock_ns() { return __builtin_amdgcn_s_memrealtime() * 10; }  // ticks at 100 MHz
template <class T>
HW_DEVICE void prefetch(const T* p) {
  __builtin_prefetch(p);
}

}  // namespace hopwave::hip::dev

#endif
