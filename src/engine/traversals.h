// The traversals of a plan of `auto`: it holds one of five at a time, and the one that gave way until the next search.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "engine/auto_options.h"
#include "engine/auto_trace.h"
#include "engine/choose_traversal.h"
#include "engine/ms_bfs/levels_host.h"
#include "hopwave/error.h"
#include "plan/plan.h"

namespace hopwave::HW_MACHINE::engine {

using hopwave::engine::Choice;
using hopwave::engine::Seen;

/// One of them is set, or none.
template <class Offset>
struct Held {
  std::unique_ptr<GridWide<Offset>> grid_wide;
  std::unique_ptr<HighDiameter<Offset>> high_diameter;
  std::unique_ptr<SingleCluster<Offset>> single_cluster;
  std::unique_ptr<SharedMemory> shared_memory;
  std::unique_ptr<Levels<Offset>> levels;
};

template <class Offset>
class Traversals {
 public:
  explicit Traversals(const strategy::PlanRequest& request)
      : device_(*request.device),
        completion_(device_),
        grid_wide_options_(grid_wide_options(request)),
        high_diameter_options_(high_diameter_options(request)),
        cluster_options_(cluster_options(request)),
        shared_memory_options_(shared_memory_options(request)),
        ms_bfs_options_(engine::ms_bfs_options(request)),
        level_(device_, request.view.num_vertices) {}

  /// What the next ones are made for. Must outlive them in device memory.
  void set_graph(const Graph<Offset>& graph, const Choice& choice, std::uint64_t max_degree) {
    graph_ = graph;
    choice_ = choice;
    max_degree_ = max_degree;
  }

  [[nodiscard]] const Held<Offset>& now() const { return now_; }
  [[nodiscard]] const std::string& why() const { return why_; }
  [[nodiscard]] const device::Buffer<Distance>& level() const { return level_; }
  /// The memory of the answers, free between two searches.
  [[nodiscard]] Distance* scratch() { return level_.data(); }
  [[nodiscard]] const u32* parents() const { return parents_; }
  [[nodiscard]] const MsBfsOptions& ms_bfs_options() const { return ms_bfs_options_; }

  /// False, and nothing has changed: the graph does not fit there.
  bool make_shared_memory() {
    if constexpr (sizeof(Offset) == sizeof(std::uint32_t)) {
      auto made =
          std::make_unique<SharedMemory>(device_, graph_, max_degree_, shared_memory_options_, level_.data(), completion_);
      if (!made->fits()) return false;
      hold({.shared_memory = std::move(made)}, "because the graph fits there");
      return true;
    }
    return false;
  }
  bool make_high_diameter(bool rows, bool thin, const std::string& because) {
    auto made = std::make_unique<HighDiameter<Offset>>(device_, graph_, high_diameter_options_, rows, thin, level_.data());
    if (!made->fits()) return false;
    hold({.high_diameter = std::move(made)}, because);
    return true;
  }
  bool make_cluster(const std::string& because, bool shown = false) {
    if (!choice_.takes_cluster(shown)) return false;
    auto made = std::make_unique<SingleCluster<Offset>>(device_, graph_, cluster_options_, level_.data(), completion_);
    if (!made->fits()) return false;
    hold({.single_cluster = std::move(made)}, "because its visited bits and own vertices fit into each block; " + because);
    return true;
  }
  /// Would one cluster take the graph once it is prepared?
  [[nodiscard]] bool cluster_would_fit() {
    return SingleCluster<Offset>::would_fit(device_, graph_.num_vertices, cluster_options_, completion_);
  }
  /// Whatever is not narrow: in one cluster if that is better, or else wide.
  void make_grid_wide(const std::string& because) {
    if (make_cluster(because)) return;
    if (choice_.by_level()) {
      hold({.levels = std::make_unique<Levels<Offset>>(device_, graph_, ms_bfs_options_, level_.data())},
           (choice_.levels_were_asked_for() ? "because that was asked for; "
                                            : "because this device has no cooperative launches; ") +
               because);
      return;
    }
    grid_wide_options_.hubs = max_degree_ * graph_.num_vertices >= hub_share * graph_.num_arcs;
    hold({.grid_wide = std::make_unique<GridWide<Offset>>(device_, graph_, grid_wide_options_, level_.data(), completion_)},
         because);
  }
  void prepare_shared_memory() { now_.shared_memory->prepare(); }
  void restore_shared_memory(hopwave::engine::Restorer& from) {
    now_.shared_memory->restore(from);
    why_ += "; rows as the graph's file keeps them";
  }
  void restore_high_diameter(hopwave::engine::Restorer& from) {
    hold(
        {.high_diameter = std::make_unique<HighDiameter<Offset>>(device_, graph_, high_diameter_options_, level_.data(), from)},
        "as the graph's file keeps it");
  }

  /// Lets `make` (which returns whether it did) put another in the place of the one held, which stays until forget(): its
  /// parents may be asked for. Where there is no memory for both the one held goes on.
  template <class Make>
  bool replace(Make make) {
    Held<Offset> before = std::exchange(now_, {});
    bool made = false;
    try {
      made = make();
    } catch (const Error& error) {
      if (error.failure() != Failure::does_not_fit) {
        now_ = std::move(before);
        throw;
      }
    }
    (made ? retired_ : now_) = std::move(before);
    return made;
  }
  void forget() { retired_ = {}; }
  /// Keeps the one that gave way beyond the next search.
  void spare_retired() { spare_ = std::exchange(retired_, {}); }
  [[nodiscard]] bool has_spare() const { return spare_.shared_memory != nullptr; }
  void use_spare(const std::string& because) {
    retired_ = std::exchange(now_, {});
    hold(std::exchange(spare_, {}), because);
  }
  void drop() { now_ = {}; }

  void run(const Query& query, strategy::RunControl& control) {
    if (now_.levels) return now_.levels->run(query, control);
    if (now_.shared_memory) return now_.shared_memory->run(query);
    if (now_.high_diameter) return now_.high_diameter->run(query);
    now_.single_cluster ? now_.single_cluster->run(query, control.trace) : now_.grid_wide->run(query, control.trace);
  }
  /// The clock has stopped: what the launch has to say is sent to the host.
  void collect() {
    if (now_.grid_wide) now_.grid_wide->collect();
    if (now_.single_cluster) now_.single_cluster->collect();
    if (now_.shared_memory) now_.shared_memory->collect();
    if (now_.high_diameter) now_.high_diameter->collect();
  }
  /// Waits for it, and so for the search.
  void finish() {
    if (now_.grid_wide) parents_ = finish(*now_.grid_wide);
    if (now_.single_cluster) parents_ = finish(*now_.single_cluster);
    if (now_.shared_memory) parents_ = finish(*now_.shared_memory);
    if (now_.high_diameter) parents_ = finish(*now_.high_diameter);
    if (now_.levels) parents_ = now_.levels->parents().data();
  }
  [[nodiscard]] Seen seen() const {
    const Control& c = control();
    return {.visited = c.visited, .levels = c.levels, .steps = std::max(c.levels, c.records)};
  }
  void trace(RunStats& stats) const {
    if (now_.levels) return;  // it has told what it did
    if (now_.single_cluster && now_.single_cluster->has_all_records())
      trace_levels(stats, *now_.single_cluster);
    else if (now_.grid_wide && now_.grid_wide->has_all_records())
      trace_levels(stats, *now_.grid_wide);
    else
      trace_distances(stats, level_);
  }

 private:
  /// A graph has hubs if its largest degree is so many times the mean.
  static constexpr std::uint64_t hub_share = 16;

  void hold(Held<Offset> held, const std::string& because) {
    now_ = std::move(held);
    const std::string blocks = std::to_string(now_.grid_wide        ? now_.grid_wide->grid()
                                              : now_.levels         ? now_.levels->grid()
                                              : now_.single_cluster ? now_.single_cluster->blocks()
                                                                    : 0);
    if (now_.high_diameter) why_ = "high-diameter: " + now_.high_diameter->describe() + ", ";
    if (now_.shared_memory) why_ = "shared-memory: " + now_.shared_memory->describe() + ", ";
    if (now_.single_cluster) why_ = "single-cluster: one cluster of " + blocks + " blocks, ";
    if (now_.grid_wide) why_ = "grid-wide: " + blocks + " blocks in one launch; ";
    if (now_.levels) why_ = "one launch a level, " + blocks + " blocks, ";
    why_ += because;
  }
  template <class Traversal>
  static const u32* finish(Traversal& traversal) {
    traversal.finish();
    return traversal.parents().data();
  }
  [[nodiscard]] const Control& control() const {
    if (now_.levels) return now_.levels->control();
    if (now_.shared_memory) return now_.shared_memory->control();
    return now_.high_diameter    ? now_.high_diameter->control()
           : now_.single_cluster ? now_.single_cluster->control()
                                 : now_.grid_wide->control();
  }

  device::Device& device_;
  Completion<Control> completion_;
  GridWideOptions grid_wide_options_;
  HighDiameterOptions high_diameter_options_;
  ClusterOptions cluster_options_;
  SharedMemoryOptions shared_memory_options_;
  MsBfsOptions ms_bfs_options_;
  device::Buffer<Distance> level_;
  Graph<Offset> graph_{};
  Choice choice_;
  std::uint64_t max_degree_ = 0;
  const u32* parents_ = nullptr;
  std::string why_;
  Held<Offset> now_, retired_, spare_;
};

}  // namespace hopwave::HW_MACHINE::engine
