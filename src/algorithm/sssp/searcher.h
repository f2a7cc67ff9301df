// What a WeightedSearcher holds.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "algorithm/arcs.h"
#include "algorithm/sssp/method.h"
#include "core/busy.h"
#include "core/options.h"
#include "core/parallel.h"
#include "device/device.h"
#include "hopwave/shortest_paths.h"

namespace hopwave::sssp {

/// Throws HW-QUERY-EMPTY, HW-QUERY-SOURCE, HW-QUERY-TARGET, HW-QUERY-DISTANCE.
void check_query(VertexId num_vertices, const WeightedQuery& query);

}  // namespace hopwave::sssp

namespace hopwave::inline v0_1 {

struct WeightedSearcher::State {
  State(const Graph& g, const WeightedOptions& o);

  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State();

  /// Which method on which machine.
  void choose();
  void choose_device(const std::string& why_not_gpu, const device::Api* gpu);
  void choose_cpu();
  void make_near_far(const device::Api& api);
  [[nodiscard]] double delta() const;
  [[nodiscard]] sssp::Bins bins() const;
  /// Distances below this were not rounded.
  [[nodiscard]] double exact_below() const;
  WeightedReport traverse(const WeightedQuery& query, const core::Watch& watch, const Progress& progress);
  WeightedResult run(const WeightedQuery& query, const core::Watch& watch, const Progress& progress);

  const Graph* graph;
  WeightedOptions options;
  Team team;
  Milliseconds prepare = {}, copy_in = {};
  sssp::WeightFigures figures;
  sssp::WeightedRows rows;
  DeviceKind kind = DeviceKind::cpu;
  std::string name, chosen;
  std::unique_ptr<device::Device> device;  ///< null: on the CPU
  std::unique_ptr<sssp::Method> method;    // after what it points to
  std::vector<std::string> notes;
  core::Busy busy;
};

/// A call's hold on a searcher: its state stays, and no other call gets in. Throws HW-MOVED-FROM, HW-BUSY.
class WeightedSearcher::Use {
 public:
  explicit Use(const std::shared_ptr<State>& state)
      : state_(core::present(state, "searcher")), hold_(state_->busy, "the searcher"), keep_(state_->device.get()) {}
  State* operator->() const { return state_.get(); }

 private:
  std::shared_ptr<State> state_;
  core::Busy::Hold hold_;
  device::KeepCurrent keep_;
};

}  // namespace hopwave::inline v0_1
