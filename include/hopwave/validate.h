// Validation: whether a result is a right answer to a query on a graph, in linear time and without a reference search.
// It checks the five rules of the Graph500 specification, and that every distance is exact.
#pragma once

#include <string>

#include "hopwave/graph.h"
#include "hopwave/search.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

struct Verdict {
  bool ok = true;
  std::string rule = {};     ///< stable name of the first broken rule: "source-distance", "edge-levels" …
  std::string message = {};  ///< names the vertex or arc, in internal ids
  [[nodiscard]] explicit operator bool() const noexcept { return ok; }
};

/// Returns whether the distances are right, and the parents if the result has them. Any valid tree passes (with
/// Ties::min only the one with the smallest parents).
/// Why the rules suffice: distances decrease by one along tree arcs to a source, so none is too small. No arc skips a
/// level, and no arc leads out of the reached set, so none is too large.
Verdict validate(const Graph& graph, const Query& query, const Result& result, Direction direction = Direction::out);

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
