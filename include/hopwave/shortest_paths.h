// Shortest paths from a source, by the weights of the arcs: distances, a tree of such paths, and a check of both.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hopwave/array.h"
#include "hopwave/device.h"
#include "hopwave/graph.h"
#include "hopwave/run.h"
#include "hopwave/search.h"
#include "hopwave/types.h"
#include "hopwave/validate.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// The distance of a vertex that no path reaches.
inline constexpr double no_path = std::numeric_limits<double>::infinity();

/// Vertices are internal ones: graph.vertex(id) returns them for the caller's ids.
struct WeightedQuery {
  std::vector<VertexId> sources = {};  ///< at least one; with several: distance from the nearest
  VertexId target = no_vertex;         ///< vertices farther than the target stay unreached
  double max_distance = no_path;       ///< vertices farther than this stay unreached; at least 0
  bool parents = true;
};

/// `prepare` and `copy_in` are those of the searcher's constructor.
struct WeightedReport : RunReport {
  Milliseconds parents = {};                    ///< finding the tree from the distances
  double delta = 0;                             ///< width of a bucket at the start of the search; 0: the method has no buckets
  std::uint64_t steps = 0;                      ///< rounds between two barriers; for cpu-dijkstra vertices taken from the heap
  std::uint64_t relaxations = 0;                ///< arcs examined; differs from run to run if threads race
  std::uint64_t launches = 0, round_trips = 0;  ///< on a device, without the tree
};

/// An answer in host memory, by internal vertex. Threads may read one at the same time.
struct WeightedResult {
  Array<double> distance = {};  ///< one value per vertex; no_path where there is none
  /// Internal vertices; no_vertex for sources and unreached vertices; empty unless the query asked for parents. The
  /// same on every device.
  Array<VertexId> parent = {};
  VertexId reached = 0;  ///< vertices with a distance, sources included
  double farthest = 0;   ///< greatest distance
  /// True: no distance was rounded. For whole weights this holds below 2^53, if no weight was rounded when it was read.
  /// False: a distance may have been rounded, or a weight was (ReadReport::weights_rounded).
  bool exact = true;
  WeightedReport run = {};

  /// Returns the distance of the vertex with the caller's `id`. Errors: HW-IDS-UNKNOWN, HW-RESULT-GRAPH.
  [[nodiscard]] double distance_of(const Graph& graph, std::int64_t id) const;
  [[nodiscard]] double distance_of(const Graph& graph, std::unsigned_integral auto id) const {
    return distance_of(graph, detail::signed_id(id));
  }
  [[nodiscard]] double distance_of(const Graph& graph, std::string_view id) const;
  /// Returns the vertices of the tree's path from a source to the vertex with the caller's `id`, both included; empty
  /// where there is no path. Errors as above, and HW-RESULT-PARENTS without `parent`.
  [[nodiscard]] std::vector<VertexId> path_to(const Graph& graph, std::int64_t id) const;
  [[nodiscard]] std::vector<VertexId> path_to(const Graph& graph, std::unsigned_integral auto id) const {
    return path_to(graph, detail::signed_id(id));
  }
  [[nodiscard]] std::vector<VertexId> path_to(const Graph& graph, std::string_view id) const;
};

/// Distances of pairs or of a matrix, in the order of what was asked.
struct WeightedDistances {
  Array<double> distance = {};  ///< no_path where there is none
  /// If they were asked for, one per pair: its vertices from source to target, both included; empty where there is none.
  std::vector<std::vector<VertexId>> paths = {};
  double exact_below = 0;  ///< distances below this were not rounded, as in WeightedResult::exact; 0: any may have been
  /// `strategy` and the counts are those of all searches together.
  WeightedReport run = {};
};

/// What one of many searches has found. The spans are valid during the call that gets it.
struct WeightedReach {
  std::size_t index = 0;                    ///< of the source among those that were asked for
  std::span<const VertexId> vertices = {};  ///< reached, in ascending order of distance; the source is among the first
  std::span<const double> distance = {};    ///< one value per vertex; no_path where there is none
};

struct WeightedOptions {
  std::string strategy = "auto";         ///< auto, cpu-dijkstra, cpu-delta-stepping, or near-far (on a GPU or in the simulator)
  Direction direction = Direction::out;  ///< both: each arc can also be followed backwards, at the same weight
  double delta = 0;  ///< width of a bucket; 0: from the mean weight and degree. It does not change the answer
  /// Parameters of near-far. "block": threads per block. "grid": blocks. "narrow": up to this number of arcs one block
  /// does a step alone. "steps": steps of one launch at most. "aim": arcs per step to which the buckets' width is
  /// fitted, the default if `delta` is 0. 0: a value that suits the device.
  Parameters parameters = {};
  RunOptions run = {};  ///< progress: "rounds"
};

/// A graph that is ready to be searched with one method: weights checked, arcs reversed if needed, copied to the
/// device. The weights are those of the graph; if it has none, every arc counts 1. A weight of 0 is allowed; an arc of
/// infinite weight is never used. Distances are sums in double. The distance of a vertex is the least sum over all
/// paths, each rounded arc by arc from the source on. This answer is unique, and every method and device finds it, to
/// the last bit.
/// One thread at a time (HW-BUSY). The graph must outlive the searcher. Errors of the constructor: HW-SSSP-WEIGHT (a
/// negative weight or NaN), HW-SSSP-SIZE, HW-STRATEGY-UNKNOWN, HW-STRATEGY-DEVICE, HW-DEVICE-…, HW-OPTION-…,
/// HW-PARAM-….
class WeightedSearcher {
 public:
  WeightedSearcher(const Graph& graph, const WeightedOptions& options = {});
  WeightedSearcher(const Graph&&, const WeightedOptions& = {}) = delete;  ///< the graph would not outlive the searcher
  ~WeightedSearcher();
  WeightedSearcher(WeightedSearcher&&) noexcept;
  WeightedSearcher& operator=(WeightedSearcher&&) noexcept;

  /// Returns distances and, if asked for, the tree. Errors: HW-QUERY-EMPTY, -SOURCE, -TARGET, -DISTANCE,
  /// HW-INTERRUPTED, HW-CANCELLED, HW-TIME-LIMIT. The searcher can be used again after any of them.
  WeightedResult run(const WeightedQuery& query);
  /// Finds the distances and leaves them where they are, for measurements.
  WeightedReport traverse(const WeightedQuery& query);
  /// Returns the distance of each pair's target from its source and, with `paths`, the path to it in the tree that run()
  /// returns. Pairs of one source share a search, which ends when all their targets are known. On a CPU each thread does one
  /// search at a time by Dijkstra's algorithm, with up to 65 bytes per vertex of its own, and 4 more with `paths`; searches run
  /// one after the other with strategy cpu-delta-stepping and on other devices. Limits apply to the whole call. Progress:
  /// "searches". Errors: HW-QUERY-SOURCE, -TARGET, HW-INTERRUPTED, HW-CANCELLED, HW-TIME-LIMIT, HW-MEMORY.
  WeightedDistances distances(std::span<const Pair> pairs, bool paths = false);
  /// Returns the distances from each source to each target: element [i · targets.size() + j] is the distance of targets[j]
  /// from sources[i]. Vertices may be named several times. Searches and errors as in distances().
  WeightedDistances distance_matrix(std::span<const VertexId> sources, std::span<const VertexId> targets);
  /// Searches from each source and calls `use` once for each, on a CPU from several threads at the same time. Each thread does
  /// one search at a time there, with 37 bytes per vertex of its own and a heap; with strategy cpu-delta-stepping and on
  /// other devices searches run one after the other. Limits, progress and errors as in distance_matrix(), and what `use`
  /// throws.
  WeightedReport run_each(std::span<const VertexId> sources, const std::function<void(const WeightedReach&)>& use);
  /// Sets the limits of later calls. Errors: HW-OPTION-TIME-LIMIT.
  void set_limits(const Limits& limits);

  [[nodiscard]] const std::string& strategy() const;  ///< the strategy that runs (never "auto")
  [[nodiscard]] DeviceKind device() const;
  [[nodiscard]] Milliseconds copy_in() const;  ///< copying the graph to the device
  [[nodiscard]] Milliseconds prepare() const;  ///< checking weights, reversing arcs
  [[nodiscard]] const std::vector<std::string>& notes() const;
  [[nodiscard]] double exact_below() const;  ///< as in WeightedDistances

 private:
  struct [[gnu::visibility("hidden")]] State;
  class [[gnu::visibility("hidden")]] Use;
  class [[gnu::visibility("hidden")]] Each;
  std::shared_ptr<State> state_;
};

/// Returns the answer of one search. Errors as in WeightedSearcher and its run().
WeightedResult shortest_paths(const Graph& graph, const WeightedQuery& query, const WeightedOptions& options = {});

/// Returns whether this is the right answer, in linear time and without a search. The rules are those of the Graph500
/// specification for shortest paths. Sources have distance 0. No arc gives its end a smaller distance than it has. Each
/// other reached vertex has an arc from its parent that gives exactly its distance. Parents form no cycle. Every vertex
/// within the limits is reached. For a result without parents, the tree is found first.
/// Errors: HW-SSSP-WEIGHT, HW-OPTION-VALUE, HW-MEMORY.
Verdict validate(const Graph& graph, const WeightedQuery& query, const WeightedResult& result,
                 Direction direction = Direction::out);

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
