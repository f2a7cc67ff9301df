// What is written is read back as the same graph, or refused when it is written, in every format: a property of random and
// composed graphs, empty ones too, with isolated vertices, loops, duplicates, odd names, gapped and negative ids, and weights.
// HOPWAVE_TEST_ROUND_TRIPS says on how many (80).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <set>
#include <string>
#include <tuple>

#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "hopwave/io.h"
#include "support/temp_dir.h"
#include "support/weights.h"

namespace hopwave {
namespace of_round_trip_shapes_test {

using Random = std::mt19937_64;

struct Form {
  const char* name;
  bool says_direction, keeps_ids;
  enum class Weights { none, ones } bare;  ///< what a graph without weights comes back with
  bool keeps_weights;
  double lowest, highest;  ///< of whole weights; equal if any finite number will do
  bool both = false;       ///< knows arcs alone: an undirected graph's edges stand there in both directions
};

const Form forms[] = {{"matrix-market", true, false, Form::Weights::none, true, 0, 0},
                      {"edge-list", false, true, Form::Weights::none, true, 0, 0},
                      {"names", false, true, Form::Weights::none, true, 0, 0},
                      {"rodinia", false, false, Form::Weights::ones, true, 0, 2147483648.0, true},
                      {"metis", true, false, Form::Weights::none, true, 0, 2147483648.0},
                      {"dimacs", false, false, Form::Weights::ones, true, 0, 2147483648.0, true},
                      {"gap", true, false, Form::Weights::none, false, 0, 0},
                      {"gap-weighted", true, false, Form::Weights::ones, true, -2147483648.0, 2147483520.0},
                      {"galois", false, false, Form::Weights::none, true, 0, 4294967040.0, true},
                      {"graph500", false, false, Form::Weights::none, false, 0, 0},
                      {"npz", false, false, Form::Weights::none, true, 0, 0, true},
                      {"adjacency", false, true, Form::Weights::none, false, 0, 0, true},
                      {"cedge", false, true, Form::Weights::ones, true, 0, 0},
                      {"hwg", true, true, Form::Weights::none, true, 0, 0}};

std::uint64_t amount() {
  const char* const text = std::getenv("HOPWAVE_TEST_ROUND_TRIPS");
  return text ? std::strtoull(text, nullptr, 10) : 80;
}

struct Drawn {
  Graph graph;
  BuildOptions build;
};

std::string odd_name(Random& random) {
  static const char* const parts[] = {
      "a",  "Rome", " ", "\t",   ",",   "\"",     "#",  "%",   "//", "7", ";",          "|",    "-1",           ".5",
      "\\", "'",    "ä", "\xFF", "nan", "source", "to", "0x1", "  ", "e", "# Nodes: 4", "\"\"", "\xEF\xBB\xBF", "target"};
  std::string name;
  for (auto i = random() % 4; i > 0; --i) name += parts[random() % std::size(parts)];
  if (random() % 200 == 0) name += "\n\r"[random() % 2];
  return name;
}

Ids draw_ids(Random& random, VertexId count) {
  switch (random() % 6) {
    case 0: {
      std::set<std::int64_t> ids;
      while (ids.size() < count)
        ids.insert(static_cast<std::int64_t>(random() >> (random() % 63 + 1)) - (random() % 50 == 0 ? 5 : 0));
      return Ids::integers(Array<const std::int64_t>::copy_of(std::vector<std::int64_t>(ids.begin(), ids.end())));
    }
    case 1: {
      std::vector<std::string> names;
      std::set<std::string> seen;
      while (names.size() < count) {
        std::string name = odd_name(random);
        if (names.size() > 20) name += std::to_string(names.size());
        if (seen.insert(name).second) names.push_back(name);
      }
      return Ids::strings(std::move(names));
    }
    case 2:
      return Ids::consecutive(count, static_cast<std::int64_t>(random() % 12) - 3);
    case 3:
      return Ids::consecutive(count, 1);
    default:
      return Ids::consecutive(count);
  }
}

/// A function of the ends, so that both directions agree, and duplicates too.
float weight_of(std::uint64_t kind, const Edge& e) {
  const std::uint64_t bits = splitmix64(std::uint64_t{std::min(e.source, e.target)} << 32 | std::max(e.source, e.target));
  if (kind == 1) return static_cast<float>(bits % 1000);
  if (kind == 2) return static_cast<float>(bits >> 40) * 0x1p-12f;
  if (kind == 3) return std::ldexp(static_cast<float>(bits % 4097) - 2048, static_cast<int>(bits >> 20 & 127) - 64);
  return static_cast<float>(bits & 0xFFFFFFFF);
}

Drawn draw(std::uint64_t seed) {
  Random random(seed);
  EdgeList list;
  switch (random() % 4) {
    case 0:
      list.num_vertices = static_cast<VertexId>(random() % 4);  // no edge at all
      break;
    case 1:
      list = generate("shapes:" + std::to_string(seed) + "," + std::to_string(1 + random() % 400));
      break;
    default: {
      list.num_vertices = static_cast<VertexId>(1 + random() % 40);
      list.edges = Array<Edge>(random() % 120);
      for (Edge& e : list.edges)
        e = {static_cast<VertexId>(random() % list.num_vertices), static_cast<VertexId>(random() % list.num_vertices)};
    }
  }
  list.directed = random() % 2;
  list.both_directions = false;
  list.ids = draw_ids(random, list.num_vertices);
  if (const std::uint64_t kind = random() % 5) {
    list.weights = Weights::smallest(
        testing::made_weights(list.edges.size(), [&](std::size_t i) { return weight_of(kind, list.edges[i]); }));
  }
  BuildOptions build;
  build.keep_duplicates = random() % 2;
  build.keep_self_loops = random() % 2;
  return {build_graph(std::move(list), build), build};
}

using Arc = std::tuple<std::string, std::string, float>;
enum class Shown { numbers, ids };

std::string shown(const Graph& graph, VertexId v, Shown how) {
  return how == Shown::ids ? graph.ids().name(v) : std::to_string(v);
}

std::vector<Arc> arcs_of(const Graph& graph, Shown how, bool weights) {
  std::vector<Arc> arcs;
  for (VertexId v = 0; v < graph.num_vertices(); ++v)
    for (EdgeIndex i = graph.out().offsets[v]; i < graph.out().offsets[v + 1ull]; ++i)
      arcs.emplace_back(shown(graph, v, how), shown(graph, graph.out().neighbors[i], how),
                        !weights              ? 0
                        : graph.has_weights() ? graph.out().weights[i]
                                              : 1);
  std::sort(arcs.begin(), arcs.end());
  return arcs;
}

std::vector<std::string> vertices_of(const Graph& graph, Shown how) {
  std::vector<std::string> all;
  for (VertexId v = 0; v < graph.num_vertices(); ++v) all.push_back(shown(graph, v, how));
  std::sort(all.begin(), all.end());
  return all;
}

bool has_loop(const Graph& graph) {
  for (VertexId v = 0; v < graph.num_vertices(); ++v)
    for (const VertexId u : graph.out_neighbors(v))
      if (u == v) return true;
  return false;
}

/// The error that writing must end with; empty if the format holds the graph.
std::string refusal(const Graph& graph, const Form& form) {
  const std::string format = form.name;
  const bool text_ids = graph.ids().kind() == Ids::Kind::strings;
  if (format == "metis" && graph.directed()) return "HW-WRITE-DIRECTED";
  if (graph.has_weights() && form.keeps_weights && form.lowest < form.highest)
    for (const float w : graph.out().weights)
      if (!(w >= form.lowest && w <= form.highest && w == std::floor(w))) return "HW-WRITE-WEIGHT";
  if (format == "metis" && has_loop(graph)) return "HW-WRITE-LOOP";
  if (format == "graph500" && graph.num_arcs() == 0) return "HW-WRITE-EMPTY";
  if ((format == "adjacency" || format == "cedge") && text_ids) return "HW-WRITE-NAMES";
  if ((format == "edge-list" || format == "names") && text_ids)
    for (const std::string& name : graph.ids().names())
      if (name.find_first_of("\n\r") != std::string::npos) return "HW-WRITE-NAMES";
  const bool numbers = format == "edge-list" || format == "adjacency" || format == "cedge";
  if (numbers && !text_ids && graph.num_vertices() && graph.ids().number(0) < 0) return "HW-WRITE-RANGE";
  return "";
}

void expect_same(const Graph& graph, const Graph& back, const Form& form) {
  const Shown how = form.keeps_ids ? Shown::ids : Shown::numbers;
  const bool weights = form.keeps_weights && (graph.has_weights() || form.bare == Form::Weights::ones);
  // A list of edges without a row shows no column of weights.
  if (graph.num_arcs()) EXPECT_EQ(back.has_weights(), weights);
  EXPECT_EQ(arcs_of(back, how, weights), arcs_of(graph, how, weights));
  if (std::string(form.name) == "graph500") {  // loses the vertices behind the last with an edge
    EXPECT_LE(back.num_vertices(), graph.num_vertices());
    return;
  }
  EXPECT_EQ(vertices_of(back, how), vertices_of(graph, how));
}

void round_trip(const Drawn& drawn, const Form& form, const std::string& path) {
  const Graph& graph = drawn.graph;
  const std::string expected = refusal(graph, form);
  try {
    write_graph(graph, path, {.format = form.name});
    EXPECT_EQ(expected, "") << "written, though the format cannot hold it";
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), expected) << error.what();
    return;
  }
  // Edges that stand in both directions would count twice where duplicates are kept: then they are read as the arcs they are.
  const bool as_arcs = form.both && (drawn.build.keep_duplicates || drawn.build.keep_self_loops);
  const bool undirected = !graph.directed() && !form.says_direction && !as_arcs;
  ReadOptions read{.format = form.name, .undirected = undirected, .threads = 2};
  if (read.format == "edge-list") read.format = "";  // recognised, so that text ids are names
  try {
    const Graph back = load_graph(path, read, drawn.build);
    EXPECT_EQ(back.directed(), graph.directed() || as_arcs);
    expect_same(graph, back, form);
  } catch (const Error& error) {
    ADD_FAILURE() << "written, but refused when read: " << error.what();
  }
}

TEST(RoundTripShapes, EveryFormatKeepsOrRefuses) {
  TempDir dir;
  for (std::uint64_t seed = 0; seed < amount() && !HasFailure(); ++seed) {
    const Drawn drawn = draw(seed);
    for (const Form& form : forms) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + form.name + ", " + std::to_string(drawn.graph.num_vertices()) +
                   " vertices, " + std::to_string(drawn.graph.num_arcs()) + " arcs" +
                   (drawn.graph.directed() ? ", directed" : ""));
      round_trip(drawn, form, dir.path(std::string(form.name) == "edge-list" ? "graph.txt" : "graph.any"));
    }
  }
}

}  // namespace of_round_trip_shapes_test
}  // namespace hopwave
