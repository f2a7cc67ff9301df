// One input through a reader of the library and through the plain reader of its format.
#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <tuple>

#include "differs.h"
#include "hopwave/error.h"
#include "hopwave/graph.h"
#include "hopwave/io.h"
#include "read.h"

namespace hopwave::fuzz {
namespace {

/// What every list of edges must fulfil, whatever was read.
void check_sense(const EdgeList& list) {
  for (const Edge& e : list.edges) need(e.source < list.num_vertices && e.target < list.num_vertices, "an end out of range");
  need(list.weights.empty() || list.weights.size() == list.edges.size(), "weights of another number");
  need(list.ids.count() == list.num_vertices, "ids of another number");
  if (list.num_vertices) {
    const VertexId last = list.num_vertices - 1;
    need(list.ids.find(list.ids.name(last)) == last, "an id that is not found");
  }
  need(!list.default_source || *list.default_source < list.num_vertices, "a source out of range");
}

std::string id_of(const plain::Graph& graph, std::uint64_t v) {
  return graph.ids.empty() ? std::to_string(graph.first + static_cast<std::int64_t>(v)) : graph.ids[v];
}

void compare_lists(const EdgeList& list, const plain::Graph& graph) {
  need(list.num_vertices == graph.vertices, "number of vertices");
  need(list.edges.size() == graph.rows.size(), "number of edges");
  for (std::size_t i = 0; i < graph.rows.size(); ++i) {
    need(list.edges[i].source == graph.rows[i].source && list.edges[i].target == graph.rows[i].target, "an edge");
    if (!graph.weighted) continue;
    need(list.weights.size() == graph.rows.size(), "number of weights");
    const long double found = list.weights.with([i](const auto& all) { return static_cast<long double>(all[i]); });
    const long double expected = list.weights.whole() ? graph.rows[i].weight : static_cast<double>(graph.rows[i].weight);
    need(found == expected || (found != found && expected != expected), "a weight");
    if (list.weights.whole()) need(expected == std::floor(expected), "a weight that is no whole number");
  }
  need(graph.weighted || list.weights.empty(), "weights where there are none");
  need(list.directed == graph.directed, "direction");
  need(list.both_directions == graph.both_directions, "both directions");
  need(list.default_source.has_value() == graph.source.has_value() &&
           list.default_source.value_or(0) == graph.source.value_or(0),
       "default source");
  const std::uint64_t step = graph.ids.empty() ? std::max<std::uint64_t>(graph.vertices / 4, 1) : 1;
  for (std::uint64_t v = 0; v < graph.vertices; v += step)
    need(list.ids.name(static_cast<VertexId>(v)) == id_of(graph, v), "an id");
}

using Arc = std::tuple<std::uint64_t, std::uint64_t, long double>;

/// The graph that the rows build: both directions if it is undirected, sorted, without loops, the lightest of equal arcs.
/// Nothing if an undirected file does not list each edge as often in one direction as in the other, with the same weight.
std::optional<std::vector<Arc>> build(const plain::Graph& graph) {
  std::vector<Arc> arcs;
  const bool mirror = !graph.directed && !graph.both_directions;
  for (const plain::Row& row : graph.rows) {
    if (row.source == row.target) continue;
    const long double weight = graph.weighted ? row.weight : 0;
    arcs.emplace_back(row.source, row.target, weight);
    if (mirror) arcs.emplace_back(row.target, row.source, weight);
  }
  std::sort(arcs.begin(), arcs.end());
  if (!graph.directed && !mirror) {
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::int64_t> balance;
    for (const auto& [u, v, weight] : arcs) u < v ? ++balance[{u, v}] : --balance[{v, u}];
    for (const auto& [ends, sum] : balance)
      if (sum) return std::nullopt;
  }
  const auto same = [](const Arc& a, const Arc& b) {
    return std::get<0>(a) == std::get<0>(b) && std::get<1>(a) == std::get<1>(b);
  };
  arcs.erase(std::unique(arcs.begin(), arcs.end(), same), arcs.end());
  if (!graph.directed && !mirror)
    for (const auto& [u, v, weight] : arcs)
      if (!std::binary_search(arcs.begin(), arcs.end(), Arc(v, u, weight))) return std::nullopt;
  return arcs;
}

void compare_built(EdgeList list, const plain::Graph& graph) {
  if (graph.vertices > 4096) return;
  // Weights that are no numbers come from .hwg alone; which of them is lightest is open.
  for (const plain::Row& row : graph.rows)
    if (!(row.weight == row.weight)) return;
  const auto arcs = build(graph);
  try {
    const hopwave::Graph built = build_graph(std::move(list), {}, {.threads = 1});
    need(arcs.has_value(), "an undirected graph with an edge in one direction only is built");
    need(built.num_arcs() == arcs->size(), "number of arcs when built");
    std::size_t i = 0;
    for (VertexId v = 0; v < built.num_vertices(); ++v)
      for (EdgeIndex k = built.out().offsets[v]; k < built.out().offsets[v + 1ull]; ++k, ++i) {
        const auto& [source, target, weight] = (*arcs)[i];
        need(source == v && target == built.out().neighbors[k], "an arc when built");
        need(!graph.weighted || built.out().weights[k] == static_cast<double>(weight), "a weight when built");
      }
  } catch (const Error& error) {
    need(!arcs && error.id() == "HW-GRAPH-SYMMETRY", error.what());
  }
}

}  // namespace

int read(const std::uint8_t* data, std::size_t size, const char* format, const char* name, plain::Reader plain) {
  if (size == 0) return 0;
  const plain::Options chosen{.lenient = (data[0] & 1) != 0, .undirected = (data[0] & 2) != 0, .weights = (data[0] & 4) == 0};
  const std::span<const char> bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::optional<plain::Graph> expected;
  std::string why;
  bool open = !plain || packed({bytes.data(), bytes.size()});
  if (!open) try {
      expected = plain({bytes.data(), bytes.size()}, chosen);
    } catch (const plain::Refused& refused) {
      why = refused.why;
    } catch (const plain::Open&) {
      open = true;
    }
  try {
    const ReadOptions options{.format = format,
                              .lenient = chosen.lenient,
                              .undirected = chosen.undirected,
                              .weights = chosen.weights,
                              .run = {.threads = 1}};
    EdgeList list = read_edges(bytes, name, options);
    check_sense(list);
    if (open) return 0;
    if (!expected) differs("read, but the plain reader refuses: " + why);
    compare_lists(list, *expected);
    compare_built(std::move(list), *expected);
  } catch (const Error& error) {
    need(error.id().starts_with("HW-") && !error.parts().found.empty(), "an error that says nothing");
    if (!open && expected) differs(std::string("refused, but not by the plain reader: ") + error.what());
  }
  return 0;
}

}  // namespace hopwave::fuzz
