// hopwave eccentricity: diameter, radius, center, periphery and the eccentricity of every vertex, exactly.
#include "hopwave/eccentricity.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/frame/graph_input.h"
#include "cli/frame/json.h"
#include "cli/frame/result_file.h"
#include "cli/frame/row_text.h"
#include "cli/frame/search_options.h"
#include "cli/frame/tuning_file.h"
#include "core/stopwatch.h"

namespace hopwave::cli {
namespace of_eccentricity {

constexpr std::size_t verified_vertices = 16, shown_vertices = 5;
constexpr std::uint64_t plain_work = 400'000'000;  // vertices times arcs that are verified one by one: some seconds

struct Arguments {
  GraphArguments graph;
  SearchArguments search;
  std::string output, goal, scope = "each";
  std::int64_t max_searches = 0;
  bool verify = false;
};

/// What a run has to tell.
struct Report {
  const Graph* graph = nullptr;
  Eccentricities found;
  std::string goal;
  std::uint64_t verified = 0;
  bool every_verified = false;
  double load_seconds = 0, search_seconds = 0;
};

const std::vector<std::string> goals = {"diameter", "radius", "figures", "every"};

EccentricityGoal to_goal(const std::string& name) {
  return static_cast<EccentricityGoal>(std::find(goals.begin(), goals.end(), name) - goals.begin());
}

void find(const Arguments& a, EccentricityOptions options, Report& report, Context& context) {
  Progress progress(context.console, "searching");
  std::uint64_t most = 0;  // vertices open at the beginning of a component
  options.progress = [&](const EccentricityProgress& now) {
    most = std::max(most, now.open);
    progress.steps(fmt::format("{}, diameter at least {}, {} open", plural(now.searches, "search", "searches"), now.diameter,
                               plural(now.open, "vertex", "vertices")),
                   most - now.open, most);
    return !context.interrupted();
  };
  options.search.progress = [&](std::uint32_t, std::uint64_t) { return !context.interrupted(); };
  options.scope = a.scope == "largest" ? EccentricityScope::largest : EccentricityScope::each;
  if (a.max_searches > 0) options.max_searches = static_cast<std::uint64_t>(a.max_searches);
  const core::Stopwatch watch;
  report.found = eccentricities(*report.graph, options);
  report.search_seconds = watch.seconds();
}

[[noreturn]] void is_wrong(std::string found, std::string expected) {
  throw Error({.failure = Failure::verification,
               .id = "HW-VERIFY",
               .found = std::move(found),
               .expected = std::move(expected),
               .hint = "please report it, with the command that led here"});
}

/// The pair that shows the diameter's lower bound, and the vertex that shows the radius's upper bound, by the plain search on
/// the CPU; the other bounds from every vertex of a small graph, else from some.
void verify(const Arguments& a, Report& report, Context& context) {
  const Graph& graph = *report.graph;
  const Eccentricities& found = report.found;
  const VertexId n = graph.num_vertices();
  if (n == 0) return;
  const Progress progress(context.console, "verifying");
  SearchOptions plain;
  plain.strategy = "cpu-sequential";
  plain.device = DeviceKind::cpu;
  plain.direction = to_direction(a.search.direction);
  Searcher searcher(graph, plain);
  if (found.from != no_vertex) {
    const Distance d = searcher.run({.sources = {found.from}}).distance[found.to];
    if (d != found.diameter.lower)
      is_wrong(fmt::format("{} and {} at distance {}", graph.name(found.from), graph.name(found.to), found.diameter.lower),
               fmt::format("{}, as cpu-sequential finds", d));
  }
  report.every_verified = n * (graph.num_arcs() + n) <= plain_work;
  const std::uint64_t count = report.every_verified ? n : std::min<std::uint64_t>(n, verified_vertices);
  const auto check = [&](VertexId v) {
    context.check_interrupt();
    const Distance e = searcher.count_levels({.sources = {v}}).depth();
    if (e < found.lower[v] || e > found.upper[v] || e > found.diameter.upper)
      is_wrong(fmt::format("an eccentricity of {} to {} for {}, a diameter of at most {}", found.lower[v], found.upper[v],
                           graph.name(v), found.diameter.upper),
               fmt::format("{}, as cpu-sequential finds", e));
    ++report.verified;
    return e;
  };
  if (found.central != no_vertex)
    if (const Distance e = check(found.central); e != found.radius.upper)
      is_wrong(fmt::format("a radius of at most {}, that of {}", found.radius.upper, graph.name(found.central)),
               fmt::format("{}, as cpu-sequential finds", e));
  for (std::uint64_t k = 0; k < count; ++k) {
    const auto v = static_cast<VertexId>(k * n / count);
    if (found.lower[v] >= 0 && v != found.central) check(v);
  }
}

void write(const std::string& output, const Graph& graph, const Eccentricities& found, int threads, Context& context) {
  const char separator = ending_of(output, {"txt", "tsv", "csv"}, "rows are text: .txt, .tsv or .csv") == "csv" ? ',' : '\t';
  const bool ended = context.interrupted();  // the bounds found until then are written all the same
  ResultFile out(output);
  out.write(fmt::format("{1}id{0}lower{0}upper\n", separator, separator == ',' ? "" : "# "));
  Team team(threads);
  write_in_order(out, team, graph.num_vertices(), [&](std::size_t from, std::size_t to, RowText& text) {
    if (!ended) context.check_interrupt();
    for (std::size_t v = from; v < to; ++v) {
      if (found.lower[v] < 0) continue;
      if (graph.ids().kind() == Ids::Kind::strings)
        put_cell(graph.ids().names()[v], separator, text);
      else
        text.put(graph.ids().number(static_cast<VertexId>(v)));
      text.put(separator);
      text.put(static_cast<std::int64_t>(found.lower[v]));
      text.put(separator);
      text.put(static_cast<std::int64_t>(found.upper[v]));
      text.put('\n');
    }
  });
  out.commit();
}

Json range_json(const DistanceRange& range) { return {{"lower", range.lower}, {"upper", range.upper}}; }

Json ids_json(const Graph& graph, std::span<const VertexId> vertices) {
  Json ids = Json::array();
  for (const VertexId v : vertices.first(std::min(vertices.size(), shown_vertices))) ids.push_back(id_json(graph.ids(), v));
  return ids;
}

Json id_or_null(const Graph& graph, VertexId v) { return v == no_vertex ? Json(nullptr) : id_json(graph.ids(), v); }

Json report_json(const Report& report, const Arguments& a) {
  const Graph& graph = *report.graph;
  const Eccentricities& found = report.found;
  Json json = document("eccentricity");
  json["graph"] = read_json(graph);
  json["goal"] = report.goal;
  json["scope"] = a.scope;
  json["direction"] = a.search.direction;
  json["strategy"] = found.strategy.empty() ? Json(nullptr) : Json(found.strategy);
  json["device"] = found.strategy.empty() ? Json(nullptr) : Json(device_name(found.device));
  json["chosen"] = found.chosen.empty() ? Json(nullptr) : Json(found.chosen);
  json["complete"] = found.complete;
  json["ended"] = found.ended.empty() ? Json(nullptr) : Json(found.ended);
  json["diameter"] = range_json(found.diameter);
  json["radius"] = range_json(found.radius);
  json["from"] = id_or_null(graph, found.from);
  json["to"] = id_or_null(graph, found.to);
  json["central"] = id_or_null(graph, found.central);
  json["center"] = {{"count", found.center.size()}, {"ids", ids_json(graph, found.center)}};
  json["periphery"] = {{"count", found.periphery.size()}, {"ids", ids_json(graph, found.periphery)}};
  json["components"] = found.components;
  json["largest_component"] = found.largest_size;
  json["searches"] = found.searches;
  json["verified"] = report.verified;
  json["every_vertex_verified"] = report.every_verified;
  json["load_seconds"] = report.load_seconds;
  json["search_seconds"] = report.search_seconds;
  json["notes"] = found.notes;
  json["output"] = a.output.empty() ? Json(nullptr) : Json(a.output);
  return json;
}

std::string range_text(const DistanceRange& range) {
  return range.lower == range.upper ? fmt::format("{}", range.lower)
                                    : fmt::format("at least {}, at most {}", range.lower, range.upper);
}

std::string ids_text(const Graph& graph, std::span<const VertexId> vertices) {
  std::string text = plural(vertices.size(), "vertex", "vertices") + ":";
  for (const VertexId v : vertices.first(std::min(vertices.size(), shown_vertices))) text += " " + printable(graph.name(v));
  return text + (vertices.size() > shown_vertices ? " …" : "");
}

void print(const Report& report, const Arguments& a, Console& console) {
  const Graph& graph = *report.graph;
  const Eccentricities& found = report.found;
  const Stream stream = a.output == "-" ? Stream::err : Stream::out;
  const auto row = [&](std::string_view name, const std::string& text) {
    console.line(stream, console.bold(stream, fmt::format("{:<11}", name)) + text);
  };
  const auto reading = describe(graph);
  row("input", reading.input);
  row("graph", reading.graph);
  if (!found.strategy.empty())
    row("strategy",
        found.strategy + " on " + device_name(found.device) + (found.chosen.empty() ? "" : " (" + found.chosen + ")"));
  row("searches", grouped(found.searches) + " in " + seconds_text(report.search_seconds));
  const bool many = found.components > 1;
  if (report.goal != "radius" || found.diameter.lower == found.diameter.upper)
    row("diameter", range_text(found.diameter) + (found.from == no_vertex
                                                      ? ""
                                                      : fmt::format(", from {} to {}", printable(graph.name(found.from)),
                                                                    printable(graph.name(found.to)))));
  if (report.goal != "diameter" || found.radius.lower == found.radius.upper)
    row("radius", range_text(found.radius) +
                      (found.central == no_vertex ? "" : ", that of " + printable(graph.name(found.central))) +
                      (many ? fmt::format("; in the largest of {} components", grouped(found.components)) : ""));
  if (found.complete && !found.center.empty()) {
    row("center", ids_text(graph, found.center));
    row("periphery", ids_text(graph, found.periphery));
  }
  if (report.verified)
    row("verified", report.every_verified ? "every vertex searched again by cpu-sequential: right"
                                          : plural(report.verified, "vertex", "vertices") +
                                                " and the longest path searched again by cpu-sequential: right");
  if (!a.output.empty() && a.output != "-") row("written", printable(a.output));
}

int run(const Arguments& a, Context& context) {
  check_one_output(context, a.output);
  if (!a.output.empty()) ending_of(a.output, {"txt", "tsv", "csv"}, "rows are text: .txt, .tsv or .csv");
  if (a.max_searches < 0) checked_int("--max-searches", a.max_searches, 0, 0x7FFFFFFF);
  const int threads = checked_int("--threads", a.graph.threads, 0, 4096);
  EccentricityOptions options;
  options.search = search_options(a.search, threads);
  Report report{.goal = !a.goal.empty() ? a.goal : a.output.empty() ? "figures" : "every"};
  options.goal = to_goal(report.goal);
  Loaded loaded = load(context, a.graph, {.job = EstimateJob::eccentricity}, options.search.direction != Direction::out);
  note_unused_weights(context, loaded.graph, "eccentricity");
  report.graph = &loaded.graph;
  report.load_seconds = loaded.seconds;
  apply_tuning(context.console, loaded.graph, wants_tuning(a.search), options.search);
  settle_device(options.search, loaded.graph, 0, 64);  // as many as most graphs take
  find(a, options, report, context);
  for (const auto& note : report.found.notes) context.console.warn(note);
  if (a.verify && !context.interrupted()) verify(a, report, context);
  if (!a.output.empty()) write(a.output, loaded.graph, report.found, threads, context);
  if (context.json())
    context.console.result(dump(report_json(report, a)));
  else
    print(report, a, context.console);
  const std::string& ended = report.found.ended;
  if (ended.empty() || ended == "searches") return 0;
  context.console.warn(ended == "HW-TIME-LIMIT" ? "the time is over: these are bounds" : "ended early: these are bounds");
  return static_cast<int>(ended == "HW-TIME-LIMIT" ? Failure::time_limit : Failure::interrupted);
}

}  // namespace of_eccentricity

Command eccentricity_command() {
  using namespace of_eccentricity;
  auto a = std::make_shared<Arguments>();
  return {
      .name = "eccentricity",
      .summary = "diameter, radius, center, periphery, eccentricity of every vertex",
      .description =
          "Finds diameter and radius exactly, and which vertices have them as their eccentricity: periphery and center. Each "
          "search bounds the eccentricity of all vertices, so that few searches do on most graphs. With -o it finds the "
          "eccentricity of every vertex.\n\n"
          "An eccentricity is the greatest distance to a vertex of the same component. The diameter is the greatest of all, "
          "the radius the least in the largest component. A directed graph has to be strongly connected, unless --direction "
          "both ignores directions. When --time-limit or Ctrl-C ends it early, it reports the bounds that it has.",
      .examples = {{"hopwave eccentricity roads.gr --direction both", "diameter, radius, center, periphery"},
                   {"hopwave eccentricity social.txt.zst --goal diameter --time-limit 10",
                    "the diameter, or bounds in ten seconds"},
                   {"hopwave eccentricity social.txt.zst -o eccentricity.tsv --verify", "every vertex, checked"}},
      .groups =
          {{"Query",
            {graph_argument(a->graph),
             {"--goal", "WHAT",
              "What to find: the diameter alone (the cheapest), the radius alone, these figures with center and periphery, "
              "or every vertex. Not given: figures, and every with -o.",
              &a->goal, goals},
             {"--scope", "WHICH", "Vertices of each component, or those of the largest alone.", &a->scope, {"each", "largest"}},
             direction_option(a->search),
             {"--max-searches", "N", "End with bounds after so many searches. 0: as many as it takes.", &a->max_searches},
             {"--verify", "",
              "Search the longest path and the center again by cpu-sequential, and from every vertex of a small graph or 16 of "
              "a "
              "large one.",
              &a->verify}}},
           {"Output",
            {{"-o,--output",
              "FILE",
              "Write a row a vertex: id and the bounds of its eccentricity, lower and upper, which are equal where it is "
              "known. .csv, else separated by tabs; - for standard output.",
              &a->output,
              {},
              Fill::output}}},
           running_options(a->search),
           reading_options(a->graph)},
      .run = [a](Context& context) { return run(*a, context); }};
}

}  // namespace hopwave::cli
