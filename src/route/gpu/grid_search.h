// The grid searches of a machine (CUDA, HIP, the simulator): the wavefront over tiles, and many short searches at once.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "device/device.h"
#include "device/on_machine.h"
#include "hopwave/route.h"

namespace hopwave::inline v0_1::route {

/// 0: the value that suits the device.
struct WaveTuning {
  std::uint32_t block = 0, cluster = 0, wide = 0;  ///< threads per block; blocks of the thin and of the wide shape
  std::uint32_t leave_thin = 0, leave_wide = 0;    ///< tiles per window: above, the device takes over; below, the cluster
  std::uint32_t patience = 0, max_windows = 0;
  bool never_thin = false, never_wide = false;
};

/// The codes of a search, from which a route is traced back: two bits per cell, (level − 1) modulo 4. They stay until
/// the next search.
struct WaveCodes {
  std::uint32_t row_tiles = 0, plane_tiles = 0;
  std::span<const std::uint64_t> words;  ///< by tile and row of the tile
  std::span<const std::uint64_t> state;  ///< the same, lower half: free and not reached; empty if the codes are sufficient
};

class GridSearch {
 public:
  virtual ~GridSearch() = default;
  /// Searches until a target is reached or the frontier is empty; the Way has no cells. `level`: by cell, if not empty.
  virtual Way find(std::span<const CellIndex> sources, std::span<const CellIndex> targets, const RouteOptions& options,
                   CellIndex& target, std::span<std::int32_t> level) = 0;
  virtual WaveCodes codes(bool with_state) = 0;
  /// Returns the steps between each pair; −1: no route, −2: a block's shared memory has no room for the map or its
  /// frontier.
  virtual std::vector<std::int64_t> hops(std::span<const CellIndex> from, std::span<const CellIndex> to) = 0;
  [[nodiscard]] virtual const WaveStats& stats() const = 0;
};

/// grid_search.cu as compiled for each machine. Only those of this build are defined.
HW_FOR_EACH_MACHINE(std::unique_ptr<GridSearch>, make_grid_search, device::Device& device, const Grid& grid,
                    const WaveTuning& tuning)

}  // namespace hopwave::inline v0_1::route
