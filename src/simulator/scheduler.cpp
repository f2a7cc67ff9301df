// The phases of a launch: blocks are admitted, threads start, wait, continue and end. turns.cpp chooses the thread that
// runs next. This folder is compiled without thread sanitizing: it is the machine, not the program under test.
#include "simulator/scheduler.h"

#include <algorithm>
#include <utility>

#include "core/mix.h"
#include "simulator/fiber_pool.h"
#include "simulator/launch_limits.h"

namespace hopwave::sim {

constinit thread_local Here here;

namespace {
constinit thread_local Scheduler* scheduler = nullptr;

using core::mix;

constexpr std::size_t most_late_copies = 1 << 14;

u32 common_divisor(u32 a, u32 b) {
  while (b) {
    const u32 r = a % b;
    a = b;
    b = r;
  }
  return a;
}
}  // namespace

Scheduler* current_scheduler() { return scheduler; }

#ifdef HW_THREAD_SANITIZER
const ThreadView& self() { return *here.self; }
void step() {
  if (--here.left < 0) interrupt();
}
#endif

Scheduler::Scheduler() = default;

Scheduler::~Scheduler() {
  release_arena();
  FiberPool::give(fibers_);
}

void Scheduler::launch(const LaunchShape& shape, const void* kernel, void** arguments, Thunk thunk) {
  shape_ = shape;
  kernel_ = kernel;
  arguments_ = arguments;
  thunk_ = thunk;
  rng_ = mix(schedule.seed ^ mix(++launches)) | 1;
  early_ = Early::none;
  if (schedule.load_buffering)
    launch_with_early_store();
  else
    run();
}

/// Runs the launch, starting from `rng_`.
void Scheduler::run() {
  early_thread_ = nullptr;
  interrupted_ = false;
  prepare(shape_);
  const Here outside = here;
  prepare_memory();
  Scheduler* const outer = scheduler;
  scheduler = this;
  host_.adopt();
  begin();
  if (failure_) order_abandoned();
  tsan::acquire(&end_token_);
  if (here.counted) counter_->finish(static_bytes_);
  scheduler = outer;
  here = outside;
  running_ = nullptr;
  if (failure_) {
    discard();
    std::rethrow_exception(std::exchange(failure_, nullptr));
  }
}

/// Admits the first blocks and runs the launch; returns when it has ended or failed.
void Scheduler::begin() {
  try {
    tsan::release(&start_token_);
    refill();
    draw_interrupt();
    switch_to(choose(), host_);
  } catch (...) {  // no memory for the first stack
    failure_ = std::current_exception();
  }
}

void Scheduler::prepare(const LaunchShape& shape) {
  cluster_blocks_ = shape.cluster > 1 ? shape.cluster : 1;
  groups_ = shape.grid / cluster_blocks_;
  u32 resident = schedule.resident_blocks ? schedule.resident_blocks : 4;
  if (shape.cooperative) resident = shape.grid;
  const u32 resident_groups = std::min(groups_, std::max(1u, resident / cluster_blocks_));
  slots_ = resident_groups * cluster_blocks_;
  const u32 warps_per_block = (shape.block + lanes - 1) / lanes;
  if (blocks_.size() < slots_) blocks_.resize(slots_);
  if (clusters_.size() < resident_groups) clusters_.resize(resident_groups);
  if (threads_.size() < std::size_t{slots_} * shape.block) threads_.resize(std::size_t{slots_} * shape.block);
  if (warps_.size() < std::size_t{slots_} * warps_per_block) warps_.resize(std::size_t{slots_} * warps_per_block);
  threads_live_ = u64{shape.grid} * shape.block;
  threads_ended_ = 0;
  next_group_ = 0;
  group_first_ = random(groups_);
  do group_step_ = 1 + random(groups_);
  while (common_divisor(group_step_, groups_) != 1);
  grid_ = {};
  fresh_ = pauses_ = words_ = 0;
  peer_since_ = 0;
  paused_.clear();
  open_.clear();
  ready_.clear();
  slow_.clear();
  rubbish_ = mix(rng_) | 0x8000000080000001ull;
  coins_ = mix(rubbish_) | 1;
  table_coins_ = mix(coins_) | 1;
  late_copies_.clear();
  late_copies_.reserve(most_late_copies);
  copies_under_way_ = 0;
  draw_adversary();
  prepare_shared();
  resident_groups_ = resident_groups;
  prepare_blocks();
}

void Scheduler::prepare_blocks() {
  const u32 warps_per_block = (shape_.block + lanes - 1) / lanes;
  for (u32 i = 0; i < resident_groups_; ++i) {
    clusters_[i].first_slot = i * cluster_blocks_;
    clusters_[i].blocks_left = 0;
  }
  for (u32 slot = 0; slot < slots_; ++slot) {
    Block& block = blocks_[slot];
    block.slot = slot;
    block.cluster = &clusters_[slot / cluster_blocks_];
    block.threads = &threads_[std::size_t{slot} * shape_.block];
    block.warps = &warps_[std::size_t{slot} * warps_per_block];
    block.live = block.fresh = 0;
  }
  // No vector grows while fibers run: for ThreadSanitizer its memory would be shared between them.
  open_.reserve(slots_);
  ready_.reserve(std::size_t{slots_} * shape_.block);
  paused_.reserve(std::size_t{slots_} * shape_.block);
  slow_.reserve(std::size_t{slots_} * shape_.block);
  idle_.clear();
  for (auto& fiber : fibers_) idle_.push_back(fiber.get());
  // ThreadSanitizer's threads are the fibers: each simulated thread gets its own.
  while (tsan::active && fibers_.size() < std::size_t{slots_} * shape_.block) fibers_.push_back(FiberPool::take());
  idle_.reserve(fibers_.size());
}

/// Admits waiting clusters (or single blocks) to free slots.
void Scheduler::refill() {
  for (u32 i = 0; i < resident_groups_ && next_group_ < groups_; ++i)
    if (clusters_[i].blocks_left == 0) admit(clusters_[i]);
}

void Scheduler::admit(Cluster& cluster) {
  // For ThreadSanitizer, the host set this up before the launch: it is not an access of the thread whose end made room.
  if (running_) host_.pose();
  const u32 group = static_cast<u32>((group_first_ + u64{next_group_++} * group_step_) % groups_);
  cluster.barrier = {};
  cluster.blocks_left = cluster_blocks_;
  cluster.live = cluster_blocks_ * shape_.block;
  for (u32 rank = 0; rank < cluster_blocks_; ++rank)
    start_block(blocks_[cluster.first_slot + rank], group * cluster_blocks_ + rank);
  tsan::release(&start_token_);
  if (running_) running_fiber_->pose();
}

void Scheduler::start_block(Block& block, u32 index) {
  const u32 size = shape_.block;
  block.index = index;
  block.live = block.fresh = size;
  block.started = 0;
  block.first = random(size);
  do block.step = 1 + random(size);
  while (common_divisor(block.step, size) != 1);
  block.barrier = {};
  block.part = {};
  block.open_boxes = 0;
  // Constructed in place. A temporary would be on the stack of the current fiber, and would be copied by a memcpy,
  // which ThreadSanitizer would report as a race with the fiber's previous thread.
  for (u32 w = 0; w < (size + lanes - 1) / lanes; ++w) std::construct_at(&block.warps[w]);
  reset_shared(block);
  forget_weakly(block.shared, arena_block_bytes);
  if (here.raced) races_->begin_block(number_of(*block.threads), size);
  const u32 turn = tsan::active ? random(size) : 0;
  for (u32 t = 0; t < size; ++t) {
    Thread& thread = block.threads[t];
    thread.view = {.thread = t,
                   .block = index,
                   .block_size = size,
                   .grid_size = shape_.grid,
                   .lane = t % lanes,
                   .warp = t / lanes,
                   .cluster_rank = index % cluster_blocks_,
                   .cluster_size = cluster_blocks_,
                   .mark = u64{1} << index % 64};
    thread.wait = Wait::fresh;
    thread.block = &block;
    thread.paused_lately = thread.arrived = thread.let_through = false;
    thread.acquired = changes_;
    if (schedule.weak) weak_->begin_thread(number_of(thread));
    thread.copies = thread.first_copy = 0;
    std::fill(std::begin(thread.awaited), std::end(thread.awaited), 0);
    // Threads of one fiber seem ordered; rotating the fibers avoids the same pairs in every block.
    if (tsan::active) thread.fiber = fibers_[std::size_t{block.slot} * size + (t + turn) % size].get();
  }
  open(block);
}

/// Runs the chosen thread to its end. Returns the next one, or null if the launch has ended or failed.
Thread* Scheduler::run_one() {
  try {
    part_accesses();
    Thread& thread = *running_;
    thread.wait = Wait::running;
    ++thread.block->started;
    here.self = &thread.view;
    tsan::acquire(&start_token_);
    thunk_(kernel_, arguments_);
    end_thread(thread);
    return choose();
  } catch (...) {
    failure_ = std::current_exception();
    tsan::release(&end_token_);
    return nullptr;
  }
}

/// Allocates only inside run_one(): an exception here could not be passed on.
void Scheduler::run_threads() {
  Fiber& fiber = *running_fiber_;
  Thread* next = run_one();
  while (next && next->wait == Wait::fresh && (!tsan::active || next->fiber == &fiber)) {
    running_ = next;
    next = run_one();
  }
  if (!tsan::active) idle_.push_back(&fiber);
  switch_to(next, fiber);
}

/// Not inlined: the fiber may continue in another CPU thread, and a register must not keep this thread's scheduler.
[[gnu::noinline]] void run_threads() { scheduler->run_threads(); }

Fiber* Scheduler::fiber_for(const Thread& thread) {
  if (tsan::active || thread.wait != Wait::fresh) return thread.fiber;
  if (idle_.empty()) {
    if (idle_.capacity() == fibers_.size()) idle_.reserve(2 * fibers_.size() + 16);
    fibers_.push_back(FiberPool::take());
    return fibers_.back().get();
  }
  Fiber* const fiber = idle_.back();
  idle_.pop_back();
  return fiber;
}

/// Continues with `next`, or with the host if it is null. Returns when another switch continues `leaving`.
void Scheduler::switch_to(Thread* next, Fiber& leaving) {
  if (!next) {
    host_.switch_from(leaving);
    return;
  }
  Fiber* const fiber = fiber_for(*next);
  if (next->wait != Wait::fresh) {
    next->wait = Wait::running;
    here.self = &next->view;
  }
  running_ = next;
  running_fiber_ = fiber;
  fiber->switch_from(leaving);
}

/// Lets the next thread run while the running one waits for its `wait`. Returns when it is ready again and chosen.
void Scheduler::park() {
  part_accesses();
  Thread& thread = *running_;
  thread.fiber = running_fiber_;
  Thread* const next = choose();
  if (next == &thread)
    thread.wait = Wait::running;
  else
    switch_to(next, *thread.fiber);
}

/// Checks that a thread has completed what it began.
void Scheduler::check_end(const Thread& thread) {
  if (thread.arrived || thread.let_through)
    fail("HW-SIM-CLUSTER", thread_text() + " returned between arrive_cluster() and wait_cluster()",
         "both halves of the barrier", "", thread.where);
  if (thread.copies)
    fail("HW-SIM-COPY", thread_text() + " returned with " + std::to_string(thread.copies) + " copies under way",
         "wait_copies() first", "they would be written to another block's memory", thread.copies_at);
}

void Scheduler::end_thread(Thread& thread) {
  part_accesses();
  check_end(thread);
  tsan::release(&end_token_);
  Block& block = *thread.block;
  thread.wait = Wait::done;
  block.warps[thread.view.warp].exited |= u64{1} << thread.view.lane;
  --block.live;
  --block.cluster->live;
  --threads_live_;
  ++threads_ended_;
  progress();
  check_after_exit(thread);
  if (block.live == 0) end_block(block);
}

void Scheduler::end_block(Block& block) {
  check_boxes(block);
  if (here.counted) {
    const AsHost as_host(*this);
    counter_->end_block(number_of(*block.threads), shape_.block);
    counter_->forget_shared(block.shared, arena_block_bytes);
  }
  retire_shared(block);
  if (--block.cluster->blocks_left == 0 && next_group_ < groups_) admit(*block.cluster);
}

/// For ThreadSanitizer, threads that an error stopped have ended before the host continues.
void Scheduler::order_abandoned() {
  if (!tsan::active) return;
  for (auto& fiber : fibers_) {
    fiber->pose();
    tsan::release(&end_token_);
  }
  host_.pose();
}

/// After an error: gives up the contents of the fibers' stacks.
void Scheduler::discard() {
  FiberPool::destroy(fibers_);
  threads_live_ = 0;
}

/// Called after a change for which other threads may have waited.
void Scheduler::progress() {
  pauses_ = words_ = 0;
  peer_since_ = 0;
}

u64 Scheduler::patience() const { return schedule.patience ? schedule.patience : 100'000 + 1000 * threads_live_; }

void fence() { scheduler->fence(); }

}  // namespace hopwave::sim
