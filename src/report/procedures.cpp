// Graph500 by its specification, and the tables of Springer's survey (figures 6 and 7).
#include "report/procedures.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <unordered_set>

#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "hopwave/validate.h"

namespace hopwave::report {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Sources of degree ≥ 1 (self-loops not counted), distinct, as the specification samples them.
std::vector<VertexId> sample_sources(const Graph& graph, int count, std::uint64_t seed) {
  std::vector<VertexId> sources;
  std::unordered_set<VertexId> taken;
  const std::uint64_t tries = 1000 + 100ull * graph.num_vertices();
  for (std::uint64_t i = 0; i < tries && sources.size() < static_cast<std::size_t>(count); ++i) {
    const auto v = static_cast<VertexId>(splitmix64(seed * 0x9e3779b97f4a7c15ull + i) % graph.num_vertices());
    if (graph.out_degree(v) > 0 && taken.insert(v).second) sources.push_back(v);
  }
  return sources;
}

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

}  // namespace

Graph500Run run_graph500(int scale, int edge_factor, int sources, const Configuration& configuration,
                         const MeasureOptions& options) {
  Graph500Run run{.scale = scale, .edge_factor = edge_factor};
  const std::string spec = fmt::format("rmat:{},{},{}", scale, edge_factor, options.seed);
  auto start = std::chrono::steady_clock::now();
  EdgeList list = generate(spec);
  run.generation_seconds = seconds_since(start);
  run.input_edges = list.edges.size();
  // TEPS count input edges, so the ends of each must outlive building: one count a vertex is enough.
  std::vector<std::uint32_t> input_degree(list.num_vertices);
  for (const Edge& e : list.edges) ++input_degree[e.source];

  start = std::chrono::steady_clock::now();
  const Graph graph = build_graph(std::move(list));
  Searcher searcher(graph, search_options(configuration, options));
  run.construction_seconds = seconds_since(start);

  Measurement& m = run.measurement;
  m.graph = graph_facts(spec, graph);
  m.configuration = configuration;
  m.ran = searcher.strategy();
  m.copy_ms = searcher.copy_seconds() * 1e3;
  m.prepare_ms = searcher.prepare_seconds() * 1e3;
  std::vector<double> medians, host, teps;
  const auto roots = sample_sources(graph, sources, options.seed);
  std::size_t done = 0;
  for (const VertexId root : roots) {
    const Query query{.sources = {root}, .parents = true};
    const Result result = searcher.run(query);
    start = std::chrono::steady_clock::now();
    if (const Verdict verdict = validate(graph, query, result); !verdict)
      throw Error({.failure = Failure::verification,
                   .id = "HW-BENCH-WRONG",
                   .where = {.file = spec},
                   .found = m.ran + " gave a wrong tree: " + verdict.message,
                   .expected = "a tree that passes Graph500's five rules",
                   .hint = "please report this with the command"});
    run.validate_seconds.push_back(seconds_since(start));
    double edges = 0;
    SourceRuns runs{.source = root, .reached = result.reached, .depth = result.depth};
    for (VertexId v = 0; v < graph.num_vertices(); ++v)
      if (result.distance[v] != unreached) {
        edges += input_degree[v];
        runs.component_arcs += graph.out_degree(v);
      }
    run.nedge.push_back(edges);
    runs.search_ms = {result.stats.search_ms};
    runs.host_ms = {result.stats.host_ms};
    medians.push_back(result.stats.search_ms);
    host.push_back(result.stats.host_ms);
    teps.push_back(edges / (result.stats.search_ms * 1e-3));
    m.levels = std::max(m.levels, result.stats.levels);
    m.launches = result.stats.launches;
    m.round_trips = result.stats.round_trips;
    m.sources.push_back(std::move(runs));
    if (options.progress && !options.progress(++done, roots.size()))
      throw Error({.failure = Failure::interrupted, .id = "HW-INTERRUPTED", .found = "the run was stopped"});
  }
  m.verified = true;
  m.search_ms = statistics(medians);
  m.host_ms = statistics(host);
  m.teps_harmonic = statistics(teps).harmonic_mean;
  return run;
}

std::string graph500_text(const Graph500Run& run) {
  std::vector<double> seconds, teps;
  for (std::size_t i = 0; i < run.measurement.sources.size(); ++i) {
    seconds.push_back(run.measurement.sources[i].search_ms.front() * 1e-3);
    teps.push_back(run.nedge[i] / seconds.back());
  }
  std::string out = fmt::format(
      "SCALE: {}\nedgefactor: {}\nNBFS: {}\ngraph_generation: {:.6g}\nnum_mpi_processes: 1\nconstruction_time: {:.6g}\n",
      run.scale, run.edge_factor, seconds.size(), run.generation_seconds, run.construction_seconds);
  out += seven_numbers("time", seconds, false);
  out += seven_numbers("nedge", run.nedge, false);
  out += seven_numbers("TEPS", teps, true);
  out += seven_numbers("validate", run.validate_seconds, false);
  return out;
}

std::vector<Parameters> scan(const Parameters& fixed,
                             const std::vector<std::pair<std::string, std::vector<std::int64_t>>>& values) {
  std::vector<Parameters> all = {fixed};
  for (const auto& [name, list] : values) {
    std::vector<Parameters> next;
    for (const auto& p : all)
      for (const auto v : list) {
        next.push_back(p);
        next.back()[name] = v;
      }
    all = std::move(next);
  }
  return all;
}

std::string dataset_table(const std::vector<std::pair<GraphFacts, Distance>>& graphs) {
  std::string out =
      "| dataset | V | E | average degree | standard deviation | median | diameter |\n|---|---:|---:|---:|---:|---:|---:|\n";
  for (const auto& [g, diameter] : graphs)
    out += fmt::format("| {} | {} | {} | {:.3f} | {:.3f} | {:g} | {} |\n", g.name, g.profile.num_vertices, g.profile.num_arcs,
                       g.profile.average_degree, g.profile.degree_deviation, g.profile.median_degree, diameter);
  return out;
}

double least_ms(const Measurement& m) {
  double least = INFINITY;
  for (const auto& s : m.sources)
    for (const double ms : s.search_ms) least = std::min(least, ms);
  return least;
}

std::string best_configurations(const std::vector<Measurement>& measurements) {
  std::map<std::pair<std::string, std::string>, const Measurement*> best;
  for (const auto& m : measurements) {
    if (!m.skipped.empty()) continue;
    const Measurement*& b = best[{m.graph.name, m.configuration.strategy}];
    if (!b || least_ms(m) < least_ms(*b)) b = &m;
  }
  std::string out = "| graph | strategy | least ms | best configuration |\n|---|---|---:|---|\n";
  for (const auto& [key, m] : best)
    out += fmt::format("| {} | {} | {:.4f} | {} |\n", key.first, key.second, least_ms(*m),
                       parameter_text(m->configuration.parameters));
  return out;
}

}  // namespace hopwave::report
