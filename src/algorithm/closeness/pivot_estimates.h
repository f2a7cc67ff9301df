// Estimates of closeness from sums over pivots, and how far off they may be.
#pragma once

#include "hopwave/sampled_closeness.h"

namespace hopwave::search_detail {

/// Fills the figures of `found` from `found.sums`, whose pivots were the first of `pivots`. `with_directions`: distances from
/// and towards a vertex differ.
void estimate_from_pivots(int threads, const Graph& graph, std::span<const VertexId> pivots, bool with_directions,
                          SampledCloseness& found);

}  // namespace hopwave::search_detail
