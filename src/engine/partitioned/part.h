// One device's part of a partitioned search: what it holds of the graph, its memory, and how it runs.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "device/peer_buffer.h"
#include "engine/limits.h"
#include "engine/partitioned/state.h"
#include "hopwave/graph.h"

namespace hopwave::HW_MACHINE::engine::partitioned {

using device::Buffer;
using device::Device;

/// One device: its rows, what it keeps for itself, and what the others read.
template <class Offset>
struct Part {
  std::shared_ptr<Device> device;
  std::uint32_t grid = 1, block = 1;
  std::uint64_t first = 0, count = 0;
  Buffer<Offset> offsets, in_offsets;
  Buffer<u32> neighbors, in_neighbors;
  device::PeerBuffer shared, reached_by;  ///< what the others read; the second one once parents are wanted
  Buffer<Word> visited, frontier;
  Buffer<Entry<Offset>> queue[2];
  Buffer<u64> cursor;
  Buffer<Distance> distance;
  Buffer<u32> parent, sources;
  Buffer<Message> slots, go;
  Buffer<Control> control;
  Buffer<LevelRecord> records;
  State<Offset> state{};
};

/// Rows of consecutive vertices with offsets from 0 on.
template <class Offset>
void upload_rows(Part<Offset>& part, const Adjacency& rows, Buffer<Offset>& offsets, Buffer<u32>& neighbors) {
  constexpr std::size_t piece = std::size_t{1} << 20;
  Device& device = *part.device;
  const EdgeIndex begin = rows.offsets[part.first], end = rows.offsets[part.first + part.count];
  check_size(part.count, end - begin);
  const std::size_t size = part.count + 1;
  offsets = Buffer<Offset>(device, size).as(MemoryKind::rows);
  std::vector<Offset> own(std::min(size, piece));
  for (std::size_t at = 0; at < size; at += piece) {
    const std::size_t some = std::min(piece, size - at);
    for (std::size_t i = 0; i < some; ++i) own[i] = static_cast<Offset>(rows.offsets[part.first + at + i] - begin);
    offsets.upload({own.data(), some}, at);
    device.wait();  // `own` is used again
  }
  neighbors = Buffer<u32>(device, std::span<const u32>(rows.neighbors.data() + begin, end - begin)).as(MemoryKind::neighbors);
  device.wait();
}

}  // namespace hopwave::HW_MACHINE::engine::partitioned
