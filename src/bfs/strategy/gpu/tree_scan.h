// The exclusive sum by hand: a balanced tree in shared memory, swept up and then down; sums of blocks by the same means.
// Source: Harris, Sengupta, Owens, GPU Gems 3, chapter 39 (after Blelloch), with its padding against bank conflicts.
// The scan is what the source describes, so it is written out here and does not use the primitives.
// Ours differs: any number of values; the published survey code's single-block variant indexes twice past its shared array.
#pragma once

#include <vector>

#include "device/device.h"
#include "device/kernel.h"

namespace hopwave::HW_MACHINE {
namespace {

constexpr std::uint32_t scan_threads = 256;
constexpr std::uint32_t scan_tile = 2 * scan_threads;  ///< values that a block sums up: the leaves of its tree
constexpr std::size_t tiles_of(std::size_t count) { return count ? (count + scan_tile - 1) / scan_tile : 1; }

/// Strides in the tree are powers of two, which all fall into the same bank; one word of padding for every bank's turn
/// spreads them. There are as many banks as lanes (on 64-lane devices half as many, which the padding serves as well).
constexpr std::uint32_t padded(std::uint32_t i) { return i + i / dev::lanes; }

/// Sums of a tile are exclusive; `sums` gets the total of each tile. `in` may be `out`.
template <class In>
HW_KERNEL void tree_scan_tiles(const In* in, std::uint32_t* out, std::uint32_t* sums, std::uint64_t count) {
  HW_SHARED(std::uint32_t, tree, padded(scan_tile));
  const std::uint64_t first = static_cast<std::uint64_t>(dev::block()) * scan_tile;
  const std::uint32_t t = dev::thread();
  for (std::uint32_t i = t; i < scan_tile; i += scan_threads)
    dev::plain_write(&tree[padded(i)], first + i < count ? dev::plain_read(&in[first + i]) : 0);

  std::uint32_t stride = 1;
  for (std::uint32_t pairs = scan_threads; pairs > 0; pairs /= 2, stride *= 2) {
    dev::sync_block();
    if (t < pairs) {
      const std::uint32_t left = padded(stride * (2 * t + 1) - 1), right = padded(stride * (2 * t + 2) - 1);
      dev::plain_write(&tree[right], dev::plain_read(&tree[left]) + dev::plain_read(&tree[right]));
    }
  }
  // The root is written by thread 0 above and read by it here.
  if (t == 0) {
    dev::plain_write(&sums[dev::block()], dev::plain_read(&tree[padded(scan_tile - 1)]));
    dev::plain_write(&tree[padded(scan_tile - 1)], 0);
  }
  for (std::uint32_t pairs = 1; pairs <= scan_threads; pairs *= 2) {
    stride /= 2;
    dev::sync_block();
    if (t < pairs) {
      const std::uint32_t left = padded(stride * (2 * t + 1) - 1), right = padded(stride * (2 * t + 2) - 1);
      const std::uint32_t below = dev::plain_read(&tree[left]), sum = dev::plain_read(&tree[right]);
      dev::plain_write(&tree[left], sum);
      dev::plain_write(&tree[right], sum + below);
    }
  }
  dev::sync_block();
  for (std::uint32_t i = t; i < scan_tile && first + i < count; i += scan_threads)
    dev::plain_write(&out[first + i], dev::plain_read(&tree[padded(i)]));
}

HW_KERNEL void tree_scan_add(std::uint32_t* out, const std::uint32_t* sums, std::uint64_t count) {
  const std::uint64_t i = static_cast<std::uint64_t>(dev::block()) * scan_tile + dev::thread();
  const std::uint32_t before = dev::read_only(&sums[dev::block()]);
  if (i < count) dev::plain_write(&out[i], dev::plain_read(&out[i]) + before);
  if (i + scan_threads < count) dev::plain_write(&out[i + scan_threads], dev::plain_read(&out[i + scan_threads]) + before);
}

/// out[i] = in[0] + … + in[i − 1], modulo 2³². Memory for `count` values is taken at construction.
template <class In>
class TreeScan {
 public:
  TreeScan(device::Device& device, std::size_t count) : device_(device), count_(count) {
    std::size_t tiles = count;
    do {
      tiles = tiles_of(tiles);
      sums_.emplace_back(device, tiles);
    } while (tiles > 1);
  }

  void run(const In* in, std::uint32_t* out) {
    if (count_) scan(in, out, count_, 0);
  }

 private:
  template <class T>
  void scan(const T* in, std::uint32_t* out, std::size_t count, std::size_t depth) {
    const device::LaunchShape shape{.grid = static_cast<std::uint32_t>(tiles_of(count)), .block = scan_threads};
    std::uint32_t* sums = sums_[depth].data();
    device::launch(device_, shape, tree_scan_tiles<T>, in, out, sums, count);
    if (shape.grid == 1) return;
    scan<std::uint32_t>(sums, sums, shape.grid, depth + 1);
    device::launch(device_, shape, tree_scan_add, out, sums, count);
  }

  device::Device& device_;
  std::size_t count_;
  std::vector<device::Buffer<std::uint32_t>> sums_;  ///< one per level of the recursion
};

}  // namespace
}  // namespace hopwave::HW_MACHINE
