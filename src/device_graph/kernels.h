// device_graph: graphs in device memory, from edges to checked answers. It has no search method except neighbourhoods.
//
// The kernels for graphs in device memory: generating edges, building rows, checking answers, neighbourhoods; and for
// answers that stay there.
#pragma once

#include <span>
#include <vector>

#include "device/device.h"
#include "device/device_answer.h"
#include "device/device_graph.h"
#include "device/on_machine.h"
#include "generate/rmat.h"
#include "hopwave/array.h"

namespace hopwave::inline v0_1::resident {

using device::AnswerSums;

/// An edge in device memory is one word: the source in the low half, the target in the high half.
inline constexpr std::uint64_t packed(Edge e) { return std::uint64_t{e.target} << 32 | e.source; }

struct RowRequest {
  VertexId num_vertices = 0;
  const std::uint64_t* edges = nullptr;
  std::uint64_t num_edges = 0;
  bool mirror = false;    ///< each edge also gives its reverse (a self-loop gives one arc)
  bool reversed = false;  ///< rows of the transpose
  bool keep_duplicates = false, keep_self_loops = false;
  bool check_symmetry = false;
  std::uint64_t part_arcs = std::uint64_t{1} << 30;  ///< arcs sorted at a time, unless one vertex has more
};

struct RowTally {
  EdgeIndex arcs = 0, duplicates = 0, self_loops = 0;
  bool symmetric = true;                 ///< if asked for: the arcs equal their reverses, by a 64-bit hash of all arcs
  std::uint64_t first_bad = UINT64_MAX;  ///< the first edge with an invalid end; then there are no rows
  std::uint32_t parts = 0;
};

/// Rows of one direction; exactly one of the offsets is filled.
struct Rows {
  EdgeIndex num_arcs = 0;
  device::Buffer<std::uint32_t> offsets32;
  device::Buffer<std::uint64_t> offsets64;
  device::Buffer<VertexId> neighbors;
};

/// The data to check, all in device memory. `parent` may be null.
struct CheckRequest {
  const device::DeviceGraph* graph = nullptr;
  const Distance* distance = nullptr;
  const VertexId* parent = nullptr;
  std::span<const VertexId> sources;
  const std::uint32_t* weight = nullptr;  ///< one per vertex, summed over the reached vertices; may be null
};

enum class Rule : std::uint32_t {
  source_distance,
  distance_range,
  no_parent,
  parent_range,
  tree_levels,
  spanning,
  edge_levels,
  witness,  ///< "tree-edge" with parents, "distance-witness" without
  none
};

struct CheckTally {
  std::uint64_t reached = 0, arcs = 0, weight = 0;  ///< arcs: sum of the out-degrees of the reached vertices
  Distance depth = 0;
  Rule broken = Rule::none;  ///< the rule that the first failing pass found broken, at the lowest vertex
  VertexId vertex = no_vertex;
};

/// Rows in device memory; one of the offsets is set.
struct RowsOnDevice {
  VertexId num_vertices = 0;
  EdgeIndex num_arcs = 0;
  const std::uint32_t* offsets32 = nullptr;
  const std::uint64_t* offsets64 = nullptr;
  const VertexId* neighbors = nullptr;
};

/// Searches whose cost depends on what they reach.
struct ReachRequest {
  RowsOnDevice rows;
  std::span<const VertexId> sources;  ///< in the host's memory
  bool together = false;              ///< one search from all sources; otherwise one from each
  Distance max_depth = -1;            ///< as in Query
  VertexId target = no_vertex;        ///< as in Query
  std::uint64_t nearest = 0;          ///< no further level after the one with that many vertices besides the sources; 0: all
  bool parents = false;
  std::uint64_t most_arcs = 0;  ///< a search that has examined more arcs does not start another level: it is too large
};

/// The result of one search.
struct ReachedThere {
  enum State : std::uint32_t {
    done,
    too_large,
    no_room
  };                        ///< no_room: the answers of this call have no room for it; the next call has
  std::uint64_t arcs = 0;   ///< examined arcs
  std::uint64_t begin = 0;  ///< start of its vertices
  std::uint32_t size = 0;
  State state = done;
};

/// Vertices level by level; those of one level in any order.
struct ReachAnswer {
  std::vector<ReachedThere> search;
  Array<VertexId> vertex, parent;  ///< parent: the smallest possible one; empty unless asked for
  Array<Distance> distance;
};

/// Allocated by the first call, and by the first one that asks for parents.
struct ReachMemory {
  static constexpr std::uint32_t queue_room = 1 << 14;   ///< vertices that a search may reach; with more it is too large
  static constexpr std::uint64_t answer_room = 1 << 22;  ///< for all searches of a call
  std::uint32_t blocks = 0;
  device::Buffer<std::uint32_t> bits, next;
  device::Buffer<VertexId> source, queue, parent, vertex, found_from;
  device::Buffer<Distance> depth, distance;
  device::Buffer<std::uint64_t> used;
  device::Buffer<ReachedThere> search;
};

HW_FOR_EACH_MACHINE(void, draw_rmat, device::Device& device, const generate_detail::Rmat& draw, std::uint64_t count,
                    std::uint64_t* edges)
/// Counts how often each vertex is an edge's source.
HW_FOR_EACH_MACHINE(void, count_sources, device::Device& device, const std::uint64_t* edges, std::uint64_t count,
                    device::Buffer<std::uint32_t>& times)
HW_FOR_EACH_MACHINE(Rows, make_rows, device::Device& device, const RowRequest& request, RowTally& tally)
HW_FOR_EACH_MACHINE(CheckTally, check_answer, device::Device& device, const CheckRequest& request)
/// Sets vertices deeper than `limit` to unreached. `parent` may be null.
HW_FOR_EACH_MACHINE(void, trim_answer, device::Device& device, Distance* distance, VertexId* parent, VertexId count,
                    Distance limit)
/// Writes the sums of each row of `count` distances to device memory. Does not wait.
HW_FOR_EACH_MACHINE(void, sum_answers, device::Device& device, const device::DeviceRows& rows, VertexId count, AnswerSums* sums)
/// Returns the number of vertices at each distance from 0 to `depth`, which is the greatest.
HW_FOR_EACH_MACHINE(std::vector<std::uint64_t>, count_answer, device::Device& device, const Distance* distance, VertexId count,
                    Distance depth)
/// Writes each row of `count` distances to the device's memory `to`, one after the other, as numbers of 1 or 2 bytes: all ones
/// for unreached and deeper than `limit`, one less for what does not fit; `deepest` becomes no less than that. Does not wait.
HW_FOR_EACH_MACHINE(void, pack_answers, device::Device& device, const device::DeviceRows& rows, VertexId count, Distance limit,
                    int bytes, void* to, std::uint32_t* deepest)
/// Returns the first invalid row; no_vertex if all are valid.
HW_FOR_EACH_MACHINE(VertexId, first_bad_row, device::Device& device, const RowsOnDevice& rows)
/// Finds the smallest vertex of each vertex's component, ignoring directions. `symmetric`: every arc occurs in both
/// directions.
HW_FOR_EACH_MACHINE(void, label_components, device::Device& device, const RowsOnDevice& rows, bool symmetric, VertexId* label)
HW_FOR_EACH_MACHINE(void, reach, device::Device& device, const ReachRequest& request, ReachMemory& memory, ReachAnswer& answer)
/// Finds, for each reached vertex, the smallest one before it on a shortest path; no_vertex for sources and unreached
/// vertices.
HW_FOR_EACH_MACHINE(void, least_parents, device::Device& device, const RowsOnDevice& rows, const Distance* distance,
                    VertexId* parent)

}  // namespace hopwave::inline v0_1::resident
