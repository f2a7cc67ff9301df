// Tables as programs write them: which columns are read, what the first row is, what a cell without a number means, and which
// ids are text. Each file is small, and what it says is written beside it.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "hopwave/error.h"
#include "hopwave/io.h"
#include "io/byte_source.h"
#include "io/edge_cells.h"
#include "io/edge_list.h"
#include "io/input.h"
#include "support/error_id.h"
#include "support/temp_dir.h"

namespace hopwave {
namespace of_tables_test {

using namespace std::string_literals;

struct Wishes {
  std::string columns = {};
  std::optional<bool> header = {};
  std::string missing = {};
  bool weights = true, lenient = false, undirected = false, decimal_comma = false;
  std::string format = {};
};

ReadOptions options_of(const Wishes& wishes) {
  ReadOptions options{.format = wishes.format, .lenient = wishes.lenient, .undirected = wishes.undirected};
  options.weights = wishes.weights;
  options.columns = wishes.columns;
  options.header = wishes.header;
  options.missing_weight = wishes.missing;
  options.decimal_comma = wishes.decimal_comma;
  options.run.threads = 1;
  return options;
}

/// "a>b:2 b>c:3": the arcs in the order of the file; "a-b" if they have no direction. Then vertices without an edge.
std::string shown(const EdgeList& list) {
  std::string text;
  std::vector<bool> seen(list.num_vertices, false);
  for (std::size_t i = 0; i < list.edges.size(); ++i) {
    const auto [u, v] = list.edges[i];
    seen[u] = seen[v] = true;
    text += (i ? " " : "") + list.ids.name(u) + (list.directed ? ">" : "-") + list.ids.name(v);
    if (!list.weights.empty()) text += ":" + list.weights.text(i);
  }
  for (VertexId v = 0; v < list.num_vertices; ++v)
    if (!seen[v]) text += " " + list.ids.name(v);
  return text;
}

EdgeList list_of(const std::string& text, const Wishes& wishes = {}, const std::string& name = "g.txt") {
  return read_edges(std::span<const char>(text), name, options_of(wishes));
}

Error::Parts fault_of(const std::string& text, const Wishes& wishes = {}) {
  return testing::parts_of([&] { list_of(text, wishes); });
}

/// The arcs, or the id of the error and its line.
std::string said(const std::string& text, const Wishes& wishes = {}) {
  try {
    return shown(list_of(text, wishes));
  } catch (const Error& error) {
    return error.parts().id + (error.parts().where.line ? " " + std::to_string(error.parts().where.line) : "");
  }
}

std::string notes_of(const std::string& text, const Wishes& wishes = {}) {
  std::string all;
  for (const std::string& note : list_of(text, wishes).report.notes) all += note + "\n";
  return all;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

struct Case {
  const char* text;
  const char* says;
  Wishes wishes = {};
};

void check(const std::vector<Case>& cases) {
  for (const Case& c : cases) EXPECT_EQ(said(c.text, c.wishes), c.says) << c.text;
}

TEST(TableColumns, AreFoundByTheirNames) {
  check({{"u,v,key,osmid,length\n1,2,0,77,12.5\n2,3,0,78,3\n", "1>2:12.5 2>3:3"},
         {"source,target\n1,2\n", "1>2"},
         {"SOURCE,Target,Weight\n1,2,4\n", "1>2:4"},
         {"\"source\",\"target\",\"weight\"\n1,2,4\n", "1>2:4"},
         {"target,source\n1,2\n", "2>1"},
         {"to,from\n1,2\n2,3\n", "2>1 3>2"},
         {"to from\n1 2\n", "2>1"},
         {"dst\tsrc\tw\n1\t2\t5\n", "2>1:5"},
         {"weight,from,to\n9,1,2\n", "1>2:9"},
         {"id,source,target\n7,1,2\n8,2,3\n", "1>2 2>3"},
         {"id,source,target\n7,a,b\n8,b,c\n", "a>b b>c"},
         {":START_ID,:END_ID\na,b\nb,c\n", "a>b b>c"},
         {":START_ID(Person),since:int,:END_ID(Person),:TYPE\na,1999,b,KNOWS\nb,2001,c,KNOWS\n", "a>b b>c"},
         {":START_ID,weight:float,:END_ID\n1,2.5,2\n", "1>2:2.5"},
         {"Source;Target;Type;Id;Label;Weight\n1;2;Directed;0;;2\n", "1>2:2"},
         {"from,to,length_m\n1,2,5\n", "1>2:5"},
         {"from,to,length (m)\n1,2,5\n", "1>2:5"},
         {"from,to,cost,length\n1,2,5,6\n", "1>2:5"},
         {"\"\",\"from\",\"to\",\"weight\"\n\"1\",\"A\",\"B\",3\n\"2\",\"B\",\"C\",4\n", "A>B:3 B>C:4"},
         {"\"from\" \"to\" \"weight\"\n\"1\" \"A\" \"B\" 3\n\"2\" \"B\" \"C\" 4\n", "A>B:3 B>C:4"},
         {"from to weight\n1 5 6 3\n2 6 7 4\n", "5>6:3 6>7:4"},
         {"other,target\n1,2\n", "1>2"},
         {"sep=;\nsource;target\n1;2\n", "1>2"},
         {"row,col,data\n0,3,5\n0,7,5\n4,1,2\n", "0>3 0>7 4>1"},  // scipy.sparse.coo_array
         {"row,column,value\n0,3,5\n0,7,6\n", "0>3:5 0>7:6"},
         {"row,source,target\n1,5,6\n2,6,7\n", "5>6 6>7"},
         {"# FromNodeId\tToNodeId\tWeight\n1\t2\t5\n", "1>2:5"},
         {"# to from\n1 2\n", "2>1"}});
  EXPECT_EQ(fault_of("from,to,source,target\n1,2,3,4\n").id, "HW-EDGE-HEADER");
  EXPECT_EQ(fault_of("a,b,source\n1,2,3\n").id, "HW-EDGE-HEADER");
  EXPECT_EQ(fault_of("id,a1,a2,a3\n1,2,3,4\n").id, "HW-EDGE-HEADER");
  EXPECT_TRUE(has(fault_of("a,b,source\n1,2,3\n").hint, "--columns"));
  EXPECT_EQ(said("id,person,friend\n7,1,2\n8,1,3\n"), "1>2 1>3");
  EXPECT_EQ(fault_of("id,friend,score\n1,2,50\n1,3,60\n").id, "HW-EDGE-HEADER") << "the id does not number the rows";
}

TEST(TableColumns, OfOtherNamesAreNoWeights) {
  for (const std::string name : {"id", "key", "timestamp", "label", "year", "osmid", "count of rows"}) {
    const std::string text = "source,target," + name + "\n1,2,99\n2,3,98\n";
    EXPECT_EQ(said(text), "1>2 2>3") << name;
    EXPECT_TRUE(has(notes_of(text), "'" + name + "'")) << name;
    EXPECT_TRUE(has(notes_of(text), "--columns weight=")) << name;
  }
  EXPECT_EQ(said("# source target timestamp\n1 2 99\n"), "1>2");
  EXPECT_TRUE(has(notes_of("1 2 5 99\n2 3 6 98\n"), "column not read: 4"));
  EXPECT_EQ(said("1 2 5 99\n2 3 6 98\n"), "1>2:5 2>3:6");
  EXPECT_EQ(notes_of("1 2 5\n2 3 6\n"), "");
}

TEST(TableColumns, AreChosenByOption) {
  const std::string table = "source,target,timestamp,km\n1,2,99,5\n2,3,98,6\n";
  check({{table.c_str(), "1>2:99 2>3:98", {.columns = "weight=timestamp"}},
         {table.c_str(), "1>2:5 2>3:6", {.columns = "weight=km"}},
         {table.c_str(), "1>2:5 2>3:6", {.columns = "weight=4"}},
         {table.c_str(), "2>1 3>2", {.columns = "source=target,target=source"}},
         {table.c_str(), "1>99 2>98", {.columns = "target=timestamp"}},
         {"7 1 2 3\n8 2 3 4\n", "1>2:3 2>3:4", {.columns = "source=2,target=3,weight=4"}},
         {"7 1 2 3\n8 2 3 4\n", "1>2 2>3", {.columns = "source=2,target=3"}},
         {"1 2 3 4\n2 3 4\n", "1>2:3 2>3:4", {.columns = "source=1,target=2,weight=3"}},
         {"A pp B\nB pd C\n", "A>B B>C", {.columns = "source=1,target=3"}},
         {table.c_str(), "HW-READ-COLUMNS", {.columns = "weight=hours"}},
         {table.c_str(), "HW-READ-COLUMNS", {.columns = "weight=5"}},
         {table.c_str(), "HW-READ-COLUMNS", {.columns = "wait=km"}},
         {table.c_str(), "HW-READ-COLUMNS", {.columns = "km"}},
         {table.c_str(), "HW-READ-COLUMNS", {.columns = "source=km,target=km"}},
         {table.c_str(), "HW-READ-COLUMNS", {.columns = "weight=km", .header = false}}});
  const std::string matrix = "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n";
  EXPECT_EQ(said(matrix, {.columns = "source=1,target=2"}), "HW-READ-COLUMNS");
  EXPECT_EQ(said(matrix, {.header = true}), "HW-READ-COLUMNS");
  EXPECT_EQ(said(matrix, {.missing = "drop"}), "HW-READ-COLUMNS");
}

TEST(TableColumns, OfCostsInBothDirections) {
  check(
      {{"id,source,target,cost,reverse_cost\n1,10,20,1.5,-1\n2,20,30,-1,2\n3,30,10,4,5\n", "10>20:1.5 30>20:2 30>10:4 10>30:5"},
       {"gid;source;target;length_m;cost_s;reverse_cost_s\n7;1;2;90;5;-1\n8;2;3;90;6;7\n", "1>2:5 2>3:6 3>2:7"},
       {"source,target,cost,reverse_cost,cost_s,reverse_cost_s\n1,2,3,4,5,6\n", "HW-EDGE-COLUMNS 1"},
       {"source,target,cost,reverse_cost,cost_s,reverse_cost_s\n1,2,3,4,5,6\n", "1>2:5 2>1:6", {.columns = "weight=cost_s"}},
       {"source,target,cost,reverse_cost,cost_s,reverse_cost_s\n1,2,3,4,5,6\n", "1>2:3 2>1:4", {.columns = "weight=cost"}},
       {"source,target,cost,reverse_cost\n1,2,3,\n", "HW-EDGE-WEIGHT 2"},
       {"source,target,cost,reverse_cost\n1,2,3,\n", "1>2:3", {.missing = "drop"}},
       {"source,target,cost,reverse_cost\n1,2,3,4\n2,3,5,-1\n", "1>2 2>1 2>3", {.weights = false}},
       {"source,target,cost\n1,2,-3\n", "1>2:-3"}});
}

TEST(TableColumns, OfTypesGiveTheDirection) {
  check({{"Source,Target,Type,Weight\na,b,Undirected,2\nb,c,Undirected,3\n", "a-b:2 b-c:3"},
         {"Source,Target,Type\n1,2,Directed\n2,3,Directed\n", "1>2 2>3"},
         {"Source,Target,Type\n1,2,Directed\n2,3,Undirected\n3,3,Undirected\n", "1>2 2>3 3>2 3>3"},
         {"Source,Target,Type\n1,2,Directed\n2,3,Undirected\n", "1-2 2-3", {.undirected = true}},
         {"Source,Target,Type\n1,2,friend\n2,3,Undirected\n", "1>2 2>3"},
         {"Source,Target,Type\n1,2,\n2,3,\n", "1>2 2>3"},
         {"Source,Target,Type\n1,2,Undirected\n2,3,\n", "HW-EDGE-COLUMNS 3"},
         {"Source,Target,Type\n1,2,\n2,3,Undirected\n", "HW-EDGE-COLUMNS 2"},
         {"Source,Target,Type\n1,2,\n2,3,Undirected\n", "1>2 2>3", {.columns = "type=none"}},
         {"Source,Target,Type\n1,2,\n2,3,Undirected\n", "1-2 2-3", {.undirected = true}}});
  std::string late = "Source,Target,Type\n";
  for (int i = 0; i < 5000; ++i) late += std::to_string(i) + "," + std::to_string(i + 1) + ",Directed\n";
  EXPECT_EQ(list_of(late + "7,9,Undirected\n").edges.size(), 5002u);
  EXPECT_TRUE(has(notes_of(late + "7,9,Undirected\n"), "both kinds"));
  EXPECT_EQ(fault_of(late + "7,9,\n").where.line, 5002u);
}

/// What is no number gives the same answer in the first row and in a later one, whether ids are numbers or names.
TEST(TableWeights, AreNumbersInAllRowsOrAnErrorAtTheOneThatIsNone) {
  for (const std::string bad :
       {"NA", "", "null", "NULL", "NaN", "nan", "-nan", "N/A", "#N/A", "\\N", "None", "-", "5 km", "5,5", "1_000", "x", "'5'"})
    for (const std::vector<std::string>& rows : {std::vector<std::string>{"0;1;", "1;2;", "2;3;"}, {"a;b;", "b;c;", "c;d;"}})
      for (std::size_t at = 0; at < 3; ++at) {
        std::string text;
        for (std::size_t i = 0; i < 3; ++i) text += rows[i] + (i == at ? bad : "7") + "\n";
        const Error::Parts fault = fault_of(text);
        EXPECT_EQ(fault.id, "HW-EDGE-WEIGHT") << text;
        EXPECT_EQ(fault.where.line, at + 1) << text;
        EXPECT_EQ(fault.where.column, 5u) << text;
        for (const char* option : {"--missing-weight", "--columns", "--no-weights"})
          EXPECT_TRUE(has(fault.hint, option)) << text;
        EXPECT_EQ(list_of(text, {.weights = false}).edges.size(), 3u) << text;
      }
  check({{"0;1;\"5\"\n1;2;6\n", "0>1:5 1>2:6"},
         {"0;1;6\n1;2;\"5\"\n", "0>1:6 1>2:5"},
         {"a,b,\"5\"\nb,c,\"6.5\"\n", "a>b:5 b>c:6.5"},
         {"0;1;5 km\n1;2;6 km\n", "HW-EDGE-WEIGHT 1"},
         {"0;1;1,5\n1;2;2,5\n", "HW-EDGE-WEIGHT 1"},
         {"0;1;red\n1;2;blue\n", "0>1 1>2"},
         {"0;1;NA\n1;2;NA\n", "0>1 1>2"},
         {"0;1;2020-01-01\n1;2;2020-01-02\n", "0>1 1>2"},
         {"source,target,weight\na,b,red\nb,c,blue\n", "HW-EDGE-WEIGHT 2"}});
  std::string text;
  for (int i = 0; i < 3000; ++i) text += std::to_string(i) + "," + std::to_string(i + 1) + ",red\n";
  EXPECT_EQ(fault_of(text + "5,7,8\n").where.line, 3001u);
  EXPECT_EQ(fault_of("0;1;5 km\n1;2;6 km\n").found, "'5 km'");
  EXPECT_EQ(fault_of("0;1;" + std::string(30, 'x') + "\n1;2;3\n").found, "'" + std::string(24, 'x') + "…'");
}

TEST(TableWeights, ThatAreMissingStandForWhatTheOptionSays) {
  for (const std::string word : {"NA", "", "null", "NaN", "-nan", "N/A", "#N/A", "\\N", "None", "-", "\"\""}) {
    check({{("0;1;" + word + "\n1;2;3\n").c_str(), "0>1:7.5 1>2:3", {.missing = "7.5"}},
           {("0;1;3\n1;2;" + word + "\n").c_str(), "0>1:3 2", {.missing = "drop"}},
           {("a;b;" + word + "\nb;c;3\n").c_str(), "a>b:-1 b>c:3", {.missing = "-1"}}});
  }
  check({{"0;1;3\n1;2;x\n", "HW-EDGE-WEIGHT 2", {.missing = "1"}},
         {"0 1 3\n1 2\n2 0 5\n", "0>1:3 1>2:1 2>0:5", {.missing = "1"}},
         {"source\ttarget\tweight\n0\t1\t\n1\t2\t5\n", "0>1:1 1>2:5", {.missing = "1"}},
         {"source\ttarget\tweight\n0\t1\t\n1\t2\t5\n", "HW-EDGE-WEIGHT 2"},
         {"0;1;3\n", "HW-READ-MISSING", {.missing = "seven"}},
         {"0;1;3\n1;2;NA\n", "HW-EDGE-WEIGHT 2", {.missing = "error"}}});
  EXPECT_TRUE(has(notes_of("0;1;3\n1;2;NA\n", {.missing = "drop"}), "1 arc without a weight left out"));
  EXPECT_TRUE(has(notes_of("0;1;3\n1;2;NA\n", {.missing = "7"}), "1 missing weight taken as 7"));
}

TEST(TableHeaders, AreRowsWhoseWordsAreNoIds) {
  check({{"person_a,person_b\nAnn,Bob\nBob,Cid\n", "Ann>Bob Bob>Cid"},
         {"person_a;person_b\nAnn;Bob\nBob;Cid\n", "Ann>Bob Bob>Cid"},
         {"person_a\tperson_b\nAnn\tBob\nBob\tCid\n", "Ann>Bob Bob>Cid"},
         {"person_a|person_b\nAnn|Bob\nBob|Cid\n", "Ann>Bob Bob>Cid"},
         {"person_a,person_b\nAnn,Bob\nBob,Cid\n", "person_a>person_b Ann>Bob Bob>Cid", {.header = false}},
         {"Ann,Bob\nBob,Cid\n", "Ann>Bob Bob>Cid"},
         {"Ann,Bob\nBob,Cid\n", "Bob>Cid", {.header = true}},
         {"Ann Bob\nCid Dan\n", "Ann>Bob Cid>Dan"},
         {"Ann Bob\nCid Dan\n", "Cid>Dan", {.header = true}},
         {"foo bar\n1 2\n2 3\n", "1>2 2>3"},
         {"foo bar baz\nAnn Bob 3\nBob Cid 4\n", "Ann>Bob Bob>Cid"},
         {"a,b,weight\na,c,3\nc,b,4\n", "a>c:3 c>b:4"},
         {"a,b,heavy\na,c,3\nc,b,4\n", "HW-EDGE-WEIGHT 1"},
         {"u,v\nu,w\nv,w\n", "HW-EDGE-HEADER 1"},
         {"u,v\nu,w\nv,w\n", "u>v u>w v>w", {.header = false}},
         {"u v\nu w\nv w\n", "u>v u>w v>w"},
         {"0,1\na,b\nb,c\n", "HW-EDGE-HEADER 1"},
         {"0,1\na,b\nb,c\n", "a>b b>c", {.header = true}},
         {"id,person,friend\n1,a,b\n2,b,c\n", "a>b b>c"},
         {"1,2\n2,3\n", "2>3", {.header = true}},
         {"source,target,weight\n", "HW-EDGE-EMPTY"}});
  EXPECT_TRUE(has(notes_of("person_a,person_b\nAnn,Bob\nBob,Cid\n"), "first row taken as header: person_a,person_b"));
  EXPECT_TRUE(has(notes_of("Ann Bob\nCid Dan\n"), "first row taken as an edge: Ann Bob"));
  EXPECT_EQ(notes_of("source,target\nAnn,Bob\n"), "");
  EXPECT_EQ(notes_of("Ann,Bob\nBob,Cid\n"), "");
}

/// A word of the first row that is an id far down shows that it is an edge.
TEST(TableHeaders, AreDecidedByTheWholeFile) {
  std::string text = "Ann,Bob\n";
  for (int i = 0; i < 5000; ++i) text += "x" + std::to_string(i) + ",x" + std::to_string(i + 1) + "\n";
  EXPECT_EQ(list_of(text).edges.size(), 5000u);
  EXPECT_EQ(list_of(text + "x7,Ann\n").edges.size(), 5002u);
  EXPECT_EQ(list_of(text + "x7,Ann\n").ids.name(0), "Ann");
}

TEST(TableCounts, InTheFirstRowAreNoEdge) {
  check({{"4 3\n1 2\n2 3\n3 4\n", "1>2 2>3 3>4"},
         {"3 3\n0 1\n1 2\n2 0\n", "0>1 1>2 2>0"},
         {"4,3\n0,1\n1,2\n2,3\n", "0>1 1>2 2>3"},
         {"10 8\n1 2\n2 3\n3 4\n4 5\n5 6\n6 7\n7 8\n8 1\n", "1>2 2>3 3>4 4>5 5>6 6>7 7>8 8>1 9 10"},
         {"10 8\n1 2\n2 3\n3 4\n4 5\n5 6\n6 7\n7 0\n0 1\n", "1>2 2>3 3>4 4>5 5>6 6>7 7>0 0>1 8 9"},
         {"5 3\n1 2\n2 3\n3 4\n", "HW-EDGE-COUNTS"},
         {"4 3\n1 2\n2 2\n3 4\n", "HW-EDGE-COUNTS"},
         {"5 5 2\n1 2\n2 3\n", "1>2 2>3 4 5"},
         {"5 5 2\n1 2 7\n2 3 8\n", "1>2:7 2>3:8 4 5"},
         {"4 3\n1 2 5\n2 3 6\n3 4 7\n", "1>2:5 2>3:6 3>4:7"},
         {"5\n1 2\n2 3\n", "1>2 2>3 4 5"},
         {"3\n1 2\n2 3\n5 6\n", "1>2 2>3 5>6"},
         {"3 3\na b\nb c\nc a\n", "a>b b>c c>a"},
         {"4 3\n1 2\n2 3\n3 4\n", "4>3 1>2 2>3 3>4", {.header = false}},
         {"4 3\n1 2\n2 3\n3 4\n", "1>2 2>3 3>4", {.header = true}},
         {"2 1\n1 2\n", "HW-EDGE-COUNTS"},
         {"3 2\n2 3\n1 2\n2 1\n", "3>2 2>3 1>2 2>1"},
         {"3 2\n2 3\n2 1\n", "HW-EDGE-COUNTS"},
         {"4 3\n3 1\n2 4\n1 4\n", "HW-EDGE-COUNTS"},
         {"6 5\n5 6\n2 3\n1 4\n3 6\n1 2\n", "HW-EDGE-COUNTS"},
         {"6 5\n1 2\n1 4\n2 3\n3 6\n5 6\n", "1>2 1>4 2>3 3>6 5>6"},
         {"4 5\n3 1\n2 4\n1 4\n1 3\n4 2\n", "3>1 2>4 1>4 1>3 4>2"},
         {"17,1\n00014,1\n", "HW-EDGE-COUNTS"},
         {"148 148 3\n148 148 5\n148 148 6\n148 148 7\n", "HW-EDGE-COUNTS"},
         {"4 4 3\n1 2 5\n2 2 6\n3 4 7\n", "HW-EDGE-COUNTS"},
         {"9 9 3\n9 4 5\n9 7 6\n4 7 7\n", "HW-EDGE-COUNTS"},  // a loop at 9, or 9 vertices?
         {"4 4 3\n1 2 5\n2 3 6\n3 4 7\n", "1>2:5 2>3:6 3>4:7"},
         {"9 9 2\n9 4\n4 7\n", "9>4 4>7 1 2 3 5 6 8"},
         {"5 7 2\n1 2\n2 3\n", "HW-EDGE-COUNTS"},
         {"5 7 2\n1 2 1\n2 3 1\n", "HW-EDGE-COUNTS"},
         {"9 9\n1 2\n2 3\n", "9>9 1>2 2>3"},
         {"5 5 2\n1 2\n2 3\n", "1>2 2>3 4 5", {.lenient = true}},
         {"5 5 9\n1 2\n2 3\n", "1>2 2>3", {.lenient = true}},
         {"5 5 9\n1 2\n2 3\n", "HW-EDGE-COLUMNS 1"},
         {"# Nodes: 4 Edges: 4\n3 3\n0 1\n1 2\n2 0\n", "3>3 0>1 1>2 2>0"}});
  EXPECT_TRUE(has(notes_of("4 3\n1 2\n2 3\n3 4\n"), "first row taken as counts: 4 vertices, 3 rows"));
  std::string rows;
  for (int i = 0; i < 20000; ++i) rows += std::to_string(i + 1) + " " + std::to_string(i + 2) + "\n";
  const EdgeList counted = list_of("20005 20000\n" + rows);
  EXPECT_EQ(counted.edges.size(), 20000u);
  EXPECT_EQ(counted.num_vertices, 20005u);
  EXPECT_EQ(list_of("20005 20001\n" + rows).edges.size(), 20001u);
  EXPECT_EQ(list_of("19999 20000\n" + rows).edges.size(), 20001u);
  EXPECT_EQ(fault_of("20005 20005 20001\n" + rows).id, "HW-EDGE-COUNTS");
  EXPECT_EQ(list_of("20005 20005 20001\n" + rows, {.lenient = true}).edges.size(), 20000u);
}

TEST(TableIds, ThatBeginWithZeroAreText) {
  check({{"01001,01002\n01002,1\n", "01001>01002 01002>1"},
         {"7 8\n007 8\n", "7>8 007>8"},
         {"7 8\n8 007\n", "7>8 8>007"},
         {"7 8 5\n007 8 6\n", "7>8:5 007>8:6"},
         {"7 8 05\n9 8 6\n", "7>8:5 9>8:6"},
         {"0 1\n1 0\n", "0>1 1>0"},
         {"id,source,target\n01,1,2\n02,2,3\n", "1>2 2>3"},
         {"id,source,target\n1,01,2\n2,2,3\n", "01>2 2>3"}});
  for (const int rows : {10, 600, 40000})
    for (const char* last : {"007 8\n", "8 007\n", "007 8 \n", " 8 007\n"}) {
      std::string text;
      for (int i = 0; i < rows; ++i) text += std::to_string(i) + " " + std::to_string(i + 1) + "\n";
      const EdgeList list = list_of(text + last + "1 2\n");
      EXPECT_EQ(list.num_vertices, static_cast<VertexId>(rows) + 2) << rows << last;
      EXPECT_EQ(list.edges.size(), static_cast<std::size_t>(rows) + 2) << rows << last;
      EXPECT_EQ(list.ids.name(static_cast<VertexId>(rows) + 1), "007") << rows << last;
      EXPECT_EQ(list.ids.kind(), Ids::Kind::strings);
    }
}

TEST(TableAttributes, OfNetworkXHoldTheWeight) {
  check({{"0 1 {'weight': 3.5}\n", "0>1:3.5"},
         {"0 1 {}\n1 2 {}\n", "0>1 1>2"},
         {"0 1 {'color': 'red', 'weight': 2, 'w': 9}\n1 2 {'weight': 1e-05}\n", "0>1:2 1>2:1e-05"},
         {"0 1 {'name': \"a, 'b': {\", 'weight': 2}\n", "0>1:2"},
         {"0 1 {'pos': (1, 2), 'd': {'weight': 9}, 'weight': 2}\n", "0>1:2"},
         {"0 1 {'weight': np.float64(3.5)}\n", "0>1:3.5"},
         {"0 1 {\"weight\": 3}\n", "0>1:3"},
         {"0 1 {'length': 3}\n", "0>1:3"},
         {"0 1 {'color': 'red'}\n", "0>1"},
         {"0 1 {'hours': 3}\n", "0>1:3", {.columns = "weight=hours"}},
         {"a,b,{'weight': 3}\nb,c,{'weight': 4}\n", "a>b:3 b>c:4"},
         {"a\tb\t{'weight': 3}\n", "a>b:3"},
         {"0 1 {'weight': 3}\n1 2 {}\n", "HW-EDGE-WEIGHT 2"},
         {"0 1 {'weight': 3}\n1 2 {}\n", "0>1:3 1>2:1", {.missing = "1"}},
         {"0 1 {'weight': None}\n1 2 {'weight': 3}\n", "0>1:1 1>2:3", {.missing = "1"}},
         {"0 1 {'weight': 'x'}\n", "HW-EDGE-WEIGHT 1"},
         {"0 1 {'weight': 3}\n1 2 {'weight\n", "HW-EDGE-COLUMNS 2"},
         {"0 1 {'weight': 3}\n1 2\n", "HW-EDGE-COLUMNS 2"},
         {"0 1\n1 2 {'weight': 3}\n", "HW-EDGE-COLUMNS 1"},
         {"0 1 {'weight': 3\n", "HW-EDGE-COLUMNS 1"},
         {"0 1 {\"weight\": 3\n", "HW-EDGE-COLUMNS 1"},
         {"0 1 {'weight': 3} # why\n1 2 {'weight': 4}  // {no, '}\n2 3 {'c': '#}', 'weight': 5}\n", "0>1:3 1>2:4 2>3:5"},
         {"a;b;{'weight': 3} # why\n", "a>b:3"},
         {"0 1 {'weight': 3} 7\n", "HW-EDGE-COLUMNS 1"}});
  EXPECT_EQ(notes_of("0 1 {'km': 3, 'x': 4}\n", {.columns = "weight=km"}), "");
  EXPECT_TRUE(has(notes_of("0 1 {'color': 'red', 'weight': 2}\n"), "attributes not read: color"));
  std::string text;
  for (int i = 0; i < 3000; ++i) text += std::to_string(i) + " " + std::to_string(i + 1) + " {}\n";
  EXPECT_EQ(fault_of(text + "5 7 {'weight': 8}\n").where.line, 1u);
  EXPECT_EQ(list_of(text + "5 7 {'weight': 8}\n", {.missing = "1"}).weights.size(), 3001u);
}

TEST(Tables, HaveRowsOfOneLength) {
  check({{"a,b\nc\n", "HW-EDGE-COLUMNS 2"},
         {"a,b\nb,a\nc,d,e\n", "HW-EDGE-COLUMNS 3"},
         {"0,1,2,3\n1,2,3\n2,3,4,5\n", "HW-FORMAT-AMBIGUOUS"},
         {"0 1 2 3\n1 2 3 4 5\n2 3 4 5\n", "HW-FORMAT-AMBIGUOUS"},
         {"0,1,2,\n1,2,3,\n", "0>1:2 1>2:3"},
         {"0,1,2\n1,2,3,\n", "0>1:2 1>2:3"},
         {"source,target\n1,2,\n2,3,\n", "1>2 2>3"},
         {"source,target,weight\n1,2\n", "HW-EDGE-COLUMNS 2"},
         {"source,target,color,weight\na,b,#f00,5\nb,c,#0f0,6\n", "a>b:5 b>c:6"},
         {"A pp B\nB pp C\n", "HW-FORMAT-KNOWN"},
         {"Ann,Bob,friend\nBob,Cid,foe\n", "Ann>Bob Bob>Cid"}});
}

/// A packed file and a pipe are read again, too, where a row far down changes what was assumed.
TEST(Tables, AreReadAgainFromPackedFilesAndPipes) {
  std::string text;
  for (int i = 0; i < 50000; ++i) text += std::to_string(i) + " " + std::to_string(i + 1) + "\n";
  text += "007 3\n";
  const TempDir dir;
  const auto write = [&](const std::string& name) { std::ofstream(dir.path(name), std::ios::binary) << text; };
  write("g.txt");
  EXPECT_EQ(read_edges(dir.path("g.txt")).ids.name(50001), "007");
  for (const std::string pack : {"gzip -k", "zstd -q -k"}) {
    if (std::system(("cd " + dir.path("") + " && " + pack + " g.txt 2> /dev/null").c_str()) != 0) continue;
    const EdgeList list = read_edges(dir.path(pack[0] == 'g' ? "g.txt.gz" : "g.txt.zst"));
    EXPECT_EQ(list.ids.name(50001), "007") << pack;
    EXPECT_EQ(list.edges.size(), 50001u) << pack;
  }
  const std::string pipe = dir.path("pipe");
  ASSERT_EQ(std::system(("mkfifo " + pipe).c_str()), 0);
  std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << text; });
  const EdgeList list = read_edges(pipe);
  writer.join();
  EXPECT_EQ(list.ids.name(50001), "007");
  EXPECT_EQ(list.edges.size(), 50001u);
}

TEST(Tables, OfAPipeAreReadAgainUpToABound) {
  const TempDir dir;
  const std::string pipe = dir.path("pipe");
  ASSERT_EQ(std::system(("mkfifo " + pipe).c_str()), 0);
  std::thread writer([&] {
    std::ofstream out(pipe, std::ios::binary);
    const std::string row = "123456789 1234567890\n";
    std::string rows;
    while (rows.size() < (1u << 20)) rows += row;
    for (std::size_t bytes = 0; bytes <= io::kept_of_stream; bytes += rows.size()) out << rows;
    out << "007 3\n";
  });
  const Error::Parts error = testing::parts_of([&] { read_edges(pipe); });
  EXPECT_EQ(error.id, "HW-EDGE-STREAM");
  EXPECT_TRUE(has(error.hint, "--input-format names"));
  writer.join();
}

/// What an option chooses leaves all other columns as they are without it.
TEST(TableColumns, KeepTheirRolesBesideAChosenOne) {
  const std::string gephi = "Source,Target,Type,score\n1,2,Undirected,1.0\n2,3,Undirected,2.5\n";
  EXPECT_EQ(said(gephi, {.columns = "weight=score"}), "1-2:1 2-3:2.5");
  EXPECT_EQ(said(gephi, {.columns = "weight=score,type=Type"}), "1-2:1 2-3:2.5");
  EXPECT_EQ(said(gephi, {.columns = "weight=4,type=3"}), "1-2:1 2-3:2.5");
  EXPECT_EQ(said(gephi, {.columns = "weight=score,type=none"}), "1>2:1 2>3:2.5");
  EXPECT_EQ(said("u,v,kind\n1,2,Undirected\n", {.columns = "source=u,target=v,type=kind"}), "1-2");
  EXPECT_EQ(said("u,v,kind\n1,2,Undirected\n2,3,Directed\n", {.columns = "source=u,target=v,type=kind"}), "1>2 2>1 2>3");
  EXPECT_EQ(said("u,v,kind\n1,2,Directed\n2,3,both\n", {.columns = "source=u,target=v,type=kind"}), "HW-EDGE-COLUMNS 3");
  EXPECT_EQ(said("u,v,kind\n1,2,Undirected\n", {.columns = "source=u,target=v,type=kind", .undirected = true}), "1-2");
  const std::string costs = "id,source,target,cost,reverse_cost\n1,1,2,1,-1\n2,2,3,-1,1\n3,3,4,2,5\n";
  EXPECT_EQ(said(costs, {.columns = "weight=cost"}), said(costs));
  EXPECT_EQ(said(costs, {.columns = "weight=cost,reverse=none"}), "1>2:1 2>3:-1 3>4:2");
  EXPECT_EQ(said(costs, {.columns = "weight=none"}), "1>2 2>3 3>4");
  EXPECT_EQ(said("1 2 5\n", {.columns = "weight=none"}), "1>2");
}

TEST(TableColumns, OfTailsAndHeadsKeepTheirOrder) {
  EXPECT_EQ(said("tail,head,weight\na,b,3\n"), "a>b:3");
  EXPECT_EQ(said("head,tail,weight\na,b,3\n"), "a>b:3");
  EXPECT_EQ(said("head,relation,tail\na,r,b\n"), "a>b");
  EXPECT_NE(notes_of("head,tail,weight\na,b,3\n").find("--columns source=NAME,target=NAME"), std::string::npos);
  EXPECT_EQ(said("head,tail,weight\na,b,3\n", {.columns = "source=tail,target=head"}), "b>a:3");
}

TEST(TableColumns, OfTwoIdSpacesAreTwoKindsOfVertices) {
  EXPECT_EQ(said(":START_ID(User),:END_ID(Item)\n1,1\n"), "left:1-right:1");
  EXPECT_EQ(said(":START_ID(User),:END_ID(User)\n1,2\n"), "1>2");
  EXPECT_NE(notes_of("userId,movieId,rating\n1,1,5\n").find("--bipartite"), std::string::npos);
  EXPECT_EQ(said("# two-mode network\n1 2\n2 1\n"), "HW-READ-BIPARTITE");
}

TEST(TableColumns, ThatDescribeEdgesAreNoEnds) {
  EXPECT_EQ(said("creationDate|Person1Id|Person2Id\n2010|933|21\n"), "933>21");
  EXPECT_EQ(said("ts,srcaddr,dstaddr\n5,1,2\n"), "1>2");
}

TEST(TableHeaders, MayHoldNumbers) {
  EXPECT_EQ(said("user,friend,0\n1,2,2\n2,3,1\n"), "1>2 2>3");  // pandas: groupby().size()
  EXPECT_EQ(said("user;friend;2020\n5;9;8\n"), "5>9");
  EXPECT_NE(notes_of("user,friend,0\na,b,2\n").find("first row taken as an edge"), std::string::npos);
  EXPECT_EQ(notes_of("ann,bob,0\nbob,cid,2\n"), "");
  EXPECT_EQ(said("0,1\n5,6\n6,7\n"), "HW-EDGE-HEADER 1");  // pandas again, or an edge that nothing leads to?
  EXPECT_EQ(said("0,1\n5,6\n6,7\n", {.header = true}), "5>6 6>7");
  EXPECT_EQ(said("0,1\n5,6\n6,7\n", {.header = false}), "0>1 5>6 6>7");
  EXPECT_EQ(said("0,1\n1,6\n6,7\n"), "0>1 1>6 6>7");
  EXPECT_EQ(said("0 1\n5 6\n"), "0>1 5>6");
}

TEST(TableHeaders, InAnyCommentBeforeTheRows) {
  EXPECT_EQ(said("# source target time weight\n# more text\n1 2 100 5\n"), "1>2:5");
  EXPECT_EQ(said("# columns: source target weight\n1 2 5\n"), "1>2:5");
  EXPECT_EQ(said("# i j time\n1 2 5\n"), "1>2");
  EXPECT_NE(notes_of("#time src_ip dst_ip\n100 1 2\n200 2 3\n").find("may name the columns"), std::string::npos);
}

TEST(TableWeights, WithDecimalCommas) {
  for (const char* text : {"Paris;Rom;0,5\nRom;Oslo;1,5\n", "a b 0,5\nb c 1,5\n", "source;target;weight\n1;2;0,5\n",
                           "1 2 0,5\n", "a|b|0,5\n", "1\t2\t0,5\n"})
    EXPECT_EQ(said(text).substr(0, 14), "HW-EDGE-WEIGHT") << text;
  const Wishes comma{.decimal_comma = true};
  EXPECT_EQ(said("Paris;Rom;0,5\nRom;Oslo;1,5\n", comma), "Paris>Rom:0.5 Rom>Oslo:1.5");
  EXPECT_EQ(said("a b 0,5\nb c 1\n", comma), "a>b:0.5 b>c:1");
  EXPECT_EQ(said("source;target;weight\n1;2;0,5\n2;3;\"1,25\"\n", comma), "1>2:0.5 2>3:1.25");
  EXPECT_EQ(said("1 2 -0,5e1\n", comma), "1>2:-5");
  EXPECT_EQ(said("1;2;1,2,3\n", comma), "HW-EDGE-WEIGHT 1");
  EXPECT_EQ(said("source,target,weight\n1,2,0,5\n2,3,1,5\n"), "HW-EDGE-COLUMNS 2");
  EXPECT_EQ(said("source,target,weight\n\"1\",1,2,5\n\"2\",2,3,6\n"), "1>2:5 2>3:6");  // R
  EXPECT_EQ(said("Paris, FR;Rom\nRom, IT;Oslo\nOslo;Rom\n", {.header = false}), "Paris, FR>Rom Rom, IT>Oslo Oslo>Rom");
}

TEST(TableWeights, ThatLookLikeSomethingElseAreSaid) {
  EXPECT_NE(notes_of("1 2 1082040961\n3 4 1082155839\n").find("look like times"), std::string::npos);
  EXPECT_NE(notes_of("1 2 7 5\n2 3 8 6\n").find("third column was taken as the weight"), std::string::npos);
  EXPECT_NE(notes_of("0,5,6\n1,6,7\n2,7,5\n").find("counts the rows"), std::string::npos);
  EXPECT_EQ(notes_of("1 2 3\n2 3 1\n"), "");
  EXPECT_EQ(said("1\t2\t\t5\n2\t3\t\t6\n"), "1>2 2>3");  // an empty cell between tabs is one
}

TEST(TableIds, OfFractionsThatAreWhole) {
  EXPECT_EQ(said("source,target\n1,2.0\n2,3.0\n3,1.0\n"), "1>2 2>3 3>1");         // pandas, where some are missing
  EXPECT_EQ(said("1.000000000000000000e+00 2.000000000000000000e+00\n"), "1>2");  // NumPy's savetxt
  EXPECT_EQ(said("1e+05 2 0.5\n"), "100000>2:0.5");
  EXPECT_EQ(said("1 2e+06\n"), "1>2000000");
  EXPECT_NE(notes_of("1 2.0\n").find("--input-format names"), std::string::npos);
  EXPECT_EQ(said("1 2.5\n"), "HW-EDGE-ID 1");
  EXPECT_EQ(said("1 1e300\n"), "HW-EDGE-ID 1");
  for (const char* nearly :
       {"1e-400", "1.00000000000000001", "4503599627370497.5", "9007199254740992.5"})  // the nearest is whole
    EXPECT_EQ(said("1 " + std::string(nearly) + "\n2 3\n"), "HW-EDGE-ID 1") << nearly;
  EXPECT_EQ(said("1 9007199254740993.0\n2 0.1e1\n2 900719925474099300e-2\n"), "1>9007199254740993 2>1 2>9007199254740993");
  EXPECT_EQ(said("1 0.0\n1 0e-5\n"), "1>0 1>0");
}

TEST(TableIds, ThatAreMissingAreErrors) {
  EXPECT_EQ(said("from,to,w\n1,NA,1\n2,3,2\n"), "HW-EDGE-ID 2");
  EXPECT_EQ(said("from,to,w\nNA,BW,1\nBW,ZA,2\n"), "NA>BW:1 BW>ZA:2");  // Namibia
}

TEST(Tables, OfExcelNameTheirSeparator) {
  EXPECT_EQ(said("sep=;\na;b\n"), "a>b");
  EXPECT_EQ(said("\"sep=;\"\na;b\n"), "a>b");
  EXPECT_EQ(said("SEP=|\na|b\n"), "a>b");
  EXPECT_EQ(said("sep=;;;\r\na;b;2\nb;c;3\n"), "a>b:2 b>c:3");
  EXPECT_EQ(said("sep=9999\na9b\n"), said("sap=9999\na9b\n")) << "no separator";
}

TEST(TableColumns, AreFoundInHeadersOfAllKinds) {
  check({{"\tsource\ttarget\n0\t1\t2\n1\t2\t3\n", "1>2 2>3"},  // pandas: the index has no name
         {"\" from\",\"to\"\n1,2\n", "1>2"},
         {"\"from\" \"to\"\n1 2\n2 3\n", "1>2 2>3"},
         {"ann,bob,weight\nann,cid,3\ncid,bob,4\n", "ann>cid:3 cid>bob:4"},
         {"srctime,x,y\n5,1,2\n", "1>2"},
         {"timestamp,x,y\n5,1,2\n", "1>2"},
         {"from,to,length,weight\n1,2,5,6\n", "1>2:6"},
         {"source,to\n1,2\n", "1>2"},
         {"source,length,x\n1,2,3\n", "1>3:2"},
         {"source,x,cost,reverse_cost\n1,2,3,4\n", "1>2:3 2>1:4"},
         {":START_ID(User),:END_ID\n1,2\n", "1>2"},
         {":START_ID(User,:END_ID(Item)\n1,2\n", "1>2"},
         {"from,to,kind\n1,a,b,x\n2,b,c,y\n", "a>b b>c"},
         {"from,to,n\n1,a,b,5\n2,b,c,6\n", "a>b b>c"},
         {"source,target,\n1,2\n2,3\n", "1>2 2>3"},
         {"source,target\n1,2,\n2,3\n3,4,\n", "1>2 2>3 3>4"},
         {"weight,from,to\n9,1,2\n\n# c\n8,2,3\n", "1>2:9 2>3:8"},
         {"target,dst,x\n1,2,3\n", "HW-EDGE-HEADER 1"},
         {"weight,x\n5,1\n", "HW-EDGE-HEADER 1"},
         {"source,target\n1,2,3,4\n2,3,4,5\n", "HW-EDGE-COLUMNS 2"}});
  std::string header = "source,target", row = "1,2";
  for (int i = 1; i <= 25; ++i) header += ",x" + std::to_string(i), row += ",0";
  EXPECT_EQ(said(header + "\n" + row + "\n"), "1>2");
  EXPECT_TRUE(has(notes_of(header + "\n" + row + "\n"), "'x20' and 5 more"));
}

TEST(TableColumns, AreChosenOneByOne) {
  check({{"1 2\n", "2>1", {.columns = "source=2"}},
         {"1 2\n", "2>1", {.columns = "target=1"}},
         {"1 2 5\n", "1>2", {.columns = "target=2"}},
         {"1 2\n", "HW-READ-COLUMNS", {.columns = "source=1,target=9"}},
         {"# time src dst\n5 1 2\n", "1>2", {.columns = "source=2,target=3"}},
         {"# first second\n7 1 2\n", "1>2", {.columns = "source=2,target=3"}},
         {"source,target,x\n1,2,3\n", "3>2", {.columns = "source=x"}},
         {"source,target,x\n1,2,3\n", "2>1", {.columns = "source=target"}},
         {"source,target,x\n1,2,3\n", "2>1", {.columns = "target=source"}},
         {"from,to,source,target\n1,2,3,4\n", "1>2", {.columns = "source=from"}},
         {"from,to,source,target\n1,2,3,4\n", "3>4", {.columns = "target=target"}},
         {"from,to,source,target,x\n1,2,3,4,5\n", "HW-EDGE-HEADER 1", {.columns = "source=x"}},
         {"tail,head,weight\na,b,3\n", "b>a:3", {.columns = "source=head"}},
         {"tail,head,weight\na,b,3\n", "b>a:3", {.columns = "target=tail"}},
         {"from,to,Length (m),x\n1,2,5,9\n", "1>2:5", {.columns = "weight=length"}},
         {"source,target,none\n1,2,5\n", "1>2:5", {.columns = "weight=none"}},
         {"source,target,cost,back\n1,2,3,4\n", "1>2:3 2>1:4", {.columns = "reverse=back"}},
         {"source,target\n1,2,3,4\n2,3,4,5\n", "1>4 2>5", {.columns = "source=1,target=4"}},
         {"source,target,weight\n1,2,0,5\n2,3,1,5\n", "2>0:5 3>1:5", {.columns = "source=2,target=3,weight=4", .header = true}},
         {"source,target,x\n1,2,3,4,5\n", "1>2:5", {.columns = "weight=5"}},
         {"source,target,x\n1,2,3,4,5\n", "HW-READ-COLUMNS", {.columns = "weight=6"}},
         {"1,2,Undirected\n2,3,Undirected\n", "1-2 2-3", {.columns = "source=1,target=2,type=3"}},
         {"Type,target\na,b\n", "a>b", {.columns = "source=Type"}},
         {"source,Type\na,b\n", "a>b", {.columns = "target=Type"}},
         {"Source,Target,Type\n1,2,Undirected\n2,3\n", "HW-EDGE-COLUMNS 3", {.columns = "type=Type"}},
         {"Source,Target,Type\n1,2,Undirected\n2,3\n", "HW-EDGE-COLUMNS 3"},
         {"u,v,kind\n1,2,Directed\n2,3,both\n", "1>2", {.columns = "source=u,target=v,type=kind", .lenient = true}},
         {"1 2 5\n2 3\n", "HW-EDGE-COLUMNS 2", {.columns = "source=1,target=2,weight=3"}},
         {"1 2 5\n2 3\n", "1>2:5 2>3:1", {.columns = "source=1,target=2,weight=3", .missing = "1"}}});
  for (const char* wish : {"source=none", "target=none", "weight=", "weight=3x", "weight=0"})
    EXPECT_EQ(said("source,target\n1,2\n", {.columns = wish}), "HW-READ-COLUMNS") << wish;
  const std::string gml = "graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 km 5 ] ]";
  EXPECT_EQ(said(gml, {.columns = "weight=km"}), "0-1:5");
  EXPECT_EQ(said(gml, {.columns = "weight=km,source=1"}), "HW-READ-COLUMNS");
  EXPECT_EQ(said(gml, {.columns = "weight=km", .header = true}), "HW-READ-COLUMNS");
  EXPECT_EQ(said(gml, {.columns = "weight=km", .missing = "1"}), "HW-READ-COLUMNS");
  EXPECT_EQ(said(gml, {.columns = "weight=km", .decimal_comma = true}), "HW-READ-COLUMNS");
  EXPECT_EQ(said(gml, {.decimal_comma = true}), "HW-READ-COLUMNS");
}

TEST(TableColumns, OfCostsAndTypesTogetherWithNames) {
  check({{"Source,Target,Type\na,b,Directed\nb,c,Undirected\n", "a>b b>c c>b"},
         {"Source,Target,Type,Weight\n1,2,Directed,5\n2,3,Undirected,6\n", "1>2:5 2>3:6 3>2:6"},
         {"source,target,cost,reverse_cost\na,b,3,-1\n", "a>b", {.weights = false}},
         {"source,target,cost,reverse_cost\n1,2,3,x\n2,3,4,5\n", "HW-EDGE-WEIGHT 2"},
         {"source,target,cost,reverse_cost\n1,2,3,x\n2,3,4,5\n", "2>3:4 3>2:5", {.lenient = true}}});
}

TEST(TableHeaders, AreToldFromRowsByWhatFollows) {
  check({{"x,y\n1,y\n2,x\n", "x>y 1>y 2>x"},
         {"-,x\n1,2\n2,3\n", "1>2 2>3"},
         {"x,-\n1,2\n2,3\n", "1>2 2>3"},
         {"NA,NA\n1,2\n", "HW-EDGE-ID 1"},
         {"u v\na b\nb c\n", "HW-EDGE-HEADER 1"},
         {"v u\nBob -\n", "HW-EDGE-HEADER 1"},
         {"u v\na b\nb c\n", "a>b b>c", {.header = true}},
         {"\"from\" \"to\"\n\"1\" \"p|q\" \"p|q\"\n\"2\" \"p|q\" \"r;s\"\n", "p|q>p|q p|q>r;s"},
         {"u,y\na,b\nb,c\n", "a>b b>c"},
         {"a,7,3\nb,8,4\n", "a>7:3 b>8:4"},
         {"a,b,3\n", "a>b:3"},
         {",0,1\n0,a,b\n1,b,c\n", "HW-EDGE-HEADER 1"},
         {"0,1\n5,x\n", "HW-EDGE-ID 2"},
         {"0,1\n0,6\n6,7\n", "0>1 0>6 6>7"},
         {"0,1\n6,0\n7,8\n", "0>1 6>0 7>8"},
         {"\"x\"\n1 2\n2 3\n", "HW-EDGE-COLUMNS 1"},
         {"\"a\"\n\"1\" \"b\" \"c\"\n", "HW-EDGE-COLUMNS 1"},
         {"\"a\" \"b\"\n\"c\" d\n\"e\" \"f\"\n", "\"a\">\"b\" \"c\">d \"e\">\"f\""}});
}

TEST(TableHeaders, MayBeFollowedByComments) {
  check({{"source target\n# a comment\n1 2\n", "1>2"},
         {"source,target\n#\n1,2\n", "1>2"},
         {"source,target\n# a,b\n1,2\n", "1>2"},
         {"source,target\n#a,b,c\n1,2\n", "1>2"},
         {"source,target\n#a,b\n1,2\n", "HW-EDGE-COMMENT"},
         {"source,target\n#a,b\n1,2\n", "1>2", {.lenient = true}},
         {"source\ttarget\tweight\n#a\tb\n1\t2\t3\n", "HW-EDGE-COMMENT"},
         {"source\ttarget\tweight\n#a\n1\t2\t3\n", "1>2:3"},
         {"source\ttarget\n#a\tb\tc\n1\t2\n", "1>2"},
         {"# 1 x y\n1 2 5\n", "1>2:5"},
         {"# source target weight\n1 2 5\n2 3 6 7\n3 4 7 8\n", "HW-EDGE-COLUMNS 2"},
         {"Ann,Bob\n#\nBob,Cid\n", "Ann>Bob Bob>Cid"},
         {"Ann,Bob\n# x,y\nBob,Cid\n", "Ann>Bob Bob>Cid"},
         {"Ann,Bob\n#x,y,z\nBob,Cid\n", "Ann>Bob Bob>Cid"},
         {"Ann,Bob\n#x,y\nBob,Cid\n", "HW-EDGE-COMMENT 2"},
         {"a\tb\t5\n\t#c\t6\n", "HW-EDGE-ID 2"},  // behind an empty cell it is a name
         {"a\tb\t5\n#c d\nb\tc\t6\n", "a>b:5 b>c:6"}});
}

TEST(TableCounts, BesideNamesAndSingleRows) {
  check({{"3\na b\nb c\n", "a>b b>c"},
         {"2\na b\nb c\n", "a>b b>c"},
         {"1\na b\nb c\n", "HW-EDGE-COUNTS"},
         {"1 1 1\n0 0\n", "0>0"},
         {"3\n0 3\n1 2\n", "HW-EDGE-COUNTS"},
         {"5 5 1\n1 2\n", "1>2 3 4 5"},
         {"3 2\n2 3\n2 2\n", "HW-EDGE-COUNTS"},
         {"3\n1 2 NA\n", " 0 1 2", {.missing = "drop"}},
         {"# Nodes: 9\na b\n", "a>b"},
         {"# Isolated:\t7\na b\n", "a>b 7"}});
  EXPECT_TRUE(has(notes_of("# Nodes: 9\na b\n"), "9 vertices are promised, and 2 are named"));
  std::string rows;
  for (int i = 0; i < 600; ++i) rows += "v" + std::to_string(i) + " v" + std::to_string(i + 1) + "\n";
  EXPECT_EQ(list_of("700 700 600\n" + rows).edges.size(), 600u);
  EXPECT_TRUE(has(notes_of("700 700 600\n" + rows), "700 vertices are promised, and 601 are named"));
  EXPECT_EQ(said("700 700 9\n" + rows), "HW-EDGE-COUNTS");
  EXPECT_EQ(said("5 5 600\n" + rows), "HW-EDGE-COUNTS");
}

TEST(TableAttributes, MayBeWrongOrUnwanted) {
  check({{"0 1 {'w': 9, 'weight': 2}\n", "0>1:2"},
         {"0 1 {'weight'}\n", "0>1"},
         {"0 1 {'': 5}\n", "0>1"},
         {"0;1;{'weight': 3}\n1;2;{'weight': 4}\n", "0>1:3 1>2:4"},
         {"0|1|{'weight': 3}\n", "0>1:3"},
         {"0 1 {'weight': 3}\n", "0>1", {.columns = "weight=none"}},
         {"0 1 {}\n", "HW-EDGE-ID 1", {.columns = "source=3"}}});
  // Behind the rows that are looked at first.
  std::string rows;
  for (int i = 0; i < 600; ++i) rows += std::to_string(i) + " " + std::to_string(i + 1) + " {'color': 1}\n";
  for (const char* bad : {"5 7\n", "5 7 {'a'}\n", "5 6 7 {'a': 1}\n", "5 {'a': 1}\n"}) {
    EXPECT_EQ(said(rows + bad), "HW-EDGE-COLUMNS 601") << bad;
    EXPECT_EQ(list_of(rows + bad, {.lenient = true}).edges.size(), 600u) << bad;
  }
  EXPECT_EQ(list_of(rows + "5 7 {'weight': 8}\n", {.missing = "1"}).weights.text(600), "8");
}

TEST(Tables, HaveRowsThatAreNearlyOfOneLength) {
  check({{"1,2,\n2,3\n", "1>2 2>3"},
         {"a,b\nb,c,\n", "a>b b>c"},
         {"1,2\n2,3,,\n", "1>2 2>3"},
         {"1,2\n2,3, ,\n", "1>2 2>3"},
         {"7,2,5,\"a,b\"\n8,3,6,\"c\"\n", "7>2:5 8>3:6"},
         {"1 2 5 9 \n2 3 6 8 \n", "1>2:5 2>3:6"},
         {"source,target,x\n1,2\n2,3\n", "HW-EDGE-COLUMNS 2"},
         {"a,b,1\n\"x,y,z\n", "HW-EDGE-ID 2"},
         {"a,b\nb,\"c\nc,d\n", "HW-EDGE-ID 2"},
         {"a,\"b\nc,d\ne,f\n", "HW-EDGE-ID 1"},
         {"a,b\nb,\"c\nc,d\n", "a>b c>d", {.lenient = true}},
         {"a b 0,5\nb c d 1,5\n", "a b 0>5 b c d 1>5"},
         {"a\tb\tx\nb\tc\n", "HW-EDGE-COLUMNS 2", {.header = false}},
         {"\ta\t2\nc\td\t5\n", "HW-EDGE-ID 1"},
         {"\ta\tb\t\nc\td\te\n", "d>e"},
         {"\ta\tb\nc\td\te\tf\n", "HW-EDGE-COLUMNS 2"},
         {"1\t2\t\t5\n2\t3\t5\n", "HW-EDGE-WEIGHT 1"},
         {"weight,from,to\n5,1,2\n1,2\n", "HW-EDGE-COLUMNS 3", {.missing = "drop"}},
         {"a,p,x\nc,q,x\n", "a>p c>q", {.header = false}},
         {"a,p,x\nc,q,y\n", "HW-FORMAT-AMBIGUOUS 1", {.header = false}},
         {"a,p,NA\n", "a>p"}});
  EXPECT_EQ(said("1 2 5 9\n2 3 6 \0\n"s), "HW-EDGE-COLUMNS 2");
}

TEST(TableIds, OfRowsThatAreCutIntoCells) {
  check({{"weight,from,to\n9,1,9223372036854775808\n", "HW-EDGE-RANGE 2"},
         {"weight,from,to\n9,1,2\n9,,2\n", "HW-EDGE-ID 3"},
         {"weight,from,to\n9,1,2\n9,x,2\n", "HW-EDGE-ID 3"},
         {"1E3 2E0\n", "1000>2"},
         {"1 2E3\n", "1>2000"}});
}

TEST(TableWeights, ThatAreMissingInManyWays) {
  check({{"0;1;NA\n1;2;NA\n", "0>1:1 1>2:1", {.missing = "1"}},
         {"0;1;nil\n1;2;3\n", "0>1:7 1>2:3", {.missing = "7"}},
         {"0;1;nan\n1;2;3\n", "0>1:7 1>2:3", {.missing = "7", .lenient = true}},
         {"0;1;3\n", "HW-READ-MISSING", {.missing = "7x"}},
         {"1;2;0,5\n2;3;x,y\n", "HW-EDGE-WEIGHT 2", {.decimal_comma = true}}});
  EXPECT_TRUE(has(notes_of("0;1;NA\n1;2;NA\n2;3;4\n", {.missing = "drop"}), "2 arcs without a weight left out"));
  EXPECT_TRUE(has(notes_of("0;1;NA\n1;2;NA\n2;3;4\n", {.missing = "7"}), "2 missing weights taken as 7"));
  EXPECT_TRUE(has(notes_of("1 2 1082040961000\n3 4 1082155839000\n"), "look like times"));
  EXPECT_FALSE(has(notes_of("0,5,6\n3,6,7\n5,7,5\n"), "counts the rows"));
}

/// Vertices in a file of their own, and edges whose ends are no numbers.
TEST(TableIds, ThatAreTextHaveNoListOfVertices) {
  const TempDir dir;
  std::ofstream(dir.path("g.v")) << "1\n2\n";
  std::ofstream(dir.path("g.e")) << "a b\n";
  EXPECT_EQ(testing::parts_of([&] { read_edges(dir.path("g.e")); }).id, "HW-EDGE-VERTEX");
}

TEST(Cells, OfPython) {
  const auto pairs = [](const std::string& text) {
    std::string all;
    const bool good = io::for_each_attribute(
        text, [&](std::string_view key, std::string_view value) { all += std::string(key) + "=" + std::string(value) + ";"; });
    return good ? all : "none";
  };
  EXPECT_EQ(pairs("{}"), "");
  EXPECT_EQ(pairs("{ }"), "");
  EXPECT_EQ(pairs("{'a': 1}"), "a=1;");
  EXPECT_EQ(pairs("{'a': 1, 2: 'x'}"), "a=1;2=x;");
  EXPECT_EQ(pairs("{'a': 'it\\'s', 'b': [1, {2: 3}]}"), "a=it\\'s;b=[1, {2: 3}];");
  EXPECT_EQ(pairs("{'a': 'b' c}"), "a='b' c;");
  EXPECT_EQ(pairs("{'a': np.float64(3.5)}"), "a=3.5;");
  EXPECT_EQ(pairs("{'a': np.f(3).x}"), "a=np.f(3).x;");
  EXPECT_EQ(pairs("{'a': 1:2}"), "a=1:2;");
  for (const char* bad : {"{", "}", "{'a'}", "{'a': 1", "{'a': 1}}", "{'a': 1} x", "a", "", "{'a}", "{'a': 'b}", "{'a': 1:'b}"})
    EXPECT_EQ(pairs(bad), "none") << bad;
}

TEST(Cells, WithADictionaryBehind) {
  for (const char* row : {"a {}", "a,{}", "a;{}", "a|{}", "a\t{}"}) EXPECT_EQ(io::dictionary_in(row), "{}") << row;
  for (const char* row : {"{}", "a{}", "a {", "a"}) EXPECT_EQ(io::dictionary_in(row), "") << row;
}

TEST(Cells, InQuotes) {
  EXPECT_EQ(io::unquoted("\"a\"\"b\""), "a\"b");
  for (const char* bad : {"\"", "\"a", "\"a\"\"", "\"a\"b\""}) EXPECT_FALSE(io::unquoted(bad)) << bad;
}

TEST(Cells, ThatAreNearlyNumbers) {
  for (const char* cell : {"5 km", "5km", "5,5", "1_000", "1'000", "1,000.5", "5%", "$5", "-5 m", "5 €"})
    EXPECT_TRUE(io::is_nearly_number(cell)) << cell;
  for (const char* cell : {"", "km", "2020-01-01", "12:30", "x5", "-", "a b", "'5x"})
    EXPECT_FALSE(io::is_nearly_number(cell)) << cell;
  for (const char* cell : {"", "NA", "n/a", "NaN", "null", "None", "-", "<NA>"}) EXPECT_TRUE(io::is_missing(cell)) << cell;
  for (const char* cell : {"0", "x", "--", "no"}) EXPECT_FALSE(io::is_missing(cell)) << cell;
}

}  // namespace of_tables_test
}  // namespace hopwave
