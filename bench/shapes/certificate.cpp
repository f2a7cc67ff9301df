#include "shapes/certificate.h"

#include <algorithm>
#include <limits>

namespace hopwave::shapes {
namespace {

std::string at(const char* what, std::uint64_t v, const char* has, std::int64_t value) {
  return std::string(what) + " " + std::to_string(v) + " " + has + " " + std::to_string(value);
}

}  // namespace

Certificate::Certificate(const Graph& graph, Direction direction)
    : graph_(graph),
      direction_(graph.directed() ? direction : Direction::out),
      is_source_(graph.num_vertices(), 0),
      nearer_(graph.num_vertices(), 0) {}

void Certificate::wrong(std::string text) {
  if (wrong_.empty()) wrong_ = std::move(text);
}

/// step(u, v): the search may go from u to v. Stops at the first error, at most one row later.
template <class Step>
void Certificate::each_step(Step&& step) const {
  const EdgeIndex* const offsets = graph_.out().offsets.data();
  const VertexId* const neighbors = graph_.out().neighbors.data();
  const VertexId n = graph_.num_vertices();
  for (VertexId u = 0; u < n && wrong_.empty(); ++u)
    for (EdgeIndex e = offsets[u]; e < offsets[u + 1ull]; ++e) {
      if (direction_ != Direction::in) step(u, neighbors[e]);
      if (direction_ != Direction::out) step(neighbors[e], u);
    }
}

void Certificate::check_vertices(const Query& query, const Result& result) {
  const VertexId n = graph_.num_vertices();
  for (const VertexId s : query.sources) is_source_[s] = 1;
  std::uint64_t reached = 0;
  Distance depth = 0;
  for (VertexId v = 0; v < n; ++v) {
    const Distance d = result.distance[v];
    if (d < unreached || d > limit_) wrong(at("vertex", v, "is beyond every limit at", d));
    if ((d == 0) != (is_source_[v] != 0)) wrong(at(is_source_[v] ? "source" : "vertex", v, "has distance", d));
    reached += d >= 0;
    depth = std::max(depth, d);
  }
  for (const VertexId s : query.sources) is_source_[s] = 0;
  if (reached != result.reached) wrong("reached is " + std::to_string(result.reached) + ", counted " + std::to_string(reached));
  if (depth != result.depth) wrong("depth is " + std::to_string(result.depth) + ", found " + std::to_string(depth));
}

void Certificate::check_steps(const Query& query, const Result& result) {
  const Distance* const distance = result.distance.data();
  const Distance limit = limit_;
  const bool least = query.parents && query.ties == Ties::min, parents = query.parents;
  std::fill(nearer_.begin(), nearer_.end(), 0);
  if (least) least_.assign(graph_.num_vertices(), no_vertex);
  each_step([&](VertexId u, VertexId v) {
    const Distance from = distance[u], to = distance[v];
    if (from < 0) return;
    if (to == from + 1) {
      nearer_[v] |= parents && result.parent[v] == u ? 3 : 1;
      if (least) least_[v] = std::min(least_[v], u);
    } else if ((to < 0 || to > from + 1) && from < limit) {
      wrong("step from " + std::to_string(u) + " to " + std::to_string(v) + ": distances " + std::to_string(from) + " and " +
            std::to_string(to));
    }
  });
  if (!wrong_.empty()) return;
  for (VertexId v = 0; v < graph_.num_vertices(); ++v)
    if (distance[v] > 0 && !nearer_[v]) return wrong(at("no neighbour is nearer than vertex", v, "at", distance[v]));
}

void Certificate::check_parents(const Query& query, const Result& result) {
  for (VertexId v = 0; v < graph_.num_vertices(); ++v) {
    const VertexId p = result.parent[v];
    const bool right = result.distance[v] <= 0   ? p == no_vertex
                       : query.ties == Ties::min ? p == least_[v]
                                                 : (nearer_[v] & 2) != 0;
    if (!right) return wrong(at("vertex", v, "has the parent", p));
  }
}

std::string Certificate::check(const Query& query, const Result& result) {
  wrong_.clear();
  const VertexId n = graph_.num_vertices();
  if (result.distance.size() != n) return std::to_string(result.distance.size()) + " distances";
  if (result.parent.size() != (query.parents ? n : 0u)) return std::to_string(result.parent.size()) + " parents";
  limit_ = query.max_depth < 0 ? std::numeric_limits<Distance>::max() - 1 : query.max_depth;
  if (query.target != no_vertex && result.distance[query.target] >= 0) limit_ = std::min(limit_, result.distance[query.target]);
  check_vertices(query, result);
  if (wrong_.empty()) check_steps(query, result);
  if (wrong_.empty() && query.parents) check_parents(query, result);
  return wrong_;
}

Oracle::Oracle(const Graph& graph, Direction direction) : next_(graph.num_vertices()) {
  const bool forwards = !graph.directed() || direction != Direction::in;
  const bool backwards = graph.directed() && direction != Direction::out;
  for (VertexId u = 0; u < graph.num_vertices(); ++u)
    for (const VertexId v : graph.out_neighbors(u)) {
      if (forwards) next_[u].push_back(v);
      if (backwards) next_[v].push_back(u);
    }
}

std::vector<Distance> Oracle::distances(const Query& query) const {
  std::vector<Distance> distance(next_.size(), unreached);
  std::vector<VertexId> queue;
  for (const VertexId s : query.sources)
    if (distance[s] < 0) {
      distance[s] = 0;
      queue.push_back(s);
    }
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const VertexId v : next_[queue[i]])
      if (distance[v] < 0) {
        distance[v] = distance[queue[i]] + 1;
        queue.push_back(v);
      }
  Distance limit = query.max_depth < 0 ? std::numeric_limits<Distance>::max() : query.max_depth;
  if (query.target != no_vertex && distance[query.target] >= 0) limit = std::min(limit, distance[query.target]);
  for (Distance& d : distance)
    if (d > limit) d = unreached;
  return distance;
}

}  // namespace hopwave::shapes
