// The search from both ends that shortest_path() is, for calls of many searches.
#pragma once

#include "core/watch.h"
#include "hopwave/path.h"

namespace hopwave::search_detail {

/// As shortest_path(), within the limits of a call that is under way: `watch` counts, and not options.limits.
Path path_within(const core::Watch& watch, const Graph& graph, VertexId from, VertexId to, const PathOptions& options);

}  // namespace hopwave::search_detail
