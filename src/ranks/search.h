// Breadth-first search of a graph whose rows are shared out over ranks. docs/several-machines.md is this in prose.
// Source: Buluç, Madduri, Parallel breadth-first search on distributed memory systems, SC'11 (one-dimensional partition);
// Beamer, Buluç, Asanović, Patterson, Distributed memory breadth-first search revisited, MTAAP'13 (bottom-up levels).
// Ours differs: each rank sends a vertex once at most, and parents are the least ones without a further pass.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/stopwatch.h"
#include "core/watch.h"
#include "hopwave/limits.h"
#include "hopwave/search.h"
#include "ranks/share.h"

namespace hopwave::ranks {

struct SearchSetup {
  Direction direction = Direction::out;
  bool bottom_up = true;  ///< let large levels look back along incoming arcs, which are made if they are not there
  /// Called on every rank between levels; false ends the search on all. May be empty.
  std::function<bool(std::uint32_t level, std::uint64_t frontier)> progress = {};
  Limits limits = {};            ///< of each search; what one rank reaches ends all
  bool limits_together = false;  ///< the limit of time is of all searches together, from the first on
  /// Let all ranks meet before they exchange, so that waiting and exchanging are told apart. Takes time itself.
  bool measure_wait = false;
};

/// Where one rank's time of a level went, and what it sent to others.
struct RankTimes {
  double compute_ms = 0;
  double wait_ms = 0;      ///< for the slowest rank; 0 unless measured: then it is part of exchange_ms
  double exchange_ms = 0;  ///< in collective calls
  std::uint64_t bytes_sent = 0;
};

/// One level: counts are of all ranks, times of this one.
struct LevelTimes {
  LevelTrace trace = {};
  RankTimes mine = {};
};

/// The answer for this rank's vertices, in their order; figures are of the whole graph and the same on all ranks.
struct Answer {
  Array<Distance> distance = {};
  Array<VertexId> parent = {};  ///< empty unless asked for; vertices of the whole graph; the least of those possible
  VertexId reached = 0;
  Distance depth = 0;
  std::vector<std::uint64_t> level_sizes = {};
  std::uint64_t edges = 0;     ///< of the part reached, as Graph500 counts them
  std::uint64_t examined = 0;  ///< arcs looked at
  std::uint64_t bytes_sent = 0;
  Distance limit = -1;  ///< the greatest distance that the query lets stand; −1: any
  double milliseconds = 0;
  std::vector<LevelTimes> levels = {};
};

class PartitionedSearch {
 public:
  /// The share must outlive it. Collective.
  PartitionedSearch(Transport& transport, Share& share, const SearchSetup& setup);
  /// Collective: the same query on all ranks. Errors: HW-QUERY-EMPTY, -SOURCE, -TARGET, -DEPTH (thrown by all ranks alike);
  /// AgreedErrors HW-INTERRUPTED, HW-CANCELLED, HW-TIME-LIMIT, after which it can search again.
  Answer run(const Query& query);

 private:
  /// What a level has to tell, summed up over the ranks by one call.
  struct Totals {
    std::uint64_t vertices = 0;   ///< discovered: the next frontier
    std::uint64_t arcs = 0;       ///< in their rows
    std::uint64_t examined = 0;   ///< arcs looked at
    std::uint64_t at_target = 0;  ///< is the target among them?
    std::uint64_t stops = 0;      ///< ranks whose caller wants to stop, or whose time is over
  };
  void begin(const Query& query);
  void top_down(Distance level);
  void bottom_up(Distance level);
  void choose_step();
  void claim(VertexId v, VertexId parent, Distance level);
  void gather_frontier();
  void wait();
  void sum_up(Distance level);
  void trace(Distance level, const core::Stopwatch& watch, const Traffic& before);
  void finish();

  Transport& transport_;
  const Share& share_;
  const SearchSetup setup_;
  const Steps steps_;

  // One bit a vertex of the whole graph.
  std::vector<std::uint64_t> known_;        // sent to its owner, or known to be visited: not sent again
  std::vector<std::uint64_t> in_frontier_;  // for bottom-up levels
  std::vector<std::uint64_t> gathered_;     // words of all ranks, one behind the other
  std::vector<std::uint64_t> words_;        // how many words hold each rank's vertices

  // Of one search.
  const Query* query_ = nullptr;
  std::optional<core::Watch> watch_;
  Answer* answer_ = nullptr;
  std::vector<VertexId> frontier_, next_;  // this rank's, ascending
  std::vector<std::vector<VertexId>> to_, from_;
  Totals mine_, totals_;  // of the level just searched: this rank's, and of all
  double waited_ms_ = 0;
  std::uint64_t unexplored_ = 0;       // arcs in rows that no frontier has had
  std::uint64_t frontier_before_ = 0;  // vertices in the frontier before this one
  bool looks_back_ = false;
};

}  // namespace hopwave::ranks
