// The plain search of betweenness, by one thread with a queue; lanes of sources, whose sums are added up in a fixed order; what
// can end a call early.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include "algorithm/betweenness/betweenness_team.h"
#include "core/watch.h"
#include "hopwave/betweenness.h"

namespace hopwave::search_detail {

inline constexpr int exponent_step = 512;  // bits
inline constexpr double step_up = 0x1p512, step_down = 0x1p-512;
inline constexpr std::size_t looked_between_stops = std::size_t{1} << 16;

/// A part of the sources, searched in their order, and its sums. The parts depend only on the graph and on the
/// request, so that the sums do not depend on the threads.
struct Lane {
  std::size_t begin = 0, end = 0;
  Array<double> vertex, arc;
  std::uint64_t searched = 0;
  double max_paths = 0, farthest = 0;  ///< `farthest`: by weights
  std::atomic<bool> done{false};       ///< all of it was searched
};

/// What can end a call early; every thread checks it.
class Ending {
 public:
  explicit Ending(const core::Watch& watch) : watch_(watch) {}
  [[nodiscard]] bool now() {
    if (!ended() && watch_.limited() && watch_.over()) end();
    return ended();
  }
  [[nodiscard]] bool ended() const { return ended_.load(std::memory_order_relaxed); }
  void end() { ended_.store(true, std::memory_order_relaxed); }

 private:
  const core::Watch& watch_;
  std::atomic<bool> ended_{false};
};

/// `value` with another exponent, in steps of 512.
inline double moved(double value, int from, int to) {
  return from == to ? value : std::ldexp(value, exponent_step * std::clamp(from - to, -4, 4));
}
/// Adds numbers of paths, each a value times 2^(512 · exponent).
template <class To, class From>
void add_paths(To& to, const From& from) {
  if (to.exponent == from.exponent) {
    to.value += from.value;
  } else {
    const int exponent = std::max(to.exponent, from.exponent);
    to.value = moved(to.value, to.exponent, exponent) + moved(from.value, from.exponent, exponent);
    to.exponent = exponent;
  }
  if (to.value > step_up) to.value *= step_down, ++to.exponent;
}

/// Searches from one source at a time. Each thread has one.
class PlainSearch {
 public:
  PlainSearch(const Graph& graph, const BetweennessOptions& options, const std::vector<bool>& is_target)
      : graph_(graph), options_(options), is_target_(is_target), nodes_(graph.num_vertices()) {
    std::fill(nodes_.begin(), nodes_.end(), Node{0, 0, unreached});
    order_.reserve(graph.num_vertices());
  }

  /// False: the call is to end; nothing was added.
  bool run(VertexId source, Lane& lane, Ending& ending) {
    const bool done = count_paths(source, lane, ending);
    if (done) add_shares(source, lane);
    for (const VertexId v : order_) nodes_[v].distance = unreached;
    order_.clear();
    return done;
  }

 private:
  struct Node {
    /// Shortest paths from the source, times 2^(512 · exponent). On the way back, of vertices that are done, what one of these
    /// paths carries, times 2^(−512 · exponent).
    double value;
    std::int32_t exponent;
    Distance distance;
  };

  [[nodiscard]] double ends_at(VertexId v) const { return is_target_.empty() || is_target_[v] ? 1 : 0; }

  bool count_paths(VertexId source, Lane& lane, Ending& ending) {
    nodes_[source] = {1, 0, 0};
    order_.push_back(source);
    double most = 1;
    std::size_t looked = 0;
    const VertexId* order = order_.data();  // has room for all
    const EdgeIndex* offsets = graph_.out().offsets.data();
    const VertexId* neighbors = graph_.out().neighbors.data();
    Node* nodes = nodes_.data();
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const VertexId v = order[i];
      const Node from = nodes[v];
      const Distance next = from.distance + 1;
      most = std::max(most, from.exponent ? std::ldexp(from.value, exponent_step * from.exponent) : from.value);
      const EdgeIndex row = offsets[v], row_end = offsets[v + std::size_t{1}];
      for (EdgeIndex at = row; at < row_end; ++at) {
        const VertexId w = neighbors[at];
        Node& node = nodes[w];
        if (node.distance == unreached) {
          node = {from.value, from.exponent, next};
          order_.push_back(w);
        } else if (node.distance == next) {
          add_paths(node, from);
        }
      }
      if ((looked += row_end - row + 1) < looked_between_stops) continue;
      looked = 0;
      if (ending.now()) return false;
    }
    lane.max_paths = std::max(lane.max_paths, most);
    return true;
  }

  void add_shares(VertexId source, Lane& lane) {
    // Local copies of what the loop reads: after a store to the sums the compiler must read members of `this` again.
    const VertexId* order = order_.data();
    const EdgeIndex* offsets = graph_.out().offsets.data();
    const VertexId* neighbors = graph_.out().neighbors.data();
    Node* nodes = nodes_.data();
    double *of_vertex = lane.vertex.data(), *of_arc = options_.arcs ? lane.arc.data() : nullptr;
    const bool endpoints = options_.endpoints;
    double targets = 0;
    for (std::size_t i = order_.size(); i-- > 0;) {
      const VertexId v = order[i];
      Node node = nodes[v];
      const double ends = v == source ? 0 : ends_at(v);
      const Distance next = node.distance + 1;
      double carried = 0;
      for (EdgeIndex at = offsets[v], row_end = offsets[v + std::size_t{1}]; at < row_end; ++at) {
        const Node& behind = nodes[neighbors[at]];
        if (behind.distance != next) continue;
        const double one = moved(behind.value, node.exponent, behind.exponent);
        carried += one;
        if (of_arc) of_arc[at] += node.value * one;
      }
      const Back back = back_of(node.value, ends, carried);
      nodes[v].value = back.carried;
      targets += ends;
      if (v != source) of_vertex[v] += endpoints ? back.share + ends : back.share;
    }
    if (options_.endpoints) lane.vertex[source] += targets;
  }

  const Graph& graph_;
  const BetweennessOptions& options_;
  const std::vector<bool>& is_target_;
  Array<Node> nodes_;
  std::vector<VertexId> order_;
};

}  // namespace hopwave::search_detail
