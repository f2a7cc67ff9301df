// Which step many searches in one pass (MS-BFS) take next: from where they stand and what the last step found. Plain data
// without a machine: the kernels and tests/bfs/engine/ms_bfs_next_step_test.cpp call the same functions.
//
// A level takes one step or more. The first row whose condition holds decides. "After" is the step that is done; begin stands
// for the sources.
//
// | row | after         | condition                                             | next     | why
// |-----|---------------|-------------------------------------------------------|----------|---------------------------------
// |  1  | select        | thin searches have few edges, but some                | spread   | the pull need not look for them
// |  2  | select        |                                                       | pull     | none, or too many to spread
// |  3  | spread        |                                                       | pull     | it takes up what was spread
// |  4  | unqueued      | the next words are whole, and so the visited ones     | pull     | of the level after: no count
// |  5  | unqueued      |                                                       | pull     | of the same level: it counts
// |  6  | begin, push,  | nothing was found, or the frontier is at the limit    | stop     | no level may follow
// |     | pull, gather  |                                                       |          |
// |  7  | pull          | all searches took part, the rows left open are few    | tail     | one block pulls them, alone
// |     |               | and listed, and the level's digits have planes        |          |
// |  8  | pull          | fewer than back_edges edges                           | gather   | pushing looks at fewer
// |  9  | pull          |                                                       | pull     |
// | 10  | begin, push   | at least pull_edges edges                             | pull     | pulling looks at fewer
// | 11  | begin, push,  | at least unqueued_edges edges                         | unqueued | many bits a word: claiming costs
// |     | gather        |                                                       |          | more than counting later
// | 12  | begin, push,  |                                                       | push     |
// |     | gather        |                                                       |          |
//
// A pull that rows 9 or 10 give becomes a select if the hub's word tells that
// many searches are late (tell_apart). A tail decides for itself (tail.h). Any step but stop pauses the pass where
// distances need more digits than there are planes.
#pragma once

#include <cstdint>

#include "bfs/plan/thresholds.h"
#include "hopwave/types.h"

namespace hopwave::engine {

/// A pull may have two steps before it, for searches whose frontiers are still thin while those of others are thick. `select`
/// makes a queue of the thin searches' frontier, and `spread` pushes it, so that the pull need not read rows to their end for
/// them. `unqueued` pushes the whole queue in the same way, without claiming. The pull that follows counts what it found, and
/// looks at no row if the words from before must be kept for others. In a tail one block pulls several levels from a list.
enum MsBfsMode : std::uint32_t {
  ms_bfs_begin,
  ms_bfs_push,
  ms_bfs_pull,
  ms_bfs_gather,
  ms_bfs_select,
  ms_bfs_spread,
  ms_bfs_unqueued,
  ms_bfs_tail,
  ms_bfs_stop
};

/// Where the searches stand; every block advances it by the same rule from the same totals.
struct MsBfsProgress {
  std::uint32_t mode;
  std::uint32_t level;      ///< of the frontier: the next step finds level + 1
  std::uint32_t current;    ///< which visited words
  std::uint32_t step;       ///< picks totals
  std::uint32_t turn;       ///< picks queues and fresh words
  std::uint32_t paused;     ///< the next level has more digits than there are planes: the host must bring more
  std::uint32_t mixed;      ///< the pull finds bits in the next words that a spread left there
  std::uint32_t behind;     ///< the last level was an unqueued push: the pull also marks and counts what it brought
  std::uint32_t pulled;     ///< there has been a pull
  std::uint32_t deepest;    ///< the last level that any was found at
  std::uint32_t cancelled;  ///< 1: a limit of the call ended the searches
  std::uint32_t no_hole;    ///< all bytes that the host reads are written
  std::uint64_t queued;     ///< entries of this step's queue; 0 after a pull
  std::uint64_t old;        ///< entries of the last step's, whose fresh words are to be cleared
  std::uint64_t older;      ///< entries of the queue before that
  std::uint64_t edges;
  std::uint64_t thin;     ///< entries of a selection
  std::uint64_t left;     ///< rows that the last pull listed as open
  std::uint64_t thick;    ///< what a pull looks for: bits of searches that have reached the hub, or all
  std::uint64_t visited;  ///< vertices found so far, counted once for each level that brought them a search
};

/// What a step found.
struct MsBfsFound {
  std::uint64_t queued, queue_edges;  ///< of the queue that it made
  std::uint64_t brought;              ///< after a pull: vertices that an unqueued push had brought
  std::uint64_t found, edges;         ///< after a pull
  std::uint64_t left;                 ///< rows listed that are still open
  std::uint64_t work;                 ///< their arcs; much more where not all are listed
  std::uint64_t cancelled;            ///< 1: a limit of the call is reached
};

/// What decides; tests set each threshold to 0 and to "never".
struct MsBfsRule {
  std::uint64_t pull_edges, back_edges;
  std::uint64_t unqueued_edges;  ///< a queue of so many edges is pushed without claiming
  std::uint64_t thin_edges;      ///< a selection of so many edges is not spread
  std::uint64_t tail_work;       ///< a pull that leaves no more arcs of open rows, nor
  std::uint32_t tail_rows;       ///< more of them than this, is the last by all blocks
  std::uint32_t lists_tail;      ///< do pulls list those rows?
  std::uint32_t num_planes;      ///< binary digits that distances may have
  Distance max_depth;            ///< negative: none
  std::uint64_t full;            ///< bits of all searches
};

constexpr bool is_deepest(const MsBfsRule& rule, std::uint32_t level) {
  return rule.max_depth >= 0 && level >= static_cast<std::uint32_t>(rule.max_depth);
}
constexpr bool needs_planes(const MsBfsRule& rule, std::uint32_t level) { return (level + 1) >> rule.num_planes != 0; }
constexpr bool running(const MsBfsProgress& p) { return p.mode != ms_bfs_stop && !p.paused; }

/// Are so few of the searches late that a pull need not treat them apart?
constexpr bool few_late(std::uint32_t late, std::uint32_t searches) {
  return late * thresholds::AnyDevice::ms_bfs_thin_share < searches;
}

/// May an unqueued push be whole? It adds to the next words. If all that was visited before still stands in queues, it can
/// bring that there too.
constexpr bool whole_unqueued(const MsBfsProgress& p) { return !p.pulled && p.level <= 2; }

/// After an unqueued push: may row 4 apply? Then no thread writes the next words before the step after the next, and the hub's
/// word may be read there: it must not show late searches.
constexpr bool may_skip_count(const MsBfsProgress& p, const MsBfsRule& rule) {
  return whole_unqueued(p) && !is_deepest(rule, p.level + 1) && !needs_planes(rule, p.level + 1);
}

/// Rows 1 to 3.
constexpr void advance_thin(MsBfsProgress& p, const MsBfsFound& f, const MsBfsRule& rule) {
  const bool selected = p.mode == ms_bfs_select;
  p.thin = f.queued;
  p.edges = f.queue_edges;
  p.mixed = !selected;
  if (selected && p.edges >= rule.thin_edges) p.thick = rule.full;
  p.mode = selected && p.thin && p.edges < rule.thin_edges ? ms_bfs_spread : ms_bfs_pull;
}

/// Rows 4 and 5. If the next words are whole they become the visited words at once, and those from before show what is new;
/// else a step over all vertices counts first.
constexpr void advance_unqueued(MsBfsProgress& p, const MsBfsRule& rule, bool skips_count) {
  p.mode = ms_bfs_pull;
  p.mixed = 1;
  p.thick = 0;
  if (!skips_count) return;
  ++p.turn;
  ++p.level;
  p.old = p.queued;
  p.queued = 0;
  p.current = 1 - p.current;
  p.mixed = 0;
  p.behind = 1;
  p.thick = rule.full;
}

/// Adds what a begin, push, pull or gather found; returns how many vertices.
constexpr std::uint64_t count_step(MsBfsProgress& p, const MsBfsFound& f) {
  const bool pulled = p.mode == ms_bfs_pull, gathered = p.mode == ms_bfs_gather;
  ++p.turn;
  p.older = p.old;
  p.old = p.queued;
  p.queued = pulled ? 0 : f.queued;
  if (p.mode == ms_bfs_push || pulled) ++p.level;
  const std::uint64_t found = pulled ? f.found : p.queued;
  p.edges = pulled ? f.edges : f.queue_edges;
  if (pulled) {
    p.current = 1 - p.current;
    p.pulled = 1;
    p.visited += f.brought;
    if (p.behind && !found && !f.brought) --p.level;  // nor did the unqueued push find any
    if (f.brought) p.deepest = p.level - 1;
    p.behind = 0;
    p.left = f.left;
  }
  if (gathered) return found;
  p.visited += found;
  if (found) p.deepest = p.level;
  return found;
}

/// Rows 6 to 12, once the step p.mode is counted. `found`: vertices. `listed`: a pull has listed the rows that it left open.
constexpr std::uint32_t next_step(const MsBfsProgress& p, const MsBfsFound& f, const MsBfsRule& rule, std::uint64_t found,
                                  bool listed) {
  if (!found || is_deepest(rule, p.level)) return ms_bfs_stop;
  if (listed && f.work <= rule.tail_work && f.left <= rule.tail_rows && !needs_planes(rule, p.level)) return ms_bfs_tail;
  if (p.mode == ms_bfs_pull) return p.edges < rule.back_edges ? ms_bfs_gather : ms_bfs_pull;
  if (p.edges >= rule.pull_edges && p.mode != ms_bfs_gather) return ms_bfs_pull;
  return p.edges >= rule.unqueued_edges ? ms_bfs_unqueued : ms_bfs_push;
}

/// After a begin, push, pull or gather.
constexpr void advance_level(MsBfsProgress& p, const MsBfsFound& f, const MsBfsRule& rule) {
  const bool listed = p.mode == ms_bfs_pull && p.thick && rule.lists_tail;
  const std::uint64_t found = count_step(p, f);
  p.mode = next_step(p, f, rule, found, listed);
  if (f.cancelled && p.mode != ms_bfs_stop && p.mode != ms_bfs_tail) {
    p.mode = ms_bfs_stop;
    p.cancelled = 1;
  }
  if (p.mode != ms_bfs_pull) return;
  p.mixed = 0;
  p.thick = rule.full;
}

/// Before a pull: makes it a select if too many searches are late. `reached`: the searches that have reached the hub.
constexpr void tell_apart(MsBfsProgress& p, std::uint64_t reached) {
  p.thick = reached;
  p.mode = ms_bfs_select;
}

constexpr void pause_for_planes(MsBfsProgress& p, const MsBfsRule& rule) {
  p.paused = p.mode != ms_bfs_stop && needs_planes(rule, p.level);
}

}  // namespace hopwave::engine
