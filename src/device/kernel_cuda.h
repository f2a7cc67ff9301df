// The kernel vocabulary on CUDA: each word is one intrinsic or one cooperative-groups call.
// Atomics are CUDA's own built-ins (relaxed, device scope), which nvcc turns into RED where the result is unused.
#pragma once

#include <cooperative_groups.h>

#include <cstdint>
#include <cuda/atomic>
#include <type_traits>

#define HW_VENDOR cuda
#define HW_LANES 32
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define HW_CLUSTERS 1
#else
#define HW_CLUSTERS 0
#endif
#include "device/kernel_gpu.h"

#define HW_BOUNDS(threads, blocks) __launch_bounds__(threads, blocks)

namespace hopwave::cuda::dev {

HW_DEVICE LaneMask lanes_below() { return (1u << lane()) - 1u; }

template <class T>
using Scoped = ::cuda::atomic_ref<T, ::cuda::thread_scope_device>;

// Words of one or two bytes go through volatile, which CUDA makes relaxed: libcu++ would build them from a loop of CAS.
template <class T>
HW_DEVICE T load(const T* p) {
  if constexpr (sizeof(T) < 4) {
    return *const_cast<const volatile T*>(p);
  } else {
    return Scoped<T>(*const_cast<T*>(p)).load(::cuda::memory_order_relaxed);
  }
}
template <class T>
HW_DEVICE void store(T* p, T v) {
  // libcu++ makes a compare-and-swap loop of a byte's store; the machine has a plain instruction for it.
  if constexpr (sizeof(T) == 1)
    asm volatile("st.relaxed.gpu.u8 [%0], %1;" ::"l"(p), "r"(static_cast<u32>(v)) : "memory");
  else
    Scoped<T>(*p).store(v, ::cuda::memory_order_relaxed);
}
HW_DEVICE u32 load_from_host(const u32* p) {
  u32 v;
  asm volatile("ld.relaxed.sys.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
HW_DEVICE void store_for_host(u64* p, u64 v) { asm volatile("st.relaxed.sys.u64 [%0], %1;" ::"l"(p), "l"(v) : "memory"); }
template <class T>
HW_DEVICE T load_acquire(const T* p) {
  return Scoped<T>(*const_cast<T*>(p)).load(::cuda::memory_order_acquire);
}
template <class T>
HW_DEVICE void store_release(T* p, T v) {
  Scoped<T>(*p).store(v, ::cuda::memory_order_release);
}
template <class T>
using SystemScoped = ::cuda::atomic_ref<T, ::cuda::thread_scope_system>;
template <class T>
HW_DEVICE T load_acquire_system(const T* p) {
  return SystemScoped<T>(*const_cast<T*>(p)).load(::cuda::memory_order_acquire);
}
template <class T>
HW_DEVICE void store_release_system(T* p, T v) {
  SystemScoped<T>(*p).store(v, ::cuda::memory_order_release);
}
template <class T>
HW_DEVICE T load_peer(const T* p) {
  return SystemScoped<T>(*const_cast<T*>(p)).load(::cuda::memory_order_relaxed);
}
template <class T>
HW_DEVICE void store_peer(T* p, T v) {
  SystemScoped<T>(*p).store(v, ::cuda::memory_order_relaxed);
}
// Of global memory. libcu++ does not know that the old value is not needed, and waits for it.
HW_DEVICE void add_release(u64* p, u64 v) {
  asm volatile("red.release.gpu.global.add.u64 [%0], %1;" ::"l"(__cvta_generic_to_global(p)), "l"(v) : "memory");
}
// Weak (LDG.E), which L1 may answer: the optimiser may not merge it over a barrier or an atomic, which is all that is wanted. A
// relaxed load is LD.E.STRONG.GPU, past L1 to L2 each time, and no LDS of shared memory either. Together with atomics this is a
// race to the PTX memory model, whose axioms hold all the same as long as both are of one width (PTX ISA, "Limitations on
// mixed-size data-races"): the value is one that the word had. The simulator checks the width and gives stale values.
template <class T>
HW_DEVICE T peek(const T* p) {
  return *p;
}
template <class T>
HW_DEVICE T read_only(const T* p) {
  return __ldg(p);
}
template <class T>
HW_DEVICE T read_once(const T* p) {
  return __ldcs(p);
}
HW_DEVICE Quad read_only(const Quad* p) {
  const uint4 q = __ldg(reinterpret_cast<const uint4*>(p));
  return {q.x, q.y, q.z, q.w};
}
HW_DEVICE Quad read_once(const Quad* p) {  // takes no line of L1, which __ldcs does
  Quad q;
  asm("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(q.x), "=r"(q.y), "=r"(q.z), "=r"(q.w) : "l"(p));
  return q;
}

HW_DEVICE Quad read_stream(const Quad* p) {
  const uint4 q = __ldcs(reinterpret_cast<const uint4*>(p));
  return {q.x, q.y, q.z, q.w};
}
HW_DEVICE void write_stream(Quad* p, const Quad& q) { __stcs(reinterpret_cast<uint4*>(p), make_uint4(q.x, q.y, q.z, q.w)); }

namespace detail {
// CUDA's atomics take `unsigned long long`, which is another type than std::uint64_t on LP64.
template <class T>
struct Native {
  using type = T;
};
template <>
struct Native<unsigned long> {
  using type = unsigned long long;
};
template <>
struct Native<long> {
  using type = long long;
};
template <class T>
HW_DEVICE typename Native<T>::type* native(T* p) {
  return reinterpret_cast<typename Native<T>::type*>(p);
}
}  // namespace detail

template <class T>
HW_DEVICE T fetch_add(T* p, Value<T> v) {
  return static_cast<T>(atomicAdd(detail::native(p), v));
}
template <class T>
HW_DEVICE T fetch_or(T* p, Value<T> v) {
  return static_cast<T>(atomicOr(detail::native(p), v));
}
template <class T>
HW_DEVICE T fetch_and(T* p, Value<T> v) {
  return static_cast<T>(atomicAnd(detail::native(p), v));
}
template <class T>
HW_DEVICE T fetch_min(T* p, Value<T> v) {
  return static_cast<T>(atomicMin(detail::native(p), v));
}
template <class T>
HW_DEVICE T fetch_max(T* p, Value<T> v) {
  return static_cast<T>(atomicMax(detail::native(p), v));
}
template <class T>
HW_DEVICE T exchange(T* p, Value<T> v) {
  return static_cast<T>(atomicExch(detail::native(p), v));
}
template <class T>
HW_DEVICE T compare_exchange(T* p, Value<T> expected, Value<T> desired) {
  return static_cast<T>(atomicCAS(detail::native(p), expected, desired));
}

HW_DEVICE LaneMask ballot(LaneMask mask, bool pred) { return __ballot_sync(static_cast<u32>(mask), pred); }
HW_DEVICE bool any(LaneMask mask, bool pred) { return __any_sync(static_cast<u32>(mask), pred); }
HW_DEVICE bool all(LaneMask mask, bool pred) { return __all_sync(static_cast<u32>(mask), pred); }
template <class T>
HW_DEVICE T shuffle(LaneMask mask, T v, u32 source) {
  return __shfl_sync(static_cast<u32>(mask), v, static_cast<int>(source));
}
template <class T>
HW_DEVICE T shuffle_up(LaneMask mask, T v, u32 k) {
  return __shfl_up_sync(static_cast<u32>(mask), v, k);
}
template <class T>
HW_DEVICE T shuffle_down(LaneMask mask, T v, u32 k) {
  return __shfl_down_sync(static_cast<u32>(mask), v, k);
}
template <class T>
HW_DEVICE T shuffle_xor(LaneMask mask, T v, u32 k) {
  return __shfl_xor_sync(static_cast<u32>(mask), v, static_cast<int>(k));
}
template <class T>
HW_DEVICE T reduce_add(LaneMask mask, T v) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  constexpr bool at_once = std::is_integral_v<T> && sizeof(T) == 4;
#else
  constexpr bool at_once = false;
#endif
  if constexpr (at_once) {
    return static_cast<T>(__reduce_add_sync(static_cast<u32>(mask), static_cast<u32>(v)));
  } else {
    for (u32 k = lanes / 2; k; k /= 2) v += shuffle_xor(mask, v, k);  // full masks only: the simulator refuses others
    return v;
  }
}
HW_DEVICE void sync_warp(LaneMask mask = all_lanes) { __syncwarp(static_cast<u32>(mask)); }

inline constexpr bool part_barriers = true;
HW_DEVICE void sync_first(u32 threads) { asm volatile("bar.sync 1, %0;" ::"r"(threads) : "memory"); }

#if HW_CLUSTERS
HW_DEVICE u32 cluster_rank() { return cooperative_groups::this_cluster().block_rank(); }
HW_DEVICE u32 cluster_size() { return cooperative_groups::this_cluster().num_blocks(); }
HW_DEVICE void sync_cluster() { cooperative_groups::this_cluster().sync(); }
template <class T>
HW_DEVICE T* cluster_map(T* shared, u32 rank) {
  return cooperative_groups::this_cluster().map_shared_rank(shared, rank);
}
HW_DEVICE void arrive_cluster() { cooperative_groups::this_cluster().barrier_arrive(); }
HW_DEVICE void wait_cluster() { cooperative_groups::this_cluster().barrier_wait(); }
#endif

HW_DEVICE void pause() { __nanosleep(20); }
HW_DEVICE void pause_for_peer() {}  // a peer's word arrives in less time than the shortest sleep takes
HW_DEVICE u64 clock_ns() {
  u64 t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}
template <class T>
HW_DEVICE void prefetch(const T* p) {
  asm volatile("prefetch.global.L1 [%0];" ::"l"(p));
}
template <class T>
HW_DEVICE void prefetch_far(const T* p) {
  asm volatile("prefetch.global.L2 [%0];" ::"l"(p));
}

// Sends between blocks of a cluster: a transaction barrier counts their bytes, so that no fence is needed before or after them.
#if HW_CLUSTERS
struct alignas(8) Inbox {
  u64 barrier;
  u64 bytes;
};
HW_DEVICE u32 shared_address(const void* p) { return static_cast<u32>(__cvta_generic_to_shared(p)); }
HW_DEVICE void expect_sends(Inbox* box) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&box->barrier)),
               "r"(static_cast<u32>(box->bytes))
               : "memory");
}
HW_DEVICE void open_inbox(Inbox* box, u32 bytes) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&box->barrier)) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  box->bytes = bytes;
  expect_sends(box);
}
template <class T>
HW_DEVICE void send(T* to, const T& value, Inbox* box, u32 rank) {
  static_assert(sizeof(T) == 8 || sizeof(T) == 16);
  u32 there, bell;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared_address(to)), "r"(rank));
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(bell) : "r"(shared_address(&box->barrier)), "r"(rank));
  const u32* word = reinterpret_cast<const u32*>(&value);
  if constexpr (sizeof(T) == 16)
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.u32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(there),
                 "r"(word[0]), "r"(word[1]), "r"(word[2]), "r"(word[3]), "r"(bell)
                 : "memory");
  else
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [%0], {%1, %2}, [%3];" ::"r"(there),
                 "r"(word[0]), "r"(word[1]), "r"(bell)
                 : "memory");
}
HW_DEVICE void await_sends(Inbox* box, u32 round) {
  u32 done = 0;
  while (!done)
    asm volatile(
        "{\n.reg .pred p;\n"
        "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
        "selp.u32 %0, 1, 0, p;\n}"
        : "=r"(done)
        : "r"(shared_address(&box->barrier)), "r"(round & 1)
        : "memory");
  if (threadIdx.x == 0) expect_sends(box);
}
#endif

// Copies into shared memory that the thread does not wait for.
template <class T>
HW_DEVICE void copy_later(T* shared, const T* global) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 16);
  const u32 to = static_cast<u32>(__cvta_generic_to_shared(shared));
  if constexpr (sizeof(T) == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(global) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(global) : "memory");
}
HW_DEVICE void wait_copies() { asm volatile("cp.async.wait_all;" ::: "memory"); }

HW_DEVICE int find_first_set(u32 x) { return __ffs(static_cast<int>(x)); }
HW_DEVICE int find_first_set(u64 x) { return __ffsll(static_cast<long long>(x)); }

}  // namespace hopwave::cuda::dev
