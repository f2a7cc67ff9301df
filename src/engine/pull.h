// Pulling: every unvisited vertex looks for a visited in-neighbour. Such a neighbour is always in the frontier, because any
// older one would have found the vertex before; so the visited bitmap of before the step serves as the frontier's.
// Source: Beamer, Asanović, Patterson (SC'12). Ours differs: no frontier bitmap; one warp owns a word, so that plain stores do;
// a warp takes up to 32 words at once and collects vertices over all of them before it follows a chain of dependent reads.
#pragma once

#include "engine/pull_lists.h"

namespace hopwave::HW_MACHINE::engine {

inline constexpr u32 near_quads = 3;                   ///< of a row that one lane looks at by itself before others help
inline constexpr u64 long_row = 24;                    ///< a vertex with a longer one is not left to a lane
inline constexpr u32 dense_word = dev::lanes * 3 / 4;  ///< open vertices of a word from which lanes take them as they stand
inline constexpr u32 team_edges = 512;                 ///< beyond so many the whole warp takes a row, else eight lanes

/// The bitmap of before the step that neighbours are looked for in. Plain: of a graph that is not prepared.
template <bool Plain>
struct Before {
  static constexpr bool plain = Plain;
  const Word* words;
  HW_DEVICE Word word(u32 v) const { return words[v / word_bits]; }
  HW_DEVICE bool has(u32 v) const { return word(v) >> (v % word_bits) & 1; }
};

/// Four neighbours by one read, of an array of `count`. `once`: nobody will soon read beside them.
template <bool once = false>
HW_DEVICE dev::Quad read_quad(const u32* neighbors, u64 first, u64 count) {
  if constexpr (once) {
    if (first + 4 <= count) return dev::read_once(reinterpret_cast<const dev::Quad*>(neighbors + first));
  }
  if (first + 4 <= count) return dev::read_only(reinterpret_cast<const dev::Quad*>(neighbors + first));
  const auto one = [&](u64 i) { return i < count ? dev::read_only(&neighbors[i]) : 0; };
  return {one(first), one(first + 1), one(first + 2), one(first + 3)};
}

/// Looks at those of four neighbours, read from `first` on, that lie in [at, stop). All bits are asked for before any is
/// looked at: one after the other would wait four times.
template <class Bits>
HW_DEVICE bool look_at(const dev::Quad& q, u64 first, u64 at, u64 stop, const Bits& before, u32& parent) {
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

/// The same in the caller's order, where each lane's bits are in lines of their own: the first is asked for alone, because it
/// often spares the other three.
HW_DEVICE bool look_at(const dev::Quad& q, u64 first, u64 at, u64 stop, const Before<true>& before, u32& parent) {
  const u32 x[4] = {q.x, q.y, q.z, q.w};
  const u32 skip = at > first ? static_cast<u32>(at - first) : 0, end = stop - first < 4 ? static_cast<u32>(stop - first) : 4;
  parent = skip == 0 ? x[0] : skip == 1 ? x[1] : skip == 2 ? x[2] : x[3];
  if (before.has(parent)) return true;
  if (skip + 1 >= end) return false;
  Word word[4];
  HW_UNROLL
  for (u32 j = 1; j < 4; ++j) word[j] = j > skip && j < end ? before.words[x[j] / word_bits] : 0;
  bool seen = false;
  HW_UNROLL
  for (u32 j = 1; j < 4; ++j) {
    const bool has = word[j] >> (x[j] % word_bits) & 1;
    if (has && !seen) parent = x[j];
    seen |= has;
  }
  return seen;
}

/// One lane looks at the neighbours from `at` on, four at a time. True: found, and `parent` says where.
template <class Offset, class Bits>
HW_DEVICE bool look_near(const u32* neighbors, Offset& at, Offset end, u64 count, const Bits& before, u32& parent) {
  for (u32 k = 0; k < near_quads && at < end; ++k) {
    const Offset first = at / 4 * 4;
    if (look_at(read_quad(neighbors, first, count), first, at, end, before, parent)) return true;
    at = end - first < 4 ? end : first + 4;
  }
  return false;
}

/// `team` lanes look at one row [at, end) together, several teams at several rows; whole warps call, teams without a row
/// bring an empty one. Returns, in every lane of the team, whether it was found, and where.
template <u32 team, class Offset, class Bits>
HW_DEVICE bool look_together(const u32* neighbors, Offset at, Offset end, u64 count, const Bits& before, u32& parent) {
  const u32 member = dev::lane() % team, leader = dev::lane() - member;
  bool found = false;
  while (dev::any(dev::all_lanes, !found && at < end)) {
    constexpr u32 ahead = 2;
    const Offset base = at / 4 * 4;
    dev::Quad q[ahead];
    bool has[ahead], seen = false;
    u32 where = 0;
    HW_UNROLL
    for (u32 j = 0; j < ahead; ++j) {
      has[j] = !found && at < end && 4 * (j * team + member) < end - base;
      if (has[j]) q[j] = read_quad(neighbors, base + 4ull * (j * team + member), count);
    }
    HW_UNROLL
    for (u32 j = 0; j < ahead; ++j) {
      if (has[j] && !seen) seen = look_at(q[j], base + 4ull * (j * team + member), at, end, before, where);
    }
    const dev::LaneMask all = dev::ballot(dev::all_lanes, seen) >> leader;
    const dev::LaneMask mine = team == dev::lanes ? all : all & ((dev::LaneMask{1} << team % 64) - 1);
    const u32 from =
        dev::shuffle(dev::all_lanes, where, mine ? leader + static_cast<u32>(dev::find_first_set(mine)) - 1 : dev::lane());
    if (mine && !found) {
      found = true;
      parent = from;
    }
    at = end - base < 4 * team * ahead ? end : base + 4 * team * ahead;
  }
  return found;
}

/// The warp looks at [at, end) of the lanes in `rest`, as many rows at a time as there are teams. Sets `hit` and `parent`
/// in a row's lane.
template <u32 team, class Offset, class Bits>
HW_DEVICE void look_far(const u32* neighbors, dev::LaneMask rest, Offset at, Offset end, u64 count, const Bits& before,
                        bool& hit, u32& parent) {
  constexpr u32 teams = dev::lanes / team;
  while (rest) {
    u32 owner = dev::lanes;  // of this lane's team: the team-th row that is left
    dev::LaneMask left = rest;
    HW_UNROLL
    for (u32 t = 0; t < teams; ++t) {
      if (left && dev::lane() / team == t) owner = static_cast<u32>(dev::find_first_set(left)) - 1;
      if (left) left &= left - 1;
    }
    const u32 from = owner < dev::lanes ? owner : dev::lane();
    Offset row = dev::shuffle(dev::all_lanes, at, from), stop = dev::shuffle(dev::all_lanes, end, from);
    if (owner == dev::lanes) row = stop = 0;
    u32 where = 0;
    const bool found = look_together<team>(neighbors, row, stop, count, before, where);
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
    rest = left;
  }
}

/// The rows of the lanes that are `open`, from the `skip`-th neighbour on, or, if 0, from the second four words of memory on.
/// `length`: of the row.
template <class Offset, class Bits>
HW_DEVICE bool look(const Graph<Offset>& g, bool open, u32 v, u32 skip, const Bits& before, u32& parent, Offset& length) {
  Offset at = 0, end = 0;
  bool hit = false;
  if (open) {
    const Offset begin = dev::read_only(&g.in_offsets[v]);
    end = dev::read_only(&g.in_offsets[v + 1ull]);
    length = end - begin;
    at = skip ? begin + skip : begin / 4 * 4 + 4;
    hit = at < end && look_near(g.in_neighbors, at, end, g.num_arcs, before, parent);
  }
  dev::sync_warp();
  const bool more = open && !hit && at < end;
  const dev::LaneMask rest = dev::ballot(dev::all_lanes, more);
  if (!rest) return hit;
  const dev::LaneMask large = dev::ballot(dev::all_lanes, more && end - at > team_edges);
  if (rest & ~large) look_far<8>(g.in_neighbors, rest & ~large, at, end, g.num_arcs, before, hit, parent);
  if (large) look_far<dev::lanes>(g.in_neighbors, large, at, end, g.num_arcs, before, hit, parent);
  return hit;
}

/// One pull as a warp sees it.
template <class Offset, class Bits>
struct Pull {
  const Graph<Offset>& g;
  const State<Offset>& s;
  Bits before;
  u32 byte;
};

template <class Offset, class Bits>
HW_DEVICE void mark_found(const Pull<Offset, Bits>& pull, const Worklist& list, u32 place, u32 v, u32 parent) {
  settle(pull.s, v, pull.byte, parent);
  dev::fetch_or(&list.found[place / word_bits], Word{1} << place % word_bits);
}

/// Takes some of `words` (lanes whose words are to be looked at whole): marks in `found` who is found by its head, and lists
/// who has further neighbours. Without heads all are listed.
template <class Offset, class Bits>
HW_DEVICE void look_at_words(const Pull<Offset, Bits>& pull, Worklist& list, const Batch& batch, Word& words, Word open,
                             Word& found) {
  u32 slot[words_at_once], head[words_at_once];
  Word bits[words_at_once];
  bool mine[words_at_once];
  const bool heads = !Bits::plain && pull.g.head;
  HW_UNROLL
  for (u32 j = 0; j < words_at_once; ++j) {
    slot[j] = words ? static_cast<u32>(dev::find_first_set(words)) - 1 : dev::lanes;
    words &= words - 1;
    head[j] = 0;
    mine[j] = slot[j] < dev::lanes && (dev::shuffle(dev::all_lanes, open, slot[j] % dev::lanes) >> dev::lane() & 1);
    if (mine[j] && heads) head[j] = dev::read_only(&pull.g.head[batch.word(slot[j]) * word_bits + dev::lane()]);
  }
  HW_UNROLL
  for (u32 j = 0; j < words_at_once; ++j) bits[j] = mine[j] && heads ? pull.before.words[(head[j] & id_mask) / word_bits] : 0;
  HW_UNROLL
  for (u32 j = 0; j < words_at_once; ++j) {
    if (slot[j] >= dev::lanes) break;  // the whole warp
    const bool hit = bits[j] >> (head[j] % word_bits) & 1;
    if (hit) settle(pull.s, batch.word(slot[j]) * word_bits + dev::lane(), pull.byte, head[j] & id_mask);
    const Word hits = static_cast<Word>(dev::ballot(dev::all_lanes, hit));
    if (dev::lane() == slot[j]) found |= hits;
    append(list.near, list.near_fill, mine[j] && !hit && !(head[j] & single), slot[j] * word_bits + dev::lane());
  }
}

/// The same of words whose vertices are nearly all open: each lane begins the row of its vertex in two words. Lists who has
/// further neighbours.
template <class Offset, class Bits>
HW_DEVICE void look_at_rows(const Pull<Offset, Bits>& pull, Worklist& list, const Batch& batch, Word& words, Word open,
                            Word& found) {
  constexpr u32 at_once = 2;
  u32 slot[at_once];
  bool mine[at_once];
  Offset begin[at_once], end[at_once];
  dev::Quad q[at_once];
  HW_UNROLL
  for (u32 j = 0; j < at_once; ++j) {
    slot[j] = words ? static_cast<u32>(dev::find_first_set(words)) - 1 : dev::lanes;
    words &= words - 1;
    mine[j] = slot[j] < dev::lanes && (dev::shuffle(dev::all_lanes, open, slot[j] % dev::lanes) >> dev::lane() & 1);
    begin[j] = end[j] = 0;
    if (!mine[j]) continue;
    const u32 v = batch.word(slot[j]) * word_bits + dev::lane();
    begin[j] = dev::read_only(&pull.g.in_offsets[v]);
    end[j] = dev::read_only(&pull.g.in_offsets[v + 1ull]);
  }
  HW_UNROLL
  for (u32 j = 0; j < at_once; ++j)
    if (begin[j] < end[j]) q[j] = read_quad(pull.g.in_neighbors, begin[j] / 4 * 4, pull.g.num_arcs);
  HW_UNROLL
  for (u32 j = 0; j < at_once; ++j) {
    if (slot[j] >= dev::lanes) break;  // the whole warp
    const Offset first = begin[j] / 4 * 4;
    u32 parent = 0;
    const bool hit = begin[j] < end[j] && look_at(q[j], first, begin[j], end[j], pull.before, parent);
    if (hit) settle(pull.s, batch.word(slot[j]) * word_bits + dev::lane(), pull.byte, parent);
    const Word hits = static_cast<Word>(dev::ballot(dev::all_lanes, hit));
    if (dev::lane() == slot[j]) found |= hits;
    append(list.far, list.far_fill, !hit && begin[j] < end[j] && end[j] - first > 4, slot[j] * word_bits + dev::lane());
  }
}

/// First four neighbours of a warp's width of listed vertices.
template <class Offset, class Bits>
HW_DEVICE void look_at_near(const Pull<Offset, Bits>& pull, Worklist& list, const Batch& batch) {
  u32 place = 0, v = 0, parent = 0;
  const bool open = take(list.near, list.near_fill, place);
  bool hit = false, more = false;
  if (open) {
    v = batch.vertex(place);
    dev::Quad q{};
    u64 first = 0, begin = 0, end = 4;
    if (!Bits::plain && pull.g.quads) {
      q = dev::read_only(&pull.g.quads[v]);
      more = !(q.w & single);
      q.w &= id_mask;
      if (more && batch.shift == 0) dev::prefetch(&pull.g.in_offsets[v]);  // few vertices: latency counts, not bandwidth
    } else {
      begin = dev::read_only(&pull.g.in_offsets[v]);
      end = dev::read_only(&pull.g.in_offsets[v + 1ull]);
      first = begin / 4 * 4;
      more = first + 4 < end;
      if (begin < end) q = read_quad<Bits::plain>(pull.g.in_neighbors, first, pull.g.num_arcs);
    }
    hit = begin < end && look_at(q, first, begin, end, pull.before, parent);
    if (hit) mark_found(pull, list, place, v, parent);
  }
  append(list.far, list.far_fill, more && !hit, place);
}

/// True: a vertex with a long row is left.
template <class Offset, class Bits>
HW_DEVICE bool look_at_far(const Pull<Offset, Bits>& pull, Worklist& list, const Batch& batch) {
  u32 place = 0, parent = 0;
  Offset length = 0;
  const bool open = take(list.far, list.far_fill, place);
  const u32 v = batch.vertex(place);
  const u32 skip = !Bits::plain && pull.g.quads ? 4 : 0;
  const bool hit = look(pull.g, open, v, skip, pull.before, parent, length);
  if (hit) mark_found(pull, list, place, v, parent);
  return open && !hit && length > long_row;
}

/// What is found of the vertices `open` in each lane's word. `longer`: this lane leaves one with a long row. Chains of
/// dependent reads are begun only for full warps, but at the end.
template <class Offset, class Bits>
HW_DEVICE Word look_at_batch(const Pull<Offset, Bits>& pull, Worklist& list, const Batch& batch, Word open, bool& longer) {
  list.found[dev::lane()] = 0;
  list.near_fill = list.far_fill = 0;
  const u32 count = static_cast<u32>(dev::popcount(open)), all = dev::reduce_add(dev::all_lanes, count);
  const bool whole = count > few_open && all > dev::lanes, dense = Bits::plain && whole && count >= dense_word;
  Word words = static_cast<Word>(dev::ballot(dev::all_lanes, whole && !dense));
  Word rows = static_cast<Word>(dev::ballot(dev::all_lanes, dense));
  Word found = 0;
  for (bool listed = false;;) {
    if (list.far_fill >= dev::lanes || (listed && !list.near_fill && list.far_fill)) {
      longer |= look_at_far(pull, list, batch);
    } else if (list.near_fill >= dev::lanes || (listed && list.near_fill)) {
      look_at_near(pull, list, batch);
    } else if (Bits::plain && rows) {
      look_at_rows(pull, list, batch, rows, open, found);
    } else if (words) {
      look_at_words(pull, list, batch, words, open, found);
    } else if (!listed) {
      listed = true;
      append_bits(list.near, list.near_fill, whole ? 0 : open);
    } else {
      break;
    }
  }
  dev::sync_warp();
  return found | list.found[dev::lane()];
}

struct PullCounts {
  u32 visited, found;  ///< this lane's: bits set after the step, those past the last vertex included; bits that this step set
  bool incomplete;     ///< the warp's
};

/// Puts the vertices found in the lanes' words into the warp's stage, unless this warp has given that up.
template <class Offset>
HW_DEVICE void stage_found(const Graph<Offset>& g, Stage<Offset>& st, Worklist& list, PullCounts& counts, const Batch& batch,
                           Word fresh, u32 stage_limit, Entry<Offset>* queue, u64* cursor) {
  const u32 mine = static_cast<u32>(dev::popcount(fresh)), total = dev::reduce_add(dev::all_lanes, mine);
  counts.found += mine;
  if (!total || counts.incomplete) return;
  if (st.fill + total > stage_limit) {
    counts.incomplete = true;
    st.fill = 0;
    return;
  }
  u32 left = 0;
  append_bits(list.near, left, fresh);
  while (left) {
    u32 place = 0, degree = 0;
    const bool keep = take(list.near, left, place);
    const u32 v = batch.vertex(place);
    Offset begin = 0;
    if (keep) {
      begin = dev::read_only(&g.offsets[v]);
      degree = static_cast<u32>(dev::read_only(&g.offsets[v + 1ull]) - begin);
    }
    stage(st, keep, v, begin, degree, queue, cursor);
  }
}

/// The whole grid's step: reads `visited`, writes `next` whole, and notes what it leaves.
template <class Offset, class Bits>
HW_DEVICE PullCounts pull_step(const Pull<Offset, Bits>& pull, Stage<Offset>& st, Worklist& list, WarpLeft& left,
                               const WordDeal& deal, const Word* visited, Word* next, u32 limit, u32 stage_limit,
                               Entry<Offset>* queue, u64* cursor) {
  PullCounts counts{0, 0, false};
  bool longer = false;
  const u32 active = (limit + word_bits - 1) / word_bits;
  for (u32 b = 0; b < deal.batches; ++b) {
    const Batch batch = batch_of(deal, b);
    const u32 at = batch.word(dev::lane());
    const bool mine = dev::lane() < deal.width && at < deal.words;
    const Word old = mine ? visited[at] : ~Word{0};
    const Word open = mine && at < active ? ~old : 0;
    Word fresh = 0;
    if (dev::any(dev::all_lanes, open != 0)) {
      fresh = look_at_batch(pull, list, batch, open, longer);
      stage_found(pull.g, st, list, counts, batch, fresh, stage_limit, queue, cursor);
      note_left(left, list, batch, open & ~fresh, limit);
    }
    if (mine) {
      next[at] = old | fresh;
      counts.visited += static_cast<u32>(dev::popcount(old | fresh));
    }
  }
  left.unlisted |= dev::any(dev::all_lanes, longer);
  return counts;
}

}  // namespace hopwave::HW_MACHINE::engine
