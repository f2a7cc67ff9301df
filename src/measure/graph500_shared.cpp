// Graph500 on several devices that share the graph: each draws its share of the edges, builds its rows, and searches and checks
// with the others. Nothing but figures comes to the host, and the order of the vertices.
#include <fmt/format.h>

#include <utility>

#include "bfs/engine/partitioned/drawn_memory.h"
#include "bfs/searcher/partition_options.h"
#include "core/stopwatch.h"
#include "core/watch.h"
#include "device_graph/resident_state.h"
#include "hopwave/error.h"
#include "hopwave/estimate.h"
#include "measure/graph500_searches.h"

namespace hopwave::report {
namespace {

/// What sampling asks of a graph.
struct DrawnDegrees {
  engine::DrawnPlan& plan;
  VertexId vertices;
  [[nodiscard]] VertexId num_vertices() const { return vertices; }
  [[nodiscard]] EdgeIndex out_degree(VertexId v) const { return plan.has_neighbors(v); }
};

/// What each device will hold. Throws HW-ENGINE-MEMORY where that is more than it has free, unless the caller wants to try.
std::vector<std::uint64_t> check_memory(const Graph500Run& run, const Parameters& parameters,
                                        const std::vector<std::shared_ptr<device::Device>>& devices, bool allow_huge) {
  const engine::DrawnMemory memory = engine::drawn_memory({.scale = run.scale,
                                                           .edges = run.input_edges,
                                                           .devices = devices.size(),
                                                           .wide_offsets = parameters.find("wide_offsets")->second != 0});
  if (!allow_huge) engine::require_drawn_memory(memory, devices, run.measurement.graph.name, host_memory_free());
  std::vector<std::uint64_t> bytes(devices.size(), memory.other.total());
  bytes.front() = memory.first.total();
  return bytes;
}

}  // namespace

Graph500Run run_graph500_shared(int scale, int edge_factor, int sources, const Configuration& configuration,
                                const std::vector<int>& ordinals, const MeasureOptions& options) {
  search_detail::check_devices(ordinals);
  const Parameters parameters = search_detail::partition_parameters(configuration.parameters, options.run.simulator.schedule);
  Graph500Run run{.scale = scale, .edge_factor = edge_factor};
  Measurement& m = run.measurement;
  m.configuration = configuration;
  m.configuration.prepare = true;
  m.graph.name = fmt::format("rmat:{},{},{}", scale, edge_factor, options.run.seed);
  const engine::DrawnEdges edges{.draw = generate_detail::Rmat(scale, options.run.seed),
                                 .count = static_cast<std::uint64_t>(edge_factor) << scale,
                                 .num_vertices = VertexId{1} << scale};
  run.input_edges = edges.count;

  std::vector<std::shared_ptr<device::Device>> devices;
  for (const int ordinal : ordinals) {
    const device::KeepCurrent keep(&resident::api_of(configuration.device));
    devices.push_back(resident::open_device(configuration.device, {.ordinal = ordinal}));
    if (devices.back()->api().schedule)
      devices.back()->set_schedule(
          device::schedule_of(options.run.simulator.seed + devices.size() - 1, options.run.simulator.schedule));
  }
  m.estimated_bytes = check_memory(run, parameters, devices, options.allow_huge);
  const core::Stopwatch watch;
  const auto plan = engine::make_drawn_plan(edges, parameters, devices);
  run.generation_seconds = plan->counting_seconds();
  run.construction_seconds = watch.seconds() - run.generation_seconds;
  run.resident = true;
  run.build_seconds = Seconds(plan->prepare_time()).count() - run.generation_seconds;
  m.graph.profile.num_vertices = edges.num_vertices;
  m.graph.profile.num_arcs = 2 * edges.count;
  m.graph.profile.average_degree = static_cast<double>(2 * edges.count) / edges.num_vertices;
  m.graph.described = false;
  m.ran = "auto";
  m.prepare_ms = run.build_seconds * 1e3;

  Graph500Searches(run, options)
      .each(sample_sources(DrawnDegrees{*plan, edges.num_vertices}, sources, options.run.seed),
            [&](const Query& query, SearchReport& stats, SourceRuns& runs, double& component) {
              const core::Watch limits(options.run.limits);
              strategy::RunControl control{.stats = &stats, .watch = limits.limited() ? &limits : nullptr};
              const core::Stopwatch clock;
              plan->run(query, control);
              stats.host = clock.elapsed();
              m.ran = "auto: " + stats.chosen;
              const core::Stopwatch checking;
              const engine::PartitionedCheck check = plan->check();
              run.validate_seconds.push_back(checking.seconds());
              runs.reached = static_cast<VertexId>(check.reached);
              runs.depth = check.depth;
              runs.component_arcs = check.arcs;
              component = static_cast<double>(check.arcs / 2);
              if (!check.broken) return Verdict{};
              return Verdict{
                  .ok = false, .rule = check.broken, .message = fmt::format("{} of vertex {}", check.broken, check.vertex)};
            });
  return run;
}

}  // namespace hopwave::report
