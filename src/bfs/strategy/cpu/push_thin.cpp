// LevelSearch: pushing by several members in a graph of few arcs per vertex and no hub. Its levels are small and many, so a
// member claims what it finds by compare-and-swap: one run of the team per level, where owners' lists need a barrier more.
#include <algorithm>
#include <atomic>

#include "bfs/plan/thresholds.h"
#include "bfs/strategy/cpu/level_search.h"

namespace hopwave::strategy::cpu {
namespace {

/// Queue entries that a member takes at once, at most; small frontiers are cut into one part per member.
constexpr std::size_t most_at_once = 4096;

}  // namespace

/// The rest of the frontier, with about so many arcs.
void LevelSearch::push_thin(Distance level, EdgeIndex arcs, LevelTrace& trace) {
  take_members();
  const auto members = static_cast<int>(
      std::clamp<EdgeIndex>(arcs / thresholds::Cpu::arcs_per_claimer, 2, static_cast<EdgeIndex>(team_.size())));
  const std::size_t size = end_ - first_,
                    part = (size + static_cast<std::size_t>(members) - 1) / static_cast<std::size_t>(members);
  Chunks chunks(members, size, std::clamp<std::size_t>(part, 1, most_at_once));
  team_.run(members, [&](int rank) {
    Member& mine = members_[static_cast<std::size_t>(rank)];
    mine.arcs = 0;
    chunks.take(rank, [&](std::size_t begin, std::size_t end) {
      parents_ ? claim<true>(first_ + begin, first_ + end, level, mine)
               : claim<false>(first_ + begin, first_ + end, level, mine);
    });
  });
  for (int i = 0; i < members; ++i) {
    trace.edges += members_[static_cast<std::size_t>(i)].arcs;
    unexplored_ -= members_[static_cast<std::size_t>(i)].arcs;
  }
}

/// Expands queue_[begin, end). Neighbours that look unvisited are collected without a branch that depends on it, and then
/// claimed, which rarely fails.
template <bool parents>
void LevelSearch::claim(std::size_t begin, std::size_t end, Distance level, Member& mine) {
  Batch batch;
  Rows rows = this->rows();
  rows.queue_end = end;
  VertexId* const found = mine.neighbors.data();
  std::size_t count = 0;
  const auto settle = [&] {
    for (std::size_t i = 0; i < batch.count; ++i) {
      const VertexId v = batch.neighbors[i];
      Distance old = unreached;
      if (!std::atomic_ref<Distance>(distance_[v]).compare_exchange_strong(old, level, std::memory_order_relaxed)) continue;
      if constexpr (parents) parent_[v] = batch.from[i];
      found[count++] = v;
    }
    batch.count = 0;
  };
  const auto append = [&] {
    std::copy_n(found, count, queue_.data() + tail_.fetch_add(count, std::memory_order_relaxed));
    count = 0;
  };
  for (std::size_t at = begin; at < end; ++at) {
    const VertexId u = queue_[at];
    fetch_ahead(rows, at);
    const EdgeIndex row_end = offsets_[u + 1ull];
    mine.arcs += row_end - offsets_[u];
    for (EdgeIndex e = offsets_[u]; e < row_end; ++e) {
      if (batch.count == Batch::capacity) settle();
      if (count + Batch::capacity > list_capacity_) append();
      const VertexId v = neighbors_[e];
      batch.neighbors[batch.count] = v;
      if constexpr (parents) batch.from[batch.count] = u;
      const Distance old = std::atomic_ref<Distance>(distance_[v]).load(std::memory_order_relaxed);
      batch.count += static_cast<std::uint32_t>(old) >> 31;  // −1 is the one negative distance
    }
  }
  settle();
  if (count) append();
}

}  // namespace hopwave::strategy::cpu
