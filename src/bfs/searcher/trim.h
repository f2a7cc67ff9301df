// Work on the distances after a strategy: trims them to the query, counts, derives parents.
#pragma once

#include "bfs/plan/plan.h"
#include "core/parallel.h"

namespace hopwave::search_detail {

/// The greatest distance that a query keeps: max_depth, and the target's own where it was reached.
Distance depth_limit(const Query& query, const Distance* distance);

/// Sets what lies beyond the query's limit to unreached (its parent to no_vertex) and fills reached and depth.
void trim_and_count(Team& team, const Query& query, Result& result);

/// Sets the number of levels by the answer. The trace keeps one step that found nothing; later ones (an unqueued push, and the
/// pull that shows that it found nothing) are removed, and so are steps beyond the query's limit, whose finds were trimmed.
void agree_with_answer(Result& result);

/// result.parent from result.distance: each vertex takes its least neighbour one level up, so the answer is the same
/// everywhere. One pass over the arcs: backward ones with an early end, or forward ones with atomic minima.
void derive_parents(Team& team, const strategy::View& view, Result& result);

}  // namespace hopwave::search_detail
