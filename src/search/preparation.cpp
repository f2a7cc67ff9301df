// Preparations apart from any strategy: which graph one belongs to, and making one to keep.
#include "hopwave/preparation.h"

#include <algorithm>

#include "hopwave/error.h"
#include "hopwave/generate.h"

namespace hopwave {

std::uint64_t fingerprint(const Graph& graph) {
  constexpr std::uint64_t samples = 1 << 15;
  std::uint64_t sum = splitmix64(graph.num_vertices()) ^ splitmix64(~graph.num_arcs()) ^ (graph.directed() ? 1 : 0);
  const auto take = [&](const auto& values) {
    const std::uint64_t count = values.size(), taken = std::min(count, samples);
    for (std::uint64_t i = 0; i < taken; ++i) {
      const std::uint64_t at = count <= samples ? i : splitmix64(i) % count;
      sum = splitmix64(sum ^ values[at]);
    }
  };
  take(graph.out().offsets);
  take(graph.out().neighbors);
  return sum;
}

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

}  // namespace hopwave
