// The traversals of a plan of `auto`: makes them, and holds one at a time; also the one that was replaced, until the next
// search.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "bfs/engine/auto_options.h"
#include "bfs/engine/auto_trace.h"
#include "bfs/engine/choose_traversal.h"
#include "bfs/engine/ms_bfs/host.h"
#include "bfs/engine/ms_bfs/levels_host.h"
#include "bfs/engine/traversal.h"
#include "bfs/plan/plan.h"
#include "hopwave/error.h"

namespace hopwave::HW_MACHINE::engine {

using hopwave::engine::Choice;

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
        level_(device::Buffer<Distance>(device_, request.view.num_vertices).as(MemoryKind::levels)) {}

  /// The graph and the choice that the next traversals are made for. The graph must outlive them in device memory.
  void set_graph(const Graph<Offset>& graph, const Choice& choice, std::uint64_t max_degree) {
    graph_ = graph;
    choice_ = choice;
    max_degree_ = max_degree;
  }

  /// The traversal held. There is one after any make_…() that returned true, and after make_grid_wide().
  [[nodiscard]] Traversal& now() const { return *now_; }
  [[nodiscard]] TraversalFacts facts() const { return now_->facts(); }
  [[nodiscard]] const std::string& why() const { return why_; }
  [[nodiscard]] const device::Buffer<Distance>& level() const { return level_; }
  /// The memory of the answers, free between two searches.
  [[nodiscard]] Distance* scratch() { return level_.data(); }
  [[nodiscard]] const u32* parents() const { return parents_; }
  [[nodiscard]] const ms_bfs::Options& ms_bfs_options() const { return ms_bfs_options_; }

  // Each of these returns false, and changes nothing, where the device cannot run that traversal on the graph.

  bool make_shared_memory() {
    if constexpr (sizeof(Offset) == sizeof(std::uint32_t))
      return hold_if_fits(std::make_unique<shared_memory::SharedMemory>(device_, graph_, max_degree_, shared_memory_options_,
                                                                        level_.data(), completion_),
                          "the graph fits there");
    return false;
  }
  bool make_high_diameter(bool rows, bool thin, const std::string& because) {
    return hold_if_fits(high_diameter::make_high_diameter(device_, graph_, high_diameter_options_, rows, thin, level_.data()),
                        because);
  }
  bool make_cluster(const std::string& because, bool shown = false) {
    if (!choice_.takes_cluster(shown)) return false;
    return hold_if_fits(
        std::make_unique<single_cluster::SingleCluster<Offset>>(device_, graph_, cluster_options_, level_.data(), completion_),
        "its visited bits and own vertices fit into each block", because);
  }
  /// Makes the single-cluster traversal if that is better, else the grid-wide one.
  void make_grid_wide(const std::string& because) {
    if (make_cluster(because)) return;
    if (choice_.by_level()) {
      hold(std::make_unique<ms_bfs::LevelLaunches<Offset>>(device_, graph_, ms_bfs_options_, level_.data()),
           "this device has no cooperative launches", because);
      return;
    }
    grid_wide_options_.hubs = choice_.has_hubs();
    hold(std::make_unique<grid_wide::GridWide<Offset>>(device_, graph_, grid_wide_options_, level_.data(), completion_), "",
         because);
  }
  /// Would one cluster take the graph once it is prepared?
  [[nodiscard]] bool cluster_would_fit() {
    return single_cluster::SingleCluster<Offset>::would_fit(device_, graph_.num_vertices, cluster_options_, completion_);
  }

  /// From what earlier ones saved. These throw HW-PREPARATION-FIT; the first returns false where the graph does not fit.
  bool restore_shared_memory(hopwave::engine::Restorer& from) {
    if constexpr (sizeof(Offset) == sizeof(std::uint32_t)) {
      auto made = std::make_unique<shared_memory::SharedMemory>(device_, graph_, max_degree_, shared_memory_options_,
                                                                level_.data(), completion_);
      if (!made->fits()) return false;
      made->restore(from);
      hold(std::move(made), "the graph fits there", "rows as the graph's file keeps them");
      return true;
    }
    return false;
  }
  void restore_high_diameter(hopwave::engine::Restorer& from) {
    hold(high_diameter::restore_high_diameter(device_, graph_, high_diameter_options_, level_.data(), from), "",
         "as the graph's file keeps it");
  }

  /// Has `make` put another traversal in the place of the one held; `make` returns whether it did. The one replaced stays until
  /// forget(), since its parents may be asked for. Where there is no memory for both, the one held stays.
  template <class Make>
  bool replace(Make make) {
    std::unique_ptr<Traversal> before = std::move(now_);
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
  void forget() { retired_.reset(); }
  /// Keeps the one that was replaced beyond the next search.
  void spare_retired() { spare_ = std::move(retired_); }
  [[nodiscard]] bool has_spare() const { return spare_ != nullptr; }
  void use_spare(const std::string& because) {
    retired_ = std::move(now_);
    hold(std::move(spare_), because);
  }
  void drop() { now_.reset(); }

  /// Waits for the search that was launched and collected.
  void finish() {
    now_->finish();
    parents_ = now_->parents();
  }
  void trace(SearchReport& stats) const {
    if (!now_->trace(stats)) trace_distances(stats, level_);
  }

 private:
  bool hold_if_fits(std::unique_ptr<Traversal> made, const std::string& because, const std::string& also = "") {
    if (!made || !made->fits()) return false;
    hold(std::move(made), because, also);
    return true;
  }
  /// `because`: the figures that decide, unless a parameter has decided. `also`: what else there is to say.
  void hold(std::unique_ptr<Traversal> made, const std::string& because, const std::string& also = "") {
    now_ = std::move(made);
    const TraversalKind kind = now_->facts().kind;
    const auto asked = choice_.asked();
    const std::string reason = asked && asked->kind == kind ? asked->parameter : because;
    why_ = std::string(name_of(kind)) + ": " + now_->describe();
    if (!reason.empty()) why_ += ", because " + reason;
    if (!also.empty()) why_ += (reason.empty() ? ", " : "; ") + also;
    if (asked && asked->kind != kind)
      why_ += "; " + asked->parameter + " was asked for, but " +
              (asked->kind == TraversalKind::single_cluster && !device_.properties().clusters ? "this device has no clusters"
                                                                                              : "the graph does not fit there");
  }

  device::Device& device_;
  Completion<Control> completion_;
  grid_wide::Options grid_wide_options_;
  high_diameter::Options high_diameter_options_;
  single_cluster::Options cluster_options_;
  shared_memory::Options shared_memory_options_;
  ms_bfs::Options ms_bfs_options_;
  device::Buffer<Distance> level_;
  Graph<Offset> graph_{};
  Choice choice_;
  std::uint64_t max_degree_ = 0;
  const u32* parents_ = nullptr;
  std::string why_;
  std::unique_ptr<Traversal> now_, retired_, spare_;
};

}  // namespace hopwave::HW_MACHINE::engine
