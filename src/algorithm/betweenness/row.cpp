// Betweenness of vertices and edges as a row of the table.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "algorithm/algorithm.h"
#include "algorithm/greatest.h"
#include "core/people_text.h"
#include "core/refuse.h"
#include "core/stopwatch.h"
#include "hopwave/betweenness.h"
#include "hopwave/generate.h"
#include "hopwave/shortest_paths.h"

namespace hopwave::algorithm {
namespace {

constexpr double risk = 0.05;  ///< that a sampled value is farther off than its error

/// An edge of the graph: all arcs between its ends.
struct Edge {
  VertexId source, target;
  double value;
};

[[noreturn]] void refuse(const char* found, const char* expected) { core::refuse("HW-USAGE-OPTION", found, expected); }

void check_betweenness(const Values& values, bool sources_named, bool) {
  if (values.count("samples") > 0 && (sources_named || values.given("sources-file")))
    refuse("--samples together with sources", "one of them: samples are drawn");
  if (values.given("sources-file") && sources_named) refuse("--sources-file together with -s or --sources", "one of them");
}

Cost betweenness_cost(const Values& values, const SearchOptions& search, std::uint64_t sources, VertexId vertices) {
  const auto samples = static_cast<std::uint64_t>(values.count("samples"));
  Cost cost;
  if (vertices == 0) {  // not read yet
    const bool named = sources > 0 || values.given("sources-file");
    if (search.run.device == DeviceKind::cpu || values.flag("weights"))
      cost.memory = {.weights = values.flag("weights"),
                     .job = EstimateJob::betweenness,
                     .samples = named ? 1 : samples,
                     .arcs = values.flag("edges"),
                     .threads = search.run.threads};
    return cost;
  }
  if (!values.vertices("sources-file").empty()) sources = values.vertices("sources-file").size();
  if (sources == 0) sources = samples > 0 ? std::min<std::uint64_t>(samples, vertices) : vertices;
  if (!values.flag("weights")) cost.searches = 4 * static_cast<double>(sources);  // there and back again, with sums
  return cost;
}

/// As many vertices as wanted, each with the same chance, none twice; in ascending order. All: none.
std::vector<VertexId> drawn(VertexId n, std::uint64_t samples, std::uint64_t seed) {
  std::vector<VertexId> found;
  if (samples >= n) return found;
  for (VertexId v = 0; v < n; ++v) {
    const std::uint64_t bits = splitmix64(splitmix64(seed) ^ v);
    const auto draw = static_cast<std::uint64_t>((static_cast<unsigned __int128>(bits) * (n - v)) >> 64);
    if (draw < samples - found.size()) found.push_back(v);
  }
  return found;
}

/// Of every edge, an undirected one once, with the smaller end first. Parallel arcs are one edge.
std::vector<Edge> edges_of(const Graph& graph, const Array<double>& arcs, double scale) {
  std::vector<Edge> edges;
  EdgeIndex arc = 0;
  for (VertexId v = 0; v < graph.num_vertices(); ++v)
    for (const VertexId w : graph.out_neighbors(v)) edges.push_back({v, w, arcs[arc++] * scale});
  if (!graph.directed())
    for (Edge& edge : edges)
      if (edge.source > edge.target) std::swap(edge.source, edge.target);
  std::stable_sort(edges.begin(), edges.end(), [](const Edge& x, const Edge& y) {
    return x.source != y.source ? x.source < y.source : x.target < y.target;
  });
  std::size_t kept = 0;
  for (const Edge& edge : edges) {
    if (kept && edges[kept - 1].source == edge.source && edges[kept - 1].target == edge.target)
      edges[kept - 1].value += edge.value;
    else
      edges[kept++] = edge;
  }
  edges.resize(kept);
  return edges;
}

/// A pair at a distance of d has d − 1 vertices between its ends, and d arcs: so the sums must add up to what plain searches
/// count. Returns the sum over the vertices.
std::uint64_t verify(const Job& job, const BetweennessOptions& asked, const Betweenness& found) {
  std::vector<VertexId> sources = asked.sources;
  if (sources.empty()) {
    sources.resize(job.graph.num_vertices());
    std::iota(sources.begin(), sources.end(), VertexId{0});
  }
  std::uint64_t pairs = 0, distances = 0;
  const SearchOptions options{
      .run = {.device = DeviceKind::cpu, .progress = [&](const Step&) { return job.progress.part(0, 0); }}};
  if (!asked.targets.empty())
    Searcher(job.graph, options).run_each(sources, -1, [&](std::size_t, Result&& result) {
      for (const VertexId t : asked.targets)
        if (result.distance[t] > 0) ++pairs, distances += static_cast<std::uint64_t>(result.distance[t]);
    });
  else if (!sources.empty())
    Searcher(job.graph, options).count_levels(sources, -1, [&](std::size_t, LevelCounts&& counts) {
      pairs += counts.reached() - 1;
      distances += counts.distance_sum();
    });
  const std::uint64_t of_vertices = asked.endpoints ? distances + pairs : distances - pairs;
  const auto compare = [&](const Array<double>& part, std::uint64_t expected, const char* what) {
    const long double sum = std::accumulate(part.begin(), part.end(), 0.0L), right = static_cast<long double>(expected);
    if (std::fabs(sum - right) <= 1e-9L * std::max(1.0L, right)) return;
    is_wrong(fmt::format("a sum of {} over all {}", static_cast<double>(sum), what),
             fmt::format("{}, by the distances of all pairs", expected));
  };
  compare(found.vertex, of_vertices, "vertices");
  if (asked.arcs) compare(found.arc, distances, "arcs");
  return of_vertices;
}

/// By weights. Each path has as many arcs' weights as its length: so the arcs' values times their weights add up to the
/// distances of all pairs, which another method finds; and what comes to a vertex ends there or goes on. Returns the sum of the
/// distances.
double verify_weighted(const Job& job, const BetweennessOptions& asked, const Betweenness& found) {
  const Graph& graph = job.graph;
  const VertexId n = graph.num_vertices();
  std::vector<VertexId> sources = asked.sources;
  if (sources.empty()) {
    sources.resize(n);
    std::iota(sources.begin(), sources.end(), VertexId{0});
  }
  std::vector<double> ends(n, 0), begins(n, 0), arrived(n, 0);
  std::vector<bool> is_target(n, asked.targets.empty());
  for (const VertexId t : asked.targets) is_target[t] = true;
  long double distances = 0, weighed = 0;
  WeightedSearcher searcher(
      graph, {.strategy = "cpu-delta-stepping",
              .run = {.device = DeviceKind::cpu, .progress = [&](const Step&) { return job.progress.part(0, 0); }}});
  searcher.run_each(sources, [&](const WeightedReach& reach) {  // one after the other
    for (const VertexId v : reach.vertices)
      if (is_target[v] && v != sources[reach.index])
        distances += static_cast<long double>(reach.distance[v]), ++ends[v], ++begins[sources[reach.index]];
  });
  EdgeIndex arc = 0;
  for (VertexId v = 0; v < n; ++v)
    for (const VertexId w : graph.out_neighbors(v)) {
      if (found.arc[arc] > 0)
        weighed += static_cast<long double>(found.arc[arc]) * (graph.has_weights() ? graph.out().weights[arc] : 1);
      arrived[w] += found.arc[arc++];
    }
  if (std::fabs(weighed - distances) > 1e-9L * distances)
    is_wrong(fmt::format("a sum of {} over all arcs and their weights", static_cast<double>(weighed)),
             fmt::format("{}, by the distances of all pairs", static_cast<double>(distances)));
  for (VertexId v = 0; v < n; ++v) {
    const double right = asked.endpoints ? arrived[v] + begins[v] : arrived[v] - ends[v];
    if (std::fabs(found.vertex[v] - right) > 1e-9 * (1 + arrived[v] + begins[v]))
      is_wrong(fmt::format("{} paths over {}", found.vertex[v], graph.name(v)),
               fmt::format("{}, as come to it and go on", right));
  }
  return static_cast<double>(distances);
}

BetweennessOptions asked_of(const Job& job) {
  const VertexId n = job.graph.num_vertices();
  BetweennessOptions options{.run = run_of(job)};
  options.weights = job.values.flag("weights");
  options.arcs = job.values.flag("edges") || (options.weights && job.verify);
  options.endpoints = job.values.flag("endpoints");
  options.run.progress = [&job](const Step& step) {
    return job.progress.steps(core::grouped(step.done) + " of " + core::plural(step.total, "source"), step.done, step.total);
  };
  options.targets = job.values.vertices("targets-file");
  std::sort(options.targets.begin(), options.targets.end());
  options.targets.erase(std::unique(options.targets.begin(), options.targets.end()), options.targets.end());
  options.sources = job.sources.empty() ? job.values.vertices("sources-file") : job.sources;
  if (job.values.count("samples") > 0)
    options.sources = drawn(n, static_cast<std::uint64_t>(job.values.count("samples")), job.search.run.seed);
  return options;
}

Found run_betweenness(Job& job) {
  const Graph& graph = job.graph;
  const VertexId n = graph.num_vertices();
  const BetweennessOptions asked = asked_of(job);
  const bool of_edges = job.values.flag("edges");
  const bool sampled = job.values.count("samples") > 0 && !asked.sources.empty(), normalized = !job.values.flag("unscaled");
  const bool named = !asked.sources.empty() && !sampled;
  const core::Stopwatch watch;
  Betweenness values = betweenness(graph, asked);
  const double seconds = watch.seconds();
  Found found;
  found.run = values.run;
  if (!values.run.complete() && values.sources == 0) nothing_found(values.run.end, "source");
  // Named sources are all that is asked about; drawn ones are a sample of all vertices.
  const BetweennessScale scale = betweenness_scale(graph, named ? n : values.sources, normalized, asked.endpoints);
  double error = 0;  // of the values as they are shown
  if (!named && values.run.complete())
    if (const double full = betweenness_scale(graph, values.sources, true, asked.endpoints).vertex; full > 0)
      error = betweenness_error(n, values.sources, risk) * (scale.vertex / full);  // else no vertex lies between others
  std::vector<Edge> edges;
  if (of_edges) edges = edges_of(graph, values.arc, scale.arc);
  if (!values.exact)
    found.run.notes.emplace_back("sums along paths were rounded: paths are equally long where the rounded sums are equal");
  if (values.max_paths >= 0x1p53)
    found.run.notes.push_back(
        fmt::format("{} shortest paths between two vertices: their numbers are rounded to 53 bits",
                    std::isfinite(values.max_paths) ? "up to " + core::rounded_text(values.max_paths, 3) : "more than 10^308"));
  if (job.verify && values.run.complete() && job.progress.stage("verifying"))
    found.verified =
        "the sums add up to the distances of all pairs: " +
        (asked.weights ? core::number_text(verify_weighted(job, asked, values)) : core::grouped(verify(job, asked, values)));
  if (job.verify && found.verified.empty()) found.run.notes.emplace_back("not verified: the values are not complete");
  const auto top = static_cast<std::size_t>(job.values.count("top"));
  List vertex_list, edge_list;
  const auto line = [&](const char* label, const List& list, std::string text) {
    found.lines.push_back({list.empty() ? label : "", std::move(text)});
  };
  found.lines = {{"sources", (asked.sources.empty() ? "every vertex, " : "") +
                                 core::plural(values.sources, "search", "searches") + " in " +
                                 time_text(seconds * 1000, values.run.device)}};
  if (!asked.targets.empty()) found.lines.push_back({"targets", core::plural(asked.targets.size(), "vertex", "vertices")});
  if (error > 0)
    found.lines.push_back({"error", fmt::format("at most {:.2g}, for all vertices at once, with a probability of {:.0f} %",
                                                error, 100 * (1 - risk))});
  for (const VertexId v : greatest<VertexId>(n, top, [&](VertexId v) { return values.vertex[v]; })) {
    const double value = values.vertex[v] * scale.vertex;
    line("greatest", vertex_list, core::printable(graph.name(v)) + " " + core::rounded_text(value, 6));
    vertex_list.push_back(Object{{"id", Vertex{v}}, {"betweenness", Number{value}}});
  }
  for (const std::size_t i : greatest<std::size_t>(edges.size(), top, [&](std::size_t i) { return edges[i].value; })) {
    const auto& [source, target, value] = edges[i];
    line("edges", edge_list,
         fmt::format("{} – {} {}", core::printable(graph.name(source)), core::printable(graph.name(target)),
                     core::rounded_text(value, 6)));
    edge_list.push_back(Object{{"source", Vertex{source}}, {"target", Vertex{target}}, {"betweenness", Number{value}}});
  }
  const auto null_unless = [](bool holds, Figure figure) { return holds ? figure : Figure{figure.name, Value()}; };
  found.figures = {{"device", name_of(values.run.device)},
                   {"sources", values.sources},
                   {"every_vertex", asked.sources.empty()},
                   null_unless(!asked.targets.empty(), {"targets", std::uint64_t{asked.targets.size()}}),
                   {"sampled", sampled},
                   {"normalized", normalized},
                   {"endpoints", asked.endpoints},
                   {"weights", asked.weights},
                   {"exact", values.exact},
                   null_unless(job.values.count("samples") == 0 || values.run.complete(), {"error", error}),
                   null_unless(error > 0, {"risk", risk}),
                   null_unless(std::isfinite(values.max_paths), {"most_paths", Number{values.max_paths}}),
                   {"complete", values.run.complete()},
                   {"ended", core::name_of(values.run.end)},
                   {"vertices", std::move(vertex_list)},
                   null_unless(of_edges, {"edges", std::move(edge_list)}),
                   {"verified", job.verify && values.run.complete()},
                   {"load_seconds", job.load_seconds},
                   {"seconds", seconds}};
  found.ended_text = "these are estimates from " + core::plural(values.sources, "source") + ", which were not drawn at random";
  if (!job.writes) return found;
  const std::size_t rows = of_edges ? edges.size() : n;
  Array<double> value(rows);
  for (std::size_t i = 0; i < rows; ++i) value[i] = of_edges ? edges[i].value : values.vertex[i] * scale.vertex;
  if (of_edges) {
    Array<std::uint32_t> source(rows), target(rows);
    for (std::size_t i = 0; i < rows; ++i) source[i] = edges[i].source, target[i] = edges[i].target;
    found.columns.push_back({"source", std::move(source), Column::Kind::vertices});
    found.columns.push_back({"target", std::move(target), Column::Kind::vertices});
    found.own_rows = true;
  }
  found.columns.push_back({"betweenness", std::move(value)});
  return found;
}

/// Scaled sums of vertices, or of arcs.
template <bool arcs>
AlgorithmAnswer call_betweenness(const Graph& graph, const std::vector<AlgorithmValue>& values, const RunOptions& run) {
  const VertexId n = graph.num_vertices();
  const auto list = [&](std::size_t i) { return std::get_if<std::vector<VertexId>>(&values[i]); };
  const auto truth = [&](std::size_t i) { return std::get<std::uint64_t>(values[i]) == 1; };
  const std::vector<VertexId>*const sources = list(0), *const targets = list(1);
  BetweennessOptions options{.arcs = arcs, .endpoints = !arcs && truth(5), .weights = truth(4), .run = run};
  if (sources) options.sources = *sources;
  if (targets) options.targets = *targets;
  if (const auto* samples = std::get_if<std::uint64_t>(&values[2])) options.sources = drawn(n, *samples, run.seed);
  if ((sources && sources->empty()) || (targets && targets->empty()))
    return {{Array<double>::filled(arcs ? graph.num_arcs() : n, 0)}};
  const std::uint64_t searches = options.sources.empty() ? n : options.sources.size();
  Betweenness found = betweenness(graph, options);
  if (!found.run.complete()) ended_early(found.run.end, fmt::format("{} of {} searches are done", found.sources, searches));
  const BetweennessScale scale = betweenness_scale(graph, sources ? n : found.sources, truth(3), options.endpoints);
  Array<double>& sums = arcs ? found.arc : found.vertex;
  for (double& sum : sums) sum *= arcs ? scale.arc : scale.vertex;
  return {{std::move(sums)}, std::move(found.run), {.what = "searches", .done = found.sources, .total = searches}};
}

Algorithm sums(std::string_view function, std::string_view help, AlgorithmFunction* call) {
  using Kind = AlgorithmParameter::Kind;
  return {.function = function,
          .help = help,
          .parameters = {{.name = "sources", .kind = Kind::vertices, .excludes = "samples"},
                         {.name = "targets", .kind = Kind::vertices},
                         {.name = "samples", .lowest = 1},
                         {.name = "normalized", .kind = Kind::truth, .initial = std::uint64_t{1}},
                         weights_parameter},
          .outputs = {{.name = "betweenness", .kind = AlgorithmOutput::Kind::reals, .ranked = true}},
          .unit = "search",
          .passes = 0,
          .call = call};
}

std::vector<Algorithm> calls() {
  Algorithm vertices = sums(
      "betweenness",
      "How many shortest paths between other vertices pass through each vertex: one float64 per vertex. top(10) of the result "
      "returns the ids with the greatest values. Scaled as in NetworkX. With `weights`, paths are those with the least sum of "
      "weights: on the CPU alone, and a cycle of arcs of weight 0 is Error HW-BETWEENNESS-ZERO.\n\n"
      "`samples` random sources give an estimate; betweenness_error() returns its error bound. With `sources`, only the paths "
      "from these ids count; with `targets`, only those to them; nothing is scaled up then. `seed` chooses the samples. The "
      "device \"auto\" is the CPU. `progress` counts searches.",
      call_betweenness<false>);
  vertices.parameters.push_back({.name = "endpoints", .kind = AlgorithmParameter::Kind::truth, .initial = std::uint64_t{0}});
  Algorithm edges = sums("edge_betweenness",
                         "The same for every arc, in the order of csr(). The value of an undirected edge is the sum of its two "
                         "arcs, also in top(), whose ids are pairs.",
                         call_betweenness<true>);
  edges.outputs[0].of_arcs = true;
  return {std::move(vertices), std::move(edges)};
}

}  // namespace
}  // namespace hopwave::algorithm

HOPWAVE_ALGORITHM(
    betweenness,
    {.name = "betweenness",
     .summary = "betweenness of vertices and edges, exactly or sampled",
     .description =
         "Reports how many of the shortest paths between other vertices lead over each vertex, as a share of all pairs: "
         "betweenness centrality, by Brandes' algorithm. It takes a search from every vertex. With --samples it "
         "estimates from some, and reports how far the estimate may be off.\n\n"
         "With --weights, paths are those with the least sum of weights, on the CPU alone. Paths are equally long where their "
         "sums in double precision are equal. A cycle of arcs of weight 0 is an error: the number of paths is not defined.\n\n"
         "Where sources are named, only paths from these count, and the values are not scaled up. When --time-limit or Ctrl-C "
         "ends it early, what was found until then is reported and written.",
     .doing = "searching",
     .writes =
         "Write one row per vertex: id and betweenness; with --edges one row per edge: source, target, betweenness. .csv, "
         "else separated by tabs; - for standard output.",
     .checks = "Check that the values add up to the distances of all pairs, which plain searches find.",
     .examples = {{"hopwave betweenness social.txt.zst -o betweenness.tsv", "every vertex"},
                  {"hopwave betweenness web.txt --samples 1000", "an estimate with its error"},
                  {"hopwave betweenness roads.gr --sources-file homes.txt --targets-file schools.txt", "of some paths"},
                  {"hopwave betweenness roads.gr --weights --samples 500", "by the lengths of roads"},
                  {"hopwave betweenness roads.gr --edges -o edges.tsv --samples 500", "of every edge"}},
     .page = "betweenness.md",
     .source = "Brandes (2001); Brandes & Pich (2007)",
     .cpp = "betweenness",
     .python = "betweenness",
     .c = "hopwave_betweenness",
     .networkx =
         "betweenness_centrality betweenness_centrality_subset edge_betweenness_centrality edge_betweenness_centrality_subset",
     .options = {{.name = "samples",
                  .value = "K",
                  .help = "Search from K vertices drawn at random, and estimate. 0: from all."},
                 {.name = "sources-file",
                  .value = "FILE",
                  .help = "Paths begin at the vertices of a file alone, one id per line. One that occurs twice counts twice.",
                  .type = Type::vertices_file},
                 {.name = "targets-file",
                  .value = "FILE",
                  .help = "Paths end at the vertices of a file alone, one id per line. Not given: everywhere.",
                  .type = Type::vertices_file},
                 weights_option,
                 {.name = "edges", .help = "Of every edge, too; -o writes these then.", .type = Type::flag},
                 {.name = "endpoints", .help = "Count a path for its two ends, too.", .type = Type::flag},
                 {.name = "unscaled", .help = "Numbers of pairs, not shares of all pairs.", .type = Type::flag},
                 top_option},
     .device_help =
         "Where to search: cpu, gpu, sim (the GPU simulator), or auto: the CPU, or a GPU where that is expected to be faster.",
     .time_help = "End with what is found after so many seconds. Reading is not counted.",
     .sources_help = "Paths begin here alone: an id, first, maxdeg, lcc, random:N@SEED; repeatable. Not given: everywhere.",
     .sources = Sources::all_unless_named,
     .header = Header::always,
     .seeds = true,
     .weights = Weighing::by_option,
     .check = check_betweenness,
     .job = EstimateJob::betweenness,
     .cost = betweenness_cost,
     .run = run_betweenness,
     .calls = calls()})
