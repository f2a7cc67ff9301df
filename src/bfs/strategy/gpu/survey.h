// What the strategies of Springer's survey share: the graph as adjacency lists, and the plan that walks it level by level.
// Source of the representation: M. Springer, Breadth-first Search in CUDA, figure 1: `begin` and `length` of every list.
// Ours differs: `begin` is the CSR offset array itself, and `length` is made from it on the device.
#pragma once

#include "bfs/strategy/gpu/level_kernels.h"

namespace hopwave::HW_MACHINE {
namespace {

/// Where the list of every vertex begins and how long it is. The length could be had from the next begin, but then lists
/// would have to be in the order of their vertices, and a thread would read a word that its neighbour needs too.
template <class Offset>
struct AdjacencyLists {
  const Offset* begin;
  const Offset* length;
  const VertexId* neighbors;
  VertexId num_vertices;
};

template <class Offset>
HW_KERNEL void fill_lengths(const Offset* offsets, VertexId num_vertices, Offset* length) {
  for (std::uint64_t v = dev::global_thread(); v < num_vertices; v += dev::global_threads()) {
    dev::plain_write(&length[v], dev::plain_read(&offsets[v + 1]) - dev::plain_read(&offsets[v]));
  }
}

/// Neighbours without a level get `current`; true if there was one. Several threads may find the same neighbour, and a
/// look at it may be stale: all store the same value.
template <class Offset>
HW_DEVICE bool push_list(const AdjacencyLists<Offset>& lists, Offset begin, Offset length, Offset first, Offset step,
                         Distance* level, Distance current) {
  bool found = false;
  visit_row(lists.neighbors + begin, length, first, step, level, [&](VertexId w, Distance seen) {
    if (seen != unreached) return;
    dev::store(&level[w], current);
    found = true;
  });
  return found;
}

/// The whole list of one vertex by one thread.
template <class Offset>
HW_DEVICE bool push_from(const AdjacencyLists<Offset>& lists, std::uint64_t v, Distance* level, Distance current) {
  return push_list<Offset>(lists, dev::read_only(&lists.begin[v]), dev::read_only(&lists.length[v]), 0, 1, level, current);
}

/// A plan over adjacency lists. A strategy derives from it, and its run() hands walk() what it launches in a level.
class SurveyPlan : public LevelPlan {
 protected:
  explicit SurveyPlan(const PlanRequest& request)
      : LevelPlan(request, {.out = true}), last_found_(device_, 1), counter_(device_) {
    graph_.wide ? make_lengths(length64_) : make_lengths(length32_);
  }

  template <class Offset>
  [[nodiscard]] AdjacencyLists<Offset> lists() const {
    if constexpr (sizeof(Offset) == 8) {
      return {graph_.offsets<Offset>(), length64_.data(), graph_.neighbors.data(), graph_.num_vertices};
    } else {
      return {graph_.offsets<Offset>(), length32_.data(), graph_.neighbors.data(), graph_.num_vertices};
    }
  }

  /// start() prepares what the strategy keeps besides the levels; level(lists, current) launches one level and returns
  /// what became of it.
  template <class Start, class Level>
  void walk(const Query& query, RunControl& control, Start&& start, Level&& level) {
    loop_.run(
        query, control, level_,
        [&] {
          last_found_.fill_bytes(0);
          start();
        },
        [&](Distance current, std::uint32_t) {
          return graph_.wide ? level(lists<std::uint64_t>(), current) : level(lists<std::uint32_t>(), current);
        },
        [&](LevelTrace& trace) { counter_.count(graph_, level_, trace); });
  }

  /// The step of a kernel that stores `current` into last_found_ when it discovers something: that word is never reset,
  /// and reading it is the only round trip of a level.
  [[nodiscard]] LevelStep found(Distance current, const char* direction = "push") const {
    return {.more = last_found_.value() == current, .direction = direction};
  }

  Buffer<Distance> last_found_;

 private:
  template <class Offset>
  void make_lengths(Buffer<Offset>& length) {
    length = Buffer<Offset>(device_, graph_.num_vertices).as(MemoryKind::rows);
    launch(device_, {{.grid = blocks_for(graph_.num_vertices, 256), .block = 256}}, fill_lengths<Offset>,
           graph_.offsets<Offset>(), graph_.num_vertices, length.data());
  }

  Buffer<std::uint32_t> length32_;
  Buffer<std::uint64_t> length64_;
  LevelCounter counter_;
};

/// A plan over the edge list (COO): tails in arc_sources, heads in neighbors.
class SurveyEdgePlan : public LevelPlan {
 protected:
  explicit SurveyEdgePlan(const PlanRequest& request)
      : LevelPlan(request, {.out = false, .arc_sources = true}), last_found_(device_, 1), counter_(device_) {}

  /// level(current) launches one pass over the edges, which stores `current` into last_found_ if it changed something.
  template <class Level>
  void walk(const Query& query, RunControl& control, const char* direction, Level&& level) {
    loop_.run(
        query, control, level_,
        [&] {
          start_levels(device_, sources_, query.sources, level_);
          last_found_.fill_bytes(0);
        },
        [&](Distance current, std::uint32_t) -> LevelStep {
          level(current);
          return {.more = last_found_.value() == current, .direction = direction};
        },
        [&](LevelTrace& trace) { counter_.count(graph_, level_, trace); });
  }

  Buffer<Distance> last_found_;

 private:
  LevelCounter counter_;
};

/// Distances as a relaxing kernel compares them: unreached, −1, is the greatest unsigned number.
using Unsigned = std::uint32_t;
inline constexpr Unsigned infinite = static_cast<Unsigned>(unreached);

}  // namespace
}  // namespace hopwave::HW_MACHINE
