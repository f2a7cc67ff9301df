// The memory that a job needs. The model counts the arrays that reading, building and
// searching hold at the same time; tests compare it with measured peaks.
#include "hopwave/estimate.h"

#include <algorithm>
#include <string_view>

#include "bfs/plan/thresholds.h"
#include "core/bytes_text.h"
#include "core/options.h"
#include "core/parallel.h"
#include "estimate/estimate_jobs.h"
#include "hopwave/error.h"

namespace hopwave::inline v0_1 {
namespace {

/// Returns what preparation for a GPU adds at most: the rows again with other vertex numbers, or, for graphs that may
/// be high-diameter, rows of several hops. These hold at most 64 neighbours of four bytes on average, in units of 32
/// bytes, with a fiftieth of slack.
std::uint64_t prepared_bytes(std::uint64_t n, std::uint64_t arcs, std::uint64_t offset_width, std::uint64_t sides) {
  const std::uint64_t wide = sides * (offset_width * (n + 1) + 4 * arcs) + (3 * 4 + 16) * n;
  const std::uint64_t hops = n * 4 + (n * (64 + 7) / 8 / 50 * 51 + 4096) * 32;
  return arcs <= 8 * n ? std::max(wide, hops) : wide;
}

/// Returns the memory of searches from many sources on a thin graph, each in its own block: rows in fours, the
/// distances of 64 searches, and a list and visited bits per block. The number of blocks is the most that current GPUs
/// hold.
std::uint64_t per_source_bytes(std::uint64_t n, std::uint64_t arcs, std::uint64_t searches) {
  constexpr std::uint64_t most_blocks = 264, of_counts = std::uint64_t{1} << 20;
  const std::uint64_t rows = 16 * (n + arcs / 3), distances = 4 * n * std::min<std::uint64_t>(searches, 64);
  const std::uint64_t blocks = std::min(searches, most_blocks) *
                               (8 * std::min<std::uint64_t>(n, thresholds::AnyDevice::per_source_widest_level) + n / 8);
  return rows + distances + blocks + std::min<std::uint64_t>((searches + 63) / 64, 16) * of_counts;
}

/// Adds the memory of shortest paths by weight besides the graph. On a CPU: distances, a copy of them as the result,
/// parents, and a heap of two entries of 16 bytes per vertex, and half of it again while it grows; twelve entries of 4
/// bytes in bins take as much. On a GPU: arcs as words of 64 bits, or of 128 for weights of 64 bits, distances, two
/// queues of entries, two piles, marks, parents; in addition neighbours and weights while the graph is copied there.
void count_weights(MemoryEstimate& e, std::uint64_t n, std::uint64_t rows, bool undirected, const EstimateOptions& options) {
  const std::uint64_t wide = e.arcs < (std::uint64_t{1} << 32) - 4096 ? 4 : 8;
  const std::uint64_t entry = wide == 4 ? 12 : 24, parents = options.parents ? 4 : 0;
  const auto each = static_cast<std::uint64_t>(e.size.weight_bytes);
  const std::uint64_t weights = each * e.arcs * (options.build_in && !undirected ? 2 : 1);
  e.graph_bytes += e.size.mapped ? 0 : weights;
  e.load_peak_bytes += e.size.mapped ? 0 : each * rows + weights;
  e.search_bytes = n * (8 + 8 + parents + 1 + 3 * 16) + 3 * 16 * 1024;
  if (options.searches > 1) {  // one per thread: distances, marks, what is reached, the heap, and the tree
    const std::uint64_t threads = static_cast<std::uint64_t>(options.threads ? options.threads : hardware_threads());
    e.search_bytes = std::min(threads, options.searches) * (n * (8 + 1 + 8 + parents + 3 * 16) + 3 * 16 * 1024);
  }
  const std::uint64_t rows_there = wide * (n + 1) + (each == 8 ? 16 : 8) * e.arcs;
  e.device_bytes = std::max(rows_there + n * (8 + 2 * entry + 2 * 4 + 2 * 4 + parents),
                            rows_there + (4 + each) * e.arcs + n * (8 + 2 * 4));  // while the graph is copied there
}

}  // namespace

MemoryEstimate estimate_memory(const GraphSize& size, const EstimateOptions& options) {
  core::require_named(options.job, EstimateJob::matching, "job");
  if (options.job != EstimateJob::search) return search_detail::estimate_job(size, options);
  MemoryEstimate e;
  e.size = size;
  e.host_free = host_memory_free();
  if (!size.known) return e;
  // Products of these are far below 2^64. No generator makes more rows, and no file has as many.
  const std::uint64_t n = std::min(size.vertices, std::uint64_t{1} << 32), rows = std::min(size.rows, std::uint64_t{1} << 51);
  const bool undirected = size.undirected || options.undirected;
  e.arcs = rows * (undirected ? 2 : 1);
  const std::uint64_t adjacency = 8 * (n + 1) + 4 * e.arcs;
  constexpr std::uint64_t around = std::uint64_t{24} << 20;  // the program itself, and blocks that are being read
  e.graph_bytes = adjacency * (options.build_in && !undirected ? 2 : 1);
  const std::uint64_t list = 8 * rows;
  e.load_peak_bytes = list + adjacency + 8 * n + around;
  if (size.mapped) {  // pages of the file, which the system can drop
    e.graph_bytes = 0;
    e.load_peak_bytes = around;
  }
  e.search_bytes = n * (4 + 4 + 4 + (options.parents ? 4 : 0)) + n / 4;
  e.searches = std::max<std::uint64_t>(options.searches, 1);
  if (options.weights) {
    count_weights(e, n, rows, undirected, options);
    return e;
  }
  const std::uint64_t offset_width = e.arcs < (std::uint64_t{1} << 32) ? 4 : 8;
  const std::uint64_t sides = options.build_in && !undirected ? 2 : 1, entry = offset_width == 4 ? 16 : 32;
  // Distances, two queues, hints of earlier searches, bits and bytes: `auto` asks for this amount before it allocates.
  const std::uint64_t device_search = n * (4 + 2 * entry + 4 + 2 + (options.parents ? 4 : 0));
  e.device_bytes = (offset_width * (n + 1) + 4 * e.arcs) * sides + device_search;
  if (options.prepare) e.device_bytes += prepared_bytes(n, e.arcs, offset_width, sides);
  if (options.searches > 1) {  // words, queues and digits of a pass; on a GPU all its distances, if they fit
    const std::uint64_t pass = std::min<std::uint64_t>(options.searches, 64);
    e.search_bytes += n * (4 * 8 + 2 * 4 + 4 * 8);
    const std::uint64_t passes = n * (5 * 8 + 8 * 8 + 3 * (offset_width == 4 ? 16 : 32) + 4 + 4 * pass);
    e.device_bytes += e.arcs <= 24 * n ? std::max(passes, per_source_bytes(n, e.arcs, options.searches)) : passes;
  }
  return e;
}

MemoryEstimate estimate_memory(const std::string& path_or_spec, const ReadOptions& read, const EstimateOptions& options) {
  return estimate_memory(graph_size(path_or_spec, read), options);
}

void require_host_memory(const MemoryEstimate& e) {
  // A sample may mislead, so an estimate from a sample refuses only jobs that need far too much.
  const std::uint64_t allowed = e.size.exact ? e.host_free : std::max(e.host_free, e.host_free + e.host_free / 2);
  if (!e.size.known || e.host_free == ~std::uint64_t{0} || e.host_peak() <= allowed) return;
  const std::string remedy =
      !e.size.mapped ? "use a machine with more memory, or convert the graph to .hwg there once (a .hwg is mapped, not loaded)"
      : e.searches > 1 ? "the .hwg is mapped, so this is memory of the work: take fewer threads, samples or sources, or use a "
                         "machine with more memory"
                       : "the .hwg is mapped, so this is memory of the work: use a machine with more memory";
  throw Error({.failure = Failure::does_not_fit,
               .id = "HW-MEMORY-HOST",
               .found = "about " + bytes_text(e.host_peak()) + " of memory needed and " + bytes_text(e.host_free) + " free",
               .expected = e.size.mapped ? "work that fits" : "a graph that fits",
               .hint = remedy + "; --allow-huge starts it anyway"});
}

}  // namespace hopwave::inline v0_1
