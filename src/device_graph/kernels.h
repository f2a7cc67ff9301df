// device_graph: graphs in device memory, from edges to checked answers. No method of searching but neighbourhoods.
//
// What kernels do for graphs that live in a device's memory: drawing edges, building rows, checking answers, neighbourhoods;
// and for answers that stay there.
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

/// Edges in device memory, one a word: the source in the low half, the target in the high half.
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
  bool symmetric = true;                 ///< if asked: the arcs equal their reverses, by a 64-bit hash of all of them
  std::uint64_t first_bad = UINT64_MAX;  ///< the first edge with an end that is no vertex; no rows then
  std::uint32_t parts = 0;
};

/// Rows of one direction; exactly one of the offsets is filled.
struct Rows {
  EdgeIndex num_arcs = 0;
  device::Buffer<std::uint32_t> offsets32;
  device::Buffer<std::uint64_t> offsets64;
  device::Buffer<VertexId> neighbors;
};

/// What is checked, all in device memory. `parent` may be null.
struct CheckRequest {
  const device::DeviceGraph* graph = nullptr;
  const Distance* distance = nullptr;
  const VertexId* parent = nullptr;
  std::span<const VertexId> sources;
  const std::uint32_t* weight = nullptr;  ///< one a vertex, summed over the reached; may be null
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
  std::uint64_t reached = 0, arcs = 0, weight = 0;  ///< arcs: out-degrees of the reached
  Distance depth = 0;
  Rule broken = Rule::none;  ///< of the first pass that finds one, the lowest vertex
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

/// Searches that cost what they reach.
struct ReachRequest {
  RowsOnDevice rows;
  std::span<const VertexId> sources;  ///< in the host's memory
  bool together = false;              ///< one search from all of them; else one from each
  Distance max_depth = -1;            ///< as in Query
  VertexId target = no_vertex;        ///< as in Query
  std::uint64_t nearest = 0;          ///< after the level with so many besides the sources there is no further one; 0: all
  bool parents = false;
  std::uint64_t most_arcs = 0;  ///< a search that has looked at more goes on in no further level: it is too large
};

/// Of one search.
struct ReachedThere {
  enum State : std::uint32_t { done, too_large, no_room };  ///< no_room: for the answers of this call, but of the next
  std::uint64_t arcs = 0;                                   ///< looked at
  std::uint64_t begin = 0;                                  ///< where its vertices begin
  std::uint32_t size = 0;
  State state = done;
};

/// Level after level; the vertices of a level in any order.
struct ReachAnswer {
  std::vector<ReachedThere> search;
  Array<VertexId> vertex, parent;  ///< parent: the least that would do; none unless asked
  Array<Distance> distance;
};

/// Taken by the first call, and by the first that wants parents.
struct ReachMemory {
  static constexpr std::uint32_t queue_room = 1 << 14;   ///< vertices that a search may reach; more are too large
  static constexpr std::uint64_t answer_room = 1 << 22;  ///< of all searches of a call
  std::uint32_t blocks = 0;
  device::Buffer<std::uint32_t> bits, next;
  device::Buffer<VertexId> source, queue, parent, vertex, found_from;
  device::Buffer<Distance> depth, distance;
  device::Buffer<std::uint64_t> used;
  device::Buffer<ReachedThere> search;
};

HW_FOR_EACH_MACHINE(void, draw_rmat, device::Device& device, const generate_detail::Rmat& draw, std::uint64_t count,
                    std::uint64_t* edges)
/// How often each vertex is an edge's source.
HW_FOR_EACH_MACHINE(void, count_sources, device::Device& device, const std::uint64_t* edges, std::uint64_t count,
                    device::Buffer<std::uint32_t>& times)
HW_FOR_EACH_MACHINE(Rows, make_rows, device::Device& device, const RowRequest& request, RowTally& tally)
HW_FOR_EACH_MACHINE(CheckTally, check_answer, device::Device& device, const CheckRequest& request)
/// What is deeper than `limit` becomes unreached. `parent` may be null.
HW_FOR_EACH_MACHINE(void, trim_answer, device::Device& device, Distance* distance, VertexId* parent, VertexId count,
                    Distance limit)
/// Of each row of `count` distances, into device memory. Does not wait.
HW_FOR_EACH_MACHINE(void, sum_answers, device::Device& device, const device::DeviceRows& rows, VertexId count, AnswerSums* sums)
/// Vertices at each distance from 0 to `depth`, which is the greatest.
HW_FOR_EACH_MACHINE(std::vector<std::uint64_t>, count_answer, device::Device& device, const Distance* distance, VertexId count,
                    Distance depth)
/// Copies distances to `host` as numbers of 1 or 2 bytes: all ones for unreached, one less for those without room.
HW_FOR_EACH_MACHINE(void, pack_answer, device::Device& device, const Distance* distance, VertexId count, int bytes, void* host)
/// The first row that no search may follow; no_vertex if all are in order.
HW_FOR_EACH_MACHINE(VertexId, first_bad_row, device::Device& device, const RowsOnDevice& rows)
/// The smallest vertex of each vertex's component, directions ignored. `symmetric`: every arc is there both ways.
HW_FOR_EACH_MACHINE(void, label_components, device::Device& device, const RowsOnDevice& rows, bool symmetric, VertexId* label)
HW_FOR_EACH_MACHINE(void, reach, device::Device& device, const ReachRequest& request, ReachMemory& memory, ReachAnswer& answer)
/// Of each reached vertex the least one before it on a shortest path; no_vertex for sources and unreached ones.
HW_FOR_EACH_MACHINE(void, least_parents, device::Device& device, const RowsOnDevice& rows, const Distance* distance,
                    VertexId* parent)

}  // namespace hopwave::inline v0_1::resident
