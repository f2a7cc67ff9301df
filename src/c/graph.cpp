// Graphs of the C header.
#include <algorithm>
#include <cstring>
#include <memory>
#include <span>

#include "c/c_api.h"
#include "core/options.h"
#include "hopwave/flow.h"
#include "hopwave/io.h"
#include "hopwave/restrict.h"

using namespace hopwave;
using namespace hopwave::c;

namespace {

void give(hopwave_graph** place, Graph graph) {
  hopwave_graph*& out = present(place, "graph");  // first: it may throw
  out = new hopwave_graph{std::move(graph)};
}

static_assert(static_cast<int>(WeightType::int32) == HOPWAVE_WEIGHT_INT32 &&
              static_cast<int>(WeightType::int64) == HOPWAVE_WEIGHT_INT64 &&
              static_cast<int>(WeightType::float32) == HOPWAVE_WEIGHT_FLOAT32 &&
              static_cast<int>(WeightType::float64) == HOPWAVE_WEIGHT_FLOAT64);

/// Returns a copy; empty if `weights` is null.
Weights weights_of(int type, const void* weights, std::size_t count) {
  core::require_named(static_cast<WeightType>(type), WeightType::float64, "type of weights");
  if (!weights) return {};
  return Weights::smallest(Weights::copy_of(WeightSpan(static_cast<WeightType>(type), weights, count)));
}

}  // namespace

hopwave_status hopwave_graph_load(const char* path_or_spec, hopwave_graph** graph, hopwave_error** error) {
  return guarded(error, [&] {
    present(graph, "graph");
    const char* const input = &present(path_or_spec, "path_or_spec");
    Graph made = load_graph(input);
    give(graph, lost_capacities(made) ? load_graph(input, {}, {.keep_duplicates = true}) : std::move(made));
  });
}

hopwave_status hopwave_graph_from_weighted_edges(uint32_t num_vertices, const uint32_t* sources, const uint32_t* targets,
                                                 int weight_type, const void* weights, uint64_t num_edges, int directed,
                                                 hopwave_graph** graph, hopwave_error** error) {
  return guarded(error, [&] {
    present(graph, "graph");
    const auto from = values(sources, num_edges, "sources"), to = values(targets, num_edges, "targets");
    EdgeList list;
    list.num_vertices = num_vertices;
    list.directed = directed != 0;
    Array<Edge> edges(num_edges);
    for (std::size_t i = 0; i < num_edges; ++i) edges[i] = {from[i], to[i]};
    list.edges = std::move(edges);
    list.weights = weights_of(weight_type, weights, num_edges);
    list.ids = Ids::consecutive(num_vertices);
    give(graph, build_graph(std::move(list)));
  });
}
hopwave_status hopwave_graph_from_edges(uint32_t num_vertices, const uint32_t* sources, const uint32_t* targets,
                                        const float* weights, uint64_t num_edges, int directed, hopwave_graph** graph,
                                        hopwave_error** error) {
  return hopwave_graph_from_weighted_edges(num_vertices, sources, targets, HOPWAVE_WEIGHT_FLOAT32, weights, num_edges, directed,
                                           graph, error);
}

hopwave_status hopwave_graph_from_weighted_csr(uint32_t num_vertices, const uint64_t* offsets, const uint32_t* neighbors,
                                               int weight_type, const void* weights, int directed, hopwave_graph** graph,
                                               hopwave_error** error) {
  return guarded(error, [&] {
    present(graph, "graph");
    const std::span rows(&present(offsets, "offsets"), num_vertices + std::size_t{1});
    // The last offset states how many neighbours are read: it must not be trusted before the others are checked.
    if (rows.front() != 0 || !std::is_sorted(rows.begin(), rows.end()))
      throw Error({.failure = Failure::input,
                   .id = "HW-GRAPH-ARRAYS",
                   .found = "offsets that do not ascend from 0",
                   .expected = "where each row begins"});
    Adjacency out{Array<const EdgeIndex>::copy_of(rows),
                  Array<const VertexId>::copy_of(values(neighbors, rows.back(), "neighbors")),
                  weights_of(weight_type, weights, rows.back())};
    give(graph, Graph(num_vertices, directed != 0, std::move(out), std::nullopt, Ids::consecutive(num_vertices)));
  });
}
hopwave_status hopwave_graph_from_csr(uint32_t num_vertices, const uint64_t* offsets, const uint32_t* neighbors,
                                      const float* weights, int directed, hopwave_graph** graph, hopwave_error** error) {
  return hopwave_graph_from_weighted_csr(num_vertices, offsets, neighbors, HOPWAVE_WEIGHT_FLOAT32, weights, directed, graph,
                                         error);
}

void hopwave_graph_free(hopwave_graph* graph) { delete graph; }

uint32_t hopwave_graph_num_vertices(const hopwave_graph* graph) { return graph ? graph->graph.num_vertices() : 0; }
uint64_t hopwave_graph_num_arcs(const hopwave_graph* graph) { return graph ? graph->graph.num_arcs() : 0; }
int hopwave_graph_has_weights(const hopwave_graph* graph) { return graph && graph->graph.has_weights(); }
uint32_t hopwave_graph_default_source(const hopwave_graph* graph) {
  return graph ? graph->graph.default_source().value_or(no_vertex) : HOPWAVE_NO_VERTEX;
}
uint32_t hopwave_graph_default_target(const hopwave_graph* graph) {
  return graph ? default_target(graph->graph).value_or(no_vertex) : HOPWAVE_NO_VERTEX;
}
const uint64_t* hopwave_graph_offsets(const hopwave_graph* graph) {
  return graph ? graph->graph.out().offsets.data() : nullptr;
}
const uint32_t* hopwave_graph_neighbors(const hopwave_graph* graph) {
  return graph ? graph->graph.out().neighbors.data() : nullptr;
}
const void* hopwave_graph_weights(const hopwave_graph* graph) { return graph ? graph->graph.out().weights.data() : nullptr; }
int hopwave_graph_weight_type(const hopwave_graph* graph) {
  return graph ? static_cast<int>(graph->graph.out().weights.type()) : HOPWAVE_WEIGHT_INT32;
}
int hopwave_graph_directed(const hopwave_graph* graph) { return graph && graph->graph.directed(); }

hopwave_status hopwave_graph_find(const hopwave_graph* graph, const char* name, uint32_t* vertex, hopwave_error** error) {
  return guarded(error, [&] {
    present(vertex, "vertex");
    const auto found = present(graph, "graph").graph.ids().find(&present(name, "name"));
    if (!found)
      throw Error({.failure = Failure::no,
                   .id = "HW-C-NAME",
                   .found = "'" + std::string(name) + "' is not a vertex",
                   .expected = "a vertex of the graph"});
    *vertex = *found;
  });
}

hopwave_status hopwave_graph_name(const hopwave_graph* graph, uint32_t vertex, char* text, size_t size, size_t* length,
                                  hopwave_error** error) {
  return guarded(error, [&] {
    const auto room = values(text, size, "text");
    const std::string name = present(graph, "graph").graph.ids().name(vertex);
    if (length) *length = name.size();
    if (room.empty()) return;
    const std::size_t copied = std::min(name.size(), room.size() - 1);
    std::memcpy(room.data(), name.data(), copied);
    room[copied] = '\0';
  });
}

hopwave_status hopwave_graph_restricted(const hopwave_graph* graph, const uint8_t* vertices, const uint8_t* arcs,
                                        hopwave_arc_test allowed, void* user, hopwave_graph** restricted_graph,
                                        hopwave_error** error) {
  return guarded(error, [&] {
    present(restricted_graph, "restricted");
    const Graph& whole = present(graph, "graph").graph;
    Restriction by;
    if (vertices) by.vertices = Array<const std::uint8_t>::copy_of({vertices, whole.num_vertices()});
    if (arcs) by.arcs = Array<const std::uint8_t>::copy_of({arcs, whole.num_arcs()});
    if (allowed) by.allowed = [=](VertexId from, VertexId to) { return allowed(user, from, to) != 0; };
    give(restricted_graph, restricted(whole, by));
  });
}
