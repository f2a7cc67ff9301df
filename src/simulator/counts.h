// Counts what the threads of a launch do, for LaunchCounts: threads with work, atomics on one address, bytes by kind of
// array, requests of warps (requests.h). Kernels call counted() at each memory access while counts are wanted (Here::counted).
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "hopwave/counts.h"
#include "simulator/requests.h"
#include "simulator/words.h"

namespace hopwave::sim {

/// The positions of arrays in device memory.
class Arrays {
 public:
  void add(const void* p, std::size_t bytes, MemoryKind kind);
  void remove(const void* p);
  [[nodiscard]] MemoryKind kind_of(const void* p) const;

 private:
  struct Range {
    std::size_t bytes;
    MemoryKind kind;
  };
  std::map<std::uintptr_t, Range> ranges_;
};

/// Counts one launch.
class Counter {
 public:
  void begin(LaunchCounts& into, std::size_t resident_threads);
  /// `array`: where the allocation of device memory begins; null: not known, or shared memory.
  void access(std::size_t thread, const void* p, u32 bytes, bool changed, const void* array, Requests::Place place);
  /// Threads of a block, whole warps of them, have met.
  void meet(std::size_t first, u32 threads) { requests_.meet(first, threads); }
  /// Called when the threads [first, first + size) of a block have ended.
  void end_block(std::size_t first, u32 size);
  /// Called when another block gets this shared memory.
  void forget_shared(const void* p, std::size_t bytes);
  void finish(std::size_t static_shared);

 private:
  struct Thread {
    std::uint64_t neighbors = 0, writes = 0, labels = 0;
  };
  /// The counts of work in LaunchCounts, for one definition of work.
  struct Work {
    std::uint64_t threads = 0, warps = 0, divergent = 0, sum = 0, longest = 0, lane_steps = 0;
    u32 least = 0;
  };
  void add_warp(Work& work, const Thread* first, u32 size, std::uint64_t Thread::*amount);

  LaunchCounts* into_ = nullptr;
  std::vector<Thread> threads_;
  Work by_neighbors_, by_writes_;
  std::map<std::uintptr_t, std::uint64_t> meetings_;  ///< atomics per address
  Requests requests_;
};

}  // namespace hopwave::sim
