// Every number by which the engine decides which traversal a graph takes, and which step a traversal takes next.
// How a step shares its rows among warps is no such decision: those numbers stand beside the code that shares them.
//
// `h200` was measured, on one NVIDIA H200 (sm_90, 132 multiprocessors); each row has the number of
// the entry in docs/notebook/ with the figures. thresholds_for() gives other devices theirs: by rule, not measured.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace hopwave::engine {

struct Thresholds {
  // Which traversal (choose_traversal.h).
  std::uint64_t widest_high_diameter;         ///< beyond a mean level of so many vertices the whole device beats one cluster
  std::uint64_t widest_async;                 ///< the same where asynchronous warps can run, which take the whole device
  std::uint64_t most_arcs_beside_cluster;     ///< arcs a level up to which high-diameter beats the single cluster
  std::uint32_t fewest_high_diameter_levels;  ///< fewer cost little wherever they run; twice as many in the single cluster
  std::uint32_t fewest_levels_async;          ///< with fewer levels, asynchronous warps correct each other too often
  std::uint64_t high_diameter_degree;         ///< arcs a vertex beyond which high-diameter is never tried
  std::uint64_t thin_degree;                  ///< arcs a vertex up to which a graph is taken for thin before any search
  std::uint64_t short_row_degree;             ///< arcs a vertex up to which rows are short enough for asynchronous warps
  std::uint64_t most_cluster_vertices;        ///< with more, each block of the single cluster has too many of its own
  std::uint64_t most_cluster_arcs;            ///< with more, there is too much to do for one cluster
  std::uint64_t most_cluster_arcs_relabelled;
  std::uint64_t least_dense_arcs;  ///< below so many arcs in all, one block or one cluster hardly matters
  std::uint64_t dense_level;       ///< arcs a level from which the single cluster beats one block
  std::uint64_t dense_degree;      ///< arcs a vertex that make it likely, before any search
  std::uint64_t hub_share;         ///< a graph has hubs if its largest degree is so many times the mean

  // From how many sources on many searches in one pass pay, by what single searches run in; 0: never.
  std::size_t ms_bfs_shared_memory, ms_bfs_single_cluster, ms_bfs_grid_wide, ms_bfs_level_launches;
  std::size_t ms_bfs_high_diameter_csr;              ///< in one cluster, with a barrier after every level
  std::size_t ms_bfs_in_cache, ms_bfs_beside_cache;  ///< other high-diameter searches, up to so many vertices:
  std::uint64_t most_in_cache, most_beside_cache;
  std::size_t per_source;  ///< the same of searches that each have a block of their own
  std::uint64_t most_for_eight_passes, most_for_four_passes, most_for_two_passes;  ///< vertices; passes at the same time
  [[nodiscard]] constexpr std::size_t passes_in_flight(std::uint64_t vertices) const {
    return vertices <= most_for_eight_passes  ? 8
           : vertices <= most_for_four_passes ? 4
           : vertices <= most_for_two_passes  ? 2
                                              : 1;
  }

  // The forms of the high-diameter traversal.
  std::uint64_t longest_high_diameter_row;  ///< beyond so many neighbours one lane walks a row for too long
  std::uint32_t fewest_async_vertices;      ///< smaller graphs stay in one cluster
  std::uint32_t most_k_hop_vertices;        ///< prepared, larger ones are asynchronous
  std::uint32_t
      most_k_hop_cluster_vertices;   ///< beyond, atomics on distributed shared memory cost more than its cheap barrier spares
  std::uint32_t longest_async_tail;  ///< quads of a row that may be followed one after the other
  std::uint32_t large_vertices;      ///< beyond, blocks have 1,024 threads instead of 512
  std::uint32_t far_async_vertices;  ///< beyond, warps go on alone for `far` levels instead of `near`
  std::uint32_t near_async_levels, far_async_levels;
  std::uint32_t large_k_hop_vertices;  ///< beyond, rows of at most 5 hops are tried instead of 6
  double widest_neighborhood;          ///< mean vertices of a k-hop row up to which one more hop pays

  // Steps and threads of the grid-wide traversal.
  std::uint64_t few_threads_vertices;             ///< below, blocks have few threads
  std::uint64_t few_threads_vertices_relabelled;  ///< the same of prepared graphs
  std::uint64_t more_threads_vertices_relabelled;
  std::uint64_t most_pull_edges;                              ///< of the part of all arcs from which a level is pulled
  std::uint64_t pull_part, pull_part_relabelled, dense_part;  ///< one arc in so many
  std::uint64_t unqueued_part;       ///< of the edges that are pulled at, one in so many are pushed without a queue
  std::uint64_t back_part;           ///< after a pull: push below one edge for so many vertices
  std::uint64_t single_block_edges;  ///< edges of a level that one block takes alone; its queue has as many entries
  std::uint64_t tail_vertices;       ///< vertices left by a pull that one block goes on with
  std::uint64_t isolated_part;       ///< unprepared: one isolated vertex in so many is enough to set them apart

  // Steps of the single-cluster traversal.
  std::uint64_t cluster_single_block_edges;  ///< every block takes a level of no more edges for itself
  std::uint64_t cluster_byte_edges;          ///< pushes of so many edges mark bytes
  std::uint64_t cluster_byte_pushes;  ///< if the graph has arcs for so many such pushes: else the memory serves better as L1
  std::uint32_t cluster_share;        ///< pull when the frontier has one in so many of the open edges

  // Steps of many searches in one pass.
  std::uint64_t ms_bfs_pull_vertex_part, ms_bfs_pull_part;  ///< pull at the larger of n and m divided by these
  std::uint64_t ms_bfs_thin_part;                           ///< spread thin searches below one arc in so many
  std::uint64_t ms_bfs_unqueued_part;                       ///< push without claiming at one edge for so many vertices
  std::uint64_t ms_bfs_back_part;  ///< after a pull: gather a queue below one edge for so many vertices
  std::uint64_t ms_bfs_tail_part;  ///< one row in so many may be left to the tail
};

// Compiled into kernels, and so the same on every device.
inline constexpr std::uint32_t fast_limit = 64;     ///< largest degree of a source that every block expands (0002)
inline constexpr std::uint32_t cluster_fading = 2;  ///< a pull finds so many times fewer than its frontier had: the next pull
                                                    ///< is likely the last (0013)
inline constexpr std::uint32_t most_alone = 512;    ///< vertices of a frontier that every block of a cluster takes (the same)
inline constexpr std::uint32_t ms_bfs_thin_share = 16;  ///< of so many searches, one late one is few (0023)
inline constexpr std::uint64_t longest_left = 48;       ///< the longest row that may be left to a pass's tail (0026)
inline constexpr std::uint32_t most_left = 1536;        ///< rows that it can take: four a thread (the same)

inline constexpr Thresholds h200{
    // 0012: every traversal on every graph of up to 200,000 vertices.
    .widest_high_diameter = 12288,
    .widest_async = 12288,
    .most_arcs_beside_cluster = 8192,
    .fewest_high_diameter_levels = 16,
    // 0017.
    .fewest_levels_async = 100,
    .high_diameter_degree = 24,
    .thin_degree = 8,
    .short_row_degree = 4,
    // 0014: Slashdot, ego-Twitter and larger ones.
    .most_cluster_vertices = 100'000,
    .most_cluster_arcs = 3'000'000,
    .most_cluster_arcs_relabelled = 4'000'000,
    // 0012: from 2,000 arcs a level on the cluster was faster on every graph.
    .least_dense_arcs = 1 << 14,
    .dense_level = 2000,
    .dense_degree = 12,
    // 0009: uniform graphs lose by cached parents.
    .hub_share = 16,
    // 0023: a pass pays its barrier at every level, some 15 us, whatever single searches do.
    .ms_bfs_shared_memory = 12,
    .ms_bfs_single_cluster = 3,
    .ms_bfs_grid_wide = 6,
    .ms_bfs_level_launches = 4,
    .ms_bfs_high_diameter_csr = 7,
    .ms_bfs_in_cache = 20,
    .ms_bfs_beside_cache = 50,
    .most_in_cache = 1'000'000,
    .most_beside_cache = 4'000'000,
    .per_source = 2,
    // 0033, on an H100: twenty graphs of .001 to 8 million vertices.
    .most_for_eight_passes = 300'000,
    .most_for_four_passes = 600'000,
    .most_for_two_passes = 2'500'000,
    // 0017; rows of several hops: 0004.
    .longest_high_diameter_row = 64,
    .fewest_async_vertices = 16'384,
    .most_k_hop_vertices = 1'000'000,
    .most_k_hop_cluster_vertices = 100'000,
    .longest_async_tail = 6,
    .large_vertices = 4'000'000,
    .far_async_vertices = 1'000'000,
    .near_async_levels = 8,
    .far_async_levels = 16,
    .large_k_hop_vertices = 8'000'000,
    .widest_neighborhood = 64,
    // 0007: fewer threads have more registers, more have more reads in flight.
    .few_threads_vertices = 1 << 18,
    .few_threads_vertices_relabelled = 1'500'000,
    .more_threads_vertices_relabelled = 3'000'000,
    // 0002 and 0008: ego-Twitter .130 ms at n, .087 at m/5; without first neighbours a pull looks at more.
    .most_pull_edges = 600'000,
    .pull_part = 10,
    .pull_part_relabelled = 24,
    .dense_part = 5,
    .unqueued_part = 32,
    .back_part = 8,
    // 0005 and 0006: kron 20 .0512 with a tail of 4,096, .0496 with 1,024.
    .single_block_edges = 1280,
    .tail_vertices = 1024,
    // 0036: a bitmap more to read against a look at each of them in every pull.
    .isolated_part = 16,
    // 0011 and 0013.
    .cluster_single_block_edges = 4096,
    .cluster_byte_edges = 100'000,
    .cluster_byte_pushes = 16,
    .cluster_share = 3,
    // 0024 and 0026.
    .ms_bfs_pull_vertex_part = 2,
    .ms_bfs_pull_part = 3,
    .ms_bfs_thin_part = 6,
    .ms_bfs_unqueued_part = 2,
    .ms_bfs_back_part = 16,
    .ms_bfs_tail_part = 16,
};

/// The figures that the rule for other devices needs.
struct DeviceFigures {
  bool measured = true;  ///< sm_90 with 132 multiprocessors; and the simulator, so that tests see the choices of the device
                         ///< that was measured
  std::uint64_t multiprocessors = 132;
  std::uint64_t l2_bytes = std::uint64_t{50} << 20;
  std::uint64_t cluster_blocks = 16;  ///< that one high-diameter search in lock-step may take; 1: no clusters
};

/// By rule, not measured:
/// - A level of w vertices takes barrier + w / blocks. So one cluster and the whole device take the same time where w is
///   proportional to 1 / (1 / cluster_blocks - 1 / multiprocessors).
/// - Asynchronous warps take the whole device, with clusters or without: their widest level grows with it.
/// - How many threads a block has depends on the vertices a multiprocessor has.
/// - How many searches a pass wants, and how many passes run at the same time, depends on whether their words fit into the
///   second-level cache.
/// All others stay: they compare a barrier with memory's latency, or two ways through the same memory.
constexpr Thresholds thresholds_for(const DeviceFigures& device) {
  if (device.measured) return h200;
  constexpr DeviceFigures was;
  Thresholds t = h200;
  const std::uint64_t blocks = std::max<std::uint64_t>(device.cluster_blocks, 1), all = device.multiprocessors;
  t.widest_high_diameter = all <= blocks ? std::numeric_limits<std::uint64_t>::max()
                                         : t.widest_high_diameter * (was.multiprocessors - was.cluster_blocks) * blocks * all /
                                               (was.cluster_blocks * was.multiprocessors * (all - blocks));
  for (std::uint64_t* vertices :
       {&t.widest_async, &t.few_threads_vertices, &t.few_threads_vertices_relabelled, &t.more_threads_vertices_relabelled})
    *vertices = *vertices * all / was.multiprocessors;
  if (device.l2_bytes)  // some drivers do not say
    for (std::uint64_t* vertices :
         {&t.most_in_cache, &t.most_beside_cache, &t.most_for_eight_passes, &t.most_for_four_passes, &t.most_for_two_passes})
      *vertices = *vertices * device.l2_bytes / was.l2_bytes;
  return t;
}

}  // namespace hopwave::engine
