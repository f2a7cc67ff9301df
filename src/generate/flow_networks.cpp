// Networks for maximum flow, as the first DIMACS challenge and image segmentation have them. The flow goes from vertex 0 to the
// last one, and weights are capacities.
// Source: D. Goldfarb, M. D. Grigoriadis, A computational comparison of the Dinic and network simplex methods for maximum flow,
// 1988 (genrmf); R. Anderson's Washington generator of the challenge, 1991 (rlg); Y. Boykov, V. Kolmogorov, An experimental
// comparison of min-cut/max-flow algorithms for energy minimization in vision, 2004 (grid cuts).
#include <algorithm>
#include <string>

#include "generate/family.h"

namespace hopwave::generate_detail {
namespace {

struct Arc {
  std::uint64_t tail, head, capacity;
};

/// The network whose arc i is make(i).
template <class Make>
EdgeList network(const Spec& spec, std::uint64_t vertices, std::uint64_t arcs, Make make) {
  EdgeList list = spec.list(vertices, true);
  Array<std::int64_t> capacity(arcs);
  list.edges = fill_edges(spec, arcs, [&](std::uint64_t i) {
    const Arc arc = make(i);
    capacity[i] = static_cast<std::int64_t>(arc.capacity);
    return Edge{static_cast<VertexId>(arc.tail), static_cast<VertexId>(arc.head)};
  });
  list.weights = std::move(capacity);
  list.default_source = 0;
  list.report.details = "flow from 0 to " + std::to_string(vertices - 1) + ", directed, weights are capacities";
  return list;
}

/// The two cells that edge k of a grid joins: first those in a row, then those in a column.
Arc grid_edge(std::uint64_t width, std::uint64_t height, std::uint64_t k) {
  const std::uint64_t in_rows = (width - 1) * height;
  if (k < in_rows) {
    const std::uint64_t v = k / (width - 1) * width + k % (width - 1);
    return {v, v + 1, 0};
  }
  return {k - in_rows, k - in_rows + width, 0};
}

EdgeList make_genrmf(const Spec& spec) {
  spec.expect(4, 5);
  const std::uint64_t a = spec.number(0, "side of a frame", 1, 65'535), frames = spec.number(1, "frames", 1, max_vertices),
                      least = spec.number(2, "least capacity", 0, 0x7FFFFFFF),
                      most = spec.number(3, "greatest capacity", least, 0x7FFFFFFF), seed = spec.seed(4, 1), cells = a * a;
  if (frames > max_vertices / cells || cells * frames < 2)
    spec.too_large(std::to_string(frames) + " frames of " + std::to_string(cells) + " vertices",
                   "from 2 to " + std::to_string(max_vertices) + " vertices");
  const std::uint64_t edges = 2 * a * (a - 1), inside = 2 * edges * frames, draws = stream(seed, 1);
  return network(spec, cells * frames, inside + cells * (frames - 1), [=](std::uint64_t i) -> Arc {
    if (i < inside) {
      const std::uint64_t frame = i / (2 * edges) * cells;
      const Arc edge = grid_edge(a, a, i % (2 * edges) / 2);
      const std::uint64_t one = frame + edge.tail, other = frame + edge.head;
      return i % 2 ? Arc{other, one, most * cells} : Arc{one, other, most * cells};
    }
    const std::uint64_t k = i - inside, frame = k / cells;
    const std::uint64_t to = Permutation(cells, stream(seed, frame + 2))(k % cells);
    return {k, (frame + 1) * cells + to, least + below(mix(draws + k), most - least + 1)};
  });
}

EdgeList make_rlg(const Spec& spec) {
  spec.expect(3, 4);
  const std::uint64_t rows = spec.number(0, "rows", 3, max_vertices), columns = spec.number(1, "columns", 1, max_vertices),
                      most = spec.number(2, "greatest capacity", 1, 0x7FFFFFFF), seed = spec.seed(3, 1);
  if (columns > (max_vertices - 2) / rows)
    spec.too_large(std::to_string(columns) + " columns of " + std::to_string(rows) + " vertices",
                   "at most " + std::to_string(max_vertices) + " vertices with source and target");
  const std::uint64_t last = rows * columns + 1, between = 3 * rows * (columns - 1), draws = stream(seed, 1),
                      capacities = stream(seed, 2);
  return network(spec, last + 1, 2 * rows + between, [=](std::uint64_t i) -> Arc {
    if (i < rows) return {0, 1 + i, 3 * most};
    if (i < 2 * rows) return {last - 2 * rows + i, last, 3 * most};
    const std::uint64_t k = i - 2 * rows, tail = k / 3;
    // Three different vertices: each is drawn from those that are left.
    std::uint64_t taken[3] = {};
    for (std::uint64_t j = 0; j < 3; ++j) {
      std::uint64_t row = below(mix(draws + 3 * tail + j), rows - j);
      const std::uint64_t low = std::min(taken[0], taken[1]), high = std::max(taken[0], taken[1]);
      if (j == 1) row += row >= taken[0];
      if (j == 2) row += row >= low, row += row >= high;
      taken[j] = row;
    }
    return {1 + tail, 1 + (tail / rows + 1) * rows + taken[k % 3], 1 + below(mix(capacities + k), most)};
  });
}

EdgeList make_gridcut(const Spec& spec) {
  spec.expect(2, 3);
  const std::uint64_t w = spec.number(0, "width", 1, max_vertices), h = spec.number(1, "height", 1, max_vertices),
                      seed = spec.seed(2, 1);
  if (h > (max_vertices - 2) / w)
    spec.too_large("more than " + std::to_string(max_vertices - 2) + " pixels", "at most that many");
  const std::uint64_t pixels = w * h, edges = (w - 1) * h + w * (h - 1), sides = stream(seed, 1), ends = stream(seed, 2),
                      smooth = stream(seed, 3);
  return network(spec, pixels + 2, pixels + 2 * edges, [=](std::uint64_t i) -> Arc {
    if (i < pixels) {
      const std::uint64_t capacity = 1 + below(mix(ends + i), 300);
      return mix(sides + i) & 1 ? Arc{0, 1 + i, capacity} : Arc{1 + i, pixels + 1, capacity};
    }
    const std::uint64_t k = (i - pixels) / 2, capacity = 1 + below(mix(smooth + k), 100);
    const Arc edge = grid_edge(w, h, k);
    return (i - pixels) % 2 ? Arc{1 + edge.head, 1 + edge.tail, capacity} : Arc{1 + edge.tail, 1 + edge.head, capacity};
  });
}

}  // namespace

const Family genrmf_family{
    .info = {.name = "genrmf",
             .arguments = "A,FRAMES,C1,C2[,SEED]",
             .summary = "flow network: FRAMES grids of A x A, capacities C1 to C2 from one to the next, large ones within",
             .example = "genrmf:16,64,1,1000"},
    .make = make_genrmf};
const Family rlg_family{
    .info = {.name = "rlg",
             .arguments = "ROWS,COLUMNS,CAPACITY[,SEED]",
             .summary =
                 "flow network: random levels of ROWS vertices, each with three arcs to the next, capacities up to CAPACITY",
             .example = "rlg:512,1024,10000"},
    .make = make_rlg};
const Family gridcut_family{
    .info = {.name = "gridcut",
             .arguments = "WIDTHxHEIGHT[,SEED]",
             .summary =
                 "flow network: pixels joined to their neighbours, each to the source or to the target, as images are cut",
             .example = "gridcut:512x512"},
    .make = make_gridcut,
    .separator = 'x'};

}  // namespace hopwave::generate_detail
