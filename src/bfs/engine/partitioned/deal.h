// Dealing a graph out to the devices that search it: vertices in turn by falling degree, so that all have about as many hubs,
// as many arcs and as much of every frontier, and so that each row has the likeliest neighbours first. Vertices without arcs
// go to no device; of a directed graph all are dealt, for those without arcs out may have arcs in.
//
// A vertex's rank is its place in the order by falling degree (engine/relabel). Rank r belongs to device r % devices, and is
// its row r / devices; that device's rows have consecutive ids from first[device] on.
//
// Each device sees the whole graph pass by, and keeps what is its own: no device needs another's memory, and none holds more
// than its share, twice while rows are put in order, and a few numbers a vertex.
#pragma once

#include "bfs/engine/partitioned/state.h"
#include "device/primitives/search.h"

namespace hopwave::HW_MACHINE::engine::partitioned {

struct Dealing {
  u32 devices, mine;
  u32 num_vertices;         ///< of the whole graph
  u32 num_dealt;            ///< ranks below are dealt
  u32 first[most_devices];  ///< id of each device's first row
};

constexpr bool is_own(const Dealing& d, u32 rank) { return rank < d.num_dealt && rank % d.devices == d.mine; }
constexpr u32 id_of(const Dealing& d, u32 rank) { return d.first[rank % d.devices] + rank / d.devices; }

/// Degrees of the own rows and a 0 after them, from the whole graph's offsets; whose rows they are, if `name` is not null.
template <class Offset>
HW_KERNEL void own_degrees(Dealing d, const Offset* offsets, const u32* rank, u32 rows, Offset* degree, u32* name) {
  if (dev::global_thread() == 0) dev::plain_write(&degree[rows], Offset{0});
  for (u64 v = dev::global_thread(); v < d.num_vertices; v += dev::global_threads()) {
    const u32 r = dev::read_only(&rank[v]);
    if (!is_own(d, r)) continue;
    dev::plain_write(&degree[r / d.devices], dev::read_only(&offsets[v + 1]) - dev::read_only(&offsets[v]));
    if (name) dev::plain_write(&name[r / d.devices], static_cast<u32>(v));
  }
}

inline constexpr u32 strips_a_chunk = 32;
inline constexpr u64 arcs_a_chunk = u64{dev::lanes} * strips_a_chunk;  ///< that a warp takes before it looks for a row again

/// Arcs [from, to) of the whole graph.
struct GivenArcs {
  const u32* arcs;
  u64 from, to;
};

/// What of a piece is in own rows goes there. `place`: where own rows begin in `rows`.
template <class Offset>
HW_KERNEL void keep_own(Dealing d, const Offset* offsets, const u32* rank, GivenArcs piece, const Offset* place, u32* rows) {
  const auto before = [&](u32 v) { return u64{dev::read_only(&offsets[v])}; };
  const u64 warps = dev::global_threads() / dev::lanes;
  for (u64 begin = piece.from + dev::global_thread() / dev::lanes * arcs_a_chunk; begin < piece.to;
       begin += warps * arcs_a_chunk) {
    u32 v = dev::last_at_most(d.num_vertices, begin, before);
    for (u32 k = 0; k < strips_a_chunk; ++k) {
      const u64 i = begin + u64{k} * dev::lanes + dev::lane();
      if (i >= piece.to) break;
      v = dev::last_at_most_from(v, d.num_vertices, i, before);
      const u32 r = dev::read_only(&rank[v]);
      if (is_own(d, r)) dev::plain_write(&rows[place[r / d.devices] + (i - offsets[v])], piece.arcs[i - piece.from]);
    }
  }
}

/// 0, 1, 2, …
HW_HEADER_KERNEL void count_up(u32 count, u32* to) {
  for (u64 i = dev::global_thread(); i < count; i += dev::global_threads()) dev::plain_write(&to[i], static_cast<u32>(i));
}

/// Neighbours by rank become neighbours by id.
HW_HEADER_KERNEL void name_neighbors(Dealing d, u64 arcs, u32* neighbors) {
  for (u64 i = dev::global_thread(); i < arcs; i += dev::global_threads())
    dev::plain_write(&neighbors[i], id_of(d, dev::plain_read(&neighbors[i])));
}

/// The first neighbour of each row; | single where there is no other. Of an empty row its own vertex.
template <class Offset>
HW_KERNEL void find_firsts(const Offset* offsets, const u32* neighbors, u32 rows, u32 first_id, u32* first) {
  for (u64 row = dev::global_thread(); row < rows; row += dev::global_threads()) {
    const Offset begin = dev::read_only(&offsets[row]), size = dev::read_only(&offsets[row + 1]) - begin;
    const u32 neighbor = size ? dev::read_only(&neighbors[begin]) : first_id + static_cast<u32>(row);
    dev::plain_write(&first[row], neighbor | (size <= 1 ? single : 0));
  }
}

// ---- answers in the caller's order -------------------------------------------------------------------------------------

/// Where answers are: of each device's rows, in memory that all reach.
struct Answers {
  const Distance* distance[most_devices];
  const u32* parent[most_devices];  ///< ids
  const u32* name[most_devices];    ///< whose rows they are
};

/// Answers of a block of the caller's vertices, whose ranks are given. `parent` may be null.
HW_HEADER_KERNEL void put_back(Dealing d, Answers from, const u32* rank, u32 count, Distance* distance, u32* parent) {
  for (u64 k = dev::global_thread(); k < count; k += dev::global_threads()) {
    const u32 r = dev::read_only(&rank[k]);
    const u32 owner = r % d.devices, row = r / d.devices;
    const bool dealt = r < d.num_dealt;
    dev::plain_write(&distance[k], dealt ? dev::load_peer(&from.distance[owner][row]) : unreached);
    if (!parent) continue;
    u32 by = dealt ? dev::load_peer(&from.parent[owner][row]) : no_vertex;
    if (by != no_vertex) {
      u32 its_owner = d.devices - 1;
      while (by < d.first[its_owner]) --its_owner;
      by = dev::load_peer(&from.name[its_owner][by - d.first[its_owner]]);
    }
    dev::plain_write(&parent[k], by);
  }
}

}  // namespace hopwave::HW_MACHINE::engine::partitioned
