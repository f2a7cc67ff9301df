// Copies a View to the device in pieces.
#include "bfs/plan/upload.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/parallel.h"

namespace hopwave::strategy {
namespace {

using device::Buffer;

constexpr std::size_t piece = std::size_t{1} << 20;

/// Offsets as the device wants them. An empty graph may come with an empty array: it still gets its one zero.
template <class Offset>
Buffer<Offset> copy_offsets(Device& device, const Array<const EdgeIndex>& offsets) {
  auto copy = Buffer<Offset>(device, std::max<std::size_t>(offsets.size(), 1)).as(MemoryKind::rows);
  if (offsets.empty()) copy.fill_bytes(0);
  if constexpr (sizeof(Offset) == sizeof(EdgeIndex)) {
    copy.upload({offsets.data(), offsets.size()});
  } else {
    // By all threads and in blocks large enough for the copy's own threads: these are 8 bytes per vertex to read.
    constexpr std::size_t block = std::size_t{1} << 24;
    Team team(offsets.size() < piece ? 1 : 0);
    Array<Offset> narrow(std::min(offsets.size(), block));
    for (std::size_t at = 0; at < offsets.size(); at += block) {
      const std::size_t count = std::min(block, offsets.size() - at);
      parallel_for(team, count, piece, [&](std::size_t begin, std::size_t end, int) {
        for (std::size_t i = begin; i < end; ++i) narrow[i] = static_cast<Offset>(offsets[at + i]);
      });
      copy.upload({narrow.data(), count}, at);
      device.wait();  // `narrow` is used again
    }
  }
  return copy;
}

Buffer<VertexId> copy_neighbors(Device& device, const Array<const VertexId>& neighbors) {
  return Buffer<VertexId>(device, std::span<const VertexId>{neighbors.data(), neighbors.size()}).as(MemoryKind::neighbors);
}

/// The tail of every arc, made piece by piece so that the host never holds all of them.
Buffer<VertexId> make_arc_sources(Device& device, VertexId num_vertices, const Adjacency& adjacency) {
  const std::size_t arcs = adjacency.neighbors.size();
  auto tails = Buffer<VertexId>(device, arcs).as(MemoryKind::tails);
  std::vector<VertexId> part(std::min(arcs, piece));
  std::size_t filled = 0, at = 0;
  for (VertexId v = 0; v < num_vertices && arcs; ++v) {
    for (EdgeIndex e = adjacency.offsets[v]; e < adjacency.offsets[v + 1ull]; ++e) {
      part[filled++] = v;
      if (filled < part.size() && at + filled < arcs) continue;
      tails.upload({part.data(), filled}, at);
      device.wait();  // `part` is used again
      at += filled;
      filled = 0;
    }
  }
  return tails;
}

}  // namespace

DeviceGraph upload(Device& device, const View& view, const Needs& needs, bool wide_offsets) {
  DeviceGraph graph;
  graph.num_vertices = view.num_vertices;
  graph.num_arcs = view.num_arcs();
  graph.wide = wide_offsets || graph.num_arcs > most_narrow_arcs;
  const bool in_is_out = needs.in && view.symmetric;
  if (needs.out || in_is_out) {
    if (graph.wide)
      graph.offsets64 = copy_offsets<std::uint64_t>(device, view.forward->offsets);
    else
      graph.offsets32 = copy_offsets<std::uint32_t>(device, view.forward->offsets);
  }
  if (needs.out || in_is_out || needs.arc_sources) graph.neighbors = copy_neighbors(device, view.forward->neighbors);
  if (needs.in && !in_is_out) {
    if (graph.wide)
      graph.in_offsets64 = copy_offsets<std::uint64_t>(device, view.backward->offsets);
    else
      graph.in_offsets32 = copy_offsets<std::uint32_t>(device, view.backward->offsets);
    graph.in_neighbors = copy_neighbors(device, view.backward->neighbors);
  }
  if (needs.arc_sources) graph.arc_sources = make_arc_sources(device, view.num_vertices, *view.forward);
  device.wait();
  return graph;
}

}  // namespace hopwave::strategy
