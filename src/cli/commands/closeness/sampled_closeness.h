// hopwave closeness --samples: every vertex's closeness, estimated from searches from a few.
#pragma once

#include <cstdint>
#include <string>

#include "cli/frame/graph_input.h"
#include "cli/frame/search_options.h"

namespace hopwave::cli {

struct SampledClosenessJob {
  GraphArguments graph;
  SearchArguments search;
  std::string output;
  std::int64_t samples = 0, top = 0;
  bool resume = false, verify = false;
};
/// Returns the exit code. Throws HW-USAGE-VALUE, HW-RESUME, and what reading, searching and writing throw.
int run_sampled_closeness(const SampledClosenessJob& job, Context& context);

}  // namespace hopwave::cli
