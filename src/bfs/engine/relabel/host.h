// The host's side of relabelling: the new order, its inverse, rows in that order, first neighbours. All on the device.
#pragma once

#include <algorithm>

#include "bfs/engine/relabel/make_rows.h"
#include "bfs/engine/serialize.h"
#include "device/device.h"

namespace hopwave::HW_MACHINE::engine::relabel {

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
    order_by_degree<Offset>(device, {given.offsets, reached, n}, order_.data(), rank_.data(), scratch(), starts_);
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
    order_by_degree<Offset>(device_, {in_offsets_.data(), nullptr, given_.num_vertices}, list.data(), nullptr, nullptr, starts);
    in_neighbors_ = device::Buffer<u32>(device_, given_.num_arcs).as(MemoryKind::neighbors);
    make_rows({given_.in_offsets, given_.in_neighbors, in_offsets_.data(), in_neighbors_.data()}, list.data(), starts);
  }

  void make_rows(const Side& side, const u32* list, const device::Buffer<u32>& starts) {
    ClassStarts class_start{};
    starts.download(std::span<u32>(class_start));
    const RelabelledRows<Offset> rows{.offsets = side.given_offsets,
                                      .neighbors = side.given_neighbors,
                                      .order = order_.data(),
                                      .rank = rank_.data(),
                                      .starts = starts_.data(),
                                      .place = side.offsets,
                                      .rows = side.neighbors,
                                      .names = spare_};
    RowMaker<Offset>(device_, limits_).run(rows, list, class_start, given_.num_arcs);
  }

  device::Device& device_;
  Graph<Offset> given_;
  RowLimits limits_;
  u32* spare_ = nullptr;
  device::Buffer<u32> order_, rank_, starts_, neighbors_, in_neighbors_, first_neighbor_;
  device::Buffer<dev::Quad> quads_;
  device::Buffer<Offset> offsets_, in_offsets_;
  Graph<Offset> graph_{};
};

}  // namespace hopwave::HW_MACHINE::engine::relabel
