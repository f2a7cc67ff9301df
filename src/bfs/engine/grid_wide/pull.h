// Pulling (bottom-up): every unvisited vertex looks for a visited in-neighbour. Such a neighbour is in the frontier, because an
// older one would have found the vertex before. So the visited bitmap from before the step serves as the frontier's.
// Source: Beamer, Asanović, Patterson (SC'12). Ours differs: no frontier bitmap; one warp owns a word, so that plain stores do;
// a warp takes up to 32 words at once and collects vertices over all of them before it follows a chain of dependent reads.
#pragma once

#include "bfs/engine/grid_wide/pull_lists.h"
#include "bfs/engine/grid_wide/pull_rows.h"
#include "bfs/plan/thresholds.h"

namespace hopwave::HW_MACHINE::engine::grid_wide {

inline constexpr u32 pull_buffer_size = warp_buffer_size / 2;  ///< found vertices that a warp keeps while pulling
inline constexpr u32 dense_word = dev::lanes * 3 / 4;  ///< a word with so many open vertices is taken whole, a lane a bit

/// One pull as a warp sees it.
template <class Offset, class Bits>
struct Pull {
  const Graph<Offset>& g;
  const Searching<Offset, Bits::plain>& s;
  const Rule& rule;
  Bits before;  ///< the visited bitmap, which the step reads
  Word* after;  ///< the one that it writes, whole
  u32 limit;    ///< vertices from there on cannot be reached
  u32 byte;     ///< the level of what is found, counted from the last rebase
  Word* kept;   ///< where what is found is noted, for the last pass to write the levels; null: they are written at once
  Queue<Offset> made;
};

/// Vertex v is found.
template <class Offset, class Bits>
HW_DEVICE void settle_pulled(const Pull<Offset, Bits>& pull, u32 v, u32 parent) {
  if (!Bits::plain || !pull.kept)
    settle(pull.s, v, pull.byte, parent);
  else if (pull.s.parent)
    dev::store(&pull.s.parent[v], parent);
}

/// Which neighbour to look at first. Prepared: the likeliest one. Else the cached parent, which found the vertex in an earlier
/// search. It is read plainly although this search writes there too: only the warp that owns the vertex's word does either.
template <class Offset, class Bits>
HW_DEVICE u32 first_neighbor_of(const Pull<Offset, Bits>& pull, u32 v) {
  return Bits::plain ? dev::plain_read(&pull.g.first_neighbor[v]) : dev::read_only(&pull.g.first_neighbor[v]);
}
/// For later searches: the parent of v, or its only neighbour.
template <class Offset, class Bits>
HW_DEVICE void remember(const Pull<Offset, Bits>& pull, u32 v, bool hit, u32 parent, bool only) {
  if (Bits::plain && pull.s.cached_parent && (hit || only)) {
    const u32 cached = parent | (only ? single : 0);
    dev::plain_write(&pull.s.cached_parent[v], cached);
  }
}

template <class Offset, class Bits>
HW_DEVICE void mark_found(const Pull<Offset, Bits>& pull, const Worklist& list, u32 place, u32 v, u32 parent) {
  settle_pulled(pull, v, parent);
  dev::fetch_or(&list.found[place / word_bits], Word{1} << place % word_bits);
}

/// Takes some of `words` (lanes whose words are to be looked at whole): marks in `found` the vertices that their first
/// neighbour finds, and lists those with further neighbours. Without first neighbours or cached parents all are listed.
template <class Offset, class Bits>
HW_DEVICE void probe_words(const Pull<Offset, Bits>& pull, Worklist& list, const Batch& part, Word& words, Word open,
                           Word& found) {
  u32 slot[words_at_once], first_neighbor[words_at_once];
  Word bits[words_at_once];
  bool mine[words_at_once];
  const bool first_neighbors = pull.g.first_neighbor != nullptr;
  HW_UNROLL
  for (u32 j = 0; j < words_at_once; ++j) {
    slot[j] = words ? static_cast<u32>(dev::find_first_set(words)) - 1 : dev::lanes;
    words &= words - 1;
    first_neighbor[j] = 0;
    mine[j] = slot[j] < dev::lanes && (dev::shuffle(dev::all_lanes, open, slot[j] % dev::lanes) >> dev::lane() & 1);
    if (mine[j] && first_neighbors) first_neighbor[j] = first_neighbor_of(pull, part.word(slot[j]) * word_bits + dev::lane());
  }
  HW_UNROLL
  for (u32 j = 0; j < words_at_once; ++j)
    bits[j] = mine[j] && first_neighbors ? pull.before.words[(first_neighbor[j] & id_mask) / word_bits] : 0;
  HW_UNROLL
  for (u32 j = 0; j < words_at_once; ++j) {
    if (slot[j] >= dev::lanes) break;  // the whole warp
    const bool hit = bits[j] >> (first_neighbor[j] % word_bits) & 1;
    if (hit) settle_pulled(pull, part.word(slot[j]) * word_bits + dev::lane(), first_neighbor[j] & id_mask);
    const Word hits = static_cast<Word>(dev::ballot(dev::all_lanes, hit));
    if (dev::lane() == slot[j]) found |= hits;
    append(list.near, list.near_fill, mine[j] && !hit && !(first_neighbor[j] & single),
           slot[j] * word_bits + dev::lane() + (first_neighbors ? tried : 0));
  }
}

/// The same for words whose vertices are nearly all open: each lane begins the rows of its vertices in two words. Lists the
/// vertices with further neighbours.
template <class Offset, class Bits>
HW_DEVICE void probe_rows(const Pull<Offset, Bits>& pull, Worklist& list, const Batch& part, Word& words, Word open,
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
    const u32 v = part.word(slot[j]) * word_bits + dev::lane();
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
    const bool hit = begin[j] < end[j] && probe_at(q[j], first, begin[j], end[j], pull.before, parent);
    const u32 v = part.word(slot[j]) * word_bits + dev::lane();
    if (hit) settle_pulled(pull, v, parent);
    remember(pull, v, hit, parent, end[j] - begin[j] == 1);
    const Word hits = static_cast<Word>(dev::ballot(dev::all_lanes, hit));
    if (dev::lane() == slot[j]) found |= hits;
    append(list.far, list.far_fill, !hit && begin[j] < end[j] && end[j] - first > 4, slot[j] * word_bits + dev::lane());
  }
}

/// Tries the cached parents of the lanes whose vertex is listed without having tried it.
template <class Offset, class Bits>
HW_DEVICE void probe_cached_parents(const Pull<Offset, Bits>& pull, Worklist& list, const Batch& part, bool& open, u32& place) {
  const bool untried = open && !(place & tried);
  place &= ~tried;
  if (untried) {
    const u32 v = part.vertex(place), cached_parent = first_neighbor_of(pull, v);
    const bool hit = pull.before.has(cached_parent & id_mask);
    if (hit) mark_found(pull, list, place, v, cached_parent & id_mask);
    open = !hit && !(cached_parent & single);
  }
  dev::sync_warp();
}

/// Looks at the first four neighbours of as many listed vertices as a warp has lanes.
template <class Offset, class Bits>
HW_DEVICE void probe_near(const Pull<Offset, Bits>& pull, Worklist& list, const Batch& part) {
  u32 place = 0, v = 0, parent = 0;
  bool open = take(list.near, list.near_fill, place);
  if (Bits::plain && pull.g.first_neighbor) probe_cached_parents(pull, list, part, open, place);
  const bool first_neighbor_tried = place & tried;  // of a prepared graph, where it is the quad's first
  place &= ~tried;
  bool hit = false, more = false;
  if (open) {
    v = part.vertex(place);
    dev::Quad q{};
    u64 first = 0, begin = 0, end = 4;
    if constexpr (!Bits::plain) {
      q = dev::read_only(&pull.g.quads[v]);
      begin = first_neighbor_tried;
      more = !(q.w & single);
      q.w &= id_mask;
    } else {
      begin = dev::read_only(&pull.g.in_offsets[v]);
      end = dev::read_only(&pull.g.in_offsets[v + 1ull]);
      first = begin / 4 * 4;
      more = first + 4 < end;
      if (begin < end) q = read_quad<Bits::plain>(pull.g.in_neighbors, first, pull.g.num_arcs);
    }
    hit = begin < end && probe_at(q, first, begin, end, pull.before, parent);
    if (hit) mark_found(pull, list, place, v, parent);
    if (Bits::plain) remember(pull, v, hit, parent, end - begin == 1);
  }
  append(list.far, list.far_fill, more && !hit, place);
}

/// True: a vertex with a long row is left.
template <class Offset, class Bits>
HW_DEVICE bool probe_far(const Pull<Offset, Bits>& pull, Worklist& list, const Batch& part) {
  u32 place = 0;
  const bool open = take(list.far, list.far_fill, place);
  const u32 v = part.vertex(place);
  const u32 skip = Bits::plain ? 0 : 4;
  const Probed<Offset> seen = probe(pull.g, open, v, skip, pull.before);
  if (seen.hit) {
    mark_found(pull, list, place, v, seen.parent);
    remember(pull, v, true, seen.parent, false);
  }
  return open && !seen.hit && seen.length > thresholds::AnyDevice::long_row;
}

/// Returns which of the vertices `open` in each lane's word are found. `longer`: this lane leaves one with a long row. Except
/// at the end, chains of dependent reads are begun for full warps only.
template <class Offset, class Bits>
HW_DEVICE Word probe_batch(const Pull<Offset, Bits>& pull, Worklist& list, const Batch& part, Word open, bool& longer) {
  list.found[dev::lane()] = 0;
  list.near_fill = list.far_fill = 0;
  const u32 count = static_cast<u32>(dev::popcount(open)), all = dev::reduce_add(dev::all_lanes, count);
  const bool whole = count > thresholds::AnyDevice::few_open && all > dev::lanes,
             dense = Bits::plain && !pull.g.first_neighbor && whole && count >= dense_word;
  Word words = static_cast<Word>(dev::ballot(dev::all_lanes, whole && !dense));
  Word rows = static_cast<Word>(dev::ballot(dev::all_lanes, dense));
  Word found = 0;
  for (bool listed = false;;) {
    HW_CHECK(list.near_fill <= near_capacity && list.far_fill <= far_capacity);
    if (list.far_fill >= dev::lanes || (listed && !list.near_fill && list.far_fill)) {
      longer |= probe_far(pull, list, part);
    } else if (list.near_fill >= dev::lanes || (listed && list.near_fill)) {
      probe_near(pull, list, part);
    } else if (Bits::plain && rows) {
      probe_rows(pull, list, part, rows, open, found);
    } else if (words) {
      probe_words(pull, list, part, words, open, found);
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

/// Puts the vertices found in the lanes' words into the warp's buffer, unless this warp has given up queueing.
template <class Offset, class Bits>
HW_DEVICE void buffer_found(const Pull<Offset, Bits>& pull, WarpBuffer<Offset>& st, Worklist& list, PullCounts& counts,
                            const Batch& part, Word fresh) {
  const u32 mine = static_cast<u32>(dev::popcount(fresh)), total = dev::reduce_add(dev::all_lanes, mine);
  counts.found += mine;
  if (!total || counts.incomplete) return;
  if (st.fill + total > pull.rule.warp_buffer_limit) {
    counts.incomplete = true;
    st.fill = 0;
    return;
  }
  u32 left = 0;
  append_bits(list.near, left, fresh);
  while (left) {
    u32 place = 0;
    const bool keep = take(list.near, left, place);
    buffer_row(pull.g, st, keep, part.vertex(place), pull.made);
  }
}

/// The whole grid's step. Lists the vertices that it leaves.
template <class Offset, class Bits>
HW_DEVICE PullCounts pull_step(const Pull<Offset, Bits>& pull, WarpBuffer<Offset>& st, Worklist& list, WarpLeft& left) {
  const WordPartition& partition = pull.rule.partition;
  PullCounts counts{0, 0, false};
  bool longer = false;
  const u32 active = (pull.limit + word_bits - 1) / word_bits;
  for (u32 b = 0; b < partition.batches; ++b) {
    const Batch part = batch_of(partition, b);
    const u32 at = part.word(dev::lane());
    const bool mine = dev::lane() < partition.width && at < partition.words;
    const Word old = mine ? dev::plain_read(&pull.before.words[at]) : ~Word{0};
    const Word open = mine && at < active ? ~old : 0;
    Word fresh = 0;
    if (dev::any(dev::all_lanes, open != 0)) {
      fresh = probe_batch(pull, list, part, open, longer);
      buffer_found(pull, st, list, counts, part, fresh);
      note_left(left, list, part, open & ~fresh, pull.limit);
    }
    if (mine) {
      const Word now = old | fresh;
      dev::plain_write(&pull.after[at], now);
      if (Bits::plain && pull.kept) dev::plain_write(&pull.kept[at], fresh);
      counts.visited += static_cast<u32>(dev::popcount(now));
    }
  }
  left.unlisted |= dev::any(dev::all_lanes, longer);
  return counts;
}

}  // namespace hopwave::HW_MACHINE::engine::grid_wide
