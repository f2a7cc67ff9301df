// Every number by which hopwave decides between ways of working that are each right: a wrong one costs time, never an answer.
// The numbers of a kernel's geometry (threads of a block, lanes of a team, widths, room of buffers) are with the kernel.
//
// scripts/thresholds writes docs/engine/thresholds.md from this file. It reads, in front of each number:
//   /// What it decides. Unit: what is counted. From: the notebook's entry or a page of docs/, or "not measured".
#pragma once

#include <cstddef>
#include <cstdint>

namespace hopwave::thresholds {

/// A device's own, with the values for one NVIDIA H200 (sm_90, 132 multiprocessors). Other devices get theirs by the rule in
/// bfs/engine/device_thresholds.h.
struct Device {
  // Which traversal (bfs/engine/choose_traversal.h).
  /// With a wider mean level, the whole device is faster than one cluster. Unit: vertices per level. From: not measured.
  std::uint64_t widest_high_diameter = 12'288;
  /// The same where asynchronous warps can run, which take the whole device. Unit: vertices per level. From: not measured.
  std::uint64_t widest_async = 12'288;
  /// With more arcs per level, the single cluster is faster than high-diameter. Unit: arcs per level. From: 0014.
  std::uint64_t most_arcs_beside_cluster = 8192;
  /// With fewer levels, high-diameter is not taken; twice as many where the single cluster takes the graph.
  /// Unit: levels. From: 0012.
  std::uint32_t fewest_high_diameter_levels = 16;
  /// With fewer levels, asynchronous warps correct each other too often; also the levels of a first look.
  /// Unit: levels. From: 0017.
  std::uint32_t fewest_levels_async = 100;
  /// With a higher mean degree, high-diameter is never tried. Unit: arcs per vertex. From: 0017.
  std::uint64_t high_diameter_degree = 24;
  /// Up to this mean degree, a graph is taken for thin before any search. Unit: arcs per vertex. From: 0017.
  std::uint64_t thin_degree = 8;
  /// Up to this mean degree, rows are short enough for asynchronous warps. Unit: arcs per vertex. From: 0017.
  std::uint64_t short_row_degree = 4;
  /// With more, each block of the single cluster has too many vertices of its own. Unit: vertices. From: 0011, 0014.
  std::uint64_t most_cluster_vertices = 100'000;
  /// With more, there is too much work for one cluster. Unit: arcs. From: 0013, 0014.
  std::uint64_t most_cluster_arcs = 3'000'000;
  /// The same for a relabelled graph. Unit: arcs. From: 0013, 0014.
  std::uint64_t most_cluster_arcs_relabelled = 4'000'000;
  /// With fewer arcs in all, one block and one cluster hardly differ. Unit: arcs. From: 0012.
  std::uint64_t least_dense_arcs = 1 << 14;
  /// From this many arcs per level, the single cluster is faster than one block. Unit: arcs per level. From: 0012.
  std::uint64_t dense_level = 2000;
  /// From this mean degree, levels are likely to be that dense, before any search. Unit: arcs per vertex. From: 0012.
  std::uint64_t dense_degree = 12;
  /// A graph has hubs if its largest degree is this many times the mean. Unit: mean degrees. From: 0007, 0009.
  std::uint64_t hub_share = 16;

  // From how many sources MS-BFS is faster.
  /// From this many sources (0: never), MS-BFS is faster than searches in shared memory. Unit: sources. From: 0023.
  std::size_t ms_bfs_shared_memory = 12;
  /// The same for the single cluster. Unit: sources. From: 0023.
  std::size_t ms_bfs_single_cluster = 3;
  /// The same for grid-wide. Unit: sources. From: 0023.
  std::size_t ms_bfs_grid_wide = 6;
  /// The same for one launch per level. Unit: sources. From: 0023.
  std::size_t ms_bfs_level_launches = 4;
  /// The same for one cluster with a barrier after every level. Unit: sources. From: 0023.
  std::size_t ms_bfs_high_diameter_csr = 7;
  /// The same for other high-diameter searches, up to `most_in_cache` vertices. Unit: sources. From: 0023.
  std::size_t ms_bfs_in_cache = 20;
  /// The same up to `most_beside_cache` vertices. Unit: sources. From: 0023.
  std::size_t ms_bfs_beside_cache = 50;
  /// Up to this many, the words of a pass fit into the second-level cache. Unit: vertices. From: 0023.
  std::uint64_t most_in_cache = 1'000'000;
  /// With more, MS-BFS is never faster than high-diameter searches. Unit: vertices. From: 0023.
  std::uint64_t most_beside_cache = 4'000'000;
  /// From this many sources, searches on thin graphs each have a block of their own. Unit: sources. From: 0044.
  std::size_t per_source = 2;
  /// Up to this many, eight passes run at the same time. Unit: vertices. From: 0033.
  std::uint64_t most_for_eight_passes = 300'000;
  /// Up to this many, four passes. Unit: vertices. From: 0033.
  std::uint64_t most_for_four_passes = 600'000;
  /// Up to this many, two passes. Unit: vertices. From: 0033.
  std::uint64_t most_for_two_passes = 2'500'000;

  // Forms of the high-diameter traversal.
  /// With a longer row, one lane walks it for too long: high-diameter is not taken. Unit: neighbours. From: not measured.
  std::uint64_t longest_high_diameter_row = 64;
  /// With fewer, a graph stays in one cluster. Unit: vertices. From: 0017.
  std::uint32_t fewest_async_vertices = 16'384;
  /// With more, a prepared graph is searched asynchronously, not by k-hop rows. Unit: vertices. From: 0017.
  std::uint32_t most_k_hop_vertices = 1'000'000;
  /// With a longer tail, a row is not followed link by link: asynchronous warps are not taken.
  /// Unit: quads of a row. From: 0017.
  std::uint32_t longest_async_tail = 6;
  /// With more, blocks have 1,024 threads instead of 512. Unit: vertices. From: 0017.
  std::uint32_t large_vertices = 4'000'000;
  /// With more, warps run ahead for `far_async_levels` levels, else for `near_async_levels`. Unit: vertices. From: 0017.
  std::uint32_t far_async_vertices = 1'000'000;
  /// Levels between two barriers of asynchronous warps on smaller graphs. Unit: levels. From: 0017.
  std::uint32_t near_async_levels = 8;
  /// The same on larger graphs. Unit: levels. From: 0017.
  std::uint32_t far_async_levels = 16;
  /// With more, rows of at most 5 hops are tried instead of 6. Unit: vertices. From: 0004.
  std::uint32_t large_k_hop_vertices = 8'000'000;
  /// Up to this mean size of a k-hop row, one more hop is worth its memory. Unit: vertices per row. From: 0004.
  double widest_neighborhood = 64;

  // Steps and threads of the grid-wide traversal.
  /// With fewer, blocks have 512 threads. Unit: vertices. From: 0007.
  std::uint64_t few_threads_vertices = 1 << 18;
  /// The same for a relabelled graph with hubs. Unit: vertices. From: 0007.
  std::uint64_t few_threads_vertices_relabelled = 1'500'000;
  /// With fewer, blocks of a relabelled graph with hubs have 768 threads, else 1,024. Unit: vertices. From: 0007.
  std::uint64_t more_threads_vertices_relabelled = 3'000'000;
  /// Upper bound of the share `dense_part` of the arcs from which a level is pulled. Unit: arcs. From: 0002, 0008.
  std::uint64_t most_pull_edges = 600'000;
  /// A level of one arc in this many is pulled, unprepared. Unit: arcs. From: 0008.
  std::uint64_t pull_part = 10;
  /// The same for a relabelled graph. Unit: arcs. From: 0002, 0005.
  std::uint64_t pull_part_relabelled = 24;
  /// A pull needs at least one arc in this many, or `most_pull_edges`. Unit: arcs. From: 0002.
  std::uint64_t dense_part = 5;
  /// Of the edges at which a level is pulled, one in this many is enough to push without a queue.
  /// Unit: edges. From: 0002, 0007.
  std::uint64_t unqueued_part = 32;
  /// After a pull: push if the frontier has less than one edge for this many vertices.
  /// Unit: vertices per edge. From: not measured.
  std::uint64_t back_part = 8;
  /// A level of up to this many edges is taken by one block; its queue has as many entries. Unit: edges. From: 0005.
  std::uint64_t single_block_edges = 1280;
  /// Up to this many vertices left by a pull are finished by one block. Unit: vertices. From: 0006.
  std::uint64_t tail_vertices = 1024;
  /// Unprepared: isolated vertices are set apart if they are one in this many. Unit: vertices. From: 0036.
  std::uint64_t isolated_part = 16;

  // Steps of the single-cluster traversal.
  /// Every block takes a level of up to this many edges by itself. Unit: edges. From: 0011, 0013.
  std::uint64_t cluster_single_block_edges = 4096;
  /// From this many edges, pushes mark bytes. Unit: edges. From: 0014.
  std::uint64_t cluster_byte_edges = 100'000;
  /// Byte marks need a graph with arcs for this many such pushes: else their memory is better used as L1.
  /// Unit: pushes. From: 0014.
  std::uint64_t cluster_byte_pushes = 16;
  /// Pull when the frontier has one in this many of the open edges. Unit: edges. From: 0013.
  std::uint32_t cluster_share = 3;

  // Steps of MS-BFS.
  /// Pull from the larger of one edge for this many vertices and `ms_bfs_pull_part`. Unit: vertices per edge. From: 0023.
  std::uint64_t ms_bfs_pull_vertex_part = 2;
  /// The other bound: one arc in this many. Unit: arcs. From: 0023.
  std::uint64_t ms_bfs_pull_part = 3;
  /// From one edge for this many vertices, push without claiming. Unit: vertices per edge. From: 0024.
  std::uint64_t ms_bfs_unqueued_part = 2;
  /// After a pull: gather a queue if there is less than one edge for this many vertices. Unit: vertices per edge. From: 0024.
  std::uint64_t ms_bfs_back_part = 16;
  /// One row in this many may be left to the tail. Unit: rows. From: 0026.
  std::uint64_t ms_bfs_tail_part = 16;

  [[nodiscard]] constexpr std::size_t passes_in_flight(std::uint64_t vertices) const {
    return vertices <= most_for_eight_passes  ? 8
           : vertices <= most_for_four_passes ? 4
           : vertices <= most_for_two_passes  ? 2
                                              : 1;
  }
};

/// The same on every device.
struct AnyDevice {
  // Compiled into kernels.
  /// Largest degree of a source that every block expands. Unit: neighbours. From: 0002.
  static constexpr std::uint32_t fast_limit = 64;
  /// Grid-wide pull: up to this many open vertices of a word are looked at one by one.
  /// Unit: vertices per word. From: not measured.
  static constexpr std::uint32_t few_open = 4;
  /// Grid-wide pull: a longer row is not left to one lane. Unit: arcs. From: 0002, 0005.
  static constexpr std::uint64_t long_row = 24;
  /// Grid-wide pull: quads of a row that one lane looks at before others help. Unit: quads. From: 0002, 0005.
  static constexpr std::uint32_t near_quads = 3;
  /// Single cluster: up to this many, every block takes the whole frontier. Unit: vertices. From: 0013.
  static constexpr std::uint32_t cluster_most_alone = 512;
  /// Single cluster: if a pull finds this many times fewer than its frontier had, the next pull is likely the last.
  /// Unit: times. From: 0014.
  static constexpr std::uint32_t cluster_fading = 2;
  /// MS-BFS: a longer row is taken by a warp, and is not left to the tail. Unit: arcs. From: 0026.
  static constexpr std::uint64_t ms_bfs_longest_left = 48;
  /// MS-BFS: up to this length, a row is taken by one lane, else by eight. Unit: arcs. From: 0026.
  static constexpr std::uint64_t ms_bfs_short_row = 6;
  /// MS-BFS: rows that the tail can take, four per thread. Unit: rows. From: 0026.
  static constexpr std::uint32_t ms_bfs_most_left = 1536;
  /// MS-BFS: arcs per such row that the tail takes in all. Unit: arcs per row. From: 0026.
  static constexpr std::uint32_t ms_bfs_tail_arcs = 16;

  // Read by the host.
  /// Levels that are launched before the host asks whether anything is left. Unit: levels. From: not measured.
  static constexpr std::uint32_t ms_bfs_launches_ahead = 8;
  /// Rows of distances that a pass takes where memory for all of them is refused. Unit: rows. From: not measured.
  static constexpr std::uint32_t ms_bfs_few_rows = 8;
  /// Passes in flight: one takes this many per call, since the last one ends alone. Unit: passes. From: not measured.
  static constexpr std::size_t passes_per_call = 16;
  /// A block per source: passes' widths of sources that one call takes. Unit: groups of 64 sources. From: not measured.
  static constexpr std::size_t per_source_groups = 16;
  /// A block per source: with more, a block has 1,024 threads instead of 512. Unit: vertices. From: 0044.
  static constexpr std::uint32_t per_source_wide_vertices = 200'000;
  /// A block per source: a level with more beyond the queue ends this way of searching. Unit: vertices. From: not measured.
  static constexpr std::uint32_t per_source_widest_level = 1u << 16;
  /// Shared memory: a longer packed row is shared by the whole block. Unit: arcs. From: not measured.
  static constexpr std::uint32_t shared_memory_long_row = 256;
  /// Shared memory: with a lower mean degree, two lanes share a packed row. Unit: arcs per vertex. From: not measured.
  static constexpr std::uint32_t shared_memory_two_lanes = 4;
  /// The same for four lanes; with a higher one, eight. Unit: arcs per vertex. From: not measured.
  static constexpr std::uint32_t shared_memory_four_lanes = 12;
  /// K-hop rows: one row in this many may have more words than its team has lanes. Unit: rows. From: not measured.
  static constexpr std::uint32_t longer_rows_part = 50;
  /// Many searches: one part in this many of the free memory stays free. Unit: bytes. From: not measured.
  static constexpr std::uint64_t spare_part = 16;
  /// K-hop rows: vertices of the sample that decides how many hops a row has. Unit: vertices. From: not measured.
  static constexpr std::uint32_t asked_neighborhoods = 4096;

  // Answers on their way to the host (bfs/searcher).
  /// Up to this size, an answer goes through pinned memory that the searcher keeps. Unit: bytes. From: not measured.
  static constexpr std::size_t small_answer_bytes = std::size_t{64} << 10;
  /// From this size, pinning is fast, since several threads touch the memory first. Unit: bytes. From: not measured.
  static constexpr std::size_t fast_pin_bytes = std::size_t{4} << 20;
  /// A smaller answer is pinned after this many searches. Unit: searches. From: not measured.
  static constexpr std::uint64_t searches_before_pinning = 8;
  /// A larger answer is pinned after this many searches. Unit: searches. From: not measured.
  static constexpr std::uint64_t searches_before_fast_pinning = 2;
  /// Results of a pass share blocks of memory of this size. Unit: bytes. From: not measured.
  static constexpr std::size_t slab_bytes = std::size_t{8} << 20;
  /// Answers of one or two bytes a distance are packed in device memory of this size, or of one answer. Unit: bytes. From: not
  /// measured.
  static constexpr std::size_t packed_bytes = std::size_t{64} << 20;
  /// Answers that one of several devices may have ready before the caller takes them. Unit: bytes. From: not measured.
  static constexpr std::size_t answers_ahead_bytes = std::size_t{256} << 20;
  /// A neighbourhood with more is searched by the whole device, not by one block. Unit: arcs. From: not measured.
  static constexpr std::uint64_t reach_most_arcs = 1 << 16;
  /// The same where the call has many neighbourhoods. Unit: arcs. From: not measured.
  static constexpr std::uint64_t reach_most_arcs_of_many = 1 << 22;
  /// Many neighbourhoods: searches of the first call. Unit: searches. From: not measured.
  static constexpr std::size_t reach_least_per_call = 1024;
  /// Many neighbourhoods: searches of a call at most. Unit: searches. From: not measured.
  static constexpr std::size_t reach_most_per_call = std::size_t{1} << 16;
};

/// Searches on the CPU.
struct Cpu {
  // Which strategy, and how many threads.
  /// With fewer, waking threads costs more than it saves; `auto` takes Dijkstra's algorithm for weighted searches.
  /// Unit: vertices and arcs. From: not measured.
  static constexpr std::uint64_t few_for_threads = 1 << 14;
  /// With fewer, one thread makes the incoming rows that a device searches. Unit: arcs. From: not measured.
  static constexpr std::size_t few_for_reversing = std::size_t{1} << 15;
  /// Up to this mean degree, a graph is thin: streets, meshes in the plane. Unit: arcs per vertex. From: performance-cpu.md.
  static constexpr std::uint64_t thin_degree = 4;
  /// No degree of the sample may be greater in a thin graph. Unit: arcs per vertex. From: performance-cpu.md.
  static constexpr std::uint64_t thin_most_degree = 24;
  /// Vertices of the sample of degrees. Unit: vertices. From: not measured.
  static constexpr int sampled_degrees = 512;
  /// After this many searches, a directed graph gets its incoming rows: by then they are worth their cost.
  /// Unit: searches. From: not measured.
  static constexpr std::uint64_t searches_before_turning = 8;

  // Levels of one search (bfs/strategy/cpu).
  /// Up to this many, a level is left to one thread. Unit: arcs. From: performance-cpu.md.
  static constexpr std::uint64_t alone_arcs = 4096;
  /// The same in a thin graph, if its frontier is regular or threads are few. Unit: arcs. From: 0042, 0043.
  static constexpr std::uint64_t regular_alone_arcs = 16384;
  /// From so many threads, members claim what they find in a thin graph without hubs. Unit: threads. From: performance-cpu.md.
  static constexpr int members_that_claim = 4;
  /// Up to this many arcs, a level is left to one thread there. Unit: arcs. From: performance-cpu.md.
  static constexpr std::uint64_t claimed_alone_arcs = 1024;
  /// The same if the graph has few vertices, whose distances fit a second-level cache. Unit: arcs. From: performance-cpu.md.
  static constexpr std::uint64_t cached_alone_arcs = 4096;
  /// Few vertices in this sense. Unit: vertices. From: performance-cpu.md.
  static constexpr std::uint32_t cached_vertices = std::uint32_t{1} << 19;
  /// A level gets one thread for so many arcs there. Unit: arcs. From: performance-cpu.md.
  static constexpr std::uint64_t arcs_per_claimer = 256;
  /// A level that several members push gets one for so many arcs. Unit: arcs. From: performance-cpu.md.
  static constexpr std::uint64_t arcs_per_member = 2048;
  /// A pull gets one member for so many words of the bitmap of visited vertices. Unit: words. From: performance-cpu.md.
  static constexpr std::size_t words_per_member = 4096;
  /// Fetching an unvisited vertex's row counts as so many words there. Unit: words. From: performance-cpu.md.
  static constexpr std::size_t words_per_row = 4;
  /// Pull when alpha / 16 times the frontier's arcs exceed what a pull is expected to look at; default.
  /// Unit: sixteenths. From: 0028.
  static constexpr std::int64_t alpha = 16;
  /// Pull on while beta / 16 times the frontier's arcs exceed what the last pull read in vain; default.
  /// Unit: sixteenths. From: not measured.
  static constexpr std::int64_t beta = 16;
  /// Cost of fetching a row in a pull. Unit: arcs. From: not measured.
  static constexpr double row_cost = 3;
  /// Part of the vertices whose head is not in the frontier of a large level. Unit: part of 1. From: not measured.
  static constexpr double head_misses = 0.25;
  /// Fewer threads share a regular frontier more slowly than one thread takes it. Unit: threads. From: 0043.
  static constexpr int members_for_regular = 5;
  /// A longer row is shared by all threads. Unit: arcs. From: not measured.
  static constexpr std::uint64_t hub_degree = std::uint64_t{1} << 15;
  /// A frontier of this size is looked at in every level: is it regular?. Unit: vertices. From: 0043.
  static constexpr std::size_t often_looked_at = 4096;
  /// A frontier of this size is looked at in every fourth level. Unit: vertices. From: 0043.
  static constexpr std::size_t sometimes_looked_at = 512;
  /// The same where members would claim what they find. Unit: vertices. From: performance-cpu.md.
  static constexpr std::size_t looked_at_before_claims = 128;
  /// Vertices of the frontier that such a look reads. Unit: vertices. From: 0043.
  static constexpr std::size_t regular_sample = 32;
  /// Of these, more may not differ from the one before in a regular frontier. Unit: vertices. From: 0043.
  static constexpr std::size_t regular_most_different = 6;
  /// Arcs of a row that such a look reads. Unit: arcs. From: 0043.
  static constexpr std::uint64_t regular_most_arcs = 64;
  /// Vertices whose degrees estimate the arcs of a large frontier. Unit: vertices. From: not measured.
  static constexpr std::size_t frontier_sample = 4096;

  // Passes of many searches (bfs/engine/ms_bfs, bfs/searcher).
  /// Fewer searches are faster one by one. Unit: searches. From: not measured.
  static constexpr std::size_t pass_least = 4;
  /// A pass pulls if the frontier has one arc in this many. Unit: arcs. From: not measured.
  static constexpr std::uint64_t pass_pull_part = 8;
  /// A pass pushes again below one arc in this many: a claim costs about four lookups. Unit: arcs. From: not measured.
  static constexpr std::uint64_t pass_back_part = 32;
  /// A pass of 512 counted searches pulls if the queue has one arc in this many. Unit: arcs. From: not measured.
  static constexpr std::uint64_t count_pull_part = 4;
  /// Nearby sources are grouped by a search of this many vertices per source. Unit: vertices per source. From: not measured.
  static constexpr std::size_t count_group_looks = 8;
  /// Counted searches go into a pass of 512 if it is full to one part in this many. Unit: searches. From: not measured.
  static constexpr std::size_t count_least_part = 4;
  /// They always do if one vertex in this many is a source. Unit: vertices. From: not measured.
  static constexpr std::size_t count_source_part = 8;
  /// Memory of all passes that count at the same time. Unit: bytes. From: not measured.
  static constexpr std::size_t count_most_bytes = std::size_t{4} << 30;
  /// Arcs looked at in a round, after which a limit can end the call. Unit: arcs. From: not measured.
  static constexpr std::uint64_t count_round_arcs = std::uint64_t{1} << 30;
  /// Counts of a round. Unit: bytes. From: not measured.
  static constexpr std::uint64_t count_round_bytes = std::uint64_t{1} << 28;
  /// Looks of a pass at each vertex and arc, for the size of a round. Unit: looks. From: not measured.
  static constexpr std::uint64_t count_looks = 16;
  /// With fewer, caches hold the graph, and a pass loses little: no search is spent on a look.
  /// Unit: vertices and arcs. From: not measured.
  static constexpr std::size_t small_for_passes = std::size_t{1} << 17;
  /// Sources meet often if their ids span less than this many per source. Unit: ids per source. From: not measured.
  static constexpr std::uint64_t near_ids = 8;
  /// One vertex in this many is visited to see whether levels grow slowly. Unit: vertices. From: not measured.
  static constexpr std::uint64_t shape_part = 64;
  /// Levels grow slowly if none has this many fifths of the vertices found. Unit: fifths. From: not measured.
  static constexpr std::size_t wide_level_fifths = 2;
  /// A search shows nothing if it reached fewer than one vertex in this many. Unit: vertices. From: not measured.
  static constexpr std::uint64_t shown_part = 2;
  /// Searches per spread-out level from which a pass with distances is faster. Unit: searches. From: not measured.
  static constexpr double meet_fetched = 1.5;
  /// The same where the pass also counts. Unit: searches. From: not measured.
  static constexpr double meet_counted = 1;
  /// The same for passes of 512. Unit: searches. From: not measured.
  static constexpr double meet_counted_wide = 2.5;

  // Neighbourhoods and pairs (bfs/searcher).
  /// A neighbourhood of up to this many is searched by one thread. Unit: arcs. From: not measured.
  static constexpr std::uint64_t reach_least_arcs = std::uint64_t{1} << 16;
  /// The same up to one in this many of vertices and arcs. Unit: vertices and arcs. From: not measured.
  static constexpr std::uint64_t reach_part = 16;
  /// Searches that one thread takes at once, at most. Unit: searches. From: not measured.
  static constexpr std::size_t reach_most_searches = 256;
  /// Vertices that these reach, about. Unit: vertices. From: not measured.
  static constexpr std::size_t reach_aim = std::size_t{1} << 16;
  /// Pairs: passes take over once searches from both ends read more than one arc in this many each.
  /// Unit: arcs. From: not measured.
  static constexpr std::uint64_t pair_part = 8;

  // Items of a loop that one thread takes at once.
  /// Copies of an answer. Unit: values. From: not measured.
  static constexpr std::size_t copy_grain = std::size_t{1} << 18;
  /// Values filled, joined or checked one by one. Unit: values. From: not measured.
  static constexpr std::size_t fill_grain = std::size_t{1} << 16;
  /// Loops with a few operations per vertex. Unit: vertices. From: not measured.
  static constexpr std::size_t vertex_grain = std::size_t{1} << 14;
  /// Loops that read the rows of some vertices. Unit: vertices. From: not measured.
  static constexpr std::size_t row_grain = std::size_t{1} << 13;
  /// Loops that merge or read all rows. Unit: vertices. From: not measured.
  static constexpr std::size_t head_grain = 4096;
  /// Checks of an answer; one thread below 16 of them. Unit: vertices. From: not measured.
  static constexpr std::size_t check_grain = 2048;
  /// Words of a bitmap. Unit: words. From: not measured.
  static constexpr std::size_t word_grain = 2048;
  /// A pass: vertices. Unit: vertices. From: not measured.
  static constexpr std::size_t pass_vertex_grain = 2048;
  /// A pass: entries of the queue; fewer are left to one thread. Unit: entries. From: not measured.
  static constexpr std::size_t pass_queue_grain = 256;
};

/// One search on several GPUs of one machine.
struct Partitioned {
  /// Pull when the frontier has one in this many of the arcs not yet explored.
  /// Unit: arcs. From: Beamer's rule with the numbers of the GAP benchmark.
  static constexpr std::uint64_t pull_part = 15;
  /// The same prepared: the first neighbours of a row are the likeliest, so that a look costs less. Unit: arcs. From: 0039.
  static constexpr std::uint64_t dealt_pull_part = 64;
  /// Push again when the frontier has less than one vertex in this many.
  /// Unit: vertices. From: Beamer's rule with the numbers of the GAP benchmark.
  static constexpr std::uint64_t back_part = 18;
  /// Stay with pulls while the frontier has more than one in this many of the vertices not visited. Unit: vertices. From: 0039.
  static constexpr std::uint64_t left_part = 16;
  /// Arcs that pass by a device at once while vertices are dealt out. Unit: arcs. From: not measured.
  static constexpr std::uint64_t most_arcs_passing = std::uint64_t{1} << 26;
};

/// One search by several processes.
struct Distributed {
  /// Pull when the frontier has one in this many of the arcs not yet explored.
  /// Unit: arcs. From: Beamer's rule with the numbers of the GAP benchmark.
  static constexpr std::uint64_t pull_part = Partitioned::pull_part;
  /// Push again when the frontier has less than one vertex in this many.
  /// Unit: vertices. From: Beamer's rule with the numbers of the GAP benchmark.
  static constexpr std::uint64_t back_part = Partitioned::back_part;
  /// Up to this many, a list goes by way of the hosts, where it arrives as soon as its length does, else by NCCL.
  /// Unit: vertices. From: several-machines.md.
  static constexpr std::uint64_t short_list = 1024;
  /// Arcs of all ranks together in a round of messages. Unit: arcs. From: several-machines.md.
  static constexpr std::uint64_t arcs_heard = std::uint64_t{1} << 19;
  /// Arcs of a rank in a round of messages, at least. Unit: arcs. From: several-machines.md.
  static constexpr std::uint64_t least_arcs = std::uint64_t{1} << 14;
  /// Drawn edges that are sent at once. Unit: edges. From: not measured.
  static constexpr std::uint64_t edges_per_round = std::uint64_t{1} << 18;
  /// Rows of a check that one thread takes at once. Unit: vertices. From: not measured.
  static constexpr std::size_t check_grain = 1024;
};

/// Weighted searches (algorithm/sssp).
struct Weighted {
  /// From this mean degree, bins are narrow: a hub would be relaxed again and again. Unit: arcs per vertex. From: sssp.md.
  static constexpr std::uint64_t high_degree = 8;
  /// Width of a bin with a lower mean degree, in mean weights per mean degree. Unit: mean weights. From: sssp.md.
  static constexpr double wide_bin = 2;
  /// The same with a higher mean degree. Unit: mean weights. From: sssp.md.
  static constexpr double narrow_bin = .5;
  /// On a CPU, bins of graphs with a lower mean degree are this many times as wide. Unit: times. From: sssp.md.
  static constexpr double cpu_bin = 3;
  /// Weights of the sample that finds the typical one. Unit: weights. From: sssp.md.
  static constexpr std::uint64_t sampled_weights = 1024;
  /// Vertices of the shared frontier that a thread takes at once. Unit: vertices. From: not measured.
  static constexpr std::size_t chunk = 64;
  /// A smaller bin is left to one thread: a barrier takes longer. Unit: vertices. From: sssp.md.
  static constexpr std::size_t alone = 128;
  /// A thread keeps what it adds to its present bin if it is less. Unit: vertices. From: not measured.
  static constexpr std::size_t least_shared = 1000;
  /// Bins of a step, at most. Unit: bins. From: sssp.md.
  static constexpr std::int64_t most_together = 64;
  /// Vertices of its own that a thread takes before it meets the others. Unit: vertices. From: not measured.
  static constexpr std::size_t most_own = 1 << 16;
  /// Vertices that one thread takes in order before it goes back to bins. Unit: vertices. From: not measured.
  static constexpr std::size_t least_in_order = 1024;
  /// From this degree, a mark costs less than relaxing the arcs of a vertex again. Unit: arcs per vertex. From: sssp.md.
  static constexpr std::uint64_t marked_degree = 16;
  /// With fewer arcs per step and thread, a step takes twice as many bins. Unit: arcs per thread. From: sssp.md.
  static constexpr std::uint64_t enough_arcs = 1600;
  /// With this many times more, half as many. Unit: times. From: not measured.
  static constexpr std::uint64_t much_arcs = 4;
  /// Vertices of a loop over parents that one thread takes at once. Unit: vertices. From: not measured.
  static constexpr std::size_t parent_grain = 1024;
  /// Delta-stepping: arcs of a thread between two looks at the limits. Unit: arcs. From: not measured.
  static constexpr std::int64_t looked_after = 1 << 17;
  /// Delta-stepping: a vertex counts as this many arcs there. Unit: arcs. From: not measured.
  static constexpr std::int64_t vertex_arcs = 4;
  /// Dijkstra: arcs between two looks at the limits. Unit: arcs. From: sssp.md.
  static constexpr std::uint64_t dijkstra_looked_after = 1 << 18;
  /// Dijkstra: a vertex counts as this many arcs there. Unit: arcs. From: sssp.md.
  static constexpr std::uint64_t dijkstra_vertex_arcs = 1 << 4;
  /// Near-far: up to this many arcs per thread, one block takes a step; default of `narrow`.
  /// Unit: arcs per thread. From: sssp.md.
  static constexpr std::uint64_t near_far_narrow = 2;
  /// Near-far: arcs per thread of a step with a high mean degree; default of `aim`. Unit: arcs per thread. From: sssp.md.
  static constexpr std::uint64_t near_far_aim = 2;
  /// Near-far: one arc for this many threads with a lower mean degree. Unit: threads per arc. From: sssp.md.
  static constexpr std::uint64_t near_far_aim_part = 8;
  /// Near-far: steps of a launch, at most; default of `steps`. Unit: steps. From: not measured.
  static constexpr std::uint32_t near_far_steps = 1u << 15;
};

struct Betweenness {
  /// Cost of an arc in a push by one thread, against one in a pull. Unit: arcs. From: 0045.
  static constexpr std::uint64_t push_arc_cost = 1;
  /// The same by several threads, which add by atomics. Unit: arcs. From: not measured.
  static constexpr std::uint64_t push_arc_cost_of_a_team = 3;
  /// From this many levels, a search is left to the plain form unless its levels are large. Unit: levels. From: betweenness.md.
  static constexpr std::size_t deep_levels = 64;
  /// Mean size from which levels are large, for one thread. Unit: vertices. From: not measured.
  static constexpr std::size_t large_level = 8;
  /// The same for several threads, which wait for each other after each level. Unit: vertices. From: not measured.
  static constexpr std::size_t large_level_of_a_team = 4096;
  /// With fewer, each thread has searches of its own. Unit: vertices and arcs. From: not measured.
  static constexpr std::uint64_t least_for_a_team = std::uint64_t{1} << 17;
  /// With fewer, a level of the plain search is one member's: it takes about as long as a barrier. Unit: vertices. From: 0047.
  static constexpr std::size_t few_for_a_team = 128;
  /// From this many, all threads do one search together: own ones exceed the caches. Unit: vertices. From: betweenness.md.
  static constexpr std::uint64_t many_vertices = std::uint64_t{1} << 21;
  /// A thread goes on by levels while at most one search per this many was unfit for it. Unit: searches. From: not measured.
  static constexpr std::uint64_t unfit_part = 8;
  /// Memory of all partial sums. Unit: bytes. From: betweenness.md.
  static constexpr std::size_t lane_bytes = std::size_t{256} << 20;
  /// Partial sums, at most. Unit: sums. From: betweenness.md.
  static constexpr std::size_t most_lanes = 64;
  /// Partial sums, at least. Unit: sums. From: betweenness.md.
  static constexpr std::size_t least_lanes = 16;
};

struct Closeness {
  /// A sample of fewer than one vertex in this many is drawn without a list of all. Unit: vertices. From: not measured.
  static constexpr std::uint64_t few_drawn_part = 16;
  /// With fewer, one thread adds the sums. Unit: vertices. From: not measured.
  static constexpr std::size_t few_for_threads = std::size_t{1} << 16;
};

struct Eccentricity {
  /// With fewer, one thread keeps the bounds. Unit: vertices and arcs. From: not measured.
  static constexpr std::size_t few_for_threads = std::size_t{1} << 16;
  /// Up to this size, a component is searched on the CPU: a device would touch the whole graph.
  /// Unit: vertices. From: eccentricity.md.
  static constexpr std::size_t small_component = std::size_t{1} << 10;
  /// Passes take over if a batch of single searches settles fewer vertices each.
  /// Unit: vertices per search. From: eccentricity.md.
  static constexpr std::uint64_t settled_per_search = 8;
  /// Single searches of the first batch. Unit: searches. From: eccentricity.md.
  static constexpr std::uint64_t first_batch = 16;
  /// Single searches of a later batch. Unit: searches. From: eccentricity.md.
  static constexpr std::uint64_t next_batch = 2;
  /// Passes between two batches. Unit: passes. From: eccentricity.md.
  static constexpr std::uint64_t passes_per_batch = 8;
};

struct KCore {
  /// With fewer, further threads cost more than they save. Unit: vertices and arcs. From: not measured.
  static constexpr std::size_t few_for_threads = std::size_t{1} << 17;
  /// Up to this many, one thread looks through the vertices that are left. Unit: vertices. From: not measured.
  static constexpr std::size_t few_left = std::size_t{1} << 14;
  /// On a device: a round of up to this many is taken by one block. Unit: vertices. From: kcore.md.
  static constexpr std::uint64_t most_alone = 2048;
  /// On a device: a round of up to this many, by a block of 128 threads instead of 1,024. Unit: vertices. From: not measured.
  static constexpr std::uint64_t few = 64;
};

struct Flow {
  /// With fewer, further threads cost more than they save. Unit: vertices and arcs. From: not measured.
  static constexpr std::size_t few_for_threads = std::size_t{1} << 16;
  /// Vertices that a thread takes at a time from the active ones. Unit: vertices. From: not measured.
  static constexpr std::size_t active_grain = 64;
  /// A round of fewer is taken by one thread. Unit: vertices. From: not measured.
  static constexpr std::size_t few_active = 256;
  /// Entries of rows that relabelling may look at, per entry of the network, before heights are measured anew.
  /// Unit: entries. From: not measured.
  static constexpr std::uint64_t relabels_per_entry = 1;
  /// On a device they are also measured anew after so many rounds, or after as many as the last measuring had levels, if these
  /// are more: a round costs its launches, however few vertices are active. Unit: rounds. From: flow.md.
  static constexpr std::uint64_t device_rounds = 64;
};

struct Matching {
  /// With fewer, further threads cost more than they save. Unit: vertices and arcs. From: not measured.
  static constexpr std::size_t few_for_threads = std::size_t{1} << 16;
};

/// Strongly connected components.
struct Strong {
  /// With fewer, and without incoming rows, Tarjan's algorithm alone is faster. Unit: vertices and arcs. From: scc.md.
  static constexpr std::size_t small_without_in = std::size_t{1} << 18;
  /// From so many threads on, the CPU trims what is left after the search around the pivot. Unit: threads. From: 0048.
  static constexpr int threads_to_trim = 4;
  /// A round of trimming begins if one in this many of a sample would go. Unit: vertices. From: 0048.
  static constexpr std::size_t trim_part = 4;
  /// That sample. Unit: vertices. From: not measured.
  static constexpr std::size_t trim_sample = 512;
  /// A mean level of this size is worth several threads. Unit: vertices. From: not measured.
  static constexpr std::uint32_t wide_level = 1024;
  /// Levels after which a search around the pivot is given up if levels are small. Unit: levels. From: not measured.
  static constexpr std::int32_t many_levels = 64;
  /// The search around the pivot is given up if it has met less than one vertex in this many.
  /// Unit: vertices. From: not measured.
  static constexpr std::uint32_t least_part = 8;
  /// Rounds of trimming on a device: a path is trimmed by one vertex per round and end. Unit: rounds. From: not measured.
  static constexpr std::uint64_t device_trim_rounds = 64;
  /// From this product of its degrees, a pivot is searched around: along a path, spreading is faster. Unit: pairs of arcs.
  /// From: not measured.
  static constexpr std::uint64_t device_least_ways = 4;
  /// Rounds around the pivot: one for this many vertices. Unit: vertices per round. From: not measured.
  static constexpr std::uint64_t device_reach_part = 16;
  /// These rounds, at least. Unit: rounds. From: not measured.
  static constexpr std::uint64_t device_least_reach = 64;
  /// These rounds, at most. Unit: rounds. From: not measured.
  static constexpr std::uint64_t device_most_reach = 8192;
  /// Rounds around the pivot after which both directions are looked at. Unit: rounds. From: not measured.
  static constexpr std::uint64_t device_early_rounds = 32;
  /// A device leaves the graph to the CPU after one round per this many of 2 n + m.
  /// Unit: vertices and arcs per round. From: scc.md.
  static constexpr std::uint64_t device_rounds_part = 200;
  /// Rounds of a device, at least. Unit: rounds. From: scc.md.
  static constexpr std::uint64_t device_least_rounds = 4096;
};

inline constexpr Device h200{};

}  // namespace hopwave::thresholds
