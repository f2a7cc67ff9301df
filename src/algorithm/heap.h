// The heap of Dijkstra's algorithm: a binary one with possibly several entries per vertex, of which the first counts. When it
// holds two entries per vertex, the others are thrown out: otherwise there might be one per arc. If every arc weighs one,
// entries come in ascending order by themselves: the heap is a queue then, and the search a breadth-first one.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "algorithm/arcs.h"

namespace hopwave::sssp {

class Heap {
 public:
  using Entry = std::pair<double, VertexId>;
  explicit Heap(const Arcs& arcs) : weighted_(arcs.weighted()), most_(2ull * arcs.num_vertices + least_room) {}

  [[nodiscard]] bool empty() const { return front_ == entries_.size(); }
  void clear() {
    entries_.clear();
    front_ = 0;
  }
  /// `distance`: as they are known. Room grows to most_ by doubling: during the last copy there is half of it in addition,
  /// which estimate/estimate.cpp counts.
  void push(double d, VertexId v, std::span<const double> distance) {
    if (entries_.size() == entries_.capacity()) {
      if (entries_.size() >= most_)
        throw_out(distance);
      else
        entries_.reserve(next_room());
    }
    entries_.emplace_back(d, v);
    if (weighted_) std::ranges::push_heap(entries_, std::greater<>{});
  }
  Entry pop() {
    if (!weighted_) return entries_[front_++];  // each vertex is pushed once
    std::ranges::pop_heap(entries_, std::greater<>{});
    const Entry least = entries_.back();
    entries_.pop_back();
    return least;
  }

 private:
  static constexpr std::size_t least_room = 1024;

  /// Leaves at most one entry per vertex.
  void throw_out(std::span<const double> distance) {
    std::erase_if(entries_, [&](const Entry& e) { return e.first > distance[e.second]; });
    std::ranges::make_heap(entries_, std::greater<>{});
  }
  [[nodiscard]] std::size_t next_room() const {
    std::size_t room = most_;
    while (room / 2 >= std::max(entries_.capacity() + 1, least_room)) room /= 2;
    return room;
  }

  bool weighted_;
  std::size_t most_;            ///< entries
  std::vector<Entry> entries_;  ///< grows, never shrinks
  std::size_t front_ = 0;       ///< of the queue, where arcs have no weights
};

}  // namespace hopwave::sssp
