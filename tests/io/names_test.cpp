// Property tests of writing and reading: every graph with every ids comes back from every format that can carry it, or is
// refused with an error id. Nothing is lost or changed in silence.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "hopwave/error.h"
#include "hopwave/io.h"
#include "io/format.h"
#include "support/temp_dir.h"
#include "support/weights.h"

namespace hopwave {
namespace of_names_test {

using namespace std::string_view_literals;

using Random = std::mt19937_64;

std::uint64_t below(Random& random, std::uint64_t limit) { return random() % limit; }

/// Parts that readers may take for something else: comments, numbers, separators, quotes, blanks, words of other formats.
const std::vector<std::string> nasty = {"#tag",
                                        "%",
                                        "//",
                                        "C#",
                                        "a #b",
                                        "a // b",
                                        " x",
                                        "x ",
                                        "\t",
                                        "a\tb",
                                        "",
                                        "\"",
                                        "\"x",
                                        "x\"",
                                        "\"x\"",
                                        "x\"y",
                                        "\"\"",
                                        ",",
                                        "a,b",
                                        ",a",
                                        "a,",
                                        ";",
                                        "a;b;",
                                        "|",
                                        "a|",
                                        "1",
                                        "2",
                                        "01",
                                        "1.5",
                                        "-1",
                                        "+1",
                                        "1e3",
                                        "nan",
                                        "inf",
                                        "source",
                                        "target",
                                        "from",
                                        "to",
                                        "p",
                                        "sp",
                                        "p sp 3",
                                        "c",
                                        "a",
                                        "1 2",
                                        "1,2",
                                        "3\t4",
                                        "1 # x",
                                        "größe",
                                        "日本",
                                        "\xff\xfe",
                                        "\xEF\xBB\xBF",
                                        "-",
                                        "1 2 #",
                                        "# Nodes: 9",
                                        "# Isolated:\t5",
                                        "%%MatrixMarket",
                                        "NA",
                                        "src",
                                        "Node1",
                                        "null",
                                        "\x1b[31m",
                                        "a\vb",
                                        "\x7f",
                                        "'",
                                        "''",
                                        "\\",
                                        "\\t",
                                        "0 1",
                                        "x y",
                                        "9223372036854775808"};

std::string name_of(Random& random) {
  std::string name = nasty[below(random, nasty.size())];
  while (below(random, 3) == 0) name += nasty[below(random, nasty.size())];
  if (below(random, 400) == 0) name += std::string(70000 - below(random, 9000), 'n');
  return name;
}

enum class IdKind { from_0, from_1, from_5, gapped, text, text_with_breaks };

Ids ids_of(Random& random, VertexId count, IdKind kind) {
  if (kind == IdKind::from_0) return Ids::consecutive(count);
  if (kind == IdKind::from_1) return Ids::consecutive(count, 1);
  if (kind == IdKind::from_5) return Ids::consecutive(count, 5);
  if (kind == IdKind::gapped) {
    std::vector<std::int64_t> ids;
    for (std::int64_t at = static_cast<std::int64_t>(below(random, 3)) - 1; ids.size() < count;)
      ids.push_back(at += 1 + static_cast<std::int64_t>(below(random, below(random, 9) ? 3 : std::uint64_t{1} << 40)));
    return Ids::integers(Array<std::int64_t>::copy_of(ids));
  }
  std::vector<std::string> names;
  while (names.size() < count) {
    std::string name = name_of(random);
    if (kind == IdKind::text_with_breaks && below(random, 4) == 0) name += "\n\r\0"sv[below(random, 3)];
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return Ids::strings(std::move(names));
}

/// Parts of several shapes, vertices without edges, self-loops and duplicates, in any order.
Graph graph_of(Random& random, IdKind kind) {
  const auto n = static_cast<VertexId>(below(random, 8) ? 1 + below(random, 24) : below(random, 3));
  EdgeList list{.num_vertices = n, .directed = below(random, 2) != 0};
  std::vector<Edge> edges;
  const auto any = [&] { return static_cast<VertexId>(below(random, n)); };
  for (std::uint64_t parts = n ? below(random, 4) : 0; parts > 0; --parts) {
    const VertexId a = any(), length = static_cast<VertexId>(1 + below(random, 6));
    const std::uint64_t shape = below(random, 5);
    for (VertexId i = 0; i < length; ++i) {
      const VertexId b = any();
      if (shape == 0) edges.push_back({a, b});                          // a star
      if (shape == 1) edges.push_back({(a + i) % n, (a + i + 1) % n});  // a chain or a cycle
      if (shape == 2) edges.push_back({b, b});                          // self-loops
      if (shape == 3) edges.push_back({a, (a + 1) % n});                // duplicates
      if (shape == 4) edges.push_back({any(), b});                      // random
    }
  }
  list.edges = Array<Edge>::copy_of(edges);
  if (below(random, 2) && !edges.empty()) {
    list.weights = testing::made_weights(edges.size(), [&](std::size_t i) {
      const std::uint64_t key = std::min(edges[i].source, edges[i].target) * 31 + std::max(edges[i].source, edges[i].target);
      return below(random, 2) ? static_cast<float>(key % 100) : static_cast<float>(key % 7) * 0.37f - 1;
    });
  }
  list.ids = ids_of(random, n, kind);
  return build_graph(std::move(list), {.keep_duplicates = true, .keep_self_loops = true});
}

/// Ids and arcs without regard to internal numbers, which names do not keep.
struct Content {
  std::vector<std::string> ids;
  std::vector<std::tuple<std::string, std::string, float>> arcs;
  friend bool operator==(const Content&, const Content&) = default;
};

Content content_of(const Graph& graph, bool weights, bool number_from_0) {
  Content content;
  const auto id = [&](VertexId v) { return number_from_0 ? std::to_string(v) : graph.ids().name(v); };
  for (VertexId v = 0; v < graph.num_vertices(); ++v) {
    content.ids.push_back(id(v));
    for (EdgeIndex i = graph.out().offsets[v]; i < graph.out().offsets[v + 1]; ++i)
      content.arcs.emplace_back(id(v), id(graph.out().neighbors[i]),
                                weights && graph.has_weights() ? graph.out().weights[i] : 1.f);
  }
  std::sort(content.ids.begin(), content.ids.end());
  std::sort(content.arcs.begin(), content.arcs.end());
  return content;
}

struct Case {
  const char* format;
  const char* ending;
  bool ids, weights;
  const char* read_as = "";  ///< where nothing but its name tells the format
};

const Case cases[] = {{.format = "edge-list", .ending = "txt", .ids = true, .weights = true},
                      {.format = "edge-list", .ending = "csv", .ids = true, .weights = true},
                      {.format = "edge-list", .ending = "tsv.gz", .ids = true, .weights = true},
                      {.format = "names", .ending = "txt", .ids = true, .weights = true},
                      {.format = "names", .ending = "csv.zst", .ids = true, .weights = true},
                      {.format = "hwg", .ending = "hwg", .ids = true, .weights = true},
                      {.format = "adjacency", .ending = "adj", .ids = true, .weights = false},
                      {.format = "cedge", .ending = "cedge", .ids = true, .weights = true},
                      {.format = "matrix-market", .ending = "mtx", .ids = false, .weights = true},
                      {.format = "metis", .ending = "graph", .ids = false, .weights = true},
                      {.format = "dimacs", .ending = "gr", .ids = false, .weights = true},
                      {.format = "galois", .ending = "gr", .ids = false, .weights = true},
                      {.format = "rodinia", .ending = "rodinia", .ids = false, .weights = true, .read_as = "rodinia"},
                      {.format = "gap", .ending = "sg", .ids = false, .weights = false},
                      {.format = "gap-weighted", .ending = "wsg", .ids = false, .weights = true},
                      {.format = "graph500", .ending = "g500", .ids = false, .weights = false},
                      {.format = "npz", .ending = "npz", .ids = false, .weights = true}};

class TextSink final : public io::Sink {
 public:
  void write(std::string_view bytes) override { text += bytes; }
  void finish() override {}
  std::string text;
};

/// What write_graph puts into a file of this name, without the wait for a disk.
std::string written(const Graph& graph, const Case& c) {
  TextSink sink;
  const bool commas = std::string(c.ending).starts_with("csv");
  const WriteOptions options{.format = c.format, .separator = commas ? ',' : '\t'};
  io::check_held(graph, io::find_format(c.format), options);
  io::find_format(c.format).write(graph, sink, options);
  return sink.text;
}

class Property : public ::testing::TestWithParam<Case> {
 protected:
  TempDir dir;

  [[nodiscard]] Graph reread(const Graph& graph, const std::string& text, bool through_file) const {
    const Case& c = GetParam();
    const std::string name = dir.path("g." + std::string(c.ending));
    const ReadOptions options{.format = c.read_as, .run = {.threads = 1}};
    const BuildOptions build{.keep_duplicates = true, .keep_self_loops = true};
    if (!through_file) return build_graph(read_edges(std::span<const char>(text), name, options), build);
    write_graph(graph, name, {.format = c.format, .level = 1});
    return load_graph(name, options, build);
  }
};

TEST_P(Property, ComesBackOrIsRefused) {
  const Case& c = GetParam();
  std::map<std::string, int> refused;
  int same = 0;
  for (std::uint64_t seed = 0; seed < 1200; ++seed) {
    Random random(seed);
    const Graph graph = graph_of(random, static_cast<IdKind>(seed % 6));
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::string text;
    try {
      text = written(graph, c);
    } catch (const Error& error) {
      ASSERT_TRUE(error.id().starts_with("HW-WRITE-")) << error.what();
      ASSERT_FALSE(error.parts().hint.empty()) << error.what();
      ++refused[error.id()];
      continue;
    }
    Graph back;
    try {
      back = reread(graph, text, seed < 18);
    } catch (const Error& error) {
      ASSERT_TRUE(false) << error.what() << "\n" << text;
    }
    const Content before = content_of(graph, c.weights, !c.ids);
    const Content after = content_of(back, c.weights, !c.ids);
    ASSERT_EQ(before, after) << text;
    ASSERT_EQ(graph.directed(), back.directed());
    ++same;
  }
  EXPECT_GE(same, 20);
  // What a format with names refuses is a line break, NUL, or a name too long; and ids below 0.
  if (c.ids && std::string(c.format) != "adjacency" && std::string(c.format) != "cedge")
    for (const auto& [id, count] : refused) EXPECT_TRUE(id == "HW-WRITE-NAMES" || id == "HW-WRITE-RANGE") << id;
}

INSTANTIATE_TEST_SUITE_P(Formats, Property, ::testing::ValuesIn(cases), [](const auto& info) {
  std::string name = std::string(info.param.format) + "_" + info.param.ending;
  std::replace_if(
      name.begin(), name.end(), [](char ch) { return ch == '-' || ch == '.'; }, '_');
  return name;
});

/// Every nasty name in a row by itself, at both ends and alone, so that no other name hides what it does.
/// A name may begin as comments do. What is passed over is named.
TEST(NamesTest, CommentsThatMayBeRowsAreNamed) {
  const auto named = [](const std::string& text) {
    const auto notes = read_edges(std::span<const char>(text), "g.txt").report.notes;
    return std::any_of(notes.begin(), notes.end(), [](const std::string& n) { return n.find("as many words") != n.npos; });
  };
  EXPECT_TRUE(named("ann bob\n#t NA\nbob cid\n"));
  EXPECT_TRUE(named("#t NA\nann bob\nbob #t\n")) << "#t is a vertex";
  EXPECT_TRUE(named("ann bob 3\n//t NA 4\nbob cid 5\n"));
  EXPECT_FALSE(named("#by hand\nann bob\nbob cid\n")) << "above the rows";
  EXPECT_FALSE(named("ann bob\n# t\n#a longer comment\n#\n//\nbob cid\n"));
  EXPECT_FALSE(named("1 2\n#2 3\n3 4\n")) << "no id of numbers begins so";
}

TEST(Names, EachComesBackOnItsOwn) {
  for (const Case& c : {cases[0], cases[1], cases[3]})
    for (const std::string& name : nasty)
      for (const int place : {0, 1, 2}) {
        SCOPED_TRACE(std::string(c.ending) + " '" + name + "' " + std::to_string(place));
        EdgeList list{.num_vertices = 2};
        if (place < 2) list.edges = Array<Edge>::copy_of(std::vector<Edge>{place ? Edge{1, 0} : Edge{0, 1}});
        list.ids = Ids::strings({name, "z"});
        const Graph graph = build_graph(std::move(list));
        const std::string text = written(graph, c);
        const Graph back = build_graph(read_edges(std::span<const char>(text), "g." + std::string(c.ending)));
        EXPECT_EQ(content_of(graph, false, false), content_of(back, false, false)) << text;
      }
}

}  // namespace of_names_test
}  // namespace hopwave
