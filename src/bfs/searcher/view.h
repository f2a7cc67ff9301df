// The arcs that one search walks along: a graph seen in a direction, with the transpose or the symmetric copy it needs.
#pragma once

#include "bfs/plan/plan.h"
#include "core/parallel.h"

namespace hopwave::search_detail {

/// Owns what the graph lacks; the rest points into the graph, which must outlive this.
class GraphView {
 public:
  /// `backward`: the reversed arcs are wanted too; they are built if the graph has not got them.
  GraphView(Team& team, const Graph& graph, Direction direction, bool backward);
  GraphView(const GraphView&) = delete;
  GraphView& operator=(const GraphView&) = delete;

  [[nodiscard]] const strategy::View& view() const noexcept { return view_; }
  /// Seconds that building took; 0 if nothing was built.
  [[nodiscard]] Milliseconds build_time() const noexcept { return build_time_; }

 private:
  Adjacency built_;
  strategy::View view_;
  Milliseconds build_time_ = {};
};

}  // namespace hopwave::search_detail
