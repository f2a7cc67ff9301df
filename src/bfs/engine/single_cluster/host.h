// The host's side of the single-cluster traversal: whether the graph fits into the shared memory of a cluster; rows partitioned
// if it is prepared; one launch a search.
#pragma once

#include <algorithm>
#include <bit>
#include <span>
#include <utility>
#include <vector>

#include "bfs/engine/auto_trace.h"
#include "bfs/engine/completion.h"
#include "bfs/engine/device_thresholds.h"
#include "bfs/engine/query.h"
#include "bfs/engine/single_cluster/single_cluster.h"
#include "bfs/engine/traversal.h"
#include "device/algorithms.h"
#include "device/device.h"

namespace hopwave::HW_MACHINE::engine::single_cluster {

/// What a caller may set; negative or 0: the engine decides.
struct Options {
  std::int64_t pull_edges = -1, back_edges = -1, single_block_edges = -1, byte_edges = -1, share = 0;
  std::uint32_t block = 0, owners = 0;
};

template <class Offset>
class SingleCluster final : public Traversal {
 public:
  /// `completion` brings the control block.
  SingleCluster(device::Device& device, const engine::Graph<Offset>& graph, const Options& options, Distance* level,
                Completion<Control>& completion)
      : device_(device), completion_(completion), partitioned_(graph.rank != nullptr) {
    if (graph.num_vertices == 0 || graph.num_vertices > most_vertices || graph.num_arcs > most_arcs) return;
    const thresholds::Device at = hopwave::engine::thresholds_of(device);
    const u64 byte_edges = options.byte_edges < 0 ? at.cluster_byte_edges : static_cast<u64>(options.byte_edges);
    if (!choose_cluster(graph.num_vertices, options.owners, options.block,
                        byte_edges <= graph.num_arcs / at.cluster_byte_pushes))
      return;
    fits_ = true;
    const auto edges = [](std::int64_t wanted) { return wanted < 0 ? by_share : static_cast<u64>(wanted); };
    rule_ = {.pull_edges = edges(options.pull_edges),
             .back_edges = edges(options.back_edges),
             .single_block_edges =
                 options.single_block_edges < 0 ? at.cluster_single_block_edges : static_cast<u64>(options.single_block_edges),
             .byte_edges = byte_edges,
             .share = options.share ? static_cast<u32>(options.share) : at.cluster_share,
             .max_depth = -1};
    graph_.num_vertices = graph.num_vertices;
    graph_.num_arcs = static_cast<u32>(graph.num_arcs);
    graph_.largest_component = graph.largest_component;
    graph_.symmetric = graph.in_neighbors == graph.neighbors;
    partitioned_ ? partition(graph) : take(graph);
    control_memory_ = device::Buffer<Control>(device, 1);
    state_.level = level;
    state_.control = control_memory_.data();
    state_.target = no_vertex;
  }

  /// Would a graph of `n` vertices fit, once it is prepared?
  [[nodiscard]] static bool would_fit(device::Device& device, u32 n, const Options& options, Completion<Control>& completion) {
    return n != 0 && n <= most_vertices &&
           SingleCluster(device, completion).choose_cluster(n, options.owners, options.block, false);
  }
  [[nodiscard]] TraversalFacts facts() const override { return {.kind = TraversalKind::single_cluster}; }
  /// Is the graph small enough for the shared memory of a cluster of this device?
  [[nodiscard]] bool fits() const override { return fits_; }
  [[nodiscard]] std::string describe() const override { return "one cluster of " + std::to_string(blocks()) + " blocks"; }
  [[nodiscard]] const u32* parents() const override { return parent_out_.data(); }
  [[nodiscard]] const Control& control() const override { return control_; }

  void launch(const Query& query, strategy::RunControl& control) override {
    State s = state_;
    set_query(s, query, control.halt, device_, sources_);
    if (query.parents) {
      if (parent_out_.empty()) {  // the last that is taken: a search may have been refused it
        parent_ = device::Buffer<u32>(device_, places()).as(MemoryKind::parents);
        parent_out_ = device::Buffer<u32>(device_, graph_.num_vertices).as(MemoryKind::parents);
      }
      s.parent = parent_.data();
      s.parent_out = parent_out_.data();
    }
    set_trace(s, control.trace, device_, records_);
    rule_.max_depth = query.max_depth;
    rule_.limited = control.halt != nullptr;
    device::launch(device_, {{.grid = blocks(), .block = block_, .shared_bytes = shared_, .cluster = blocks()}},
                   partitioned_ ? cluster_traversal<true> : cluster_traversal<false>, graph_, s, rule_);
  }
  void collect() override { completion_.send(control_memory_.data()); }
  void finish() override { control_ = completion_.take(); }

  bool trace(SearchReport& stats) const override { return trace_levels(stats, control_, records_); }

 private:
  SingleCluster(device::Device& device, Completion<Control>& completion)
      : device_(device), completion_(completion), partitioned_(true) {}

  static constexpr u64 most_vertices = 1 << 20, most_arcs = 1 << 28;
  static constexpr u64 most_slice = 1 << 16;  ///< a local number has 16 bits
  static constexpr u64 least_slice = 2 * slice_step;

  [[nodiscard]] std::uint32_t blocks() const { return 1u << graph_.partition.owner_bits; }
  [[nodiscard]] const void* kernel() const {
    return reinterpret_cast<const void*>(partitioned_ ? cluster_traversal<true> : cluster_traversal<false>);
  }
  [[nodiscard]] u32 places() const { return graph_.partition.slice << graph_.partition.owner_bits; }

  /// As many blocks as have a few hundred vertices each, up to sixteen; eight where the device has no larger clusters. At least
  /// two: blocks send to each other, which a cluster of one block cannot do (dev::send).
  bool choose_cluster(u32 n, std::uint32_t wanted, std::uint32_t threads, bool wants_bytes) {
    if (!device_.properties().clusters || wanted == 1) return false;
    const u32 most = std::clamp(static_cast<u32>(std::bit_width(wanted ? wanted : n / least_slice + 1)) - 1, 1u, 4u);
    for (u32 bits = most + 1; bits-- > (wanted ? most : std::min(most, 3u));) {
      const u64 groups = (u64{n} + (u64{1} << (partition_bits + bits)) - 1) >> (partition_bits + bits);
      const u64 slice = std::max(((groups << partition_bits) + slice_step - 1) / slice_step * slice_step, least_slice);
      block_ = static_cast<u32>(std::min<u64>(threads ? threads : slice, most_threads));
      block_ = (block_ + dev::lanes - 1) / dev::lanes * dev::lanes;
      const u64 steps = slice / slice_step;
      const u32 words = static_cast<u32>(slice / word_bits), warps = block_ / dev::lanes;
      graph_.partition = {bits, static_cast<u32>(slice), static_cast<u32>(((u64{1} << 32) + steps - 1) / steps)};
      graph_.warp_words = (words + warps - 1) / warps;
      graph_.quad_bits = static_cast<u32>(std::bit_width(slice / slice_step - 1));
      const auto has_room = [&](bool near_locals, bool marks) {
        graph_.near_locals = near_locals;
        graph_.byte_marks = marks;
        shared_ = layout_of(graph_, warps, partitioned_).bytes();
        return shared_ + sizeof(Storage) + 1024 <= device_.properties().shared_per_block;
      };
      const bool near = partitioned_ && has_room(true, false);
      if (slice > most_slice || !has_room(near, false) || !runs(bits)) continue;
      if (!wants_bytes || (has_room(near, true) && runs(bits))) return true;
      has_room(near, false);
      return true;
    }
    return false;
  }
  /// Can so many blocks run at once, with all their shared memory?
  [[nodiscard]] bool runs(u32 bits) { return device_.largest_cluster(kernel(), 1u << bits, block_, shared_) >= (1u << bits); }

  [[nodiscard]] device::LaunchShape shape(std::uint64_t items) const { return device::strided(device_, items, 256, 4096); }

  /// Takes rows as the caller has them.
  void take(const engine::Graph<Offset>& g) {
    graph_.in = as_given(g.in_offsets, g.in_neighbors, g, in_bounds_);
    graph_.out = graph_.symmetric ? graph_.in : as_given(g.offsets, g.neighbors, g, out_bounds_);
  }
  Rows as_given(const Offset* offsets, const u32* neighbors, const engine::Graph<Offset>& g, device::Buffer<u32>& bounds) {
    Rows rows{nullptr, neighbors, static_cast<u32>(g.num_arcs)};
    if constexpr (sizeof(Offset) == sizeof(u32)) {
      rows.bounds = offsets;
    } else {
      bounds = device::Buffer<u32>(device_, g.num_vertices + 1ull).as(MemoryKind::rows);
      device::launch(device_, {shape(g.num_vertices)}, narrow_bounds<Offset>, offsets, g.num_vertices, bounds.data());
      rows.bounds = bounds.data();
    }
    return rows;
  }

  /// Makes rows of places, partitioned among the blocks.
  void partition(const engine::Graph<Offset>& g) {
    const Ranks ranks = partition_by_degree(g);
    graph_.in = partitioned_rows(g.in_offsets, g.in_neighbors, ranks, own_, in_rows_);
    graph_.out = graph_.symmetric ? graph_.in : partitioned_rows(g.offsets, g.neighbors, ranks, out_bounds_, out_rows_);
    if (g.largest_component && g.largest_component < g.num_vertices) {
      closed_ = device::Buffer<Word>(device_, places() / word_bits).as(MemoryKind::flags);
      closed_.fill_bytes(0);
    }
    device::launch(device_, {shape(places())}, partition_places<Offset>, g, graph_.partition, ranks.at.data(),
                   ranks.places.data(), own_.data(), closed_.data());
    graph_.own = own_.data();
    graph_.closed = closed_.data();
    graph_.vertices = vertices_.data();
    starts_ = device::Buffer<dev::Quad>(device_, g.num_vertices).as(MemoryKind::rows);
    device::launch(device_, {shape(g.num_vertices)}, partition_sources, graph_, g.rank, ranks.places.data(), starts_.data());
    graph_.sources = starts_.data();
  }
  /// The place of each rank, and the rank at each place.
  struct Ranks {
    device::Buffer<u32> places, at;
  };
  Ranks partition_by_degree(const engine::Graph<Offset>& g) {
    const u32 n = g.num_vertices;
    Ranks ranks{{device_, n}, {device_, places()}};
    vertices_ = device::Buffer<u32>(device_, places());
    own_ = own_memory();
    own_.fill_bytes(0);  // words without a vertex are copied too
    ranks.at.fill_bytes(0xFF);
    vertices_.fill_bytes(0xFF);
    device::Buffer<u32> is_owner(device_, u64{n} << graph_.partition.owner_bits), before(device_, is_owner.size());
    device::launch(device_, {shape(n)}, partition_owners, g.order, n, graph_.partition, is_owner.data());
    ExclusiveSum<u32, u32>(device_, is_owner.size()).run(is_owner.data(), before.data());
    device::launch(device_, {shape(n)}, partition_ranks, g.order, n, graph_.partition, before.data(),
                   Numbers{ranks.places.data(), ranks.at.data(), vertices_.data(), own_.data()});
    return ranks;
  }
  device::Buffer<u32> own_memory() {
    return {device_, std::size_t{own_words(graph_.partition.slice)} << graph_.partition.owner_bits};
  }
  Rows partitioned_rows(const Offset* offsets, const u32* neighbors, const Ranks& ranks, device::Buffer<u32>& own,
                        device::Buffer<u32>& rows) {
    const u32 slice = graph_.partition.slice;
    device::Buffer<u32> length(device_, places() + 1ull), begin(device_, places() + 1ull);
    device::launch(device_, {shape(places())}, partition_lengths<Offset>, offsets, ranks.at.data(), graph_.partition,
                   length.data());
    ExclusiveSum<u32, u32>(device_, places() + 1ull).run(length.data(), begin.data());
    const u32 total = begin.value(places());
    if (own.empty()) own = own_memory();
    rows = device::Buffer<u32>(device_, std::max(total, 4u)).as(MemoryKind::neighbors);
    u32* bounds = own.data() + slice;  // of the first block, after its first neighbours
    device::launch(device_, {shape(std::uint64_t{graph_.num_vertices} * dev::lanes)}, partition_rows<Offset>, offsets,
                   neighbors, graph_.num_vertices, Numbers{ranks.places.data(), ranks.at.data(), nullptr, nullptr},
                   graph_.partition, NewRows{begin.data(), bounds, rows.data()});
    return {bounds, rows.data(), total};
  }

  device::Device& device_;
  Completion<Control>& completion_;
  bool partitioned_, fits_ = false;
  std::uint32_t block_ = 0;
  std::size_t shared_ = 0;
  Graph graph_{};
  State state_{};
  Rule rule_{};
  Control control_{};
  device::Buffer<u32> own_, vertices_, in_bounds_, in_rows_, out_bounds_, out_rows_, parent_, parent_out_, sources_;
  device::Buffer<dev::Quad> starts_;
  device::Buffer<Word> closed_;
  device::Buffer<Control> control_memory_;
  device::Buffer<LevelRecord> records_;
};

}  // namespace hopwave::HW_MACHINE::engine::single_cluster
