// bfs/distributed: one search of several processes, their shares and messages. Nothing that one process alone needs.
//
// Breadth-first search of a graph whose rows are shared out over ranks. docs/several-machines.md is this in prose.
// Source: Buluç, Madduri, Parallel breadth-first search on distributed memory systems, SC'11 (one-dimensional partition);
// Beamer, Buluç, Asanović, Patterson, Distributed memory breadth-first search revisited, MTAAP'13 (bottom-up levels).
// Ours differs: each rank sends a vertex once at most, and parents are the least ones without a further pass.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "bfs/distributed/levels.h"
#include "bfs/distributed/share.h"
#include "bfs/plan/thresholds.h"
#include "core/stopwatch.h"
#include "core/watch.h"
#include "hopwave/run.h"
#include "hopwave/search.h"

namespace hopwave::ranks {

struct SearchSetup {
  Direction direction = Direction::out;
  bool bottom_up = true;  ///< let large levels look back along incoming arcs, which are made if they are not there
  /// Called on every rank between levels; false ends the search on all. May be empty.
  Progress progress = {};
  Limits limits = {};            ///< of each search; what one rank reaches ends all
  bool limits_together = false;  ///< the limit of time is of all searches together, from the first on
  /// This rank's, of the same kind on all; null: ranks search on their CPUs.
  std::shared_ptr<device::Device> device = {};
  const NcclTable* nccl = nullptr;  ///< by which devices exchange; null: by way of their hosts
  /// With NCCL: lists of up to this many vertices still go by way of the hosts.
  std::uint64_t by_hosts = thresholds::Distributed::short_list;
  bool wide_offsets = false;  ///< as in LevelsRequest
  /// A barrier of all ranks before they exchange, so that waiting and exchanging are measured apart. It takes time itself.
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
  Distance limit = -1;  ///< the greatest distance that the query keeps; −1: any
  Milliseconds time = {};
  std::vector<LevelTimes> levels = {};
};

class PartitionedSearch {
 public:
  /// The share must outlive it. Collective. AgreedErrors: those of device_levels(). NCCL's are of one rank alone.
  PartitionedSearch(Transport& transport, Share& share, const SearchSetup& setup);
  /// Collective: the same query on all ranks. Errors: HW-QUERY-EMPTY, -SOURCE, -TARGET, -DEPTH (thrown by all ranks alike);
  /// AgreedErrors HW-INTERRUPTED, HW-CANCELLED, HW-TIME-LIMIT, after which it can search again.
  Answer run(const Query& query);

 private:
  void begin(const Query& query);
  void choose_step();
  void wait();
  void sum_up(Distance level, const Counts& mine);
  void trace(Distance level, const core::Stopwatch& watch, const Traffic& before);
  void finish(const Query& query);

  Transport& transport_;
  const Share& share_;
  const SearchSetup setup_;
  const Steps steps_;
  const std::unique_ptr<Levels> levels_;

  // Of one search.
  std::optional<core::Watch> watch_;
  Answer* answer_ = nullptr;
  Counts totals_;  // of the level just searched, over all ranks
  double waited_ms_ = 0;
  std::uint64_t unexplored_ = 0;       // arcs in rows that no frontier has had
  std::uint64_t frontier_before_ = 0;  // vertices in the frontier before this one
  bool looks_back_ = false;
};

}  // namespace hopwave::ranks
