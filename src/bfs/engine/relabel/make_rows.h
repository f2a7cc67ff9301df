// The host's side of one direction's rows: vertices by the classes of their degrees, and their rows with the new ids.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "bfs/engine/relabel/relabel.h"
#include "device/algorithms.h"
#include "device/device.h"

namespace hopwave::HW_MACHINE::engine::relabel {

/// Where each class of degrees begins among vertices in their order; those outside the largest component after all others.
using ClassStarts = std::array<u32, 2 * order_classes + 1>;

/// Which rows are made how; tests force each way.
struct RowLimits {
  u32 blocks = ShortRows::longest;  ///< rows of so many arcs are split by a block; at most so many
  u32 pieces = piece_arcs;          ///< and of so many in pieces; at most so many
};

/// Puts vertices in order by the classes of their degrees: `order`, and where each class begins. `rank` and `degrees` (one more
/// than vertices, in the new order) may be null.
template <class Offset>
void order_by_degree(device::Device& device, const Keys<Offset>& keys, u32* order, u32* rank, Offset* degrees,
                     device::Buffer<u32>& starts) {
  device::Buffer<u32> counts(device, u64{keys.pieces()} * vertex_threads), before(device, counts.size());
  const device::LaunchShape blocks{.grid = keys.pieces(), .block = vertex_threads};
  device::launch(device, {blocks}, count_vertices<Offset>, keys, counts.data());
  ExclusiveSum<u32, u32>(device, counts.size()).run(counts.data(), before.data());
  device::launch(device, {blocks}, order_vertices<Offset>, keys, before.data(), order, rank, degrees, starts.data());
}

/// Makes rows with new ids, of all lengths.
template <class Offset>
class RowMaker {
 public:
  RowMaker(device::Device& device, RowLimits limits) : device_(device), limits_(limits) {}

  /// `list`: the rows by falling classes; null: they are in that order. `starts`: where each class begins there. At most `arcs`
  /// in all.
  void run(const RelabelledRows<Offset>& rows, const u32* list, const ClassStarts& starts, u64 arcs) {
    class_start_ = starts;
    sort_long<piece_threads>(rows, list, 2);
    sort_long<256>(rows, list, 4);
    sort_long<64>(rows, list, 1024);
    sort_short(rows, list);
    split_in_pieces(rows, set_of(list, limits_.pieces, ~u64{0}), arcs);
  }

 private:
  static constexpr u32 most_blocks = 1u << 20;
  [[nodiscard]] device::LaunchShape shape(std::uint64_t items) const { return device::strided(device_, items, 256, 8192); }

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

  void split_in_pieces(const RelabelledRows<Offset>& rows, const RowSet& set, u64 arcs) {
    const u32 count = set.count + set.outer_count;
    if (!count) return;
    const u64 most = std::min(most_pieces(), arcs / piece_arcs + count);
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
  RowLimits limits_;
  ClassStarts class_start_{};
};

}  // namespace hopwave::HW_MACHINE::engine::relabel
