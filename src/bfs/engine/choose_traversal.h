// Which traversal `auto` takes on a device: rules on a graph's figures, and on what a search of it has shown.
// bfs/plan/thresholds.h has the numbers, change_traversal.h what a search changes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "bfs/plan/thresholds.h"
#include "hopwave/types.h"

namespace hopwave::engine {

enum class TraversalKind { grid_wide, high_diameter, single_cluster, shared_memory, level_launches };

constexpr const char* name_of(TraversalKind kind) {
  switch (kind) {
    case TraversalKind::grid_wide:
      return "grid-wide";
    case TraversalKind::high_diameter:
      return "high-diameter";
    case TraversalKind::single_cluster:
      return "single-cluster";
    case TraversalKind::shared_memory:
      return "shared-memory";
    case TraversalKind::level_launches:
      return "one launch a level";
  }
  return "";
}

/// What the rules ask of a traversal.
struct TraversalFacts {
  TraversalKind kind = TraversalKind::grid_wide;
  bool diagonals = false;  ///< shared-memory: bits are shifted along diagonals
  bool lock_step = false;  ///< high-diameter: a barrier after every level
};

/// What the caller asks for. Negative: by the graph; 0: never; above: always, where the graph fits.
struct Wishes {
  std::int64_t high_diameter = -1, single_cluster = -1, shared_memory = -1, per_source = -1;
  bool one_launch_a_level = false;
};

/// What is known of a graph before any search.
struct GraphFigures {
  std::uint64_t num_vertices = 0, num_arcs = 0;
  std::uint64_t max_degree = 0;
  bool relabelled = false;  ///< prepared: ids by degree, hubs first in every row
  bool cooperative = true;  ///< the device has launches whose blocks may wait for each other
};

/// What a search has shown.
struct Seen {
  std::uint64_t visited = 0;
  std::uint32_t levels = 0;  ///< the greatest distance
  std::uint32_t steps = 0;   ///< where they were counted

  [[nodiscard]] std::uint64_t width() const { return visited / std::max(levels, 1u); }
};

class Choice {
 public:
  Choice() = default;
  Choice(const Wishes& wishes, const GraphFigures& graph, const thresholds::Device& at = thresholds::h200)
      : wishes_(wishes), graph_(graph), at_(at) {}

  /// No cooperative launches here, or not wanted.
  [[nodiscard]] bool by_level() const { return wishes_.one_launch_a_level || !graph_.cooperative; }

  /// The traversal that a parameter asks for, and that parameter as it was given. None: the graph decides.
  struct Asked {
    TraversalKind kind;
    std::string parameter;
  };
  [[nodiscard]] std::optional<Asked> asked() const {
    if (wishes_.one_launch_a_level) return Asked{TraversalKind::level_launches, "level_launches=1"};
    if (wishes_.shared_memory > 0)
      return Asked{TraversalKind::shared_memory, "shared_memory=" + std::to_string(wishes_.shared_memory)};
    if (wishes_.high_diameter > 0) return Asked{TraversalKind::high_diameter, "high_diameter=1"};
    if (wishes_.single_cluster > 0) return Asked{TraversalKind::single_cluster, "single_cluster=1"};
    return std::nullopt;
  }

  /// One block with the graph in its shared memory, if it fits, unless the caller names another traversal.
  [[nodiscard]] bool wants_shared_memory() const {
    if (wishes_.shared_memory >= 0) return wishes_.shared_memory != 0;
    return wishes_.high_diameter < 0 && wishes_.single_cluster <= 0 && !wishes_.one_launch_a_level;
  }
  /// May one cluster be better than one block, if the levels of a search say so? Diagonals are always better.
  [[nodiscard]] bool may_be_dense(bool diagonals) const {
    return wishes_.shared_memory < 0 && wishes_.single_cluster < 0 && graph_.num_arcs >= at_.least_dense_arcs && !diagonals;
  }
  /// Is it likely, before any search?
  [[nodiscard]] bool looks_dense(bool diagonals) const {
    return may_be_dense(diagonals) && graph_.num_arcs >= at_.dense_degree * graph_.num_vertices;
  }
  [[nodiscard]] bool is_dense(const Seen& seen) const {
    return is_most(seen) && graph_.num_arcs >= at_.dense_level * seen.levels;
  }
  [[nodiscard]] bool has_hubs() const { return graph_.max_degree * graph_.num_vertices >= at_.hub_share * graph_.num_arcs; }
  [[nodiscard]] bool is_most(const Seen& seen) const { return 2 * seen.visited > graph_.num_vertices; }

  /// One cluster with all visited bits in every block. `shown`: by the levels of a search, whatever the number of vertices.
  [[nodiscard]] bool takes_cluster(bool shown) const {
    if (wishes_.single_cluster == 0 || wishes_.one_launch_a_level) return false;
    return wishes_.single_cluster > 0 || shown || is_cluster();
  }
  /// May a search on the whole device show that one cluster would do?
  [[nodiscard]] bool may_show_cluster() const { return wishes_.single_cluster < 0 && graph_.num_arcs <= at_.most_cluster_arcs; }

  /// May high-diameter be the better traversal, if the levels of a search say so?
  [[nodiscard]] bool may_be_high_diameter() const {
    if (wishes_.one_launch_a_level) return false;
    if (wishes_.high_diameter >= 0) return wishes_.high_diameter != 0;
    return graph_.max_degree <= at_.longest_high_diameter_row &&
           graph_.num_arcs <= at_.high_diameter_degree * graph_.num_vertices;
  }
  [[nodiscard]] bool must_be_high_diameter() const { return wishes_.high_diameter == 1; }
  /// Is it likely, before any search? Three-dimensional meshes have as many arcs as some graphs of few levels.
  [[nodiscard]] bool looks_thin() const {
    return may_be_high_diameter() && (must_be_high_diameter() || graph_.num_arcs <= at_.thin_degree * graph_.num_vertices);
  }
  /// `in_cluster`: the search ran in one cluster with all visited bits in every block, which suits levels of many arcs.
  [[nodiscard]] bool is_thin(const Seen& seen, bool in_cluster) const {
    return seen.levels >= fewest_levels() && seen.width() <= widest(seen) && !(in_cluster && is_rich(seen));
  }
  [[nodiscard]] bool is_not_high_diameter(const Seen& seen) const {
    return seen.width() > widest(seen) || (is_most(seen) && seen.levels < fewest_levels());
  }
  /// Are there so many arcs a level that the cluster with all bits is faster, if it takes the graph?
  [[nodiscard]] bool is_rich(const Seen& seen) const { return graph_.num_arcs > at_.most_arcs_beside_cluster * seen.levels; }

  /// Has a search on the whole device shown many levels, but of so many arcs that one cluster is better once the graph is
  /// prepared, if it takes it?
  [[nodiscard]] bool suits_cluster(const Seen& seen) const {
    return !by_level() && !must_be_high_diameter() && may_show_cluster() && is_thin(seen, false) && is_rich(seen);
  }

  /// Short as on roads: in longer rows, asynchronous warps find each other's vertices again and again.
  [[nodiscard]] bool has_short_rows() const { return graph_.num_arcs <= at_.short_row_degree * graph_.num_vertices; }
  [[nodiscard]] bool is_large_for_async() const { return graph_.num_vertices >= at_.fewest_async_vertices; }
  [[nodiscard]] bool may_run_async(const Seen& seen) const {
    return seen.levels >= at_.fewest_levels_async && has_short_rows();
  }

  /// Levels after which a search has shown that it may run asynchronously, or else is too wide for high-diameter.
  [[nodiscard]] Distance look_depth() const { return static_cast<Distance>(at_.fewest_levels_async); }

  /// From how many sources on MS-BFS pays, where single searches run as `now` says; 0: never. With more vertices its words no
  /// longer fit into the second-level cache, which costs most where single searches are fastest.
  [[nodiscard]] std::size_t ms_bfs_from(const TraversalFacts& now) const {
    switch (now.kind) {
      case TraversalKind::shared_memory:
        return now.diagonals ? 0 : at_.ms_bfs_shared_memory;
      case TraversalKind::single_cluster:
        return at_.ms_bfs_single_cluster;
      case TraversalKind::grid_wide:
        return at_.ms_bfs_grid_wide;
      case TraversalKind::level_launches:
        return at_.ms_bfs_level_launches;
      case TraversalKind::high_diameter:
        break;
    }
    const bool for_now = has_short_rows() && is_large_for_async();  // a search will show that it may run asynchronously
    if (now.lock_step && !for_now) return at_.ms_bfs_high_diameter_csr;
    return graph_.num_vertices <= at_.most_in_cache       ? at_.ms_bfs_in_cache
           : graph_.num_vertices <= at_.most_beside_cache ? at_.ms_bfs_beside_cache
                                                          : 0;
  }

  /// Shall searches from many sources each have a block of their own? On thin graphs their frontiers seldom meet, so that a
  /// pass has nothing to share, and a block is all that a level needs. A thread walks a row.
  [[nodiscard]] bool wants_per_source(const TraversalFacts& now) const {
    if (wishes_.per_source >= 0) return wishes_.per_source != 0;
    return now.kind == TraversalKind::high_diameter ||
           (now.kind == TraversalKind::shared_memory && graph_.max_degree <= at_.longest_high_diameter_row);
  }
  /// May a look at first levels show that? High-diameter may not have been taken for want of clusters.
  [[nodiscard]] bool may_want_per_source() const { return wishes_.per_source < 0 && learns() && looks_thin(); }
  [[nodiscard]] std::size_t per_source_from() const { return wishes_.per_source > 0 ? 1 : at_.per_source; }

  /// Passes of MS-BFS that run at the same time where distances are only counted. The words of all of them are to stay in the
  /// second-level cache.
  [[nodiscard]] std::size_t passes_in_flight() const { return at_.passes_in_flight(graph_.num_vertices); }

  /// May a search that began in the single cluster be followed by one elsewhere?
  [[nodiscard]] bool may_leave_cluster() const { return wishes_.single_cluster < 0; }
  /// Does an earlier search decide what the next one takes?
  [[nodiscard]] bool learns() const { return wishes_.high_diameter < 0; }

 private:
  [[nodiscard]] bool is_cluster() const {
    return !by_level() && graph_.num_vertices <= at_.most_cluster_vertices &&
           graph_.num_arcs <= (graph_.relabelled ? at_.most_cluster_arcs_relabelled : at_.most_cluster_arcs);
  }
  /// In lock-step, few blocks share a level, or one where there are no clusters; asynchronous warps share it with all.
  [[nodiscard]] std::uint64_t widest(const Seen& seen) const {
    const bool async = !by_level() && may_run_async(seen);  // so many such levels are a large graph
    return async ? std::max(at_.widest_async, at_.widest_high_diameter) : at_.widest_high_diameter;
  }
  [[nodiscard]] std::uint32_t fewest_levels() const {
    return wishes_.single_cluster != 0 && is_cluster() ? 2 * at_.fewest_high_diameter_levels : at_.fewest_high_diameter_levels;
  }

  Wishes wishes_;
  GraphFigures graph_;
  thresholds::Device at_ = thresholds::h200;
};

}  // namespace hopwave::engine
