// `path --weights`: paths that are shortest by the sum of their weights.
#pragma once

#include <string>

#include "cli/frame/console.h"
#include "hopwave/graph.h"
#include "hopwave/run.h"
#include "hopwave/search.h"

namespace hopwave::cli {

struct WeightedPathCall {
  std::string from, to, pairs, output, direction;
  bool lenient = false;  ///< pairs of which an end is no vertex are left out
  int threads = 0;
  Limits limits;
};

/// Returns the exit code: 1 if a path is missing.
int run_weighted_path(const WeightedPathCall& call, const Graph& graph, Context& context);

}  // namespace hopwave::cli
