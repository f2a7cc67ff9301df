// Listings as printed, searched with again and again: a listing that is right once is right each time, from every source.
#include <gtest/gtest.h>

#include <string>

#include "core/sanitized.h"
#include "hopwave/error.h"
#include "hopwave/search.h"
#include "support/graphs.h"

namespace hopwave::testing {
namespace of_literal_again_test {

TEST(LiteralAgain, FindsTheSameEachTime) {
  if (sanitized) GTEST_SKIP() << "listings have faults that sanitizers end the process for: docs/literal.md";
  std::size_t right = 0;
  for (const StrategyInfo& info : literal_strategies()) {
    if (info.name == "literal:gpu101-block-per-vertex") continue;  // its race decides: docs/literal.md
    for (const TestGraph& test : {textbook_graph(), grid(5, 5), star(20), chain(12, false)}) {
      const Graph graph = build(test, true, true);
      Searcher searcher(graph, {.strategy = std::string(info.name), .run = {.device = DeviceKind::sim}});
      const auto search = [&](VertexId source) {
        try {
          return distances_of(searcher.run({.sources = {source}})) == naive_bfs(test, {source});
        } catch (const Error&) {
          return false;  // a fault of the listing, which a detector reports
        }
      };
      if (!search(1)) continue;
      ++right;
      for (const VertexId source : {test.num_vertices - 1, VertexId{0}, VertexId{1}, VertexId{1}})
        EXPECT_TRUE(search(source)) << info.name << " on " << test << " from " << source;
    }
  }
  EXPECT_GE(right, 30u);
}

}  // namespace of_literal_again_test
}  // namespace hopwave::testing
