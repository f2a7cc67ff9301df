// A .hwg opens ready: its rows are those that searches use, with the incoming arcs of directed graphs, and all of them lie in
// the mapped file. What else was in the graph stands beside the rows, and comes back when it is asked for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "graph/extra_arcs.h"
#include "graph/rows.h"
#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "hopwave/io.h"
#include "hopwave/search.h"
#include "hopwave/shortest_paths.h"
#include "io/hwg.h"
#include "support/error_id.h"
#include "support/temp_dir.h"
#include "support/ticks.h"
#include "support/weights.h"

namespace hopwave {
namespace of_ready_test {

using Arc = std::tuple<VertexId, VertexId, float>;

const BuildOptions all{.keep_duplicates = true, .keep_self_loops = true};

std::vector<Arc> arcs_of(const Adjacency& rows) {
  std::vector<Arc> arcs;
  for (VertexId v = 0; v + std::size_t{1} < rows.offsets.size(); ++v)
    for (EdgeIndex i = rows.offsets[v]; i < rows.offsets[v + std::size_t{1}]; ++i)
      arcs.emplace_back(v, rows.neighbors[i], rows.weights.empty() ? 0 : rows.weights[i]);
  return arcs;
}

/// What searches use, plainly: of the arcs between two different vertices the lightest.
std::vector<Arc> used(const std::vector<Arc>& arcs) {
  std::map<std::pair<VertexId, VertexId>, float> best;
  for (const auto& [u, v, w] : arcs)
    if (u != v && (!best.count({u, v}) || w < best[{u, v}])) best[{u, v}] = w;
  std::vector<Arc> left;
  for (const auto& [ends, w] : best) left.emplace_back(ends.first, ends.second, w);
  return left;
}

std::vector<Arc> turned(std::vector<Arc> arcs) {
  for (auto& [u, v, w] : arcs) std::swap(u, v);
  std::sort(arcs.begin(), arcs.end());
  return arcs;
}

/// Does an array lie in a mapping of this file?
bool lies_in(const std::string& path, const void* at) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find(path) == std::string::npos) continue;
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    std::istringstream(line) >> std::hex >> begin >> dash >> end;
    if (const auto p = reinterpret_cast<std::uintptr_t>(at); p >= begin && p < end) return true;
  }
  return false;
}

void expect_mapped(const std::string& path, const Adjacency& rows) {
  EXPECT_TRUE(lies_in(path, rows.offsets.data()));
  if (!rows.neighbors.empty()) EXPECT_TRUE(lies_in(path, rows.neighbors.data()));
  if (!rows.weights.empty()) EXPECT_TRUE(lies_in(path, rows.weights.data()));
}

/// Writes `graph`, and checks what opens: in the file, and as a plain reading of the graph's arcs has it.
void check_file(const Graph& graph, const std::string& path) {
  const std::vector<Arc> whole = arcs_of(graph.out()), clean = used(whole);
  write_graph(graph, path);
  const Graph ready = load_graph(path);
  expect_mapped(path, ready.out());
  EXPECT_EQ(arcs_of(ready.out()), clean);
  ASSERT_TRUE(ready.has_in());
  if (graph.directed()) {
    expect_mapped(path, ready.in());
    EXPECT_EQ(arcs_of(ready.in()), turned(clean));
  }
  EXPECT_EQ(fingerprint(ready), fingerprint(Graph::trusted(graph.num_vertices(), graph.directed(), ready.out(), {}, {})));
  const EdgeIndex loops = static_cast<EdgeIndex>(
      std::count_if(whole.begin(), whole.end(), [](const Arc& a) { return std::get<0>(a) == std::get<1>(a); }));
  EXPECT_EQ(ready.build_report().self_loops, loops);
  EXPECT_EQ(ready.build_report().duplicates, whole.size() - loops - clean.size());
  if (clean.size() < whole.size()) EXPECT_FALSE(ready.build_report().duplicates_kept || ready.build_report().self_loops_kept);

  const Graph again = load_graph(path, {}, all);
  EXPECT_EQ(arcs_of(again.out()), whole);
  EXPECT_EQ(fingerprint(again), fingerprint(graph));
  EXPECT_EQ(again.num_vertices(), graph.num_vertices());
  EXPECT_EQ(read_edges(path).edges.size(), whole.size());
  EdgeIndex kept_loops = 0;  // each once
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const auto& [u, v, w] = whole[i];
    kept_loops += u == v && (i == 0 || std::get<0>(whole[i - 1]) != u || std::get<1>(whole[i - 1]) != v);
  }
  EXPECT_EQ(load_graph(path, {}, {.keep_self_loops = true}).num_arcs(), clean.size() + kept_loops);
  EXPECT_EQ(load_graph(path, {}, {.keep_duplicates = true}).num_arcs(), whole.size() - loops);
}

TEST(ExtraArcs, EveryGraphOfUpToFourVertices) {
  Team team(1);
  for (VertexId n = 0; n <= 4; ++n)
    for (std::uint32_t set = 0; set < (1u << n * n); ++set) {
      // Each arc of the set once to three times, as a hash of set and arc has it.
      graph::Rows rows{Array<EdgeIndex>(n + std::size_t{1}), {}, {}};
      std::vector<VertexId> to;
      std::vector<float> weights;
      rows.offsets[0] = 0;
      for (VertexId v = 0; v < n; ++v) {
        for (VertexId w = 0; w < n; ++w) {
          if (!(set >> (v * n + w) & 1)) continue;
          const std::uint64_t draw = splitmix64(set * 16 + v * n + w);
          for (std::uint64_t i = 0; i <= draw % 3; ++i)
            to.push_back(w), weights.push_back(static_cast<float>(i + draw / 3 % 4));
        }
        rows.offsets[v + std::size_t{1}] = to.size();
      }
      rows.neighbors = Array<VertexId>::copy_of(to);
      if (set % 2) rows.weights = Array<float>::copy_of(weights);
      const Adjacency given = std::move(rows);
      const auto whole = arcs_of(given), clean = used(whole);
      const auto parted = graph::part_rows(team, n, given);
      ASSERT_EQ(parted.has_value(), clean.size() < whole.size()) << n << " " << set;
      if (!parted) continue;
      ASSERT_EQ(arcs_of(parted->rows), clean) << n << " " << set;
      ASSERT_EQ(arcs_of(graph::with_extra(team, n, parted->rows, parted->extra)), whole) << n << " " << set;
    }
}

/// Rows of a caller's own, whose parallel arcs do not stand by weight.
TEST(ExtraArcs, TheLightestIsUsedWhereverItStands) {
  Team team(1);
  const Adjacency rows{Array<EdgeIndex>::copy_of(std::vector<EdgeIndex>{0, 4, 4}),
                       Array<VertexId>::copy_of(std::vector<VertexId>{0, 1, 1, 1}),
                       Array<float>::copy_of(std::vector<float>{7, 5, -2, 3})};
  const auto parted = graph::part_rows(team, 2, rows);
  ASSERT_TRUE(parted);
  EXPECT_EQ(arcs_of(parted->rows), (std::vector<Arc>{{0, 1, -2}}));
  EXPECT_EQ(parted->self_loops, 1u);
  EXPECT_EQ(parted->duplicates, 2u);
  const auto together = arcs_of(graph::with_extra(team, 2, parted->rows, parted->extra));
  EXPECT_EQ(together, (std::vector<Arc>{{0, 0, 7}, {0, 1, -2}, {0, 1, 5}, {0, 1, 3}}));
}

TEST(Ready, WhatOpensLiesInTheFileAndIsWhatASearchUses) {
  const TempDir dir;
  const std::string path = dir.path("g.hwg");
  for (const bool directed : {true, false})
    for (const bool weighted : {false, true})
      for (const char* spec : {"rmat:9,16", "grid:9x8", "shapes:3,300", "shapes:8,2000", "star:40", "chain:1", "rmat:14,4"}) {
        EdgeList list = generate(spec);
        list.directed = directed, list.both_directions = false;
        if (weighted) {
          list.weights = testing::made_weights(list.edges.size(),
                                               [](std::size_t i) { return static_cast<float>(splitmix64(i) % 64) / 4; });
        }
        SCOPED_TRACE(std::string(spec) + (directed ? " directed" : "") + (weighted ? " weighted" : ""));
        check_file(build_graph(std::move(list), all), path);
      }
}

/// Nothing left for the rows but what stands beside them.
TEST(Ready, LoopsAlone) {
  const TempDir dir;
  for (const bool directed : {true, false}) {
    EdgeList list{.num_vertices = 3,
                  .edges = Array<Edge>::copy_of(std::vector<Edge>{{1, 1}, {1, 1}, {2, 2}}),
                  .weights = Array<float>::copy_of(std::vector<float>{2, 1, 3}),
                  .directed = directed};
    check_file(build_graph(std::move(list), all), dir.path("g.hwg"));
    EXPECT_EQ(arcs_of(load_graph(dir.path("g.hwg"), {}, all).out()), (std::vector<Arc>{{1, 1, 1}, {1, 1, 2}, {2, 2, 3}}));
  }
}

/// An array of the caller's with parallel arcs, which no build report counts.
TEST(Ready, GraphsFromRows) {
  const TempDir dir;
  const std::vector<int> offsets{0, 3, 4, 4}, neighbors{0, 1, 1, 2};
  const Graph graph = Graph::from_csr(offsets, neighbors);
  check_file(graph, dir.path("g.hwg"));
  EXPECT_EQ(load_graph(dir.path("g.hwg")).num_arcs(), 2u);
}

TEST(Ready, ASearchBuildsNothing) {
  const testing::Ticks ticks;  // what is measured is above 0
  const TempDir dir;
  EdgeList list = generate("rmat:12,8");
  list.directed = true;
  const Graph given = build_graph(std::move(list), all);
  write_graph(given, dir.path("g.hwg"));
  write_graph(given, dir.path("bare.hwg"), {.with_in = false});
  const Graph ready = load_graph(dir.path("g.hwg")), bare = load_graph(dir.path("bare.hwg"));
  EXPECT_FALSE(bare.has_in());
  EXPECT_EQ(fingerprint(ready), fingerprint(bare));
  EXPECT_EQ(ready.build_report().time, Milliseconds());
  for (const char* strategy : {"cpu-sequential", "cpu-parallel", "cpu-direction", "auto"})
    for (const Direction direction : {Direction::out, Direction::in}) {
      const SearchOptions options{.strategy = strategy, .direction = direction, .run = {.device = DeviceKind::cpu}};
      Searcher searcher(ready, options), other(bare, options);
      for (VertexId s = 0; s < 12; ++s) {  // auto turns the arcs after eight
        const Result a = searcher.run({.sources = {s}}), b = other.run({.sources = {s}});
        ASSERT_TRUE(std::equal(a.distance.begin(), a.distance.end(), b.distance.begin(), b.distance.end()));
      }
      EXPECT_EQ(searcher.prepare(), Milliseconds()) << strategy;
      if (direction == Direction::in) EXPECT_GT(other.prepare(), Milliseconds()) << strategy;
    }
}

TEST(Ready, WeightedPathsUseTheLightestOfParallelEdges) {
  const TempDir dir;
  EdgeList list{.num_vertices = 3,
                .edges = Array<Edge>::copy_of(std::vector<Edge>{{0, 1}, {0, 1}, {1, 2}, {0, 2}, {1, 1}}),
                .weights = Array<float>::copy_of(std::vector<float>{9, 1, 2, 8, 0})};
  write_graph(build_graph(std::move(list), all), dir.path("g.hwg"));
  const Graph ready = load_graph(dir.path("g.hwg"));
  for (const Direction direction : {Direction::out, Direction::in}) {
    const VertexId from = direction == Direction::out ? 0 : 2, to = 2 - from;
    EXPECT_EQ(shortest_paths(ready, {.sources = {from}}, {.direction = direction}).distance[to], 3);
  }
}

/// As older versions wrote it: version 1, all arcs in the rows, counted in the history.
TEST(Ready, WithoutExtraArcsTheFileIsOfVersionOne) {
  const TempDir dir;
  const auto version = [&](const Graph& graph) {
    write_graph(graph, dir.path("g.hwg"));
    std::ifstream in(dir.path("g.hwg"), std::ios::binary);
    in.seekg(8);
    return in.get();
  };
  EXPECT_EQ(version(build_graph(generate("grid:4x4"))), 1);
  EXPECT_EQ(version(build_graph(generate("rmat:6,16"), all)), 2);
}

/// Sections that checksums find right and that no graph has.
TEST(Ready, ForgedExtraArcsAreRefused) {
  const TempDir dir;
  const auto opens = [&](const std::vector<VertexId>& sources, const std::vector<VertexId>& neighbors,
                         bool weights) -> std::string {
    const std::vector<int> offsets{0, 2, 2}, to{1, 1};
    CsrOptions csr;
    const std::vector<float> some{1, 2};
    if (weights) csr.weights = some;
    write_graph(Graph::from_csr(offsets, to, csr), dir.path("g.hwg"));
    std::string bytes = content_of(dir.path("g.hwg"));
    Team team(1);
    // Sections are as long as they were: one arc. The new ones replace the bytes, and both checksums follow.
    const auto replace = [&](const char* name, const std::vector<VertexId>& values) {
      for (std::size_t entry = 128; entry + 64 <= bytes.size(); entry += 64) {
        if (std::string(bytes.c_str() + entry) != name) continue;
        std::uint64_t at = 0;
        std::memcpy(&at, bytes.data() + entry + 24, 8);
        const std::uint64_t size = 4 * values.size();
        std::memcpy(bytes.data() + entry + 32, &size, 8);
        if (size) std::memcpy(bytes.data() + at, values.data(), size);
        const std::uint64_t sum = core::checksum({bytes.data() + at, size}, team);
        std::memcpy(bytes.data() + entry + 40, &sum, 8);
        return;
      }
      ADD_FAILURE() << name;
    };
    replace("extra.sources", sources);
    replace("extra.neighbors", neighbors);
    std::uint32_t sections = 0;
    std::memcpy(&sections, bytes.data() + 12, 4);
    std::memset(bytes.data() + 64, 0, 8);
    const std::uint64_t sum = core::checksum({bytes.data(), 128 + 64 * sections}, team);
    std::memcpy(bytes.data() + 64, &sum, 8);
    std::ofstream(dir.path("bad.hwg"), std::ios::binary) << bytes;
    return testing::id_of([&] { (void)load_graph(dir.path("bad.hwg"), {}, all); }, "opened");
  };
  EXPECT_EQ(opens({0}, {1}, false), "opened");
  EXPECT_EQ(opens({1}, {1}, false), "opened");
  EXPECT_EQ(opens({2}, {1}, false), "HW-HWG-ARRAYS");
  EXPECT_EQ(opens({0}, {2}, false), "HW-HWG-ARRAYS");
  EXPECT_EQ(opens({0xFFFFFFFF}, {0}, false), "HW-HWG-ARRAYS");
  EXPECT_EQ(opens({0, 1}, {1, 0}, false), "opened");
  EXPECT_EQ(opens({1, 0}, {1, 0}, false), "HW-HWG-ARRAYS");
  EXPECT_EQ(opens({0, 1}, {1}, false), "HW-HWG-SECTION");
  EXPECT_EQ(opens({}, {}, false), "opened");
  EXPECT_EQ(opens({0, 1}, {1, 0}, true), "HW-HWG-SECTION");  // one weight is there
}

}  // namespace of_ready_test
}  // namespace hopwave
