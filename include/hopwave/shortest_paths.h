// Shortest paths from a source, by the weights of the arcs: distances, a tree of such paths, and a check of both.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hopwave/array.h"
#include "hopwave/device.h"
#include "hopwave/graph.h"
#include "hopwave/limits.h"
#include "hopwave/search.h"
#include "hopwave/types.h"
#include "hopwave/validate.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// The distance of a vertex that no path reaches.
inline constexpr double no_path = std::numeric_limits<double>::infinity();

/// Vertices are internal ones: graph.vertex(id) gives them for the caller's ids.
struct WeightedQuery {
  std::vector<VertexId> sources = {};  ///< at least one; several: distance from the nearest
  VertexId target = no_vertex;         ///< what is farther than it stays unreached
  double max_distance = no_path;       ///< what is farther stays unreached; 0 or more
  bool parents = true;
};

struct WeightedStats {
  double search_ms = 0;                         ///< the distances: device events on a GPU, wall clock on a CPU
  double parents_ms = 0;                        ///< the tree, found from the distances
  double copy_back_ms = 0;                      ///< distances to the host
  double delta = 0;                             ///< width of a bucket, as the search began; 0: the method has none
  std::uint64_t steps = 0;                      ///< rounds between two barriers; of cpu-dijkstra vertices taken from the heap
  std::uint64_t relaxations = 0;                ///< arcs looked at; differs from run to run where threads race
  std::uint64_t launches = 0, round_trips = 0;  ///< of the distances, on a device
  std::string chosen = {};                      ///< what `auto` runs and why; else empty
};

/// An answer in the host's memory, by internal vertex. Threads may read one together.
struct WeightedResult {
  Array<double> distance = {};  ///< one a vertex, no_path where none leads
  /// Internal vertices; empty unless asked; no_vertex for sources and unreached vertices. The same on every device.
  Array<VertexId> parent = {};
  VertexId reached = 0;  ///< vertices with a distance, sources included
  double farthest = 0;   ///< greatest distance
  /// No distance was rounded: with whole weights this holds below 2^53, and of weights that were read as they are. False: some
  /// may have been, or a weight was (ReadReport::weights_rounded).
  bool exact = true;
  WeightedStats stats = {};

  /// Distance of the vertex that the caller calls `id`. Errors: HW-IDS-UNKNOWN, HW-RESULT-GRAPH.
  [[nodiscard]] double distance_of(const Graph& graph, std::int64_t id) const;
  [[nodiscard]] double distance_of(const Graph& graph, std::unsigned_integral auto id) const {
    return distance_of(graph, detail::signed_id(id));
  }
  [[nodiscard]] double distance_of(const Graph& graph, std::string_view id) const;
  /// The vertices of the tree's path from a source to the one that the caller calls `id`, both included; none where no path
  /// leads. Errors as above, and HW-RESULT-PARENTS without `parent`.
  [[nodiscard]] std::vector<VertexId> path_to(const Graph& graph, std::int64_t id) const;
  [[nodiscard]] std::vector<VertexId> path_to(const Graph& graph, std::unsigned_integral auto id) const {
    return path_to(graph, detail::signed_id(id));
  }
  [[nodiscard]] std::vector<VertexId> path_to(const Graph& graph, std::string_view id) const;
};

struct WeightedOptions {
  std::string strategy = "auto";  ///< or cpu-dijkstra, cpu-delta-stepping, near-far (on a GPU or in the simulator)
  DeviceKind device = DeviceKind::automatic;
  DeviceOptions on = {};
  Direction direction = Direction::out;  ///< both: each arc also leads back, at the same weight
  double delta = 0;                      ///< width of a bucket; 0: from the mean weight and degree. No answer depends on it
  int threads = 0;                       ///< on a CPU; 0: all
  std::uint64_t seed = 1;                ///< schedule of the simulator
  ScheduleKind schedule = ScheduleKind::uniform;  ///< other kinds: HW-OPTION-SCHEDULE unless the simulator searches
  /// Of near-far. "block": threads a block; "grid": blocks; "narrow": arcs up to which one block takes a step alone; "steps":
  /// of a launch at most; "aim": arcs a step that the buckets' width is fitted to, the standard if `delta` is 0. 0: what suits
  /// the device.
  Parameters parameters = {};
  /// Called now and then with the steps and relaxations so far; false ends the search with HW-INTERRUPTED. May be empty.
  std::function<bool(std::uint64_t steps, std::uint64_t relaxations)> progress = {};
  Limits limits = {};  ///< of each call; `partial` has no meaning here
};

/// A graph made ready for a method: its weights checked, turned round where wanted, copied to the device.
/// Weights are those of the graph, one for every arc where it has none. 0 is allowed; an arc of infinite weight cannot be
/// taken. Distances are sums in double. A vertex gets the least sum over all paths, each rounded arc by arc from the
/// source on: there is one such answer, and every method and device finds it, to the last bit.
/// One thread at a time (HW-BUSY); the graph must outlive it. Errors of the constructor: HW-SSSP-WEIGHT (a negative weight or
/// one that is no number), HW-SSSP-SIZE, HW-STRATEGY-UNKNOWN, HW-STRATEGY-DEVICE, HW-DEVICE-…, HW-OPTION-…, HW-PARAM-….
class WeightedSearcher {
 public:
  WeightedSearcher(const Graph& graph, const WeightedOptions& options = {});
  WeightedSearcher(const Graph&&, const WeightedOptions& = {}) = delete;  ///< it would be gone before the first search
  ~WeightedSearcher();
  WeightedSearcher(WeightedSearcher&&) noexcept;
  WeightedSearcher& operator=(WeightedSearcher&&) noexcept;

  /// Errors: HW-QUERY-EMPTY, -SOURCE, -TARGET, -DISTANCE, HW-INTERRUPTED, HW-CANCELLED, HW-TIME-LIMIT. After each of them the
  /// searcher can be used again.
  WeightedResult run(const WeightedQuery& query);
  /// Finds the distances and leaves them where they are; for measuring.
  WeightedStats traverse(const WeightedQuery& query);
  /// Of every later call. Errors: HW-OPTION-TIME-LIMIT.
  void set_limits(const Limits& limits);

  [[nodiscard]] const std::string& strategy() const;  ///< the one that runs ("auto" resolved)
  [[nodiscard]] DeviceKind device() const;
  [[nodiscard]] double copy_seconds() const;     ///< graph to device
  [[nodiscard]] double prepare_seconds() const;  ///< weights checked, arcs turned round
  [[nodiscard]] const std::vector<std::string>& notes() const;

 private:
  struct [[gnu::visibility("hidden")]] State;
  class [[gnu::visibility("hidden")]] Use;
  std::shared_ptr<State> state_;
};

/// One search. Errors as of WeightedSearcher and its run().
WeightedResult shortest_paths(const Graph& graph, const WeightedQuery& query, const WeightedOptions& options = {});

/// Is this the right answer? In linear time, without a search: the rules of the Graph500 specification for shortest paths.
/// Sources have distance 0; no arc offers less than its end has; each other vertex that is reached has an arc from its
/// parent that gives exactly its distance; parents make no circle; nobody within the limits is left out.
/// Of a result without parents the tree is looked for first.
/// Errors: HW-SSSP-WEIGHT, HW-OPTION-VALUE, HW-MEMORY.
Verdict validate(const Graph& graph, const WeightedQuery& query, const WeightedResult& result,
                 Direction direction = Direction::out);

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
