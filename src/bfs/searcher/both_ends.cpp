// Bidirectional breadth-first search between two vertices.
// Source: I. Pohl, Bi-directional Search, Machine Intelligence 6 (1971). Ours grows the end that has fewer arcs ahead.
#include "bfs/searcher/both_ends.h"

#include <algorithm>
#include <string>

#include "core/options.h"
#include "core/stopwatch.h"
#include "hopwave/error.h"
#include "hopwave/path.h"

namespace hopwave::search_detail {
namespace {

/// One end of the search: the vertices it has reached, their parents, and the level to grow next.
class End {
 public:
  /// `arcs` has one or two adjacencies (two where directions are ignored).
  End(VertexId n, std::vector<const Adjacency*> arcs, VertexId start)
      : arcs_(std::move(arcs)), met_(Array<std::uint64_t>::filled(n / 64 + std::size_t{1}, 0)), parent_(n), level_{start} {
    met_[start / 64] |= std::uint64_t{1} << start % 64;
    parent_[start] = no_vertex;
    count_arcs();
  }

  [[nodiscard]] bool has(VertexId v) const { return met_[v / 64] >> v % 64 & 1; }
  [[nodiscard]] std::uint64_t arcs_ahead() const { return arcs_ahead_; }
  [[nodiscard]] const std::vector<VertexId>& level() const { return level_; }
  [[nodiscard]] VertexId parent(VertexId v) const { return parent_[v]; }
  [[nodiscard]] std::uint64_t visited() const { return visited_; }
  [[nodiscard]] std::uint64_t examined() const { return examined_; }

  /// Grows by one level. Returns the first vertex that `other` has met as well, or no_vertex.
  /// Both ends grow whole levels and had met nothing in common before, so the first common vertex is on a shortest path.
  VertexId grow(const End& other) {
    next_.clear();
    for (const VertexId u : level_) {
      for (const Adjacency* a : arcs_) {
        for (EdgeIndex e = a->offsets[u]; e < a->offsets[u + 1ull]; ++e) {
          const VertexId w = a->neighbors[e];
          ++examined_;
          if (has(w)) continue;
          met_[w / 64] |= std::uint64_t{1} << w % 64;
          parent_[w] = u;
          ++visited_;
          if (other.has(w)) return w;
          next_.push_back(w);
        }
      }
    }
    level_.swap(next_);
    count_arcs();
    return no_vertex;
  }

 private:
  void count_arcs() {
    arcs_ahead_ = 0;
    for (const VertexId u : level_)
      for (const Adjacency* a : arcs_) arcs_ahead_ += a->offsets[u + 1ull] - a->offsets[u];
  }

  std::vector<const Adjacency*> arcs_;
  Array<std::uint64_t> met_;
  Array<VertexId> parent_;  // valid where met_ is set; otherwise not initialised
  std::vector<VertexId> level_, next_;
  std::uint64_t arcs_ahead_ = 0, visited_ = 1, examined_ = 0;
};

void check_vertex(const Graph& graph, VertexId v) {
  if (v < graph.num_vertices()) return;
  throw Error({.failure = Failure::input,
               .id = "HW-QUERY-SOURCE",
               .found = "vertex " + std::to_string(v),
               .expected = "a vertex below " + std::to_string(graph.num_vertices())});
}

std::vector<const Adjacency*> arcs_along(const Graph& graph, Direction direction) {
  if (!graph.directed() || direction == Direction::out) return {&graph.out()};
  if (!graph.has_in())
    throw Error({.failure = Failure::usage,
                 .id = "HW-GRAPH-NO-IN",
                 .found = "a directed graph without incoming arcs",
                 .expected = "ensure_in() before a path backwards"});
  if (direction == Direction::in) return {&graph.in()};
  return {&graph.out(), &graph.in()};
}

Direction reverse(Direction direction) {
  return direction == Direction::out ? Direction::in : direction == Direction::in ? Direction::out : Direction::both;
}

std::vector<VertexId> join(const End& first, const End& last, VertexId meeting) {
  std::vector<VertexId> path;
  for (VertexId v = meeting; v != no_vertex; v = first.parent(v)) path.push_back(v);
  std::reverse(path.begin(), path.end());
  for (VertexId v = last.parent(meeting); v != no_vertex; v = last.parent(v)) path.push_back(v);
  return path;
}

}  // namespace

Path path_within(const core::Watch& watch, const Graph& graph, VertexId from, VertexId to, const PathOptions& options) {
  core::require_named(options.direction, Direction::both, "direction");
  if (options.max_depth < -1)
    throw Error({.failure = Failure::usage,
                 .id = "HW-QUERY-DEPTH",
                 .found = "a greatest length of " + std::to_string(options.max_depth),
                 .expected = "0 or more, or -1 for none"});
  check_vertex(graph, from);
  check_vertex(graph, to);
  const core::Stopwatch clock;
  const bool both_ends = graph.has_in() || options.direction != Direction::out;
  End first(graph.num_vertices(), arcs_along(graph, options.direction), from);
  End last(graph.num_vertices(), both_ends ? arcs_along(graph, reverse(options.direction)) : arcs_along(graph, Direction::out),
           to);
  VertexId meeting = from == to ? from : no_vertex;
  Distance grown = 0;
  while (meeting == no_vertex && !first.level().empty() && !last.level().empty()) {
    if (options.max_depth >= 0 && grown >= options.max_depth) break;
    if (watch.over()) watch.fail("the search ended after level " + std::to_string(grown));
    const bool forwards = !both_ends || first.arcs_ahead() <= last.arcs_ahead();
    meeting = forwards ? first.grow(last) : last.grow(first);
    ++grown;
    const auto frontier = (forwards ? first : last).level().size();
    if (options.run.progress &&
        !options.run.progress({.what = "levels", .done = static_cast<std::uint64_t>(grown), .amount = frontier}))
      throw Error({.failure = Failure::interrupted, .id = "HW-INTERRUPTED", .found = "stopped by the caller"});
  }
  Path path;
  path.visited = first.visited() + last.visited() - (meeting != no_vertex);
  path.edges_examined = first.examined() + last.examined();
  if (meeting != no_vertex) {
    path.found = true;
    path.vertices = join(first, last, meeting);
    path.length = static_cast<Distance>(path.vertices.size() - 1);
  }
  path.run.work = clock.elapsed();
  return path;
}

}  // namespace hopwave::search_detail

namespace hopwave::inline v0_1 {

Path shortest_path(const Graph& graph, VertexId from, VertexId to, const PathOptions& options) {
  return search_detail::path_within(core::Watch(options.run.limits), graph, from, to, options);
}

}  // namespace hopwave::inline v0_1
