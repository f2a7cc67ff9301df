// Pulls of the single-cluster traversal: a block looks up its own vertices' neighbours in its copy of the bits. Rows that first
// neighbours and first quads do not settle go to teams of lanes.
#pragma once

#include "bfs/engine/single_cluster/work.h"
#include "bfs/plan/thresholds.h"

namespace hopwave::HW_MACHINE::engine::single_cluster {

inline constexpr u32 lane_quads = 2;  ///< of a row that one lane looks at, both at once
inline constexpr u32 team_lanes = 8;  ///< lanes that look at the rest of it

/// Is one of four places seen? Then `parent` gets it.
HW_DEVICE bool probe_places(const Word* seen, const Quad& q, u32& parent) {
  const bool x = has(seen, q.x), y = has(seen, q.y), z = has(seen, q.z), w = has(seen, q.w);
  if (x || y || z || w) parent = x ? q.x : y ? q.y : z ? q.z : q.w;
  return x || y || z || w;
}

template <bool partitioned>
HW_DEVICE void find_own(const Graph& g, const State& s, const Work& c, u32 local, u32 parent, Finds& finds) {
  HW_CHECK(has(c.bits.before, parent));  // Holds 1
  dev::fetch_or(&c.bits.fresh[local / word_bits], bit_of(local));
  if (s.parent) dev::store(&s.parent[c.rank * g.partition.slice + local], parent);
  settle<partitioned>(g, s, c, local, finds);
}

/// Teams of lanes look at rows after their first `lane_quads`, several teams at several rows; all lanes of a warp call. True in
/// the whole team if that finds the row's vertex; the caller settles it.
template <bool partitioned>
HW_DEVICE bool probe_tail(const Graph& g, const State& s, const Work& c, u32 local, const Row& row) {
  constexpr u32 team = team_lanes;
  const u32 member = dev::lane() % team, leader = dev::lane() - member;
  const dev::LaneMask mine = ((dev::LaneMask{1} << team) - 1) << leader;
  const Quad none{g.partition.nowhere(), g.partition.nowhere(), g.partition.nowhere(), g.partition.nowhere()};
  u32 q = row.first_quad() + lane_quads;
  const u32 end = row.last_quad();
  bool found = false;
  while (dev::any(dev::all_lanes, q < end)) {
    const u32 at = q + member;
    const Quad a = at < end ? places_of<partitioned>(g, g.in, row, at) : none;
    const Quad b = at + team < end ? places_of<partitioned>(g, g.in, row, at + team) : none;
    u32 parent = 0;
    const bool seen = probe_places(c.bits.before, a, parent) || probe_places(c.bits.before, b, parent);
    const dev::LaneMask who = dev::ballot(dev::all_lanes, seen) & mine;
    if (who) {
      if (s.parent && static_cast<u32>(dev::find_first_set(who)) - 1 == dev::lane())
        dev::store(&s.parent[c.rank * g.partition.slice + local], parent);
      found = true;
    }
    q = who ? end : q + 2 * team;
  }
  return found;
}

/// The own vertices of a warp's words that their first neighbours have not found: those of several arcs from the front of the
/// list, the others from its back.
struct Open {
  u32 several = 0, singles = 0;
};
/// Lists them in `left`, which has `room`; settles those that are found.
template <bool partitioned>
HW_DEVICE Open list_open(const Graph& g, const State& s, const Work& c, std::uint16_t* left, u32 room, Finds& finds) {
  Open all;
  const Lane lane = lane_of<partitioned>(g, s, c);
  const Word* before = c.bits.before + c.rank * c.bits.words;
  each_word(
      g, c, [&](u32 w) { return before[w]; }, ~Word{0},
      [&](Word word, u32 w) {
        const u32 local = w * word_bits + dev::lane();
        const bool open = !(word >> dev::lane() & 1);
        const u32 first_neighbor = partitioned && open ? c.own.first_neighbors[local] : single;
        const bool hit = partitioned && open && has(c.bits.before, first_neighbor & id_mask),
                   one = partitioned && open && !hit && (first_neighbor & single);
        if constexpr (partitioned) {
          const Word hits = which(hit);
          if (dev::lane() == 0) c.bits.fresh[w] = hits;
          if (hit) {
            if (s.parent) dev::store(&s.parent[c.rank * g.partition.slice + local], first_neighbor & id_mask);
            settle_in_word<partitioned>(g, c, lane, w, finds);
          }
          const Word ones = which(one);
          if (one) left[room - 1 - all.singles - dev::rank_in(ones)] = dev::narrowed<std::uint16_t>(local);
          all.singles += static_cast<u32>(dev::popcount(ones));
        }
        const Word remaining = which(open && !hit && !one);
        if (open && !hit && !one) left[all.several + dev::rank_in(remaining)] = dev::narrowed<std::uint16_t>(local);
        all.several += static_cast<u32>(dev::popcount(remaining));
      });
  dev::sync_warp();
  return all;
}

/// What one lane knows of an open vertex: found, or looked at in vain, or its row has quads left for a team.
enum class Probe : u32 { gone, open, more };

/// An open vertex, and the first quads of its row, whose loads are in flight.
struct StartOfRow {
  Probe probe;  ///< more: there are quads to look at
  u32 local;
  Quad a, b;
};

/// Loads the first quads of an open vertex's row, unless its first neighbour finds it. `listed`: that was not looked at yet.
template <bool partitioned>
HW_DEVICE StartOfRow request_start(const Graph& g, const State& s, const Work& c, u32 local, bool listed, Finds& finds) {
  StartOfRow row_start{Probe::gone, local, {}, {}};
  if (partitioned && listed) {
    const u32 first_neighbor = c.own.first_neighbors[local];
    if (has(c.bits.before, first_neighbor & id_mask)) {
      find_own<partitioned>(g, s, c, local, first_neighbor & id_mask, finds);
      return row_start;
    }
    row_start.probe = Probe::open;
    if (first_neighbor & single) return row_start;
  }
  const Row row = own_row<partitioned>(c, local);
  const u32 q = row.first_quad(), end = row.last_quad();
  row_start.probe = q < end ? Probe::more : Probe::open;
  if (q < end) row_start.a = quad_at<partitioned>(g.in, q);
  if (q + 1 < end) row_start.b = quad_at<partitioned>(g.in, q + 1);
  return row_start;
}

template <bool partitioned>
HW_DEVICE Probe probe_start(const Graph& g, const State& s, const Work& c, const StartOfRow& row_start, Finds& finds) {
  if (row_start.probe != Probe::more) return row_start.probe;
  const Row row = own_row<partitioned>(c, row_start.local);
  const u32 q = row.first_quad(), end = row.last_quad();
  u32 parent = 0;
  const bool hit = probe_places(c.bits.before, places_in<partitioned>(g, row, q, row_start.a), parent) ||
                   (q + 1 < end && probe_places(c.bits.before, places_in<partitioned>(g, row, q + 1, row_start.b), parent));
  if (hit) find_own<partitioned>(g, s, c, row_start.local, parent, finds);
  if (hit) return Probe::gone;
  return end - q <= lane_quads ? Probe::open : Probe::more;
}

/// Each lane of `more` has a vertex with more quads: teams look at them, several rows at a time. True in a lane whose vertex
/// stays open; the others settle theirs together.
template <bool partitioned>
HW_DEVICE bool probe_more(const Graph& g, const State& s, const Work& c, dev::LaneMask more, u32 local, Finds& finds) {
  constexpr u32 teams = dev::lanes / team_lanes;
  const u32 team = dev::lane() / team_lanes;
  const bool mine_too = more >> dev::lane() & 1;
  bool stays = false;
  while (more) {
    dev::LaneMask mine = more;
    for (u32 k = 0; k < team; ++k) mine &= mine - 1;
    const u32 whose = mine ? static_cast<u32>(dev::find_first_set(mine)) - 1 : 0;
    const u32 theirs = dev::shuffle(dev::all_lanes, local, whose);
    const Row row = mine ? own_row<partitioned>(c, theirs) : Row{0, 0};
    const bool found = probe_tail<partitioned>(g, s, c, theirs, row);
    const dev::LaneMask open = dev::ballot(dev::all_lanes, !found);
    const u32 turn = dev::rank_in(static_cast<Word>(more));
    if (more >> dev::lane() & 1 && turn < teams) stays = open >> (turn * team_lanes) & 1;
    for (u32 k = 0; k < teams; ++k) more &= more - 1;
  }
  if (mine_too && !stays) {
    dev::fetch_or(&c.bits.fresh[local / word_bits], bit_of(local));
    settle<partitioned>(g, s, c, local, finds);
  }
  return stays;
}

/// Appends the vertices that lanes keep to the list of open ones, which the next pull begins with.
HW_DEVICE void keep_open(const Work& c, u32 to, bool keeps, u32 local) {
  const Word who = which(keeps);
  if (!who) return;
  const u32 at = dev::warp_reserve(&c.storage->open[c.at.step & 1], static_cast<u32>(dev::popcount(who))) + dev::rank_in(who);
  HW_CHECK(!keeps || at < c.bits.words * word_bits);
  if (keeps) c.lists.places[to + at] = dev::narrowed<std::uint16_t>(local);
}

/// The first pull finds out which vertices are open, each warp in its own words; the next ones begin with those left, which
/// the whole block shares evenly.
template <bool partitioned>
HW_DEVICE void pull_own(const Graph& g, const State& s, Work& c, u32 level) {
  const u32 room = g.warp_words * word_bits;
  const bool listed = c.lists.listed != unlisted;
  u32 from = c.lists.list_at, to = c.lists.left_at;
  u32 count = c.lists.listed, first = dev::warp() * dev::lanes, stride = dev::block_size();
  Finds finds{level};
  if (!listed) {
    from = c.lists.left_at + dev::warp() * room;
    to = c.lists.list_at;
    const Open open = list_open<partitioned>(g, s, c, c.lists.places + from, room, finds);
    count = open.several;
    first = 0;
    stride = dev::lanes;
    for (u32 x0 = 0; x0 < open.singles; x0 += dev::lanes) {
      const bool keeps = x0 + dev::lane() < open.singles;
      keep_open(c, to, keeps, keeps ? c.lists.places[from + room - 1 - x0 - dev::lane()] : 0);
    }
  }
  const auto ask = [&](u32 x) {
    if (x < count) return request_start<partitioned>(g, s, c, c.lists.places[from + x], listed, finds);
    return StartOfRow{Probe::gone, 0, {}, {}};
  };
  for (u32 x0 = first; x0 < count; x0 += stride) {
    const StartOfRow now = ask(x0 + dev::lane());
    const Probe probe = probe_start<partitioned>(g, s, c, now, finds);
    const dev::LaneMask more = dev::ballot(dev::all_lanes, probe == Probe::more);
    const bool stays = more && probe_more<partitioned>(g, s, c, more, now.local, finds);
    keep_open(c, to, probe == Probe::open || stays, now.local);
  }
  c.lists.list_at = to;
  c.lists.left_at = listed ? from : c.lists.left_at;
  add_finds(c, finds);
}

}  // namespace hopwave::HW_MACHINE::engine::single_cluster
