// The host's side of searches along a few diagonals: finds the diagonals, and makes one launch a search, or two if the graph is
// not prepared.
#pragma once

#include <algorithm>
#include <bit>
#include <span>
#include <string>
#include <vector>

#include "bfs/engine/serialize.h"
#include "bfs/engine/shared_memory/diagonals.h"
#include "device/device.h"

namespace hopwave::HW_MACHINE::engine::shared_memory {

class Diagonals {
 public:
  Diagonals(device::Device& device, const Graph<u32>& given) : device_(device), given_(given) {
    const u32 n = given.num_vertices, block = static_cast<u32>(std::min(device.properties().max_block, 1024));
    shape_.num_vertices = n;
    shape_.words = ((n + 31) / 32 + dev::lanes - 1) / dev::lanes * dev::lanes;
    if (n == 0 || shape_.words > block || !find_distances()) return;
    shared_ = sizeof(u32) * (std::size_t{shape_.words} * diagonal_storage + 2ull * diagonal_stride);
    fits_ = shared_ + 256 <= device.properties().shared_per_block &&
            device.resident_grid(reinterpret_cast<const void*>(kernel()), shape_.words, shared_) > 0;
    if (fits_) ends_ = device::Buffer<u32>(device, std::uint64_t{shape_.count} * shape_.words);
  }

  [[nodiscard]] bool fits() const { return fits_; }
  [[nodiscard]] bool prepared() const { return prepared_; }
  [[nodiscard]] u32 count() const { return static_cast<u32>(distances_.size()); }
  [[nodiscard]] u32 threads() const { return shape_.words; }
  void prepare() {
    make_ends();
    prepared_ = true;
  }
  template <class Archive>
  void serialize(Archive& c) {
    c.array("rows", ends_, ends_.size());
    prepared_ = true;
  }

  void run(const SharedMemoryState& asked) {
    if (!prepared_) make_ends();
    const DiagonalState s{asked, ends_.data()};
    device::launch(device_, {{.grid = 1, .block = shape_.words, .shared_bytes = shared_}}, kernel(), shape_, s);
  }

 private:
  using Kernel = void (*)(DiagonalShape, DiagonalState);
  struct Form {
    DiagonalForm room;
    Kernel kernel;
  };
  template <u32 whole, u32 near, u32 far>
  static constexpr Form form() {
    return {{whole, near, far}, diagonal_search<whole, near, far>};
  }
  /// From few loads and shifts to many: paths and rings; grids and triangulated meshes whose rows are whole words; those of any
  /// width; grids with all eight neighbours; bands; all others.
  static std::span<const Form> forms() {
    static constexpr Form all[] = {form<0, 2, 0>(), form<2, 2, 0>(), form<0, 2, 2>(), form<2, 2, 2>(), form<0, 2, 4>(),
                                   form<2, 2, 4>(), form<0, 2, 6>(), form<0, 8, 0>(), form<0, 0, 8>(), form<0, 0, 16>()};
    return all;
  }
  [[nodiscard]] Kernel kernel() const { return form_->kernel; }

  void make_ends() {
    device::launch(device_, {{.grid = shape_.words * 32 / 128, .block = 128}}, mark_ends<u32>, shape_, given_.in_offsets,
                   given_.in_neighbors, ends_.data());
  }

  /// Lists the distances that occur; false if there are too many. Self-loops are left out.
  bool find_distances() {
    const u32 n = given_.num_vertices;
    std::vector<u32> seen((2ull * n + 31) / 32);
    {
      device::Buffer<u32> marks(device_, seen.size());
      marks.fill_bytes(0);
      device::launch(device_, {{.grid = device::blocks_for(n, 128), .block = 128}}, mark_distances<u32>, given_.offsets,
                     given_.neighbors, n, marks.data());
      marks.download(std::span<u32>(seen));
    }
    for (std::size_t w = 0; w < seen.size(); ++w)
      for (u32 open = seen[w]; open; open &= open - 1) {
        const std::int64_t distance = static_cast<std::int64_t>(w * 32) + std::countr_zero(open) - n;
        if (distance == 0) continue;
        if (distances_.size() == most_diagonals) return false;
        distances_.push_back(static_cast<std::int32_t>(distance));
      }
    for (const Form& f : forms())
      if (fill(f.room)) {
        form_ = &f;
        return true;
      }
    return false;  // the last form takes all
  }
  /// Gives each distance a place of its kind, or else a far one; false if there are too few places.
  bool fill(const DiagonalForm& room) {
    shape_.count = room.whole + room.near + room.far;
    shape_.guard = 1;
    for (u32 k = 0; k < shape_.count; ++k) set(k, no_diagonal);
    return std::all_of(distances_.begin(), distances_.end(), [&](std::int32_t d) {
      const u32 near = room.whole, far = room.whole + room.near;
      const u32 up = d > 0 ? near : near + 1;
      return (d % 32 == 0 && take(0, near, 1, d)) || (std::abs(d) < 32 && take(up, far, 2, d)) || take(far, shape_.count, 1, d);
    });
  }
  /// The first place from `k` on that is free.
  bool take(u32 k, u32 end, u32 step, std::int32_t distance) {
    while (k < end && shape_.distance[k] != no_diagonal) k += step;
    if (k >= end) return false;
    set(k, distance);
    return true;
  }
  void set(u32 k, std::int32_t distance) {
    const std::int32_t back = distance == no_diagonal ? 0 : -distance;
    shape_.distance[k] = distance;
    shape_.place[k] = back >> 5;
    shape_.shift[k] = static_cast<u32>(back) & 31;
    shape_.guard = std::max(shape_.guard, static_cast<u32>(std::abs(shape_.place[k])) + 1);
  }

  device::Device& device_;
  Graph<u32> given_;
  bool fits_ = false, prepared_ = false;
  std::vector<std::int32_t> distances_;
  const Form* form_ = nullptr;
  std::size_t shared_ = 0;
  DiagonalShape shape_{};
  device::Buffer<u32> ends_;
};

}  // namespace hopwave::HW_MACHINE::engine::shared_memory
