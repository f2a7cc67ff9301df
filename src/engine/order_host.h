// The host's side of preparing for the wide traversal: an order, its inverse, rows in that order, heads. All on the device.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "device/algorithms.h"
#include "engine/carry.h"
#include "engine/order.h"
#include "strategy/gpu/gpu_strategy.h"

namespace hopwave::HW_MACHINE::engine {

/// Which rows are made how; tests force each way.
struct RowLimits {
  u32 blocks = 1024;        ///< rows of so many arcs are split by a block
  u32 pieces = piece_arcs;  ///< and of so many in pieces
};

/// A graph in the engine's order, in device memory.
template <class Offset>
class Ordered {
 public:
  /// `given` is in the caller's order. `giant`: size of the component whose vertices have a distance in `reached`; 0: unknown.
  /// `spare`: a symmetric graph's own neighbours, if they may be overwritten once they have been read.
  Ordered(device::Device& device, const Graph<Offset>& given, const Distance* reached, u32 giant, u32* spare = nullptr,
          RowLimits limits = {})
      : device_(device), given_(given), limits_(limits), spare_(spare) {
    const u32 n = given.num_vertices;
    const bool symmetric = given.in_neighbors == given.neighbors;
    order_ = device::Buffer<u32>(device, n);
    rank_ = device::Buffer<u32>(device, n);
    starts_ = device::Buffer<u32>(device, 2 * order_classes + 1);
    sort_keys(given.offsets, reached, order_, starts_);
    offsets_ = device::Buffer<Offset>(device, n + 1ull);
    make_rank(given.offsets, offsets_);
    if (!symmetric) {
      in_offsets_ = device::Buffer<Offset>(device, n + 1ull);
      make_rank(given.in_offsets, in_offsets_);
    }
    neighbors_ = device::Buffer<u32>(device, given.num_arcs);
    make_rows({given.offsets, given.neighbors, offsets_.data(), neighbors_.data()}, nullptr, starts_);
    if (!symmetric) make_in_rows();
    head_ = device::Buffer<u32>(device, n);
    set_graph(n, given.num_arcs, symmetric, giant);
    make_firsts();
  }

  /// What an earlier one saved. Throws HW-PREPARATION-FIT.
  Ordered(device::Device& device, u32 n, u64 arcs, bool symmetric, hopwave::engine::Restorer& from)
      : device_(device), given_{.num_vertices = n, .num_arcs = arcs} {
    u32 giant = 0;
    carry(from, n, arcs, symmetric, giant);
    if (giant > n) hopwave::engine::preparation_does_not_fit("a component larger than the graph", "at most the graph");
    set_graph(n, arcs, symmetric, giant);
    device::Buffer<u32> bad(device, 1);
    bad.fill_bytes(0);
    device::launch(device, {shape(std::max<u64>(n, arcs))}, check_ordered<Offset>, graph_, bad.data());
    if (n && bad.value() != 0) hopwave::engine::preparation_does_not_fit("ids that are no vertices", "an order of this graph");
    make_firsts();  // quads are not worth keeping in a file
  }

  /// Of the arrays below.
  static constexpr std::uint32_t layout = 1;
  void save(hopwave::engine::Saver& to) {
    carry(to, graph_.num_vertices, graph_.num_arcs, in_neighbors_.empty(), graph_.giant);
  }

  [[nodiscard]] const Graph<Offset>& graph() const { return graph_; }

 private:
  static constexpr u32 most_blocks = 1u << 20;

  template <class Carrier>
  void carry(Carrier& c, u32 n, u64 arcs, bool symmetric, u32& giant) {
    std::uint64_t width = sizeof(Offset), one_way = symmetric;
    c.number("offset_bytes", width);
    c.number("symmetric", one_way);
    if (width != sizeof(Offset) || one_way != symmetric)
      hopwave::engine::preparation_does_not_fit("other offsets or directions", "those of this search");
    c.number("giant", giant);
    c.array("order", order_, n);
    c.array("rank", rank_, n);
    c.array("offsets", offsets_, n + 1ull);
    c.array("neighbors", neighbors_, arcs);
    if (!symmetric) {
      c.array("in_offsets", in_offsets_, n + 1ull);
      c.array("in_neighbors", in_neighbors_, arcs);
    }
    c.array("head", head_, n);
  }

  void set_graph(u32 n, u64 arcs, bool symmetric, u32 giant) {
    graph_ = {.num_vertices = n,
              .num_arcs = arcs,
              .offsets = offsets_.data(),
              .neighbors = neighbors_.data(),
              .in_offsets = symmetric ? offsets_.data() : in_offsets_.data(),
              .in_neighbors = symmetric ? neighbors_.data() : in_neighbors_.data(),
              .head = head_.data(),
              .quads = nullptr,
              .rank = rank_.data(),
              .order = order_.data(),
              .giant = giant};
  }

  void make_firsts() {
    quads_ = device::Buffer<dev::Quad>(device_, graph_.num_vertices);
    device::launch(device_, {shape(graph_.num_vertices)}, order_firsts<Offset>, graph_.in_offsets, graph_.in_neighbors,
                   graph_.num_vertices, head_.data(), quads_.data());
    graph_.quads = quads_.data();
  }

  static device::LaunchShape shape(std::uint64_t items) {
    return {.grid = std::min(strategy::blocks_for(items, 256), 8192u), .block = 256};
  }

  /// Vertices by the classes of their degrees, and where each class begins.
  void sort_keys(const Offset* offsets, const Distance* reached, device::Buffer<u32>& sorted_vertices,
                 device::Buffer<u32>& starts) {
    const u32 n = given_.num_vertices;
    device::Buffer<u32> key(device_, n), sorted(device_, n), vertex(device_, n);
    device::launch(device_, {shape(n)}, order_keys<Offset>, offsets, n, reached, key.data(), vertex.data());
    SortPairs(device_, n, 8).run(key.data(), vertex.data(), sorted.data(), sorted_vertices.data());
    device::launch(device_, {shape(n + 1ull)}, class_starts, sorted.data(), n, starts.data());
  }

  void make_rank(const Offset* given_offsets, device::Buffer<Offset>& offsets) {
    const u32 n = given_.num_vertices;
    device::Buffer<Offset> degree(device_, n + 1ull);
    device::launch(device_, {shape(n + 1ull)}, order_ranks<Offset>, given_offsets, order_.data(), n, rank_.data(),
                   degree.data());
    ExclusiveSum<Offset, Offset>(device_, n + 1ull).run(degree.data(), offsets.data());
  }

  /// One way of the graph: as given, and where it is to lie.
  struct Side {
    const Offset* given_offsets;
    const u32* given_neighbors;
    const Offset* offsets;
    u32* neighbors;
  };

  /// Rows against a directed graph's arcs are of other lengths than its vertices' classes say: they are listed by length.
  void make_in_rows() {
    device::Buffer<u32> list(device_, given_.num_vertices), starts(device_, 2 * order_classes + 1);
    sort_keys(in_offsets_.data(), nullptr, list, starts);
    in_neighbors_ = device::Buffer<u32>(device_, given_.num_arcs);
    make_rows({given_.in_offsets, given_.in_neighbors, in_offsets_.data(), in_neighbors_.data()}, list.data(), starts);
  }

  void make_rows(const Side& side, const u32* list, const device::Buffer<u32>& starts) {
    starts.download(std::span<u32>(class_start_));
    const OrderedRows<Offset> rows{.offsets = side.given_offsets,
                                   .neighbors = side.given_neighbors,
                                   .order = order_.data(),
                                   .rank = rank_.data(),
                                   .starts = starts_.data(),
                                   .place = side.offsets,
                                   .rows = side.neighbors,
                                   .names = spare_};
    split_in_pieces(rows, set_of(list, limits_.pieces, ~u64{0}));
    if (const RowSet set = set_of(list, limits_.blocks, limits_.pieces); set.count + set.outer_count)
      device::launch(device_, {{.grid = std::min(set.count + set.outer_count, most_blocks), .block = order_threads}},
                     order_long<Offset>, rows, set);
    sort_short<32, 32>(rows, list, 512, 1024);
    sort_short<32, 16>(rows, list, 256, 512);
    sort_short<32, 8>(rows, list, 128, 256);
    sort_short<16, 8>(rows, list, 64, 128);
    sort_short<8, 8>(rows, list, 32, 64);
    sort_short<8, 4>(rows, list, 16, 32);
    sort_short<4, 4>(rows, list, 8, 16);
    sort_short<4, 2>(rows, list, 1, 8);
  }

  /// Rows of [from, to) arcs, both powers of two.
  [[nodiscard]] RowSet set_of(const u32* list, u64 from, u64 to) const {
    if (from >= to) return {0, 0, 0, 0, list};
    const u32 first = degree_key(to - 1, false), end = degree_key(from, false) + 1;
    const auto& s = class_start_;
    return {s[first], s[end] - s[first], s[first + order_classes], s[end + order_classes] - s[first + order_classes], list};
  }

  template <u32 width, u32 each>
  void sort_short(const OrderedRows<Offset>& rows, const u32* list, u32 from, u32 to) {
    const RowSet set = set_of(list, from, std::min(to, limits_.blocks));
    const u32 count = set.count + set.outer_count;
    if (count)
      device::launch(
          device_,
          {{.grid = std::min(strategy::blocks_for(u64{count} * width, order_threads), most_blocks), .block = order_threads}},
          order_short<width, each, Offset>, rows, set);
  }

  /// At most so many pieces, as classes say.
  [[nodiscard]] u64 most_pieces() const {
    u64 pieces = 0;
    for (u64 degree = limits_.pieces, next = 0; degree >> 40 == 0; degree = next) {
      next = degree < 64 ? 2 * degree : degree + (u64{1} << (std::bit_width(degree) - 3));
      const RowSet set = set_of(nullptr, degree, next);
      pieces += (set.count + u64{set.outer_count}) * ((next - 1 + piece_arcs - 1) / piece_arcs);
    }
    return pieces;
  }

  void split_in_pieces(const OrderedRows<Offset>& rows, const RowSet& set) {
    const u32 count = set.count + set.outer_count;
    if (!count) return;
    const u64 most = std::min(most_pieces(), given_.num_arcs / piece_arcs + count);
    device::Buffer<u32> pieces(device_, count + 1ull), first(device_, count + 1ull), owner(device_, most),
        counts(device_, most * order_classes);
    device::launch(device_, {shape(count + 1ull)}, count_pieces<Offset>, rows, set, pieces.data());
    ExclusiveSum<u32, u32>(device_, count + 1ull).run(pieces.data(), first.data());
    device::launch(device_, {shape(count)}, list_pieces, first.data(), count, owner.data());
    const Pieces all{first.data(), owner.data(), counts.data()};
    const u32 grid = static_cast<u32>(std::min<u64>(most, most_blocks));
    device::launch(device_, {{.grid = grid, .block = order_threads}}, count_piece_classes<Offset>, rows, set, all);
    device::launch(device_, {{.grid = std::min(count, most_blocks), .block = order_classes}}, place_piece_classes, count, all);
    device::launch(device_, {{.grid = grid, .block = order_threads}}, move_pieces<Offset>, rows, set, all);
  }

  device::Device& device_;
  Graph<Offset> given_;
  RowLimits limits_;
  u32* spare_ = nullptr;
  std::array<u32, 2 * order_classes + 1> class_start_{};
  device::Buffer<u32> order_, rank_, starts_, neighbors_, in_neighbors_, head_;
  device::Buffer<dev::Quad> quads_;
  device::Buffer<Offset> offsets_, in_offsets_;
  Graph<Offset> graph_{};
};

}  // namespace hopwave::HW_MACHINE::engine
