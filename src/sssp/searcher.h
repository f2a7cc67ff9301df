// What a WeightedSearcher holds.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/busy.h"
#include "core/parallel.h"
#include "hopwave/shortest_paths.h"
#include "sssp/arcs.h"
#include "sssp/method.h"

namespace hopwave {
namespace sssp {

/// Throws HW-QUERY-EMPTY, HW-QUERY-SOURCE, HW-QUERY-TARGET, HW-QUERY-DISTANCE.
void check_query(VertexId num_vertices, const WeightedQuery& query);

}  // namespace sssp

struct WeightedSearcher::State {
  State(const Graph& g, const WeightedOptions& o);

  /// Which method on this machine.
  void choose();
  [[nodiscard]] double delta() const;
  [[nodiscard]] sssp::Control control(WeightedStats& stats, const core::Watch& watch) const;
  WeightedStats traverse(const WeightedQuery& query, const core::Watch& watch);
  WeightedResult run(const WeightedQuery& query);

  const Graph* graph;
  WeightedOptions options;
  Team team;
  double prepare_seconds = 0, copy_seconds = 0;
  sssp::WeightFigures figures;
  sssp::WeightedRows rows;
  DeviceKind kind = DeviceKind::cpu;
  std::string name, chosen;
  std::unique_ptr<sssp::Method> method;  // after what it points to
  std::vector<std::string> notes;
  core::Busy busy;
};

}  // namespace hopwave
