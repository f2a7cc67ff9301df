// Every pair of formats, one after the other: what comes out is the graph that went in, or one of the two refuses it.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "hopwave/error.h"
#include "hopwave/io.h"
#include "support/temp_dir.h"

namespace hopwave {
namespace of_round_trip_pairs_test {

struct Form {
  const char* format;
  const char* ending;
};
const Form forms[] = {{"", "mtx"},   {"", "txt"},      {"", "csv"},  {"", "el"},         {"", "wel"},
                      {"", "tsv"},   {"", "edges"},    {"", "snap"}, {"names", "names"}, {"rodinia", "rodinia"},
                      {"", "graph"}, {"dimacs", "gr"}, {"", "sg"},   {"", "wsg"},        {"galois", "gr"},
                      {"", "g500"},  {"", "npz"},      {"", "adj"},  {"", "cedge"},      {"", "hwg"},
                      {"", "csv.gz"}};

/// What a graph is, whatever its vertices are called inside: those of formats that count may begin at 0 or 1.
struct Shown {
  bool directed = false;
  std::vector<std::string> vertices;
  std::vector<std::tuple<std::string, std::string, std::string>> arcs;
  friend bool operator==(const Shown&, const Shown&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Shown& shown) {
    out << (shown.directed ? "directed" : "undirected");
    for (const auto& name : shown.vertices) out << ' ' << name;
    for (const auto& [u, v, weight] : shown.arcs) out << "; " << u << " to " << v << ": " << weight;
    return out;
  }
};

Shown shown(const Graph& graph) {
  std::set<std::string> names;
  for (VertexId v = 0; v < graph.num_vertices(); ++v) names.insert(graph.name(v));
  int shift = -1;  // of vertices that are counted from 0 or 1, by number or as text
  for (int first = 0; first < 2 && shift < 0; ++first) {
    bool counted = true;
    for (VertexId v = 0; v < graph.num_vertices(); ++v)
      counted &= names.contains(std::to_string(v + static_cast<VertexId>(first)));
    if (counted) shift = first;
  }
  const auto name = [&](VertexId v) { return shift < 0 ? graph.name(v) : std::to_string(std::stoi(graph.name(v)) - shift); };
  Shown all{.directed = graph.directed()};
  for (VertexId v = 0; v < graph.num_vertices(); ++v) {
    all.vertices.push_back(name(v));
    for (EdgeIndex i = graph.out().offsets[v]; i < graph.out().offsets[v + 1ull]; ++i)
      all.arcs.emplace_back(name(v), name(graph.out().neighbors[i]), graph.has_weights() ? graph.out().weights.text(i) : "1");
  }
  std::sort(all.vertices.begin(), all.vertices.end());
  std::sort(all.arcs.begin(), all.arcs.end());
  return all;
}

struct Count {
  int kept = 0, refused = 0;
};

/// Writes, reads; nothing if the format refuses, and then there is no file.
std::optional<Graph> through(const Graph& graph, const Form& form, const std::string& path) {
  const BuildOptions all{.keep_duplicates = true, .keep_self_loops = true};
  try {
    write_graph(graph, path, {.format = form.format});
  } catch (const Error& error) {
    EXPECT_TRUE(error.id().starts_with("HW-WRITE-")) << error.what();
    EXPECT_FALSE(std::ifstream(path).good());
    return std::nullopt;
  }
  const bool named = std::string(form.format) == "names";
  return load_graph(path, {.format = named ? "names" : "", .run = {.threads = 2}}, all);
}

Count try_pairs(const std::string& text, bool undirected, const std::string& ending = "txt") {
  TempDir dir;
  std::ofstream(dir.path("in." + ending)) << text;
  const Graph graph =
      load_graph(dir.path("in." + ending), {.undirected = undirected}, {.keep_duplicates = true, .keep_self_loops = true});
  const Shown right = shown(graph);
  Count count;
  int file = 0;
  for (const Form& first : forms) {
    const auto between = through(graph, first, dir.path(std::to_string(file++) + "." + first.ending));
    if (!between) {
      ++count.refused;
      continue;
    }
    EXPECT_EQ(shown(*between), right) << first.format << " ." << first.ending << (undirected ? " undirected" : "");
    for (const Form& second : forms) {
      const auto back = through(*between, second, dir.path(std::to_string(file++) + "." + second.ending));
      ++(back ? count.kept : count.refused);
      if (back)
        EXPECT_EQ(shown(*back), right) << first.format << " ." << first.ending << " then " << second.format << " ."
                                       << second.ending << (undirected ? " undirected" : "");
    }
  }
  return count;
}

/// Each graph is a test: a file is flushed to the disk for each pair, and a slow disk takes seconds for one graph.
class RoundTripsOfAGraph : public ::testing::TestWithParam<const char*> {};

TEST_P(RoundTripsOfAGraph, KeepItOrRefuse) {
  for (const bool undirected : {false, true}) {
    const Count count = try_pairs(GetParam(), undirected);
    EXPECT_GE(count.kept, 81) << count.refused << " refused";  // nine endings of edge lists and .hwg take every graph
  }
}

INSTANTIATE_TEST_SUITE_P(Graphs, RoundTripsOfAGraph,
                         ::testing::Values("0 1\n1 2\n2 0\n3 2\n",         // no weights
                                           "# Nodes: 6\n0 1\n1 2\n2 0\n",  // vertices without edges, the last too
                                           "1 2\n2 3\n3 1\n",              // counted from 1
                                           "0 1 3\n1 2 4\n2 0 5\n",        // 32-bit weights
                                           "0 1 9007199254740993\n1 2 9007199254740995\n",  // beyond 2^53
                                           "0 1 .5\n1 2 .25\n2 0 -1.5\n",                   // floats
                                           "0 1 .1\n1 2 1e-300\n2 0 16777217.5\n",          // doubles
                                           "0 0\n0 1\n0 1\n1 2\n",                          // a loop, parallel edges
                                           "10 500\n500 7\n7 9000000000000\n",              // gaps
                                           "7 10\n10 11\n# Isolated:\t3\n",                 // a comment behind the rows is one
                                           "source\ttarget\n\"007\"\t\"7\"\n\"7\"\t\"010\"\n",  // ids with zeros
                                           "Berlin Rome\nRome \"\"\n",                          // names
                                           "# Nodes: 3 Edges: 0\n"));                           // no edge

TEST(RoundTripPairs, TwoSides) {
  const Count count = try_pairs("% bip unweighted\n1 1\n2 1\n2 3\n", false);
  EXPECT_GE(count.kept, 81) << count.refused << " refused";
}

}  // namespace of_round_trip_pairs_test
}  // namespace hopwave
