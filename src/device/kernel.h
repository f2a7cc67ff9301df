// The words that kernels are written in: indices, shared arrays, memory accesses, atomics, warp, block, cluster and grid.
// One source compiles for CUDA (nvcc), HIP (hipcc) and the simulator (host compiler); only this folder knows which.
//
// HW_MACHINE names the machine that this file is compiled for: cuda, hip or sim. Everything that contains or launches a kernel
// is in hopwave::HW_MACHINE, so the two or three compilations of a file define different names and link into one library.
// - Not an inline namespace: hopwave::Graph and hopwave::cuda::engine::Graph would be ambiguous.
// - Not a template parameter: kernels would be dependent code, with `typename` and `template` in every line.
// - Not hidden objects or libraries apart: what both define weakly would still be merged, silently.
// Host code calls a machine's file through one function outside that namespace, HW_ON_MACHINE(name): name_cuda, name_hip or
// name_sim; a simulated object exports nothing else (scripts/layers --objects). Files of one machine, such as tests of the
// simulator in .cpp files, write hopwave::sim.
//
// Nothing here is the literal 32: a warp has dev::lanes lanes, and lane masks are 64 bits wide.
#pragma once

#include <cstdint>

#if defined(__CUDACC__) && !defined(HOPWAVE_HIP_NVIDIA)
#define HW_MACHINE cuda
#include "device/kernel_cuda.h"
#elif defined(__HIPCC__) || defined(HOPWAVE_HIP_NVIDIA)
#define HW_MACHINE hip
#include "device/kernel_hip.h"
#else
#define HW_MACHINE sim
#include "device/kernel_sim.h"
#endif

#include "device/check.h"

/// name_cuda, name_hip or name_sim.
#define HW_JOIN_NAMES(a, b) a##_##b
#define HW_JOIN_EXPANDED(a, b) HW_JOIN_NAMES(a, b)
#define HW_ON_MACHINE(name) HW_JOIN_EXPANDED(name, HW_MACHINE)

// What each mapping defines, in namespace hopwave::HW_MACHINE::dev unless it is a macro:
//
// HW_KERNEL                     before `void name(args)`: an entry point for device::launch
// HW_HEADER_KERNEL              the same in a header, for a kernel that is no template: several files may include it
// HW_DEVICE                     before a function that kernels call
// HW_BOUNDS(threads, blocks)    launch bounds, after HW_KERNEL and `void`-less: HW_KERNEL HW_BOUNDS(512, 2) void k(…). Begin
//                               the kernel with HW_CHECK(dev::block_size() <= threads): so the simulator learns of them
// HW_UNROLL                     before a loop of a few known rounds
// HW_CHECK(condition)           what the code relies on: checked in the simulator, and on a GPU with -DHOPWAVE_CHECKS=ON
// (check.h) HW_SHARED(T, name, count)     T name[count] in shared memory, uninitialised (the simulator fills it with rubbish)
// HW_DYNAMIC_SHARED(T, name)    T* name: the launch's dynamic shared memory, if it is one array
// HW_SHARED_PARTS(T, name)      the same if it is several: a pointer to count from. What is read and written are its parts:
// T* shared_part(p, count)      count elements from p on, a part that overlaps no other. The same pointer on a GPU; in the
//                               simulator another place, with poison on both sides
//                               (shared_layout.h: parts that change from step to step)
// HW_BORDER(name);              between members of a struct in shared memory: nothing on a GPU; bytes in the simulator, which
// HW_CLOSE_BORDER(s.name)       poisons, for as long as the block lives. One thread does, before a barrier of the block
//
// u32 thread(), block(), block_size(), grid_size()       one-dimensional indices and extents
// u32 global_thread(), global_threads(); u32 lane(), warp(), warps()     warp(): of this thread in its block
// constexpr u32 lanes; using LaneMask = u64; constexpr LaneMask all_lanes; LaneMask lanes_below()
//
// T load(p), void store(p, v)                 relaxed, device scope: seen by all threads eventually, order nothing
// T load_acquire(p), void store_release(p, v) device scope, ordering
// void store_for_host(p, v)                   8 bytes of pinned host memory that the host watches: relaxed, whole system
// u32 load_from_host(p)                       a word of pinned host memory that the host may change during the launch: relaxed
// void add_release(p, v)                      store_release for an atomic sum
// T load_acquire_system(p), void store_release_system(p, v)      the same among all devices of the host: what the writer's
//     device did before, as far as its barriers order it, is seen by the thread that acquired the value, and after its barriers
// T load_peer(p), void store_peer(p, v)       a word of 4 or 8 bytes in memory of another device, or of this one: relaxed,
//     whole system. Memory that Device::allocate_for_peers() gave, of a device that this one reaches (Device::reach())
// T peek(p)                                   a read that may be stale (from L1); for pre-checks that an atomic decides. As
//     wide as every concurrent write: other widths race outside the memory model
// T read_only(p)                              memory that no thread writes during the launch
// T read_once(p)                              the same, and not worth keeping in cache
// Quad read_stream(p), void write_stream(p, q)   four words at a time, once from end to end: leave the caches first
// T plain_read(p), void plain_write(p, v)      *p and *p = v, which no other thread does meanwhile; the simulator counts them
// T fetch_add/fetch_or/fetch_and/fetch_min/fetch_max/exchange(p, v)      relaxed; on shared or global memory
// T compare_exchange(p, expected, desired)    returns the old value
// void fence()                                orders this thread's accesses for the whole device
//
// LaneMask ballot(mask, pred); bool any(mask, pred), all(mask, pred); T shuffle(mask, v, lane),
// shuffle_up/shuffle_down/shuffle_xor(mask, v, k); T reduce_add(mask, v); void sync_warp(mask = all_lanes)
//     `mask` names the lanes that take part, all of which must call; only sync_warp orders memory. reduce_add of other types
//     than integers of four bytes needs all lanes of a full warp
// void sync_block(); bool sync_block_or(pred)
// void sync_first(threads)                    a barrier of the block's first so many threads: whole warps, at least one
//     The others may wait at sync_block() or have returned. constexpr bool part_barriers: if false, all threads take part
// u32 cluster_rank(), cluster_size(); void sync_cluster(); T* cluster_map(T* shared, rank)
// void sync_grid()                            cooperative launches only
// void arrive_cluster(), wait_cluster()       sync_cluster() in two parts, with work between them
// struct Inbox; void open_inbox(box, bytes)   in shared memory: one thread opens it, before a barrier of the cluster
//     Every round takes so many bytes
// void send(to, value, box, rank)             8 or 16 bytes to the place `to` of a block of the cluster, which has two at least
//     `box` there counts the bytes
// void await_sends(box, round)                the whole block: until the round's bytes are all there and visible
//     Rounds go one after the other; no block may send for the next one before this block has them all
// void copy_later(shared, global), wait_copies()   an asynchronous copy of 4 or 16 bytes by one thread; others see them
//     after wait_copies() and a block barrier
// void pause(), spin()                        in every loop that waits for another thread; spin() where each nanosecond counts
// void pause_for_peer()                       in every loop that waits for another device
// void prefetch(p), prefetch_far(p)           memory that this multiprocessor, or some other, will read soon
// struct Quad {x, y, z, w}                    four 32-bit words moved by one access
// u64 clock_ns()                              for traces; 0 in the simulator
// int popcount(u32|u64), find_first_set(u32|u64) (1-based, 0: none), leading_zeros(u32)
