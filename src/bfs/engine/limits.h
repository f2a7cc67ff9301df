// How large a graph the engine's packed queues can count, and the error for a larger one.
#pragma once

#include <cstdint>
#include <string>

#include "bfs/engine/state.h"
#include "hopwave/error.h"

namespace hopwave::HW_MACHINE::engine {

/// Throws HW-ENGINE-SIZE where the count and the edges of a queue would not fit into one word.
inline void check_size(std::uint64_t vertices, std::uint64_t arcs) {
  if (vertices <= max_engine_vertices && arcs <= max_engine_arcs) return;
  throw Error({.failure = Failure::does_not_fit,
               .id = "HW-ENGINE-SIZE",
               .found = std::to_string(vertices) + " vertices and " + std::to_string(arcs) + " arcs",
               .expected = "fewer than 2^30 vertices and 2^34 arcs on one GPU",
               .hint = "name another strategy, or --device cpu"});
}

/// Throws HW-ENGINE-SIZE where an id would not leave the bit `single` of a first neighbour free.
inline void check_ids(std::uint64_t ids) {
  if (ids <= single) return;
  throw Error({.failure = Failure::does_not_fit,
               .id = "HW-ENGINE-SIZE",
               .found = std::to_string(ids) + " vertices",
               .expected = "at most 2^31 that GPUs share",
               .hint = "--prepare leaves those without arcs aside; mpirun with --device cpu has no such limit"});
}

}  // namespace hopwave::HW_MACHINE::engine
