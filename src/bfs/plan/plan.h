// bfs/plan: what a strategy is, and the view of a graph that it gets. No strategy.
//
// What a strategy file provides: a self-describing Descriptor and a Plan made from it.
// A file in this folder is all it takes: the build globs src/bfs/strategy/ and generates the table from the file stems.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bfs/plan/storage.h"
#include "core/watch.h"
#include "device/device_answer.h"
#include "hopwave/graph.h"
#include "hopwave/preparation.h"
#include "hopwave/search.h"

namespace hopwave::inline v0_1 {
class Team;
}
namespace hopwave::device {
class Device;
struct DeviceGraph;
}  // namespace hopwave::device

namespace hopwave::strategy {

using device::DeviceAnswer;
using device::DeviceGraph;
using device::DeviceRows;

/// A graph as one search sees it: `forward` are the arcs it walks along, `backward` the same arcs reversed.
/// Direction in swaps the two; direction both, and undirected graphs, have them the same.
struct View {
  VertexId num_vertices = 0;
  const Adjacency* forward = nullptr;
  const Adjacency* backward = nullptr;  ///< null unless the strategy needs it (Needs::in)
  bool symmetric = false;               ///< forward == backward
  /// A graph that is on the plan's device already, and nowhere else: no `forward` and `backward` then. Outlives the plan.
  const DeviceGraph* resident = nullptr;
  EdgeIndex resident_arcs = 0;

  [[nodiscard]] EdgeIndex num_arcs() const noexcept { return forward ? forward->neighbors.size() : resident_arcs; }
};

struct PlanRequest {
  View view;
  Parameters parameters;  ///< complete: every parameter of the strategy has a value in range
  bool prepare = false;
  const Preparation* prepared = nullptr;  ///< of this graph, to be used instead of preparing; may be null
  int threads = 0;                        ///< CPU strategies; 0: all
  Team* team = nullptr;                   ///< CPU strategies: the threads to use; outlives the plan
  device::Device* device = nullptr;       ///< GPU strategies
  bool wide_offsets = false;              ///< for tests: 64-bit offsets even where 32 bits suffice
};

/// What a run may use besides the query.
struct RunControl {
  bool trace = false;
  SearchReport* stats = nullptr;       ///< never null
  const Progress* progress = nullptr;  ///< of the levels; may be null
  const core::Watch* watch = nullptr;  ///< the call's limits; null: none
  /// A word that is not 0 once a limit is reached, for kernels that take many levels in a launch; null: no limits.
  const std::uint32_t* halt = nullptr;
  /// Called when all work of a search is enqueued on the device, before the host waits for it, with the place of its answer, to
  /// which nothing else will write. May be null, and a plan need not call it.
  const std::function<void(const DeviceAnswer&)>* handed_over = nullptr;
  Distance complete = -1;  ///< a limit ended the search: levels up to this one are complete; −1: not known

  /// Call between levels: `level` and all before it are complete. Throws HW-CANCELLED or HW-TIME-LIMIT when a limit is reached,
  /// HW-INTERRUPTED when the caller's progress returns false, HW-DEPTH-SIZE when the next level does not fit a Distance.
  void level_done(std::uint32_t level, std::uint64_t frontier);
  /// Is a limit reached?
  [[nodiscard]] bool over() const { return watch && watch->over(); }
  /// For a kernel that has ended at the halt word.
  [[noreturn]] void ended_early(std::uint32_t level);
  /// Can a limit or the caller end the search between levels?
  [[nodiscard]] bool may_end() const { return progress || watch; }
};

/// counts[d · each_width() + i] vertices are at distance d from source first + i of a count_each().
using TakeCounts = std::function<void(std::size_t first, const std::vector<std::uint32_t>& counts)>;

/// A strategy bound to one graph (and device): memory taken, arrays copied. run() and fetch() may be called any number
/// of times. Memory for searches is allocated once: by the first run, or by the first that needs it (parents; lists for sharing
/// a level).
class Plan {
 public:
  virtual ~Plan() = default;
  /// One traversal, result left in place. Must honour sources (one or several). max_depth and target are hints that
  /// save work: vertices beyond them may or may not get their distance, and the caller trims. A level that contains the
  /// target is always finished. Fills stats: search_ms, levels, launches, round_trips, trace if asked.
  virtual void run(const Query& query, RunControl& control) = 0;
  /// Writes num_vertices distances, and parents if the strategy writes them (native_parents) and `parents` is not empty.
  virtual void fetch(std::span<Distance> distances, std::span<VertexId> parents) = 0;
  /// How many independent searches a run_each() can do in one pass; 0: it has none.
  [[nodiscard]] virtual std::size_t each_width() const { return 0; }
  /// Fewer searches than this are faster one by one.
  [[nodiscard]] virtual std::size_t each_least() const { return 1; }
  /// One search from each of at most each_width() sources, distances only. max_depth as in run(). Memory for it is taken
  /// by the first call; if there is not enough, throws Failure::does_not_fit and leaves the plan usable for run().
  virtual void run_each(std::span<const VertexId> /*sources*/, Distance /*max_depth*/, RunControl& /*control*/) {}
  /// Distances from the i-th source of the last run_each().
  virtual void fetch_each(std::size_t /*i*/, std::span<Distance> /*distances*/) {}
  /// Those of as many searches from the i-th on as are in device memory at once: at least one, or none if they are not there as
  /// plain arrays in the caller's order. They stay until the next call that names searches outside them.
  virtual DeviceRows each_rows(std::size_t /*i*/) { return {}; }
  /// counts[d · each_width() + i] vertices are at distance d from source i of the last run_each(). Throws as run_each() does.
  virtual std::vector<std::uint32_t> each_counts() { return {}; }
  /// How many searches a count_each() takes.
  [[nodiscard]] virtual std::size_t count_width() const { return each_width(); }
  /// As run_each(), but nothing is left to fetch: `take` gets the counts of every each_width() sources, in order.
  virtual void count_each(std::span<const VertexId> /*sources*/, Distance /*max_depth*/, RunControl& /*control*/,
                          const TakeCounts& /*take*/) {}
  /// The last run's answer, untrimmed; null if it is not in device memory as plain arrays in the caller's order.
  [[nodiscard]] virtual DeviceAnswer answer() const { return {}; }
  /// The preparation, copied to the host, without `graph`; null if there is none or it cannot be kept.
  [[nodiscard]] virtual std::shared_ptr<Preparation> preparation() const { return nullptr; }
  /// Seconds that preparation took (reordering and the like), not counting the copy to the device.
  [[nodiscard]] virtual Milliseconds prepare_time() const { return {}; }
};

/// A plan of the class P, for Descriptor::plan.
template <class P>
std::unique_ptr<Plan> plan_of(const PlanRequest& request) {
  return std::make_unique<P>(request);
}

struct Descriptor {
  StrategyInfo info;
  std::unique_ptr<Plan> (*plan)(const PlanRequest& request);
  /// Adds what its plan holds on a device; null if that depends on more than sizes.
  void (*storage)(StorageCount& count) = nullptr;
};

/// One row of the generated table (build/…/strategy_table.cpp). `cpu` or `sim` is set; the others where built.
struct TableRow {
  std::string_view stem;
  const Descriptor& (*cpu)();
  const Descriptor& (*sim)();
  const Descriptor& (*cuda)();
  const Descriptor& (*hip)();
};
std::span<const TableRow> strategy_table();
/// The printed listings with their faults (src/bfs/strategy/literal/), only for the simulator. Only `sim` is set.
std::span<const TableRow> literal_table();

inline std::int64_t parameter(const PlanRequest& request, std::string_view name) {
  return request.parameters.find(name)->second;
}

}  // namespace hopwave::strategy

/// At the end of src/bfs/strategy/STEM.cpp (CPU): HOPWAVE_CPU_STRATEGY(STEM, descriptor_expression)
#define HOPWAVE_CPU_STRATEGY(stem, ...)               \
  namespace hopwave::strategy {                       \
  const Descriptor& stem##_cpu() {                    \
    static const Descriptor descriptor = __VA_ARGS__; \
    return descriptor;                                \
  }                                                   \
  }

/// At the end of src/bfs/strategy/STEM.cu (all GPU machines): HOPWAVE_GPU_STRATEGY(STEM, descriptor_expression)
#define HOPWAVE_GPU_STRATEGY(stem, ...)               \
  namespace hopwave::strategy {                       \
  const Descriptor& HW_ON_MACHINE(stem)() {           \
    static const Descriptor descriptor = __VA_ARGS__; \
    return descriptor;                                \
  }                                                   \
  }
