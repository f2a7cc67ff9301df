// Which step the grid-wide traversal takes next: from the state of a search and what its last step found. Plain data without a
// machine: the kernel and tests/bfs/engine/grid_wide_next_step_test.cpp call the same functions.
//
// The first row whose condition holds decides. "After" is the step that is done; "begin" means the sources.
//
// | row | after               | condition                                              | next     | why
// |-----|---------------------|--------------------------------------------------------|----------|---------------------------
// |  1  | all but unqueued    | nothing was found                                      | stop     | the frontier is empty
// |  2  | any                 | the target is visited                                  | stop     | it was all that was asked
// |  3  | any                 | the frontier is at the depth limit                     | stop     | no level may follow
// |  4  | any                 | all vertices that can be reached are visited           | stop     | a step would find nothing
// |  5  | pull                | the vertices left are few, and listed                  | tail     | one block finds them, while
// |     |                     |                                                        |          | the others write the answer
// |  6  | unqueued            |                                                        | pull     | there is no queue to push
// |  7  | pull                | a warp found too many to queue                         | pull     | likewise
// |  8  | pull                | the queue has at least back_edges edges                | pull     | pulling looks at fewer
// |  9  | begin, push, alone  | the queue has at least pull_edges edges                | pull     | likewise
// | 10  | begin, push, alone  | at least unqueued_edges, and not the last level        | unqueued | the next step pulls anyway
// | 11  | begin, push, alone, | vertices and edges are at most what one block may take | alone    | a barrier of the device
// |     | pull                |                                                        |          | costs more than sharing
// | 12  | begin, push, alone, |                                                        | push     |
// |     | pull                |                                                        |          |
//
// A limit of the call (a request to stop, a time limit) makes rows 7 to 12 say stop; row 6 holds, because an unqueued push
// counts nothing, and so does row 5, because a tail is short.
// Row 10 leaves the last level out because an unqueued push counts nothing.
#pragma once

#include <cstdint>

#include "hopwave/types.h"

namespace hopwave::engine {

/// What a step does. push: makes a queue of what it finds. unqueued: a push without a queue. alone: levels pushed by one block.
/// tail: levels pulled by one block, which has a list of all vertices left, while the others write all other answers.
enum Mode : std::uint32_t { push, unqueued, pull, alone, stop, tail };

/// What the barrier at the end of a step brings every block.
struct Totals {
  std::uint64_t visited_bits;         ///< after a pull: bits set so far
  std::uint64_t found_alone;          ///< after levels of one block alone: vertices that it found in all of them
  std::uint64_t single_block_levels;  ///< and how many levels it took
  std::uint64_t found;                ///< vertices found in this step; by one block alone: in its last level
  std::uint64_t edges;                ///< their out-degrees, as far as they were queued
  std::uint64_t incomplete;           ///< blocks that found too many to queue
  std::uint64_t unlisted;             ///< blocks that could not list what they left
  std::uint64_t cancelled;            ///< 1: a limit of the call is reached
};

/// The state of a search: the same in every block, advanced by the same rule from the same totals.
struct Progress {
  std::uint32_t level;      ///< of the frontier
  std::uint32_t base;       ///< what byte levels count from
  std::uint32_t deepest;    ///< the greatest level that any vertex was found at
  std::uint32_t mode;       ///< the step to be taken
  std::uint32_t current;    ///< which visited bitmap
  std::uint32_t step;       ///< picks queues and cursors
  std::uint32_t known;      ///< is `visited` exact?
  std::uint32_t cancelled;  ///< 1: a limit of the call ended the search after `level`
  std::uint64_t visited;
  std::uint64_t frontier;  ///< entries of the queue, or vertices found when there is none
  std::uint64_t edges;     ///< of the queue
};

/// What decides; tests set each threshold to 0 and to "never".
struct StepRule {
  std::uint64_t pull_edges;      ///< pull when the queued frontier has at least so many edges
  std::uint64_t unqueued_edges;  ///< push without making a queue at so many: the next step pulls anyway
  std::uint64_t back_edges;      ///< after a pull: push again below so many edges
  Distance max_depth;            ///< negative: none
};

/// What a search may reach, and what one block may take.
struct StepLimits {
  std::uint64_t padding;                ///< bits of a bitmap past the last vertex, which are always set
  std::uint64_t reachable;              ///< vertices that can be found at all
  std::uint32_t single_block_capacity;  ///< vertices, and edges, that one block may take alone
};

constexpr bool at_depth_limit(const StepRule& rule, std::uint32_t level) {
  return rule.max_depth >= 0 && level >= static_cast<std::uint32_t>(rule.max_depth);
}
constexpr std::uint64_t visited_after_pull(const Totals& t, std::uint64_t padding) { return t.visited_bits - padding; }

/// After a pull: how many vertices an unqueued push just before it found, which counted none.
constexpr std::uint64_t unqueued_before(const Progress& p, const Totals& t, std::uint64_t padding) {
  return p.known ? 0 : visited_after_pull(t, padding) - p.visited - t.found;
}

/// Rows 6 to 12: of p, the level and its frontier. `queued`: that is a queue. `pulled`: a pull has made it.
constexpr std::uint32_t choose_step(const Progress& p, const StepRule& rule, std::uint32_t capacity, bool queued, bool pulled) {
  if (!queued) return pull;
  if (p.edges >= (pulled ? rule.back_edges : rule.pull_edges)) return pull;
  const bool last = p.level + 1 == static_cast<std::uint32_t>(rule.max_depth);
  if (!pulled && !last && p.edges >= rule.unqueued_edges) return unqueued;
  return p.frontier <= capacity && p.edges <= capacity ? alone : push;
}

/// The whole table, once the step p.mode is counted. `listed`: the vertices that it left are few, and listed.
constexpr std::uint32_t next_step(const Progress& p, const Totals& t, const StepRule& rule, const StepLimits& limits,
                                  bool hit_target, bool listed) {
  const bool counted = p.mode != unqueued;
  if (counted && t.found == 0) return stop;
  if (hit_target || at_depth_limit(rule, p.level) || (p.known && p.visited == limits.reachable)) return stop;
  if (listed) return tail;
  const bool pulled = p.mode == pull;
  return choose_step(p, rule, limits.single_block_capacity, pulled ? t.incomplete == 0 : counted, pulled);
}

/// Adds what the step p.mode found.
constexpr void count_step(Progress& p, const Totals& t, std::uint64_t padding) {
  p.level += p.mode == alone ? static_cast<std::uint32_t>(t.single_block_levels) : 1;
  ++p.step;
  if (p.mode == pull && unqueued_before(p, t, padding)) p.deepest = p.level - 1;
  if (p.mode == alone) p.deepest = p.level - 1;  // each of its levels but the last found something
  if (t.found) p.deepest = p.level;
  if (p.mode == unqueued) {
    p.known = 0;
  } else if (p.mode == pull) {
    p.current = 1 - p.current;
    p.visited = visited_after_pull(t, padding);
    p.known = 1;
  } else {
    p.visited += p.mode == alone ? t.found_alone : t.found;
  }
  p.frontier = t.found;
  p.edges = t.edges;
}

/// Updates the progress by what the step found, and picks the next step.
constexpr void advance(Progress& p, const Totals& t, const StepRule& rule, const StepLimits& limits, bool hit_target,
                       bool listed) {
  const bool counted = p.mode != unqueued;
  count_step(p, t, limits.padding);
  p.mode = next_step(p, t, rule, limits, hit_target, listed);
  if (!t.cancelled || !counted || p.mode == stop || p.mode == tail) return;
  p.mode = stop;
  p.cancelled = 1;
}

}  // namespace hopwave::engine
