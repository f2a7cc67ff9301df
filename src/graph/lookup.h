// Results by the caller's ids, for hop distances and for weighted distances.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "hopwave/error.h"
#include "hopwave/graph.h"

namespace hopwave::search_detail {

template <class Result>
void check_same(const Result& result, const Graph& graph) {
  if (result.distance.size() == graph.num_vertices()) return;
  throw Error({.failure = Failure::usage,
               .id = "HW-RESULT-GRAPH",
               .found = "distances of " + std::to_string(result.distance.size()) + " vertices, and a graph of " +
                        std::to_string(graph.num_vertices()),
               .expected = "the graph that was searched"});
}

[[noreturn]] inline void no_parents(const char* found, const char* query) {
  throw Error({.failure = Failure::usage,
               .id = "HW-RESULT-PARENTS",
               .found = found,
               .expected = "a result with its parents",
               .hint = std::string("ask for them: ") + query + "{.parents = true}"});
}

/// Returns the path from a source to `to`, by the parents; empty if `to` is at distance `none`. A path has at most
/// `most` arcs.
template <class Result, class Number>
std::vector<VertexId> path(const Result& result, VertexId to, Number none, std::size_t most, const char* query) {
  if (result.parent.size() != result.distance.size()) no_parents("a result without parents", query);
  std::vector<VertexId> vertices;
  if (result.distance[to] == none) return vertices;
  for (VertexId v = to; v != no_vertex; v = result.parent[v]) {
    // In a result that its owner has changed, parents could form a cycle or be out of range.
    if (v >= result.parent.size() || vertices.size() > most) no_parents("parents that lead to no source", query);
    vertices.push_back(v);
  }
  std::reverse(vertices.begin(), vertices.end());
  return vertices;
}

}  // namespace hopwave::search_detail
