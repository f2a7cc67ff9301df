// Visits all arcs of a graph, distributed evenly over warps, each with its row.
#pragma once

#include "device/device.h"
#include "device/primitives/search.h"

namespace hopwave::HW_MACHINE {

using dev::u32;
using dev::u64;

constexpr u32 chunk_strips = 32;
constexpr u64 chunk_arcs = u64{dev::lanes} * chunk_strips;  ///< arcs that a warp processes before it looks for its next row

/// Calls f(row, place) for each arc, on one thread each. A warp takes a chunk of arcs; each lane follows the rows on
/// its own, from the chunk's first row on.
template <class Offset, class F>
HW_DEVICE void each_arc(u32 n, const Offset* offsets, u64 arcs, F&& f) {
  const u64 chunks = (arcs + chunk_arcs - 1) / chunk_arcs, warps = u64{dev::grid_size()} * dev::warps();
  const auto before = [&](u32 v) { return u64{offsets[v]}; };
  for (u64 c = u64{dev::block()} * dev::warps() + dev::warp(); c < chunks; c += warps) {
    const u64 begin = c * chunk_arcs;
    u32 row = dev::last_at_most(n, begin, before);
    for (u32 k = 0; k < chunk_strips; ++k) {
      const u64 i = begin + u64{k} * dev::lanes + dev::lane();
      if (i >= arcs) break;
      row = dev::last_at_most_from(row, n, i, before);
      f(row, i);
    }
  }
}

/// Returns the number of threads for a launch over all arcs.
inline u64 arc_threads(u64 arcs) { return arcs / chunk_strips + dev::lanes; }

}  // namespace hopwave::HW_MACHINE
