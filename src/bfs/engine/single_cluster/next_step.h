// Which step the single-cluster traversal takes next: from the state of a search and what its last step found. Plain data
// without a machine: the kernel and tests/bfs/engine/single_cluster_next_step_test.cpp call the same functions.
//
// The first row whose condition holds decides. "After" is the step that is done; "start" means the sources.
//
// | row | after       | condition                                                   | next  | why
// |-----|-------------|-------------------------------------------------------------|-------|------------------------------
// |  1  | any         | nothing was found                                           | stop  | the frontier is empty
// |  2  | any         | all vertices that can be reached are visited                | stop  | a step would find nothing
// |  3  | any         | the frontier is at the depth limit                          | stop  | no level may follow
// |  4  | any         | the target is visited                                       | stop  | it was all that was asked
// |  5  | pull        | each block may take the level alone, and finds are fading   | pull  | the next pull is likely the
// |     |             |                                                             |       | last: collecting costs more
// |  6  | any         | each block may take the level alone, and it is none at      | alone | spares the cluster's barrier
// |     |             | which blocks must meet                                      |       |
// |  7  | any         | the limit is a share: edges * share >= open edges           | pull  | most open rows find a
// |     |             |                                                             |       | neighbour in the frontier soon
// |  8  | any         | the limit is a share                                        | push  |
// |  9  | any         | the frontier has at least as many edges as the limit        | pull  | the caller asked for it
// | 10  | any         |                                                             | push  | likewise
//
// The limit is back_edges after a pull, else pull_edges. A search with limits of its call (a request to stop, a time limit) has
// all blocks meet every meet_every levels. What one block has read of the halt word comes to all with the totals of a step that
// all take together, and makes rows 5 to 10 say stop.
#pragma once

#include <cstdint>

#include "bfs/engine/grid_wide/next_step.h"
#include "bfs/plan/thresholds.h"

namespace hopwave::engine::single_cluster {

inline constexpr std::uint32_t start = stop + 1;  ///< a mode: sources are given, and are level 0
inline constexpr std::uint64_t by_share = ~std::uint64_t{0};
inline constexpr std::uint32_t meet_every = 256;          ///< levels; a power of two
inline constexpr std::uint32_t cancelled_bit = 1u << 31;  ///< in Total::found: a limit of the call is reached

/// The state of a search; the same in every block.
struct Progress {
  std::uint32_t level;  ///< of the frontier
  std::uint32_t mode;   ///< the step to be taken
  std::uint32_t visited, frontier;
  std::uint32_t edges;  ///< of the frontier
  std::uint32_t open;   ///< of vertices not found yet
};

/// What all blocks found in a step.
struct alignas(8) Total {
  std::uint32_t found, edges;
};

/// Thresholds; tests set each to 0 and to "never".
struct Rule {
  std::uint64_t
      pull_edges;  ///< after a push: pull at so many edges of the frontier; by_share: at a share of those that are open
  std::uint64_t back_edges;          ///< after a pull: push below so many; by_share: the same share
  std::uint64_t single_block_edges;  ///< every block takes a level of no more edges for itself
  std::uint64_t byte_edges;          ///< a push of so many edges marks bytes: no atomics
  std::uint32_t share;               ///< pull when the frontier has at least 1/share of the open edges
  Distance max_depth;
  std::uint32_t limited;  ///< does the call have limits?
};

/// What a search may reach, and what every block may take for itself.
struct Limits {
  std::uint32_t reachable;       ///< vertices that can be found at all
  std::uint32_t alone_vertices;  ///< the most that a frontier may have for that
};

/// Rows 1 to 4: there is nothing left to find, or nothing that was asked for. A search that stops before is one that a limit
/// of its call has ended. (It is asked again at the end: a flag would cost every step a register.)
constexpr bool finished(const Progress& p, std::uint32_t found, const Rule& rule, const Limits& limits, bool hit_target) {
  return found == 0 || p.visited == limits.reachable || p.level == static_cast<std::uint32_t>(rule.max_depth) || hit_target;
}

/// The table. p has counted the step p.mode; only `frontier` is still the one before it.
constexpr std::uint32_t next_step(const Progress& p, const Total& t, const Rule& rule, const Limits& limits, bool hit_target) {
  if (finished(p, t.found, rule, limits, hit_target)) return stop;
  const bool pulled = p.mode == pull;
  const bool meet = rule.limited && p.level % meet_every == meet_every - 1;
  if (t.edges <= rule.single_block_edges && t.found <= limits.alone_vertices && !meet)
    return pulled && std::uint64_t{t.found} * thresholds::AnyDevice::cluster_fading < p.frontier ? pull : alone;
  const std::uint64_t limit = pulled ? rule.back_edges : rule.pull_edges;
  if (limit == by_share) return std::uint64_t{t.edges} * rule.share >= p.open ? pull : push;
  return t.edges >= limit ? pull : push;
}

/// Updates the progress by what the step found, and picks the next step.
constexpr void advance(Progress& p, Total t, const Rule& rule, const Limits& limits, bool hit_target) {
  const bool cancelled = t.found & cancelled_bit;
  t.found &= ~cancelled_bit;
  p.visited += t.found;
  p.open -= t.edges;
  p.mode = next_step(p, t, rule, limits, hit_target);
  if (cancelled) p.mode = stop;
  p.frontier = t.found;
  p.edges = t.edges;
}

}  // namespace hopwave::engine::single_cluster
