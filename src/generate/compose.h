// Graphs of several parts that are joined to each other. Real graphs are a hub with a tail, or a road with a star at
// its end, while each of the other generators makes one shape. This file has the parts, how one is generated, and how
// it is joined to the rest.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/reporter.h"
#include "generate/draw.h"
#include "hopwave/edge_list.h"

namespace hopwave::generate_detail {

/// Random numbers, one after the other from a seed. They are whole numbers only, so that every machine gets the same.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : base_(stream(seed)) {}
  /// Returns a number below `bound`, which is at least 1.
  std::uint64_t below(std::uint64_t bound) { return generate_detail::below(mix(base_ + next_++), bound); }
  std::uint64_t from(std::uint64_t least, std::uint64_t most) { return least + below(most - least + 1); }
  /// Returns true with a probability of 1 / `times`.
  bool once_in(std::uint64_t times) { return below(times) == 0; }
  /// Returns a number from `least` (at least 1) to `most`; every power of two between them is equally likely.
  std::uint64_t spread(std::uint64_t least, std::uint64_t most);

 private:
  std::uint64_t base_, next_ = 0;
};

enum class Shape { chain, cycle, star, fan, clique, bipartite, grid, tree, comb, random, skewed, pieces, isolated };
inline constexpr int shape_count = 13;
const char* name_of(Shape shape);

/// In a directed list: the arcs that represent an edge of a part.
enum class Arcs { forward, backward, both, either };

struct Part {
  Shape shape = Shape::isolated;
  std::uint64_t first = 0, count = 0;  ///< the part's vertices
  std::uint64_t near = 0, far = 0;     ///< its hub or first vertex, and a vertex that is as far from it as any
};

/// The vertices and edges so far. An edge of an undirected list occurs once.
class Composition {
 public:
  explicit Composition(bool directed) : directed_(directed) {}

  /// Adds a part of at least one and at most `edges` edges (isolated: that many vertices), or a few more if a shape
  /// needs them. Free parameters of the shape (a grid's width, a tree's degree) are random.
  Part add(Shape shape, std::uint64_t edges, Draws& draws, Arcs arcs = Arcs::forward);
  void join(std::uint64_t u, std::uint64_t v) { put(u, v); }
  /// Sets the arcs of edges added from now on.
  void take(Arcs arcs) { arcs_ = arcs; }

  [[nodiscard]] std::uint64_t vertices() const { return vertices_; }
  [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }
  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
  [[nodiscard]] bool directed() const { return directed_; }
  /// Renumbers all vertices by a bijection.
  void shuffle(std::uint64_t seed, core::Reporter& reporter);
  /// Returns a text such as "star 101000 + chain 6000 + fan 3000", by vertices; at most the first eight parts.
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

/// Returns the graph of the generator "shapes" with these two arguments: the seed determines all of it.
Composition compose(std::uint64_t seed, std::uint64_t edges, const Progress& report = {});

}  // namespace hopwave::generate_detail
