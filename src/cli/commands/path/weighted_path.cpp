// Paths by weight: Dijkstra's algorithm, which ends at the target.
#include "cli/commands/path/weighted_path.h"

#include <fmt/format.h>

#include "cli/frame/id_lines.h"
#include "cli/frame/json.h"
#include "cli/frame/result_file.h"
#include "cli/frame/row_text.h"
#include "cli/frame/search_options.h"
#include "hopwave/shortest_paths.h"

namespace hopwave::cli {
namespace {

std::string distance_text(double distance) { return distance == no_path ? "-1" : number_text(distance); }

Json distance_json(double distance) { return distance == no_path ? Json(-1) : number_json(distance); }

struct Found {
  Pair ends;
  double distance = no_path;
  std::vector<VertexId> path;
  bool exact = true;
  WeightedReport stats;
};

Found find(WeightedSearcher& searcher, const Pair& ends) {
  const WeightedResult result = searcher.run({.sources = {ends.source}, .target = ends.target});
  Found found{ends, result.distance[ends.target], {}, result.exact, result.run};
  if (found.distance == no_path) return found;
  for (VertexId v = ends.target; v != no_vertex; v = result.parent[v]) found.path.push_back(v);
  std::reverse(found.path.begin(), found.path.end());
  return found;
}

Json path_json(const Graph& graph, const Found& found) {
  Json json = {{"from", id_json(graph.ids(), found.ends.source)},
               {"to", id_json(graph.ids(), found.ends.target)},
               {"distance", distance_json(found.distance)},
               {"exact", found.exact},
               {"path", Json::array()}};
  for (const VertexId v : found.path) json["path"].push_back(id_json(graph.ids(), v));
  return json;
}

std::string path_lines(const Graph& graph, const Found& found) {
  RowText text;
  for (const VertexId v : found.path) {
    put_cell(graph.ids().name(v), '\t', text);
    text.put('\n');
  }
  return std::string(text.view());
}

/// `shown`: on a screen, perhaps.
std::string pair_line(const Graph& graph, const Found& found, bool shown) {
  const auto name = [&](VertexId v) { return shown ? printable(graph.ids().name(v)) : graph.ids().name(v); };
  RowText text;
  put_cell(name(found.ends.source), '\t', text);
  text.put('\t');
  put_cell(name(found.ends.target), '\t', text);
  text.put('\t');
  text.put(distance_text(found.distance));
  text.put('\n');
  return std::string(text.view());
}

Json head(const WeightedPathCall& call, const Graph& graph) {
  Json json = document("path");
  json["graph"] = read_json(graph);
  json["direction"] = call.direction;
  json["weights"] = true;
  return json;
}

int run_pairs(const WeightedPathCall& call, const Graph& graph, WeightedSearcher& searcher, Context& context) {
  const PairsRead read = read_pairs(graph.ids(), call.pairs, call.lenient);
  const std::vector<Pair>& pairs = read.pairs;
  for (const auto& note : read.notes) context.console.warn(note);
  Json json = head(call, graph);
  json["pairs"] = Json::array();
  std::string lines;
  std::size_t count = 0;
  bool exact = true;
  const SharedLimit limit(call.limits);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    searcher.set_limits(limit.rest());
    const Found found = limit.run(i, pairs.size(), [&] { return find(searcher, pairs[i]); });
    count += found.distance != no_path;
    exact &= found.exact;
    if (context.json()) json["pairs"].push_back(path_json(graph, found));
    lines += pair_line(graph, found, call.output.empty());
  }
  json["left_out"] = read.left_out;
  json["notes"] = read.notes;
  if (!call.output.empty()) write_result(call.output, lines);
  if (context.json()) {
    context.console.result(dump(json));
  } else if (call.output.empty() && !lines.empty()) {
    lines.pop_back();  // result() ends the last line
    context.console.result(lines);
  }
  context.console.talk(fmt::format("{} of {} have a path{}", count, plural(pairs.size(), "pair"),
                                   exact ? "" : "; perhaps not all distances are exact: numbers were rounded"));
  return count == pairs.size() ? 0 : static_cast<int>(Failure::no);
}

int run_one(const WeightedPathCall& call, const Graph& graph, WeightedSearcher& searcher, Context& context) {
  const Found found =
      find(searcher, {.source = find_vertex(graph, call.from, "start"), .target = find_vertex(graph, call.to, "end")});
  const bool there = found.distance != no_path;
  if (there && !call.output.empty()) write_result(call.output, path_lines(graph, found));
  if (context.json()) {
    Json json = head(call, graph);
    json.update(path_json(graph, found));
    json["found"] = there;
    json["edges_examined"] = found.stats.relaxations;
    json["search_ms"] = found.stats.work.count();
    context.console.result(dump(json));
  } else if (there && call.output.empty()) {
    std::string text;
    for (const VertexId v : found.path) text += (text.empty() ? "" : "\n") + printable(graph.ids().name(v));
    context.console.result(text);
  }
  const std::string looked = plural(found.stats.relaxations, "edge") + " looked at";
  const std::string distance =
      distance_text(found.distance) + (found.exact ? "" : " (perhaps not exact: numbers were rounded)");
  context.console.talk(there ? fmt::format("distance {} from {} to {}; {} in {}", distance, printable(call.from),
                                           printable(call.to), looked, seconds_text(found.stats.work))
                             : fmt::format("no path from {} to {}: {}", printable(call.from), printable(call.to), looked));
  return there ? 0 : static_cast<int>(Failure::no);
}

}  // namespace

int run_weighted_path(const WeightedPathCall& call, const Graph& graph, Context& context) {
  Progress progress(context.console, "searching");
  WeightedOptions options{.strategy = "cpu-dijkstra", .run = {.device = DeviceKind::cpu}};
  options.direction = to_direction(call.direction);
  options.run.threads = call.threads;
  options.run.limits = call.limits;
  options.run.progress = [&](const Step& step) {
    progress.steps(plural(step.done, "vertex", "vertices"));
    return !context.interrupted();
  };
  WeightedSearcher searcher(graph, options);
  return call.pairs.empty() ? run_one(call, graph, searcher, context) : run_pairs(call, graph, searcher, context);
}

}  // namespace hopwave::cli
