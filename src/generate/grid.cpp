// Regular grids: every cell is a vertex, and neighbours share a side. Vertex (x, y, z) is (z·H + y)·W + x.
#include <string>

#include "generate/family.h"

namespace hopwave::generate_detail {
namespace {

EdgeList make_grid(const Spec& spec) {
  spec.expect(2, 3);
  const std::uint64_t w = spec.number(0, "width", 1, max_vertices), h = spec.number(1, "height", 1, max_vertices),
                      d = spec.number_or(2, 1, "depth", 1, max_vertices);
  if (w * h > max_vertices || w * h * d > max_vertices)  // w * h < 2⁶⁴, and so is w * h * d if w * h < 2³²
    spec.too_large("a grid of more than " + std::to_string(max_vertices) + " cells", "at most that many");
  EdgeList list = spec.list(w * h * d, false);
  // By rows, so that divisions are rare.
  const RowPieces pieces(w, h * d);
  list.edges = collect_edges(spec, pieces.count(), pieces.cells(), [&](std::uint64_t piece, auto&& put) {
    pieces.of(piece, [&](std::uint64_t row, std::uint64_t first, std::uint64_t end) {
      const std::uint64_t y = row % h, z = row / h;
      for (std::uint64_t x = first; x < end; ++x) {
        const auto v = static_cast<VertexId>(row * w + x);
        if (x + 1 < w) put(Edge{v, v + 1});
        if (y + 1 < h) put(Edge{v, static_cast<VertexId>(v + w)});
        if (z + 1 < d) put(Edge{v, static_cast<VertexId>(v + w * h)});
      }
    });
  });
  list.report.details = "grid, undirected";
  return list;
}

}  // namespace

const Family grid_family{.info = {.name = "grid",
                                  .arguments = "WIDTHxHEIGHT[xDEPTH]",
                                  .summary = "grid of cells joined where they share a side",
                                  .example = "grid:1000x1000"},
                         .make = make_grid,
                         .separator = 'x',
                         .by_parts = true};

}  // namespace hopwave::generate_detail
