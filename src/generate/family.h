// generate: specs to edges, one file per family. Nothing here builds a graph of them.
//
// A generator's file provides a Family, and reads its arguments from a Spec ("rmat:20,16,7"). Edges are computed from
// their number by splitmix64, never from a running state, so threads do not matter.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "core/reporter.h"
#include "generate/draw.h"
#include "generate/part.h"
#include "hopwave/edge_list.h"
#include "hopwave/generate.h"

namespace hopwave::generate_detail {

struct Family;

/// A spec split at its first colon and at commas (and at 'x' for some families).
class Spec {
 public:
  enum class Wanted { edges, check };
  /// `check`: list(), which a family calls once it has read its arguments, throws ArgumentsAreGood. `report` must
  /// outlive the object.
  Spec(std::string_view text, const GeneratorInfo& info, char separator, const Progress& report, Wanted wanted = Wanted::edges);
  struct ArgumentsAreGood {};
  /// Selects the part of the edges to generate; only families with `by_parts` use it.
  void want(EdgePart part) { part_ = part; }
  Spec(const Spec&) = delete;  // arguments_ are views of text_
  Spec& operator=(const Spec&) = delete;
  [[nodiscard]] std::size_t count() const { return arguments_.size(); }
  /// Throws HW-GEN-SPEC unless there are at least `least` and at most `most` arguments.
  void expect(std::size_t least, std::size_t most) const;
  /// Returns argument `i` as a number; throws HW-GEN-SPEC (not a number) or HW-GEN-RANGE.
  [[nodiscard]] std::uint64_t number(std::size_t i, std::string_view what, std::uint64_t lowest, std::uint64_t highest) const;
  [[nodiscard]] std::uint64_t number_or(std::size_t i, std::uint64_t default_value, std::string_view what, std::uint64_t lowest,
                                        std::uint64_t highest) const;
  /// Returns argument `i` as a seed: any 64-bit number; `default_value` if it is missing.
  [[nodiscard]] std::uint64_t seed(std::size_t i, std::uint64_t default_value) const;
  /// Throws HW-GEN-RANGE: the graph is too large.
  [[noreturn]] void too_large(std::string found, std::string expected) const;
  /// For families that know the number of vertices only after some work: the arguments are read and valid.
  void arguments_read() const {
    if (wanted_ == Wanted::check) throw ArgumentsAreGood{};
  }
  /// Returns an empty list of `vertices` vertices with its report; throws HW-GEN-RANGE above 2³² − 2.
  [[nodiscard]] EdgeList list(std::uint64_t vertices, bool directed) const;
  [[nodiscard]] const Progress& report() const { return report_; }
  [[nodiscard]] EdgePart part() const { return part_; }
  [[nodiscard]] bool whole() const { return part_.of == 1; }
  /// Processes that generate one part each have one core each.
  [[nodiscard]] int threads() const { return whole() ? 0 : 1; }

 private:
  std::string text_;
  const GeneratorInfo& info_;
  const Progress& report_;
  const Wanted wanted_;
  EdgePart part_;
  std::vector<std::string_view> arguments_;
};

struct Family {
  GeneratorInfo info;
  EdgeList (*make)(const Spec& spec);
  char separator = ',';  ///< the first argument is also split at this character: "grid:10x20"
  /// All edges come from fill_edges() or collect_edges(); the rest takes constant time and memory.
  bool by_parts = false;
};

constexpr std::size_t edge_grain = std::size_t{1} << 16;

/// Returns the number of items, with about `each` edges, that a thread processes between two reports.
inline std::uint64_t grain_of(std::uint64_t each) { return std::max<std::uint64_t>(edge_grain / each, 1); }
/// Returns the number of reports in a pass over `items`: the units of work.
inline std::uint64_t units_of(std::uint64_t items, std::uint64_t each = 1) {
  return (items + grain_of(each) - 1) / grain_of(each);
}

/// Returns edges that a function of the item's number makes: for items [0, count), emit(i, put) calls put(edge) any
/// number of times, about `per_item`. Two passes (count, write) keep the list exact and in order; each reports
/// units_of(items, per_item).
template <class Emit>
Array<Edge> collect_edges(const Spec& spec, core::Reporter& reporter, std::uint64_t items, std::uint64_t per_item,
                          Emit&& emit) {
  const std::uint64_t from = spec.part().begin(items), to = spec.part().end(items);
  const std::uint64_t grain = grain_of(per_item);
  const auto chunks = static_cast<std::size_t>(units_of(to - from, per_item));
  std::vector<std::uint64_t> start(chunks + 1, 0);
  Team team(spec.threads());
  auto each = [&](std::size_t chunk, int rank, auto&& put) {
    const std::uint64_t begin = from + std::uint64_t{chunk} * grain, end = std::min<std::uint64_t>(to, begin + grain);
    for (std::uint64_t i = begin; i < end; ++i) emit(i, put);
    reporter.add(1, rank);
  };
  parallel_for(team, chunks, 1, [&](std::size_t begin, std::size_t end, int rank) {
    for (std::size_t c = begin; c < end; ++c) {
      std::uint64_t n = 0;
      each(c, rank, [&](Edge) { ++n; });
      start[c + 1] = n;
    }
  });
  for (std::size_t c = 0; c < chunks; ++c) start[c + 1] += start[c];
  Array<Edge> edges(start[chunks]);
  parallel_for(team, chunks, 1, [&](std::size_t begin, std::size_t end, int rank) {
    for (std::size_t c = begin; c < end; ++c) {
      Edge* out = edges.data() + start[c];
      each(c, rank, [&](Edge e) { *out++ = e; });
    }
  });
  return edges;
}

/// The same if there is no other work.
template <class Emit>
Array<Edge> collect_edges(const Spec& spec, std::uint64_t items, std::uint64_t per_item, Emit&& emit) {
  const std::uint64_t mine = spec.part().end(items) - spec.part().begin(items);
  core::Reporter reporter(spec.report(), 2 * units_of(mine, per_item));
  return collect_edges(spec, reporter, items, per_item, std::forward<Emit>(emit));
}

/// The rows of a grid in pieces, so that a long row is divided.
class RowPieces {
 public:
  RowPieces(std::uint64_t width, std::uint64_t rows) : width_(width), in_a_row_((width + most - 1) / most), rows_(rows) {}
  [[nodiscard]] std::uint64_t count() const { return rows_ * in_a_row_; }
  /// Returns the cells of a piece, at most.
  [[nodiscard]] std::uint64_t cells() const { return std::min(width_, most); }
  /// Calls body(row, first, end) for piece `i`: the cells [first, end) of that row.
  template <class Body>
  void of(std::uint64_t i, Body&& body) const {
    const std::uint64_t first = i % in_a_row_ * most;
    body(i / in_a_row_, first, std::min(width_, first + most));
  }

 private:
  static constexpr std::uint64_t most = edge_grain;
  std::uint64_t width_, in_a_row_, rows_;
};

/// Returns `count` edges, edge i = make(i).
template <class Make>
Array<Edge> fill_edges(const Spec& spec, std::uint64_t count, Make&& make) {
  const std::uint64_t from = spec.part().begin(count);
  Array<Edge> edges(spec.part().end(count) - from);
  Team team(spec.threads());
  core::Reporter reporter(spec.report(), edges.size());
  parallel_for(team, edges.size(), edge_grain, [&](std::size_t begin, std::size_t end, int rank) {
    for (std::size_t first = begin; first < end; first += edge_grain) {  // a team of one gets everything in one call
      const std::size_t stop = std::min(end, first + edge_grain);
      for (std::size_t i = first; i < stop; ++i) edges[i] = make(from + i);
      reporter.add(stop - first, rank);
    }
  });
  return edges;
}

/// Sequential union-find with path halving: spanning trees by Kruskal's rule.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : above_(count) {
    for (std::size_t v = 0; v < count; ++v) above_[v] = static_cast<VertexId>(v);
  }
  /// Returns false if the two were joined already.
  bool join(VertexId a, VertexId b) {
    a = root(a), b = root(b);
    if (a == b) return false;
    above_[std::max(a, b)] = std::min(a, b);
    return true;
  }

 private:
  VertexId root(VertexId v) {
    while (above_[v] != v) v = above_[v] = above_[above_[v]];
    return v;
  }
  Array<VertexId> above_;
};

extern const Family rmat_family, kron_family, uniform_family, grid_family, mesh_family, maze_family, streets_family,
    roadnet_family, wikitalk_family, chain_family, star_family, complete_family, tree_family, hub_chain_family, graphgen_family,
    shapes_family, pmpp_family, genrmf_family, rlg_family, gridcut_family;

}  // namespace hopwave::generate_detail
