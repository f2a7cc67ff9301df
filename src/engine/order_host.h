// The host's side of preparing for the wide traversal: an order, its inverse, rows in that order, heads. All on the device.
#pragma once

#include "device/algorithms.h"
#include "engine/order.h"
#include "strategy/gpu/gpu_strategy.h"

namespace hopwave::HW_MACHINE::engine {

inline int bits_for(std::uint64_t below) {
  int bits = 1;
  while (bits < 32 && std::uint64_t{1} << bits < below) ++bits;
  return bits;
}

/// A graph in the engine's order, in device memory.
template <class Offset>
class Ordered {
 public:
  /// `given` is in the caller's order. `giant`: size of the component whose vertices have a distance in `reached`; 0: unknown.
  Ordered(device::Device& device, const Graph<Offset>& given, const Distance* reached, u32 giant)
      : device_(device), given_(given) {
    const u32 n = given.num_vertices;
    order_ = device::Buffer<u32>(device, n);
    rank_ = device::Buffer<u32>(device, n);
    {
      device::Buffer<u32> key(device, n), sorted(device, n), vertex(device, n);
      device::launch(device, {shape(n)}, order_keys<Offset>, given.offsets, n, reached, key.data(), vertex.data());
      SortPairs(device, n, 9).run(key.data(), vertex.data(), sorted.data(), order_.data());
    }
    const bool symmetric = given.in_neighbors == given.neighbors;
    offsets_ = device::Buffer<Offset>(device, n + 1ull);
    make_rank(given.offsets, offsets_);
    if (!symmetric) {
      in_offsets_ = device::Buffer<Offset>(device, n + 1ull);
      make_rank(given.in_offsets, in_offsets_);
    }
    // Sorting the reversed graph's arcs by their heads makes this one's rows.
    const Offset* in_offsets = symmetric ? offsets_.data() : in_offsets_.data();
    neighbors_ = device::Buffer<u32>(device, given.num_arcs);
    make_rows(given.in_offsets, given.in_neighbors, in_offsets, neighbors_);
    if (!symmetric) {
      in_neighbors_ = device::Buffer<u32>(device, given.num_arcs);
      make_rows(given.offsets, given.neighbors, offsets_.data(), in_neighbors_);
    }
    head_ = device::Buffer<u32>(device, n);
    const u32* in_neighbors = symmetric ? neighbors_.data() : in_neighbors_.data();
    device::launch(device, {shape(n)}, order_heads<Offset>, in_offsets, in_neighbors, n, head_.data());
    graph_ = {.num_vertices = n,
              .num_arcs = given.num_arcs,
              .offsets = offsets_.data(),
              .neighbors = neighbors_.data(),
              .in_offsets = in_offsets,
              .in_neighbors = in_neighbors,
              .head = head_.data(),
              .rank = rank_.data(),
              .order = order_.data(),
              .giant = giant};
  }

  [[nodiscard]] const Graph<Offset>& graph() const { return graph_; }

 private:
  static device::LaunchShape shape(std::uint64_t items) {
    return {.grid = std::min(strategy::blocks_for(items, 256), 8192u), .block = 256};
  }

  void make_rank(const Offset* given_offsets, device::Buffer<Offset>& offsets) {
    const u32 n = given_.num_vertices;
    device::Buffer<Offset> degree(device_, n + 1ull);
    device::launch(device_, {shape(n + 1ull)}, order_ranks<Offset>, given_offsets, order_.data(), n, rank_.data(),
                   degree.data());
    ExclusiveSum<Offset, Offset>(device_, n + 1ull).run(degree.data(), offsets.data());
  }

  void make_rows(const Offset* given_offsets, const u32* given_neighbors, const Offset* offsets, device::Buffer<u32>& rows) {
    const std::uint64_t m = given_.num_arcs;
    device::Buffer<u32> head(device_, m), tail(device_, m), sorted(device_, m);
    device::launch(device_, {shape(given_.num_vertices * 32ull)}, order_arcs<Offset>, given_offsets, given_neighbors,
                   order_.data(), rank_.data(), given_.num_vertices, offsets, head.data(), tail.data());
    SortPairs(device_, m, bits_for(given_.num_vertices)).run(head.data(), tail.data(), sorted.data(), rows.data());
  }

  device::Device& device_;
  Graph<Offset> given_;
  device::Buffer<u32> order_, rank_, neighbors_, in_neighbors_, head_;
  device::Buffer<Offset> offsets_, in_offsets_;
  Graph<Offset> graph_{};
};

}  // namespace hopwave::HW_MACHINE::engine
