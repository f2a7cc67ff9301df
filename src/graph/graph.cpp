// Graph: the checks on arrays that come from outside, the transpose, and COO's sources.
#include "hopwave/graph.h"

#include <atomic>
#include <string>

#include "core/parallel.h"
#include "graph/rows.h"
#include "hopwave/error.h"

namespace hopwave {
namespace {

constexpr std::size_t grain = std::size_t{1} << 16;

[[noreturn]] void refuse(std::string found, std::string expected) {
  throw Error({.failure = Failure::input,
               .id = "HW-GRAPH-ARRAYS",
               .found = std::move(found),
               .expected = std::move(expected),
               .hint = "offsets are num_vertices + 1 ascending values from 0 to the number of neighbours"});
}

void check(Team& team, VertexId n, const Adjacency& a) {
  if (a.offsets.size() != n + std::size_t{1})
    refuse(std::to_string(a.offsets.size()) + " offsets", std::to_string(n + std::size_t{1}));
  if (a.offsets[0] != 0) refuse("a first offset of " + std::to_string(a.offsets[0]), "0");
  if (a.offsets[n] != a.neighbors.size())
    refuse("a last offset of " + std::to_string(a.offsets[n]),
           std::to_string(a.neighbors.size()) + ", the number of neighbours");
  if (!a.weights.empty() && a.weights.size() != a.neighbors.size())
    refuse(std::to_string(a.weights.size()) + " weights", std::to_string(a.neighbors.size()) + ", one an arc");

  std::atomic<std::uint64_t> first_bad{~std::uint64_t{0}};
  auto report = [&](std::uint64_t at) {
    std::uint64_t seen = first_bad.load(std::memory_order_relaxed);
    while (at < seen && !first_bad.compare_exchange_weak(seen, at, std::memory_order_relaxed)) {
    }
  };
  parallel_for(team, n, grain, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t v = begin; v < end; ++v)
      if (a.offsets[v] > a.offsets[v + 1]) return report(v);
  });
  if (const auto v = first_bad.load(); v != ~std::uint64_t{0})
    refuse("offset " + std::to_string(a.offsets[v + 1]) + " after " + std::to_string(a.offsets[v]) + " at vertex " +
               std::to_string(v),
           "ascending offsets");
  parallel_for(team, a.neighbors.size(), grain, [&](std::size_t begin, std::size_t end, int) {
    VertexId most = 0;
    for (std::size_t i = begin; i < end; ++i) most = std::max(most, a.neighbors[i]);
    if (most < n) return;
    for (std::size_t i = begin; i < end; ++i)
      if (a.neighbors[i] >= n) return report(i);
  });
  if (const auto i = first_bad.load(); i != ~std::uint64_t{0})
    refuse("neighbour " + std::to_string(a.neighbors[i]) + " at arc " + std::to_string(i),
           "a vertex below " + std::to_string(n));
}

/// An empty Adjacency of n vertices is allowed to come without any array.
void complete(VertexId n, Adjacency& a) {
  if (a.offsets.empty() && a.neighbors.empty()) a.offsets = Array<EdgeIndex>::filled(n + std::size_t{1}, 0);
}

}  // namespace

Graph Graph::trusted(VertexId num_vertices, bool directed, Adjacency out, std::optional<Adjacency> in, Ids ids) {
  Graph g;
  g.num_vertices_ = num_vertices;
  g.directed_ = directed;
  g.out_ = std::move(out);
  if (directed) g.in_ = std::move(in);
  g.ids_ = ids.count() == num_vertices ? std::move(ids) : Ids::consecutive(num_vertices, ids.first());
  return g;
}

Graph::Graph(VertexId num_vertices, bool directed, Adjacency out, std::optional<Adjacency> in, Ids ids) {
  if (num_vertices > max_vertices)
    refuse(std::to_string(num_vertices) + " vertices", "at most " + std::to_string(max_vertices));
  complete(num_vertices, out);
  if (in) complete(num_vertices, *in);
  Team team(num_vertices + out.neighbors.size() < 4 * grain ? 1 : 0);
  check(team, num_vertices, out);
  if (in) {
    check(team, num_vertices, *in);
    if (in->neighbors.size() != out.neighbors.size())
      refuse(std::to_string(in->neighbors.size()) + " incoming arcs",
             std::to_string(out.neighbors.size()) + ", as many as outgoing");
  }
  *this = trusted(num_vertices, directed, std::move(out), std::move(in), std::move(ids));
}

void Graph::ensure_in() {
  if (has_in()) return;
  Team team(num_arcs() < 4 * grain ? 1 : 0);
  graph::ReversedArcs arcs(out_);
  graph::RowCounts counts;
  in_ = graph::make_rows(team, num_vertices_, arcs, {.keep_duplicates = true, .keep_self_loops = true}, counts);
}

Array<VertexId> Graph::arc_sources() const {
  Array<VertexId> sources(num_arcs());
  Team team(num_arcs() < 4 * grain ? 1 : 0);
  parallel_for(team, num_vertices_, grain / 16, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t v = begin; v < end; ++v)
      std::fill(sources.data() + out_.offsets[v], sources.data() + out_.offsets[v + 1], static_cast<VertexId>(v));
  });
  return sources;
}

}  // namespace hopwave
