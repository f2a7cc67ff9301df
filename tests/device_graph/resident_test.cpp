// Graphs in device memory: the rows are those of build_graph whatever the options and the parts, R-MAT's edges those of
// generate(), searches find the oracle's distances, and the check on the device refuses every kind of wrong answer.
#include <gtest/gtest.h>

#include <functional>

#include "device_graph/resident_state.h"
#include "hopwave/hopwave.h"
#include "support/error_id.h"

namespace hopwave {
namespace of_resident_test {

using testing::id_of;

void expect_same(const Adjacency& a, const Adjacency& b) {
  ASSERT_TRUE(std::equal(a.offsets.begin(), a.offsets.end(), b.offsets.begin(), b.offsets.end()));
  ASSERT_TRUE(std::equal(a.neighbors.begin(), a.neighbors.end(), b.neighbors.begin(), b.neighbors.end()));
}

void expect_same(const Graph& a, const Graph& b) {
  ASSERT_EQ(a.num_vertices(), b.num_vertices());
  ASSERT_EQ(a.directed(), b.directed());
  ASSERT_NO_FATAL_FAILURE(expect_same(a.out(), b.out()));
  ASSERT_EQ(a.has_in(), b.has_in());
  if (a.directed() && a.has_in()) {
    ASSERT_NO_FATAL_FAILURE(expect_same(a.in(), b.in()));
  }
  EXPECT_EQ(a.build_report().arcs_in, b.build_report().arcs_in);
  EXPECT_EQ(a.build_report().duplicates, b.build_report().duplicates);
  EXPECT_EQ(a.build_report().self_loops, b.build_report().self_loops);
}

EdgeList list_of(VertexId n, std::vector<Edge> edges, bool directed = true, bool both = false) {
  EdgeList list;
  list.num_vertices = n;
  list.edges = Array<Edge>::copy_of(edges);
  list.directed = directed;
  list.both_directions = both;
  list.ids = Ids::consecutive(n);
  return list;
}

/// Few vertices, so that duplicates, reverses and self-loops are met often; the last vertices stay alone.
EdgeList random_list(VertexId n, std::size_t count, std::uint64_t seed) {
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t r = splitmix64(seed * 1000 + i);
    edges.push_back({static_cast<VertexId>(r % (n - n / 8)), static_cast<VertexId>((r >> 32) % (n - n / 8))});
  }
  return list_of(n, edges);
}

TEST(BuildOnDevice, GivesTheGraphOfTheCpu) {
  std::vector<EdgeList> lists;
  for (const std::size_t count : {0, 1, 31, 32, 33, 511, 512, 513, 3000}) lists.push_back(random_list(40, count, count));
  lists.push_back(random_list(9000, 4000, 7));  // more slices than one vertex each
  lists.push_back(random_list(400, 900, 8));    // a duplicate now and then: no memory is given back for so few
  lists.push_back(list_of(0, {}));
  lists.push_back(list_of(1, {{0, 0}, {0, 0}}));
  lists.push_back(generate("star:300"));
  lists.push_back(generate("rmat:8,8"));
  for (const EdgeList& list : lists)
    for (int bits = 0; bits < 16; ++bits) {
      SCOPED_TRACE(std::to_string(list.edges.size()) + " edges, options " + std::to_string(bits));
      BuildOptions options{.make_undirected = (bits & 1) != 0,
                           .keep_duplicates = (bits & 2) != 0,
                           .keep_self_loops = (bits & 4) != 0,
                           .build_in = (bits & 8) != 0};
      const Graph cpu = build_graph(list, options);
      ASSERT_NO_FATAL_FAILURE(expect_same(cpu, build_graph(list, options, {.device = DeviceKind::sim})));
    }
}

TEST(BuildOnDevice, PartsMakeNoDifference) {
  const EdgeList list = generate("rmat:9,8");
  const Graph cpu = build_graph(list);
  device::Device device(*device::sim_api());
  const device::Buffer<std::uint64_t> edges(
      device, std::span(reinterpret_cast<const std::uint64_t*>(list.edges.data()), list.edges.size()));
  for (const std::uint64_t part : {1u, 100u, 1000u, 5000u, 1u << 20}) {
    resident::RowTally tally;
    const resident::Rows rows = resident::make_rows(device.api())(device,
                                                                  {.num_vertices = list.num_vertices,
                                                                   .edges = edges.data(),
                                                                   .num_edges = edges.size(),
                                                                   .mirror = true,
                                                                   .part_arcs = part},
                                                                  tally);
    ASSERT_EQ(rows.num_arcs, cpu.num_arcs());
    std::vector<VertexId> neighbors(rows.num_arcs);
    std::vector<std::uint32_t> offsets(list.num_vertices + 1ull);
    rows.neighbors.download(std::span(neighbors));
    rows.offsets32.download(std::span(offsets));
    EXPECT_TRUE(std::equal(neighbors.begin(), neighbors.end(), cpu.out().neighbors.begin()));
    EXPECT_TRUE(std::equal(offsets.begin(), offsets.end(), cpu.out().offsets.begin()));
    if (part == 1u << 20) {
      EXPECT_EQ(tally.parts, 1u);
    } else {
      EXPECT_GT(tally.parts, 1u);
    }
  }
}

TEST(BuildOnDevice, RefusesWhatTheCpuRefuses) {
  for (const auto device : {DeviceKind::cpu, DeviceKind::sim}) {
    const RunOptions run{.device = device};
    EXPECT_EQ(id_of([&] { (void)build_graph(list_of(4, {{0, 1}, {2, 4}}), {}, run); }), "HW-GRAPH-LIST");
    EXPECT_EQ(id_of([&] {
                (void)build_graph(list_of(4, {{0, 1}, {1, 0}, {2, 3}}, false, true), {}, run);
              }),
              "HW-GRAPH-SYMMETRY");
    EXPECT_EQ(id_of([&] { (void)build_graph(list_of(4, {{0, 1}, {1, 0}, {3, 3}}, false, true), {}, run); }), "none");
  }
  EdgeList weighted = list_of(3, {{0, 1}});
  weighted.weights = Array<float>::filled(1, 2);
  EXPECT_EQ(id_of([&] { (void)build_graph(weighted, {}, {.device = DeviceKind::sim}); }), "HW-BUILD-WEIGHTS");
  EXPECT_EQ(id_of([&] { (void)build_graph(weighted, {.keep_weights = false}, {.device = DeviceKind::sim}); }), "none");
}

TEST(ResidentEdges, RmatDrawsWhatTheGeneratorDraws) {
  for (const auto& [scale, factor, seed] : {std::tuple{1, 5, 1}, {7, 4, 3}, {10, 2, 1}, {16, 0, 2}, {31, 0, 1}}) {
    const std::string spec = "rmat:" + std::to_string(scale) + "," + std::to_string(factor) + "," + std::to_string(seed);
    const EdgeList drawn = ResidentEdges::rmat(scale, factor, seed, DeviceKind::sim).download(), expected = generate(spec);
    EXPECT_EQ(drawn.num_vertices, expected.num_vertices);
    EXPECT_EQ(drawn.directed, expected.directed);
    ASSERT_TRUE(std::equal(drawn.edges.begin(), drawn.edges.end(), expected.edges.begin(), expected.edges.end())) << spec;
  }
  EXPECT_EQ(id_of([] { (void)ResidentEdges::rmat(32, 1, 1, DeviceKind::sim); }), "HW-GEN-RANGE");
  EXPECT_EQ(id_of([] { (void)ResidentEdges::rmat(3, 1, 1, DeviceKind::cpu); }), "HW-DEVICE-NONE");
}

TEST(ResidentGraph, IsSearchedAndCheckedWhereItIs) {
  for (const bool directed : {false, true})
    for (const bool prepare : {false, true}) {
      EdgeList list = generate("rmat:7,6");
      list.directed = directed;
      const Graph cpu = build_graph(list, {.build_in = true});
      const ResidentGraph graph(ResidentEdges(list, DeviceKind::sim), {});
      ASSERT_NO_FATAL_FAILURE(expect_same(cpu, graph.download()));
      Searcher searcher(graph, {.prepare = prepare});
      EXPECT_EQ(searcher.device(), DeviceKind::sim);
      for (const VertexId source : {0u, 5u, 77u}) {
        EXPECT_EQ(graph.out_degree(source), cpu.out_degree(source));
        const Query query{.sources = {source}, .parents = true};
        const Result expected = search(cpu, query, {.strategy = "cpu-sequential"});
        const Result found = searcher.run(query);
        ASSERT_TRUE(std::equal(found.distance.begin(), found.distance.end(), expected.distance.begin()));
        EXPECT_TRUE(validate(cpu, query, found));
        const ResidentCheck check = graph.check(searcher, query);
        EXPECT_TRUE(check.verdict) << check.verdict.message;
        EXPECT_EQ(check.reached, expected.reached);
        EXPECT_EQ(check.depth, expected.depth);
        std::uint64_t arcs = 0, edges = 0;
        for (VertexId v = 0; v < cpu.num_vertices(); ++v) arcs += found.distance[v] >= 0 ? cpu.out_degree(v) : 0;
        for (const Edge& e : list.edges) edges += found.distance[e.source] >= 0;
        EXPECT_EQ(check.component_arcs, arcs);
        EXPECT_EQ(check.component_edges, edges);
      }
    }
}

TEST(ResidentGraph, RefusesWhatItCannotDo) {
  const ResidentGraph graph(ResidentEdges(generate("chain:5"), DeviceKind::sim), {}),
      other(ResidentEdges(generate("chain:5"), DeviceKind::sim), {});
  Searcher searcher(graph, {});
  searcher.traverse({.sources = {0}});
  EXPECT_TRUE(graph.check(searcher, {.sources = {0}}).verdict);
  const std::string id = "HW-RESIDENT-OPTIONS";
  EXPECT_EQ(id_of([&] { (void)other.check(searcher, {.sources = {0}}); }), id);
  EXPECT_EQ(id_of([&] { (void)graph.check(searcher, {.sources = {0}, .max_depth = 2}); }), id);
  EXPECT_EQ(id_of([&] { Searcher(graph, {.strategy = "pmpp-edge"}); }), id);
  EXPECT_EQ(id_of([&] { Searcher(graph, {.direction = Direction::in}); }), id);
  EXPECT_EQ(id_of([&] { searcher.run({.sources = {0}, .parents = true, .ties = Ties::min}); }), id);
  EXPECT_EQ(id_of([&] { searcher.run({.sources = {5}}); }), "HW-QUERY-SOURCE");
}

/// The rule that a changed answer breaks, by the device's check and by validate().
class WrongAnswers : public ::testing::Test {
 protected:
  void expect_rule(const std::string& rule, const std::function<void(Result&)>& spoil, bool parents = true) {
    const Query query{.sources = {0}, .parents = parents};
    Result result = search(graph_.download(), query, {.strategy = "cpu-sequential"});
    spoil(result);
    resident::State state;
    state.device = std::make_shared<device::Device>(*device::sim_api());
    const Graph host = graph_.download();
    std::vector<std::uint32_t> offsets(host.out().offsets.begin(), host.out().offsets.end());
    state.graph.num_vertices = host.num_vertices();
    state.graph.num_arcs = host.num_arcs();
    state.graph.offsets32 = device::Buffer<std::uint32_t>(*state.device, std::span<const std::uint32_t>(offsets));
    state.graph.neighbors = device::Buffer<VertexId>(*state.device, host.out().neighbors.span());
    const device::Buffer<Distance> distance(*state.device, std::span<const Distance>(result.distance.span()));
    const device::Buffer<VertexId> parent(*state.device, std::span<const VertexId>(result.parent.span()));
    const ResidentCheck check = state.check({distance.data(), parent.data()}, query);
    EXPECT_EQ(check.verdict.ok, rule.empty());
    EXPECT_EQ(check.verdict.rule, rule) << check.verdict.message;
    if (!rule.empty()) {
      EXPECT_EQ(validate(host, query, result).rule, rule);
    }
  }

  // 0 – 1 – 2 – 3 – 4, 0 – 2, and 5 – 6 apart.
  ResidentGraph graph_{ResidentEdges(list_of(7, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {0, 2}, {5, 6}}, false), DeviceKind::sim), {}};
};

TEST_F(WrongAnswers, EveryRuleIsBroken) {
  expect_rule("", [](Result&) {});
  expect_rule(
      "", [](Result&) {}, false);
  expect_rule("source-distance", [](Result& r) { r.distance[0] = 1; });
  expect_rule("source-distance", [](Result& r) { r.distance[3] = 0; });
  expect_rule("distance-range", [](Result& r) { r.distance[3] = 7; });
  expect_rule("distance-range", [](Result& r) { r.distance[5] = -2; });
  expect_rule("no-parent", [](Result& r) { r.parent[0] = 1; });
  expect_rule("no-parent", [](Result& r) { r.parent[5] = 1; });
  expect_rule("parent-range", [](Result& r) { r.parent[4] = 7; });
  expect_rule("parent-range", [](Result& r) { r.parent[4] = no_vertex; });
  expect_rule("tree-levels", [](Result& r) { r.parent[4] = 2; });
  expect_rule("spanning", [](Result& r) { r.distance[4] = unreached, r.parent[4] = no_vertex; });
  expect_rule("edge-levels", [](Result& r) {
    r.distance[2] = 3, r.parent[2] = 3;
    r.distance[3] = 2, r.parent[3] = 1;
  });
  expect_rule("tree-edge", [](Result& r) { r.parent[3] = 1; });
  expect_rule(
      "distance-witness", [](Result& r) { r.distance[5] = 1, r.distance[6] = 2; }, false);
  expect_rule(
      "distance-witness", [](Result& r) { r.distance[4] = 2; }, false);
}

}  // namespace of_resident_test
}  // namespace hopwave
