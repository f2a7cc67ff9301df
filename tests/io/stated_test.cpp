// What files say of direction and of two kinds of vertices, and who decides.
#include <gtest/gtest.h>

#include <string>

#include "hopwave/error.h"
#include "hopwave/io.h"
#include "support/error_id.h"

namespace hopwave {
namespace of_stated_test {

EdgeList read(const std::string& text, const std::string& name = "g.txt", const ReadOptions& options = {}) {
  return read_edges({text.data(), text.size()}, name, options);
}

std::string error_of(const std::string& text, const std::string& name = "g.txt", const ReadOptions& options = {}) {
  return testing::id_of([&] { read(text, name, options); }, "");
}

TEST(Stated, CommentsThatSayUndirected) {
  for (const char* comment : {"% sym",
                              "% sym unweighted",
                              "% sym positive",
                              "%sym",
                              "% undirected",
                              "# undirected",
                              "#undirected",
                              "# UNDIRECTED",
                              "# Undirected Graph",
                              "# Undirected graph: ../../data/youtube.ungraph.txt",
                              "# Undirected graph (each edge once)",
                              "// undirected",
                              "# directed: false",
                              "# directed=False",
                              "# not directed",
                              "# Type: undirected.",
                              "# non-directed",
                              "% weighted, undirected",
                              "# is_directed: False",
                              "# n=3, isDirected=0",
                              "# is_undirected: true"}) {
    const EdgeList list = read(std::string(comment) + "\n1 2\n2 3\n");
    EXPECT_FALSE(list.directed) << comment;
    EXPECT_FALSE(list.report.direction_assumed) << comment;
    ASSERT_EQ(list.report.notes.size(), 1u) << comment;
    EXPECT_TRUE(list.report.notes[0].starts_with("the file says undirected")) << list.report.notes[0];
  }
}

TEST(Stated, CommentsThatSayDirected) {
  for (const char* comment :
       {"% asym", "% asym weighted", "# Directed graph (each unordered pair of nodes is saved once): x.txt", "# directed",
        "# undirected: no", "# not undirected", "# directed = TRUE", "# is_directed: true"}) {
    const EdgeList list = read(std::string(comment) + "\n1 2\n2 3\n");
    EXPECT_TRUE(list.directed) << comment;
    EXPECT_FALSE(list.report.direction_assumed) << comment;
    EXPECT_TRUE(list.report.notes.empty()) << comment;
  }
}

TEST(Stated, CommentsThatSayNothing) {
  for (const char* comment :
       {"# FromNodeId ToNodeId", "# from undirected.txt", "# ...", "# {|}~ C:\\undirected.txt", "# \xC3\x9C",
        "# an undirected graph made directed", "# symmetry breaking in networks", "# a self-directed course", "#"}) {
    const EdgeList list = read(std::string(comment) + "\n1 2\n2 3\n");
    EXPECT_TRUE(list.directed) << comment;
    EXPECT_TRUE(list.report.direction_assumed) << comment;
  }
}

/// Comments are read before the rows. One further down is named, unless an option or another comment decides.
TEST(Stated, CommentsBelowTheFirstRow) {
  const auto named = [](const std::string& text, const ReadOptions& options = {}) {
    const EdgeList list = read(text, "g.txt", options);
    return !list.report.notes.empty() && list.report.notes.back().find("below the first row") != std::string::npos;
  };
  for (const char* rows : {"1 2\n# Undirected graph\n2 3\n", "1 2\n2 3\n# directed: false", "1,2,5\n// UNDIRECTED\n2,3,4\n",
                           "a b\n% directed=0\nb c\n", "source,target\n1,2\n# undirected\n2,3\n"}) {
    EXPECT_TRUE(named(rows)) << rows;
    EXPECT_TRUE(read(rows).directed) << rows;
    EXPECT_FALSE(named(rows, {.undirected = true})) << rows;
    EXPECT_FALSE(named("# directed\n" + std::string(rows))) << rows;
  }
  EXPECT_FALSE(named("1 2\n# of undirected.txt\n# redirected\n2 3\n"));
}

/// SNAP's email-Enron: a headline, and a word further down.
TEST(Stated, AHeadlineGoesBeforeAMention) {
  const std::string head = "# Directed graph (each unordered pair of nodes is saved once): Email-Enron.txt\n";
  const std::string mention = "# Enron email network (edge indicated that email was exchanged, undirected edges)\n";
  for (const auto& text : {head + mention, mention + head}) {
    const EdgeList list = read(text + "1 2\n2 1\n");
    EXPECT_TRUE(list.directed);
    EXPECT_FALSE(list.report.direction_assumed);
  }
  EXPECT_FALSE(read(mention + "1 2\n").directed);
  EXPECT_EQ(error_of(mention + "# the edges are directed\n1 2\n"), "HW-READ-DIRECTION");
}

TEST(Stated, TheCallerGoesFirst) {
  EXPECT_TRUE(read("# undirected\n1 2\n", "g.txt", {.directed = true}).directed);
  EXPECT_FALSE(read("# directed\n1 2\n", "g.txt", {.undirected = true}).directed);
  EXPECT_EQ(error_of("1 2\n", "g.txt", {.undirected = true, .directed = true}), "HW-READ-DIRECTION");
  EXPECT_EQ(error_of("# undirected\n# directed\n1 2\n"), "HW-READ-DIRECTION");
  EXPECT_TRUE(read("# undirected\n# directed\n1 2\n", "g.txt", {.directed = true}).directed);
}

TEST(Stated, GephisTypes) {
  const EdgeList list = read("Source,Target,Type,Id\n1,2,Undirected,0\n2,3,undirected,1\n", "g.csv");
  EXPECT_FALSE(list.directed);
  EXPECT_TRUE(read("Source,Target,Type\n1,2,Directed\n2,3,Directed\n", "g.csv").directed);
  EXPECT_FALSE(read("Source,Target,Type\na,b,Directed\nb,c,Directed\n", "g.csv").report.direction_assumed);
  EXPECT_TRUE(read("Source,Target,Type\n1,2,friend\n2,3,Directed\n", "g.csv").report.direction_assumed);
  // Of both kinds: undirected rows are arcs in both directions.
  const EdgeList mixed = read("Source,Target,Type\n1,2,Directed\n2,3,Undirected\n", "g.csv");
  EXPECT_TRUE(mixed.directed);
  EXPECT_EQ(mixed.edges.size(), 3u);
  EXPECT_FALSE(read("Source,Target,Type\n1,2,Directed\n2,3,Undirected\n", "g.csv", {.undirected = true}).directed);
  const EdgeList told = read("Source,Target,Type\n1,2,Undirected\n", "g.csv", {.directed = true});
  EXPECT_TRUE(told.directed);
  EXPECT_EQ(told.edges.size(), 1u);
}

TEST(Stated, KonectsBipartiteGraphs) {
  const EdgeList list = read("% bip unweighted\n% 3 2 2\n1 1\n1 2\n2 1\n", "out.x");
  EXPECT_EQ(list.num_vertices, 4u);
  EXPECT_FALSE(list.directed);
  EXPECT_EQ(list.ids.names(), (std::vector<std::string>{"left:1", "left:2", "right:1", "right:2"}));
  ASSERT_EQ(list.report.notes.size(), 1u);
  EXPECT_NE(list.report.notes[0].find("edges have no direction (--directed"), std::string::npos) << list.report.notes[0];
  EXPECT_EQ(read("% bip\n1 1\n", "out.x", {.directed = true}).report.notes[0].find("direction"), std::string::npos);
  const EdgeList one = read("% bip unweighted\n1 1\n1 2\n2 1\n", "out.x", {.bipartite = false});
  EXPECT_EQ(one.num_vertices, 2u);
  EXPECT_TRUE(read("% bip\n1 1\n", "out.x", {.directed = true}).directed);
  EXPECT_TRUE(read("% bip\n# directed\n1 1\n", "out.x").directed);
}

TEST(Stated, TwoSidesOnRequest) {
  const EdgeList list = read("a,x\nb,x\nx,a\n", "g.csv", {.format = "names", .bipartite = true});
  EXPECT_EQ(list.ids.names(), (std::vector<std::string>{"left:a", "left:x", "left:b", "right:a", "right:x"}));
  EXPECT_EQ(error_of("# bipartite graph\n1 2\n2 3\n"), "HW-READ-BIPARTITE");
  EXPECT_EQ(read("# bipartite graph\n1 10\n2 10\n").num_vertices, 3u);
  // Of a vertex without an edge nothing says on which side it is.
  EXPECT_EQ(read("# Isolated:\t9\n1 2\n", "g.txt", {.bipartite = true}).ids.names(),
            (std::vector<std::string>{"left:1", "right:2", "9"}));
  // Each edge in both directions is one edge where ids are of one kind.
  const std::string both = "# Undirected graph (each edge in both directions)\n1 2\n2 1\n";
  EXPECT_EQ(read(both, "g.txt", {.bipartite = true}).both_directions, false);
  EXPECT_EQ(read("# bipartite graph\n1 2\n2 3\n", "g.txt", {.bipartite = false}).num_vertices, 3u);
  EXPECT_EQ(error_of("3 2\n2 3\n1\n1\n", "g.graph", {.bipartite = true}), "HW-READ-BIPARTITE");
}

TEST(Stated, MatricesThatAreNotSquare) {
  const std::string text = "%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 5\n2 3 7\n1 2 9\n";
  const EdgeList list = read(text, "m.mtx");
  EXPECT_EQ(list.num_vertices, 5u);
  EXPECT_FALSE(list.directed);
  EXPECT_EQ(list.ids.names(), (std::vector<std::string>{"left:1", "left:2", "right:1", "right:2", "right:3"}));
  EXPECT_EQ(list.edges[1].source, 1u);
  EXPECT_EQ(list.edges[1].target, 4u);
  EXPECT_EQ(error_of("%%MatrixMarket matrix coordinate pattern general\n2 3 1\n3 1\n", "m.mtx"), "HW-MTX-INDEX");
  EXPECT_EQ(read(text, "m.mtx", {.bipartite = false}).num_vertices, 3u);
  EXPECT_TRUE(read(text, "m.mtx", {.directed = true}).directed);
  const EdgeList high = read("%%MatrixMarket matrix coordinate pattern general\n3 2 1\n3 1\n", "m.mtx");
  EXPECT_EQ(high.ids.names(), (std::vector<std::string>{"left:1", "left:2", "left:3", "right:1", "right:2"}));
  const std::string square = "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n";
  EXPECT_EQ(read(square, "m.mtx").num_vertices, 2u);
  EXPECT_EQ(read(square, "m.mtx", {.bipartite = true}).num_vertices, 4u);
  EXPECT_EQ(error_of("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n", "m.mtx", {.bipartite = true}),
            "HW-READ-BIPARTITE");
  EXPECT_EQ(error_of("%%MatrixMarket matrix coordinate pattern symmetric\n3 2 1\n2 1\n", "m.mtx"), "HW-MTX-SQUARE");
}

}  // namespace of_stated_test
}  // namespace hopwave
