// The two steps that all blocks of the small traversal take together. Push: the rows of a block's own frontier are shared by
// quads among its threads, which mark what they find in their block's bits; owners gather it. Pull: a block looks for its own
// vertices' neighbours in its own bits; rows that heads and first quads do not settle are left to teams of lanes, huge ones to
// whole warps.
#pragma once

#include "engine/small_work.h"

namespace hopwave::HW_MACHINE::engine {

inline constexpr u32 lane_quads = 2;         ///< of a row that one lane looks at, both at once
inline constexpr u32 small_team = 8;         ///< lanes that look at what is left of it
inline constexpr u32 small_huge_quads = 40;  ///< a row of more is all warps' business

/// Of this lane's value and those of the lanes below it.
HW_DEVICE u32 sum_below(u32 value) {
  for (u32 k = 1; k < dev::lanes; k *= 2) {
    const u32 other = dev::shuffle_up(dev::all_lanes, value, k);
    if (dev::lane() >= k) value += other;
  }
  return value;
}

/// Quads of the frontier's rows before each thread's; returns all of them. The whole block.
HW_DEVICE u32 share_quads(const SmallWork& c, u32 quads) {
  SmallDesk& desk = *c.desk;
  const u32 sum = sum_below(quads);
  if (dev::lane() == dev::lanes - 1) desk.warp_sums[dev::warp()] = sum;
  dev::sync_block();
  const u32 part = dev::lane() < dev::warps() ? desk.warp_sums[dev::lane()] : 0;
  desk.before[dev::thread()] = sum - quads + dev::reduce_add(dev::all_lanes, dev::lane() < dev::warp() ? part : 0);
  dev::sync_block();
  return dev::reduce_add(dev::all_lanes, part);
}
static_assert(small_threads <= dev::lanes * dev::lanes, "one warp reads all warps' sums at once");

/// The last of `size` rows that has at most x quads before it.
HW_DEVICE u32 row_with(const u32* before, u32 size, u32 x) {
  u32 low = 0;
  for (u32 n = size; n > 1;) {
    const u32 half = n / 2;
    if (before[low + half] <= x) low += half;
    n -= half;
  }
  return low;
}

/// Marks places that nobody has seen yet, in this block's own bits: owners gather them. Others may mark them too; all are of
/// the same level, and any of them may be the parent.
HW_DEVICE void mark(const SmallGraph& g, const SmallState& s, const SmallWork& c, u32 place, u32 from) {
  if (has(c.before, place) || place == g.deal.nowhere()) return;
  dev::fetch_or(&c.after[place / word_bits], bit_of(place));
  if (s.parent) dev::store(&s.parent[place], from);
}
HW_DEVICE void mark(const SmallGraph& g, const SmallState& s, const SmallWork& c, const Quad& to, u32 from) {
  mark(g, s, c, to.x, from);
  mark(g, s, c, to.y, from);
  mark(g, s, c, to.z, from);
  mark(g, s, c, to.w, from);
}

/// A frontier of no more vertices than a warp has lanes: each warp finds out for itself which quads are its own.
template <bool dealt>
HW_DEVICE void push_few(const SmallGraph& g, const SmallState& s, const SmallWork& c, u32 count) {
  const u32 local = dev::lane() < count ? c.list[dev::lane()] : 0;
  const SmallRow mine = dev::lane() < count ? own_row_along<dealt>(g, c, local) : SmallRow{0, 0};
  const u32 quads = mine.last_quad() - mine.first_quad();
  const u32 sum = sum_below(quads);
  const u32 total = dev::shuffle(dev::all_lanes, sum, dev::lanes - 1), before = sum - quads;
  for (u32 x0 = dev::warp() * dev::lanes; x0 < total; x0 += dev::block_size()) {
    const u32 x = x0 + dev::lane();
    u32 k = 0;
    for (u32 half = dev::lanes / 2; half; half /= 2)
      if (dev::shuffle(dev::all_lanes, before, k + half) <= x) k += half;
    const SmallRow row{dev::shuffle(dev::all_lanes, mine.begin, k), dev::shuffle(dev::all_lanes, mine.end, k)};
    const u32 q = row.first_quad() + (x - dev::shuffle(dev::all_lanes, before, k));
    const u32 from = c.rank * g.deal.slice + dev::shuffle(dev::all_lanes, local, k);
    if (x < total) mark(g, s, c, places_of<dealt>(g, g.out, row, q), from);
  }
}

/// Any other: as many vertices at a time as a block has threads.
template <bool dealt>
HW_DEVICE void push_many(const SmallGraph& g, const SmallState& s, const SmallWork& c, u32 count) {
  SmallDesk& desk = *c.desk;
  for (u32 base = 0; base < count; base += dev::block_size()) {
    const u32 size = count - base < dev::block_size() ? count - base : dev::block_size();
    SmallRow mine{0, 0};
    if (dev::thread() < size) {
      mine = own_row_along<dealt>(g, c, c.list[base + dev::thread()]);
      desk.rows[dev::thread()] = mine;
    }
    const u32 total = share_quads(c, mine.last_quad() - mine.first_quad());
    for (u32 x = dev::thread(); x < total; x += dev::block_size()) {
      const u32 k = row_with(desk.before, size, x);
      const SmallRow row = desk.rows[k];
      const u32 from = s.parent ? c.rank * g.deal.slice + c.list[base + k] : 0;
      mark(g, s, c, places_of<dealt>(g, g.out, row, row.first_quad() + (x - desk.before[k])), from);
    }
    dev::sync_block();
  }
}

/// Marks what this block's own part of the frontier leads to. `drifted`: that is what the last level found that each block took
/// for itself.
template <bool dealt>
HW_DEVICE void push_own(const SmallGraph& g, const SmallState& s, const SmallWork& c, bool drifted) {
  if (!drifted) list_last(g, c);
  const u32 count = drifted ? c.desk->alone[c.alone % 3].own : c.desk->listed[c.step & 1];
  if (count > dev::lanes)
    push_many<dealt>(g, s, c, count);
  else if (count)
    push_few<dealt>(g, s, c, count);
}

/// What all blocks have marked is found by the owners.
template <bool dealt>
HW_DEVICE void settle_marks(const SmallGraph& g, const SmallState& s, SmallWork& c, u32 level) {
  if (s.parent) dev::fence();  // owners read parents that other blocks have written, once they have the marks
  dev::sync_block();
  gather_marks(g, c);
  dev::sync_block();
  settle_fresh<dealt>(g, s, c, level);
}

/// Is one of four places seen? `parent` gets its place.
HW_DEVICE bool look_at_places(const Word* seen, const Quad& q, u32& parent) {
  const bool x = has(seen, q.x), y = has(seen, q.y), z = has(seen, q.z), w = has(seen, q.w);
  if (x || y || z || w) parent = x ? q.x : y ? q.y : z ? q.z : q.w;
  return x || y || z || w;
}

template <bool dealt>
HW_DEVICE void find_own(const SmallGraph& g, const SmallState& s, const SmallWork& c, u32 local, u32 parent, u32 level,
                        SmallFinds& finds) {
  dev::fetch_or(&c.fresh[local / word_bits], bit_of(local));
  if (s.parent) dev::store(&s.parent[c.rank * g.deal.slice + local], parent);
  settle<dealt>(g, s, c, local, level, finds);
}

/// `team` lanes look at quads [q, end) of one row, several teams at several rows; all lanes of a warp call. True in the whole
/// team if that finds the row's vertex, which somebody has to settle then.
template <u32 team, bool dealt>
HW_DEVICE bool look_at_rest(const SmallGraph& g, const SmallState& s, const SmallWork& c, u32 local, const SmallRow& row, u32 q,
                            u32 end) {
  const u32 member = dev::lane() % team, leader = dev::lane() - member;
  const dev::LaneMask mine = (team == dev::lanes ? dev::all_lanes : (dev::LaneMask{1} << team % 64) - 1) << leader;
  const Quad none{g.deal.nowhere(), g.deal.nowhere(), g.deal.nowhere(), g.deal.nowhere()};
  bool found = false;
  while (dev::any(dev::all_lanes, q < end)) {
    const u32 at = q + member;
    const Quad a = at < end ? places_of<dealt>(g, g.in, row, at) : none;
    const Quad b = at + team < end ? places_of<dealt>(g, g.in, row, at + team) : none;
    u32 parent = 0;
    const bool seen = look_at_places(c.before, a, parent) || look_at_places(c.before, b, parent);
    const dev::LaneMask who = dev::ballot(dev::all_lanes, seen) & mine;
    if (who) {
      if (s.parent && static_cast<u32>(dev::find_first_set(who)) - 1 == dev::lane())
        dev::store(&s.parent[c.rank * g.deal.slice + local], parent);
      found = true;
    }
    q = who ? end : q + 2 * team;
  }
  return found;
}

/// Where a lane that keeps something puts it: after those of the lanes below that keep something, too.
HW_DEVICE u32 place_below(dev::LaneMask keep) { return static_cast<u32>(dev::popcount(keep & dev::lanes_below())); }

/// The own vertices of a warp's words that their heads have not found: those of several arcs from the front, the others from
/// the back.
struct SmallOpen {
  u32 several = 0, singles = 0;
};
/// Lists them in `left`, which has `room`; settles those that are found.
template <bool dealt>
HW_DEVICE SmallOpen list_open(const SmallGraph& g, const SmallState& s, const SmallWork& c, std::uint16_t* left, u32 room,
                              u32 level, SmallFinds& finds) {
  SmallOpen all;
  each_word(g, c, c.before + c.rank * c.words, ~Word{0}, [&](Word word, u32 w) {
    const u32 local = w * word_bits + dev::lane();
    const bool open = !(word >> dev::lane() & 1);
    const u32 head = dealt && open ? c.heads[local] : single;
    const bool hit = dealt && open && has(c.before, head & id_mask), one = dealt && open && !hit && (head & single);
    if constexpr (dealt) {
      const auto hits = static_cast<Word>(dev::ballot(dev::all_lanes, hit));
      if (dev::lane() == 0) c.fresh[w] = hits;
      if (hit) {
        if (s.parent) dev::store(&s.parent[c.rank * g.deal.slice + local], head & id_mask);
        settle<dealt>(g, s, c, local, level, finds);
      }
      const dev::LaneMask ones = dev::ballot(dev::all_lanes, one);
      if (one) left[room - 1 - all.singles - place_below(ones)] = static_cast<std::uint16_t>(local);
      all.singles += static_cast<u32>(dev::popcount(ones));
    }
    const dev::LaneMask rest = dev::ballot(dev::all_lanes, open && !hit && !one);
    if (open && !hit && !one) left[all.several + place_below(rest)] = static_cast<std::uint16_t>(local);
    all.several += static_cast<u32>(dev::popcount(rest));
  });
  dev::sync_warp();
  return all;
}

/// What one lane makes of an open vertex: found, or looked at in vain, or with quads of its row left for a team.
enum class SmallLook : u32 { gone, open, more };

/// An open vertex, and the first quads of its row on their way.
struct SmallStartOfRow {
  SmallLook look;  ///< more: there are quads to look at
  u32 local;
  Quad a, b;
};

/// Asks for the first quads of an open vertex's row, if its head has not found it. `listed`: its head was not looked at yet.
template <bool dealt>
HW_DEVICE SmallStartOfRow ask_for_start(const SmallGraph& g, const SmallState& s, const SmallWork& c, u32 local, bool listed,
                                        u32 level, SmallFinds& finds) {
  SmallStartOfRow start{SmallLook::gone, local, {}, {}};
  if (listed && has(c.before + c.rank * c.words, local)) return start;  // of a huge row, found after it was listed
  if (dealt && listed) {
    const u32 head = c.heads[local];
    if (has(c.before, head & id_mask)) {
      find_own<dealt>(g, s, c, local, head & id_mask, level, finds);
      return start;
    }
    start.look = SmallLook::open;
    if (head & single) return start;
  }
  const SmallRow row = own_row<dealt>(c, local);
  const u32 q = row.first_quad(), end = row.last_quad();
  start.look = q < end ? SmallLook::more : SmallLook::open;
  if (q < end) start.a = quad_at<dealt>(g.in, q);
  if (q + 1 < end) start.b = quad_at<dealt>(g.in, q + 1);
  return start;
}

template <bool dealt>
HW_DEVICE SmallLook look_at_start(const SmallGraph& g, const SmallState& s, const SmallWork& c, const SmallStartOfRow& start,
                                  u32 level, SmallFinds& finds) {
  if (start.look != SmallLook::more) return start.look;
  const SmallRow row = own_row<dealt>(c, start.local);
  const u32 q = row.first_quad(), end = row.last_quad();
  u32 parent = 0;
  const bool hit = look_at_places(c.before, places_in<dealt>(g, row, q, start.a), parent) ||
                   (q + 1 < end && look_at_places(c.before, places_in<dealt>(g, row, q + 1, start.b), parent));
  if (hit) find_own<dealt>(g, s, c, start.local, parent, level, finds);
  if (hit) return SmallLook::gone;
  if (end - q <= lane_quads) return SmallLook::open;
  if (end - q <= small_huge_quads) return SmallLook::more;
  const u32 at = dev::fetch_add(&c.desk->huge[c.step & 1], 1u);
  if (at < huge_rows) c.desk->huge_list[at] = static_cast<std::uint16_t>(start.local);
  return at < huge_rows ? SmallLook::open : SmallLook::more;
}

/// Lanes of `more` have a vertex each with more quads: teams look at those, several rows at a time. True in a lane whose vertex
/// stays open; the others settle theirs all at once.
template <bool dealt>
HW_DEVICE bool look_at_more(const SmallGraph& g, const SmallState& s, const SmallWork& c, dev::LaneMask more, u32 local,
                            u32 level, SmallFinds& finds) {
  constexpr u32 teams = dev::lanes / small_team;
  const u32 team = dev::lane() / small_team;
  const bool mine_too = more >> dev::lane() & 1;
  bool stays = false;
  while (more) {
    dev::LaneMask mine = more;
    for (u32 k = 0; k < team; ++k) mine &= mine - 1;
    const u32 whose = mine ? static_cast<u32>(dev::find_first_set(mine)) - 1 : 0;
    const u32 theirs = dev::shuffle(dev::all_lanes, local, whose);
    const SmallRow row = mine ? own_row<dealt>(c, theirs) : SmallRow{0, 0};
    const u32 first = row.first_quad() + lane_quads;
    const bool found = look_at_rest<small_team, dealt>(g, s, c, theirs, row, first, row.last_quad());
    const dev::LaneMask open = dev::ballot(dev::all_lanes, !found);
    const u32 turn = place_below(more);
    if (more >> dev::lane() & 1 && turn < teams) stays = open >> (turn * small_team) & 1;
    for (u32 k = 0; k < teams; ++k) more &= more - 1;
  }
  if (mine_too && !stays) {
    dev::fetch_or(&c.fresh[local / word_bits], bit_of(local));
    settle<dealt>(g, s, c, local, level, finds);
  }
  return stays;
}

/// Puts what lanes keep to the open vertices that the next pull begins with.
HW_DEVICE void keep_open(const SmallWork& c, std::uint16_t* to, bool keeps, u32 local) {
  const dev::LaneMask who = dev::ballot(dev::all_lanes, keeps);
  if (!who) return;
  u32 at = 0;
  if (dev::lane() == 0) at = dev::fetch_add(&c.desk->open[c.step & 1], static_cast<u32>(dev::popcount(who)));
  at = dev::shuffle(dev::all_lanes, at, 0) + place_below(who);
  if (keeps) to[at] = static_cast<std::uint16_t>(local);
}

/// What all warps do together: whole warps look at huge rows.
template <bool dealt>
HW_DEVICE void look_at_huge(const SmallGraph& g, const SmallState& s, const SmallWork& c, u32 level) {
  const u32 all = c.desk->huge[c.step & 1], huge = all < huge_rows ? all : huge_rows;
  SmallFinds finds;
  for (u32 x = dev::warp(); x < huge; x += dev::warps()) {
    const u32 local = c.desk->huge_list[x];
    const SmallRow row = own_row<dealt>(c, local);
    const bool found = look_at_rest<dev::lanes, dealt>(g, s, c, local, row, row.first_quad() + lane_quads, row.last_quad());
    if (!found || dev::lane() != 0) continue;
    dev::fetch_or(&c.fresh[local / word_bits], bit_of(local));
    settle<dealt>(g, s, c, local, level, finds);
  }
  add_finds(c, finds);
}

/// The first pull finds out which vertices are open, each warp in its own words; the next ones begin with what is left, which
/// the whole block shares evenly.
template <bool dealt>
HW_DEVICE void pull_small(const SmallGraph& g, const SmallState& s, SmallWork& c, u32 level) {
  const u32 room = g.warp_words * word_bits;
  const bool listed = c.listed != unlisted;
  std::uint16_t *from = c.list, *to = c.left;
  u32 count = c.listed, first = dev::warp() * dev::lanes, stride = dev::block_size();
  SmallFinds finds;
  if (!listed) {
    from = c.left + dev::warp() * room;
    to = c.list;
    const SmallOpen open = list_open<dealt>(g, s, c, from, room, level, finds);
    count = open.several;
    first = 0;
    stride = dev::lanes;
    for (u32 x0 = 0; x0 < open.singles; x0 += dev::lanes) {
      const bool keeps = x0 + dev::lane() < open.singles;
      keep_open(c, to, keeps, keeps ? from[room - 1 - x0 - dev::lane()] : 0);
    }
  }
  const auto ask = [&](u32 x) {
    if (x < count) return ask_for_start<dealt>(g, s, c, from[x], listed, level, finds);
    return SmallStartOfRow{SmallLook::gone, 0, {}, {}};
  };
  for (u32 x0 = first; x0 < count; x0 += stride) {
    const SmallStartOfRow now = ask(x0 + dev::lane());
    const SmallLook look = look_at_start<dealt>(g, s, c, now, level, finds);
    const dev::LaneMask more = dev::ballot(dev::all_lanes, look == SmallLook::more);
    const bool stays = more && look_at_more<dealt>(g, s, c, more, now.local, level, finds);
    keep_open(c, to, look == SmallLook::open || stays, now.local);
  }
  c.list = to;
  c.left = listed ? from : c.left;
  add_finds(c, finds);
}

}  // namespace hopwave::HW_MACHINE::engine
