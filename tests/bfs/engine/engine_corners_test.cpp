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
namespace of_engine_corners_test {

constexpr std::int64_t never = std::int64_t{1} << 62;

void expect_right(const TestGraph& test, Parameters parameters, const std::vector<VertexId>& sources) {
  parameters.insert({{"block", 32}, {"high_diameter", 0}, {"single_cluster", 0}, {"shared_memory", 0}});
  const Graph graph = build(test, true, true);
  for (const bool prepare : {false, true}) {
    Searcher searcher(graph, {.parameters = parameters, .prepare = prepare, .run = {.device = DeviceKind::sim}});
    for (const VertexId source : sources)
      for (int again = 0; again < 2; ++again) {  // the second search finds what the first one left
        const Query query{.sources = {source}, .parents = true};
        const Result result = searcher.run(query);
        ASSERT_EQ(distances_of(result), naive_bfs(test, query.sources)) << test << " from " << source << result.run.chosen;
        ASSERT_TRUE(result.run.chosen.starts_with("grid-wide")) << result.run.chosen;
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

/// Sources by the thousand are shared among threads: the last one counts, too.
TEST(EngineCorners, SourcesOfEveryNumber) {
  const TestGraph test = chain(400, false);
  const Graph graph = build(test, true, true);
  for (const std::int64_t blocks : {1, 2})
    for (const bool prepare : {false, true}) {
      Searcher searcher(
          graph,
          {.parameters = {{"block", 32}, {"grid", blocks}, {"high_diameter", 0}, {"single_cluster", 0}, {"shared_memory", 0}},
           .prepare = prepare,
           .run = {.device = DeviceKind::sim}});
      for (const VertexId count : {2, 31, 32, 33, 34, 63, 64, 65, 66, 97}) {
        std::vector<VertexId> sources;
        for (VertexId k = 0; k < count; ++k) sources.push_back(4 * k);
        ASSERT_EQ(distances_of(searcher.run({.sources = sources})), naive_bfs(test, sources)) << count << " sources";
      }
    }
}

/// A tree of `n` vertices with three to nine children each, as wide as it is deep.
TestGraph bushy_tree(VertexId n) {
  TestGraph test{.name = "bushy-tree", .num_vertices = n, .edges = {}, .directed = false};
  VertexId next = 1;
  for (VertexId v = 0; next < n; ++v)
    for (VertexId k = 0; k < 3 + v * 5 % 7 && next < n; ++k) test.edges.push_back({v, next++});
  return test;
}

/// One warp finds more vertices than its buffer holds, and flushes it in the middle of a step: what it puts there next takes
/// the place of what has just been written to the queue.
TEST(EngineCorners, BuffersOfAWarpAreFlushedAndFilledAgain) {
  expect_right(bushy_tree(3000), {{"grid", 1}, {"single_block", 0}, {"pull", never}, {"unqueued", never}}, {0, 2999});
}

/// In a push without a queue many threads find the same vertex, and all write its level and a parent. That they may,
/// ThreadSanitizer judges.
TEST(EngineCorners, UnqueuedPushesFindTheSameVertex) {
  const TestGraph test = contended(200);
  const Graph graph = build(test, true, true);
  std::vector<VertexId> sources(200);
  for (VertexId v = 0; v < 200; ++v) sources[v] = v;
  for (const bool prepare : {false, true}) {
    Searcher searcher(graph, {.parameters = {{"block", 32},
                                             {"grid", 2},
                                             {"high_diameter", 0},
                                             {"single_cluster", 0},
                                             {"shared_memory", 0},
                                             {"pull", never},
                                             {"unqueued", 0},
                                             {"single_block", 0}},
                              .prepare = prepare,
                              .trace = true,
                              .run = {.device = DeviceKind::sim}});
    const Query query{.sources = sources, .parents = true};
    const Result result = searcher.run(query);
    ASSERT_EQ(distances_of(result), naive_bfs(test, sources));
    ASSERT_GT(result.run.trace.size(), 1u);
    EXPECT_STREQ(result.run.trace[1].direction, "pull") << "the push before made no queue";
    const Verdict verdict = validate(graph, query, result);
    EXPECT_TRUE(verdict) << verdict.message;
  }
}

/// The source has `width` neighbours, and each of these one of its own.
TestGraph two_levels(VertexId width) {
  TestGraph test{.name = "two-levels", .num_vertices = 1 + 2 * width, .edges = {}, .directed = true};
  for (VertexId k = 0; k < width; ++k) {
    test.edges.push_back({0, 1 + k});
    test.edges.push_back({1 + k, 1 + width + k});
  }
  return test;
}

TEST(EngineCorners, LevelsOfOneBlockOfEveryWidth) {
  for (const VertexId width : {1, 31, 32, 33, 63, 64, 65, 96, 128})
    for (const Parameters& way :
         {Parameters{{"grid", 1}, {"single_block", never}, {"fast", 0}, {"pull", never}, {"unqueued", never}},
          Parameters{{"grid", 2}, {"single_block", never}}}) {
      expect_right(two_levels(width), way, {0});
      if (::testing::Test::HasFatalFailure()) return;
    }
}

/// A clique at the end of a path: its rows are long, and nothing is found in them until the path has been walked.
TEST(EngineCorners, LongRowsInWhichNothingIsFound) {
  for (const VertexId clique : {20, 33, 70}) {
    TestGraph test{.name = "clique-and-path", .num_vertices = clique + 5, .edges = {}, .directed = false};
    for (VertexId v = 0; v < clique; ++v)
      for (VertexId u = v + 1; u < clique; ++u) test.edges.push_back({v, u});
    for (VertexId k = 0; k < 5; ++k) test.edges.push_back({k ? clique + k - 1 : 0, clique + k});
    const Graph graph = build(test, true, true);
    for (const bool prepare : {false, true})
      for (const Parameters& way :
           {Parameters{{"single_cluster", 1}, {"cluster", 2}, {"pull", 0}, {"push", 0}, {"single_block", 0}},
            Parameters{{"single_cluster", 1}, {"cluster", 4}, {"pull", 0}, {"push", 0}, {"single_block", 0}},
            Parameters{{"single_cluster", 0},
                       {"shared_memory", 0},
                       {"grid", 2},
                       {"pull", 0},
                       {"push", 0},
                       {"single_block", 0},
                       {"tail", 0}}}) {
        Parameters parameters = way;
        parameters.insert({{"block", 64}, {"high_diameter", 0}});
        Searcher searcher(graph, {.parameters = parameters, .prepare = prepare, .run = {.device = DeviceKind::sim}});
        for (const VertexId source : {clique + 4, clique + 1, VertexId{3}})
          ASSERT_EQ(distances_of(searcher.run({.sources = {source}})), naive_bfs(test, {source})) << test << " from " << source;
      }
  }
}

/// A prepared graph knows how many vertices its largest component has; a search that ends early has not found them all.
TEST(EngineCorners, PreparedSearchesThatEndEarly) {
  for (const TestGraph& test : {grid(9, 11), random_graph(8, 150), random_graph(31, 150)}) {
    const Graph graph = build(test, true, true);
    for (const Parameters& way :
         {Parameters{}, Parameters{{"pull", 0}, {"push", 0}, {"tail", 0}}, Parameters{{"single_block", 0}}}) {
      Parameters parameters = way;
      parameters.insert({{"block", 32}, {"grid", 2}, {"high_diameter", 0}, {"single_cluster", 0}, {"shared_memory", 0}});
      Searcher searcher(graph, {.parameters = parameters, .prepare = true, .run = {.device = DeviceKind::sim}});
      for (const VertexId source : {VertexId{0}, test.num_vertices / 2})
        for (const Distance depth : {-1, 0, 1, 2, 3, 4, -1}) {
          const Result result = searcher.run({.sources = {source}, .max_depth = depth});
          ASSERT_EQ(distances_of(result), trimmed(naive_bfs(test, {source}), depth, no_vertex))
              << test << " from " << source << ", at most " << depth;
        }
    }
  }
}

/// Rows of every length, three of each: nothing in the first is reached, only the first neighbour of the second, which stands
/// right behind it, and only the last one of the third.
TestGraph rows_of_every_length() {
  constexpr VertexId high = 600, dead = 1, first_row = 201;
  TestGraph test{.name = "rows-of-every-length", .num_vertices = high + 1, .edges = {}, .directed = true};
  for (VertexId v = first_row; v < high; ++v) {
    const VertexId kind = (v - first_row) % 3, length = 1 + (v - first_row) / 3;
    if (kind == 1) test.edges.push_back({0, v});
    for (VertexId k = 0; k < length; ++k) test.edges.push_back({dead + k, v});
    if (kind == 2) test.edges.push_back({high, v});
  }
  return test;
}

TEST(EngineCorners, RowsOfEveryLengthAreReadToTheirEnds) {
  const TestGraph test = rows_of_every_length();
  const Graph graph = build(test, true, true);
  for (const bool prepare : {false, true})
    for (const Parameters& way :
         {Parameters{{"single_cluster", 0}, {"grid", 2}, {"tail", 0}}, Parameters{{"single_cluster", 1}, {"cluster", 4}},
          Parameters{{"single_cluster", 0}, {"grid", 2}, {"tail", 0}, {"wide_offsets", 1}}}) {
      Parameters parameters = way;
      parameters.insert({{"block", 64},
                         {"high_diameter", 0},
                         {"shared_memory", 0},
                         {"pull", 0},
                         {"push", 0},
                         {"single_block", 0},
                         {"ms_bfs", 1}});
      Searcher searcher(graph, {.parameters = parameters, .prepare = prepare, .run = {.device = DeviceKind::sim}});
      const std::vector<VertexId> sources = {0, 600, 1, 133, 400};
      for (const VertexId source : sources)
        ASSERT_EQ(distances_of(searcher.run({.sources = {source}})), naive_bfs(test, {source})) << source;
      const std::vector<Result> each = searcher.run_each(sources);
      for (std::size_t i = 0; i < sources.size(); ++i)
        ASSERT_EQ(distances_of(each[i]), naive_bfs(test, {sources[i]})) << sources[i];
    }
}

/// When a graph is prepared, its vertices are counted in pieces; the last one may have a single vertex.
TEST(EngineCorners, PreparedGraphsOfSizesAroundTheirPieces) {
  for (const VertexId n : {1024, 1025, 2048, 2049, 4096, 4097}) {
    const TestGraph test = binary_tree(n);
    const Graph graph = build(test, true, true);
    Searcher searcher(graph, {.parameters = {{"high_diameter", 0}, {"single_cluster", 0}, {"shared_memory", 0}, {"grid", 2}},
                              .prepare = true,
                              .run = {.device = DeviceKind::sim}});
    for (const VertexId source : {n - 1, VertexId{0}})
      ASSERT_EQ(distances_of(searcher.run({.sources = {source}})), naive_bfs(test, {source})) << n << " from " << source;
  }
}

TEST(Parameters, TakeTheirStandardAndLowestValues) {
  const Graph graph = build(textbook_graph(), true, true);
  for (const StrategyInfo& info : strategies()) {
    for (const ParameterInfo& p : info.parameters) {
      EXPECT_LE(p.lowest, p.standard) << info.name << " " << p.name;
      EXPECT_LE(p.standard, p.highest) << info.name << " " << p.name;
      const Searcher searcher(graph, {.strategy = std::string(info.name),
                                      .parameters = {{std::string(p.name), p.standard}},
                                      .run = {.device = info.device == "cpu" ? DeviceKind::cpu : DeviceKind::sim}});
    }
    if (info.name != "auto") continue;
    // -1 stands for what the graph lets choose, and is what stands there if nothing is said.
    for (const ParameterInfo& p : info.parameters) {
      if (p.help.find("-1:") == std::string_view::npos) continue;
      EXPECT_EQ(p.lowest, -1) << p.name;
      EXPECT_EQ(p.standard, -1) << p.name;
    }
  }
}

}  // namespace of_engine_corners_test
}  // namespace hopwave::testing
