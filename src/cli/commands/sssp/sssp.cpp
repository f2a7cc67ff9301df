// hopwave sssp: shortest paths with weights from a source.
#include <fmt/format.h>

#include <charconv>
#include <memory>

#include "cli/frame/graph_input.h"
#include "cli/frame/json.h"
#include "cli/frame/result_file.h"
#include "cli/frame/search_options.h"
#include "cli/frame/weighted_rows.h"
#include "hopwave/shortest_paths.h"

namespace hopwave::cli {
namespace of_sssp {

struct Arguments {
  GraphArguments graph;
  SourceArguments sources;
  SearchArguments search;
  std::string output, target, max_distance, delta;
  bool parents = false, verify = false;
};

/// What a run has to tell.
struct Report {
  const Graph* graph = nullptr;
  Sources sources;
  WeightedQuery query;
  WeightedResult result;
  std::string strategy, device_why = {};
  DeviceKind device = DeviceKind::automatic;
  std::vector<std::string> notes;
  double load_seconds = 0, prepare_seconds = 0, copy_seconds = 0;
};

/// A number of 0 or more; `standard` where nothing was given.
double to_number(std::string_view option, const std::string& text, double standard) {
  if (text.empty()) return standard;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && end == text.data() + text.size() && value >= 0 && value < no_path) return value;
  throw Error({.failure = Failure::usage,
               .id = "HW-USAGE-VALUE",
               .found = fmt::format("{} is '{}'", option, text),
               .expected = "a number of 0 or more"});
}

WeightedOptions weighted_options(const Arguments& a) {
  WeightedOptions options;
  options.strategy = a.search.strategy;
  options.device = to_device(a.search.device);
  options.direction = to_direction(a.search.direction);
  options.delta = to_number("--delta", a.delta, 0);
  options.threads = checked_int("--threads", a.graph.threads, 0, 4096);
  options.limits = to_limits(a.search);
  options.seed = static_cast<std::uint64_t>(a.search.seed);
  options.schedule = to_schedule(a.search.schedule);
  if (wants_tuning(a.search))
    throw Error({.failure = Failure::usage,
                 .id = "HW-USAGE-VALUE",
                 .found = "--param best",
                 .expected = "NAME=NUMBER: nothing is tuned for shortest paths with weights"});
  options.parameters = to_parameters(a.search, "near-far has block, grid, narrow, steps and aim; docs/sssp.md explains them");
  return options;
}

void search(const Arguments& a, WeightedOptions options, Report& report, Context& context) {
  Progress progress(context.console, "searching");
  options.progress = [&](std::uint64_t steps, std::uint64_t relaxations) {
    progress.steps(plural(steps, "step") + ", " + plural(relaxations, "arc"));
    return !context.interrupted();
  };
  WeightedSearcher searcher(*report.graph, options);
  report.result = searcher.run(report.query);
  report.strategy = searcher.strategy();
  report.device = searcher.device();
  report.notes = searcher.notes();
  if (options.delta > 0 && report.result.stats.delta == 0)
    report.notes.push_back("--delta has no effect: " + report.strategy + " has no buckets");
  report.prepare_seconds = searcher.prepare_seconds();
  report.copy_seconds = searcher.copy_seconds();
  if (!a.verify) return;
  progress.stage("verifying");
  const Verdict verdict = validate(*report.graph, report.query, report.result, options.direction);
  if (!verdict)
    throw Error({.failure = Failure::verification,
                 .id = "HW-VERIFY",
                 .found = verdict.rule + ": " + verdict.message,
                 .expected = "a right answer",
                 .hint = "please report it, with the command that led here"});
}

Json target_json(const Report& report) {
  if (report.query.target == no_vertex) return nullptr;
  const Graph& graph = *report.graph;
  Json json = {{"id", id_json(graph.ids(), report.query.target)},
               {"distance", distance_json(report.result.distance[report.query.target])},
               {"path", Json::array()}};
  if (report.result.distance[report.query.target] == no_path) return json;
  std::vector<VertexId> path;
  for (VertexId v = report.query.target; v != no_vertex; v = report.result.parent[v]) path.push_back(v);
  for (auto v = path.rbegin(); v != path.rend(); ++v) json["path"].push_back(id_json(graph.ids(), *v));
  return json;
}

Json report_json(const Report& report, const Arguments& a) {
  const WeightedResult& result = report.result;
  Json json = document("sssp");
  json["graph"] = read_json(*report.graph);
  json["weights"] = report.graph->has_weights();
  json["weight_type"] = weight_type_json(*report.graph);
  json["strategy"] = report.strategy;
  json["device"] = device_name(report.device);
  json["device_why"] = report.device_why.empty() ? Json(nullptr) : Json(report.device_why);
  json["chosen"] = result.stats.chosen.empty() ? Json(nullptr) : Json(result.stats.chosen);
  json["direction"] = a.search.direction;
  json["sources"] = Json::array();
  for (const VertexId s : report.query.sources) json["sources"].push_back(id_json(report.graph->ids(), s));
  json["reached"] = result.reached;
  json["farthest"] = number_json(result.farthest);
  json["exact"] = result.exact;
  json["target"] = target_json(report);
  json["delta"] = number_json(result.stats.delta);
  json["steps"] = result.stats.steps;
  json["relaxations"] = result.stats.relaxations;
  json["search_ms"] = result.stats.search_ms;
  json["parents_ms"] = result.stats.parents_ms;
  json["copy_back_ms"] = result.stats.copy_back_ms;
  json["seconds"] = {{"load", report.load_seconds}, {"prepare", report.prepare_seconds}, {"copy", report.copy_seconds}};
  json["verified"] = a.verify;
  json["notes"] = report.notes;
  json["output"] = a.output.empty() ? Json(nullptr) : Json(a.output);
  return json;
}

void print(const Report& report, const Arguments& a, Console& console) {
  const Graph& graph = *report.graph;
  const WeightedResult& result = report.result;
  const Stream stream = a.output == "-" ? Stream::err : Stream::out;
  const auto row = [&](std::string_view name, const std::string& text) {
    console.line(stream, console.bold(stream, fmt::format("{:<11}", name)) + text);
  };
  const auto reading = describe(graph);
  row("input", reading.input);
  row("graph", reading.graph + (graph.has_weights() ? fmt::format("; weights of type {}", name(graph.out().weights.type()))
                                                    : "; no weights: each arc weighs 1"));
  row("strategy", report.strategy + " on " + device_name(report.device) +
                      (result.stats.delta > 0 ? fmt::format(", buckets of {:.4g}", result.stats.delta) : ""));
  std::string sources;
  for (const VertexId s : std::span(report.query.sources).first(std::min<std::size_t>(report.query.sources.size(), 4)))
    sources += (sources.empty() ? "" : ", ") + printable(graph.ids().name(s));
  if (report.query.sources.size() > 4) sources += fmt::format(" and {} more", report.query.sources.size() - 4);
  row("source", sources + (report.sources.how.empty() ? "" : " (" + report.sources.how + ")"));
  row("reached", fmt::format("{} of {}; the farthest at {}", grouped(result.reached),
                             plural(graph.num_vertices(), "vertex", "vertices"), distance_text(result.farthest)));
  const bool rounded_at_reading = graph.read_report().weights_rounded > 0;
  if (!result.exact)
    row("rounding", rounded_at_reading ? "not exact: weights were rounded when they were read"
                                       : "not exact: sums were rounded to the 53 bits of a double");
  if (report.query.target != no_vertex) {
    const double d = result.distance[report.query.target];
    row("target", printable(a.target) + (d == no_path ? ": no path" : " at " + distance_text(d)));
  }
  row("time", fmt::format("{} for distances, {} for the tree; {}, {} looked at", seconds_text(result.stats.search_ms * 1e-3),
                          seconds_text(result.stats.parents_ms * 1e-3), plural(result.stats.steps, "step"),
                          plural(result.stats.relaxations, "arc")));
  if (a.verify)
    row("verified", result.exact ? "distances and tree are right" : "distances and tree are right but for the rounding");
  if (!a.output.empty() && a.output != "-") row("written", printable(a.output));
}

int run(const Arguments& a, Context& context) {
  check_one_output(context, a.output);
  check_weighted_output(a.output);
  if (a.parents && a.output.empty())
    throw Error({.failure = Failure::usage,
                 .id = "HW-USAGE-OPTION",
                 .found = "--parents without -o",
                 .expected = "-o FILE, or -o - for standard output",
                 .hint = "--target ID --json tells one path"});
  WeightedOptions options = weighted_options(a);
  const double max_distance = to_number("--max-distance", a.max_distance, no_path);
  const bool turned = options.direction != Direction::out;
  const Loaded loaded = load(context, a.graph, {.build_in = turned, .parents = true, .weights = true}, turned);
  Report report{.graph = &loaded.graph, .load_seconds = loaded.seconds};
  report.sources = find_sources(loaded.graph, a.sources, a.search.seed);
  report.query = {.sources = distinct(report.sources.vertices), .max_distance = max_distance};
  if (!a.target.empty()) report.query.target = find_vertex(loaded.graph, a.target, "target");
  if (options.parameters.empty())  // with weights a tree takes some ten searches' time
    report.device_why = settle_device(options.device, options.strategy, loaded.graph, 0, 10, options.threads);
  search(a, options, report, context);
  for (const auto& note : report.notes) context.console.warn(note);
  if (!a.output.empty()) {
    Team team(options.threads);
    write_weighted(a.output, loaded.graph, report.result, a.parents, team, [&] { context.check_interrupt(); });
  }
  if (context.json())
    context.console.result(dump(report_json(report, a)));
  else
    print(report, a, context.console);
  const bool missed = report.query.target != no_vertex && report.result.distance[report.query.target] == no_path;
  return missed ? static_cast<int>(Failure::no) : 0;
}

OptionGroup running(Arguments& a) {
  std::vector<Option> options = running_options(a.search).options;
  std::erase_if(options, [](const Option& each) { return each.names == "--strategy" || each.names == "--prepare"; });
  options.insert(options.begin(),
                 {"--strategy",
                  "NAME",
                  "How to search: Dijkstra's algorithm, delta-stepping on all threads, near-far on a GPU or in "
                  "the simulator, or auto.",
                  &a.search.strategy,
                  {"auto", "cpu-dijkstra", "cpu-delta-stepping", "near-far"}});
  for (Option& each : options)
    if (each.names == "--param") {
      each.help = "Set a parameter of near-far: block, grid, narrow, steps, aim (docs/sssp.md); repeatable.";
      each.fill = Fill::nothing;
    }
  options.push_back({"--delta", "D", "Width of a bucket of distances; 0: what suits weights and degrees.", &a.delta});
  return {"Running", std::move(options)};
}

}  // namespace of_sssp

Command sssp_command() {
  using namespace of_sssp;
  auto a = std::make_shared<Arguments>();
  OptionGroup query{"Query", {graph_argument(a->graph)}};
  for (auto& option : source_options(a->sources)) query.options.push_back(std::move(option));
  query.options.push_back(direction_option(a->search));
  query.options.push_back(
      {"--target", "ID", "What is farther than this vertex stays unreached. Exit code 1 if no path leads there.", &a->target});
  query.options.push_back({"--max-distance", "D", "What is farther stays unreached.", &a->max_distance});
  query.options.push_back({"--verify", "", "Check distances and tree by the rules of Graph500.", &a->verify});
  return {
      .name = "sssp",
      .summary = "shortest paths with weights",
      .description =
          "Finds the least distance of every vertex from the source, or from the nearest of several: the sum of the weights "
          "along a path. Weights are those of the file, 1 for each arc where it has none; they are 0 or more, and an arc of "
          "infinite weight cannot be taken. Of parallel arcs the lightest counts. Sums are made in double precision. The "
          "answer is the same to the last bit for every strategy and device.",
      .examples = {{"hopwave sssp roads.gr -s 17", "how far the farthest vertex is"},
                   {"hopwave sssp roads.gr -s 17 -o distances.tsv --parents --verify", "all distances and the tree, checked"},
                   {"hopwave sssp roads.gr -s 17 --target 99 --json", "one distance, with the path"}},
      .groups = {std::move(query),
                 {"Output",
                  {{"-o,--output",
                    "FILE",
                    "Write a row a vertex: id and distance, -1 for unreached. .csv, else separated by tabs; - for standard "
                    "output.",
                    &a->output,
                    {},
                    Fill::output},
                   {"--parents", "", "With -o: write each vertex's parent, too; -1 for sources and unreached ones.",
                    &a->parents}}},
                 running(*a),
                 reading_options(a->graph)},
      .run = [a](Context& context) { return run(*a, context); }};
}

}  // namespace hopwave::cli
