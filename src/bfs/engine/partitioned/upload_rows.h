// Copies a share of a graph's rows to the device that searches it.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "bfs/engine/partitioned/own_rows.h"
#include "device/device.h"
#include "hopwave/error.h"
#include "hopwave/types.h"

namespace hopwave::HW_MACHINE::engine::partitioned {

template <class Offset>
struct DeviceRows {
  device::Buffer<Offset> offsets;  ///< from 0 on
  device::Buffer<u32> neighbors;
};

/// What helps where one process has several GPUs; ranks have another way out.
inline constexpr const char* more_gpus = "share the graph among more GPUs, or name --device cpu";

/// Throws HW-ENGINE-SIZE where rows and arcs of a share would not fit into a queue's cursor.
inline void check_share(std::uint64_t rows, std::uint64_t arcs, const char* hint = more_gpus) {
  if (rows <= QueuedRows::max && arcs <= QueuedArcs::max) return;
  throw Error({.failure = Failure::does_not_fit,
               .id = "HW-ENGINE-SIZE",
               .found = std::to_string(rows) + " vertices and " + std::to_string(arcs) + " arcs",
               .expected = "fewer than 2^29 vertices and 2^35 arcs in a GPU's share",
               .hint = hint});
}

/// `count` offsets and the one after them, less the first. Throws HW-DEVICE-….
template <class Offset>
device::Buffer<Offset> upload_offsets(device::Device& device, const EdgeIndex* offsets, std::uint64_t count) {
  constexpr std::size_t piece = std::size_t{1} << 20;
  const std::size_t size = count + 1;
  auto there = device::Buffer<Offset>(device, size).as(MemoryKind::rows);
  std::vector<Offset> some(std::min(size, piece));
  for (std::size_t at = 0; at < size; at += piece) {
    const std::size_t now = std::min(piece, size - at);
    for (std::size_t i = 0; i < now; ++i) some[i] = static_cast<Offset>(offsets[at + i] - offsets[0]);
    there.upload({some.data(), now}, at);
    device.wait();  // `some` is used again
  }
  return there;
}

/// `count` rows, whose first one begins at offsets[0] in `neighbors`. `hint`: of a share that is too large. Throws
/// HW-ENGINE-SIZE, HW-DEVICE-….
template <class Offset>
DeviceRows<Offset> upload_rows(device::Device& device, const EdgeIndex* offsets, std::uint64_t count, const VertexId* neighbors,
                               const char* hint = more_gpus) {
  const EdgeIndex begin = offsets[0], arcs = offsets[count] - begin;
  check_share(count, arcs, hint);
  DeviceRows<Offset> rows;
  rows.offsets = upload_offsets<Offset>(device, offsets, count);
  rows.neighbors = device::Buffer<u32>(device, std::span<const u32>(neighbors + begin, arcs)).as(MemoryKind::neighbors);
  device.wait();
  return rows;
}

}  // namespace hopwave::HW_MACHINE::engine::partitioned
