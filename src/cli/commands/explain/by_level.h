// What the threads of each level have to do by the rule of their strategy, as the exercises of textbooks ask for it.
#pragma once

#include <string>
#include <vector>

#include "cli/frame/json.h"
#include "draw/roles.h"
#include "hopwave/search.h"

namespace hopwave::cli {

/// One launch of a level: most strategies have one, some have a second that only turns marks into the next frontier.
struct LevelRow {
  Distance level = 0;
  std::uint32_t launch = 1;
  std::string what;
  picture::Tally tally;
};

/// Searches once more, for parents and the direction of each level. Empty: the strategy's threads follow no fixed rule.
std::vector<LevelRow> rows_by_level(const Graph& graph, const Query& query, SearchOptions options);

/// Titles and cells of a table of them, after the strategy's name.
std::vector<std::string> level_titles();
std::vector<std::string> level_cells(const std::string& strategy, const LevelRow& row);
Json levels_json(const std::vector<LevelRow>& rows);

}  // namespace hopwave::cli
