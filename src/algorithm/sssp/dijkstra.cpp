// Dijkstra's algorithm, as plain as it can be.
// Source: E. W. Dijkstra, A note on two problems in connexion with graphs, Numerische Mathematik 1 (1959). Ours differs in its
// heap (heap.h).
#include <algorithm>
#include <vector>

#include "algorithm/heap.h"
#include "algorithm/sssp/method.h"
#include "bfs/plan/thresholds.h"
#include "core/stopwatch.h"

namespace hopwave::sssp {
namespace {

class Dijkstra final : public Method {
 public:
  explicit Dijkstra(const Arcs& arcs) : arcs_(arcs), distance_(arcs.num_vertices), heap_(arcs) {}

  void run(const WeightedQuery& query, const Control& control) override {
    const core::Stopwatch clock;
    std::fill(distance_.begin(), distance_.end(), no_path);
    heap_.clear();
    for (const VertexId s : query.sources) {
      if (distance_[s] != 0) heap_.push(0, s, distance_);
      distance_[s] = 0;
    }
    std::uint64_t taken = 0, relaxed = 0, unwatched = 0;
    while (!heap_.empty()) {
      const auto [d, u] = heap_.pop();
      if (d > bound_of(query, distance_.data())) break;
      if (d > distance_[u]) continue;
      const EdgeIndex degree = arcs_.offsets[u + 1ull] - arcs_.offsets[u];
      relax(d, u);
      ++taken;
      relaxed += degree;
      unwatched += degree + thresholds::Weighted::dijkstra_vertex_arcs;
      if (unwatched >= thresholds::Weighted::dijkstra_looked_after) {
        unwatched = 0;
        control.step_done(taken, relaxed);
      }
    }
    control.stats->steps = taken;
    control.stats->relaxations = relaxed;
    control.stats->work = clock.elapsed();
  }

  void fetch(std::span<double> distance) override { std::copy(distance_.begin(), distance_.end(), distance.begin()); }

 private:
  void relax(double d, VertexId u) {
    arcs_.each_of(u, [&](VertexId v, double weight) {
      const double reach = d + weight;
      if (reach >= distance_[v]) return;
      distance_[v] = reach;
      heap_.push(reach, v, distance_);
    });
  }

  Arcs arcs_;
  std::vector<double> distance_;
  Heap heap_;
};

}  // namespace

std::unique_ptr<Method> make_dijkstra(const Arcs& arcs) { return std::make_unique<Dijkstra>(arcs); }

}  // namespace hopwave::sssp
