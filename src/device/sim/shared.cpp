// Shared memory: an arena a block, arrays at the same places in every block, rubbish in fresh arrays and poison between them.
#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <string>

#include "device/sim/limits.h"
#include "device/sim/memcheck.h"
#include "device/sim/report.h"
#include "device/sim/scheduler.h"

namespace hopwave::sim {

namespace {
constexpr std::size_t gap = shared_gap;        // poisoned bytes between arrays
constexpr u32 max_arrays = max_shared_arrays;  // bits of Block::arrays
constexpr std::size_t page = 4096;

std::size_t round_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

/// The first place at or above `from` that is aligned to `alignment`, and to no more: nobody may count on more.
std::size_t just_aligned(std::size_t from, std::size_t alignment) {
  return round_up(from + alignment, 2 * alignment) - alignment;
}

/// Not memset: sanitizers would take that for an access by the simulated program.
void fill(char* p, std::size_t bytes, u64 pattern) {
  volatile char* to = p;
  std::size_t i = 0;
  for (; i < bytes && reinterpret_cast<std::uintptr_t>(p + i) % 8; ++i) to[i] = static_cast<char>(pattern);
  for (; i + 8 <= bytes; i += 8) *reinterpret_cast<volatile u64*>(p + i) = pattern;
  for (; i < bytes; ++i) to[i] = static_cast<char>(pattern);
}
}  // namespace

void Scheduler::prepare_shared() {
  arrays_.clear();
  static_bytes_ = 0;
  // The dynamic part comes first, so that its place does not depend on the arrays met later.
  arrays_.push_back({nullptr, just_aligned(gap, dynamic_alignment), shape_.shared_bytes, SharedArray::none});
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

/// A fresh block has no arrays yet, and nothing of what the last block in this slot did to its memory is remembered.
void Scheduler::reset_shared(Block& block) {
  char* const base = arena_ + arena_block_bytes * block.slot;
  if (block.shared == base && block.arrays) {
    const SharedArray& last = arrays_.back();
    const std::size_t used = std::max(block.shared_used, last.offset + last.bytes);
    asan::poison(base, round_up(used, page));
    if (tsan::active) tsan::renew(base, round_up(used, page));
  }
  block.shared = base;
  block.shared_used = 0;
  block.arrays = 0;
}

/// A block has ended while others of its cluster go on: its shared memory is no more.
void Scheduler::retire_shared(Block& block) {
  if (block.cluster->blocks_left <= 1) return;
  for (u32 i = 0; i < arrays_.size(); ++i)
    if (block.arrays >> i & 1) {
      asan::unpoison(block.shared + arrays_[i].offset, arrays_[i].bytes);  // it may have borders
      fill(block.shared + arrays_[i].offset, arrays_[i].bytes, rubbish_ ^ 0x5A5A5A5A5A5A5A5Aull);
      asan::poison(block.shared + arrays_[i].offset, arrays_[i].bytes);
    }
}

void Scheduler::make_array_ready(Block& block, u32 index) {
  const SharedArray& array = arrays_[index];
  block.arrays |= u64{1} << index;
  block.shared_used = std::max(block.shared_used, array.offset + array.bytes);
  char* const p = block.shared + array.offset;
  asan::unpoison(p, array.bytes);
  fill(p, array.bytes, rubbish_);
  memcheck::forget(p, array.bytes);
}

void* Scheduler::shared_array(const void* key, const char* name, std::size_t bytes, std::size_t alignment) {
  Block& block = *running_->block;
  u32 i = 1;
  while (i < arrays_.size() && arrays_[i].key != key) ++i;
  if (i == arrays_.size()) {
    static_bytes_ = round_up(static_bytes_, alignment) + bytes;
    if (static_bytes_ > max_static_shared || static_bytes_ + shape_.shared_bytes > max_shared || i == max_arrays)
      fail("HW-SIM-SHARED",
           "shared array '" + std::string(name) + "' brings the kernel's shared memory to " + std::to_string(static_bytes_) +
               " bytes in " + std::to_string(i) + " arrays besides " + std::to_string(shape_.shared_bytes) + " dynamic bytes",
           "at most " + std::to_string(max_static_shared) + " bytes, " + std::to_string(max_shared) + " with the dynamic ones",
           "use dynamic shared memory, or less", running_->where);
    const SharedArray& last = arrays_.back();
    // Poison begins and ends at multiples of eight.
    arrays_.push_back(
        {key, just_aligned(last.offset + last.bytes + gap, std::max<std::size_t>(alignment, 8)), bytes, SharedArray::none});
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

/// Each part lies apart from the others, as aligned as on a GPU.
void* Scheduler::shared_part(const void* p, std::size_t bytes, const SourceLocation& where) {
  const auto* const dynamic = static_cast<const char*>(parts_of_shared());
  const auto at = static_cast<std::size_t>(static_cast<const char*>(p) - dynamic);
  const std::string text =
      "a part of " + std::to_string(bytes) + " bytes from byte " + std::to_string(at) + " of the dynamic shared memory";
  if (at > shape_.shared_bytes || bytes > shape_.shared_bytes - at)
    fail("HW-SIM-SHARED", text, "at most " + std::to_string(shape_.shared_bytes) + " bytes, as the launch has asked for", "",
         where);
  u32 i = 1;
  for (; i < arrays_.size(); ++i) {
    const SharedArray& other = arrays_[i];
    if (other.part_at == SharedArray::none) continue;
    if (other.part_at == at && other.bytes == bytes) break;
    if (bytes && other.bytes && at < other.part_at + other.bytes && other.part_at < at + bytes)
      fail("HW-SIM-SHARED", text + ", where another begins at byte " + std::to_string(other.part_at),
           "parts that do not overlap", "", where);
  }
  if (i == arrays_.size()) {
    if (i == max_shared_arrays) fail("HW-SIM-SHARED", text, "fewer parts", "", where);
    const std::size_t alignment = at ? std::min<std::size_t>(at & (~at + 1), dynamic_alignment) : dynamic_alignment;
    const SharedArray& last = arrays_.back();
    const std::size_t place = just_aligned(last.offset + last.bytes + gap, std::max<std::size_t>(alignment, 8));
    arrays_.push_back({nullptr, place, bytes, at});
  }
  Block& block = *running_->block;
  if (!(block.arrays >> i & 1)) make_array_ready(block, i);
  return block.shared + arrays_[i].offset;
}

void* Scheduler::map_cluster(const void* p, u32 rank, const SourceLocation& where) {
  const Block& own = *running_->block;
  if (rank >= cluster_blocks_)
    fail("HW-SIM-CLUSTER",
         "cluster_map to block " + std::to_string(rank) + " of a cluster of " + std::to_string(cluster_blocks_),
         "a rank below cluster_size()", "", where);
  const std::size_t offset = static_cast<std::size_t>(static_cast<const char*>(p) - own.shared);
  u32 i = 0;
  while (i < arrays_.size() && !(offset >= arrays_[i].offset && offset <= arrays_[i].offset + arrays_[i].bytes)) ++i;
  if (i == arrays_.size())
    fail("HW-SIM-CLUSTER", "cluster_map of an address that is not in this block's shared memory",
         "an element of a shared array", "", where);
  Block& other = blocks_[own.cluster->first_slot + rank];
  if (other.started == 0 || other.live == 0)
    fail("HW-SIM-CLUSTER",
         "shared memory of block " + std::to_string(other.index) + ", which " +
             (other.live ? "may not have started" : "has ended"),
         "a block that runs", "meet at sync_cluster() before the first and after the last use of another block's memory",
         where);
  if (!(other.arrays >> i & 1)) make_array_ready(other, i);
  return other.shared + offset;
}

void* shared_array(const void* key, const char* name, std::size_t bytes, std::size_t alignment) {
  return current_scheduler()->shared_array(key, name, bytes, alignment);
}
void* dynamic_shared() { return current_scheduler()->dynamic_shared(); }
void* parts_of_shared() { return current_scheduler()->parts_of_shared(); }
void* shared_part(const void* p, std::size_t bytes, const SourceLocation& where) {
  return current_scheduler()->shared_part(p, bytes, where);
}
void close_border(Border& border) { asan::poison(&border, sizeof(border)); }
void* map_cluster(const void* p, u32 rank, const SourceLocation& where) {
  return current_scheduler()->map_cluster(p, rank, where);
}

}  // namespace hopwave::sim
