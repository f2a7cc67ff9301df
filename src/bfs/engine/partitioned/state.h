// What the kernel of the partitioned search works on: one device's share of the graph, its memory, and the others' memory that
// it reads. docs/several-gpus.md is this in prose.
//
// Each device has a block of consecutive ids, which begins at a multiple of a bitmap's word, so that each word has one owner.
// "Own" is what belongs to this device; a row is an own vertex, counted from the first one. Not prepared, ids are the caller's.
// Prepared, vertices are dealt out in turn by falling degree (deal.h), those without arcs to no device if the graph is
// undirected; ids between the end of a block and the next word are no vertices.
//
// | array       | size            | written by                    | read by
// |-------------|-----------------|-------------------------------|-----------------------------------------------
// | reached     | all ids         | this device, top-down         | each owner, its own words
// | reached_by  | all ids         | this device, top-down         | each owner, those that it finds
// | list        | list_size ids   | this device, top-down         | all devices, in the same level
// | found[2]    | own vertices    | this device, every level      | all devices, of the level just done
// | inbox       | one a device    | all devices, a message each   | this device
// | the rest    |                 | this device                   | this device
#pragma once

#include "bfs/engine/state.h"

namespace hopwave::HW_MACHINE::engine::partitioned {

inline constexpr u32 most_devices = 16;
static_assert(most_devices <= dev::lanes, "one warp reads all messages at once");

/// What is brought to a barrier and summed up there, and the barrier's number after it.
struct Message {
  u64 found;  ///< vertices discovered
  u64 arcs;   ///< in their rows
  u64 flags;  ///< Target and Stop
  u64 epoch;  ///< number of the launch and of the barrier in it
};
using Target = dev::Field<0, 32>;  ///< how many have discovered the target
using Stop = dev::Field<32, 16>;   ///< devices that have seen the halt word
/// In the epoch that a device gives its blocks: the host has given up, and they leave the kernel.
inline constexpr u64 given_up = u64{1} << 63;

/// One level, on one device. Times of the device's clock.
struct LevelRecord {
  u64 frontier, arcs, found;
  u64 began;
  u64 first_done, first_met;  ///< the first of a level's two parts: all own blocks are done, all devices are
  u64 second_done, second_met;
  u64 bottom_up;
  u64 listed;  ///< by all devices, if they have settled it by lists
};
inline constexpr u32 most_records = 1 << 14;

/// What the search leaves; the same on all devices.
struct Control {
  u32 level;    ///< the last complete one
  u32 deepest;  ///< that discovered something
  u32 records;
  u32 stopped;  ///< 1: at the halt word; 2: the host has given up, and nothing is complete
  u64 visited;
  u64 began, ended;
};

/// When a level looks back from unvisited vertices: Beamer's rule, or what the caller has set instead.
struct Rule {
  u64 pull_part;       ///< when more than this part of the arcs that no frontier has had lead out of the frontier; 0: see next
  u64 pull_arcs;       ///< when so many do
  u64 back_vertices;   ///< top-down again when a frontier that shrinks has no more vertices than this; none: see next
  u64 back_arcs;       ///< when fewer arcs lead out of it
  u64 left_part;       ///< but not while it has more than this part of those not visited
  Distance max_depth;  ///< −1: any
};
inline constexpr u64 none = ~u64{0};

template <class Offset>
struct State : Asked {
  u32 devices, mine;  ///< how many there are, and which this one is
  u32 num_vertices;   ///< that devices have; there may be more ids
  u32 num_ids;
  u64 num_arcs;                      ///< along the search, of the whole graph
  u32 first, count;                  ///< own vertices
  u32 first_word[most_devices + 1];  ///< of each device, and the number of words
  u32 width;                         ///< words that a warp takes at once, at most a warp's lanes
  u32 list_size;                     ///< of each device

  const Offset* offsets;  ///< own rows, along the search
  const u32* neighbors;
  const Offset* in_offsets;  ///< against it
  const u32* in_neighbors;
  const u32* first_neighbor;  ///< against the search, of each row; | single: there is no other

  // Memory that all devices reach.
  Word* reached[most_devices];
  Word* found[2][most_devices];
  u32* reached_by[most_devices];  ///< the least vertex whose arc has reached this one; null: parents are not wanted
  Message* inbox[most_devices];   ///< two times one of each device
  u32* list[most_devices];        ///< vertices that a top-down level has reached, while there are no more than list_size

  Word* visited;   ///< own; bits past the last row are set
  Word* frontier;  ///< of all ids: a copy
  Entry<Offset>* queue[2];
  u64* cursor;  ///< two: vertices and arcs of the queues
  Distance* distance;
  u32* parent;      ///< null: not wanted
  Message* slots;   ///< two times one of each block
  Message* go;      ///< two: the sums, for this device's blocks
  u64* found_by;    ///< two times one of each device: what it has brought to a barrier of all
  u32* list_count;  ///< two, of even and of odd levels; more than list_size: the list is not whole
  Control* control;
  LevelRecord* records;  ///< null unless traced

  u64 launch;          ///< its number, from 1 on
  const u32* give_up;  ///< not 0 there: another device's launch has failed

  constexpr u32 own_words() const { return first_word[mine + 1] - first_word[mine]; }
  constexpr u32 words() const { return first_word[devices]; }
};

}  // namespace hopwave::HW_MACHINE::engine::partitioned
