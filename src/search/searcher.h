// What a Searcher holds: graph, strategy, device and plan put together. set_up.cpp makes it, searcher.cpp searches with it,
// passes.cpp does many searches at once.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/busy.h"
#include "core/parallel.h"
#include "core/watch.h"
#include "device/device.h"
#include "engine/ms_bfs/cpu.h"
#include "hopwave/device_result.h"
#include "hopwave/resident.h"
#include "hopwave/search.h"
#include "plan/plan.h"
#include "resident/state.h"
#include "search/placement.h"
#include "search/view.h"

namespace hopwave {
namespace search_detail {

/// Of one pass: count[d · width + i] vertices are at distance d from source i.
struct PassCounts {
  std::vector<std::uint32_t> count;
  std::size_t width = 0;
};

/// Throw HW-QUERY-EMPTY, HW-QUERY-SOURCE, HW-QUERY-TARGET, HW-QUERY-DEPTH, HW-OPTION-VALUE.
void check_query(VertexId num_vertices, const Query& query);
void check_sources(VertexId num_vertices, std::span<const VertexId> sources, Distance max_depth);
/// Throws HW-QUERY-SOURCE, HW-QUERY-TARGET.
void check_pair(VertexId num_vertices, const Pair& pair);
/// Adds what a part took, or a pass, to the sum.
void add(RunStats& sum, RunStats&& stats);
/// Throws HW-RESIDENT-OPTIONS.
[[noreturn]] void not_resident(const std::string& found, const char* expected);

}  // namespace search_detail

struct Searcher::State {
  State(const Graph& g, const SearchOptions& o);
  State(std::shared_ptr<resident::State> r, const SearchOptions& o);
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State();

  void set_up();
  void set_up_resident();
  void choose_for_cpu();
  void make_plan(const strategy::Descriptor& on_this_machine);
  std::unique_ptr<strategy::Plan> stored_plan(const strategy::Descriptor& descriptor);
  strategy::PlanRequest request();
  /// The control of one search: it points to `stats` and to the watch of the call, which must both outlive it.
  strategy::RunControl control(RunStats& stats, const core::Watch& watch) const;
  RunStats traverse(const Query& query, const core::Watch& watch);
  void traverse(const Query& query, strategy::RunControl& control);
  /// False: a limit ended it, and levels up to control.complete are there. Unless `partial` that is an error.
  bool traverse_or_part(const Query& query, strategy::RunControl& control, bool partial);
  Result run(const Query& query, const core::Watch& watch, bool partial);
  Result run_whole(const Query& query, const core::Watch& watch) { return run(query, watch, false); }
  /// Does the plan leave its answer in device memory?
  [[nodiscard]] bool leaves_answer() const { return device && (num_vertices == 0 || plan->answer().distance); }
  /// A traversal whose answer stays there, trimmed. Only `stats`, `reached` and `depth` of the result are filled.
  device::DeviceAnswer run_on_device(const Query& query, const core::Watch& watch, Result& result);
  /// Vertices by distance, and the stats of the search.
  LevelCounts count(const Query& query, const core::Watch& watch, RunStats& stats);
  [[nodiscard]] std::size_t cpu_least() const;
  [[nodiscard]] std::size_t next_pass(std::size_t left) const;
  /// With `counts`: the distances are counted, and cannot be fetched.
  RunStats traverse_pass(std::span<const VertexId> sources, Distance max_depth, const core::Watch& watch,
                         search_detail::PassCounts* counts);
  bool try_pass(std::span<const VertexId> sources, Distance max_depth, const core::Watch& watch, RunStats& stats,
                search_detail::PassCounts* counts = nullptr);
  void run_each(std::span<const VertexId> sources, Distance max_depth, const core::Watch& watch,
                const std::function<void(std::size_t, Result&&)>& take);
  RunStats traverse_each(std::span<const VertexId> sources, Distance max_depth, const core::Watch& watch);
  RunStats count_levels(std::span<const VertexId> sources, Distance max_depth, const core::Watch& watch,
                        const std::function<void(std::size_t, LevelCounts&&)>& take);
  class Noting;
  void set_up_replicas();
  /// Searches of a part that a device takes at a time.
  [[nodiscard]] std::size_t part_of(std::size_t sources) const;
  /// Deals the call out over this state and its replicas (replicas.cpp): work(state, begin, size, give).
  template <class Item, class Work, class Take>
  void deal(std::size_t sources, std::size_t room, const Work& work, const Take& take);
  void deal_each(std::span<const VertexId> sources, Distance max_depth, const core::Watch& watch,
                 const std::function<void(std::size_t, Result&&)>& take);
  RunStats deal_traversals(std::span<const VertexId> sources, Distance max_depth, const core::Watch& watch);
  RunStats deal_counts(std::span<const VertexId> sources, Distance max_depth, const core::Watch& watch,
                       const std::function<void(std::size_t, LevelCounts&&)>& take);
  /// Calls take(i, result) with a search from the source of pair i, in any order of the pairs.
  void each_pair(std::span<const Pair> pairs, Distance max_depth,
                 const std::function<void(std::size_t pair, const Result& result)>& take);
  const Adjacency& backward();

  const Graph* graph = nullptr;
  std::shared_ptr<resident::State> resident;  ///< instead of a graph
  VertexId num_vertices;
  SearchOptions options;
  Team team;
  search_detail::Placement placement;
  Parameters parameters;
  const StrategyInfo* info = nullptr;
  std::string name, chosen;
  std::unique_ptr<search_detail::GraphView> view, with_backward;
  strategy::View seen;
  std::shared_ptr<device::Device> device;
  std::unique_ptr<strategy::Plan> plan;  // after what it points to
  std::unique_ptr<engine::MsBfsCpu> ms_bfs_cpu;
  device::Buffer<Distance> trimmed;  ///< answers that had to be cut off; taken by the first
  device::Buffer<VertexId> trimmed_parent;
  std::atomic<std::uint64_t> searches{0};        ///< begun: an answer in device memory is that of the last
  std::vector<std::unique_ptr<State>> replicas;  ///< the same graph on further devices
  bool one_by_one = false;                       ///< there was no memory for many searches at once
  double copy_seconds = 0, prepare_seconds = 0;
  std::vector<std::string> notes;
  std::vector<std::string>* noted = &notes;  ///< by searches; elsewhere while other threads search
  core::Busy busy;
};

/// A call's hold on a searcher: its state stays, and no other call gets in. Throws HW-MOVED-FROM, HW-BUSY.
class Searcher::Use {
 public:
  explicit Use(const std::shared_ptr<State>& state);
  State* operator->() const { return state_.get(); }
  State& operator*() const { return *state_; }

 private:
  std::shared_ptr<State> state_;
  core::Busy::Hold searcher_;
  std::optional<core::Busy::Hold> resident_;
  std::optional<device::KeepCurrent> current_;
};

}  // namespace hopwave
