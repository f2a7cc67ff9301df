// Is the answer right that a partitioned search of a symmetric graph has left? Graph500's five rules and exact distances, as
// validate() has them, each row at the device that has it. Levels of all ids are copied first: they are looked up arc by arc.
#pragma once

#include "bfs/engine/partitioned/deal.h"

namespace hopwave::HW_MACHINE::engine::partitioned {

enum class Rule500 : u32 {
  source_distance,
  distance_range,
  no_parent,
  parent_range,
  tree_levels,
  spanning,
  edge_levels,
  tree_edge
};

/// The sums of one device, and its first failure: the row and the rule in one word, so that the least is the first.
struct Checked {
  u64 reached, arcs, first_failure;
  u32 depth, unused;
};
using FailedRule = dev::Field<0, 8>;
using FailedRow = dev::Field<8, 32>;
using FailedPass = dev::Field<40, 24>;

HW_DEVICE void fails(Checked* checked, u32 pass, u64 row, Rule500 rule) {
  dev::fetch_min(&checked->first_failure,
                 FailedPass::put(pass) | FailedRow::put(row) | FailedRule::put(static_cast<u32>(rule)));
}

/// Levels of all ids, by id.
HW_HEADER_KERNEL void copy_levels(Dealing d, Answers from, Distance* level) {
  for (u32 k = 1; k <= d.devices; ++k) {  // not all from the same device at once
    const u32 p = (d.mine + k) % d.devices, rows = (d.num_dealt + d.devices - 1 - p) / d.devices;
    for (u64 row = dev::global_thread(); row < rows; row += dev::global_threads())
      dev::plain_write(&level[d.first[p] + row], dev::load_peer(&from.distance[p][row]));
  }
}

/// One device's rows, levels of all ids, and what is found.
template <class Offset>
struct Checking {
  const Offset* offsets;
  const u32* neighbors;
  u32 rows, ids, source;  ///< the source's id
  u64 arcs;
  const Distance* level;
  const u32* parent;
  Byte* proved;
  Checked* checked;
};

/// Rows by themselves. `proved` is set to zero.
template <class Offset>
HW_KERNEL void check_vertices(Dealing d, Checking<Offset> c) {
  u64 reached = 0, arcs = 0;
  u32 depth = 0;
  for (u64 row = dev::global_thread(); row < c.rows; row += dev::global_threads()) {
    const u32 id = d.first[d.mine] + static_cast<u32>(row), by = dev::plain_read(&c.parent[row]);
    const Distance at = dev::plain_read(&c.level[id]);
    dev::plain_write(&c.proved[row], Byte{0});
    if ((id == c.source) != (at == 0)) fails(c.checked, 0, row, Rule500::source_distance);
    if (at < unreached || (at >= 0 && static_cast<u32>(at) >= c.ids)) fails(c.checked, 0, row, Rule500::distance_range);
    if (at <= 0) {
      if (by != no_vertex) fails(c.checked, 0, row, Rule500::no_parent);
    } else if (by >= c.ids) {
      fails(c.checked, 0, row, Rule500::parent_range);
    } else if (dev::plain_read(&c.level[by]) != at - 1) {
      fails(c.checked, 0, row, Rule500::tree_levels);
    }
    if (at < 0) continue;
    ++reached;
    arcs += dev::read_only(&c.offsets[row + 1]) - dev::read_only(&c.offsets[row]);
    depth = static_cast<u32>(at) > depth ? static_cast<u32>(at) : depth;
  }
  reached = dev::reduce_add(dev::all_lanes, reached);
  arcs = dev::reduce_add(dev::all_lanes, arcs);
  if (dev::lane() == 0 && reached) {
    dev::fetch_add(&c.checked->reached, reached);
    dev::fetch_add(&c.checked->arcs, arcs);
  }
  if (depth > dev::load(&c.checked->depth)) dev::fetch_max(&c.checked->depth, depth);
}

/// Rows by their arcs, shared out evenly over all warps: none may lead out of what was reached, or down by more than a level,
/// and one of them must lead to the parent.
template <class Offset>
HW_KERNEL void check_arcs(Dealing d, Checking<Offset> c) {
  const auto before = [&](u32 row) { return u64{dev::read_only(&c.offsets[row])}; };
  const u64 warps = dev::global_threads() / dev::lanes;
  for (u64 begin = dev::global_thread() / dev::lanes * arcs_a_chunk; begin < c.arcs; begin += warps * arcs_a_chunk) {
    u32 row = dev::last_at_most(c.rows, begin, before);
    for (u32 k = 0; k < strips_a_chunk; ++k) {
      const u64 i = begin + u64{k} * dev::lanes + dev::lane();
      if (i >= c.arcs) break;
      row = dev::last_at_most_from(row, c.rows, i, before);
      const Distance at = dev::plain_read(&c.level[d.first[d.mine] + row]);
      if (at < 0) continue;
      const u32 neighbor = dev::read_only(&c.neighbors[i]);
      const Distance there = dev::plain_read(&c.level[neighbor]);
      if (there < 0)
        fails(c.checked, 1, row, Rule500::spanning);
      else if (there - 1 > at)
        fails(c.checked, 1, row, Rule500::edge_levels);
      if (neighbor == dev::plain_read(&c.parent[row])) dev::store(&c.proved[row], Byte{1});
    }
  }
}

HW_HEADER_KERNEL void check_proved(u32 rows, const u32* parent, const Byte* proved, Checked* checked) {
  for (u64 row = dev::global_thread(); row < rows; row += dev::global_threads())
    if (dev::plain_read(&parent[row]) != no_vertex && !dev::plain_read(&proved[row]))
      fails(checked, 2, row, Rule500::tree_edge);
}

}  // namespace hopwave::HW_MACHINE::engine::partitioned
