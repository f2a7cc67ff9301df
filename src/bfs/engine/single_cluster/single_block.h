// Levels of a few edges, which every block of the single-cluster traversal takes for itself: all find the same, so they need no
// messages and no barrier of the cluster. Such a level costs two dependent reads and the block's own barriers.
#pragma once

#include "bfs/engine/single_cluster/pull.h"
#include "bfs/engine/single_cluster/push.h"
#include "bfs/plan/thresholds.h"

namespace hopwave::HW_MACHINE::engine::single_cluster {

/// A vertex of a frontier that every block has.
struct Queued {
  u32 place;
  Row row;
};
/// Adds a vertex to the next frontier, in every block; its owner also lists it and writes its level.
template <bool partitioned>
HW_DEVICE void queue_alone(const Graph& g, const State& s, const Work& c, u32 at, const Queued& one, u32 level) {
  Storage& storage = *c.storage;
  if (at < thresholds::AnyDevice::cluster_most_alone) {  // a larger frontier is not taken alone
    const u32 half = (c.at.alone + 1) % 2 * thresholds::AnyDevice::cluster_most_alone;
    storage.rows[half + at] = one.row;
    storage.places[half + at] = one.place;
  }
  const u32 local = one.place - c.rank * g.partition.slice;
  if (local >= g.partition.slice) return;
  HW_CHECK(!has(c.bits.before, one.place));  // Holds 2, 3
  write_level<partitioned>(g, s, c, local, level);
  const u32 own = dev::fetch_add(&storage.alone[(c.at.alone + 1) % 3].own, 1u);
  HW_CHECK(own < c.bits.words * word_bits);
  c.lists.list()[own] = dev::narrowed<std::uint16_t>(local);
}

/// Claims four neighbours of one row, loaded together; returns how many arcs the new ones have. What is found is set only in
/// the bits after the last step of all blocks; the bits before it are sent again in the next one.
template <bool partitioned>
HW_DEVICE u32 claim_alone(const Graph& g, const State& s, const Work& c, const Quad& to, u32 level, u32 from) {
  const u32 place[4] = {to.x, to.y, to.z, to.w};
  bool won[4];
  u32 count = 0;
  HW_UNROLL
  for (u32 k = 0; k < 4; ++k)
    won[k] = place[k] != g.partition.nowhere() && !(dev::peek(&c.bits.after[place[k] / word_bits]) & bit_of(place[k]));
  if (!(won[0] || won[1] || won[2] || won[3])) return 0;
  HW_UNROLL
  for (u32 k = 0; k < 4; ++k) {
    const Word bit = won[k] ? bit_of(place[k]) : 0;
    won[k] = bit & ~dev::fetch_or(&c.bits.after[place[k] / word_bits], bit);
  }
  Row row[4];
  HW_UNROLL
  for (u32 k = 0; k < 4; ++k) {
    if (!won[k]) continue;
    const u32 owner = g.partition.owner(place[k]);
    row[k] = row_along<partitioned>(g, owner, place[k] - owner * g.partition.slice);
    ++count;
  }
  if (!count) return 0;
  u32 at = dev::fetch_add(&c.storage->alone[(c.at.alone + 1) % 3].found, count), edges = 0;
  HW_UNROLL
  for (u32 k = 0; k < 4; ++k) {
    if (!won[k]) continue;
    if (s.parent) dev::store(&s.parent[place[k]], from);
    queue_alone<partitioned>(g, s, c, at++, {place[k], row[k]}, level);
    edges += row[k].degree();
  }
  return edges;
}

/// After a step of all blocks: every block makes what it found the frontier.
template <bool partitioned>
HW_DEVICE void collect_alone(const Graph& g, const Work& c) {
  Storage& storage = *c.storage;
  Alone& now = storage.alone[c.at.alone % 3];
  if (dev::thread() == 0) now = storage.alone[(c.at.alone + 1) % 3] = {};
  dev::sync_block();
  const u32 first = c.at.alone % 2 * thresholds::AnyDevice::cluster_most_alone,
            quads = c.bits.words * c.blocks * u32{sizeof(Word)} / 16;
  for (u32 q = dev::thread(); q < quads; q += dev::block_size()) {
    const Quad a = reinterpret_cast<const Quad*>(c.bits.after)[q], b = reinterpret_cast<const Quad*>(c.bits.before)[q];
    const u32 words[4] = {a.x & ~b.x, a.y & ~b.y, a.z & ~b.z, a.w & ~b.w};
    if (!(words[0] | words[1] | words[2] | words[3])) continue;
    HW_UNROLL
    for (u32 k = 0; k < 4; ++k)
      for (u32 fresh = words[k]; fresh; fresh &= fresh - 1)
        storage.places[first + dev::fetch_add(&now.found, 1u)] =
            q * 128 + k * 32 + static_cast<u32>(dev::find_first_set(fresh)) - 1;
  }
  dev::sync_block();
  HW_CHECK(now.found <= thresholds::AnyDevice::cluster_most_alone && now.found <= dev::block_size());
  if (dev::thread() < now.found) {  // it has at most as many as the block has threads
    const u32 place = storage.places[first + dev::thread()], owner = g.partition.owner(place);
    storage.rows[first + dev::thread()] = row_along<partitioned>(g, owner, place - owner * g.partition.slice);
  }
  dev::sync_block();
}

/// One level from a frontier of `size`.
template <bool partitioned>
HW_DEVICE Total step_alone(const Graph& g, const State& s, Work& c, u32 size, u32 level) {
  Storage& storage = *c.storage;
  const u32 now = c.at.alone % 2 * thresholds::AnyDevice::cluster_most_alone;
  const Row* rows = storage.rows + now;
  const u32 own = dev::thread() < size ? rows[dev::thread()].last_quad() - rows[dev::thread()].first_quad() : 0;
  const u32 total = share_quads(c, own);
  bool first = true;
  u32 edges = 0;
  for (u32 x0 = dev::warp() * dev::lanes; first || x0 < total; x0 += dev::block_size()) {
    const u32 x = x0 + dev::lane();
    Quad to{g.partition.nowhere(), g.partition.nowhere(), g.partition.nowhere(), g.partition.nowhere()};
    u32 from = 0;
    if (x < total) {
      const u32 k = row_with(storage.before, size, x);
      const Row row = rows[k];
      from = storage.places[now + k];
      to = places_of<partitioned>(g, g.out, row, row.first_quad() + (x - storage.before[k]));
    }
    if (first) {
      await_rows(c);  // from here on no thread reads what the last level left
      if (dev::thread() == 0) storage.alone[(c.at.alone + 2) % 3] = {};
      first = false;
    }
    edges += claim_alone<partitioned>(g, s, c, to, level, from);
  }
  edges = dev::reduce_add(dev::all_lanes, edges);
  Alone& then = storage.alone[(c.at.alone + 1) % 3];
  if (edges && dev::lane() == 0) dev::fetch_add(&then.edges, edges);
  dev::sync_block();
  ++c.at.alone;
  return {then.found, then.edges};
}

}  // namespace hopwave::HW_MACHINE::engine::single_cluster
