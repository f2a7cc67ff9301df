// hopwave path: one shortest path between two vertices.
#include "hopwave/path.h"

#include <fmt/format.h>

#include <memory>

#include "cli/console.h"
#include "cli/graph_input.h"
#include "cli/json.h"
#include "cli/result_file.h"
#include "cli/row_text.h"
#include "cli/search_options.h"

namespace hopwave::cli {
namespace {

struct Arguments {
  GraphArguments graph;
  SearchArguments search;  // only its direction
  std::string from, to, output;
  std::int64_t max_depth = -1;
};

void write_path(const std::string& file, const Graph& graph, const Path& path) {
  ResultFile out(file);
  RowText text;
  for (const VertexId v : path.vertices) {
    put_cell(graph.ids().name(v), '\t', text);
    text.put('\n');
  }
  out.write(text.view());
  out.commit();
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
  json["search_ms"] = path.search_ms;
  return json;
}

int run(const Arguments& arguments, Context& context) {
  check_text_ending(arguments.output);
  PathOptions options;
  options.direction = to_direction(arguments.search.direction);
  options.max_length = checked_int("--max-depth", arguments.max_depth, -1, 0x7FFFFFFF);
  const Loaded loaded = load(context, arguments.graph, true);
  const Graph& graph = loaded.graph;
  const VertexId from = find_vertex(graph, arguments.from, "start");
  const VertexId to = find_vertex(graph, arguments.to, "end");
  Path path;
  {
    Progress progress(context.console, "searching");
    options.progress = [&](std::uint32_t level, std::uint64_t frontier) {
      progress.steps(fmt::format("level {}, {}", level, plural(frontier, "vertex", "vertices")));
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
                             plural(path.edges_examined, "edge"), seconds_text(path.search_ms * 1e-3)));
  else
    console.talk(fmt::format("no path{} from {} to {}: {} looked at", options.max_length >= 0 ? " within --max-depth" : "",
                             printable(arguments.from), printable(arguments.to), plural(path.visited, "vertex", "vertices")));
  return path.found ? 0 : static_cast<int>(Failure::no);
}

}  // namespace

Command path_command() {
  auto a = std::make_shared<Arguments>();
  return {
      .name = "path",
      .summary = "one shortest path between two vertices",
      .description =
          "Finds a path with the fewest hops, growing a search from both ends at once, and prints its vertices, one a line. "
          "Exit code 1 if there is none. Bytes of a name that would steer a terminal are shown as \\x1b and the like; -o and "
          "--json give them as they are.",
      .examples = {{"hopwave path roads.gr 17 99", "the vertices of a shortest path, one a line"},
                   {"hopwave path web.txt a.org b.org --direction both", "ignoring directions"},
                   {"hopwave path social.hwg 1 2 --json", "with the distance and what it took"}},
      .groups = {{"Query",
                  {graph_argument(a->graph),
                   {"from", "A", "Where the path begins: a vertex id.", &a->from, {}, Fill::nothing, true},
                   {"to", "B", "Where it ends.", &a->to, {}, Fill::nothing, true},
                   direction_option(a->search),
                   {"--max-depth", "N", "Do not look for paths longer than this. -1: no limit.", &a->max_depth}}},
                 {"Output", {{"-o,--output", "FILE", "Write the vertices to this file.", &a->output, {}, Fill::output}}},
                 reading_options(a->graph)},
      .run = [a](Context& context) { return run(*a, context); }};
}

}  // namespace hopwave::cli
