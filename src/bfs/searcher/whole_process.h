// Where a process that ends with its answer is done first: a GPU searches faster, but a process must start it and copy the
// graph there. A Searcher that stays has paid that once, and goes by placement.h.
#pragma once

#include <cstdint>
#include <string>

#include "hopwave/search.h"

namespace hopwave::search_detail {

/// What is to be done, as far as it is known before: a graph, and how many searches' work.
struct WholeJob {
  std::uint64_t vertices = 0, arcs = 0;
  std::uint64_t passes = 0;  ///< of many searches at once (MS-BFS)
  double searches = 0;       ///< one by one; a shortest-path tree with weights, or a source of betweenness, counts as several
  int threads = 1;           ///< of the CPU
  bool weights = false;      ///< they are copied too
};

/// Fitted to whole processes on one machine (NVIDIA H200, 16 threads of its host; docs/cli.md); scripts/whole-process measures
/// them. Others differ, but seldom so much that the choice does: near the border both take as long.
struct WholeRates {
  double gpu_start = .35;    ///< seconds from the first call of CUDA to a context
  double gpu_copy = 12e9;    ///< bytes per second from the graph's memory, or its file, to the device
  double gpu_dense = 60e9;   ///< arcs per second of a search where rows are long
  double gpu_thin = 1e9;     ///< where levels are small: roads, meshes
  double cpu_dense = 250e6;  ///< arcs per second of one thread, where rows are long
  double cpu_thin = 60e6;
  double thin_degree = 4;    ///< arcs per vertex up to which a graph is taken as thin
  int cpu_thin_threads = 4;  ///< more do not help where levels are small
  double pass_searches = 8;  ///< searches that a pass costs
};

struct WholeTimes {
  double cpu = 0, gpu = 0;  ///< seconds, without reading the graph, which is the same
};

WholeTimes whole_times(const WholeJob& job, const WholeRates& rates = {});

/// A device for the whole process, and why.
struct WholeChoice {
  DeviceKind device = DeviceKind::automatic;
  std::string why;
};
/// cpu where that is done first; else automatic, which takes a GPU if there is one.
WholeChoice choose_whole(const WholeJob& job, const WholeRates& rates = {});

}  // namespace hopwave::search_detail
