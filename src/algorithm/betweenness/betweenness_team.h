// A search of betweenness by a team of threads, or by one, level by level and pulled along incoming arcs where that is cheaper.
// Every value is the same, bit by bit, as that of the plain search: numbers of paths are integers that a double holds exactly,
// so their order does not matter, and the way back adds along each row in its order.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/parallel.h"
#include "hopwave/betweenness.h"
#include "hopwave/graph.h"

namespace hopwave::search_detail {

/// Which threads search from a source: one by the plain search; a thread by one of levels, where that is fit; or all threads
/// together.
enum class BetweennessWay { automatic, plain, levels, team };

/// betweenness() with this choice.
Betweenness betweenness(const Graph& graph, const BetweennessOptions& options, BetweennessWay way);

/// What one source adds to a vertex. All searches use this code, so that results are rounded alike.
struct Back {
  double share = 0;    ///< of all paths that begin in the source and end beyond the vertex
  double carried = 0;  ///< what one of its paths carries
};
inline Back back_of(double paths, double ends, double carried) {
  const double share = paths * carried;
  return {share, (ends + share) / paths};
}

class TeamSearch {
 public:
  /// References only.
  TeamSearch(Team& team, const Graph& graph, const BetweennessOptions& options, const std::vector<bool>& is_target);

  /// `unfit`: more paths than integers of 53 bits can count, or many small levels, each with its own cost; nothing was added
  /// then, nor if `over` has ended it.
  enum class End { done, over, unfit };
  End run(VertexId source, std::span<double> vertex, std::span<double> arc, const std::function<bool()>& over);
  /// Shortest paths between two vertices of the last search.
  [[nodiscard]] double max_paths() const { return static_cast<double>(most_); }

 private:
  using Word = std::uint64_t;
  static constexpr std::size_t bits = 64;

  End count_paths(VertexId source, const std::function<bool()>& over);
  /// `alone`: the team has one member, which needs no atomics.
  template <bool alone>
  void push(std::size_t begin, std::size_t end);
  void pull();
  /// The vertices found become a level and are seen; how many arcs they have, and the most paths of one.
  template <bool alone>
  void gather(bool pulled);
  template <bool alone>
  void add_shares(VertexId source, std::span<double> vertex, std::span<double> arc);
  void add_to_arcs(VertexId v, double paths, std::span<double> arc) const;
  template <bool alone>
  void forget();
  [[nodiscard]] double ends_at(VertexId v) const { return is_target_.empty() || is_target_[v] ? 1 : 0; }

  Team& team_;
  const Graph& graph_;
  const BetweennessOptions& options_;
  const std::vector<bool>& is_target_;
  const VertexId n_;
  const Adjacency* in_;  ///< null: they are not there
  EdgeIndex most_arcs_ = 0;
  /// Paths from the source; 0: not found. On the way back, of vertices that are done, the bits of what one of these paths
  /// carries.
  Array<std::uint64_t> value_;
  Array<Word> seen_;                          ///< vertices of earlier levels and this one; on the way back those not done
  Array<Word> next_;                          ///< what a pull finds
  std::vector<VertexId> order_;               ///< level by level
  std::vector<std::size_t> starts_;           ///< of levels in it
  std::vector<std::vector<VertexId>> found_;  ///< by each thread; with one thread they go to order_ directly
  EdgeIndex arcs_ = 0, left_ = 0;             ///< of the last level; of vertices that were not seen
  std::uint64_t most_ = 0;
};

}  // namespace hopwave::search_detail
