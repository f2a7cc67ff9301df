// Answers that others published, for real graphs: every CPU strategy must give them. Skipped where the data is not there.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <sstream>

#include "hopwave/io.h"
#include "hopwave/search.h"
#include "hopwave/shortest_paths.h"
#include "hopwave/validate.h"
#include "io/byte_source.h"
#include "support/places.h"

namespace hopwave {
namespace of_reference_test {

using Levels = std::map<std::string, Distance>;

const std::string data = hopwave::testing::places::shared_data;

std::string unpacked_text(const std::string& path) {
  const auto source = io::open_source(path);
  std::string text;
  std::vector<char> piece(1 << 16);
  if (const auto size = source->size()) {
    text.resize(*size);
    text.resize(source->read_at(0, text.data(), text.size()));
    return text;
  }
  while (const std::size_t count = source->read(piece.data(), piece.size())) text.append(piece.data(), count);
  return text;
}

/// Lines "id level"; 2^63 − 1 says unreached.
Levels read_levels(const std::string& path) {
  std::istringstream lines(unpacked_text(path));
  Levels levels;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string id;
    unsigned long long level = 0;
    if (!(words >> id >> level)) continue;  // a count alone in the first line
    levels[id] = level == 9223372036854775807ull ? unreached : static_cast<Distance>(level);
  }
  return levels;
}

std::vector<std::string> cpu_strategies() {
  std::vector<std::string> names;
  for (const auto& info : strategies())
    if (info.device == "cpu") names.emplace_back(info.name);
  return names;
}

/// `shift` is added to the reference's ids to get the graph's.
void expect_levels(const Graph& graph, const std::string& source, const Levels& right, int shift = 0) {
  ASSERT_FALSE(right.empty());
  const auto s = graph.ids().find(source);
  ASSERT_TRUE(s.has_value());
  for (const std::string& name : cpu_strategies()) {
    const Query query{.sources = {*s}, .parents = true};
    const Result r = search(graph, query, {.strategy = name, .run = {.device = DeviceKind::cpu}});
    const Verdict verdict = validate(graph, query, r);
    ASSERT_TRUE(verdict) << name << ": " << verdict.rule << ": " << verdict.message;
    std::size_t wrong = 0;
    for (const auto& [id, level] : right) {
      const auto v = graph.ids().find(shift ? std::to_string(std::stoll(id) + shift) : id);
      if (v) {
        wrong += r.distance[*v] != level;
      } else {
        wrong += level != unreached && id != source;  // a vertex without edges may be missing from an edge list
      }
    }
    EXPECT_EQ(wrong, 0u) << name;
  }
}

class Reference : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(data + "/MANIFEST.tsv")) GTEST_SKIP() << "no reference data at " << data;
  }
};

TEST_F(Reference, NewYorkRoads) {
  const Graph graph = load_graph(data + "/road/USA-road-d.NY.gr.zst");
  EXPECT_EQ(graph.num_vertices(), 264346u);
  EXPECT_EQ(graph.num_arcs(), 730100u);
  const Levels right = read_levels(data + "/refs/USA-road-d.NY.bfs-src0.out.zst");
  EXPECT_EQ(right.size(), 264346u);
  expect_levels(graph, "1", right, 1);  // the reference counts from 0, DIMACS from 1
}

TEST_F(Reference, GnutellaUndirected) {
  const Graph graph = load_graph(data + "/snap/p2p-31.e.zst", {.undirected = true});
  const Levels right = read_levels(data + "/refs/p2p-31-BFS.zst");
  EXPECT_EQ(right.size(), 62586u);
  expect_levels(graph, "6", right);
}

/// Lines "id distance", or "infinity".
std::map<std::string, double> read_distances(const std::string& path) {
  std::istringstream lines(unpacked_text(path));
  std::map<std::string, double> distances;
  std::string id, distance;
  while (lines >> id >> distance) distances[id] = std::stod(distance);
  return distances;
}

TEST_F(Reference, GnutellaWeighted) {
  for (const bool undirected : {true, false}) {
    const Graph graph = load_graph(data + "/snap/p2p-31.e.zst", {.undirected = undirected});
    const auto right = read_distances(data + (undirected ? "/refs/p2p-31-SSSP.zst" : "/refs/p2p-31-SSSP-directed.zst"));
    EXPECT_EQ(right.size(), 62586u);
    for (const char* strategy : {"cpu-dijkstra", "cpu-delta-stepping"}) {
      const WeightedQuery query{.sources = {graph.vertex("6")}};
      const WeightedResult found = shortest_paths(graph, query, {.strategy = strategy, .run = {.device = DeviceKind::cpu}});
      std::size_t wrong = 0;
      for (const auto& [id, distance] : right) wrong += found.distance_of(graph, id) != distance;
      EXPECT_EQ(wrong, 0u) << strategy;
      EXPECT_TRUE(found.exact);
      const Verdict verdict = validate(graph, query, found);
      EXPECT_TRUE(verdict) << verdict.rule << ": " << verdict.message;
    }
  }
}

TEST_F(Reference, GraphalyticsExample) {
  const Graph graph = load_graph(data + "/small/graphalytics/example-undirected.e", {.undirected = true});
  expect_levels(graph, "2", read_levels(data + "/small/graphalytics/example-undirected-BFS"));
}

/// Adjacency lines "vertex neighbour neighbour …", as those examples have them.
Graph read_adjacency(const std::string& path) {
  std::istringstream lines(unpacked_text(path));
  std::vector<Edge> edges;
  VertexId most = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    VertexId from = 0;
    if (!(words >> from)) continue;
    most = std::max(most, from);
    for (VertexId to = 0; words >> to; most = std::max(most, to)) edges.push_back({from - 1, to - 1});
  }
  EdgeList list{
      .num_vertices = most, .edges = Array<Edge>::copy_of({edges.data(), edges.size()}), .ids = Ids::consecutive(most, 1)};
  return build_graph(std::move(list));
}

TEST_F(Reference, GraphalyticsDirectedAndUndirected) {
  for (const std::string kind : {"dir", "undir"})
    expect_levels(read_adjacency(data + "/small/graphalytics/" + kind + "-input"), "1",
                  read_levels(data + "/small/graphalytics/" + kind + "-output"));
}

TEST_F(Reference, RodiniaDepths) {
  for (const auto& [file, depth] : {std::pair{"graph4096.txt.zst", 7}, std::pair{"graph65536.txt.zst", 9}}) {
    const Graph graph = load_graph(data + "/rodinia/" + file);
    ASSERT_EQ(graph.default_source(), 0u) << file;
    for (const std::string& name : cpu_strategies())
      EXPECT_EQ(search(graph, {.sources = {0}}, {.strategy = name, .run = {.device = DeviceKind::cpu}}).depth, depth)
          << file << " " << name;
  }
}

}  // namespace of_reference_test
}  // namespace hopwave
