// What tests of connected and of strong components share: how many graphs they draw, and labels against plain ones.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "support/graphs.h"

namespace hopwave::testing {

/// HOPWAVE_TEST_GRAPHS, else `standard`.
inline std::uint64_t graphs_to_draw(std::uint64_t standard) {
  const char* given = std::getenv("HOPWAVE_TEST_GRAPHS");
  return given ? std::strtoull(given, nullptr, 10) : standard;
}

/// Labels, their number and the largest component are as `right` has them.
template <class Found>
void expect_labels(const Found& c, const std::vector<VertexId>& right, const TestGraph& test, std::uint64_t seed) {
  ASSERT_EQ(std::vector<VertexId>(c.label.begin(), c.label.end()), right) << test << " seed " << seed;
  std::vector<VertexId> size(test.num_vertices, 0);
  VertexId count = 0, largest = 0;
  for (const VertexId l : right) ++size[l];
  for (const VertexId s : size) count += s > 0, largest = std::max(largest, s);
  ASSERT_EQ(c.count, count) << test;
  ASSERT_EQ(c.largest_size, largest) << test;
  if (count) ASSERT_EQ(size[c.largest_label], largest) << test;
}

}  // namespace hopwave::testing
