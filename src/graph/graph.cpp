// Graph: its constructors, the transpose, and COO's sources. The checks of arrays from outside are in arrays.cpp.
#include "hopwave/graph.h"

#include <string>
#include <utility>

#include "core/parallel.h"
#include "core/refuse.h"
#include "core/swap_members.h"
#include "graph/arrays.h"
#include "graph/rows.h"
#include "hopwave/error.h"

namespace hopwave::inline v0_1 {
namespace {

constexpr std::size_t graph_grain = std::size_t{1} << 16;

/// Returns the rows of a graph without vertices.
Adjacency no_rows() noexcept {
  static constexpr EdgeIndex zero = 0;
  // It needs no owner, since it is static; and nothing is allocated, so that a move cannot fail.
  return {Array<const EdgeIndex>(std::shared_ptr<const void>(std::shared_ptr<const void>(), &zero), &zero, 1), {}, {}};
}

}  // namespace

namespace detail {

void refuse_vertex(VertexId v, VertexId num_vertices) {
  core::refuse("HW-GRAPH-VERTEX", "vertex " + std::to_string(v),
               num_vertices ? "0 to " + std::to_string(num_vertices - 1) : "none: the graph has no vertices");
}

void refuse_in() {
  core::refuse("HW-GRAPH-NO-IN", "a directed graph without incoming arcs", "a graph with incoming arcs",
               "ensure_in() builds them, or BuildOptions::build_in");
}

}  // namespace detail

Graph::Graph() noexcept : out_(no_rows()) {}

void Graph::swap(Graph& other) noexcept {
  core::swap_members(*this, other, [](Graph& g) {
    return std::tie(g.num_vertices_, g.directed_, g.out_, g.in_, g.ids_, g.read_, g.build_, g.default_source_, g.preparation_,
                    g.fingerprint_);
  });
}

Graph Graph::trusted(VertexId num_vertices, bool directed, Adjacency out, std::optional<Adjacency> in, Ids ids,
                     std::uint64_t fingerprint) {
  Graph g;
  g.num_vertices_ = num_vertices;
  g.directed_ = directed;
  if (num_vertices > 0 || !out.offsets.empty()) g.out_ = std::move(out);
  if (directed) g.in_ = std::move(in);
  if (g.in_ && num_vertices == 0 && g.in_->offsets.empty()) *g.in_ = no_rows();
  g.ids_ = ids.count() == num_vertices ? std::move(ids) : Ids::consecutive(num_vertices, ids.first());
  g.fingerprint_.value = fingerprint;
  return g;
}

Graph::Graph(VertexId num_vertices, bool directed, Adjacency out, std::optional<Adjacency> in, Ids ids) {
  graph::check_arrays(num_vertices, directed, out, in ? &*in : nullptr, ids);
  *this = trusted(num_vertices, directed, std::move(out), std::move(in), std::move(ids));
}

void Graph::ensure_in(const Progress& progress) {
  if (has_in()) return;
  Team team(num_arcs() < 4 * graph_grain ? 1 : 0);
  core::Reporter reporter(progress, graph::row_work(num_arcs()), "arcs");
  in_ = graph::reversed(team, num_vertices_, out_, &reporter);
}

Array<VertexId> Graph::arc_sources() const {
  Array<VertexId> sources(num_arcs());
  Team team(num_arcs() < 4 * graph_grain ? 1 : 0);
  parallel_for(team, num_vertices_, graph_grain / 16, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t v = begin; v < end; ++v)
      std::fill(sources.data() + out_.offsets[v], sources.data() + out_.offsets[v + 1], static_cast<VertexId>(v));
  });
  return sources;
}

namespace {

[[noreturn]] void unknown_id(const std::string& id) {
  throw Error({.failure = Failure::input,
               .id = "HW-IDS-UNKNOWN",
               .found = "the id " + id + ", which no vertex has",
               .expected = "an id of the graph"});
}

}  // namespace

void detail::refuse_id(std::uint64_t id) { unknown_id(std::to_string(id)); }

VertexId Graph::vertex(std::int64_t id) const {
  const auto v = ids_.find(id);
  if (!v) unknown_id(std::to_string(id));
  return *v;
}

VertexId Graph::vertex(std::string_view id) const {
  const auto v = ids_.find(id);
  if (!v) unknown_id("\"" + std::string(id) + "\"");
  return *v;
}

}  // namespace hopwave::inline v0_1
