// The host's side of preparing for the wide traversal: an order, its inverse, rows in that order, heads. All on the device.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "device/algorithms.h"
#include "engine/carry.h"
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
  /// `part_arcs`: sort so many arcs at a time; 0: all at once, or parts where memory is short. `spare`: a symmetric graph's own
  /// neighbours, if they may be overwritten once they have been read: memory taken for the first time costs as much as a sort.
  Ordered(device::Device& device, const Graph<Offset>& given, const Distance* reached, u32 giant, u64 part_arcs = 0,
          u32* spare = nullptr)
      : device_(device), given_(given), part_arcs_(part_arcs), spare_(spare) {
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
    const Offset* in_offsets = symmetric ? offsets_.data() : in_offsets_.data();
    neighbors_ = device::Buffer<u32>(device, given.num_arcs);
    if (!symmetric) in_neighbors_ = device::Buffer<u32>(device, given.num_arcs);
    choose_parts();
    if (part_arcs_) {
      make_rows_in_parts(given.offsets, given.neighbors, offsets_.data(), neighbors_);
      if (!symmetric) make_rows_in_parts(given.in_offsets, given.in_neighbors, in_offsets, in_neighbors_);
    } else {  // sorting the reversed graph's arcs by their heads makes this one's rows
      make_rows(given.in_offsets, given.in_neighbors, in_offsets, neighbors_);
      if (!symmetric) make_rows(given.offsets, given.neighbors, offsets_.data(), in_neighbors_);
    }
    head_ = device::Buffer<u32>(device, n);
    const u32* in_neighbors = symmetric ? neighbors_.data() : in_neighbors_.data();
    device::launch(device, {shape(n)}, order_heads<Offset>, in_offsets, in_neighbors, n, head_.data());
    set_graph(n, given.num_arcs, symmetric, giant);
    make_quads();
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
    make_quads();  // not worth keeping in a file
  }

  /// Of the arrays below.
  static constexpr std::uint32_t layout = 1;
  void save(hopwave::engine::Saver& to) {
    carry(to, graph_.num_vertices, graph_.num_arcs, in_neighbors_.empty(), graph_.giant);
  }

  [[nodiscard]] const Graph<Offset>& graph() const { return graph_; }

 private:
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

  void make_quads() {
    quads_ = device::Buffer<dev::Quad>(device_, graph_.num_vertices);
    device::launch(device_, {shape(graph_.num_vertices)}, order_quads<Offset>, graph_.in_offsets, graph_.in_neighbors,
                   graph_.num_vertices, quads_.data());
    graph_.quads = quads_.data();
  }

  static device::LaunchShape shape(std::uint64_t items) {
    return {.grid = std::min(strategy::blocks_for(items, 256), 8192u), .block = 256};
  }

  static device::LaunchShape shape_of_arcs(std::uint64_t arcs) {
    return {.grid = std::min(strategy::blocks_for((arcs / order_chunk + 1) * dev::lanes, 256), 8192u), .block = 256};
  }
  OrderedRows<Offset> rows_of(const Offset* given_offsets, const u32* given_neighbors, const Offset* place) const {
    return {given_offsets, given_neighbors, order_.data(), rank_.data(), place};
  }

  void make_rank(const Offset* given_offsets, device::Buffer<Offset>& offsets) {
    const u32 n = given_.num_vertices;
    device::Buffer<Offset> degree(device_, n + 1ull);
    device::launch(device_, {shape(n + 1ull)}, order_ranks<Offset>, given_offsets, order_.data(), n, rank_.data(),
                   degree.data());
    ExclusiveSum<Offset, Offset>(device_, n + 1ull).run(degree.data(), offsets.data());
  }

  /// All at once takes three words an arc beside the rows, two with spare ones; a part takes two of 64 bits.
  void choose_parts() {
    const u64 free = device_.memory_free(), reserve = 64ull * given_.num_vertices;
    if (part_arcs_ || (spare_ ? 9 : 13) * given_.num_arcs + reserve < free) return;
    part_arcs_ = std::clamp<u64>((free > reserve ? free - reserve : 0) / 20, u64{1} << 22, u64{1} << 30);
  }

  /// Rows [first, end) are the given ones under new names, sorted by keys of row and neighbour: more digits than above, but
  /// no more memory than is wanted.
  void make_rows_in_parts(const Offset* given_offsets, const u32* given_neighbors, const Offset* offsets,
                          device::Buffer<u32>& rows) {
    const u64 n = given_.num_vertices, step = (n >> 12) + 1;
    std::vector<u64> starts(n / step + 2);
    {
      device::Buffer<u64> samples(device_, starts.size());
      device::launch(device_, {shape(starts.size())}, sample_offsets<Offset>, offsets, n, step, static_cast<u32>(starts.size()),
                     samples.data());
      samples.download(std::span<u64>(starts));
    }
    const int bits = bits_for(n);
    device::Buffer<u64> keys, other;
    SortKeys sort(device_);
    for (std::size_t i = 0, next = 0; starts[i] < given_.num_arcs; i = next) {
      for (next = i + 1; next + 1 < starts.size() && starts[next + 1] - starts[i] <= part_arcs_;) ++next;
      const u64 first = i * step, end = std::min(next * step, n), count = starts[next] - starts[i];
      if (count > keys.size()) {
        keys = {}, other = {};
        keys = device::Buffer<u64>(device_, std::max(count, std::min(part_arcs_, given_.num_arcs)));
        other = device::Buffer<u64>(device_, keys.size());
      }
      device::launch(device_, {shape_of_arcs(count)}, order_row_keys<Offset>, rows_of(given_offsets, given_neighbors, offsets),
                     first, end, bits, keys.data());
      const u64* sorted = sort.run(keys.data(), other.data(), count, bits + bits_for(end - first));
      device::launch(device_, {shape(count)}, order_low_bits<u64>, sorted, count, bits, rows.data() + starts[i]);
    }
  }

  void make_rows(const Offset* given_offsets, const u32* given_neighbors, const Offset* offsets, device::Buffer<u32>& rows) {
    const std::uint64_t m = given_.num_arcs;
    device::Buffer<u32> head(device_, m), tail(device_, m), other(device_, spare_ ? 0 : m);
    device::launch(device_, {shape_of_arcs(m)}, order_arcs<Offset>, rows_of(given_offsets, given_neighbors, offsets),
                   given_.num_vertices, head.data(), tail.data());
    if (!SortPairsBetween(device_).run(head.data(), tail.data(), spare_ ? spare_ : other.data(), rows.data(), m,
                                       bits_for(given_.num_vertices)))
      std::swap(rows, tail);
  }

  device::Device& device_;
  Graph<Offset> given_;
  u64 part_arcs_ = 0;
  u32* spare_ = nullptr;
  device::Buffer<u32> order_, rank_, neighbors_, in_neighbors_, head_;
  device::Buffer<dev::Quad> quads_;
  device::Buffer<Offset> offsets_, in_offsets_;
  Graph<Offset> graph_{};
};

}  // namespace hopwave::HW_MACHINE::engine
