// The two steps that all blocks of the small traversal take together. Push: the rows of a block's own frontier are shared by
// quads among its threads, which mark what they find in their block's bits; owners gather it. Pull: a block looks for its own
// vertices' neighbours in its own bits; rows that heads and first quads do not settle are left to teams of lanes, huge ones to
// whole warps.
#pragma once

#include "engine/small_work.h"

namespace hopwave::HW_MACHINE::engine {

inline constexpr u32 lane_quads = 2;          ///< of a row that one lane looks at, both at once
inline constexpr u32 small_team = 8;          ///< lanes that look at what is left of it
inline constexpr u32 small_huge_quads = 128;  ///< a row of more is all warps' business

/// Quads of the frontier's rows before each thread's; returns all of them. The whole block. In between, when all have read
/// what came before and none has found anything yet, the counts of what is to be found are cleared.
HW_DEVICE u32 share_quads(const SmallWork& c, u32 quads) {
  SmallDesk& desk = *c.desk;
  u32 sum = quads;
  for (u32 k = 1; k < dev::lanes; k *= 2) {
    const u32 other = dev::shuffle_up(dev::all_lanes, sum, k);
    if (dev::lane() >= k) sum += other;
  }
  if (dev::lane() == dev::lanes - 1) desk.warp_sums[dev::warp()] = sum;
  dev::sync_block();
  if (dev::thread() == 0) {
    desk.listed[c.step & 1] = 0;
    desk.alone[(c.alone + 1) & 1] = {};
  }
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
  const u32 local = dev::lane() < count ? c.old[dev::lane()] : 0;
  const SmallRow mine = dev::lane() < count ? own_row_along<dealt>(g, c, local) : SmallRow{0, 0};
  const u32 quads = mine.last_quad() - mine.first_quad();
  u32 sum = quads;
  for (u32 k = 1; k < dev::lanes; k *= 2) {
    const u32 other = dev::shuffle_up(dev::all_lanes, sum, k);
    if (dev::lane() >= k) sum += other;
  }
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
      mine = own_row_along<dealt>(g, c, c.old[base + dev::thread()]);
      desk.rows[dev::thread()] = mine;
    }
    const u32 total = share_quads(c, mine.last_quad() - mine.first_quad());
    for (u32 x = dev::thread(); x < total; x += dev::block_size()) {
      const u32 k = row_with(desk.before, size, x);
      const SmallRow row = desk.rows[k];
      const u32 from = s.parent ? c.rank * g.deal.slice + c.old[base + k] : 0;
      mark(g, s, c, places_of<dealt>(g, g.out, row, row.first_quad() + (x - desk.before[k])), from);
    }
    dev::sync_block();
  }
}

template <bool dealt>
HW_DEVICE void push_small(const SmallGraph& g, const SmallState& s, const SmallWork& c, bool listed) {
  if (!listed) list_last(g, c);
  const u32 count = c.desk->listed[(c.step + 1) & 1];
  if (count > dev::lanes)
    push_many<dealt>(g, s, c, count);
  else if (count)
    push_few<dealt>(g, s, c, count);
  dev::sync_cluster();
  gather_fresh(g, c);
  dev::sync_block();
}

/// Is one of four places seen? `parent` gets its place.
HW_DEVICE bool look_at_places(const Word* seen, const Quad& q, u32& parent) {
  const bool x = has(seen, q.x), y = has(seen, q.y), z = has(seen, q.z), w = has(seen, q.w);
  if (x || y || z || w) parent = x ? q.x : y ? q.y : z ? q.z : q.w;
  return x || y || z || w;
}

HW_DEVICE void find_own(const SmallGraph& g, const SmallState& s, const SmallWork& c, u32 local, u32 parent) {
  dev::fetch_or(&c.fresh[local / word_bits], bit_of(local));
  if (s.parent) dev::store(&s.parent[c.rank * g.deal.slice + local], parent);
}

/// `team` lanes look at quads [q, end) of one row, several teams at several rows; all lanes of a warp call. True in the lane
/// that found its row's vertex.
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
    if (who && static_cast<u32>(dev::find_first_set(who)) - 1 == dev::lane()) {
      find_own(g, s, c, local, parent);
      found = true;
    }
    q = who ? end : q + 2 * team;
  }
  return found;
}

/// Lists the own vertices of this warp's words that are not found by their heads; marks those that are.
template <bool dealt>
HW_DEVICE u32 look_at_own_heads(const SmallGraph& g, const SmallState& s, const SmallWork& c, std::uint16_t* left) {
  u32 count = 0;
  each_word(g, c, c.before + c.rank * c.words, ~Word{0}, [&](Word word, u32 w) {
    const u32 local = w * word_bits + dev::lane();
    const bool open = !(word >> dev::lane() & 1);
    bool more = open;
    if constexpr (dealt) {
      const u32 head = open ? c.cells[local] : single;
      const bool hit = open && has(c.before, head & id_mask);
      const auto hits = static_cast<Word>(dev::ballot(dev::all_lanes, hit));
      if (dev::lane() == 0) c.fresh[w] = hits;
      if (hit && s.parent) dev::store(&s.parent[c.rank * g.deal.slice + local], head & id_mask);
      more = open && !hit && !(head & single);
    }
    const dev::LaneMask rest = dev::ballot(dev::all_lanes, more);
    if (more) left[count + static_cast<u32>(dev::popcount(rest & dev::lanes_below()))] = static_cast<std::uint16_t>(local);
    count += static_cast<u32>(dev::popcount(rest));
  });
  dev::sync_warp();
  return count;
}

/// Each lane looks at the first quads of a row. What has more stays in the list; huge rows go to the block's, while it has
/// room. Returns how many stay.
template <bool dealt>
HW_DEVICE u32 look_at_starts(const SmallGraph& g, const SmallState& s, const SmallWork& c, std::uint16_t* left, u32 count) {
  u32 kept = 0;
  for (u32 x0 = 0; x0 < count; x0 += dev::lanes) {
    bool more = false;
    u32 local = 0;
    if (x0 + dev::lane() < count) {
      local = left[x0 + dev::lane()];
      const SmallRow row = own_row<dealt>(c, local);
      const u32 q = row.first_quad(), end = row.last_quad();
      if (q < end) {
        u32 parent = 0;
        const Quad a = places_of<dealt>(g, g.in, row, q), b = q + 1 < end ? places_of<dealt>(g, g.in, row, q + 1) : a;
        const bool hit = look_at_places(c.before, a, parent) || look_at_places(c.before, b, parent);
        if (hit) find_own(g, s, c, local, parent);
        more = !hit && end - q > lane_quads;
        if (more && end - q > small_huge_quads) {
          const u32 at = dev::fetch_add(&c.desk->huge, 1u);
          if (at < huge_rows) c.desk->huge_list[at] = static_cast<std::uint16_t>(local);
          more = at >= huge_rows;
        }
      }
    }
    const dev::LaneMask rest = dev::ballot(dev::all_lanes, more);  // all have read what is overwritten now
    dev::sync_warp();
    if (more) left[kept + static_cast<u32>(dev::popcount(rest & dev::lanes_below()))] = static_cast<std::uint16_t>(local);
    kept += static_cast<u32>(dev::popcount(rest));
  }
  dev::sync_warp();
  return kept;
}

/// What all warps do together: whole warps look at huge rows.
template <bool dealt>
HW_DEVICE void look_at_huge(const SmallGraph& g, const SmallState& s, const SmallWork& c, u32 level) {
  const u32 huge = c.desk->huge < huge_rows ? c.desk->huge : huge_rows;
  for (u32 x = dev::warp(); x < huge; x += dev::warps()) {
    const u32 local = c.desk->huge_list[x], turn = c.step & 1;
    const SmallRow row = own_row<dealt>(c, local);
    if (!look_at_rest<dev::lanes, dealt>(g, s, c, local, row, row.first_quad() + lane_quads, row.last_quad())) continue;
    c.cells[local] = level;
    dev::fetch_add(&c.desk->mine[turn].found, 1u);
    dev::fetch_add(&c.desk->mine[turn].edges, own_row_along<dealt>(g, c, local).degree());
  }
}

template <bool dealt>
HW_DEVICE void pull_small(const SmallGraph& g, const SmallState& s, const SmallWork& c) {
  std::uint16_t* left = c.old + dev::warp() * g.warp_words * word_bits;
  const u32 open = look_at_own_heads<dealt>(g, s, c, left);
  const u32 kept = open ? look_at_starts<dealt>(g, s, c, left, open) : 0;
  constexpr u32 teams = dev::lanes / small_team;
  for (u32 x0 = 0; x0 < kept; x0 += teams) {
    const u32 x = x0 + dev::lane() / small_team;
    const u32 local = x < kept ? left[x] : 0;
    const SmallRow row = x < kept ? own_row<dealt>(c, local) : SmallRow{0, 0};
    look_at_rest<small_team, dealt>(g, s, c, local, row, row.first_quad() + lane_quads, row.last_quad());
  }
  dev::sync_warp();  // each warp settles its own words
}

}  // namespace hopwave::HW_MACHINE::engine
