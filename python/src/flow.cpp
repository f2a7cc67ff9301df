// Maximum flow.
#include <hopwave/flow.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <string>

#include "core.h"

namespace hopwave::python {

namespace {

/// Value, what goes along each arc, 1 for each vertex on the source's side, and the report.
nb::tuple flow_of(const HeldGraph& held, VertexId source, VertexId target, const std::string& strategy, Caller& caller) {
  const Graph& graph = *held.graph;
  Flow found = interruptible((graph.num_arcs() + graph.num_vertices()) * 16, caller, [&](std::stop_token stop) {
    Flow flow = max_flow(graph, source, target, {.strategy = strategy, .run = caller.options(std::move(stop))});
    const auto value = static_cast<std::uint64_t>(flow.value);
    caller.reached({.what = "flow", .done = value, .total = value});
    return flow;
  });
  return nb::make_tuple(found.value, to_numpy(std::move(found.arc)), to_numpy(std::move(found.source_side)),
                        std::move(found.run));
}

}  // namespace

void bind_flow(nb::module_& module) {
  module.def("max_flow", &flow_of, nb::arg("graph"), nb::arg("source"), nb::arg("target"), nb::arg("strategy"),
             nb::arg("asked"),
             nb::sig("def max_flow(graph: Graph, source: int, target: int, strategy: str, asked: Asked) -> "
                     "tuple[int, numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.uint8], RunReport]"));
}

}  // namespace hopwave::python
