// GraphML, GML, Pajek and JSON: what is read, what is refused and where, and that everything comes back through each of them.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "hopwave/error.h"
#include "hopwave/graph.h"
#include "hopwave/io.h"
#include "support/error_id.h"
#include "support/temp_dir.h"

namespace hopwave {
namespace of_node_formats_test {

using namespace std::literals;

EdgeList read(std::string_view text, const ReadOptions& options = {}) {
  return read_edges(std::span<const char>(text.data(), text.size()), "g", options);
}

/// "directed a>b:3 b>a:2 | a b", with the ids of the vertices behind the bar, and the notes behind a second one.
std::string shown(const EdgeList& list) {
  std::string text = list.directed ? "directed" : "undirected";
  for (std::size_t i = 0; i < list.edges.size(); ++i) {
    text += " " + list.ids.name(list.edges[i].source) + ">" + list.ids.name(list.edges[i].target);
    if (!list.weights.empty()) text += ":" + list.weights.text(i);
  }
  text += " |";
  for (VertexId v = 0; v < list.num_vertices; ++v) text += " " + list.ids.name(v);
  return text;
}

std::string shown(std::string_view text, const ReadOptions& options = {}) {
  try {
    return shown(read(text, options));
  } catch (const Error& error) {
    return error.id() + " " + std::to_string(error.parts().where.line) + ":" + std::to_string(error.parts().where.column);
  }
}

std::string notes(std::string_view text) {
  std::string all;
  for (const std::string& note : read(text).report.notes) all += note + "\n";
  return all;
}

std::string graphml(const std::string& body, const std::string& keys = "", const char* kind = "directed") {
  return "<?xml version='1.0'?>\n<graphml xmlns='http://graphml.graphdrawing.org/xmlns'>" + keys + "<graph edgedefault='" +
         kind + "'>\n" + body + "</graph></graphml>";
}
const std::string weight_key = "<key id='d0' for='edge' attr.name='weight' attr.type='double'/>";
const std::string ab = "<node id='a'/><node id='b'/>\n";
std::string edge(const std::string& more = "", const std::string& data = "") {
  return "<edge source='a' target='b'" + more + ">" + data + "</edge>\n";
}
std::string data(const std::string& value, const std::string& key = "d0") {
  return "<data key='" + key + "'>" + value + "</data>";
}

class Graphml : public ::testing::Test {
  void SetUp() override {
    if (!build_features().expat) GTEST_SKIP() << "this build was made without Expat";
  }
};

TEST_F(Graphml, NodesEdgesAndWeights) {
  EXPECT_EQ(shown(graphml(ab + "<node id='lone'/>" + edge("", data("2.5")), weight_key)), "directed a>b:2.5 | a b lone");
  EXPECT_EQ(shown(graphml(ab + edge(), "", "undirected")), "undirected a>b | a b");
  EXPECT_EQ(shown(graphml("")), "directed |");
  EXPECT_EQ(shown(graphml(edge() + ab)), "directed a>b | a b") << "edges may come first";
  EXPECT_EQ(shown(graphml("<node id='&lt;&amp;&quot;&#233; '/>")), "directed | <&\"\xC3\xA9 ");
  EXPECT_EQ(shown("<g:graphml xmlns:g='x'><g:graph edgedefault='directed'><g:node id='a'/></g:graph></g:graphml>"),
            "directed | a");
  const EdgeList whole = read(graphml(ab + edge("", data("9007199254740993")), weight_key));
  EXPECT_EQ(whole.weights.type(), WeightType::int64);
  EXPECT_EQ(whole.weights.as<std::int64_t>()[0], 9007199254740993);
}

TEST_F(Graphml, NumbersAreNumbersIfAllAre) {
  EXPECT_EQ(read(graphml("<node id='10'/><node id='2'/><edge source='10' target='2'/>")).ids.kind(), Ids::Kind::integers);
  EXPECT_EQ(shown(graphml("<node id='10'/><node id='2'/><edge source='10' target='2'/>")), "directed 10>2 | 2 10");
  for (const char* id : {"07", "+7", "7.0", "7 ", "9223372036854775808", "-0"})
    EXPECT_EQ(read(graphml("<node id='1'/><node id='"s + id + "'/>")).ids.kind(), Ids::Kind::strings) << id;
}

TEST_F(Graphml, DefaultsAndDirectionsOfEdges) {
  const std::string with_default = "<key id='d0' for='edge' attr.name='weight'><default>7</default></key>";
  EXPECT_EQ(shown(graphml(ab + edge() + edge("", data("2")), with_default)), "directed a>b:7 a>b:2 | a b");
  const std::string mixed = graphml(ab + edge(" directed='false'", data("3")) + edge("", data("4")), weight_key);
  EXPECT_EQ(shown(mixed), "directed a>b:3 a>b:4 b>a:3 | a b");
  EXPECT_NE(notes(mixed).find("1 of 2 edges are undirected"), std::string::npos);
  EXPECT_EQ(shown(mixed, {.undirected = true}), "undirected a>b:3 a>b:4 | a b");
  EXPECT_EQ(shown(graphml(ab + edge(" directed='true'"), "", "undirected")), "directed a>b | a b");
  EXPECT_EQ(shown(graphml(ab + edge(" directed='false'"))), "undirected a>b | a b");
}

TEST_F(Graphml, WhichDataIsTheWeight) {
  const auto keys = [](std::initializer_list<const char*> names) {
    std::string text;
    for (const char* name : names) text += "<key id='"s + name + "' for='edge' attr.name='" + name + "' attr.type='string'/>";
    return text;
  };
  const std::string length = graphml(ab + edge("", data("5", "length") + data("17", "osmid")), keys({"length", "osmid"}));
  EXPECT_EQ(shown(length), "directed a>b:5 | a b");
  EXPECT_NE(notes(length).find("'length'"), std::string::npos);
  EXPECT_NE(notes(length).find("osmid"), std::string::npos);
  EXPECT_EQ(shown(graphml(ab + edge("", data("5", "length") + data("6", "cost")), keys({"length", "cost"}))),
            "HW-NODES-COLUMN 4:1");
  EXPECT_EQ(shown(graphml(ab + edge("", data("5", "length") + data("6", "weight")), keys({"length", "weight"}))),
            "directed a>b:6 | a b");
  EXPECT_EQ(shown(graphml(ab + edge("", data("high", "value")), keys({"value"}))), "directed a>b | a b") << "no number";
  EXPECT_EQ(shown(graphml(ab + edge("", data("17", "year")), keys({"year"}))), "directed a>b | a b");
  EXPECT_NE(notes(graphml(ab + edge("", data("17", "year")), keys({"year"}))).find("year"), std::string::npos);
  EXPECT_EQ(shown(graphml(ab + edge("", data("5", "weight")) + edge(), keys({"weight"}))), "HW-NODES-WEIGHT 5:1")
      << "one is missing";
  EXPECT_EQ(shown(graphml(ab + edge("", data("5", "weight")) + edge(), keys({"weight"})), {.lenient = true}),
            "directed a>b:5 a>b:1 | a b");
  for (const char* bad : {"x", "", "1 2", "nan", "inf", "1e999"})
    EXPECT_EQ(shown(graphml(ab + edge("", data(bad)), weight_key)).substr(0, 15), "HW-NODES-WEIGHT") << bad;
  EXPECT_EQ(shown(graphml(ab + edge("", data("5")), weight_key), {.weights = false}), "directed a>b | a b");
}

TEST_F(Graphml, RefusesWhatIsNoGraphHere) {
  const std::pair<std::string, const char*> cases[] = {
      {graphml("<node id='a'><graph edgedefault='directed'/></node>"), "HW-NODES-KIND 3:14"},
      {graphml("<hyperedge/>"), "HW-NODES-KIND 3:1"},
      {graphml("<node id='a'><port name='n'/></node>"), "HW-NODES-KIND 3:14"},
      {graphml(ab + edge(" sourceport='n'")), "HW-NODES-KIND 4:1"},
      {graphml("<node/>"), "HW-NODES-ID 3:1"},
      {graphml("<node id='a'/><node id='a'/>"), "HW-NODES-TWICE 3:15"},
      {graphml("<node id='a'/><edge source='a'/>"), "HW-NODES-ID 3:15"},
      {graphml("<node id='a'/>" + edge()), "HW-NODES-UNKNOWN 3:15"},
      {graphml(ab + edge("", data("1"))), "HW-GRAPHML-KEY 4:29"},
      {graphml("", weight_key + weight_key), "HW-GRAPHML-KEY 2:119"},
      {graphml(ab + edge(" directed='maybe'")), "HW-GRAPHML-SYNTAX 4:1"},
      {"<graphml><graph></graph></graphml>", "HW-GRAPHML-SYNTAX 1:10"},
      {"<graphml/>", "HW-GRAPHML-SYNTAX 1:11"},
      {"<graphml><graph edgedefault='directed'><node id='a'>", "HW-GRAPHML-SYNTAX 1:53"},
      {"<graphml><graph edgedefault='directed'><node id='\xFF'/></graph></graphml>", "HW-GRAPHML-SYNTAX 1:50"},
      {"<graphml><graph edgedefault='directed'><node id='a\0'/></graph></graphml>"s, "HW-GRAPHML-SYNTAX 1:51"},
      {"<!DOCTYPE graphml [<!ENTITY a 'b'>]>\n<graphml><graph edgedefault='directed'><node id='&a;'/></graph></graphml>",
       "HW-GRAPHML-ENTITY 1:31"},
      {"<!DOCTYPE graphml [<!ENTITY % a 'b'>]>\n<graphml/>", "HW-GRAPHML-ENTITY 1:33"},
      {"<graphml><graph edgedefault='directed'><node id='&nbsp;'/></graph></graphml>", "HW-GRAPHML-SYNTAX 1:40"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(shown(text), expected) << text.substr(0, 200);
  std::string deep = "<graphml><graph edgedefault='directed'>";
  for (int i = 0; i < 5000; ++i) deep += "<desc>";
  EXPECT_EQ(shown(deep).substr(0, 13), "HW-NODES-DEEP");
  std::string bomb = "<!DOCTYPE graphml [<!ENTITY a0 'aaaaaaaaaa'>";
  for (int i = 1; i < 30; ++i)
    bomb += "<!ENTITY a" + std::to_string(i) + " '&a" + std::to_string(i - 1) + ";&a" + std::to_string(i - 1) + ";'>";
  EXPECT_EQ(shown(bomb + "]><graphml>&a29;</graphml>").substr(0, 17), "HW-GRAPHML-ENTITY");
  EXPECT_EQ(shown(graphml("<node id='a'/>" + edge()), {.lenient = true}), "directed a>b | a b");
}

TEST_F(Graphml, OtherEncodings) {
  EXPECT_EQ(shown("<?xml version='1.0' encoding='ISO-8859-1'?><graphml><graph edgedefault='directed'><node "
                  "id='\xE9'/></graph></graphml>"),
            "directed | \xC3\xA9");
  EXPECT_EQ(shown("\xEF\xBB\xBF" + graphml("<node id='a'/>")), "directed | a");
}

TEST_F(Graphml, OneBadNumberIsAnError) {
  const std::string length = "<key id='d0' for='edge' attr.name='length'/>";
  for (const char* bad : {"NaN", "n/a", "", "5,5", "5 km"}) {
    const std::string text = graphml(ab + edge("", data("5")) + edge("", data(bad)), length);
    EXPECT_EQ(shown(text).substr(0, 17), "HW-NODES-WEIGHT 5") << bad;
    EXPECT_EQ(shown(text, {.weights = false}), "directed a>b a>b | a b") << "the hint works";
    EXPECT_EQ(shown(text, {.columns = "weight=length"}).substr(0, 15), "HW-NODES-WEIGHT") << bad;
  }
  const std::string km = "<key id='d0' for='edge' attr.name='km'/>";
  EXPECT_NE(notes(graphml(ab + edge("", data("5.5")) + edge("", data("n/a")), km)).find("not read: km"), std::string::npos);
  EXPECT_EQ(shown(graphml(ab + edge("", data("1") + data("2")), weight_key)).substr(0, 14), "HW-NODES-TWICE");
}

TEST(Gml, OneBadNumberIsAnError) {
  const auto gml = [](const std::string& first, const std::string& second) {
    return "graph [ node [ id 0 ] node [ id 1 ]\nedge [ source 0 target 1 " + first + " ]\nedge [ source 1 target 0 " + second +
           " ] ]\n";
  };
  for (const char* name : {"value", "cost", "length", "distance", "Weight", "VALUE"})
    for (const char* bad : {"NAN", "INF", "\"n/a\"", "\"\"", "\"5,5\"", "\"5 km\"", "[ a 1 ]"}) {
      const std::string text = gml(name + " 5"s, name + " "s + bad);
      EXPECT_EQ(shown(text).substr(0, 17), "HW-NODES-WEIGHT 3") << text;
      EXPECT_EQ(shown(text, {.weights = false}), "undirected 0>1 1>0 | 0 1");
    }
  EXPECT_EQ(shown(gml("value \"5 km\"", "value \"7 km\"")), "HW-NODES-WEIGHT 2:32") << "all of them";
  EXPECT_EQ(shown(gml("value \"high\"", "value \"low\"")), "undirected 0>1 1>0 | 0 1") << "a text";
  EXPECT_EQ(shown(gml("value \"high\" cost 3", "value \"low\" cost 4")), "undirected 0>1:3 1>0:4 | 0 1");
  EXPECT_EQ(shown(gml("Weight 3", "Weight 4")), "undirected 0>1:3 1>0:4 | 0 1");
  EXPECT_EQ(shown(gml("value 3 weight 1", "value \"x\" weight 2")), "undirected 0>1:1 1>0:2 | 0 1");
  EXPECT_NE(notes(gml("value 3 weight 1", "value \"x\" weight 2")).find("not read: value"), std::string::npos);
  EXPECT_EQ(shown(gml("value 3 cost 1", "value \"x\" cost 2")), "HW-NODES-COLUMN 2:1");
  EXPECT_EQ(shown(gml("value 3 cost 1", "value 4 cost 2"), {.weights = false}), "undirected 0>1 1>0 | 0 1");
}

TEST(Gml, KeysTwiceAndInAnotherCase) {
  EXPECT_EQ(shown("graph [ Directed 1 node [ id 0 ] Node [ ID 1 ] Edge [ Source 0 target 1 ] ]"), "directed 0>1 | 0 1");
  EXPECT_NE(notes("graph [ Directed 1 ]").find("Directed"), std::string::npos);
  EXPECT_EQ(shown("graph [ node [ id 0 label \"a\" Label \"b\" ] ]"), "undirected | a") << "small letters go first";
  EXPECT_EQ(shown("graph [ node [ Label \"b\" label \"a\" id 0 ] ]"), "undirected | a");
  EXPECT_EQ(shown("graph [ node [ id 1 id 2 ] ]"), "HW-NODES-TWICE 1:21");
  EXPECT_EQ(shown("graph [ directed 1 directed 0 ]"), "HW-NODES-TWICE 1:20");
  const std::string nodes = "graph [ node [ id 0 ] node [ id 1.0 ] edge [ source 0 target 1 ";
  EXPECT_EQ(shown(nodes + "] ]"), "undirected 0>1 | 0 1") << "1.0 is 1";
  EXPECT_EQ(shown(nodes + "source 1 ] ]"), "HW-NODES-TWICE 1:64");
  EXPECT_EQ(shown(nodes + "weight 1 weight 2 ] ]"), "HW-NODES-TWICE 1:80");
  EXPECT_NE(notes(nodes + "directed 1 ] ]").find("as their direction: directed"), std::string::npos);
}

TEST(Gml, NodesEdgesAndLabels) {
  EXPECT_EQ(shown("graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]"), "undirected 1>2 | 1 2");
  EXPECT_EQ(shown("Creator \"me\"\nVersion 1\n# a comment\ngraph\n[\n directed 1\n node [ id 1 label \"a b\" graphics [ x 1.5 "
                  "y [ z 2 ] ] ]\n"
                  "node [ id 2 label \"&quot;&#233;&amp;\" ] edge [ source 1 target 2 weight 2.5 ] ]\n"),
            "directed a b>\"\xC3\xA9&:2.5 | a b \"\xC3\xA9&");
  EXPECT_EQ(shown("graph [ node [ id 0 label \"7\" ] node [ id 1 label \"3\" ] edge [ source 0 target 1 ] ]"),
            "undirected 7>3 | 3 7");
  const char* const same = "graph [ node [ id 0 label \"x\" ] node [ id 1 label \"x\" ] edge [ source 0 target 1 value 4 ] ]";
  EXPECT_EQ(shown(same), "undirected 0>1:4 | 0 1");
  EXPECT_NE(notes(same).find("called by their ids"), std::string::npos);
  EXPECT_EQ(shown("graph [ edge [ source 1 target 2 ] node [ id 1 ] node [ id 2 ] directed 1 ]"), "directed 1>2 | 1 2");
  EXPECT_EQ(shown("graph [ ]"), "undirected |");
}

TEST(Gml, Refuses) {
  const std::pair<std::string, const char*> cases[] = {
      {"graph [ node [ id 1 ]", "HW-GML-SYNTAX 1:22"},
      {"graph [ node [ id ] ]", "HW-GML-SYNTAX 1:19"},
      {"graph [ node [ label \"x\" ] ]", "HW-NODES-ID 1:9"},
      {"graph [ node [ id 1 ]\nnode [ id 1 ] ]", "HW-NODES-TWICE 2:1"},
      {"graph [ node [ id 1 ] edge [ source 1 ] ]", "HW-NODES-ID 1:23"},
      {"graph [ node [ id 1 ] edge [ source 1 target 2 ] ]", "HW-NODES-UNKNOWN 1:23"},
      {"graph [ node [ id 1 graph [ ] ] ]", "HW-NODES-KIND 1:21"},
      {"graph [ ] graph [ ]", "HW-NODES-KIND 1:11"},
      {"graph [ directed 2 ]", "HW-GML-SYNTAX 1:9"},
      {"graph [ node [ id 1 label \"x ] ]", "HW-GML-SYNTAX 1:27"},
      {"graph [ ] ]", "HW-GML-SYNTAX 1:11"},
      {"graph [ node [ id 1 label \"a\0\" ] ]"s, "HW-TEXT-NUL 1:29"},
      {"graph [ node [ id 1 ] edge [ source 1 target 1 weight \"x\" ] ]", "HW-NODES-WEIGHT 1:55"},
      {"graph [ 1 2 ]", "HW-GML-SYNTAX 1:9"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(shown(text), expected) << text;
  std::string deep = "graph [ ";
  for (int i = 0; i < 100'000; ++i) deep += "a [ ";
  EXPECT_EQ(shown(deep).substr(0, 13), "HW-NODES-DEEP");
}

TEST(Pajek, VerticesArcsAndEdges) {
  EXPECT_EQ(shown("*Vertices 3\n1 \"a b\" 0.1 0.2\n2 c ic Red\n3 \"d \"e\"\"\n*Arcs\n1 2 5\n2 3 6 c Blue\n"),
            "directed a b>c:5 c>d \"e\":6 | a b c d \"e\"");
  EXPECT_EQ(shown("*vertices 2\r\n*edges\r\n1 2\r\n"), "undirected 1>2 | 1 2");
  EXPECT_EQ(shown("*Network x\n% comment\n*Vertices 3\n*Arcslist\n1 2 3\n*Edgeslist\n2 3\n"),
            "directed 1>2 1>3 2>3 3>2 | 1 2 3");
  const char* const some = "*Vertices 2\n*Arcs\n1 2\n2 1 4\n";
  EXPECT_EQ(shown(some), "directed 1>2:1 2>1:4 | 1 2");
  EXPECT_NE(notes(some).find("weigh 1"), std::string::npos);
  EXPECT_EQ(shown("*Vertices 2\n1 \"x\"\n2 \"x\"\n*Edges\n1 2\n"), "undirected 1>2 | 1 2");
  EXPECT_EQ(shown("*Vertices 2\n1 \"x\"\n*Edges\n1 2\n"), "undirected 1>2 | 1 2");
  EXPECT_EQ(shown("*Vertices 1\n*Edges\n"), "undirected | 1");
  EXPECT_EQ(shown("*Vertices 2\n*Arcs :1 \"likes\"\n1 2\n*Arcs :2 \"hates\"\n2 1\n"), "directed 1>2 2>1 | 1 2");
}

TEST(Pajek, TheThirdWordIsAValue) {
  EXPECT_EQ(shown("*Vertices 2\n*Arcs\n1 2 \"3.5\"\n2 1 1e1\n"), "directed 1>2:3.5 2>1:10 | 1 2");
  for (const char* drawn : {"w 3 c Blue", "[1-3]", "l \"a b\""})
    EXPECT_EQ(shown("*Vertices 2\n*Arcs\n1 2 "s + drawn + "\n2 1 7\n"), "directed 1>2:1 2>1:7 | 1 2") << drawn;
  EXPECT_EQ(shown("*Vertices 2\n*Arcs\n1 2 4,5\n", {.weights = false}), "directed 1>2 | 1 2") << "the hint works";
}

TEST(Pajek, Refuses) {
  const std::pair<std::string, const char*> cases[] = {
      {"*Vertices 2\n*Matrix\n0 1\n1 0\n", "HW-NODES-KIND 2:1"},
      {"*Vertices 2\n*Partition x\n", "HW-NODES-KIND 2:1"},
      {"*Vertices 2\n*Vertices 2\n", "HW-NODES-KIND 2:1"},
      {"*Vertices x\n", "HW-PAJEK-SECTION 1:11"},
      {"*Arcs\n1 2\n", "HW-PAJEK-SECTION 1:1"},
      {"*Vertices 2\n*Arcs\n1 3\n", "HW-PAJEK-INDEX 3:3"},
      {"*Vertices 2\n*Arcs\n0 1\n", "HW-PAJEK-INDEX 3:1"},
      {"*Vertices 2\n*Arcs\n1\n", "HW-PAJEK-INDEX 3:2"},
      {"*Vertices 2\n*Arcslist\n1 -2\n", "HW-PAJEK-INDEX 3:3"},
      {"*Vertices 2\n1 \"a\n", "HW-PAJEK-ROW 2:3"},
      {"*Vertices 2\n1 a\n1 b\n", "HW-NODES-TWICE 3:1"},
      {"*Vertices 4000000000\n", "HW-PAJEK-HUGE 0:0"},
      {"*Vertices 2\n*Arcs\n1 2 nan\n", "HW-NODES-WEIGHT 3:5"},
      {"*Vertices 2\n*Arcs\n1 2 4,5\n", "HW-NODES-WEIGHT 3:5"},
      {"*Vertices 2\n*Arcs\n1 2 3.5\n2 1 4,5\n", "HW-NODES-WEIGHT 4:5"},
      {"*Vertices 2\n*Arcs\n1 2 \"x\"\n", "HW-NODES-WEIGHT 3:5"},
      {"*Vertices 2\n*Edges\n1 2 red\n", "HW-NODES-WEIGHT 3:5"},
      {"*Vertices 2\n*Edges\n1 2 5km w 3\n", "HW-NODES-WEIGHT 3:5"},
      {"*Vertices 2\n*Arcs\n1 \0 2\n"s, "HW-TEXT-NUL 3:3"},
      {"*Vertices 2\r*Arcs\r1 2\r", "HW-TEXT-CR 1:12"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(shown(text), expected) << text;
}

TEST(NodeLink, NetworkxCytoscapeAndD3) {
  EXPECT_EQ(shown(R"({"directed": true, "multigraph": false, "graph": {}, "nodes": [{"id": 1}, {"id": 3}, {"id": 9}],
                      "links": [{"weight": 2.5, "source": 1, "target": 3}]})"),
            "directed 1>3:2.5 | 1 3 9");
  EXPECT_EQ(
      shown(
          R"({"directed": false, "edges": [{"source": "b", "target": "\u00e9\""}], "nodes": [{"id": "b"}, {"id": "\u00e9\""}]})"),
      "undirected b>\xC3\xA9\" | b \xC3\xA9\"");
  const char* const d3 = R"({"nodes": [{"name": "x"}, {"name": "y"}], "links": [{"source": 1, "target": 0, "value": 3}]})";
  EXPECT_EQ(shown(d3), "undirected y>x:3 | x y");
  EXPECT_NE(notes(d3).find("undirected"), std::string::npos);
  EXPECT_EQ(shown(R"({"elements": {"nodes": [{"data": {"id": "0"}}, {"data": {"id": "1"}}],
                      "edges": [{"data": {"source": 0, "target": 1, "weight": 4}}]}, "directed": true})"),
            "directed 0>1:4 | 0 1");
  EXPECT_EQ(read(R"({"directed": true, "nodes": [{"id": "7"}], "links": []})").ids.kind(), Ids::Kind::strings);
  EXPECT_EQ(read(R"({"directed": true, "nodes": [{"id": 7}], "links": []})").ids.kind(), Ids::Kind::consecutive);
  EXPECT_EQ(read(R"({"directed": true, "nodes": [{"id": 9007199254740993}], "links": []})").ids.number(0), 9007199254740993);
}

/// D3's nodes have no id: links count them, or name them.
TEST(NodeLink, NodesWithoutId) {
  const auto json = [](const std::string& nodes, const std::string& links) {
    return R"({"directed": true, "nodes": [)" + nodes + "], \"links\": [" + links + "]}";
  };
  const auto link = [](const std::string& source, const std::string& target) {
    return R"({"source": )" + source + ", \"target\": " + target + "}";
  };
  const std::string ab = R"({"name": "a"}, {"name": "b"})", a_to_b = link("\"a\"", "\"b\""), b_to_a = link("\"b\"", "\"a\"");
  EXPECT_EQ(shown(json(ab, b_to_a)), "directed b>a | a b");
  EXPECT_NE(notes(json(ab, b_to_a)).find("name them by their \"name\""), std::string::npos);
  EXPECT_EQ(shown(json(ab, link("1", "0"))), "directed b>a | a b");
  EXPECT_NE(notes(json(ab, link("1", "0"))).find("count them from 0"), std::string::npos);
  EXPECT_EQ(shown(R"({"directed": true, "links": [)" + b_to_a + R"(], "nodes": [{"name": "c"}, )" + ab + "]}"),
            "directed b>a | c a b")
      << "links first";
  EXPECT_EQ(shown(json(R"({"name": "a"}, {"name": "a"})", link("1", "0"))), "directed 1>0 | 0 1");
  EXPECT_EQ(shown(json(R"({"name": 10}, {"name": 20})", link("20", "10"))), "directed 20>10 | 10 20");
  EXPECT_EQ(shown(json(R"({"name": 0}, {"name": 1})", link("1", "0"))), "directed 1>0 | 0 1") << "the same either way";
  EXPECT_EQ(shown(json(R"({"name": "7"}, {"name": "8"})", link("\"8\"", "\"7\""))), "directed 8>7 | 7 8");
  EXPECT_EQ(read(json(R"({"name": "7"}, {"name": "8"})", link("\"8\"", "\"7\""))).ids.kind(), Ids::Kind::strings);

  const std::pair<std::string, const char*> refused[] = {
      {json(R"({"name": 1}, {"name": 0})", link("0", "1")), "HW-NODES-ID 1:31"},
      {json(R"({"name": "1"}, {"name": "0"})", link("0", "1")), "HW-NODES-ID 1:31"},
      {json(R"({"name": "a"}, {"name": "a"})", link("\"a\"", "\"a\"")), "HW-NODES-TWICE 1:46"},
      {json(R"({"name": "a"}, {"x": 1})", link("\"a\"", "\"a\"")), "HW-NODES-ID 1:46"},
      {json(ab, link("\"a\"", "\"x\"")), "HW-NODES-UNKNOWN 1:72"},
      {json(ab, link("\"a\"", "1")), "HW-NODES-UNKNOWN 1:72"},
      {json(ab, link("0", "2")), "HW-NODES-UNKNOWN 1:72"},
  };
  for (const auto& [text, expected] : refused) EXPECT_EQ(shown(text), expected) << text;
  const ReadOptions lenient{.lenient = true};
  EXPECT_EQ(shown(json(ab, a_to_b), lenient), "directed a>b | a b");
  EXPECT_EQ(shown(json(ab, link("\"a\"", "\"x\"")), lenient), "directed a>x | a b x");
  EXPECT_EQ(shown(json(ab, link("\"a\"", "1")), lenient), "directed a>1 | a b 1");
  EXPECT_EQ(shown(json(ab, link("0", "2")), lenient), "directed 0>2 | 0 1 2");
  EXPECT_EQ(shown(json(ab, link("18446744073709551616", "-1")), lenient),
            "directed 18446744073709551616>-1 | 0 1 18446744073709551616 -1");
}

/// Numbers among ids that are texts can only be places; else ids are what links name.
TEST(NodeLink, PlacesOfNodesWithIds) {
  const auto json = [](const std::string& nodes, const std::string& links) {
    return R"({"directed": true, "nodes": [)" + nodes + "], \"links\": [" + links + "]}";
  };
  const std::string ab = R"({"id": "a"}, {"id": "b"}, {"id": "c"})";
  for (const bool lenient : {false, true}) {
    EXPECT_EQ(shown(json(ab, R"({"source": 2, "target": 1, "value": 4})"), {.lenient = lenient}), "directed c>b:4 | a b c");
    EXPECT_EQ(shown(json(R"({"id": "0"}, {"id": "1"})", R"({"source": 0, "target": 1})"), {.lenient = lenient}),
              "HW-NODES-ID 1:68")
        << "two readings";
  }
  EXPECT_NE(notes(json(ab, R"({"source": 2, "target": 1})")).find("count nodes from 0"), std::string::npos);
  EXPECT_EQ(shown(json(ab, R"({"source": 2, "target": 3})")), "HW-NODES-UNKNOWN 1:81");
  EXPECT_EQ(shown(json(ab, R"({"source": 2, "target": 3})"), {.lenient = true}), "directed 2>3 | a b c 2 3");
  EXPECT_EQ(shown(json(R"({"id": 1}, {"id": 2})", R"({"source": 1, "target": 0})")), "directed 2>1 | 1 2");
  EXPECT_EQ(shown(json(R"({"id": 1}, {"id": 0})", R"({"source": 1, "target": 0})")), "directed 1>0 | 0 1") << "ids go first";
}

/// As in Python, 1.0 == 1 and 1.50 == 1.5.
TEST(NodeLink, NumbersWithAPoint) {
  const auto json = [](const std::string& id, const std::string& end) {
    return R"({"directed": true, "nodes": [{"id": 1}, {"id": )" + id + R"(}], "links": [{"source": 1.0, "target": )" + end +
           "}]}";
  };
  for (const char* two : {"2", "2.0", "2e0", "20E-1"})
    for (const char* end : {"2", "2.0", "2e0", "20E-1"}) EXPECT_EQ(shown(json(two, end)), "directed 1>2 | 1 2") << two << end;
  EXPECT_NE(notes(json("2.0", "2")).find("2.0 are taken as whole"), std::string::npos);
  EXPECT_EQ(shown(json("1.0", "1")), "HW-NODES-TWICE 1:42");
  EXPECT_EQ(shown(json("1.5", "1.50")), "directed 1>1.5 | 1 1.5");
  EXPECT_NE(notes(json("1.5", "1.50")).find("1.5"), std::string::npos);
  EXPECT_EQ(shown(json("36893488147419103233", "36893488147419103233")),
            "directed 1>36893488147419103233 | 1 36893488147419103233");
  EXPECT_EQ(shown(json("36893488147419103233", "36893488147419103234")).substr(0, 16), "HW-NODES-UNKNOWN") << "not rounded";
}

TEST(NodeLink, NothingIsPassedOverSilently) {
  const auto json = [](const std::string& edge, const std::string& root = "\"directed\": true") {
    return "{" + root + R"(, "nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 2)" + edge + "}]}";
  };
  EXPECT_EQ(shown(json(R"(, "weight": 5, "weight": 6)")), "HW-NODES-TWICE 1:115");
  EXPECT_EQ(shown(json(R"(, "target": 2)")), "HW-NODES-TWICE 1:102");
  EXPECT_EQ(shown(json(R"(, "weight": [5])")), "HW-NODES-WEIGHT 1:101");
  EXPECT_EQ(shown(json(R"(, "weight": {"a": 5})")), "HW-NODES-WEIGHT 1:101");
  EXPECT_EQ(shown(json(R"(, "weight": true)")), "HW-NODES-WEIGHT 1:104");
  const std::string nested = json(R"(, "attributes": {"weight": 3})");
  EXPECT_EQ(shown(nested), "directed 1>2 | 1 2");
  EXPECT_NE(notes(nested).find("not read: attributes.weight"), std::string::npos);
  EXPECT_EQ(shown(nested, {.columns = "weight=attributes.weight"}), "directed 1>2:3 | 1 2") << "the note's option works";
  EXPECT_EQ(shown(json(R"(, "undirected": true)")), "undirected 1>2 | 1 2");
  EXPECT_EQ(shown(json(R"(, "undirected": true, "directed": true)")).substr(0, 13), "HW-JSON-SHAPE");
  EXPECT_NE(notes(json(R"(, "type": "Undirected")")).find("as their direction: type"), std::string::npos);
  EXPECT_NE(notes(json(R"(, "directed": "no")")).find("as their direction: directed"), std::string::npos);
  EXPECT_EQ(shown(json("", R"("undirected": true)")), "undirected 1>2 | 1 2");
  EXPECT_EQ(shown(json("", R"("undirected": true, "directed": true)")).substr(0, 13), "HW-JSON-SHAPE");
  EXPECT_EQ(shown(json("", R"("Directed": true)")).substr(0, 13), "HW-JSON-SHAPE");
  EXPECT_EQ(shown(json("", R"("graph": {"directed": true})")), "undirected 1>2 | 1 2");
  EXPECT_NE(notes(json("", R"("graph": {"directed": true})")).find("within \"graph\""), std::string::npos);
  EXPECT_EQ(shown(json("", R"("graph": {})"), {.directed = true}), "directed 1>2 | 1 2") << "the note's option works";
}

TEST(NodeLink, Refuses) {
  const std::pair<std::string, const char*> cases[] = {
      {R"({"nodes": [{"id": 1}], "links": [{"source": 1, "target": 2}]})", "HW-NODES-UNKNOWN 1:35"},
      {R"({"nodes": [{"id": 1}, {"id": 1}], "links": []})", "HW-NODES-TWICE 1:24"},
      {R"({"nodes": [{"id": 1}, {"id": "1"}], "links": []})", "HW-NODES-ID 1:24"},
      {R"({"nodes": [{"id": 1}, {}], "links": []})", "HW-NODES-ID 1:24"},
      {R"({"nodes": [{"id": [0, 1]}], "links": []})", "HW-NODES-ID 1:20"},
      {R"({"nodes": [{"id": null}], "links": []})", "HW-NODES-ID 1:23"},
      {R"({"nodes": [{"id": 1}], "links": [{"source": 1}]})", "HW-NODES-ID 1:35"},
      {R"({"nodes": [1, 2], "links": []})", "HW-JSON-SHAPE 1:14"},
      {R"({"nodes": [], "links": [], "edges": []})", "HW-JSON-SHAPE 1:38"},
      {R"({"nodes": []})", "HW-JSON-SHAPE 0:0"},
      {R"({"directed": 1, "nodes": [], "links": []})", "HW-JSON-SHAPE 1:16"},
      {R"({"nodes": [{"id": 1)", "HW-JSON-SYNTAX 1:20"},
      {"{\"nodes\": [{\"id\": \"\xFF\"}], \"links\": []}", "HW-JSON-SYNTAX 1:21"},
      {R"({"nodes": [{"id": 1}], "links": [{"source": 1, "target": 1, "weight": NaN}]})", "HW-JSON-SYNTAX 1:72"},
      {R"({"nodes": [], "links": []} x)", "HW-JSON-SYNTAX 1:29"},
      {R"({"adjacency": [], "nodes": []})", "HW-FORMAT-KNOWN 0:0"},
      {R"({"graph": {"nodes": {}, "edges": []}})", "HW-FORMAT-KNOWN 0:0"},
      {R"({"type": "FeatureCollection", "features": []})", "HW-FORMAT-KNOWN 0:0"},
      {R"({})", "HW-FORMAT-KNOWN 0:0"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(shown(text), expected) << text;
  EXPECT_EQ(shown("{\"a\": " + std::string(1'000'000, '[')).substr(0, 13), "HW-NODES-DEEP");
}

/// Every format whose ids are text keeps ids, direction, weights of each type and vertices without edges.
TEST(NodeFormats, RoundTripOverAllPairs) {
  const std::vector<std::vector<std::string>> ids = {{"007", "7", "a b", "\"x\"", "&<>", "\xC3\xA9"},
                                                     {"0", "1", "2", "3", "4", "5"},
                                                     {"-5", "0", "7", "9", "20", "9223372036854775807"}};
  const std::vector<Weights> weights = {{},
                                        Array<std::int32_t>::copy_of(std::vector<std::int32_t>{1, -2, 2147483647, 0}),
                                        Array<std::int64_t>::copy_of(std::vector<std::int64_t>{9007199254740993, 1, 2, -3}),
                                        Array<float>::copy_of(std::vector<float>{.5f, -.25f, 3e7f + 2, 3}),
                                        Array<double>::copy_of(std::vector<double>{.1, 1e-300, 1e300, 2})};
  const TempDir dir;
  std::vector<std::string> endings = {"gml", "json", "hwg"};
  if (build_features().expat) endings.emplace_back("graphml");
  for (const auto& names : ids)
    for (const Weights& w : weights)
      for (const bool directed : {true, false}) {
        EdgeList list;
        list.num_vertices = 6;
        list.edges = Array<Edge>::copy_of(std::vector<Edge>{{0, 1}, {1, 2}, {3, 0}, {4, 3}});
        list.weights = w;
        list.directed = directed;
        list.ids = names[0][0] == '0' && names[0].size() > 1 ? Ids::strings(names) : Ids();
        if (names[0] == "0") list.ids = Ids::consecutive(6);
        if (names[0] == "-5")
          list.ids =
              Ids::integers(Array<std::int64_t>::copy_of(std::vector<std::int64_t>{-5, 0, 7, 9, 20, 9223372036854775807}));
        const Graph graph = build_graph(list);
        for (const std::string& from : endings)
          for (const std::string& to : endings) {
            write_graph(graph, dir.path("a." + from));
            const Graph middle = build_graph(read_edges(dir.path("a." + from)));
            write_graph(middle, dir.path("b." + to));
            const Graph back = build_graph(read_edges(dir.path("b." + to)));
            SCOPED_TRACE(from + " " + to + " " + names[0] + " " + std::string(name(w.type())));
            ASSERT_EQ(back.num_vertices(), 6u);
            ASSERT_EQ(back.num_arcs(), graph.num_arcs());
            EXPECT_EQ(back.directed(), directed);
            EXPECT_EQ(back.has_weights(), graph.has_weights());
            for (VertexId v = 0; v < 6; ++v) {
              const auto here = back.ids().find(std::string_view(graph.name(v)));
              ASSERT_TRUE(here) << graph.name(v);
              ASSERT_EQ(back.out_degree(*here), graph.out_degree(v));
              for (const VertexId u : graph.out_neighbors(v)) {
                const VertexId there = *back.ids().find(std::string_view(graph.name(u)));
                const auto row = back.out_neighbors(*here);
                const auto at = std::find(row.begin(), row.end(), there) - row.begin();
                ASSERT_LT(static_cast<std::size_t>(at), row.size());
                const auto was =
                    std::find(graph.out_neighbors(v).begin(), graph.out_neighbors(v).end(), u) - graph.out_neighbors(v).begin();
                if (graph.has_weights())
                  EXPECT_EQ(back.out().weights[back.out().offsets[*here] + static_cast<std::size_t>(at)],
                            graph.out().weights[graph.out().offsets[v] + static_cast<std::size_t>(was)]);
              }
            }
          }
      }
}

TEST_F(Graphml, KeysOfAllKinds) {
  const auto key = [](const std::string& more) { return "<key id='d0' " + more + "/>"; };
  const std::string five = graphml(ab + edge("", data("5")), key("attr.name='weight'"));
  EXPECT_EQ(shown(five), "directed a>b:5 | a b") << "of all elements";
  EXPECT_EQ(shown(graphml(ab + edge("", data("5")), key("for='all' attr.name='weight'"))), "directed a>b:5 | a b");
  EXPECT_EQ(shown(graphml(ab + edge("", data("5", "weight")), "<key id='weight' for='edge'/>")), "directed a>b:5 | a b")
      << "called by its id";
  EXPECT_EQ(shown(graphml(ab + edge(), "<key id='d0' for='node' attr.name='weight'><default>7</default></key>")),
            "directed a>b | a b")
      << "the default of nodes";
  EXPECT_EQ(shown(graphml("<default>7</default>" + ab + edge())), "directed a>b | a b");
  EXPECT_EQ(shown(graphml(ab + edge(), "<key id='d0' for='edge' attr.name='weight'><desc><default>7</default></desc></key>")),
            "directed a>b | a b");
  EXPECT_EQ(shown(graphml("<node id='a'><data key='d1'><y:Shape xmlns:y='y'><y:port/></y:Shape></data></node>")),
            "directed | a")
      << "yEd's drawings";
  EXPECT_EQ(shown(graphml(ab + edge("", data(" 5\n")), weight_key)), "directed a>b:5 | a b");
  EXPECT_EQ(shown(graphml(ab + edge("", data(std::string(5000, '1') + "\n2")), weight_key)), "HW-NODES-WEIGHT 5:2");
  std::string many;
  for (int i = 0; i < 4097; ++i) many += "<key id='k" + std::to_string(i) + "'/>";
  EXPECT_EQ(shown(graphml("", many)).substr(0, 14), "HW-GRAPHML-KEY");
}

TEST_F(Graphml, RefusesWhatStandsInTheWrongPlace) {
  const std::pair<std::string, const char*> cases[] = {
      {"<graphml><node id='a'/></graphml>", "HW-GRAPHML-SYNTAX 1:10"},
      {"<graphml><edge source='a' target='a'/></graphml>", "HW-GRAPHML-SYNTAX 1:10"},
      {graphml(ab + "<edge source='a' target='b'><edge source='a' target='b'/></edge>"), "HW-GRAPHML-SYNTAX 4:29"},
      {"<graphml><graph edgedefault='directed'/><graph edgedefault='directed'/></graphml>", "HW-NODES-KIND 1:41"},
      {"<graphml><graph edgedefault='both'/></graphml>", "HW-GRAPHML-SYNTAX 1:10"},
      {graphml(ab + edge(" targetport='n'")), "HW-NODES-KIND 4:1"},
      {graphml("<node id='" + std::string(70000, 'a') + "'/>"), "HW-NODES-ID 3:1"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(shown(text), expected) << text.substr(0, 200);
  EXPECT_EQ(shown("<html/>", {.format = "graphml"}), "HW-GRAPHML-SYNTAX 1:1");
  EXPECT_EQ(shown(graphml(ab + edge(" directed='1'") + edge(" directed='0'"))), "directed a>b a>b b>a | a b");
}

/// Which attributes are numbers, and what is said of them, is the same for all of these formats.
class Attributes : public ::testing::Test {
 protected:
  static std::string json(const std::vector<std::string>& edges) {
    std::string text = R"({"directed": true, "nodes": [{"id": 1}, {"id": 2}], "edges": [)";
    for (std::size_t i = 0; i < edges.size(); ++i)
      text +=
          (i ? ",\n" : "\n") + std::string(R"({"source": 1, "target": 2)") + (edges[i].empty() ? "" : ", ") + edges[i] + "}";
    return text + "]}";
  }
};

TEST_F(Attributes, ThatOnlySomeEdgesHave) {
  const std::string second = json({"", R"("weight": 5)", ""});
  EXPECT_EQ(shown(second), "HW-NODES-WEIGHT 2:2");
  EXPECT_EQ(shown(second, {.lenient = true}), "directed 1>2:1 1>2:5 1>2:1 | 1 2");
  EXPECT_EQ(shown(json({R"("weight": null)", R"("weight": 5)"}), {.lenient = true}), "directed 1>2:1 1>2:5 | 1 2");
}

TEST_F(Attributes, ThatAreNumbersAreNoted) {
  const auto noted = [](const std::vector<std::string>& edges, const std::string& part) {
    return notes(json(edges)).find(part) != std::string::npos;
  };
  EXPECT_TRUE(noted({R"("km": "1e5")", R"("km": "nan")"}, "not read: km"));
  EXPECT_FALSE(noted({R"("km": "1e5")", R"("km": "a")", R"("km": "b")"}, "not read: km"));
  EXPECT_FALSE(noted({R"("key": 5)"}, "not read"));
  EXPECT_TRUE(noted({R"("directed": "no", "Undirected": "x")"}, "as their direction: Undirected, directed"));
  EXPECT_FALSE(noted({R"("type": "friend")"}, "direction"));
  EXPECT_EQ(read(json({R"("km": 5, "weight": 3)"}), {.weights = false}).report.details,
            "directed, weights not kept, node-link data");
  EXPECT_EQ(read(json({R"("km": 5)"}), {.weights = false}).report.details, "directed, node-link data");
}

TEST_F(Attributes, AreChosenByTheirNames) {
  EXPECT_EQ(shown(json({R"("km": 5)"}), {.columns = "weight=km"}), "directed 1>2:5 | 1 2");
  EXPECT_EQ(shown(json({R"("km": 5)"}), {.columns = "weight=hours"}), "HW-NODES-COLUMN 2:2");
  EXPECT_EQ(shown(json({""}), {.columns = "weight=hours"}), "HW-NODES-COLUMN 2:2");
  EXPECT_EQ(shown(json({}), {.columns = "weight=hours"}), "directed | 1 2");
  std::string many;
  for (int i = 0; i < 80; ++i) many += "\"x" + std::to_string(i) + "\": 7, ";
  EXPECT_EQ(shown(json({many + R"("weight": 5)"})), "directed 1>2:5 | 1 2") << "one of very many";
  EXPECT_EQ(shown(json({many + R"("weight": 5)"}), {.columns = "weight=x70"}), "directed 1>2:7 | 1 2");
}

TEST_F(Attributes, ThatAreNoNumbersAreQuoted) {
  const auto found = [](const std::string& value) {
    try {
      read(json({"\"weight\": \"" + value + "\""}));
    } catch (const Error& error) {
      return error.id() + " " + error.parts().found;
    }
    return "read"s;
  };
  EXPECT_EQ(found("high"), "HW-NODES-WEIGHT 'high'");
  EXPECT_EQ(found(std::string(70, 'x')), "HW-NODES-WEIGHT '" + std::string(64, 'x') + "…'");
  EXPECT_EQ(found("a\\u0001"), "HW-NODES-WEIGHT 'a\\x01'");
  EXPECT_EQ(found(std::string(2000, '1')).substr(0, 15), "HW-NODES-WEIGHT");
}

TEST_F(Attributes, OfEdgesWithoutDirection) {
  const std::string loop = R"({"directed": true, "nodes": [{"id": 1}, {"id": 2}], "edges": [{"source": 1, "target": 1,
    "directed": false}, {"source": 1, "target": 2, "directed": false}, {"source": 2, "target": 1}]})";
  EXPECT_EQ(shown(loop), "directed 1>1 1>2 2>1 2>1 | 1 2") << "a loop is one arc";
}

TEST(Gml, CharactersByNameAndNumber) {
  const auto label = [](const std::string& text) { return shown("graph [ node [ id 0 label \"" + text + "\" ] ]"); };
  EXPECT_EQ(label("&lt;&gt;&apos;&quot;&amp;"), "undirected | <>'\"&");
  EXPECT_EQ(label("&#65;&#x42;&#X43;&#x4a;"), "undirected | ABCJ");
  EXPECT_EQ(label("&#8364;&#128512;&#xE000;"), "undirected | \xE2\x82\xAC\xF0\x9F\x98\x80\xEE\x80\x80");
  for (const char* other : {"&;", "&a;", "&nbsp;", "&#;", "&#1a;", "&#xg;", "&#xD800;", "&#x110000;", "&#x1100000;",
                            "&long name;", "&aaaaaaaaaaaa;", "& a", "&"})
    EXPECT_EQ(label(other), "undirected | "s + other);
}

TEST(Gml, WordsBeforeAndAroundTheGraph) {
  for (const char* key : {"Creator", "Version", "comment", "Comment", "creator", "version"})
    EXPECT_EQ(shown(key + " \"me\"\ngraph[ node [ id 1 ] ]\n# the end"s), "undirected | 1") << key;
  EXPECT_EQ(read("Creator \"me\n").report.format, "names") << "an edge list";
  EXPECT_EQ(read("Creator graph\n").report.format, "names");
  const ReadOptions gml{.format = "gml"};
  EXPECT_EQ(shown("graph 5\ngraph [ node [ id 1 ] ]", gml), "undirected | 1") << "a number, and the graph";
  EXPECT_EQ(shown("a 1", gml), "HW-GML-SYNTAX 1:4");
  EXPECT_EQ(shown("graph [ node 5 edge 5 directed [ ] node [ id 1 ] ]"), "undirected | 1");
}

TEST(Gml, NumbersAndOddValues) {
  const auto weight = [](const std::string& text) {
    return shown("graph [ node [ id 0 ] edge [ source 0 target 0 weight " + text + " ] ]");
  };
  EXPECT_EQ(weight("+5"), "undirected 0>0:5 | 0");
  EXPECT_EQ(weight(".5"), "undirected 0>0:0.5 | 0");
  EXPECT_EQ(weight("~5"), "HW-GML-SYNTAX 1:55");
  EXPECT_EQ(weight("5[ a 1 ]"), "HW-GML-SYNTAX 1:56");
  EXPECT_EQ(weight("5\"a\""), "HW-GML-SYNTAX 1:56");
  const auto id = [](const std::string& text) { return shown("graph [ node [ id " + text + " ] ]"); };
  EXPECT_EQ(id("-2.0"), "undirected | -2");
  EXPECT_EQ(id("-0.0"), "undirected | 0");
  for (const char* text : {"1.2.3", "1e999", "edge", "0.1000000000000000000000001"})
    EXPECT_EQ(id(text), "undirected | "s + text);
  const std::string mebibyte((std::size_t{1} << 20) + 1, 'k');
  EXPECT_EQ(shown("graph [ " + mebibyte + " 1 ]").substr(0, 13), "HW-GML-SYNTAX");
  EXPECT_EQ(shown("graph [ a " + mebibyte + " 1 ]").substr(0, 13), "HW-GML-SYNTAX");
  EXPECT_EQ(shown("graph [ a \"" + mebibyte + "\" ]").substr(0, 13), "HW-GML-SYNTAX");
  EXPECT_EQ(shown("graph [ node [ id 1 node [ ] ] ]"), "HW-NODES-KIND 1:21");
  EXPECT_EQ(shown("graph [ node [ id 1 edge [ ] ] ]"), "HW-NODES-KIND 1:21");
  EXPECT_EQ(shown("graph [ node [ id 1 ] edge [ target 1 ] ]"), "HW-NODES-ID 1:23");
}

TEST(Pajek, NetworksOfOtherKinds) {
  const std::string two = "*Vertices 3 2\n1 a\n2 b\n3 c\n*Edges\n1 3\n2 3\n";
  EXPECT_EQ(shown(two), "undirected a>c b>c | a b c");
  EXPECT_NE(notes(two).find("vertices 3 and above are of the second"), std::string::npos);
  EXPECT_EQ(shown("*Vertices 2\n1\n2 b\n"), "directed | 1 2") << "without lines";
  EXPECT_EQ(shown("*Vertices 2\n*Arcs:1\n1 2\n*Arcs:2\n2 1\n"), "directed 1>2 2>1 | 1 2");
  EXPECT_NE(notes("*Vertices 2\n*Arcs:1\n1 2\n*Arcs:2\n2 1\n").find("2 relations"), std::string::npos);
  EXPECT_EQ(shown("*Vertices 2\n*Arcs likes\n1 2\n"), "directed 1>2 | 1 2");
  const std::pair<std::string, const char*> refused[] = {
      {"*Edges\n1 2\n", "HW-PAJEK-SECTION 1:1"},
      {"*Network x\n", "HW-PAJEK-SECTION 2:1"},
      {"*Vertices 2 x\n", "HW-PAJEK-SECTION 1:13"},
      {"*Vertices 2\n*Arcsx\n", "HW-NODES-KIND 2:1"},
      {"*Vertices 2\n\"*Arcs\" 1 2\n", "HW-PAJEK-INDEX 2:1"},
      {"*Vertices 2\n1 " + std::string(70000, 'a') + "\n", "HW-NODES-ID 2:3"},
      {"*Vertices 2\n1 " + std::string(std::size_t{9} << 20, 'a') + "\n", "HW-TEXT-LINE 2:1"},
  };
  for (const auto& [text, expected] : refused) EXPECT_EQ(shown(text), expected) << text.substr(0, 40);
}

TEST(NodeLink, OtherShapesAreNamed) {
  const auto found = [](const std::string& text, const ReadOptions& options = {}) {
    try {
      read(text, options);
    } catch (const Error& error) {
      return error.id() + " " + error.parts().found;
    }
    return "read"s;
  };
  EXPECT_EQ(found(R"({"geometry": {}})"), "HW-FORMAT-KNOWN GeoJSON");
  EXPECT_EQ(found(R"({"@context": {}})"), "HW-FORMAT-KNOWN JSON-LD (RDF)");
  EXPECT_EQ(found(R"({"@graph": []})"), "HW-FORMAT-KNOWN JSON-LD (RDF)");
  EXPECT_EQ(found(R"({"graphs": []})"), "HW-FORMAT-KNOWN JSON Graph Format");
  EXPECT_EQ(found(R"({"elements": {"data": {}}})"), "HW-FORMAT-KNOWN Cytoscape's JSON without \"nodes\" in \"elements\"");
  EXPECT_EQ(found("[1, 2]", {.format = "json"}), "HW-FORMAT-KNOWN JSON that is no object");
  EXPECT_EQ(found("7", {.format = "json"}), "HW-FORMAT-KNOWN JSON that is no object");
  EXPECT_EQ(read("{x y}\n").report.format, "names") << "an edge list";
}

TEST(NodeLink, ElementsThatAreNone) {
  const std::pair<std::string, const char*> cases[] = {
      {R"({"nodes": [], "nodes": []})", "HW-JSON-SHAPE 1:25"},
      {R"({"nodes": [{"id": 1}], "links": [[1, 1]]})", "HW-JSON-SHAPE 1:35"},
      {R"({"nodes": [{"id": 1}], "links": [5]})", "HW-JSON-SHAPE 1:36"},
      {R"({"nodes": [[1]], "links": []})", "HW-JSON-SHAPE 1:13"},
      {R"({"nodes": [{"id": true}], "links": []})", "HW-NODES-ID 1:23"},
      {R"({"nodes": [{"id": 1}], "links": [{"target": 1}]})", "HW-NODES-ID 1:35"},
      {R"({"nodes": [{"id": 1}], "links": [{"source": {}, "target": 1}]})", "HW-NODES-ID 1:46"},
      {R"({"nodes": [{"id": 1}], "links": [{"source": 1, "target": [1]}]})", "HW-NODES-ID 1:59"},
      {R"({"elements": {"nodes": [{"data": {"id": {}}}], "edges": []}})", "HW-NODES-ID 1:42"},
      {R"({"elements": {"nodes": [{"data": {"id": 1}}], "edges": [{"data": {"source": []}}]}})", "HW-NODES-ID 1:78"},
      {R"({"elements": {"nodes": [{"data": {}}], "edges": []}})", "HW-NODES-ID 1:26"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(shown(text), expected) << text;
}

TEST(NodeLink, WhatIsNoGraphIsPassedOver) {
  EXPECT_EQ(shown(R"({"directed": true, "meta": {"id": 7}, "graph": {"name": "x", "directed": 1, "nodes": 5},
                      "nodes": [{"id": 1, "pos": [1, 2], "at": {"x": 1}}], "links": []})"),
            "directed | 1");
  EXPECT_EQ(shown(R"({"graph": {"directed": true, "name": "x"}, "nodes": [{"id": 1}], "links": []})"), "undirected | 1");
  EXPECT_EQ(
      shown(R"({"directed": true, "elements": {"data": {}, "nodes": [{"id": 5, "data": {"id": "a"}, "position": {"x": 1}}],
                      "edges": [{"group": "edges", "data": {"source": "a", "target": "a"}, "style": {"width": 1}}]}})"),
      "directed a>a | a");
  EXPECT_EQ(shown(R"({"directed": true, "nodes": [{"name": null}, {"name": true}], "links": [{"source": 0, "target": 1}]})"),
            "directed 0>1 | 0 1");
  EXPECT_EQ(shown(R"({"directed": true, "nodes": [{"name": "a"}], "links": []})"), "directed | a");
}

TEST(NodeLink, NumbersAndTextsAsIds) {
  const auto json = [](const std::string& nodes, const std::string& links) {
    return R"({"directed": true, "nodes": [)" + nodes + "], \"links\": [" + links + "]}";
  };
  const auto hint = [](const std::string& text) {
    try {
      read(text);
    } catch (const Error& error) {
      return error.id() + " " + error.parts().hint;
    }
    return "read"s;
  };
  EXPECT_EQ(shown(json(R"({"name": "10"}, {"name": "20"})", R"({"source": 20, "target": 10})")), "directed 20>10 | 10 20");
  EXPECT_EQ(read(json(R"({"name": "10"}, {"name": "20"})", R"({"source": 20, "target": 10})")).ids.kind(), Ids::Kind::strings);
  EXPECT_EQ(shown(json(R"({"name": 0}, {"name": 1})", R"({"source": 0, "target": 0})")), "directed 0>0 | 0 1");
  EXPECT_EQ(shown(json(R"({"id": "a"}, {"id": 1})", R"({"source": 1, "target": 1})")), "directed 1>1 | a 1");
  EXPECT_NE(hint(json(R"({"id": 0}, {"id": 1})", R"({"source": "0", "target": "1"})")).find("tostring"), std::string::npos);
  EXPECT_NE(hint(json(R"({"id": "0"}, {"id": "1"})", R"({"source": 0, "target": 1})")).find("tonumber"), std::string::npos);
  EXPECT_EQ(hint(json(R"({"id": "0"}, {"id": "1"})", R"({"source": "0", "target": 1})")), "HW-NODES-ID ");
}

/// Parallel edges, and what is no letter in a name or a weight.
TEST(NodeFormats, RoundTripOfRareThings) {
  const TempDir dir;
  std::vector<std::string> endings = {"gml", "json"};
  if (build_features().expat) endings.emplace_back("graphml");
  EdgeList list;
  list.num_vertices = 2;
  list.edges = Array<Edge>::copy_of(std::vector<Edge>{{0, 1}, {0, 1}});
  list.weights = Array<double>::copy_of(std::vector<double>{1.5e300, 2});
  list.ids = Ids::strings({"a\n\r\t", "\xE2\x82\xAC\xF0\x9F\x98\x80\xEE\x80\x80"});
  const Graph graph = build_graph(std::move(list), {.keep_duplicates = true});
  for (const std::string& ending : endings) {
    write_graph(graph, dir.path("g." + ending));
    const Graph back = build_graph(read_edges(dir.path("g." + ending)), {.keep_duplicates = true});
    EXPECT_EQ(back.num_arcs(), 2u) << ending;
    EXPECT_TRUE(back.ids().find(std::string_view(graph.name(0)))) << ending;
    EXPECT_TRUE(back.ids().find(std::string_view(graph.name(1)))) << ending;
    EXPECT_EQ(back.out().weights.text(0) + " " + back.out().weights.text(1), "2 1.5e+300") << ending;
  }
}

TEST(NodeFormats, RefuseNamesThatWouldNotComeBack) {
  const TempDir dir;
  const auto error = [&](const std::string& name, const char* ending) {
    EdgeList list{.num_vertices = 1, .ids = Ids::strings({name})};
    return testing::id_of([&] { write_graph(build_graph(std::move(list)), dir.path("g."s + ending)); });
  };
  for (const char* ending : {"graphml", "gml", "net", "json"}) {
    EXPECT_EQ(error("a\xFF", ending), "HW-WRITE-NAMES") << ending;
    EXPECT_EQ(error("a b", ending), "none") << ending;
  }
  // No UTF-8: cut off, longer than need be, half of a pair, beyond the last character.
  for (const char* name : {"a\x80", "a\xE2\x82", "a\xE2\x28\xA1", "a\xE0\x80\x80", "a\xF0\x80\x80\x80", "a\xED\xA0\x80",
                           "a\xF4\x90\x80\x80", "a\xF5\x80\x80\x80"})
    EXPECT_EQ(error(name, "json"), "HW-WRITE-NAMES") << name;
  EXPECT_EQ(error("a\xEF\xBF\xBE", "graphml"), "HW-WRITE-NAMES");
  EXPECT_EQ(error("a\xEF\xBF\xBF", "graphml"), "HW-WRITE-NAMES");
  EXPECT_EQ(error("a\rb", "net"), "HW-WRITE-NAMES");
  EXPECT_EQ(error("a\0b"s, "net"), "HW-WRITE-NAMES");
  EXPECT_EQ(error("a\x01", "graphml"), "HW-WRITE-NAMES");
  EXPECT_EQ(error("a\nb", "graphml"), "none");
  EXPECT_EQ(error("a\nb", "net"), "HW-WRITE-NAMES");
  EXPECT_EQ(error("a\"b", "net"), "HW-WRITE-NAMES");
  EXPECT_EQ(error("a\0b"s, "gml"), "HW-WRITE-NAMES");
  EXPECT_EQ(error("a\0b"s, "json"), "none");
}

}  // namespace of_node_formats_test
}  // namespace hopwave
