// Triangulated mesh: a grid with one diagonal in each square, like finite-element meshes. The square's number
// determines the diagonal, so degrees vary from 2 to 8 around 6.
#include <string>

#include "generate/family.h"

namespace hopwave::generate_detail {
namespace {

EdgeList make_mesh(const Spec& spec) {
  spec.expect(2, 3);
  const std::uint64_t w = spec.number(0, "width", 1, max_vertices), h = spec.number(1, "height", 1, max_vertices);
  const std::uint64_t seed = spec.seed(2, 1);
  EdgeList list = spec.list(w * h, false);
  const std::uint64_t base = stream(seed);
  const RowPieces pieces(w, h);
  list.edges = collect_edges(spec, pieces.count(), pieces.cells(), [&](std::uint64_t piece, auto&& put) {
    pieces.of(piece, [&](std::uint64_t y, std::uint64_t first, std::uint64_t end) {
      for (std::uint64_t x = first; x < end; ++x) {
        const auto v = static_cast<VertexId>(y * w + x), below_v = static_cast<VertexId>(v + w);
        if (x + 1 < w) put(Edge{v, v + 1});
        if (y + 1 < h) put(Edge{v, below_v});
        if (x + 1 == w || y + 1 == h) continue;
        if (mix(base + v) & 1)
          put(Edge{v, below_v + 1});
        else
          put(Edge{v + 1, below_v});
      }
    });
  });
  list.report.details = "triangulated mesh, undirected, seed " + std::to_string(seed);
  return list;
}

}  // namespace

const Family mesh_family{.info = {.name = "mesh",
                                  .arguments = "WIDTHxHEIGHT[,SEED]",
                                  .summary = "triangulated mesh: a grid with one diagonal in each square",
                                  .example = "mesh:128x64"},
                         .make = make_mesh,
                         .separator = 'x',
                         .by_parts = true};

}  // namespace hopwave::generate_detail
