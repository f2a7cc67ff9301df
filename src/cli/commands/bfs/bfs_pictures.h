// What `hopwave bfs` draws: a search of a small graph, and where the time of searches went.
#pragma once

#include "cli/commands/bfs/bfs.h"
#include "draw/map_picture.h"

namespace hopwave::cli {

/// What cannot be drawn, before any work.
void check_pictures(const BfsArguments& arguments);

/// Writes the picture with the answer.
void draw(const BfsJob& job, const Graph& graph, picture::Subject& subject, const Query& query, const Result& result);

/// Writes the map with the levels.
void write_map(const BfsJob& job, const Graph& graph, const picture::Places& places, const Query& query, const Result& result);

/// One row per search. Preparing and copying are the searcher's, before the first.
void write_timeline(const BfsJob& job, const Graph& graph, const SearchSummary& report);

}  // namespace hopwave::cli
