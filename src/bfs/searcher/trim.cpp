// Passes over a finished traversal, all parallel and independent of the number of threads.
#include "bfs/searcher/trim.h"

#include <algorithm>
#include <atomic>
#include <limits>

#include "bfs/plan/thresholds.h"

namespace hopwave::search_detail {
namespace {

struct alignas(64) Tally {
  VertexId reached = 0;
  Distance depth = 0;
};

void cut(Result& result, std::size_t begin, std::size_t end, Distance limit) {
  for (std::size_t v = begin; v < end; ++v) {
    if (result.distance[v] <= limit) continue;
    result.distance[v] = unreached;
    if (!result.parent.empty()) result.parent[v] = no_vertex;
  }
}

/// Nothing is stored in this loop, so that compilers vectorise it: it is most of the host's time of a small search.
Tally counted(const Distance* distance, const Distance* end) {
  VertexId reached = 0;
  Distance depth = 0;
  for (; distance != end; ++distance) {
    reached += *distance != unreached;
    depth = std::max(depth, *distance);
  }
  return {reached, depth};
}

/// Rows are sorted, so the first neighbour one level up is the least.
void parents_backward(Team& team, const strategy::View& view, const Distance* distance, VertexId* parent) {
  const Adjacency& in = *view.backward;
  parallel_for(team, view.num_vertices, thresholds::Cpu::vertex_grain / 8, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t v = begin; v < end; ++v) {
      parent[v] = no_vertex;
      if (distance[v] <= 0) continue;
      for (EdgeIndex e = in.offsets[v]; e < in.offsets[v + 1]; ++e) {
        const VertexId u = in.neighbors[e];
        if (distance[u] != distance[v] - 1) continue;
        parent[v] = u;
        break;
      }
    }
  });
}

void parents_forward(Team& team, const strategy::View& view, const Distance* distance, VertexId* parent) {
  const Adjacency& out = *view.forward;
  parallel_for(team, view.num_vertices, thresholds::Cpu::vertex_grain,
               [&](std::size_t begin, std::size_t end, int) { std::fill(parent + begin, parent + end, no_vertex); });
  parallel_for(team, view.num_vertices, thresholds::Cpu::vertex_grain / 8, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t u = begin; u < end; ++u) {
      if (distance[u] == unreached) continue;
      for (EdgeIndex e = out.offsets[u]; e < out.offsets[u + 1]; ++e) {
        const VertexId v = out.neighbors[e];
        if (distance[v] != distance[u] + 1) continue;
        // no_vertex is the greatest id, so a minimum needs no special case; its result does not depend on the order.
        std::atomic_ref<VertexId> least(parent[v]);
        VertexId old = least.load(std::memory_order_relaxed);
        while (u < old && !least.compare_exchange_weak(old, static_cast<VertexId>(u), std::memory_order_relaxed)) {
        }
      }
    }
  });
}

}  // namespace

Distance depth_limit(const Query& query, const Distance* distance) {
  Distance limit = query.max_depth < 0 ? std::numeric_limits<Distance>::max() : query.max_depth;
  if (query.target != no_vertex && distance[query.target] != unreached) limit = std::min(limit, distance[query.target]);
  return limit;
}

void trim_and_count(Team& team, const Query& query, Result& result) {
  const Distance limit = depth_limit(query, result.distance.data());
  const bool cuts = limit != std::numeric_limits<Distance>::max();
  std::vector<Tally> tallies(static_cast<std::size_t>(team.size()));
  parallel_for(team, result.distance.size(), thresholds::Cpu::vertex_grain, [&](std::size_t begin, std::size_t end, int rank) {
    if (cuts) cut(result, begin, end, limit);
    const Tally tally = counted(result.distance.data() + begin, result.distance.data() + end);
    tallies[rank].reached += tally.reached;
    tallies[rank].depth = std::max(tallies[rank].depth, tally.depth);
  });
  for (const auto& tally : tallies) {
    result.reached += tally.reached;
    result.depth = std::max(result.depth, tally.depth);
  }
}

void agree_with_answer(Result& result) {
  SearchReport& stats = result.run;
  stats.levels = static_cast<std::uint32_t>(result.depth);
  std::erase_if(stats.trace, [&](const LevelTrace& t) {
    return t.level > result.depth && (t.discovered != 0 || t.level > result.depth + 1);
  });
}

void derive_parents(Team& team, const strategy::View& view, Result& result) {
  if (view.backward)
    parents_backward(team, view, result.distance.data(), result.parent.data());
  else
    parents_forward(team, view, result.distance.data(), result.parent.data());
}

}  // namespace hopwave::search_detail
