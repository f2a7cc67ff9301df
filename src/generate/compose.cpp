// The parts of a composed graph, one function per shape. They are sequential: a campaign makes many small graphs in
// parallel.
#include "generate/compose.h"

#include <algorithm>

#include "generate/family.h"

namespace hopwave::generate_detail {
namespace {

/// Returns the largest k with k (k − 1) / 2 ≤ edges, at least 2.
std::uint64_t clique_of(std::uint64_t edges) {
  std::uint64_t low = 2, high = std::uint64_t{1} << 32;
  while (low < high) {
    const std::uint64_t middle = low + (high - low + 1) / 2;
    if (middle * (middle - 1) / 2 <= edges)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

}  // namespace

std::uint64_t Draws::spread(std::uint64_t least, std::uint64_t most) {
  const int low = static_cast<int>(std::bit_width(least)) - 1, high = static_cast<int>(std::bit_width(most)) - 1;
  const std::uint64_t power = std::uint64_t{1} << from(static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(high));
  return from(std::max(least, power), std::min(most, 2 * power - 1));
}

const char* name_of(Shape shape) {
  static constexpr const char* names[shape_count] = {"chain", "cycle", "star",   "fan",    "clique", "bipartite", "grid",
                                                     "tree",  "comb",  "random", "skewed", "pieces", "isolated"};
  return names[static_cast<int>(shape)];
}

void Composition::put(std::uint64_t u, std::uint64_t v) {
  const Edge edge{static_cast<VertexId>(u), static_cast<VertexId>(v)}, back{edge.target, edge.source};
  const Arcs arcs = directed_ ? arcs_ : Arcs::forward;
  // `either` follows from the edge's number, which is as good as random and needs no state.
  const bool forward = arcs == Arcs::either ? (mix(edges_.size()) & 1) != 0 : arcs != Arcs::backward;
  if (forward) edges_.push_back(edge);
  if (!forward || arcs == Arcs::both) edges_.push_back(back);
}

Part Composition::begin(Shape shape, std::uint64_t count) {
  const Part part{.shape = shape, .first = vertices_, .count = count, .near = vertices_, .far = vertices_ + count - 1};
  vertices_ += count;
  return part;
}

void Composition::line(Part& part, bool closed) {
  for (std::uint64_t i = 1; i < part.count; ++i) put(part.first + i - 1, part.first + i);
  if (!closed) return;
  put(part.far, part.first);
  part.far = part.first + part.count / 2;
}

/// Joins the first vertex to all others; with `rim`, a path also joins the others (a fan).
void Composition::hub(Part& part, bool rim) {
  for (std::uint64_t i = 1; i < part.count; ++i) {
    put(part.first, part.first + i);
    if (rim && i > 1) put(part.first + i - 1, part.first + i);
  }
}

void Composition::clique(Part& part) {
  for (std::uint64_t i = 1; i < part.count; ++i)
    for (std::uint64_t j = 0; j < i; ++j) put(part.first + j, part.first + i);
}

void Composition::bipartite(Part& part, std::uint64_t left) {
  for (std::uint64_t i = 0; i < left; ++i)
    for (std::uint64_t j = left; j < part.count; ++j) put(part.first + i, part.first + j);
}

/// Cells row by row; the last row may be shorter.
void Composition::grid(Part& part, std::uint64_t width) {
  for (std::uint64_t i = 0; i < part.count; ++i) {
    if ((i + 1) % width != 0 && i + 1 < part.count) put(part.first + i, part.first + i + 1);
    if (i + width < part.count) put(part.first + i, part.first + i + width);
  }
}

/// A complete tree with `children` children per vertex; 0: each vertex is joined to a random earlier one.
void Composition::tree(Part& part, std::uint64_t children, Draws& draws) {
  for (std::uint64_t i = 1; i < part.count; ++i)
    put(part.first + (children == 0 ? draws.below(i) : (i - 1) / children), part.first + i);
}

/// A path with a chain of `tooth` vertices at each of its vertices; the last teeth may be shorter or missing.
void Composition::comb(Part& part, std::uint64_t tooth) {
  const std::uint64_t spine = std::max<std::uint64_t>(1, part.count / (tooth + 1));
  for (std::uint64_t i = 1; i < spine; ++i) put(part.first + i - 1, part.first + i);
  for (std::uint64_t i = spine; i < part.count; ++i) {
    const std::uint64_t root = part.first + (i - spine) / tooth % spine;
    put((i - spine) % tooth == 0 ? root : part.first + i - 1, part.first + i);
  }
}

/// Self-loops and parallel edges may occur, as in generators of this kind.
void Composition::random(Part& part, std::uint64_t edges, bool skewed, Draws& draws) {
  const auto end = [&](bool low) {
    if (!low) return part.first + draws.below(part.count);
    return part.first + draws.below(1 + draws.below(1 + draws.below(part.count)));
  };
  for (std::uint64_t i = 0; i < edges; ++i) {
    const std::uint64_t u = end(skewed), v = end(skewed && draws.once_in(2));
    put(u, v);
  }
}

/// Components of two to eight vertices, in four shapes.
Part Composition::pieces(std::uint64_t edges, Draws& draws) {
  Part all{.shape = Shape::pieces, .first = vertices_, .near = vertices_};
  for (std::uint64_t done = 0; done < edges;) {
    const std::size_t before = edges_.size();
    Part piece = begin(Shape::pieces, draws.from(2, 8));
    switch (draws.below(4)) {
      case 0:
        line(piece, false);
        break;
      case 1:
        line(piece, piece.count > 2);
        break;
      case 2:
        hub(piece, false);
        break;
      default:
        piece.count <= 4 ? clique(piece) : tree(piece, 0, draws);
    }
    done += edges_.size() - before;
  }
  all.count = vertices_ - all.first;
  all.far = vertices_ - 1;
  return all;
}

Part Composition::add(Shape shape, std::uint64_t edges, Draws& draws, Arcs arcs) {
  arcs_ = arcs;
  Part part;
  switch (shape) {
    case Shape::chain:
      line(part = begin(shape, edges + 1), false);
      break;
    case Shape::cycle:
      line(part = begin(shape, std::max<std::uint64_t>(edges, 3)), true);
      break;
    case Shape::star:
      hub(part = begin(shape, edges + 1), false);
      break;
    case Shape::fan:
      hub(part = begin(shape, edges / 2 + 2), true);
      break;
    case Shape::clique:
      clique(part = begin(shape, clique_of(edges)));
      break;
    case Shape::bipartite: {
      const std::uint64_t left = draws.spread(1, edges);
      bipartite(part = begin(shape, left + std::max<std::uint64_t>(1, edges / left)), left);
      break;
    }
    case Shape::grid: {
      const std::uint64_t width = draws.spread(1, edges + 1);
      grid(part = begin(shape, width == 1 ? edges + 1 : std::max<std::uint64_t>(width, edges / 2 + 1)), width);
      break;
    }
    case Shape::tree: {
      const std::uint64_t children = draws.once_in(3) ? 0 : draws.spread(2, 64);
      tree(part = begin(shape, edges + 1), children, draws);
      break;
    }
    case Shape::comb: {
      const std::uint64_t tooth = draws.spread(1, edges);
      comb(part = begin(shape, edges + 1), tooth);
      break;
    }
    case Shape::random:
    case Shape::skewed:
      random(part = begin(shape, draws.spread(clique_of(edges), 2 * edges + 1)), edges, shape == Shape::skewed, draws);
      break;
    case Shape::pieces:
      part = pieces(edges, draws);
      break;
    case Shape::isolated:
      part = begin(shape, edges);
      break;
  }
  parts_.push_back(part);
  return part;
}

void Composition::shuffle(std::uint64_t seed, core::Reporter& reporter) {
  const Permutation other(std::max<std::uint64_t>(vertices_, 1), seed);
  for (std::size_t first = 0; first < edges_.size(); first += edge_grain) {
    const std::size_t end = std::min(edges_.size(), first + edge_grain);
    for (std::size_t i = first; i < end; ++i) {
      Edge& e = edges_[i];
      e = {static_cast<VertexId>(other(e.source)), static_cast<VertexId>(other(e.target))};
    }
    reporter.add(end - first, 0);
  }
}

std::string Composition::describe() const {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(parts_.size(), most); ++i)
    text += (i ? " + " : "") + std::string(name_of(parts_[i].shape)) + " " + std::to_string(parts_[i].count);
  if (parts_.size() > most) text += " + " + std::to_string(parts_.size() - most) + " more";
  return text;
}

}  // namespace hopwave::generate_detail
