// What the launches of a search did, as a table for people and as JSON.
#pragma once

#include <vector>

#include "cli/frame/console.h"
#include "cli/frame/json.h"
#include "hopwave/counts.h"

namespace hopwave::cli {

/// One line per launch, the ten with the most work of more than forty. Where threads were not counted, a line says so and their
/// columns are left out.
void print_counts(Console& console, Stream stream, const std::vector<LaunchCounts>& launches);
/// An object: `launches`, one a launch, with null for what was not counted; `note` says why, else it is null.
Json counts_json(const std::vector<LaunchCounts>& launches);
/// Kinds of which there are bytes.
Json bytes_json(const ByteCounts& bytes);

}  // namespace hopwave::cli
