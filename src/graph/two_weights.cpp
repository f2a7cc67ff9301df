#include "graph/two_weights.h"

#include <algorithm>
#include <vector>

#include "graph/rows.h"
#include "hopwave/error.h"

namespace hopwave::graph {

void check_weights(Team& team, const Adjacency& rows, const Ids& ids, const std::string& file) {
  const ReversedArcs arcs(rows);
  if (weights_agree(team, arcs.items(), rows.weights,
                    [&](std::size_t begin, std::size_t end, auto f) { arcs.each(begin, end, f); }))
    return;
  const auto weights_of = [&](VertexId u, VertexId v) {
    const VertexId* const row = rows.neighbors.data();
    const auto [begin, end] = std::equal_range(row + rows.offsets[u], row + rows.offsets[u + std::size_t{1}], v);
    std::vector<std::pair<double, std::string>> all;
    for (const VertexId* p = begin; p < end; ++p) {
      const auto i = static_cast<std::size_t>(p - row);
      all.emplace_back(rows.weights[i], rows.weights.text(i));
    }
    std::sort(all.begin(), all.end());
    return all;
  };
  const auto name = [&](VertexId v) { return v < ids.count() ? ids.name(v) : std::to_string(v); };
  std::string found = "an undirected edge with two weights";
  const auto n = static_cast<VertexId>(rows.offsets.size() - 1);
  for (VertexId u = 0; u < n; ++u)
    for (EdgeIndex i = rows.offsets[u]; i < rows.offsets[u + std::size_t{1}]; ++i) {
      const VertexId v = rows.neighbors[i];
      const auto there = weights_of(u, v), back = weights_of(v, u);
      const auto [a, b] = std::mismatch(there.begin(), there.end(), back.begin(), back.end());
      if (a == there.end() || b == back.end() || a->first == b->first) continue;
      found = "the weight " + a->second + " from " + name(u) + " to " + name(v) + " and " + b->second + " back";
      u = n - 1;
      break;
    }
  throw Error({.failure = Failure::input,
               .id = "HW-GRAPH-SYMMETRY",
               .where = {.file = file},
               .found = found + ", in an undirected graph",
               .expected = "the same weight in both directions",
               .hint = "make it directed, or list each edge once"});
}

}  // namespace hopwave::graph
