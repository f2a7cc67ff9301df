// One breadth-first search on several devices: each runs this kernel once, cooperatively, over its share of the graph.
// Source: Buluç, Madduri, Parallel breadth-first search on distributed memory systems, SC'11 (one-dimensional partition);
// Beamer, Buluç, Asanović, Patterson, Distributed memory breadth-first search revisited, MTAAP'13 (bottom-up levels); Pan,
// Pearce, Owens, Scalable breadth-first search on a GPU cluster, IPDPS'18 (bits instead of vertices between GPUs).
// Ours differs: no host and no message queue between levels. Devices read each other's bitmaps where they lie; a vertex is met
// once a device in the whole search; parents are the least ones: each device keeps its least one next to the bit.
//
// A level, of which every device takes the same steps, for all know the same sums:
//   1. choose_level: top-down or bottom-up.
//   2. expand_level. Top-down: set the bits of the neighbours of own frontier vertices in `reached`; if parents are wanted,
//      lower `reached_by` to the least such vertex. While that is little, list the vertices whose bits were set now. Then a
//      barrier of all devices. Bottom-up: copy all devices' words of the frontier. Then a barrier of this device's blocks.
//   3. settle_level: own vertices not visited are found. Top-down, if a device has reached them: by the lists of all devices,
//      or by their bitmaps if one list is not whole. Bottom-up, if a neighbour against the search is in the frontier. They get
//      distance and parent, and are this device's new frontier. The parent is the least of all devices' `reached_by`, or the
//      first such neighbour. Then a barrier of all devices, with the sums.
//
// Holds here: at the start of level d, on each device
// 1. visited: own vertices at a distance below d, so each vertex is settled once.
// 2. found[(d − 1) % 2]: own vertices at distance d − 1, in words of their own. So parents are at distance d − 1.
// 3. reached: bits are set and never cleared. Each is of a vertex at distance d − 1 or less. So what is reached and not visited
//    after step 2 is at distance d, and no arc but those of this level has been noted in its `reached_by`.
// 4. A list that is whole has every vertex that its device reaches in this level, and nothing past its end.
// 5. queue[(d − 1) % 2], if `listed`: the rows of found[(d − 1) % 2], each once.
// 6. All threads of all devices have the same sums, to which each device has added once. No more is found than is left.
// 7. A message is written again two barriers later, at the earliest.
#pragma once

#include "bfs/engine/partitioned/barrier.h"
#include "bfs/engine/partitioned/pull.h"
#include "bfs/engine/partitioned/push.h"

namespace hopwave::HW_MACHINE::engine::partitioned {

inline constexpr u32 most_threads = 512;

/// The state of a search; the same in all threads of all devices.
struct Progress {
  u64 frontier = 0, frontier_before = 0;
  u64 arcs = 0;        ///< that lead out of the frontier
  u64 unexplored = 0;  ///< arcs in rows that no frontier has had, or at least so many: bottom-up levels count none
  u64 left = 0;        ///< vertices not visited
  bool bottom_up = false;
};

HW_DEVICE bool chooses_bottom_up(const Rule& rule, const Progress& p) {
  if (!p.bottom_up) return rule.pull_part ? p.arcs > p.unexplored / rule.pull_part : p.arcs >= rule.pull_arcs;
  if (rule.back_vertices == none) return p.arcs >= rule.back_arcs;
  // Where few are left to look for neighbours, one more such level costs less than making a queue.
  return p.frontier >= p.frontier_before || p.frontier > rule.back_vertices || p.frontier > p.left / rule.left_part;
}

// ---- the beginning -----------------------------------------------------------------------------------------------------

/// Nothing visited, nothing reached, all distances unknown.
template <class Offset>
HW_DEVICE void clear(const State<Offset>& s) {
  const u32 first = dev::global_thread(), step = dev::global_threads();
  for (u64 w = first; w < s.words(); w += step) dev::plain_write(&s.reached[s.mine][w], 0);
  if (s.parent)
    for (u64 v = first; v < s.num_ids; v += step) dev::plain_write(&s.reached_by[s.mine][v], no_vertex);
  for (u64 w = first; w < s.own_words(); w += step) {
    dev::plain_write(&s.visited[w], empty_word(static_cast<u32>(w), s.count));
    dev::plain_write(&s.found[0][s.mine][w], 0);
  }
  for (u64 row = first; row < s.count; row += step) {
    dev::plain_write(&s.distance[row], unreached);
    if (s.parent) dev::plain_write(&s.parent[row], no_vertex);
  }
  if (first < 2) {
    dev::plain_write(&s.cursor[first], 0);
    dev::plain_write(&s.list_count[first], 0);
  }
}

/// Own sources are at distance 0, and the first frontier.
template <class Offset>
HW_DEVICE void begin(const State<Offset>& s, Message& mine) {
  for (u64 i = dev::global_thread(); i < s.num_sources; i += dev::global_threads()) {
    const u32 v = source_of(s, static_cast<u32>(i));
    if (v < s.first || v - s.first >= s.count) continue;
    const u32 row = v - s.first;
    HW_CHECK(row / word_bits < s.own_words());
    if (!dev::claim_bit(s.found[0][s.mine], row)) continue;  // named twice
    dev::fetch_or(&s.visited[row / word_bits], bit_of(row));
    dev::plain_write(&s.distance[row], 0);
    const Offset at = dev::read_only(&s.offsets[row]);
    const u64 degree = dev::read_only(&s.offsets[row + 1ull]) - at;
    const u64 place = dev::fetch_add(&s.cursor[0], QueuedRows::put(1) + QueuedArcs::put(degree));
    dev::plain_write(&s.queue[0][QueuedRows::get(place)], {at, static_cast<Offset>(QueuedArcs::get(place)), row});
    mine.found += 1;
    mine.arcs += degree;
    if (v == s.target) mine.flags += Target::put(1);
  }
}

/// Returns whether all devices are there; `total`: the sums of the first frontier.
template <class Offset>
HW_DEVICE bool begin_search(const State<Offset>& s, Barrier& barrier, Message& total) {
  Message mine{};
  clear(s);
  meet_blocks(s, barrier);
  begin(s, mine);
  return meet_devices(s, barrier, mine, total);
}

// ---- steps of a level --------------------------------------------------------------------------------------------------

/// From the sums of the level before.
template <class Offset>
HW_DEVICE Level choose_level(const State<Offset>& s, const Rule& rule, u32 level, const Message& total, u64 visited,
                             Progress& p) {
  HW_CHECK(visited <= s.num_vertices);  // Holds 6
  p.frontier_before = p.frontier;
  p.frontier = total.found;
  p.arcs = total.arcs;
  HW_CHECK(p.frontier <= visited && p.arcs <= s.num_arcs);  // Holds 6
  p.left = s.num_vertices - visited;
  const bool counted = !p.bottom_up || rule.back_vertices == none;
  p.bottom_up = chooses_bottom_up(rule, p);
  if (counted) p.unexplored -= p.arcs < p.unexplored ? p.arcs : p.unexplored;
  return {level, level % 2, p.bottom_up, rule.back_vertices == none || s.records,
          !p.bottom_up && (!counted || p.arcs <= u64{s.devices} * s.list_size)};
}

/// Copies the frontier of all devices. Each begins with the next one, so that not all read from the same.
template <class Offset>
HW_DEVICE void gather(const State<Offset>& s, u32 turn) {
  for (u32 k = 1; k <= s.devices; ++k) {
    const u32 p = (s.mine + k) % s.devices, begin = s.first_word[p], words = s.first_word[p + 1] - begin;
    for (u64 w = dev::global_thread(); w < words; w += dev::global_threads())
      dev::plain_write(&s.frontier[begin + w], dev::load_peer(&s.found[turn][p][w]));
  }
}

/// `listed`: the frontier is in the queue. `between`: after a top-down part, how many all devices have listed.
template <class Offset>
HW_DEVICE bool expand_level(const State<Offset>& s, Barrier& barrier, const Level& now, bool listed, RowList& rows,
                            Message& between) {
  const u32 old_turn = (now.level - 1) % 2;
  if (!now.bottom_up && !listed) {
    list(s, old_turn, rows);
    meet_blocks(s, barrier);
  }
  if (dev::global_thread() == 0) {  // both were read last before the barrier of the level before
    dev::plain_write(&s.cursor[now.turn], 0);
    dev::plain_write(&s.list_count[old_turn], 0);
  }
  if (now.bottom_up) {
    gather(s, old_turn);
    meet_blocks(s, barrier);
    return true;
  }
  expand(s, old_turn, now);
  return meet_devices_counted(s, barrier, now.may_list ? s.list_count + now.turn : nullptr, between);
}

/// `listed`: what all devices have listed; 0 afterwards, unless the level was settled by lists. `total`: what all have found.
template <class Offset>
HW_DEVICE bool settle_level(const State<Offset>& s, Barrier& barrier, const Level& now, WarpMemory& memory, u64& listed,
                            Message& total) {
  Message mine{};
  if (now.bottom_up)
    pull(s, now, memory, mine);
  else if (!settle(s, now, barrier.memory->found, memory.list, mine))
    listed = 0;
  return meet_devices(s, barrier, mine, total);
}

// ---- the search --------------------------------------------------------------------------------------------------------

/// When it ends is asked here, not in functions: these would cost spilled registers.
template <class Offset>
HW_KERNEL HW_BOUNDS(most_threads, 2) void partitioned_search(State<Offset> s, Rule rule) {
  HW_CHECK(dev::block_size() <= most_threads);
  HW_SHARED(BarrierMemory, memory, 1);
  HW_SHARED(WarpMemory, warp_memory, most_threads / dev::lanes);
  Barrier barrier{memory, s.launch << 32, 0, 0, 0};
  WarpMemory& own_memory = warp_memory[dev::warp()];
  const bool writes = dev::global_thread() == 0;
  Control control{};
  LevelRecord record{};
  if (s.records) control.began = dev::clock_ns();
  Message total{};
  bool here = begin_search(s, barrier, total);
  Progress p{.unexplored = s.num_arcs};
  control.visited = total.found;
  bool listed = true;
  for (u32 level = 1; here; ++level) {
    if (total.found == 0 || Target::get(total.flags) != 0 || (rule.max_depth >= 0 && level > static_cast<u32>(rule.max_depth)))
      break;
    if (Stop::get(total.flags) != 0) {
      control.stopped = 1;
      break;
    }
    const Level now = choose_level(s, rule, level, total, control.visited, p);
    record.began = barrier.met;
    Message between{};
    here = expand_level(s, barrier, now, listed, own_memory.list, between);
    if (!here) break;
    if (Stop::get(between.flags) != 0) {
      control.stopped = 1;
      break;
    }
    record.first_done = barrier.done;
    record.first_met = barrier.met;
    record.listed = between.found;
    here = settle_level(s, barrier, now, own_memory, record.listed, total);
    listed = !now.bottom_up;
    if (!here) break;
    control.level = level;
    if (total.found != 0) control.deepest = level;
    control.visited += total.found;
    if (s.records && writes && control.records < most_records) {
      record.frontier = p.frontier;
      record.arcs = p.arcs;
      record.found = total.found;
      record.second_done = barrier.done;
      record.second_met = barrier.met;
      record.bottom_up = now.bottom_up;
      dev::plain_write(&s.records[control.records], record);
    }
    ++control.records;
  }
  if (!here) control.stopped = 2;
  if (s.records) control.ended = dev::clock_ns();
  if (writes) dev::plain_write(s.control, control);
}

}  // namespace hopwave::HW_MACHINE::engine::partitioned
