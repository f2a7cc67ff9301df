// Which traversal `auto` changes to after a search of a graph that is not prepared. Plain data without a machine;
// tests/bfs/engine/change_traversal_test.cpp goes through the table.
//
// The first row whose condition holds decides. "Now" is the traversal that made the search.
//
// | row | now            | condition                                                    | next           | why
// |-----|----------------|--------------------------------------------------------------|----------------|--------------------
// |  1  | any            | the caller says whether high-diameter; or the graph is       | none           | nothing to learn
// |     |                | prepared                                                     |                |
// |  2  | shared-memory  | rows, not a small graph, most of it found in levels of many  | single-cluster | 16 blocks share them
// |     |                | arcs, and the caller asked for neither of the two            |                |
// |  3  | any            | a spare waits, and most of the graph was found in levels of  | the spare      | degrees misled the
// |     |                | few arcs                                                     |                | first choice
// |  4  | high-diameter  | levels are wide or few                                       | grid-wide      | the whole device
// |     |                |                                                              |                | shares them
// |  5  | grid-wide      | most was found, in many levels of many arcs each, and a      | single-cluster | its barrier is
// |     |                | cluster may take the graph                                   |                | cheaper
// |  6  | grid-wide,     | many small levels, high-diameter may be right, and never     | high-diameter  | its barrier is the
// |     | single-cluster | was before; not if the caller asked for the single cluster   |                | cheapest
// |  7  | high-diameter, | many levels in short rows of a large graph, for the first    | high-diameter  | warps run ahead
// |     | in lock-step   | time                                                         |                | asynchronously
// |  8  | any            |                                                              | none           |
//
// Row 5 is left out once the cluster has refused the graph. Row 6 looks at what was before, and row 7 at whether it was taken,
// so that a graph changes a few times at most.
#pragma once

#include "bfs/engine/choose_traversal.h"

namespace hopwave::engine {

/// What earlier searches of the plan have led to.
struct History {
  bool prepared = false;
  bool has_spare = false;          ///< the traversal from before the first choice is kept
  bool was_high_diameter = false;  ///< changing back would not be the last change
  bool knows_thin = false;         ///< row 7 was taken
  bool cluster_refused = false;    ///< after this search
};

enum class Change { none, to_single_cluster, to_spare, to_grid_wide, to_high_diameter, to_async };

/// Is it worth looking at the first levels, before a whole search in lock-step shows what the table wants to know? Then the
/// table is asked with what they show. On graphs of short rows that end earlier, the look is the search.
inline bool wants_look(const Choice& choice, const TraversalFacts& now, const History& history) {
  return !history.prepared && choice.learns() && now.kind == TraversalKind::high_diameter && now.lock_step &&
         !history.knows_thin && choice.has_short_rows() && choice.is_large_for_async();
}

/// The table.
inline Change next_traversal(const Choice& choice, const TraversalFacts& now, const History& history, const Seen& seen) {
  if (history.prepared || !choice.learns()) return Change::none;
  const bool grid_wide = now.kind == TraversalKind::grid_wide, high_diameter = now.kind == TraversalKind::high_diameter,
             in_cluster = now.kind == TraversalKind::single_cluster;
  const bool thin = choice.is_thin(seen, in_cluster), most = choice.is_most(seen);
  if (now.kind == TraversalKind::shared_memory && choice.may_be_dense(now.diagonals) && choice.is_dense(seen))
    return Change::to_single_cluster;
  if (history.has_spare && most && !choice.is_dense(seen)) return Change::to_spare;
  if (high_diameter && choice.is_not_high_diameter(seen)) return Change::to_grid_wide;
  if (grid_wide && choice.may_show_cluster() && most && thin && choice.is_rich(seen) && !history.cluster_refused)
    return Change::to_single_cluster;
  if ((grid_wide || (in_cluster && choice.may_leave_cluster())) && !history.was_high_diameter && thin &&
      choice.may_be_high_diameter())
    return Change::to_high_diameter;
  if (high_diameter && !history.knows_thin && now.lock_step && thin && choice.may_run_async(seen) &&
      choice.is_large_for_async())
    return Change::to_async;
  return Change::none;
}

}  // namespace hopwave::engine
