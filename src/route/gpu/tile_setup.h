// Preparation of a search: the caller's rows of words become tiles, and sources and targets get their bits.
#pragma once

#include "route/gpu/wave.h"

namespace hopwave::HW_MACHINE::grids {

/// Both states start equal: all free cells open, no frontier. Levels and codes are not set.
HW_HEADER_KERNEL void make_tiles(TileMap g, Wave s, const u32* words, u32 columns, u32 height, unsigned char* alive) {
  const u64 rows = u64{g.plane_tiles} * g.layers * core;
  for (u64 i = dev::global_thread(); i < rows; i += dev::global_threads()) {
    const u32 tile = static_cast<u32>(i / core), layer = tile / g.plane_tiles, rest = tile % g.plane_tiles;
    const u32 tx = rest % g.row_tiles, y = (rest / g.row_tiles - 1) * core + static_cast<u32>(i % core);
    u32 open = 0;
    if (tx > 0 && tx <= columns && y < height)
      open = dev::read_only(&words[(u64{layer} * g.plane_words + (u64{y} + 1) * g.row_words) * 2 + tx - 1]);
    state_of(s, 0)[i] = open;
    state_of(s, 1)[i] = open;
    s.codes[i] = 0;
    if (open && dev::load(&alive[tile]) == 0) dev::store(&alive[tile], static_cast<unsigned char>(1));
  }
}

struct Spot {
  u32 tile, row, bit;
};
HW_DEVICE Spot spot_of(const TileMap& g, u32 cell) {
  const u32 word = cell / 64, layer = word / g.plane_words, rest = word % g.plane_words;
  const u32 y = rest / g.row_words - 1, x = rest % g.row_words * 64 + cell % 64;
  return {layer * g.plane_tiles + (y / core + 1) * g.row_tiles + x / core + 1, y % core, x % core};
}

HW_HEADER_KERNEL void set_targets(TileMap g, const u32* cells, u32 count, u32* targets) {
  for (u64 i = dev::global_thread(); i < count; i += dev::global_threads()) {
    const Spot at = spot_of(g, cells[i]);
    dev::fetch_or(&targets[at.tile * u64{core} + at.row], 1u << at.bit);
  }
}

/// Sources are the frontier of the first window, which processes their tiles and those around them.
HW_HEADER_KERNEL void set_sources(TileMap g, Wave s, const u32* cells, u32 count) {
  WaveBlock wide{};
  wide.bits = s.wide_bits;
  wide.capacity = g.position_bits > wide.bits ? 1u << (g.position_bits - wide.bits) : 1;
  wide.words = (wide.capacity + 31) / 32;
  for (u64 i = dev::global_thread(); i < count; i += dev::global_threads()) {
    const Spot at = spot_of(g, cells[i]);
    const u64 row = at.tile * u64{core} + at.row, bit = u64{1} << at.bit;
    if (dev::fetch_and(&state_of(s, 0)[row], ~bit) & bit) dev::fetch_add(&s.control->reached, u64{1});
    dev::fetch_or(&state_of(s, 0)[row], bit << 32);
    dev::fetch_or(&s.codes[row], bit | bit << 32);
    if (s.level) dev::store(&s.level[cells[i]], 0);
    for (u32 k = 0; k < 9; ++k) {
      const u32 tile = at.tile + (k / 3 - 1) * g.row_tiles + k % 3 - 1;
      if (dev::load(&g.alive[tile])) flag_tile<false>(g, s, wide, tile, 0);
    }
    for (const u32 tile : {at.tile - g.plane_tiles, at.tile + g.plane_tiles})
      if (tile < g.plane_tiles * g.layers && dev::load(&g.alive[tile])) flag_tile<false>(g, s, wide, tile, 0);
  }
}

}  // namespace hopwave::HW_MACHINE::grids
