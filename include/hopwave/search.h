// Search: one query on one graph, with a named strategy, on the CPU, a GPU or the GPU simulator.
// search() runs a single query; Searcher keeps the graph ready on a device for any number of queries.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hopwave/array.h"
#include "hopwave/counts.h"
#include "hopwave/device.h"
#include "hopwave/graph.h"
#include "hopwave/level_counts.h"
#include "hopwave/run.h"
#include "hopwave/types.h"

namespace hopwave::search_detail {
class SumsOnDevice;
}

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// The direction in which a search follows arcs. `both` ignores directions.
enum class Direction { out, in, both };

/// Which of several possible parents is reported.
enum class Ties {
  any,  ///< the one that the strategy found first: may differ from run to run
  min   ///< the smallest internal vertex (hence the smallest caller's id): the same for all strategies and devices
};

/// Vertices are internal ones: graph.vertex(id) returns them for the caller's ids.
struct Query {
  std::vector<VertexId> sources = {};  ///< at least one; with several: distance to the nearest
  Distance max_depth = -1;             ///< deeper vertices stay unreached; −1: no limit; lower values are an error
  VertexId target = no_vertex;         ///< the search ends after the level that reaches it; deeper vertices stay unreached
  bool parents = false;
  Ties ties = Ties::any;
};

/// One step of a traversal, for --explain and reports. In a level-synchronous strategy, steps are in order of their
/// level from 1 on, and the last may discover nothing. Together they discover every reached vertex except the sources.
/// A strategy that relaxes has one step per pass.
struct LevelTrace {
  Distance level = 0;              ///< distance of the vertices that this step discovers
  const char* direction = "push";  ///< "push", "pull", "edges", "relax"
  std::uint64_t frontier = 0;      ///< vertices expanded (push) or discovered in the previous step (pull)
  std::uint64_t edges = 0;         ///< arcs examined, if the strategy counts them; otherwise 0
  std::uint64_t discovered = 0;
  Milliseconds time = {};
};

/// A part of a traversal that is not a level, for --explain and reports.
struct PartTime {
  const char* name = "";
  Milliseconds time = {};
};

/// The work of one device in one level of a search that is partitioned over several devices.
struct DeviceLevel {
  Distance level = 0;
  int device = 0;                ///< the driver's number of the device
  Milliseconds compute = {};     ///< work on its own vertices and arcs
  Milliseconds exchange = {};    ///< reading what the other devices found
  Milliseconds wait = {};        ///< waiting for the slowest device
  std::uint64_t bytes_read = 0;  ///< bytes of other devices' memory, at most
};

/// `work` is the traversal with its initialisation. `prepare` and `copy_in` are those of the searcher's constructor.
struct SearchReport : RunReport {
  Milliseconds host = {};  ///< wall clock of the traversal on the host
  /// The greatest distance found; for run() and run_each() it equals Result::depth. traverse() stops when its strategy
  /// does, possibly after the target's level. traverse_each(): over all searches. It may be one too low there: a pass
  /// of many searches on a GPU does not look for a deepest level that consists of leaves.
  std::uint32_t levels = 0;
  std::uint32_t steps = 0;     ///< steps taken, of which the last may have found nothing; passes if a strategy relaxes
  std::uint64_t launches = 0;  ///< kernels launched for the search, without those that copy its summary to the host afterwards
  std::uint64_t round_trips = 0;       ///< number of times that the host waited for the device
  std::uint64_t edges_examined = 0;    ///< if counted; otherwise 0
  std::uint32_t grid = 0, block = 0;   ///< blocks, and threads per block, of the largest launch; 0 on a CPU
  std::vector<LevelTrace> trace = {};  ///< filled if SearchOptions::trace is set
  std::vector<LaunchCounts> counts =
      {};  ///< one entry per launch of the traversal, if SearchOptions::counts is set; empty on a CPU
  std::vector<DeviceLevel> devices = {};  ///< with the trace of a partitioned search: each device's part of each level
  std::vector<PartTime> parts = {};       ///< with the trace, if the strategy reports them: launch, beginning, last pass
};

class ResidentGraph;
class DeviceResult;

/// An answer in host memory, by internal vertex. It needs neither the graph nor the searcher any more. Threads may read
/// one at the same time.
struct Result {
  Array<Distance> distance = {};  ///< hops, one value per vertex; `unreached` where there is no path
  Array<VertexId> parent =
      {};  ///< internal vertices; no_vertex for sources and unreached vertices; empty unless the query asked for parents
  VertexId reached = 0;  ///< vertices with a distance, sources included
  Distance depth = 0;    ///< greatest distance
  /// Not complete: Limits ended the search, and Limits::partial asked for the partial answer. All vertices up to `depth`
  /// have their distances and parents; deeper ones are `unreached`, whether a path exists or not.
  SearchReport run = {};

  /// Returns the hops to the vertex with the caller's `id`; `unreached` where there is no path. `graph` is the searched
  /// graph. Errors: HW-IDS-UNKNOWN, HW-RESULT-GRAPH (a result with another number of vertices).
  [[nodiscard]] Distance distance_of(const Graph& graph, std::int64_t id) const;
  [[nodiscard]] Distance distance_of(const Graph& graph, std::unsigned_integral auto id) const {
    return distance_of(graph, detail::signed_id(id));
  }
  [[nodiscard]] Distance distance_of(const Graph& graph, std::string_view id) const;
  /// Returns the vertices of a shortest path from a source to the vertex with the caller's `id`, both included; empty
  /// where there is no path. The vertices are internal; graph.name(v) is the caller's id. Errors as above, and
  /// HW-RESULT-PARENTS without `parent`.
  [[nodiscard]] std::vector<VertexId> path_to(const Graph& graph, std::int64_t id) const;
  [[nodiscard]] std::vector<VertexId> path_to(const Graph& graph, std::unsigned_integral auto id) const {
    return path_to(graph, detail::signed_id(id));
  }
  [[nodiscard]] std::vector<VertexId> path_to(const Graph& graph, std::string_view id) const;
};

/// What happens to distances that are too great for a narrow type. In n-bit distances 2^n − 1 means "unreached", and
/// 2^n − 2 is the first value that does not fit: 254 and 65534.
enum class Deeper {
  error,  ///< HW-DISTANCE-NARROW
  clamp   ///< stored as 2^n − 2, which then means "this distance or more"
};

/// An answer in host memory with one or two bytes a distance: `Narrow` is std::uint8_t or std::uint16_t. The rest is as in
/// Result.
template <class Narrow>
struct NarrowResult {
  static constexpr Narrow unreached = static_cast<Narrow>(~Narrow{0});
  Array<Narrow> distance = {};  ///< hops, one value per vertex; `unreached` where there is no path
  Array<VertexId> parent = {};
  VertexId reached = 0;
  Distance depth = 0;  ///< greatest distance, also where it is clamped
  SearchReport run = {};
};

/// The answer of Searcher::reach(): only the reached vertices. One row per vertex, in order of distance; rows of equal
/// distance are in order of vertex. The same on every device. Threads may read one at the same time.
struct Reached {
  std::vector<VertexId> vertex = {};  ///< internal vertices, sources first
  std::vector<Distance> distance = {};
  std::vector<VertexId> parent =
      {};                 ///< the smallest possible parent; no_vertex for sources; empty unless the query asked for parents
  SearchReport run = {};  ///< not complete: as in Result
};

/// The rows of one search of Searcher::reach_each(). Valid until the callback returns.
struct ReachedRows {
  std::span<const VertexId> vertex = {};
  std::span<const Distance> distance = {};
  std::span<const VertexId> parent = {};
  std::uint64_t edges_examined = 0;
};

/// The limits of each search of Searcher::reach_each().
struct Nearby {
  Distance max_depth = -1;    ///< as in Query
  std::uint64_t nearest = 0;  ///< as in Searcher::reach()
  bool parents = false;
};

/// A source and a target, for Searcher::distances() and paths().
struct Pair {
  VertexId source = 0, target = 0;
};

/// Whether one graph is split over several GPUs for each search (docs/several-gpus.md).
enum class Partition {
  automatic,  ///< if the graph does not fit into one of them
  never,
  always
};

/// Named integers that tune a strategy ("width" = 16, "block" = 256). Unknown names are errors.
using Parameters = std::map<std::string, std::int64_t, std::less<>>;

struct SearchOptions {
  std::string strategy = "auto";
  /// `always`: the graph is split over `run.replicas` and `run.on.ordinal` instead of copied, and each search runs on all of
  /// them. Parents are the smallest ones unless `prepare` is set. Many searches run one after the other.
  /// RunReport::chosen gives the reason. It requires strategy auto and no `counts`: HW-PARTITION-OPTIONS.
  /// HW-PARTITION-PEERS: the GPUs cannot access each other's memory. HW-PARTITION-DEVICES: fewer than two devices, or
  /// more than 16. `automatic` splits the graph only if there are replicas.
  Partition partition = Partition::automatic;
  Direction direction = Direction::out;
  Parameters parameters = {};
  bool prepare = false;  ///< let the strategy reorder the graph first; its time is reported separately
  bool trace = false;
  /// Fill SearchReport::counts in run() and traverse(). The simulator counts what the threads of each launch do; on a GPU
  /// only the properties of each launch are known.
  bool counts = false;
  /// `replicas`: run_each(), traverse_each(), count_levels() of many sources, distances() and paths() distribute their
  /// passes over all devices. `limits`: of each call of the searcher; set_limits() changes them; the constructor is not
  /// limited. Progress: "levels". After an end by an exception or HW-INTERRUPTED the searcher stays usable. The callback
  /// may use other searchers, but not this one (HW-BUSY). If several threads run passes of their own (count_levels() of
  /// 128 or more sources on a CPU), it is called between the levels of the calling thread's passes. While that thread
  /// waits for others, it is called with level 0 and frontier 0.
  RunOptions run = {};
};

/// A graph that is ready to be searched with one strategy: transposed, copied to the device, reordered, with memory
/// allocated. It takes any number of run() calls. Device memory is allocated only by the first calls, and by the first
/// call with parents, a trace or more sources than before.
/// One thread at a time: a second call during another one, also from a callback, throws HW-BUSY. Any number of
/// searchers may share one Graph, each in its own thread. The graph must outlive the searcher and must not change. A
/// graph in device memory is kept alive, and its searchers take turns.
/// Errors of the constructors: HW-STRATEGY-…, HW-PARAM-…, HW-NEEDS-…, HW-DEVICE-…, HW-ENGINE-…, HW-OPTION-VALUE,
/// HW-OPTION-THREADS, HW-OPTION-TIME-LIMIT. A moved-from searcher throws HW-MOVED-FROM.
class Searcher {
 public:
  Searcher(const Graph& graph, const SearchOptions& options);
  Searcher(const Graph&&, const SearchOptions&) = delete;  ///< the graph would not outlive the searcher
  /// For a graph in device memory, which is searched there: only strategy auto, and only along the arcs. Errors:
  /// HW-RESIDENT-OPTIONS.
  Searcher(const ResidentGraph& graph, const SearchOptions& options);
  ~Searcher();
  Searcher(Searcher&&) noexcept;
  Searcher& operator=(Searcher&&) noexcept;

  /// Returns the answer to a query, in host memory. Errors: HW-QUERY-EMPTY, -SOURCE, -TARGET, -DEPTH, HW-INTERRUPTED,
  /// HW-CANCELLED, HW-TIME-LIMIT. The searcher can be used again after any of them.
  Result run(const Query& query);
  /// Returns the same with one or two bytes a distance: run<std::uint8_t>(query). A GPU packs them, so that a quarter of the
  /// bytes are copied, or half of them; with parents, a depth limit or a target they are packed on the host. Errors as in
  /// run(), and HW-DISTANCE-NARROW.
  template <class Narrow>
  NarrowResult<Narrow> run(const Query& query, Deeper deeper = Deeper::error);
  /// Returns only the reached vertices, in time and memory that depend on what is reached and not on the size of the
  /// graph: for depth limits, near targets, and the nearest few vertices. `nearest`: at most that many vertices besides
  /// the sources, those of least distance, and among these the smallest vertices; 0: all. The first call allocates one
  /// bit per vertex for each thread. The search uses a queue on one host thread, for every strategy. For a graph in
  /// device memory it uses one block of the device; limits are checked before that, and do not end the block. A search
  /// that becomes large is passed to the strategy, which the limits end. Errors as in run(), and HW-MEMORY.
  Reached reach(const Query& query, std::uint64_t nearest = 0);
  /// Searches from each source separately, several at a time: `take(i, reached)` gets the answer of sources[i], in that
  /// order. For a graph in device memory, one block does one search. `progress` is called with level 0 and frontier 0.
  /// Before the first search: errors as in reach(), and HW-QUERY-TAKE without `take`; later also HW-MEMORY. An exception
  /// that `take` throws ends the searches and is passed on.
  void reach_each(std::span<const VertexId> sources, const Nearby& nearby,
                  const std::function<void(std::size_t i, const ReachedRows& reached)>& take);
  /// Traverses and leaves the distances where they are, for measurements. Returns the statistics.
  SearchReport traverse(const Query& query);

  /// Runs many independent searches, distances only: `take(i, result)` gets the answer of sources[i], in that order.
  /// Strategy `auto` does up to 64 searches in one pass over the graph. Other strategies, and `auto` if memory is short
  /// (a note states this), run them one by one. The times of a result are its share of the pass; launches and round
  /// trips are in the pass's first result. The first call allocates the memory. Errors as in run(), before the first
  /// search; HW-QUERY-TAKE without `take`. An exception that `take` throws ends the searches and is passed on.
  void run_each(std::span<const VertexId> sources, Distance max_depth,
                const std::function<void(std::size_t i, Result&& result)>& take);
  /// Returns all results together: num_vertices distances for each source.
  std::vector<Result> run_each(std::span<const VertexId> sources, Distance max_depth = -1);
  /// Returns the same distances in one array: element [i · num_vertices + v] is the distance of vertex v from
  /// sources[i]. On a GPU they are copied directly into it. If the caller frees the arrays of earlier calls, their
  /// pinned memory is used again, as for results. The array may be freed on any thread, and may outlive the searcher.
  /// Errors as in run_each(), and HW-MEMORY.
  Array<Distance> distances_from_each(std::span<const VertexId> sources, Distance max_depth = -1);
  /// Returns the same array with one or two bytes a distance, packed as by run<Narrow>(). Errors as above, and
  /// HW-DISTANCE-NARROW.
  template <class Narrow>
  Array<Narrow> distances_from_each(std::span<const VertexId> sources, Distance max_depth = -1, Deeper deeper = Deeper::error);
  /// Runs the same searches and leaves the distances where they are, for measurements. Times and counts are summed up,
  /// also over several devices; `host` is then the wall clock of the call.
  SearchReport traverse_each(std::span<const VertexId> sources, Distance max_depth = -1);

  /// Writes the distances from each source separately into the caller's device memory: to[i · num_vertices + v] for
  /// sources[i]. They are complete when the call returns. Work in other streams that uses this memory must have ended
  /// before. In the simulator `to` is host memory. Passes and errors as in run_each(); HW-VIEW-DEVICE as below.
  SearchReport run_each_on_device(std::span<const VertexId> sources, Distance max_depth, Distance* to);
  /// Traverses and leaves the answer in device memory, where it is valid until the next search
  /// (hopwave/device_result.h). Parents are those that the strategy finds. Errors as in run(); HW-VIEW-DEVICE on the
  /// CPU and for strategies without such an answer; HW-VIEW-PARENTS for least parents and for strategies without
  /// parents.
  DeviceResult run_on_device(const Query& query);
  /// Returns how many vertices are at each distance. They are counted on the device; no distances are copied. Errors as
  /// in run().
  LevelCounts count_levels(const Query& query);

  /// Counts the vertices at each distance from each source: `take(i, counts)` gets the counts of sources[i], in that
  /// order. Passes and errors as in run_each(), but distances are counted on the device and never copied. Returns the
  /// sums of the times.
  SearchReport count_levels(std::span<const VertexId> sources, Distance max_depth,
                            const std::function<void(std::size_t i, LevelCounts&& counts)>& take);

  /// Returns the distance of each pair's target from its source, in the order of the pairs; `unreached` where there is
  /// no path. Pairs of one source share a search, and searches share passes as in run_each(), which continue to the
  /// depth limit. On a CPU, `auto` searches a source's only pair from both ends, as shortest_path() does, if the graph
  /// has_in(). Limits apply to the whole call.
  /// Errors: HW-QUERY-SOURCE, -TARGET, -DEPTH, HW-INTERRUPTED, HW-CANCELLED, HW-TIME-LIMIT.
  std::vector<Distance> distances(std::span<const Pair> pairs, Distance max_depth = -1);
  /// Returns a shortest path of each pair, from source to target; empty where there is no path. Of several paths it is
  /// the one with the smallest vertices, compared from the target on. Needs memory for all paths. Errors as in
  /// distances(), and HW-RESIDENT-OPTIONS.
  std::vector<std::vector<VertexId>> paths(std::span<const Pair> pairs, Distance max_depth = -1);

  /// Sets the limits of later calls. Throws HW-OPTION-TIME-LIMIT, HW-BUSY, HW-MOVED-FROM.
  void set_limits(const Limits& limits);

  [[nodiscard]] const std::string& strategy() const;  ///< the strategy that runs; on a CPU, what "auto" chose
  [[nodiscard]] DeviceKind device() const;
  [[nodiscard]] Milliseconds copy_in() const;  ///< copying the graph to the device
  [[nodiscard]] Milliseconds prepare() const;  ///< transposing and reordering
  /// Returns notes such as "no GPU: using the CPU". run_each() may add some.
  [[nodiscard]] const std::vector<std::string>& notes() const;
  /// Returns the preparation in host memory, as prepare() does; null if there is none or it cannot be stored.
  [[nodiscard]] std::shared_ptr<const Preparation> preparation() const;

 private:
  friend class ResidentGraph;
  friend class DeviceResult;
  friend class search_detail::SumsOnDevice;
  struct [[gnu::visibility("hidden")]] State;
  class [[gnu::visibility("hidden")]] Use;
  std::shared_ptr<State> state_;  // shared with a running call, in case a callback moves or destroys this object
};

extern template NarrowResult<std::uint8_t> Searcher::run(const Query&, Deeper);
extern template NarrowResult<std::uint16_t> Searcher::run(const Query&, Deeper);
extern template Array<std::uint8_t> Searcher::distances_from_each(std::span<const VertexId>, Distance, Deeper);
extern template Array<std::uint16_t> Searcher::distances_from_each(std::span<const VertexId>, Distance, Deeper);

Result search(const Graph& graph, const Query& query, const SearchOptions& options = {});

/// What a strategy requires of the graph and the device.
struct Needs {
  bool out = true;           ///< CSR
  bool in = false;           ///< CSC
  bool arc_sources = false;  ///< COO
  bool cooperative = false;  ///< a launch in which all blocks are resident, with grid-wide barriers
  bool clusters = false;
};

struct ParameterInfo {
  std::string_view name = {};
  std::int64_t standard = {};  ///< the default value
  std::int64_t lowest = {};
  std::int64_t highest = {};
  std::string_view help = {};
};

/// What one thread of a level-synchronous strategy processes in a level; pictures show it (docs/pictures.md).
enum class Item : unsigned char {
  none,                 ///< nothing that a picture could show
  vertex,               ///< a vertex; a vertex of the previous level labels its neighbours
  vertex_by_degree,     ///< the same, with threads in ascending order of degree
  vertex_then_update,   ///< the same, with a second launch over all vertices
  vertex_deferring,     ///< the same, with long rows deferred to the whole block
  unvisited_vertex,     ///< a vertex; an unvisited vertex looks for a neighbour of the previous level
  either_vertex,        ///< vertex or unvisited_vertex, chosen for each level
  vertices_of_a_group,  ///< a group of threads processes a group of vertices
  arc,                  ///< an arc
  entry,                ///< an entry of the queue
  entry_then_scan,      ///< the same, and a prefix sum makes the next queue
  entry_by_block,       ///< the same, and each block collects what it finds
  entry_flushing,       ///< the same, and a full block queue is flushed
  entry_in_one_launch,  ///< the same, and one block runs level after level
  arc_of_an_entry       ///< an arc of an entry that the block processes
};

/// How the work of a level is distributed over threads.
struct LevelWork {
  std::string_view method = {};    ///< "push", "pull", "push and pull", "relax"
  std::string_view over = {};      ///< what is distributed: "all vertices", "frontier vertices"
  std::string_view frontier = {};  ///< how the frontier is stored
  std::string_view thread = {};    ///< what one thread does, as a sentence
  Item item = Item::none;
  bool whole_graph = false;  ///< each level looks at every vertex or every arc: the work grows with the depth
};

/// A strategy's description of itself. Commands, tests, benchmarks and docs all use it.
struct StrategyInfo {
  std::string_view name = {};
  std::string_view summary = {};  ///< one line
  std::string_view source = {};   ///< the publication of the method
  std::string_view device =
      {};  ///< "cpu" or "gpu" (which also runs in the simulator); "any" for auto; "sim" for literal listings
  std::string_view differs = {};  ///< how this implementation differs from the source, one line; may be empty
  Needs needs = {};
  bool native_parents;  ///< writes parents itself; otherwise they are derived from the distances
  std::vector<ParameterInfo> parameters = {};
  LevelWork work = {};
};

/// Returns all strategies in this build, by name.
const std::vector<StrategyInfo>& strategies();
/// Returns the literature's listings as printed, with their errors, by name (`literal:…`). They run only in the
/// simulator, which reports these errors. They are not in strategies(), and `auto` does not choose them.
const std::vector<StrategyInfo>& literal_strategies();
/// Returns a strategy of either list. Throws HW-STRATEGY-UNKNOWN (with the most similar names) if there is none.
const StrategyInfo& find_strategy(std::string_view name);

/// The properties of this machine.
struct DeviceInfo {
  bool gpu = false;
  std::string name = {};                            ///< "NVIDIA H200"
  std::string why_not = {};                         ///< the reason why there is no usable GPU; otherwise empty
  std::uint64_t memory_total = 0, memory_free = 0;  ///< bytes
  int multiprocessors = 0;
  std::string compute = {};  ///< "9.0"
  bool cooperative = false, clusters = false;
  bool built_with_cuda = false;
  int driver = 0, runtime = 0;  ///< in CUDA's numbering: 13000
};
DeviceInfo device_info();

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
