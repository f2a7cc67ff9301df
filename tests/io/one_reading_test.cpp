// Files of programs that could be taken for something else: each is read in its one right way, or refused by an error that
// says what decides. What is expected was worked out by hand.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "hopwave/error.h"
#include "hopwave/io.h"
#include "support/temp_dir.h"

namespace hopwave {
namespace of_one_reading_test {

struct Wishes {
  std::string columns = {}, format = {};
  std::optional<bool> header = {};
  bool weights = true, lenient = false;
};

EdgeList list_of(const std::string& text, const Wishes& wishes, const std::string& name) {
  ReadOptions options{.format = wishes.format, .lenient = wishes.lenient, .weights = wishes.weights, .threads = 1};
  options.columns = wishes.columns;
  options.header = wishes.header;
  return read_edges(std::span<const char>(text), name, options);
}

/// "a>b:2 b>c:3", "a-b" without direction, then vertices without an edge; or the error's id and line.
std::string said(const std::string& text, const Wishes& wishes = {}, const std::string& name = "g.csv") {
  try {
    const EdgeList list = list_of(text, wishes, name);
    std::string out;
    std::vector<bool> seen(list.num_vertices, false);
    for (std::size_t i = 0; i < list.edges.size(); ++i) {
      const auto [u, v] = list.edges[i];
      seen[u] = seen[v] = true;
      out += (i ? " " : "") + list.ids.name(u) + (list.directed ? ">" : "-") + list.ids.name(v);
      if (!list.weights.empty()) out += ":" + list.weights.text(i);
    }
    for (VertexId v = 0; v < list.num_vertices; ++v)
      if (!seen[v]) out += " " + list.ids.name(v);
    return out;
  } catch (const Error& error) {
    return error.parts().id + (error.parts().where.line ? " " + std::to_string(error.parts().where.line) : "");
  }
}

std::string notes_of(const std::string& text, const Wishes& wishes = {}, const std::string& name = "g.csv") {
  std::string all;
  for (const std::string& note : list_of(text, wishes, name).report.notes) all += note + "\n";
  return all;
}

Error::Parts fault_of(const std::string& text, const Wishes& wishes = {}, const std::string& name = "g.csv") {
  try {
    list_of(text, wishes, name);
  } catch (const Error& error) {
    return error.parts();
  }
  return {.id = "none"};
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

struct Case {
  const char* text;
  const char* says;
  Wishes wishes = {};
};

void check(const std::vector<Case>& cases, const std::string& name = "g.csv") {
  for (const Case& c : cases) EXPECT_EQ(said(c.text, c.wishes, name), c.says) << c.text;
}

std::string node_link(const std::string& nodes, const std::string& links) {
  return R"({"directed": false, "nodes": [)" + nodes + R"(], "links": [)" + links + "]}";
}

TEST(OneReading, LinksThatCountNodesWithNumbersAsIds) {
  const std::string tens = R"({"id": 10}, {"id": 20}, {"id": 30})", ones = R"({"id": 1}, {"id": 2}, {"id": 3})";
  const auto link = [](int u, int v) {
    return R"({"source": )" + std::to_string(u) + R"(, "target": )" + std::to_string(v) + "}";
  };
  const auto read = [](const std::string& text) { return said(text, {}, "g.json"); };
  EXPECT_EQ(read(node_link(tens, link(0, 1) + "," + link(1, 2))), "10-20 20-30");
  EXPECT_EQ(read(node_link(ones, link(0, 1) + "," + link(1, 2))), "1-2 2-3");
  EXPECT_EQ(read(node_link(R"({"id": 3}, {"id": 1}, {"id": 2})", link(0, 1))), "3-1 2");
  EXPECT_TRUE(has(notes_of(node_link(ones, link(0, 1)), {}, "g.json"), "they count nodes from 0"));
  // Links before nodes.
  EXPECT_EQ(read(R"({"links": [)" + link(0, 2) + R"(], "directed": true, "nodes": [)" + ones + "]}"), "1>3 2");
  // Both fit: ids, with a note where the graphs differ.
  EXPECT_EQ(read(node_link(ones, link(1, 2))), "1-2 3");
  EXPECT_TRUE(has(notes_of(node_link(ones, link(1, 2)), {}, "g.json"), "links name nodes by their id"));
  EXPECT_EQ(notes_of(node_link(R"({"id": 0}, {"id": 1})", link(0, 1)), {}, "g.json"), "");
  EXPECT_EQ(notes_of(node_link(ones, link(2, 3)), {}, "g.json"), "");
  // Neither fits.
  EXPECT_EQ(read(node_link(tens, link(10, 1))), "HW-NODES-UNKNOWN 1");
  EXPECT_EQ(read(node_link(ones, link(0, 3))), "HW-NODES-UNKNOWN 1");
  EXPECT_EQ(read(node_link(ones, link(1, 4))), "HW-NODES-UNKNOWN 1");
}

TEST(OneReading, WeightsThatAreNotWantedAreNotLookedAt) {
  const Wishes none{.weights = false};
  const std::string matrix = "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 2\n2 3 1e999\n3 1 much, or not\n";
  EXPECT_EQ(said(matrix, none, "g.mtx"), "1>2 2>3 3>1");
  EXPECT_EQ(said(matrix, {}, "g.mtx"), "HW-MTX-VALUE 3");
  EXPECT_EQ(said("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2x\n", none, "g.mtx"), "HW-MTX-INDEX 3");
  EXPECT_EQ(said(std::string("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 \0\n", 60), none, "g.mtx"),
            "HW-MTX-VALUE 3");
  EXPECT_EQ(said("p sp 3 2\na 1 2\na 2 3 -5\n", none, "g.gr"), "1>2 2>3");
  EXPECT_EQ(said("p sp 3 2\na 1 2\na 2 3 -5\n", {}, "g.gr"), "HW-GR-WEIGHT 2");
  EXPECT_EQ(said("0 1 2\n1 2 3 x\n", none, "g.cedge"), "1>2 2>3");
  EXPECT_EQ(said("3 2 1\n2 x\n1 -7 3 nan\n2 1e999\n", none, "g.graph"), "1-2 2-1 2-3 3-2");
  EXPECT_EQ(said("3 2 1\n2 5\n1 5 3\n2 7\n", none, "g.graph"), "HW-METIS-WEIGHT 3");  // what is a neighbour there?
  EXPECT_EQ(said("source,target,weight\n1,2,NA\n2,3,5 km\n", none), "1>2 2>3");
}

}  // namespace of_one_reading_test
}  // namespace hopwave
