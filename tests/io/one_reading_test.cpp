// Files of programs that could be taken for something else: each is read in its one right way, or refused by an error that
// says what decides. What is expected was worked out by hand.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "hopwave/error.h"
#include "hopwave/io.h"
#include "support/error_id.h"
#include "support/temp_dir.h"

namespace hopwave {
namespace of_one_reading_test {

using namespace std::string_literals;

struct Wishes {
  std::string columns = {}, format = {};
  std::optional<bool> header = {};
  bool weights = true, lenient = false;
};

EdgeList list_of(const std::string& text, const Wishes& wishes, const std::string& name) {
  ReadOptions options{.format = wishes.format, .lenient = wishes.lenient, .weights = wishes.weights, .run = {.threads = 1}};
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
  return testing::parts_of([&] { list_of(text, wishes, name); });
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

TEST(OneReading, TwoColumnsOfOneNameAreAnErrorUnlessColumnsDecides) {
  check({{"source,target,weight,weight\n1,2,3,4\n", "HW-EDGE-COLUMNS 1"},
         {"source,target,weight,weight\n1,2,3,4\n", "1>2:4", {.columns = "weight=4"}},
         {"source,target,weight,weight\n1,2,3,4\n", "HW-READ-COLUMNS", {.columns = "weight=weight"}},
         {"source,target,weight,weight\n1,2,3,4\n", "1>2", {.columns = "weight=none"}},
         {"source,target,weight,weight\n1,2,3,4\n", "1>2", {.weights = false}},
         {"source,target,Weight,weight\n1,2,3,4\n", "HW-EDGE-COLUMNS 1"},
         {"source,target,Weight,weight\n1,2,3,4\n", "1>2:3", {.columns = "weight=Weight"}},
         {"source,target,length,length_m\n1,2,3,4\n", "HW-EDGE-COLUMNS 1"},
         {"source,target,cost,weight\n1,2,3,4\n", "1>2:4"},
         {"# source target weight weight\n1 2 3 4\n", "HW-EDGE-COLUMNS 2"},
         {"from,to,from\n1,2,3\n", "HW-EDGE-COLUMNS 1"},
         {"from,to,from\n1,2,3\n", "3>2", {.columns = "source=3"}},
         {"from,to,from\n1,2,3\n", "1>3", {.columns = "source=1,target=3"}},
         {"Source,source,Target\n1,2,3\n", "HW-EDGE-COLUMNS 1"},
         {"source,source\n1,2\n", "HW-EDGE-COLUMNS 1"},
         {"source,target,source,target\n1,2,3,4\n", "HW-EDGE-COLUMNS 1"},
         {"source,target,type,type\n1,2,Undirected,Directed\n", "HW-EDGE-COLUMNS 2"},
         {"source,target,type,type\n1,2,likes,knows\n", "1>2"},
         {"source,target,cost,reverse_cost,reverse_cost\n1,2,1,2,3\n", "HW-EDGE-COLUMNS 1"},
         {"source,target,cost,reverse_cost,reverse_cost\n1,2,1,2,3\n", "1>2:1 2>1:3", {.columns = "reverse=5"}},
         {"source,target,note,note\n1,2,3,4\n", "1>2"}});
  EXPECT_TRUE(has(notes_of("source,target,cost,weight\n1,2,3,4\n"), "column not read: 'cost'"));
  const auto fault = fault_of("source,target,weight,weight\n1,2,3,4\n");
  EXPECT_TRUE(has(fault.hint, "--columns weight=3, or weight=4")) << fault.hint;
}

TEST(OneReading, CountsOfEdgesThatAreListedTwice) {
  check(
      {{"5 6\n1 2\n2 1\n2 3\n3 2\n3 4\n4 3\n4 5\n5 4\n1 5\n5 1\n1 3\n3 1\n", "1>2 2>1 2>3 3>2 3>4 4>3 4>5 5>4 1>5 5>1 1>3 3>1"},
       {"4 4 3\n1 2\n2 1\n2 3\n3 2\n3 4\n4 3\n", "1>2 2>1 2>3 3>2 3>4 4>3"},
       {"5 5 3\n1 2 5\n2 1 5\n2 3 6\n3 2 6\n3 4 7\n4 3 7\n", "1>2:5 2>1:5 2>3:6 3>2:6 3>4:7 4>3:7 5"},
       {"4 3\n1 2\n2 1\n2 3\n3 2\n3 4\n4 3\n", "HW-EDGE-COUNTS"},  // 4 3 is one of the edges, too
       {"3 3\n1 2\n2 1\n1 3\n3 1\n2 3\n3 2\n", "HW-EDGE-COUNTS"},
       {"5 6\n1 2\n2 1\n2 3\n3 2\n3 4\n4 3\n4 5\n5 4\n1 5\n5 1\n1 3\n4 1\n",  // one edge has no way back
        "5>6 1>2 2>1 2>3 3>2 3>4 4>3 4>5 5>4 1>5 5>1 1>3 4>1"},
       {"4 4 3\n1 2\n2 1\n2 3\n3 2\n3 4\n3 4\n", "HW-EDGE-COUNTS"},
       {"5 1\n1 2\n2 1\n", "HW-EDGE-COUNTS"}},
      "g.txt");
  EXPECT_TRUE(has(notes_of("4 4 3\n1 2\n2 1\n2 3\n3 2\n3 4\n4 3\n", {}, "g.txt"),
                  "first row taken as counts: 4 vertices, 3 edges, each in both directions"));
  std::string rows;  // more than is looked at before reading
  for (int i = 1; i < 20000; ++i)
    for (const int step : {1, 7}) {
      rows += std::to_string(i) + " " + std::to_string(i + step) + "\n";
      rows += std::to_string(i + step) + " " + std::to_string(i) + "\n";
    }
  const EdgeList counted = list_of("20010 39998\n" + rows, {}, "g.txt");
  EXPECT_EQ(counted.edges.size(), 79996u);
  EXPECT_EQ(counted.num_vertices, 20010u);
  EXPECT_EQ(list_of("20010 39998\n" + rows + "1 9\n", {}, "g.txt").edges.size(), 79998u);
  EXPECT_EQ(list_of("20010 39997\n" + rows, {}, "g.txt").edges.size(), 79997u);
}

TEST(OneReading, ListsOfNeighboursOfACycle) {
  std::string metis = "20 20\n", adjacency;
  for (int i = 1; i <= 20; ++i) {
    const std::string before = std::to_string(i == 1 ? 20 : i - 1), next = std::to_string(i == 20 ? 1 : i + 1);
    metis += before + " " + next + "\n";
    adjacency += std::to_string(i) + " " + before + " " + next + "\n";
  }
  for (const char* name : {"c", "c.txt", "c.edges"}) {
    EXPECT_EQ(said(metis, {}, name), "HW-FORMAT-AMBIGUOUS") << name;
    EXPECT_EQ(said(adjacency, {}, name), "HW-FORMAT-AMBIGUOUS") << name;
  }
  EXPECT_EQ(list_of(metis, {}, "c.graph").edges.size(), 40u);
  EXPECT_EQ(list_of(metis, {.format = "edge-list"}, "c.txt").edges.size(), 20u);
  EXPECT_EQ(list_of(adjacency, {.format = "adjacency"}, "c.txt").edges.size(), 40u);
  EXPECT_EQ(list_of(adjacency, {.format = "edge-list"}, "c.txt").edges.size(), 20u);
  EXPECT_EQ(said("4 6 0\n2 3 4\n1 3 4\n1 2 4\n1 2 3\n", {}, "k4.txt"), "HW-FORMAT-AMBIGUOUS");
  check({{"0 1 1\n1 2 1\n2 3 1\n3 0 1\n", "0>1:1 1>2:1 2>3:1 3>0:1"},  // a cycle with weights
         {"0 1\n1 2\n2 0\n", "0>1 1>2 2>0"},
         {"3 3\n0 1\n1 2\n2 0\n", "0>1 1>2 2>0"},
         {"1 2 4\n2 1 3\n3 2 4\n4 1 3\n", "HW-FORMAT-AMBIGUOUS"},
         {"2 1 3\n1 2 4\n4 1 3\n3 2 4\n", "HW-FORMAT-AMBIGUOUS"},
         {"a b d\nb a c\nc b d\nd a c\n", "HW-FORMAT-AMBIGUOUS 1"}},
        "g.txt");
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
  EXPECT_EQ(said("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 \0\n"s, none, "g.mtx"), "HW-MTX-VALUE 3");
  EXPECT_EQ(said("p sp 3 2\na 1 2\na 2 3 -5\n", none, "g.gr"), "1>2 2>3");
  EXPECT_EQ(said("p sp 3 2\na 1 2\na 2 3 -5\n", {}, "g.gr"), "HW-GR-WEIGHT 2");
  EXPECT_EQ(said("0 1 2\n1 2 3 x\n", none, "g.cedge"), "1>2 2>3");
  EXPECT_EQ(said("3 2 1\n2 x\n1 -7 3 nan\n2 1e999\n", none, "g.graph"), "1-2 2-1 2-3 3-2");
  EXPECT_EQ(said("3 2 1\n2 5\n1 5 3\n2 7\n", none, "g.graph"), "HW-METIS-WEIGHT 3");  // what is a neighbour there?
  EXPECT_EQ(said("source,target,weight\n1,2,NA\n2,3,5 km\n", none), "1>2 2>3");
}

TEST(OneReading, TablesOfVerticesAreNoEdges) {
  check({{"Id;Label;Weight\n1;Ann;3\n2;Bob;4\n", "HW-EDGE-HEADER 1"},
         {"Id,Label\n1,Ann\n2,Bob\n", "HW-EDGE-HEADER 1"},
         {"id,name\n1,Ann\n2,Bob\n", "HW-EDGE-HEADER 1"},
         {"personId:ID,name,:LABEL\n1,Ann,Person\n2,Bob,Person\n", "HW-EDGE-HEADER 1"},
         {"personId:ID(P),city\n1,Rome\n2,Oslo\n", "HW-EDGE-HEADER 1"},
         {"id,name\n1,Ann\n2,Bob\n", "1>Ann 2>Bob", {.columns = "source=id,target=name"}},
         {"id,name,age\n1,Ann,30\n2,Bob,40\n", "HW-EDGE-HEADER 1"},
         {"node;label;x\n1;a;2\n2;b;1\n", "HW-EDGE-HEADER 1"},
         {"Id,Label,modularity_class,pagerank\n1,Ann,3,0.5\n", "HW-EDGE-HEADER 1"},
         {"id,person,friend\n1,Ann,Bob\n2,Bob,Cid\n", "Ann>Bob Bob>Cid"},
         {"name,name\nAnn,Bob\nBob,Cid\n", "HW-EDGE-HEADER 1"},
         {"Ann 0.5\nBob 1\n", "HW-FORMAT-AMBIGUOUS"},
         {"1 0.15\n2 0.2\n", "HW-EDGE-ID 1"},
         {"Ann 0.5\nBob 1\n", "Ann>0.5 Bob>1", {.format = "names"}},
         {"1.0 2.0\n2.0 3.0\n", "1>2 2>3"},
         {"v1.5 1.5\nv2 2.5\n", "HW-FORMAT-AMBIGUOUS"},
         {"1 Ann\n2 Bob\n#\n1 2\n", "HW-FORMAT-KNOWN"},
         {"1 2\n2 3\n#\n1 3\n", "1>2 2>3 1>3"}});
}

TEST(OneReading, ColumnsThatAreNoIdsOrNoWeights) {
  check(
      {{"2020-01-01,1,2\n2020-01-02,2,3\n", "HW-FORMAT-AMBIGUOUS 1"},
       {"31/01/2020 08:00,a,b\n01/02/2020 09:00,b,c\n", "HW-FORMAT-AMBIGUOUS 1"},
       {"2020-01-01,1,2\n2020-01-02,2,3\n", "1>2 2>3", {.columns = "source=2,target=3"}},
       {"1,2020-01-01,2\n2,2020-01-02,3\n", "HW-FORMAT-AMBIGUOUS 1"},
       {",a,b\n,b,c\n", "HW-EDGE-COLUMNS 1"},
       {",source,target\n,a,b\n,b,c\n", "a>b b>c"},
       {"2020-01-01,2020-01-02,5\n", "2020-01-01>2020-01-02:5"},
       {"1 2 1.5D+00\n2 3 2.5D-01\n", "HW-EDGE-WEIGHT 1"},
       {"1 2 1,5e3\n2 3 2,5e3\n", "HW-EDGE-WEIGHT 1"},
       {"1 2 1/2\n2 3 3/4\n", "HW-EDGE-WEIGHT 1"},
       {"1 2 0x10\n2 3 0x20\n", "HW-EDGE-WEIGHT 1"},
       {"1\t2\t2020-01-01\n2\t3\t2020-01-02\n", "1>2 2>3"},
       {"1|2|1/2/2020\n2|3|3/2/2020\n", "1>2 2>3"},
       {"source target\n9606.E1 9606.E2\n", "HW-EDGE-ID 2"},
       {"source target\n9606.E1 9606.E2\n", "9606.E1>9606.E2", {.format = "names"}},
       {"1.e+06 2\n", "1000000>2"},
       {"hash,from_address,to_address,value\n0xa,0x1,0x2,5\n0xb,0x2,0x3,6\n", "0x1>0x2:5 0x2>0x3:6"},
       {"edge_id;edge_to;edge_from\ne1;1;2\ne2;2;3\n", "2>1 3>2"},
       {"source\trelation\ttarget\na\tp\tb\nb\tp\tc\n", "a>b b>c"},
       {"SUID,shared name,interaction\n62,a (pp) b,pp\n63,b (pp) c,pp\n", "HW-EDGE-HEADER 1"},
       {"4 4 2\n1 2 5\n2 3 6\n3 4 7\n4 1 8\n", "HW-EDGE-COUNTS"},
       {"4 4 2\n1 2 5\n2 3 6\n3 4 7\n4 1 8\n", "4>4:2 1>2:5 2>3:6 3>4:7 4>1:8", {.header = false}},
       {"0 1 {'a': 7, 'b': 8}\n1 2 {'a': 8, 'b': 9}\n", "0>1 1>2"},
       {",1,2\n,2,3\n", "HW-EDGE-COLUMNS 1"},
       {"1,,2\n2,,3\n", "HW-EDGE-ID 1"},
       {"2020-01-01,a,b\n2020-01-02,c,d\n", "HW-FORMAT-AMBIGUOUS 1"},
       {"2020-01-01,a\n2020-01-02,b\n", "2020-01-01>a 2020-01-02>b"},
       {"a,2020-01-01,b\nc,2020-01-02,d\n", "HW-FORMAT-AMBIGUOUS 1"},
       {"wann,wer,wen\n2020-01-01,1,2\n2020-01-02,2,3\n", "HW-FORMAT-AMBIGUOUS 2"},
       {"wer,wann,wen\na,2020-01-01,b\nb,2020-01-02,c\n", "HW-FORMAT-AMBIGUOUS 2"},
       {"wann,wer,wen\n2020-01-01,1,2\n2020-01-02,2,3\n", "1>2 2>3", {.columns = "source=wer,target=wen"}},
       {"when,who,whom\n2020-01-01,1,2\n2020-01-02,2,3\n", "1>2 2>3"},
       {"person,friend,valid_from,valid_to\n1,2,2001,2002\n2,3,2001,2003\n", "1>2 2>3"},
       {"person,friend,from_year,to_year\n1,2,2001,2002\n2,3,2001,2003\n", "1>2 2>3"},
       {"from_town,to_town,from_year,to_year\na,b,2001,2002\n", "a>b"},
       {"person,friend,start,end\na,b,2001,2002\nb,c,2001,2003\n", "HW-EDGE-HEADER 1"},
       {"person,friend,start,end\na,b,2001,2002\nb,c,2001,2003\n", "a>b b>c", {.columns = "source=1,target=2", .header = true}},
       {"id,name,start,end,length\n1,x,1,2,5\n2,x,2,3,6\n", "1>2:5 2>3:6"},
       {"cost,type,town,start,end\n5,x,Rome,1,2\n6,x,Oslo,2,3\n", "1>2:5 2>3:6"}});
  EXPECT_TRUE(has(fault_of("person,friend,start,end\na,b,2001,2002\n").found, "'person', 'friend' and 'start', 'end'"));
  EXPECT_TRUE(has(fault_of("wann,wer,wen\n2020-01-01,a,b\n2020-01-02,b,c\n").found, "a column of dates, 'wann'"));
  EXPECT_TRUE(has(notes_of("1082040961 1 2\n1082155839 3 4\n1082414391 5 2\n"), "though its numbers look like times"));
  EXPECT_FALSE(has(notes_of("1082155839 1 2\n1082040961 3 4\n1082414391 5 2\n"), "look like times"));
}

TEST(OneReading, HeadersThatComeLateOrAgain) {
  check({{"Friends of 2020,,\nsource,target,weight\n1,2,5\n2,3,6\n", "HW-EDGE-HEADER 2"},
         {"source,target\na,b\nsource,target\nb,c\n", "HW-EDGE-HEADER 3"},
         {"source,target\na,b\nsource,target\nb,c\n", "a>b b>c", {.lenient = true}},
         {"source,target\nsource,b\nb,target\n", "source>b b>target"},
         {"source,target\na,b\nSource,TARGET\nb,c\n", "HW-EDGE-HEADER 3"},
         {"source target\n1 2\n  source\ttarget\n2 3\n", "HW-EDGE-HEADER 3"},
         {"\"source\",\"target\"\n1,2\n\"source\",\"target\"\n2,3\n", "HW-EDGE-HEADER 3"},
         {"source target\n1 2\nsource target\n2 3\n", "1>2 2>3", {.lenient = true}},
         {"weight,from,to\n9,1,2\nweight,from,to\n8,2,3\n", "HW-EDGE-HEADER 3"},
         {"weight,from,to\n9,1,2\nweight,from,to\n8,2,3\n", "1>2:9 2>3:8", {.lenient = true}},
         {"source,target\n1,2\nsource,2\n", "HW-EDGE-ID 3"},
         {"foo,bar\n1,2\nfoo,bar\n2,3\n", "HW-EDGE-HEADER 3"},
         {"foo,bar\n1,2\nfoo,bar\n2,3\n", "foo>bar 1>2 foo>bar 2>3", {.header = false}},
         {"foo,bar\n1,2\nfoo,3\n", "foo>bar 1>2 foo>3"},
         {"foo,bar\na,b\nfoo,bar\nb,c\n", "foo>bar a>b foo>bar b>c"},  // or two edges alike
         {"My graph\nsource\ttarget\n1\t2\n", "HW-EDGE-HEADER 2"},
         {"My graph\nsource\ttarget\n1\t2\n", "My>graph source>target 1>2", {.header = false}},
         {"Table 1\n# a comment\nsource target\n1 2\n2 3\n", "HW-EDGE-HEADER 3"},
         {"Title\nsource,target\n1,2\n", "HW-EDGE-HEADER 2"},
         {"Nodes 5\nEdges 2\nsource target\n1 2\n2 3\n", "HW-EDGE-HEADER 3"},
         {"3\nsource target\n1 2\n2 3\n", "HW-EDGE-HEADER 2"},
         {"3 2\nsource target weight\n1 2 5\n2 3 6\n", "HW-EDGE-HEADER 2"},
         {"x y\nfrom to\ny z\n", "x>y from>to y>z"},  // words of the first row are ids
         {"x y\nfrom to\nto z\n", "x>y from>to to>z"},
         {"a b\nb c\nc d\nd e\ne f\nf g\ng h\nh i\nfrom to\n", "a>b b>c c>d d>e e>f f>g g>h h>i from>to"},
         {"Rome,Rome\nOslo,Oslo\n", "HW-EDGE-HEADER"},
         {"Rome,Rome\nOslo,Oslo\n", "Rome>Rome Oslo>Oslo", {.header = false}},
         {"Rome,Rome\nOslo,Rome\n", "Rome>Rome Oslo>Rome"},
         {"x,x\n1,2\n2,3\n", "1>2 2>3"},
         {"sep=;\nu;v;year\n1;2;x\n2;3;\n3;4;y\n", "1>2 2>3 3>4"},
         {"year|source_id|label|target_id\nred|7|0|8\n1|8|x|9\n2|9|x|7\n", "7>8 8>9 9>7"}});
  EXPECT_TRUE(has(fault_of("foo,bar\n1,2\nfoo,bar\n2,3\n").hint, "if it is an edge: --header no"));
  std::string rows;  // more than is looked at before reading
  for (int i = 0; i < 600; ++i) rows += "x" + std::to_string(i) + ",x" + std::to_string(i + 1) + "\n";
  EXPECT_EQ(list_of("Rome,Rome\n" + rows + "x7,Rome\n", {}, "g.csv").edges.size(), 602u);
  EXPECT_EQ(said("Rome,Rome\n" + rows), "HW-EDGE-HEADER");
}

}  // namespace of_one_reading_test
}  // namespace hopwave
