// A stand-in for SNAP's roadNet-CA where the original is not available: the same numbers of vertices and edges, and
// degrees and diameter within 5 %. Local roads are a connected random part of a grid with some diagonals. Every 32nd
// row and column is a motorway with an exit every few crossings, which gives the diameter of a road network instead of
// a grid's.
#include <string>

#include "generate/family.h"

namespace hopwave::generate_detail {
namespace {

constexpr std::uint64_t vertices = 1965206, edges = 5533214 / 2;
constexpr std::uint64_t width = 1402;           // the smallest square that holds the vertices; its last row is short
constexpr std::uint64_t motorway_spacing = 32;  // crossings between motorways
constexpr std::uint64_t exits_across = 4;       // crossings between exits, west to east
constexpr std::uint64_t exits_along = 3;        // north to south
constexpr std::uint64_t diagonals = 6;          // of 64 squares
constexpr std::uint64_t seed = 42;

/// Roads that may start at crossing v: 0 right, 1 down, 2 diagonal.
bool possible(std::uint64_t v, std::uint64_t kind) {
  const bool right = v % width + 1 < width && v + 1 < vertices, down = v + width < vertices;
  if (kind == 0) return right;
  if (kind == 1) return down;
  return right && down && v + width + 1 < vertices && mix(stream(seed, 1) + v) % 64 < diagonals;
}
VertexId end_of(std::uint64_t v, std::uint64_t kind) {
  return static_cast<VertexId>(kind == 0 ? v + 1 : kind == 1 ? v + width : v + width + 1);
}

template <class Put>
void motorways(Put&& put) {
  for (std::uint64_t v = 0; v < vertices; ++v) {
    const std::uint64_t x = v % width, y = v / width;
    if (y % motorway_spacing == motorway_spacing / 2 && x % exits_across == 0 && x + exits_across < width &&
        v + exits_across < vertices)
      put(Edge{static_cast<VertexId>(v), static_cast<VertexId>(v + exits_across)});
    if (x % motorway_spacing == motorway_spacing / 2 && y % exits_along == 0 && v + exits_along * width < vertices)
      put(Edge{static_cast<VertexId>(v), static_cast<VertexId>(v + exits_along * width)});
  }
}

EdgeList make_roadnet(const Spec& spec) {
  spec.expect(0, 0);
  EdgeList list = spec.list(vertices, false);
  list.edges = Array<Edge>(edges);
  std::uint64_t count = 0;
  DisjointSets joined(vertices);
  motorways([&](Edge e) {
    joined.join(e.source, e.target);
    list.edges[count++] = e;
  });
  // Local roads in random order: first those that connect something, then as many others as are needed.
  const Permutation order(3 * vertices, seed);
  std::vector<std::uint64_t> others;
  core::Reporter reporter(spec.report(), units_of(3 * vertices));
  for (std::uint64_t i = 0; i < 3 * vertices; ++i) {
    if (i % edge_grain == edge_grain - 1) reporter.add(1, 0);
    const std::uint64_t road = order(i), v = road / 3, kind = road % 3;
    if (!possible(v, kind)) continue;
    if (joined.join(static_cast<VertexId>(v), end_of(v, kind)))
      list.edges[count++] = {static_cast<VertexId>(v), end_of(v, kind)};
    else
      others.push_back(road);
  }
  for (std::size_t i = 0; count < edges; ++i)
    list.edges[count++] = {static_cast<VertexId>(others[i] / 3), end_of(others[i] / 3, others[i] % 3)};
  list.report.details = "stand-in for roadNet-CA, undirected";
  return list;
}

}  // namespace

const Family roadnet_family{
    .info = {.name = "roadnet-ca-like",
             .arguments = "",
             .summary = "stand-in for SNAP's roadNet-CA: 1,965,206 vertices, 5,533,214 arcs, degrees and diameter like it",
             .example = "roadnet-ca-like"},
    .make = make_roadnet};

}  // namespace hopwave::generate_detail
