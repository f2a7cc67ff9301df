// Preparations apart from any strategy: which graph one belongs to, and making one to keep.
#include "hopwave/preparation.h"

#include <atomic>

#include "core/checksum.h"
#include "hopwave/error.h"

namespace hopwave {

std::uint64_t fingerprint(const Graph& graph) {
  const std::atomic<std::uint64_t>& known = graph.fingerprint_.value;
  if (const std::uint64_t found = known.load(std::memory_order_relaxed)) return found;
  Team team(graph.num_vertices() + graph.num_arcs() < (1 << 18) ? 1 : 0);
  const auto sum = [&](const auto& values) {
    return core::checksum({reinterpret_cast<const char*>(values.data()), values.span().size_bytes()}, team);
  };
  const std::uint64_t found =
      core::graph_fingerprint(graph.num_vertices(), graph.directed(), sum(graph.out().offsets), sum(graph.out().neighbors));
  graph.fingerprint_.value.store(found, std::memory_order_relaxed);  // every thread finds the same
  return found;
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
