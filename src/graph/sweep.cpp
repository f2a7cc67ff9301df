// The levels of a Sweep. Distances are set by compare-and-swap, so that each vertex is found once.
#include "graph/sweep.h"

#include <algorithm>
#include <atomic>

namespace hopwave::graph {
namespace {

constexpr std::size_t push_grain = 1024, pull_grain = std::size_t{1} << 12;

}  // namespace

Sweep::Sweep(Team& team, VertexId n, const Adjacency& forward, const Adjacency* backward)
    : team_(team), n_(n), forward_(forward), backward_(backward), distance_(n), found_(static_cast<std::size_t>(team.size())) {}

void Sweep::run(VertexId start) {
  parallel_for(team_, n_, std::size_t{1} << 18, [&](std::size_t begin, std::size_t end, int) {
    std::fill(distance_.data() + begin, distance_.data() + end, unreached);
  });
  distance_[start] = 0;
  frontier_.assign(1, start);
  depth_ = 0, reached_ = 0;
  for (Distance level = 1;; ++level) {
    reached_ += static_cast<VertexId>(frontier_.size());
    depth_ = level - 1;
    farthest_ = *std::min_element(frontier_.begin(), frontier_.end());
    EdgeIndex arcs = 0;
    for (const VertexId v : frontier_) arcs += forward_.offsets[v + std::size_t{1}] - forward_.offsets[v];
    // A bottom-up (pull) level looks at every vertex. It pays off if the frontier has more arcs than there are
    // vertices.
    if (backward_ && arcs > n_)
      pull(level);
    else
      push(level);
    gather();
    if (frontier_.empty()) return;
  }
}

void Sweep::push(Distance level) {
  parallel_for(team_, frontier_.size(), push_grain, [&](std::size_t begin, std::size_t end, int rank) {
    auto& found = found_[rank];
    for (std::size_t i = begin; i < end; ++i) {
      const VertexId v = frontier_[i];
      for (EdgeIndex a = forward_.offsets[v]; a < forward_.offsets[v + std::size_t{1}]; ++a) {
        const VertexId u = forward_.neighbors[a];
        std::atomic_ref<Distance> d(distance_[u]);
        Distance old = d.load(std::memory_order_relaxed);
        if (old == unreached && d.compare_exchange_strong(old, level, std::memory_order_relaxed)) found.push_back(u);
      }
    }
  });
}

void Sweep::pull(Distance level) {
  parallel_for(team_, n_, pull_grain, [&](std::size_t begin, std::size_t end, int rank) {
    for (std::size_t v = begin; v < end; ++v) {
      std::atomic_ref<Distance> mine(distance_[v]);
      if (mine.load(std::memory_order_relaxed) != unreached) continue;
      for (EdgeIndex a = backward_->offsets[v]; a < backward_->offsets[v + 1]; ++a) {
        // Another vertex of this level may have its new distance already: that is not level - 1.
        if (std::atomic_ref<Distance>(distance_[backward_->neighbors[a]]).load(std::memory_order_relaxed) != level - 1)
          continue;
        mine.store(level, std::memory_order_relaxed);
        found_[rank].push_back(static_cast<VertexId>(v));
        break;
      }
    }
  });
}

void Sweep::gather() {
  frontier_.clear();
  for (auto& found : found_) {
    frontier_.insert(frontier_.end(), found.begin(), found.end());
    found.clear();
  }
}

}  // namespace hopwave::graph
