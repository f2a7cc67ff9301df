// Up to 64 independent searches in one pass on the CPU: one word a vertex, whose bit i belongs to search i.
// Source: Then et al., The More the Merrier, VLDB 2014. Ours differs: pulling reads the visited words from before the
// level; distances are kept as binary digits, one word a vertex and digit, and widened when they are fetched.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "bfs/plan/plan.h"
#include "core/parallel.h"
#include "hopwave/array.h"

namespace hopwave::engine {

class MsBfsCpu {
 public:
  static constexpr std::size_t width = 64;
  /// View and team must outlive this. Takes 40 bytes a vertex, and 8 more for each digit of the depth.
  MsBfsCpu(Team& team, const strategy::View& view);

  /// At most `width` sources, which may repeat. Fills search_ms, levels and chosen; asks control between levels.
  void run(std::span<const VertexId> sources, Distance max_depth, strategy::RunControl& control);
  /// Distances from the i-th source of the last run.
  void fetch(std::size_t i, std::span<Distance> distances);
  /// counts()[d · width + i] vertices are at distance d from the i-th source of the last run.
  std::vector<std::uint32_t> counts();

 private:
  using Word = std::uint64_t;
  struct alignas(64) Counts {
    std::uint64_t found = 0, edges = 0;
  };

  void begin(std::span<const VertexId> sources);
  void mark(VertexId v, Word bits);
  void add_plane();
  template <bool shared>
  void expand(std::size_t begin, std::size_t end, int rank);
  void push();
  void pull();
  void gather();
  void take_counts();
  void count_tile(std::size_t from, std::vector<std::uint32_t>& counts) const;
  void flush(std::vector<VertexId>& found);

  Team& team_;
  strategy::View view_;
  std::size_t n_;
  Array<Word> visited_[2], fresh_[2];
  Array<VertexId> queue_[2];
  std::vector<Array<Word>> planes_;
  std::vector<std::vector<VertexId>> found_;  ///< by each thread, until they are queued
  std::vector<Counts> counts_;
  std::atomic<std::size_t> tail_{0};
  std::size_t size_ = 0;  ///< of the queue
  std::uint64_t edges_ = 0, found_total_ = 0;
  Distance level_ = 0;  ///< that the current step finds
  Word full_ = 0;
};

}  // namespace hopwave::engine
