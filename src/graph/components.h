// Components from their labels, whoever has found these.
#pragma once

#include "core/parallel.h"
#include "core/told.h"
#include "hopwave/graph.h"

namespace hopwave::graph {

/// connected_components() by a team that is there. `report` is called now and then by the calling thread, and may throw.
Components find_components(Team& team, const Graph& graph, const core::Told::Report& report = {});
/// The team that it takes: 0 is one thread for a small graph, else all.
int component_threads(const Graph& graph, int threads);
/// Fills the counts from the labels, each of which is the smallest vertex of its component.
void count_components(Team& team, Components& components);

}  // namespace hopwave::graph
