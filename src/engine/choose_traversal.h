// Which traversal `auto` takes on a device: rules on a graph's figures, and on what a search of it has shown.
// docs/performance-engine.md has the measurements behind the thresholds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace hopwave::engine {

/// What the caller asks for. Negative: by the graph; 0: never; above: always, where the graph fits.
struct Wishes {
  std::int64_t high_diameter = -1, single_cluster = -1, shared_memory = -1;
  bool one_launch_a_level = false;
};

/// What is known of a graph before any search.
struct GraphFigures {
  std::uint64_t num_vertices = 0, num_arcs = 0;
  std::uint64_t max_degree = 0;
  std::uint64_t longest_high_diameter_row = 0;  ///< what a narrow search takes at most; by the width of offsets
  bool relabelled = false;                      ///< prepared: ids by degree, hubs first in every row
  bool cooperative = true;                      ///< the device has launches whose blocks may wait for each other
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
  Choice(const Wishes& wishes, const GraphFigures& graph) : wishes_(wishes), graph_(graph) {}

  /// No cooperative launches here, or not wanted.
  [[nodiscard]] bool by_level() const { return wishes_.one_launch_a_level || !graph_.cooperative; }
  [[nodiscard]] bool levels_were_asked_for() const { return wishes_.one_launch_a_level; }

  /// One block with the graph in its shared memory, if it fits: unless the caller names another traversal.
  [[nodiscard]] bool wants_shared_memory() const {
    if (wishes_.shared_memory >= 0) return wishes_.shared_memory != 0;
    return wishes_.high_diameter < 0 && wishes_.single_cluster <= 0 && !wishes_.one_launch_a_level;
  }
  /// Can one cluster be better than one block, if a look at the levels says so? Diagonals are always better.
  [[nodiscard]] bool may_be_dense(bool diagonals) const {
    return wishes_.shared_memory < 0 && wishes_.single_cluster < 0 && graph_.num_arcs >= least_dense_arcs && !diagonals;
  }
  /// Is it likely to be, without a look?
  [[nodiscard]] bool looks_dense(bool diagonals) const {
    return may_be_dense(diagonals) && graph_.num_arcs >= dense_degree * graph_.num_vertices;
  }
  [[nodiscard]] bool is_dense(const Seen& seen) const { return is_most(seen) && graph_.num_arcs >= dense_level * seen.levels; }
  [[nodiscard]] bool is_most(const Seen& seen) const { return 2 * seen.visited > graph_.num_vertices; }

  /// One cluster with all visited bits in every block. `shown`: by the levels of a search, whatever the number of vertices.
  [[nodiscard]] bool takes_cluster(bool shown) const {
    if (wishes_.single_cluster == 0 || wishes_.one_launch_a_level) return false;
    return wishes_.single_cluster > 0 || shown || is_cluster();
  }
  /// May a search on the whole device show that one cluster would do?
  [[nodiscard]] bool may_show_cluster() const { return wishes_.single_cluster < 0 && graph_.num_arcs <= most_cluster_arcs; }

  /// Can a narrow search be the better one, if a look at the levels says so?
  [[nodiscard]] bool may_be_high_diameter() const {
    if (wishes_.one_launch_a_level) return false;
    if (wishes_.high_diameter >= 0) return wishes_.high_diameter != 0;
    return graph_.max_degree <= graph_.longest_high_diameter_row && graph_.num_arcs <= 24 * graph_.num_vertices;
  }
  [[nodiscard]] bool must_be_high_diameter() const { return wishes_.high_diameter == 1; }
  /// Is it likely to be, without a look? Three-dimensional meshes have as many arcs as some graphs of few levels.
  [[nodiscard]] bool looks_thin() const {
    return may_be_high_diameter() && (must_be_high_diameter() || graph_.num_arcs <= 8 * graph_.num_vertices);
  }
  /// `in_cluster`: the search ran in one cluster with all visited bits in every block, which rich levels suit.
  [[nodiscard]] bool is_thin(const Seen& seen, bool in_cluster) const {
    return seen.levels >= fewest_levels() && seen.width() <= widest_high_diameter && !(in_cluster && is_rich(seen));
  }
  [[nodiscard]] bool is_not_high_diameter(const Seen& seen) const {
    return seen.width() > widest_high_diameter || (is_most(seen) && seen.levels < fewest_levels());
  }
  /// Are there so many arcs a level that the cluster with all bits is faster, if it takes the graph?
  [[nodiscard]] bool is_rich(const Seen& seen) const { return graph_.num_arcs > most_arcs_beside_cluster * seen.levels; }

  /// Has a search on the whole device shown many levels, but of so many arcs that one cluster is better once the graph is
  /// prepared, if it takes it?
  [[nodiscard]] bool suits_cluster(const Seen& seen) const {
    return !by_level() && !must_be_high_diameter() && may_show_cluster() && is_thin(seen, false) && is_rich(seen);
  }

  /// As roads have them: warps that run ahead through longer ones meet each other's vertices again and again.
  [[nodiscard]] bool has_short_rows() const { return graph_.num_arcs <= 4 * graph_.num_vertices; }
  [[nodiscard]] bool may_run_async(const Seen& seen) const { return seen.levels >= fewest_levels_async && has_short_rows(); }

  /// From so many sources on a pass of many searches pays, where single ones run rows or ahead; 0: never. With more vertices
  /// the words of a pass leave the second-level cache, which costs most where single searches run fastest.
  [[nodiscard]] std::size_t high_diameter_pass_from() const {
    return graph_.num_vertices <= most_in_cache ? 20 : graph_.num_vertices <= most_beside_cache ? 50 : 0;
  }

  /// Does an earlier search decide what the next one takes?
  [[nodiscard]] bool learns() const { return wishes_.high_diameter < 0; }

 private:
  /// Beyond a mean level of so many vertices the whole device is faster than one cluster.
  static constexpr std::uint64_t widest_high_diameter = 12288;
  /// Where one cluster with all bits would do, a narrow search is faster up to so many arcs a level only.
  static constexpr std::uint64_t most_arcs_beside_cluster = 8192;
  /// Warps that run ahead correct each other too often where there are fewer levels.
  static constexpr std::uint32_t fewest_levels_async = 100;
  /// Fewer levels than this cost little wherever they run, and twice as many in a cluster with all visited bits in every block.
  static constexpr std::uint32_t fewest_high_diameter_levels = 16;
  /// Larger graphs have too many edges for one cluster, which takes more of them where heads come first.
  static constexpr std::uint64_t most_cluster_arcs = 3'000'000, most_cluster_arcs_relabelled = 4'000'000;
  /// And with more vertices each block has too many of its own.
  static constexpr std::uint64_t most_cluster_vertices = 100'000;
  /// One block is slower than a cluster where a level has so many arcs on average; below that many arcs in all it hardly
  /// matters.
  static constexpr std::uint64_t dense_level = 2000, least_dense_arcs = 1 << 14;
  /// So many arcs a vertex make it likely, before any search has shown it.
  static constexpr std::uint64_t dense_degree = 12;
  static constexpr std::uint64_t most_in_cache = 1'000'000, most_beside_cache = 4'000'000;

  [[nodiscard]] bool is_cluster() const {
    return !by_level() && graph_.num_vertices <= most_cluster_vertices &&
           graph_.num_arcs <= (graph_.relabelled ? most_cluster_arcs_relabelled : most_cluster_arcs);
  }
  [[nodiscard]] std::uint32_t fewest_levels() const {
    return wishes_.single_cluster != 0 && is_cluster() ? 2 * fewest_high_diameter_levels : fewest_high_diameter_levels;
  }

  Wishes wishes_;
  GraphFigures graph_;
};

}  // namespace hopwave::engine
