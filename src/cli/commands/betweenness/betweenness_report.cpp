// The greatest values of betweenness, and how they came about.
#include "cli/commands/betweenness/betweenness_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hopwave::cli {
namespace {

std::vector<VertexId> greatest_vertices(const BetweennessReport& report, const BetweennessArguments& a) {
  const Array<double>& value = report.found.vertex;
  return greatest<VertexId>(value.size(), a.top, [&](VertexId v) { return value[v]; });
}

std::vector<EdgeRow> greatest_edges(const std::vector<EdgeRow>& rows, std::int64_t top) {
  std::vector<EdgeRow> found(std::min(static_cast<std::size_t>(top), rows.size()));
  std::partial_sort_copy(rows.begin(), rows.end(), found.begin(), found.end(), [](const EdgeRow& x, const EdgeRow& y) {
    if (x.value != y.value) return x.value > y.value;
    return x.source != y.source ? x.source < y.source : x.target < y.target;
  });
  return found;
}

}  // namespace

Json betweenness_json(const BetweennessReport& report, const BetweennessArguments& a, const BetweennessScale& scale) {
  const Graph& graph = *report.graph;
  const Betweenness& found = report.found;
  Json json = document("betweenness");
  json["graph"] = read_json(graph);
  json["device"] = device_name(found.device);
  json["sources"] = found.sources;
  json["every_vertex"] = report.sources.empty();
  json["targets"] = report.targets.empty() ? Json(nullptr) : Json(report.targets.size());
  json["sampled"] = a.samples > 0 && !report.sources.empty();
  json["normalized"] = !a.unscaled;
  json["endpoints"] = a.endpoints;
  json["error"] = a.samples > 0 && !found.complete ? Json(nullptr) : Json(report.error);
  json["risk"] = report.error > 0 ? Json(betweenness_risk) : Json(nullptr);
  json["most_paths"] = std::isfinite(found.most_paths) ? number_json(found.most_paths) : Json(nullptr);
  json["complete"] = found.complete;
  json["ended"] = found.ended.empty() ? Json(nullptr) : Json(found.ended);
  json["vertices"] = Json::array();
  for (const VertexId v : greatest_vertices(report, a))
    json["vertices"].push_back({{"id", id_json(graph.ids(), v)}, {"betweenness", number_json(found.vertex[v] * scale.vertex)}});
  json["edges"] = a.edges ? Json::array() : Json(nullptr);
  for (const EdgeRow& row : greatest_edges(report.edges, a.top))
    json["edges"].push_back({{"source", id_json(graph.ids(), row.source)},
                             {"target", id_json(graph.ids(), row.target)},
                             {"betweenness", number_json(row.value)}});
  json["verified"] = a.verify && found.complete;
  json["load_seconds"] = report.load_seconds;
  json["seconds"] = report.seconds;
  json["output"] = a.output.empty() ? Json(nullptr) : Json(a.output);
  return json;
}

void print_betweenness(const BetweennessReport& report, const BetweennessArguments& a, const BetweennessScale& scale,
                       Console& console) {
  const Graph& graph = *report.graph;
  const Betweenness& found = report.found;
  const Stream stream = a.output == "-" ? Stream::err : Stream::out;
  const auto row = [&](std::string_view name, const std::string& text) {
    console.line(stream, console.bold(stream, fmt::format("{:<11}", name)) + text);
  };
  const auto reading = describe(graph);
  row("input", reading.input);
  row("graph", reading.graph);
  row("sources", (report.sources.empty() ? "every vertex, " : "") + plural(found.sources, "search", "searches") + " in " +
                     seconds_text(report.seconds) +
                     (found.device == DeviceKind::cpu ? "" : std::string(" on ") + device_name(found.device)));
  if (!report.targets.empty())
    row("targets", plural(report.targets.size(), "vertex", "vertices") + " of " + printable(a.targets_file));
  if (report.error > 0)
    row("error", fmt::format("at most {:.2g}, for all vertices at once, with a probability of {:.0f} %", report.error,
                             100 * (1 - betweenness_risk)));
  bool first = true;
  for (const VertexId v : greatest_vertices(report, a)) {
    row(first ? "greatest" : "", printable(graph.name(v)) + " " + rounded_text(found.vertex[v] * scale.vertex, 6));
    first = false;
  }
  first = true;
  for (const EdgeRow& edge : greatest_edges(report.edges, a.top)) {
    row(first ? "edges" : "", fmt::format("{} – {} {}", printable(graph.name(edge.source)), printable(graph.name(edge.target)),
                                          rounded_text(edge.value, 6)));
    first = false;
  }
  if (a.verify && found.complete)
    row("verified", "the sums add up to the distances of all pairs: " + grouped(report.expected_sum));
  if (!a.output.empty() && a.output != "-") row("written", printable(a.output));
}

}  // namespace hopwave::cli
