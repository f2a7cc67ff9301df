// What a caller may ask of `auto`: its parameters, what each traversal makes of them, and the memory that a search will want.
#pragma once

#include <string>
#include <vector>

#include "bfs/engine/grid_wide/host.h"
#include "bfs/engine/high_diameter/host.h"
#include "bfs/engine/ms_bfs/host.h"
#include "bfs/engine/per_source/host.h"
#include "bfs/engine/shared_memory/host.h"
#include "bfs/engine/single_cluster/host.h"
#include "bfs/plan/plan.h"
#include "core/bytes_text.h"
#include "hopwave/error.h"

namespace hopwave::HW_MACHINE::engine {

/// The names, bounds and meanings that the strategy shows.
inline std::vector<ParameterInfo> parameters() {
  constexpr std::int64_t many = std::int64_t{1} << 62;
  return {
      {"pull", -1, -1, many, "go bottom-up (pull) when the frontier has so many edges; -1: by the graph"},
      {"unqueued", -1, -1, many, "push without a queue (single_cluster: without atomics) at so many edges; -1: by the graph"},
      {"push", -1, -1, many, "go top-down (push) again below so many edges; -1: by the graph"},
      {"single_block", -1, -1, many,
       "levels of no more edges are taken by one block; in single_cluster every block takes them redundantly; -1: by the "
       "graph"},
      {"stretch", -1, -1, grid_wide::most_single_block_levels,
       "levels that one block takes in a row; -1: as many as it can count, 2^24 - 1"},
      {"tail", -1, -1, many, "one block finishes the search when a pull leaves no more vertices than this; -1: by the graph"},
      {"fast", -1, -1, 64, "largest degree of a source that every block expands for itself; -1: 64"},
      {"buffer", -1, -1, 1 << 20, "vertices that a warp's buffer takes in a pull; beyond, nothing is queued; -1: by the warp"},
      {"cached_parents", -1, -1, 1,
       "grid_wide, unprepared: 1: parents are cached, and later searches try them first, the first one a guess; 0: they are "
       "not; -1: where there are hubs"},
      {"isolated", -1, -1, 1,
       "grid_wide, unprepared: 1: isolated vertices are set apart, so that no pull looks at them; 0: they are not; -1: where "
       "one "
       "vertex in 16 is isolated"},
      {"high_diameter", -1, -1, 1, "1: always, if the graph fits; 0: never; -1: by the graph"},
      {"single_cluster", -1, -1, 1,
       "1: one cluster with all visited bits in every block, if the graph fits; 0: never; -1: up to 100,000 vertices and 3 "
       "million arcs, 4 prepared; more vertices where levels have many arcs"},
      {"share", 0, 0, 1 << 20,
       "single_cluster: pull when the frontier has one in so many of the edges that are left; 0: one in 3"},
      {"shared_memory", -1, -1, 3,
       "one block with the graph in its shared memory, if it fits; 1: rows; 2: packed rows; 3: diagonals; 0: "
       "never; -1: by the graph"},
      {"long_row", -1, -1, many, "shared_memory: arcs of a row beyond which the whole block shares it; -1: 256"},
      {"hops", 0, 0, 7, "high_diameter, prepared: levels between two barriers; 0: by the graph"},
      {"async", -1, -1, 64,
       "high_diameter: levels that a warp goes on by itself between two barriers, without hops; 0: none; -1: by the "
       "graph"},
      {"cluster", 0, 0, 16,
       "blocks of the cluster at most: 1, 2, 4, 8 or 16, for single_cluster 2 at least; 0: as many as there may be"},
      {"tile", 0, 0, 12, "log2 of the vertices that go to one block together; 0: by the graph"},
      {"queue", 0, 0, 4096, "rows that a block's queue holds before it spills; 0: what fits"},
      {"ms_bfs", -1, -1, 64, "fewest searches that share an MS-BFS; 0: never; -1: by the graph"},
      {"in_flight", 0, 0, 16, "MS-BFS that only counts: passes that run at the same time; 0: by the graph"},
      {"rows", 0, 0, 64, "of these, how many have their distances on the device at once; 0: what fits"},
      {"per_source", -1, -1, 2,
       "searches from many sources: 1: each in a block of its own, unless the graph is relabelled or a level is wider than "
       "67,584 vertices; 2: with visited bits in global memory; 0: in passes of MS-BFS, or one by one; -1: on thin graphs"},
      {"level_launches", 0, 0, 1, "1: one launch a level, as where cooperative launches are missing"},
      {"wide_offsets", 0, 0, 1, "1: row offsets of 64 bits on the device; beyond 4,294,901,760 arcs always"},
      {"block", 0, 0, 1024, "threads a block, as far as a traversal takes so many; 0: by the graph"},
      {"grid", 0, 0, 1 << 20, "blocks; 0: one a multiprocessor"}};
}

/// Throws HW-PARAM-RANGE where parameters contradict each other, or the engine cannot do what one of them asks for.
inline void check_parameters(const strategy::PlanRequest& request) {
  const auto value = [&](const char* name) { return strategy::parameter(request, name); };
  const auto text = [&](const char* name) { return std::string(name) + "=" + std::to_string(value(name)); };
  const auto refuse = [](const std::string& found, const std::string& expected, const std::string& hint) {
    throw Error({.failure = Failure::usage, .id = "HW-PARAM-RANGE", .found = found, .expected = expected, .hint = hint});
  };
  if (value("cluster") & (value("cluster") - 1))
    refuse(text("cluster"), "1, 2, 4, 8 or 16; 0: as many as there may be", "vertices are partitioned by powers of two");
  if (value("single_cluster") == 1 && value("cluster") == 1)
    refuse("single_cluster=1 with cluster=1", "cluster=2 or more", "its blocks send to each other");

  const char* asked = nullptr;
  for (const char* name : {"high_diameter", "single_cluster", "shared_memory", "level_launches"}) {
    if (value(name) <= 0) continue;
    if (asked) refuse(text(asked) + " with " + text(name), "one of the two", "each asks for another traversal");
    asked = name;
  }
  struct Own {
    const char *traversal, *name;
    std::int64_t unset;  ///< the greatest value that asks for nothing
  };
  for (const auto& [traversal, name, unset] :
       {Own{"high_diameter", "hops", 0}, Own{"high_diameter", "async", 0}, Own{"single_cluster", "share", 0},
        Own{"shared_memory", "long_row", -1}, Own{"ms_bfs", "rows", 0}})
    if (value(traversal) == 0 && value(name) > unset)
      refuse(text(traversal) + " with " + text(name), "one of the two", text(traversal) + " leaves nothing to set");
  if (value("async") > 0 && value("hops") > 0)
    refuse(text("async") + " with " + text("hops"), "one of the two", "asynchronous warps have no rows of several hops");
}

inline grid_wide::Options grid_wide_options(const strategy::PlanRequest& request) {
  return {.pull_edges = strategy::parameter(request, "pull"),
          .unqueued_edges = strategy::parameter(request, "unqueued"),
          .back_edges = strategy::parameter(request, "push"),
          .single_block_edges = strategy::parameter(request, "single_block"),
          .tail_limit = strategy::parameter(request, "tail"),
          .fast_degree = strategy::parameter(request, "fast"),
          .warp_buffer_limit = strategy::parameter(request, "buffer"),
          .stretch = strategy::parameter(request, "stretch"),
          .block = static_cast<std::uint32_t>(strategy::parameter(request, "block")),
          .grid = static_cast<std::uint32_t>(strategy::parameter(request, "grid")),
          .cached_parents = request.prepare ? 0 : strategy::parameter(request, "cached_parents"),
          .isolated = strategy::parameter(request, "isolated")};
}

inline high_diameter::Options high_diameter_options(const strategy::PlanRequest& request) {
  return {.block = static_cast<std::uint32_t>(strategy::parameter(request, "block")),
          .owners = static_cast<std::uint32_t>(strategy::parameter(request, "cluster")),
          .grid = static_cast<std::uint32_t>(strategy::parameter(request, "grid")),
          .tile_bits = static_cast<std::uint32_t>(strategy::parameter(request, "tile")),
          .queue = static_cast<std::uint32_t>(strategy::parameter(request, "queue")),
          .hops = static_cast<std::uint32_t>(strategy::parameter(request, "hops")),
          .async = strategy::parameter(request, "async")};
}

inline single_cluster::Options cluster_options(const strategy::PlanRequest& request) {
  return {.pull_edges = strategy::parameter(request, "pull"),
          .back_edges = strategy::parameter(request, "push"),
          .single_block_edges = strategy::parameter(request, "single_block"),
          .byte_edges = strategy::parameter(request, "unqueued"),
          .share = strategy::parameter(request, "share"),
          .block = static_cast<std::uint32_t>(strategy::parameter(request, "block")),
          .owners = static_cast<std::uint32_t>(strategy::parameter(request, "cluster"))};
}

inline shared_memory::Options shared_memory_options(const strategy::PlanRequest& request) {
  return {.wanted = strategy::parameter(request, "shared_memory"),
          .long_row = strategy::parameter(request, "long_row"),
          .block = static_cast<std::uint32_t>(strategy::parameter(request, "block")),
          .queue = static_cast<std::uint32_t>(strategy::parameter(request, "queue"))};
}

inline per_source::Options per_source_options(const strategy::PlanRequest& request) {
  return {.block = static_cast<std::uint32_t>(strategy::parameter(request, "block")),
          .queue = static_cast<std::uint32_t>(strategy::parameter(request, "queue")),
          .global_bits = strategy::parameter(request, "per_source") == 2};
}

inline ms_bfs::Options ms_bfs_options(const strategy::PlanRequest& request) {
  return {.pull_edges = strategy::parameter(request, "pull"),
          .back_edges = strategy::parameter(request, "push"),
          .unqueued_edges = strategy::parameter(request, "unqueued"),
          .tail_limit = strategy::parameter(request, "tail"),
          .block = static_cast<std::uint32_t>(strategy::parameter(request, "block")),
          .grid = static_cast<std::uint32_t>(strategy::parameter(request, "grid")),
          .rows = static_cast<std::uint32_t>(strategy::parameter(request, "rows")),
          .levels = strategy::parameter(request, "level_launches") != 0};
}

/// Checks the memory that a search will take before any is taken: its error says more than that of a copy half way.
template <class Offset>
void check_memory(const strategy::PlanRequest& request) {
  const std::uint64_t n = request.view.num_vertices, m = request.view.num_arcs(), sides = request.view.symmetric ? 1 : 2;
  const bool restored = request.prepare && request.prepared;
  const std::uint64_t copies = restored ? 1 : (request.view.resident ? 0 : 1) + (request.prepare ? 1 : 0);
  const std::uint64_t graph = (sizeof(Offset) * (n + 1) + 4 * m) * sides * copies;
  const std::uint64_t search = n * (sizeof(Distance) + 2 * sizeof(Entry<Offset>) + (request.prepare ? 0 : sizeof(u32)) + 2);
  const std::uint64_t free = request.device->memory_free();
  if (graph + search <= free) return;
  throw Error({.failure = Failure::does_not_fit,
               .id = "HW-ENGINE-MEMORY",
               .found = "a search needs about " + bytes_text(graph + search) + " of device memory (" + bytes_text(graph) +
                        " of them the graph), and " + bytes_text(free) + " are free",
               .expected = "a graph that fits",
               .hint = "--device cpu searches in the host's memory; `hopwave estimate` shows it beforehand"});
}

}  // namespace hopwave::HW_MACHINE::engine
