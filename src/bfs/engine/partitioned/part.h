// One device's part of a partitioned search: what it holds of the graph, its memory, and how it runs.
#pragma once

#include <memory>

#include "bfs/engine/partitioned/dealer.h"
#include "bfs/engine/partitioned/state.h"
#include "bfs/engine/partitioned/upload_rows.h"
#include "device/peer_buffer.h"

namespace hopwave::HW_MACHINE::engine::partitioned {

using device::Buffer;
using device::Device;

/// One device: its rows, what it keeps for itself, and what the others read.
template <class Offset>
struct Part {
  std::shared_ptr<Device> device;
  u32 number = 0;  ///< among all
  std::uint32_t grid = 1, block = 1;
  std::uint64_t first = 0, count = 0;  ///< ids of its rows
  DeviceRows<Offset> rows, in_rows;    ///< along the search and against it; the latter of graphs that are not symmetric
  Buffer<u32> first_neighbor;
  device::PeerBuffer shared, reached_by;  ///< what the others read; the second one once parents are wanted
  /// Prepared: distances and whose rows they are, which all read; the ranks of a block of the caller's vertices, and the
  /// answers of that block.
  device::PeerBuffer answers;
  std::uint64_t block_first = 0, block_count = 0;
  Buffer<u32> block_rank, block_parent;
  device::PeerBuffer counted;              ///< while a graph is drawn: degrees
  std::unique_ptr<Dealer<Offset>> dealer;  ///< while vertices are dealt out
  Buffer<Distance> block_distance;
  Buffer<Word> visited, frontier;
  Buffer<Entry<Offset>> queue[2];
  Buffer<u64> cursor, found_by;
  Buffer<Distance> distance;
  Buffer<u32> parent, sources, list_count;
  Buffer<Message> slots, go;
  Buffer<Control> control;
  Buffer<LevelRecord> records;
  State<Offset> state{};
};

}  // namespace hopwave::HW_MACHINE::engine::partitioned
