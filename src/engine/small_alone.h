// Levels of a few edges, which every block of the small traversal takes for itself: all find the same, so nobody need tell
// anybody and no meeting is held. What such a level costs is two dependent reads and the block's own barriers.
#pragma once

#include "engine/small_step.h"

namespace hopwave::HW_MACHINE::engine {

/// A vertex of the frontier that comes next, for every block; its owner lists it too, and keeps its level.
template <bool dealt>
HW_DEVICE void queue_alone(const SmallGraph& g, const SmallWork& c, u32 turn, u32 place, u32 level) {
  SmallDesk& desk = *c.desk;
  const u32 owner = g.deal.owner(place), local = place - owner * g.deal.slice;
  const SmallRow row = row_along<dealt>(g, owner, local);
  const u32 at = dev::fetch_add(&desk.alone[turn].found, 1u);
  dev::fetch_add(&desk.alone[turn].edges, row.degree());
  if (at < most_alone) {  // a larger frontier is not taken alone
    desk.rows[turn * most_alone + at] = row;
    desk.places[turn * most_alone + at] = place;
  }
  if (owner != c.rank) return;
  c.cells[local] = level;
  c.list[dev::fetch_add(&desk.listed[c.step & 1], 1u)] = static_cast<std::uint16_t>(local);
}

/// Both bitmaps get what is found: the next step of all blocks then finds them as the last one left them.
template <bool dealt>
HW_DEVICE void claim_alone(const SmallGraph& g, const SmallState& s, const SmallWork& c, u32 turn, u32 place, u32 level,
                           u32 from) {
  if (place == g.deal.nowhere()) return;
  Word* word = &c.after[place / word_bits];
  if (dev::peek(word) & bit_of(place)) return;
  if (dev::fetch_or(word, bit_of(place)) & bit_of(place)) return;
  dev::fetch_or(&c.before[place / word_bits], bit_of(place));
  if (s.parent) dev::store(&s.parent[place], from);
  queue_alone<dealt>(g, c, turn, place, level);
}

/// After a step of all blocks: its finds are the frontier, for every block.
template <bool dealt>
HW_DEVICE void collect_alone(const SmallGraph& g, const SmallWork& c) {
  const u32 turn = c.alone & 1;
  SmallDesk& desk = *c.desk;
  if (dev::thread() == 0) desk.alone[turn] = {};
  dev::sync_block();
  for (u32 w = dev::thread(); w < c.words * c.blocks; w += dev::block_size()) {
    for (Word fresh = c.after[w] & ~c.before[w]; fresh; fresh &= fresh - 1) {
      const u32 place = w * word_bits + static_cast<u32>(dev::find_first_set(fresh)) - 1, owner = g.deal.owner(place);
      const u32 at = turn * most_alone + dev::fetch_add(&desk.alone[turn].found, 1u);
      desk.rows[at] = row_along<dealt>(g, owner, place - owner * g.deal.slice);
      desk.places[at] = place;
    }
  }
  dev::sync_block();
}

/// One level from a frontier of `size`.
template <bool dealt>
HW_DEVICE SmallTotal step_alone(const SmallGraph& g, const SmallState& s, SmallWork& c, u32 size, u32 level) {
  SmallDesk& desk = *c.desk;
  const u32 now = c.alone & 1, then = 1 - now;
  const SmallRow* rows = desk.rows + now * most_alone;
  u32 quads = 0;
  for (u32 i = dev::thread(); i < size; i += dev::block_size()) quads = rows[i].last_quad() - rows[i].first_quad();
  const u32 total = share_quads(c, quads);
  for (u32 x = dev::thread(); x < total; x += dev::block_size()) {
    const u32 k = row_with(desk.before, size, x);
    const SmallRow row = rows[k];
    const Quad to = places_of<dealt>(g, g.out, row, row.first_quad() + (x - desk.before[k]));
    const u32 from = desk.places[now * most_alone + k];
    claim_alone<dealt>(g, s, c, then, to.x, level, from);
    claim_alone<dealt>(g, s, c, then, to.y, level, from);
    claim_alone<dealt>(g, s, c, then, to.z, level, from);
    claim_alone<dealt>(g, s, c, then, to.w, level, from);
  }
  dev::sync_block();
  ++c.alone;
  return desk.alone[then];
}

}  // namespace hopwave::HW_MACHINE::engine
