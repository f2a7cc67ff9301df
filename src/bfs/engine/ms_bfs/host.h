// The host's side of MS-BFS: memory, rows by length, launches, and the distances of one search at a time.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "bfs/engine/device_thresholds.h"
#include "bfs/engine/limits.h"
#include "bfs/engine/ms_bfs/counts.h"
#include "bfs/plan/thresholds.h"
#include "core/bytes_text.h"
#include "device/algorithms.h"
#include "device/device.h"
#include "device/device_answer.h"
#include "hopwave/error.h"

namespace hopwave::HW_MACHINE::engine::ms_bfs {

/// What a caller may set; negative or 0: the engine decides.
struct Options {
  std::int64_t pull_edges = -1, back_edges = -1, unqueued_edges = -1, tail_limit = -1;
  std::uint32_t block = 0, grid = 0, rows = 0;
  std::uint32_t share = 1;  ///< so many of these run at the same time, each with its part of the blocks
  bool levels = false;      ///< one launch a level even where the device has cooperative launches
};

template <class Offset>
class MsBfs {
 public:
  /// With `out`: all sources of a run are one search, whose distances are written there.
  MsBfs(device::Device& device, const Graph<Offset>& graph, const Options& options, Distance* out = nullptr)
      : device_(device),
        graph_(graph),
        one_launch_(device.properties().cooperative && !options.levels),
        block_(whole_warps(
            std::min(options.block ? options.block : static_cast<u32>(device.properties().max_block), most_threads))),
        rows_(out            ? 1
              : options.rows ? options.rows
                             : most_searches),
        level_(out) {
    check_size(graph.num_vertices, graph.num_arcs);
    check_memory(options.rows == 0);
    set_shape(options.grid, options.share);
    take_memory();
    sort_rows();
    const std::uint64_t n = graph_.num_vertices, m = graph_.num_arcs;
    const thresholds::Device at = hopwave::engine::thresholds_of(device_);
    state_.pull_edges =
        options.pull_edges < 0 ? std::max(n / at.ms_bfs_pull_vertex_part, m / at.ms_bfs_pull_part) : options.pull_edges;
    state_.unqueued_edges = out                          ? ~std::uint64_t{0}
                            : options.unqueued_edges < 0 ? n / at.ms_bfs_unqueued_part
                                                         : options.unqueued_edges;
    state_.back_edges = options.back_edges < 0 ? n / at.ms_bfs_back_part : options.back_edges;
    if (one_launch_ && !out && options.tail_limit) take_tail(options.tail_limit, at.ms_bfs_tail_part);
  }

  /// Memory for rows of distances, unless it is there: before searches that are not only counted.
  void take_rows() {
    if (level_ || !out_.empty()) return;
    out_ = device::Buffer<Distance>(device_, rows_ * stride()).as(MemoryKind::levels);
    if (stride() != graph_.num_vertices) out_.fill_bytes(-1);  // what lies between two rows is copied with them
  }

  /// Searches from at most 64 sources (any number, if they are one search): begin(), then go_on() until done(). Distances of
  /// the first rows() searches are widened at once, those of the others when they are fetched. `counted`: none are, and what
  /// counts() needs is at hand at once. `halt`: not 0 there ends them; may be null.
  void begin(std::span<const VertexId> sources, Distance max_depth, bool counted = false, const u32* halt = nullptr) {
    counted_ = counted;
    if (sources.size() > sources_.size()) sources_ = device::Buffer<u32>(device_, sources.size());
    state_.sources = sources_.data();
    sources_.upload(sources);
    state_.num_sources = static_cast<u32>(sources.size());
    state_.full = level_ ? 1 : sources.size() == most_searches ? ~Bits{0} : (Bits{1} << sources.size()) - 1;
    state_.max_depth = max_depth;
    state_.halt = halt;
    state_.skip_leaves = state_.via && max_depth < 0;  // a limit may lie between a leaf and its neighbour
    at_ = 0;
    started_ = false;
  }
  void go_on() {
    go_on([](const Progress&) { return true; }, thresholds::AnyDevice::ms_bfs_launches_ahead);
  }
  /// With a launch a level, probe(progress) is called after every `ahead` launches; false ends the searches with the level that
  /// is done.
  template <class Probe>
  void go_on(Probe&& probe, std::uint32_t ahead) {
    if (one_launch_) {
      device::launch(device_, {{.grid = grid_, .block = block_, .shared_bytes = shared_, .cooperative = true}},
                     ms_bfs_traversal<Offset>, graph_, state_, started_ ? 1u : 0u);
      at_ = 2;
    } else {
      run_levels(probe, ahead);
    }
    started_ = true;
    counted_ ? launch_count(ms_bfs_count<Offset, few_digits, 4>) : widen_from(0);
  }
  /// Waits. False: distances have more digits than there was room for. Now there is room: go_on() again.
  bool done() {
    progress_ = progress_memory_.value(at_);
    if (progress_.mode == Mode::stop) return true;
    more_planes();
    return false;
  }

  /// Distances of the i-th of the last sources.
  void fetch(std::size_t i, std::span<Distance> distances) {
    out_.download(distances, static_cast<std::size_t>(rows_at(i).first - out_.data()));
  }
  /// Distances from the i-th of the last sources on, of as many as are widened.
  device::DeviceRows rows_at(std::size_t i) {
    if (i < widened_ || i >= widened_ + rows_) widen_from(static_cast<u32>(i));
    const std::size_t here = i - widened_, end = std::min<std::size_t>(rows_, state_.num_sources - widened_);
    return {out_.data() + here * stride(), stride(), end - here};
  }

  /// counts()[d · most_searches + i] vertices are at distance d from the i-th of the last sources. The last row may be all
  /// zero.
  std::vector<u32> counts() {
    const u32 levels = progress_.deepest + 2;  // a leaf may be one level beyond the deepest
    if (levels > shared_levels) {
      count_levels_ = std::max(count_levels_, levels);
      launch_count(ms_bfs_count<Offset, most_planes, 2>);
    } else if (!counted_) {
      launch_count(ms_bfs_count<Offset, few_digits, 4>);
    }
    std::vector<u32> all(std::size_t{levels} * most_searches);
    counts_.download(all);
    return all;
  }

  /// Whether the next searches record their steps; only with one launch for all levels.
  void trace(bool wanted) {
    if (wanted && records_.empty()) records_ = device::Buffer<Record>(device_, 4096);
    state_.records = wanted && one_launch_ ? records_.data() : nullptr;
    state_.record_capacity = static_cast<u32>(records_.size());
  }
  /// The records of the last searches: the first two are the launch's start and the sources.
  [[nodiscard]] std::vector<Record> records() const {
    if (!state_.records) return {};
    std::vector<Record> all(std::min<std::size_t>(progress_.step + 1, records_.size()));
    records_.download(all);
    return all;
  }

  [[nodiscard]] const Progress& progress() const { return progress_; }
  [[nodiscard]] std::uint32_t grid() const { return grid_; }
  [[nodiscard]] std::uint32_t rows() const { return rows_; }
  /// Has any search visited this vertex (our id)? Reads it from the device.
  [[nodiscard]] bool is_visited(VertexId v) const { return visited_[progress_.current].value(v) != 0; }

  [[nodiscard]] std::string describe() const {
    return std::to_string(most_searches) + " searches at a time, a word a vertex; " + std::to_string(grid_) + " blocks in " +
           (one_launch_ ? "one launch" : "a launch a level");
  }

 private:
  static std::uint32_t whole_warps(std::uint32_t threads) { return (threads + dev::lanes - 1) / dev::lanes * dev::lanes; }

  /// The stride between two searches' distances: whole lines of memory.
  [[nodiscard]] std::uint64_t stride() const { return (graph_.num_vertices + std::uint64_t{31}) / 32 * 32; }

  /// Bytes per vertex without the graph: visited words, fresh words, queues, eight digits, rows in order.
  [[nodiscard]] std::size_t bytes_a_vertex() const {
    return (5 + (level_ ? 0 : first_planes)) * sizeof(Bits) + 3 * sizeof(Entry<Offset>) + 2 * sizeof(u32);
  }

  /// Fewer rows of distances where memory is short. Throws, before anything is allocated, where even one does not fit.
  void check_memory(bool may_shrink) {
    const std::uint64_t n = graph_.num_vertices, free = device_.memory_free();
    const std::uint64_t spare = free - free / thresholds::AnyDevice::spare_part;
    const auto needed = [&] { return n * (bytes_a_vertex() + rows_ * sizeof(Distance)); };
    while (may_shrink && rows_ > 1 && needed() > spare) rows_ /= 2;
    if (needed() <= spare) return;
    no_memory(needed(), free);
  }
  /// Throws where `bytes` more are not free.
  void check_room(std::uint64_t bytes) const {
    const std::uint64_t free = device_.memory_free();
    if (bytes > free - free / thresholds::AnyDevice::spare_part) no_memory(bytes, free);
  }
  [[noreturn]] void no_memory(std::uint64_t needed, std::uint64_t free) const {
    throw Error({.failure = Failure::does_not_fit,
                 .id = "HW-ENGINE-MEMORY",
                 .found = (level_ ? "a search needs about " : "many searches in one pass need about ") + bytes_text(needed) +
                          " of device memory, and " + bytes_text(free) + " are free",
                 .expected = "a graph that fits",
                 .hint = "one search at a time needs less: --param ms_bfs=0"});
  }

  void set_shape(std::uint32_t wanted, std::uint32_t share) {
    shared_ = std::size_t{block_ / dev::lanes} * warp_buffer_bytes<Offset>;
    const auto* kernel = one_launch_ ? reinterpret_cast<const void*>(ms_bfs_traversal<Offset>)
                                     : reinterpret_cast<const void*>(ms_bfs_level<Offset>);
    const std::uint32_t most = device_.resident_grid(kernel, block_, shared_);
    grid_ = std::max(1u, (wanted ? std::min(wanted, most) : most) / share);
  }

  void take_memory() {
    const std::size_t n = graph_.num_vertices;
    for (auto& words : visited_) words = device::Buffer<Bits>(device_, n).as(MemoryKind::flags);
    fresh_ = device::Buffer<Bits>(device_, 3 * n).as(MemoryKind::flags);
    queue_ = device::Buffer<Entry<Offset>>(device_, 3 * n).as(MemoryKind::queues);
    if (level_)
      direct_ = device::Buffer<Distance>(device_, n).as(MemoryKind::flags);
    else
      planes_ = device::Buffer<Bits>(device_, first_planes * n).as(MemoryKind::flags);
    totals_ = device::Buffer<Totals>(device_, 3);
    progress_memory_ = device::Buffer<Progress>(device_, 3);
    sources_ = device::Buffer<u32>(device_, most_searches);
    state_.visited[0] = visited_[0].data();
    state_.visited[1] = visited_[1].data();
    state_.fresh = fresh_.data();
    state_.queue = queue_.data();
    state_.totals = totals_.data();
    state_.progress = progress_memory_.data();
    state_.planes = planes_.data();
    state_.num_planes = level_ ? most_planes : first_planes;
    state_.direct = direct_.data();
    state_.together = level_ != nullptr;
    state_.sources = sources_.data();
  }

  /// One row in `part` may be left to the tail.
  void take_tail(std::int64_t limit, std::uint64_t part) {
    const std::uint64_t n = graph_.num_vertices;
    const std::uint64_t rows = limit < 0 ? n / part : std::min<std::uint64_t>(limit, n);
    state_.tail_rows = static_cast<u32>(std::min<std::uint64_t>(rows, thresholds::AnyDevice::ms_bfs_most_left));
    state_.tail_work =
        limit < 0 ? thresholds::AnyDevice::ms_bfs_tail_arcs * thresholds::AnyDevice::ms_bfs_most_left : graph_.num_arcs;
    left_ = device::Buffer<u32>(device_, std::max(state_.tail_rows, 1u)).as(MemoryKind::queues);
    brought_ = device::Buffer<Bits>(device_, std::max(state_.tail_rows, 1u)).as(MemoryKind::flags);
    state_.brought = brought_.data();
    state_.left = left_.data();
    state_.lists_tail = 1;
  }

  /// Makes the bins of rows by length, and the parts of rows that are cut up. Only the lists stay in memory.
  void sort_rows() {
    const u32 n = graph_.num_vertices;
    if (n == 0) return;
    const u32 tiles = (n + dev::lanes - 1) / dev::lanes, grid = std::min(device::blocks_for(n, 256), 2048u);
    const bool leaves = !level_ && graph_.in_offsets == graph_.offsets && n < single;
    const BinRows<Offset> rows{graph_.in_offsets, leaves ? graph_.in_neighbors : nullptr, n};
    bins_ = device::Buffer<u32>(device_, n);
    if (leaves) {
      via_ = device::Buffer<u32>(device_, n);
      device::launch(device_, {{.grid = grid, .block = 256}}, fill_via<Offset>, rows, graph_.rank, via_.data());
      state_.via = via_.data();
    }
    {
      const std::size_t counts = std::size_t{num_bins} * tiles;
      device::Buffer<u32> count(device_, counts), place(device_, counts);
      device::launch(device_, {{.grid = grid, .block = 256}}, count_bins<Offset>, rows, tiles, count.data());
      ExclusiveSum<u32> sum(device_, counts);
      sum.run(count.data(), place.data());
      device::launch(device_, {{.grid = grid, .block = 256}}, fill_bins<Offset>, rows, tiles, place.data(), bins_.data());
      for (u32 b = 1; b < num_bins; ++b) state_.bin_end[b - 1] = place.value(std::size_t{b} * tiles);
      state_.bin_end[num_bins - 1] = n;
    }
    state_.rows = bins_.data();
    if (const u32 cut = state_.bin_end[0]) {
      device::Buffer<u32> parts(device_, cut + 1ull), place(device_, cut + 1ull);
      parts.fill_bytes(0);
      const u32 few = device::blocks_for(cut, 256);
      device::launch(device_, {{.grid = few, .block = 256}}, count_chunks<Offset>, graph_.in_offsets, bins_.data(), cut,
                     parts.data());
      ExclusiveSum<u32> sum(device_, cut + 1ull);
      sum.run(parts.data(), place.data());
      state_.num_chunks = place.value(cut);
      chunks_ = device::Buffer<Chunk>(device_, state_.num_chunks);
      device::launch(device_, {{.grid = few, .block = 256}}, fill_chunks<Offset>, graph_.in_offsets, bins_.data(), cut,
                     place.data(), chunks_.data());
      state_.chunks = chunks_.data();
    }
    device_.wait();  // before the counts are freed
  }

  /// One launch a level, several before the host reads the progress: launches that find nothing to do end at once.
  template <class Probe>
  void run_levels(Probe&& probe, std::uint32_t ahead) {
    if (!started_) {
      device::launch(device_, {{.grid = grid_, .block = block_}}, each_clear<Offset>, graph_, state_);
      device::launch(device_, {{.grid = 1, .block = block_, .shared_bytes = shared_}}, ms_bfs_sources<Offset>, graph_, state_);
    }
    do {
      for (u32 k = 0; k < ahead; ++k) {
        device::launch(device_, {{.grid = grid_, .block = block_, .shared_bytes = shared_}}, ms_bfs_level<Offset>, graph_,
                       state_, at_);
        at_ = 1 - at_;
      }
      progress_ = progress_memory_.value(at_);
      // One more level than is done: the next launch finds the limit reached, and finishes what was found.
      if (progress_.mode != Mode::stop && !probe(progress_)) state_.max_depth = static_cast<Distance>(progress_.level + 1);
    } while (progress_.mode != Mode::stop && !progress_.paused);
  }

  [[nodiscard]] Rows rows_from(u32 first) const {
    return {level_ ? level_ : out_.data(), stride(), first, std::min<u32>(rows_, state_.num_sources - first)};
  }
  void widen_from(u32 first) {
    // All at once if possible; else fewer registers would only make the last of several turns longer.
    const u32 grid = std::min(device::blocks_for(graph_.num_vertices, 4 * widen_threads), 16384u);
    const bool at_once = grid <= 5u * static_cast<u32>(device_.properties().multiprocessors);
    device::launch(device_, {{.grid = grid, .block = widen_threads}},
                   at_once ? ms_bfs_widen<Offset, 5> : ms_bfs_widen<Offset, 4>, graph_, state_, at_, rows_from(first));
    widened_ = first;
  }

  template <class Kernel>
  void launch_count(Kernel* kernel) {
    const std::size_t wanted = std::size_t{count_levels_} * most_searches;
    if (counts_.size() < wanted) {
      check_room(wanted * sizeof(u32));
      counts_ = device::Buffer<u32>(device_, wanted);
    }
    counts_.fill_bytes(0);
    const u32 grid = std::min(device::blocks_for(graph_.num_vertices, count_threads),
                              8u * static_cast<u32>(device_.properties().multiprocessors));
    device::launch(device_, {{.grid = std::max(grid, 1u), .block = count_threads}}, kernel, graph_, state_, at_,
                   CountRoom{counts_.data(), count_levels_});
  }

  void more_planes() {
    const std::size_t n = graph_.num_vertices, had = state_.num_planes, want = std::min<std::size_t>(had * 2, most_planes);
    auto more = device::Buffer<Bits>(device_, want * n).as(MemoryKind::flags);
    more.fill_bytes(0);
    device_.copy(more.data(), planes_.data(), had * n * sizeof(Bits));
    device_.wait();
    planes_ = std::move(more);
    state_.planes = planes_.data();
    state_.num_planes = static_cast<u32>(want);
  }

  static constexpr u32 first_planes = 8;

  device::Device& device_;
  Graph<Offset> graph_;
  bool one_launch_, started_ = false;
  std::uint32_t block_, grid_ = 1, rows_, at_ = 0;
  std::size_t shared_ = 0, widened_ = 0;
  bool counted_ = false;
  u32 count_levels_ = shared_levels;  ///< for which there is room in counts_
  Distance* level_;                   ///< null: many searches
  State<Offset> state_{};
  Progress progress_{};
  device::Buffer<Bits> visited_[2], fresh_, planes_;
  device::Buffer<Entry<Offset>> queue_;
  device::Buffer<Totals> totals_;
  device::Buffer<Progress> progress_memory_;
  device::Buffer<Record> records_;
  device::Buffer<u32> sources_, bins_, left_, via_, counts_;
  device::Buffer<Bits> brought_;
  device::Buffer<Chunk> chunks_;
  device::Buffer<Distance> out_, direct_;
};

}  // namespace hopwave::HW_MACHINE::engine::ms_bfs
