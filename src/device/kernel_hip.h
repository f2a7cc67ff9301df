// The kernel vocabulary on HIP, for AMD's GPUs: waves of 64 lanes that run in step, one barrier per block, no clusters.
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

#define HW_VENDOR hip
#if defined(__AMDGCN_WAVEFRONT_SIZE)
#define HW_LANES __AMDGCN_WAVEFRONT_SIZE
#else
#define HW_LANES 64  // the host's pass; gfx9 has no other
#endif
#define HW_CLUSTERS 0
#include "device/kernel_gpu.h"

#define HW_BOUNDS(threads, blocks) __launch_bounds__(threads)

namespace hopwave::hip::dev {

HW_DEVICE LaneMask lanes_below() { return (LaneMask{1} << lane()) - 1; }

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

HW_DEVICE int find_first_set(u32 x) { return static_cast<int>(__ffs(x)); }
HW_DEVICE int find_first_set(u64 x) { return static_cast<int>(__ffsll(static_cast<unsigned long long>(x))); }

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

// There is one barrier per block: the first threads must be all.
inline constexpr bool part_barriers = false;
HW_DEVICE void sync_first(u32) { __syncthreads(); }

template <class T>
HW_DEVICE void copy_later(T* shared, const T* global) {
  *shared = *global;
}
HW_DEVICE void wait_copies() {}

HW_DEVICE void pause() { __builtin_amdgcn_s_sleep(1); }
HW_DEVICE Quad read_stream(const Quad* p) { return *p; }
HW_DEVICE void write_stream(Quad* p, const Quad& q) { *p = q; }
template <class T>
HW_DEVICE void prefetch_far(const T*) {}  // no such instruction
HW_DEVICE void pause_for_peer() {}
HW_DEVICE u64 clock_ns() { return __builtin_amdgcn_s_memrealtime() * 10; }  // ticks at 100 MHz
template <class T>
HW_DEVICE void prefetch(const T* p) {
  __builtin_prefetch(p);
}

}  // namespace hopwave::hip::dev

#endif
