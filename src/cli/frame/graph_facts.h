// GraphFacts: a graph without its arcs.
#pragma once

#include "hopwave/graph.h"

namespace hopwave::cli {

/// What summaries and result files need of a graph, whose arcs may be on other ranks. Holds references only.
class GraphFacts {
 public:
  GraphFacts(const Graph& graph)  // NOLINT(google-explicit-constructor): a graph can be passed where its facts are wanted
      : GraphFacts(graph.num_vertices(), graph.num_arcs(), graph.directed(), graph.ids(), graph.read_report(),
                   graph.build_report()) {}
  GraphFacts(const Graph&&) = delete;
  GraphFacts(VertexId vertices, EdgeIndex arcs, bool directed, const Ids& ids, const ReadReport& read, const BuildReport& build)
      : num_vertices_(vertices), num_arcs_(arcs), directed_(directed), ids_(&ids), read_(&read), build_(&build) {}

  [[nodiscard]] VertexId num_vertices() const noexcept { return num_vertices_; }
  [[nodiscard]] EdgeIndex num_arcs() const noexcept { return num_arcs_; }
  [[nodiscard]] bool directed() const noexcept { return directed_; }
  [[nodiscard]] const Ids& ids() const noexcept { return *ids_; }
  [[nodiscard]] const ReadReport& read_report() const noexcept { return *read_; }
  [[nodiscard]] const BuildReport& build_report() const noexcept { return *build_; }

 private:
  VertexId num_vertices_;
  EdgeIndex num_arcs_;
  bool directed_;
  const Ids* ids_;
  const ReadReport* read_;
  const BuildReport* build_;
};

}  // namespace hopwave::cli
