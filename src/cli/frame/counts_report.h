// What the launches of a search did, as a table for people and as JSON.
#pragma once

#include <string>
#include <vector>

#include "cli/frame/console.h"
#include "cli/frame/json.h"
#include "hopwave/counts.h"

namespace hopwave::cli {

/// One line per launch; of more than forty, the ten with the most work. If threads were not counted, a line says so and their
/// columns are left out.
void print_counts(Console& console, Stream stream, const std::vector<LaunchCounts>& launches);
/// An object: `launches`, one entry per launch, with null for what was not counted; `note` states why, otherwise it is null.
Json counts_json(const std::vector<LaunchCounts>& launches);
/// "3", "3-7" for several levels in a launch, "start" for the sources, "–" where the launch is not bound to levels.
std::string level_text(const LaunchCounts& one);
/// Kinds of which there are bytes.
Json bytes_json(const ByteCounts& bytes);
/// An object per place of the source.
Json requests_json(const std::vector<RequestCounts>& requests);
/// "1.3/32": on average, and of the worst request, as many accesses to one bank as rounds were needed; "–" without requests.
std::string ways_text(const RequestCounts& shared);

}  // namespace hopwave::cli
