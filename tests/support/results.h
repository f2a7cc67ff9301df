// Results made and changed by hand.
#pragma once

#include <algorithm>

#include "hopwave/search.h"

namespace hopwave::testing {

/// Sets `reached` and `depth` to what the distances say.
inline void count(Result& r) {
  r.reached = 0;
  r.depth = 0;
  for (const Distance d : r.distance) {
    r.reached += d != unreached;
    r.depth = std::max(r.depth, d);
  }
}

inline Result copy(const Result& r) {
  Result c;
  c.distance = Array<Distance>::copy_of(r.distance.span());
  c.parent = Array<VertexId>::copy_of(r.parent.span());
  c.reached = r.reached;
  c.depth = r.depth;
  return c;
}

}  // namespace hopwave::testing
