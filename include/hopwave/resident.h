// Graphs in a device's memory: edges are generated there or copied there, then sorted into rows, searched and checked
// on the device.
// The graph is bit for bit the one that build_graph makes from the same edges with the same options.
#pragma once

#include <cstdint>
#include <memory>

#include "hopwave/device.h"
#include "hopwave/graph.h"
#include "hopwave/search.h"
#include "hopwave/validate.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

namespace resident {
struct [[gnu::visibility("hidden")]] Edges;
struct [[gnu::visibility("hidden")]] State;
}  // namespace resident

/// An edge list in device memory. Two threads must not use one at the same time. A moved-from object throws
/// HW-MOVED-FROM.
class ResidentEdges {
 public:
  /// Copies the list's edges without the weights. `device`: gpu or sim. Throws HW-DEVICE-NONE, HW-DEVICE-MEMORY,
  /// HW-GRAPH-LIST.
  ResidentEdges(const EdgeList& list, DeviceKind device, const DeviceOptions& on = {});
  /// Returns the edges of generate("rmat:SCALE,EDGEFACTOR,SEED"), generated on the device. Throws HW-GEN-RANGE, and the
  /// errors above.
  static ResidentEdges rmat(int scale, std::uint64_t edge_factor, std::uint64_t seed, DeviceKind device,
                            const DeviceOptions& on = {});
  ~ResidentEdges();
  ResidentEdges(ResidentEdges&&) noexcept;
  ResidentEdges& operator=(ResidentEdges&&) noexcept;

  [[nodiscard]] VertexId num_vertices() const;
  [[nodiscard]] std::uint64_t size() const;
  /// Returns a copy of the edges in host memory.
  [[nodiscard]] EdgeList download() const;

 private:
  friend class ResidentGraph;
  ResidentEdges();
  std::unique_ptr<resident::Edges> edges_;
};

/// What check() found about a result.
struct ResidentCheck {
  Verdict verdict = {};
  std::uint64_t reached = 0;
  Distance depth = 0;
  EdgeIndex component_arcs = 0;       ///< out-arcs of the vertices reached
  std::uint64_t component_edges = 0;  ///< input edges (duplicates and self-loops included) whose source was reached
};

/// The caller's compressed sparse rows in device memory (in the simulator: in host memory). They are only read.
struct DeviceArrays {
  VertexId num_vertices = 0;
  EdgeIndex num_arcs = 0;
  bool directed = true;  ///< false: every edge is in both rows, which is not checked
  /// num_vertices + 1 offsets, in 32 bits (at most 4,294,963,199 arcs) or in 64 bits: set one of the two. Neighbours
  /// are row numbers, in ascending order within each row. Each array starts at a multiple of 16 bytes.
  const std::uint32_t* offsets32 = nullptr;
  const std::uint64_t* offsets64 = nullptr;
  const VertexId* neighbors = nullptr;
  /// Incoming arcs in the same form, with offsets of the same width. Required for directed graphs, not allowed for
  /// undirected ones.
  const std::uint32_t* in_offsets32 = nullptr;
  const std::uint64_t* in_offsets64 = nullptr;
  const VertexId* in_neighbors = nullptr;
  bool trusted = false;  ///< the rows are correct and are not checked: with wrong rows, searches read outside the arrays
  std::shared_ptr<const void> owner = {};  ///< kept alive until the graph, its copies and its searchers are gone; may be null
};

/// A graph in device memory. Its copies and its Searchers share it and its device. Only one call uses them at a time: a
/// second call at the same time throws HW-BUSY. A moved-from graph throws HW-MOVED-FROM.
class ResidentGraph {
 public:
  /// Builds the rows on the device and frees the list's memory as early as possible. options.keep_weights has no
  /// effect. Throws HW-GRAPH-LIST, HW-GRAPH-SYMMETRY, HW-DEVICE-MEMORY.
  ResidentGraph(ResidentEdges edges, const BuildOptions& options);
  /// Returns a graph of the caller's arrays, without a copy. The arrays must be complete (all work that writes them is
  /// done), and must not change until the graph, its copies and its searchers are gone. `device`: gpu or sim. The rows
  /// are checked in one pass over the arrays.
  /// Errors: HW-DEVICE-NONE, HW-RESIDENT-ARRAYS.
  static ResidentGraph from_device(const DeviceArrays& arrays, DeviceKind device, const DeviceOptions& on = {});

  [[nodiscard]] VertexId num_vertices() const;
  [[nodiscard]] EdgeIndex num_arcs() const;
  [[nodiscard]] bool directed() const;
  [[nodiscard]] DeviceKind device() const;
  [[nodiscard]] const BuildReport& build_report() const;
  /// Returns the out-degree of an internal vertex. It is read from the device, which takes microseconds. Throws
  /// HW-GRAPH-VERTEX.
  [[nodiscard]] EdgeIndex out_degree(VertexId v) const;
  /// Returns a copy of the graph in host memory.
  [[nodiscard]] Graph download() const;
  /// Checks the result of the last traverse() of `searcher`, which was made from this graph: Graph500's five rules and
  /// exact distances, as in validate(), without copying the result to the host. Only for queries without max_depth and
  /// target.
  [[nodiscard]] ResidentCheck check(const Searcher& searcher, const Query& query) const;

 private:
  friend class Searcher;
  ResidentGraph() = default;
  std::shared_ptr<resident::State> state_;
};

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
