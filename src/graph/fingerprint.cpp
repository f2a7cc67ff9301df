// The number by which a preparation identifies its graph.
#include <atomic>

#include "core/checksum.h"
#include "core/parallel.h"
#include "hopwave/preparation.h"

namespace hopwave::inline v0_1 {

std::uint64_t fingerprint(const Graph& graph) {
  const std::atomic<std::uint64_t>& known = graph.fingerprint_.value;
  if (const std::uint64_t found = known.load(std::memory_order_relaxed)) return found;
  Team team(graph.num_vertices() + graph.num_arcs() < (1 << 18) ? 1 : 0);
  const auto sum = [&](const auto& values) {
    return core::checksum({reinterpret_cast<const char*>(values.data()), values.span().size_bytes()}, team);
  };
  const std::uint64_t found =
      core::graph_fingerprint(graph.num_vertices(), graph.directed(), sum(graph.out().offsets), sum(graph.out().neighbors));
  graph.fingerprint_.value.store(found, std::memory_order_relaxed);  // every thread computes the same value
  return found;
}

}  // namespace hopwave::inline v0_1
