// Searches that cost what they reach: a queue, and one bit per vertex, which the queue's entries clear afterwards.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>

#include "hopwave/graph.h"
#include "hopwave/search.h"

namespace hopwave::search_detail {

inline constexpr std::uint64_t all_arcs = std::numeric_limits<std::uint64_t>::max();

/// Where a search of Reach ends; all of them at once.
struct ReachBounds {
  Distance max_depth = -1;
  VertexId target = no_vertex;
  std::uint64_t nearest = 0;  ///< besides the sources; 0: all
  bool parents = false;
  std::uint64_t most_arcs = all_arcs;  ///< looked at in all
};

/// A vertex in the upper half, and the one that it was found from.
using ReachEntry = std::uint64_t;

/// Sorts levels, whose vertices are distinct, by vertex. Each thread has its own.
class LevelSort {
 public:
  /// All vertices are below `end`.
  void operator()(std::span<ReachEntry> level, std::uint64_t end);

 private:
  template <int bits>
  void by_digits(std::span<ReachEntry> level, std::uint64_t end);

  std::vector<ReachEntry> spare_;
  std::array<std::uint32_t, 3 << 11> places_;  // of the next entry with each digit
};

/// Each thread has its own. It can be used again after an exception.
class Reach {
 public:
  /// Called between levels, with the level and how many vertices it has; may throw.
  using LevelDone = std::function<void(std::uint32_t level, std::uint64_t found)>;

  explicit Reach(VertexId num_vertices) : seen_(num_vertices / 64 + std::size_t{1}) {}

  /// Adds what it reaches to what `found` has. False: there is more to do than bounds.most_arcs, and nothing was added. When
  /// level_done() throws, what was complete before is added.
  bool run(const Adjacency& rows, std::span<const VertexId> sources, const ReachBounds& bounds, const LevelDone& level_done,
           Reached& found);

 private:
  using Entry = ReachEntry;
  static VertexId vertex_of(Entry entry) { return static_cast<VertexId>(entry >> 32); }
  static VertexId parent_of(Entry entry) { return static_cast<VertexId>(entry); }

  bool see(VertexId v) {
    std::uint64_t& word = seen_[v / 64];
    const std::uint64_t bit = std::uint64_t{1} << v % 64;
    const bool fresh = !(word & bit);
    word |= bit;
    return fresh;
  }
  [[nodiscard]] bool seen(VertexId v) const { return seen_[v / 64] >> v % 64 & 1; }
  void begin(std::span<const VertexId> sources);
  [[nodiscard]] std::uint64_t arcs_of(const Adjacency& rows, std::size_t begin, std::size_t end) const;
  std::uint64_t expand(const Adjacency& rows, std::size_t begin, std::size_t end);
  void sort_from(std::size_t begin) { sort_(std::span(queue_).subspan(begin, size_ - begin), 64 * seen_.size()); }
  /// Clears the bits of the queue from here on, and drops it.
  void forget_from(std::size_t begin);
  void give(std::span<const std::size_t> level_ends, bool parents, Reached& found) const;

  std::vector<std::uint64_t> seen_;
  std::vector<Entry> queue_;  // room; `size_` are in use
  std::size_t size_ = 0;
  std::vector<std::size_t> level_ends_;
  LevelSort sort_;
};

/// What a whole search has reached; besides the sources no more than `nearest`, or all if that is 0.
Reached gathered(Result&& result, std::uint64_t nearest);

}  // namespace hopwave::search_detail
