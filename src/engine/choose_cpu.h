// Which CPU strategy `auto` runs where there is no GPU to use.
#pragma once

#include <string>
#include <string_view>

#include "hopwave/graph.h"
#include "hopwave/search.h"

namespace hopwave::engine {

struct CpuChoice {
  std::string_view strategy;
  std::string why;  ///< half a sentence with the figures it was decided by
};

/// Reads a sample of the degrees and whether the arcs a pull step needs are there (a transpose costs more than a search), so
/// the choice costs microseconds.
CpuChoice choose_cpu(const Graph& graph, Direction direction);

}  // namespace hopwave::engine
