// Every width of the engine that the simulator can reach: a graph one below, at and one above it, searched by the traversal
// that has it, prepared and not. docs/fields.md names them; those too large for here run in scripts/gpu-check.
#include <gtest/gtest.h>

#include "hopwave/search.h"
#include "hopwave/validate.h"
#include "support/graphs.h"
#include "support/sanitized.h"

namespace hopwave::testing {
namespace of_bounds_test {

constexpr std::int64_t never = std::int64_t{1} << 62;

SearchOptions in_simulator(Parameters parameters, bool prepare, std::uint64_t seed = 1) {
  parameters.try_emplace("block", 32);
  parameters.try_emplace("grid", 2);
  SearchOptions options;
  options.run.device = DeviceKind::sim;
  options.parameters = std::move(parameters);
  options.prepare = prepare;
  options.run.simulator.seed = seed;
  return options;
}

Parameters wide(Parameters more) {
  more.insert({{"high_diameter", 0}, {"single_cluster", 0}, {"shared_memory", 0}});
  return more;
}
Parameters push_only(Parameters more = {}) {
  more.insert({{"pull", never}, {"unqueued", never}, {"push", never}, {"single_block", 0}});
  return wide(std::move(more));
}
Parameters pull_only(Parameters more = {}) {
  more.insert({{"pull", 0}, {"push", 0}, {"single_block", 0}});
  return wide(std::move(more));
}
Parameters small(Parameters more) {
  more.insert({{"high_diameter", 0}, {"single_cluster", 1}, {"shared_memory", 0}, {"cluster", 2}});
  return more;
}

class Bounds : public ::testing::TestWithParam<bool> {
 protected:
  /// From the first source with parents, from all others without.
  void check(const TestGraph& test, const Parameters& parameters, const std::vector<VertexId>& sources,
             const std::string& traversal = "") {
    const Graph graph = build(test, true, true);
    Searcher searcher(graph, in_simulator(parameters, GetParam()));
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const Query query{.sources = {sources[i]}, .parents = i == 0};
      const Result result = searcher.run(query);
      if (!traversal.empty()) {
        ASSERT_EQ(result.run.chosen.substr(0, traversal.size()), traversal);
      }
      ASSERT_EQ(distances_of(result), naive_bfs(test, query.sources)) << test << " from " << sources[i];
      expect_traversal_agrees(searcher, query, result);
      const Verdict verdict = query.parents ? validate(graph, query, result) : Verdict{};
      ASSERT_TRUE(!query.parents || verdict) << test << ": " << verdict.message;
    }
  }
  /// Passes of searches from vertices spread over the graph.
  void check_each(const TestGraph& test, std::size_t count, Parameters parameters) {
    parameters["ms_bfs"] = 1;
    const Graph graph = build(test, true, true);
    Searcher searcher(graph, in_simulator(parameters, GetParam()));
    std::vector<VertexId> sources;
    for (std::size_t i = 0; i < count; ++i) sources.push_back(static_cast<VertexId>(i * 7919 % test.num_vertices));
    const std::vector<Result> results = searcher.run_each(sources);
    for (std::size_t i = 0; i < count; ++i)
      ASSERT_EQ(distances_of(results[i]), naive_bfs(test, {sources[i]})) << test << ", search " << i << " of " << count;
  }
};

/// Vertex 0 has `leaves` leaves and a chain of `tail` vertices.
TestGraph hub_with_tail(VertexId leaves, VertexId tail) {
  TestGraph g{.name = "hub with tail", .num_vertices = 1 + leaves + tail, .directed = false};
  for (VertexId v = 1; v <= leaves; ++v) g.edges.push_back({0, v});
  for (VertexId v = leaves + 1; v < g.num_vertices; ++v) g.edges.push_back({v == leaves + 1 ? 0 : v - 1, v});
  return g;
}
/// Vertex 0 has `arms` chains of two vertices: levels of so many vertices, twice.
TestGraph spider(VertexId arms) {
  TestGraph g{.name = "spider", .num_vertices = 1 + 2 * arms, .directed = false};
  for (VertexId v = 1; v <= arms; ++v) {
    g.edges.push_back({0, v});
    g.edges.push_back({v, arms + v});
  }
  return g;
}
/// A ring of `n` vertices with a chord from each.
TestGraph woven(VertexId n) {
  TestGraph g{.name = "woven", .num_vertices = n, .directed = false};
  for (VertexId v = 0; v < n; ++v) {
    g.edges.push_back({v, (v + 1) % n});
    g.edges.push_back({v, static_cast<VertexId>((v * 7ull + 3) % n)});
  }
  return g;
}
/// A path through `n` vertices, with arcs between vertices of other distances, too: so many diagonals in all.
TestGraph with_diagonals(VertexId n, VertexId diagonals) {
  TestGraph g = chain(n, true);
  g.name = std::to_string(diagonals) + " diagonals";
  for (VertexId d = 2; d <= diagonals; ++d) g.edges.push_back({d % 3, d % 3 + 5 * d});
  return g;
}

TEST_P(Bounds, LevelsThatAByteHolds) {
  for (const VertexId levels : {253u, 254u, 255u, 508u, 509u})
    for (const std::int64_t single_block : {std::int64_t{0}, never})
      check(chain(levels + 1, false), wide({{"single_block", single_block}}), {0}, "grid-wide");
}

TEST_P(Bounds, LevelsThatOneBlockTakesAlone) {
  for (const std::int64_t stretch : {1, 2, 3})
    check(chain(40, false), wide({{"single_block", never}, {"stretch", stretch}}), {0, 7}, "grid-wide");
  // 12 bits once held their number, in a word that others shared.
  for (const VertexId tail : {4094u, 4095u, 4096u})
    check(hub_with_tail(40, tail), wide({{"single_block", 30}}), {1}, "grid-wide");
}

TEST_P(Bounds, EdgesOfALevelForOneBlock) {
  for (const VertexId leaves : {1278u, 1279u, 1280u, 1281u})
    check(hub_with_tail(leaves, 3), wide({{"fast", 0}, {"block", 512}, {"grid", 2}}), {1}, "grid-wide");
}

TEST_P(Bounds, SourcesThatEveryBlockExpands) {
  for (const VertexId degree : {63u, 64u, 65u}) check(star(degree + 1), wide({}), {0}, "grid-wide");
}

TEST_P(Bounds, StagesOfAWarpAndOfABlock) {
  for (const VertexId found : {127u, 128u, 129u, 256u, 257u, 8191u, 8192u, 8193u})
    check(star(found + 1), push_only({{"fast", 0}, {"grid", 1}}), {0, 1}, "grid-wide");
}

TEST_P(Bounds, WordsOfAPull) {
  // Words that a warp takes at once: 8 in single runs, up to 32 in runs of eight, then several batches.
  for (const VertexId n : {255u, 256u, 257u, 288u, 289u, 1023u, 1024u, 1025u, 1056u, 1057u})
    check(woven(n), pull_only({{"grid", 1}}), {n / 2}, "grid-wide");
}

TEST_P(Bounds, RowsOfAPull) {
  // A leaf finds the hub at the end of its row; from there all others, by one lane, a team, or a warp.
  for (const VertexId row : {4u, 5u, 12u, 13u, 16u, 17u, 23u, 24u, 25u, 511u, 512u, 513u, 527u, 528u, 529u, 700u})
    check(star(row + 1), pull_only({{"fast", 0}}), {row}, "grid-wide");  // "fast" finds the hub without a pull
}

TEST_P(Bounds, PullsThatKeepBitmaps) {
  // With and without a tail: the last pass writes what the pulls kept, while one block may still find vertices.
  for (const VertexId pulls : {3u, 4u, 5u, 6u})
    for (const std::int64_t tail : {std::int64_t{0}, std::int64_t{1024}})
      for (const TestGraph& test : {chain(pulls + 1, false), hub_with_tail(300, pulls)})
        check(test, pull_only({{"tail", tail}}), {0, 1, test.num_vertices - 1}, "grid-wide");
}

TEST_P(Bounds, VerticesThatAPullLeaves) {
  for (const VertexId left : {30u, 31u, 32u, 33u, 34u, 63u, 64u, 65u})
    check(hub_with_tail(70, left), pull_only({{"tail", never}}), {1}, "grid-wide");
  for (const VertexId left : {1023u, 1024u, 1025u})
    check(spider(left), pull_only({{"block", 512}, {"grid", 2}}), {0}, "grid-wide");
}

TEST_P(Bounds, FrontiersThatEveryBlockTakesForItself) {
  for (const VertexId arms : {511u, 512u, 513u})
    check(spider(arms), small({{"block", 768}, {"single_block", never}}), {0, 1}, "single-cluster");
}

TEST_P(Bounds, RowsOfASmallPull) {
  for (const VertexId row : {8u, 9u, 159u, 160u, 161u, 168u, 169u})
    check(star(row + 1), small({{"pull", 0}, {"push", 0}, {"single_block", 0}}), {row}, "single-cluster");
}

/// More rows of over 40 quads in one block than it lists for all of its warps.
TEST_P(Bounds, HugeRowsOfABlock) {
  TestGraph g{.name = "band", .num_vertices = 1300, .directed = false};
  for (VertexId v = 0; v < g.num_vertices; ++v)
    for (VertexId w = v + 1; w <= v + 90 && w < g.num_vertices; ++w) g.edges.push_back({v, w});
  check(g, small({{"pull", 0}, {"push", 0}, {"single_block", 0}}), {0, 650, 1299}, "single-cluster");
}

TEST_P(Bounds, VerticesThatABlockOfTheClusterOwns) {
  for (const VertexId n : {127u, 128u, 129u, 255u, 256u, 257u, 511u, 512u, 513u})
    check(woven(n), small({}), {n / 3}, "single-cluster");
}

TEST_P(Bounds, NeighborhoodsOfSeveralHops) {
  for (const VertexId reachable : {9u, 10u, 17u, 18u, 127u, 128u, 129u})
    check(star(reachable), {{"high_diameter", 1}, {"shared_memory", 0}, {"hops", 2}, {"grid", 2}}, {0, 1}, "high-diameter");
}

TEST_P(Bounds, RowsThatWarpsRunAheadThrough) {
  for (const VertexId row : {3u, 4u, 5u, 7u, 8u, 40u})
    check(hub_with_tail(row, 30), {{"high_diameter", 1}, {"shared_memory", 0}, {"async", 4}}, {1, row + 20}, "high-diameter");
}

TEST_P(Bounds, PackedRowsOfOneBlock) {
  // Beyond 65,535 arcs rows begin at places of 32 bits.
  for (const std::size_t arcs : {65'534u, 65'535u, 65'536u}) {
    TestGraph g{.name = "packed", .num_vertices = 400, .directed = true};
    for (std::size_t e = 0; e < arcs; ++e)
      g.edges.push_back({static_cast<VertexId>(e / 200), static_cast<VertexId>(e * 3 % 400)});
    check(g, {{"shared_memory", 2}, {"block", 256}}, {0}, "shared-memory");
  }
}

TEST_P(Bounds, Diagonals) {
  for (const VertexId diagonals : {15u, 16u})
    check(with_diagonals(200, diagonals), {{"shared_memory", 3}}, {0}, "shared-memory");
  for (const VertexId diagonals : {17u}) check(with_diagonals(200, diagonals), {{"shared_memory", 3}}, {0});
  for (const VertexId levels : {7u, 8u, 9u, 255u, 256u, 257u})
    check(chain(levels + 1, false), {{"shared_memory", 3}}, {0}, "shared-memory");
  for (const VertexId n : {1023u, 1024u, 1025u}) check(chain(n, false), {{"shared_memory", 3}}, {n / 2}, "shared-memory");
}

TEST_P(Bounds, SearchesOfAPass) {
  for (const std::size_t count : {1u, 2u, 31u, 32u, 33u, 63u, 64u, 65u}) check_each(random_graph(5, 90), count, {});
}

TEST_P(Bounds, DigitsOfAPass) {
  for (const VertexId levels : {6u, 7u, 8u, 126u, 127u, 128u, 254u, 255u, 256u}) check_each(chain(levels + 1, false), 3, {});
}

TEST_P(Bounds, RowsOfAPass) {
  for (const VertexId row : {6u, 7u, 48u, 49u, 1023u, 1024u, 1025u, 2049u})
    for (const Parameters& way : {Parameters{{"pull", 0}, {"push", 0}}, Parameters{{"pull", never}, {"unqueued", 0}}})
      check_each(star(row + 1), 5, way);
}

TEST_P(Bounds, RecordsOfATrace) {
  for (const VertexId levels : {65'535u, 65'536u, 65'537u}) {
    if (!tried(levels - 65'535u)) continue;
    const Graph graph = build(chain(levels + 1, false));
    SearchOptions options = in_simulator(wide({{"single_block", never}, {"grid", 1}}), GetParam());
    options.trace = true;
    expect_agrees(Searcher(graph, options).run({.sources = {0}}), true);
    ASSERT_FALSE(HasFatalFailure()) << levels;
  }
}

INSTANTIATE_TEST_SUITE_P(Prepared, Bounds, ::testing::Values(false, true),
                         [](const auto& param) { return param.param ? "prepared" : "unprepared"; });

/// Rows that preparation moves in pieces.
TEST(BoundsOfPreparation, PiecesOfLongRows) {
  for (const VertexId row : {255u, 256u, 257u, 511u, 512u, 513u, 4095u, 4096u, 4097u, 8191u, 8192u, 8193u}) {
    const TestGraph test = star(row + 1);
    const Graph graph = build(test, true, true);
    const Result result = Searcher(graph, in_simulator(push_only({{"fast", 0}}), true)).run({.sources = {row}});
    ASSERT_EQ(distances_of(result), naive_bfs(test, {row})) << row;
  }
}

}  // namespace of_bounds_test
}  // namespace hopwave::testing
