// hopwave closeness: how close every vertex is to the others, and how far apart the vertices of a graph are.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "cli/commands/closeness/closeness_rows.h"
#include "cli/commands/closeness/sampled_closeness.h"
#include "cli/frame/graph_input.h"
#include "cli/frame/greatest.h"
#include "cli/frame/json.h"
#include "cli/frame/result_file.h"
#include "cli/frame/search_options.h"
#include "cli/frame/tuning_file.h"
#include "core/stopwatch.h"

namespace hopwave::cli {
namespace of_closeness {

constexpr std::size_t verified_sources = 16;

struct Arguments {
  GraphArguments graph;
  SourceArguments sources;
  SearchArguments search;
  std::string output;
  std::int64_t samples = 0, top = standard_top;
  bool resume = false, verify = false;
};

/// What a run has to tell.
struct Report {
  const Graph* graph = nullptr;
  std::vector<VertexId> sources;
  bool all = false;  ///< every vertex is a source
  ClosenessRows found;
  std::size_t resumed = 0, verified = 0;
  std::string strategy, why, direction;
  std::string ended = {};  ///< what ended the searches early: HW-INTERRUPTED or HW-TIME-LIMIT
  DeviceKind device = DeviceKind::automatic;
  std::string gpus = {}, device_why = {};
  double load_seconds = 0, search_seconds = 0, device_ms = 0;
};

bool names_sources(const Arguments& a) { return !a.sources.source.empty() || !a.sources.sources.empty(); }

void check_arguments(const Arguments& a, const Context& context) {
  check_one_output(context, a.output);
  checked_int("--top", a.top, 1, 1 << 20);
  if (a.resume && (a.output.empty() || a.output == "-"))
    throw Error({.failure = Failure::usage,
                 .id = "HW-USAGE-OPTION",
                 .found = "--resume without a file",
                 .expected = "-o FILE, as in the run that was ended"});
  if (a.samples != 0 && names_sources(a))
    throw Error({.failure = Failure::usage,
                 .id = "HW-USAGE-OPTION",
                 .found = "--samples together with sources",
                 .expected = "one of them: samples are drawn"});
}

/// Every vertex, unless some are named.
Sources sources_of(const Graph& graph, const Arguments& a) {
  if (names_sources(a)) return find_sources(graph, a.sources, a.search.seed);
  Sources all;
  all.vertices.resize(graph.num_vertices());
  std::iota(all.vertices.begin(), all.vertices.end(), VertexId{0});
  return all;
}

bool into_file(const Arguments& a) { return !a.output.empty() && a.output != "-"; }

/// Searches from the sources that are left. When it is ended, what is found until then is the answer.
void search(Searcher& searcher, Report& report, Context& context) {
  const std::span<const VertexId> left = std::span(report.sources).subspan(report.resumed);
  const core::Stopwatch watch;
  try {
    const RunStats stats = searcher.count_levels(left, -1, [&](std::size_t, LevelCounts&& counts) {
      report.found.add(counts);
      context.check_interrupt();
    });
    report.why = stats.chosen;
    report.device_ms = stats.search_ms;
  } catch (const Error& error) {
    if ((error.id() != "HW-INTERRUPTED" && error.id() != "HW-TIME-LIMIT") || report.found.rows.empty()) throw;
    report.ended = error.id();
  }
  report.search_seconds = watch.milliseconds() / 1000;
}

/// Some sources again, by the plain search on the CPU.
void verify(Report& report, const Arguments& a) {
  SearchOptions plain;
  plain.strategy = "cpu-sequential";
  plain.device = DeviceKind::cpu;
  plain.direction = to_direction(a.search.direction);
  Searcher searcher(*report.graph, plain);
  const std::size_t count = report.found.rows.size(), some = std::min(count, verified_sources);
  for (std::size_t k = 0; k < some; ++k) {
    const std::size_t i = k * count / some;
    const VertexId v = report.sources[i];
    SourceDistances expected;
    searcher.count_levels({&v, 1}, -1, [&](std::size_t, LevelCounts&& counts) { expected = source_distances(counts); });
    const SourceDistances& found = report.found.rows[i];
    if (found.reached != expected.reached || found.sum != expected.sum || found.eccentricity != expected.eccentricity ||
        found.inverse_sum != expected.inverse_sum)
      throw Error({.failure = Failure::verification,
                   .id = "HW-VERIFY",
                   .found = fmt::format("a distance sum of {} for {}", found.sum, report.graph->ids().name(v)),
                   .expected = fmt::format("{}, as cpu-sequential finds", expected.sum),
                   .hint = "please report it, with the command that led here"});
    ++report.verified;
  }
}

/// Places in `sources` of the closest.
std::vector<std::size_t> closest(const Report& report, std::int64_t top) {
  return greatest<std::size_t>(report.found.rows.size(), top,
                               [&](std::size_t i) { return closeness(report.found.rows[i], report.graph->num_vertices()); });
}

Json report_json(const Report& report, const Arguments& a) {
  const Graph& graph = *report.graph;
  const DistanceSummary& summary = report.found.summary;
  Json json = document("closeness");
  json["graph"] = read_json(graph);
  json["strategy"] = report.strategy;
  json["device"] = device_name(report.device);
  json["device_why"] = report.device_why.empty() ? Json(nullptr) : Json(report.device_why);
  json["gpus"] = report.gpus.empty() ? Json(nullptr) : Json(report.gpus.substr(1));
  json["chosen"] = report.why.empty() ? Json(nullptr) : Json(report.why);
  json["direction"] = report.direction;
  json["sources"] = report.sources.size();
  json["every_vertex"] = report.all;
  json["done"] = report.found.rows.size();
  json["complete"] = report.ended.empty();
  json["ended"] = report.ended.empty() ? Json(nullptr) : Json(report.ended);
  json["resumed"] = report.resumed;
  json["pairs"] = summary.pairs();
  json["distance_sum"] = summary.sum();
  json["average_distance"] = summary.average_distance();
  json["efficiency"] = summary.efficiency(graph.num_vertices());
  json["diameter"] = summary.diameter;
  json["radius"] = summary.radius;
  json["pairs_at"] = summary.pairs_at;
  json["closest"] = Json::array();
  for (const std::size_t i : closest(report, a.top)) {
    const SourceDistances& row = report.found.rows[i];
    json["closest"].push_back({{"id", id_json(graph.ids(), report.sources[i])},
                               {"closeness", closeness(row, graph.num_vertices())},
                               {"harmonic", row.inverse_sum},
                               {"eccentricity", row.eccentricity},
                               {"reached", row.reached},
                               {"distance_sum", row.sum}});
  }
  json["verified"] = report.verified;
  json["load_seconds"] = report.load_seconds;
  json["search_seconds"] = report.search_seconds;
  json["device_ms"] = report.device_ms;
  json["output"] = a.output.empty() ? Json(nullptr) : Json(a.output);
  return json;
}

void print(const Report& report, const Arguments& a, Console& console) {
  const Graph& graph = *report.graph;
  const DistanceSummary& summary = report.found.summary;
  const Stream stream = a.output == "-" ? Stream::err : Stream::out;
  const auto row = [&](std::string_view name, const std::string& text) {
    console.line(stream, console.bold(stream, fmt::format("{:<11}", name)) + text);
  };
  const auto reading = describe(graph);
  row("input", reading.input);
  row("graph", reading.graph);
  row("strategy", report.strategy + " on " + device_name(report.device) + report.gpus +
                      (report.why.empty() ? "" : " (" + report.why + ")"));
  row("sources", (!report.ended.empty() ? grouped(report.found.rows.size()) + " of "
                  : report.all          ? "every vertex, "
                                        : "") +
                     plural(report.sources.size(), "search", "searches") + " in " + seconds_text(report.search_seconds) +
                     (report.resumed ? ", " + grouped(report.resumed) + " of them in earlier runs" : ""));
  row("distances", fmt::format("{:.4f} on average over {} · efficiency {:.4f}", summary.average_distance(),
                               plural(summary.pairs(), "pair"), summary.efficiency(graph.num_vertices())));
  row("depth",
      fmt::format("{} from the most distant, {} from the most central of the sources", summary.diameter, summary.radius));
  const std::vector<std::size_t> top = closest(report, a.top);
  for (const std::size_t i : top) {
    const SourceDistances& found = report.found.rows[i];
    row(i == top.front() ? "closest" : "",
        fmt::format("{} closeness {:.5f} · harmonic {:.2f} · eccentricity {}", printable(graph.ids().name(report.sources[i])),
                    closeness(found, graph.num_vertices()), found.inverse_sum, found.eccentricity));
  }
  if (report.verified) row("verified", plural(report.verified, "source") + " searched again by cpu-sequential: the same");
  if (!a.output.empty() && a.output != "-") row("written", printable(a.output));
}

/// Says why the run ended early, and what is kept.
int end_early(const Arguments& a, const Report& report, Context& context) {
  const bool time_over = report.ended == "HW-TIME-LIMIT";
  context.console.warn(fmt::format("{}: {} of {} are done{}", time_over ? "the time is over" : "ended early",
                                   grouped(report.found.rows.size()), plural(report.sources.size(), "source"),
                                   into_file(a) ? "; go on with --resume" : ""));
  return static_cast<int>(time_over ? Failure::time_limit : Failure::interrupted);
}

int run(const Arguments& a, Context& context) {
  check_arguments(a, context);
  if (!a.output.empty()) check_closeness_output(a.output);
  if (a.samples != 0)
    return run_sampled_closeness({a.graph, a.search, a.output, a.samples, a.top, a.resume, a.verify}, context);
  const int threads = checked_int("--threads", a.graph.threads, 0, 4096);
  auto options = search_options(a.search, threads);
  Loaded loaded = load(context, a.graph, {.job = EstimateJob::closeness, .samples = names_sources(a) ? 1u : 0u},
                       options.direction != Direction::out);
  note_unused_weights(context, loaded.graph, "closeness");
  apply_tuning(context.console, loaded.graph, wants_tuning(a.search), options);
  Report report{.graph = &loaded.graph, .direction = a.search.direction, .load_seconds = loaded.seconds};
  report.sources = sources_of(loaded.graph, a).vertices;
  report.all = !names_sources(a);
  if (a.resume) {
    report.found = resume_rows(a.output, closeness_key(loaded.graph, report.sources, report.direction), report.sources.size());
    report.resumed = report.found.rows.size();
  }
  {
    Progress progress(context.console, "searching");
    options.progress = [&](std::uint32_t, std::uint64_t) {
      progress.steps(grouped(report.found.rows.size()) + " of " + grouped(report.sources.size()) + " sources",
                     report.found.rows.size(), report.sources.size());
      return !context.interrupted();
    };
    report.device_why = settle_device(options, loaded.graph, (report.sources.size() + 63) / 64, 0);
    Searcher searcher(loaded.graph, options);
    report.strategy = searcher.strategy();
    report.device = searcher.device();
    report.gpus = gpus_text(options);
    search(searcher, report, context);
    for (const auto& note : searcher.notes()) context.console.warn(note);
  }
  if (a.verify && !context.interrupted()) verify(report, a);
  if (!a.output.empty()) write_closeness(a.output, loaded.graph, report.sources, report.found.rows, context);
  if (into_file(a) && !report.ended.empty())
    keep_rows(a.output, closeness_key(loaded.graph, report.sources, report.direction), report.found);
  if (into_file(a) && report.ended.empty() && a.resume) forget_rows(a.output);
  if (context.json())
    context.console.result(dump(report_json(report, a)));
  else
    print(report, a, context.console);
  return report.ended.empty() ? 0 : end_early(a, report, context);
}

}  // namespace of_closeness

Command closeness_command() {
  using namespace of_closeness;
  auto a = std::make_shared<Arguments>();
  a->search.direction = "in";  // as NetworkX and Python
  OptionGroup query{"Query", {graph_argument(a->graph)}};
  OptionGroup running = running_options(a->search);
  running.options.push_back(gpus_option(a->search));
  query.options.push_back(
      {"--samples", "K", "Search from K vertices drawn at random (--seed), and estimate every vertex. 0: exact.", &a->samples});
  for (auto& option : source_options(a->sources)) {
    if (option.names == "-s,--source")
      option.help =
          "Search from these alone: an id, first, maxdeg, lcc, random:N@SEED; repeatable. Not given: from every vertex.";
    query.options.push_back(std::move(option));
  }
  query.options.push_back(direction_option(a->search));
  query.options.push_back(
      {"--verify", "", "Search from 16 of the sources (of all vertices, with --samples) again by cpu-sequential, and compare.",
       &a->verify});
  return {
      .name = "closeness",
      .summary = "closeness, harmonic centrality, eccentricity",
      .description =
          "Searches from every vertex, or from those that are named, and tells how close each is to the others: closeness "
          "(after Wasserman and Faust), harmonic centrality, eccentricity, how many it reaches and the sum of their distances. "
          "Of the graph it tells average distance, efficiency, diameter and radius. Up to 64 searches share a pass, 512 on a "
          "CPU, and "
          "distances are counted where they are found.\n\n"
          "With --samples it estimates the closeness of all vertices from a few searches, and tells how far off each may be. "
          "When --time-limit or Ctrl-C ends the command early, the rows of the sources done are reported and written, with "
          "--samples the estimates from them. With -o they are kept in FILE.part, too, and --resume goes on from there.\n\n"
          "Distances are those towards a vertex, as NetworkX counts them; with --direction out those from it.",
      .examples = {{"hopwave closeness social.txt.zst -o closeness.tsv", "every vertex"},
                   {"hopwave closeness web.txt --samples 1000", "every vertex, estimated with its error"},
                   {"hopwave closeness web.txt -s random:1000@7", "a thousand, drawn at random, exactly"},
                   {"hopwave closeness social.txt.zst -o closeness.tsv --resume", "what an ended run has left"}},
      .groups =
          {std::move(query),
           {"Output",
            {{"-o,--output",
              "FILE",
              "Write a row a source: id, closeness, harmonic, eccentricity, reached, distance sum; with --samples a row a "
              "vertex: "
              "id, closeness, harmonic and average distance, each with its error, and reached. .csv, else separated by tabs; - "
              "for standard output.",
              &a->output,
              {},
              Fill::output},
             top_option(a->top),
             {"--resume", "", "Go on where an ended run with the same -o has stopped.", &a->resume}}},
           std::move(running),
           reading_options(a->graph)},
      .run = [a](Context& context) { return run(*a, context); }};
}

}  // namespace hopwave::cli
