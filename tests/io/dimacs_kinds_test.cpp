// DIMACS problems besides shortest paths; banners of Matrix Market that are odd; edges with two weights.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "hopwave/error.h"
#include "hopwave/graph.h"
#include "hopwave/io.h"
#include "support/error_id.h"
#include "support/temp_dir.h"

namespace hopwave {
namespace of_dimacs_kinds_test {

EdgeList read(std::string_view text, const ReadOptions& options = {}) {
  return read_edges(std::span<const char>(text.data(), text.size()), "g", options);
}
std::string refusal(std::string_view text, const ReadOptions& options = {}) {
  try {
    (void)build_graph(read(text, options));
  } catch (const Error& error) {
    return error.id() + " " + std::to_string(error.parts().where.line) + ":" + std::to_string(error.parts().where.column);
  }
  return "read";
}

TEST(DimacsKinds, ColouringsAndCliques) {
  for (const char* kind : {"edge", "col", "edges"}) {
    const EdgeList list = read("c a graph\np " + std::string(kind) + " 4 3\nn 1 5\ne 1 2\ne 2 3\ne 3 1\n");
    EXPECT_FALSE(list.directed);
    EXPECT_EQ(list.num_vertices, 4u);
    EXPECT_EQ(list.edges.size(), 3u);
    EXPECT_TRUE(list.weights.empty());
    EXPECT_TRUE(list.report.notes.empty());
  }
  const EdgeList twice = read("p edge 3 2\ne 1 2\ne 2 1\ne 2 3\ne 3 2\n");
  EXPECT_EQ(twice.report.notes.size(), 1u);
  EXPECT_EQ(build_graph(read("p edge 3 2\ne 1 2\ne 2 1\ne 2 3\ne 3 2\n")).num_arcs(), 4u);
  EXPECT_EQ(read("p edge 3 4\ne 1 2\ne 2 3\n").report.notes.size(), 1u);
  EXPECT_EQ(refusal("p edge 3 5\ne 1 2\ne 2 3\n"), "HW-GR-COUNT 0:0");
  EXPECT_EQ(refusal("p edge 3 1\na 1 2\n"), "HW-GR-LINE 2:1");
  EXPECT_EQ(refusal("p edge 3 1\ne 1 4\n"), "HW-GR-INDEX 2:5");
  EXPECT_EQ(refusal("p edge 3 1\ne 1 2 3\n"), "HW-GR-LINE 2:7");
  EXPECT_EQ(refusal("p sp 3 1\ne 1 2\n"), "HW-GR-LINE 2:1");
  EXPECT_EQ(refusal("p sp 3 1\nn 1\n"), "HW-GR-LINE 2:1");
  EXPECT_EQ(refusal("p sp\n"), "HW-GR-PROBLEM 1:5");
  EXPECT_EQ(read("p edge 3 1\nd 2 1 2\nv 1 0 5\nx 7\ne 1 2\n").edges.size(), 1u) << "how the graph was made";
  EXPECT_EQ(refusal("p edge 3 1\ndx 1 2\n"), "HW-GR-LINE 2:1");
}

TEST(DimacsKinds, Flows) {
  const EdgeList list = read("p max 3 2\nn 2 s\nn 3 t\na 2 1 5\na 1 3 7\n");
  EXPECT_TRUE(list.directed);
  EXPECT_EQ(list.weights.text(0) + " " + list.weights.text(1), "5 7");
  EXPECT_EQ(list.default_source, VertexId{1});
  const EdgeList cheapest = read("p min 2 1\nn 1 4\nn 2 -4\na 1 2 0 6 9\n");
  EXPECT_EQ(cheapest.weights.text(0), "6");
  EXPECT_FALSE(cheapest.default_source);
  ASSERT_EQ(cheapest.report.notes.size(), 1u);
  EXPECT_NE(cheapest.report.notes[0].find("capacity; lower bounds and costs are not read"), std::string::npos);
  EXPECT_EQ(list.report.notes.size(), 1u);
  EXPECT_TRUE(read("p min 2 1\na 1 2 0 6 9\n", {.weights = false}).report.notes.empty());
  EXPECT_EQ(refusal("p max 2 0\nn 1 s\nn 2 s\n"), "HW-GR-LINE 3:3");
  EXPECT_EQ(refusal("p max 2 0\nn 1 t\nn 2 t\n"), "HW-GR-LINE 3:3");
  EXPECT_EQ(refusal("p max 2 0\nn 1 t\nn 1 s\n"), "HW-GR-LINE 3:3") << "both ends are one vertex";
  EXPECT_EQ(refusal("p max 2 0\nn 1 s\nc\nn 1 t\n"), "HW-GR-LINE 4:3");
  EXPECT_EQ(refusal("p max 2 0\nn 1 x\n"), "HW-GR-LINE 2:5");
  EXPECT_EQ(refusal("p max 2 0\nn 3 s\n"), "HW-GR-INDEX 2:3");
  EXPECT_EQ(read("p max 2 0\nn 1 s\nn 1 s\n").default_source, VertexId{0}) << "the same one twice";
  EXPECT_EQ(list.report.details, "maximum flow from 2 to 3, weights are capacities");
  EXPECT_EQ(read("p max 2 0\nn 2 t\nn 2 t\n").report.details, "maximum flow to 2, weights are capacities");
  EXPECT_EQ(refusal("p max 2 0\nn 1 s x\n"), "HW-GR-LINE 2:5");
  EXPECT_EQ(refusal("p max 2 0\nn1 s\n"), "HW-GR-LINE 2:2");
  EXPECT_EQ(refusal("p max 2 0\nn x s\n"), "HW-GR-LINE 2:3");
  EXPECT_EQ(refusal("p max 2 0\nn 1x s\n"), "HW-GR-LINE 2:3");
  EXPECT_EQ(refusal("p max 2 1\na 1\n"), "HW-GR-LINE 2:4");
  EXPECT_EQ(refusal("p min 2 0\nn 1 \n"), "HW-GR-LINE 2:3") << "no value";
  EXPECT_EQ(refusal("p min 2 1\na 1\n"), "HW-GR-LINE 2:4");
  EXPECT_EQ(refusal("p min 2 1\na 1 2 6\n"), "HW-GR-WEIGHT 2:8");
  for (const char* kind : {"mat", "cnf", "asn", "s"})
    EXPECT_EQ(refusal("p " + std::string(kind) + " 2 1\n"), "HW-GR-PROBLEM 1:3") << kind;
}

/// What is written is read as the same network: capacities to the last bit, parallel arcs, loops, and the source.
TEST(DimacsKinds, FlowsAreWritten) {
  const TempDir folder;
  const std::string path = folder.path("net.max");
  const auto text = [&] { return content_of(path); };
  const BuildOptions all{.keep_duplicates = true, .keep_self_loops = true};
  const std::string problem =
      "p max 4 6\nn 2 s\nn 4 t\na 1 3 0\na 2 1 9223372036854775807\na 2 1 9007199254740993\na 2 2 5\na 3 4 1\na 4 1 2\n";
  const Graph graph = build_graph(read(problem), all);
  write_graph(graph, path, {.target = 3});
  EXPECT_EQ(text(),
            "p max 4 6\nn 2 s\nn 4 t\na 1 3 0\na 2 1 9007199254740993\na 2 1 9223372036854775807\na 2 2 5\na 3 4 1\na 4 1 2\n");
  write_graph(graph, folder.path("same.max"));
  EXPECT_EQ(content_of(folder.path("same.max")), text()) << "both ends of the input";
  write_graph(graph, folder.path("back.max"), {.source = 0});
  EXPECT_NE(content_of(folder.path("back.max")).find("n 1 s\nn 4 t\n"), std::string::npos);
  const Graph back = load_graph(path, {}, all);
  EXPECT_EQ(back.default_source(), VertexId{1});
  EXPECT_EQ(back.num_arcs(), 6u);
  for (EdgeIndex a = 0; a < 6; ++a) {
    EXPECT_EQ(back.out().weights.text(a), graph.out().weights.text(a));
    EXPECT_EQ(back.out().neighbors[a], graph.out().neighbors[a]);
  }
  const Graph plain = build_graph(read("p edge 3 2\ne 1 2\ne 2 3\n"), {});
  write_graph(plain, path, {.target = 2, .source = 0});
  EXPECT_EQ(text().substr(text().find('\n') + 1), "p max 3 4\nn 1 s\nn 3 t\na 1 2 1\na 2 1 1\na 2 3 1\na 3 2 1\n");
  EXPECT_FALSE(load_graph(path).directed());
  const auto refused = [&](const WriteOptions& options, const std::string& name = "net.max") {
    return testing::id_of([&] { write_graph(plain, folder.path(name), options); }, "");
  };
  EXPECT_EQ(refused({}), "HW-WRITE-FLOW");
  EXPECT_EQ(refused({.source = 0}), "HW-WRITE-FLOW");
  EXPECT_EQ(refused({.target = 2}), "HW-WRITE-FLOW") << "no source";
  EXPECT_EQ(refused({.target = 2, .source = 2}), "HW-WRITE-FLOW");
  EXPECT_EQ(refused({.target = 3, .source = 0}), "HW-WRITE-FLOW");
  EXPECT_EQ(refused({.target = 0, .source = 3}), "HW-WRITE-FLOW");
  EXPECT_EQ(refused({.target = 2, .source = 0}, "net.mtx"), "HW-WRITE-FLOW");
  EXPECT_EQ(refused({.target = 2, .source = 0}, "net.gr"), "");
  EXPECT_EQ(refused({}, "net.gr"), "");
  EdgeList list = read("p sp 2 1\na 1 2 3\n");
  list.weights = Weights(Array<std::int64_t>::copy_of(std::vector<std::int64_t>{-1}));
  const Graph negative = build_graph(EdgeList(list), {});
  EXPECT_THROW(write_graph(negative, path, {.target = 1, .source = 0}), Error);
  list.weights = Weights(Array<double>::copy_of(std::vector<double>{0.5}));
  EXPECT_THROW(write_graph(build_graph(std::move(list), {}), path, {.target = 1, .source = 0}), Error);
}

TEST(MatrixMarketBanner, HasAnyNumberOfMarks) {
  const std::string rest = " matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n";
  for (const bool lenient : {false, true}) {
    for (const char* banner : {"%MatrixMarket", "%matrixmarket", "%%%MatrixMarket", "% MatrixMarket", "%% MatrixMarket"}) {
      const EdgeList list = read(banner + rest, {.lenient = lenient});
      EXPECT_EQ(list.report.format, "matrix-market") << banner;
      EXPECT_FALSE(list.directed) << banner;
      EXPECT_EQ(list.report.notes.size(), 1u) << banner;
      EXPECT_TRUE(list.report.repairs.empty()) << banner;
    }
    EXPECT_TRUE(read("%%MatrixMarket" + rest, {.lenient = lenient}).report.notes.empty());
  }
  const EdgeList late = read("% from somewhere\n%%MatrixMarket" + rest, {.format = "matrix-market", .lenient = true});
  EXPECT_FALSE(late.directed);
  EXPECT_EQ(late.report.repairs.size(), 1u);
  EXPECT_EQ(refusal("%MatrixMarket matrix array real general\n2 2\n"), "HW-MTX-TYPE 1:22");
  const ReadOptions asked{.format = "matrix-market", .lenient = true};
  EXPECT_FALSE(read("% late\n%%MatrixMarket" + rest.substr(0, rest.find('\n')) + "\n%%MatrixMarket" + rest, asked).directed);
  EXPECT_EQ(refusal("", asked), "HW-MTX-BANNER 0:0");
  EXPECT_EQ(refusal("%%MatrixMarket\n2 2 0\n").substr(0, 7), "HW-MTX-");
  const std::string general = "%%MatrixMarket matrix coordinate pattern general\n% undirected\n";
  EXPECT_EQ(read(general + "2 2 1\n1 2\n").report.notes.size(), 1u);
  EXPECT_EQ(refusal(general + "% directed\n2 2 1\n1 2\n"), "read") << "as of a general matrix";
}

TEST(TwoWeights, OfOneEdgeAreRefused) {
  const std::string metis = "% made by hand\n3 2 001\n2 5\n\n% here\n1 5 3 7\n  2 8\n";
  const std::string three = "% made by hand\n3 2 001\n2 5\n% here\n1 5 3 7\n  2 8\n";
  EXPECT_EQ(refusal(three), "HW-METIS-WEIGHT 6:3");
  try {
    (void)read(three);
  } catch (const Error& error) {
    EXPECT_NE(error.parts().found.find("line 5, column 5"), std::string::npos) << error.what();
  }
  const EdgeList mended = read(three, {.lenient = true});
  EXPECT_EQ(mended.report.repairs.size(), 1u);
  EXPECT_EQ(build_graph(read(three, {.lenient = true})).out().weights.text(3), "7");
  EXPECT_EQ(refusal("3 2 001\n2 5\n1 5 3 7\n2 7\n"), "read");
  EXPECT_EQ(refusal("2 2 001\n2 5 2 6\n1 6 1 5\n"), "read") << "parallel edges, in any order";
  EXPECT_EQ(refusal("2 2 001\n2 5 2 6\n1 6 1 4\n"), "HW-METIS-WEIGHT 3:5");
  EXPECT_EQ(refusal("2 2 001\n1 1 1 2 2 5\n1 6\n"), "HW-METIS-WEIGHT 3:1") << "beside loops";
  EXPECT_EQ(refusal("2 1 001\n2 5x\n1 5\n", {.format = "metis"}), "HW-METIS-WEIGHT 2:3");
  EXPECT_EQ(refusal("2 1 010\n7x 2\n7 1\n", {.format = "metis"}), "HW-METIS-VERTEX 2:1");
  const TempDir dir;
  std::ofstream(dir.path("g.graph")) << "2 1 001\n2 5\n1 6\n";
  if (std::system(("gzip " + dir.path("g.graph")).c_str()) == 0) {
    const Error::Parts error = testing::parts_of([&] { (void)read_edges(dir.path("g.graph.gz")); });
    EXPECT_EQ(error.id, "HW-METIS-WEIGHT");
    EXPECT_EQ(error.where.line, 0u) << "a stream is not read again";
  }
  // Of edges that are on one line only, or oftener on one than on the other, something else is wrong.
  EXPECT_EQ(refusal("2 1 001\n2 5 2 6\n\n", {.format = "metis"}), "HW-GRAPH-SYMMETRY 0:0");
  EXPECT_EQ(refusal("2 1 001\n\n1 5 1 6\n", {.format = "metis"}), "HW-GRAPH-SYMMETRY 0:0");
  EXPECT_EQ(refusal("2 1 001\n2 5 2 6\n1 5\n", {.format = "metis"}), "HW-METIS-COUNT 0:0");
}

TEST(TwoWeights, InListsOfBothDirections) {
  EdgeList list;
  list.num_vertices = 3;
  list.edges = Array<Edge>::copy_of(std::vector<Edge>{{0, 1}, {1, 0}, {1, 2}, {2, 1}});
  list.directed = false;
  list.both_directions = true;
  const auto built = [&](const std::vector<double>& weights) {
    EdgeList copy = list;
    copy.weights = Array<double>::copy_of(weights);
    try {
      (void)build_graph(std::move(copy));
    } catch (const Error& error) {
      return error.id() + ": " + error.parts().found;
    }
    return std::string("built");
  };
  EXPECT_EQ(built({1, 1, .5, .5}), "built");
  EXPECT_EQ(built({0., -0., 2, 2}), "built");
  EXPECT_EQ(built({1, 1, 2, 3}), "HW-GRAPH-SYMMETRY: the weight 2 from 1 to 2 and 3 back, in an undirected graph");
  const std::vector<EdgeIndex> offsets = {0, 1, 2};
  const std::vector<VertexId> neighbors = {1, 0};
  const std::vector<std::int32_t> same = {4, 4}, other = {4, 5};
  const auto rows = [&](const std::vector<std::int32_t>& weights) {
    return Graph::from_csr(offsets, neighbors, {.directed = false, .weights = weights});
  };
  EXPECT_EQ(rows(same).num_arcs(), 2u);
  EXPECT_THROW((void)rows(other), Error);
}

}  // namespace of_dimacs_kinds_test
}  // namespace hopwave
