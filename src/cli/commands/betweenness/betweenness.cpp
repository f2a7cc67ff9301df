// hopwave betweenness: how many shortest paths lead over each vertex or edge.
#include "hopwave/betweenness.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "cli/commands/betweenness/betweenness_report.h"
#include "cli/frame/graph_input.h"
#include "cli/frame/id_lines.h"
#include "cli/frame/result_file.h"
#include "cli/frame/row_text.h"
#include "cli/frame/search_options.h"
#include "core/stopwatch.h"
#include "hopwave/generate.h"
#include "hopwave/search.h"

namespace hopwave::cli {
namespace of_betweenness {

constexpr double risk = betweenness_risk;

using Arguments = BetweennessArguments;
using Report = BetweennessReport;

bool names_sources(const Arguments& a) {
  return !a.sources.source.empty() || !a.sources.sources.empty() || !a.sources_file.empty();
}

void check_arguments(const Arguments& a, const Context& context) {
  check_one_output(context, a.output);
  checked_int("--top", a.top, 1, 1 << 20);
  if (!a.output.empty()) ending_of(a.output, {"txt", "tsv", "csv"}, "rows are text: .txt, .tsv or .csv");
  if (a.samples < 0) checked_int("--samples", a.samples, 0, 0x7FFFFFFF);
  to_limits(a.search);
  if (a.samples > 0 && names_sources(a))
    throw Error({.failure = Failure::usage,
                 .id = "HW-USAGE-OPTION",
                 .found = "--samples together with sources",
                 .expected = "one of them: samples are drawn"});
  if (!a.sources_file.empty() && !(a.sources.source.empty() && a.sources.sources.empty()))
    throw Error({.failure = Failure::usage,
                 .id = "HW-USAGE-OPTION",
                 .found = "--sources-file together with -s or --sources",
                 .expected = "one of them"});
}

/// At least one: none would mean all.
std::vector<VertexId> some_of(const Graph& graph, const std::string& file) {
  std::vector<VertexId> found = read_vertices(graph.ids(), file);
  if (found.empty())
    throw Error({.failure = Failure::input,
                 .id = "HW-QUERY-EMPTY",
                 .where = {.file = file},
                 .found = "no vertex",
                 .expected = "at least one id, on a line of its own"});
  return found;
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

BetweennessScale scale_of(const Report& report, const Arguments& a) {
  // Named sources are all that is asked about; drawn ones stand for all.
  const std::uint64_t stand_for_all = names_sources(a) ? report.graph->num_vertices() : report.found.sources;
  return betweenness_scale(*report.graph, stand_for_all, !a.unscaled, a.endpoints);
}

/// Of the values as they are shown.
double error_of(const Report& report, const Arguments& a, const BetweennessScale& scale) {
  const double error = betweenness_error(report.graph->num_vertices(), report.found.sources, risk);
  const double normalized = betweenness_scale(*report.graph, report.found.sources, true, a.endpoints).vertex;
  return normalized > 0 ? error * (scale.vertex / normalized) : 0;  // else no vertex lies between others
}

/// Of every edge, an undirected one once, with the smaller end first. Parallel arcs are one edge.
std::vector<EdgeRow> edge_rows(const Report& report, double scale) {
  const Graph& graph = *report.graph;
  std::vector<EdgeRow> rows;
  EdgeIndex arc = 0;
  for (VertexId v = 0; v < graph.num_vertices(); ++v)
    for (const VertexId w : graph.out_neighbors(v)) rows.push_back({v, w, report.found.arc[arc++] * scale});
  if (!graph.directed())
    for (EdgeRow& row : rows)
      if (row.source > row.target) std::swap(row.source, row.target);
  std::stable_sort(rows.begin(), rows.end(), [](const EdgeRow& x, const EdgeRow& y) {
    return x.source != y.source ? x.source < y.source : x.target < y.target;
  });
  std::size_t kept = 0;
  for (const EdgeRow& row : rows) {
    if (kept && rows[kept - 1].source == row.source && rows[kept - 1].target == row.target)
      rows[kept - 1].value += row.value;
    else
      rows[kept++] = row;
  }
  rows.resize(kept);
  return rows;
}

void find(const Arguments& a, int threads, Report& report, Context& context) {
  Progress progress(context.console, "searching");
  BetweennessOptions options{.sources = report.sources,
                             .targets = report.targets,
                             .arcs = a.edges,
                             .endpoints = a.endpoints,
                             .threads = threads,
                             .limits = to_limits(a.search)};
  options.device = to_device(a.device);
  const std::size_t all = report.graph->num_vertices();
  const auto sources = static_cast<double>(report.sources.empty() ? all : report.sources.size());
  settle_device(options.device, "auto", *report.graph, 0, 4 * sources, threads);  // back again, with sums
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    progress.steps(grouped(done) + " of " + plural(total, "source"), done, total);
    return !context.interrupted();
  };
  const core::Stopwatch watch;
  report.found = betweenness(*report.graph, options);
  report.seconds = watch.seconds();
}

/// Over each pair with a distance of d lead d − 1 vertices, and d arcs: so the sums must add up to what plain searches count.
void verify(const Arguments& a, Report& report, Context& context) {
  const Progress progress(context.console, "verifying");
  const Graph& graph = *report.graph;
  std::vector<VertexId> sources = report.sources;
  if (sources.empty()) {
    sources.resize(graph.num_vertices());
    std::iota(sources.begin(), sources.end(), VertexId{0});
  }
  std::uint64_t pairs = 0, distances = 0;
  SearchOptions options;
  options.device = DeviceKind::cpu;
  options.progress = [&](std::uint32_t, std::uint64_t) { return !context.interrupted(); };
  if (!report.targets.empty())
    Searcher(graph, options).run_each(sources, -1, [&](std::size_t, Result&& result) {
      for (const VertexId t : report.targets)
        if (result.distance[t] > 0) ++pairs, distances += static_cast<std::uint64_t>(result.distance[t]);
    });
  else if (!sources.empty())
    Searcher(graph, options).count_levels(sources, -1, [&](std::size_t, LevelCounts&& counts) {
      pairs += counts.reached() - 1;
      distances += counts.distance_sum();
    });
  report.expected_sum = a.endpoints ? distances + pairs : distances - pairs;
  const auto compare = [&](const Array<double>& part, std::uint64_t expected, const char* what) {
    const long double sum = std::accumulate(part.begin(), part.end(), 0.0L), right = static_cast<long double>(expected);
    if (std::fabs(sum - right) <= 1e-9L * std::max(1.0L, right)) return;
    throw Error({.failure = Failure::verification,
                 .id = "HW-VERIFY",
                 .found = fmt::format("a sum of {} over all {}", static_cast<double>(sum), what),
                 .expected = fmt::format("{}, by the distances of all pairs", expected),
                 .hint = "please report it, with the command that led here"});
  };
  compare(report.found.vertex, report.expected_sum, "vertices");
  if (a.edges) compare(report.found.arc, distances, "arcs");
}

void put_id(const Graph& graph, VertexId v, char separator, RowText& text) {
  if (graph.ids().kind() == Ids::Kind::strings)
    put_cell(graph.ids().names()[v], separator, text);
  else
    text.put(graph.ids().number(v));
  text.put(separator);
}

void write(const Arguments& a, const Report& report, double scale, int threads, Context& context) {
  const Graph& graph = *report.graph;
  const char separator = ending_of(a.output, {"txt", "tsv", "csv"}, "rows are text: .txt, .tsv or .csv") == "csv" ? ',' : '\t';
  const bool ended = context.interrupted();  // what was found until then is written all the same
  ResultFile out(a.output);
  out.write(fmt::format("{1}{2}{0}betweenness\n", separator, separator == ',' ? "" : "# ",
                        a.edges ? fmt::format("source{}target", separator) : "id"));
  Team team(threads);
  write_in_order(out, team, a.edges ? report.edges.size() : graph.num_vertices(),
                 [&](std::size_t from, std::size_t to, RowText& text) {
                   if (!ended) context.check_interrupt();
                   for (std::size_t i = from; i < to; ++i) {
                     put_id(graph, a.edges ? report.edges[i].source : static_cast<VertexId>(i), separator, text);
                     if (a.edges) put_id(graph, report.edges[i].target, separator, text);
                     text.put(number_text(a.edges ? report.edges[i].value : report.found.vertex[i] * scale) + "\n");
                   }
                 });
  out.commit();
}

int run(const Arguments& a, Context& context) {
  check_arguments(a, context);
  const int threads = checked_int("--threads", a.graph.threads, 0, 4096);
  EstimateOptions job;
  if (a.device == "cpu")
    job = {.job = EstimateJob::betweenness,
           .samples = names_sources(a) ? 1 : static_cast<std::uint64_t>(a.samples),
           .arcs = a.edges,
           .threads = threads};
  Loaded loaded = load(context, a.graph, job, false);
  note_unused_weights(context, loaded.graph, "betweenness");
  const Graph& graph = loaded.graph;
  Report report{.graph = &graph, .load_seconds = loaded.seconds};
  if (!a.targets_file.empty()) {
    report.targets = some_of(graph, a.targets_file);
    std::sort(report.targets.begin(), report.targets.end());
    report.targets.erase(std::unique(report.targets.begin(), report.targets.end()), report.targets.end());
  }
  if (!a.sources_file.empty())
    report.sources = some_of(graph, a.sources_file);
  else if (names_sources(a))
    report.sources = find_sources(graph, a.sources, a.search.seed).vertices;
  else if (a.samples > 0)
    report.sources =
        drawn(graph.num_vertices(), static_cast<std::uint64_t>(a.samples), static_cast<std::uint64_t>(a.search.seed));
  find(a, threads, report, context);
  for (const auto& note : report.found.notes) context.console.warn(note);
  if (!report.found.complete && report.found.sources == 0) nothing_found(report.found.ended, "source");
  const BetweennessScale scale = scale_of(report, a);
  if (!names_sources(a) && report.found.complete) report.error = error_of(report, a, scale);
  if (a.edges) report.edges = edge_rows(report, scale.arc);
  if (report.found.most_paths >= 0x1p53)
    context.console.warn(fmt::format(
        "{} shortest paths between two vertices: their numbers are rounded to 53 bits",
        std::isfinite(report.found.most_paths) ? "up to " + rounded_text(report.found.most_paths, 3) : "more than 10^308"));
  const bool verified = a.verify && report.found.complete && !context.interrupted();
  if (verified) verify(a, report, context);
  if (a.verify && !verified) context.console.warn("not verified: the values are not complete");
  if (!a.output.empty()) write(a, report, scale.vertex, threads, context);
  if (context.json())
    context.console.result(dump(betweenness_json(report, a, scale)));
  else
    print_betweenness(report, a, scale, context.console);
  if (report.found.complete) return 0;
  const bool time_over = report.found.ended == "HW-TIME-LIMIT";
  context.console.warn(fmt::format("{}: these are estimates from {}, which were not drawn at random",
                                   time_over ? "the time is over" : "ended early", plural(report.found.sources, "source")));
  return static_cast<int>(time_over ? Failure::time_limit : Failure::interrupted);
}

}  // namespace of_betweenness

Command betweenness_command() {
  using namespace of_betweenness;
  auto a = std::make_shared<Arguments>();
  OptionGroup query{"Query", {graph_argument(a->graph)}};
  query.options.push_back(
      {"--samples", "K", "Search from K vertices drawn at random, and estimate. 0: from all.", &a->samples});
  query.options.push_back({"--seed", "N", "Seed of the draw.", &a->search.seed});
  for (auto& option : source_options(a->sources)) {
    if (option.names == "-s,--source")
      option.help = "Paths begin here alone: an id, first, maxdeg, lcc, random:N@SEED; repeatable. Not given: everywhere.";
    query.options.push_back(std::move(option));
  }
  query.options.push_back({"--sources-file",
                           "FILE",
                           "Paths begin at the vertices of a file alone, an id a line. One that stands twice counts twice.",
                           &a->sources_file,
                           {},
                           Fill::file});
  query.options.push_back({"--targets-file",
                           "FILE",
                           "Paths end at the vertices of a file alone, an id a line. Not given: everywhere.",
                           &a->targets_file,
                           {},
                           Fill::file});
  query.options.push_back({"--edges", "", "Of every edge, too; -o writes these then.", &a->edges});
  query.options.push_back({"--endpoints", "", "Count a path for its two ends, too.", &a->endpoints});
  query.options.push_back({"--unscaled", "", "Numbers of pairs, not shares of all pairs.", &a->unscaled});
  query.options.push_back(
      {"--verify", "", "Check that the values add up to the distances of all pairs, which plain searches find.", &a->verify});
  return {
      .name = "betweenness",
      .summary = "betweenness of vertices and edges, exactly or sampled",
      .description =
          "Tells how many of the shortest paths between other vertices lead over each vertex, as a share of all pairs: "
          "betweenness centrality, by Brandes' algorithm. It takes a search from every vertex. With --samples it "
          "estimates from some, and tells how far the estimate may be off.\n\n"
          "Where sources are named, only paths from these count, and the values are not scaled up. When --time-limit or Ctrl-C "
          "ends it early, what was found until then is reported and written.",
      .examples = {{"hopwave betweenness social.txt.zst -o betweenness.tsv", "every vertex"},
                   {"hopwave betweenness web.txt --samples 1000", "an estimate with its error"},
                   {"hopwave betweenness roads.gr --sources-file homes.txt --targets-file schools.txt", "of some paths"},
                   {"hopwave betweenness roads.gr --edges -o edges.tsv --samples 500", "of every edge"}},
      .groups = {std::move(query),
                 {"Output",
                  {{"-o,--output",
                    "FILE",
                    "Write a row a vertex: id and betweenness; with --edges a row an edge: source, target, betweenness. .csv, "
                    "else separated by tabs; - for standard output.",
                    &a->output,
                    {},
                    Fill::output},
                   top_option(a->top)}},
                 {"Running",
                  {{"--device",
                    "WHERE",
                    "Where to search: auto, cpu, gpu, or sim (the GPU simulator).",
                    &a->device,
                    {"auto", "cpu", "gpu", "sim"}},
                   {"--time-limit", "SECONDS", "End with what is found after so many seconds. Reading is not counted.",
                    &a->search.time_limit}}},
                 reading_options(a->graph)},
      .run = [a](Context& context) { return run(*a, context); }};
}

}  // namespace hopwave::cli
