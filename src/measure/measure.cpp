// Measuring a configuration: verify first, warm up, then time; a source's time is the median over its runs.
#include "measure/measure.h"

#include <algorithm>
#include <unordered_set>

#include "graph/components.h"
#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "hopwave/validate.h"

namespace hopwave::report {
namespace {

// FNV-1a over whole values: fast enough for a billion arcs and the same on every machine.
template <class T>
std::uint64_t fold(std::uint64_t hash, std::span<const T> values) {
  for (const T v : values) hash = (hash ^ static_cast<std::uint64_t>(v)) * 0x100000001b3ull;
  return hash;
}

EdgeIndex arcs_of_reached(const Graph& graph, const Result& result) {
  EdgeIndex arcs = 0;
  for (VertexId v = 0; v < graph.num_vertices(); ++v)
    if (result.distance[v] != unreached) arcs += graph.out_degree(v);
  return arcs;
}

void check(const Graph& graph, const Query& query, const Result& result, const Configuration& configuration,
           const std::string& name) {
  const Verdict verdict = validate(graph, query, result);
  if (verdict) return;
  throw Error({.failure = Failure::verification,
               .id = "HW-BENCH-WRONG",
               .where = {.file = name},
               .found = configuration.strategy + " gave a wrong answer: " + verdict.message,
               .expected = "exact distances",
               .hint = "its time is not reported; please report this with the graph and the parameters"});
}

bool cannot_run_here(const Error& error) {
  return error.failure() == Failure::does_not_fit || error.failure() == Failure::device || error.id().starts_with("HW-NEEDS") ||
         error.id() == "HW-PARAM-RANGE" || error.id() == "HW-STRATEGY-DEVICE";
}

}  // namespace

GraphFacts graph_facts(const std::string& name, const Graph& graph) {
  GraphFacts facts;
  facts.name = name;
  facts.profile = profile(graph);
  facts.directed = graph.directed();
  facts.hash = fold(fold(0xcbf29ce484222325ull, graph.out().offsets.span()), graph.out().neighbors.span());
  facts.read_ms = graph.read_report().read.count();
  facts.parse_ms = graph.read_report().parse.count();
  facts.build_ms = graph.build_report().time.count();
  return facts;
}

std::vector<VertexId> random_sources(const Graph& graph, std::size_t count, std::uint64_t seed) {
  std::vector<VertexId> sources;
  if (graph.num_vertices() == 0) return sources;
  Team team(graph::component_threads(graph, 0));
  const Components components = graph::find_components(team, graph);
  // A vertex without an arc out searches nothing: in a directed graph the component may hold many of them.
  const auto able = [&](VertexId v) { return components.label[v] == components.largest_label && graph.out_degree(v) > 0; };
  std::size_t most = 0;
  for (VertexId v = 0; v < graph.num_vertices() && most < count; ++v) most += able(v);
  count = most;
  std::unordered_set<VertexId> taken;
  for (std::uint64_t i = 0; sources.size() < count; ++i) {
    const auto v = static_cast<VertexId>(splitmix64(seed * 0x9e3779b97f4a7c15ull + i) % graph.num_vertices());
    if (able(v) && taken.insert(v).second) sources.push_back(v);
  }
  return sources;
}

SearchOptions search_options(const Configuration& configuration, const MeasureOptions& options) {
  RunOptions run = options.run;
  run.device = configuration.device;
  run.progress = {};  // it is of the runs
  if (run.device != DeviceKind::sim) run.simulator.schedule = ScheduleKind::uniform;
  return {.strategy = configuration.strategy,
          .parameters = configuration.parameters,
          .prepare = configuration.prepare,
          .run = std::move(run)};
}

std::vector<LevelTrace> level_trace(const Graph& graph, const Configuration& configuration, VertexId source,
                                    const MeasureOptions& options) {
  SearchOptions traced = search_options(configuration, options);
  traced.trace = true;
  return Searcher(graph, traced).traverse({.sources = {source}}).trace;
}

Measurement measure(const GraphFacts& facts, const Graph& graph, const Configuration& configuration,
                    const std::vector<VertexId>& sources, const MeasureOptions& options) try {
  Measurement m;
  m.graph = facts;
  m.configuration = configuration;
  std::size_t done = 0;
  const std::size_t all = sources.size() * static_cast<std::size_t>(1 + options.warmup + options.runs);
  const auto step = [&] {
    if (options.run.progress && !options.run.progress({.what = "runs", .done = ++done, .total = all}))
      throw Error({.failure = Failure::interrupted, .id = "HW-INTERRUPTED", .found = "the measurement was stopped"});
  };
  Searcher searcher(graph, search_options(configuration, options));
  m.ran = searcher.strategy();
  m.copy_ms = searcher.copy_in().count();
  m.prepare_ms = searcher.prepare().count();
  std::vector<double> medians, host_medians, teps;
  for (const VertexId source : sources) {
    const Query query{.sources = {source}};
    SourceRuns runs{.source = source};
    {
      const Result result = searcher.run(query);
      if (options.verify) check(graph, query, result, configuration, facts.name);
      runs.reached = result.reached;
      runs.depth = result.depth;
      runs.component_arcs = arcs_of_reached(graph, result);
      m.levels = std::max(m.levels, result.run.levels);
      m.launches = result.run.launches;
      m.round_trips = result.run.round_trips;
      if (!result.run.chosen.empty()) m.ran = searcher.strategy() + ": " + result.run.chosen;
      step();
    }
    for (int i = 0; i < options.warmup + options.runs; ++i) {
      const SearchReport stats = searcher.traverse(query);
      step();
      if (i < options.warmup) continue;
      runs.search_ms.push_back(stats.work.count());
      runs.host_ms.push_back(stats.host.count());
    }
    const double median = statistics(runs.search_ms).median;
    medians.push_back(median);
    host_medians.push_back(statistics(runs.host_ms).median);
    const double edges = static_cast<double>(runs.component_arcs) / (graph.directed() ? 1 : 2);
    if (median > 0 && edges > 0) teps.push_back(edges / (median * 1e-3));
    m.sources.push_back(std::move(runs));
  }
  m.verified = options.verify;
  m.search_ms = statistics(medians);
  m.host_ms = statistics(host_medians);
  m.teps_harmonic = statistics(teps).harmonic_mean;
  if (options.trace && !sources.empty()) m.trace = level_trace(graph, configuration, sources.front(), options);
  return m;
} catch (const Error& error) {
  if (!cannot_run_here(error)) throw;
  Measurement skipped;
  skipped.graph = facts;
  skipped.configuration = configuration;
  skipped.skipped = error.what();
  return skipped;
}

}  // namespace hopwave::report
