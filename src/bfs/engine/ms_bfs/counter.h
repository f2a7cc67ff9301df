// Vertices by distance from up to 512 sources, in one pass of one thread on the CPU. Only counts come out of it, so distances
// are not kept, and threads take passes of their own and never wait for each other. Source: Then et al., The More the Merrier,
// VLDB 2014, whose words are as wide as a cache line. Ours differs: what a level finds goes through a tree of carry-save adders
// (Harley and Seal, in Warren, Hacker's Delight, 5-1), one counter a search.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "bfs/plan/plan.h"
#include "hopwave/array.h"
#include "hopwave/level_counts.h"

namespace hopwave::engine {

/// A bit a search. 512 are one cache line: what a lookup waits for is used whole.
struct alignas(64) WideWord {
  static constexpr std::size_t parts = 8;
  std::uint64_t part[parts];
};

/// Counts, for each of 512 bits, the words in which it is set. Digit k of all counters is in one word.
class BitCounter {
 public:
  void clear();
  void add(const WideWord& word) {
    waiting_[count_++] = word;
    if (count_ == waiting_.size()) add_waiting();
  }
  /// to[i]: words with bit i, of all since clear().
  void take(std::span<std::uint32_t> to);

 private:
  static constexpr std::size_t digits = 32;
  void add_waiting();
  void carry(std::size_t digit, WideWord word);

  std::array<WideWord, 8> waiting_;
  std::array<WideWord, digits> digit_;
  std::size_t count_ = 0, top_ = 0;  ///< words that wait; digits in use
};

class MsBfsCounter {
 public:
  static constexpr std::size_t width = 64 * WideWord::parts;
  static constexpr std::size_t bytes_per_vertex = 3 * sizeof(WideWord) + 2 * sizeof(VertexId);
  /// Deeper searches make more counts than they save time.
  static constexpr Distance most_levels = 4096;
  enum class End : std::uint8_t { whole, stopped, too_deep };

  /// The view must outlive this.
  explicit MsBfsCounter(const strategy::View& view);

  /// Asked before each level, with its number less one and the vertices that it begins with; false: end.
  using GoOn = std::function<bool(std::uint32_t level, std::uint64_t frontier)>;
  /// From at most `width` sources, which may repeat. counts[i] is that of sources[i], if the end is `whole`.
  End run(std::span<const VertexId> sources, Distance max_depth, const GoOn& go_on, std::span<LevelCounts> counts);
  /// The greatest distance that the last run found.
  [[nodiscard]] Distance depth() const { return depth_; }

 private:
  void begin(std::span<const VertexId> sources);
  void push();
  void pull();

  strategy::View view_;
  std::size_t n_;
  Array<WideWord> visited_, fresh_, next_;
  std::vector<VertexId> queue_, found_;
  BitCounter counter_;
  WideWord full_ = {};
  std::uint64_t edges_ = 0;  ///< out of the queue
  Distance depth_ = 0;
};

/// In which order to take sources, so that those of a pass lie near each other: a vertex that several of them reach at the same
/// level is looked at once. `groups` of this many grow around one source each; 0: one group is all that it reaches.
std::vector<std::uint32_t> order_of_sources(const strategy::View& view, std::span<const VertexId> sources, std::size_t groups);

}  // namespace hopwave::engine
