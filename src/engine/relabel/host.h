// The host's side of relabelling: the new order, its inverse, rows in that order, first neighbours. All on the device.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "device/algorithms.h"
#include "device/device.h"
#include "engine/relabel/relabel.h"
#include "engine/serialize.h"

namespace hopwave::HW_MACHINE::engine {

/// Which rows are made how; tests force each way.
struct RowLimits {
  u32 blocks = ShortRows::longest;  ///< rows of so many arcs are split by a block; at most so many
  u32 pieces = piece_arcs;          ///< and of so many in pieces; at most so many
};

/// A graph in the engine's order, in device memory.
template <class Offset>
class Relabelled {
 public:
  /// `given` is in the caller's order. `reached`: distances from a vertex of the largest component; null: unknown. The
  /// search may still be running when this is called, and is over when it returns. `spare`: a symmetric graph's own neighbours,
  /// if they may be overwritten once they have been read.
  Relabelled(device::Device& device, const Graph<Offset>& given, const Distance* reached, u32* spare = nullptr,
             RowLimits limits = {})
      : device_(device), given_(given), limits_(limits), spare_(spare) {
    const u32 n = given.num_vertices;
    const bool symmetric = given.in_neighbors == given.neighbors;
    order_ = device::Buffer<u32>(device, n);
    rank_ = device::Buffer<u32>(device, n);
    starts_ = device::Buffer<u32>(device, 2 * order_classes + 1);
    quads_ = device::Buffer<dev::Quad>(device, n + 1ull).as(MemoryKind::rows);
    offsets_ = device::Buffer<Offset>(device, n + 1ull).as(MemoryKind::rows);
    order_vertices(given.offsets, reached, order_, rank_.data(), scratch(), starts_);
    sum_degrees(offsets_);
    if (!symmetric) {
      in_offsets_ = device::Buffer<Offset>(device, n + 1ull).as(MemoryKind::rows);
      device::launch(device, {shape(n + 1ull)}, order_degrees<Offset>, given.in_offsets, order_.data(), n, scratch());
      sum_degrees(in_offsets_);
    }
    // The first allocation takes the host a while; meanwhile the device has work.
    neighbors_ = device::Buffer<u32>(device, given.num_arcs).as(MemoryKind::neighbors);
    first_neighbor_ = device::Buffer<u32>(device, n).as(MemoryKind::neighbors);
    make_rows({given.offsets, given.neighbors, offsets_.data(), neighbors_.data()}, nullptr, starts_);
    if (!symmetric) make_in_rows();
    set_graph(n, given.num_arcs, symmetric, 0);
    make_firsts();
  }
  /// How many vertices were reached.
  void set_largest_component(u32 largest_component) { graph_.largest_component = largest_component; }

  /// From what an earlier one saved. Throws HW-PREPARATION-FIT.
  Relabelled(device::Device& device, u32 n, u64 arcs, bool symmetric, hopwave::engine::Restorer& from)
      : device_(device), given_{.num_vertices = n, .num_arcs = arcs} {
    u32 largest_component = 0;
    serialize(from, n, arcs, symmetric, largest_component);
    if (largest_component > n)
      hopwave::engine::preparation_does_not_fit("a component larger than the graph", "at most the graph");
    quads_ = device::Buffer<dev::Quad>(device, n + 1ull).as(MemoryKind::rows);
    set_graph(n, arcs, symmetric, largest_component);
    device::Buffer<u32> bad(device, 1);
    bad.fill_bytes(0);
    device::launch(device, {shape(std::max<u64>(n, arcs))}, check_relabelled<Offset>, graph_, bad.data());
    if (n && bad.value() != 0) hopwave::engine::preparation_does_not_fit("ids that are no vertices", "an order of this graph");
    make_firsts();  // quads are not worth keeping in a file
  }

  /// The layout of the arrays below.
  static constexpr std::uint32_t layout = 2;
  void save(hopwave::engine::Saver& to) {
    serialize(to, graph_.num_vertices, graph_.num_arcs, in_neighbors_.empty(), graph_.largest_component);
  }

  [[nodiscard]] const Graph<Offset>& graph() const { return graph_; }

 private:
  static constexpr u32 most_blocks = 1u << 20;

  template <class Archive>
  void serialize(Archive& c, u32 n, u64 arcs, bool symmetric, u32& largest_component) {
    std::uint64_t width = sizeof(Offset), one_way = symmetric;
    c.number("offset_bytes", width);
    c.number("symmetric", one_way);
    if (width != sizeof(Offset) || one_way != symmetric)
      hopwave::engine::preparation_does_not_fit("other offsets or directions", "those of this search");
    c.number("largest", largest_component);
    c.array("order", order_, n);
    c.array("rank", rank_, n);
    c.array("offsets", offsets_, n + 1ull);
    c.array("neighbors", neighbors_, arcs);
    if (!symmetric) {
      c.array("in_offsets", in_offsets_, n + 1ull);
      c.array("in_neighbors", in_neighbors_, arcs);
    }
    c.array("first_neighbor", first_neighbor_, n);
  }

  void set_graph(u32 n, u64 arcs, bool symmetric, u32 largest_component) {
    graph_ = {.num_vertices = n,
              .num_arcs = arcs,
              .offsets = offsets_.data(),
              .neighbors = neighbors_.data(),
              .in_offsets = symmetric ? offsets_.data() : in_offsets_.data(),
              .in_neighbors = symmetric ? neighbors_.data() : in_neighbors_.data(),
              .first_neighbor = first_neighbor_.data(),
              .quads = quads_.data(),
              .rank = rank_.data(),
              .order = order_.data(),
              .largest_component = largest_component};
  }

  void make_firsts() {
    device::launch(device_, {shape(graph_.num_vertices)}, order_firsts<Offset>, graph_.in_offsets, graph_.in_neighbors,
                   graph_.num_vertices, first_neighbor_.data(), quads_.data());
  }

  [[nodiscard]] device::LaunchShape shape(std::uint64_t items) const { return device::strided(device_, items, 256, 8192); }

  /// Room for degrees, until the quads are made there.
  Offset* scratch() { return reinterpret_cast<Offset*>(quads_.data()); }

  /// Vertices by the classes of their degrees, and where each class begins; ranks and degrees in that order, if wanted.
  void order_vertices(const Offset* offsets, const Distance* reached, device::Buffer<u32>& order, u32* rank, Offset* degrees,
                      device::Buffer<u32>& starts) {
    const u32 n = given_.num_vertices, pieces = (n + vertex_share - 1) / vertex_share;
    device::Buffer<u32> counts(device_, u64{pieces} * vertex_threads), before(device_, counts.size());
    const Keys<Offset> keys{offsets, reached, n, pieces};
    const device::LaunchShape blocks{.grid = pieces, .block = vertex_threads};
    device::launch(device_, {blocks}, count_vertices<Offset>, keys, counts.data());
    ExclusiveSum<u32, u32>(device_, counts.size()).run(counts.data(), before.data());
    device::launch(device_, {blocks}, engine::order_vertices<Offset>, keys, before.data(), order.data(), rank, degrees,
                   starts.data());
  }
  void sum_degrees(device::Buffer<Offset>& offsets) {
    ExclusiveSum<Offset, Offset>(device_, offsets.size()).run(scratch(), offsets.data());
  }

  /// One direction of the graph: the rows given, and where the new ones go.
  struct Side {
    const Offset* given_offsets;
    const u32* given_neighbors;
    const Offset* offsets;
    u32* neighbors;
  };

  /// A directed graph's in-rows have other lengths than its vertices' classes say: they are listed by length.
  void make_in_rows() {
    device::Buffer<u32> list(device_, given_.num_vertices), starts(device_, 2 * order_classes + 1);
    order_vertices(in_offsets_.data(), nullptr, list, nullptr, nullptr, starts);
    in_neighbors_ = device::Buffer<u32>(device_, given_.num_arcs).as(MemoryKind::neighbors);
    make_rows({given_.in_offsets, given_.in_neighbors, in_offsets_.data(), in_neighbors_.data()}, list.data(), starts);
  }

  void make_rows(const Side& side, const u32* list, const device::Buffer<u32>& starts) {
    starts.download(std::span<u32>(class_start_));
    const RelabelledRows<Offset> rows{.offsets = side.given_offsets,
                                      .neighbors = side.given_neighbors,
                                      .order = order_.data(),
                                      .rank = rank_.data(),
                                      .starts = starts_.data(),
                                      .place = side.offsets,
                                      .rows = side.neighbors,
                                      .names = spare_};
    sort_long<piece_threads>(rows, list, 2);
    sort_long<256>(rows, list, 4);
    sort_long<64>(rows, list, 1024);
    sort_short(rows, list);
    split_in_pieces(rows, set_of(list, limits_.pieces, ~u64{0}));
  }

  /// Rows of [from, to) arcs, both powers of two.
  [[nodiscard]] RowSet set_of(const u32* list, u64 from, u64 to) const {
    if (from >= to) return {0, 0, 0, 0, list};
    const u32 first = degree_key(to - 1, false), end = degree_key(from, false) + 1;
    const auto& s = class_start_;
    return {s[first], s[end] - s[first], s[first + order_classes], s[end + order_classes] - s[first + order_classes], list};
  }

  /// Makes the rows for blocks of so many threads: those that fit, down to one part in `down` of that.
  template <u32 threads>
  void sort_long(const RelabelledRows<Offset>& rows, const u32* list, u32 down) {
    constexpr u32 most = threads * piece_items;
    const RowSet set = set_of(list, std::max(most / down, limits_.blocks), std::min(most, limits_.pieces));
    if (const u32 count = set.count + set.outer_count)
      device::launch(device_, {{.grid = std::min(count, most_blocks), .block = threads, .shared_bytes = most * sizeof(u32)}},
                     order_long<threads, Offset>, rows, set);
  }

  void sort_short(const RelabelledRows<Offset>& rows, const u32* list) {
    ShortRows bins{};
    u64 most = 1;  // lanes of a bin
    for (u32 b = 0; b < ShortRows::bins; ++b) {
      const u32 longest = ShortRows::longest >> b, least = b + 1 < ShortRows::bins ? longest / 2 : 1;
      bins.set[b] = set_of(list, least, std::min(longest, limits_.blocks));
      const u32 width = std::max(1u, std::min(longest / 8, 32u)) << (b == ShortRows::bins - 2);
      const u64 lanes = (bins.set[b].count + u64{bins.set[b].outer_count}) * width;
      most = std::max(most, lanes);
      bins.first_block[b + 1] = bins.first_block[b] + std::min(device::blocks_for(lanes, order_threads), most_blocks);
    }
    if (const u32 grid = bins.first_block[ShortRows::bins])
      device::launch(device_, {{.grid = grid, .block = device::strided(device_, most, order_threads, 1).block}},
                     order_short<Offset>, rows, bins);
  }

  /// An upper bound of the number of pieces, by the classes.
  [[nodiscard]] u64 most_pieces() const {
    u64 pieces = 0;
    for (u64 degree = limits_.pieces, next = 0; degree >> 40 == 0; degree = next) {
      next = degree < 64 ? 2 * degree : degree + (u64{1} << (std::bit_width(degree) - 3));
      const RowSet set = set_of(nullptr, degree, next);
      pieces += (set.count + u64{set.outer_count}) * ((next - 1 + piece_arcs - 1) / piece_arcs);
    }
    return pieces;
  }

  void split_in_pieces(const RelabelledRows<Offset>& rows, const RowSet& set) {
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
    device::launch(device_, {{.grid = grid, .block = piece_threads}}, count_piece_classes<Offset>, rows, set, all);
    device::launch(device_, {{.grid = std::min(count, most_blocks), .block = order_classes}}, place_piece_classes, count, all);
    device::launch(device_, {{.grid = grid, .block = piece_threads, .shared_bytes = piece_arcs * sizeof(u32)}},
                   move_pieces<Offset>, rows, set, all);
  }

  device::Device& device_;
  Graph<Offset> given_;
  RowLimits limits_;
  u32* spare_ = nullptr;
  std::array<u32, 2 * order_classes + 1> class_start_{};
  device::Buffer<u32> order_, rank_, starts_, neighbors_, in_neighbors_, first_neighbor_;
  device::Buffer<dev::Quad> quads_;
  device::Buffer<Offset> offsets_, in_offsets_;
  Graph<Offset> graph_{};
};

}  // namespace hopwave::HW_MACHINE::engine
