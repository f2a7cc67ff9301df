// The host's side of dealing a graph out (deal.h): the order, and each device's rows in it.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "bfs/engine/partitioned/draw.h"
#include "bfs/engine/partitioned/drawn_memory.h"
#include "bfs/engine/partitioned/make_plan.h"
#include "bfs/engine/partitioned/upload_rows.h"
#include "bfs/engine/relabel/make_rows.h"
#include "bfs/plan/plan.h"
#include "bfs/plan/thresholds.h"

namespace hopwave::HW_MACHINE::engine::partitioned {

using relabel::ClassStarts;
using relabel::degree_key;
using relabel::order_by_degree;
using relabel::order_classes;
using relabel::piece_arcs;
using relabel::RelabelledRows;
using relabel::RowMaker;

static_assert(hopwave::engine::least_split_arcs == piece_arcs, "what splitting takes is estimated by it");
static_assert(hopwave::engine::degree_classes == 2 * order_classes, "and what the order of classes takes");

/// The vertices of a graph by falling degree.
struct Order {
  std::unique_ptr<u32[]> rank;  ///< of each vertex
  ClassStarts starts{};         ///< the first rank of each class of degrees
  u32 num_dealt = 0;            ///< ranks from here on have no arcs
};

/// Of the graph with these offsets; `all`: those without arcs are dealt, too. By one device, which needs 8.5 bytes
/// per vertex in addition.
template <class Offset>
Order order_by_offsets(device::Device& device, const device::Buffer<Offset>& offsets, bool all) {
  const u32 n = static_cast<u32>(offsets.size() - 1);
  Order order{.rank = std::make_unique_for_overwrite<u32[]>(n)};
  device::Buffer<u32> vertices(device, n), rank(device, n), starts(device, order.starts.size());
  order_by_degree<Offset>(device, {offsets.data(), nullptr, n}, vertices.data(), rank.data(), nullptr, starts);
  rank.download(std::span<u32>(order.rank.get(), n));
  starts.download(std::span<u32>(order.starts));
  order.num_dealt = all ? n : order.starts[degree_key(0, false)];
  return order;
}

template <class Offset>
Order find_order(device::Device& device, const strategy::View& view) {
  // Of a directed graph a vertex without arcs out may have arcs in.
  return order_by_offsets(device, upload_offsets<Offset>(device, view.forward->offsets.data(), view.num_vertices),
                          !view.symmetric);
}

/// The same of a drawn graph, from what the devices have counted.
template <class Offset>
Order find_order(device::Device& device, const Counted& counted, u32 devices, u32 num_vertices) {
  device::Buffer<Offset> offsets(device, num_vertices + 1ull);
  device::launch(device, {device::strided(device, num_vertices + 1ull, 256, 8192)}, add_counted<Offset>, counted, devices,
                 num_vertices, offsets.data());
  ExclusiveSum<Offset, Offset>(device, offsets.size()).run(offsets.data(), offsets.data());
  return order_by_offsets(device, offsets, false);
}

/// What one device keeps of a graph. It works by the thread whose current device it is.
template <class Offset>
class Dealer {
 public:
  Dealer(device::Device& device, const Dealing& dealing, u32 rows, const Order& order)
      : device_(device),
        dealing_(dealing),
        rows_(rows),
        order_(order),
        rank_(device, std::span<const u32>(order.rank.get(), dealing.num_vertices)),
        starts_(device, std::span<const u32>(order.starts)) {}

  /// The own rows of one direction; `sorted`: their degrees fall, as those along the search do. `name`, if not null, gets whose
  /// rows they are. Throws HW-ENGINE-SIZE.
  DeviceRows<Offset> rows_of(const Adjacency& whole, bool sorted, u32* name) {
    DeviceRows<Offset> own;
    own.offsets = device::Buffer<Offset>(device_, rows_ + 1ull).as(MemoryKind::rows);
    auto given = keep(whole, own.offsets, name);
    own.neighbors = device::Buffer<u32>(device_, given.size()).as(MemoryKind::neighbors);
    put_in_order(own, {0, rows_, 0, given.size()}, own.offsets.data(), given, sorted);
    return own;
  }

  /// The same of a drawn graph, in two steps: places and names of the own rows, for which all devices' counts are needed; and
  /// the rows.
  device::Buffer<Offset> places_of(const Counted& counted, u32* name) {
    auto place = device::Buffer<Offset>(device_, rows_ + 1ull).as(MemoryKind::rows);
    device::Buffer<Offset> degree(device_, rows_ + 1ull);
    device::launch(device_, {shape(dealing_.num_vertices)}, add_own_counted<Offset>, dealing_, counted, rank_.data(), rows_,
                   degree.data(), name);
    ExclusiveSum<Offset, Offset>(device_, degree.size()).run(degree.data(), place.data());
    return place;
  }
  DeviceRows<Offset> rows_of(const hopwave::engine::DrawnEdges& edges, device::Buffer<Offset> place) {
    const u64 own_arcs = place.value(rows_);
    check_share(rows_, own_arcs);
    DeviceRows<Offset> own{.offsets = std::move(place),
                           .neighbors = device::Buffer<u32>(device_, own_arcs).as(MemoryKind::neighbors)};
    for (Piece piece{}; piece.end < rows_;) {
      piece = next_piece(own.offsets, piece, edges.arcs_at_once);
      const auto begins = begins_of(own, piece);
      device::Buffer<u32> given(device_, piece.last_arc - piece.first_arc);
      {
        device::Buffer<u32> filled(device_, piece.size());
        filled.fill_bytes(0);
        for (u64 from = 0; from < edges.count; from += drawn_at_once) {
          const u64 to = std::min(from + drawn_at_once, edges.count);
          device::launch(device_, {shape(to - from)}, keep_drawn<Offset>, dealing_, edges.draw, from, to, rank_.data(),
                         DrawnRows<Offset>{piece.begin, piece.end, begins.data(), filled.data(), given.data()});
        }
      }
      put_in_order(own, piece, begins.data(), given, true);
    }
    return own;
  }

  /// Ranks of `count` of the caller's vertices, from `first` on.
  [[nodiscard]] device::Buffer<u32> ranks_of(u32 first, u32 count) {
    device::Buffer<u32> ranks(device_, count);
    if (count) device_.copy(ranks.data(), rank_.data() + first, count * sizeof(u32));
    return ranks;
  }

 private:
  static constexpr u64 drawn_at_once = u64{1} << 30;

  /// Own rows [begin, end), which are arcs [first_arc, last_arc).
  struct Piece {
    u32 begin = 0, end = 0;
    u64 first_arc = 0, last_arc = 0;
    [[nodiscard]] u32 size() const { return end - begin; }
  };
  /// Behind `before`: as many rows as have no more than so many arcs, but one at least.
  [[nodiscard]] Piece next_piece(const device::Buffer<Offset>& place, const Piece& before, u64 arcs) const {
    u32 low = before.end + 1, high = rows_;  // its end is one of these
    while (low < high) {
      const u32 middle = low + (high - low + 1) / 2;
      if (place.value(middle) - before.last_arc <= arcs)
        low = middle;
      else
        high = middle - 1;
    }
    return {before.end, low, before.last_arc, place.value(low)};
  }
  /// Where the rows of a piece begin in it.
  [[nodiscard]] device::Buffer<Offset> begins_of(const DeviceRows<Offset>& own, const Piece& piece) const {
    device::Buffer<Offset> begins(device_, piece.size() + 1ull);
    device::launch(device_, {shape(begins.size())}, count_from<Offset>, own.offsets.data() + piece.begin,
                   static_cast<u64>(begins.size()), begins.data());
    return begins;
  }

  [[nodiscard]] device::LaunchShape shape(u64 items) const { return device::strided(device_, items, 256, 8192); }

  [[nodiscard]] u32 own_ranks_below(u32 rank) const {
    return (std::min(rank, dealing_.num_dealt) + dealing_.devices - 1 - dealing_.mine) / dealing_.devices;
  }

  /// Neighbours of a piece as they are given, of which nothing is left → its rows, likely neighbours first, by their ids.
  /// `begins`: where its rows begin in what is given.
  void put_in_order(DeviceRows<Offset>& own, const Piece& piece, const Offset* begins, device::Buffer<u32>& given,
                    bool sorted) {
    if (given.empty()) return;
    const u32 rows = piece.size();
    device::Buffer<u32> same(device_, rows), list;
    device::launch(device_, {shape(rows)}, count_up, rows, same.data());
    ClassStarts starts{};
    if (sorted) {
      for (std::size_t c = 0; c < starts.size(); ++c)
        starts[c] = std::clamp(own_ranks_below(order_.starts[c]), piece.begin, piece.end) - piece.begin;
    } else {
      list = device::Buffer<u32>(device_, rows);
      device::Buffer<u32> starts_there(device_, starts.size());
      order_by_degree<Offset>(device_, {begins, nullptr, rows}, list.data(), nullptr, nullptr, starts_there);
      starts_there.download(std::span<u32>(starts));
    }
    RowMaker<Offset>(device_, {})
        .run({.offsets = begins,
              .neighbors = given.data(),
              .order = same.data(),
              .rank = rank_.data(),
              .starts = starts_.data(),
              .place = own.offsets.data() + piece.begin,
              .rows = own.neighbors.data(),
              .names = given.data()},
             list.data(), starts, given.size());
    device::launch(device_, {shape(given.size())}, name_neighbors, dealing_, u64{given.size()},
                   own.neighbors.data() + piece.first_arc);
  }

  /// Lets the whole graph pass by. Returns own rows as the caller has them, and where they begin.
  device::Buffer<u32> keep(const Adjacency& whole, const device::Buffer<Offset>& place, u32* name) {
    const auto offsets = upload_offsets<Offset>(device_, whole.offsets.data(), dealing_.num_vertices);
    {
      device::Buffer<Offset> degree(device_, rows_ + 1ull);
      device::launch(device_, {shape(dealing_.num_vertices)}, own_degrees<Offset>, dealing_, offsets.data(), rank_.data(),
                     rows_, degree.data(), name);
      ExclusiveSum<Offset, Offset>(device_, degree.size()).run(degree.data(), place.data());
    }
    const u64 own_arcs = place.value(rows_), arcs = whole.neighbors.size();
    check_share(rows_, own_arcs);
    const u64 at_once = std::min((arcs + dealing_.devices - 1) / dealing_.devices, thresholds::Partitioned::most_arcs_passing);
    device::Buffer<u32> given(device_, own_arcs), piece(device_, at_once);
    for (u64 from = 0; from < arcs; from += at_once) {
      const u64 to = std::min(from + at_once, arcs);
      piece.upload(std::span<const u32>(whole.neighbors.data() + from, to - from));
      device::launch(device_, {shape((to - from) / strips_a_chunk + dev::lanes)}, keep_own<Offset>, dealing_, offsets.data(),
                     rank_.data(), GivenArcs{piece.data(), from, to}, place.data(), given.data());
    }
    return given;
  }

  device::Device& device_;
  Dealing dealing_;
  u32 rows_;
  const Order& order_;
  device::Buffer<u32> rank_, starts_;
};

}  // namespace hopwave::HW_MACHINE::engine::partitioned
