// Making a preparation to keep.
#include "hopwave/preparation.h"

#include "hopwave/error.h"

namespace hopwave::inline v0_1 {

std::shared_ptr<const Preparation> prepare(const Graph& graph, const SearchOptions& options) {
  SearchOptions wanted = options;
  wanted.prepare = true;
  const Searcher searcher(graph, wanted);
  auto made = searcher.preparation();
  if (!made)
    throw Error({.failure = Failure::usage,
                 .id = "HW-PREPARATION-NONE",
                 .found = searcher.strategy() + " makes no preparation of this graph that can be kept",
                 .expected = "auto on a GPU or in the simulator, and a graph with a vertex",
                 .hint = "--device sim prepares without a GPU, slowly; without --prepare nothing is needed"});
  return made;
}

}  // namespace hopwave::inline v0_1
