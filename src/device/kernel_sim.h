// The kernel vocabulary in the simulator: each GPU thread is a fiber on the CPU, and each word below is a call of
// src/simulator. Memory words are relaxed atomics with a point where the thread may be interrupted; read_only and plain
// accesses stay plain, so that sanitizers judge them as written.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/clock.h"
#include "simulator/memcheck.h"
#include "simulator/memory.h"
#include "simulator/words.h"

#define HW_KERNEL
#define HW_HEADER_KERNEL inline
#define HW_DEVICE inline
#define HW_BOUNDS(threads, blocks)
#define HW_UNROLL
// The address of a static, one for each declaration (and for each instance of a template), names the array.
#define HW_SHARED(T, name, count) \
  static char hw_key_of_##name;   \
  T(&name)                        \
  [count] = *static_cast<T(*)[count]>(::hopwave::sim::shared_array(&hw_key_of_##name, #name, sizeof(T[count]), alignof(T)))
#define HW_DYNAMIC_SHARED(T, name)                                                             \
  static_assert(alignof(T) <= 16, "dynamic shared memory is aligned to 16 bytes and no more"); \
  T* name = static_cast<T*>(::hopwave::sim::dynamic_shared())
#define HW_SHARED_PARTS(T, name)                                                               \
  static_assert(alignof(T) <= 16, "dynamic shared memory is aligned to 16 bytes and no more"); \
  T* name = static_cast<T*>(::hopwave::sim::parts_of_shared())
#define HW_BORDER(name) ::hopwave::sim::Border name
#define HW_CLOSE_BORDER(border) ::hopwave::sim::close_border(border)

namespace hopwave::sim::dev {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using LaneMask = u64;

inline constexpr u32 lanes = sim::lanes;
inline constexpr LaneMask all_lanes = ~LaneMask{0} >> (64 - lanes);

template <class T>
T* shared_part(T* p, u64 count, u32 layout = 0, const SourceLocation& at = SourceLocation::current()) {
  return static_cast<T*>(sim::shared_part(p, count * sizeof(T), layout, at));
}
inline void shared_layout(u32 layout, const SourceLocation& at = SourceLocation::current()) { sim::shared_layout(layout, at); }
template <class T>
T* start_of_shared(T*) {
  return static_cast<T*>(sim::parts_of_shared());
}

inline u32 thread() { return self().thread; }
inline u32 block() { return self().block; }
inline u32 block_size() { return self().block_size; }
inline u32 grid_size() { return self().grid_size; }
inline u32 global_thread() { return self().block * self().block_size + self().thread; }
inline u32 global_threads() { return self().grid_size * self().block_size; }
inline u32 lane() { return self().lane; }
inline u32 warp() { return self().warp; }
inline u32 warps() { return (self().block_size + lanes - 1) / lanes; }
inline LaneMask lanes_below() { return (LaneMask{1} << lane()) - 1; }

template <class T>
struct Same {
  using type = T;
};
template <class T>
using Value = typename Same<T>::type;  // not deduced: the pointer alone decides the type

using Place = SourceLocation;

// What CUDA's instructions take; the rest does not compile for a GPU either.
template <class T>
concept Number = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;
template <class T>
concept Signed64 = std::is_same_v<T, std::int64_t>;  // CUDA has its minimum and maximum alone
template <class T>
concept Bits = std::is_integral_v<T> &&(sizeof(T) == 4 || sizeof(T) == 8) && !Signed64<T>;

namespace detail {
template <class T>
u64 to_bits(T v) {
  static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>);
  u64 bits = 0;
  std::memcpy(&bits, &v, sizeof(T));
  return bits;
}
template <class T>
T from_bits(u64 bits) {
  T v;
  std::memcpy(&v, &bits, sizeof(T));
  return v;
}
/// The bits of a level that is unreached.
template <class T>
constexpr u64 all_ones() {
  return ~u64{0} >> (64 - 8 * sizeof(T));
}
/// A plain access of any size. Of more than eight bytes the first eight are compared.
template <class T>
void raced_plainly(const T* p, Touch touch, const T& now, const Place& at) {
  u64 old = 0, bits = 0;
  std::memcpy(&old, p, std::min(sizeof(T), sizeof(u64)));
  std::memcpy(&bits, &now, std::min(sizeof(T), sizeof(u64)));
  raced(p, sizeof(T), touch, old, bits, at);
}
template <class T>
std::atomic_ref<T> atomic(const T* p, const Place& at) {
  step();
  need_aligned(p, sizeof(T), at);
  return std::atomic_ref<T>(*const_cast<T*>(p));
}
/// Stores what `change` makes of the old value, which it returns.
template <class T, class Change>
T modify(T* p, const Place& at, Change change, std::memory_order order = std::memory_order_relaxed) {
  auto a = atomic(p, at);
  T old = a.load(std::memory_order_relaxed), changed = change(old);
  if (memcheck::active) {
    a.store(changed, order);  // a comparison would read a value that may not be written yet
  } else {
    while (!a.compare_exchange_weak(old, changed, order, std::memory_order_relaxed)) changed = change(old);
  }
  const u64 before = to_bits(old), now = to_bits(changed);
  if (is_raced())
    raced(p, sizeof(T), order == std::memory_order_release ? Touch::release_atomic : Touch::atomic, before, now, at);
  if (is_weak()) modified_weakly(p, sizeof(T), before, now, order == std::memory_order_release);
  if (is_counted()) counted(p, sizeof(T), Access::atomic, before != now && now != all_ones<T>(), at);
  wrote(p, sizeof(T), before, now, at);
  return old;
}
template <class T>
void put(T* p, T v, const Place& at, std::memory_order order) {
  auto a = atomic(p, at);
  const u64 old = to_bits(a.load(std::memory_order_relaxed));
  u64 now = to_bits(v);
  if (is_raced()) raced(p, sizeof(T), order == std::memory_order_release ? Touch::release : Touch::atomic_write, old, now, at);
  if (is_weak()) now = stored_weakly(p, sizeof(T), old, now, order == std::memory_order_release);
  if (is_counted()) counted(p, sizeof(T), Access::write, old != now && now != all_ones<T>(), at);
  a.store(from_bits<T>(now), order);
  wrote(p, sizeof(T), old, now, at);
}
template <class T>
T get(const T* p, const Place& at, std::memory_order order) {
  const T v = atomic(p, at).load(order);
  saw(p);
  if (is_raced()) {
    const u64 bits = to_bits(v);
    raced(p, sizeof(T), order == std::memory_order_acquire ? Touch::acquire : Touch::atomic_read, bits, bits, at);
  }
  if (is_counted()) counted(p, sizeof(T), Access::read, false, at);
  return is_weak() ? from_bits<T>(loaded_weakly(p, sizeof(T), to_bits(v), order == std::memory_order_acquire)) : v;
}
}  // namespace detail

template <class T>
T load(const T* p, const Place& at = Place::current()) {
  return detail::get(p, at, std::memory_order_relaxed);
}
template <class T>
void store(T* p, Value<T> v, const Place& at = Place::current()) {
  detail::put<T>(p, v, at, std::memory_order_relaxed);
}
/// The host writes it while the kernel runs, and nothing else hangs on it: no race to look for, no view to keep.
inline u32 load_from_host(const u32* p, const Place& at = Place::current()) {
  core::look_at(p);
  return detail::atomic(p, at).load(std::memory_order_relaxed);
}
inline void store_for_host(u64* p, u64 v, const Place& at = Place::current()) {
  need_global(p, sizeof(u64), at);
  store(p, v, at);
}
template <class T>
T load_acquire(const T* p, const Place& at = Place::current()) {
  const T v = detail::get(p, at, std::memory_order_acquire);
  acquired();
  return v;
}
template <class T>
void store_release(T* p, Value<T> v, const Place& at = Place::current()) {
  detail::put<T>(p, v, at, std::memory_order_release);
}
// Devices have nothing in common but this memory. Each has a memory model of its own, and what a peer changes is seen as it is.
template <class T>
T load_acquire_system(const T* p, const Place& at = Place::current()) {
  need_reach(p, sizeof(T), false, at);
  const T v = detail::get(p, at, std::memory_order_acquire);
  acquired();
  if (is_raced()) ordered_by_peer();
  return v;
}
template <class T>
void store_release_system(T* p, Value<T> v, const Place& at = Place::current()) {
  need_reach(p, sizeof(T), true, at);
  detail::atomic(p, at).store(v, std::memory_order_release);
}
template <class T>
T load_peer(const T* p, const Place& at = Place::current()) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  need_reach(p, sizeof(T), false, at);
  return detail::atomic(p, at).load(std::memory_order_relaxed);
}
template <class T>
void store_peer(T* p, Value<T> v, const Place& at = Place::current()) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  need_reach(p, sizeof(T), true, at);
  detail::atomic(p, at).store(v, std::memory_order_relaxed);
}
inline void add_release(u64* p, u64 v, const Place& at = Place::current()) {
  need_global(p, sizeof(u64), at);
  detail::modify(
      p, at, [&](u64 old) { return old + v; }, std::memory_order_release);
}
template <class T>
T peek(const T* p, const Place& at = Place::current()) {
  const T v = detail::atomic(p, at).load(std::memory_order_relaxed);
  if (is_raced()) raced(p, sizeof(T), Touch::atomic_read, detail::to_bits(v), detail::to_bits(v), at);
  if (is_counted()) counted(p, sizeof(T), Access::read, false, at);
  const u64 stale = peeked(p, sizeof(T), detail::to_bits(v), at);
  return detail::from_bits<T>(is_weak() ? loaded_weakly(p, sizeof(T), detail::to_bits(v), false) : stale);
}
template <class T>
T read_only(const T* p, const Place& at = Place::current()) {
  need_global(p, sizeof(T), at);
  read_for_good(p, sizeof(T), at);
  if (is_counted()) counted(p, sizeof(T), Access::read, false, at);
  return *p;
}
template <class T>
T read_once(const T* p, const Place& at = Place::current()) {
  return read_only(p, at);
}
struct alignas(16) Quad {
  u32 x, y, z, w;
};
inline Quad read_stream(const Quad* p, const Place& at = Place::current()) {
  need_global(p, sizeof(Quad), at);
  if (is_raced()) detail::raced_plainly(p, Touch::read, *p, at);
  if (is_counted()) counted(p, sizeof(Quad), Access::read, false, at);
  return *p;
}
inline void write_stream(Quad* p, const Quad& q, const Place& at = Place::current()) {
  need_global(p, sizeof(Quad), at);
  if (is_raced()) detail::raced_plainly(p, Touch::write, q, at);
  if (is_counted()) counted_write(p, sizeof(Quad), &q, at);
  *p = q;
  wrote(p, sizeof(Quad), 0, 0, at);
}
template <class T>
T plain_read(const T* p, const Place& at = Place::current()) {
  if (is_raced()) detail::raced_plainly(p, Touch::read, *p, at);
  if (is_counted()) counted(p, sizeof(T), Access::read, false, at);
  return *p;
}
template <class T>
void plain_write(T* p, const Value<T>& v, const Place& at = Place::current()) {
  if (is_raced()) detail::raced_plainly(p, Touch::write, v, at);
  if (is_counted()) counted_write(p, sizeof(T), &v, at);
  *p = v;
}
template <Bits T>
T fetch_add(T* p, Value<T> v, const Place& at = Place::current()) {
  return detail::modify(p, at, [&](T old) { return static_cast<T>(old + v); });
}
template <Bits T>
T fetch_or(T* p, Value<T> v, const Place& at = Place::current()) {
  return detail::modify(p, at, [&](T old) { return static_cast<T>(old | v); });
}
template <Bits T>
T fetch_and(T* p, Value<T> v, const Place& at = Place::current()) {
  return detail::modify(p, at, [&](T old) { return static_cast<T>(old & v); });
}
template <class T>
requires Bits<T> || Signed64<T> T fetch_min(T* p, Value<T> v, const Place& at = Place::current()) {
  return detail::modify(p, at, [&](T old) { return v < old ? v : old; });
}
template <class T>
requires Bits<T> || Signed64<T> T fetch_max(T* p, Value<T> v, const Place& at = Place::current()) {
  return detail::modify(p, at, [&](T old) { return v > old ? v : old; });
}
template <Bits T>
T exchange(T* p, Value<T> v, const Place& at = Place::current()) {
  return detail::modify(p, at, [&](T) { return v; });
}
template <Bits T>
T compare_exchange(T* p, Value<T> expected, Value<T> desired, const Place& at = Place::current()) {
  return detail::modify(p, at, [&](T old) { return old == expected ? desired : old; });
}
inline void fence() { sim::fence(); }

inline LaneMask ballot(LaneMask mask, bool pred, const Place& at = Place::current()) {
  return meet_warp({.word = WarpWord::ballot, .mask = mask, .value = pred}, at);
}
inline bool any(LaneMask mask, bool pred, const Place& at = Place::current()) {
  return meet_warp({.word = WarpWord::any, .mask = mask, .value = pred}, at) != 0;
}
inline bool all(LaneMask mask, bool pred, const Place& at = Place::current()) {
  return meet_warp({.word = WarpWord::all, .mask = mask, .value = pred}, at) != 0;
}
template <Number T>
T shuffle(LaneMask mask, T v, u32 source, const Place& at = Place::current()) {
  return detail::from_bits<T>(meet_warp(
      {.word = WarpWord::shuffle, .mask = mask, .value = detail::to_bits(v), .from = source % lanes, .strict = true}, at));
}
// Past the warp's end a lane gets its own value back; from a lane that does not take part it gets rubbish.
template <Number T>
T shuffle_up(LaneMask mask, T v, u32 k, const Place& at = Place::current()) {
  const u32 from = lane() >= k ? lane() - k : lane();
  return detail::from_bits<T>(
      meet_warp({.word = WarpWord::shuffle, .mask = mask, .value = detail::to_bits(v), .from = from}, at));
}
template <Number T>
T shuffle_down(LaneMask mask, T v, u32 k, const Place& at = Place::current()) {
  const u32 from = lane() + k < lanes ? lane() + k : lane();
  return detail::from_bits<T>(
      meet_warp({.word = WarpWord::shuffle, .mask = mask, .value = detail::to_bits(v), .from = from}, at));
}
template <Number T>
T shuffle_xor(LaneMask mask, T v, u32 k, const Place& at = Place::current()) {
  const u32 from = (lane() ^ k) % lanes;
  return detail::from_bits<T>(
      meet_warp({.word = WarpWord::shuffle, .mask = mask, .value = detail::to_bits(v), .from = from}, at));
}
template <Number T>
T reduce_add(LaneMask mask, T v, const Place& at = Place::current()) {
  // Only words of four bytes have an instruction; others are summed by shuffles among all lanes.
  constexpr bool instruction = std::is_integral_v<T> && sizeof(T) == 4;
  const Combine add = [](u64 a, u64 b) {
    return detail::to_bits(static_cast<T>(detail::from_bits<T>(a) + detail::from_bits<T>(b)));
  };
  return detail::from_bits<T>(meet_warp(
      {.word = WarpWord::reduce, .mask = mask, .value = detail::to_bits(v), .strict = !instruction, .combine = add}, at));
}
inline void sync_warp(LaneMask mask = all_lanes, const Place& at = Place::current()) {
  meet_warp({.word = WarpWord::sync, .mask = mask}, at);
}

inline void sync_block(const Place& at = Place::current()) { meet_block(false, at); }
inline bool sync_block_or(bool pred, const Place& at = Place::current()) { return meet_block(pred, at) != 0; }

inline constexpr bool part_barriers = true;
inline void sync_first(u32 threads, const Place& at = Place::current()) { meet_part(threads, at); }

inline u32 cluster_rank() { return self().cluster_rank; }
inline u32 cluster_size() { return self().cluster_size; }
inline void arrive_cluster(const Place& at = Place::current()) { sim::arrive_cluster(at); }
inline void wait_cluster(const Place& at = Place::current()) { sim::wait_cluster(at); }
inline void sync_cluster(const Place& at = Place::current()) {
  sim::arrive_cluster(at);
  sim::wait_cluster(at);
}
template <class T>
T* cluster_map(T* shared, u32 rank, const Place& at = Place::current()) {
  return static_cast<T*>(map_cluster(shared, rank, at));
}

struct alignas(8) Inbox {
  u64 barrier, bytes;
};
inline void open_inbox(Inbox* box, u32 bytes, const Place& at = Place::current()) { sim::open_inbox(box, bytes, at); }
namespace detail {
template <class T>
void write(void* to, const void* value) {
  *static_cast<T*>(to) = *static_cast<const T*>(value);
}
}  // namespace detail
template <class T>
void send(T* to, const T& value, Inbox* box, u32 rank, const Place& at = Place::current()) {
  static_assert(sizeof(T) == 8 || sizeof(T) == 16);
  step();
  sim::send(to, &value, sizeof(T), box, rank, detail::write<T>, at);
}
inline void await_sends(Inbox* box, u32 round, const Place& at = Place::current()) { sim::await_sends(box, round, at); }
template <class T>
void copy_later(T* shared, const T* global, const Place& at = Place::current()) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 16);
  if (is_counted()) counted(global, sizeof(T), Access::read, false, at);
  sim::copy_later(shared, global, sizeof(T), detail::write<T>, at);
}
inline void wait_copies() { sim::wait_copies(); }

inline void sync_grid(const Place& at = Place::current()) { meet_grid(at); }
inline void pause(const Place& at = Place::current()) { sim::pause(at); }
inline void spin(const Place& at = Place::current()) { sim::pause(at); }
inline void pause_for_peer(const Place& at = Place::current()) { sim::pause_for_peer(at); }
inline u64 clock_ns() { return 0; }
template <class T>
void prefetch(const T* p, const Place& at = Place::current()) {
  need_global(p, 1, at);
}
template <class T>
void prefetch_far(const T* p, const Place& at = Place::current()) {
  need_global(p, 1, at);
}

inline int popcount(u32 x) { return std::popcount(x); }
inline int popcount(u64 x) { return std::popcount(x); }
inline int find_first_set(u32 x) { return x ? std::countr_zero(x) + 1 : 0; }
inline int find_first_set(u64 x) { return x ? std::countr_zero(x) + 1 : 0; }
inline int leading_zeros(u32 x) { return std::countl_zero(x); }

}  // namespace hopwave::sim::dev
