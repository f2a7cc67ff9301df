// What is written is read back as the same graph, in every format, plain and packed, with one thread and with two.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "hopwave/io.h"
#include "io/hwg.h"
#include "support/temp_dir.h"
#include "support/weights.h"

namespace hopwave {
namespace of_round_trip_test {

struct Case {
  const char* format;
  const char* ending;
  bool keeps_ids;
  bool directed, undirected;  ///< what it can hold
  bool weights = true;
};

const Case cases[] = {{"matrix-market", "mtx", false, true, true},
                      {"edge-list", "txt", true, true, true},
                      {"names", "names", true, true, true},
                      {"rodinia", "rodinia", false, true, false},
                      {"metis", "graph", false, false, true},
                      {"dimacs", "gr", false, true, true},
                      {"gap", "sg", false, true, true, false},
                      {"gap-weighted", "wsg", false, true, true},
                      {"galois", "gr", false, true, false},
                      {"graph500", "g500", false, true, false, false},
                      {"npz", "npz", false, true, true},
                      {"adjacency", "adj", true, true, true, false},
                      {"cedge", "cedge", true, true, true},
                      {"graphml", "graphml", true, true, true},
                      {"gml", "gml", true, true, true},
                      {"pajek", "net", true, true, true},
                      {"json", "json", true, true, true},
                      {"hwg", "hwg", true, true, true}};

void expect_same(const Graph& a, const Graph& b, bool ids, bool weights) {
  ASSERT_EQ(a.num_vertices(), b.num_vertices());
  ASSERT_EQ(a.num_arcs(), b.num_arcs());
  EXPECT_EQ(a.directed(), b.directed());
  for (std::size_t v = 0; v <= a.num_vertices(); ++v) ASSERT_EQ(a.out().offsets[v], b.out().offsets[v]) << "row " << v;
  for (std::size_t i = 0; i < a.num_arcs(); ++i) ASSERT_EQ(a.out().neighbors[i], b.out().neighbors[i]) << "arc " << i;
  if (weights) {
    ASSERT_EQ(a.has_weights(), b.has_weights());
    for (std::size_t i = 0; a.has_weights() && i < a.num_arcs(); ++i)
      ASSERT_EQ(a.out().weights[i], b.out().weights[i]) << "arc " << i;
  }
  for (VertexId v = 0; ids && v < a.num_vertices(); ++v) ASSERT_EQ(a.ids().name(v), b.ids().name(v));
}

/// Whole-number weights that depend on the ends alone, so that both directions agree.
Graph weighted(const std::string& spec, bool directed) {
  EdgeList list = generate(spec);
  list.weights = testing::made_weights(list.edges.size(), [&](std::size_t i) {
    return static_cast<float>(1 + splitmix64(list.edges[i].source + 0ull + list.edges[i].target) % 10);
  });
  list.directed = directed;
  list.both_directions = false;
  return build_graph(std::move(list));
}

class RoundTrip : public ::testing::TestWithParam<Case> {
 protected:
  TempDir dir;

  std::string write(const Graph& graph, const std::string& packing) {
    const std::string path = dir.path("graph." + std::string(GetParam().ending) + packing);
    write_graph(graph, path, {.format = GetParam().format, .weights = GetParam().weights, .level = 1});
    return path;
  }

  static Graph reread(const std::string& path, int threads) {
    const Case& c = GetParam();
    ReadOptions read{.run = {.threads = threads}};
    if (std::string(c.format) == "names") read.format = "names";
    Graph back = load_graph(path, read);
    EXPECT_EQ(back.read_report().format, c.format);
    return back;
  }
};

TEST_P(RoundTrip, SameGraph) {
  const Case& c = GetParam();
  for (const bool directed : {true, false}) {
    if (directed ? !c.directed : !c.undirected) continue;
    for (const char* spec : {"rmat:10,8", "grid:40x25", "chain:7"}) {
      const Graph graph = weighted(spec, directed);
      const bool ends_alone = graph.out_degree(graph.num_vertices() - 1) == 0;  // grid and chain: the last of an arc
      if (std::string(c.format) == "graph500" && std::string(spec) == "rmat:10,8" && ends_alone) continue;
      for (const char* packing : {"", ".gz", ".zst"}) {
        if (*packing && std::string(spec) != "rmat:10,8") continue;
        const std::string path = write(graph, packing);
        for (const int threads : {1, 2}) {
          SCOPED_TRACE(std::string(c.format) + packing + " " + spec + (directed ? " directed" : " undirected"));
          const Graph back = reread(path, threads);
          if (std::string(c.format) == "names") {  // numbered by first appearance
            EXPECT_EQ(back.num_arcs(), graph.num_arcs());
            continue;
          }
          expect_same(graph, back, c.keeps_ids, c.weights);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, RoundTrip, ::testing::ValuesIn(cases), [](const auto& info) {
  std::string name = info.param.format;
  for (char& ch : name)
    if (ch == '-') ch = '_';
  return name;
});

TEST(RoundTripIds, GappedIdsComeBack) {
  TempDir dir;
  std::ofstream(dir.path("in.txt")) << "10 500\n500 7\n7 9000000000000\n";
  for (const char* ending : {"txt", "hwg", "adj", "cedge"}) {
    SCOPED_TRACE(ending);
    const Graph graph = load_graph(dir.path("in.txt"));
    write_graph(graph, dir.path(std::string("out.") + ending));
    expect_same(graph, load_graph(dir.path(std::string("out.") + ending)), true, false);
  }
}

TEST(RoundTripIds, NamesComeBack) {
  TempDir dir;
  std::ofstream(dir.path("in.csv")) << "source,target\nBerlin,\"Rome, old\"\n\"Rome, old\",Oslo\n";
  const Graph graph = load_graph(dir.path("in.csv"));
  ASSERT_EQ(graph.num_vertices(), 3u);
  EXPECT_EQ(graph.ids().name(1), "Rome, old");
  write_graph(graph, dir.path("out.hwg"));
  expect_same(graph, load_graph(dir.path("out.hwg")), true, false);
  write_graph(graph, dir.path("out.tsv"));
  const Graph back = load_graph(dir.path("out.tsv"));
  EXPECT_EQ(back.ids().name(1), "Rome, old");
  EXPECT_EQ(back.num_arcs(), 2u);
}

TEST(Hwg, KeepsTransposeSourceAndExtras) {
  TempDir dir;
  Graph graph = weighted("rmat:8,8", true);
  graph.ensure_in();
  graph.set_default_source(3);
  const std::string note = "whatever an engine prepared";
  {
    OutputFile file(dir.path("g.hwg"));
    const auto sink = io::make_sink(file, "g.hwg", 1);
    const io::ExtraSection extra{"test.note", std::as_bytes(std::span(note))};
    io::write_hwg(graph, {&extra, 1}, {}, *sink);
    sink->finish();
    file.commit();
  }
  const io::HwgContent content = io::open_hwg(dir.path("g.hwg"), {});
  expect_same(graph, content.graph, true, true);
  ASSERT_TRUE(content.graph.has_in());
  for (std::size_t i = 0; i < graph.num_arcs(); ++i) ASSERT_EQ(graph.in().neighbors[i], content.graph.in().neighbors[i]);
  EXPECT_EQ(content.graph.default_source(), 3u);
  ASSERT_EQ(content.extras.size(), 1u);
  EXPECT_EQ(content.extras[0].first, "test.note");
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(content.extras[0].second.data()), content.extras[0].second.size()), note);
}

TEST(Hwg, EveryChangedByteIsFound) {
  TempDir dir;
  write_graph(weighted("chain:40", false), dir.path("g.hwg"));
  std::string bytes;
  {
    std::ifstream in(dir.path("g.hwg"), std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    bytes = text.str();
  }
  const Graph right = load_graph(dir.path("g.hwg"));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string bad = bytes;
    bad[i] = static_cast<char>(bad[i] ^ (1 << (i % 8)));
    try {
      const Graph graph = build_graph(read_edges({bad.data(), bad.size()}, "bad.hwg", {.format = "hwg"}));
      expect_same(right, graph, true, true);  // only padding between sections may differ
    } catch (const Error& error) {
      EXPECT_TRUE(error.id().starts_with("HW-HWG-")) << error.what();
    }
  }
  for (std::size_t cut = 0; cut < bytes.size(); cut += 31) {
    std::ofstream(dir.path("bad.hwg"), std::ios::binary) << bytes.substr(0, cut);
    EXPECT_THROW(io::open_hwg(dir.path("bad.hwg"), {}), Error) << cut;
  }
}

TEST(Hwg, RebuildsOnlyWhenAsked) {
  TempDir dir;
  EdgeList list = generate("rmat:8,8");
  list.directed = true;
  write_graph(build_graph(std::move(list), {.keep_duplicates = true, .keep_self_loops = true}), dir.path("g.hwg"));
  const Graph kept = load_graph(dir.path("g.hwg"), {}, {.keep_duplicates = true, .keep_self_loops = true});
  const Graph plain = load_graph(dir.path("g.hwg"));
  EXPECT_LT(plain.num_arcs(), kept.num_arcs());
  const Graph both = load_graph(dir.path("g.hwg"), {}, {.make_undirected = true, .build_in = true});
  EXPECT_FALSE(both.directed());
  EXPECT_TRUE(load_graph(dir.path("g.hwg"), {}, {.build_in = true}).has_in());
}

TEST(Writing, RefusesWhatTheFormatCannotHold) {
  TempDir dir;
  const auto id_of = [&](const Graph& graph, const char* name) {
    try {
      write_graph(graph, dir.path(name));
    } catch (const Error& error) {
      EXPECT_FALSE(std::filesystem::exists(dir.path(name)));
      return error.id();
    }
    return std::string("written");
  };
  EXPECT_EQ(id_of(weighted("chain:5", true), "a.graph"), "HW-WRITE-DIRECTED");
  EXPECT_EQ(id_of(weighted("chain:5", true), "a.unknown"), "HW-FORMAT-WRITE");
  std::ofstream(dir.path("real.txt")) << "0 1 0.5\n1 2 2\n";
  EXPECT_EQ(id_of(load_graph(dir.path("real.txt")), "a.wsg"), "HW-WRITE-WEIGHT");
  std::ofstream(dir.path("names.txt")) << "a b\nb c\n";
  EXPECT_EQ(id_of(load_graph(dir.path("names.txt")), "a.adj"), "HW-WRITE-NAMES");
  std::ofstream(dir.path("loop.txt")) << "0 0\n0 1\n";
  EXPECT_EQ(id_of(load_graph(dir.path("loop.txt"), {.undirected = true}, {.keep_self_loops = true}), "a.graph"),
            "HW-WRITE-LOOP");
}

}  // namespace of_round_trip_test
}  // namespace hopwave
