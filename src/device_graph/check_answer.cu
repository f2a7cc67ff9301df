// Checks a result in device memory: Graph500's five rules and exact distances, as in validate(). Three passes: over
// vertices, over arcs (distributed evenly, whatever the rows), and over what the arcs have proved.
#include "device/packed.h"
#include "device_graph/each_arc.h"
#include "device_graph/kernels.h"

namespace hopwave::HW_MACHINE {
namespace {

using namespace resident;
using dev::u32;
using dev::u64;
using device::Buffer;
using device::Device;
using Byte = std::uint8_t;

constexpr u32 threads = 256;

struct Answer {
  const Distance* distance;
  const VertexId* parent;  ///< may be null
  u32 num_vertices;
};

/// The sums of a result, and the first failure: pass, vertex and rule in one word, so that the least word is the first
/// failure.
struct Found {
  u64 reached, arcs, weight, first;
  u32 depth, no_hole;
};

constexpr u64 no_failure = ~u64{0};
using FailedRule = dev::Field<0, 8>;
using FailedVertex = dev::Field<8, 32>;
using FailedPass = dev::Field<40, 24>;  // the pass is above the other fields: the least word is the first failure

HW_DEVICE void fails(Found* found, u32 pass, u64 vertex, Rule rule) {
  dev::fetch_min(&found->first, FailedPass::put(pass) | FailedVertex::put(vertex) | FailedRule::put(static_cast<u32>(rule)));
}

HW_DEVICE Rule broken_rule(const Answer& a, u64 v, bool source) {
  const Distance d = a.distance[v];
  if (source != (d == 0)) return Rule::source_distance;
  if (d < unreached || (d != unreached && static_cast<u32>(d) >= a.num_vertices)) return Rule::distance_range;
  if (!a.parent) return Rule::none;
  const VertexId p = a.parent[v];
  if (d <= 0) return p == no_vertex ? Rule::none : Rule::no_parent;
  if (p >= a.num_vertices) return Rule::parent_range;
  return a.distance[p] == d - 1 ? Rule::none : Rule::tree_levels;
}

HW_KERNEL void mark_sources(const VertexId* sources, u32 count, Byte* is_source) {
  for (u64 i = dev::global_thread(); i < count; i += dev::global_threads()) dev::store(&is_source[sources[i]], Byte{1});
}

/// `is_source` is reset to zero: the next pass marks in it what is proved.
template <class Offset>
HW_KERNEL void check_vertices(Answer a, const Offset* offsets, const u32* weight, Byte* is_source, Found* found) {
  u64 reached = 0, arcs = 0, sum = 0;
  u32 depth = 0;
  for (u64 v = dev::global_thread(); v < a.num_vertices; v += dev::global_threads()) {
    const Rule rule = broken_rule(a, v, is_source[v] != 0);
    if (rule != Rule::none) fails(found, 0, v, rule);
    is_source[v] = 0;
    const Distance d = a.distance[v];
    if (d < 0) continue;
    ++reached;
    arcs += offsets[v + 1] - offsets[v];
    if (weight) sum += weight[v];
    depth = static_cast<u32>(d) > depth ? static_cast<u32>(d) : depth;
  }
  reached = dev::reduce_add(dev::all_lanes, reached);
  arcs = dev::reduce_add(dev::all_lanes, arcs);
  sum = dev::reduce_add(dev::all_lanes, sum);
  if (dev::lane() == 0 && reached) {
    dev::fetch_add(&found->reached, reached);
    dev::fetch_add(&found->arcs, arcs);
    dev::fetch_add(&found->weight, sum);
  }
  if (depth > dev::load(&found->depth)) dev::fetch_max(&found->depth, depth);
}

/// Checks one step that the search may take, from u to v. It also notes what the step proves about v; all threads store
/// the same value.
HW_DEVICE void check_arc(const Answer& a, u32 u, u32 v, Byte* proved, Found* found) {
  const Distance from = a.distance[u];
  if (from == unreached) return;
  const Distance to = a.distance[v];
  if (to == unreached) return fails(found, 1, u, Rule::spanning);
  HW_CHECK(from >= 0 && static_cast<u32>(from) < a.num_vertices);  // checked by the first pass
  if (to > from + 1) return fails(found, 1, u, Rule::edge_levels);
  if (to == from + 1 && (!a.parent || a.parent[v] == u)) dev::store(&proved[v], Byte{1});
}

template <class Offset>
HW_KERNEL void check_arcs(Answer a, const Offset* offsets, const u32* neighbors, u64 arcs, Byte* proved, Found* found) {
  each_arc(a.num_vertices, offsets, arcs, [&](u32 row, u64 i) { check_arc(a, row, neighbors[i], proved, found); });
}

HW_KERNEL void check_proved(Answer a, const Byte* proved, Found* found) {
  for (u64 v = dev::global_thread(); v < a.num_vertices; v += dev::global_threads())
    if (a.distance[v] > 0 && !proved[v]) fails(found, 2, v, Rule::witness);
}

device::LaunchShape shape(u64 items) { return {.grid = std::min(device::blocks_for(items, threads), 8192u), .block = threads}; }

template <class Offset>
CheckTally check(Device& device, const CheckRequest& request) {
  const device::DeviceGraph& graph = *request.graph;
  const Answer answer{request.distance, request.parent, graph.num_vertices};
  const u64 n = graph.num_vertices;
  Buffer<Byte> proved(device, n);
  proved.fill_bytes(0);
  Buffer<VertexId> sources(device, request.sources);
  const Found start{0, 0, 0, no_failure, 0};
  Buffer<Found> found(device, std::span<const Found>(&start, 1));
  const Offset* offsets = graph.template offsets<Offset>();
  device::launch(device, {shape(sources.size())}, mark_sources, sources.data(), sources.size(), proved.data());
  device::launch(device, {shape(n)}, check_vertices<Offset>, answer, offsets, request.weight, proved.data(), found.data());
  if (found.value().first == no_failure) {  // only then are parents and distances valid indices
    if (graph.num_arcs)
      device::launch(device, {shape(arc_threads(graph.num_arcs))}, check_arcs<Offset>, answer, offsets, graph.neighbors.data(),
                     graph.num_arcs, proved.data(), found.data());
    device::launch(device, {shape(n)}, check_proved, answer, proved.data(), found.data());
  }
  const Found end = found.value();
  CheckTally tally{.reached = end.reached, .arcs = end.arcs, .weight = end.weight, .depth = static_cast<Distance>(end.depth)};
  if (end.first != no_failure) {
    tally.broken = static_cast<Rule>(FailedRule::get(end.first));
    tally.vertex = static_cast<VertexId>(FailedVertex::get(end.first));
  }
  return tally;
}

}  // namespace
}  // namespace hopwave::HW_MACHINE

namespace hopwave::inline v0_1::resident {

CheckTally HW_ON_MACHINE(check_answer)(device::Device& device, const CheckRequest& request) {
  return request.graph->wide ? HW_MACHINE::check<std::uint64_t>(device, request)
                             : HW_MACHINE::check<std::uint32_t>(device, request);
}

}  // namespace hopwave::inline v0_1::resident
