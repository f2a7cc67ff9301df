// explain --by-place: what warps request at each place of a strategy's kernels.
#pragma once

#include <string>
#include <vector>

#include "hopwave/counts.h"

namespace hopwave::cli {

std::vector<std::string> place_titles();
/// The sums over the launches of a search.
std::vector<std::string> place_cells(const std::string& strategy, const RequestCounts& requests);

}  // namespace hopwave::cli
