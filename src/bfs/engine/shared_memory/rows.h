// Graphs of low degree in one block's shared memory, where a level costs its chain of dependent instructions. Rows have a fixed
// width. Every warp writes what it finds to a place of its own, and all warps read from all places in turn. So a level has no
// counter to reserve places with, and no sum to wait for.
#pragma once

#include "bfs/engine/shared_memory/graph.h"

namespace hopwave::HW_MACHINE::engine::shared_memory {

inline constexpr u32 far_cell = ~0u;  ///< a level that was not found yet: as a Distance it is `unreached`

inline constexpr u32 most_search_warps = 32;  ///< warps that search

struct FixedStorage {
  u32 counts[2][most_search_warps];  ///< what each warp found, by turns
  u32 spilled[4];                    ///< what found no room; in turn
  u32 visited, target_found;
};

/// What a warp keeps from level to level.
struct FixedWork {
  const Id16* rows;
  u32* cells;
  Id16* found;  ///< every warp's two parts, by turns
  Id16* spill;
  FixedStorage* storage;
  u32 part;  ///< vertices that a warp's part holds
  u32 workers;
  u32 total;  ///< found by this warp in this level
  u32 spill_to;
};

/// Rows of `width` ids, filled up with the vertex itself; `share` lanes take one. `words`: a cell is a vertex's level;
/// otherwise a cell has a bit a vertex, and levels go to global memory at once.
template <u32 width_, u32 share, bool words>
struct FixedRows {
  static constexpr u32 width = width_;
  static constexpr bool in_words = words;
  static constexpr u32 each = width / share;
  static constexpr u32 slots = dev::lanes / share;  ///< vertices that a warp takes at a time

  static HW_DEVICE void split(u32 pair, u32& low, u32& high) {
    low = pair & 0xFFFF;
    high = pair >> 16;
  }
  static HW_DEVICE void read_ids(const Id16* row, u32 (&id)[each]) {
    if constexpr (each == 8) {
      const Quad q = *reinterpret_cast<const Quad*>(row);
      split(q.x, id[0], id[1]);
      split(q.y, id[2], id[3]);
      split(q.z, id[4], id[5]);
      split(q.w, id[6], id[7]);
    } else if constexpr (each == 4) {
      const u64 q = *reinterpret_cast<const u64*>(row);
      split(static_cast<u32>(q), id[0], id[1]);
      split(static_cast<u32>(q >> 32), id[2], id[3]);
    } else if constexpr (each == 2) {
      split(*reinterpret_cast<const u32*>(row), id[0], id[1]);
    } else {
      id[0] = *row;
    }
  }

  /// Each team of lanes claims the neighbours of one vertex; all lanes of the warp, those without a vertex idle.
  static HW_DEVICE void expand(const SharedMemoryShape& p, const SharedMemoryState& s, FixedWork& w, u32 v, bool there,
                               u32 level) {
    u32 id[each], old[each];
    HW_UNROLL
    for (u32 j = 0; j < each; ++j) id[j] = old[j] = 0;
    if (there) {
      read_ids(&w.rows[v * width + dev::lane() % share * each], id);
      HW_UNROLL
      for (u32 j = 0; j < each; ++j)
        old[j] = words ? dev::fetch_min(&w.cells[id[j]], level + 1)
                       : dev::fetch_or(&w.cells[id[j] >> p.cell_bits], 1u << (id[j] & ((1u << p.cell_bits) - 1)));
    }
    HW_UNROLL
    for (u32 j = 0; j < each; ++j) {
      const bool found = words ? old[j] == far_cell : there && !(old[j] >> (id[j] & ((1u << p.cell_bits) - 1)) & 1);
      const u32 at = dev::warp_append(w.total, found);
      if (found && at < w.part) next_part(w, level + 1)[at] = dev::narrowed<Id16>(id[j]);
      if (w.total > w.part && found && at >= w.part) spill(w, id[j], level);
      if (!words && found) {
        dev::plain_write(&s.level[folded(id[j])], static_cast<Distance>(level + 1));
        if (id[j] == s.target) dev::store(&w.storage->target_found, level + 2);
      }
    }
  }
  static HW_DEVICE Id16* next_part(const FixedWork& w, u32 level) {
    return w.found + ((level & 1) * (w.workers / dev::lanes) + dev::warp()) * w.part;
  }
  static HW_DEVICE void spill(const FixedWork& w, u32 id, u32 level) {
    w.spill[w.spill_to + dev::fetch_add(&w.storage->spilled[(level + 1) & 3], 1u)] = dev::narrowed<Id16>(id);
  }

  /// Levels until nothing is found, the depth is reached, or the target is found. Every warp takes some of each warp's finds.
  /// Returns how many levels there are.
  static HW_DEVICE u32 run_levels(const SharedMemoryShape& p, const SharedMemoryState& s, FixedWork& w) {
    const u32 scope = w.workers / dev::lanes, turns = slots / scope;  // of each warp's finds a warp takes so many at a time
    const u32 slot = dev::lane() / share, part = slot / turns, first = dev::warp() + scope * (slot % turns);
    const u32 limit = s.max_depth < 0 ? far_cell : static_cast<u32>(s.max_depth);
    u32 level = 0, spill_from = 0, visited = 0;
    for (;; ++level) {
      const Id16* const finds = w.found + ((level & 1) * scope + part) * w.part;
      const u32 here = w.storage->counts[level & 1][part], count = here < w.part ? here : w.part;
      u32 v = finds[first];  // not a vertex unless first < count
      w.spill_to = spill_from + w.storage->spilled[level & 3];
      // All warps see the same counts. Faster warps may have claimed the target for the next level already.
      if (!dev::any(dev::all_lanes, count != 0) && w.spill_to == spill_from) return over(w, visited, level ? level - 1 : 0);
      if (level >= limit) break;
      if (s.target != no_vertex) {
        const u32 target_found = dev::load(words ? &w.cells[s.target] : &w.storage->target_found);
        if (words ? target_found <= level : target_found && target_found <= level + 1) break;
      }
      if (dev::thread() == 0) w.storage->spilled[(level + 2) & 3] = 0;
      w.total = 0;
      for (u32 k = first; dev::any(dev::all_lanes, k < count); k += slots) {
        expand(p, s, w, v, k < count, level);
        if (k + slots < count) v = finds[k + slots];
      }
      for (u32 base = spill_from + dev::warp() * slots; base < w.spill_to; base += scope * slots) {
        const bool there = base + slot < w.spill_to;
        expand(p, s, w, there ? w.spill[base + slot] : 0, there, level);
      }
      spill_from = w.spill_to;
      visited += w.total;
      if (dev::lane() == 0) w.storage->counts[(level + 1) & 1][dev::warp()] = w.total;
      dev::sync_first(w.workers);
    }
    return over(w, visited, level);
  }
  static HW_DEVICE u32 over(const FixedWork& w, u32 visited, u32 levels) {
    if (dev::lane() == 0 && visited) dev::fetch_add(&w.storage->visited, visited);
    return levels;
  }

  static HW_DEVICE void from_csr(const SharedMemoryShape& p, const SharedMemorySource& from, Quad* memory) {
    u32* const rows = reinterpret_cast<u32*>(memory);
    for (u32 v = dev::thread(); v < p.padded; v += dev::block_size()) {
      const u32 self = folded(v), begin = v < p.num_vertices ? dev::read_only(&from.offsets[v]) : 0,
                end = v < p.num_vertices ? dev::read_only(&from.offsets[v + 1]) : 0;
      u32 id[width];
      HW_UNROLL
      for (u32 j = 0; j < width; ++j) id[j] = begin + j < end ? dev::read_only(&from.neighbors[begin + j]) : v;
      HW_UNROLL
      for (u32 j = 0; j < width; j += 2) rows[(self * width + j) / 2] = folded(id[j]) | folded(id[j + 1]) << 16;
    }
  }
};

template <class Rows>
HW_DEVICE void open_fixed(const SharedMemoryShape& p, const SharedMemorySource& from, const SharedMemoryState& s, Quad* memory,
                          FixedWork& w) {
  for (u32 i = dev::thread(); i < p.cell_words; i += dev::block_size()) w.cells[i] = Rows::in_words ? far_cell : 0;
  if (dev::thread() < 2 * most_search_warps)
    w.storage->counts[dev::thread() / most_search_warps][dev::thread() % most_search_warps] = 0;
  if (dev::thread() < 4) w.storage->spilled[dev::thread()] = 0;
  if (dev::thread() == 0) w.storage->visited = w.storage->target_found = 0;
  from.image ? copy_rows(from.image, p.row_quads, memory) : Rows::from_csr(p, from, memory);
  for (u32 v = dev::thread(); !Rows::in_words && v < p.num_vertices; v += dev::block_size())
    dev::plain_write(&s.level[v], unreached);
  dev::sync_block();
}

/// The sources go to the first warp's finds; one that is given twice is taken once.
template <class Rows>
HW_DEVICE void open_fixed_sources(const SharedMemoryShape& p, const SharedMemoryState& s, const FixedWork& w) {
  for (u32 i = dev::thread(); i < s.num_sources; i += w.workers) {
    const u32 caller = s.num_sources == 1 ? s.source : dev::read_only(&s.sources[i]), v = folded(caller);
    if (v == s.target) dev::store(&w.storage->target_found, 1u);
    const u32 bit = 1u << (v & ((1u << p.cell_bits) - 1));
    if (Rows::in_words ? dev::fetch_min(&w.cells[v], 0u) != far_cell : dev::fetch_or(&w.cells[v >> p.cell_bits], bit) & bit)
      continue;
    if (!Rows::in_words) dev::plain_write(&s.level[caller], 0);
    dev::fetch_add(&w.storage->visited, 1u);
    const u32 at = dev::fetch_add(&w.storage->counts[0][0], 1u);
    if (at < w.part)
      w.found[at] = dev::narrowed<Id16>(v);
    else
      w.spill[dev::fetch_add(&w.storage->spilled[0], 1u)] = dev::narrowed<Id16>(v);
  }
}

template <class Rows>
HW_KERNEL void HW_BOUNDS(1024, 1) shared_fixed(SharedMemoryShape p, SharedMemorySource from, SharedMemoryState s) {
  HW_CHECK(dev::block_size() <= 1024);
  HW_SHARED_PARTS(Quad, memory);
  HW_SHARED(FixedStorage, storage, 1);
  HW_SHARED(u32, levels, 1);
  u32* const cell_place = reinterpret_cast<u32*>(memory + p.row_quads);
  Id16* const found = reinterpret_cast<Id16*>(cell_place + p.cell_words);
  Quad* const rows = dev::shared_part(memory, p.row_quads);
  u32* const cells = dev::shared_part(cell_place, p.cell_words);
  const u32 scope = p.workers / dev::lanes, ids = 2 * scope * p.part;
  FixedWork w{reinterpret_cast<const Id16*>(rows),
              cells,
              dev::shared_part(found, ids),
              dev::shared_part(found + ids, p.padded),
              storage,
              p.part,
              p.workers,
              0,
              0};
  if (s.target != no_vertex) s.target = folded(s.target);
  open_fixed<Rows>(p, from, s, rows, w);
  if (dev::thread() < p.workers) {
    open_fixed_sources<Rows>(p, s, w);
    dev::sync_first(p.workers);
    const u32 level = Rows::run_levels(p, s, w);
    if (dev::thread() == 0) *levels = level;
  }
  dev::sync_block();
  if (dev::thread() == 0) report(s, storage->visited, *levels);
  for (u32 v = dev::thread(); Rows::in_words && v < p.num_vertices; v += dev::block_size())
    dev::plain_write(&s.level[v], static_cast<Distance>(cells[folded(v)]));
}

}  // namespace hopwave::HW_MACHINE::engine::shared_memory
