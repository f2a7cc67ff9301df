// Graphs that tests go through one by one: all small ones, and composed ones.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "hopwave/generate.h"
#include "support/graphs.h"

namespace hopwave::testing {

/// Calls check(graph, its number) for every graph of one to three vertices and each `stride`-th of four, until a test fails.
void each_small_graph(std::uint64_t stride, const auto& check) {
  for (VertexId n = 1; n <= 4; ++n)
    for (std::uint64_t bits = 0; bits < count_all_graphs(n); bits += n < 4 ? 1 : stride) {
      check(graph_from_bits(n, bits), bits);
      if (::testing::Test::HasFatalFailure()) return;
    }
}

/// That of the generator `shapes`.
inline TestGraph composed(std::uint64_t seed, int edges) {
  const EdgeList list = generate("shapes:" + std::to_string(seed) + "," + std::to_string(edges));
  return {"shapes " + std::to_string(seed), list.num_vertices, {list.edges.begin(), list.edges.end()}, list.directed};
}

}  // namespace hopwave::testing
