#include "algorithm/matching/sides.h"

#include <algorithm>
#include <string>
#include <vector>

#include "bfs/plan/thresholds.h"
#include "core/people_text.h"
#include "core/refuse.h"
#include "graph/rows.h"
#include "hopwave/error.h"

namespace hopwave::inline v0_1::matching {
namespace {

constexpr std::size_t grain = thresholds::Cpu::vertex_grain, shown_vertices = 9;

[[noreturn]] void refuse(const Graph& graph, const char* id, std::string found, std::string hint) {
  throw Error({.failure = Failure::input,
               .id = id,
               .where = {.file = graph.read_report().source},
               .found = std::move(found),
               .expected = "edges from one side to the other",
               .hint = std::move(hint)});
}

/// The edge between two vertices of one layer closes an odd cycle with their paths to where these meet.
[[noreturn]] void refuse_cycle(const Graph& graph, const Array<VertexId>& from, VertexId v, VertexId u) {
  std::vector<VertexId> cycle = {v}, back;
  for (; u != v; v = from[v], u = from[u]) {
    if (cycle.back() != v) cycle.push_back(v);
    back.push_back(u);
  }
  if (cycle.back() != v) cycle.push_back(v);
  cycle.insert(cycle.end(), back.rbegin(), back.rend());
  std::string names;
  for (std::size_t i = 0; i < std::min(cycle.size(), shown_vertices); ++i)
    names += (i ? ", " : "") + core::printable(graph.name(cycle[i]));
  if (cycle.size() > shown_vertices) names += ", …";
  refuse(graph, "HW-MATCHING-CYCLE",
         cycle.size() == 1 ? "an edge from " + names + " to itself"
                           : "a cycle of " + std::to_string(cycle.size()) + " vertices, an odd number: " + names,
         "if the two columns are two kinds of vertices, read them so: --bipartite");
}

void colour(const Graph& graph, const Adjacency& rows, core::Reporter& reporter, Array<std::uint8_t>& side) {
  const VertexId n = graph.num_vertices();
  constexpr std::uint8_t none = 2;
  side = Array<std::uint8_t>::filled(n, none);
  Array<VertexId> from(n);  // the vertex that each was reached from
  std::vector<VertexId> queue;
  std::uint64_t done = 0;
  for (VertexId root = 0; root < n; ++root) {
    if (side[root] != none) continue;
    side[root] = 0;
    from[root] = root;
    queue.assign(1, root);
    for (std::size_t at = 0; at < queue.size(); ++at) {
      if (++done % grain == 0) reporter.add(grain, 0);
      const VertexId v = queue[at];
      for (EdgeIndex e = rows.offsets[v]; e < rows.offsets[v + 1ull]; ++e) {
        const VertexId u = rows.neighbors[e];
        if (side[u] == side[v]) refuse_cycle(graph, from, v, u);
        if (side[u] != none) continue;
        side[u] = 1 - side[v];
        from[u] = v;
        queue.push_back(u);
      }
    }
  }
}

/// What the ids of two kinds of vertices state (io/stated.h); false if they state nothing.
bool read_sides(const Ids& ids, Array<std::uint8_t>& side) {
  if (ids.kind() != Ids::Kind::strings) return false;
  const std::vector<std::string>& names = ids.names();
  side = Array<std::uint8_t>(names.size());
  for (std::size_t v = 0; v < names.size(); ++v) {
    side[v] = names[v].starts_with("right:");
    if (!side[v] && !names[v].starts_with("left:")) return false;
  }
  return true;
}

void check_sides(const Graph& graph, const Adjacency& rows, const Array<std::uint8_t>& side, core::Reporter& reporter) {
  for (VertexId v = 0; v < graph.num_vertices(); ++v) {
    if (v % grain == grain - 1) reporter.add(grain, 0);
    for (EdgeIndex e = rows.offsets[v]; e < rows.offsets[v + 1ull]; ++e)
      if (const VertexId u = rows.neighbors[e]; side[u] == side[v])
        refuse(graph, "HW-MATCHING-SIDE",
               "an edge between " + core::printable(graph.name(v)) + " and " + core::printable(graph.name(u)) +
                   ", both on the " + (side[v] ? "right" : "left"),
               "without sides a two-colouring finds them");
  }
}

}  // namespace

std::uint64_t rows_work(const Graph& graph) {
  return graph.num_vertices() +
         (graph.directed() ? graph.num_vertices() + (graph.has_in() ? 0 : graph::row_work(graph.num_arcs())) : 0);
}

Adjacency both_ways(Team& team, const Graph& graph, core::Reporter& reporter) {
  if (!graph.directed()) return graph.out();
  const std::size_t n = graph.num_vertices();
  const Adjacency& out = graph.out();
  const Adjacency in = graph.has_in() ? graph.in() : graph::reversed(team, graph.num_vertices(), out, &reporter);
  graph::Rows rows{Array<EdgeIndex>(n + 1), Array<VertexId>(out.neighbors.size() + in.neighbors.size())};
  rows.offsets[n] = rows.neighbors.size();
  parallel_for(team, n, grain, [&](std::size_t begin, std::size_t end, int rank) {
    for (std::size_t v = begin; v < end; ++v) {
      rows.offsets[v] = out.offsets[v] + in.offsets[v];
      VertexId* row = rows.neighbors.data() + rows.offsets[v];
      for (const Adjacency* way : {&out, &in})
        row = std::copy(way->neighbors.begin() + way->offsets[v], way->neighbors.begin() + way->offsets[v + 1], row);
    }
    reporter.add(end - begin, rank);
  });
  return rows;
}

void find_sides(const Graph& graph, const Adjacency& rows, const Array<const std::uint8_t>& given, core::Reporter& reporter,
                Matching& found) {
  const VertexId n = graph.num_vertices();
  if (!given.empty() && given.size() != n)
    core::refuse("HW-OPTION-VALUE", core::plural(given.size(), "side"), core::plural(n, "side") + ", one per vertex");
  if (!given.empty()) {
    found.side = Array<std::uint8_t>(n);
    for (VertexId v = 0; v < n; ++v) found.side[v] = given[v] != 0;
    found.sides = Matching::Sides::given;
    check_sides(graph, rows, found.side, reporter);
  } else if (n > 0 && read_sides(graph.ids(), found.side)) {
    found.sides = Matching::Sides::ids;
    check_sides(graph, rows, found.side, reporter);
  } else {
    colour(graph, rows, reporter, found.side);
  }
  found.left = static_cast<VertexId>(std::count(found.side.begin(), found.side.end(), 0));
}

}  // namespace hopwave::inline v0_1::matching
