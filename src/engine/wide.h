// The wide traversal: all multiprocessors in one cooperative launch from the first vertex to the finished answer.
// Blocks meet once a step and each takes the same decision from the same totals; the host is never asked.
// The bitmaps are left empty for the next search, and byte levels are widened and put into the caller's order in the last pass.
#pragma once

#include "engine/meet.h"
#include "engine/pull.h"
#include "engine/solo.h"

namespace hopwave::HW_MACHINE::engine {

inline constexpr u32 fast_limit = 2 * 32;  ///< largest degree of a source that every block expands for itself

/// A block's shared memory beside the dynamic part.
template <class Offset>
struct Scratch {
  Entry<Offset> first[fast_limit];
  u64 warp_sums[max_warps + 1];
  Offset solo_sums[max_warps + 1];
  Counts mine;
  u32 count, solo_count;
  u64 edges;
  Totals sums[2];
};

/// Marks every neighbour of the source and makes them the block's own frontier; all blocks do the same, which saves a meeting.
/// Rows are sorted, so a duplicate stands beside its like. One warp.
template <class Offset>
HW_DEVICE void expand_source(const Graph<Offset>& g, const State<Offset>& s, Scratch<Offset>& b, u32 source, u32 degree,
                             Offset begin) {
  u64 edges = 0;
  u32 count = 0;
  for (u32 i0 = 0; i0 < degree; i0 += dev::lanes) {
    const u32 i = i0 + dev::lane();
    u64 d = 0;
    bool fresh = false;
    Entry<Offset> entry{};
    if (i < degree) {
      entry.vertex = dev::read_only(&g.neighbors[begin + i]);
      fresh = entry.vertex != source && (i == 0 || dev::read_only(&g.neighbors[begin + i - 1]) != entry.vertex);
    }
    if (fresh) {
      entry.begin = dev::read_only(&g.offsets[entry.vertex]);
      d = dev::read_only(&g.offsets[entry.vertex + 1ull]) - entry.begin;
      Word* word = &s.visited[0][entry.vertex / word_bits];
      if (!(dev::load(word) & bit_of(entry.vertex))) dev::fetch_or(word, bit_of(entry.vertex));
      if (dev::block() == 0) settle(s, entry.vertex, 1, source);
    }
    const dev::LaneMask fresh_lanes = dev::ballot(dev::all_lanes, fresh);
    const u64 below = prefix_below(d);
    if (fresh) {
      entry.before = static_cast<Offset>(edges + below);
      b.first[count + dev::popcount(fresh_lanes & dev::lanes_below())] = entry;
    }
    count += dev::popcount(fresh_lanes);
    edges += dev::shuffle(dev::all_lanes, below + d, dev::lanes - 1);
  }
  if (dev::lane() == 0) {
    b.count = count;
    b.edges = edges;
  }
}

/// One source: every block makes the first frontier for itself. Leaves it in b.first and says so in the progress.
template <class Offset>
HW_DEVICE Progress begin_single(const Graph<Offset>& g, const State<Offset>& s, const Rule& rule, Scratch<Offset>& b) {
  const u32 source = g.rank ? dev::read_only(&g.rank[s.source]) : s.source;
  const Offset begin = dev::read_only(&g.offsets[source]);
  const u64 degree = dev::read_only(&g.offsets[source + 1ull]) - begin;
  const bool fast = degree <= rule.fast_degree && degree <= fast_limit && rule.max_depth != 0;
  if (dev::warp() == 0) {
    if (dev::lane() == 0) {
      dev::fetch_or(&s.visited[0][source / word_bits], bit_of(source));
      if (dev::block() == 0) settle(s, source, 0, no_vertex);
    }
    if (fast) {
      expand_source(g, s, b, source, static_cast<u32>(degree), begin);
    } else if (dev::lane() == 0) {
      b.first[0] = {begin, 0, source};
      b.count = 1;
      b.edges = degree;
    }
  }
  dev::sync_block();
  Progress p{};
  p.level = p.first = fast ? 1 : 0;
  p.known = 1;
  p.visited = 1 + (fast ? b.count : 0);
  p.frontier = b.count;
  p.edges = b.edges;
  return p;
}

/// Several sources are claimed like found vertices; a meeting follows.
template <class Offset>
HW_DEVICE void begin_many(const Graph<Offset>& g, const State<Offset>& s, Stage<Offset>& st) {
  const u32 rounds = (s.num_sources + dev::global_threads() - 1) / dev::global_threads();
  for (u32 k = 0; k < rounds; ++k) {
    const u32 i = k * dev::global_threads() + dev::global_thread();
    bool won = false;
    u32 v = 0;
    if (i < s.num_sources) {
      v = dev::read_only(&s.sources[i]);
      if (g.rank) v = dev::read_only(&g.rank[v]);
      won = !(dev::fetch_or(&s.visited[0][v / word_bits], bit_of(v)) & bit_of(v));
      if (won) settle(s, v, 0, no_vertex);
    }
    Offset begin = 0;
    u32 degree = 0;
    if (won) {
      begin = dev::read_only(&g.offsets[v]);
      degree = static_cast<u32>(dev::read_only(&g.offsets[v + 1ull]) - begin);
    }
    stage(st, won, v, begin, degree, s.queue[0], &s.cursor[0]);
  }
  flush_block(st, s.queue[0], &s.cursor[0]);
}

/// What the next step does. `queued`: the frontier stands in a queue.
template <class Offset>
HW_DEVICE u32 choose(const Rule& rule, u64 size, u64 edges, bool queued, bool pulled) {
  if (!queued) return pull;
  if (rule.can_pull && edges >= (pulled ? rule.back_edges : rule.pull_edges)) return pull;
  if (rule.can_pull && !pulled && edges >= rule.flood_edges) return flood;
  const u32 capacity = solo_capacity<Offset>(rule);
  return size <= capacity && edges <= capacity ? alone : push;
}

/// The same in every block: from what was, and what the step found, to the next step.
template <class Offset>
HW_DEVICE void advance(Progress& p, const Totals& t, const Graph<Offset>& g, const Rule& rule, bool in_giant, bool hit_target) {
  const u32 mode = p.mode;
  p.level += mode == alone ? static_cast<u32>(t.incomplete) : 1;
  ++p.step;
  bool queued = true, over = t.found == 0;
  if (mode == flood) {
    p.known = 0;
    queued = over = false;
  } else if (mode == pull) {
    p.current = 1 - p.current;
    p.visited = t.visited - (static_cast<u64>(num_words(g)) * word_bits - g.num_vertices);
    p.known = 1;
    queued = t.incomplete == 0;
  } else {
    p.visited += mode == alone ? t.visited : t.found;
  }
  p.frontier = t.found;
  p.edges = t.edges;
  const bool deep = rule.max_depth >= 0 && p.level >= static_cast<u32>(rule.max_depth);
  if (over || hit_target || deep || (p.known && in_giant && p.visited == g.giant))
    p.mode = stop;
  else
    p.mode = choose<Offset>(rule, t.found, t.edges, queued, mode == pull);
}

/// A block's dynamic shared memory: stages, then lists of leftovers; or all of it for going alone.
template <class Offset>
struct Workplace {
  Stage<Offset> stage;
  Leftover left;
  Solo<Offset> solo;
};
template <class Offset>
HW_DEVICE Workplace<Offset> open_workplace(Scratch<Offset>& b, void* memory, const Rule& rule) {
  auto* begins = static_cast<Offset*>(memory);
  auto* vertices = reinterpret_cast<u32*>(begins + dev::warps() * stage_size);
  auto* degrees = vertices + dev::warps() * stage_size;
  const u32 at = dev::warp() * stage_size;
  return {{begins + at, vertices + at, degrees + at, b.warp_sums, &b.mine.flushed, 0},
          open_leftover(degrees + dev::warps() * stage_size),
          {static_cast<Entry<Offset>*>(memory), solo_capacity<Offset>(rule), &b.solo_count, b.solo_sums}};
}
/// What the host asks for.
template <class Offset>
inline constexpr u32 warp_shared_bytes = stage_bytes<Offset> + leftover_bytes;

template <class Offset>
HW_DEVICE void pull_and_queue(const Graph<Offset>& g, const State<Offset>& s, const Rule& rule, Scratch<Offset>& b,
                              Workplace<Offset>& place, const Progress& p, Entry<Offset>* made, u64* cursor, u32 limit) {
  const Before before{p.current ? s.visited[1] : s.visited[0]};
  const PullCounts c = pull_step(g, s, place.stage, place.left, before, p.current ? s.visited[0] : s.visited[1], limit,
                                 p.level + 1 - p.base, rule.stage_limit, made, cursor);
  if (dev::lane() == 0) {
    if (c.visited) dev::fetch_add(&b.mine.visited, c.visited);
    if (c.found) dev::fetch_add(&b.mine.found, c.found);
    if (c.incomplete) dev::fetch_or(&b.mine.incomplete, 1u);
  }
  dev::sync_block();
  // A block that lost part of what it found has no queue to offer, and then neither has anybody.
  if (b.mine.incomplete) {
    place.stage.fill = 0;
    return;
  }
  flush_block(place.stage, made, cursor);
  if (dev::thread() == 0) b.mine.found = 0;  // what was queued is counted there
}

/// One step; the block's counts are complete at the next meeting.
template <class Offset>
HW_DEVICE void step(const Graph<Offset>& g, const State<Offset>& s, const Rule& rule, Scratch<Offset>& b,
                    Workplace<Offset>& place, const Progress& p, const Entry<Offset>* frontier, bool in_giant) {
  const u32 byte = p.level + 1 - p.base;
  Entry<Offset>* made = p.step & 1 ? s.queue[0] : s.queue[1];
  Word* visited = p.current ? s.visited[1] : s.visited[0];
  u64* cursor = &s.cursor[(p.step + 1) % 3];
  // The cursor of the step after this one was last used two steps ago.
  if (dev::global_thread() == 0) s.cursor[(p.step + 2) % 3] = 0;
  if (p.mode == alone) {
    if (dev::block() == 0) solo_levels(g, s, rule, p, place.solo, frontier, made, in_giant ? g.giant : no_vertex, b.mine);
  } else if (p.mode == push) {
    push_step<false>(g, s, place.stage, frontier, p.frontier, p.edges, visited, byte, made, cursor);
  } else if (p.mode == flood) {
    push_step<true>(g, s, place.stage, frontier, p.frontier, p.edges, visited, byte, made, cursor);
  } else {
    pull_and_queue(g, s, rule, b, place, p, made, cursor, in_giant ? g.giant : g.num_vertices);
  }
}

/// Does vertex r (ours) get its level in this pass? `skip`: it was written by an earlier one.
struct Reached {
  const Word* visited;
  const Word* settled;  ///< null unless levels were written before
  u32 giant;            ///< not 0: exactly the vertices below are reached
  HW_DEVICE bool has(u32 r) const { return giant ? r < giant : visited[r / word_bits] >> (r % word_bits) & 1; }
  HW_DEVICE bool skip(u32 r) const { return settled && (settled[r / word_bits] >> (r % word_bits) & 1); }
};

/// Four levels of the last pass, all of base 0.
template <class Offset>
HW_DEVICE dev::Quad levels_of(const Graph<Offset>& g, const State<Offset>& s, const Reached& reached, u32 i,
                              const dev::Quad& r) {
  if (!g.rank) {  // four neighbours in memory: one read each
    const u32 bytes = reinterpret_cast<const u32*>(s.level8)[i], at = i * 4;
    const u32 bits = reached.giant ? 15u : static_cast<u32>(reached.visited[at / word_bits] >> (at % word_bits));
    const auto one = [&](u32 k) { return bits >> k & 1 ? bytes >> 8 * k & 255 : ~0u; };
    return {one(0), one(1), one(2), one(3)};
  }
  return {reached.has(r.x) ? s.level8[r.x] : ~0u, reached.has(r.y) ? s.level8[r.y] : ~0u,
          reached.has(r.z) ? s.level8[r.z] : ~0u, reached.has(r.w) ? s.level8[r.w] : ~0u};
}

/// Writes the levels of all vertices that have one by now, in the caller's order, four at a time. The last pass also writes
/// `unreached`.
template <class Offset>
HW_DEVICE void write_levels(const Graph<Offset>& g, const State<Offset>& s, const Progress& p, bool last, bool all_of_giant) {
  const Reached reached{p.current ? s.visited[1] : s.visited[0], p.base ? s.settled : nullptr, all_of_giant ? g.giant : 0};
  const u32 n = g.num_vertices, whole = last && !p.base ? n / 4 : 0, stride = dev::global_threads();
  for (u32 i = dev::global_thread(); i < whole; i += 2 * stride) {
    const bool two = i + stride < whole;
    dev::Quad a{}, b{};
    if (g.rank) {
      a = dev::read_only(reinterpret_cast<const dev::Quad*>(g.rank) + i);
      if (two) b = dev::read_only(reinterpret_cast<const dev::Quad*>(g.rank) + i + stride);
    }
    reinterpret_cast<dev::Quad*>(s.level)[i] = levels_of(g, s, reached, i, a);
    if (two) reinterpret_cast<dev::Quad*>(s.level)[i + stride] = levels_of(g, s, reached, i + stride, b);
  }
  for (u64 v = whole * 4ull + dev::global_thread(); v < n; v += dev::global_threads()) {
    const u32 r = g.rank ? dev::read_only(&g.rank[v]) : static_cast<u32>(v);
    if (reached.skip(r)) continue;
    if (reached.has(r))
      s.level[v] = static_cast<Distance>(p.base + s.level8[r]);
    else if (last)
      s.level[v] = unreached;
  }
  if (!last || !s.parent) return;
  for (u64 v = dev::global_thread(); v < n; v += dev::global_threads()) {
    const u32 r = g.rank ? dev::read_only(&g.rank[v]) : static_cast<u32>(v);
    const u32 from = reached.has(r) ? s.parent[r] : no_vertex;
    s.parent_out[v] = from == no_vertex || !g.order ? from : dev::read_only(&g.order[from]);
  }
}

/// Leaves both bitmaps, and the settled one if it was used, as the next search wants them.
template <class Offset>
HW_DEVICE void clear_bitmaps(const Graph<Offset>& g, const State<Offset>& s, bool settled) {
  const u32 words = num_words(g);
  for (u32 w = dev::global_thread(); w < words; w += dev::global_threads()) {
    const Word empty = empty_word(w, g.num_vertices);
    s.visited[0][w] = empty;
    s.visited[1][w] = empty;
    if (settled) s.settled[w] = 0;
  }
  if (dev::global_thread() < 3) s.cursor[dev::global_thread()] = 0;
}

template <class Offset>
HW_DEVICE bool target_reached(const Graph<Offset>& g, const State<Offset>& s, const Progress& p, bool pulled) {
  return s.target != no_vertex && is_visited(g, (p.current != 0) != pulled ? s.visited[1] : s.visited[0], s.target);
}

/// Every block has looked for the target: only now may one of them mark the next level, or clear. Without this a block that
/// looks late could see the target of a later level, stop, and leave the others waiting for it.
template <class Offset>
HW_DEVICE void meet_after_target(const State<Offset>& s, Meeting& m) {
  if (s.target != no_vertex) meet(m);
}

/// A byte counts no further: what there is was written, and counting goes on from here. Two meetings.
template <class Offset>
HW_DEVICE void rebase(const Graph<Offset>& g, const State<Offset>& s, Progress& p, Meeting& m) {
  meet(m);
  const u32 words = num_words(g);
  for (u32 w = dev::global_thread(); w < words; w += dev::global_threads())
    s.settled[w] = (p.current ? s.visited[1] : s.visited[0])[w];
  p.base = p.level;
  meet(m);
}

/// The first frontier, in the block's own memory or in a queue, and the mode of the first step.
template <class Offset>
HW_DEVICE Progress begin(const Graph<Offset>& g, const State<Offset>& s, const Rule& rule, Scratch<Offset>& b,
                         Workplace<Offset>& place, Meeting& m) {
  Progress p{};
  if (s.num_sources == 1) {
    p = begin_single(g, s, rule, b);
  } else {
    begin_many(g, s, place.stage);
    const Totals t = meet(m);
    p.known = 1;
    p.visited = p.frontier = t.found;
    p.edges = t.edges;
  }
  p.mode = choose<Offset>(rule, p.frontier, p.edges, true, false);
  const bool deep = rule.max_depth >= 0 && p.level >= static_cast<u32>(rule.max_depth);
  if (deep || p.frontier == 0 || p.edges == 0 || target_reached(g, s, p, false)) p.mode = stop;
  meet_after_target(s, m);
  // Pulling reads the bitmap plainly: no block may still be marking.
  if (p.mode == pull && s.num_sources == 1) meet(m);
  return p;
}

template <class Offset>
HW_DEVICE bool source_in_giant(const Graph<Offset>& g, const State<Offset>& s) {
  return g.giant && s.num_sources == 1 && (g.rank ? dev::read_only(&g.rank[s.source]) : s.source) < g.giant;
}

template <class Offset>
HW_KERNEL void HW_BOUNDS(1024, 1) wide_traversal(Graph<Offset> g, State<Offset> s, Rule rule) {
  HW_SHARED(Scratch<Offset>, scratch, 1);
  HW_DYNAMIC_SHARED(Entry<Offset>, memory);
  const u64 began = s.records ? dev::clock_ns() : 0;
  Scratch<Offset>& b = scratch[0];
  Workplace<Offset> place = open_workplace(b, memory, rule);
  Meeting m;
  open_meetings(m, s.slots, s.launch_parity, b.sums, &b.mine);
  dev::sync_block();
  const bool in_giant = source_in_giant(g, s);
  Progress p = begin(g, s, rule, b, place, m);
  const Entry<Offset>* frontier = s.num_sources == 1 ? b.first : s.queue[0];
  const u64 opened = s.records ? dev::clock_ns() : 0;
  u64 settled = 0;
  bool all = false;
  for (;;) {
    const bool last = p.mode == stop;
    if (last || p.level - p.base == deepest_byte) {
      settled = s.records ? dev::clock_ns() : 0;
      all = last && in_giant && p.known && p.visited == g.giant && p.base == 0;
      if (p.step == 0) meet(m);  // no step, no meeting yet: the source's level may still be on its way
      write_levels(g, s, p, last, all);
      if (last) break;
      rebase(g, s, p, m);
    }
    step(g, s, rule, b, place, p, frontier, in_giant);
    const u64 worked = s.records ? dev::clock_ns() : 0;
    const Totals t = meet(m);
    if (s.records && p.mode != alone)
      record(s, p, {p.mode, p.level + 1, p.frontier, p.edges, t.found, worked, dev::clock_ns()});
    const bool hit = target_reached(g, s, p, p.mode == pull);
    meet_after_target(s, m);
    advance(p, t, g, rule, in_giant, hit);
    frontier = p.step & 1 ? s.queue[1] : s.queue[0];
  }
  if (!all || s.parent) meet(m);
  clear_bitmaps(g, s, p.base != 0);
  if (dev::global_thread() == 0) {
    *s.control = {.progress = p,
                  .visited = p.visited,
                  .levels = p.level,
                  .records = p.level - p.first,
                  .began = began,
                  .opened = opened,
                  .settled = settled,
                  .ended = s.records ? dev::clock_ns() : 0};
  }
}

}  // namespace hopwave::HW_MACHINE::engine
