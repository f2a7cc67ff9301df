// Graphs that live in a device's memory: edges drawn or copied there, sorted into rows there, searched and checked there.
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

/// An edge list in device memory. Not for use by two threads at a time. What was moved from throws HW-MOVED-FROM.
class ResidentEdges {
 public:
  /// Copies the list's edges; weights are left behind. `device`: gpu or sim. Throws HW-DEVICE-NONE, HW-DEVICE-MEMORY,
  /// HW-GRAPH-LIST.
  ResidentEdges(const EdgeList& list, DeviceKind device, const DeviceOptions& on = {});
  /// The edges of generate("rmat:SCALE,EDGEFACTOR,SEED"), drawn on the device. Throws HW-GEN-RANGE, and as above.
  static ResidentEdges rmat(int scale, std::uint64_t edge_factor, std::uint64_t seed, DeviceKind device,
                            const DeviceOptions& on = {});
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
  Verdict verdict = {};
  std::uint64_t reached = 0;
  Distance depth = 0;
  EdgeIndex component_arcs = 0;       ///< out-arcs of the vertices reached
  std::uint64_t component_edges = 0;  ///< edges given (duplicates and self-loops counted) whose source was reached
};

/// Compressed sparse rows of the caller's in device memory (in the simulator: in host memory). They are only read.
struct DeviceArrays {
  VertexId num_vertices = 0;
  EdgeIndex num_arcs = 0;
  bool directed = true;  ///< false: every edge stands in both rows, which nobody checks
  /// num_vertices + 1 values, in 32 bits (at most 4,294,963,199 arcs) or in 64: one of the two. Neighbours are row numbers, in
  /// ascending order in every row. Arrays start at multiples of 16 bytes.
  const std::uint32_t* offsets32 = nullptr;
  const std::uint64_t* offsets64 = nullptr;
  const VertexId* neighbors = nullptr;
  /// Incoming arcs in the same way, offsets in the same width: directed graphs need them, others must leave them out.
  const std::uint32_t* in_offsets32 = nullptr;
  const std::uint64_t* in_offsets64 = nullptr;
  const VertexId* in_neighbors = nullptr;
  bool trusted = false;  ///< the rows are right, and nobody looks: wrong ones make searches read where they must not
  std::shared_ptr<const void> owner = {};  ///< kept until the graph, its copies and searchers are gone; may be null
};

/// A graph in device memory; its copies and the Searchers made from it share it and its device, which one call uses at a time:
/// another meanwhile throws HW-BUSY. What was moved from throws HW-MOVED-FROM.
class ResidentGraph {
 public:
  /// Edge list → rows, on the device; the list's memory goes as early as it can. options.keep_weights and .threads mean
  /// nothing here. Throws HW-GRAPH-LIST, HW-GRAPH-SYMMETRY, HW-DEVICE-MEMORY.
  ResidentGraph(ResidentEdges edges, const BuildOptions& options);
  /// The caller's arrays, without a copy. They must be complete (work that writes them is done), and stay as they are until the
  /// graph, its copies and its searchers are gone. `device`: gpu or sim. One pass over the arrays looks at the rows.
  /// Errors: HW-DEVICE-NONE, HW-RESIDENT-ARRAYS.
  static ResidentGraph from_device(const DeviceArrays& arrays, DeviceKind device, const DeviceOptions& on = {});

  [[nodiscard]] VertexId num_vertices() const;
  [[nodiscard]] EdgeIndex num_arcs() const;
  [[nodiscard]] bool directed() const;
  [[nodiscard]] DeviceKind device() const;
  [[nodiscard]] const BuildReport& build_report() const;
  /// Of an internal vertex. Asks the device: microseconds. Throws HW-GRAPH-VERTEX.
  [[nodiscard]] EdgeIndex out_degree(VertexId v) const;
  /// Copies the graph to the host.
  [[nodiscard]] Graph download() const;
  /// Checks what `searcher`, made from this graph, found in its last traverse(): Graph500's five rules and exact distances,
  /// as validate() does, without bringing the result to the host. Queries without max_depth and target only.
  [[nodiscard]] ResidentCheck check(const Searcher& searcher, const Query& query) const;

 private:
  friend class Searcher;
  ResidentGraph() = default;
  std::shared_ptr<resident::State> state_;
};

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
