// The host's side of searches along a few diagonals: are there only a few, and one launch a search, two if the graph was not
// prepared.
#pragma once

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "engine/carry.h"
#include "engine/diagonals.h"
#include "strategy/gpu/gpu_strategy.h"

namespace hopwave::HW_MACHINE::engine {

class Diagonals {
 public:
  Diagonals(device::Device& device, const Graph<u32>& given) : device_(device), given_(given) {
    const u32 n = given.num_vertices, block = static_cast<u32>(std::min(device.properties().max_block, 1024));
    shape_.num_vertices = n;
    shape_.words = ((n + 31) / 32 + dev::lanes - 1) / dev::lanes * dev::lanes;
    if (n == 0 || shape_.words > block || !find_distances()) return;
    shared_ = sizeof(u32) * (std::size_t{shape_.words} * diagonal_desk + 2ull * diagonal_stride);
    fits_ = shared_ + 256 <= device.properties().shared_per_block &&
            device.resident_grid(reinterpret_cast<const void*>(kernel()), shape_.words, shared_) > 0;
    if (fits_) ends_ = device::Buffer<u32>(device, std::uint64_t{shape_.count} * shape_.words);
  }

  [[nodiscard]] bool fits() const { return fits_; }
  [[nodiscard]] bool prepared() const { return prepared_; }
  [[nodiscard]] u32 count() const { return shape_.count; }
  [[nodiscard]] u32 threads() const { return shape_.words; }
  void prepare() {
    make_ends();
    prepared_ = true;
  }
  template <class Carrier>
  void carry(Carrier& c) {
    c.array("rows", ends_, ends_.size());
    prepared_ = true;
  }

  void run(DiagonalState s) {
    if (!prepared_) make_ends();
    s.ends = ends_.data();
    device::launch(device_, {{.grid = 1, .block = shape_.words, .shared_bytes = shared_}}, kernel(), shape_, s);
  }

 private:
  using Kernel = void (*)(DiagonalShape, DiagonalState);
  [[nodiscard]] Kernel kernel() const {
    return shape_.count <= 4 ? diagonal_search<4> : shape_.count <= 8 ? diagonal_search<8> : diagonal_search<most_diagonals>;
  }

  void make_ends() {
    device::launch(device_, {{.grid = shape_.words * 32 / 128, .block = 128}}, mark_ends<u32>, shape_, given_.in_offsets,
                   given_.in_neighbors, ends_.data());
  }

  /// Lists the distances that occur; false if there are too many. Self-loops lead nowhere.
  bool find_distances() {
    const u32 n = given_.num_vertices;
    std::vector<u32> seen((2ull * n + 31) / 32);
    {
      device::Buffer<u32> marks(device_, seen.size());
      marks.fill_bytes(0);
      device::launch(device_, {{.grid = strategy::blocks_for(n, 128), .block = 128}}, mark_distances<u32>, given_.offsets,
                     given_.neighbors, n, marks.data());
      marks.download(std::span<u32>(seen));
    }
    shape_.guard = 1;
    for (std::size_t w = 0; w < seen.size(); ++w)
      for (u32 open = seen[w]; open; open &= open - 1) {
        const std::int64_t distance = static_cast<std::int64_t>(w * 32) + std::countr_zero(open) - n;
        if (distance == 0) continue;
        if (shape_.count == most_diagonals) return false;
        add(distance);
      }
    return true;
  }
  void add(std::int64_t distance) {
    const u32 k = shape_.count++;
    shape_.distance[k] = static_cast<std::int32_t>(distance);
    shape_.place[k] = static_cast<std::int32_t>(-distance >> 5);
    shape_.shift[k] = static_cast<u32>(-distance) & 31;
    const auto reach = static_cast<u32>(std::abs(shape_.place[k])) + 1;
    shape_.guard = std::max(shape_.guard, reach);
  }

  device::Device& device_;
  Graph<u32> given_;
  bool fits_ = false, prepared_ = false;
  std::size_t shared_ = 0;
  DiagonalShape shape_{};
  device::Buffer<u32> ends_;
};

}  // namespace hopwave::HW_MACHINE::engine
