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
  bool keeps_ids;
  enum class Weights { none, ones } bare;  ///< what a graph without weights comes back with
  bool keeps_weights;
  double lowest, highest;  ///< of whole weights; equal if any finite number will do
  bool undirected = true;
};

const Form forms[] = {{"matrix-market", false, Form::Weights::none, true, 0, 0},
                      {"edge-list", true, Form::Weights::none, true, 0, 0},
                      {"names", true, Form::Weights::none, true, 0, 0},
                      {"rodinia", false, Form::Weights::ones, true, 0, 2147483647.0, false},
                      {"metis", false, Form::Weights::none, true, 0, 2147483648.0},
                      {"dimacs", false, Form::Weights::ones, true, 0, 2147483648.0},
                      {"gap", false, Form::Weights::none, false, 0, 0},
                      {"gap-weighted", false, Form::Weights::ones, true, -2147483648.0, 2147483647.0},
                      {"galois", false, Form::Weights::none, true, 0, 4294967295.0, false},
                      {"graph500", false, Form::Weights::none, false, 0, 0, false},
                      {"npz", false, Form::Weights::none, true, 0, 0},
                      {"adjacency", true, Form::Weights::none, false, 0, 0},
                      {"cedge", true, Form::Weights::ones, true, 0, 0},
                      {"hwg", true, Form::Weights::none, true, 0, 0}};

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
  const Ids& ids = graph.ids();
  const bool text_ids = ids.kind() == Ids::Kind::strings, empty = graph.num_vertices() == 0;
  const bool counted = ids.kind() == Ids::Kind::consecutive && (ids.first() == 0 || ids.first() == 1);
  if (!form.keeps_ids && !empty && !counted) return text_ids ? "HW-WRITE-NAMES" : "HW-WRITE-IDS";
  if ((format == "adjacency" || format == "cedge") && text_ids) return "HW-WRITE-NAMES";
  if ((format == "adjacency" || format == "cedge") && !empty && ids.number(0) < 0) return "HW-WRITE-RANGE";
  if ((format == "edge-list" || format == "names") && text_ids)
    for (const std::string& name : ids.names())
      if (name.find_first_of("\n\r") != std::string::npos) return "HW-WRITE-NAMES";
  if (graph.directed() ? format == "metis" : !form.undirected) return "HW-WRITE-DIRECTED";
  if (format == "metis" && has_loop(graph)) return "HW-WRITE-LOOP";
  if (graph.has_weights() && !form.keeps_weights) return "HW-WRITE-WEIGHT";
  if (graph.has_weights() && form.lowest < form.highest)
    for (EdgeIndex i = 0; i < graph.num_arcs(); ++i) {
      const double w = graph.out().weights[i];
      if (!(w >= form.lowest && w <= form.highest && w == std::floor(w))) return "HW-WRITE-WEIGHT";
    }
  if (format == "edge-list" && !text_ids && !empty && ids.number(0) < 0) return "HW-WRITE-RANGE";
  if (format == "graph500") {
    const VertexId last = graph.num_vertices() - 1;
    const auto& neighbors = graph.out().neighbors;
    if (graph.num_arcs() == 0 ||
        (graph.out_degree(last) == 0 && std::find(neighbors.begin(), neighbors.end(), last) == neighbors.end()))
      return "HW-WRITE-EMPTY";
  }
  return "";
}

void expect_same(const Graph& graph, const Graph& back, const Form& form) {
  const Shown how = form.keeps_ids ? Shown::ids : Shown::numbers;
  const bool weights = form.keeps_weights && (graph.has_weights() || form.bare == Form::Weights::ones);
  // A list of edges without a row shows no column of weights.
  if (graph.num_arcs()) EXPECT_EQ(back.has_weights(), weights);
  EXPECT_EQ(arcs_of(back, how, weights), arcs_of(graph, how, weights));
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
  ReadOptions read{.format = form.name, .run = {.threads = 2}};
  if (read.format == "edge-list") read.format = "";  // recognised, so that text ids are names
  try {
    const Graph back = load_graph(path, read, drawn.build);
    EXPECT_EQ(back.directed(), graph.directed());
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
