// Pulling: every unvisited vertex looks for a visited in-neighbour. Such a neighbour is always in the frontier, because any
// older one would have found the vertex before; so the visited bitmap of before the step serves as the frontier's.
// Source: Beamer, Asanović, Patterson (SC'12). Ours differs: no frontier bitmap; one warp owns a word, so that plain stores do;
// the first neighbour (a hub, if prepared) comes from a coalesced array; rows are read four words at a time.
#pragma once

#include "engine/push.h"

namespace hopwave::HW_MACHINE::engine {

inline constexpr u32 near_quads = 3;    ///< of a row that one lane looks at by itself before others help
inline constexpr u32 team_edges = 512;  ///< beyond so many the whole warp takes a row, else eight lanes

/// The visited bitmap of before the step.
struct Before {
  const Word* words;
  HW_DEVICE bool has(u32 v) const { return words[v / word_bits] >> (v % word_bits) & 1; }
};

/// Four neighbours by one read, of an array of `count`.
HW_DEVICE dev::Quad read_quad(const u32* neighbors, u64 first, u64 count) {
  if (first + 4 <= count) return dev::read_only(reinterpret_cast<const dev::Quad*>(neighbors + first));
  const auto one = [&](u64 i) { return i < count ? dev::read_only(&neighbors[i]) : 0; };
  return {one(first), one(first + 1), one(first + 2), one(first + 3)};
}

/// Looks at those of four neighbours, read from `first` on, that lie in [at, stop). All bits are asked for before any is
/// looked at: one after the other would wait four times.
HW_DEVICE bool look_at(const dev::Quad& q, u64 first, u64 at, u64 stop, const Before& before, u32& parent) {
  const u32 x[4] = {q.x, q.y, q.z, q.w};
  Word word[4];
  HW_UNROLL
  for (u32 j = 0; j < 4; ++j) word[j] = first + j >= at && first + j < stop ? before.words[x[j] / word_bits] : 0;
  bool seen = false;
  HW_UNROLL
  for (u32 j = 0; j < 4; ++j) {
    const bool has = word[j] >> (x[j] % word_bits) & 1;
    if (has && !seen) parent = x[j];
    seen |= has;
  }
  return seen;
}

/// One lane looks at the neighbours from `at` on, four at a time. True: found, and `parent` says where.
template <class Offset>
HW_DEVICE bool look_near(const u32* neighbors, Offset& at, Offset end, u64 count, const Before& before, u32& parent) {
  for (u32 k = 0; k < near_quads && at < end; ++k) {
    const Offset first = at / 4 * 4;
    if (look_at(read_quad(neighbors, first, count), first, at, end, before, parent)) return true;
    at = end - first < 4 ? end : first + 4;
  }
  return false;
}

/// `team` lanes look at one row [at, end) together, several teams at several rows; whole warps call, teams without a row
/// bring an empty one. Returns, in every lane of the team, whether it was found, and where.
template <u32 team, class Offset>
HW_DEVICE bool look_together(const u32* neighbors, Offset at, Offset end, u64 count, const Before& before, u32& parent) {
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
template <u32 team, class Offset>
HW_DEVICE void look_far(const u32* neighbors, dev::LaneMask rest, Offset at, Offset end, u64 count, const Before& before,
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

/// The rows of the lanes that are `open`, from their second neighbour on if the head was looked at already.
template <class Offset>
HW_DEVICE bool look(const Graph<Offset>& g, bool open, u32 v, const Before& before, u32& parent) {
  Offset at = 0, end = 0;
  bool hit = false;
  if (open) {
    at = dev::read_only(&g.in_offsets[v]) + (g.head ? 1 : 0);
    end = dev::read_only(&g.in_offsets[v + 1ull]);
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

struct PullCounts {
  u64 visited, found;  ///< bits set after the step, those past the last vertex included; bits that this step set
  bool incomplete;
};

/// A warp's vertices whose head said nothing, packed so that all lanes have one to look at; and what was found of them.
struct Leftover {
  Byte* vertices;  ///< lanes × group_words, counted from the group's first
  Word* bits;      ///< group_words
};
inline constexpr u32 leftover_bytes = dev::lanes * group_words + group_words * sizeof(Word);  ///< a warp

HW_DEVICE Leftover open_leftover(void* memory) {
  auto* bits = static_cast<Word*>(memory);
  auto* vertices = reinterpret_cast<Byte*>(bits + dev::warps() * group_words);
  return {vertices + dev::warp() * dev::lanes * group_words, bits + dev::warp() * group_words};
}

/// One of a few words in registers.
HW_DEVICE Word pick(const Word (&word)[group_words], u32 k) {
  return k == 0 ? word[0] : k == 1 ? word[1] : k == 2 ? word[2] : word[3];
}

/// Looks at heads: marks who is found by its head, and lists who has further neighbours to look at. `base`: the first vertex.
template <class Offset>
HW_DEVICE u32 look_at_heads(const Graph<Offset>& g, const State<Offset>& s, const Leftover& left, Word (&word)[group_words],
                            u32 base, const Before& before, u32 byte) {
  u32 head[group_words], count = 0;
  HW_UNROLL
  for (u32 k = 0; k < group_words; ++k) {
    const bool open = !(word[k] >> dev::lane() & 1);
    head[k] = g.head && open ? dev::read_once(&g.head[base + k * word_bits + dev::lane()]) : 0;
  }
  HW_UNROLL
  for (u32 k = 0; k < group_words; ++k) {
    if (word[k] == ~Word{0}) continue;  // the whole warp
    const u32 v = base + k * word_bits + dev::lane();
    const bool open = !(word[k] >> dev::lane() & 1);
    const bool hit = g.head && open && before.has(head[k] & id_mask);
    if (hit) settle(s, v, byte, head[k] & id_mask);
    const bool more = open && !hit && !(head[k] & single);
    const dev::LaneMask rest = dev::ballot(dev::all_lanes, more);
    if (more) left.vertices[count + static_cast<u32>(dev::popcount(rest & dev::lanes_below()))] = static_cast<Byte>(v - base);
    count += static_cast<u32>(dev::popcount(rest));
    word[k] |= static_cast<Word>(dev::ballot(dev::all_lanes, hit));
  }
  return count;
}

/// Looks at the rows of the vertices listed, and marks those that are found.
template <class Offset>
HW_DEVICE void look_at_rows(const Graph<Offset>& g, const State<Offset>& s, const Leftover& left, u32 count,
                            Word (&word)[group_words], u32 base, const Before& before, u32 byte) {
  if (dev::lane() < group_words) left.bits[dev::lane()] = 0;
  dev::sync_warp();
  for (u32 i0 = 0; i0 < count; i0 += dev::lanes) {
    const bool open = i0 + dev::lane() < count;
    const u32 v = open ? base + left.vertices[i0 + dev::lane()] : 0;
    u32 parent = 0;
    if (!look(g, open, v, before, parent)) continue;
    settle(s, v, byte, parent);
    dev::fetch_or(&left.bits[(v - base) / word_bits], bit_of(v));
  }
  dev::sync_warp();
  HW_UNROLL
  for (u32 k = 0; k < group_words; ++k) word[k] |= left.bits[k];
  dev::sync_warp();  // read before the next group clears them
}

/// Puts the vertices found in one word into the queue, unless this warp has given that up.
template <class Offset>
HW_DEVICE void stage_found(const Graph<Offset>& g, Stage<Offset>& st, PullCounts& counts, Word fresh, u32 base, u32 stage_limit,
                           Entry<Offset>* queue, u64* cursor) {
  if (!fresh) return;
  const u32 count = static_cast<u32>(dev::popcount(fresh));
  counts.found += count;
  if (counts.incomplete) return;
  if (st.fill + count > stage_limit) {
    counts.incomplete = true;
    st.fill = 0;
    return;
  }
  const bool mine = fresh >> dev::lane() & 1;
  Offset begin = 0;
  u32 degree = 0;
  if (mine) {
    begin = dev::read_only(&g.offsets[base + dev::lane()]);
    degree = static_cast<u32>(dev::read_only(&g.offsets[base + dev::lane() + 1ull]) - begin);
  }
  stage(st, mine, base + dev::lane(), begin, degree, queue, cursor);
}

/// The whole grid's step: reads bitmap `old`, writes `next` whole. A warp takes several words where there are many, so that
/// more reads are under way, and one where there are few, so that more warps have something to do.
template <class Offset>
HW_DEVICE PullCounts pull_step(const Graph<Offset>& g, const State<Offset>& s, Stage<Offset>& st, const Leftover& left,
                               const Before& before, Word* next, u32 limit, u32 byte, u32 stage_limit, Entry<Offset>* queue,
                               u64* cursor) {
  PullCounts counts{0, 0, false};
  const u32 stride = dev::grid_size() * dev::warps(), words = num_words(g);
  const u32 width = words >= 4 * stride ? 4 : words >= 2 * stride ? 2 : 1;
  const u32 groups = words / width, active = (limit + word_bits * width - 1) / (word_bits * width);
  for (u32 group = dev::warp() * dev::grid_size() + dev::block(); group < groups; group += stride) {
    const u32 base = group * width * word_bits;
    Word word[group_words];
    bool any_open = false;
    HW_UNROLL
    for (u32 k = 0; k < group_words; ++k) {
      word[k] = k < width ? before.words[group * width + k] : ~Word{0};
      any_open |= word[k] != ~Word{0};
    }
    if (any_open && group < active) {
      const u32 count = look_at_heads(g, s, left, word, base, before, byte);
      if (count) look_at_rows(g, s, left, count, word, base, before, byte);
      for (u32 k = 0; k < width; ++k)
        stage_found(g, st, counts, static_cast<Word>(pick(word, k) & ~before.words[group * width + k]), base + k * word_bits,
                    stage_limit, queue, cursor);
    }
    if (dev::lane() < width) next[group * width + dev::lane()] = pick(word, dev::lane());
    for (u32 k = 0; k < width; ++k) counts.visited += static_cast<u32>(dev::popcount(pick(word, k)));
  }
  return counts;
}

}  // namespace hopwave::HW_MACHINE::engine
