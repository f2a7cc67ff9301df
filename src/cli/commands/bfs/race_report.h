// The races that the simulator found during a search, as text and as JSON.
#pragma once

#include "cli/commands/bfs/bfs.h"
#include "cli/frame/console.h"
#include "cli/frame/json.h"
#include "simulator/races.h"

namespace hopwave::cli {

/// --races. The simulator sees races of one device, and a printed listing runs nowhere else. Throws HW-USAGE-OPTION.
bool wants_races(const BfsArguments& arguments, const SearchOptions& options);

/// Reports on standard error that there are races, where the result is an error because of them or does not list them as text;
/// --quiet does not silence it. `ended`: by an error, which decides the exit code.
void announce_races(const BfsJob& job, Context& context, const sim::Races& races, bool ended);

/// One line per pair of places, or that none was found.
void print_races(Console& console, Stream stream, const sim::Races& races);
Json races_json(const sim::Races& races);

}  // namespace hopwave::cli
