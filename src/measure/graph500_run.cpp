// Graph500 by its specification, on one machine: everything on the host's side of a strategy, or, for auto on a device, all of
// it in the device's memory: edges, construction, searches and validation.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/stopwatch.h"
#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "hopwave/resident.h"
#include "hopwave/validate.h"
#include "measure/graph500_searches.h"

namespace hopwave::report {
namespace {

/// Graphs of more arcs are not brought to the host for figures that only describe them.
constexpr EdgeIndex most_described = EdgeIndex{1} << 30;

/// min, quartiles, max, mean, deviation as the reference code prints them.
std::string seven_numbers(const std::string& name, std::vector<double> v, bool harmonic) {
  std::sort(v.begin(), v.end());
  const auto at = [&](double q) {
    const double place = q * static_cast<double>(v.size() - 1);
    const auto low = static_cast<std::size_t>(place);
    return v[low] + (place - static_cast<double>(low)) * (v[std::min(low + 1, v.size() - 1)] - v[low]);
  };
  std::string out;
  for (const auto& [key, q] :
       {std::pair{"min", 0.0}, {"firstquartile", 0.25}, {"median", 0.5}, {"thirdquartile", 0.75}, {"max", 1.0}})
    out += fmt::format("{}_{}: {:.6g}\n", key, name, at(q));
  const Statistics s = statistics(v);
  if (!harmonic) return out + fmt::format("mean_{0}: {1:.6g}\nstddev_{0}: {2:.6g}\n", name, s.mean, s.deviation);
  // The deviation of a harmonic mean, as the specification has it: that of the inverses, scaled.
  std::vector<double> inverse;
  for (const double x : v) inverse.push_back(1 / x);
  const Statistics i = statistics(inverse);
  const double deviation = v.size() > 1 ? i.deviation / (i.mean * i.mean * std::sqrt(static_cast<double>(v.size() - 1))) : 0;
  return out + fmt::format("harmonic_mean_{0}: {1:.6g}\nharmonic_stddev_{0}: {2:.6g}\n", name, s.harmonic_mean, deviation);
}

void note_searcher(Graph500Run& run, const Searcher& searcher) {
  run.measurement.ran = searcher.strategy();
  run.measurement.copy_ms = searcher.copy_in().count();
  run.measurement.prepare_ms = searcher.prepare().count();
}

void run_on_host(Graph500Run& run, const std::string& spec, int sources, const SearchOptions& search,
                 const MeasureOptions& options) {
  core::Stopwatch watch;
  EdgeList list = generate(spec);
  run.generation_seconds = watch.seconds();
  run.input_edges = list.edges.size();
  // TEPS count input edges, so the ends of each must outlive building: one count per vertex is enough.
  std::vector<std::uint32_t> input_degree(list.num_vertices);
  for (const Edge& e : list.edges) ++input_degree[e.source];

  watch = {};
  const Graph graph = build_graph(std::move(list));
  Searcher searcher(graph, search);
  run.construction_seconds = watch.seconds();
  run.measurement.graph = graph_facts(spec, graph);
  note_searcher(run, searcher);
  Graph500Searches(run, options)
      .each(sample_sources(graph, sources, options.run.seed),
            [&](const Query& query, SearchReport& stats, SourceRuns& runs, double& edges) {
              Result result = searcher.run(query);
              stats = std::move(result.run);
              const core::Stopwatch checking;
              Verdict verdict = validate(graph, query, result);
              run.validate_seconds.push_back(checking.seconds());
              runs.reached = result.reached;
              runs.depth = result.depth;
              for (VertexId v = 0; v < graph.num_vertices(); ++v)
                if (result.distance[v] != unreached) {
                  edges += input_degree[v];
                  runs.component_arcs += graph.out_degree(v);
                }
              return verdict;
            });
}

void run_on_device(Graph500Run& run, const std::string& spec, int sources, const SearchOptions& search,
                   const MeasureOptions& options, DeviceKind device) {
  core::Stopwatch watch;
  ResidentEdges list = ResidentEdges::rmat(run.scale, static_cast<std::uint64_t>(run.edge_factor), options.run.seed, device);
  run.generation_seconds = watch.seconds();
  run.input_edges = list.size();
  watch = {};
  const ResidentGraph graph(std::move(list), {});
  Searcher searcher(graph, search);
  run.construction_seconds = watch.seconds();
  run.resident = true;
  run.build_seconds = Seconds(graph.build_report().time).count();
  GraphFacts& facts = run.measurement.graph;
  if (graph.num_arcs() <= most_described) {
    facts = graph_facts(spec, graph.download());
  } else {
    facts.name = spec;
    facts.described = false;
    facts.profile.num_vertices = graph.num_vertices();
    facts.profile.num_arcs = graph.num_arcs();
    facts.profile.average_degree = static_cast<double>(graph.num_arcs()) / graph.num_vertices();
  }
  note_searcher(run, searcher);
  Graph500Searches(run, options)
      .each(sample_sources(graph, sources, options.run.seed),
            [&](const Query& query, SearchReport& stats, SourceRuns& runs, double& edges) {
              stats = searcher.traverse(query);
              const core::Stopwatch checking;
              ResidentCheck check = graph.check(searcher, query);
              run.validate_seconds.push_back(checking.seconds());
              runs.reached = static_cast<VertexId>(check.reached);
              runs.depth = check.depth;
              runs.component_arcs = check.component_arcs;
              edges = static_cast<double>(check.component_edges);
              return std::move(check.verdict);
            });
}

/// auto on a device needs no host memory for the graph; other strategies copy from there.
std::optional<DeviceKind> device_for(const Configuration& configuration) {
  if (configuration.strategy != "auto" || configuration.device == DeviceKind::cpu) return std::nullopt;
  if (configuration.device != DeviceKind::automatic) return configuration.device;
  return device_info().gpu ? std::optional(DeviceKind::gpu) : std::nullopt;
}

}  // namespace

Graph500Run run_graph500(int scale, int edge_factor, int sources, const Configuration& configuration,
                         const MeasureOptions& options) {
  Graph500Run run{.scale = scale, .edge_factor = edge_factor};
  run.measurement.configuration = configuration;
  const std::string spec = fmt::format("rmat:{},{},{}", scale, edge_factor, options.run.seed);
  const SearchOptions search = search_options(configuration, options);
  if (const auto device = device_for(configuration))
    run_on_device(run, spec, sources, search, options, *device);
  else
    run_on_host(run, spec, sources, search, options);
  return run;
}

std::string graph500_text(const Graph500Run& run) {
  std::vector<double> seconds, teps;
  for (std::size_t i = 0; i < run.measurement.sources.size(); ++i) {
    seconds.push_back(run.measurement.sources[i].search_ms.front() * 1e-3);
    teps.push_back(run.nedge[i] / seconds.back());
  }
  std::string out = fmt::format(
      "SCALE: {}\nedgefactor: {}\nNBFS: {}\ngraph_generation: {:.6g}\nnum_mpi_processes: {}\nconstruction_time: {:.6g}\n",
      run.scale, run.edge_factor, seconds.size(), run.generation_seconds, run.processes, run.construction_seconds);
  out += seven_numbers("time", seconds, false);
  out += seven_numbers("nedge", run.nedge, false);
  out += seven_numbers("TEPS", teps, true);
  out += seven_numbers("validate", run.validate_seconds, false);
  return out;
}

}  // namespace hopwave::report
