// Vertices by distance from many sources, against a naive search from each.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "hopwave/search.h"
#include "support/graphs.h"

namespace hopwave::testing {

/// `count` sources all over the graph; every round has them in another order.
inline std::vector<VertexId> spread(VertexId n, std::size_t count) {
  std::vector<VertexId> sources;
  for (std::size_t i = 0; i < count; ++i) sources.push_back(static_cast<VertexId>((i * 7919 + i / n) % n));
  return sources;
}

inline std::vector<std::uint64_t> naive_counts(const TestGraph& test, VertexId source, Distance max_depth) {
  std::vector<std::uint64_t> counts;
  for (const Distance d : trimmed(naive_bfs(test, {source}), max_depth)) {
    if (d == unreached) continue;
    counts.resize(std::max<std::size_t>(counts.size(), static_cast<std::size_t>(d) + 1));
    ++counts[static_cast<std::size_t>(d)];
  }
  return counts;
}

/// Gives the stats of the call.
inline SearchReport expect_counts(Searcher& searcher, const TestGraph& test, const std::vector<VertexId>& sources,
                                  Distance max_depth = -1) {
  std::size_t next = 0;
  SearchReport stats = searcher.count_levels(sources, max_depth, [&](std::size_t i, LevelCounts&& counts) {
    ASSERT_EQ(i, next++);
    ASSERT_EQ(counts.at, naive_counts(test, sources[i], max_depth)) << test << ", search " << i;
  });
  EXPECT_EQ(next, sources.size());
  return stats;
}

}  // namespace hopwave::testing
