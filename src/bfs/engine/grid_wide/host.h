// The host's side of the grid-wide traversal: its memory, its launch shape by the device's occupancy, one launch a search.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "bfs/engine/auto_trace.h"
#include "bfs/engine/completion.h"
#include "bfs/engine/device_thresholds.h"
#include "bfs/engine/grid_wide/grid_wide.h"
#include "bfs/engine/grid_wide/guess.h"
#include "bfs/engine/limits.h"
#include "bfs/engine/query.h"
#include "bfs/engine/traversal.h"
#include "bfs/plan/thresholds.h"
#include "device/device.h"
#include "hopwave/error.h"

namespace hopwave::HW_MACHINE::engine::grid_wide {

/// What a caller may set; negative: the engine decides.
struct Options {
  std::int64_t pull_edges = -1, unqueued_edges = -1, back_edges = -1, single_block_edges = -1, tail_limit = -1;
  std::int64_t fast_degree = -1, warp_buffer_limit = -1, stretch = -1;
  std::uint32_t block = 0, grid = 0;
  bool hubs = true;  ///< some vertices have many times the mean degree
  std::int64_t cached_parents = -1, isolated = -1;
};

/// Threads of a block. Every warp does a step's fixed work, so fewer threads are faster where latency counts; they also have
/// 128 or 80 registers each instead of 64. More threads have more reads in flight.
inline constexpr int few_threads = 512, more_threads = 768, most_threads = 1024;
template <class Offset>
class GridWide final : public Traversal {
 public:
  /// `completion` brings the control block. It is the caller's, because allocating pinned memory costs a millisecond.
  GridWide(device::Device& device, const Graph<Offset>& graph, const Options& options, Distance* level,
           Completion<Control>& completion)
      : device_(device),
        graph_(graph),
        completion_(completion),
        at_(hopwave::engine::thresholds_of(device)),
        block_(
            whole_warps(options.block ? options.block : std::min(device.properties().max_block, threads_for(options.hubs)))) {
    check_size(graph.num_vertices, graph.num_arcs);
    if (!graph.first_neighbor && options.isolated != 0) find_isolated(options.isolated > 0);
    rule_ = make_rule(options);
    unqueued_edges_ = rule_.unqueued_edges;
    set_shape(options.grid);
    // Without hubs, the neighbour that found a vertex in one search is no likelier to do so in the next.
    const bool cached_parents = options.cached_parents < 0 ? options.hubs : options.cached_parents != 0;
    if (cached_parents && !graph.first_neighbor) take_cached_parents();
    take_memory();
    // A preparation's time counts in full, an unprepared graph's first search is timed as a search.
    if (!graph.first_neighbor) clean(!isolated_.empty());
    state_.level = level;
  }

  [[nodiscard]] TraversalFacts facts() const override { return {.kind = TraversalKind::grid_wide}; }
  [[nodiscard]] std::string describe() const override { return std::to_string(grid_) + " blocks in one launch"; }
  [[nodiscard]] const u32* parents() const override { return parent_out_.data(); }
  [[nodiscard]] const Control& control() const override { return control_; }

  void launch(const Query& query, strategy::RunControl& control) override {
    // Of several sources some may be isolated; then none are set apart.
    const bool apart = !isolated_.empty() && query.sources.size() == 1;
    if (dirty_ || apart_[parity_] != apart) clean(apart);
    apart_[1 - parity_] = apart;
    State<Offset> s = state_;
    if (apart) {
      s.isolated = isolated_.data();
      s.num_isolated = num_isolated_;
    }
    set_search(s, query, control);
    rule_.max_depth = query.max_depth;
    // An unqueued push counts nothing, and a search may end with the level that holds its target.
    rule_.unqueued_edges = query.target == no_vertex ? unqueued_edges_ : ~u64{0};
    s.launch_parity = parity_;
    for (int i = 0; i < 2; ++i) {
      s.visited[i] = visited_[2 * parity_ + i].data();
      s.stale[i] = visited_[2 * (1 - parity_) + i].data();
    }
    s.cursor = cursor_.data() + parity_ * num_cursors;
    s.stale_cursor = cursor_.data() + (1 - parity_) * num_cursors;
    parity_ = 1 - parity_;
    dirty_ = true;
    graph_.first_neighbor ? start<false>(s) : start<true>(s);
  }
  void collect() override {
    static_assert(std::has_unique_object_representations_v<LevelRecord>);
    completion_.send(control_memory_.data());
  }
  /// The next search finds its bitmaps clean.
  void finish() override {
    control_ = completion_.take();
    dirty_ = false;
  }

  bool trace(SearchReport& stats) const override { return trace_levels(stats, control_, records_); }

 private:
  static std::uint32_t whole_warps(std::uint32_t threads) { return (threads + dev::lanes - 1) / dev::lanes * dev::lanes; }

  /// Without hubs one pull finds most vertices, and looks at many neighbours of each: reads in flight count.
  [[nodiscard]] int threads_for(bool hubs) const {
    const std::uint64_t n = graph_.num_vertices;
    if (n < at_.few_threads_vertices) return few_threads;
    if (!hubs) return most_threads;
    if (!graph_.first_neighbor) return more_threads;
    if (n < at_.few_threads_vertices_relabelled) return few_threads;
    return n < at_.more_threads_vertices_relabelled ? more_threads : most_threads;
  }
  /// A kernel for each number of threads, with and without first neighbours: registers are short in all.
  template <bool Plain>
  [[nodiscard]] auto kernel() const {
    if constexpr (sizeof(Offset) == 4) {
      if (block_ <= few_threads) return grid_wide_traversal<Offset, Plain, few_threads>;
      if (block_ <= more_threads) return grid_wide_traversal<Offset, Plain, more_threads>;
    }
    return grid_wide_traversal<Offset, Plain, most_threads>;
  }
  template <bool Plain>
  void start(const State<Offset>& state) {
    Graph<Offset> graph = graph_;
    if (!cached_parent_.empty()) graph.first_neighbor = cached_parent_.data();
    device::launch(device_, {{.grid = grid_, .block = block_, .shared_bytes = shared_, .cooperative = true}}, kernel<Plain>(),
                   graph, Searching<Offset, Plain>{state}, rule_);
  }

  Rule make_rule(const Options& o) const {
    const std::uint64_t n = num_others();
    const auto pick = [](std::int64_t wanted, std::uint64_t standard) {
      return wanted < 0 ? standard : static_cast<std::uint64_t>(wanted);
    };
    Rule rule{};
    const std::uint64_t dense = std::max(n, std::min(graph_.num_arcs / at_.dense_part, at_.most_pull_edges));
    // Without first neighbours a pull looks at more neighbours, the fewer edges lead out of the frontier.
    rule.pull_edges = pick(
        o.pull_edges, std::max(dense, graph_.num_arcs / (graph_.first_neighbor ? at_.pull_part_relabelled : at_.pull_part)));
    rule.unqueued_edges = pick(o.unqueued_edges, std::min(dense, rule.pull_edges) / at_.unqueued_part);
    rule.back_edges = pick(o.back_edges, n / at_.back_part);
    rule.tail_limit = pick(o.tail_limit, at_.tail_vertices);
    rule.single_block_edges = pick(o.single_block_edges, at_.single_block_edges);
    rule.stretch =
        static_cast<u32>(std::clamp<std::uint64_t>(pick(o.stretch, most_single_block_levels), 1, most_single_block_levels));
    rule.fast_degree = static_cast<u32>(pick(o.fast_degree, thresholds::AnyDevice::fast_limit));
    rule.warp_buffer_limit = static_cast<u32>(std::min<std::uint64_t>(pick(o.warp_buffer_limit, dev::lanes), pull_buffer_size));
    rule.max_depth = -1;
    return rule;
  }

  void set_shape(std::uint32_t wanted) {
    shared_ = std::size_t{block_} / dev::lanes * warp_shared_bytes<Offset>;
    rule_.shared_bytes = static_cast<u32>(shared_);
    const void* const code =
        graph_.first_neighbor ? reinterpret_cast<const void*>(kernel<false>()) : reinterpret_cast<const void*>(kernel<true>());
    const std::uint32_t most = device_.resident_grid(code, block_, shared_);
    const auto standard = static_cast<std::uint32_t>(std::max(device_.properties().multiprocessors, 1));
    grid_ = std::max(1u, std::min({wanted ? wanted : standard, most, most_blocks}));
    const std::uint32_t warps = grid_ * (block_ / dev::lanes);
    const auto words = static_cast<std::uint32_t>(count_words());
    rule_.partition = partition_words(words, warps);
    rule_.share = static_cast<u32>(std::min<std::uint64_t>((std::uint64_t{1} << 32) / warps, 0xFFFFFFFFu));
  }

  [[nodiscard]] std::size_t count_words() const {
    const std::size_t words = (std::size_t{graph_.num_vertices} + word_bits - 1) / word_bits;
    return (words + group_words - 1) / group_words * group_words;
  }

  void take_memory() {
    const std::size_t n = graph_.num_vertices;
    words_ = count_words();
    for (auto& bitmap : visited_) bitmap = device::Buffer<Word>(device_, words_).as(MemoryKind::flags);
    for (auto& queue : queue_) queue = device::Buffer<Entry<Offset>>(device_, n).as(MemoryKind::queues);
    if (graph_.first_neighbor) {  // else levels are written as answers at once
      settled_ = device::Buffer<Word>(device_, words_).as(MemoryKind::flags);
      level8_ = device::Buffer<Byte>(device_, n).as(MemoryKind::flags);
    } else {
      found_by_pull_ = device::Buffer<Word>(device_, most_kept_pulls * words_).as(MemoryKind::flags);
    }
    cursor_ = device::Buffer<u64>(device_, 2 * num_cursors);
    left_ = device::Buffer<u32>(device_, std::size_t{grid_} * (block_ / dev::lanes) * warp_left).as(MemoryKind::queues);
    left_count_ = device::Buffer<u32>(device_, grid_);
    slots_ = device::Buffer<Slot>(device_, 4ull * grid_);
    control_memory_ = device::Buffer<Control>(device_, 1);
    state_.settled = settled_.data();
    state_.level8 = level8_.data();
    state_.cached_parent = cached_parent_.data();
    for (int i = 0; i < 2; ++i) state_.queue[i] = queue_[i].data();
    state_.left = left_.data();
    state_.left_count = left_count_.data();
    state_.slots = slots_.data();
    state_.control = control_memory_.data();
    state_.found_by_pull = found_by_pull_.data();
  }

  [[nodiscard]] u32 num_others() const { return graph_.num_vertices - num_isolated_; }
  /// Sets isolated vertices apart where they are many, and there is room to: as loaded, half of a Kronecker graph's are
  /// isolated.
  void find_isolated(bool always) try {
    const u32 n = graph_.num_vertices;
    if (n == 0) return;
    const std::size_t words = count_words();
    device::Buffer<Word> bitmap = device::Buffer<Word>(device_, words).as(MemoryKind::flags);
    device::Buffer<u32> count(device_, 1);
    count.fill_bytes(0);
    device::launch(device_, {device::strided(device_, words * dev::lanes, 256, 1024)}, grid_wide::find_isolated<Offset>,
                   graph_.offsets, graph_.in_offsets, n, bitmap.data(), static_cast<u32>(words), count.data());
    const u32 found = count.value();
    if (found == 0 || (!always && u64{found} * at_.isolated_part < n)) return;
    isolated_ = std::move(bitmap);
    num_isolated_ = found;
  } catch (const Error& e) {
    if (e.failure() != Failure::does_not_fit) throw;
  }

  void take_cached_parents() {
    const u32 n = graph_.num_vertices;
    cached_parent_ = device::Buffer<u32>(device_, n).as(MemoryKind::parents);
    if (n == 0) return;
    const device::Buffer<Byte> degree_bits = device::Buffer<Byte>(device_, n).as(MemoryKind::flags);
    device::launch(device_, {device::strided(device_, n, 256, 4096)}, note_degrees<Offset>, graph_.in_offsets, n,
                   degree_bits.data());
    device::launch(device_, {device::strided(device_, n, 256, 4096)}, guess_parents<Offset>, graph_.in_offsets,
                   graph_.in_neighbors, graph_.num_arcs, n, degree_bits.data(), cached_parent_.data());
  }

  /// Puts the memory into the state that a search leaves: before the first search, and after one that failed.
  void clean(bool apart) {
    Clean all{.visited = {},
              .settled = settled_.data(),
              .cursor = cursor_.data(),
              .slots = slots_.data(),
              .isolated = apart ? isolated_.data() : nullptr,
              .words = static_cast<u32>(words_),
              .vertices = graph_.num_vertices,
              .num_slots = static_cast<u32>(slots_.size())};
    for (int i = 0; i < 4; ++i) all.visited[i] = visited_[i].data();
    device::launch(device_, {device::strided(device_, words_, 256, 1024)}, clean_all<Word>, all);
    dirty_ = false;
    apart_[0] = apart_[1] = apart;
  }

  void set_search(State<Offset>& s, const Query& query, const strategy::RunControl& control) {
    set_query(s, query, control.halt, device_, sources_);
    if (query.parents) {
      if (parent_out_.empty()) {
        if (graph_.first_neighbor) parent_ = device::Buffer<u32>(device_, graph_.num_vertices).as(MemoryKind::parents);
        parent_out_ = device::Buffer<u32>(device_, graph_.num_vertices).as(MemoryKind::parents);
      }
      s.parent = graph_.first_neighbor ? parent_.data() : parent_out_.data();  // the answer itself, where ids are the caller's
      s.parent_out = parent_out_.data();
    }
    set_trace(s, control.trace, device_, records_);
  }

  device::Device& device_;
  Graph<Offset> graph_;
  Completion<Control>& completion_;
  thresholds::Device at_;
  std::uint32_t block_, grid_ = 1, parity_ = 0;
  std::size_t shared_ = 0, words_ = 0;
  bool dirty_ = true;
  bool apart_[2] = {};  ///< a search's bitmaps begin with the isolated vertices set
  u32 num_isolated_ = 0;
  Rule rule_{};
  u64 unqueued_edges_ = 0;  ///< of the rule, unless a query has a target
  State<Offset> state_{};
  Control control_{};
  device::Buffer<Word> visited_[4], settled_;  ///< two for a search and two for the next
  device::Buffer<Word> found_by_pull_;         ///< empty: prepared
  device::Buffer<Word> isolated_;              ///< empty: none are set apart
  device::Buffer<Entry<Offset>> queue_[2];
  device::Buffer<Byte> level8_;
  device::Buffer<u32> parent_, parent_out_, sources_, left_, left_count_, cached_parent_;
  device::Buffer<u64> cursor_;
  device::Buffer<Slot> slots_;
  device::Buffer<Control> control_memory_;
  device::Buffer<LevelRecord> records_;
};

}  // namespace hopwave::HW_MACHINE::engine::grid_wide
