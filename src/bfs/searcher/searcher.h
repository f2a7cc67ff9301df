// bfs/searcher: queries on a kept graph, one or many, by any strategy, on any device, and the check of answers. No kernel.
//
// What a Searcher holds: graph, strategy, device and plan put together. set_up.cpp makes it, searcher.cpp searches with it,
// passes.cpp does many searches at once.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bfs/engine/choose_cpu.h"
#include "bfs/engine/ms_bfs/counter.h"
#include "bfs/engine/ms_bfs/cpu.h"
#include "bfs/plan/plan.h"
#include "bfs/plan/thresholds.h"
#include "bfs/searcher/placement.h"
#include "bfs/searcher/reach.h"
#include "bfs/searcher/view.h"
#include "core/busy.h"
#include "core/parallel.h"
#include "core/watch.h"
#include "device/device.h"
#include "device/result_memory.h"
#include "device_graph/resident_state.h"
#include "hopwave/device_result.h"
#include "hopwave/resident.h"
#include "hopwave/search.h"

namespace hopwave::search_detail {

/// Throw HW-QUERY-EMPTY, HW-QUERY-SOURCE, HW-QUERY-TARGET, HW-QUERY-DEPTH, HW-OPTION-VALUE.
void check_query(VertexId num_vertices, const Query& query);
void check_sources(VertexId num_vertices, std::span<const VertexId> sources, Distance max_depth);
/// Throws HW-QUERY-SOURCE, HW-QUERY-TARGET.
void check_pair(VertexId num_vertices, const Pair& pair);
/// Adds what a part took, or a pass, to the sum.
void add(SearchReport& sum, SearchReport&& stats);
/// How many vertices have each distance.
[[nodiscard]] LevelCounts counted(std::span<const Distance> distances);
/// Throws HW-QUERY-TAKE.
[[noreturn]] void refuse_without_take();
/// Throws HW-RESIDENT-OPTIONS.
[[noreturn]] void not_resident(const std::string& found, const char* expected);
/// Throws HW-VIEW-SIZE.
void check_room(std::size_t to, std::size_t from);

/// Host memory for the distances of many searches: a row each, without gaps.
struct HostRows {
  std::shared_ptr<void> memory = {};  ///< null: each result has an array of its own
  std::size_t begin = 0;              ///< the memory's value with which the first row begins
  bool pinned = false;
};

/// Waits at its end for copies in flight, so that their target memory outlives them, also after an exception.
class UnderWay {
 public:
  explicit UnderWay(device::Device& device) : device_(device) {}
  ~UnderWay() {
    if (!ended_) (void)device_.api().stream_wait(device_.stream());
  }
  UnderWay(const UnderWay&) = delete;
  UnderWay& operator=(const UnderWay&) = delete;
  void ended() noexcept { ended_ = true; }

 private:
  device::Device& device_;
  bool ended_ = false;
};

/// Pinned memory for one answer that is too small for a piece of its own.
struct SmallAnswer {
  static constexpr std::size_t most = std::size_t{1} << 14;
  Distance distance[most];
  VertexId parent[most];
};

}  // namespace hopwave::search_detail

namespace hopwave::inline v0_1 {

struct Searcher::State {
  State(const Graph& g, const SearchOptions& o);
  State(std::shared_ptr<resident::State> r, const SearchOptions& o);
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State();

  void set_up();
  void set_up_resident();
  void choose_for_cpu();
  /// The same after reversing the graph's arcs, which it does; without memory for them nothing changes.
  void turn_arcs();
  void turn_if_it_pays(std::size_t next, const core::Watch& watch) {
    if (would_turn && !watch.limited() && searches + next > thresholds::Cpu::searches_before_turning) turn_arcs();
  }
  void make_plan(const strategy::Descriptor& on_this_machine);
  std::unique_ptr<strategy::Plan> stored_plan(const strategy::Descriptor& descriptor);
  strategy::PlanRequest request();
  /// The control of one search: it points to `stats` and to the watch of the call, which must both outlive it.
  strategy::RunControl control(SearchReport& stats, const core::Watch& watch) const;
  /// What every search of this searcher reports.
  [[nodiscard]] SearchReport report() const;
  SearchReport traverse(const Query& query, const core::Watch& watch);
  void traverse(const Query& query, strategy::RunControl& control);
  /// For an incomplete search: levels up to control.complete are there. An error unless `partial`.
  End traverse_or_part(const Query& query, strategy::RunControl& control, bool partial);
  Result run(const Query& query, const core::Watch& watch, bool partial);
  Result run_whole(const Query& query, const core::Watch& watch) { return run(query, watch, false); }
  /// Does the plan leave its answer in device memory?
  [[nodiscard]] bool leaves_answer() const { return device && (num_vertices == 0 || plan->answer().distance); }
  void require_answer_on_device() const;  ///< throws HW-VIEW-DEVICE
  /// Starts adding up answers on the device, into sums_now(at) and the following ones, which are complete after the next wait.
  void sum_later(const device::DeviceRows& rows, std::size_t at = 0);
  [[nodiscard]] resident::AnswerSums sums_now(std::size_t at = 0) const {
    return sums_here.data() ? (*sums_here.data())[at] : resident::AnswerSums{};
  }
  /// How much of a result has been filled: nothing; distances, and parents if wanted; what they add up to as well.
  enum class Brought { nothing, arrays, sums };
  /// Calls give(i, result) with the distances, and with their sums if `whole`, of each of the `count` searches of a pass. Into
  /// the rows `to`, or into memory of its own where that is faster: the receiver looks where they are.
  void bring_each(std::size_t count, bool whole, const std::function<void(std::size_t, Result&&)>& give,
                  const search_detail::HostRows& to);
  /// Memory for `count` rows of values of so many bytes, pinned if that pays. Throws HW-MEMORY.
  search_detail::HostRows host_rows(std::size_t count, std::size_t value_bytes = sizeof(Distance));
  /// How to get pinned memory for an answer of this size: pinning takes about as long as it saves copies to ordinary memory.
  [[nodiscard]] device::Pin pin_for(std::size_t bytes) const;
  /// A traversal whose answer stays there, trimmed. Only `stats`, `reached` and `depth` of the result are filled.
  device::DeviceAnswer run_on_device(const Query& query, const core::Watch& watch, Result& result);
  /// there(i, rows): distances on the device, of sources[i] and the following ones; row_here(i, row): on the host, where the
  /// device keeps no rows. Those of a pass may be deeper than asked for.
  using RowsThere = std::function<void(std::size_t i, const device::DeviceRows& rows)>;
  using RowHere = std::function<void(std::size_t i, const Array<Distance>& row)>;
  SearchReport run_each_on_device(std::span<const VertexId> sources, Distance max_depth, const core::Watch& watch,
                                  const RowsThere& there, const RowHere& row_here);
  SearchReport run_each_on_device(std::span<const VertexId> sources, Distance max_depth, const core::Watch& watch,
                                  Distance* to);
  // Answers of one or two bytes a distance (narrow.cpp).
  template <class Narrow>
  NarrowResult<Narrow> run_narrow(const Query& query, const core::Watch& watch, Deeper deeper);
  template <class Narrow>
  Array<Narrow> run_packed(const Query& query, const core::Watch& watch, Result& result);
  template <class Narrow>
  Array<Narrow> narrow_from_each(std::span<const VertexId> sources, Distance max_depth, const core::Watch& watch,
                                 Deeper deeper);
  /// Packs rows on the device and copies them to `to`; does not wait if that is pinned memory.
  template <class Narrow>
  void bring_packed(device::DeviceRows rows, Distance limit, Narrow* to, bool pinned);
  /// Vertices by distance, and the stats of the search.
  LevelCounts count(const Query& query, const core::Watch& watch, SearchReport& stats);
  /// look(state, rows, counts): a row of distances on the state's device and the levels' counts, of each source in order.
  using Look = std::function<void(State&, const device::DeviceRows&, std::span<const LevelCounts>)>;
  /// Searches from each source whose distances stay in device memory, in passes where there are enough. What look() has the
  /// device do with the rows comes before its next searches. done(stats) follows, of a pass or of a search alone.
  void visit_each(std::span<const VertexId> sources, const core::Watch& watch, const Look& look,
                  const std::function<void(const SearchReport&)>& done);
  [[nodiscard]] std::size_t cpu_least() const;
  [[nodiscard]] bool ms_bfs_asked() const;
  void begin_many(Distance max_depth);
  [[nodiscard]] bool first_alone(std::span<const VertexId> left);
  void learn(const LevelCounts& counts);
  /// Do too few searches of a pass meet? `least` of them have to reach a vertex at the same level.
  [[nodiscard]] bool seldom_meet(std::span<const VertexId> pass, double least) const;
  struct Next {
    std::size_t width = 0;  ///< searches that share the next pass; 0: one runs alone
    bool shows = false;     ///< it is for learn()
  };
  /// What comes next of the searches that are left: on a CPU depending on whether they meet, elsewhere next_pass().
  [[nodiscard]] Next next(std::span<const VertexId> left, bool counted = false);
  [[nodiscard]] std::size_t pass_width() const;
  [[nodiscard]] std::size_t next_pass(std::size_t left, bool counted = false) const;
  /// With `take`: the distances are counted, and cannot be fetched.
  /// If it throws, `stats` has what was done until then.
  void traverse_pass(std::span<const VertexId> sources, Distance max_depth, const core::Watch& watch, SearchReport& stats,
                     const strategy::TakeCounts& take);
  /// False: there was no memory for `work`, and the other searches of this call run one by one.
  template <class Work>
  bool fits(const Work& work);
  bool try_pass(std::span<const VertexId> sources, Distance max_depth, const core::Watch& watch, SearchReport& stats,
                const strategy::TakeCounts& take = {});
  void run_each(std::span<const VertexId> sources, Distance max_depth, const core::Watch& watch,
                const std::function<void(std::size_t, Result&&)>& take, const search_detail::HostRows& to = {});
  SearchReport traverse_each(std::span<const VertexId> sources, Distance max_depth, const core::Watch& watch);
  SearchReport count_levels(std::span<const VertexId> sources, Distance max_depth, const core::Watch& watch,
                            const std::function<void(std::size_t, LevelCounts&&)>& take);
  [[nodiscard]] std::size_t counters_for(std::span<const VertexId> sources) const;
  /// How many of the sources it has counted, in their order; the others are left to count_levels().
  std::size_t count_wide(std::span<const VertexId> sources, Distance max_depth, const core::Watch& watch, SearchReport& sum,
                         const std::function<void(std::size_t, LevelCounts&&)>& take);
  class Arrival;
  class Noting;
  /// One graph on all devices, and each search on all of them; `why` it is so.
  void set_up_partitioned(const std::string& why);
  void set_up_replicas();
  bool shared_out_instead(const Error& why);
  /// Searches of a part that a device takes at a time, of a call's `sources`; `width` share what it does at once.
  [[nodiscard]] std::size_t part_of(std::size_t sources, std::size_t width) const;
  /// Deals the call out over this state and its replicas (replicas.cpp): work(state, begin, size, give).
  template <class Item, class Work, class Take>
  void deal(std::size_t sources, std::size_t width, std::size_t room, const Work& work, const Take& take);
  void deal_each(std::span<const VertexId> sources, Distance max_depth, const core::Watch& watch,
                 const std::function<void(std::size_t, Result&&)>& take);
  SearchReport deal_traversals(std::span<const VertexId> sources, Distance max_depth, const core::Watch& watch);
  SearchReport deal_counts(std::span<const VertexId> sources, Distance max_depth, const core::Watch& watch,
                           const std::function<void(std::size_t, LevelCounts&&)>& take);
  /// As visit_each(), on all devices; the calling thread looks, while the device that has the rows waits.
  void deal_visits(std::span<const VertexId> sources, const core::Watch& watch, const Look& look,
                   const std::function<void(const SearchReport&)>& done);
  search_detail::Reach& reach_of(int rank);
  Reached reach(const Query& query, std::uint64_t nearest, const core::Watch& watch);
  void reach_each(std::span<const VertexId> sources, const Nearby& nearby, const core::Watch& watch,
                  const std::function<void(std::size_t, const ReachedRows&)>& take);
  /// The same for a graph in device memory, and by a whole traversal if the search becomes large.
  Reached reach_there(const Query& query, std::uint64_t nearest, const core::Watch& watch);
  Reached reach_whole_there(const Query& query, std::uint64_t nearest, const core::Watch& watch);
  void reach_each_there(std::span<const VertexId> sources, const Nearby& nearby, const core::Watch& watch,
                        const std::function<void(std::size_t, const ReachedRows&)>& take);
  [[nodiscard]] bool both_ends() const;
  /// Calls take(i, result) with a search from the source of pair i, in any order of the pairs; or answer(i, distance), if that
  /// is not empty, for a pair that was searched from both ends.
  void each_pair(std::span<const Pair> pairs, Distance max_depth,
                 const std::function<void(std::size_t pair, const Result& result)>& take,
                 const std::function<void(std::size_t pair, Distance distance)>& answer = {});
  const Adjacency& backward();
  /// The result of a single search is in that memory.
  void gave(const std::shared_ptr<void>& memory) { results_given[1] = std::exchange(results_given[0], memory); }

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
  std::vector<std::unique_ptr<engine::MsBfsCounter>> counters;  ///< one for each thread that counts
  std::vector<std::unique_ptr<search_detail::Reach>>
      reaches;                         ///< one for each thread that has taken part in reach_each(), or reach()
  resident::ReachMemory reach_memory;  ///< of a graph in device memory
  resident::ReachAnswer reach_answer;
  device::Buffer<Distance> trimmed;  ///< answers that had to be cut off; taken by the first
  device::Buffer<VertexId> trimmed_parent;
  device::Buffer<std::uint8_t> packed;     ///< rows of one or two bytes a distance
  device::Buffer<std::uint32_t> too_deep;  ///< the greatest distance that did not fit there; 0: all do
  device::Buffer<resident::AnswerSums> sums;
  device::HostValue<std::array<resident::AnswerSums, engine::MsBfsCpu::width>> sums_here;
  device::HostValue<search_detail::SmallAnswer> small_answer;
  std::unique_ptr<device::Event> arrived;
  std::weak_ptr<void> rows_given[2];             ///< of the last calls of host_rows(), the latest first
  std::weak_ptr<void> results_given[2];          ///< by the last single searches, likewise
  int rows_calls = 0;                            ///< of host_rows(), up to 2
  std::atomic<std::uint64_t> searches{0};        ///< begun: an answer in device memory is that of the last
  std::vector<std::unique_ptr<State>> replicas;  ///< the same graph on further devices
  bool partitioned = false;                      ///< the plan has all devices
  bool would_turn = false;                       ///< on a CPU: there are no reversed arcs, and a pull would pay
  bool one_by_one = false;                       ///< this call has no memory for many searches at once
  double spread = 0;                             ///< on a CPU: levels that a search is spread over, see learn(); 0: not known
  Distance spread_within = -1;                   ///< the depth limit of the searches that it is of
  Milliseconds copy_in = {}, prepare = {};
  std::vector<std::string> notes;
  std::vector<std::string>* noted = &notes;  ///< by searches; elsewhere while other threads search
  core::Busy busy;
};

/// Copies one answer to the host in the shortest time: into pinned memory, requested as soon as the search is enqueued on the
/// device.
class Searcher::State::Arrival {
 public:
  Arrival(State& state, bool parents);
  ~Arrival();
  Arrival(const Arrival&) = delete;
  Arrival& operator=(const Arrival&) = delete;
  /// After the search is enqueued, while the device runs it; copies the answer.
  void start(const device::DeviceAnswer& answer);
  /// After the search. `whole`: nothing will be cut off.
  Brought finish(bool whole, Result& result);

 private:
  State& s_;
  bool parents_, under_way_ = false;
  search_detail::SmallAnswer* small_ = nullptr;
  std::optional<device::Pin> pin_;  ///< how to get memory, once; none: it was tried
  std::shared_ptr<void> distances_, tree_;
};

/// A running call: keeps the searcher's state alive, and excludes other calls. Throws HW-MOVED-FROM, HW-BUSY.
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

}  // namespace hopwave::inline v0_1
