// Takes & Kosters, Computing the Eccentricity Distribution of Large Graphs, Algorithms 6 (2013): with d the distance of u and
// v, max(d, ecc(v) − d) ≤ ecc(u) ≤ ecc(v) + d. Directed: ecc(v) − d(v, u), d(u, v) ≤ ecc(u) ≤ d(u, v) + ecc(v).
#include "algorithm/eccentricity/eccentricity_bounds.h"

#include <algorithm>
#include <atomic>

#include "bfs/plan/thresholds.h"

namespace hopwave::search_detail {

EccentricityBounds::EccentricityBounds(Team& team, const Graph& graph, bool directed, EccentricityGoal goal)
    : lower(Array<Distance>::filled(graph.num_vertices(), unreached)),
      upper(Array<Distance>::filled(graph.num_vertices(), unreached)),
      team_(team),
      graph_(graph),
      directed_(directed),
      goal_(goal),
      extra_(Array<std::uint8_t>::filled(graph.num_vertices(), 0)) {}

VertexId EccentricityBounds::only_neighbor(VertexId v) const {
  VertexId only = no_vertex;
  for (const VertexId u : graph_.out_neighbors(v)) {
    if (u == v || u == only) continue;
    if (only != no_vertex) return no_vertex;
    only = u;
  }
  return only;
}

/// A vertex of degree 1 at `v`.
VertexId EccentricityBounds::leaf_at(VertexId v) const {
  const auto row = graph_.out_neighbors(v);
  return *std::find_if(row.begin(), row.end(), [&](VertexId u) { return only_neighbor(u) == v; });
}

void EccentricityBounds::begin(std::span<const VertexId> component, bool largest) {
  component_ = component;
  in_largest_ = largest;
  has_ball_ = false;
  turn_ = 1;
  list_.clear();
  const auto most = static_cast<Distance>(std::min<std::size_t>(component.size() - 1, 0x7FFFFFFF));
  // With three vertices or more, a leaf reaches every other vertex through its neighbour: the leaf's eccentricity is the
  // neighbour's plus 1, and no search from the leaf is needed.
  const bool leaves = !directed_ && component.size() > 2;
  for (const VertexId v : component) {
    lower[v] = 1, upper[v] = most;
    const VertexId neighbor = leaves ? only_neighbor(v) : no_vertex;
    if (neighbor == no_vertex)
      list_.push_back(v);
    else
      extra_[neighbor] = 1;
  }
  for (const VertexId v : list_) upper[v] -= extra_[v];
  // The first search starts at the highest degree: such a vertex is rarely far from the middle.
  best_.fill(*std::max_element(list_.begin(), list_.end(),
                               [&](VertexId a, VertexId b) { return graph_.out_degree(a) < graph_.out_degree(b); }));
  count_ = list_.size();
}

void EccentricityBounds::settle(VertexId v, Distance eccentricity) {
  lower[v] = upper[v] = eccentricity;
  if (in_largest_ && (radius_ < 0 || eccentricity < radius_)) radius_ = eccentricity, central_ = v;
}

void EccentricityBounds::learn(VertexId v, const Array<Distance>& from, const Array<Distance>& to, Distance eccentricity,
                               Distance to_depth) {
  settle(v, eccentricity);
  if (longest(v) > diameter_ || from_ == no_vertex) {
    diameter_ = longest(v);
    from_ = extra_[v] ? leaf_at(v) : v;
    to_ =
        *std::find_if(component_.begin(), component_.end(), [&](VertexId u) { return u != from_ && from[u] == eccentricity; });
  }
  if (to_depth > diameter_ && directed_) {
    diameter_ = to_depth;
    from_ = *std::find_if(component_.begin(), component_.end(), [&](VertexId u) { return to[u] == to_depth; });
    to_ = v;
  }
  parallel_for(team_, list_.size(), thresholds::Cpu::vertex_grain, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) {
      const VertexId u = list_[i];
      lower[u] = std::max({lower[u], eccentricity - from[u], to[u]});
      upper[u] = std::min(upper[u], eccentricity + to[u]);
    }
  });
  if (directed_ || goal_ != EccentricityGoal::diameter || (has_ball_ && eccentricity >= ball_eccentricity_)) return;
  if (ball_.empty()) ball_ = Array<Distance>(from.size());
  for (const VertexId u : component_) ball_[u] = from[u];  // not all: there may be as many components as vertices
  ball_eccentricity_ = eccentricity;
  has_ball_ = true;
}

bool EccentricityBounds::wanted(VertexId v) const {
  const Distance low = lower[v], high = longest(v);
  switch (goal_) {
    case EccentricityGoal::diameter:
      return high > diameter_;
    case EccentricityGoal::radius:
      return in_largest_ && (radius_ < 0 || low < radius_);
    case EccentricityGoal::figures:
      return low < upper[v] && (high >= diameter_ || (in_largest_ && (radius_ < 0 || low <= radius_)));
    case EccentricityGoal::every:
      return low < upper[v];
  }
  return false;
}

/// Two vertices at most half of the diameter known away from one centre are no farther apart than that: of a pair that is,
/// one lies outside, and is searched from.
bool EccentricityBounds::covered(VertexId v) const { return has_ball_ && ball_[v] + extra_[v] <= diameter_ / 2; }

void EccentricityBounds::winnow() {
  std::erase_if(list_, [&](VertexId v) { return !wanted(v); });
  struct Best {
    std::array<VertexId, 2> vertex = {no_vertex, no_vertex};
    std::size_t count = 0;
  };
  // The order is a total one: the choice does not depend on threads.
  const auto take = [&](Best& best, VertexId v) {
    for (const std::size_t k : {0u, 1u}) {
      VertexId& b = best.vertex[k];
      if (b == no_vertex) {
        b = v;
        continue;
      }
      Distance more = k == 0 ? longest(v) - longest(b) : lower[b] - lower[v];
      if (more == 0)
        more = graph_.out_degree(v) > graph_.out_degree(b)   ? 1
               : graph_.out_degree(v) < graph_.out_degree(b) ? -1
                                                             : (v < b ? 1 : -1);
      if (more > 0) b = v;
    }
  };
  std::vector<Best> found(static_cast<std::size_t>(team_.size()));
  parallel_for(team_, list_.size(), thresholds::Cpu::vertex_grain, [&](std::size_t begin, std::size_t end, int rank) {
    Best best = found[rank];
    for (std::size_t i = begin; i < end; ++i) {
      if (covered(list_[i])) continue;
      ++best.count;
      take(best, list_[i]);
    }
    found[rank] = best;
  });
  Best best;
  for (const Best& some : found) {
    best.count += some.count;
    for (const VertexId v : some.vertex)
      if (v != no_vertex) take(best, v);
  }
  best_ = best.vertex;
  count_ = best.count;
}

VertexId EccentricityBounds::choose() {
  if (goal_ == EccentricityGoal::radius) return best_[1];
  return best_[turn_++ & 1];
}

std::vector<VertexId> EccentricityBounds::some(std::size_t most) const {
  std::vector<VertexId> found;
  for (const VertexId v : list_) {
    if (found.size() == most) break;
    if (!covered(v)) found.push_back(v);
  }
  return found;
}

Distance EccentricityBounds::greatest() const {
  Distance most = diameter_;
  if (goal_ == EccentricityGoal::diameter) {  // what is not listed, or covered, makes no longer path
    for (const VertexId v : list_)
      if (!covered(v)) most = std::max(most, longest(v));
    return most;
  }
  for (const VertexId v : component_) most = std::max(most, longest(v));
  return most;
}

void EccentricityBounds::end() {
  if (directed_ || component_.size() <= 2) return;
  for (const VertexId v : component_) {
    const VertexId neighbor = only_neighbor(v);
    if (neighbor == no_vertex) continue;
    lower[v] = lower[neighbor] + 1;
    upper[v] = upper[neighbor] + 1;
  }
}

}  // namespace hopwave::search_detail
