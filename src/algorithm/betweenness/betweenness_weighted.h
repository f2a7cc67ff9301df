// A search of betweenness by weights, by one thread: Dijkstra's algorithm, then numbers of paths along the arcs that give
// exactly the distance of their end, and the way back. Arcs that do not change the distance, because they weigh 0 or too
// little, join vertices of one distance, which are put into an order in which such arcs lead forwards; a cycle of them has no
// such order.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "algorithm/betweenness/betweenness_plain.h"
#include "algorithm/near.h"
#include "hopwave/error.h"

namespace hopwave::search_detail {

class WeightedSearch {
 public:
  /// References only. `least`: the least weight; `arcs` are those of graph.out().
  WeightedSearch(const Graph& graph, const sssp::Arcs& arcs, double least, const BetweennessOptions& options,
                 const std::vector<bool>& is_target)
      : graph_(graph),
        arcs_(arcs),
        least_(least),
        options_(options),
        is_target_(is_target),
        near_(arcs, false),
        nodes_(graph.num_vertices()),
        before_(graph.num_vertices()) {}

  /// False: the call is to end; nothing was added.
  bool run(VertexId source, Lane& lane, Ending& ending) {
    if (!near_.all(source, [&] { return ending.now(); })) return false;
    std::span<const VertexId> order = near_.order();
    const double farthest = near_.distance(order.back());
    // A weight of at least the gap between doubles there changes every sum.
    if (least_ < std::nextafter(farthest, std::numeric_limits<double>::infinity()) - farthest) order = in_order(order);
    lane.farthest = std::max(lane.farthest, farthest);
    count_paths(source, order, lane);
    add_shares(source, order, lane);
    return true;
  }

 private:
  struct Node {
    double value;  ///< as in PlainSearch
    std::int32_t exponent;
  };

  [[nodiscard]] double ends_at(VertexId v) const { return is_target_.empty() || is_target_[v] ? 1 : 0; }

  /// Calls use(neighbour, arc) for the arcs of u that give their end's distance. A self-loop is on no path.
  template <class Use>
  void each_tight(VertexId u, Use&& use) const {
    EdgeIndex arc = arcs_.offsets[u];
    const double d = near_.distance(u);
    arcs_.each_of(u, [&](VertexId v, double weight) {
      const EdgeIndex at = arc++;
      const double sum = d + weight;
      if (sum == near_.distance(v) && sum != no_path && v != u) use(v, at);
    });
  }
  /// The same for those that join vertices of one distance.
  template <class Use>
  void each_flat(VertexId u, Use&& use) const {
    each_tight(u, [&](VertexId v, EdgeIndex at) {
      if (near_.distance(v) == near_.distance(u)) use(v, at);
    });
  }

  /// The same vertices; those of one distance so that the arcs between them lead forwards.
  std::span<const VertexId> in_order(std::span<const VertexId> order) {
    order_.clear();
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
      while (end < order.size() && near_.distance(order[end]) == near_.distance(order[begin])) ++end;
      const auto group = order.subspan(begin, end - begin);
      for (const VertexId v : group) before_[v] = 0;
      for (const VertexId u : group) each_flat(u, [&](VertexId v, EdgeIndex) { ++before_[v]; });
      for (const VertexId v : group)
        if (before_[v] == 0) order_.push_back(v);
      for (std::size_t i = begin; i < order_.size(); ++i)
        each_flat(order_[i], [&](VertexId v, EdgeIndex) {
          if (--before_[v] == 0) order_.push_back(v);
        });
      if (order_.size() < end) refuse_cycle(group);
    }
    return order_;
  }

  /// What is left of a group has arcs that lead to it from what is left: going back along them, one comes to a cycle.
  [[noreturn]] void refuse_cycle(std::span<const VertexId> group) const {
    std::vector<bool> seen(nodes_.size(), false);
    VertexId to = no_vertex, from = *std::find_if(group.begin(), group.end(), [&](VertexId v) { return before_[v] > 0; });
    EdgeIndex arc = 0;
    while (!seen[from]) {
      seen[from] = true;
      to = from;
      from = no_vertex;
      for (const VertexId u : group)
        if (before_[u] > 0 && (from == no_vertex || !seen[from]))
          each_flat(u, [&](VertexId v, EdgeIndex at) {
            if (v == to) from = u, arc = at;
          });
    }
    throw Error({.failure = Failure::input,
                 .id = "HW-BETWEENNESS-ZERO",
                 .where = {.file = graph_.read_report().source},
                 .found = "a cycle of arcs that add nothing to the length of a path, with that from " + graph_.name(from) +
                          " to " + graph_.name(to) + " of weight " + (arcs_.weighted() ? graph_.out().weights.text(arc) : "1"),
                 .expected = "no such cycle: the number of shortest paths is not defined there",
                 .hint = "an edge of weight 0 is such a cycle; join its two vertices, or give it a weight"});
  }

  void count_paths(VertexId source, std::span<const VertexId> order, Lane& lane) {
    for (const VertexId v : order) nodes_[v] = {0, 0};
    nodes_[source].value = 1;
    double most = 1;
    for (const VertexId u : order) {
      const Node from = nodes_[u];
      most = std::max(most, from.exponent ? std::ldexp(from.value, exponent_step * from.exponent) : from.value);
      each_tight(u, [&](VertexId v, EdgeIndex) { add_paths(nodes_[v], from); });
    }
    lane.max_paths = std::max(lane.max_paths, most);
  }

  void add_shares(VertexId source, std::span<const VertexId> order, Lane& lane) {
    double targets = 0;
    for (std::size_t i = order.size(); i-- > 0;) {
      const VertexId v = order[i];
      const Node node = nodes_[v];
      const double ends = v == source ? 0 : ends_at(v);
      double carried = 0;
      each_tight(v, [&](VertexId w, EdgeIndex at) {
        const double one = moved(nodes_[w].value, node.exponent, nodes_[w].exponent);
        carried += one;
        if (options_.arcs) lane.arc[at] += node.value * one;
      });
      const Back back = back_of(node.value, ends, carried);
      nodes_[v].value = back.carried;
      targets += ends;
      if (v != source) lane.vertex[v] += options_.endpoints ? back.share + ends : back.share;
    }
    if (options_.endpoints) lane.vertex[source] += targets;
  }

  const Graph& graph_;
  const sssp::Arcs arcs_;
  const double least_;
  const BetweennessOptions& options_;
  const std::vector<bool>& is_target_;
  sssp::Near near_;
  Array<Node> nodes_;
  Array<VertexId> before_;       ///< of each vertex of a group: arcs from vertices of it that have no place yet
  std::vector<VertexId> order_;  ///< only where there may be such arcs
};

}  // namespace hopwave::search_detail
