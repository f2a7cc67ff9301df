// Graph500's graph without an edge list: each device draws the edges, some to count degrees, all to keep what is in its rows.
// Repeated edges stay, and a self-loop gives two arcs, so that the arcs of a component are twice its edges.
#pragma once

#include "bfs/engine/partitioned/deal.h"
#include "generate/rmat.h"

namespace hopwave::HW_MACHINE::engine::partitioned {

using generate_detail::Rmat;

/// Adds the ends of edges [from, to) to their vertices' degrees.
HW_HEADER_KERNEL void count_ends(Rmat draw, u64 from, u64 to, u32* degree) {
  for (u64 i = from + dev::global_thread(); i < to; i += dev::global_threads()) {
    const Edge e = draw(i);
    dev::fetch_add(&degree[e.source], 1u);
    dev::fetch_add(&degree[e.target], 1u);
  }
}

/// What each device has counted.
struct Counted {
  const u32* degree[most_devices];
};

/// Adds up what all devices have counted, and puts a 0 after it.
template <class Offset>
HW_KERNEL void add_counted(Counted counted, u32 devices, u32 num_vertices, Offset* degree) {
  for (u64 v = dev::global_thread(); v <= num_vertices; v += dev::global_threads()) {
    Offset sum = 0;
    for (u32 p = 0; p < devices && v < num_vertices; ++p) sum += dev::load_peer(&counted.degree[p][v]);
    dev::plain_write(&degree[v], sum);
  }
}

/// The same of own rows alone, and whose rows they are.
template <class Offset>
HW_KERNEL void add_own_counted(Dealing d, Counted counted, const u32* rank, u32 rows, Offset* degree, u32* name) {
  if (dev::global_thread() == 0) dev::plain_write(&degree[rows], Offset{0});
  for (u64 v = dev::global_thread(); v < d.num_vertices; v += dev::global_threads()) {
    const u32 r = dev::read_only(&rank[v]);
    if (!is_own(d, r)) continue;
    Offset sum = 0;
    for (u32 p = 0; p < d.devices; ++p) sum += dev::load_peer(&counted.degree[p][v]);
    dev::plain_write(&degree[r / d.devices], sum);
    dev::plain_write(&name[r / d.devices], static_cast<u32>(v));
  }
}

/// Offsets, counted from the first one.
template <class Offset>
HW_KERNEL void count_from(const Offset* offsets, u64 count, Offset* to) {
  for (u64 i = dev::global_thread(); i < count; i += dev::global_threads()) dev::plain_write(&to[i], offsets[i] - offsets[0]);
}

/// Own rows [first, end): where they begin in `rows`, and how many neighbours each has so far.
template <class Offset>
struct DrawnRows {
  u32 first, end;
  const Offset* place;
  u32 *filled, *rows;
};

/// All edges [from, to): ends that are in those rows go there, in any order.
template <class Offset>
HW_KERNEL void keep_drawn(Dealing d, Rmat draw, u64 from, u64 to, const u32* rank, DrawnRows<Offset> own) {
  const auto keep = [&](u32 of, u32 neighbor) {
    const u32 r = dev::read_only(&rank[of]);
    if (!is_own(d, r) || r / d.devices < own.first || r / d.devices >= own.end) return;
    const u32 row = r / d.devices - own.first;
    dev::plain_write(&own.rows[dev::read_only(&own.place[row]) + dev::fetch_add(&own.filled[row], 1u)], neighbor);
  };
  for (u64 i = from + dev::global_thread(); i < to; i += dev::global_threads()) {
    const Edge e = draw(i);
    keep(e.source, e.target);
    keep(e.target, e.source);
  }
}

}  // namespace hopwave::HW_MACHINE::engine::partitioned
