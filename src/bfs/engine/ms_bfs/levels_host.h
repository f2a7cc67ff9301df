// A single search in one launch a level: for devices without cooperative launches, and for observing a search. Its steps are
// those of MS-BFS, with all sources as one search; the host reads the progress every few launches.
#pragma once

#include <vector>

#include "bfs/engine/ms_bfs/host.h"
#include "bfs/engine/ms_bfs/levels.h"
#include "bfs/engine/traversal.h"
#include "bfs/plan/plan.h"
#include "bfs/plan/thresholds.h"
#include "hopwave/error.h"

namespace hopwave::HW_MACHINE::engine::ms_bfs {

template <class Offset>
class LevelLaunches final : public Traversal {
 public:
  LevelLaunches(device::Device& device, const Graph<Offset>& graph, Options options, Distance* level)
      : device_(device), graph_(graph), level_(level), part_(device), ms_bfs_(device, graph, by_level(options), level) {}

  [[nodiscard]] TraversalFacts facts() const override { return {.kind = TraversalKind::level_launches}; }
  [[nodiscard]] std::string describe() const override { return std::to_string(ms_bfs_.grid()) + " blocks"; }
  [[nodiscard]] const u32* parents() const override { return parent_.data(); }
  [[nodiscard]] const Control& control() const override { return control_; }

  /// Waits for the search. Fills the trace if one is wanted: then the host reads the progress after every level, and times it.
  void launch(const Query& query, strategy::RunControl& control) override {
    ms_bfs_.begin(query.sources, query.max_depth);
    const bool closely = control.trace || query.target != no_vertex;
    const u32 target = query.target == no_vertex || !graph_.rank ? query.target : rank_of(query.target);
    Progress before{};
    bool ended = false;
    if (control.trace) part_.start();
    ms_bfs_.go_on(
        [&](const Progress& now) {
          if (control.trace) add_trace(*control.stats, before, now);
          before = now;
          try {
            control.level_done(now.level, now.queues.queued);
          } catch (const Error&) {
            if (control.complete < 0) throw;
            ended = true;  // by a limit: what is done gets its parents
            return false;
          }
          if (control.trace) part_.start();
          return target == no_vertex || !ms_bfs_.is_visited(target);
        },
        closely ? 1 : thresholds::AnyDevice::ms_bfs_launches_ahead);
    if (control.trace) finish_trace(*control.stats, before, ms_bfs_.progress());
    control_ = {.progress = {},
                .visited = ms_bfs_.progress().visited,
                .levels = ms_bfs_.progress().deepest,
                .records = ms_bfs_.progress().level,
                .began = 0,
                .settled = 0,
                .ended = 0};
    control_.progress.cancelled = ended;
    control_.progress.level = before.level;
    if (query.parents) find_parents();
  }
  void collect() override {}  // launch() has waited, and filled the trace
  void finish() override {}
  bool trace(SearchReport&) const override { return true; }

 private:
  static Options by_level(Options options) {
    options.levels = true;
    return options;
  }

  u32 rank_of(VertexId v) const {
    u32 rank = 0;
    device_.copy_out(&rank, graph_.rank + v, sizeof rank);
    return rank;
  }

  /// `now` has just taken a step from its frontier. Only now is it known what the step before found.
  void add_trace(SearchReport& stats, const Progress& before, const Progress& now) {
    part_.stop();
    finish_trace(stats, before, now);
    if (now.mode == Mode::gather) return;
    // After a pull there is no queue: the frontier is what the level before found.
    const std::uint64_t frontier = now.queues.queued || stats.trace.empty() ? now.queues.queued : stats.trace.back().discovered;
    stats.trace.push_back({.level = static_cast<Distance>(now.level + 1),
                           .direction = now.mode == Mode::pull ? "pull" : "push",
                           .frontier = frontier,
                           .edges = now.mode == Mode::pull ? 0 : now.edges,
                           .time = part_.elapsed()});
  }
  static void finish_trace(SearchReport& stats, const Progress& before, const Progress& now) {
    if (!stats.trace.empty() && stats.trace.back().discovered == 0)
      stats.trace.back().discovered = now.visited - before.visited;
  }

  void find_parents() {
    if (parent_.empty()) parent_ = device::Buffer<u32>(device_, graph_.num_vertices).as(MemoryKind::parents);
    const u32 grid = std::min(device::blocks_for(std::uint64_t{graph_.num_vertices} * dev::lanes, 256), 8192u);
    device::launch(device_, {{.grid = grid, .block = 256}}, parents_from_levels<Offset>, graph_, level_, parent_.data());
  }

  device::Device& device_;
  Graph<Offset> graph_;
  Distance* level_;
  device::Timer part_;
  MsBfs<Offset> ms_bfs_;
  device::Buffer<u32> parent_;
  Control control_{};
};

}  // namespace hopwave::HW_MACHINE::engine::ms_bfs
