// ResidentEdges and ResidentGraph: the host part of graphs in device memory.
#include "hopwave/resident.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "core/options.h"
#include "core/stopwatch.h"
#include "device/usable_gpu.h"
#include "device_graph/resident_state.h"
#include "graph/arrays.h"
#include "graph/rows.h"
#include "hopwave/error.h"
#include "hopwave/generate.h"

namespace hopwave::inline v0_1 {

using device::Buffer;

namespace resident {
namespace {

static_assert(sizeof(Edge) == sizeof(std::uint64_t));

constexpr struct {
  const char* name;
  const char* says;
} rules[] = {{"source-distance", "0 is the distance of sources, and of no other vertex"},
             {"distance-range", "a distance is -1 or below the number of vertices"},
             {"no-parent", "sources and unreached vertices have no parent"},
             {"parent-range", "a parent is a vertex"},
             {"tree-levels", "a parent is one hop nearer"},
             {"spanning", "no arc leaves the reached set"},
             {"edge-levels", "an arc adds at most one hop"},
             {"tree-edge", "an arc joins each vertex and its parent"},
             {"distance-witness", "some neighbour is one hop nearer"}};

template <class T>
T value_at(const device::Device& device, const T* p) {
  T v{};
  const_cast<device::Device&>(device).copy_out(&v, p, sizeof v);
  return v;
}

/// `neighbors` may have room for more arcs than were kept.
Adjacency download_rows(device::Device& device, VertexId n, EdgeIndex arcs, const Buffer<std::uint32_t>& narrow,
                        const Buffer<std::uint64_t>& wide, const Buffer<VertexId>& neighbors) {
  graph::Rows rows{Array<EdgeIndex>(n + std::size_t{1}), Array<VertexId>(arcs)};
  if (narrow.empty()) {
    wide.download(rows.offsets.span());
  } else {  // copied into the upper half and widened from the front: writes never overtake reads
    auto* packed = reinterpret_cast<std::uint32_t*>(rows.offsets.data() + rows.offsets.size()) - rows.offsets.size();
    device.copy_out(packed, narrow.data(), rows.offsets.size() * sizeof(std::uint32_t));
    for (std::size_t i = 0; i < rows.offsets.size(); ++i) {
      std::uint32_t value = 0;
      std::memcpy(&value, packed + i, sizeof value);
      rows.offsets[i] = value;
    }
  }
  neighbors.download(rows.neighbors.span());
  return rows;
}

[[noreturn]] void bad_edge(const Edges& edges, std::uint64_t at) {
  const auto word = value_at(*edges.device, edges.packed.data() + at);
  throw Error({.failure = Failure::input,
               .id = "HW-GRAPH-LIST",
               .found = "edge " + std::to_string(word & 0xFFFFFFFF) + " to " + std::to_string(word >> 32) + " in a list of " +
                        std::to_string(edges.num_vertices) + " vertices",
               .expected = "ends below the number of vertices"});
}

Rows rows_of(const Edges& edges, RowRequest request, RowTally& tally) {
  request.num_vertices = edges.num_vertices;
  request.edges = edges.packed.data();
  request.num_edges = edges.packed.size();
  // Two arrays of keys must fit besides the rows; the rest is left to the search.
  const std::uint64_t most = request.num_edges * (request.mirror ? 2 : 1);
  const std::uint64_t free = edges.device->memory_free(), rows = 4 * most + 24ull * edges.num_vertices;
  const std::uint64_t room = free > rows ? (free - rows) / 20 : 0;
  request.part_arcs = std::clamp<std::uint64_t>(room, std::uint64_t{1} << 22, std::uint64_t{1} << 30);
  Rows made = make_rows(edges.device->api())(*edges.device, request, tally);
  if (tally.first_bad != UINT64_MAX) bad_edge(edges, tally.first_bad);
  if (!tally.symmetric)
    throw Error({.failure = Failure::input,
                 .id = "HW-GRAPH-SYMMETRY",
                 .where = {.file = edges.report.source},
                 .found = "an undirected graph that lists some edges in one direction only",
                 .expected = "every edge in both directions",
                 .hint = "read it as directed, or as an edge list with --undirected"});
  return made;
}

RowRequest request_for(const Edges& edges, const BuildOptions& options) {
  const bool directed = edges.directed && !options.make_undirected;
  const bool mirror = !directed && !(edges.both_directions && !edges.directed);
  return {.mirror = mirror,
          .keep_duplicates = options.keep_duplicates,
          .keep_self_loops = options.keep_self_loops,
          .check_symmetry = !directed && !mirror};
}

BuildReport report_of(const RowTally& tally, const BuildOptions& options, const core::Stopwatch& watch) {
  return {.arcs_in = tally.arcs,
          .duplicates = tally.duplicates,
          .self_loops = tally.self_loops,
          .duplicates_kept = options.keep_duplicates,
          .self_loops_kept = options.keep_self_loops,
          .time = watch.elapsed()};
}

Edges upload(const EdgeList& list, DeviceKind kind, const DeviceOptions& on) {
  graph::check_list(list);
  Edges e;
  e.device = open_device(kind, on);
  e.kind = kind == DeviceKind::sim ? kind : DeviceKind::gpu;
  e.packed = Buffer<std::uint64_t>(*e.device, list.edges.size());
  if (!list.edges.empty()) e.device->copy_in(e.packed.data(), list.edges.data(), list.edges.size() * sizeof(Edge));
  e.device->wait();
  e.num_vertices = list.num_vertices;
  e.directed = list.directed;
  e.both_directions = list.both_directions;
  return e;
}

}  // namespace

const device::Api& api_of(DeviceKind kind) {
  if (kind == DeviceKind::sim) return *device::sim_api();
  std::string why_not;
  const device::Api* api = kind == DeviceKind::cpu ? nullptr : device::usable_gpu(why_not);
  if (!api)
    throw Error({.failure = Failure::device,
                 .id = "HW-DEVICE-NONE",
                 .found = kind == DeviceKind::cpu ? "the CPU, for a graph in device memory" : "no usable GPU (" + why_not + ")",
                 .expected = "a GPU with its driver, or the simulator",
                 .hint = "--device sim simulates one; build_graph() makes the same graph on the CPU"});
  return *api;
}

std::shared_ptr<device::Device> open_device(DeviceKind kind, const DeviceOptions& on) {
  return std::make_shared<device::Device>(api_of(kind), on);
}

Graph build_on(EdgeList list, const BuildOptions& options, const RunOptions& run) {
  const core::Stopwatch watch;
  if (options.keep_weights && !list.weights.empty())
    throw Error({.failure = Failure::usage,
                 .id = "HW-BUILD-WEIGHTS",
                 .found = "a list with weights, to be built on a device",
                 .expected = "a list without weights, or keep_weights = false",
                 .hint = "the CPU builds graphs with weights"});
  const VertexId n = list.num_vertices;
  const device::KeepCurrent keep(&api_of(run.device));
  const Edges edges = upload(list, run.device, run.on);
  list.edges = {};
  RowRequest request = request_for(edges, options);
  RowTally tally;
  const auto rows = [&] {
    RowTally again;
    const Rows made = rows_of(edges, request, request.reversed ? again : tally);
    return download_rows(*edges.device, n, made.num_arcs, made.offsets32, made.offsets64, made.neighbors);
  };
  const bool directed = edges.directed && !options.make_undirected;
  Adjacency out = rows();
  std::optional<Adjacency> in;
  if ((request.reversed = directed && options.build_in)) in = rows();
  Graph graph = Graph::trusted(n, directed, std::move(out), std::move(in), std::move(list.ids));
  graph.set_read_report(std::move(list.report));
  graph.set_default_source(list.default_source);
  graph.set_build_report(report_of(tally, options, watch));
  return graph;
}

ResidentCheck State::check(const device::DeviceAnswer& answer, const Query& query) const {
  std::vector<VertexId> sources = query.sources;
  const VertexId* parent = query.parents ? answer.parent : nullptr;
  const CheckTally tally = check_answer(device->api())(
      *device,
      {.graph = &graph, .distance = answer.distance, .parent = parent, .sources = sources, .weight = times_source.data()});
  ResidentCheck result{
      .reached = tally.reached, .depth = tally.depth, .component_arcs = tally.arcs, .component_edges = tally.weight};
  if (tally.broken == Rule::none) return result;
  const auto& rule = rules[static_cast<std::size_t>(tally.broken) + (tally.broken == Rule::witness && !parent)];
  result.verdict = {.ok = false,
                    .rule = rule.name,
                    .message = "vertex " + std::to_string(tally.vertex) + " at distance " +
                               std::to_string(value_at(*device, answer.distance + tally.vertex)) +
                               (parent ? " with parent " + std::to_string(value_at(*device, parent + tally.vertex)) : "") +
                               " breaks a rule: " + rule.says};
  return result;
}

}  // namespace resident

ResidentEdges::ResidentEdges() : edges_(std::make_unique<resident::Edges>()) {}
ResidentEdges::~ResidentEdges() = default;
ResidentEdges::ResidentEdges(ResidentEdges&&) noexcept = default;
ResidentEdges& ResidentEdges::operator=(ResidentEdges&&) noexcept = default;

ResidentEdges::ResidentEdges(const EdgeList& list, DeviceKind device, const DeviceOptions& on) {
  const device::KeepCurrent keep(&resident::api_of(device));
  edges_ = std::make_unique<resident::Edges>(resident::upload(list, device, on));
  edges_->ids = list.ids;
  edges_->default_source = list.default_source;
  edges_->report = list.report;
}

ResidentEdges ResidentEdges::rmat(int scale, std::uint64_t edge_factor, std::uint64_t seed, DeviceKind device,
                                  const DeviceOptions& on) {
  if (scale < 1 || scale > 31)
    throw Error(
        {.failure = Failure::usage, .id = "HW-GEN-RANGE", .found = "scale " + std::to_string(scale), .expected = "1 to 31"});
  const device::KeepCurrent keep(&resident::api_of(device));
  ResidentEdges made;
  resident::Edges& e = *made.edges_;
  e.device = resident::open_device(device, on);
  e.kind = device == DeviceKind::sim ? device : DeviceKind::gpu;
  if (edge_factor > std::uint64_t{1} << 20)
    throw Error({.failure = Failure::usage,
                 .id = "HW-GEN-RANGE",
                 .found = "edge factor " + std::to_string(edge_factor),
                 .expected = "0 to 1048576"});
  e.packed = Buffer<std::uint64_t>(*e.device, edge_factor << scale);
  resident::draw_rmat(e.device->api())(*e.device, {scale, seed}, e.packed.size(), e.packed.data());
  e.device->wait();
  e.num_vertices = VertexId{1} << scale;
  e.directed = false;
  e.ids = Ids::consecutive(e.num_vertices);
  e.report = {.source = "rmat:" + std::to_string(scale) + "," + std::to_string(edge_factor) + "," + std::to_string(seed),
              .format = "generator",
              .details = "generated on the device",
              .bytes = 0,
              .rows = e.packed.size(),
              .repairs = {}};
  return made;
}

VertexId ResidentEdges::num_vertices() const { return core::present(edges_, "list in device memory")->num_vertices; }
std::uint64_t ResidentEdges::size() const { return core::present(edges_, "list in device memory")->packed.size(); }

EdgeList ResidentEdges::download() const {
  const device::KeepCurrent keep(*core::present(edges_, "list in device memory")->device);
  EdgeList list;
  list.num_vertices = edges_->num_vertices;
  list.edges = Array<Edge>(edges_->packed.size());
  if (!list.edges.empty()) edges_->device->copy_out(list.edges.data(), edges_->packed.data(), list.edges.size() * sizeof(Edge));
  list.directed = edges_->directed;
  list.both_directions = edges_->both_directions;
  list.ids = edges_->ids;
  list.default_source = edges_->default_source;
  list.report = edges_->report;
  return list;
}

ResidentGraph::ResidentGraph(ResidentEdges given, const BuildOptions& options) : state_(std::make_shared<resident::State>()) {
  const core::Stopwatch watch;
  resident::Edges& edges = *core::present(given.edges_, "list in device memory");
  resident::State& s = *state_;
  const device::KeepCurrent keep(*edges.device);
  s.device = edges.device;
  s.kind = edges.kind;
  s.directed = edges.directed && !options.make_undirected;
  resident::RowRequest request = resident::request_for(edges, options);
  resident::RowTally tally;
  resident::Rows out = resident::rows_of(edges, request, tally);
  s.graph.num_vertices = edges.num_vertices;
  s.graph.num_arcs = out.num_arcs;
  s.graph.wide = out.offsets32.empty();
  s.graph.offsets32 = std::move(out.offsets32);
  s.graph.offsets64 = std::move(out.offsets64);
  s.graph.neighbors = std::move(out.neighbors);
  if (s.directed) {
    request.reversed = true;
    resident::RowTally again;
    resident::Rows in = resident::rows_of(edges, request, again);
    s.graph.in_offsets32 = std::move(in.offsets32);
    s.graph.in_offsets64 = std::move(in.offsets64);
    s.graph.in_neighbors = std::move(in.neighbors);
  }
  s.times_source = Buffer<std::uint32_t>(*s.device, edges.num_vertices);
  resident::count_sources(s.device->api())(*s.device, edges.packed.data(), edges.packed.size(), s.times_source);
  edges.packed.reset();
  s.device->wait();
  s.ids = std::move(edges.ids);
  s.default_source = edges.default_source;
  s.report = std::move(edges.report);
  s.built = resident::report_of(tally, options, watch);
}

namespace {

const resident::State& present(const std::shared_ptr<resident::State>& state) {
  return *core::present(state, "graph in device memory");
}

}  // namespace

VertexId ResidentGraph::num_vertices() const { return present(state_).graph.num_vertices; }
EdgeIndex ResidentGraph::num_arcs() const { return present(state_).graph.num_arcs; }
bool ResidentGraph::directed() const { return present(state_).directed; }
DeviceKind ResidentGraph::device() const { return present(state_).kind; }
const BuildReport& ResidentGraph::build_report() const { return present(state_).built; }

EdgeIndex ResidentGraph::out_degree(VertexId v) const {
  if (v >= present(state_).graph.num_vertices) detail::refuse_vertex(v, state_->graph.num_vertices);
  const core::Busy::Hold hold(state_->busy, "the graph in device memory");
  const device::KeepCurrent keep(*state_->device);
  const auto& g = state_->graph;
  if (g.wide) {
    std::uint64_t ends[2];
    g.offsets64.download(ends, v);
    return ends[1] - ends[0];
  }
  std::uint32_t ends[2];
  g.offsets32.download(ends, v);
  return ends[1] - ends[0];
}

Graph ResidentGraph::download() const {
  const auto& g = present(state_).graph;
  const core::Busy::Hold hold(state_->busy, "the graph in device memory");
  const device::KeepCurrent keep(*state_->device);
  const VertexId n = g.num_vertices;
  Adjacency out = resident::download_rows(*state_->device, n, g.num_arcs, g.offsets32, g.offsets64, g.neighbors);
  std::optional<Adjacency> in;
  if (state_->directed)
    in = resident::download_rows(*state_->device, n, g.num_arcs, g.in_offsets32, g.in_offsets64, g.in_neighbors);
  Graph graph = Graph::trusted(n, state_->directed, std::move(out), std::move(in), state_->ids);
  graph.set_read_report(state_->report);
  graph.set_default_source(state_->default_source);
  graph.set_build_report(state_->built);
  return graph;
}

}  // namespace hopwave::inline v0_1
