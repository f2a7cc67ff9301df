// The search from both ends that shortest_path() is, for calls of many searches.
#pragma once

#include "core/watch.h"
#include "hopwave/path.h"

namespace hopwave::search_detail {

/// As shortest_path(), within a running call: its `watch` has the limits, options.limits are ignored.
Path path_within(const core::Watch& watch, const Graph& graph, VertexId from, VertexId to, const PathOptions& options);

}  // namespace hopwave::search_detail
