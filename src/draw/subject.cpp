// The rows of a small graph along a direction, by plain sorting: the graph is small.
#include "draw/subject.h"

#include <algorithm>

#include "hopwave/error.h"

namespace hopwave::picture {
namespace {

Rows rows_of(const Graph& graph) {
  Rows rows(graph.num_vertices());
  for (VertexId v = 0; v < graph.num_vertices(); ++v)
    rows[v].assign(graph.out_neighbors(v).begin(), graph.out_neighbors(v).end());
  return rows;
}

Rows reversed(const Rows& rows) {
  Rows back(rows.size());
  for (VertexId v = 0; v < rows.size(); ++v)
    for (const VertexId w : rows[v]) back[w].push_back(v);
  return back;
}

/// As a search that ignores directions merges them: each neighbour once.
Rows merged(const Rows& a, const Rows& b) {
  Rows both(a.size());
  for (std::size_t v = 0; v < a.size(); ++v) {
    both[v] = a[v];
    both[v].insert(both[v].end(), b[v].begin(), b[v].end());
    std::sort(both[v].begin(), both[v].end());
    both[v].erase(std::unique(both[v].begin(), both[v].end()), both[v].end());
  }
  return both;
}

}  // namespace

void require_small(const Graph& graph, const std::string& path, VertexId vertices, EdgeIndex arcs) {
  if (graph.num_vertices() <= vertices && graph.num_arcs() <= arcs) return;
  throw Error({.failure = Failure::usage,
               .id = "HW-PICTURE-SIZE",
               .where = {.file = path},
               .found = "a graph of " + std::to_string(graph.num_vertices()) + " vertices and " +
                        std::to_string(graph.num_arcs()) + " arcs",
               .expected = "at most " + std::to_string(vertices) + " vertices and " + std::to_string(arcs) +
                           " arcs: larger drawings cannot be read",
               .hint = "a spy plot shows graphs of any size: hopwave info GRAPH --spy FILE"});
}

Subject make_subject(const Graph& graph, Direction direction) {
  Subject subject;
  for (VertexId v = 0; v < graph.num_vertices(); ++v) subject.names.push_back(graph.ids().name(v));
  const Rows out = rows_of(graph), in = graph.directed() ? reversed(out) : out;
  subject.symmetric = !graph.directed() || direction == Direction::both;
  subject.forward = !graph.directed() || direction == Direction::out ? out : direction == Direction::in ? in : merged(out, in);
  subject.backward = subject.symmetric ? subject.forward : direction == Direction::out ? in : out;
  return subject;
}

void take_result(Subject& subject, const Query& query, const Result& result) {
  subject.sources = query.sources;
  subject.level.assign(result.distance.begin(), result.distance.end());
  subject.parent.assign(result.parent.begin(), result.parent.end());
  for (const LevelTrace& step : result.run.trace) subject.directions.emplace_back(step.direction);
}

}  // namespace hopwave::picture
