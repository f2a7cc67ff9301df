// What `hopwave info --plot` shows: vertices by degree and by level, as bars in the terminal and as a chart.
#pragma once

#include "cli/frame/console.h"
#include "cli/frame/json.h"
#include "draw/charts.h"
#include "hopwave/graph.h"
#include "hopwave/run.h"

namespace hopwave::cli {

struct Plot {
  VertexId from;  ///< levels are counted from it, directions ignored; no_vertex: there is none
  report::Histogram degrees, levels;
};

/// Throws HW-TIME-LIMIT.
Plot make_plot(const Graph& graph, VertexId from, int threads, const Limits& limits);
void print_plot(Console& console, const Plot& plot);
/// An SVG.
std::string chart(const Plot& plot, const std::string& name);
Json plot_json(const Plot& plot, const Graph& graph);

}  // namespace hopwave::cli
