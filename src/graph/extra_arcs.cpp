// Vertices are divided into blocks; a block's extra arcs come after those of the previous blocks.
#include "graph/extra_arcs.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "graph/rows.h"
#include "graph/weight_copy.h"

namespace hopwave::graph {
namespace {

constexpr std::size_t block_vertices = std::size_t{1} << 12;

/// Calls body(block, begin, end) for every block of vertices.
template <class Body>
void each_block(Team& team, VertexId n, Body&& body) {
  parallel_for(team, (n + block_vertices - 1) / block_vertices, 1, [&](std::size_t first, std::size_t last, int) {
    for (std::size_t b = first; b < last; ++b) body(b, b * block_vertices, std::min<std::size_t>(n, (b + 1) * block_vertices));
  });
}

/// Returns whether weight `i` of a row is less than weight `j`.
bool lighter(const Weights& weights, EdgeIndex i, EdgeIndex j) {
  return weights.with([&](const auto& w) { return ordered(w[i]) < ordered(w[j]); });
}

/// Calls kept(i) for the lightest arc to each neighbour, and extra(i, is_loop) for the other arcs, in the row's order.
template <class Kept, class Extra>
void part_row(const Adjacency& all, std::size_t v, Kept&& kept, Extra&& extra) {
  const VertexId* const to = all.neighbors.data();
  for (EdgeIndex i = all.offsets[v], end = all.offsets[v + 1]; i < end;) {
    EdgeIndex stop = i + 1, best = i;
    for (; stop < end && to[stop] == to[i]; ++stop)
      if (!all.weights.empty() && lighter(all.weights, stop, best)) best = stop;
    const bool loop = to[i] == v;
    for (; i < stop; ++i)
      if (loop || i != best)
        extra(i, loop);
      else
        kept(i);
  }
}

}  // namespace

std::optional<Parted> part_rows(Team& team, VertexId n, const Adjacency& all) {
  struct Count {
    EdgeIndex extra = 0, loops = 0;
  };
  const std::size_t blocks = (n + block_vertices - 1) / block_vertices;
  std::vector<Count> counts(blocks + 1);
  each_block(team, n, [&](std::size_t b, std::size_t begin, std::size_t end) {
    Count count;
    for (std::size_t v = begin; v < end; ++v)
      part_row(
          all, v, [](EdgeIndex) {}, [&](EdgeIndex, bool loop) { ++count.extra, count.loops += loop; });
    counts[b + 1] = count;
  });
  for (std::size_t b = 0; b < blocks; ++b) counts[b + 1].extra += counts[b].extra, counts[b + 1].loops += counts[b].loops;
  const auto [extra, loops] = counts[blocks];
  if (extra == 0) return std::nullopt;

  const bool weighted = !all.weights.empty();
  const EdgeIndex kept = all.neighbors.size() - extra;
  Rows rows{Array<EdgeIndex>(n + std::size_t{1}), Array<VertexId>(kept)};
  WeightCopy of_rows(all.weights.type(), weighted ? kept : 0), weights(all.weights.type(), weighted ? extra : 0);
  Array<VertexId> sources(extra), neighbors(extra);
  rows.offsets[0] = 0;
  each_block(team, n, [&](std::size_t b, std::size_t begin, std::size_t end) {
    EdgeIndex aside = counts[b].extra, at = begin < end ? all.offsets[begin] - aside : 0;
    for (std::size_t v = begin; v < end; ++v) {
      part_row(
          all, v,
          [&](EdgeIndex i) {
            if (weighted) of_rows.put(at, all.weights, i);
            rows.neighbors[at++] = all.neighbors[i];
          },
          [&](EdgeIndex i, bool) {
            if (weighted) weights.put(aside, all.weights, i);
            sources[aside] = static_cast<VertexId>(v);
            neighbors[aside++] = all.neighbors[i];
          });
      rows.offsets[v + 1] = at;
    }
  });
  rows.weights = std::move(of_rows).done();
  return Parted{.rows = std::move(rows),
                .extra = {std::move(sources), std::move(neighbors), std::move(weights).done()},
                .duplicates = extra - loops,
                .self_loops = loops};
}

Adjacency with_extra(Team& team, VertexId n, const Adjacency& rows, const ExtraArcs& extra) {
  const bool weighted = !rows.weights.empty() || !extra.weights.empty();
  const EdgeIndex arcs = rows.neighbors.size() + extra.sources.size();
  Rows all{Array<EdgeIndex>(n + std::size_t{1}), Array<VertexId>(arcs)};
  WeightCopy weights((rows.weights.empty() ? extra.weights : rows.weights).type(), weighted ? arcs : 0);
  all.offsets[0] = 0;
  each_block(team, n, [&](std::size_t, std::size_t begin, std::size_t end) {
    auto e = static_cast<std::size_t>(
        std::lower_bound(extra.sources.begin(), extra.sources.end(), static_cast<VertexId>(begin)) - extra.sources.begin());
    EdgeIndex at = rows.offsets[begin] + e;
    for (std::size_t v = begin; v < end; ++v) {
      EdgeIndex i = rows.offsets[v];
      const EdgeIndex stop = rows.offsets[v + 1];
      const auto take = [&](VertexId to, const Weights& own, std::size_t from) {
        if (weighted) weights.put(at, own, from);
        all.neighbors[at++] = to;
      };
      // A row's own arc is not heavier than its parallel extra arcs, so it comes first.
      for (; e < extra.sources.size() && extra.sources[e] == v; ++e) {
        for (; i < stop && rows.neighbors[i] <= extra.neighbors[e]; ++i) take(rows.neighbors[i], rows.weights, i);
        take(extra.neighbors[e], extra.weights, e);
      }
      for (; i < stop; ++i) take(rows.neighbors[i], rows.weights, i);
      all.offsets[v + 1] = at;
    }
  });
  all.weights = std::move(weights).done();
  return all;
}

}  // namespace hopwave::graph
