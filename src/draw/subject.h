// What a picture shows: a small graph as one search sees it, and that search's answer.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "hopwave/graph.h"
#include "hopwave/search.h"

namespace hopwave::picture {

/// Beyond these a drawing is no longer read but looked at. The error HW-PICTURE-SIZE names them.
inline constexpr VertexId most_vertices = 100;
inline constexpr EdgeIndex most_arcs = 400;

/// Neighbours of each vertex, in the order in which threads look at them.
using Rows = std::vector<std::vector<VertexId>>;

struct Subject {
  std::string title;
  std::vector<std::string> names;  ///< the caller's ids
  Rows forward, backward;          ///< arcs as the search walks them; backward: the same arcs from their heads
  bool symmetric = false;          ///< every arc is there in both directions
  std::vector<VertexId> sources;
  std::vector<Distance> level;
  std::vector<VertexId> parent;
  std::string strategy;                 ///< the one that ran
  LevelWork work;                       ///< its
  Parameters parameters;                ///< complete
  std::vector<std::string> directions;  ///< of step 1, 2, …, as the trace has them

  [[nodiscard]] VertexId size() const { return static_cast<VertexId>(names.size()); }
  /// A word of the strategy's parameters, or `otherwise` where it has none of that name.
  [[nodiscard]] std::int64_t parameter(std::string_view name, std::int64_t otherwise) const {
    const auto found = parameters.find(name);
    return found == parameters.end() ? otherwise : found->second;
  }
};

/// Throws HW-PICTURE-SIZE for a graph that is too large to be drawn.
void require_small(const Graph& graph, const std::string& path, VertexId vertices = most_vertices, EdgeIndex arcs = most_arcs);

/// The graph as the search in this direction sees it. Answer, strategy and title are the caller's to fill in.
Subject make_subject(const Graph& graph, Direction direction);
/// Fills in what a search has found, and in which direction each step of its trace went.
void take_result(Subject& subject, const Query& query, const Result& result);

}  // namespace hopwave::picture
