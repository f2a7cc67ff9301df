// Is an answer right? Written apart from the engine and from validate(), so that no mistake can be in both.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hopwave/graph.h"
#include "hopwave/search.h"

namespace hopwave::shapes {

/// Checks answers on one graph; keeps its memory from answer to answer. A right answer has, in the order of checking:
/// sources and only they at 0; nothing beyond the query's limit; no step from a vertex below the limit to one that is unreached
/// or more than a level further; for every other reached vertex a step from one exactly a level nearer. So no distance is too
/// large (steps from the source raise it by one at most) and none too small (nearer ones lead down to a source). Parents: the
/// tail of such a step, the least one if asked for.
class Certificate {
 public:
  Certificate(const Graph& graph, Direction direction);
  /// Empty if all is right, else the first thing that is not.
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

/// The textbook's search with one queue: what one answer in a hundred is compared with, value by value.
class Oracle {
 public:
  Oracle(const Graph& graph, Direction direction);
  [[nodiscard]] std::vector<Distance> distances(const Query& query) const;

 private:
  std::vector<std::vector<VertexId>> next_;
};

}  // namespace hopwave::shapes
