// Estimate: how much memory a job needs, before doing it, and how much there is.
// From a header, a file's size and a sample of its rows, or a generator's spec; nothing big is read or allocated.
#pragma once

#include <cstdint>
#include <string>

#include "hopwave/io.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// How large a graph will be.
struct GraphSize {
  std::uint64_t vertices = 0;
  std::uint64_t rows = 0;   ///< edges as stored
  bool undirected = false;  ///< by itself: each row stands for both directions
  bool exact = false;       ///< from a header or a spec; else from a sample
  bool mapped = false;      ///< opens by mapping (.hwg): its arrays need no memory of their own
  int weight_bytes = 4;     ///< of each weight, if they are asked for: 8 where a .hwg says so
  bool known = true;        ///< false: nothing can be said beforehand (standard input)
  std::string basis = {};   ///< "header", "sample of 1,048,576 bytes", "generator"
};
/// Reads at most `sample_bytes` of a file, and no more than 64 MiB. Throws like read_edges for files that cannot be opened.
GraphSize graph_size(const std::string& path_or_spec, const ReadOptions& read = {}, std::uint64_t sample_bytes = 1 << 20);

/// What is done with a graph.
enum class EstimateJob {
  search,        ///< by hops, or with `weights` by weight
  closeness,     ///< of every vertex; with `samples` estimated
  betweenness,   ///< of every vertex; with `samples` estimated
  eccentricity,  ///< of every vertex, or the diameter
  components,    ///< weakly connected
  strong_components,
  core_numbers,
  max_flow,
};

struct EstimateOptions {
  bool build_in = false;    ///< the transpose as well (pull on directed graphs)
  bool undirected = false;  ///< both directions of every row are stored
  bool parents = false;
  bool weights = false;        ///< shortest paths by weight; `prepare` and `searches` have no meaning then
  bool prepare = false;        ///< what preparation makes on a GPU, at most
  std::uint64_t searches = 1;  ///< more: independent ones, which `auto` does up to 64 in a pass
  /// Another one than `search`: what stands above has no meaning then, but for `undirected`.
  EstimateJob job = EstimateJob::search;
  std::uint64_t samples = 0;  ///< of closeness and betweenness; 0: exact
  bool arcs = false;          ///< betweenness of arcs, too
  int threads = 0;            ///< of betweenness; 0: all
};

struct MemoryEstimate {
  GraphSize size = {};
  std::uint64_t arcs = 0;             ///< stored, both directions
  std::uint64_t graph_bytes = 0;      ///< the graph in host memory
  std::uint64_t load_peak_bytes = 0;  ///< while it is read and built
  std::uint64_t search_bytes = 0;     ///< a search on the CPU, beside the graph
  std::uint64_t device_bytes = 0;     ///< a search on a GPU, graph included
  std::uint64_t searches = 0;         ///< from one vertex each, that the job takes; 0: not known beforehand, or none
  std::uint64_t host_free = 0;        ///< available now: of the machine or of this process's control group
  std::uint64_t device_free = 0;      ///< 0: no usable GPU
  [[nodiscard]] std::uint64_t host_peak() const noexcept {
    const std::uint64_t both = graph_bytes + search_bytes, sum = both < graph_bytes ? ~std::uint64_t{0} : both;
    return load_peak_bytes > sum ? load_peak_bytes : sum;
  }
};

/// O(1) beside the sample. Beyond 2^32 vertices and 2^48 rows the figures are those of so many. Bytes are upper bounds where
/// `size.exact`, else good to some ten percent. What depends on the graph's depth or weights is not counted whole:
/// - many searches at once on a GPU that are deeper than 255 levels: up to 192 bytes a vertex more, and 256 a level. Where
/// several
///   passes run at the same time (exact closeness), 65,535 and 4,096 levels are counted;
/// - shortest paths by weight on a CPU in bins, which have an entry of 4 bytes for each time that a distance falls. Twelve a
/// vertex
///   are counted; the most is one an arc.
/// Errors beside those of graph_size(): HW-OPTION-VALUE (no such job), HW-OPTION-THREADS.
MemoryEstimate estimate_memory(const std::string& path_or_spec, const ReadOptions& read = {},
                               const EstimateOptions& options = {});
MemoryEstimate estimate_memory(const GraphSize& size, const EstimateOptions& options = {});

/// Throws HW-MEMORY-HOST (does_not_fit), naming bytes and a remedy, if the host has clearly too little.
void require_host_memory(const MemoryEstimate& estimate);

/// Memory that this process can still have: MemAvailable, or less where a control group or a limit says so.
std::uint64_t host_memory_free();
std::uint64_t host_memory_total();

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
