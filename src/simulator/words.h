// The functions that a simulated kernel calls: its indices, collective operations with other threads, shared memory,
// and points at which it may be interrupted. kernel_sim.h builds the kernel vocabulary on these; only the simulator's
// own files depend on the implementation.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/source_location.h"
#include "hopwave/counts.h"

namespace hopwave::sim {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

inline constexpr u32 lanes = HOPWAVE_SIM_LANES;
static_assert(lanes == 32 || lanes == 64, "a simulated warp has 32 or 64 lanes");

/// What a simulated thread may know about itself.
struct ThreadView {
  u32 thread = 0, block = 0, block_size = 0, grid_size = 0;
  u32 lane = 0, warp = 0;
  u32 cluster_rank = 0, cluster_size = 1;
  u64 mark = 1;  ///< one bit, for the block and a few others: which blocks have seen a word's current value (memory.h)
};

struct Memory;

/// The thread that runs on this CPU thread, the number of memory words it may still use before it is interrupted, and
/// the state for the checks of memory words.
struct Here {
  const ThreadView* self = nullptr;
  std::int32_t left = 0;
  Memory* memory = nullptr;
  u64 launch = 0;  ///< number of the launch, above 48 bits of address
  std::uintptr_t shared = 0, shared_bytes = 0;
  bool weak = false;     ///< Schedule::weak
  bool counted = false;  ///< LaunchCounts are wanted
  bool raced = false;    ///< races are looked for (races.h)
};
extern constinit thread_local Here here;

/// Lets another thread run, if the schedule decides so.
void interrupt();

#ifdef HW_THREAD_SANITIZER
// Kernels are instrumented and the simulator is not. Instrumented code must not touch the counter, since all simulated
// threads use the same one.
const ThreadView& self();
void step();
#else
inline const ThreadView& self() { return *here.self; }
inline void step() {
  if (--here.left < 0) interrupt();
}
#endif

enum class WarpWord : unsigned char { sync, ballot, any, all, shuffle, reduce };
using Combine = u64 (*)(u64, u64);

struct WarpCall {
  WarpWord word = WarpWord::sync;
  u64 mask = 0;
  u64 value = 0;
  u32 from = 0;  ///< shuffle: the lane whose value is wanted; `lanes` or more: none
  /// shuffle: reading from a lane that does not take part is an error instead of an undefined value; reduce: all lanes
  /// must take part
  bool strict = false;
  Combine combine = nullptr;  ///< reduce
};

/// Lanes of a warp wait for each other; the result is the ballot's mask, the shuffled value or the sum. Only
/// WarpWord::sync orders memory.
u64 meet_warp(const WarpCall& call, const SourceLocation& where);
/// Threads of a block wait for each other; returns for how many `pred` holds.
u32 meet_block(bool pred, const SourceLocation& where);
/// The first `threads` of a block wait for each other; the others may have returned.
void meet_part(u32 threads, const SourceLocation& where);
/// The two halves of the cluster barrier: work may be done between them.
void arrive_cluster(const SourceLocation& where);
void wait_cluster(const SourceLocation& where);
void meet_grid(const SourceLocation& where);

/// Returns shared memory of this thread's block, one array for each `key`.
void* shared_array(const void* key, const char* name, std::size_t bytes, std::size_t alignment);
void* dynamic_shared();
void* parts_of_shared();
void* shared_part(const void* p, std::size_t bytes, u32 layout, const SourceLocation& where);
void shared_layout(u32 layout, const SourceLocation& where);
/// Bytes between the members of a struct in shared memory, which are poisoned.
struct alignas(8) Border {
  unsigned char bytes[32];
};
void close_border(Border& border);
/// Returns the same shared array in another block of the cluster.
void* map_cluster(const void* p, u32 rank, const SourceLocation& where);

/// Writes a value of one type. It is a template instance in the kernel's file, so that sanitizers attribute it to the
/// kernel.
using Write = void (*)(void* to, const void* value);
void open_inbox(const void* box, u32 bytes, const SourceLocation& where);
void send(void* to, const void* value, u32 bytes, const void* box, u32 rank, Write write, const SourceLocation& where);
void await_sends(const void* box, u32 round, const SourceLocation& where);
void copy_later(void* shared, const void* global, u32 bytes, Write write, const SourceLocation& where);
void wait_copies();

using Access = MemoryAccess;
/// Counts an access (counts.h). `changed`: the word has a new value other than "unreached".
void counted(const void* p, u32 bytes, Access access, bool changed, const SourceLocation& at);
/// Called before a plain write of `value`.
void counted_write(const void* p, u32 bytes, const void* value, const SourceLocation& at);
#ifdef HW_THREAD_SANITIZER
bool is_counted();
#else
inline bool is_counted() { return here.counted; }
#endif

/// How a word is accessed. All but `read` and `write` are atomic; `atomic` reads and writes.
enum class Touch : unsigned char { read, write, atomic_read, atomic_write, atomic, acquire, release, release_atomic };
/// Looks for races with earlier accesses (race_finder.h): a word that holds `old` will hold `now`, or was read as both.
void raced(const void* p, u32 bytes, Touch touch, u64 old, u64 now, const SourceLocation& at);
/// This thread has seen a word of another device, which orders it after everything before.
void ordered_by_peer();
#ifdef HW_THREAD_SANITIZER
constexpr bool is_raced() { return false; }
#else
inline bool is_raced() { return here.raced; }
#endif

/// This thread waits for another one: lets the others run.
void pause(const SourceLocation& where);
/// This thread waits for another device, which runs in another CPU thread. Ends the launch with HW-SIM-PEERS after
/// minutes.
void pause_for_peer(const SourceLocation& where);
/// Checks whether this device may access memory that devices share; if not, the launch ends with HW-SIM-PEER-ACCESS.
/// Bytes of other devices' memory are counted.
void need_reach(const void* p, u32 bytes, bool writes, const SourceLocation& where);
void fence();

/// Called by HW_CHECK if its condition is false: ends the launch with HW-SIM-CHECK.
[[noreturn]] void check_failed(const char* condition, const SourceLocation& where);
/// An index outside an array of a printed listing: ends the launch with HW-SIM-BOUNDS.
[[noreturn]] void out_of_bounds(const char* array, std::int64_t index, u64 size, const SourceLocation& where);

}  // namespace hopwave::sim
