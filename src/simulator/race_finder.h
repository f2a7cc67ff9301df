// RaceFinder: which accesses of a launch race. Each word has its last accesses, by place of the source; each thread knows up
// to which moment other threads' accesses come before its own. Moments are numbers that grow whenever threads are ordered,
// which they can be because all of a launch runs in one CPU thread.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/device_api.h"
#include "simulator/races.h"
#include "simulator/words.h"

namespace hopwave::sim {

class RaceFinder {
 public:
  /// A launch begins, in `slots` places for blocks.
  void begin(Races& into, const device::LaunchShape& shape, std::size_t slots);
  /// A block begins, in the place of its first thread. Only the launch is before it.
  void begin_block(std::size_t first, std::size_t threads);

  void access(std::size_t thread, const ThreadView& view, const void* p, u32 bytes, Touch touch, u64 old, u64 now, bool shared,
              const SourceLocation& at);

  // What orders. Threads are numbered by their places; a block's are next to each other.
  void meet_block(std::size_t first, std::size_t threads);
  /// The first threads of a block.
  void meet_part(std::size_t first, std::size_t threads);
  void meet_warp(std::size_t first_of_warp, u64 mask);
  void meet_cluster(std::size_t first, std::size_t threads);
  void meet_grid();
  void fence(std::size_t thread, const ThreadView& view);
  /// Sends of other blocks, or a word of another device: everything up to now is before this thread, which is more than
  /// they order.
  void take_all(std::size_t thread);

 private:
  static constexpr u32 max_warps = 1024 / lanes;
  using Moment = u32;

  /// What is known of other blocks, by releases and fences.
  struct Others {
    Moment all = 0;
    std::unordered_map<u32, Moment> blocks;   ///< of all threads of a block
    std::unordered_map<u64, Moment> threads;  ///< of one thread, numbered in the grid
  };
  /// Accesses before such a moment are before the thread's next one.
  struct Known {
    Moment all = 0, cluster = 0, block = 0;
    Moment warps[max_warps] = {};   ///< of the own block
    Moment lanes[sim::lanes] = {};  ///< of the own warp
    std::shared_ptr<const Others> others;
  };
  using KnownPtr = std::shared_ptr<const Known>;

  struct Seen {
    u32 block = 0, thread = 0;
    Moment when = 0;
    u32 old = 0, now = 0;  ///< of the values, 32 bits
  };
  /// The last accesses of a word from one place of the source, by two threads. One line of a cache.
  struct Place {
    u32 next = 0;  ///< index + 1
    Touch touch = Touch::read;
    unsigned char mask = 0;  ///< bytes of the four
    bool two = false;
    SourceLocation at;
    Seen seen[2];
  };
  /// Four bytes of memory.
  struct Cell {
    u32 launch = 0, places = 0;
  };
  static constexpr u32 page_cells = 1024, recent_pages = 64;
  struct Page {
    Cell cells[page_cells];
  };
  struct Recent {
    std::uintptr_t number = ~std::uintptr_t{0};
    Page* page = nullptr;
  };

  Cell& cell(std::uintptr_t word);
  void access_word(std::size_t thread, const ThreadView& view, std::uintptr_t key, const Place& made, bool shared);
  [[nodiscard]] bool before(const Seen& seen, const ThreadView& view, const Known& known) const;
  static void join(std::shared_ptr<const Others>& into, const std::shared_ptr<const Others>& more);
  static void join_times(Known& into, const Known& more);
  std::shared_ptr<const Others> released(std::size_t thread, const ThreadView& view);
  void acquire(std::size_t thread, const std::shared_ptr<const Others>& from);
  Known joined(std::size_t first, std::size_t threads) const;
  void give(std::size_t first, std::size_t threads, Known&& known);

  Races* into_ = nullptr;
  Moment now_ = 1;
  u32 block_size_ = 1, cluster_ = 1, launch_ = 0;
  KnownPtr start_;
  std::vector<KnownPtr> known_;  ///< by thread
  std::unordered_map<std::uintptr_t, std::unique_ptr<Page>> pages_;
  Recent recent_[recent_pages];
  std::vector<Place> places_;
  std::shared_ptr<const Others> fences_;
  std::unordered_map<std::uintptr_t, std::shared_ptr<const Others>> releases_;
};

}  // namespace hopwave::sim
