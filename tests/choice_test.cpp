// Which traversal `auto` chooses for a graph that several could take, before and after its searches have shown their levels.
#include <gtest/gtest.h>

#include "hopwave/search.h"
#include "hopwave/validate.h"
#include "support/graphs.h"

namespace hopwave::testing {
namespace {

/// Each vertex joined to `chords` others anywhere: few levels.
TestGraph scattered(VertexId n, std::uint64_t chords) {
  TestGraph g{.name = "scattered", .num_vertices = n, .directed = false};
  for (std::uint64_t v = 0; v < n; ++v)
    for (std::uint64_t k = 0; k < chords; ++k)
      g.edges.push_back({static_cast<VertexId>(v), static_cast<VertexId>((v * (7919 + 2 * k) + 13 * k + 1) % n)});
  return g;
}

/// Each vertex joined to the next `width`: many levels of few arcs.
TestGraph band(VertexId n, VertexId width) {
  TestGraph g{.name = "band", .num_vertices = n, .directed = false};
  for (VertexId v = 0; v < n; ++v)
    for (VertexId w = v + 1; w <= v + width && w < n; ++w) g.edges.push_back({v, w});
  return g;
}

/// What two searches in a row are done by.
std::vector<std::string> chosen(const TestGraph& test, Parameters parameters, bool prepare) {
  const Graph graph = build(test, true, true);
  SearchOptions options;
  options.device = DeviceKind::sim;
  options.prepare = prepare;
  options.parameters = std::move(parameters);
  options.parameters.try_emplace("block", 64);
  options.parameters.try_emplace("owners", 2);
  options.parameters.try_emplace("grid", 2);
  Searcher searcher(graph, options);
  std::vector<std::string> names;
  for (const VertexId source : {VertexId{1}, test.num_vertices / 2}) {
    const Query query{.sources = {source}, .parents = true};
    const Result result = searcher.run(query);
    EXPECT_EQ(distances_of(result), naive_bfs(test, query.sources)) << test << " from " << source;
    const Verdict verdict = validate(graph, query, result);
    EXPECT_TRUE(verdict) << verdict.message;
    names.push_back(result.stats.chosen.substr(0, result.stats.chosen.find(':')));
  }
  return names;
}

using Names = std::vector<std::string>;

TEST(Choice, OneBlockOrTheClusterByArcsALevel) {
  EXPECT_EQ(chosen(scattered(3000, 3), {}, false), (Names{"shared", "small"}));  // six arcs a vertex: seen by a search
  EXPECT_EQ(chosen(scattered(3000, 3), {}, true), (Names{"small", "small"}));
  EXPECT_EQ(chosen(scattered(1200, 8), {}, false), (Names{"small", "small"}));  // sixteen: likely before
  EXPECT_EQ(chosen(scattered(1200, 8), {}, true), (Names{"small", "small"}));
  EXPECT_EQ(chosen(band(700, 14), {}, false), (Names{"small", "shared"}));  // likely, but not so
  EXPECT_EQ(chosen(band(700, 14), {}, true), (Names{"shared", "shared"}));
  EXPECT_EQ(chosen(scattered(900, 3), {}, false), (Names{"shared", "shared"}));  // too few arcs to matter
  EXPECT_EQ(chosen(scattered(900, 3), {}, true), (Names{"shared", "shared"}));
}

TEST(Choice, TheCallersWordCounts) {
  EXPECT_EQ(chosen(scattered(3000, 3), {{"shared", 1}}, false), (Names{"shared", "shared"}));
  EXPECT_EQ(chosen(scattered(3000, 3), {{"small", 0}}, false), (Names{"shared", "shared"}));
  EXPECT_EQ(chosen(scattered(3000, 3), {{"small", 0}}, true), (Names{"shared", "shared"}));
}

TEST(Choice, FewLevelsAreNotNarrow) {
  EXPECT_EQ(chosen(scattered(3000, 3), {{"shared", 0}}, false), (Names{"narrow", "small"}));
  EXPECT_EQ(chosen(scattered(3000, 3), {{"shared", 0}}, true), (Names{"small", "small"}));
  EXPECT_EQ(chosen(scattered(3000, 3), {{"shared", 0}, {"small", 0}}, false), (Names{"narrow", "wide"}));
  EXPECT_EQ(chosen(band(700, 7), {{"shared", 0}}, false), (Names{"small", "narrow"}));
}

}  // namespace
}  // namespace hopwave::testing
