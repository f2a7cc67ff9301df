// Estimates of the memory that a job needs, before it runs, and of the memory that is available. They use a file's
// header, its size and a sample of its rows, or a generator's spec; no large data is read or allocated.
#pragma once

#include <cstdint>
#include <string>

#include "hopwave/io.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// The expected size of a graph.
struct GraphSize {
  std::uint64_t vertices = 0;
  std::uint64_t rows = 0;   ///< edges as stored
  bool undirected = false;  ///< the input itself is undirected: each row counts in both directions
  bool exact = false;       ///< from a header or a spec; otherwise from a sample
  bool mapped = false;      ///< opened by mapping (.hwg): its arrays need no memory of their own
  int weight_bytes = 4;     ///< bytes of each weight, if weights are asked for: 8 if a .hwg states so
  bool known = true;        ///< false: the size cannot be known in advance (standard input)
  std::string basis = {};   ///< "header", "sample of 1,048,576 bytes", "generator"
};
/// Returns the expected size of a graph. Reads at most `sample_bytes` of a file, and at most 64 MiB. Files that cannot
/// be opened throw the errors of read_edges.
GraphSize graph_size(const std::string& path_or_spec, const ReadOptions& read = {}, std::uint64_t sample_bytes = 1 << 20);

/// The job to estimate.
enum class EstimateJob {
  search,        ///< by hops, or by weight with `weights`
  closeness,     ///< of every vertex; estimated with `samples`
  betweenness,   ///< of every vertex; estimated with `samples`
  eccentricity,  ///< of every vertex, or the diameter only
  components,    ///< weakly connected
  strong_components,
  core_numbers,
  max_flow,
  matching,  ///< of a bipartite graph
};

struct EstimateOptions {
  bool build_in = false;    ///< the transpose as well (bottom-up levels on directed graphs)
  bool undirected = false;  ///< both directions of every row are stored
  bool parents = false;
  bool weights = false;  ///< shortest paths by weight; `prepare` has no effect then
  bool prepare = false;  ///< include what preparation makes on a GPU, at most
  std::uint64_t searches =
      1;  ///< more than 1: independent searches, of which `auto` does up to 64 per pass; by weight one per thread
  /// For a job other than `search`, the options above except `undirected` have no effect, and for closeness, betweenness and
  /// eccentricity `weights`.
  EstimateJob job = EstimateJob::search;
  std::uint64_t samples = 0;  ///< for closeness and betweenness; 0: exact
  bool arcs = false;          ///< also the betweenness of arcs
  int threads = 0;            ///< for betweenness and for searches by weight; 0: all
};

struct MemoryEstimate {
  GraphSize size = {};
  std::uint64_t arcs = 0;             ///< stored arcs, both directions
  std::uint64_t graph_bytes = 0;      ///< the graph in host memory
  std::uint64_t load_peak_bytes = 0;  ///< peak while the graph is read and built
  std::uint64_t search_bytes = 0;     ///< a search on the CPU, in addition to the graph
  std::uint64_t device_bytes = 0;     ///< a search on a GPU, the graph included
  std::uint64_t searches = 0;         ///< searches from one vertex each that the job needs; 0: not known in advance, or none
  std::uint64_t host_free = 0;        ///< available now, to the machine or to this process's control group
  std::uint64_t device_free = 0;      ///< available now; 0: no usable GPU
  [[nodiscard]] std::uint64_t host_peak() const noexcept {
    const std::uint64_t both = graph_bytes + search_bytes, sum = both < graph_bytes ? ~std::uint64_t{0} : both;
    return load_peak_bytes > sum ? load_peak_bytes : sum;
  }
};

/// Returns the memory that the job needs. Takes O(1) after the sample. For more than 2^32 vertices or 2^48 rows, the
/// result is that for 2^32 and 2^48. Bytes are upper bounds if `size.exact`, otherwise accurate to some ten percent.
/// Memory that depends on the graph's depth or weights is not counted completely:
/// - Many searches at once on a GPU that are deeper than 255 levels need up to 192 bytes per vertex more, and 256 per
///   level. If several passes run at the same time (exact closeness), 65,535 and 4,096 levels are counted.
/// - Shortest paths by weight on a CPU use bins, with an entry of 4 bytes for each time that a distance decreases.
///   Twelve entries per vertex are counted; the maximum is one per arc.
/// Errors in addition to those of graph_size(): HW-OPTION-VALUE (no such job), HW-OPTION-THREADS.
MemoryEstimate estimate_memory(const std::string& path_or_spec, const ReadOptions& read = {},
                               const EstimateOptions& options = {});
MemoryEstimate estimate_memory(const GraphSize& size, const EstimateOptions& options = {});

/// Throws HW-MEMORY-HOST (does_not_fit), with the bytes and a remedy, if the host clearly has too little memory.
void require_host_memory(const MemoryEstimate& estimate);

/// Returns the bytes that this process can still allocate: MemAvailable, or less if a control group or a resource limit
/// is lower.
std::uint64_t host_memory_free();
std::uint64_t host_memory_total();

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
