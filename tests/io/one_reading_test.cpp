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
