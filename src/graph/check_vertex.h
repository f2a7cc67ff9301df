// Checks a vertex that a caller passes.
#pragma once

#include <string>

#include "hopwave/error.h"
#include "hopwave/types.h"

namespace hopwave::search_detail {

inline void check_vertex(VertexId num_vertices, VertexId v, const char* what, const char* id) {
  if (v < num_vertices) return;
  throw Error({.failure = Failure::input,
               .id = id,
               .found = std::string(what) + " " + std::to_string(v),
               .expected = num_vertices == 0
                               ? "nothing: the graph has no vertices"
                               : "a vertex from 0 to " + std::to_string(num_vertices - 1) + " (internal numbers)"});
}

}  // namespace hopwave::search_detail
