// The wavefront over tiles: one launch for the whole search, either by one cluster, whose barrier takes a quarter of
// the time (thin: mazes, long corridors), or by the whole device (wide). Each can continue where the other stopped. A
// tile that waits for the next window is a bit in its owner's memory, so there is no queue, and no tile is taken twice.
#pragma once

#include "route/gpu/tiles.h"

namespace hopwave::HW_MACHINE::grids {

/// The data of a block in shared memory, in addition to its flags and lists.
struct WaveStorage {
  u64 hit, reached;
  u32 count[2];   ///< tiles in the lists of even and odd windows
  u32 counts[4];  ///< the same for other blocks, by window modulo 4
  u32 before[2];  ///< tiles of all blocks, one and two windows ago
  u32 halt, deepest;
};

/// A block's part of the work, and the place of the flags.
struct WaveBlock {
  WaveStorage* storage;
  u32* flags;            ///< thin: two times `words` in shared memory
  unsigned short* list;  ///< two lists of local positions
  u32 rank, bits, words, capacity;
};

// Computes the address: an array of two in a kernel's parameters would be copied to slow memory to be indexed.
HW_DEVICE u64* state_of(const Wave& s, u32 parity) { return s.states + parity * s.state_rows; }
HW_DEVICE u32* pending_of(const Wave& s, u32 parity) { return s.pendings + u64{parity} * s.pending_words; }

/// Positions in this launch's shape: owner and local position.
HW_DEVICE u32 owner_of(u32 position, u32 bits) { return position & ((1u << bits) - 1); }

template <bool Thin>
HW_DEVICE u32* flags_of(const Wave& s, const WaveBlock& c, u32 owner, u32 parity) {
  if constexpr (!Thin) return pending_of(s, parity) + u64{owner} * c.words;
  u32* own = c.flags + parity * c.words;
  return owner == c.rank ? own : dev::cluster_map(own, owner);
}

template <bool Thin>
HW_DEVICE void flag_tile(const TileMap& g, const Wave& s, const WaveBlock& c, u32 tile, u32 parity) {
  const u32 position = tile * g.spread & ((1u << g.position_bits) - 1), local = position >> c.bits;
  dev::fetch_or(flags_of<Thin>(s, c, owner_of(position, c.bits), parity) + local / 32, 1u << local % 32);
}

HW_DEVICE u32 tile_at(const TileMap& g, u32 rank, u32 local, u32 bits) {
  return (local << bits | rank) * g.unspread & ((1u << g.position_bits) - 1);
}

/// Returns the level at which a window begins. A route has fewer steps than the grid has cells, so levels fit.
template <bool Layered>
HW_DEVICE u32 level_of(u32 window) {
  HW_CHECK(Layered || window + 1 <= ~0u / halo);
  return Layered ? window : window * halo;
}

/// Records a reached target. This is rare, so its cost does not matter.
template <bool Thin, bool Layered>
HW_DEVICE void report_hits(const TileMap& g, const Wave& s, const WaveBlock& c, const Rows& r, u32 tile, u32 window,
                           const u32* hits) {
  const u32 level = level_of<Layered>(window);
  HW_UNROLL for (u32 k = 0; k < lane_rows; ++k) for (u32 left = hits[k]; left; left &= left - 1) {
    const u32 bit = static_cast<u32>(dev::find_first_set(left)) - 1;
    const u64 key = HitLevel::put(level + 1 + step_of(r, k, bit)) | HitCell::put(cell_number(g, tile, core_row(k), bit));
    dev::fetch_min(&s.control->hit, key);
  }
  if (Thin)
    for (u32 b = 0; b < 1u << c.bits; ++b) dev::store(dev::cluster_map(&c.storage->halt, b), window + 1);
}

HW_DEVICE void write_levels(const TileMap& g, const Wave& s, const Rows& r, u32 tile, u32 level) {
  HW_UNROLL for (u32 k = 0; k < lane_rows; ++k) for (u32 left = fresh_cells(r, k); left; left &= left - 1) {
    const u32 bit = static_cast<u32>(dev::find_first_set(left)) - 1;
    s.level[cell_number(g, tile, core_row(k), bit)] = dev::narrowed<std::int32_t>(level + 1 + step_of(r, k, bit));
  }
}

/// Returns the last step in which this lane saw a cell reached, plus the level; without one the level itself.
HW_DEVICE u32 deepest_level(const Rows& r, u32 level) {
  u32 best = level;
  HW_UNROLL for (u32 k = 0; k < lane_rows; ++k) {
    u32 cells = fresh_cells(r, k), step = 0;
    if (!cells) continue;
    HW_UNROLL for (u32 b = 4; b-- > 0;) {
      const u32 with = cells & middle(r.step[b][k]);
      if (with) cells = with, step |= 1u << b;
    }
    best = best > level + 1 + step ? best : level + 1 + step;
  }
  return best;
}

/// Advances one tile by one window, from the state of this window to that of the next. Returns the cells that this lane
/// found.
template <bool Thin, bool Layered>
HW_DEVICE u32 step_tile(const TileMap& g, const Wave& s, const WaveBlock& c, u32 tile, u32 window) {
  const u32 level = level_of<Layered>(window);
  const bool core_lane = is_core_lane();
  // Read early: whether the tile that this lane may have to wake has free cells.
  const u32 lane = dev::lane();
  bool alive = false;
  u32 other = tile;
  if (lane < 9) {
    other = tile + (lane / 3 - 1) * g.row_tiles + lane % 3 - 1;
    alive = dev::read_only(&g.alive[other]) != 0;
  }
  u32 wanted[lane_rows] = {};
  HW_UNROLL for (u32 k = 0; k < lane_rows; ++k) if (core_lane) wanted[k] =
      dev::read_only(&s.targets[tile * u64{core} + core_row(k)]);
  Rows r;
  advance<Layered>(g, state_of(s, window & 1), tile, r);
  u64* const next_state = state_of(s, 1 - (window & 1));
  u32 found = 0, hits[lane_rows] = {};
  bool touched = false, front = false, hit = false;
  HW_UNROLL for (u32 k = 0; k < lane_rows; ++k) {
    if (!core_lane) continue;
    const u64 at = tile * u64{core} + core_row(k);
    const u32 fresh = fresh_cells(r, k), f = middle(r.front[k]);
    next_state[at] = OpenCells::put(middle(r.open[k])) | FrontCells::put(f);
    if (fresh) {
      const u32 code = Layered ? level : 0;
      const u32 lower = middle(r.step[0][k]) | (code & 1 ? ~0u : 0u), upper = middle(r.step[1][k]) | (code & 2 ? ~0u : 0u);
      dev::fetch_or(&s.codes[at],
                    LowerBits::put(lower & fresh) |
                        UpperBits::put(upper & fresh));  // only the owner writes it: an atomic or needs no wait
    }
    found += static_cast<u32>(dev::popcount(fresh));
    touched |= (fresh | r.front_before[k]) != 0;
    front |= f != 0;
    hits[k] = fresh & wanted[k];
    hit |= hits[k] != 0;
  }
  const LaneMask all = dev::all_lanes;
  const bool keep = dev::any(all, touched), goes_on = dev::any(all, front);
  // A tile without changes is now the same in both states and may rest; its neighbours decide for themselves.
  const u32 set = goes_on ? neighbors_reached(r, keep) : keep ? 1u << 4 : 0u;
  if (lane < 9 && alive && set >> lane & 1) flag_tile<Thin>(g, s, c, other, 1 - (window & 1));
  if (Layered && goes_on && lane < 2) {
    const u32 layer = tile / g.plane_tiles;
    const bool there = lane == 0 ? layer > 0 : layer + 1 < g.layers;
    other = lane == 0 ? tile - g.plane_tiles : tile + g.plane_tiles;
    if (there && dev::read_only(&g.alive[other])) flag_tile<Thin>(g, s, c, other, 1 - (window & 1));
  }
  if (hit) report_hits<Thin, Layered>(g, s, c, r, tile, window, hits);
  if (touched && !goes_on) dev::fetch_max(&c.storage->deepest, deepest_level(r, level));
  if (s.level && core_lane) write_levels(g, s, r, tile, level);
  return found;
}

/// Turns the block's flags into its list, and clears them: they are set again only for the window after the next.
template <bool Thin>
HW_DEVICE void gather(const Wave& s, const WaveBlock& c, u32 parity) {
  u32* flags = flags_of<Thin>(s, c, c.rank, parity);
  unsigned short* list = c.list + parity * c.capacity;
  for (u32 w = dev::thread(); w < c.words; w += dev::block_size()) {
    u32 word = dev::load(&flags[w]);
    if (!word) continue;
    dev::store(&flags[w], 0u);
    u32 slot = dev::fetch_add(&c.storage->count[parity], static_cast<u32>(dev::popcount(word)));
    HW_CHECK(slot + static_cast<u32>(dev::popcount(word)) <= c.capacity);
    for (; word; word &= word - 1)
      list[slot++] = dev::narrowed<unsigned short>(w * 32 + static_cast<u32>(dev::find_first_set(word)) - 1);
  }
}

/// Copies flags from global memory, where the wide shape keeps them, to the cluster's own memory.
HW_DEVICE void take_over(const TileMap& g, const Wave& s, const WaveBlock& c, u32 parity) {
  const u32 wide_words = ((1u << g.position_bits >> s.wide_bits) + 31) / 32;
  for (u32 i = dev::thread(); i < 2 * c.words; i += dev::block_size()) c.flags[i] = 0;
  dev::sync_block();
  for (u32 i = dev::thread(); i < wide_words << s.wide_bits; i += dev::block_size()) {
    const u32 owner = i / wide_words;
    for (u32 left = dev::load(&pending_of(s, parity)[i]); left; left &= left - 1) {
      const u32 local = i % wide_words * 32 + static_cast<u32>(dev::find_first_set(left)) - 1;
      const u32 position = local << s.wide_bits | owner;
      if (owner_of(position, c.bits) == c.rank)
        dev::fetch_or(&c.flags[parity * c.words + (position >> c.bits) / 32], 1u << (position >> c.bits) % 32);
    }
  }
  dev::sync_cluster();
  for (u32 i = c.rank * dev::block_size() + dev::thread(); i < wide_words << s.wide_bits; i += dev::block_size() << c.bits)
    dev::store(&pending_of(s, parity)[i], 0u);
}

/// Writes the list back to global memory, for the launch that continues.
HW_DEVICE void hand_over(const TileMap& g, const Wave& s, const WaveBlock& c, u32 parity) {
  const u32 wide_words = ((1u << g.position_bits >> s.wide_bits) + 31) / 32;
  for (u32 i = dev::thread(); i < c.storage->count[parity]; i += dev::block_size()) {
    const u32 position = static_cast<u32>(c.list[parity * c.capacity + i]) << c.bits | c.rank;
    const u32 local = position >> s.wide_bits;
    dev::fetch_or(&pending_of(s, parity)[owner_of(position, s.wide_bits) * wide_words + local / 32], 1u << local % 32);
  }
}

/// Sums a finished window over the cluster, for the next one: done by the last warp, while others work.
HW_DEVICE void sum_counts(const WaveBlock& c, u32 window) {
  if (dev::warp() != dev::warps() - 1) return;
  const u32 part =
      dev::lane() < 1u << c.bits ? dev::load(dev::cluster_map(&c.storage->counts[(window - 1) & 3], dev::lane())) : 0;
  const u32 sum = dev::reduce_add(dev::all_lanes, part);
  if (dev::lane() == 0) c.storage->before[(window + 1) & 1] = sum;
}

enum class End : u32 { found, exhausted, later };

/// Runs all windows of this launch. `mine`: cells that this lane found; after a hit without those beyond its level.
template <bool Thin, bool Layered>
HW_DEVICE End run_windows(const TileMap& g, const Wave& s, const WaveBlock& c, u32 first, u32& window, u64& mine, u64& tasks) {
  u64 before_window = 0;
  u32 calm = 0;
  for (window = first;; ++window) {
    if (Thin)
      dev::sync_cluster();
    else
      dev::sync_grid();
    const u32 parity = window & 1, done = window - first;
    if (!Thin && dev::thread() == 0) {
      c.storage->hit = dev::load(&s.control->hit);
      c.storage->before[parity] = dev::load(&s.control->totals[(window - 1) & 3]);
      if (c.rank == 0) dev::store(&s.control->totals[(window + 2) & 3], 0u);
    }
    gather<Thin>(s, c, parity);
    dev::sync_block();
    const u32 count = c.storage->count[parity], seen = Thin ? 2 : 1, before = done >= seen ? c.storage->before[parity] : 1;
    // Faster blocks may have reached a target in this window already; this is seen after the next barrier.
    const u32 halt = Thin ? dev::load(&c.storage->halt) : 0;
    if (Thin ? halt != 0 && halt <= window : HitLevel::get(c.storage->hit) <= level_of<Layered>(window)) {
      const u64 hit = dev::load(&s.control->hit);
      const u32 limit = static_cast<u32>(HitLevel::get(hit)) - level_of<Layered>(window - 1);
      mine = before_window;
      for (u32 i = dev::warp(); i < c.storage->count[1 - parity]; i += dev::warps()) {
        Rows r;
        advance<Layered>(g, state_of(s, 1 - parity), tile_at(g, c.rank, c.list[(1 - parity) * c.capacity + i], c.bits), r);
        mine += count_cells(r, limit);
      }
      return End::found;
    }
    if (before == 0) return End::exhausted;
    if (done >= seen) calm = (Thin ? before > s.leave : before < s.leave) ? calm + 1 : 0;
    if (done >= s.max_windows || calm > s.patience) {
      hand_over(g, s, c, parity);
      return End::later;
    }
    before_window = mine;
    for (u32 i = dev::warp(); i < count; i += dev::warps())
      mine += step_tile<Thin, Layered>(g, s, c, tile_at(g, c.rank, c.list[parity * c.capacity + i], c.bits), window);
    if (Thin && done >= 1) sum_counts(c, window);
    if (dev::thread() == 0) {
      // The other list was needed up to here, in case of a hit.
      c.storage->count[1 - parity] = 0;
      c.storage->counts[window & 3] = count;
      if (!Thin && count) dev::fetch_add(&s.control->totals[window & 3], count);
      tasks += count;
    }
  }
}

template <bool Thin, bool Layered>
HW_KERNEL void HW_BOUNDS(512, 1) wave(TileMap g, Wave s, u32 bits) {
  HW_SHARED_PARTS(u32, memory);
  HW_SHARED(WaveStorage, storage, 1);
  HW_CHECK(dev::block_size() <= 512);
  WaveBlock c;
  c.storage = storage;
  c.rank = Thin ? dev::cluster_rank() : dev::block();
  c.bits = bits;
  c.capacity = g.position_bits > bits ? 1u << (g.position_bits - bits) : 1;
  c.words = (c.capacity + 31) / 32;
  c.flags = dev::shared_part(memory, Thin ? 2 * c.words : 0);
  c.list = dev::shared_part(reinterpret_cast<unsigned short*>(memory + (Thin ? 2 * c.words : 0)), 2 * c.capacity);
  const u32 first = dev::load(&s.control->window);
  if (dev::thread() == 0) *storage = {};
  dev::sync_block();
  if (Thin) take_over(g, s, c, first & 1);
  u32 window = first;
  u64 mine = 0, tasks = 0;
  const End end = run_windows<Thin, Layered>(g, s, c, first, window, mine, tasks);
  const u64 sum = dev::reduce_add(dev::all_lanes, mine);
  if (dev::lane() == 0 && sum) dev::fetch_add(&storage->reached, sum);
  dev::sync_block();
  if (dev::thread() == 0) {
    if (storage->reached) dev::fetch_add(&s.control->reached, storage->reached);
    if (storage->deepest) dev::fetch_max(&s.control->deepest, storage->deepest);
    if (tasks) dev::fetch_add(&s.control->tasks, tasks);
    if (c.rank == 0) {
      s.control->window = window;
      s.control->done = end != End::later;
    }
  }
  if (Thin) dev::sync_cluster();  // no block exits while others may still read its counts
}

}  // namespace hopwave::HW_MACHINE::grids
