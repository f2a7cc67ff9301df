// MS-BFS: pulling.
// A warp takes a group of rows, a lane each, so that all its lanes' reads are in flight together. Rows that the first
// neighbours leave open go to teams of lanes, several rows at a time. The longest rows are cut into parts that whole warps
// take.
#pragma once

#include "bfs/engine/ms_bfs/ms_bfs.h"
#include "bfs/plan/thresholds.h"

namespace hopwave::HW_MACHINE::engine::ms_bfs {

struct Counts {
  u64 found;  ///< and, in the high half, those that an unqueued push found
  u64 edges, looked;
};
inline constexpr u64 one_brought = u64{1} << 32;

/// Rows that a block's pull leaves open, in its shared memory; how many there were, and their arcs.
struct LeftRows {
  u32* rows;
  u32 room;  ///< 0: do not list
  u32 *count, *work;
};

/// Lists a row. Beyond the room it is only counted, so `count` shows that some are missing.
HW_DEVICE void list_left(const LeftRows& left, u32 v, u64 degree) {
  if (dev::load(left.count) > left.room) return;
  if (degree > thresholds::AnyDevice::ms_bfs_longest_left) {
    dev::fetch_add(left.count, left.room + 1);
    return;
  }
  const u32 i = dev::fetch_add(left.count, 1u);
  if (i >= left.room) return;
  left.rows[i] = v;
  dev::fetch_add(left.work, static_cast<u32>(degree));
}

/// The words that a pull reads and writes.
struct PullWords {
  const Bits* old;    ///< visited before the step
  Bits* next;         ///< visited after it
  const Bits* fresh;  ///< the searches that found the frontier; null: it is not a queue
  Bits want;          ///< a row is read until these are there: all searches
};

template <class Offset>
HW_DEVICE PullWords open_pull(const Graph<Offset>& g, const State<Offset>& s, const Progress& p) {
  const Bits* fresh = p.queues.queued ? s.fresh + p.turn % 3 * static_cast<u64>(g.num_vertices) : nullptr;
  return {dev::current_of(s.visited, p.current), dev::alternate_of(s.visited, p.current), fresh, s.full};
}

template <u32 team>
HW_DEVICE Bits or_over_team(Bits bits) {
  HW_UNROLL
  for (u32 k = team / 2; k; k /= 2) bits |= dev::shuffle_xor(dev::all_lanes, bits, k);
  return bits;
}

/// One round: `in_flight` neighbours a lane are read, and their words added.
template <u32 team, u32 in_flight, class Offset>
HW_DEVICE void probe_round(const u32* neighbors, Offset& at, Offset end, const PullWords& pull, Bits& seen, u64& looked) {
  const u32 member = dev::lane() % team;
  const bool open = at < end && (seen & pull.want) != pull.want;
  u32 u[in_flight];
  HW_UNROLL
  for (u32 j = 0; j < in_flight; ++j) {
    const bool inside = open && end - at > j * team + member;
    u[j] = inside ? dev::read_only(&neighbors[at + j * team + member]) : no_vertex;
  }
  Bits word[in_flight];
  HW_UNROLL
  for (u32 j = 0; j < in_flight; ++j) word[j] = u[j] != no_vertex ? pull.old[u[j]] : 0;
  HW_UNROLL
  for (u32 j = 0; j < in_flight; ++j) seen |= word[j];
  seen = or_over_team<team>(seen);
  if (open && member == 0) looked += end - at > in_flight * team ? in_flight * team : static_cast<u32>(end - at);
  at = at < end && end - at > in_flight * team ? at + in_flight * team : end;
}

/// The union of the visited words of a row's vertices, until all wanted bits are there; `team` lanes a row, whole warps call.
/// The first neighbours, hubs if rows are sorted, are often enough.
template <u32 team, class Offset>
HW_DEVICE Bits probe_row(const u32* neighbors, Offset at, Offset end, const PullWords& pull, Bits seen, u64& looked) {
  if constexpr (team == dev::lanes) probe_round<team, 1>(neighbors, at, end, pull, seen, looked);
  while (dev::any(dev::all_lanes, at < end && (seen & pull.want) != pull.want))
    probe_round<team, 4>(neighbors, at, end, pull, seen, looked);
  return seen;
}

/// One lane looks at its row's next neighbours by itself: up to `rounds` times `quads` quads, whose words are all loaded
/// together.
template <u32 quads, class Offset>
HW_DEVICE void probe_alone(const Graph<Offset>& g, RowRest<Offset>& row, u32 rounds, const PullWords& pull, Bits& seen,
                           u64& looked) {
  Offset& at = row.at;
  const Offset end = row.end;
  for (u32 k = 0; k < rounds && at < end && (seen & pull.want) != pull.want; ++k) {
    const Offset first = at / 4 * 4;
    dev::Quad q[quads];
    HW_UNROLL
    for (u32 i = 0; i < quads; ++i)
      q[i] = i == 0 || end - first > 4 * i ? read_quad(g.in_neighbors, first + 4ull * i, g.num_arcs) : dev::Quad{};
    Bits word[quads][4];
    HW_UNROLL
    for (u32 i = 0; i < quads; ++i) {
      const u32 x[4] = {q[i].x, q[i].y, q[i].z, q[i].w};
      HW_UNROLL
      for (u32 j = 0; j < 4; ++j) {
        const bool inside = end - first > 4 * i + j && (i > 0 || first + j >= at);
        word[i][j] = inside ? dev::plain_read(&pull.old[x[j]]) : 0;
      }
    }
    HW_UNROLL
    for (u32 i = 0; i < quads; ++i) seen |= word[i][0] | word[i][1] | word[i][2] | word[i][3];
    const Offset stop = end - first < 4 * quads ? end : first + 4 * quads;
    looked += stop - at;
    at = stop;
  }
}

/// The warp looks at what is left of the lanes' rows, as many rows at a time as there are teams.
template <class Offset>
HW_DEVICE void probe_in_teams(const Graph<Offset>& g, const RowRest<Offset>& own, const PullWords& pull, Bits& seen,
                              u64& looked) {
  constexpr u32 team = 8, teams = dev::lanes / team;
  dev::LaneMask remaining = dev::ballot(dev::all_lanes, own.at < own.end && (seen & pull.want) != pull.want);
  while (remaining) {
    u32 owner = dev::lanes;  // of this lane's team: the team-th row that is left
    HW_UNROLL
    for (u32 t = 0; t < teams; ++t) {
      if (remaining && dev::lane() / team == t) owner = static_cast<u32>(dev::find_first_set(remaining)) - 1;
      if (remaining) remaining &= remaining - 1;
    }
    const u32 from = owner < dev::lanes ? owner : dev::lane();
    Offset row = dev::shuffle(dev::all_lanes, own.at, from), stop = dev::shuffle(dev::all_lanes, own.end, from);
    Bits bits = dev::shuffle(dev::all_lanes, seen, from);
    if (owner == dev::lanes) row = stop = 0;
    bits = probe_row<team>(g.in_neighbors, row, stop, pull, bits, looked);
    HW_UNROLL
    for (u32 t = 0; t < teams; ++t) {
      const u32 whose = dev::shuffle(dev::all_lanes, owner, t * team);
      const Bits theirs = dev::shuffle(dev::all_lanes, bits, t * team);
      if (whose == dev::lane()) seen = theirs;
    }
  }
}

/// A row after a pull.
struct Settled {
  u32 vertex;
  Bits was, now;  ///< visited before the step, and after it
  Bits brought;   ///< in the step before
  u64 in_degree;
};
/// Writes the digits of what a row has found, and counts it; one lane per row. No other thread writes them; atomics are used
/// because none waits.
template <class Offset>
HW_DEVICE void settle_row(const Graph<Offset>& g, const State<Offset>& s, const Progress& p, const Settled& row,
                          Counts& counts) {
  HW_CHECK((row.now & row.was) == row.was && (row.brought & ~row.was) == 0);  // Holds 1
  mark_both(s, g.num_vertices, row.vertex, row.brought, row.now & ~row.was, p.level);
  if (p.pull.behind && row.brought) counts.found += one_brought;
  if (row.now == row.was) return;
  ++counts.found;
  const bool same = g.offsets == g.in_offsets;
  counts.edges += same ? row.in_degree : dev::read_only(&g.offsets[row.vertex + 1ull]) - dev::read_only(&g.offsets[row.vertex]);
}

/// This warp's number if the `turn`-th is the first. A bin begins with the warp after the last one that got rows of the bin
/// before.
HW_DEVICE u32 first_warp(u32 turn) {
  const u32 warps = dev::grid_size() * dev::warps(), own = dev::warp() * dev::grid_size() + dev::block();
  return own >= turn ? own - turn : own + warps - turn;
}

/// Rows, or parts of rows, that follow each other.
struct Stretch {
  u32 from, to;
};
/// What a warp keeps over all of a pull's rows.
struct Pulling {
  LeftRows left;
  u32 turn;  ///< the warp whose turn is next
  Counts counts;
};

/// Rows of one bin, `width` to a warp. `quads` and `rounds`: how far a lane looks by itself, if there are teams to go on.
template <u32 width, u32 quads, u32 rounds, bool with_teams, class Offset>
HW_DEVICE void pull_rows(const Graph<Offset>& g, const State<Offset>& s, const Progress& p, const Stretch& rows, Pulling& own) {
  const PullWords pull = open_pull(g, s, p);
  const u32 warps = dev::grid_size() * dev::warps(), count = rows.to - rows.from, groups = (count + width - 1) / width;
  const u32 first = first_warp(own.turn);
  const auto row_of = [&](u32 group) {
    const u64 i = static_cast<u64>(group) * width + dev::lane();
    return group < groups && dev::lane() < width && i < count ? dev::read_only(&s.rows[rows.from + i]) : no_vertex;
  };
  u32 soon = row_of(first);
  for (u32 group = first; group < groups; group += warps) {
    const u32 v = soon;
    soon = row_of(group + warps);
    const bool mine = v != no_vertex;
    Bits was = s.full, now = s.full, brought = 0;
    RowRest<Offset> row{0, 0};
    if (mine) {
      was = now = dev::plain_read(&pull.old[v]);
      if (pull.fresh) brought = dev::plain_read(&pull.fresh[v]);
      if (p.pull.behind) brought = was & ~dev::plain_read(&pull.next[v]);
      row = {dev::read_only(&g.in_offsets[v]), dev::read_only(&g.in_offsets[v + 1ull])};
    }
    const u64 degree = row.end - row.at;
    // Late in a search one neighbour is enough.
    if constexpr (quads > 1 && rounds > 2) probe_alone<1>(g, row, 1, pull, now, own.counts.looked);
    probe_alone<quads>(g, row, rounds, pull, now, own.counts.looked);
    dev::sync_warp();
    if constexpr (with_teams) probe_in_teams(g, row, pull, now, own.counts.looked);
    if (mine) {
      dev::plain_write(&pull.next[v], now);
      settle_row(g, s, p, {v, was, now, brought, degree}, own.counts);
      if (own.left.room && now != s.full) list_left(own.left, v, degree);
    }
    dev::sync_warp();
  }
  own.turn = (own.turn + groups) % warps;
}

/// A part of a row that is cut up, as one lane has it.
template <class Offset>
struct Part {
  bool mine;  ///< is there one
  u32 vertex, part;
  Bits was, known;  ///< visited before the step; and with what others have found so far
  Offset at, end;
  Bits now, before;  ///< after its look: what it adds to the row's words, and what was there when it did
};
template <class Offset>
HW_DEVICE Part<Offset> read_chunk(const Graph<Offset>& g, const State<Offset>& s, const PullWords& pull, bool mine, u64 c) {
  const Chunk chunk = mine ? s.chunks[c] : Chunk{0, 0};
  const u32 v = chunk.vertex;
  Part<Offset> one{mine, v, chunk.part, s.full, s.full, 0, 0, 0, 0};
  one.was = mine ? pull.old[v] : s.full;
  one.known = mine ? one.was | dev::load(&pull.next[v]) : s.full;
  if (!mine) return one;
  one.at = dev::read_only(&g.in_offsets[v]) + static_cast<Offset>(chunk.part) * chunk_edges;
  one.end = dev::read_only(&g.in_offsets[v + 1ull]);
  if (one.end - one.at > chunk_edges) one.end = one.at + chunk_edges;
  return one;
}
/// Adds what a part has found to the row's words.
template <class Offset>
HW_DEVICE void claim_chunk(const State<Offset>& s, const PullWords& pull, Part<Offset>& one, const LeftRows& left) {
  one.before = dev::fetch_or(&pull.next[one.vertex], one.now);
  // Such a row is too long for a tail. Another part may have settled it, which is not known here: then there is no tail,
  // although there could be.
  if (left.room && one.part == 0 && (one.now | one.before) != s.full) dev::fetch_add(left.count, left.room + 1);
}
/// Marks what a part was the first to find, and counts the vertex:
/// - of an unqueued push: by the first part to add to the row;
/// - of this level: by the part that adds first. Other parts mark their bits and do not count.
template <class Offset>
HW_DEVICE void count_chunk(const Graph<Offset>& g, const State<Offset>& s, const Progress& p, const PullWords& pull,
                           const Part<Offset>& one, Counts& counts) {
  const u32 v = one.vertex;
  const Bits now = one.now, before = one.before;
  if (p.pull.behind && (one.was & ~before)) {
    mark<true>(s, g.num_vertices, v, one.was & ~before, p.level);
    counts.found += one_brought;
  }
  if (pull.fresh && one.part == 0 && pull.fresh[v]) mark<true>(s, g.num_vertices, v, pull.fresh[v], p.level);
  const Bits added = (one.part ? now & ~before : now | before) & ~one.was;
  if (!added) return;
  mark<true>(s, g.num_vertices, v, added, p.level + 1);
  if (before & ~one.was) return;
  ++counts.found;
  counts.edges += dev::read_only(&g.offsets[v + 1ull]) - dev::read_only(&g.offsets[v]);
}

/// Parts of rows that are cut up: several warps may write a row's words. What `next` holds from two pulls ago is part of what
/// is visited now, so adding to it is enough. A warp reads the figures of its parts with one lane per part. First parts come
/// early in a step and the others late: by then most rows need no more.
template <class Offset>
HW_DEVICE void pull_chunks(const Graph<Offset>& g, const State<Offset>& s, const Progress& p, const Stretch& chunks,
                           Pulling& own) {
  const PullWords pull = open_pull(g, s, p);
  const u32 warps = dev::grid_size() * dev::warps();
  for (u64 c0 = chunks.from + first_warp(own.turn); c0 < chunks.to; c0 += static_cast<u64>(warps) * dev::lanes) {
    const u64 c = c0 + static_cast<u64>(dev::lane()) * warps;
    Part<Offset> one = read_chunk(g, s, pull, c < chunks.to, c);
    one.now = one.known;
    for (dev::LaneMask remaining = dev::ballot(dev::all_lanes, one.mine && (one.now & pull.want) != pull.want); remaining;
         remaining &= remaining - 1) {
      const u32 owner = static_cast<u32>(dev::find_first_set(remaining)) - 1;
      const Offset row = dev::shuffle(dev::all_lanes, one.at, owner), stop = dev::shuffle(dev::all_lanes, one.end, owner);
      const Bits bits = probe_row<dev::lanes>(g.in_neighbors, row, stop, pull, dev::shuffle(dev::all_lanes, one.now, owner),
                                              own.counts.looked);
      if (dev::lane() == owner) one.now = bits;
    }
    if (!one.mine || (one.part && one.now == one.known)) continue;
    claim_chunk(s, pull, one, own.left);
    count_chunk(g, s, p, pull, one, own.counts);
  }
  own.turn = (own.turn + chunks.to - chunks.from) % warps;
}

/// After an unqueued push of all searches there is nothing to look for: the next words hold what was found. After a whole one
/// no thread may write them.
template <class Offset>
HW_DEVICE void settle_all(const Graph<Offset>& g, const State<Offset>& s, const Progress& p, Counts& counts) {
  constexpr u32 in_flight = 4;
  const PullWords pull = open_pull(g, s, p);
  const u64 n = g.num_vertices, threads = dev::global_threads();
  for (u64 v0 = dev::global_thread(); v0 < n; v0 += in_flight * threads) {
    Bits was[in_flight], there[in_flight], now[in_flight], brought[in_flight];
    HW_UNROLL
    for (u32 j = 0; j < in_flight; ++j) {
      const u64 v = v0 + j * threads;
      was[j] = v < n ? pull.old[v] : 0;
      there[j] = v < n ? pull.next[v] : 0;
      now[j] = was[j] | there[j];
      brought[j] = v < n && pull.fresh ? pull.fresh[v] : 0;
    }
    u64 degree[in_flight];
    HW_UNROLL
    for (u32 j = 0; j < in_flight; ++j) {
      const u64 v = v0 + j * threads;
      degree[j] = now[j] != was[j] ? dev::read_only(&g.in_offsets[v + 1]) - dev::read_only(&g.in_offsets[v]) : 0;
    }
    HW_UNROLL
    for (u32 j = 0; j < in_flight; ++j) {
      const u64 v = v0 + j * threads;
      if (now[j] != there[j]) pull.next[v] = now[j];
      if (v < n) settle_row(g, s, p, {static_cast<u32>(v), was[j], now[j], brought[j], degree[j]}, counts);
    }
  }
}

template <class Offset>
HW_DEVICE void pull_all(const Graph<Offset>& g, const State<Offset>& s, const Progress& p, const LeftRows& left,
                        Counts& counts) {
  Pulling own{left, 0, counts};
  pull_chunks(g, s, p, {0, s.bin_end[0]}, own);
  dev::sync_warp();
  pull_rows<8, 2, 1, true>(g, s, p, {s.bin_end[0], s.bin_end[1]}, own);
  pull_rows<dev::lanes, 2, 7, false>(g, s, p, {s.bin_end[1], s.bin_end[2]}, own);
  const u32 end = s.skip_leaves ? s.bin_end[3] : s.bin_end[4];
  pull_rows<dev::lanes, 2, 2, false>(g, s, p, {s.bin_end[2], end}, own);
  pull_chunks(g, s, p, {s.bin_end[0], s.num_chunks}, own);
  counts = own.counts;
}

/// Copies the block's open rows into the list of all blocks. All threads, after a block barrier.
template <class Offset>
HW_DEVICE void keep_left(const State<Offset>& s, const LeftRows& left, u64* place, Totals* totals) {
  if (dev::thread() == 0) {
    const u32 count = *left.count;
    u64 work = *left.work;
    *place = count <= left.room ? dev::fetch_add(&totals->left, u64{count}) : 0;
    if (count > left.room || *place + count > s.tail_rows) work = s.tail_work + 1;
    dev::fetch_add(&totals->work, work);
  }
  dev::sync_block();
  const u32 count = *left.count;
  if (count <= left.room && *place + count <= s.tail_rows)
    for (u32 i = dev::thread(); i < count; i += dev::block_size()) s.left[*place + i] = left.rows[i];
}

template <class Offset>
HW_DEVICE void pull_step(const Graph<Offset>& g, const State<Offset>& s, const Progress& p, Totals* block, LeftRows left,
                         Totals* totals) {
  Counts counts{0, 0, 0};
  if (!s.left || p.pull.only_counts) left.room = 0;
  if (dev::thread() == 0) *left.count = *left.work = 0;
  dev::sync_block();
  if (p.pull.only_counts)
    settle_all(g, s, p, counts);
  else
    pull_all(g, s, p, left, counts);
  dev::sync_warp();
  const u64 found = dev::reduce_add(dev::all_lanes, counts.found), edges = dev::reduce_add(dev::all_lanes, counts.edges),
            looked = s.records ? dev::reduce_add(dev::all_lanes, counts.looked) : 0;
  if (dev::lane() == 0 && (found || looked)) {
    dev::fetch_add(&block->found, found);
    dev::fetch_add(&block->edges, edges);
    dev::fetch_add(&block->looked, looked);
  }
  dev::sync_block();
  if (left.room) keep_left(s, left, &block->left, totals);
  if (dev::thread() != 0) return;
  // By an exchange: the compiler may move a plain read before the test above, into every thread, and those reads would race
  // with the zeros written here.
  const u64 all = dev::exchange(&block->found, u64{0}), arcs = dev::exchange(&block->edges, u64{0}),
            words = dev::exchange(&block->looked, u64{0});
  if (all % one_brought) dev::fetch_add(&totals->found, all % one_brought);
  if (all / one_brought) dev::fetch_add(&totals->queue, all / one_brought);
  if (arcs) dev::fetch_add(&totals->edges, arcs);
  if (words) dev::fetch_add(&totals->looked, words);
}

}  // namespace hopwave::HW_MACHINE::engine::ms_bfs
