// Searches by weight, and the words for devices and directions.
#include <nanobind/stl/string.h>

#include <span>
#include <string>

#include "core.h"
#include "hopwave/matrix.h"
#include "hopwave/paths.h"

namespace hopwave::python {

DeviceKind device_kind(const std::string& name) {
  if (name == "auto") return DeviceKind::automatic;
  if (name == "cpu") return DeviceKind::cpu;
  if (name == "gpu") return DeviceKind::gpu;
  if (name == "sim") return DeviceKind::sim;
  throw nb::value_error("device is one of auto, cpu, gpu, sim");
}

std::string device_name(DeviceKind kind) { return kind == DeviceKind::gpu ? "gpu" : kind == DeviceKind::sim ? "sim" : "cpu"; }

Direction direction_of(const std::string& name) {
  if (name == "out") return Direction::out;
  if (name == "in") return Direction::in;
  if (name == "both") return Direction::both;
  throw nb::value_error("direction is one of out, in, both");
}

namespace {

/// Returns distance, parent (None unless asked for), reached, farthest, exact, and the report.
nb::tuple shortest_paths_of(const HeldGraph& held, In<VertexId> sources, VertexId target, double max_distance, bool parents,
                            const std::string& direction, const std::string& strategy, Caller& caller) {
  WeightedOptions options{.strategy = strategy, .direction = direction_of(direction)};
  const WeightedQuery query{.sources = {sources.data(), sources.data() + sources.size()},
                            .target = target,
                            .max_distance = max_distance,
                            .parents = parents};
  const Graph& graph = *held.graph;
  WeightedResult r = interruptible(graph.num_arcs() + graph.num_vertices(), caller, [&](std::stop_token stop) {
    options.run = caller.options(std::move(stop));
    return shortest_paths(graph, query, options);
  });
  nb::object parent = nb::none();
  if (parents) parent = nb::cast(to_numpy(std::move(r.parent)));
  return nb::make_tuple(to_numpy(std::move(r.distance)), parent, r.reached, r.farthest, r.exact, std::move(r.run));
}

/// Returns the matrix, below which distances it is exact, and the report.
nb::tuple distance_matrix_of(const HeldGraph& held, In<VertexId> sources, In<VertexId> targets, bool weights,
                             const std::string& direction, Caller& caller) {
  MatrixOptions options{.weights = weights, .direction = direction_of(direction)};
  const Graph& graph = *held.graph;
  const std::span<const VertexId> from(sources.data(), sources.size()), to(targets.data(), targets.size());
  DistanceMatrix found =
      interruptible((graph.num_arcs() + graph.num_vertices()) * from.size(), caller, [&](std::stop_token stop) {
        options.run = caller.options(std::move(stop));
        return distance_matrix(graph, from, to, options);
      });
  return nb::make_tuple(to_numpy(std::move(found.distance), {from.size(), to.size()}), found.exact_below, std::move(found.run));
}

/// Returns the lengths, the paths, below which lengths they are exact, and the report.
nb::tuple k_shortest_paths_of(const HeldGraph& held, VertexId from, VertexId to, std::uint64_t k, bool weights,
                              const std::string& direction, Caller& caller) {
  PathsOptions options{.weights = weights, .direction = direction_of(direction)};
  const Graph& graph = *held.graph;
  ShortestPaths found = interruptible(graph.num_arcs() + graph.num_vertices(), caller, [&](std::stop_token stop) {
    options.run = caller.options(std::move(stop));
    return k_shortest_paths(graph, from, to, k, options);
  });
  std::vector<double> lengths;
  nb::list paths;
  for (RankedPath& path : found.paths) {
    lengths.push_back(path.length);
    paths.append(to_numpy(std::move(path.vertices)));
  }
  return nb::make_tuple(to_numpy(std::move(lengths)), paths, found.exact_below, std::move(found.run));
}

/// Returns the length, the number of paths, their arcs as tails and heads, the first paths, below which length it is exact,
/// and the report.
nb::tuple all_shortest_paths_of(const HeldGraph& held, VertexId from, VertexId to, std::uint64_t most, bool weights,
                                const std::string& direction, Caller& caller) {
  PathsOptions options{.weights = weights, .direction = direction_of(direction)};
  const Graph& graph = *held.graph;
  AllShortestPaths found = interruptible(graph.num_arcs() + graph.num_vertices(), caller, [&](std::stop_token stop) {
    options.run = caller.options(std::move(stop));
    return all_shortest_paths(graph, from, to, most, options);
  });
  std::vector<VertexId> tails, heads;
  for (const Edge& arc : found.arcs) tails.push_back(arc.source), heads.push_back(arc.target);
  nb::list paths;
  for (auto& path : found.paths) paths.append(to_numpy(std::move(path)));
  return nb::make_tuple(found.length, found.count, to_numpy(std::move(tails)), to_numpy(std::move(heads)), paths,
                        found.exact_below, std::move(found.run));
}

}  // namespace

void bind_shortest_paths(nb::module_& module) {
  module.def("shortest_paths", &shortest_paths_of, nb::arg("graph"), nb::arg("sources"), nb::arg("target"),
             nb::arg("max_distance"), nb::arg("parents"), nb::arg("direction"), nb::arg("strategy"), nb::arg("asked"),
             nb::sig("def shortest_paths(graph: Graph, sources: numpy.typing.NDArray[numpy.uint32], target: int, "
                     "max_distance: float, parents: bool, direction: str, strategy: str, asked: Asked) -> "
                     "tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.uint32] | None, int, float, bool, "
                     "WeightedReport]"));
  module.def("distance_matrix", &distance_matrix_of, nb::arg("graph"), nb::arg("sources"), nb::arg("targets"),
             nb::arg("weights"), nb::arg("direction"), nb::arg("asked"),
             nb::sig("def distance_matrix(graph: Graph, sources: numpy.typing.NDArray[numpy.uint32], targets: "
                     "numpy.typing.NDArray[numpy.uint32], weights: bool, direction: str, asked: Asked) -> "
                     "tuple[numpy.typing.NDArray[numpy.float64], float, RunReport]"));
  module.def("k_shortest_paths", &k_shortest_paths_of, nb::arg("graph"), nb::arg("source"), nb::arg("target"), nb::arg("k"),
             nb::arg("weights"), nb::arg("direction"), nb::arg("asked"),
             nb::sig("def k_shortest_paths(graph: Graph, source: int, target: int, k: int, weights: bool, direction: str, "
                     "asked: Asked) -> tuple[numpy.typing.NDArray[numpy.float64], "
                     "list[numpy.typing.NDArray[numpy.uint32]], float, RunReport]"));
  module.def("all_shortest_paths", &all_shortest_paths_of, nb::arg("graph"), nb::arg("source"), nb::arg("target"),
             nb::arg("most"), nb::arg("weights"), nb::arg("direction"), nb::arg("asked"),
             nb::sig("def all_shortest_paths(graph: Graph, source: int, target: int, most: int, weights: bool, direction: str, "
                     "asked: Asked) -> tuple[float, int, numpy.typing.NDArray[numpy.uint32], "
                     "numpy.typing.NDArray[numpy.uint32], list[numpy.typing.NDArray[numpy.uint32]], float, RunReport]"));
}

}  // namespace hopwave::python
