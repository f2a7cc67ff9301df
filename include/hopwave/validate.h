// Validation: is this result a right answer to this query on this graph? In linear time, without a reference search.
// The five rules of the Graph500 specification, and exactness of every distance.
#pragma once

#include <string>

#include "hopwave/graph.h"
#include "hopwave/search.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

struct Verdict {
  bool ok = true;
  std::string rule = {};     ///< stable name of the first rule broken: "source-distance", "edge-levels" …
  std::string message = {};  ///< says which vertex or arc, in internal ids
  [[nodiscard]] explicit operator bool() const noexcept { return ok; }
};

/// Checks distances, and parents if the result has them; any valid tree passes (with Ties::min only the least).
/// Why these rules are enough: distances fall by one along tree arcs down to a source, so none is too small;
/// no arc skips a level and none leaves the reached set, so none is too large.
Verdict validate(const Graph& graph, const Query& query, const Result& result, Direction direction = Direction::out);

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
