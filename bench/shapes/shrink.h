// Makes a failing graph small before it is reported: delta debugging (Zeller, Hildebrandt 2002) over what is asked, over edges,
// removed and contracted, and over vertices without edges.
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
  std::vector<Edge> edges;  ///< of an undirected graph once each
  BuildOptions build;
  Session session;

  [[nodiscard]] Graph graph() const;
};
Case case_of(const Graph& graph, const BuildOptions& build, const Session& session);

/// Does this case still fail? It runs some hundreds of them.
using Fails = std::function<bool(const Case&)>;

/// The smallest case found that fails, within so many seconds. `act`: the one at which the session failed.
Case shrink(Case failing, std::size_t act, const Fails& fails, double seconds);

/// A row an edge; a vertex without edges stands as a row with itself, which building drops.
void write_edge_list(const Case& small, const std::string& path);

}  // namespace hopwave::shapes
