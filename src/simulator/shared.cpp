// Shared memory: one arena per block, arrays at the same places in every block, random content in new arrays, and
// poison between them.
#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <string>

#include "simulator/launch_limits.h"
#include "simulator/memcheck.h"
#include "simulator/report.h"
#include "simulator/scheduler.h"

namespace hopwave::sim {

namespace {
constexpr std::size_t gap = shared_gap;        // poisoned bytes between arrays
constexpr u32 max_arrays = max_shared_arrays;  // bits of Block::arrays
constexpr std::size_t page = 4096;

std::size_t round_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

/// Returns the first position at or above `from` that is aligned to `alignment` and not to more: kernels must not rely
/// on more.
std::size_t just_aligned(std::size_t from, std::size_t alignment) {
  return round_up(from + alignment, 2 * alignment) - alignment;
}

/// Not memset: sanitizers would attribute that to the simulated program.
void fill(char* p, std::size_t bytes, u64 pattern) {
  volatile char* to = p;
  std::size_t i = 0;
  for (; i < bytes && reinterpret_cast<std::uintptr_t>(p + i) % 8; ++i) to[i] = static_cast<char>(pattern);
  for (; i + 8 <= bytes; i += 8) *reinterpret_cast<volatile u64*>(p + i) = pattern;
  for (; i < bytes; ++i) to[i] = static_cast<char>(pattern);
}
/// Marks memory that is no longer used.
void forget_array(char* p, std::size_t bytes) {
  asan::poison(p, round_up(bytes, page));
  if (tsan::active) tsan::renew(p, round_up(bytes, page));
}
}  // namespace

void Scheduler::prepare_shared() {
  arrays_.clear();
  static_bytes_ = 0;
  // The dynamic part comes first, so that its place does not depend on the arrays used later.
  arrays_.push_back({nullptr, just_aligned(gap, dynamic_alignment), shape_.shared_bytes});
  parts_.clear();
  part_numbers_.clear();
  std::ranges::fill(parts_end_, parts_offset);
  const std::size_t wanted = arena_block_bytes * slots_;
  if (arena_bytes_ >= wanted) return;
  release_arena();
  void* p = mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) throw std::bad_alloc();
  void* sent = mmap(nullptr, wanted / 2, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (sent == MAP_FAILED) {
    munmap(p, wanted);
    throw std::bad_alloc();
  }
  sent_ = static_cast<u32*>(sent);
  arena_ = static_cast<char*>(p);
  arena_bytes_ = wanted;
  asan::poison(arena_, arena_bytes_);
}

void Scheduler::release_arena() {
  if (!arena_) return;
  asan::unpoison(arena_, arena_bytes_);
  munmap(arena_, arena_bytes_);
  munmap(sent_, arena_bytes_ / 2);
  arena_ = nullptr;
  arena_bytes_ = 0;
}

/// A new block has no arrays yet, and what the slot's previous block did to its memory is forgotten.
void Scheduler::reset_shared(Block& block) {
  char* const base = arena_ + arena_block_bytes * block.slot;
  if (block.shared == base && block.arrays) {
    const SharedArray& last = arrays_.back();
    forget_array(base, std::max(block.shared_used, last.offset + last.bytes));
  }
  if (block.shared == base && block.parts_used) forget_array(base + parts_offset, block.parts_used - parts_offset);
  block.shared = base;
  block.shared_used = block.parts_used = 0;
  block.arrays = 0;
  block.parts.reset();
  block.layout = block.laid_out = 0;
}

/// A block has ended while others of its cluster continue: its shared memory no longer exists.
void Scheduler::retire_shared(Block& block) {
  if (block.cluster->blocks_left <= 1) return;
  const auto retire = [&](std::size_t offset, std::size_t bytes) {
    asan::unpoison(block.shared + offset, bytes);  // it may contain borders
    fill(block.shared + offset, bytes, rubbish_ ^ 0x5A5A5A5A5A5A5A5Aull);
    asan::poison(block.shared + offset, bytes);
  };
  for (u32 i = 0; i < arrays_.size(); ++i)
    if (block.arrays >> i & 1) retire(arrays_[i].offset, arrays_[i].bytes);
  for (u32 i = 0; i < parts_.size(); ++i)
    if (block.parts[i]) retire(parts_[i].offset, parts_[i].bytes);
}

void Scheduler::make_ready(Block& block, std::size_t offset, std::size_t bytes) {
  char* const p = block.shared + offset;
  asan::unpoison(p, bytes);
  fill(p, bytes, rubbish_);
  memcheck::forget(p, bytes);
}

void Scheduler::make_array_ready(Block& block, u32 index) {
  const SharedArray& array = arrays_[index];
  block.arrays |= u64{1} << index;
  block.shared_used = std::max(block.shared_used, array.offset + array.bytes);
  make_ready(block, array.offset, array.bytes);
}

void* Scheduler::shared_array(const void* key, const char* name, std::size_t bytes, std::size_t alignment) {
  Block& block = *running_->block;
  u32 i = 1;
  while (i < arrays_.size() && arrays_[i].key != key) ++i;
  if (i == arrays_.size()) {
    static_bytes_ = round_up(static_bytes_, alignment) + bytes;
    if (static_bytes_ > max_static_shared || static_bytes_ + shape_.shared_bytes > shared_limit || i == max_arrays)
      fail(
          "HW-SIM-SHARED",
          "shared array '" + std::string(name) + "' brings the kernel's shared memory to " + std::to_string(static_bytes_) +
              " bytes in " + std::to_string(i) + " arrays besides " + std::to_string(shape_.shared_bytes) + " dynamic bytes",
          "at most " + std::to_string(max_static_shared) + " bytes, " + std::to_string(shared_limit) + " with the dynamic ones",
          "use dynamic shared memory, or less", running_->where);
    const SharedArray& last = arrays_.back();
    // Poison begins and ends at multiples of eight.
    arrays_.push_back({key, just_aligned(last.offset + last.bytes + gap, std::max<std::size_t>(alignment, 8)), bytes});
  }
  if (!(block.arrays >> i & 1)) make_array_ready(block, i);
  return block.shared + arrays_[i].offset;
}

void* Scheduler::dynamic_shared() {
  Block& block = *running_->block;
  if (!(block.arrays & 1) && shape_.shared_bytes) make_array_ready(block, 0);
  return parts_of_shared();
}

void* Scheduler::parts_of_shared() { return running_->block->shared + arrays_[0].offset; }

/// Each part is separate from the other parts of its layout, with the same alignment as on a GPU. Texts are composed
/// only for errors: they are on the kernel's stack, and for ThreadSanitizer the host would have written there.
std::size_t Scheduler::add_part(const SharedPart& part, const SourceLocation& where) {
  const auto [layout, at, bytes, offset] = part;
  const auto refuse = [&](const std::string& besides, std::string expected) {
    fail("HW-SIM-SHARED",
         "a part of " + std::to_string(part.bytes) + " bytes from byte " + std::to_string(part.at) +
             " of the dynamic shared memory" + besides,
         std::move(expected), "", where);
  };
  if (layout >= max_shared_layouts || parts_.size() == max_shared_parts)
    refuse(", in layout " + std::to_string(layout), "fewer parts and layouts");
  if (at > shape_.shared_bytes || bytes > shape_.shared_bytes - at)
    refuse("", "at most " + std::to_string(shape_.shared_bytes) + " bytes, as the launch has asked for");
  for (const SharedPart& other : parts_)
    if (other.layout == layout && bytes && other.bytes && at < other.at + other.bytes && other.at < at + bytes)
      refuse(", where another begins at byte " + std::to_string(other.at), "parts that do not overlap");
  const std::size_t alignment = at ? std::min<std::size_t>(at & (~at + 1), dynamic_alignment) : dynamic_alignment;
  const std::size_t place = just_aligned(parts_end_[layout] + gap, std::max<std::size_t>(alignment, 8));
  parts_end_[layout] = place + bytes;
  parts_.push_back({layout, at, bytes, place});
  return parts_.size() - 1;
}

void Scheduler::make_part_ready(Block& block, u32 index) {
  const SharedPart& part = parts_[index];
  block.parts[index] = true;
  block.parts_used = std::max(block.parts_used, part.offset + part.bytes);
  make_ready(block, part.offset, part.bytes);
}

void* Scheduler::shared_part(const void* p, std::size_t bytes, u32 layout, const SourceLocation& where) {
  const AsHost as_host(*this);
  const tsan::Unseen unseen;
  const auto at = static_cast<std::size_t>(static_cast<const char*>(p) - static_cast<const char*>(parts_of_shared()));
  const u64 key = u64{layout} << 40 | at << 20 | bytes;
  auto found = part_numbers_.find(key);
  if (found == part_numbers_.end()) found = part_numbers_.emplace(key, add_part({layout, at, bytes, 0}, where)).first;
  Block& block = *running_->block;
  if (layout == block.layout && !block.parts[found->second]) make_part_ready(block, found->second);
  return block.shared + parts_[found->second].offset;
}

/// Poisons the parts of the previous layout, and fills those of the new one with random content.
void Scheduler::shared_layout(u32 layout, const SourceLocation& where) {
  Block& block = *running_->block;
  if (block.layout == layout) return;
  const AsHost as_host(*this);
  const tsan::Unseen unseen;
  if (block.laid_out == block.barrier.phase + 1)
    fail("HW-SIM-SHARED",
         thread_text() + " lays dynamic shared memory out as " + std::to_string(layout) + ", another thread as " +
             std::to_string(block.layout),
         "one layout for all threads of a block", "a barrier of the block between two layouts", where);
  block.laid_out = block.barrier.phase + 1;
  block.layout = layout;
  block.parts.reset();
  if (block.parts_used) {
    asan::poison(block.shared + parts_offset, block.parts_used - parts_offset);
    forget_weakly(block.shared + parts_offset, block.parts_used - parts_offset);
  }
  for (u32 i = 0; i < parts_.size(); ++i)
    if (parts_[i].layout == layout) make_part_ready(block, i);
}

void* Scheduler::map_cluster(const void* p, u32 rank, const SourceLocation& where) {
  const Block& own = *running_->block;
  if (rank >= cluster_blocks_)
    fail("HW-SIM-CLUSTER",
         "cluster_map to block " + std::to_string(rank) + " of a cluster of " + std::to_string(cluster_blocks_),
         "a rank below cluster_size()", "", where);
  const std::size_t offset = static_cast<std::size_t>(static_cast<const char*>(p) - own.shared);
  const auto holds = [offset](const auto& array) { return offset >= array.offset && offset <= array.offset + array.bytes; };
  const auto array = std::ranges::find_if(arrays_, holds);
  const auto part = std::ranges::find_if(parts_, [&](const SharedPart& its) { return its.layout == own.layout && holds(its); });
  if (array == arrays_.end() && part == parts_.end())
    fail("HW-SIM-CLUSTER", "cluster_map of an address that is not in this block's shared memory",
         "an element of a shared array", "", where);
  Block& other = blocks_[own.cluster->first_slot + rank];
  if (other.started == 0 || other.live == 0)
    fail("HW-SIM-CLUSTER",
         "shared memory of block " + std::to_string(other.index) + ", which " +
             (other.live ? "may not have started" : "has ended"),
         "a running block", "call sync_cluster() before the first and after the last use of another block's memory", where);
  if (array != arrays_.end()) {
    const auto i = static_cast<u32>(array - arrays_.begin());
    if (!(other.arrays >> i & 1)) make_array_ready(other, i);
  } else if (const auto i = static_cast<u32>(part - parts_.begin()); other.layout == own.layout && !other.parts[i]) {
    make_part_ready(other, i);
  }
  return other.shared + offset;
}

void* shared_array(const void* key, const char* name, std::size_t bytes, std::size_t alignment) {
  return current_scheduler()->shared_array(key, name, bytes, alignment);
}
void* dynamic_shared() { return current_scheduler()->dynamic_shared(); }
void* parts_of_shared() { return current_scheduler()->parts_of_shared(); }
void* shared_part(const void* p, std::size_t bytes, u32 layout, const SourceLocation& where) {
  return current_scheduler()->shared_part(p, bytes, layout, where);
}
void shared_layout(u32 layout, const SourceLocation& where) { current_scheduler()->shared_layout(layout, where); }
void close_border(Border& border) { asan::poison(&border, sizeof(border)); }
void* map_cluster(const void* p, u32 rank, const SourceLocation& where) {
  return current_scheduler()->map_cluster(p, rank, where);
}

}  // namespace hopwave::sim
