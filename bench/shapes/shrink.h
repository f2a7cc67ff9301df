// Makes a failing graph small before it is reported: delta debugging (Zeller, Hildebrandt 2002) over queries, over
// edges, removed and contracted, and over vertices without edges.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "shapes/run.h"

namespace hopwave::shapes {

/// A graph by its edges, and one session that fails on it.
struct Case {
  VertexId num_vertices = 0;
  bool directed = true;
  std::vector<Edge> edges;  ///< those of an undirected graph once each
  BuildOptions build;
  Session session;

  [[nodiscard]] Graph graph() const;
};
Case case_of(const Graph& graph, const BuildOptions& build, const Session& session);

/// Returns whether this case still fails. It runs some hundreds of cases.
using Fails = std::function<bool(const Case&)>;

/// Returns the smallest failing case found within this many seconds. `act`: the one at which the session failed.
Case shrink(Case failing, std::size_t act, const Fails& fails, double seconds);

/// One row per edge; a vertex without edges is a row with itself twice, which building drops.
void write_edge_list(const Case& small, const std::string& path);

}  // namespace hopwave::shapes
