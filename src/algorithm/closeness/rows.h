// Shared by the exact and the sampled row of closeness: kept columns of sources, and the sampled run.
#pragma once

#include <vector>

#include "algorithm/algorithm.h"
#include "hopwave/closeness.h"

namespace hopwave::algorithm {

Found run_sampled_closeness(Job& job);
/// Closeness and harmonic centrality of every vertex or of some, and both estimated.
std::vector<Algorithm> closeness_calls();
Algorithm sampled_closeness_call();

/// As four columns, and back.
Kept columns_of(const std::vector<SourceDistances>& rows);
std::vector<SourceDistances> rows_from(const Kept& kept);

}  // namespace hopwave::algorithm
