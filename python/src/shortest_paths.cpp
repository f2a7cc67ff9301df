// Searches by weight, and the words for devices and directions.
#include <nanobind/stl/string.h>

#include <string>

#include "core.h"

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

}  // namespace

void bind_shortest_paths(nb::module_& module) {
  module.def("shortest_paths", &shortest_paths_of, nb::arg("graph"), nb::arg("sources"), nb::arg("target"),
             nb::arg("max_distance"), nb::arg("parents"), nb::arg("direction"), nb::arg("strategy"), nb::arg("asked"),
             nb::sig("def shortest_paths(graph: Graph, sources: numpy.typing.NDArray[numpy.uint32], target: int, "
                     "max_distance: float, parents: bool, direction: str, strategy: str, asked: Asked) -> "
                     "tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.uint32] | None, int, float, bool, "
                     "WeightedReport]"));
}

}  // namespace hopwave::python
