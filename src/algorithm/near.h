// Dijkstra's algorithm by one thread, again and again: for a few targets near the source, where it ends when they are known, or
// for all vertices. A search costs what it has reached, since only that is reset.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "algorithm/heap.h"
#include "bfs/plan/thresholds.h"
#include "hopwave/array.h"
#include "hopwave/shortest_paths.h"

namespace hopwave::sssp {
/// One source and its targets, whose results begin at `first`.
struct Job {
  VertexId source;
  std::span<const VertexId> targets;
  std::size_t first;
};

/// A search of one thread. Vertices are taken by distance.
class Near {
 public:
  Near(const Arcs& arcs, bool paths)
      : arcs_(arcs),
        distance_(Array<double>::filled(arcs.num_vertices, no_path)),
        parent_(paths ? arcs.num_vertices : 0),
        wanted_(Array<std::uint8_t>::filled(arcs.num_vertices, 0)),
        heap_(arcs) {}

  /// Finds the distances of the job's targets and, with `ties`, of all vertices that are not farther. look(): throws to end the
  /// search.
  template <class Look>
  void run(const Job& job, bool ties, Look&& look) {
    forget();
    std::size_t left = 0;
    for (const VertexId t : job.targets) left += std::exchange(wanted_[t], std::uint8_t{1}) == 0;
    if (left == 0) return;
    reach(job.source, 0, no_vertex);
    std::uint64_t unwatched = 0;
    double last = no_path;  // the distance of the last target
    while (!heap_.empty()) {
      const auto [d, u] = heap_.pop();
      if (d > distance_[u]) continue;
      if (d > last) break;
      ++taken;
      left -= std::exchange(wanted_[u], std::uint8_t{0});
      const EdgeIndex degree = arcs_.offsets[u + 1ull] - arcs_.offsets[u];
      relaxed += degree;
      unwatched += degree + thresholds::Weighted::dijkstra_vertex_arcs;
      if (left == 0) last = d;
      if (left == 0 && !ties) break;
      relax(d, u);
      if (unwatched < thresholds::Weighted::dijkstra_looked_after) continue;
      unwatched = 0;
      look();
    }
    // A target that was not taken has no path: nothing is left to take.
    for (const VertexId t : job.targets) wanted_[t] = 0;
  }

  /// Finds the distances of all vertices. over(): true ends the search, and this returns false.
  template <class Over>
  bool all(VertexId source, Over&& over) {
    forget();
    order_.clear();
    reach(source, 0, no_vertex);
    std::uint64_t unwatched = 0;
    while (!heap_.empty()) {
      const auto [d, u] = heap_.pop();
      if (d > distance_[u]) continue;  // entries of one vertex have different distances: one is taken
      order_.push_back(u);
      ++taken;
      const EdgeIndex degree = arcs_.offsets[u + 1ull] - arcs_.offsets[u];
      relaxed += degree;
      unwatched += degree + thresholds::Weighted::dijkstra_vertex_arcs;
      relax(d, u);
      if (unwatched < thresholds::Weighted::dijkstra_looked_after) continue;
      unwatched = 0;
      if (over()) return false;
    }
    return true;
  }
  /// Of the last such search: the vertices reached, in ascending order of distance.
  [[nodiscard]] const std::vector<VertexId>& order() const { return order_; }
  [[nodiscard]] std::span<const double> distances() const { return distance_.span(); }

  [[nodiscard]] double distance(VertexId v) const { return distance_[v]; }
  /// From the source to v, which was reached. False: an arc of it does not change the distance, so that the rule of
  /// find_parents() for equal distances would be needed.
  bool path_to(VertexId v, std::vector<VertexId>& path) const {
    for (; v != no_vertex; v = parent_[v]) {
      if (parent_[v] != no_vertex && distance_[parent_[v]] == distance_[v]) return false;
      path.push_back(v);
    }
    std::reverse(path.begin(), path.end());
    return true;
  }

  std::uint64_t taken = 0, relaxed = 0;  ///< in all searches

 private:
  void forget() {
    for (const VertexId v : reached_) distance_[v] = no_path;
    reached_.clear();
    heap_.clear();
  }
  void reach(VertexId v, double d, VertexId parent) {
    if (distance_[v] == no_path) reached_.push_back(v);
    distance_[v] = d;
    if (!parent_.empty()) parent_[v] = parent;
    heap_.push(d, v, distance_.span());
  }
  /// Vertices are taken by distance, so all arcs from nearer ones are relaxed before a vertex is: the least of them stays.
  void relax(double d, VertexId u) {
    arcs_.each_of(u, [&](VertexId v, double weight) {
      const double sum = d + weight;
      if (sum < distance_[v])
        reach(v, sum, u);
      else if (!parent_.empty() && sum == distance_[v] && d < sum && sum != no_path && u < parent_[v])
        parent_[v] = u;
    });
  }

  Arcs arcs_;
  Array<double> distance_;
  Array<VertexId> parent_;  ///< empty: no paths are wanted
  std::vector<VertexId> reached_, order_;
  Array<std::uint8_t> wanted_;
  Heap heap_;
};

}  // namespace hopwave::sssp
