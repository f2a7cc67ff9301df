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

Cost eccentricity_cost(const Values& values, const SearchOptions& search, std::uint64_t, VertexId) {
  if (values.flag("weights"))
    return {.memory = {.weights = true, .job = EstimateJob::eccentricity, .threads = search.run.threads},
            .incoming = search.direction != Direction::out};
  return {.memory = {.job = EstimateJob::eccentricity},
          .incoming = search.direction != Direction::out,
          .searches = 64};  // as many as most graphs take
}

/// A plain search that checks those of hops.
struct ByHops {
  static constexpr const char* strategy = "cpu-sequential";
  explicit ByHops(const Job& job)
      : searcher(job.graph, {.strategy = strategy, .direction = job.search.direction, .run = {.device = DeviceKind::cpu}}) {}
  Distance between(VertexId from, VertexId to) { return searcher.run({.sources = {from}}).distance[to]; }
  Distance farthest(VertexId v) { return searcher.count_levels({.sources = {v}}).depth(); }

  Searcher searcher;
};

/// And another method for those of weights.
struct ByWeights {
  static constexpr const char* strategy = "cpu-delta-stepping";
  explicit ByWeights(const Job& job)
      : searcher(job.graph, {.strategy = strategy, .direction = job.search.direction, .run = {.device = DeviceKind::cpu}}) {}
  double between(VertexId from, VertexId to) { return searcher.run({.sources = {from}, .parents = false}).distance[to]; }
  double farthest(VertexId v) { return searcher.run({.sources = {v}, .parents = false}).farthest; }

  WeightedSearcher searcher;
};

struct Verified {
  std::uint64_t vertices = 0;
  bool every = false;
};

/// By another search on the CPU: the pair whose distance is the diameter's lower bound, the vertex whose eccentricity is the
/// radius's upper bound, and the bounds of every vertex of a small graph, else of some.
template <class Search, class Bounds>
Verified verify(const Job& job, const Bounds& found) {
  const Graph& graph = job.graph;
  const VertexId n = graph.num_vertices();
  Verified verified;
  if (n == 0) return verified;
  Search search(job);
  if (found.from != no_vertex) {
    const auto d = search.between(found.from, found.to);
    if (d != found.diameter.lower)
      is_wrong(fmt::format("{} and {} at distance {}", graph.name(found.from), graph.name(found.to), found.diameter.lower),
               fmt::format("{}, as {} finds", d, Search::strategy));
  }
  verified.every = n * (graph.num_arcs() + n) <= plain_work;
  const std::uint64_t count = verified.every ? n : std::min<std::uint64_t>(n, verified_vertices);
  const auto check = [&](VertexId v) {
    job.progress.part(verified.vertices, count);
    const auto e = search.farthest(v);
    if (e < found.lower[v] || e > found.upper[v] || e > found.diameter.upper)
      is_wrong(fmt::format("an eccentricity of {} to {} for {}, a diameter of at most {}", found.lower[v], found.upper[v],
                           graph.name(v), found.diameter.upper),
               fmt::format("{}, as {} finds", e, Search::strategy));
    ++verified.vertices;
    return e;
  };
  if (found.central != no_vertex)
    if (const auto e = check(found.central); e != found.radius.upper)
      is_wrong(fmt::format("a radius of at most {}, that of {}", found.radius.upper, graph.name(found.central)),
               fmt::format("{}, as {} finds", e, Search::strategy));
  for (std::uint64_t k = 0; k < count; ++k) {
    const auto v = static_cast<VertexId>(k * n / count);
    if (found.lower[v] >= 0 && v != found.central) check(v);
  }
  return verified;
}

Value number(Distance d) { return d; }
Value number(double d) { return d == no_path ? Value() : Value(Number{d}); }
std::string text(Distance d) { return fmt::format("{}", d); }
std::string text(double d) { return core::number_text(d); }

template <class Range>
Object range(const Range& range) {
  return {{"lower", number(range.lower)}, {"upper", number(range.upper)}};
}

Object some(std::span<const VertexId> vertices) {
  List ids;
  for (const VertexId v : vertices.first(std::min(vertices.size(), shown_vertices))) ids.push_back(Vertex{v});
  return {{"count", std::uint64_t{vertices.size()}}, {"ids", std::move(ids)}};
}

template <class Range>
std::string range_text(const Range& range) {
  return range.lower == range.upper ? text(range.lower)
                                    : fmt::format("at least {}, at most {}", text(range.lower), text(range.upper));
}

std::string ids_text(const Graph& graph, std::span<const VertexId> vertices) {
  std::string text = core::plural(vertices.size(), "vertex", "vertices") + ":";
  for (const VertexId v : vertices.first(std::min(vertices.size(), shown_vertices)))
    text += " " + core::printable(graph.name(v));
  return text + (vertices.size() > shown_vertices ? " …" : "");
}

template <class Bounds>
std::vector<Line> lines_of(const Graph& graph, const Bounds& bounds, const std::string& goal, double seconds) {
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

template <class Search, class Bounds>
Found found_of(Job& job, Bounds bounds, const std::string& goal, double seconds, bool exact) {
  const Graph& graph = job.graph;
  Found found;
  Verified verified;
  if (job.verify && job.progress.stage("verifying")) verified = verify<Search>(job, bounds);
  if (verified.vertices)
    found.verified = fmt::format(
        "{} searched again by {}: right",
        verified.every ? "every vertex" : core::plural(verified.vertices, "vertex", "vertices") + " and the longest path",
        Search::strategy);
  const bool searched = !bounds.run.strategy.empty();
  found.figures = {{"goal", goal},
                   {"scope", job.values.word("scope")},
                   {"direction", name_of(job.search.direction)},
                   {"weights", job.values.flag("weights")},
                   {"exact", exact},
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
  if (!exact) found.lines.push_back({"exact", "no: sums were rounded"});
  found.run = std::move(bounds.run);
  found.ended_text = "these are bounds";
  if (!job.writes) return found;
  for (VertexId v = 0; v < graph.num_vertices(); ++v)
    if (bounds.lower[v] >= 0) found.rows.push_back(v);
  found.columns.push_back({"lower", std::move(bounds.lower)});
  found.columns.push_back({"upper", std::move(bounds.upper)});
  return found;
}

Found run_eccentricity(Job& job) {
  std::string goal = job.values.word("goal");
  if (goal.empty()) goal = job.writes ? "every" : "figures";
  const auto scope = scope_of(job.values.word("scope"));
  const std::int64_t limit = job.values.count("max-searches");
  const std::uint64_t max_searches = limit > 0 ? static_cast<std::uint64_t>(limit) : EccentricityOptions().max_searches;
  const bool weights = job.values.flag("weights");
  std::uint64_t most = 0;  // vertices open at the beginning of a component
  job.search.run.progress = [&](const Step& now) {
    most = std::max(most, now.amount);
    const std::string known = weights ? "" : fmt::format("diameter at least {}, ", now.longest);
    return job.progress.steps(fmt::format("{}, {}{} open", core::plural(now.done, "search", "searches"), known,
                                          core::plural(now.amount, "vertex", "vertices")),
                              most - now.amount, most);
  };
  const core::Stopwatch watch;
  if (weights) {
    WeightedEccentricities bounds = weighted_eccentricities(job.graph, {.goal = goal_of(goal),
                                                                        .scope = scope,
                                                                        .max_searches = max_searches,
                                                                        .search = {.strategy = job.search.strategy,
                                                                                   .direction = job.search.direction,
                                                                                   .parameters = job.search.parameters,
                                                                                   .run = job.search.run}});
    const bool exact = bounds.exact;
    return found_of<ByWeights>(job, std::move(bounds), goal, watch.seconds(), exact);
  }
  Eccentricities bounds =
      eccentricities(job.graph, {.goal = goal_of(goal), .scope = scope, .max_searches = max_searches, .search = job.search});
  return found_of<ByHops>(job, std::move(bounds), goal, watch.seconds(), true);
}

/// `at`: the place of the parameters direction and weights. Calls use(what was found).
template <class Use>
AlgorithmAnswer found_by(const Graph& graph, const std::vector<AlgorithmValue>& values, std::size_t at,
                         const EccentricityOptions& options, const RunOptions& run, Use&& use) {
  const Direction direction = direction_named(std::get<std::string>(values[at]));
  if (std::get<std::uint64_t>(values[at + 1]) == 1)
    return use(weighted_eccentricities(graph, {.goal = options.goal,
                                               .scope = options.scope,
                                               .max_searches = options.max_searches,
                                               .search = {.direction = direction, .run = run}}));
  EccentricityOptions by_hops = options;
  by_hops.search.direction = direction;
  by_hops.search.run = run;
  return use(eccentricities(graph, by_hops));
}

template <class Bounds>
Step last_step(const Bounds& found) {
  Step step{.what = "searches", .done = found.searches};
  if constexpr (std::is_same_v<Bounds, Eccentricities>) step.longest = found.diameter.lower;
  return step;
}

AlgorithmAnswer call_eccentricity(const Graph& graph, const std::vector<AlgorithmValue>& values, const RunOptions& run) {
  EccentricityOptions options{.goal = goal_of(std::get<std::string>(values[0])),
                              .scope = scope_of(std::get<std::string>(values[1]))};
  if (const auto* most = std::get_if<std::uint64_t>(&values[4])) options.max_searches = *most;
  return found_by(graph, values, 2, options, run, [](auto found) -> AlgorithmAnswer {
    const Step last = last_step(found);
    return {
        {std::move(found.lower), std::move(found.upper), found.diameter, found.radius, std::pair(found.from, found.to),
         found.central, std::move(found.center), std::move(found.periphery), std::uint64_t{found.components}, found.searches},
        std::move(found.run),
        last};
  });
}

/// The diameter, or the radius of the largest component.
template <bool radius>
AlgorithmAnswer call_figure(const Graph& graph, const std::vector<AlgorithmValue>& values, const RunOptions& run) {
  EccentricityOptions options{.goal = EccentricityGoal::diameter};
  if (radius) options.goal = EccentricityGoal::radius, options.scope = EccentricityScope::largest;
  return found_by(graph, values, 0, options, run, [](auto found) -> AlgorithmAnswer {
    const auto bounds = radius ? found.radius : found.diameter;
    if (!found.run.complete())
      ended_early(found.run.end,
                  fmt::format("from {} to {}, after {} searches", bounds.lower, bounds.upper, core::grouped(found.searches)),
                  "eccentricities() returns these bounds");
    const Step last = last_step(found);
    if constexpr (std::is_same_v<decltype(found), WeightedEccentricities>)
      return {{bounds.upper}, std::move(found.run), last};
    else
      return {{static_cast<std::uint64_t>(bounds.upper)}, std::move(found.run), last};
  });
}

Algorithm figure(std::string_view name, std::string_view help, AlgorithmFunction* call) {
  return {.function = name,
          .help = help,
          .parameters = {direction_parameter("out"), weights_parameter},
          .outputs = {{.name = name, .kind = AlgorithmOutput::Kind::count, .weighed = true}},
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
         "both ignores directions. Distances are hops, or with --weights the least sums of weights, which the CPU finds by a "
         "search per thread; an arc of infinite weight joins no component. When --time-limit or Ctrl-C ends it early, it "
         "reports the bounds that it has.",
     .doing = "searching",
     .writes = "Write one row per vertex: id and the bounds of its eccentricity, lower and upper, which are equal where it is "
               "known. .csv, else separated by tabs; - for standard output.",
     .checks = "Search the longest path and the center again by cpu-sequential, with --weights by cpu-delta-stepping, and from "
               "every vertex of a small graph or 16 of "
               "a large one.",
     .examples = {{"hopwave eccentricity roads.gr --direction both", "diameter, radius, center, periphery"},
                  {"hopwave eccentricity roads.gr --weights --direction both", "by the lengths of roads"},
                  {"hopwave eccentricity social.txt.zst --goal diameter --time-limit 10",
                   "the diameter, or bounds in ten seconds"},
                  {"hopwave eccentricity social.txt.zst -o eccentricity.tsv --verify", "every vertex, checked"}},
     .page = "eccentricity.md",
     .source = "Takes & Kosters (2011, 2013); F-Diam (Bradley et al., 2025)",
     .cpp = "eccentricities",
     .python = "eccentricities",
     .c = "hopwave_eccentricity",
     .networkx = "eccentricity diameter radius center periphery",
     .options = {weights_option,
                 {.name = "goal",
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
     .weights = Weighing::by_option,
     .job = EstimateJob::eccentricity,
     .cost = eccentricity_cost,
     .run = run_eccentricity,
     .calls = {
         Algorithm{
             .help =
                 "Exact eccentricities, or only the \"diameter\", the \"radius\", or both with the vertices that "
                 "have them (\"figures\"), which takes fewer searches.\n\n"
                 "An eccentricity is the greatest distance to a vertex of the same component: in hops, or with `weights` the "
                 "least sum of weights, which the CPU finds, and \"auto\" is the CPU then. A directed graph needs strongly "
                 "connected components (Error HW-ECCENTRICITY-STRONG) "
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
                            weights_parameter,
                            {.name = "max_searches"}},
             .outputs =
                 {
                     {.name = "lower",
                      .kind = AlgorithmOutput::Kind::integers,
                      .help = "Lower and upper bounds of the eccentricities, one value per vertex; -1 outside the scope.",
                      .weighed = true},
                     {.name = "upper", .kind = AlgorithmOutput::Kind::integers, .weighed = true},
                     {.name = "diameter", .kind = AlgorithmOutput::Kind::range, .weighed = true},
                     {.name = "radius",
                      .kind = AlgorithmOutput::Kind::range,
                      .help = "For the largest component, whatever the scope.",
                      .weighed = true},
                     {"ends", AlgorithmOutput::Kind::ends,
                      "Ids of two vertices with a shortest path of length diameter[0] between them. None without a search."},
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
                "The longest of all shortest paths between vertices that reach each other, in hops or by `weights`. See "
                "eccentricities(); but "
                "an early end is an Error.",
                call_figure<false>),
         figure("radius", "The least eccentricity in the largest component. Like diameter().", call_figure<true>)}})
