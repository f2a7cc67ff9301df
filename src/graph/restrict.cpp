// A copy of a graph without some of its vertices or arcs: one pass marks and counts the remaining arcs, a second copies
// them.
#include "hopwave/restrict.h"

#include <string>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "core/refuse.h"
#include "graph/weight_copy.h"
#include "hopwave/error.h"

namespace hopwave::inline v0_1 {
namespace {

constexpr std::size_t restrict_grain = 4096;

void check_mask(const char* what, std::size_t size, std::size_t wanted) {
  if (size == 0 || size == wanted) return;
  core::refuse("HW-RESTRICT-SIZE", std::string("a mask of ") + std::to_string(size) + " bytes for " + what,
               std::to_string(wanted) + ", or none");
}

/// Returns which arcs remain: one byte per arc.
Array<std::uint8_t> arcs_left(Team& team, const Graph& graph, const Restriction& by) {
  const Adjacency& out = graph.out();
  const auto vertex_stays = [&](VertexId v) { return by.vertices.empty() || by.vertices[v] != 0; };
  Array<std::uint8_t> stays(graph.num_arcs());
  parallel_for(team, graph.num_vertices(), restrict_grain, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t v = begin; v < end; ++v) {
      const bool row = vertex_stays(static_cast<VertexId>(v));
      for (EdgeIndex e = out.offsets[v]; e < out.offsets[v + 1]; ++e)
        stays[e] = row && vertex_stays(out.neighbors[e]) && (by.arcs.empty() || by.arcs[e] != 0);
    }
  });
  if (!by.allowed) return stays;
  for (VertexId v = 0; v < graph.num_vertices(); ++v)
    for (EdgeIndex e = out.offsets[v]; e < out.offsets[v + 1ull]; ++e)
      if (stays[e]) stays[e] = by.allowed(v, out.neighbors[e]);
  return stays;
}

/// Returns whether the reverse of each remaining arc remains. Arcs are visited by ascending source, so the reverses of
/// one vertex's arcs are visited in the order of its row: one position per row marks the next.
bool symmetric(const Adjacency& rows, VertexId n) {
  std::vector<EdgeIndex> next(rows.offsets.begin(), rows.offsets.end() - 1);
  for (VertexId v = 0; v < n; ++v)
    for (EdgeIndex e = rows.offsets[v]; e < rows.offsets[v + 1ull]; ++e) {
      const VertexId w = rows.neighbors[e];
      if (next[w] == rows.offsets[w + 1ull] || rows.neighbors[next[w]++] != v) return false;
    }
  return true;
}

Adjacency copy_rows(Team& team, const Graph& graph, const Array<std::uint8_t>& stays) {
  const Adjacency& out = graph.out();
  const VertexId n = graph.num_vertices();
  Array<EdgeIndex> offsets(n + std::size_t{1});
  offsets[0] = 0;
  parallel_for(team, n, restrict_grain, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t v = begin; v < end; ++v) {
      EdgeIndex count = 0;
      for (EdgeIndex e = out.offsets[v]; e < out.offsets[v + 1]; ++e) count += stays[e];
      offsets[v + 1] = count;
    }
  });
  for (VertexId v = 0; v < n; ++v) offsets[v + 1ull] += offsets[v];
  Array<VertexId> neighbors(offsets[n]);
  graph::WeightCopy weights(out.weights.type(), graph.has_weights() ? offsets[n] : 0);
  parallel_for(team, n, restrict_grain, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t v = begin; v < end; ++v) {
      EdgeIndex to = offsets[v];
      for (EdgeIndex e = out.offsets[v]; e < out.offsets[v + 1]; ++e) {
        if (!stays[e]) continue;
        neighbors[to] = out.neighbors[e];
        if (!weights.empty()) weights.put(to, out.weights, e);
        ++to;
      }
    }
  });
  return {std::move(offsets), std::move(neighbors), std::move(weights).done()};
}

}  // namespace

Graph restricted(const Graph& graph, const Restriction& restriction) {
  const VertexId n = graph.num_vertices();
  check_mask("vertices", restriction.vertices.size(), n);
  check_mask("arcs", restriction.arcs.size(), graph.num_arcs());
  Team team(n + graph.num_arcs() < 16 * restrict_grain ? 1 : 0);
  Adjacency rows = copy_rows(team, graph, arcs_left(team, graph, restriction));
  const bool one_way = !restriction.arcs.empty() || restriction.allowed;
  const bool directed = graph.directed() || (one_way && !symmetric(rows, n));
  Graph left = Graph::trusted(n, directed, std::move(rows), std::nullopt, graph.ids());
  if (directed && graph.has_in()) left.ensure_in();
  left.set_default_source(graph.default_source());
  left.set_read_report(graph.read_report());
  left.set_build_report(graph.build_report());
  return left;
}

}  // namespace hopwave::inline v0_1
