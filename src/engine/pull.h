// Pulling: every unvisited vertex looks for a visited in-neighbour. Such a neighbour is always in the frontier, because any
// older one would have found the vertex before; so the visited bitmap of before the step serves as the frontier's.
// Source: Beamer, Asanović, Patterson (SC'12). Ours differs: no frontier bitmap; one warp owns a word, so that plain stores do;
// the first neighbour (a hub, if prepared) comes from a coalesced array, hubs' bits from shared memory, then whole sectors.
#pragma once

#include "engine/push.h"

namespace hopwave::HW_MACHINE::engine {

inline constexpr u32 near_edges = 12;   ///< of a row that one lane looks at by itself before others help
inline constexpr u32 team_edges = 512;  ///< beyond so many the whole warp takes a row, else eight lanes

/// The visited bitmap of before the step, its first words in shared memory.
struct Before {
  const Word* words;
  const Word* hubs;
  u32 hub_words;
  HW_DEVICE bool has(u32 v) const {
    const u32 w = v / word_bits;
    const Word word = w < hub_words ? hubs[w] : words[w];
    return word >> (v % word_bits) & 1;
  }
};

HW_DEVICE Before open_before(const Word* words, Word* hubs, u32 hub_words) {
  for (u32 w = dev::thread(); w < hub_words; w += dev::block_size()) hubs[w] = words[w];
  dev::sync_block();
  return {words, hubs, hub_words};
}

/// One lane looks at up to near_edges neighbours from `at` on, four at a time. True: found, and `parent` says where.
template <class Offset>
HW_DEVICE bool look_near(const u32* neighbors, Offset& at, Offset end, const Before& before, u32& parent) {
  const Offset stop = end - at > near_edges ? at + near_edges : end;
  while (at < stop) {
    u32 x[4];
    const u32 count = stop - at < 4 ? static_cast<u32>(stop - at) : 4;
    HW_UNROLL
    for (u32 j = 0; j < 4; ++j) x[j] = j < count ? dev::read_only(&neighbors[at + j]) : 0;
    bool seen = false;
    HW_UNROLL
    for (u32 j = 0; j < 4; ++j) {
      if (j < count && !seen && before.has(x[j])) {
        parent = x[j];
        seen = true;
      }
    }
    if (seen) return true;
    at += count;
  }
  return false;
}

/// `team` lanes look at one row [at, end) together, several teams at several rows; whole warps call, teams without a row
/// bring an empty one. Returns, in every lane of the team, whether it was found, and where.
template <u32 team, class Offset>
HW_DEVICE bool look_together(const u32* neighbors, Offset at, Offset end, const Before& before, u32& parent) {
  constexpr u32 ahead = 4;
  const u32 member = dev::lane() % team, first = dev::lane() - member;
  bool found = false;
  while (dev::any(dev::all_lanes, !found && at < end)) {
    u32 x[ahead];
    HW_UNROLL
    for (u32 j = 0; j < ahead; ++j) {
      const Offset e = at + j * team + member;
      x[j] = !found && at < end && e < end ? dev::read_only(&neighbors[e]) : no_vertex;
    }
    bool seen = false;
    u32 where = 0;
    HW_UNROLL
    for (u32 j = 0; j < ahead; ++j) {
      if (x[j] == no_vertex || seen || !before.has(x[j])) continue;
      seen = true;
      where = x[j];
    }
    const dev::LaneMask all = dev::ballot(dev::all_lanes, seen) >> first;
    const dev::LaneMask mine = team == dev::lanes ? all : all & ((dev::LaneMask{1} << team % 64) - 1);
    const u32 from =
        dev::shuffle(dev::all_lanes, where, mine ? first + static_cast<u32>(dev::find_first_set(mine)) - 1 : dev::lane());
    if (mine && !found) {
      found = true;
      parent = from;
    }
    at = end - at < ahead * team ? end : at + ahead * team;
  }
  return found;
}

/// The warp looks at [at, end) of the lanes in `rest`, as many rows at a time as there are teams. Sets `hit` and `parent`
/// in a row's lane.
template <u32 team, class Offset>
HW_DEVICE void look_far(const u32* neighbors, dev::LaneMask rest, Offset at, Offset end, const Before& before, bool& hit,
                        u32& parent) {
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
    const bool found = look_together<team>(neighbors, row, stop, before, where);
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
    hit = at < end && look_near(g.in_neighbors, at, end, before, parent);
  }
  dev::sync_warp();
  const bool more = open && !hit && at < end;
  const dev::LaneMask rest = dev::ballot(dev::all_lanes, more);
  if (!rest) return hit;
  const dev::LaneMask large = dev::ballot(dev::all_lanes, more && end - at > team_edges);
  if (rest & ~large) look_far<8>(g.in_neighbors, rest & ~large, at, end, before, hit, parent);
  if (large) look_far<dev::lanes>(g.in_neighbors, large, at, end, before, hit, parent);
  return hit;
}

struct PullCounts {
  u64 visited, found;
  bool incomplete;
};

/// The whole grid's step: reads bitmap `old`, writes `next` whole.
template <class Offset>
HW_DEVICE PullCounts pull_step(const Graph<Offset>& g, const State<Offset>& s, Stage<Offset>& st, const Before& before,
                               Word* next, u32 limit, u32 byte, u32 stage_limit, Entry<Offset>* queue, u64* cursor) {
  PullCounts counts{0, 0, false};
  const u32 groups = num_words(g) / group_words, active = (limit + word_bits * group_words - 1) / (word_bits * group_words);
  const u32 stride = dev::grid_size() * dev::warps();
  for (u32 group = dev::warp() * dev::grid_size() + dev::block(); group < groups; group += stride) {
    Word word[group_words];
    bool any_open = false;
    HW_UNROLL
    for (u32 k = 0; k < group_words; ++k) {
      word[k] = before.words[group * group_words + k];
      any_open |= word[k] != ~Word{0};
    }
    if (any_open && group < active) {
      u32 head[group_words];
      HW_UNROLL
      for (u32 k = 0; k < group_words; ++k) {
        const u32 v = (group * group_words + k) * word_bits + dev::lane();
        const bool open = !(word[k] >> dev::lane() & 1);
        head[k] = g.head && open ? dev::read_once(&g.head[v]) : single;
      }
      HW_UNROLL
      for (u32 k = 0; k < group_words; ++k) {
        if (word[k] == ~Word{0}) continue;
        const u32 v = (group * group_words + k) * word_bits + dev::lane();
        const bool open = !(word[k] >> dev::lane() & 1);
        u32 parent = head[k] & id_mask;
        bool hit = g.head && open && before.has(parent);
        const bool more = open && !hit && !(g.head && (head[k] & single));
        if (dev::any(dev::all_lanes, more)) hit |= look(g, more, v, before, parent);
        const Word hits = static_cast<Word>(dev::ballot(dev::all_lanes, hit));
        if (!hits) continue;
        if (hit) settle(s, v, byte, parent);
        word[k] |= hits;
        const u32 count = static_cast<u32>(dev::popcount(hits));
        counts.found += count;
        if (!counts.incomplete) {
          counts.incomplete = st.fill + count > stage_limit;
          Offset begin = 0;
          u32 degree = 0;
          if (hit && !counts.incomplete) {
            begin = dev::read_only(&g.offsets[v]);
            degree = static_cast<u32>(dev::read_only(&g.offsets[v + 1ull]) - begin);
          }
          if (counts.incomplete)
            st.fill = 0;
          else
            stage(st, hit, v, begin, degree, queue, cursor);
        }
      }
    }
    HW_UNROLL
    for (u32 k = 0; k < group_words; ++k) {
      const u32 w = group * group_words + k;
      if (dev::lane() == 0) next[w] = word[k];
      counts.visited += static_cast<u32>(dev::popcount(static_cast<Word>(word[k] & ~empty_word(w, g.num_vertices))));
    }
  }
  return counts;
}

}  // namespace hopwave::HW_MACHINE::engine
