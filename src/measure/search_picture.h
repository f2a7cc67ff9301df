// What a picture shows of a search: the graph, the strategy that ran with its parameters, and the answer.
#pragma once

#include <string>

#include "draw/subject.h"
#include "hopwave/search.h"

namespace hopwave::picture {

/// Before the search, whose answer take_result() adds.
Subject subject_of(const Graph& graph, const Searcher& searcher, const SearchOptions& options);
/// Searches, with parents and a trace, and takes the answer.
Subject searched(const Graph& graph, const Query& query, const SearchOptions& options);
/// "from 0, 5", and before it what was asked for: the strategy, or both orders.
std::string title_of(const Subject& subject, const std::string& graph, bool against_depth_first);

}  // namespace hopwave::picture
