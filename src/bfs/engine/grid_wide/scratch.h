// A block's shared memory in the grid-wide traversal.
#pragma once

#include "bfs/engine/grid_wide/tail.h"
#include "device/shared_layout.h"

namespace hopwave::HW_MACHINE::engine::grid_wide {

/// Layouts of the dynamic shared memory: each step has one.
inline constexpr u32 push_layout = 0, pull_layout = 1, single_block_layout = 2, tail_layout = 3;
constexpr u32 layout_of(u32 mode) { return mode == pull ? pull_layout : mode == alone ? single_block_layout : push_layout; }
/// A warp's buffer of `size` vertices is a pull's if it is the smaller one.
constexpr u32 layout_of_buffer(u32 size) { return size == warp_buffer_size ? push_layout : pull_layout; }

/// A block's dynamic shared memory: a buffer a warp (in a pull half of it holds the pull's lists), and what pulls find. While
/// one block takes levels alone, its queue has all of it.
template <class Offset>
struct TempStorage {
  WarpBuffer<Offset> warp_buffer;
  Worklist list;
  WarpLeft left;
  SingleBlock<Offset> single_block;
};
/// A buffer of `size` vertices in a warp's own memory.
template <class Offset>
HW_DEVICE WarpBuffer<Offset> init_warp_buffer(Scratch<Offset>& b, Byte* memory, u32 size) {
  auto* begins = reinterpret_cast<Offset*>(memory);
  auto* vertices = reinterpret_cast<u32*>(begins + size);
  return {HW_PART(begins, size, layout_of_buffer(size)),
          HW_PART(vertices, size, layout_of_buffer(size)),
          HW_PART(vertices + size, size, layout_of_buffer(size)),
          b.warp_sums,
          &b.mine.flushed,
          0};
}
template <class Offset>
HW_DEVICE TempStorage<Offset> init_temp_storage(Scratch<Offset>& b, void* memory, const Rule& rule) {
  static_assert(worklist_bytes <= warp_buffer_bytes<Offset> / 2 && near_capacity >= pull_buffer_size);
  auto* warp_buffer = static_cast<Byte*>(memory) + dev::warp() * warp_buffer_bytes<Offset>;
  auto* near = reinterpret_cast<std::uint16_t*>(warp_buffer + warp_buffer_bytes<Offset> / 2);
  auto* found = reinterpret_cast<Word*>(static_cast<Byte*>(memory) + dev::warps() * warp_buffer_bytes<Offset>);
  auto* left = reinterpret_cast<u32*>(found + dev::warps() * dev::lanes);
  return {init_warp_buffer(b, warp_buffer, warp_buffer_size),
          {HW_PART(near, near_capacity, pull_layout), HW_PART(near + near_capacity, far_capacity, pull_layout),
           HW_PART(found + dev::warp() * dev::lanes, dev::lanes, pull_layout), 0, 0},
          {HW_PART(left + dev::warp() * warp_left, warp_left, pull_layout), 0, false},
          {HW_PART(static_cast<Entry<Offset>*>(memory), 2 * single_block_capacity<Offset>(rule), single_block_layout),
           single_block_capacity<Offset>(rule), &b.single_block_count, b.single_block_sums}};
}
/// What the host asks for.
template <class Offset>
inline constexpr u32 warp_shared_bytes = warp_buffer_bytes<Offset> + found_bytes + warp_left * sizeof(u32);

}  // namespace hopwave::HW_MACHINE::engine::grid_wide
