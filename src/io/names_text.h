// Names of vertices in formats that have rules for them.
#pragma once

#include <functional>

#include "core/utf8.h"
#include "hopwave/graph.h"

namespace hopwave::io {

using core::put_character, core::take_character;

/// Error HW-WRITE-NAMES if a name is no UTF-8 or has a character that the format has no place for.
void need_names(const Graph& graph, const char* format, const std::function<bool(char32_t)>& allowed);

/// Does the graph have an edge twice? Formats that NetworkX reads say so.
bool is_multigraph(const Graph& graph);
/// Calls put(u, v, arc) for the rows of vertices [begin, end): of an undirected edge only for the arc to the smaller end, so
/// that each comes once.
template <class Put>
void for_each_edge(const Graph& graph, std::size_t begin, std::size_t end, Put put) {
  const Adjacency& out = graph.out();
  for (std::size_t v = begin; v < end; ++v)
    for (EdgeIndex i = out.offsets[v]; i < out.offsets[v + 1]; ++i)
      if (graph.directed() || out.neighbors[i] <= v) put(static_cast<VertexId>(v), out.neighbors[i], i);
}

}  // namespace hopwave::io
