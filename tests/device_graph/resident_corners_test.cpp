// Corners of what devices do with graphs in their memory: offsets of 64 bits, graphs without arcs, long lists of edges that are
// no edges, numbers of paths far beyond a double, calls that end before they begin.
#include <gtest/gtest.h>

#include <cmath>

#include "algorithm/betweenness/gpu.h"
#include "algorithm/strong/gpu.h"
#include "device_graph/resident_state.h"
#include "hopwave/betweenness.h"
#include "hopwave/hopwave.h"
#include "support/error_id.h"
#include "support/graphs.h"

namespace hopwave::testing {
namespace of_resident_corners_test {

/// A graph in the simulator's memory, with offsets of 32 and of 64 bits.
struct OnDevice {
  explicit OnDevice(const TestGraph& test)
      : host(build(test, true)),
        wide_offsets(device, std::span<const EdgeIndex>(host.out().offsets.span())),
        neighbors(device, std::span<const VertexId>(host.out().neighbors.span())) {
    const std::vector<std::uint32_t> narrow(host.out().offsets.begin(), host.out().offsets.end());
    offsets = device::Buffer<std::uint32_t>(device, std::span<const std::uint32_t>(narrow));
  }
  [[nodiscard]] resident::RowsOnDevice rows(bool wide) const {
    return {.num_vertices = host.num_vertices(),
            .num_arcs = host.num_arcs(),
            .offsets32 = wide ? nullptr : offsets.data(),
            .offsets64 = wide ? wide_offsets.data() : nullptr,
            .neighbors = neighbors.data()};
  }

  device::Device device{*device::sim_api()};
  Graph host;
  device::Buffer<std::uint64_t> wide_offsets;
  device::Buffer<VertexId> neighbors;
  device::Buffer<std::uint32_t> offsets;
};

TEST(ResidentCorners, ComponentsByOffsetsOfBothWidths) {
  TestGraph parts = grid(20, 9);
  parts.num_vertices += 30;
  for (VertexId v = 185; v + 1 < 200; v += 2) parts.edges.push_back({v, v + 1});
  for (const bool wide : {false, true}) {
    OnDevice graph(parts);
    const VertexId n = graph.host.num_vertices();
    const device::Buffer<VertexId> label(graph.device, n);
    resident::label_components(graph.device.api())(graph.device, graph.rows(wide), true, label.data());
    std::vector<VertexId> found(n);
    label.download(std::span(found));
    for (VertexId v = 0; v < n; ++v) {
      const VertexId right = v < 180 ? 0 : v >= 185 && v < 199 ? v - (v - 185) % 2 : v;
      ASSERT_EQ(found[v], right) << v;
    }
    VertexId untouched = 77;
    resident::label_components(graph.device.api())(graph.device, {}, true, &untouched);
    EXPECT_EQ(untouched, 77u) << "a graph without vertices";
  }
}

TEST(ResidentCorners, StrongComponentsByOffsetsOfBothWidths) {
  for (const bool wide : {false, true}) {
    OnDevice graph(chain(40, false));  // undirected, so its rows are its incoming arcs as well
    const VertexId n = graph.host.num_vertices();
    const device::Buffer<VertexId> label(graph.device, n);
    resident::StrongRequest request{
        .out = graph.rows(wide), .in = graph.rows(wide), .label = label.data(), .go_on = [](std::uint64_t, std::uint64_t) {
          return true;
        }};
    EXPECT_TRUE(resident::label_strong(graph.device.api())(graph.device, request).complete);
    std::vector<VertexId> found(n);
    label.download(std::span(found));
    EXPECT_EQ(found, std::vector<VertexId>(n, 0));
    request.out = request.in = {};
    EXPECT_TRUE(resident::label_strong(graph.device.api())(graph.device, request).complete) << "a graph without vertices";
  }
}

TEST(ResidentCorners, BetweennessByOffsetsOfBothWidths) {
  const TestGraph test = grid(7, 6);
  const std::vector<VertexId> sources = {0, 3, 41, 20};
  const Betweenness right = betweenness(build(test), {.sources = sources});
  for (const bool wide : {false, true})
    for (const bool goes_on : {true, false}) {
      OnDevice graph(test);
      device::Buffer<double> sums(graph.device, graph.host.num_vertices());
      sums.fill_bytes(0);
      const resident::BetweennessTally tally =
          resident::betweenness(graph.device.api())(graph.device, {.out = graph.rows(wide),
                                                                   .in = graph.rows(wide),
                                                                   .sources = sources,
                                                                   .vertex = sums.data(),
                                                                   .go_on = [&](std::uint64_t) { return goes_on; }});
      EXPECT_EQ(tally.searched, goes_on ? sources.size() : 0);
      EXPECT_EQ(tally.max_paths, goes_on ? right.max_paths : 0);
      std::vector<double> found(graph.host.num_vertices());
      sums.download(std::span(found));
      for (VertexId v = 0; v < found.size(); ++v)
        ASSERT_NEAR(found[v], goes_on ? right.vertex[v] : 0, 1e-9 * (1 + right.vertex[v])) << v;
    }
}

/// Layers of eight vertices, each joined to all of the next: 8^stages paths to a vertex, and one path of as many arcs beside
/// them, which counts for nothing where both meet.
TEST(ResidentCorners, OnePathBesideMoreThanManyDoublesHold) {
  constexpr VertexId wide = 8, stages = 900, end = 1 + wide * stages, beside = end + 1;
  TestGraph test{.name = "layers", .num_vertices = beside + stages, .directed = true};
  for (VertexId k = 0; k < wide; ++k) test.edges.push_back({0, 1 + k});
  for (VertexId v = 1; v + wide < end; ++v)
    for (VertexId k = 0; k < wide; ++k) test.edges.push_back({v, 1 + wide * ((v - 1) / wide + 1) + k});
  for (VertexId v = end - wide; v < end; ++v) test.edges.push_back({v, end});
  for (VertexId k = 0; k < stages; ++k) test.edges.push_back({k ? beside + k - 1 : 0, beside + k});
  test.edges.push_back({beside + stages - 1, end});
  const Betweenness found = betweenness(build(test), {.sources = {0}, .run = {.device = DeviceKind::sim}});
  EXPECT_TRUE(std::isinf(found.max_paths));
  for (VertexId v = 1; v < end; ++v) {  // an eighth of the paths to each vertex behind the layer
    const double behind = static_cast<double>(stages - 1 - (v - 1) / wide);
    ASSERT_NEAR(found.vertex[v], behind + 1.0 / wide, 1e-9 * stages) << v;
  }
  for (VertexId k = 0; k < stages; ++k) ASSERT_NEAR(found.vertex[beside + k], stages - 1 - k, 1e-9 * stages) << k;
}

/// So many edges that threads look at several.
TEST(ResidentCorners, EdgesWithoutTheirVertices) {
  EdgeList list{.num_vertices = 4, .directed = true, .ids = Ids::consecutive(4)};
  std::vector<Edge> edges(1024 * 256 + 8, Edge{0, 1});
  for (const bool sources : {true, false}) {
    edges[3] = edges[1024 * 256 + 3] = sources ? Edge{4, 0} : Edge{0, 4};
    list.edges = Array<Edge>::copy_of(edges);
    EXPECT_EQ(id_of([&] { (void)build_graph(list, {}, {.device = DeviceKind::sim}); }), "HW-GRAPH-LIST");
  }
}

/// The check of an answer: without arcs, with more arcs than a warp takes at once, with offsets of 64 bits.
TEST(ResidentCorners, ChecksOfEverySize) {
  for (const TestGraph& test : {TestGraph{.name = "no arcs", .num_vertices = 5}, random_graph(9, 400), star(1500)})
    for (const bool wide : {false, true})
      for (const bool spoilt : {false, true}) {
        const Graph host = build(test);
        const Query query{.sources = {0}, .parents = true};
        Result result = search(host, query, {.strategy = "cpu-sequential"});
        if (spoilt) result.distance[1] = result.distance[1] == 1 ? 3 : 1;
        OnDevice graph(test);
        resident::State state;
        state.device = std::make_shared<device::Device>(*device::sim_api());
        state.graph.num_vertices = host.num_vertices();
        state.graph.num_arcs = host.num_arcs();
        state.graph.wide = wide;
        state.graph.offsets32 = std::move(graph.offsets);
        state.graph.offsets64 = std::move(graph.wide_offsets);
        state.graph.neighbors = std::move(graph.neighbors);
        const device::Buffer<Distance> distance(*state.device, std::span<const Distance>(result.distance.span()));
        const device::Buffer<VertexId> parent(*state.device, std::span<const VertexId>(result.parent.span()));
        const ResidentCheck check = state.check({distance.data(), parent.data()}, query);
        EXPECT_EQ(check.verdict.ok, !spoilt) << test << check.verdict.message;
        state.graph = {};
      }
}

/// Rows that a search must not follow, and answers of no vertices.
TEST(ResidentCorners, RowsOutOfOrderAndEmptyAnswers) {
  device::Device device(*device::sim_api());
  const auto first_bad = [&](const std::vector<std::uint32_t>& offsets, const std::vector<VertexId>& neighbors,
                             EdgeIndex arcs) {
    const device::Buffer<std::uint32_t> begins(device, std::span<const std::uint32_t>(offsets));
    const device::Buffer<VertexId> ends(device, std::span<const VertexId>(neighbors));
    return resident::first_bad_row(device.api())(device, {.num_vertices = static_cast<VertexId>(offsets.size() - 1),
                                                          .num_arcs = arcs,
                                                          .offsets32 = begins.data(),
                                                          .neighbors = ends.data()});
  };
  EXPECT_EQ(first_bad({0, 2, 3}, {0, 1, 1}, 3), no_vertex);
  EXPECT_EQ(first_bad({1, 2, 3}, {0, 1, 1}, 3), 0u) << "does not begin at 0";
  EXPECT_EQ(first_bad({0, 2, 2}, {0, 1, 1}, 3), 1u) << "ends before the arcs do";
  EXPECT_EQ(first_bad({0, 2, 4}, {0, 1, 1}, 3), 1u) << "ends behind them";
  EXPECT_EQ(first_bad({0, 3, 2}, {0, 1, 1}, 3), 1u) << "falls";
  EXPECT_EQ(first_bad({0, 2, 3}, {1, 0, 1}, 3), 0u) << "not in order";
  EXPECT_EQ(first_bad({0, 2, 3}, {0, 1, 2}, 3), 1u) << "no such vertex";

  const std::vector<Distance> distances = {0, 3, 1, unreached, 2};
  const device::Buffer<Distance> distance(device, std::span<const Distance>(distances));
  resident::trim_answer(device.api())(device, distance.data(), nullptr, 5, 1);
  std::vector<Distance> trimmed(5);
  distance.download(std::span(trimmed));
  EXPECT_EQ(trimmed, (std::vector<Distance>{0, unreached, 1, unreached, unreached}));
  const device::Buffer<device::AnswerSums> sums(device, 1);
  resident::sum_answers(device.api())(device, {distance.data(), 5, 0}, 5, sums.data());
  resident::sum_answers(device.api())(device, {distance.data(), 5, 1}, 0, sums.data());
  EXPECT_EQ(sums.value().reached, 0u) << "of no vertices";
  // Two rows of two, and 253 and 254 in a byte.
  const std::vector<Distance> deep = {0, 253, -5, 254, unreached};
  const device::Buffer<Distance> rows(device, std::span<const Distance>(deep));
  const device::Buffer<std::uint8_t> packed(device, 4);
  device::Buffer<std::uint32_t> deepest(device, 1);
  deepest.fill_bytes(0);
  const auto pack = [&](VertexId count, Distance limit) {
    resident::pack_answers(device.api())(device, {rows.data(), 3, 2}, count, limit, 1, packed.data(), deepest.data());
    std::vector<std::uint8_t> bytes(4);
    packed.download(std::span(bytes));
    return bytes;
  };
  EXPECT_EQ(pack(2, 253), (std::vector<std::uint8_t>{0, 253, 255, 255}));
  EXPECT_EQ(deepest.value(), 0u);
  EXPECT_EQ(pack(2, 254), (std::vector<std::uint8_t>{0, 253, 254, 255}));
  EXPECT_EQ(deepest.value(), 254u);
  EXPECT_EQ(pack(0, 0), (std::vector<std::uint8_t>{0, 253, 254, 255})) << "of no vertices";
}

/// A prepared search of a graph that is in device memory already, and stays there.
TEST(ResidentCorners, PreparedWithoutACopy) {
  const TestGraph test = random_graph(31, 400);
  EdgeList list{.num_vertices = test.num_vertices,
                .edges = Array<Edge>::copy_of(test.edges),
                .directed = false,
                .ids = Ids::consecutive(test.num_vertices)};
  const ResidentGraph graph(ResidentEdges(list, DeviceKind::sim), {});
  Searcher searcher(graph,
                    {.parameters = {{"shared_memory", 0}, {"high_diameter", 0}, {"single_cluster", 0}}, .prepare = true});
  TestGraph undirected = test;
  undirected.directed = false;
  for (const VertexId source : {0u, 7u, 399u % test.num_vertices}) {
    const Result found = searcher.run({.sources = {source}});
    ASSERT_EQ(std::vector<Distance>(found.distance.begin(), found.distance.end()), naive_bfs(undirected, {source}));
  }
}

}  // namespace of_resident_corners_test
}  // namespace hopwave::testing
