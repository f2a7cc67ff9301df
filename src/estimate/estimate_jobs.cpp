// The memory of closeness, betweenness, eccentricity and components: their own arrays and those of their searches.
#include "estimate/estimate_jobs.h"

#include <algorithm>

#include "algorithm/betweenness/betweenness_lanes.h"
#include "bfs/plan/thresholds.h"
#include "core/parallel.h"
#include "core/refuse.h"
#include "hopwave/closeness.h"
#include "hopwave/error.h"

namespace hopwave::search_detail {
namespace {

constexpr std::uint64_t pass = 64;
constexpr std::uint64_t most_levels_counted = 4096;  ///< for searches in flight; deeper ones take 256 bytes per level more
constexpr std::uint64_t device_states = std::uint64_t{1}
                                        << 24;  ///< betweenness searches at the same time (algorithm/betweenness/gpu.cu)

/// The size of a graph.
struct Shape {
  std::uint64_t n, arcs;
  bool directed;
  /// Returns the bytes of offsets and neighbours on a device.
  [[nodiscard]] std::uint64_t rows() const { return (arcs < std::uint64_t{1} << 32 ? 4 : 8) * (n + 1) + 4 * arcs; }
};

/// Returns the memory of this many searches, which run in passes; on directed graphs they also run against the arcs.
MemoryEstimate of_searches(const GraphSize& size, const EstimateOptions& options, std::uint64_t searches) {
  return estimate_memory(size, {.build_in = true,
                                .undirected = options.undirected,
                                .weights = options.weights,
                                .searches = searches,
                                .threads = options.threads});
}

/// Returns the words, queues, lists and digits of each pass; passes run one at a time if memory is short. The depth is
/// unknown: each pass finally has sixteen digits, for up to 65,535 levels, and one of them also has the previous eight
/// while they are copied. It has one counter per source and level, and the previous counters.
std::uint64_t in_flight(const Shape& shape, std::uint64_t passes) {
  const std::uint64_t levels = std::min(shape.n, most_levels_counted) + 2, of_level = pass * 4;
  const std::uint64_t digits = shape.n > 256 ? 16 * 8 : 8 * 8, entry = shape.arcs < std::uint64_t{1} << 32 ? 16 : 32;
  return passes * (shape.n * (5 * 8 + digits + 3 * entry + 3 * 4) + levels * of_level) + shape.n * 8 * 8 + 64 * of_level;
}

/// Adds what is kept for every vertex: the source and its row; with samples: four sums, seven values, a row of
/// distances, component labels and sizes.
void count_closeness(MemoryEstimate& e, const Shape& shape, std::uint64_t samples) {
  const std::uint64_t of_rows = 4 + sizeof(SourceDistances);
  e.search_bytes += samples == 0 ? shape.n * of_rows : shape.n * (24 + 7 * 8 + 4 + 4 * 4) + e.searches * of_rows;
  if (samples) e.device_bytes += 24 * shape.n;  // the sums are computed there
  const std::uint64_t passes = thresholds::h200.passes_in_flight(shape.n);
  if (samples == 0 && e.searches > pass && passes > 1) e.device_bytes += in_flight(shape, passes);
}

void count_betweenness(MemoryEstimate& e, const Shape& shape, const EstimateOptions& options) {
  const std::uint64_t sums = shape.n + (options.arcs ? shape.arcs : 0);
  const std::uint64_t lanes = count_lanes(sums, e.searches);
  const std::uint64_t threads = std::min<std::uint64_t>(options.threads ? options.threads : hardware_threads(), lanes);
  e.search_bytes =
      threads * (options.weights ? bytes_of_a_weighted_search : bytes_of_a_search) * shape.n + (lanes + 1) * 8 * sums;
  const std::uint64_t at_once = std::clamp<std::uint64_t>(device_states / std::max<std::uint64_t>(shape.n, 1), 1, pass);
  e.device_bytes = (shape.directed ? 2 : 1) * shape.rows() +
                   std::min(at_once, std::max<std::uint64_t>(e.searches, 1)) * 36 * shape.n + 8 * sums;
}

/// Adds bounds and order of vertices, components, and by hops the central vertex's distances.
void count_eccentricity(MemoryEstimate& e, const Shape& shape, bool weights) {
  e.search_bytes = (shape.directed ? 2 : 1) * e.search_bytes + shape.n * (weights ? 16 + 4 + 12 : 25 + 4 + 12);
  if (shape.directed && !weights)
    e.search_bytes +=
        shape.n * (4 + sizeof(EdgeIndex)) + shape.arcs * sizeof(VertexId);  // searched by the calling thread, backwards
  e.device_bytes *= shape.directed ? 2 : 1;
}

}  // namespace

MemoryEstimate estimate_job(const GraphSize& size, const EstimateOptions& options) {
  if (options.threads < 0 || options.threads > 4096)
    core::refuse("HW-OPTION-THREADS", std::to_string(options.threads) + " threads", "0 (all) to 4,096");
  const bool directed = !size.undirected && !options.undirected, searches_only = options.job == EstimateJob::closeness;
  const std::uint64_t n = std::min(size.vertices, std::uint64_t{1} << 32);
  const std::uint64_t wanted = options.samples ? std::min(options.samples, n) : n;
  if (searches_only || options.job == EstimateJob::eccentricity) {
    MemoryEstimate e = of_searches(size, options, std::max<std::uint64_t>(searches_only ? wanted : pass, 1));
    if (!size.known) return e;
    e.searches = searches_only ? wanted : 0;
    const Shape shape{n, e.arcs, directed};
    searches_only ? count_closeness(e, shape, options.samples) : count_eccentricity(e, shape, options.weights);
    return e;
  }
  MemoryEstimate e = estimate_memory(size, {.build_in = options.job == EstimateJob::strong_components,
                                            .undirected = options.undirected,
                                            .weights = options.weights});
  if (!size.known) return e;
  const Shape shape{n, e.arcs, directed};
  e.searches = 0;
  if (options.job == EstimateJob::betweenness) {
    e.searches = wanted;
    count_betweenness(e, shape, options);
  } else if (options.job == EstimateJob::components) {
    e.search_bytes = 8 * n;  // labels and sizes
    e.device_bytes = shape.rows() + 4 * n;
  } else if (options.job == EstimateJob::core_numbers) {
    // Degrees and the vertices in order with their positions, or lists of remaining, kept and removed vertices;
    // incoming arcs.
    e.search_bytes = 16 * n + (directed ? 8 * (n + 1) + 4 * e.arcs : 0);
    e.device_bytes = (directed ? 2 : 1) * shape.rows() + n * (4 + 4 + 2 * 4) + 4 * 8;
  } else if (options.job == EstimateJob::max_flow) {
    // Capacities and flows of arcs; the residual network's rows; heights, excess, queues. Incoming arcs.
    const std::uint64_t entries = (directed ? 2 : 1) * e.arcs;
    e.search_bytes = 16 * e.arcs + 28 * entries + 64 * n + (directed ? 8 * (n + 1) + 4 * e.arcs : 0);
    e.device_bytes = 20 * entries + n * (8 + 8 + 4 * 4) + 8 + 16;
  } else if (options.job == EstimateJob::matching) {
    // Mates, sides, the cover, layers, places in rows, left vertices, a queue and a path. Incoming arcs, and rows of both.
    const Shape both{n, (directed ? 2 : 1) * e.arcs, false};
    e.search_bytes = 30 * n + (directed ? 16 * (n + 1) + 12 * e.arcs : 0);
    e.device_bytes = both.rows() + n * (4 + 4 + 4 * 4) + 16;
  } else {
    // Labels and sizes; two sweeps with distances, a frontier and each thread's findings, or Tarjan's numbers and
    // stacks.
    e.search_bytes = n * (4 + 4) + n * std::max<std::uint64_t>(2 * (4 + 4 + 4), 4 + 4 + 4 + 16);
    // For undirected graphs they are the connected components; otherwise both rows, and arrays and queues of
    // algorithm/strong/gpu.cu.
    const std::uint64_t queued = 2 * n + 2 * e.arcs / 128;
    e.device_bytes = directed ? 2 * shape.rows() + n * (4 + 8 + 4 + 8 + 8) + 2 * 8 * queued + 7 * 8 : shape.rows() + 4 * n;
  }
  return e;
}

}  // namespace hopwave::search_detail
