// Graphs of several parts that hang on each other: real graphs are a hub with a tail, or a road with a star at its end, while
// each of the other generators makes one shape. What parts there are, how one is drawn, and how it is joined to the rest.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/told.h"
#include "generate/draw.h"
#include "hopwave/edge_list.h"

namespace hopwave::generate_detail {

/// Numbers drawn one after the other from a seed; whole numbers only, so that every machine draws the same.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : base_(stream(seed)) {}
  /// Below `bound`, which is at least 1.
  std::uint64_t below(std::uint64_t bound) { return generate_detail::below(mix(base_ + next_++), bound); }
  std::uint64_t from(std::uint64_t least, std::uint64_t most) { return least + below(most - least + 1); }
  /// True once in `times`.
  bool once_in(std::uint64_t times) { return below(times) == 0; }
  /// From `least` (at least 1) to `most`, every power of two between them as likely as the others.
  std::uint64_t spread(std::uint64_t least, std::uint64_t most);

 private:
  std::uint64_t base_, next_ = 0;
};

enum class Shape { chain, cycle, star, fan, clique, bipartite, grid, tree, comb, random, skewed, pieces, isolated };
inline constexpr int shape_count = 13;
const char* name_of(Shape shape);

/// In a directed list: which arcs stand for an edge of a part.
enum class Arcs { forward, backward, both, either };

struct Part {
  Shape shape = Shape::isolated;
  std::uint64_t first = 0, count = 0;  ///< its vertices
  std::uint64_t near = 0, far = 0;     ///< its hub or beginning, and a vertex that is as far as any from there
};

/// Vertices and edges so far. Edges of an undirected list stand once.
class Composition {
 public:
  explicit Composition(bool directed) : directed_(directed) {}

  /// A part of at least one and at most `edges` edges (isolated: so many vertices), or a few more where a shape needs them.
  /// What the shape leaves open (a grid's width, a tree's degree) is drawn.
  Part add(Shape shape, std::uint64_t edges, Draws& draws, Arcs arcs = Arcs::forward);
  void join(std::uint64_t u, std::uint64_t v) { put(u, v); }
  /// Edges put from now on.
  void take(Arcs arcs) { arcs_ = arcs; }

  [[nodiscard]] std::uint64_t vertices() const { return vertices_; }
  [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }
  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
  [[nodiscard]] bool directed() const { return directed_; }
  /// Other names for all vertices, by a bijection.
  void shuffle(std::uint64_t seed, core::Told& told);
  /// "star 101000 + chain 6000 + fan 3000", by vertices; of many parts the first eight.
  [[nodiscard]] std::string describe() const;

 private:
  void put(std::uint64_t u, std::uint64_t v);
  Part begin(Shape shape, std::uint64_t count);

  void line(Part& part, bool closed);
  void hub(Part& part, bool rim);
  void clique(Part& part);
  void bipartite(Part& part, std::uint64_t left);
  void grid(Part& part, std::uint64_t width);
  void tree(Part& part, std::uint64_t children, Draws& draws);
  void comb(Part& part, std::uint64_t tooth);
  void random(Part& part, std::uint64_t edges, bool skewed, Draws& draws);
  Part pieces(std::uint64_t edges, Draws& draws);

  bool directed_;
  Arcs arcs_ = Arcs::forward;
  std::uint64_t vertices_ = 0;
  std::vector<Edge> edges_;
  std::vector<Part> parts_;
};

/// What the generator "shapes" makes of its two arguments: all of it is drawn from the seed.
Composition compose(std::uint64_t seed, std::uint64_t edges, const core::Told::Report& report = {});

}  // namespace hopwave::generate_detail
