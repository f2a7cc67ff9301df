// What a result says of itself must agree with its distances: reached, depth, levels, and a trace's counts.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "hopwave/search.h"

namespace hopwave::testing {

/// How many vertices each level has.
inline std::vector<std::uint64_t> level_sizes(std::span<const Distance> distances) {
  std::vector<std::uint64_t> sizes;
  for (const Distance d : distances) {
    if (d < 0) continue;
    if (static_cast<std::size_t>(d) >= sizes.size()) sizes.resize(static_cast<std::size_t>(d) + 1);
    ++sizes[static_cast<std::size_t>(d)];
  }
  return sizes;
}

/// A trace has one entry a level, in order, with the counts of the answer; at its end there may be one that found nothing.
inline void expect_trace_agrees(const SearchReport& stats, const std::vector<std::uint64_t>& sizes) {
  std::uint64_t discovered = 0, reached = 0;
  for (std::size_t d = 1; d < sizes.size(); ++d) reached += sizes[d];
  for (std::size_t i = 0; i < stats.trace.size(); ++i) {
    const LevelTrace& t = stats.trace[i];
    discovered += t.discovered;
    ASSERT_LT(t.time, std::chrono::hours(1)) << "level " << t.level << ", " << stats.chosen;  // else a clock ran backwards
    if (std::string_view(t.direction) == "relax") continue;                                   // a pass is no level
    ASSERT_EQ(t.level, static_cast<Distance>(i + 1)) << stats.chosen;
    ASSERT_EQ(t.discovered, i + 1 < sizes.size() ? sizes[i + 1] : 0) << "level " << t.level << ", " << stats.chosen;
    ASSERT_EQ(t.frontier, i < sizes.size() ? sizes[i] : 0) << "level " << t.level << ", " << stats.chosen;
  }
  ASSERT_EQ(discovered, reached) << stats.chosen;
  if (stats.trace.empty() || std::string_view(stats.trace[0].direction) != "relax")
    ASSERT_LE(stats.trace.size(), sizes.size()) << stats.chosen;
}

/// `traced`: the search was asked for a trace.
inline void expect_agrees(const Result& result, bool traced = false) {
  const std::vector<std::uint64_t> sizes = level_sizes(result.distance.span());
  std::uint64_t reached = 0;
  for (const std::uint64_t size : sizes) reached += size;
  ASSERT_EQ(result.reached, reached) << result.run.chosen;
  ASSERT_EQ(result.depth, static_cast<Distance>(sizes.size()) - 1) << result.run.chosen;
  ASSERT_EQ(result.run.levels, sizes.size() - 1) << result.run.chosen;
  if (traced) expect_trace_agrees(result.run, sizes);
}

/// The same query again with its answer left on the device: what the traversal counts must be what a whole answer says.
inline void expect_traversal_agrees(Searcher& searcher, const Query& query, const Result& result) {
  if (query.target != no_vertex) return;  // a traversal may go on beyond it
  ASSERT_EQ(searcher.traverse(query).levels, static_cast<std::uint32_t>(result.depth)) << result.run.chosen;
}

}  // namespace hopwave::testing
