// Components from their labels, whoever has found these.
#pragma once

#include "core/parallel.h"
#include "hopwave/graph.h"

namespace hopwave::graph {

/// Fills the counts from the labels, each of which is the smallest vertex of its component.
void count_components(Team& team, Components& components);

}  // namespace hopwave::graph
