// Components from their labels, however these were found.
#pragma once

#include "core/parallel.h"
#include "core/reporter.h"
#include "hopwave/graph.h"

namespace hopwave::graph {

/// Does the CPU's part of connected_components() with an existing team. The report of the run stays empty. `report` is called
/// from time to time by the calling thread, and may throw.
Components find_components(Team& team, const Graph& graph, const Progress& report = {});
/// Returns the number of threads for it: for `threads` of 0 one if the graph is small, otherwise all.
int component_threads(const Graph& graph, int threads);
/// Fills the counts from the labels. Each label is the smallest vertex of its component.
void count_components(Team& team, Components& components);

}  // namespace hopwave::graph
