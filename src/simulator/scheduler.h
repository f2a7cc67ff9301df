// simulator: a GPU made of fibers. It implements core/device_api.h and does not depend on graphs or kernels; only
// device/ and tests call it by name.
//
// Scheduler: runs launches one after the other, with each GPU thread on a fiber, in an order determined by a seed. A
// fiber runs new threads until one has to wait; only then another stack is needed. So a thread that never waits costs one
// function call, and one that waits costs one switch, directly to the next thread.
#pragma once

#include <bitset>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/device_api.h"
#include "simulator/allocations.h"
#include "simulator/counts.h"
#include "simulator/early_store.h"
#include "simulator/fiber.h"
#include "simulator/launch_limits.h"
#include "simulator/memory.h"
#include "simulator/race_finder.h"
#include "simulator/weak.h"
#include "simulator/words.h"

namespace hopwave::sim {

using device::LaunchShape;
using device::Schedule;
using device::Thunk;

class Scheduler;
struct Block;

/// The most inboxes that a block may open.
inline constexpr u32 max_boxes = 8;

enum class Wait : unsigned char { fresh, running, ready, paused, block, part, warp, cluster, grid, done };

struct Thread {
  ThreadView view;
  Wait wait = Wait::done;
  bool predicate = false;
  bool paused_lately = false;  ///< since it was last interrupted
  bool arrived = false;        ///< at the cluster barrier, which the others have not reached yet
  bool let_through = false;    ///< released by the cluster barrier before it reached its wait
  Block* block = nullptr;
  Fiber* fiber = nullptr;  ///< the stack on which it waits
  SourceLocation where;    ///< the call in which it waits
  WarpCall call;
  u64 result = 0;
  u64 acquired = 0;             ///< changes of memory after which it is ordered
  u32 awaited[max_boxes] = {};  ///< rounds seen, for each inbox
  u32 priority = 0;             ///< in a PCT schedule
  u32 copies = 0;               ///< started and not yet waited for
  u32 first_copy = 0;           ///< the first copy that arrives late: index + 1 in Scheduler::late_copies_
  SourceLocation copies_at;
};

/// A value that is written after its thread has continued.
struct Late {
  void* to = nullptr;
  Write write = nullptr;
  alignas(16) unsigned char value[16] = {};
};
struct LateCopy {
  void* to = nullptr;
  const void* from = nullptr;
  Write write = nullptr;
  u32 next = 0;  ///< next copy of the same thread: index + 1
};

/// An inbox as its block sees it. Rounds are counted here and not in the kernel's memory, which holds only the inbox's
/// address.
struct Box {
  const void* place = nullptr;
  u32 bytes = 0, got = 0;
  u32 full = 0;     ///< rounds that have received all their bytes
  u32 through = 0;  ///< rounds that all threads of the block have seen
  u32 passed = 0;   ///< threads that have seen one round more
  u32 opened = 0;   ///< phase of the cluster's barrier when it was opened
  u32 round = 0;    ///< a number that no other round of any inbox has
  char token = 0;
  std::vector<Late> late;
};

/// The lanes of one warp that wait under one mask. The two tokens alternate: a lane that is already at the next meeting
/// must not seem ordered before lanes that are still leaving this one.
struct Meeting {
  u64 mask = 0;
  u64 arrived = 0;
  u32 phase = 0;
};

struct Warp {
  static constexpr u32 max_meetings = lanes / 2;  ///< pairs: what virtual warps of two need
  u32 used = 0;                                   ///< meetings[0 … used) have had a mask
  Meeting meetings[max_meetings];
  char tokens[max_meetings][2] = {};
  u64 exited = 0;
};

/// A barrier over a block, a cluster or the grid.
struct Barrier {
  u32 waiting = 0;
  u32 phase = 0;
  char tokens[2] = {};
};

struct Cluster {
  Barrier barrier;
  u32 live = 0;  ///< threads that have not returned
  u32 blocks_left = 0;
  u32 first_slot = 0;
};

struct Block {
  u32 index = 0, slot = 0;
  u32 live = 0;
  u32 fresh = 0;  ///< threads that have not been started
  u32 started = 0;
  u32 first = 0, step = 1;  ///< the order in which threads start
  Barrier barrier;
  Barrier part;  ///< of the block's first threads
  u32 part_threads = 0;
  u32 count = 0;  ///< result of the last barrier with a predicate
  Cluster* cluster = nullptr;
  Thread* threads = nullptr;
  Warp* warps = nullptr;
  char* shared = nullptr;
  u64 arrays = 0;  ///< bit i: the launch's i-th shared array is initialised in this block
  std::size_t shared_used = 0;
  std::size_t parts_used = 0;           ///< bytes up to the end of the last part
  std::bitset<max_shared_parts> parts;  ///< parts of the layout that are initialised
  u32 layout = 0;
  u32 laid_out = 0;  ///< phase of the barrier at which the layout changed, + 1
  u32 open_at = 0;   ///< position in Scheduler::open_
  Box boxes[max_boxes];
  u32 open_boxes = 0;
};

/// Shared arrays get their place at first use, the same in every block, as on a GPU.
struct SharedArray {
  const void* key = nullptr;
  std::size_t offset = 0, bytes = 0;
};

/// A part of the dynamic memory in one of its layouts.
struct SharedPart {
  u32 layout = 0;
  std::size_t at = 0, bytes = 0;  ///< position on a GPU
  std::size_t offset = 0;         ///< position in the simulator
};

class Scheduler {
 public:
  Scheduler();
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  Schedule schedule;
  std::size_t shared_limit = max_shared;  ///< per block, for all kinds together
  u64 launches = 0;
  u64 live_allocations = 0;
  Arrays arrays;
  Allocations allocations;
  LaunchCounts* count_into = nullptr;  ///< for the following launches; may be null
  int device = 0;                      ///< the simulated device on which launches run

  /// Runs the launch to its end, or throws Error HW-SIM-… (or what the kernel threw).
  void launch(const LaunchShape& shape, const void* kernel, void** arguments, Thunk thunk);

  /// Runs threads on the running fiber; returns when it is switched to after they have ended.
  void run_threads();

  // Operations that are called on fibers.
  void interrupt();
  void pause(const SourceLocation& where);
  void pause_for_peer(const SourceLocation& where);
  void need_reach(const void* p, u32 bytes, bool writes, const SourceLocation& where);
  void fence();
  u64 meet_warp(const WarpCall& call, const SourceLocation& where);
  u32 meet_block(bool predicate, const SourceLocation& where);
  void meet_part(u32 threads, const SourceLocation& where);
  void arrive_cluster(const SourceLocation& where);
  void wait_cluster(const SourceLocation& where);
  void meet_grid(const SourceLocation& where);
  void* shared_array(const void* key, const char* name, std::size_t bytes, std::size_t alignment);
  void* dynamic_shared();
  /// Returns where the dynamic memory would begin; it must not be accessed.
  void* parts_of_shared();
  void* shared_part(const void* p, std::size_t bytes, u32 layout, const SourceLocation& where);
  void shared_layout(u32 layout, const SourceLocation& where);
  void* map_cluster(const void* p, u32 rank, const SourceLocation& where);
  [[noreturn]] void check_failed(const char* condition, const SourceLocation& where);
  [[noreturn]] void out_of_bounds(const char* array, std::int64_t index, u64 size, const SourceLocation& where);
  void open_inbox(const void* place, u32 bytes, const SourceLocation& where);
  void send(void* to, const void* value, u32 bytes, const void* box, u32 rank, Write write, const SourceLocation& where);
  void await_sends(const void* place, u32 round, const SourceLocation& where);
  void copy_later(void* shared, const void* global, u32 bytes, Write write, const SourceLocation& where);
  void wait_copies();
  void wrote(const void* p, u32 bytes, u64 old, u64 now, const SourceLocation& where);
  u64 peeked(const void* p, u32 bytes, u64 now, const SourceLocation& where);
  void acquired();
  void counted(const void* p, u32 bytes, Access access, bool changed, const SourceLocation& at);
  void counted_meeting(const Thread& first, u32 threads);
  void raced(const void* p, u32 bytes, Touch touch, u64 old, u64 now, const SourceLocation& at);
  void ordered_by_peer();
  u64 loaded_weakly(const void* p, u32 bytes, u64 now, bool acquires);
  u64 stored_weakly(const void* p, u32 bytes, u64 old, u64 value, bool releases);
  void modified_weakly(const void* p, u32 bytes, u64 old, u64 now, bool releases);
  [[noreturn]] void misaligned(const void* p, u32 bytes, const SourceLocation& where);
  [[noreturn]] void wrong_space(const void* p, bool wants_shared, const SourceLocation& where);
  [[noreturn]] void written_too(const void* p, const SourceLocation& where);

 private:
  // scheduler.cpp: the phases of a launch
  void run();
  void prepare(const LaunchShape& shape);
  void prepare_blocks();
  void begin();
  void admit(Cluster& cluster);
  void start_block(Block& block, u32 index);
  void end_thread(Thread& thread);
  void check_end(const Thread& thread);
  void end_block(Block& block);
  Fiber* fiber_for(const Thread& thread);
  Thread* run_one();
  void switch_to(Thread* next, Fiber& leaving);
  void park();
  [[noreturn]] void fail(std::string id, std::string found, std::string expected, std::string hint,
                         const SourceLocation& where);
  void order_abandoned();
  void discard();
  void progress();
  u64 patience() const;
  void refill();

  // turns.cpp
  u32 random(u32 below);
  void draw_adversary();
  void draw_points(u32 count);
  bool is_slow(const Thread& thread) const;
  void open(Block& block);
  Thread* take_fresh();
  Thread* choose();
  Thread* choose_waiting();
  Thread* take_most_urgent();
  Thread* draw_from(std::vector<Thread*>& list);
  void make_ready(Thread& thread);
  void add_ready(Thread& thread);
  void draw_interrupt();
  void meet_points();

  // meet.cpp
  void check_block_sites(const Block& block);
  void release_block(Block& block);
  void release_grid();
  void release_cluster(Cluster& cluster);
  void release_warp(Block& block, u32 warp, Meeting& meeting);
  void check_after_exit(const Thread& thread);
  Meeting& find_meeting(Warp& warp, u64 mask);
  void check_mask(const Thread& thread, const Warp& warp);
  u64 shuffled(const Thread& thread, const Thread* first, u64 mask);

  // shared.cpp
  void prepare_shared();
  void release_arena();
  void reset_shared(Block& block);
  void retire_shared(Block& block);
  void make_array_ready(Block& block, u32 index);
  void make_ready(Block& block, std::size_t offset, std::size_t bytes);
  std::size_t add_part(const SharedPart& part, const SourceLocation& where);
  void make_part_ready(Block& block, u32 index);

  // memory.cpp
  /// For ThreadSanitizer the tables of weak memory belong to the host, whichever thread looks into them.
  struct AsHost {
    explicit AsHost(const Scheduler& s) : scheduler(s) { scheduler.host_.pose(); }
    ~AsHost() { scheduler.running_fiber_->pose(); }
    AsHost(const AsHost&) = delete;
    AsHost& operator=(const AsHost&) = delete;
    const Scheduler& scheduler;
  };
  void prepare_memory();
  bool coin();
  bool coin_for_table();
  void forget_weakly(const void* p, std::size_t bytes);
  std::size_t number_of(const Thread& thread) const { return static_cast<std::size_t>(&thread - threads_.data()); }
  u32 group_of(const Thread& thread) const { return thread.view.block / cluster_blocks_ + 1; }
  static u64 key_of_token(const char* token, u32 group) {
    return reinterpret_cast<std::uintptr_t>(token) ^ u64 { group } << 48;
  }
  void arrive_at(char& token, u32 group);  ///< a barrier with that token, for a cluster or the grid
  void leave(char& token, u32 group);

  // early_store.cpp
  void launch_with_early_store();
  bool run_counts();
  void store_early();
  void pass_to_store();
  void part_accesses();
  bool note_access(AccessKind kind, const void* p, u32 bytes, u64 old, u64 value);

  // inbox.cpp
  [[noreturn]] void box_fault(std::string found, std::string expected, std::string hint, const SourceLocation& where);
  Box* find_box(Block& block, const void* place);
  Box& box_to_send_to(Block& other, const void* place, const SourceLocation& where);
  void fill_box(Block& block, Box& box, const SourceLocation& where);
  void check_round(const Block& block, const Box& box, const SourceLocation& where);
  void check_boxes(const Block& block);
  void write_now(void* to, const void* value, std::size_t bytes, Write write);
  void pass_on(const Block& other, Box& box);
  void take_in(Box& box, u32 round);

  // report.cpp
  std::string thread_text() const;
  std::string threads_of(const Block& block, Wait wait) const;
  std::string waiting_threads() const;
  [[noreturn]] void deadlock();
  [[noreturn]] void livelock();

  // the launch
  LaunchShape shape_;
  const void* kernel_ = nullptr;
  void** arguments_ = nullptr;
  Thunk thunk_ = nullptr;
  u32 cluster_blocks_ = 1;
  u32 slots_ = 0, resident_groups_ = 0;
  u64 threads_live_ = 0;  ///< threads of the whole grid that have not returned
  u64 threads_ended_ = 0;
  u32 next_group_ = 0, groups_ = 0, group_first_ = 0, group_step_ = 1;
  Barrier grid_;
  std::vector<SharedArray> arrays_;
  std::vector<SharedPart> parts_;
  std::unordered_map<u64, u32> part_numbers_;
  std::size_t parts_end_[max_shared_layouts] = {};
  std::size_t static_bytes_ = 0;
  u64 rubbish_ = 0;
  u64 fresh_ = 0;                ///< threads of resident blocks that have not been started
  u64 pauses_ = 0, words_ = 0;   ///< since the last progress
  std::int64_t peer_since_ = 0;  ///< time in seconds at which it began to wait for another device; 0: it does not wait
  u32 drawn_ = 0;                ///< memory words between the last two interruptions
  u64 words_run_ = 0;            ///< words up to the last interruption
  std::vector<u64> points_;      ///< words of the launch at which a thread is held or loses its priority; the next one is last
  u32 priority_ = 0;             ///< the lowest priority given so far
  u32 slow_block_ = 0, slow_warp_ = 0;
  Thread* held_ = nullptr;

  // load buffering
  Early early_ = Early::none;
  EarlyStore early_store_;
  u64 early_old_ = 0;  ///< the value before the early store
  Thread* early_thread_ = nullptr;
  bool holds_early_ = false;  ///< its thread runs only when no other can
  bool interrupted_ = false;  ///< whether the running thread is interrupted at its access
  AccessLog log_;

  // reused by all launches
  std::vector<Block> blocks_;
  std::vector<Cluster> clusters_;
  std::vector<Thread> threads_;
  std::vector<Warp> warps_;
  std::vector<Block*> open_;                    ///< blocks with fresh threads
  std::vector<Thread*> ready_, paused_;         ///< ready_ is a heap in a PCT schedule
  std::vector<Thread*> slow_;                   ///< ready, paused or fresh threads that the schedule delays
  std::vector<std::unique_ptr<Fiber>> fibers_;  ///< from the pool
  std::vector<Fiber*> idle_;                    ///< has capacity for all of them
  char* arena_ = nullptr;
  std::size_t arena_bytes_ = 0;
  u32* sent_ = nullptr;  ///< for each eight bytes of the arena, the round of sends that wrote them
  std::unique_ptr<Memory> memory_;
  std::unique_ptr<Weak> weak_;
  std::unique_ptr<Counter> counter_;
  std::unique_ptr<RaceFinder> races_;
  u64 memory_launch_ = 0, changes_ = 0;  ///< launches, and changes of memory words, so far
  u64 coins_ = 1, table_coins_ = 1;
  u32 box_rounds_ = 0;
  std::vector<LateCopy> late_copies_;  ///< does not allocate while fibers run
  u32 copies_under_way_ = 0;
  Fiber host_;
  Fiber* running_fiber_ = nullptr;
  Thread* running_ = nullptr;
  std::exception_ptr failure_;
  u64 rng_ = 1;
  char start_token_ = 0, end_token_ = 0, fence_token_ = 0;
};

/// Returns the scheduler that runs on this CPU thread; null outside launches.
Scheduler* current_scheduler();
/// Calls Scheduler::run_threads() of this CPU thread's scheduler.
void run_threads();

}  // namespace hopwave::sim
