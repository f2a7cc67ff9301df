// Dijkstra's algorithm, as plain as it can be.
// Source: E. W. Dijkstra, A note on two problems in connexion with graphs, Numerische Mathematik 1 (1959). Ours differs: a
// binary heap with possibly several entries per vertex, of which the first counts. When the heap holds two entries per vertex,
// the others are thrown out: otherwise there might be one per arc. If every arc weighs one, entries come in ascending order by
// themselves: the heap is a queue then, and the search a breadth-first one.
#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "algorithm/sssp/method.h"
#include "bfs/plan/thresholds.h"
#include "core/stopwatch.h"

namespace hopwave::sssp {
namespace {

class Dijkstra final : public Method {
 public:
  explicit Dijkstra(const Arcs& arcs)
      : arcs_(arcs), distance_(arcs.num_vertices), most_(2ull * arcs.num_vertices + least_room) {}

  void run(const WeightedQuery& query, const Control& control) override {
    const core::Stopwatch clock;
    std::fill(distance_.begin(), distance_.end(), no_path);
    heap_.clear();
    front_ = 0;
    for (const VertexId s : query.sources) {
      if (distance_[s] != 0) push(0, s);
      distance_[s] = 0;
    }
    std::uint64_t taken = 0, relaxed = 0, unwatched = 0;
    while (front_ < heap_.size()) {
      const auto [d, u] = pop();
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
  using Entry = std::pair<double, VertexId>;
  static constexpr std::size_t least_room = 1024;

  /// Room grows to most_ by doubling: during the last copy there is half of it in addition, which estimate/estimate.cpp counts.
  void push(double d, VertexId v) {
    if (heap_.size() == heap_.capacity()) {
      if (heap_.size() >= most_)
        throw_out();
      else
        heap_.reserve(next_room());
    }
    heap_.emplace_back(d, v);
    if (arcs_.weighted()) std::ranges::push_heap(heap_, std::greater<>{});
  }
  Entry pop() {
    if (!arcs_.weighted()) return heap_[front_++];  // each vertex is pushed once
    std::ranges::pop_heap(heap_, std::greater<>{});
    const Entry least = heap_.back();
    heap_.pop_back();
    return least;
  }
  /// Leaves at most one entry per vertex.
  void throw_out() {
    std::erase_if(heap_, [&](const Entry& e) { return e.first > distance_[e.second]; });
    std::ranges::make_heap(heap_, std::greater<>{});
  }
  [[nodiscard]] std::size_t next_room() const {
    std::size_t room = most_;
    while (room / 2 >= std::max(heap_.capacity() + 1, least_room)) room /= 2;
    return room;
  }

  void relax(double d, VertexId u) {
    arcs_.each_of(u, [&](VertexId v, double weight) {
      const double reach = d + weight;
      if (reach >= distance_[v]) return;
      distance_[v] = reach;
      push(reach, v);
    });
  }

  Arcs arcs_;
  std::vector<double> distance_;
  std::size_t most_;         ///< entries of the heap
  std::vector<Entry> heap_;  ///< grows, never shrinks
  std::size_t front_ = 0;    ///< of the queue, where arcs have no weights
};

}  // namespace

std::unique_ptr<Method> make_dijkstra(const Arcs& arcs) { return std::make_unique<Dijkstra>(arcs); }

}  // namespace hopwave::sssp
