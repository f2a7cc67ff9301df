// Eccentricity, diameter, radius, center and periphery as a row of the table.
#include <fmt/format.h>

#include <algorithm>

#include "algorithm/algorithm.h"
#include "core/people_text.h"
#include "core/stopwatch.h"
#include "hopwave/eccentricity.h"

namespace hopwave::algorithm {
namespace {

constexpr std::size_t verified_vertices = 16, shown_vertices = 5;
constexpr std::uint64_t plain_work = 400'000'000;  // vertices times arcs that are verified one by one: some seconds

const std::vector<std::string> goals = {"diameter", "radius", "figures", "every"}, scopes = {"each", "largest"};

EccentricityGoal goal_of(const std::string& name) {
  return static_cast<EccentricityGoal>(std::find(goals.begin(), goals.end(), name) - goals.begin());
}
EccentricityScope scope_of(const std::string& name) {
  return name == "largest" ? EccentricityScope::largest : EccentricityScope::each;
}

Cost eccentricity_cost(const Values&, const SearchOptions& search, std::uint64_t, VertexId) {
  return {.memory = {.job = EstimateJob::eccentricity},
          .incoming = search.direction != Direction::out,
          .searches = 64};  // as many as most graphs take
}

struct Verified {
  std::uint64_t vertices = 0;
  bool every = false;
};

/// By the plain search on the CPU: the pair whose distance is the diameter's lower bound, the vertex whose eccentricity is the
/// radius's upper bound, and the bounds of every vertex of a small graph, else of some.
Verified verify(const Job& job, const Eccentricities& found) {
  const Graph& graph = job.graph;
  const VertexId n = graph.num_vertices();
  Verified verified;
  if (n == 0) return verified;
  Searcher searcher(graph,
                    {.strategy = "cpu-sequential", .direction = job.search.direction, .run = {.device = DeviceKind::cpu}});
  if (found.from != no_vertex) {
    const Distance d = searcher.run({.sources = {found.from}}).distance[found.to];
    if (d != found.diameter.lower)
      is_wrong(fmt::format("{} and {} at distance {}", graph.name(found.from), graph.name(found.to), found.diameter.lower),
               fmt::format("{}, as cpu-sequential finds", d));
  }
  verified.every = n * (graph.num_arcs() + n) <= plain_work;
  const std::uint64_t count = verified.every ? n : std::min<std::uint64_t>(n, verified_vertices);
  const auto check = [&](VertexId v) {
    job.progress.part(verified.vertices, count);
    const Distance e = searcher.count_levels({.sources = {v}}).depth();
    if (e < found.lower[v] || e > found.upper[v] || e > found.diameter.upper)
      is_wrong(fmt::format("an eccentricity of {} to {} for {}, a diameter of at most {}", found.lower[v], found.upper[v],
                           graph.name(v), found.diameter.upper),
               fmt::format("{}, as cpu-sequential finds", e));
    ++verified.vertices;
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
  return verified;
}

Object range(const DistanceRange& range) { return {{"lower", range.lower}, {"upper", range.upper}}; }

Object some(std::span<const VertexId> vertices) {
  List ids;
  for (const VertexId v : vertices.first(std::min(vertices.size(), shown_vertices))) ids.push_back(Vertex{v});
  return {{"count", std::uint64_t{vertices.size()}}, {"ids", std::move(ids)}};
}

std::string range_text(const DistanceRange& range) {
  return range.lower == range.upper ? fmt::format("{}", range.lower)
                                    : fmt::format("at least {}, at most {}", range.lower, range.upper);
}

std::string ids_text(const Graph& graph, std::span<const VertexId> vertices) {
  std::string text = core::plural(vertices.size(), "vertex", "vertices") + ":";
  for (const VertexId v : vertices.first(std::min(vertices.size(), shown_vertices)))
    text += " " + core::printable(graph.name(v));
  return text + (vertices.size() > shown_vertices ? " …" : "");
}

std::vector<Line> lines_of(const Graph& graph, const Eccentricities& bounds, const std::string& goal, double seconds) {
  std::vector<Line> lines;
  if (!bounds.run.strategy.empty())
    lines.push_back({"strategy", bounds.run.strategy + " on " + name_of(bounds.run.device) +
                                     (bounds.run.chosen.empty() ? "" : " (" + bounds.run.chosen + ")")});
  lines.push_back({"searches", core::grouped(bounds.searches) + " in " + core::seconds_text(seconds)});
  if (goal != "radius" || bounds.diameter.lower == bounds.diameter.upper)
    lines.push_back(
        {"diameter", range_text(bounds.diameter) +
                         (bounds.from == no_vertex ? ""
                                                   : fmt::format(", from {} to {}", core::printable(graph.name(bounds.from)),
                                                                 core::printable(graph.name(bounds.to))))});
  if (goal != "diameter" || bounds.radius.lower == bounds.radius.upper)
    lines.push_back(
        {"radius",
         range_text(bounds.radius) +
             (bounds.central == no_vertex ? "" : ", that of " + core::printable(graph.name(bounds.central))) +
             (bounds.components > 1 ? fmt::format("; in the largest of {} components", core::grouped(bounds.components))
                                    : "")});
  if (bounds.run.complete() && !bounds.center.empty()) {
    lines.push_back({"center", ids_text(graph, bounds.center)});
    lines.push_back({"periphery", ids_text(graph, bounds.periphery)});
  }
  return lines;
}

Found run_eccentricity(Job& job) {
  const Graph& graph = job.graph;
  std::string goal = job.values.word("goal");
  if (goal.empty()) goal = job.writes ? "every" : "figures";
  EccentricityOptions options{.goal = goal_of(goal), .scope = scope_of(job.values.word("scope")), .search = job.search};
  std::uint64_t most = 0;  // vertices open at the beginning of a component
  options.search.run.progress = [&](const Step& now) {
    most = std::max(most, now.amount);
    return job.progress.steps(fmt::format("{}, diameter at least {}, {} open", core::plural(now.done, "search", "searches"),
                                          now.longest, core::plural(now.amount, "vertex", "vertices")),
                              most - now.amount, most);
  };
  if (job.values.count("max-searches") > 0) options.max_searches = static_cast<std::uint64_t>(job.values.count("max-searches"));
  const core::Stopwatch watch;
  Eccentricities bounds = eccentricities(graph, options);
  const double seconds = watch.seconds();
  Found found;
  Verified verified;
  if (job.verify && job.progress.stage("verifying")) verified = verify(job, bounds);
  if (verified.vertices)
    found.verified = verified.every ? "every vertex searched again by cpu-sequential: right"
                                    : core::plural(verified.vertices, "vertex", "vertices") +
                                          " and the longest path searched again by cpu-sequential: right";
  const bool searched = !bounds.run.strategy.empty();
  found.figures = {{"goal", goal},
                   {"scope", job.values.word("scope")},
                   {"direction", name_of(job.search.direction)},
                   {"strategy", bounds.run.strategy},
                   {"device", searched ? name_of(bounds.run.device) : ""},
                   {"chosen", bounds.run.chosen},
                   {"complete", bounds.run.complete()},
                   {"ended", core::name_of(bounds.run.end)},
                   {"diameter", range(bounds.diameter)},
                   {"radius", range(bounds.radius)},
                   {"from", Vertex{bounds.from}},
                   {"to", Vertex{bounds.to}},
                   {"central", Vertex{bounds.central}},
                   {"center", some(bounds.center)},
                   {"periphery", some(bounds.periphery)},
                   {"components", bounds.components},
                   {"largest_component", bounds.largest_size},
                   {"searches", bounds.searches},
                   {"verified", verified.vertices},
                   {"every_vertex_verified", verified.every},
                   {"load_seconds", job.load_seconds},
                   {"search_seconds", seconds},
                   {"notes", List(bounds.run.notes.begin(), bounds.run.notes.end())}};
  found.lines = lines_of(graph, bounds, goal, seconds);
  found.run = std::move(bounds.run);
  found.ended_text = "these are bounds";
  if (!job.writes) return found;
  for (VertexId v = 0; v < graph.num_vertices(); ++v)
    if (bounds.lower[v] >= 0) found.rows.push_back(v);
  found.columns.push_back({"lower", std::move(bounds.lower)});
  found.columns.push_back({"upper", std::move(bounds.upper)});
  return found;
}

AlgorithmAnswer call_eccentricity(const Graph& graph, const std::vector<AlgorithmValue>& values, const RunOptions& run) {
  const auto word = [&](std::size_t i) { return std::get<std::string>(values[i]); };
  EccentricityOptions options{.goal = goal_of(word(0)), .scope = scope_of(word(1))};
  options.search.direction = direction_named(word(2));
  options.search.run = run;
  if (const auto* most = std::get_if<std::uint64_t>(&values[3])) options.max_searches = *most;
  Eccentricities found = eccentricities(graph, options);
  return {{std::move(found.lower), std::move(found.upper), found.diameter, found.radius, std::pair(found.from, found.to),
           found.central, std::move(found.center), std::move(found.periphery), std::uint64_t{found.components}, found.searches},
          std::move(found.run),
          {.what = "searches", .done = found.searches, .longest = found.diameter.lower}};
}

/// The diameter, or the radius of the largest component.
template <bool radius>
AlgorithmAnswer call_figure(const Graph& graph, const std::vector<AlgorithmValue>& values, const RunOptions& run) {
  EccentricityOptions options{.goal = EccentricityGoal::diameter};
  if (radius) options.goal = EccentricityGoal::radius, options.scope = EccentricityScope::largest;
  options.search.direction = direction_named(std::get<std::string>(values[0]));
  options.search.run = run;
  Eccentricities found = eccentricities(graph, options);
  const DistanceRange bounds = radius ? found.radius : found.diameter;
  if (!found.run.complete())
    ended_early(found.run.end,
                fmt::format("from {} to {}, after {} searches", bounds.lower, bounds.upper, core::grouped(found.searches)),
                "eccentricities() returns these bounds");
  return {{static_cast<std::uint64_t>(bounds.upper)},
          std::move(found.run),
          {.what = "searches", .done = found.searches, .longest = found.diameter.lower}};
}

Algorithm figure(std::string_view name, std::string_view help, AlgorithmFunction* call) {
  return {.function = name,
          .help = help,
          .parameters = {direction_parameter("out")},
          .outputs = {{name, AlgorithmOutput::Kind::count}},
          .unit = "search",
          .automatic = "auto",
          .passes = 64,
          .call = call};
}

}  // namespace
}  // namespace hopwave::algorithm

HOPWAVE_ALGORITHM(
    eccentricity,
    {.name = "eccentricity",
     .summary = "diameter, radius, center, periphery, eccentricity of every vertex",
     .description =
         "Finds diameter and radius exactly, and which vertices have them as their eccentricity: periphery and center. Each "
         "search bounds the eccentricity of all vertices, so that most graphs need few searches. With -o it finds the "
         "eccentricity of every vertex.\n\n"
         "An eccentricity is the greatest distance to a vertex of the same component. The diameter is the greatest of all, "
         "the radius the least in the largest component. A directed graph has to be strongly connected, unless --direction "
         "both ignores directions. When --time-limit or Ctrl-C ends it early, it reports the bounds that it has.",
     .doing = "searching",
     .writes = "Write one row per vertex: id and the bounds of its eccentricity, lower and upper, which are equal where it is "
               "known. .csv, else separated by tabs; - for standard output.",
     .checks =
         "Search the longest path and the center again by cpu-sequential, and from every vertex of a small graph or 16 of "
         "a large one.",
     .examples = {{"hopwave eccentricity roads.gr --direction both", "diameter, radius, center, periphery"},
                  {"hopwave eccentricity social.txt.zst --goal diameter --time-limit 10",
                   "the diameter, or bounds in ten seconds"},
                  {"hopwave eccentricity social.txt.zst -o eccentricity.tsv --verify", "every vertex, checked"}},
     .page = "eccentricity.md",
     .source = "Takes & Kosters (2011, 2013); F-Diam (Bradley et al., 2025)",
     .cpp = "eccentricities",
     .python = "eccentricities",
     .c = "hopwave_eccentricity",
     .networkx = "eccentricity diameter radius center periphery",
     .options = {{.name = "goal",
                  .value = "WHAT",
                  .help = "What to find: the diameter alone (the cheapest), the radius alone, these figures with center and "
                          "periphery, or every vertex. Not given: figures, and every with -o.",
                  .type = Type::word,
                  .choices = goals,
                  .unset = true},
                 {.name = "scope",
                  .value = "WHICH",
                  .help = "Vertices of each component, or those of the largest alone.",
                  .type = Type::word,
                  .choices = scopes},
                 {.name = "max-searches",
                  .value = "N",
                  .help = "End with bounds after so many searches. 0: as many as it takes."}},
     .running = Running::search,
     .device = "auto",
     .header = Header::always,
     .weights = Weighing::never,
     .job = EstimateJob::eccentricity,
     .cost = eccentricity_cost,
     .run = run_eccentricity,
     .calls = {
         Algorithm{
             .help = "Exact eccentricities, or only the \"diameter\", the \"radius\", or both with the vertices that "
                     "have them (\"figures\"), which takes fewer searches.\n\n"
                     "An eccentricity is the greatest distance, in hops, to a vertex of the same component; weights are "
                     "ignored. A directed graph needs strongly connected components (Error HW-ECCENTRICITY-STRONG) "
                     "unless direction is \"both\". After `max_searches` searches, and at `time_limit`, `stop` and the "
                     "end by `progress`, which counts searches, the result has the bounds known so far: see `run`.",
             .result = "Eccentricities",
             .result_help =
                 "The result of eccentricities(). Pairs are bounds, both inclusive; they are equal if the value is known.",
             .parameters = {{.name = "goal",
                             .kind = AlgorithmParameter::Kind::word,
                             .initial = "every",
                             .choices = goals,
                             .keyword = false},
                            {.name = "scope", .kind = AlgorithmParameter::Kind::word, .initial = "each", .choices = scopes},
                            direction_parameter("out"),
                            {.name = "max_searches"}},
             .outputs = {{"lower", AlgorithmOutput::Kind::integers,
                          "Lower and upper bounds of the eccentricities, one value per vertex; -1 outside the scope."},
                         {"upper", AlgorithmOutput::Kind::integers},
                         {"diameter", AlgorithmOutput::Kind::range},
                         {"radius", AlgorithmOutput::Kind::range, "For the largest component, whatever the scope."},
                         {"ends", AlgorithmOutput::Kind::ends,
                          "Ids of two vertices with a shortest path of diameter[0] hops between them. None without a search."},
                         {"central", AlgorithmOutput::Kind::vertex,
                          "The id of a vertex with eccentricity radius[1]; None without a search."},
                         {"center", AlgorithmOutput::Kind::vertices,
                          "The ids of all vertices with eccentricity radius[1] in the largest component, if the goal is "
                          "\"figures\" or \"every\" and was reached."},
                         {"periphery", AlgorithmOutput::Kind::vertices,
                          "The ids of all vertices with eccentricity diameter[1] in the scope, under the same conditions."},
                         {"components", AlgorithmOutput::Kind::count, "The number of weakly connected components."},
                         {"searches", AlgorithmOutput::Kind::count}},
             .unit = "search",
             .automatic = "auto",
             .passes = 64,  // their number is not known before
             .partial = true,
             .call = call_eccentricity},
         figure("diameter",
                "The longest of all shortest paths between vertices that reach each other, in hops. See eccentricities(); but "
                "an early end is an Error.",
                call_figure<false>),
         figure("radius", "The least eccentricity in the largest component. Like diameter().", call_figure<true>)}})
