// What a WeightedSearcher holds.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "algorithm/sssp/arcs.h"
#include "algorithm/sssp/method.h"
#include "core/busy.h"
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
  [[nodiscard]] sssp::Control control(WeightedReport& stats, const core::Watch& watch) const;
  WeightedReport traverse(const WeightedQuery& query, const core::Watch& watch);
  WeightedResult run(const WeightedQuery& query);

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

}  // namespace hopwave::inline v0_1
