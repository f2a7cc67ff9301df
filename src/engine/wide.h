// The wide traversal: all multiprocessors in one cooperative launch from the first vertex to the finished answer.
// Blocks meet once a step and each takes the same decision from the same totals; the host is never asked.
// The bitmaps are left empty for the next search, and byte levels are widened and put into the caller's order in the last pass.
#pragma once

#include "engine/meet.h"
#include "engine/pull.h"

namespace hopwave::HW_MACHINE::engine {

inline constexpr u32 fast_limit = 2 * 32;  ///< largest degree of a source that every block expands for itself

/// A block's shared memory beside the dynamic part (hub bits, then stages).
template <class Offset>
struct Scratch {
  Entry<Offset> first[fast_limit];
  u64 warp_sums[max_warps + 1];
  Counts mine;
  u32 count;
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
  const u32 source = g.rank ? dev::read_only(&g.rank[dev::read_only(s.sources)]) : dev::read_only(s.sources);
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
  p.level = fast ? 1 : 0;
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
HW_DEVICE u32 choose(const Rule& rule, u64 edges, bool queued, bool pulled) {
  if (!queued) return pull;
  if (!rule.can_pull) return push;
  if (pulled) return edges < rule.back_edges ? push : pull;
  if (edges >= rule.pull_edges) return pull;
  return edges >= rule.flood_edges ? flood : push;
}

/// The same in every block: from what was, and what the step found, to the next step.
template <class Offset>
HW_DEVICE void advance(Progress& p, const Totals& t, const Graph<Offset>& g, const Rule& rule, bool in_giant, bool hit_target) {
  const u32 mode = p.mode;
  ++p.level;
  ++p.step;
  bool queued = true, over = false;
  if (mode == flood) {
    p.known = 0;
    queued = false;
  } else if (mode == pull) {
    p.current = 1 - p.current;
    p.visited = t.visited;
    p.known = 1;
    queued = t.incomplete == 0;
    over = t.found == 0;
  } else {
    p.visited += t.found;
    over = t.found == 0;
  }
  p.frontier = t.found;
  p.edges = t.edges;
  if (over || hit_target || (p.known && in_giant && p.visited == g.giant))
    p.mode = stop;
  else
    p.mode = choose(rule, t.edges, queued, mode == pull);
  if (rule.max_depth >= 0 && p.level >= static_cast<u32>(rule.max_depth)) p.mode = stop;
}

template <class Offset>
HW_DEVICE void record(const State<Offset>& s, const Progress& p, const Totals& t) {
  if (!s.records || dev::block() != 0 || dev::thread() != 0) return;
  if (p.step < s.record_capacity) s.records[p.step] = {p.mode, p.level + 1, p.frontier, p.edges, t.found, dev::clock_ns()};
}

/// One step; the block's counts are complete at the next meeting.
template <class Offset>
HW_DEVICE void step(const Graph<Offset>& g, const State<Offset>& s, const Rule& rule, Scratch<Offset>& b, Stage<Offset>& st,
                    Word* hubs, const Progress& p, const Entry<Offset>* frontier, u32 limit) {
  const u32 byte = p.level + 1 - p.base;
  Entry<Offset>* made = p.step & 1 ? s.queue[0] : s.queue[1];
  Word* visited = p.current ? s.visited[1] : s.visited[0];
  u64* cursor = &s.cursor[(p.step + 1) % 3];
  // The cursor of the step after this one was last used two steps ago.
  if (dev::global_thread() == 0) s.cursor[(p.step + 2) % 3] = 0;
  if (p.mode == push) {
    push_step<false>(g, s, st, frontier, p.frontier, p.edges, visited, byte, made, cursor);
  } else if (p.mode == flood) {
    push_step<true>(g, s, st, frontier, p.frontier, p.edges, visited, byte, made, cursor);
  } else {
    const u32 words = num_words(g), hub_words = rule.hub_words < words ? rule.hub_words : words;
    const Before before = open_before(visited, hubs, hub_words);
    Word* next = p.current ? s.visited[0] : s.visited[1];
    const PullCounts c = pull_step(g, s, st, before, next, limit, byte, rule.stage_limit, made, cursor);
    if (dev::lane() == 0) {
      if (c.visited) dev::fetch_add(&b.mine.visited, c.visited);
      if (c.found) dev::fetch_add(&b.mine.found, c.found);
      if (c.incomplete) dev::fetch_or(&b.mine.incomplete, 1u);
    }
    dev::sync_block();
    // A block that lost part of what it found has no queue to offer, and then neither has anybody.
    if (b.mine.incomplete) {
      st.fill = 0;
      return;
    }
    flush_block(st, made, cursor);
    if (dev::thread() == 0) b.mine.found = 0;  // what was queued is counted there
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

/// Writes the levels of all vertices that have one by now, in the caller's order, four at a time. The last pass also writes
/// `unreached`.
template <class Offset>
HW_DEVICE void write_levels(const Graph<Offset>& g, const State<Offset>& s, const Progress& p, bool last, bool all_of_giant) {
  const Reached reached{p.current ? s.visited[1] : s.visited[0], p.base ? s.settled : nullptr, all_of_giant ? g.giant : 0};
  const u32 n = g.num_vertices, whole = last && !p.base ? n / 4 : 0;
  for (u32 i = dev::global_thread(); i < whole; i += dev::global_threads()) {
    dev::Quad r{i * 4, i * 4 + 1, i * 4 + 2, i * 4 + 3};
    if (g.rank) r = reinterpret_cast<const dev::Quad*>(g.rank)[i];
    const dev::Quad d{reached.has(r.x) ? s.level8[r.x] : ~0u, reached.has(r.y) ? s.level8[r.y] : ~0u,
                      reached.has(r.z) ? s.level8[r.z] : ~0u, reached.has(r.w) ? s.level8[r.w] : ~0u};
    reinterpret_cast<dev::Quad*>(s.level)[i] = d;
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
  if (s.target == no_vertex) return false;
  const u32 t = g.rank ? dev::read_only(&g.rank[s.target]) : s.target;
  const Word* visited = (p.current != 0) != pulled ? s.visited[1] : s.visited[0];
  return dev::load(&visited[t / word_bits]) >> (t % word_bits) & 1;
}

/// Every block has looked for the target: only now may one of them mark the next level, or clear. Without this a block that
/// looks late could see the target of a later level, stop, and leave the others waiting for it.
template <class Offset>
HW_DEVICE void meet_after_target(const State<Offset>& s, Meeting& m) {
  if (s.target != no_vertex) meet(m);
}

/// A byte counts no further: write what there is, and count from here on. Two meetings.
template <class Offset>
HW_DEVICE void rebase(const Graph<Offset>& g, const State<Offset>& s, Progress& p, Meeting& m) {
  write_levels(g, s, p, false, false);
  meet(m);
  const u32 words = num_words(g);
  for (u32 w = dev::global_thread(); w < words; w += dev::global_threads())
    s.settled[w] = (p.current ? s.visited[1] : s.visited[0])[w];
  p.base = p.level;
  meet(m);
}

template <class Offset>
HW_DEVICE Stage<Offset> open_stage(Scratch<Offset>& b, void* memory) {
  auto* begins = static_cast<Offset*>(memory);
  auto* vertices = reinterpret_cast<u32*>(begins + dev::warps() * stage_size);
  return {begins + dev::warp() * stage_size,
          vertices + dev::warp() * stage_size,
          vertices + (dev::warps() + dev::warp()) * stage_size,
          b.warp_sums,
          &b.mine.flushed,
          0};
}

template <class Offset>
HW_DEVICE bool source_in_giant(const Graph<Offset>& g, const State<Offset>& s) {
  const u32 v = dev::read_only(s.sources);
  return g.giant && s.num_sources == 1 && (g.rank ? dev::read_only(&g.rank[v]) : v) < g.giant;
}

template <class Offset>
HW_KERNEL void HW_BOUNDS(1024, 1) wide_traversal(Graph<Offset> g, State<Offset> s, Rule rule) {
  HW_SHARED(Scratch<Offset>, scratch, 1);
  HW_DYNAMIC_SHARED(Word, hubs);
  const u64 began = s.records ? dev::clock_ns() : 0;
  Scratch<Offset>& b = scratch[0];
  Stage<Offset> st = open_stage(b, hubs + rule.hub_words);
  Meeting m;
  open_meetings(m, s.slots, s.launch_parity, b.sums, &b.mine);
  dev::sync_block();
  const bool in_giant = source_in_giant(g, s);
  const u32 limit = in_giant ? g.giant : g.num_vertices;
  Progress p{};
  const Entry<Offset>* frontier = b.first;
  if (s.num_sources == 1) {
    p = begin_single(g, s, rule, b);
    p.mode = choose(rule, p.edges, true, false);
    if (p.frontier == 0 || p.edges == 0 || (rule.max_depth >= 0 && p.level >= static_cast<u32>(rule.max_depth))) p.mode = stop;
    if (target_reached(g, s, p, false)) p.mode = stop;
    meet_after_target(s, m);
    if (p.mode == pull) meet(m);  // pulling reads the bitmap plainly: no block may still be marking
  } else {
    begin_many(g, s, st);
    const Totals t = meet(m);
    frontier = s.queue[0];
    p = {.level = 0,
         .base = 0,
         .mode = push,
         .current = 0,
         .step = 0,
         .known = 1,
         .visited = t.found,
         .frontier = t.found,
         .edges = t.edges};
    p.mode = choose(rule, t.edges, true, false);
    if (rule.max_depth == 0 || target_reached(g, s, p, false)) p.mode = stop;
    meet_after_target(s, m);
  }
  while (p.mode != stop) {
    step(g, s, rule, b, st, hubs, p, frontier, limit);
    const Totals t = meet(m);
    record(s, p, t);
    const bool hit = target_reached(g, s, p, p.mode == pull);
    meet_after_target(s, m);
    advance(p, t, g, rule, in_giant, hit);
    frontier = p.step & 1 ? s.queue[1] : s.queue[0];
    if (p.mode != stop && p.level - p.base == deepest_byte) rebase(g, s, p, m);
  }
  const u64 settled = s.records ? dev::clock_ns() : 0;
  const bool all = in_giant && p.known && p.visited == g.giant && p.base == 0;
  if (p.step == 0) meet(m);  // no step, no meeting yet: the source's level may still be on its way
  write_levels(g, s, p, true, all);
  if (!all || s.parent) meet(m);
  clear_bitmaps(g, s, p.base != 0);
  if (dev::global_thread() == 0) {
    const u64 ended = s.records ? dev::clock_ns() : 0;
    *s.control = {.progress = p,
                  .visited = p.visited,
                  .levels = p.level,
                  .records = p.step,
                  .began = began,
                  .settled = settled,
                  .ended = ended};
  }
}

}  // namespace hopwave::HW_MACHINE::engine
