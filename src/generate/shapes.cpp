// Composed shapes: the number of parts, their shapes and sizes, and where each is joined. The seed determines all of
// it.
#include <algorithm>
#include <string>

#include "generate/compose.h"
#include "generate/family.h"

namespace hopwave::generate_detail {
namespace {

constexpr std::uint64_t most_in_a_part = std::uint64_t{1} << 19, most_parts = 4096;

/// The properties of a whole graph.
struct Style {
  explicit Style(Draws& draws, std::uint64_t edges)
      : sizes(draws.below(4)),
        common(std::max(draws.spread(1, std::min(edges, most_in_a_part)), edges / most_parts)),
        one_in_apart(draws.once_in(2)   ? 0
                     : draws.once_in(2) ? 8
                                        : 2),
        one_way(draws.below(4)) {}

  std::uint64_t sizes;         ///< 0: one part has most of the edges; 1: all are alike; else every size is equally likely
  std::uint64_t common;        ///< edges per part, if all are alike
  std::uint64_t one_in_apart;  ///< one part in this many is not joined; 0: none
  std::uint64_t one_way;       ///< directed: the probability that a part's arcs lead in one direction only
};

std::uint64_t size_of_part(const Style& style, Draws& draws, std::uint64_t left, bool first) {
  const std::uint64_t most = std::min(left, most_in_a_part);
  if (style.sizes == 0 && first) return draws.from(most - most / 2, most);
  if (style.sizes == 1) return std::min(style.common, most);
  return draws.spread(1, most);
}

/// A random vertex of the graph so far: where the last part ends, some part's hub or end, or any vertex.
std::uint64_t draw_anchor(const Composition& graph, std::size_t parts, std::uint64_t vertices, Draws& draws) {
  const Part& last = graph.parts()[parts - 1];
  const Part& other = graph.parts()[draws.below(parts)];
  switch (draws.below(6)) {
    case 0:
    case 1:
      return last.far;
    case 2:
      return other.near;
    case 3:
      return other.far;
    default:
      return draws.below(vertices);
  }
}

std::uint64_t draw_port(const Part& part, Draws& draws) {
  switch (draws.below(4)) {
    case 0:
    case 1:
      return part.near;
    case 2:
      return part.far;
    default:
      return part.first + draws.below(part.count);
  }
}

Arcs draw_arcs(const Style& style, Draws& draws) {
  if (draws.below(4) >= style.one_way) return Arcs::both;
  return static_cast<Arcs>(draws.below(4));
}

/// Joins a part to the graph so far, usually by one edge.
void hang(Composition& graph, const Part& part, const Style& style, Draws& draws) {
  const std::size_t before = graph.parts().size() - 1;
  if (before == 0 || part.shape == Shape::isolated || part.shape == Shape::pieces) return;
  if (style.one_in_apart && draws.once_in(style.one_in_apart)) return;
  const std::uint64_t joints = draws.once_in(8) ? draws.from(2, 5) : 1;
  graph.take(draw_arcs(style, draws));
  for (std::uint64_t i = 0; i < joints; ++i) {
    const std::uint64_t anchor = draw_anchor(graph, before, part.first, draws);
    graph.join(anchor, draw_port(part, draws));
  }
}

EdgeList make_shapes(const Spec& spec) {
  spec.expect(2, 2);
  const std::uint64_t seed = spec.seed(0, 1), edges = spec.number(1, "number of edges", 1, std::uint64_t{1} << 28);
  spec.arguments_read();
  const Composition graph = compose(seed, edges, spec.report());
  EdgeList list = spec.list(graph.vertices(), graph.directed());
  list.edges = Array<Edge>::copy_of(graph.edges());
  list.report.details = graph.describe() + (graph.directed() ? ", directed" : ", undirected");
  return list;
}

}  // namespace

Composition compose(std::uint64_t seed, std::uint64_t edges, const Progress& report) {
  Draws draws(seed);
  Composition graph(draws.once_in(3));
  const bool shuffled = draws.once_in(2);
  const Style style(draws, edges);
  bool has_isolated = false;
  core::Reporter reporter(report, shuffled ? 2 * edges : edges);
  while (graph.edges().size() < edges - edges / 8) {
    const auto shape = static_cast<Shape>(draws.below(shape_count));
    if (shape == Shape::isolated && has_isolated) continue;  // once is enough: they have no edges
    has_isolated |= shape == Shape::isolated;
    const Arcs arcs = draw_arcs(style, draws);
    const std::uint64_t left = edges - graph.edges().size(), size = size_of_part(style, draws, left, graph.edges().empty());
    const bool doubled = graph.directed() && arcs == Arcs::both;
    const std::size_t before = graph.edges().size();
    hang(graph, graph.add(shape, doubled ? (size + 1) / 2 : size, draws, arcs), style, draws);
    reporter.add(graph.edges().size() - before, 0);
  }
  if (shuffled) graph.shuffle(seed, reporter);
  return graph;
}

const Family shapes_family{
    .info = {.name = "shapes",
             .arguments = "SEED,EDGES",
             .summary = "chains, stars, fans, cliques, grids, trees, combs and more, joined to each other; about EDGES "
                        "edges, all determined by SEED",
             .example = "shapes:7,10000"},
    .make = make_shapes};

}  // namespace hopwave::generate_detail
