// Graphs that live in a device's memory: edges drawn or copied there, sorted into rows there, searched and checked there.
// The graph is bit for bit the one that build_graph makes from the same edges with the same options.
#pragma once

#include <cstdint>
#include <memory>

#include "hopwave/graph.h"
#include "hopwave/search.h"
#include "hopwave/validate.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave {

namespace resident {
struct [[gnu::visibility("hidden")]] Edges;
struct [[gnu::visibility("hidden")]] State;
}  // namespace resident

/// An edge list in device memory. Not for use by two threads at a time. What was moved from throws HW-MOVED-FROM.
class ResidentEdges {
 public:
  /// Copies the list's edges; weights are left behind. `device`: gpu or sim. Throws HW-DEVICE-NONE, HW-DEVICE-MEMORY,
  /// HW-GRAPH-LIST.
  ResidentEdges(const EdgeList& list, DeviceKind device);
  /// The edges of generate("rmat:SCALE,EDGEFACTOR,SEED"), drawn on the device. Throws HW-GEN-RANGE, and as above.
  static ResidentEdges rmat(int scale, std::uint64_t edge_factor, std::uint64_t seed, DeviceKind device);
  ~ResidentEdges();
  ResidentEdges(ResidentEdges&&) noexcept;
  ResidentEdges& operator=(ResidentEdges&&) noexcept;

  [[nodiscard]] VertexId num_vertices() const;
  [[nodiscard]] std::uint64_t size() const;
  /// Copies the edges to the host.
  [[nodiscard]] EdgeList download() const;

 private:
  friend class ResidentGraph;
  ResidentEdges();
  std::unique_ptr<resident::Edges> edges_;
};

/// What check() found out about a result on its way.
struct ResidentCheck {
  Verdict verdict;
  std::uint64_t reached = 0;
  Distance depth = 0;
  EdgeIndex component_arcs = 0;       ///< out-arcs of the vertices reached
  std::uint64_t component_edges = 0;  ///< edges given (duplicates and self-loops counted) whose source was reached
};

/// A graph in device memory; its copies and the Searchers made from it share it and its device, which one call uses at a time:
/// another meanwhile throws HW-BUSY. What was moved from throws HW-MOVED-FROM.
class ResidentGraph {
 public:
  /// Edge list → rows, on the device; the list's memory goes as early as it can. options.keep_weights and .threads mean
  /// nothing here. Throws HW-GRAPH-LIST, HW-GRAPH-SYMMETRY, HW-DEVICE-MEMORY.
  ResidentGraph(ResidentEdges edges, const BuildOptions& options);

  [[nodiscard]] VertexId num_vertices() const;
  [[nodiscard]] EdgeIndex num_arcs() const;
  [[nodiscard]] bool directed() const;
  [[nodiscard]] DeviceKind device() const;
  [[nodiscard]] const BuildReport& build_report() const;
  /// Asks the device: microseconds. Throws HW-GRAPH-VERTEX.
  [[nodiscard]] EdgeIndex out_degree(VertexId v) const;
  /// Copies the graph to the host.
  [[nodiscard]] Graph download() const;
  /// Checks what `searcher`, made from this graph, found in its last traverse(): Graph500's five rules and exact distances,
  /// as validate() does, without bringing the result to the host. Queries without max_depth and target only.
  [[nodiscard]] ResidentCheck check(const Searcher& searcher, const Query& query) const;

 private:
  friend class Searcher;
  std::shared_ptr<resident::State> state_;
};

}  // namespace hopwave
#pragma GCC visibility pop
