// hopwave path: one shortest path between two vertices.
#include "hopwave/path.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/commands/path/weighted_path.h"
#include "cli/frame/console.h"
#include "cli/frame/graph_input.h"
#include "cli/frame/id_lines.h"
#include "cli/frame/json.h"
#include "cli/frame/result_file.h"
#include "cli/frame/row_text.h"
#include "cli/frame/search_options.h"

namespace hopwave::cli {
namespace of_path {

struct Arguments {
  GraphArguments graph;
  SearchArguments search;  // only its direction
  std::string from, to, output, pairs;
  std::int64_t max_depth = -1;
  bool weights = false;
};

void write_path(const std::string& file, const Graph& graph, const Path& path) {
  RowText text;
  for (const VertexId v : path.vertices) {
    put_cell(graph.ids().name(v), '\t', text);
    text.put('\n');
  }
  write_result(file, text.view());
}

Json to_json(const Arguments& arguments, const Graph& graph, const Path& path, VertexId from, VertexId to) {
  Json json = document("path");
  json["graph"] = read_json(graph);
  json["from"] = id_json(graph.ids(), from);
  json["to"] = id_json(graph.ids(), to);
  json["direction"] = arguments.search.direction;
  json["found"] = path.found;
  json["distance"] = path.length;
  json["path"] = Json::array();
  for (const VertexId v : path.vertices) json["path"].push_back(id_json(graph.ids(), v));
  json["vertices_visited"] = path.visited;
  json["edges_examined"] = path.edges_examined;
  json["search_ms"] = path.run.work.count();
  return json;
}

void check_ends(const Arguments& arguments) {
  if (arguments.pairs.empty() ? !arguments.to.empty() : arguments.from.empty()) return;
  throw Error({.failure = Failure::usage,
               .id = "HW-USAGE-OPTION",
               .found = arguments.pairs.empty() ? "no end of the path" : "two vertices, and --pairs",
               .expected = "two vertices, or --pairs FILE"});
}

/// Rows of source, target and distance. `shown`: on a screen, perhaps.
std::string pair_rows(const Graph& graph, std::span<const Pair> pairs, std::span<const Distance> distances, bool shown) {
  const auto name = [&](VertexId v) { return shown ? printable(graph.ids().name(v)) : graph.ids().name(v); };
  RowText text;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    put_cell(name(pairs[i].source), '\t', text);
    text.put('\t');
    put_cell(name(pairs[i].target), '\t', text);
    text.put('\t');
    text.put(std::int64_t{distances[i]});
    text.put('\n');
  }
  return std::string(text.view());
}

Json pairs_json(const Arguments& arguments, const Graph& graph, const PairsRead& read,
                std::span<const std::vector<VertexId>> paths) {
  const std::vector<Pair>& pairs = read.pairs;
  Json json = document("path");
  json["graph"] = read_json(graph);
  json["direction"] = arguments.search.direction;
  json["pairs"] = Json::array();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    Json path = Json::array();
    for (const VertexId v : paths[i]) path.push_back(id_json(graph.ids(), v));
    json["pairs"].push_back({{"from", id_json(graph.ids(), pairs[i].source)},
                             {"to", id_json(graph.ids(), pairs[i].target)},
                             {"distance", static_cast<std::int64_t>(paths[i].size()) - 1},
                             {"path", std::move(path)}});
  }
  json["left_out"] = read.left_out;
  json["notes"] = read.notes;
  return json;
}

/// All pairs of a file. Exit code 1 if one of them has no path.
int run_pairs(const Arguments& arguments, Context& context, const Graph& graph, const PathOptions& wanted) {
  const PairsRead read = read_pairs(graph.ids(), arguments.pairs, arguments.graph.lenient);
  const std::vector<Pair>& pairs = read.pairs;
  for (const auto& note : read.notes) context.console.warn(note);
  Progress progress(context.console, "searching");
  SearchOptions options{.direction = wanted.direction, .run = {.limits = wanted.run.limits}};
  options.run.threads = checked_int("--threads", arguments.graph.threads, 0, 4096);
  options.run.progress = [&](const Step& step) {
    progress.steps(fmt::format("level {}, {}", step.done, plural(step.amount, "vertex", "vertices")));
    return !context.interrupted();
  };
  Searcher searcher(graph, options);
  std::vector<std::vector<VertexId>> paths;
  std::vector<Distance> distances;
  if (context.json()) {
    paths = searcher.paths(pairs, wanted.max_depth);
    for (const auto& path : paths) distances.push_back(static_cast<Distance>(path.size()) - 1);
  } else {
    distances = searcher.distances(pairs, wanted.max_depth);
  }
  const auto found =
      static_cast<std::size_t>(std::count_if(distances.begin(), distances.end(), [](Distance d) { return d != unreached; }));
  std::string rows = pair_rows(graph, pairs, distances, arguments.output.empty());
  if (!arguments.output.empty()) write_result(arguments.output, rows);
  if (context.json()) {
    context.console.result(dump(pairs_json(arguments, graph, read, paths)));
  } else if (arguments.output.empty() && !rows.empty()) {
    rows.pop_back();  // result() ends the last line
    context.console.result(rows);
  }
  context.console.talk(fmt::format("{} of {} have a path", found, plural(pairs.size(), "pair")));
  return found == pairs.size() ? 0 : static_cast<int>(Failure::no);
}

void check_weights(const Arguments& arguments) {
  if (!arguments.weights || arguments.max_depth < 0) return;
  throw Error({.failure = Failure::usage,
               .id = "HW-USAGE-OPTION",
               .found = "--max-depth, which counts hops, with --weights",
               .expected = "one of them"});
}

WeightedPathCall weighted(const Arguments& arguments, const Limits& limits) {
  return {.from = arguments.from,
          .to = arguments.to,
          .pairs = arguments.pairs,
          .output = arguments.output,
          .direction = arguments.search.direction,
          .lenient = arguments.graph.lenient,
          .threads = checked_int("--threads", arguments.graph.threads, 0, 4096),
          .limits = limits};
}

int run(const Arguments& arguments, Context& context) {
  check_one_output(context, arguments.output);
  check_text_ending(arguments.output);
  check_ends(arguments);
  check_weights(arguments);
  PathOptions options;
  options.direction = to_direction(arguments.search.direction);
  options.max_depth = checked_int("--max-depth", arguments.max_depth, -1, 0x7FFFFFFF);
  options.run.limits = to_limits(arguments.search);
  Loaded loaded = load(context, arguments.graph, true);
  if (!arguments.weights) note_unused_weights(context, loaded.graph, "path", "--weights does");
  const Graph& graph = loaded.graph;
  if (arguments.weights) return run_weighted_path(weighted(arguments, options.run.limits), graph, context);
  if (!arguments.pairs.empty()) return run_pairs(arguments, context, graph, options);
  const VertexId from = find_vertex(graph, arguments.from, "start");
  const VertexId to = find_vertex(graph, arguments.to, "end");
  Path path;
  {
    Progress progress(context.console, "searching");
    options.run.progress = [&](const Step& step) {
      progress.steps(fmt::format("level {}, {}", step.done, plural(step.amount, "vertex", "vertices")));
      return !context.interrupted();
    };
    path = shortest_path(graph, from, to, options);
  }
  Console& console = context.console;
  if (path.found && !arguments.output.empty()) write_path(arguments.output, graph, path);
  if (context.json()) {
    console.result(dump(to_json(arguments, graph, path, from, to)));
  } else if (path.found && arguments.output.empty()) {
    std::string text;
    for (const VertexId v : path.vertices) text += (text.empty() ? "" : "\n") + printable(graph.ids().name(v));
    console.result(text);
  }
  if (path.found)
    console.talk(fmt::format("{} from {} to {}; {} and {} looked at in {}",
                             plural(static_cast<std::uint64_t>(path.length), "hop"), printable(arguments.from),
                             printable(arguments.to), plural(path.visited, "vertex", "vertices"),
                             plural(path.edges_examined, "edge"), seconds_text(path.run.work)));
  else
    console.talk(fmt::format("no path{} from {} to {}: {} looked at", options.max_depth >= 0 ? " within --max-depth" : "",
                             printable(arguments.from), printable(arguments.to), plural(path.visited, "vertex", "vertices")));
  return path.found ? 0 : static_cast<int>(Failure::no);
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
             {"--max-depth", "N", "Do not look for paths longer than this. -1: no limit.", &a->max_depth}}},
           {"Running", {time_limit_option(a->search)}},
           {"Output",
            {{"-o,--output",
              "FILE",
              "Write the vertices to this file; of --pairs the rows of distances.",
              &a->output,
              {},
              Fill::output}}},
           reading_options(a->graph)},
      .run = [a](Context& context) { return run(*a, context); }};
}

}  // namespace hopwave::cli
