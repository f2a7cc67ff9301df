// The partitioned search as a plan: one graph on several devices of one host, and each search on all of them.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "bfs/plan/plan.h"
#include "device/device.h"
#include "generate/rmat.h"

namespace hopwave::engine {

struct DrawnEdges;

struct PartitionedRequest {
  strategy::View view;    ///< with `backward`; it must stay until the plan is made, and no longer
  Parameters parameters;  ///< complete, of auto: pull, push, block, grid and wide_offsets are used
  /// Of one kind, at least one. Searches are timed on the first.
  std::vector<std::shared_ptr<device::Device>> devices;
  std::string why;  ///< the graph is shared out; SearchReport::chosen ends with it
  /// Deal vertices out by degree, and put likely neighbours first in rows; parents are then any ones.
  bool prepare = false;
  const DrawnEdges* drawn = nullptr;  ///< instead of `view`
};

/// Edges to draw: the graph is undirected, with all repeated edges, and a self-loop is two arcs.
struct DrawnEdges {
  generate_detail::Rmat draw;
  std::uint64_t count = 0;
  VertexId num_vertices = 0;
  static constexpr std::uint64_t most_arcs_at_once = std::uint64_t{1} << 33;
  /// Of a device's arcs, those that are drawn and put in order at a time: they need their memory twice. All edges are drawn
  /// once for each time.
  std::uint64_t arcs_at_once = most_arcs_at_once;
};

/// What check() has found out about the last search.
struct PartitionedCheck {
  std::uint64_t reached = 0;
  std::uint64_t arcs = 0;  ///< in the rows of what was reached
  Distance depth = 0;
  const char* broken = nullptr;  ///< the rule; null: the answer is right
  VertexId vertex = no_vertex;   ///< that breaks it
};

/// A partitioned search of a drawn graph, which only the devices have.
class DrawnPlan : public strategy::Plan {
 public:
  /// Has it an arc that leads to another vertex?
  [[nodiscard]] virtual bool has_neighbors(VertexId v) = 0;
  /// Checks the answer of the last run(), which was from one source, with parents and without other wishes: Graph500's five
  /// rules and exact distances.
  [[nodiscard]] virtual PartitionedCheck check() = 0;
  /// Of construction: until degrees were known, which is drawing and little else.
  [[nodiscard]] virtual double counting_seconds() const = 0;
};

/// Draws the edges on the devices, each of which keeps its share, and prepares it. Errors: as make_partitioned_plan().
std::unique_ptr<DrawnPlan> make_drawn_plan(const DrawnEdges& edges, const Parameters& parameters,
                                           const std::vector<std::shared_ptr<device::Device>>& devices);

/// Lets the devices reach each other, and copies each its share of the graph.
/// Errors: HW-PARTITION-PEERS, HW-PARTITION-DEVICES, HW-ENGINE-SIZE, HW-DEVICE-…, HW-THREAD-START.
std::unique_ptr<strategy::Plan> make_partitioned_plan(const PartitionedRequest& request);

/// With more arcs in the whole graph, offsets have 8 bytes on every device: a row is never cut, so a share may have all arcs.
inline constexpr std::uint64_t most_narrow_arcs = 0xFFFF0000ull;

/// Entries of each device's list of what a top-down level has reached. All lists together are half as many bytes as the bitmaps
/// that a device reads instead; graphs of a few vertices have both, too.
constexpr std::uint64_t list_size(std::uint64_t ids, std::uint64_t devices) { return 64 + ids / (64 * devices); }

/// Bytes of device memory on the device that has most, of an even cut.
struct PartitionMemory {
  std::uint64_t rows = 0, firsts = 0, answer = 0, queues = 0;
  std::uint64_t bitmaps = 0;   ///< and the list
  std::uint64_t ordering = 0;  ///< prepared: of the first device alone, before anything else is taken
  std::uint64_t dealing = 0;   ///< prepared: in addition to the rows, before the rest is taken
  [[nodiscard]] std::uint64_t total() const noexcept {
    return std::max(ordering, rows + std::max(dealing, firsts + answer + queues + bitmaps));
  }
};
PartitionMemory partition_memory(std::uint64_t vertices, std::uint64_t arcs, bool directed, bool parents, std::uint64_t devices,
                                 bool prepare = false);

}  // namespace hopwave::engine
