// Parents from distances: one pass over the arcs, and a search within groups of vertices at the same distance.
#include <algorithm>
#include <atomic>
#include <vector>

#include "algorithm/sssp/method.h"
#include "bfs/plan/thresholds.h"

namespace hopwave::sssp {
namespace {

/// Does the arc give v exactly its distance? Not from or to where no path leads.
bool is_tight(std::span<const double> distance, VertexId u, VertexId v, double weight) {
  const double reach = distance[u] + weight;
  return reach < no_path && reach == distance[v];
}

void lower(VertexId& word, VertexId to) {
  std::atomic_ref<VertexId> shared(word);
  VertexId old = shared.load(std::memory_order_relaxed);
  while (to < old && !shared.compare_exchange_weak(old, to, std::memory_order_relaxed)) {
  }
}

/// Parents among vertices of one distance: round after round those that an arc joins to what has a parent already.
class Level {
 public:
  Level(const Arcs& arcs, std::span<const double> distance, std::span<VertexId> parent, std::vector<std::uint8_t> open)
      : arcs_(arcs), distance_(distance), parent_(parent), open_(std::move(open)) {}

  void run() {
    for (VertexId u = 0; u < arcs_.num_vertices; ++u)
      if (!open_[u]) offer(u);
    while (!found_.empty()) {
      std::vector<VertexId> round;
      round.swap(found_);
      for (const VertexId v : round) open_[v] = 0;
      for (const VertexId v : round) offer(v);
    }
  }

 private:
  void offer(VertexId u) {
    arcs_.each_of(u, [&](VertexId v, double weight) {
      if (!open_[v] || !is_tight(distance_, u, v, weight)) return;
      if (parent_[v] == no_vertex) found_.push_back(v);
      parent_[v] = std::min(parent_[v], u);
    });
  }

  Arcs arcs_;
  std::span<const double> distance_;
  std::span<VertexId> parent_;
  std::vector<std::uint8_t> open_;  ///< has no parent from an earlier round
  std::vector<VertexId> found_;
};

}  // namespace

void find_nearer_parents(Team& team, const Arcs& arcs, std::span<const double> distance, std::span<VertexId> parent) {
  std::fill(parent.begin(), parent.end(), no_vertex);
  parallel_for(team, arcs.num_vertices, thresholds::Weighted::parent_grain, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t u = begin; u < end; ++u) {
      if (distance[u] == no_path) continue;  // a near target leaves most vertices so
      arcs.each_of(static_cast<VertexId>(u), [&](VertexId v, double weight) {
        if (distance[u] < distance[v] && is_tight(distance, static_cast<VertexId>(u), v, weight))
          lower(parent[v], static_cast<VertexId>(u));
      });
    }
  });
}

void find_equal_parents(const Arcs& arcs, std::span<const VertexId> sources, std::span<const double> distance,
                        std::span<VertexId> parent) {
  std::vector<std::uint8_t> open(arcs.num_vertices, 0);
  bool any = false;
  for (VertexId v = 0; v < arcs.num_vertices; ++v) open[v] = distance[v] < no_path && parent[v] == no_vertex;
  for (const VertexId s : sources) open[s] = 0;
  for (const std::uint8_t each : open) any |= each != 0;
  if (any) Level(arcs, distance, parent, std::move(open)).run();
}

void find_parents(Team& team, const Arcs& arcs, std::span<const VertexId> sources, std::span<const double> distance,
                  std::span<VertexId> parent) {
  find_nearer_parents(team, arcs, distance, parent);
  find_equal_parents(arcs, sources, distance, parent);
}

}  // namespace hopwave::sssp
