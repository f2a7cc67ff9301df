// Collecting: which neighbours of a part of the frontier are not visited yet. The innermost loop of a push on a CPU.
// Ours: the bitmap is only read, so that members may collect at the same time; no branch depends on what it says.
#pragma once

#include <cstddef>
#include <cstdint>

#include "hopwave/types.h"

namespace hopwave::strategy::cpu {

/// Neighbours that are not visited, some of them more than once.
struct Batch {
  static constexpr std::size_t capacity = 2048, beyond = 16;  ///< whole vectors are written, of which not all counts
  std::size_t count = 0;
  VertexId neighbors[capacity + beyond], from[capacity + beyond];  ///< from: written only where parents are wanted
};

/// What is read.
struct Rows {
  const EdgeIndex* offsets;
  const VertexId* neighbors;
  const std::uint64_t* visited;  ///< a bit a vertex
  const VertexId* queue;
  std::size_t queue_end;  ///< entries before are fetched ahead
};

/// Collects the whole rows of queue[at], queue[at + 1], … before `end`. Stops before a row that has more arcs than `allowance`
/// still has, or than the batch has room for; takes from the allowance what it looked at. Returns where it stopped.
using CollectRows = std::size_t (*)(const Rows& rows, std::size_t at, std::size_t end, EdgeIndex& allowance, Batch& batch);

/// Does the processor look at sixteen neighbours at a time?
bool collects_by_sixteen();
/// Both forms collect the same, in the same order.
CollectRows collect_rows(bool parents, bool by_sixteen);

/// Two steps of the way from a queue entry to its neighbours, each early enough for the next; measured, see
/// docs/performance-cpu.md. Always inlined: gcc takes a function that only fetches ahead for one without effect, and drops the
/// call.
__attribute__((always_inline)) inline void fetch_ahead(const Rows& rows, std::size_t at) {
  constexpr std::size_t offset_ahead = 24, row_ahead = 14;  // entries
  if (at + offset_ahead < rows.queue_end) __builtin_prefetch(&rows.offsets[rows.queue[at + offset_ahead]]);
  if (at + row_ahead < rows.queue_end) __builtin_prefetch(&rows.neighbors[rows.offsets[rows.queue[at + row_ahead]]]);
}

/// Collects neighbors[begin, end) of u, for which the batch has room.
void collect_piece(const Rows& rows, VertexId u, EdgeIndex begin, EdgeIndex end, bool parents, Batch& batch);

}  // namespace hopwave::strategy::cpu
