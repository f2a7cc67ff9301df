// Shortest paths with weights as a row of the table.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "algorithm/algorithm.h"
#include "core/people_text.h"
#include "core/refuse.h"
#include "hopwave/shortest_paths.h"

namespace hopwave::algorithm {
namespace {

constexpr std::size_t shown_sources = 4;

void check_sssp(const Values& values, bool, bool writes) {
  if (values.flag("parents") && !writes)
    core::refuse("HW-USAGE-OPTION", "--parents without -o", "-o FILE, or -o - for standard output",
                 "--target ID --json prints one path");
}

Cost sssp_cost(const Values&, const SearchOptions& search, std::uint64_t, VertexId) {
  const bool turned = search.direction != Direction::out;
  Cost cost{.memory = {.build_in = turned, .parents = true, .weights = true}, .incoming = turned};
  if (search.parameters.empty()) cost.searches = 10;  // with weights a tree takes the time of some ten searches
  return cost;
}

Value distance_value(double distance) {
  if (distance == no_path) return std::int64_t{-1};
  return Number{distance};
}

std::string distance_text(double distance) { return distance == no_path ? "-1" : core::number_text(distance); }

Value target_value(const WeightedQuery& query, const WeightedResult& result) {
  if (query.target == no_vertex) return {};
  List path;
  if (result.distance[query.target] != no_path)
    for (VertexId v = query.target; v != no_vertex; v = result.parent[v]) path.push_back(Vertex{v});
  std::reverse(path.begin(), path.end());
  return Object{
      {"id", Vertex{query.target}}, {"distance", distance_value(result.distance[query.target])}, {"path", std::move(path)}};
}

WeightedOptions options_for(const Job& job) {
  WeightedOptions options{.strategy = job.search.strategy,
                          .direction = job.search.direction,
                          .delta = job.values.real("delta"),
                          .parameters = job.search.parameters,
                          .run = job.search.run};
  options.run.progress = [&job](const Step& step) {
    return job.progress.steps(core::plural(step.done, "step") + ", " + core::plural(step.amount, "arc"), 0, 0);
  };
  return options;
}

std::vector<Line> lines_of(const Job& job, const WeightedQuery& query, const WeightedResult& result,
                           const WeightedSearcher& searcher) {
  const Graph& graph = job.graph;
  std::vector<Line> lines;
  lines.push_back({"weights", graph.has_weights() ? fmt::format("of type {}", name(graph.out().weights.type()))
                                                  : "none: each arc weighs 1"});
  lines.push_back({"strategy", searcher.strategy() + " on " + name_of(searcher.device()) +
                                   (result.run.delta > 0 ? fmt::format(", buckets of {:.4g}", result.run.delta) : "")});
  std::string sources;
  for (const VertexId s : std::span(query.sources).first(std::min(query.sources.size(), shown_sources)))
    sources += (sources.empty() ? "" : ", ") + core::printable(graph.ids().name(s));
  if (query.sources.size() > shown_sources) sources += fmt::format(" and {} more", query.sources.size() - shown_sources);
  lines.push_back({"source", sources + (job.how.empty() ? "" : " (" + job.how + ")")});
  lines.push_back(
      {"reached", fmt::format("{} of {}; the farthest at {}", core::grouped(result.reached),
                              core::plural(graph.num_vertices(), "vertex", "vertices"), distance_text(result.farthest))});
  if (!result.exact)
    lines.push_back({"rounding", graph.read_report().weights_rounded > 0
                                     ? "not exact: weights were rounded when they were read"
                                     : "not exact: sums were rounded to the 53 bits of a double"});
  if (query.target != no_vertex) {
    const double d = result.distance[query.target];
    lines.push_back(
        {"target", core::printable(graph.ids().name(query.target)) + (d == no_path ? ": no path" : " at " + distance_text(d))});
  }
  lines.push_back({"time", fmt::format("{} for distances, {} for the tree; {}, {} examined",
                                       core::seconds_text(Seconds(result.run.work).count()),
                                       core::seconds_text(Seconds(result.run.parents).count()),
                                       core::plural(result.run.steps, "step"), core::plural(result.run.relaxations, "arc"))});
  return lines;
}

Found run_sssp(Job& job) {
  const Graph& graph = job.graph;
  WeightedQuery query{.target = job.values.vertex("target")};
  std::set<VertexId> seen;
  for (const VertexId s : job.sources)
    if (seen.insert(s).second) query.sources.push_back(s);
  query.max_distance = job.values.real("max-distance");
  const WeightedOptions options = options_for(job);
  WeightedSearcher searcher(graph, options);
  WeightedResult result = searcher.run(query);
  const WeightedReport& stats = result.run;
  Found found;
  found.run = stats;
  if (options.delta > 0 && stats.delta == 0)
    found.run.notes.push_back("--delta has no effect: " + searcher.strategy() + " has no buckets");
  if (job.verify) {
    job.progress.stage("verifying");
    found.verdict = validate(graph, query, result, options.direction);
    found.verified = result.exact ? "distances and tree are right" : "distances and tree are right but for the rounding";
  }
  List sources;
  for (const VertexId s : query.sources) sources.push_back(Vertex{s});
  found.lines = lines_of(job, query, result, searcher);
  found.figures = {{"weights", graph.has_weights()},
                   {"weight_type", graph.has_weights() ? name(graph.out().weights.type()) : ""},
                   {"strategy", searcher.strategy()},
                   {"device", name_of(searcher.device())},
                   {"device_why", job.device_why},
                   {"chosen", stats.chosen},
                   {"direction", name_of(options.direction)},
                   {"sources", std::move(sources)},
                   {"reached", result.reached},
                   {"farthest", Number{result.farthest}},
                   {"exact", result.exact},
                   {"target", target_value(query, result)},
                   {"delta", Number{stats.delta}},
                   {"steps", stats.steps},
                   {"relaxations", stats.relaxations},
                   {"search_ms", stats.work.count()},
                   {"parents_ms", stats.parents.count()},
                   {"copy_back_ms", stats.copy_out.count()},
                   {"seconds", Object{{"load", job.load_seconds},
                                      {"prepare", Seconds(searcher.prepare()).count()},
                                      {"copy", Seconds(searcher.copy_in()).count()}}},
                   {"verified", job.verify},
                   {"notes", List(found.run.notes.begin(), found.run.notes.end())}};
  found.no = query.target != no_vertex && result.distance[query.target] == no_path;
  if (!job.writes) return found;
  found.columns.push_back({"distance", std::move(result.distance), Column::Kind::distances});
  if (job.values.flag("parents")) found.columns.push_back({"parent", std::move(result.parent), Column::Kind::vertices});
  return found;
}

}  // namespace
}  // namespace hopwave::algorithm

HOPWAVE_ALGORITHM(
    sssp,
    {.name = "sssp",
     .summary = "shortest paths with weights",
     .description =
         "Finds the least distance of every vertex from the source, or from the nearest of several: the sum of the weights "
         "along a path. Weights are those of the file, 1 for each arc where it has none; they are 0 or more, and an arc of "
         "infinite weight cannot be taken. Of parallel arcs the lightest counts. Sums are made in double precision. The "
         "answer is the same to the last bit for every strategy and device.",
     .doing = "searching",
     .writes = "Write one row per vertex: id and distance, -1 for unreached. .csv, else separated by tabs; - for standard "
               "output.",
     .checks = "Check distances and tree by the rules of Graph500.",
     .examples = {{"hopwave sssp roads.gr -s 17", "how far the farthest vertex is"},
                  {"hopwave sssp roads.gr -s 17 -o distances.tsv --parents --verify", "all distances and the tree, checked"},
                  {"hopwave sssp roads.gr -s 17 --target 99 --json", "one distance, with the path"}},
     .page = "sssp.md",
     .source = "Dijkstra (1959); delta-stepping (Meyer & Sanders, 2003); near-far (Davidson et al., 2014)",
     .cpp = "shortest_paths",
     .python = "sssp",
     .c = "hopwave_weighted_search",
     .networkx = "single_source_dijkstra single_source_dijkstra_path single_source_dijkstra_path_length multi_source_dijkstra "
                 "dijkstra_path dijkstra_path_length",
     .options = {{.name = "target",
                  .value = "ID",
                  .help = "Vertices farther than this one stay unreached. Exit code 1 if no path leads there.",
                  .type = Type::vertex},
                 {.name = "max-distance",
                  .value = "D",
                  .help = "Vertices farther than D stay unreached.",
                  .type = Type::real,
                  .unset = true},
                 {.name = "parents",
                  .help = "With -o: write each vertex's parent, too; -1 for sources and unreached ones.",
                  .type = Type::flag,
                  .output = true},
                 {.name = "delta",
                  .value = "D",
                  .help = "Width of a bucket of distances; 0: one that suits weights and degrees.",
                  .type = Type::real}},
     .running = Running::weighted,
     .device = "auto",
     .sources = Sources::required,
     .header = Header::csv,
     .check = check_sssp,
     .cost = sssp_cost,
     .run = run_sssp})
