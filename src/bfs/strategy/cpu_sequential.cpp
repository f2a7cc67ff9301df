// One thread, one queue: the definition of breadth-first search, and the oracle that every other strategy is compared with.
// Source: Springer, Breadth-first Search in CUDA, algorithm 1.
// Ours differs: several sources, parents, and an end at a depth or a target. Kept plain on purpose: nothing here is tuned.
#include <algorithm>

#include "bfs/plan/plan.h"
#include "core/stopwatch.h"

namespace hopwave::strategy {
namespace {

class CpuSequential final : public Plan {
 public:
  explicit CpuSequential(const PlanRequest& request)
      : view_(request.view), distance_(view_.num_vertices), queue_(view_.num_vertices) {}

  void run(const Query& query, RunControl& control) override {
    const core::Stopwatch watch;
    begin(query);
    for (Distance level = 1; head_ < tail_; ++level) {
      if (query.max_depth >= 0 && level > query.max_depth) break;
      if (query.target != no_vertex && distance_[query.target] != unreached) break;
      expand_level(query, control, level);
    }
    control.stats->work = watch.elapsed();
  }

  void fetch(std::span<Distance> distances, std::span<VertexId> parents) override {
    std::copy(distance_.begin(), distance_.end(), distances.begin());
    if (!parents.empty()) std::copy(parent_.begin(), parent_.end(), parents.begin());
  }

 private:
  void begin(const Query& query) {
    std::fill(distance_.begin(), distance_.end(), unreached);
    if (query.parents && parent_.empty()) parent_ = Array<VertexId>(view_.num_vertices);
    if (query.parents) std::fill(parent_.begin(), parent_.end(), no_vertex);
    head_ = tail_ = 0;
    for (const VertexId s : query.sources) {
      if (distance_[s] == 0) continue;
      distance_[s] = 0;
      queue_[tail_++] = s;
    }
  }

  /// The queue holds vertices in ascending distance: those from head to the present tail are one level.
  void expand_level(const Query& query, RunControl& control, Distance level) {
    const core::Stopwatch watch;
    const std::size_t end = tail_;
    LevelTrace trace{.level = level, .direction = "push", .frontier = end - head_};
    for (; head_ < end; ++head_) {
      const VertexId u = queue_[head_];
      for (EdgeIndex e = view_.forward->offsets[u]; e < view_.forward->offsets[u + 1ull]; ++e) {
        const VertexId v = view_.forward->neighbors[e];
        ++trace.edges;
        if (distance_[v] != unreached) continue;
        distance_[v] = level;
        if (query.parents) parent_[v] = u;
        queue_[tail_++] = v;
      }
    }
    trace.discovered = tail_ - end;
    trace.time = watch.elapsed();
    control.stats->edges_examined += trace.edges;
    control.stats->steps = static_cast<std::uint32_t>(level);
    if (trace.discovered) control.stats->levels = static_cast<std::uint32_t>(level);
    if (control.trace) control.stats->trace.push_back(trace);
    control.level_done(static_cast<std::uint32_t>(level), trace.discovered);
  }

  const View view_;
  Array<Distance> distance_;
  Array<VertexId> parent_, queue_;
  std::size_t head_ = 0, tail_ = 0;
};

}  // namespace
}  // namespace hopwave::strategy

HOPWAVE_CPU_STRATEGY(
    cpu_sequential,
    {.info = {.name = "cpu-sequential",
              .summary = "one thread and one queue; the oracle for all others",
              .source = "Springer, Breadth-first Search in CUDA, alg. 1",
              .device = "cpu",
              .differs = "several sources, parents, an end at a depth or target",
              .needs = {},
              .native_parents = true,
              .parameters = {},
              .work = {.method = "push",
                       .over = "nothing: one thread",
                       .frontier = "a queue",
                       .thread = "Levels and tree alone: a CPU strategy deals out work as its threads come for it."}},
     .plan = plan_of<CpuSequential>})
