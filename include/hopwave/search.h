// Search: one query against one graph by a named strategy, on the CPU, a GPU or the GPU simulator.
// search() is the short way; Searcher keeps the graph ready on a device for any number of queries.
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
#include "hopwave/limits.h"
#include "hopwave/types.h"

namespace hopwave::search_detail {
class SumsOnDevice;
}

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// Which end of an arc a search walks towards. `both` ignores directions.
enum class Direction { out, in, both };

/// Which of several shortest-path parents is reported.
enum class Ties {
  any,  ///< whichever the strategy met first: may differ from run to run
  min   ///< the smallest internal vertex id (hence the smallest caller's id): the same everywhere
};

/// Vertices are internal ones: graph.vertex(id) gives them for the caller's ids.
struct Query {
  std::vector<VertexId> sources = {};  ///< at least one; several: distance to the nearest
  Distance max_depth = -1;             ///< deeper vertices stay unreached; −1: no limit, and nothing lower
  VertexId target = no_vertex;         ///< stop after the level that reaches it; deeper vertices stay unreached
  bool parents = false;
  Ties ties = Ties::any;
};

/// One step of a traversal, for --explain and reports. Level by level they stand in order from 1 on, the last may discover
/// nothing; together they discover every vertex reached but the sources. A strategy that relaxes has one a pass.
struct LevelTrace {
  Distance level = 0;              ///< distance of the vertices that this step discovers
  const char* direction = "push";  ///< "push", "pull", "edges", "relax"
  std::uint64_t frontier = 0;      ///< vertices expanded (push) or discovered before (pull)
  std::uint64_t edges = 0;         ///< arcs looked at, where the strategy counts them; else 0
  std::uint64_t discovered = 0;
  double milliseconds = 0;
};

/// A part of a traversal that is no level, for --explain and reports.
struct PartTime {
  const char* name = "";
  double milliseconds = 0;
};

/// What one device did in one level of a search that is partitioned over several.
struct DeviceLevel {
  Distance level = 0;
  int device = 0;                ///< as the driver numbers it
  double compute_ms = 0;         ///< at its own vertices and arcs
  double exchange_ms = 0;        ///< reading what the others have found
  double wait_ms = 0;            ///< for the slowest
  std::uint64_t bytes_read = 0;  ///< of other devices' memory, at most
};

struct RunStats {
  double search_ms = 0;     ///< the traversal with its initialising: device events on a GPU, wall clock on a CPU
  double host_ms = 0;       ///< wall clock of the same call as the host sees it
  double copy_back_ms = 0;  ///< results to the host
  /// The greatest distance found: of run() and run_each() what Result::depth says. traverse() stops no sooner than its
  /// strategy does: it may have gone beyond a target. traverse_each(): of all searches; one less where a pass of many on a GPU
  /// has left out leaves behind its deepest level, which it does not look for.
  std::uint32_t levels = 0;
  std::uint32_t steps = 0;                ///< taken, the last of which may have found nothing; passes where a strategy relaxes
  std::uint64_t launches = 0;             ///< kernels launched for it; not what brings its summary to the host afterwards
  std::uint64_t round_trips = 0;          ///< times the host waited for the device
  std::uint64_t edges_examined = 0;       ///< where counted; else 0
  std::uint32_t grid = 0, block = 0;      ///< blocks, and threads a block, of the largest launch; 0 on a CPU
  std::string chosen = {};                ///< what `auto` ran and why; else empty
  std::vector<LevelTrace> trace = {};     ///< filled when asked for
  std::vector<LaunchCounts> counts = {};  ///< one a launch of the traversal, when asked for; empty on a CPU
  std::vector<DeviceLevel> devices = {};  ///< with the trace, of a partitioned search: level by level, each device's part
  std::vector<PartTime> parts = {};       ///< with the trace, where the strategy tells: launch, beginning, last pass
};

class ResidentGraph;
class DeviceResult;

/// An answer in the host's memory, by internal vertex; it needs neither graph nor searcher any more. Threads may read one
/// together.
struct Result {
  Array<Distance> distance = {};  ///< hops, one a vertex, `unreached` where no path leads
  Array<VertexId> parent = {};    ///< internal vertices; empty unless asked; no_vertex for sources and unreached vertices
  VertexId reached = 0;           ///< vertices with a distance, sources included
  Distance depth = 0;             ///< greatest distance
  /// False: Limits ended the search, and Limits::partial asked for what was done. All vertices up to `depth` are there with
  /// their parents; deeper ones, reached or not, say `unreached`.
  bool complete = true;
  RunStats stats = {};

  /// Hops to the vertex that the caller calls `id`; `unreached` where no path leads. `graph` is the one that was searched.
  /// Errors: HW-IDS-UNKNOWN, HW-RESULT-GRAPH (a result of another number of vertices).
  [[nodiscard]] Distance distance_of(const Graph& graph, std::int64_t id) const;
  [[nodiscard]] Distance distance_of(const Graph& graph, std::unsigned_integral auto id) const {
    return distance_of(graph, detail::signed_id(id));
  }
  [[nodiscard]] Distance distance_of(const Graph& graph, std::string_view id) const;
  /// The vertices (internal; graph.name(v) is the caller's id) of a shortest path from a source to the one that the caller
  /// calls `id`, both included; none where no path leads. Errors as above, and HW-RESULT-PARENTS without `parent`.
  [[nodiscard]] std::vector<VertexId> path_to(const Graph& graph, std::int64_t id) const;
  [[nodiscard]] std::vector<VertexId> path_to(const Graph& graph, std::unsigned_integral auto id) const {
    return path_to(graph, detail::signed_id(id));
  }
  [[nodiscard]] std::vector<VertexId> path_to(const Graph& graph, std::string_view id) const;
};

/// The answer of Searcher::reach(): what was reached, and nothing of what was not. One row a vertex, in order of distance; rows
/// of one distance ascend by vertex. The same on every device. Threads may read one together.
struct Reached {
  std::vector<VertexId> vertex = {};  ///< internal vertices, sources first
  std::vector<Distance> distance = {};
  std::vector<VertexId> parent = {};  ///< the least of all that would do; no_vertex for sources; empty unless asked
  bool complete = true;               ///< false: as in Result
  RunStats stats = {};
};

/// The same of one search of Searcher::reach_each(). Valid as long as the call that it is given to.
struct ReachedRows {
  std::span<const VertexId> vertex = {};
  std::span<const Distance> distance = {};
  std::span<const VertexId> parent = {};
  std::uint64_t edges_examined = 0;
};

/// What each search of Searcher::reach_each() looks for.
struct Nearby {
  Distance max_depth = -1;    ///< as in Query
  std::uint64_t nearest = 0;  ///< as in Searcher::reach()
  bool parents = false;
};

/// What Searcher::distances() and paths() look for: the way from one vertex to another.
struct Pair {
  VertexId source = 0, target = 0;
};

/// Whether one graph is shared out over several GPUs for one search (docs/several-gpus.md).
enum class Partition {
  automatic,  ///< where the graph does not fit into one of them
  never,
  always
};

/// Named integers that tune a strategy ("width" = 16, "block" = 256); unknown names are errors.
using Parameters = std::map<std::string, std::int64_t, std::less<>>;

struct SearchOptions {
  std::string strategy = "auto";
  DeviceKind device = DeviceKind::automatic;
  DeviceOptions on = {};  ///< which device, its stream and memory; of a graph in device memory: the graph's, and not these
  /// Further devices, by number, each of which gets a copy of the graph: run_each(), traverse_each(), count_levels() of many
  /// sources, distances() and paths() deal their passes out over all. Single searches run on `on.ordinal`. Callbacks come from
  /// the calling thread all the same. HW-OPTION-REPLICAS on the CPU, and for a device named twice.
  std::vector<int> replicas = {};
  /// `always`: `replicas` and `on.ordinal` share the graph instead of having a copy each, and each search runs on all of them,
  /// with least parents unless `prepare`; many searches run one after the other. RunStats::chosen says why. Strategy auto,
  /// without `counts`: else HW-PARTITION-OPTIONS. HW-PARTITION-PEERS: GPUs that cannot touch each other's memory;
  /// HW-PARTITION-DEVICES: fewer than two, or more than 16. `automatic` shares the graph out only if there are replicas.
  Partition partition = Partition::automatic;
  Direction direction = Direction::out;
  Parameters parameters = {};
  bool prepare = false;  ///< let the strategy reorder the graph first; its time is reported apart
  bool trace = false;
  /// Fill RunStats::counts of run() and traverse(). In the simulator the threads of each launch are counted; on a GPU what a
  /// launch has is known, not what its threads do.
  bool counts = false;
  int threads = 0;                                ///< CPU strategies; 0: all
  std::uint64_t seed = 1;                         ///< schedule of the simulator
  ScheduleKind schedule = ScheduleKind::uniform;  ///< other kinds: HW-OPTION-SCHEDULE unless the simulator searches
  /// Called between levels; returning false ends the search with Error HW-INTERRUPTED. May be empty. What it throws comes out
  /// of run(), and the searcher can go on. It may use other searchers, not this one (HW-BUSY). Where threads have passes of
  /// their own (count_levels() of 128 sources or more on a CPU), it is called between levels of the calling thread's passes,
  /// and with level 0 and frontier 0 while that waits for others.
  std::function<bool(std::uint32_t level, std::uint64_t frontier)> progress = {};
  /// Of each call of the searcher; set_limits() changes them. Construction is not limited.
  Limits limits = {};
};

/// A graph made ready for a strategy: transposed, copied to the device, reordered, memory taken.
/// Any number of run() calls follow; but for the first ones, and the first with parents, a trace or more sources than before,
/// none of them takes device memory. One thread at a time: a call that meets another under way, also
/// from within a callback, throws HW-BUSY. Any number of searchers may share one Graph, a thread each.
/// The graph must outlive it, unchanged; graphs in device memory are kept alive, and their searchers share them one at a time.
/// Errors of the constructors: HW-STRATEGY-…, HW-PARAM-…, HW-NEEDS-…, HW-DEVICE-…, HW-ENGINE-…, HW-OPTION-VALUE,
/// HW-OPTION-THREADS, HW-OPTION-TIME-LIMIT. A searcher that was moved from throws HW-MOVED-FROM.
class Searcher {
 public:
  Searcher(const Graph& graph, const SearchOptions& options);
  Searcher(const Graph&&, const SearchOptions&) = delete;  ///< it would be gone before the first search
  /// For a graph in device memory, where it is searched: strategy auto along the arcs only. Errors: HW-RESIDENT-OPTIONS.
  Searcher(const ResidentGraph& graph, const SearchOptions& options);
  ~Searcher();
  Searcher(Searcher&&) noexcept;
  Searcher& operator=(Searcher&&) noexcept;

  /// Traverses and brings the result to the host. Errors: HW-QUERY-EMPTY, -SOURCE, -TARGET, -DEPTH, HW-INTERRUPTED,
  /// HW-CANCELLED, HW-TIME-LIMIT. After each of them the searcher can be used again.
  Result run(const Query& query);
  /// A search that costs what it reaches, in time and memory, and not what the graph has: for depth limits, near targets, and
  /// the nearest few. `nearest`: no more vertices than that besides the sources, those of the least distance, of these the
  /// least vertices; 0: all. The first call takes a bit a vertex for each thread. By a queue on one thread of the host,
  /// whatever the strategy; of a graph in device memory by one block of the device, which no limit ends within its search.
  /// What turns out large goes to the strategy. Errors as for run().
  Reached reach(const Query& query, std::uint64_t nearest = 0);
  /// From each source alone, several at a time: `take(i, reached)` gets the answer from sources[i], in that order. On a device
  /// (a graph in its memory) a block takes a search. `progress` is called with level 0 and frontier 0. Errors as for reach(),
  /// before the first search; HW-QUERY-TAKE without `take`. What `take` throws ends the searches and comes out.
  void reach_each(std::span<const VertexId> sources, const Nearby& nearby,
                  const std::function<void(std::size_t i, const ReachedRows& reached)>& take);
  /// Traverses and leaves distances where they are; for measuring. Only `stats` of the result is filled.
  RunStats traverse(const Query& query);

  /// Many independent searches, distances only: `take(i, result)` gets the answer from sources[i], in that order. Strategy
  /// `auto` does up to 64 in one pass over the graph; others, and `auto` where memory is short (a note says so), run them one
  /// by one. Times of a result are its share of the pass; launches and round trips stand in the pass's first result.
  /// Memory for it is taken by the first call. Errors as for run(), before the first search; HW-QUERY-TAKE without `take`.
  /// What `take` throws ends the searches and comes out.
  void run_each(std::span<const VertexId> sources, Distance max_depth,
                const std::function<void(std::size_t i, Result&& result)>& take);
  /// All results at once: num_vertices distances for each source.
  std::vector<Result> run_each(std::span<const VertexId> sources, Distance max_depth = -1);
  /// The same distances in one block: [i · num_vertices + v] is that of vertex v from sources[i]. On a GPU they come straight
  /// into it. A caller that lets go of what earlier calls gave gets pinned memory that is used again, as results do; the block
  /// goes back when it dies, on any thread, and may outlive the searcher. Errors as for run_each(), and HW-MEMORY.
  Array<Distance> distances_from_each(std::span<const VertexId> sources, Distance max_depth = -1);
  /// The same searches with the distances left where they are; for measuring. Times and counts are summed up, over several
  /// devices too; but `host_ms` is then the wall clock of the call.
  RunStats traverse_each(std::span<const VertexId> sources, Distance max_depth = -1);

  /// Distances from each source alone, written into device memory of the caller's: to[i · num_vertices + v], of sources[i].
  /// They are complete afterwards; work in other streams that uses this memory must have ended before. In the simulator `to` is
  /// host memory. Passes and errors as in run_each(); HW-VIEW-DEVICE as below.
  RunStats run_each_on_device(std::span<const VertexId> sources, Distance max_depth, Distance* to);
  /// Traverses and leaves the answer in device memory, where it is valid until the next search (hopwave/device_result.h).
  /// Parents as the strategy finds them. Errors as for run(); HW-VIEW-DEVICE on the CPU and for the strategies without such an
  /// answer, HW-VIEW-PARENTS for least parents and strategies that find none.
  DeviceResult run_on_device(const Query& query);
  /// How many vertices are at each distance, counted where they are: no distance comes to the host. Errors as for run().
  LevelCounts count_levels(const Query& query);

  /// How many vertices are at each distance from each source: `take(i, counts)` gets those of sources[i], in that order. Passes
  /// and errors as in run_each(), but distances are counted where they are and never brought to the host. Times summed up.
  RunStats count_levels(std::span<const VertexId> sources, Distance max_depth,
                        const std::function<void(std::size_t i, LevelCounts&& counts)>& take);

  /// The distance of each pair's target from its source, in their order; `unreached` where no path leads. Pairs of one source
  /// share a search, and searches share passes as in run_each(), which go on to the depth limit; on a CPU `auto` does as
  /// shortest_path() for a source's only pair, from both ends, if the graph has_in(). Limits are of the whole call.
  /// Errors: HW-QUERY-SOURCE, -TARGET, -DEPTH, HW-INTERRUPTED, HW-CANCELLED, HW-TIME-LIMIT.
  std::vector<Distance> distances(std::span<const Pair> pairs, Distance max_depth = -1);
  /// A shortest path of each pair, from source to target; empty where no path leads. Of several the one whose vertices are
  /// least, seen from the target. Memory for all paths. Errors as for distances(), and HW-RESIDENT-OPTIONS.
  std::vector<std::vector<VertexId>> paths(std::span<const Pair> pairs, Distance max_depth = -1);

  /// For the calls that follow. Throws HW-OPTION-TIME-LIMIT, HW-BUSY, HW-MOVED-FROM.
  void set_limits(const Limits& limits);

  [[nodiscard]] const std::string& strategy() const;  ///< the one that runs ("auto" resolved)
  [[nodiscard]] DeviceKind device() const;
  [[nodiscard]] double copy_seconds() const;     ///< graph to device
  [[nodiscard]] double prepare_seconds() const;  ///< transpose, reorder
  /// E.g. "no GPU: using the CPU". run_each() may add to them.
  [[nodiscard]] const std::vector<std::string>& notes() const;
  /// Takes the preparation to the host, as prepare() does; null where there is none or it cannot be kept.
  [[nodiscard]] std::shared_ptr<const Preparation> preparation() const;

 private:
  friend class ResidentGraph;
  friend class DeviceResult;
  friend class search_detail::SumsOnDevice;
  struct [[gnu::visibility("hidden")]] State;
  class [[gnu::visibility("hidden")]] Use;
  std::shared_ptr<State> state_;  // shared with the call under way, should a callback move or end this object
};

Result search(const Graph& graph, const Query& query, const SearchOptions& options = {});

/// What a strategy must find in graph and device before it runs.
struct Needs {
  bool out = true;           ///< CSR
  bool in = false;           ///< CSC
  bool arc_sources = false;  ///< COO
  bool cooperative = false;  ///< a launch whose blocks are all resident, with grid-wide barriers
  bool clusters = false;
};

struct ParameterInfo {
  std::string_view name = {};
  std::int64_t standard = {};  ///< the value when nothing is said
  std::int64_t lowest = {};
  std::int64_t highest = {};
  std::string_view help = {};
};

/// What a thread of a level-synchronous strategy has in a level: pictures draw it (docs/pictures.md).
enum class Item : unsigned char {
  none,                 ///< nothing that a picture could show
  vertex,               ///< a vertex; one of the level before labels its neighbours
  vertex_by_degree,     ///< the same, threads in ascending order of degree
  vertex_then_update,   ///< the same, and a second launch over all vertices
  vertex_deferring,     ///< the same, but long rows wait for the rest of the block
  unvisited_vertex,     ///< a vertex; an unvisited one looks for a neighbour of the level before
  either_vertex,        ///< one or the other, level by level
  vertices_of_a_group,  ///< a group of threads has a group of vertices
  arc,                  ///< an arc
  entry,                ///< an entry of the queue
  entry_then_scan,      ///< the same, and a prefix sum makes the next queue
  entry_by_block,       ///< the same, and a block gathers what it finds
  entry_flushing,       ///< the same, and a full block queue is emptied
  entry_in_one_launch,  ///< the same, and one block takes level after level
  arc_of_an_entry       ///< an arc of an entry that the block has
};

/// How threads share a level.
struct LevelWork {
  std::string_view method = {};    ///< "push", "pull", "push and pull", "relax"
  std::string_view over = {};      ///< what is shared out: "all vertices", "frontier vertices"
  std::string_view frontier = {};  ///< how it is kept
  std::string_view thread = {};    ///< what a thread does, in a sentence
  Item item = Item::none;
  bool whole_graph = false;  ///< a level looks at every vertex or every arc: work grows with the depth
};

/// A strategy describes itself here; commands, tests, bench and docs all read this.
struct StrategyInfo {
  std::string_view name = {};
  std::string_view summary = {};  ///< one line
  std::string_view source = {};   ///< where the method comes from
  std::string_view device = {};   ///< "cpu" or "gpu" (which also runs in the simulator); "any" for auto; "sim" for literals
  std::string_view differs = {};  ///< where ours differs from the source, one line; may be empty
  Needs needs = {};
  bool native_parents;  ///< writes parents itself; otherwise they are derived from distances
  std::vector<ParameterInfo> parameters = {};
  LevelWork work = {};
};

/// All strategies in this build, by name.
const std::vector<StrategyInfo>& strategies();
/// The listings of the literature as printed, with their faults, by name (`literal:…`): for the simulator alone, where they are
/// reported. None is in strategies(), and `auto` takes none.
const std::vector<StrategyInfo>& literal_strategies();
/// Of both. Throws HW-STRATEGY-UNKNOWN (with the nearest names) if there is none.
const StrategyInfo& find_strategy(std::string_view name);

/// What this machine offers.
struct DeviceInfo {
  bool gpu = false;
  std::string name = {};                            ///< "NVIDIA H200"
  std::string why_not = {};                         ///< if there is no usable GPU: the reason
  std::uint64_t memory_total = 0, memory_free = 0;  ///< bytes
  int multiprocessors = 0;
  std::string compute = {};  ///< "9.0"
  bool cooperative = false, clusters = false;
  bool built_with_cuda = false;
  int driver = 0, runtime = 0;  ///< as CUDA numbers them: 13000
};
DeviceInfo device_info();

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
