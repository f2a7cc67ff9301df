// Which step many searches in one pass (MS-BFS) take next: from their state and what the last step found. Plain data
// without a machine: the kernels and tests/bfs/engine/ms_bfs_next_step_test.cpp call the same functions.
//
// A level takes one step or more. The first row whose condition holds decides. "After" is the step that is done; begin means
// for the sources.
//
// | row | after         | condition                                             | next     | why
// |-----|---------------|-------------------------------------------------------|----------|---------------------------------
// |  1  | unqueued      | the next words are whole, and so the visited ones     | pull     | of the level after: no count
// |  2  | unqueued      |                                                       | pull     | of the same level: it counts
// |  3  | begin, push,  | nothing was found, or the frontier is at the limit    | stop     | no level may follow
// |     | pull, gather  |                                                       |          |
// |  4  | pull          | the rows left open are few and listed, and the        | tail     | one block pulls them, alone
// |     |               | level's digits have planes                            |          |
// |  5  | pull          | fewer than back_edges edges                           | gather   | pushing looks at fewer
// |  6  | pull          |                                                       | pull     |
// |  7  | begin, push   | at least pull_edges edges                             | pull     | pulling looks at fewer
// |  8  | begin, push,  | at least unqueued_edges edges                         | unqueued | many bits a word: claiming costs
// |     | gather        |                                                       |          | more than counting later
// |  9  | begin, push,  |                                                       | push     |
// |     | gather        |                                                       |          |
//
// A tail decides for itself (tail.h). Any step but stop pauses the pass where distances need more digits than there are planes.
#pragma once

#include <cstdint>

#include "bfs/plan/thresholds.h"
#include "hopwave/types.h"

namespace hopwave::engine::ms_bfs {

/// `unqueued` pushes the whole queue into the next words without claiming. The pull that follows counts what it found, and
/// looks at no row if the words from before must be kept for others. In a tail one block pulls several levels from a list.
enum class Mode : std::uint32_t { begin, push, pull, gather, unqueued, tail, stop };

/// What a pull does besides looking for new bits, or instead.
struct Pull {
  std::uint32_t only_counts;  ///< the next words hold what an unqueued push has found: it looks at no row
  std::uint32_t behind;       ///< the last level was an unqueued push: it also marks and counts what that brought
};
/// Entries of the last queues.
struct Queues {
  std::uint64_t queued;  ///< of this step's; 0 after a pull
  std::uint64_t old;     ///< of the last step's, whose fresh words are to be cleared
  std::uint64_t older;   ///< of the one before that
};

/// The state of the searches; every block advances it by the same rule from the same totals. What a step may read of it:
/// | mode             | pull | queues.queued | old | older    | left
/// |------------------|------|---------------|-----|----------|-----
/// | push             |      | yes           | yes |          |
/// | unqueued         |      | yes           | yes | if whole |
/// | pull             | yes  | yes           | yes |          |
/// | gather           |      |               | yes |          |
/// | tail             |      |               | yes |          | yes
/// | any, the rest    | level, current, step, turn, edges, visited and the flags hold always
struct Progress {
  Mode mode;
  std::uint32_t level;      ///< of the frontier: the next step finds level + 1
  std::uint32_t current;    ///< which visited words
  std::uint32_t step;       ///< picks totals
  std::uint32_t turn;       ///< picks queues and fresh words
  std::uint32_t paused;     ///< the next level has more digits than there are planes: the host must bring more
  std::uint32_t pulled;     ///< there has been a pull
  std::uint32_t deepest;    ///< the last level that any was found at
  std::uint32_t cancelled;  ///< 1: a limit of the call ended the searches
  std::uint32_t no_hole;    ///< all bytes that the host reads are written
  Pull pull;
  Queues queues;
  std::uint64_t edges;
  std::uint64_t left;     ///< rows that the last pull listed as open
  std::uint64_t visited;  ///< vertices found so far, counted once for each level that brought them a search
};

/// What a step found.
struct Found {
  std::uint64_t queued, queue_edges;  ///< of the queue that it made
  std::uint64_t brought;              ///< after a pull: vertices that an unqueued push had brought
  std::uint64_t found, edges;         ///< after a pull
  std::uint64_t left;                 ///< rows listed that are still open
  std::uint64_t work;                 ///< their arcs; much more where not all are listed
  std::uint64_t cancelled;            ///< 1: a limit of the call is reached
};

/// What decides; tests set each threshold to 0 and to "never".
struct Rule {
  std::uint64_t pull_edges, back_edges;
  std::uint64_t unqueued_edges;  ///< a queue of so many edges is pushed without claiming
  std::uint64_t tail_work;       ///< a pull that leaves no more arcs of open rows, nor
  std::uint32_t tail_rows;       ///< more of them than this, is the last by all blocks
  std::uint32_t lists_tail;      ///< do pulls list those rows?
  std::uint32_t num_planes;      ///< binary digits that distances may have
  Distance max_depth;            ///< negative: none
  std::uint64_t full;            ///< bits of all searches
};

constexpr bool is_deepest(const Rule& rule, std::uint32_t level) {
  return rule.max_depth >= 0 && level >= static_cast<std::uint32_t>(rule.max_depth);
}
constexpr bool needs_planes(const Rule& rule, std::uint32_t level) { return (level + 1) >> rule.num_planes != 0; }
constexpr bool running(const Progress& p) { return p.mode != Mode::stop && !p.paused; }

/// May an unqueued push be whole? It adds to the next words. If all that was visited before is still in queues, it can
/// bring that there too.
constexpr bool whole_unqueued(const Progress& p) { return !p.pulled && p.level <= 2; }

/// After an unqueued push: may row 1 apply? Then no thread writes the next words before the step after the next.
constexpr bool may_skip_count(const Progress& p, const Rule& rule) {
  return whole_unqueued(p) && !is_deepest(rule, p.level + 1) && !needs_planes(rule, p.level + 1);
}

/// Rows 1 and 2. If the next words are whole they become the visited words at once, and those from before show what is new;
/// else a step over all vertices counts first.
constexpr void advance_unqueued(Progress& p, bool skips_count) {
  p.mode = Mode::pull;
  p.pull.only_counts = !skips_count;
  if (!skips_count) return;
  ++p.turn;
  ++p.level;
  p.queues.old = p.queues.queued;
  p.queues.queued = 0;
  p.current = 1 - p.current;
  p.pull.behind = 1;
}

/// Adds what a begin, push, pull or gather found; returns how many vertices.
constexpr std::uint64_t count_step(Progress& p, const Found& f) {
  const bool pulled = p.mode == Mode::pull, gathered = p.mode == Mode::gather;
  ++p.turn;
  p.queues.older = p.queues.old;
  p.queues.old = p.queues.queued;
  p.queues.queued = pulled ? 0 : f.queued;
  if (p.mode == Mode::push || pulled) ++p.level;
  const std::uint64_t found = pulled ? f.found : p.queues.queued;
  p.edges = pulled ? f.edges : f.queue_edges;
  if (pulled) {
    p.current = 1 - p.current;
    p.pulled = 1;
    p.visited += f.brought;
    if (p.pull.behind && !found && !f.brought) --p.level;  // nor did the unqueued push find any
    if (f.brought) p.deepest = p.level - 1;
    p.pull.behind = 0;
    p.left = f.left;
  }
  if (gathered) return found;
  p.visited += found;
  if (found) p.deepest = p.level;
  return found;
}

/// Rows 3 to 9, once the step p.mode is counted. `found`: vertices. `listed`: a pull has listed the rows that it left open.
constexpr Mode next_step(const Progress& p, const Found& f, const Rule& rule, std::uint64_t found, bool listed) {
  if (!found || is_deepest(rule, p.level)) return Mode::stop;
  if (listed && f.work <= rule.tail_work && f.left <= rule.tail_rows && !needs_planes(rule, p.level)) return Mode::tail;
  if (p.mode == Mode::pull) return p.edges < rule.back_edges ? Mode::gather : Mode::pull;
  if (p.edges >= rule.pull_edges && p.mode != Mode::gather) return Mode::pull;
  return p.edges >= rule.unqueued_edges ? Mode::unqueued : Mode::push;
}

/// After a begin, push, pull or gather.
constexpr void advance_level(Progress& p, const Found& f, const Rule& rule) {
  const bool listed = p.mode == Mode::pull && !p.pull.only_counts && rule.lists_tail;
  const std::uint64_t found = count_step(p, f);
  p.mode = next_step(p, f, rule, found, listed);
  if (f.cancelled && p.mode != Mode::stop && p.mode != Mode::tail) {
    p.mode = Mode::stop;
    p.cancelled = 1;
  }
  if (p.mode == Mode::pull) p.pull.only_counts = 0;
}

constexpr void pause_for_planes(Progress& p, const Rule& rule) {
  p.paused = p.mode != Mode::stop && needs_planes(rule, p.level);
}

}  // namespace hopwave::engine::ms_bfs
