// Grids on a GPU. A layer is divided into tiles of 32 × 32 cells. A tile is 32 rows of 64 bits: cells that are free and
// not yet reached, and the frontier. A warp loads a tile with 16 cells around it into its registers and advances the
// wavefront by 16 levels without reading anything else: a wavefront from outside takes that long to reach the tile. So
// there is one barrier per 16 levels.
#pragma once

#include "device/packed.h"

namespace hopwave::HW_MACHINE::grids {

using dev::LaneMask;
using dev::u32;
using dev::u64;

inline constexpr u32 core = 32;  ///< cells of a tile in each direction
inline constexpr u32 halo = 16;
inline constexpr u32 lane_rows = (core + 2 * halo) / dev::lanes;  ///< rows per lane
inline constexpr u32 first_core_lane = halo / lane_rows, past_core_lane = (halo + core) / lane_rows;
inline constexpr u64 no_hit = ~u64{0};

// A row of a tile's state: cells that are free and not reached, and the frontier.
using OpenCells = dev::Field<0, 32>;
using FrontCells = dev::Field<32, 32>;
// For a reached cell, (level − 1) modulo 4, in rows: the lower bits and the upper bits.
using LowerBits = dev::Field<0, 32>;
using UpperBits = dev::Field<32, 32>;
// The nearest target: its level above its cell, so that the least word is the nearest target, and of several the first
// cell.
using HitCell = dev::Field<0, 32>;
using HitLevel = dev::Field<32, 32>;

/// The positions of tiles. A border of tiles without free cells surrounds each layer, so that each tile has eight
/// neighbours.
struct TileMap {
  u32 row_tiles;    ///< with the border
  u32 plane_tiles;  ///< per layer
  u32 layers;
  u32 position_bits;           ///< positions are a power of two: at least the number of tiles
  u32 spread, unspread;        ///< position = tile · spread, so that adjacent tiles go to different blocks
  u32 row_words, plane_words;  ///< for the caller's grid, in its 64-bit words
  const unsigned char* alive;  ///< by tile: whether it has free cells
};

struct WaveControl {
  u64 hit;      ///< level << 32 | cell of the nearest target, the smallest of several; no_hit
  u64 reached;  ///< number of cells
  u64 tasks;    ///< number of tiles advanced
  u32 window;   ///< the next one: the number of windows done before this launch
  u32 deepest;  ///< last level with a cell, if everything was reached
  u32 done, no_hole;
  u32 totals[4];  ///< tiles per window, by window modulo 4
};

struct Wave {
  u64* states;          ///< two, by tile and row: open | frontier << 32. A window reads one and writes the other
  u64* codes;           ///< by tile and row: (level − 1) modulo 4, its lower bits | its upper bits << 32
  const u32* targets;   ///< by tile and row
  std::int32_t* level;  ///< by the caller's cell; null unless asked for
  u64 state_rows;       ///< of one state
  u32* pendings;        ///< two, one bit per tile by owner of the wide shape: the tiles for even and odd windows
  u32 pending_words;    ///< of one of them
  WaveControl* control;
  u32 wide_bits;    ///< log2 of the blocks of the wide shape
  u32 max_windows;  ///< per launch
  u32 leave;        ///< thin: ends with more tiles than this; wide: with fewer
  u32 patience;     ///< wide: number of such windows in a row
};

/// A lane's rows during a window.
struct Rows {
  u64 open[lane_rows], front[lane_rows];
  u64 step[4][lane_rows];                               ///< bits of the step (from 0) in which a cell was reached
  u32 open_before[lane_rows], front_before[lane_rows];  ///< of the tile itself
};

HW_DEVICE bool is_core_lane() { return dev::lane() >= first_core_lane && dev::lane() < past_core_lane; }
HW_DEVICE u32 core_row(u32 k) { return dev::lane() * lane_rows + k - halo; }  // for lanes of the core
HW_DEVICE u32 middle(u64 row) { return static_cast<u32>(row >> halo); }
HW_DEVICE u32 open_of(u64 word) { return static_cast<u32>(OpenCells::get(word)); }
HW_DEVICE u32 front_of(u64 word) { return static_cast<u32>(FrontCells::get(word)); }

/// Loads the tile and the cells around it.
HW_DEVICE void load_rows(const TileMap& g, const u64* state, u32 tile, Rows& r) {
  const u32 row = dev::lane() * lane_rows + halo;  // relative to 32 rows above the tile
  const u64* in = state + (tile + row / core * g.row_tiles - g.row_tiles) * u64{core} + row % core;
  u64 left[lane_rows], mid[lane_rows], right[lane_rows];
  HW_UNROLL for (u32 k = 0; k < lane_rows; ++k) {
    left[k] = dev::load(in - core + k);
    mid[k] = dev::load(in + k);
    right[k] = dev::load(in + core + k);
  }
  HW_UNROLL for (u32 k = 0; k < lane_rows; ++k) {
    const auto join = [](u32 a, u32 b, u32 c) { return u64{a} >> halo | u64{b} << halo | u64{c} << (halo + core); };
    r.open[k] = join(open_of(left[k]), open_of(mid[k]), open_of(right[k]));
    r.front[k] = join(front_of(left[k]), front_of(mid[k]), front_of(right[k]));
    r.open_before[k] = open_of(mid[k]);
    r.front_before[k] = front_of(mid[k]);
    HW_UNROLL for (u32 b = 0; b < 4; ++b) r.step[b][k] = 0;
  }
}

/// Advances one level. `extra` comes from the layers above and below.
HW_DEVICE void move_on(Rows& r, u32 step, const u64* extra) {
  const u64 up = dev::shuffle_up(dev::all_lanes, r.front[lane_rows - 1], 1);
  const u64 down = dev::shuffle_down(dev::all_lanes, r.front[0], 1);
  u64 fresh[lane_rows];
  HW_UNROLL for (u32 k = 0; k < lane_rows; ++k) {
    const u64 above = k == 0 ? up : r.front[k == 0 ? 0 : k - 1];
    const u64 below = k + 1 == lane_rows ? down : r.front[k + 1 == lane_rows ? k : k + 1];
    fresh[k] = (r.front[k] << 1 | r.front[k] >> 1 | above | below | (extra ? extra[k] : 0)) & r.open[k];
  }
  HW_UNROLL for (u32 k = 0; k < lane_rows; ++k) {
    r.front[k] = fresh[k];
    r.open[k] ^= fresh[k];
    HW_UNROLL for (u32 b = 0; b < 4; ++b) if (step >> b & 1) r.step[b][k] |= fresh[k];
  }
}

/// Runs a window: 16 levels, or one if there are layers, whose frontiers are read from their tiles. Wrong values spread
/// from the region's border, one cell per level, and do not reach the tile.
template <bool Layered>
HW_DEVICE void advance(const TileMap& g, const u64* state, u32 tile, Rows& r) {
  load_rows(g, state, tile, r);
  if constexpr (Layered) {
    u64 extra[lane_rows] = {};
    const u32 layer = tile / g.plane_tiles;
    HW_UNROLL for (u32 k = 0; k < lane_rows; ++k) {
      if (!is_core_lane()) continue;
      const u64* at = state + tile * u64{core} + core_row(k);
      const u64 plane = g.plane_tiles * u64{core};
      if (layer > 0) extra[k] |= u64{front_of(dev::load(at - plane))} << halo;
      if (layer + 1 < g.layers) extra[k] |= u64{front_of(dev::load(at + plane))} << halo;
    }
    move_on(r, 0, extra);
  } else {
    HW_UNROLL for (u32 step = 0; step < halo; ++step) move_on(r, step, nullptr);
  }
}

HW_DEVICE u32 fresh_cells(const Rows& r, u32 k) { return r.open_before[k] & ~middle(r.open[k]); }

/// Returns how many of the tile's cells this lane saw reached in the first `limit` steps.
HW_DEVICE u32 count_cells(const Rows& r, u32 limit) {
  u32 sum = 0;
  HW_UNROLL for (u32 k = 0; k < lane_rows; ++k) {
    if (!is_core_lane()) continue;
    u32 less = limit > 15 ? ~0u : 0u, equal = ~0u;
    HW_UNROLL for (u32 b = 4; b-- > 0;) {
      const u32 plane = middle(r.step[b][k]), bit = limit >> b & 1 ? ~0u : 0u;
      less |= equal & ~plane & bit;
      equal &= ~(plane ^ bit);
    }
    sum += static_cast<u32>(dev::popcount(fresh_cells(r, k) & less));
  }
  return sum;
}

HW_DEVICE u32 step_of(const Rows& r, u32 k, u32 bit) {
  u32 step = 0;
  HW_UNROLL for (u32 b = 0; b < 4; ++b) step |= (middle(r.step[b][k]) >> bit & 1) << b;
  return step;
}

/// Returns the caller's number of a tile's cell.
HW_DEVICE u32 cell_number(const TileMap& g, u32 tile, u32 row, u32 bit) {
  const u32 layer = tile / g.plane_tiles, rest = tile % g.plane_tiles;
  const u32 x = (rest % g.row_tiles - 1) * core + bit, y = (rest / g.row_tiles - 1) * core + row;
  const u32 number = (layer * g.plane_words + (y + 1) * g.row_words) * 64 + x;
  HW_CHECK(number == (layer * u64{g.plane_words} + (y + 1) * u64{g.row_words}) * 64 + x);
  return number;
}

/// Returns which of the tiles around need the next window, one bit each: 3 × 3 with the tile itself in the middle. A
/// cell reaches a tile within a window if it is that few steps away.
HW_DEVICE u32 neighbors_reached(const Rows& r, bool keep) {
  bool low = false, high = false, low_corner = false, high_corner = false;
  HW_UNROLL for (u32 k = 0; k < lane_rows; ++k) {
    if (!is_core_lane()) continue;
    const u32 f = middle(r.front[k]), y = core_row(k);
    const u32 width = halo - 1 - (y < halo ? y : core - 1 - y);
    const u32 corner = (1u << width) - 1;
    low |= (f & 0xFFFFu) != 0;
    high |= f >> halo != 0;
    low_corner |= (f & corner) != 0;
    high_corner |= width != 0 && f >> (core - width) != 0;
  }
  const LaneMask all = dev::all_lanes, upper = ((LaneMask{1} << core / 2 / lane_rows) - 1) << first_core_lane;
  const LaneMask l = dev::ballot(all, low), h = dev::ballot(all, high);
  const LaneMask lc = dev::ballot(all, low_corner), hc = dev::ballot(all, high_corner);
  u32 set = keep ? 1u << 4 : 0u;
  if (lc & upper) set |= 1u << 0;
  if ((l | h) & upper) set |= 1u << 1;
  if (hc & upper) set |= 1u << 2;
  if (l) set |= 1u << 3;
  if (h) set |= 1u << 5;
  if (lc & ~upper) set |= 1u << 6;
  if ((l | h) & ~upper) set |= 1u << 7;
  if (hc & ~upper) set |= 1u << 8;
  return set;
}

}  // namespace hopwave::HW_MACHINE::grids
