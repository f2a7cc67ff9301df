// The high-diameter traversal over plain CSR, for graphs that are not prepared. Queue entries say where rows are. Ids in the
// caller's order are partitioned in tiles, so that their locality is kept.
//
// Holds here, at the barrier of the cluster after level L:
// 1. Exactly the vertices at distance at most L have their bits, at their owners.
// 2. The queues of level L have exactly the vertices at distance L, each once: the thread that set the bit took the place.
#pragma once

#include "bfs/engine/high_diameter/cluster.h"

namespace hopwave::HW_MACHINE::engine::high_diameter {

template <class Offset>
struct CsrGraph {
  const Offset* offsets;
  const u32* neighbors;
  u32 num_vertices;
  u32 slice;  ///< vertices a block owns at most: a multiple of 32
  u32 owner_bits;
  u32 tile_bits;

  HW_DEVICE u32 owner(u32 v) const { return v >> tile_bits & ((1u << owner_bits) - 1); }
  HW_DEVICE u32 local(u32 v) const { return (v >> tile_bits >> owner_bits) << tile_bits | (v & ((1u << tile_bits) - 1)); }
  HW_DEVICE u64 vertex(u32 owner, u32 local) const {
    return (static_cast<u64>(local >> tile_bits) << owner_bits | owner) << tile_bits | (local & ((1u << tile_bits) - 1));
  }
};

/// An entry: begin (two words), degree, vertex.
template <class Offset>
HW_DEVICE Quad entry_of(const CsrGraph<Offset>& g, u32 v) {
  const u64 begin = dev::read_only(&g.offsets[v]), end = dev::read_only(&g.offsets[v + 1ull]);
  return {static_cast<u32>(begin), static_cast<u32>(begin >> 32), static_cast<u32>(end - begin), v};
}

template <class Offset>
HW_DEVICE void claim(const CsrGraph<Offset>& g, const HighDiameterState& s, const Cluster& c, u32 v, u32 level, u32 from) {
  const u32 owner = g.owner(v);
  if (!claim_bit(c, owner, g.local(v))) return;
  const u32 slot = take_slots(c, owner, level, 1);
  const Quad entry = entry_of(g, v);
  put_row(s, c, {owner, level, slot}, entry, v);
  dev::prefetch_far(&g.neighbors[entry.x | static_cast<u64>(entry.y) << 32]);
  dev::plain_write(&s.level[v], static_cast<Distance>(level));
  if (s.parent) dev::plain_write(&s.parent[v], from);
  stop_at_target(s, c, 1u << g.owner_bits, v, level);
}

template <class Offset>
HW_DEVICE Quad read_entry(const CsrGraph<Offset>& g, const HighDiameterState& s, const Cluster& c, u32 i, u32 level) {
  return i < s.queue_rows ? c.queue[(level & 1) * s.queue_rows + i]
                          : entry_of(g, static_cast<u32>(dev::plain_read(&spill_of(s, c.rank, level)[i - s.queue_rows])));
}

template <class Offset>
HW_DEVICE void expand(const CsrGraph<Offset>& g, const HighDiameterState& s, const Cluster& c, u32 count, u32 level) {
  for (u32 i = dev::thread(); i < count * 4; i += dev::block_size()) {
    const Quad entry = read_entry(g, s, c, i / 4, level);
    const u32* row = g.neighbors + (entry.x | static_cast<u64>(entry.y) << 32);
    for (u32 e = i % 4; e < entry.z; e += 4) claim(g, s, c, dev::read_only(&row[e]), level + 1, entry.w);
  }
}

template <class Offset>
HW_KERNEL void HW_BOUNDS(1024, 1) high_diameter_csr_traversal(CsrGraph<Offset> g, HighDiameterState s) {
  HW_CHECK(dev::block_size() <= 1024);
  HW_SHARED_PARTS(u32, memory);
  HW_SHARED(u32, counts, 4);
  HW_SHARED(u32, totals, 2);
  HW_SHARED(u32, halt, 1);
  const u32 visited_words = (g.slice / 32 + 3) / 4 * 4, owners = 1u << g.owner_bits;
  Cluster c{dev::cluster_rank(), dev::shared_part(memory, visited_words),
            dev::shared_part(reinterpret_cast<Quad*>(memory + visited_words), 2 * s.queue_rows), counts, halt};
  for (u32 w = dev::thread(); w < g.slice / 32; w += dev::block_size()) c.visited[w] = 0;
  if (dev::thread() < 4) counts[dev::thread()] = 0;
  if (dev::thread() == 0) *halt = 0;
  dev::sync_cluster();
  for (u32 i = dev::thread(); i < s.num_sources; i += dev::block_size()) {
    const u32 v = source_of(s, i);
    if (g.owner(v) == c.rank) claim(g, s, c, v, 0, no_vertex);
  }
  run_levels(g, s, c, owners, totals);
  for (u32 w = dev::thread(); w < g.slice / 32; w += dev::block_size()) {
    for (u32 open = ~c.visited[w]; open; open &= open - 1) {
      const u64 v = g.vertex(c.rank, w * 32 + static_cast<u32>(dev::find_first_set(open)) - 1);
      if (v >= g.num_vertices) continue;
      dev::plain_write(&s.level[v], unreached);
      if (s.parent) dev::plain_write(&s.parent[v], no_vertex);
    }
  }
}

}  // namespace hopwave::HW_MACHINE::engine::high_diameter
