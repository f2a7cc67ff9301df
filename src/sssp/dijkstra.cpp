// Dijkstra's algorithm, as plain as it can be.
// Source: E. W. Dijkstra, A note on two problems in connexion with graphs, Numerische Mathematik 1 (1959). Ours differs: a
// binary heap in which a vertex may stand several times; only its first time counts.
#include <algorithm>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "core/stopwatch.h"
#include "sssp/method.h"

namespace hopwave::sssp {
namespace {

constexpr std::uint64_t looked_after = 1 << 18;     // work between two looks at the limits: arcs, and
constexpr std::uint64_t work_of_a_vertex = 1 << 4;  // so many for each vertex

class Dijkstra final : public Method {
 public:
  explicit Dijkstra(const Arcs& arcs) : arcs_(arcs), distance_(arcs.num_vertices) {}

  void run(const WeightedQuery& query, const Control& control) override {
    const core::Stopwatch clock;
    std::fill(distance_.begin(), distance_.end(), no_path);
    Heap heap;
    for (const VertexId s : query.sources) {
      distance_[s] = 0;
      heap.emplace(0.0, s);
    }
    std::uint64_t taken = 0, relaxed = 0, unwatched = 0;
    while (!heap.empty()) {
      const auto [d, u] = heap.top();
      heap.pop();
      if (d > bound_of(query, distance_.data())) break;
      if (d > distance_[u]) continue;
      const EdgeIndex degree = arcs_.offsets[u + 1ull] - arcs_.offsets[u];
      relax(heap, d, u);
      ++taken;
      relaxed += degree;
      unwatched += degree + work_of_a_vertex;
      if (unwatched >= looked_after) {
        unwatched = 0;
        control.step_done(taken, relaxed);
      }
    }
    control.stats->steps = taken;
    control.stats->relaxations = relaxed;
    control.stats->search_ms = clock.milliseconds();
  }

  void fetch(std::span<double> distance) override { std::copy(distance_.begin(), distance_.end(), distance.begin()); }

 private:
  using Entry = std::pair<double, VertexId>;
  using Heap = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

  void relax(Heap& heap, double d, VertexId u) {
    for (EdgeIndex e = arcs_.offsets[u]; e < arcs_.offsets[u + 1ull]; ++e) {
      const VertexId v = arcs_.neighbors[e];
      const double reach = d + arcs_.weight(e);
      if (reach >= distance_[v]) continue;
      distance_[v] = reach;
      heap.emplace(reach, v);
    }
  }

  Arcs arcs_;
  std::vector<double> distance_;
};

}  // namespace

std::unique_ptr<Method> make_dijkstra(const Arcs& arcs) { return std::make_unique<Dijkstra>(arcs); }

}  // namespace hopwave::sssp
