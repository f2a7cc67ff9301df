// Corners of the grid-wide traversal that random graphs miss: deep searches beside vertices that are never reached, and pulls
// of words in which one vertex alone is left.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "hopwave/search.h"
#include "hopwave/validate.h"
#include "support/agreement.h"
#include "support/graphs.h"

namespace hopwave::testing {
namespace {

constexpr std::int64_t never = std::int64_t{1} << 62;

void expect_right(const TestGraph& test, Parameters parameters, const std::vector<VertexId>& sources) {
  parameters.insert({{"block", 32}, {"high_diameter", 0}, {"single_cluster", 0}, {"shared_memory", 0}});
  const Graph graph = build(test, true, true);
  for (const bool prepare : {false, true}) {
    Searcher searcher(graph, {.device = DeviceKind::sim, .parameters = parameters, .prepare = prepare});
    for (const VertexId source : sources)
      for (int again = 0; again < 2; ++again) {  // the second search finds what the first one left
        const Query query{.sources = {source}, .parents = true};
        const Result result = searcher.run(query);
        ASSERT_EQ(distances_of(result), naive_bfs(test, query.sources)) << test << " from " << source << result.stats.chosen;
        ASSERT_TRUE(result.stats.chosen.starts_with("grid-wide")) << result.stats.chosen;
        expect_agrees(result);
        const Verdict verdict = validate(graph, query, result);
        ASSERT_TRUE(verdict) << test << " from " << source << ": " << verdict.message;
      }
  }
}

/// A path of `length` vertices, and `apart` vertices of which every other one has an arc to the path.
TestGraph path_and_more(VertexId length, VertexId apart) {
  TestGraph test{.name = "path-and-more", .num_vertices = length + apart, .edges = {}, .directed = true};
  for (VertexId v = 0; v + 1 < length; ++v) test.edges.push_back({v, v + 1});
  for (VertexId k = 0; k < apart; k += 2) test.edges.push_back({length + k, k % length});
  return test;
}

/// Levels are kept in bytes, and written out every 255 levels; what is never reached must not look like a level then.
TEST(EngineCorners, DeepSearchesBesideWhatIsNotReached) {
  for (const VertexId length : {255, 256, 257, 515})
    for (const Parameters& way :
         {Parameters{{"grid", 2}}, Parameters{{"grid", 1}, {"single_block", 0}, {"pull", never}, {"unqueued", never}}}) {
      expect_right(path_and_more(length, 7), way, {3});
      if (::testing::Test::HasFatalFailure()) return;
    }
}

/// The source has arcs to all vertices but those whose place in their word is one of `left`; these come from their neighbours.
TestGraph all_but(VertexId n, VertexId source, const std::vector<VertexId>& left) {
  TestGraph test{.name = "all-but", .num_vertices = n, .edges = {}, .directed = false};
  const auto is_left = [&](VertexId v) { return std::find(left.begin(), left.end(), v % 32) != left.end(); };
  for (VertexId v = 0; v < n; ++v) {
    if (v == source) continue;
    if (!is_left(v)) {
      test.edges.push_back({source, v});
      continue;
    }
    for (VertexId u = v + 1; u < v + 32; ++u)
      if (u < n && u != source && !is_left(u)) {
        test.edges.push_back({u, v});
        break;
      }
  }
  return test;
}

TEST(EngineCorners, PullsOfWordsWithFewVerticesLeft) {
  for (const VertexId n : {1024, 1056, 2048, 3000})
    for (const std::vector<VertexId>& left : {std::vector<VertexId>{0}, std::vector<VertexId>{1}, std::vector<VertexId>{31},
                                              std::vector<VertexId>{0, 31}, std::vector<VertexId>{3, 4, 5, 6, 7, 8, 9, 10},
                                              std::vector<VertexId>{0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24}}) {
      expect_right(all_but(n, 33 + 16, left), {{"grid", 1}, {"pull", 0}, {"push", 0}, {"single_block", 0}, {"tail", 0}}, {49});
      if (::testing::Test::HasFatalFailure()) return;
    }
}

}  // namespace
}  // namespace hopwave::testing
