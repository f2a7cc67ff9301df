// Which CPU strategy `auto` runs where there is no GPU to use.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "hopwave/graph.h"
#include "hopwave/search.h"

namespace hopwave::engine {

struct CpuChoice {
  std::string_view strategy;
  std::string why;          ///< half a sentence with the figures it was decided by
  bool would_turn = false;  ///< with the arcs in reverse it would be another one
};

/// Reads a sample of the degrees, so the choice costs microseconds. `reversed`: the arcs that a pull step needs are there, or
/// will be; turning them costs several searches.
CpuChoice choose_cpu(const Graph& graph, Direction direction, bool reversed);

}  // namespace hopwave::engine
