// Perfect maze: a random spanning tree of the grid by Kruskal's rule; walls are removed in the order of a keyed
// permutation. There is exactly one path between any two cells, so distances are long and levels are narrow.
#include <string>

#include "generate/family.h"

namespace hopwave::generate_detail {
namespace {

EdgeList make_maze(const Spec& spec) {
  spec.expect(2, 3);
  const std::uint64_t w = spec.number(0, "width", 1, max_vertices), h = spec.number(1, "height", 1, max_vertices);
  const std::uint64_t seed = spec.seed(2, 1);
  EdgeList list = spec.list(w * h, false);
  // Wall 2v is to the right of cell v, wall 2v + 1 below it.
  const std::uint64_t walls = 2 * w * h;
  const Permutation order(walls, seed);
  DisjointSets joined(w * h);
  std::vector<bool> open(walls, false);
  core::Reporter reporter(spec.report(), units_of(walls) + 2 * units_of(w * h));
  for (std::uint64_t i = 0, missing = w * h - 1; missing > 0; ++i) {
    if (i % edge_grain == edge_grain - 1) reporter.add(1, 0);
    const std::uint64_t wall = order(i), v = wall / 2;
    const bool down = wall % 2;
    if (down ? v / w + 1 == h : v % w + 1 == w) continue;
    if (!joined.join(static_cast<VertexId>(v), static_cast<VertexId>(down ? v + w : v + 1))) continue;
    open[wall] = true;
    --missing;
  }
  list.edges = collect_edges(spec, reporter, w * h, 1, [&](std::uint64_t v, auto&& put) {
    const auto here = static_cast<VertexId>(v);
    if (open[2 * v]) put(Edge{here, here + 1});
    if (open[2 * v + 1]) put(Edge{here, static_cast<VertexId>(v + w)});
  });
  list.report.details = "perfect maze, undirected, seed " + std::to_string(seed);
  return list;
}

}  // namespace

const Family maze_family{.info = {.name = "maze",
                                  .arguments = "WIDTHxHEIGHT[,SEED]",
                                  .summary = "perfect maze: a random spanning tree of a grid",
                                  .example = "maze:500x500"},
                         .make = make_maze,
                         .separator = 'x'};

}  // namespace hopwave::generate_detail
