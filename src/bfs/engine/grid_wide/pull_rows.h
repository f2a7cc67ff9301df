// How a pull reads rows: one lane at first, then eight lanes, four neighbours a read.
// Source: Beamer, Asanović, Patterson (SC'12) for ending a row at the first visited neighbour. Ours differs: several reads in
// flight a lane, and teams for what is left.
#pragma once

#include "bfs/engine/grid_wide/push.h"
#include "bfs/plan/thresholds.h"

namespace hopwave::HW_MACHINE::engine::grid_wide {

/// The visited bitmap from before the step, in which neighbours are looked up. Plain: of a graph that is not prepared.
template <bool Plain>
struct Before {
  static constexpr bool plain = Plain;
  const Word* words;
  HW_DEVICE Word word(u32 v) const { return dev::plain_read(&words[v / word_bits]); }
  HW_DEVICE bool has(u32 v) const { return word(v) >> (v % word_bits) & 1; }
};

/// The neighbours of all vertices: an array, and how long it is.
struct Neighbors {
  const u32* all;
  u64 count;
};

/// Looks up those of four neighbours, read from `first` on, that lie in [at, stop). All four bits are loaded before the first
/// is used: one after the other would wait four times.
template <class Bits>
HW_DEVICE bool probe_at(const dev::Quad& q, u64 first, u64 at, u64 stop, const Bits& before, u32& parent) {
  const u32 x[4] = {q.x, q.y, q.z, q.w};
  Word word[4];
  HW_UNROLL
  for (u32 j = 0; j < 4; ++j) word[j] = first + j >= at && first + j < stop ? before.word(x[j]) : 0;
  bool seen = false;
  HW_UNROLL
  for (u32 j = 0; j < 4; ++j) {
    const bool has = word[j] >> (x[j] % word_bits) & 1;
    if (has && !seen) parent = x[j];
    seen |= has;
  }
  return seen;
}

/// One lane looks at the next neighbours, four at a time. True: found, and `parent` says where.
template <class Offset, class Bits>
HW_DEVICE bool probe_short_row(const Neighbors& neighbors, RowRest<Offset>& row, const Bits& before, u32& parent) {
  for (u32 k = 0; k < thresholds::AnyDevice::near_quads && row.at < row.end; ++k) {
    const Offset first = row.at / 4 * 4;
    if (probe_at(read_quad(neighbors.all, first, neighbors.count), first, row.at, row.end, before, parent)) return true;
    row.at = row.end - first < 4 ? row.end : first + 4;
  }
  return false;
}

inline constexpr u32 team = 8;  ///< lanes that look at one row together

/// Teams look at a row each; whole warps call, teams without a row bring an empty one. Returns, in every lane of the team,
/// whether it was found, and where.
template <class Offset, class Bits>
HW_DEVICE bool probe_together(const Neighbors& neighbors, const RowRest<Offset>& row, const Bits& before, u32& parent) {
  const u32 member = dev::lane() % team, leader = dev::lane() - member;
  bool found = false;
  Offset at = row.at;
  const Offset end = row.end;
  while (dev::any(dev::all_lanes, !found && at < end)) {
    constexpr u32 in_flight = 2;
    const Offset base = at / 4 * 4;
    dev::Quad q[in_flight];
    bool has[in_flight], seen = false;
    u32 where = 0;
    HW_UNROLL
    for (u32 j = 0; j < in_flight; ++j) {
      has[j] = !found && at < end && 4 * (j * team + member) < end - base;
      if (has[j]) q[j] = read_quad(neighbors.all, base + 4ull * (j * team + member), neighbors.count);
    }
    HW_UNROLL
    for (u32 j = 0; j < in_flight; ++j) {
      if (has[j] && !seen) seen = probe_at(q[j], base + 4ull * (j * team + member), at, end, before, where);
    }
    const dev::LaneMask mine = dev::ballot(dev::all_lanes, seen) >> leader & ((dev::LaneMask{1} << team) - 1);
    const u32 from =
        dev::shuffle(dev::all_lanes, where, mine ? leader + static_cast<u32>(dev::find_first_set(mine)) - 1 : dev::lane());
    if (mine && !found) {
      found = true;
      parent = from;
    }
    at = end - base < 4 * team * in_flight ? end : base + 4 * team * in_flight;
  }
  return found;
}

/// The warp looks at the rows of the lanes in `remaining`, as many rows at a time as there are teams. Sets `hit` and `parent`
/// in a row's lane.
template <class Offset, class Bits>
HW_DEVICE void probe_long_row(const Neighbors& neighbors, dev::LaneMask remaining, const RowRest<Offset>& own,
                              const Bits& before, bool& hit, u32& parent) {
  constexpr u32 teams = dev::lanes / team;
  while (remaining) {
    u32 owner = dev::lanes;  // of this lane's team: the team-th row that is left
    dev::LaneMask left = remaining;
    HW_UNROLL
    for (u32 t = 0; t < teams; ++t) {
      if (left && dev::lane() / team == t) owner = static_cast<u32>(dev::find_first_set(left)) - 1;
      if (left) left &= left - 1;
    }
    const u32 from = owner < dev::lanes ? owner : dev::lane();
    RowRest<Offset> row{dev::shuffle(dev::all_lanes, own.at, from), dev::shuffle(dev::all_lanes, own.end, from)};
    if (owner == dev::lanes) row = {0, 0};
    u32 where = 0;
    const bool found = probe_together(neighbors, row, before, where);
    HW_UNROLL
    for (u32 t = 0; t < teams; ++t) {
      const u32 whose = dev::shuffle(dev::all_lanes, owner, t * team);
      const bool yes = dev::shuffle(dev::all_lanes, static_cast<u32>(found), t * team) != 0;
      const u32 who = dev::shuffle(dev::all_lanes, where, t * team);
      if (yes && whose == dev::lane()) {
        hit = true;
        parent = who;
      }
    }
    remaining = left;
  }
}

/// What a look at a row has shown.
template <class Offset>
struct Probed {
  bool hit;
  u32 parent;
  Offset length;  ///< of the row
};
/// Looks at the rows of the lanes that are `open`, from the `skip`-th neighbour on; if that is 0, from the row's second quad
/// on.
template <class Offset, class Bits>
HW_DEVICE Probed<Offset> probe(const Graph<Offset>& g, bool open, u32 v, u32 skip, const Bits& before) {
  const Neighbors neighbors{g.in_neighbors, g.num_arcs};
  RowRest<Offset> row{0, 0};
  Probed<Offset> seen{false, 0, 0};
  if (open) {
    const Offset begin = dev::read_only(&g.in_offsets[v]);
    row.end = dev::read_only(&g.in_offsets[v + 1ull]);
    seen.length = row.end - begin;
    row.at = skip ? begin + skip : begin / 4 * 4 + 4;
    seen.hit = probe_short_row(neighbors, row, before, seen.parent);
  }
  dev::sync_warp();
  const bool more = open && !seen.hit && row.at < row.end;
  const dev::LaneMask remaining = dev::ballot(dev::all_lanes, more);
  if (remaining) probe_long_row(neighbors, remaining, row, before, seen.hit, seen.parent);
  return seen;
}

}  // namespace hopwave::HW_MACHINE::engine::grid_wide
