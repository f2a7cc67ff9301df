// hopwave path: one shortest path between two vertices, several, or one for each of many pairs; by hops or by weights.
#include "hopwave/path.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "cli/frame/console.h"
#include "cli/frame/graph_input.h"
#include "cli/frame/id_lines.h"
#include "cli/frame/json.h"
#include "cli/frame/result_file.h"
#include "cli/frame/row_text.h"
#include "cli/frame/search_options.h"
#include "cli/frame/written_graph.h"
#include "hopwave/paths.h"
#include "hopwave/shortest_paths.h"

namespace hopwave::cli {
namespace of_path {

/// Of a number that was not typed.
constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();

/// As typed.
struct Arguments {
  GraphArguments graph;
  SearchArguments search;  // its direction and its time limit
  std::string from, to, output, pairs, dag;
  std::int64_t max_depth = -1, k = none, limit = none;
  bool weights = false, all = false;
};

/// What was meant by it. Words that name vertices are kept until the graph is known.
struct Job {
  GraphArguments graph;
  std::string from, to, pairs;  ///< `pairs`: a file instead of the two; empty: none
  std::string output, direction, dag;
  const io::Format* dag_format = nullptr;
  std::uint64_t k = 0, limit = 0;  ///< `limit`: of all shortest paths
  bool all = false;
  bool weights = false, json = false;
  PathOptions options;

  /// A row per path, with its length.
  [[nodiscard]] bool several() const { return k > 0 || all; }
};

struct Found {
  Pair ends;
  double distance = no_path;
  std::vector<VertexId> path = {};  ///< not made of many pairs by hops, unless they are written
  bool exact = true;                ///< no sum of weights was rounded
};

struct Answer {
  PairsRead pairs;  ///< with --pairs; else one pair and no notes
  std::vector<Found> found = {};
  RunReport run = {};
  std::uint64_t visited = 0, edges_examined = 0;  ///< of one pair
  AllShortestPaths all = {};                      ///< without its paths, which are `found`
  bool exact = true;                              ///< no sum of weights was rounded

  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(
        std::count_if(found.begin(), found.end(), [](const Found& each) { return each.distance != no_path; }));
  }
};

Job check(const Arguments& a, const Context& context) {
  const auto refuse = [](std::string found, std::string expected) {
    throw Error(
        {.failure = Failure::usage, .id = "HW-USAGE-OPTION", .found = std::move(found), .expected = std::move(expected)});
  };
  check_one_output(context, a.output);
  check_text_ending(a.output);
  if (a.pairs.empty() && a.to.empty()) refuse("no end of the path", "two vertices, or --pairs FILE");
  if (!a.pairs.empty() && !a.from.empty()) refuse("two vertices, and --pairs", "two vertices, or --pairs FILE");
  if (a.weights && a.max_depth >= 0) refuse("--max-depth, which counts hops, with --weights", "one of them");
  const bool several = a.k != none || a.all;
  if (a.k != none && a.all) refuse("-k with --all", "one of them");
  if (several && !a.pairs.empty()) refuse("several paths of each pair", "two vertices, or --pairs alone");
  if (several && a.max_depth >= 0) refuse("--max-depth of several paths", "one path, or no limit");
  if (!a.all && a.limit != none) refuse("--limit without --all", "--all, or -k for a number of paths");
  if (!a.all && !a.dag.empty()) refuse("--dag without --all", "--all");
  check_two_outputs(a.output, a.dag, "-o and --dag");
  return {.graph = a.graph,
          .from = a.from,
          .to = a.to,
          .pairs = a.pairs,
          .output = a.output,
          .direction = a.search.direction,
          .dag = a.dag,
          .dag_format = written_graph_format("--dag", a.dag),
          .k = a.k == none ? 0 : static_cast<std::uint64_t>(checked_int("-k", a.k, 1, 0x7FFFFFFF)),
          .limit = a.limit == none ? 100 : static_cast<std::uint64_t>(checked_int("--limit", a.limit, 0, 0x7FFFFFFF)),
          .all = a.all,
          .weights = a.weights,
          .json = context.json(),
          .options = {.direction = to_direction(a.search.direction),
                      .max_depth = checked_int("--max-depth", a.max_depth, -1, 0x7FFFFFFF),
                      .run = {.threads = checked_int("--threads", a.graph.threads, 0, 4096), .limits = to_limits(a.search)}}};
}

PairsRead pairs_of(const Job& job, const Graph& graph) {
  if (!job.pairs.empty()) return read_pairs(graph.ids(), job.pairs, job.graph.lenient);
  const VertexId from = find_vertex(graph, job.from, "start");
  return {.pairs = {{from, find_vertex(graph, job.to, "end")}}};
}

void find_one(const PathOptions& options, const Graph& graph, Answer& answer) {
  const Pair& ends = answer.pairs.pairs.front();
  Path path = shortest_path(graph, ends.source, ends.target, options);
  answer.found.push_back({ends, path.found ? path.length : no_path, std::move(path.vertices)});
  answer.run = std::move(path.run);
  answer.visited = path.visited;
  answer.edges_examined = path.edges_examined;
}

void find_many(const PathOptions& options, bool with_paths, const Graph& graph, Answer& answer) {
  const std::vector<Pair>& pairs = answer.pairs.pairs;
  SearchOptions how{.direction = options.direction, .run = options.run};
  settle_device(how, graph, (pairs.size() + 63) / 64, 0);
  Searcher searcher(graph, how);
  const core::Stopwatch watch;
  std::vector<std::vector<VertexId>> paths(pairs.size());
  std::vector<Distance> distances;
  if (with_paths) {
    paths = searcher.paths(pairs, options.max_depth);
    for (const auto& path : paths) distances.push_back(static_cast<Distance>(path.size()) - 1);
  } else {
    distances = searcher.distances(pairs, options.max_depth);
  }
  answer.run = {.device = searcher.device(),
                .prepare = searcher.prepare(),
                .copy_in = searcher.copy_in(),
                .work = watch.elapsed(),
                .notes = searcher.notes()};
  for (std::size_t i = 0; i < pairs.size(); ++i)
    answer.found.push_back({pairs[i], distances[i] == unreached ? no_path : distances[i], std::move(paths[i])});
}

void find_weighted(const PathOptions& options, const Graph& graph, Answer& answer) {
  RunOptions run = options.run;
  run.device = DeviceKind::cpu;
  WeightedSearcher searcher(graph, {.strategy = "cpu-dijkstra", .direction = options.direction, .run = run});
  WeightedDistances result = searcher.distances(answer.pairs.pairs, true);
  for (std::size_t i = 0; i < result.paths.size(); ++i) {
    const double distance = result.distance[i];
    answer.found.push_back({.ends = answer.pairs.pairs[i],
                            .distance = distance,
                            .path = std::move(result.paths[i]),
                            .exact = result.exact_below > 0 && (distance == no_path || distance < result.exact_below)});
  }
  answer.edges_examined = result.run.relaxations;
  answer.run = std::move(result.run);
}

void find_several(const Job& job, const PathOptions& options, const Graph& graph, Answer& answer) {
  const Pair ends = answer.pairs.pairs.front();
  const PathsOptions how{.weights = job.weights, .direction = options.direction, .run = options.run};
  const auto put = [&](double length, std::vector<VertexId>& path, double exact_below) {
    answer.found.push_back({.ends = ends, .distance = length, .path = std::move(path), .exact = length < exact_below});
  };
  if (job.all) {
    AllShortestPaths& all = answer.all = all_shortest_paths(graph, ends.source, ends.target, job.limit, how);
    answer.exact = all.count == 0 || all.length < all.exact_below;
    for (auto& path : all.paths) put(all.length, path, all.exact_below);
    answer.run = std::move(all.run);
  } else {
    ShortestPaths found = k_shortest_paths(graph, ends.source, ends.target, job.k, how);
    for (RankedPath& path : found.paths) put(path.length, path.vertices, found.exact_below);
    answer.run = std::move(found.run);
  }
}

Answer find(const Job& job, const Graph& graph, Context& context) {
  Answer answer{.pairs = pairs_of(job, graph)};
  for (const auto& note : answer.pairs.notes) context.console.warn(note);
  Progress progress(context.console, "searching");
  PathOptions options = job.options;
  options.run.progress = [&](const Step& step) {
    if (job.several())
      progress.steps(plural(step.done, "path"));
    else if (job.weights)
      progress.steps(plural(step.done, "search", "searches"), step.done, step.total);
    else
      progress.steps(fmt::format("level {}, {}", step.done, plural(step.amount, "vertex", "vertices")));
    return !context.interrupted();
  };
  if (job.several())
    find_several(job, options, graph, answer);
  else if (job.weights)
    find_weighted(options, graph, answer);
  else if (job.pairs.empty())
    find_one(options, graph, answer);
  else
    find_many(options, job.json, graph, answer);
  return answer;
}

std::string distance_text(double distance) { return distance == no_path ? "-1" : number_text(distance); }

Json path_json(const Job& job, const Graph& graph, const Found& found) {
  Json json = {{"from", id_json(graph.ids(), found.ends.source)},
               {"to", id_json(graph.ids(), found.ends.target)},
               {"distance", found.distance == no_path ? Json(-1) : number_json(found.distance)},
               {"path", Json::array()}};
  for (const VertexId v : found.path) json["path"].push_back(id_json(graph.ids(), v));
  if (job.weights) json["exact"] = found.exact;
  return json;
}

Json to_json(const Job& job, const Loaded& loaded, const Answer& answer) {
  Json json = document("path");
  json["graph"] = read_json(loaded.graph);
  json["run"] = run_json(answer.run, job.options.run, Seconds(loaded.seconds));
  json["direction"] = job.direction;
  if (job.weights) json["weights"] = true;
  if (!job.pairs.empty()) {
    json["pairs"] = Json::array();
    for (const Found& found : answer.found) json["pairs"].push_back(path_json(job, loaded.graph, found));
    json["left_out"] = answer.pairs.left_out;
    json["notes"] = answer.pairs.notes;
    return json;
  }
  if (job.several()) {
    json["from"] = id_json(loaded.graph.ids(), answer.pairs.pairs.front().source);
    json["to"] = id_json(loaded.graph.ids(), answer.pairs.pairs.front().target);
    json["paths"] = Json::array();
    for (const Found& found : answer.found) {
      Json path = path_json(job, loaded.graph, found);
      path.erase("from"), path.erase("to");
      json["paths"].push_back(std::move(path));
    }
    if (!job.all) return json;
    json["distance"] = answer.all.length == no_path ? Json(-1) : number_json(answer.all.length);
    if (job.weights) json["exact"] = answer.exact;
    json["count"] = answer.all.count;
    json["arcs"] = answer.all.arcs.size();
    json["dag"] = job.dag.empty() ? Json(nullptr) : Json(job.dag);
    return json;
  }
  json.update(path_json(job, loaded.graph, answer.found.front()));
  json["found"] = answer.count() > 0;
  if (!job.weights) json["vertices_visited"] = answer.visited;
  json["edges_examined"] = answer.edges_examined;
  json["search_ms"] = answer.run.work.count();
  return json;
}

/// A path's vertices, one per line; of several paths rows of length and vertices, of pairs rows of source, target and distance.
/// `shown`: on a screen, perhaps.
std::string rows_of(const Job& job, const Graph& graph, const Answer& answer, bool shown) {
  RowText text;
  const auto put = [&](VertexId v, char end) {
    const std::string name = shown ? printable(graph.ids().name(v)) : graph.ids().name(v);
    if (shown && job.pairs.empty() && !job.several())
      text.put(name);
    else
      put_cell(name, '\t', text);
    text.put(end);
  };
  for (const Found& found : answer.found) {
    if (job.several()) {
      text.put(distance_text(found.distance));
      text.put('\t');
      for (const VertexId v : found.path) put(v, v == found.path.back() ? '\n' : '\t');
      continue;
    }
    if (job.pairs.empty()) {
      for (const VertexId v : found.path) put(v, '\n');
      continue;
    }
    put(found.ends.source, '\t');
    put(found.ends.target, '\t');
    text.put(distance_text(found.distance));
    text.put('\n');
  }
  return std::string(text.view());
}

/// "5 hops", "distance 1.75".
std::string length_text(const Job& job, double distance) {
  return job.weights ? "distance " + distance_text(distance) : plural(static_cast<std::uint64_t>(distance), "hop");
}

std::string several_text(const Job& job, const Answer& answer) {
  const std::string ends = fmt::format("from {} to {}", printable(job.from), printable(job.to));
  if (job.all && answer.all.count > 0)
    return fmt::format(
        "{}{} {}, each {}; {} printed", answer.all.count == std::numeric_limits<std::uint64_t>::max() ? "at least " : "",
        plural(answer.all.count, "shortest path"), ends, length_text(job, answer.all.length), grouped(answer.found.size()));
  if (answer.found.empty()) return "no path " + ends;
  return fmt::format("{} {}, {} to {}{}", plural(answer.found.size(), "path"), ends,
                     length_text(job, answer.found.front().distance), length_text(job, answer.found.back().distance),
                     answer.found.size() < job.k ? "; there are no others" : "");
}

void summarize(const Job& job, const Answer& answer, Console& console) {
  const bool exact =
      answer.exact && std::all_of(answer.found.begin(), answer.found.end(), [](const Found& each) { return each.exact; });
  if (!job.pairs.empty() || job.several())
    return console.talk((job.several()
                             ? several_text(job, answer)
                             : fmt::format("{} of {} have a path", answer.count(), plural(answer.found.size(), "pair"))) +
                        (exact ? "" : "; perhaps not all distances are exact: numbers were rounded"));
  const std::string edges = plural(answer.edges_examined, "edge"), vertices = plural(answer.visited, "vertex", "vertices");
  const std::string ends = fmt::format("from {} to {}", printable(job.from), printable(job.to));
  const double distance = answer.found.front().distance;
  if (distance == no_path) {
    const char* limit = job.options.max_depth >= 0 ? " within --max-depth" : "";
    return console.talk(fmt::format("no path{} {}: {} looked at", limit, ends, job.weights ? edges : vertices));
  }
  const std::string rounded = exact ? "" : " (perhaps not exact: numbers were rounded)";
  const std::string looked = job.weights ? edges : vertices + " and " + edges;
  console.talk(fmt::format("{}{} {}; {} looked at in {}", length_text(job, distance), rounded, ends, looked,
                           seconds_text(answer.run.work)));
}

int report(const Job& job, const Loaded& loaded, const Answer& answer, Context& context) {
  const bool all = answer.count() == answer.found.size() && (!job.several() || !answer.found.empty() || answer.all.count > 0);
  if (job.dag_format && all)
    write_numbered(context,
                   build_graph({.num_vertices = loaded.graph.num_vertices(),
                                .edges = Array<Edge>::copy_of(answer.all.arcs),
                                .ids = loaded.graph.ids()}),
                   *job.dag_format, job.dag);
  if (!job.output.empty() && (all || !job.pairs.empty())) write_result(job.output, rows_of(job, loaded.graph, answer, false));
  if (job.json) {
    context.console.result(dump(to_json(job, loaded, answer)));
  } else if (job.output.empty()) {
    std::string rows = rows_of(job, loaded.graph, answer, true);
    if (!rows.empty()) {
      rows.pop_back();  // result() ends the last line
      context.console.result(rows);
    }
  }
  summarize(job, answer, context.console);
  return all ? 0 : static_cast<int>(Failure::no);
}

int run(const Job& job, Context& context) {
  Loaded loaded = load(context, job.graph, true);
  if (!job.weights) note_unused_weights(context, loaded.graph, "path", "--weights does");
  const Answer answer = find(job, loaded.graph, context);
  for (const auto& note : answer.run.notes) context.console.warn(note);
  return report(job, loaded, answer, context);
}

}  // namespace of_path

Command path_command() {
  using namespace of_path;
  auto a = std::make_shared<Arguments>();
  return {
      .name = "path",
      .summary = "one shortest path between two vertices",
      .description =
          "Finds a path with the fewest hops, growing a search from both ends at once, and prints its vertices, one per line. "
          "Exit code 1 if there is none. Bytes of a name that would steer a terminal are shown as \\x1b and the like; -o and "
          "--json give them as they are.",
      .examples = {{"hopwave path roads.gr 17 99", "the vertices of a shortest path, one per line"},
                   {"hopwave path web.txt a.org b.org --direction both", "ignoring directions"},
                   {"hopwave path roads.gr 17 99 --weights", "the shortest by its weights"},
                   {"hopwave path roads.gr --pairs trips.tsv -o hops.tsv", "the distance of many pairs"},
                   {"hopwave path roads.gr 17 99 -k 5 --weights", "the five shortest without loops, one per line"},
                   {"hopwave path web.txt a.org b.org --all --dag between.tsv",
                    "how many shortest ones there are, and their arcs"},
                   {"hopwave path social.hwg 1 2 --json", "with the distance and what it took"}},
      .groups =
          {{"Query",
            {graph_argument(a->graph),
             {"from", "A", "Where the path begins: a vertex id.", &a->from},
             {"to", "B", "Where it ends.", &a->to},
             {"--pairs",
              "FILE",
              "Many paths in one call: this file has two ids per line. Prints source, target and distance (-1: no path); "
              "--json also has the paths. Exit code 1 if a pair has no path. A pair of which an end is no vertex is an error; "
              "--lenient leaves it out, with a note, and it does not count for the exit code.",
              &a->pairs,
              {},
              Fill::file},
             direction_option(a->search),
             {"--weights", "",
              "The least sum of weights instead of the fewest hops; each arc weighs 1 where the file has no weights.",
              &a->weights},
             {"-k", "K",
              "The K shortest paths without loops, or all if there are fewer: a row each, its length and its vertices.", &a->k},
             {"--all", "",
              "All shortest paths, as rows in the order of their vertices, and their number. Weights of 0 may not form cycles.",
              &a->all},
             {"--max-depth", "N", "Do not look for paths longer than this. -1: no limit.", &a->max_depth}}},
           {"Output",
            {{"-o,--output",
              "FILE",
              "Write the vertices to this file; of --pairs, -k and --all the rows.",
              &a->output,
              {},
              Fill::output},
             {"--limit", "N", "Of --all: print so many paths; 0: only their number. Default: 100.", &a->limit},
             {"--dag",
              "FILE",
              "Of --all: write the arcs that they consist of as a graph, in the format of the file's name.",
              &a->dag,
              {},
              Fill::output}}},
           {"Running", {threads_option(a->graph), time_limit_option(a->search)}},
           reading_options(a->graph)},
      .run = [a](Context& context) { return run(check(*a, context), context); }};
}

}  // namespace hopwave::cli
