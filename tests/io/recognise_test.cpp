// Formats that are not read are named, by their content and not by their ending; what is an edge list stays one.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <string_view>

#include "hopwave/error.h"
#include "hopwave/io.h"

namespace hopwave {
namespace of_recognise_test {

using namespace std::literals;

/// "ID: what was found" of the error, or the format that was read.
std::string outcome(std::string_view text, const std::string& name = "g.txt", const ReadOptions& options = {}) {
  try {
    return read_edges(std::span<const char>(text.data(), text.size()), name, options).report.format;
  } catch (const Error& error) {
    return error.id() + ": " + error.parts().found;
  }
}

struct Case {
  std::string_view text;
  const char* found;
};

TEST(Recognise, NamesWhatIsNotRead) {
  std::string tar = std::string(148, 'x') + "        " + std::string(101, 'x') + "ustar" + std::string(250, '\0');
  const unsigned sum = std::accumulate(tar.begin(), tar.end(), 0u);
  tar.replace(148, 8, fmt::format("{:06o}", sum) + '\0' + ' ');
  // 63 vertices, which take four bytes or eight, and a bit for each pair of them.
  const std::string large_graph6 = "~??~" + std::string(326, '?') + "\n";
  const std::string larger_graph6 = "~~?????~" + std::string(326, '?') + "\n";
  std::string nine;
  for (int i = 0; i < 81; ++i) nine += std::to_string(1 + i % 7) + (i % 9 == 8 ? "\n" : " ");
  const Case cases[] = {
      {"<?xml version='1.0'?>\n<!-- by hand -->\n<gexf version='1.2'><graph/></gexf>", "GEXF (Gephi)"},
      {"<gexf/>", "GEXF (Gephi)"},
      {"<?xml version='1.0'?><rdf:RDF/>", "RDF (as XML)"},
      {"<graph label='x' xmlns='http://www.cs.rpi.edu/XGMML'/>", "XGMML (Cytoscape)"},
      {"<?xml version='1.0'?><bookshop/>", "XML whose first element is <bookshop>"},
      {"<!DOCTYPE html>\n<html><body>0 1</body></html>", "a web page (HTML)"},
      {"<html>\n0 1\n</html>", "a web page (HTML)"},
      {"graph {\n a -- b\n}\n", "DOT (Graphviz)"},
      {"// by hand\n/* a\n graph */ strict digraph \"a {b}\" {\n a -> b }", "DOT (Graphviz)"},
      {"graph TD\n A --> B\n", "a Mermaid diagram"},
      {"nodedef>name VARCHAR\na\nedgedef>node1 VARCHAR,node2 VARCHAR\na,a\n", "GDF (GUESS, Gephi)"},
      {"@prefix a: <http://b/> .\na:x a:y a:z .\n", "Turtle (RDF)"},
      {"<http://a/x> <http://a/p> <http://a/y> .\n_:b <http://a/p> \"c d\"@en .\n", "N-Triples (RDF)"},
      {">>graph6<<IheA@GUAo\n", "graph6 or sparse6"},
      {"IheA@GUAo\n", "graph6, sparse6 or digraph6"},
      {":Fa@x^\n", "graph6, sparse6 or digraph6"},
      {"&DI?AO?\n", "graph6, sparse6 or digraph6"},
      {"(tlp \"2.0\"\n", "TLP (Tulip)"},
      {"dl n=3\nformat=edgelist1\n", "DL (UCINET)"},
      {"a -> b\nb -> c\n", "edges with an arrow between their ends, as DOT has them"},
      {"| source | target |\n|:---|---:|\n| 1 | 2 |\n", "a table drawn with lines, as Markdown and databases print it"},
      {"source | target\n--- | ---\n1 | 2\n", "a table drawn with lines, as Markdown and databases print it"},
      {"| a | b |\n| b | c |\n", "a table drawn with lines, as Markdown and databases print it"},
      {" source | target\n--------+--------\n a | b\n(1 row)\n",
       "a table drawn with lines, as Markdown and databases print it"},
      {"+---+---+\n| a | b |\n+---+---+\n| 1 | 2 |\n+---+---+\n",
       "a table drawn with lines, as Markdown and databases print it"},
      {"\xE2\x94\x8C\xE2\x94\x80\n\xE2\x94\x82 a\n", "a table drawn with lines, as Markdown and databases print it"},
      {"=== ===\na b\n=== ===\n1 2\n=== ===\n", "a table drawn with lines, as Markdown and databases print it"},
      {"| a | b\n| b | c\n", "a table drawn with lines, as Markdown and databases print it"},
      {"{1, 2}\n{2, 3}\n", "pairs in brackets, as programs print them"},
      {"edge(a,b).\nedge(b,c).\n", "pairs in brackets, as programs print them"},
      {"1: 2\n2: 1 3\n", "rows of a vertex, a colon and its neighbours"},
      {"0--1\n1--2\n", "edges with an arrow between their ends, as DOT has them"},
      {"A pp B\n", "rows of source, relation and target, as SIF (Cytoscape) has them"},
      {"(0, 1)\n(1, 2)\n", "pairs in brackets, as programs print them"},
      {"[(0, 1), (1, 2)]\n", "pairs in brackets, as programs print them"},
      {"[[0, 1], [1, 2]]\n", "JSON that is no node-link graph"},
      {"0 1 0\n1 0 1\n0 1 0\n", "a square matrix of 3 rows and columns"},
      {"0,1,0,0\n0,0,1,0\n0,0,0,1\n1,0,0,0\n", "a square matrix of 4 rows and columns"},
      {"0 1.5 0 0 2\n1.5 0 3 0 0\n0 3 0 1 0\n0 0 1 0 1\n2 0 0 1 0\n", "a square matrix of 5 rows and columns"},
      {",A,B,C\nA,0,1,0\nB,1,0,2\nC,0,2,0\n", "a square matrix with names for its rows and columns"},
      {"A,B,C\n0,1,0\n1,0,1\n0,1,0\n", "a square matrix below the names of its columns"},
      {"A;B;C;D\n0;1;0;0\n0;0;1;0\n0;0;0;1\n1;0;0;0\n", "a square matrix below the names of its columns"},
      {"MATLAB 5.0 MAT-file, Platform: GLNXA64\0\0"sv, "a .mat file (MATLAB)"},
      {"MATLAB 7.3 MAT-file, Platform: GLNXA64\0\0"sv, "a .mat file (MATLAB 7.3, HDF5)"},
      {"\x89HDF\r\n\x1A\n\0\0"sv, "an HDF5 file"},
      {"\xFD"
       "7zXZ\0\0\x04"sv,
       "data packed with xz"},
      {"BZh91AY&SY\x01\x02\x03"sv, "data packed with bzip2"},
      {"7z\xBC\xAF\x27\x1C\0\x04"sv, "a 7z archive"},
      {"Rar!\x1A\x07\x01\0"sv, "a RAR archive"},
      {"PK\x03\x04\x14\0\0\0\0\0data.txt"sv, "a ZIP archive"},
      {"PK\x03\x04\x14\0\0\0\0\0[Content_Types].xml"sv, "an Excel workbook (.xlsx)"},
      {tar, "a tar archive"},
      {"PAR1\x15\x04\x15\x10"sv, "a Parquet file"},
      {"ARROW1\0\0"sv, "an Arrow or Feather file"},
      {"SQLite format 3\0\x10"sv, "an SQLite database"},
      {"%PDF-1.7\n%\xE2\xE3\n", "a PDF document"},
      {"\x93NUMPY\x01\0"sv, "a NumPy array (.npy)"},
      {"version https://git-lfs.github.com/spec/v1\noid sha256:00\n", "a pointer of Git LFS, not the file that it points to"},
      {"<gxl><graph id='g'/></gxl>", "GXL"},
      {"<?xml version='1.0'?><DynamicNetwork/>", "DyNetML (ORA)"},
      {"<osm version='0.6'/>", "OpenStreetMap's XML"},
      {"<kml/>", "kml (XML)"},
      {"<gpx/>", "gpx (XML)"},
      {"<svg/>", "svg (XML)"},
      {"<!DOCTYPE books>\n<books/>", "XML whose first element is <books>"},
      {"<!DOCTYPE books [<!ENTITY a 'b'>]>\n<books/>", "XML whose first element is <books>"},
      {"<graph><node/></graph>", "XML whose first element is <graph>"},
      {"<my_book-list.v1></my_book-list.v1>", "XML whose first element is <my_book-list.v1>"},
      {"<GraphML>\n</GraphML>", "XML whose first element is <GraphML>"},
      {"digraph \"a\\\"{\" {\n a -> b\n}\n", "DOT (Graphviz)"},
      {"graph TB\n A --> B\n", "a Mermaid diagram"},
      {"graph BT\n A --> B\n", "a Mermaid diagram"},
      {"graph LR\n A --- B\n", "a Mermaid diagram"},
      {"graph RL\n A --> B\n", "a Mermaid diagram"},
      {"flowchart LR\n A --> B\n", "a Mermaid diagram"},
      {"nodedef > name VARCHAR\na\n", "GDF (GUESS, Gephi)"},
      {"@startuml\nA -> B\n@enduml\n", "a PlantUML diagram"},
      {"LEDA.GRAPH\nstring\nint\n", "a LEDA graph"},
      {"DL N = 3\nformat = fullmatrix\n", "DL (UCINET)"},
      {"@base <http://a/> .\n", "Turtle (RDF)"},
      {"BASE <http://a/>\n", "Turtle (RDF)"},
      {"PREFIX a: <http://b/>\na:x a:y a:z .\n", "Turtle (RDF)"},
      {">>sparse6<<:Fa@x^\n", "graph6 or sparse6"},
      {">>digraph6<<&DI?AO?\n", "digraph6"},
      {"[\"a\", \"b\"]\n", "JSON that is no node-link graph"},
      {"[ {\"source\": 1, \"target\": 2} ]\n", "JSON that is no node-link graph"},
      {"[]\n", "JSON that is no node-link graph"},
      {"[1, 2]\n", "JSON that is no node-link graph"},
      {"[-1, 2]\n", "JSON that is no node-link graph"},
      {"PK\x05\x06\0\0\0\0\0\0"sv, "a ZIP archive"},
      {"PK\x03\x04\x14\0\0\0\0\0xl/workbook.xml"sv, "an Excel workbook (.xlsx)"},
      {"a->b\nb->c\n", "edges with an arrow between their ends, as DOT has them"},
      {"a->b ;\nb->c ;\n", "edges with an arrow between their ends, as DOT has them"},
      {"a ->b\nb ->c\n", "edges with an arrow between their ends, as DOT has them"},
      {"A pp B\nC\n", "rows of source, relation and target, as SIF (Cytoscape) has them"},
      {"Bw\nA_\n", "graph6, sparse6 or digraph6"},
      {large_graph6, "graph6, sparse6 or digraph6"},
      {larger_graph6, "graph6, sparse6 or digraph6"},
      {"0.0 1 2 0 0\n3 0. 0 0 4\n0 0 0 1 2\n5 0 1 0 0\n1 0 0 2 0\n", "a square matrix of 5 rows and columns"},
      {"3 1 2 0 0\n1 3 0 0 4\n2 0 3 1 2\n0 0 1 3 0\n0 4 2 0 3\n", "a square matrix of 5 rows and columns"},
      {nine, "a square matrix of 9 rows and columns"},
      {"A,B,C\nA,0,1,0\nB,1,0,2\nC,0,2,0\n", "a square matrix with names for its rows and columns"},
      {"\"\",7,8\n7,0,1\n8,1,0\n", "a square matrix with names for its rows and columns"},
  };
  for (const Case& c : cases)
    for (const char* name : {"g.txt", "g", "g.csv"})
      EXPECT_EQ(outcome(c.text, name), "HW-FORMAT-KNOWN: "s + c.found) << c.text.substr(0, 40) << " as " << name;
}

TEST(Recognise, PackedDataIsNamedWhateverFormatIsAskedFor) {
  for (const char* format : {"edge-list", "names", "matrix-market", "metis"})
    EXPECT_EQ(outcome("BZh91AY&SY\x01\x02", "g", {.format = format}), "HW-FORMAT-KNOWN: data packed with bzip2");
}

TEST(Recognise, AsksWhereRowsCouldBeEdges) {
  const char* const texts[] = {
      "0 1 0\n1 0 1\n1 0 0\n",                          // a matrix of three, or weights
      "0 1 2 3\n1 0 2 4\n2 0 1 3\n3 2 1 0\n4 1 2 3\n",  // nearest neighbours
      "0 1 2\n1 0 2\n2 0 1\n3 2 1\n",                   // two nearest neighbours of each
      "1,2,3\n2,1,3\n3,1,2\n4,3,2\n",
      "0,1,2\n0,1,0\n1,0,1\n0,1,0\n",  // a matrix below the numbers of its columns
      "1,2,3,4\n0,1,0,0\n1,0,1,0\n0,1,0,1\n0,0,1,0\n",
      "A,B,C\n0,1.5,0\n1.5,0,1\n0,1,0\n",
      "0 5 7\n5 0 2\n7 2 0\n",  // a matrix of distances, or weights
      "9 1 2 0 0\n3 9 0 0 4\n0 0 9 1 2\n5 0 1 9 0\n1 0 0 2 9\n",
      "1 & 2 \\\\\n2 & 3 \\\\\n",
      "+ 1 2\n+ 2 3\n- 1 2\n",
      "1 2,5\n2 3,5\n",
      "1\t2,5\n2\t3,5\n",
      "nodes 5\nedges 2\n1 2\n2 3\n",
      "a 1 2 5\na 2 3 6\n",
      "e 1 2\ne 2 3\n",
      "\"V1\" \"V2\" \"V3\"\n\"1\" 0 1 0\n\"2\" 1 0 1\n\"3\" 0 1 0\n",
  };
  for (const char* text : texts) {
    EXPECT_EQ(outcome(text).substr(0, 20), "HW-FORMAT-AMBIGUOUS:") << text;
    EXPECT_EQ(outcome(text, "g.txt", {.format = "names"}), "names") << text;
  }
  const char* const lists = "0 1 2 3\n1 0 2\n2 0 1 3\n";  // of neighbours
  EXPECT_EQ(outcome(lists).substr(0, 20), "HW-FORMAT-AMBIGUOUS:");
  EXPECT_EQ(outcome(lists, "g.txt", {.format = "adjacency"}), "adjacency");
  const char* const relations = "ann likes bob\nbob likes carl\n";  // or a column of no use
  EXPECT_EQ(outcome(relations).substr(0, 20), "HW-FORMAT-AMBIGUOUS:");
  EXPECT_EQ(outcome(relations, "g.txt", {.columns = "source=1,target=3"}), "names");
  EXPECT_EQ(outcome("0 1 0\n1 0 1\n0 1 0\n", "g", {.format = "edge-list"}), "edge-list");
}

TEST(Recognise, EveryArrowIsOne) {
  for (const char* arrow :
       {"->", "--", "<-", "<->", "=>", "-->", "---", "==>", ">", "\xE2\x86\x92", "\xE2\x86\x90", "\xE2\x86\x94"})
    EXPECT_EQ(outcome("a "s + arrow + " b\nb " + arrow + " c\n"),
              "HW-FORMAT-KNOWN: edges with an arrow between their ends, as DOT has them")
        << arrow;
}

/// A list of neighbours that is longer than what is looked at: its rows are counted.
TEST(Recognise, CountsTheRowsOfALongFile) {
  const auto rows = [](std::size_t largest) {
    std::string text = "# made by hand\n";
    for (std::size_t i = 0; i < 6000; ++i)
      text += std::to_string(i) + " " + std::to_string(i ? i - 1 : largest) + " " + std::to_string((i + 7) % 6000) + " 3\n";
    return text;
  };
  EXPECT_EQ(outcome(rows(6000)).substr(0, 20), "HW-FORMAT-AMBIGUOUS:");
  EXPECT_EQ(outcome(rows(6001)), "edge-list");
}

TEST(Recognise, RowsOfOneWordAreNoEdges) {
  for (const char* text : {"Bw\nCl\n", ":\n", "?\n", "~?\n", "~~??~~~~\n", "A\x7F\n", "<abc", "["})
    EXPECT_EQ(outcome(text), "HW-EDGE-COLUMNS: a row of one column") << text;
  EXPECT_EQ(outcome("0 1\n1 0 2 3\n2 0 1 3\n"), "HW-EDGE-COLUMNS: a row of 2");
  EXPECT_EQ(outcome("a ;\nb ;\n"), "HW-EDGE-ID: an empty name");
  EXPECT_EQ(outcome("ann likes bob\nbob knows carl\n").substr(0, 20), "HW-FORMAT-AMBIGUOUS:");
  EXPECT_EQ(outcome("_:a <b> c\n_:b <b> d\n").substr(0, 20), "HW-FORMAT-AMBIGUOUS:");
  const std::string nines(257, '9');
  EXPECT_EQ(outcome(nines + "ustar" + nines + " b\n"), "names") << "no archive";
}

TEST(Recognise, LeavesEdgeListsAlone) {
  const char* const numbers[] = {"0 1\n1 0\n",
                                 "1 2 5\n2 3 6\n3 1 7\n",
                                 "0 1 {'weight': 2}\n1 2 {'weight': 3}\n",
                                 "0 1 2 0.5\n7 1 2 1\n",
                                 "0,1\n1,2\n",
                                 "0 1 1\n1 2 0\n2 0 1\n3 0 1\n",
                                 "0 5 7\n5 0 3\n7 2 0\n",
                                 "1 2 3\n2 3 4\n3 4 5\n4 5 6\n",
                                 "1 2 3\n2 3 4\n3 1 2\n4 1 0\n",
                                 "0 1 1\n1 2 1\n2 3 1\n3 0 1\n",
                                 "x,y,w\n0,1,0\n1,0,1\n0,1,0\n",
                                 "person,friend,year\n1,2,1999\n2,3,2000\n3,1,2001\n",
                                 "A,B,C,D,E\n1,2,5,6,7\n2,3,5,6,7\n3,4,5,6,7\n4,5,5,6,7\n5,6,5,6,7\n",
                                 "0 1 2 30\n1 0 2 40\n2 0 1 30\n3 2 1 0\n",
                                 "0 1 2 123456789012345678\n1 0 2 5\n2 0 1 6\n"};
  const char* const names[] = {"ORC1 ORC2\nBZh PAR1\n",
                               "graph digraph\nstrict graph\n",
                               "RDX2 LZIP\nORC a\n",
                               "New York\tBoston\nRome\tOslo\n",
                               "a,b,x\nb,c,x\nc,d,x\n",
                               "flowchart pie\nprefix suffix\n",
                               "source target kind\na b x\nb c y\n",
                               "a-b c-d\ne-f g--h\n",
                               "_:a _:b\n_:b _:c\n",
                               "<a b\n<c d\n",
                               "<!-- a\n",
                               "/* a\n",
                               "(a) b\n(c) d\n",
                               "[a b]\n",
                               "graph \"a\n",
                               "graph foo\nx --y\n",
                               "digraph a\nb c\n",
                               "dl a\nb c\n",
                               "prefix suffix\na b\n"};
  for (const char* text : numbers) EXPECT_EQ(outcome(text), "edge-list") << text;
  for (const char* text : names) EXPECT_EQ(outcome(text), "names") << text;
}

}  // namespace of_recognise_test
}  // namespace hopwave
