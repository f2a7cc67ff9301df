// Checks whether an answer is right. It is written independently of the engine and of validate(), so that no mistake
// can be in both.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hopwave/graph.h"
#include "hopwave/search.h"

namespace hopwave::shapes {

/// Checks answers on one graph, and keeps its memory between answers. A right answer satisfies, in the order of
/// checking: the sources and only they are at 0; nothing is beyond the query's limit; no step leads from a vertex below
/// the limit to one that is unreached or more than a level further; every other reached vertex has a step from one
/// exactly a level nearer. So no distance is too large (steps from the source raise it by at most one) and none too
/// small (nearer vertices lead down to a source). Parents: the tail of such a step, the smallest one if asked for.
class Certificate {
 public:
  Certificate(const Graph& graph, Direction direction);
  /// Returns an empty text if everything is right, otherwise the first error.
  [[nodiscard]] std::string check(const Query& query, const Result& result);

 private:
  template <class Step>
  void each_step(Step&& step) const;
  void check_vertices(const Query& query, const Result& result);
  void check_steps(const Query& query, const Result& result);
  void check_parents(const Query& query, const Result& result);
  void wrong(std::string text);

  const Graph& graph_;
  Direction direction_;
  Distance limit_ = 0;
  std::string wrong_;
  std::vector<std::uint8_t> is_source_, nearer_;
  std::vector<VertexId> least_;
};

/// The textbook's search with one queue: one answer in a hundred is compared with it, value by value.
class Oracle {
 public:
  Oracle(const Graph& graph, Direction direction);
  [[nodiscard]] std::vector<Distance> distances(const Query& query) const;

 private:
  std::vector<std::vector<VertexId>> next_;
};

}  // namespace hopwave::shapes
