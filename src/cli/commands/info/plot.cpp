#include "cli/commands/info/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hopwave/search.h"
#include "measure/bench_file.h"

namespace hopwave::cli {
namespace {

std::string range(const report::Histogram::Bin& bin) {
  return bin.first == bin.last ? grouped(bin.first) : grouped(bin.first) + "–" + grouped(bin.last);
}

void print_bars(Console& console, const report::Histogram& histogram) {
  constexpr std::size_t widest = 60, least = 10, gaps = 4;
  std::size_t label = columns_of(histogram.axis), count = std::string_view("vertices").size();
  double most = 0;
  for (const auto& bin : histogram.bins) {
    label = std::max(label, columns_of(range(bin)));
    count = std::max(count, grouped(bin.vertices).size());
    most = std::max(most, std::log1p(static_cast<double>(bin.vertices)));
  }
  const std::size_t room = console.room(Stream::out), rest = label + count + gaps;
  const std::size_t bars = room > rest + least ? std::min(room - rest, widest) : room ? least : widest;
  const auto row = [&](const std::string& name, const std::string& number, const std::string& bar) {
    console.result(std::string(label - columns_of(name), ' ') + fmt::format("{}  {:>{}}  {}", name, number, count, bar));
  };
  console.result("\n" + console.bold(Stream::out, histogram.title));
  row(histogram.axis, "vertices", "(bars are logarithmic)");
  for (const auto& bin : histogram.bins) {
    const double part = std::log1p(static_cast<double>(bin.vertices)) / most;
    std::string bar;
    for (std::size_t i = 0; i < static_cast<std::size_t>(std::lround(part * static_cast<double>(bars))); ++i) bar += "█";
    row(range(bin), grouped(bin.vertices), bar);
  }
}

Json bins_json(const report::Histogram& histogram) {
  Json json = Json::array();
  for (const auto& bin : histogram.bins) json.push_back({{"first", bin.first}, {"last", bin.last}, {"vertices", bin.vertices}});
  return json;
}

}  // namespace

Plot make_plot(const Graph& graph, VertexId from, int threads, const Limits& limits) {
  Plot plot{.from = from,
            .degrees = report::degree_histogram("Degrees", report::degree_bins(graph)),
            .levels = {.title = "Levels", .axis = "level", .bins = {}}};
  if (from == no_vertex) return plot;
  Searcher searcher(graph,
                    {.direction = Direction::both, .run = {.device = DeviceKind::cpu, .threads = threads, .limits = limits}});
  plot.levels = report::level_histogram(
      "Levels from " + printable(graph.ids().name(from)) + (graph.directed() ? ", directions ignored" : ""),
      searcher.count_levels({.sources = {from}}).at);
  return plot;
}

void print_plot(Console& console, const Plot& plot) {
  print_bars(console, plot.degrees);
  print_bars(console, plot.levels);
}

std::string chart(const Plot& plot, const std::string& name) {
  return report::histogram_chart(name, {plot.degrees, plot.levels});
}

Json plot_json(const Plot& plot, const Graph& graph) {
  return {{"from", plot.from == no_vertex ? Json(nullptr) : id_json(graph.ids(), plot.from)},
          {"degrees", bins_json(plot.degrees)},
          {"levels", bins_json(plot.levels)}};
}

}  // namespace hopwave::cli
