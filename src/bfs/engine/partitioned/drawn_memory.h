// How much device memory Graph500 takes on several devices that draw and share its graph: known before anything is drawn.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bfs/engine/partitioned/make_plan.h"
#include "device/device.h"

namespace hopwave::engine {

/// A drawn graph, as far as memory depends on it.
struct DrawnSize {
  int scale = 1;
  std::uint64_t edges = 0;
  std::uint64_t devices = 2;
  bool wide_offsets = false;  ///< asked for; graphs of more arcs than most_narrow_arcs have them anyway
  std::uint64_t arcs_at_once = DrawnEdges::most_arcs_at_once;
};

/// Bytes that one device holds at the same time, in each step of a run.
struct DrawnSteps {
  std::uint64_t ordering = 0;   ///< degrees of all vertices; on the first device their order is found, too
  std::uint64_t placing = 0;    ///< where its rows will be
  std::uint64_t dealing = 0;    ///< its rows, and what is drawn of them at a time, until it is put in order
  std::uint64_t searching = 0;  ///< its rows, and a search with parents and its check
  [[nodiscard]] std::uint64_t total() const noexcept { return std::max({ordering, placing, dealing, searching}); }
};

/// `first`: of the first device. `other`: of the one that has most among the others.
struct DrawnMemory {
  DrawnSteps first, other;
  std::uint64_t on_host = 0;  ///< the order of the vertices, which all devices get
};

/// R-MAT's probabilities say how many vertices have arcs, and how many arcs a device's rows have. Six standard deviations are
/// added to both, so it is an upper bound for any seed that one is likely to meet.
DrawnMemory drawn_memory(const DrawnSize& size);

/// Throws HW-ENGINE-MEMORY where a device has less free than that, or the host, in whose memory simulated devices are.
/// `devices`: the first one first. `graph`: its name.
void require_drawn_memory(const DrawnMemory& memory, const std::vector<std::shared_ptr<device::Device>>& devices,
                          const std::string& graph, std::uint64_t host_free);

/// Arcs from which on a row is put in order by several blocks, which count into memory of their own.
inline constexpr std::uint64_t least_split_arcs = 8192;
/// By which vertices and rows are put in order; half of them are for vertices outside the largest component.
inline constexpr std::uint64_t degree_classes = 256;

}  // namespace hopwave::engine
