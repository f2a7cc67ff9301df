// Rows of shortest paths with weights, as text and CSV.
#pragma once

#include <functional>
#include <string>

#include "cli/frame/json.h"
#include "cli/frame/row_text.h"
#include "core/parallel.h"
#include "hopwave/shortest_paths.h"

namespace hopwave::cli {

/// A distance in the fewest digits that read back as the same double; -1 for no_path.
void put_distance(double distance, RowText& text);
std::string distance_text(double distance);
Json distance_json(double distance);

/// Throws HW-FORMAT-WRITE for an ending other than .txt, .tsv and .csv.
void check_weighted_output(const std::string& output);
/// A row a vertex in ascending order of internal ids: id, distance and, with `parents`, parent. `check` may throw to stop.
void write_weighted(const std::string& output, const Graph& graph, const WeightedResult& result, bool parents, Team& team,
                    const std::function<void()>& check);

}  // namespace hopwave::cli
