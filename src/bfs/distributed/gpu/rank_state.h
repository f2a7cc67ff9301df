// What the kernels of a rank's device work on: the rank's share of the graph and its memory. docs/several-machines.md is this
// in prose. "Own" is what belongs to this rank; a row is an own vertex, counted from the first one.
#pragma once

#include "bfs/engine/state.h"

namespace hopwave::HW_MACHINE::ranks {

using dev::u32;
using dev::u64;
using engine::Entry;
using engine::Word;

/// What a level has found: the queue's count and arcs, packed, and two sums.
struct Tally {
  u64 queued;
  u64 examined;   ///< bottom-up: arcs looked at
  u64 at_target;  ///< is the target among those found?
};

template <class Offset>
struct State {
  u32 num_vertices;  ///< of the whole graph
  u32 first, count;  ///< own vertices
  u32 ranks;
  const u32* first_of;  ///< the first vertex of each rank

  const Offset* offsets;  ///< own rows, along the search
  const u32* neighbors;
  const Offset* in_offsets;  ///< against it; null: no level is bottom-up
  const u32* in_neighbors;

  const u64* words_begin;  ///< of each rank, among the words that are gathered

  // One bit per vertex of the whole graph.
  Word* known;      ///< sent to its owner, or known to be discovered: not sent again
  Word* fresh;      ///< reached in this level for the first time, and not sent yet
  Word* frontier;   ///< of all ranks; bottom-up
  u32* reached_by;  ///< the least own vertex whose arc has reached this one; null: parents are not wanted

  Distance* distance;  ///< own
  u32* parent;         ///< own; null: not wanted
  Entry<Offset>* queue[2];
  Tally* tally;  ///< two
  u32 target;

  constexpr u32 words() const { return static_cast<u32>((u64{num_vertices} + engine::word_bits - 1) / engine::word_bits); }
};

}  // namespace hopwave::HW_MACHINE::ranks
